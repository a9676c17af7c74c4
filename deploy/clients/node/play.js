// Plays one turn of Dou Dizhu: asks what to play, what else could be played (the hint button), and whether a play is legal.
//
//     npm install
//     node play.js [TARGET]
//
// TARGET is any gRPC name, such as dns:///doudizhu-headless.doudizhu.svc.cluster.local:50051.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const grpc = require("@grpc/grpc-js");
const protoLoader = require("@grpc/proto-loader");

const PROTO = path.join(__dirname, "../../../proto");
// Deadline, retries and round robin over all addresses of TARGET. Every call is safe to retry.
const SERVICE_CONFIG = fs.readFileSync(path.join(__dirname, "../service_config.json"), "utf8");

const RANKS = {
  3: "RANK_THREE", 4: "RANK_FOUR", 5: "RANK_FIVE", 6: "RANK_SIX", 7: "RANK_SEVEN", 8: "RANK_EIGHT", 9: "RANK_NINE",
  T: "RANK_TEN", J: "RANK_JACK", Q: "RANK_QUEEN", K: "RANK_KING", A: "RANK_ACE", 2: "RANK_TWO",
  SJ: "RANK_SMALL_JOKER", BJ: "RANK_BIG_JOKER",
};
const SUITS = { c: "SUIT_CLUBS", d: "SUIT_DIAMONDS", s: "SUIT_SPADES", h: "SUIT_HEARTS", "": "SUIT_UNSPECIFIED" };

/** Cards from text such as "9s 9h". */
function cards(text) {
  return text.split(" ").map((word) => ({ rank: RANKS[word[0]], suit: SUITS[word[1]] }));
}

function show(group) {
  const key = (table, value) => Object.keys(table).find((each) => table[each] === value);
  const words = group.cards.map((card) => key(RANKS, card.rank) + key(SUITS, card.suit));
  return [group.type.replace("GROUP_TYPE_", ""), ...words].join(" ");
}

/** Calls a unary method of `client`. */
function call(client, method, request) {
  return new Promise((resolve, reject) => {
    client[method](request, (error, response) => (error ? reject(error) : resolve(response)));
  });
}

async function play(client) {
  // The landlord has played a pair of eights; the peasant after the landlord is to move.
  const situation = {
    hand: cards("3c 4d 5s 6h 7c 9s 9h Jd Ks Kh As 2c"),
    role: "ROLE_PEASANT_AFTER_LANDLORD",
    to_beat: cards("8c 8d"),
    last_player: "ROLE_LANDLORD",
  };
  const answer = await call(client, "Decide", { request_id: "turn-1", situation });
  console.log(`play: ${show(answer.play)}`);
  console.log(`strategy: ${answer.strategy}`);

  // A hint for a human: the best plays, to be shown one after the other.
  const hint = await call(client, "RankPlays", { situation, limit: 3 });
  console.log(`legal plays: ${hint.legal_plays}`);
  for (const ranked of hint.plays) console.log(`  ${show(ranked.play)}`);

  // Checks what a human wants to put on the table.
  const check = await call(client, "ClassifyPlay", { cards: cards("9s 9h"), to_beat: cards("8c 8d") });
  console.log(`check: ${show(check.group)} ${check.beats ? "beats" : "does not beat"}`);
}

async function main() {
  const target = process.argv[2] ?? "localhost:50051";
  const definition = protoLoader.loadSync("doudizhu/v1/decision_service.proto", {
    includeDirs: [PROTO],
    enums: String,
    defaults: true,
    keepCase: true,
  });
  const { DecisionService } = grpc.loadPackageDefinition(definition).doudizhu.v1;
  const client = new DecisionService(target, grpc.credentials.createInsecure(), {
    "grpc.service_config": SERVICE_CONFIG,
  });
  try {
    await play(client);
  } finally {
    // An open channel would keep the process alive.
    client.close();
  }
}

main().catch((error) => {
  console.error(error.details ?? error);
  process.exitCode = 1;
});
