"""Mixed traffic: valid, invalid, cancelled, late, slow and silent clients, all told apart.

Usage: traffic.py STUBS TARGET SECONDS [--rate N] [--only valid] [--service-config FILE]

Prints one JSON object: for every kind of traffic how often each outcome was seen, which of them were not among those
that the kind asks for, and the latencies of valid calls. Exit status 1 if anything unexpected was seen.
"""

import argparse
import asyncio
import collections
import json
import pathlib
import random
import socket
import struct
import sys
import time

import grpc

parser = argparse.ArgumentParser()
parser.add_argument("stubs")
parser.add_argument("target")
parser.add_argument("seconds", type=float)
parser.add_argument("--rate", type=float, default=200.0, help="of all calls together, a second")
parser.add_argument("--only", help="one kind of traffic")
parser.add_argument("--service-config", type=pathlib.Path)
parser.add_argument("--channels", type=int, default=4)
options = parser.parse_args()
sys.path.insert(0, options.stubs)

# pylint: disable=wrong-import-position
from doudizhu.v1 import card_pb2, decision_service_pb2 as pb, decision_service_pb2_grpc, situation_pb2  # noqa: E402

SERVICE = "/doudizhu.v1.DecisionService/"
DECK = [(rank, suit) for rank in range(3, 16) for suit in range(1, 5)] + [(16, 0), (17, 0)]

outcomes = collections.defaultdict(collections.Counter)
unexpected = collections.Counter()
latencies = []


def note(kind, outcome, expected, why=""):
    outcomes[kind][outcome] += 1
    if outcome not in expected:
        unexpected[f"{kind}: {outcome} {why}".rstrip()] += 1


def cards(chosen):
    return [card_pb2.Card(rank=rank, suit=suit) for rank, suit in sorted(chosen)]


def lead(dice):
    size = dice.randint(1, 20)
    situation = situation_pb2.Situation(hand=cards(dice.sample(DECK, size)), role=situation_pb2.ROLE_LANDLORD)
    return pb.DecideRequest(request_id="traffic", situation=situation)


def follow(dice):
    deck = DECK[:]
    dice.shuffle(deck)
    rank = dice.randint(3, 15)
    beat = [(rank, 1), (rank, 2)]
    hand = [card for card in deck if card not in beat][: dice.randint(1, 17)]
    situation = situation_pb2.Situation(
        hand=cards(hand),
        role=situation_pb2.ROLE_PEASANT_AFTER_LANDLORD,
        to_beat=cards(beat),
        last_player=situation_pb2.ROLE_LANDLORD,
    )
    return pb.DecideRequest(request_id="traffic", situation=situation, seed=dice.randint(0, 1 << 63))


async def unary(kind, call, expected):
    started = time.perf_counter()
    why = ""
    try:
        response = await call
        outcome = "OK"
        if kind == "valid":
            latencies.append(time.perf_counter() - started)
        if isinstance(response, pb.DecideResponse) and not response.play.type:
            outcome = "no play"
    except grpc.aio.AioRpcError as error:
        outcome = error.code().name
        why = error.details()
    except asyncio.CancelledError:
        outcome = "CANCELLED"
    note(kind, outcome, expected, why)


async def valid(stub, dice):
    kind = dice.random()
    if kind < 0.4:
        call = stub.Decide(lead(dice), timeout=5)
    elif kind < 0.7:
        call = stub.Decide(follow(dice), timeout=5)
    elif kind < 0.9:
        call = stub.EvaluateHand(pb.EvaluateHandRequest(hand=cards(dice.sample(DECK, 20))), timeout=5)
    else:
        call = stub.ClassifyPlay(pb.ClassifyPlayRequest(cards=cards(dice.sample(DECK, 5))), timeout=5)
    await unary("valid", call, {"OK"})


async def invalid(stub, dice):
    request = lead(dice)
    wrong = dice.randrange(6)
    expected = {"INVALID_ARGUMENT"}
    if wrong == 0:
        request.ClearField("situation")
    elif wrong == 1:
        request.situation.hand.append(request.situation.hand[0])
    elif wrong == 2:
        request.strategy = "cheat"
    elif wrong == 3:
        request.situation.hand[0].rank = 99
    elif wrong == 4:
        request.request_id = "x" * 100_000
        expected = {"OUT_OF_RANGE"}
    else:
        request.situation.last_player = situation_pb2.ROLE_PEASANT_AFTER_LANDLORD
    await unary("invalid", stub.Decide(request, timeout=5), expected)


async def cancelled(stub, dice):
    call = stub.Decide(lead(dice), timeout=5)
    await asyncio.sleep(dice.random() * 0.002)
    call.cancel()
    # It may have been answered before.
    await unary("cancelled", call, {"OK", "CANCELLED"})


async def late(stub, dice):
    call = stub.Decide(lead(dice), timeout=dice.random() * 0.002)
    await unary("late", call, {"OK", "DEADLINE_EXCEEDED"})


def frame(kind, flags, stream, payload):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def literal(name, value):
    """A header as HPACK writes it without any table."""
    return b"\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()


async def connect():
    host, port = options.target.rsplit(":", 1)
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return reader, writer


async def ended(reader, seconds):
    """Whether the server closes the connection in time."""
    async def read():
        while await reader.read(65536):
            pass

    try:
        await asyncio.wait_for(read(), seconds)
        return True
    except asyncio.TimeoutError:
        return False
    except OSError:
        return True


async def slow(_, dice):
    """A request that arrives in drops and never in full: it must end by the server's own time limit."""
    reader, writer = await connect()
    try:
        headers = b"".join(
            literal(name, value)
            for name, value in [
                (":method", "POST"),
                (":scheme", "http"),
                (":path", SERVICE + "Decide"),
                (":authority", "slow"),
                ("content-type", "application/grpc"),
                ("te", "trailers"),
            ]
        )
        writer.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, b"") + frame(1, 4, 1, headers))
        writer.write(frame(0, 0, 1, b"\0" + struct.pack(">I", 1000)))
        started = time.monotonic()
        while time.monotonic() - started < 14:
            writer.write(frame(0, 0, 1, b"\x0a"))
            await writer.drain()
            try:
                data = await asyncio.wait_for(reader.read(65536), dice.uniform(0.2, 1))
            except asyncio.TimeoutError:
                continue
            # The trailers' text is not Huffman coded in every library; the end of the stream is enough.
            if not data or any(kind in (1, 3) for kind in frame_kinds(data)):
                note("slow", "ended", {"ended"})
                return
        note("slow", "still open", {"ended"})
    except OSError:
        note("slow", "ended", {"ended"})
    finally:
        writer.close()


def frame_kinds(data):
    at = 0
    while at + 9 <= len(data):
        yield data[at + 3]
        at += 9 + int.from_bytes(data[at : at + 3], "big")


async def silent(_, dice):
    """A connection that says nothing, or what no client says: it must be closed by the server."""
    reader, writer = await connect()
    try:
        if dice.random() < 0.5:
            writer.write(dice.randbytes(dice.randint(1, 200)))
        note("silent", "closed" if await ended(reader, 12) else "still open", {"closed"})
    except OSError:
        note("silent", "closed", {"closed"})
    finally:
        writer.close()


async def reconnect(_, dice):
    """A client that opens a channel per call."""
    async with channel(dice.random()) as fresh:
        stub = decision_service_pb2_grpc.DecisionServiceStub(fresh)
        await unary("reconnect", stub.Decide(lead(dice), timeout=5), {"OK"})


def channel(name):
    # A different option makes a connection of its own; otherwise channels to one target share theirs.
    settings = [("test.channel", str(name)), ("grpc.use_local_subchannel_pool", 1)]
    if options.service_config:
        settings.append(("grpc.service_config", options.service_config.read_text(encoding="utf-8")))
    return grpc.aio.insecure_channel(options.target, settings)


MIX = {valid: 70, invalid: 12, cancelled: 8, late: 6, reconnect: 2, slow: 1, silent: 1}


async def main():
    dice = random.Random(1)
    channels = [channel(number) for number in range(options.channels)]
    stubs = [decision_service_pb2_grpc.DecisionServiceStub(each) for each in channels]
    kinds = [kind for kind in MIX if options.only in (None, kind.__name__)]
    weights = [MIX[kind] for kind in kinds]
    running = set()
    started = time.monotonic()
    number = 0
    while (now := time.monotonic() - started) < options.seconds:
        # As many as are due, so that a late wake-up is made up for.
        while number < now * options.rate:
            kind = dice.choices(kinds, weights)[0]
            task = asyncio.create_task(kind(stubs[number % len(stubs)], dice))
            running.add(task)
            task.add_done_callback(running.discard)
            number += 1
        await asyncio.sleep(0.002)
    for outcome in await asyncio.gather(*running, return_exceptions=True):
        if isinstance(outcome, BaseException):
            unexpected[f"traffic itself: {outcome!r}"] += 1
    for each in channels:
        await each.close()
    latencies.sort()
    report = {
        "calls": number,
        "outcomes": {kind: dict(counts) for kind, counts in sorted(outcomes.items())},
        "unexpected": dict(unexpected),
    }
    if latencies:
        pick = lambda share: round(1e3 * latencies[int(share * (len(latencies) - 1))], 3)  # noqa: E731
        report["valid_ms"] = {"p50": pick(0.5), "p99": pick(0.99), "max": pick(1.0)}
    print(json.dumps(report, indent=2))
    return 1 if unexpected else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
