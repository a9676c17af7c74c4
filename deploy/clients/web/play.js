// Plays one turn of Dou Dizhu from a web page: asks what to play, what else could be played (the hint button), and whether
// a play is legal, by gRPC-Web.
//
//     npm install
//     npm run build
//     python3 -m http.server 8080 --bind 127.0.0.1
//
// and then http://localhost:8080/?server=http://localhost:50051 in a browser, with a server that lets that page call:
//
//     doudizhu serve --grpc-web true --cors-origin http://localhost:8080
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { Rank, Suit } from "./generated/doudizhu/v1/card_pb.js";
import { DecisionService } from "./generated/doudizhu/v1/decision_service_pb.js";
import { GroupType } from "./generated/doudizhu/v1/group_pb.js";
import { Role } from "./generated/doudizhu/v1/situation_pb.js";

const RANKS = {
  3: Rank.THREE, 4: Rank.FOUR, 5: Rank.FIVE, 6: Rank.SIX, 7: Rank.SEVEN, 8: Rank.EIGHT, 9: Rank.NINE,
  T: Rank.TEN, J: Rank.JACK, Q: Rank.QUEEN, K: Rank.KING, A: Rank.ACE, 2: Rank.TWO,
};
const SUITS = { c: Suit.CLUBS, d: Suit.DIAMONDS, s: Suit.SPADES, h: Suit.HEARTS };

/** Cards from text such as "9s 9h". */
function cards(text) {
  return text.split(" ").map((word) => ({ rank: RANKS[word[0]], suit: SUITS[word[1]] }));
}

function show(group) {
  const key = (table, value) => Object.keys(table).find((each) => table[each] === value);
  return [GroupType[group.type], ...group.cards.map((card) => key(RANKS, card.rank) + key(SUITS, card.suit))].join(" ");
}

function print(line) {
  document.getElementById("log").append(line + "\n");
}

async function play(client) {
  // The landlord has played a pair of eights; the peasant after the landlord is to move.
  const situation = {
    hand: cards("3c 4d 5s 6h 7c 9s 9h Jd Ks Kh As 2c"),
    role: Role.PEASANT_AFTER_LANDLORD,
    toBeat: cards("8c 8d"),
    lastPlayer: Role.LANDLORD,
  };
  const answer = await client.decide({ requestId: "turn-1", situation });
  print(`play: ${show(answer.play)}`);
  print(`strategy: ${answer.strategy}`);

  // A hint for a human: the best plays, to be shown one after the other.
  const hint = await client.rankPlays({ situation, limit: 3 });
  print(`legal plays: ${hint.legalPlays}`);
  for (const ranked of hint.plays) print(`  ${show(ranked.play)}`);

  // Checks what a human wants to put on the table.
  const check = await client.classifyPlay({ cards: cards("9s 9h"), toBeat: cards("8c 8d") });
  print(`check: ${show(check.group)} ${check.beats ? "beats" : "does not beat"}`);
}

const settings = new URLSearchParams(location.search);
const token = settings.get("token");
// A deadline for every call, in milliseconds. A token in a page is known to whoever opens it: only for pages of your own people.
const client = createClient(DecisionService, createGrpcWebTransport({
  baseUrl: settings.get("server") ?? "http://localhost:50051",
  defaultTimeoutMs: Number(settings.get("timeout") ?? 3000),
  interceptors: [(next) => (request) => {
    if (token) request.header.set("authorization", `Bearer ${token}`);
    return next(request);
  }],
}));
play(client).catch((error) => {
  // A browser does not tell a page why it was kept from calling: that is in the console.
  const { code, rawMessage } = ConnectError.from(error);
  print(`failed: ${Code[code]}: ${rawMessage}`);
});
