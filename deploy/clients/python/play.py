"""Plays one turn of Dou Dizhu: asks what to play, what else could be played (the hint button), and whether a play is legal.

    pip install -r requirements.txt
    python -m grpc_tools.protoc -I ../../../proto --python_out=. --grpc_python_out=. ../../../proto/doudizhu/v1/*.proto
    python play.py [TARGET]

TARGET is any gRPC name, such as dns:///doudizhu-headless.doudizhu.svc.cluster.local:50051.
"""

import pathlib
import sys

import grpc
from doudizhu.v1 import card_pb2, decision_service_pb2, decision_service_pb2_grpc, group_pb2, situation_pb2

# Deadline, retries and round robin over all addresses of TARGET. Every call is safe to retry.
SERVICE_CONFIG = pathlib.Path(__file__).resolve().parent.parent / "service_config.json"

RANKS = {rank: number for number, rank in enumerate("3456789TJQKA2", start=3)}
SUITS = {"c": card_pb2.SUIT_CLUBS, "d": card_pb2.SUIT_DIAMONDS, "s": card_pb2.SUIT_SPADES, "h": card_pb2.SUIT_HEARTS}


def cards(text):
    """Cards from text such as "9s 9h"."""
    return [card_pb2.Card(rank=RANKS[word[0]], suit=SUITS[word[1]]) for word in text.split()]


def show(group):
    names = {number: name for name, number in RANKS.items()} | {16: "SJ", 17: "BJ"}
    suits = {suit: name for name, suit in SUITS.items()} | {card_pb2.SUIT_UNSPECIFIED: ""}
    kind = group_pb2.GroupType.Name(group.type).removeprefix("GROUP_TYPE_")
    return " ".join([kind, *(names[card.rank] + suits[card.suit] for card in group.cards)])


def main():
    target = sys.argv[1] if len(sys.argv) > 1 else "localhost:50051"
    options = [("grpc.service_config", SERVICE_CONFIG.read_text(encoding="utf-8"))]
    with grpc.insecure_channel(target, options) as channel:
        service = decision_service_pb2_grpc.DecisionServiceStub(channel)

        # The landlord has played a pair of eights; the peasant after the landlord is to move.
        turn = situation_pb2.Situation(
            hand=cards("3c 4d 5s 6h 7c 9s 9h Jd Ks Kh As 2c"),
            role=situation_pb2.ROLE_PEASANT_AFTER_LANDLORD,
            to_beat=cards("8c 8d"),
            last_player=situation_pb2.ROLE_LANDLORD,
        )
        answer = service.Decide(decision_service_pb2.DecideRequest(request_id="turn-1", situation=turn))
        print("play:", show(answer.play))
        print("strategy:", answer.strategy)

        # A hint for a human: the best plays, to be shown one after the other.
        hint = service.RankPlays(decision_service_pb2.RankPlaysRequest(situation=turn, limit=3))
        print("legal plays:", hint.legal_plays)
        for ranked in hint.plays:
            print("  " + show(ranked.play))

        # Checks what a human wants to put on the table.
        wanted = decision_service_pb2.ClassifyPlayRequest(cards=cards("9s 9h"), to_beat=cards("8c 8d"))
        check = service.ClassifyPlay(wanted)
        print("check:", show(check.group), "beats" if check.beats else "does not beat")


if __name__ == "__main__":
    try:
        main()
    except grpc.RpcError as error:
        sys.exit(f"{error.code().name}: {error.details()}")
