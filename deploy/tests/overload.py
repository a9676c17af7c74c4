"""Asks for health and for decisions, on connections of its own, while somebody else overloads the server.

Usage: overload.py STUBS probe TARGET ADMIN SECONDS
       overload.py STUBS body FILE

The first prints how long health checks (by gRPC at TARGET, by HTTP at ADMIN), answered and refused decisions took, in
milliseconds, as JSON. The second writes a request as it goes over the wire, for load generators that know no protobuf.
"""

import json
import os
import struct
import sys
import time
import urllib.request

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

sys.path.insert(0, sys.argv[1])

# pylint: disable=wrong-import-position
from doudizhu.v1 import card_pb2, decision_service_pb2 as pb, decision_service_pb2_grpc, situation_pb2  # noqa: E402


def timed(call):
    started = time.perf_counter()
    try:
        call()
        code = "OK"
    except grpc.RpcError as error:
        code = error.code().name
    return code, 1e3 * (time.perf_counter() - started)


def lead(*ranks):
    hand = [card_pb2.Card(rank=rank) for rank in ranks]
    return pb.DecideRequest(situation=situation_pb2.Situation(hand=hand, role=situation_pb2.ROLE_LANDLORD))


def body(path):
    # A landlord's first lead, the most expensive turn of a game.
    message = lead(3, 3, 4, 5, 5, 6, 7, 8, 9, 9, 9, 10, 11, 11, 12, 13, 14, 15, 15, 17).SerializeToString()
    with open(path, "wb") as file:
        file.write(b"\0" + struct.pack(">I", len(message)) + message)


def alive(admin):
    with urllib.request.urlopen(f"http://{admin}/healthz", timeout=5) as answer:
        answer.read()


def probe(target, admin, seconds):
    # It measures: what it waits for a processor that the load generator has would be counted as the server's time.
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(20))
    except PermissionError:
        print("no permission for real-time scheduling: times include waiting for the processor", file=sys.stderr)
    turn = lead(3, 4, 5, 6, 7, 9, 9)
    times = {"health": [], "healthz": [], "answered": [], "shed": []}
    other = {}
    with grpc.insecure_channel(target, [("test", 1)]) as one, grpc.insecure_channel(target, [("test", 2)]) as two:
        health = health_pb2_grpc.HealthStub(one)
        service = decision_service_pb2_grpc.DecisionServiceStub(two)
        timed(lambda: health.Check(health_pb2.HealthCheckRequest()))
        timed(lambda: service.Decide(turn))
        time.sleep(2)
        until = time.monotonic() + seconds - 2
        while time.monotonic() < until:
            code, took = timed(lambda: health.Check(health_pb2.HealthCheckRequest(), timeout=5))
            assert code == "OK", f"health: {code}"
            times["health"].append(took)
            times["healthz"].append(timed(lambda: alive(admin))[1])
            for _ in range(5):
                code, took = timed(lambda: service.Decide(turn, timeout=5))
                kind = {"OK": "answered", "RESOURCE_EXHAUSTED": "shed"}.get(code)
                if kind:
                    times[kind].append(took)
                else:
                    other[code] = other.get(code, 0) + 1
            time.sleep(0.05)
    report = {"other": other}
    for kind, found in times.items():
        found.sort()
        if found:
            pick = lambda share: round(found[int(share * (len(found) - 1))], 2)  # noqa: E731
            report[f"{kind}_ms"] = {"n": len(found), "p50": pick(0.5), "p99": pick(0.99), "max": pick(1.0)}
    print(json.dumps(report))


if __name__ == "__main__":
    if sys.argv[2] == "body":
        body(sys.argv[3])
    else:
        probe(sys.argv[3], sys.argv[4], float(sys.argv[5]))
