"""Plays one turn without any generated code: the server's reflection service tells what the messages look like.

    pip install -r requirements.txt
    python reflect.py [TARGET]
"""

import sys

import grpc
from google.protobuf import descriptor_pool, json_format, message_factory
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

SERVICE = "doudizhu.v1.DecisionService"


def call(channel, method, request):
    """Calls a unary method; request and response are what JSON would be."""
    request_class = message_factory.GetMessageClass(method.input_type)
    response_class = message_factory.GetMessageClass(method.output_type)
    stub = channel.unary_unary(
        f"/{SERVICE}/{method.name}",
        request_serializer=lambda message: message.SerializeToString(),
        response_deserializer=response_class.FromString,
    )
    response = stub(json_format.ParseDict(request, request_class()), timeout=1)
    return json_format.MessageToDict(response, preserving_proto_field_name=True)


def main():
    target = sys.argv[1] if len(sys.argv) > 1 else "localhost:50051"
    with grpc.insecure_channel(target) as channel:
        reflection = ProtoReflectionDescriptorDatabase(channel)
        print("services:", *sorted(reflection.get_services()))
        service = descriptor_pool.DescriptorPool(reflection).FindServiceByName(SERVICE)

        ranks = "THREE FOUR FIVE SIX SEVEN NINE NINE JACK KING KING ACE TWO".split()
        situation = {
            "hand": [{"rank": f"RANK_{rank}"} for rank in ranks],
            "role": "ROLE_PEASANT_AFTER_LANDLORD",
            "to_beat": [{"rank": "RANK_EIGHT"}, {"rank": "RANK_EIGHT"}],
            "last_player": "ROLE_LANDLORD",
        }
        answer = call(channel, service.methods_by_name["Decide"], {"situation": situation})
        play = answer["play"]
        print("play:", play["type"], *(card["rank"] for card in play.get("cards", [])))


if __name__ == "__main__":
    try:
        main()
    except grpc.RpcError as error:
        sys.exit(f"{error.code().name}: {error.details()}")
