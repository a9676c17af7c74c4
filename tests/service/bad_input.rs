//! What a caller can get wrong: every kind with its code and, where a field is to blame, the field's name. The
//! server must be as well afterwards as before.

use bytes::Bytes;
use doudizhu::service::proto::{
    Card, CardsLeft, ClassifyPlayRequest, DecideRequest, EvaluateHandRequest, HistoryPlay, RuleSet, Situation,
};
use http::{HeaderMap, Method, Request, StatusCode};
use prost::Message as _;
use tonic::Code;

use crate::harness::{Server, cards, decide, fields, follow, framed, lead, post, soon};

/// A full and correct request, to be spoiled: the peasant after the landlord, whose 4 nobody beat but the 7.
fn full() -> DecideRequest {
    let play = |text: &str| HistoryPlay { cards: cards(text), group_type: 0 };
    let mut request = follow("5h 6h 6s 7h 8h 8s 9h 9s Th Ts Jh Js Qh Kh 2h 2s", "7s");
    let situation = request.situation.as_mut().expect("it is there");
    situation.history = vec![play("3s"), play("5s"), play(""), play("7s")];
    situation.cards_left =
        Some(CardsLeft { landlord: Some(18), peasant_after: Some(16), peasant_before: Some(17) });
    situation.bottom_cards = cards("3s 4s As");
    situation.bid = Some(3);
    situation.multiplier = Some(3);
    request
}

type Spoil = fn(&mut DecideRequest, &mut Situation);

/// Each kind: its name, how it comes about, and the fields that are to blame.
const DECIDE: &[(&str, Spoil, &[&str])] = &[
    (
        "the group to beat in other suits than in the history",
        |_, s| s.to_beat = cards("7c"),
        &["situation.to_beat[0]"],
    ),
    (
        "a time budget with nanoseconds out of range",
        |r, _| r.time_budget = Some(prost_types::Duration { seconds: 1, nanos: -1 }),
        &["time_budget"],
    ),
    (
        "no role, and counts that no seat can have",
        |_, s| {
            s.role = 0;
            s.cards_left =
                Some(CardsLeft { landlord: Some(33), peasant_after: None, peasant_before: Some(3) });
        },
        &["situation.cards_left.landlord", "situation.role"],
    ),
    ("no hand", |_, s| s.hand.clear(), &["situation.hand"]),
    ("no role", |_, s| s.role = 0, &["situation.role"]),
    ("neither hand nor role", |_, s| *s = Situation::default(), &["situation.hand", "situation.role"]),
    ("no last player", |_, s| s.last_player = 0, &["situation.last_player"]),
    (
        "no group to beat, by the history",
        |_, s| {
            s.to_beat.clear();
            s.last_player = 0;
        },
        &["situation.to_beat"],
    ),
    (
        "a last player without a group",
        |_, s| {
            s.to_beat.clear();
            s.history.clear();
        },
        &["situation.last_player"],
    ),
    ("the asker played last", |_, s| s.last_player = s.role, &["situation.last_player"]),
    (
        "someone else played last, by the history",
        |_, s| s.last_player = 3,
        &["situation.cards_left.peasant_before", "situation.last_player"],
    ),
    ("unknown role", |_, s| s.role = 4, &["situation.role"]),
    ("negative role", |_, s| s.role = -1, &["situation.role"]),
    ("unknown last player", |_, s| s.last_player = 99, &["situation.last_player"]),
    ("unknown rank", |_, s| s.hand[3].rank = 18, &["situation.hand[3].rank"]),
    ("rank 1", |_, s| s.hand[0].rank = 1, &["situation.hand[0].rank"]),
    ("rank 300, 44 too many for a byte", |_, s| s.hand[0].rank = 256 + 5, &["situation.hand[0].rank"]),
    ("negative rank", |_, s| s.hand[15].rank = -3, &["situation.hand[15].rank"]),
    ("no rank", |_, s| s.hand[1].rank = 0, &["situation.hand[1].rank"]),
    ("unknown suit", |_, s| s.hand[2].suit = 5, &["situation.hand[2].suit"]),
    ("negative suit", |_, s| s.hand[2].suit = i32::MIN, &["situation.hand[2].suit"]),
    (
        "a card that is nothing",
        |_, s| s.hand[2] = Card { rank: -7, suit: 77 },
        &["situation.hand[2].rank", "situation.hand[2].suit"],
    ),
    ("a card twice", |_, s| s.hand[0] = s.hand[1], &["situation.hand[1]"]),
    (
        "five of a rank",
        |_, s| *s = Situation { hand: cards("3 3 3 3 3"), role: 1, ..Situation::default() },
        &["situation.hand"],
    ),
    (
        "two big jokers",
        |_, s| *s = Situation { hand: cards("D D"), role: 1, ..Situation::default() },
        &["situation.hand"],
    ),
    ("a joker with a suit", |_, s| s.hand[0] = Card { rank: 16, suit: 1 }, &["situation.hand[0].suit"]),
    (
        "a peasant with 18 cards",
        |_, s| {
            let hand = cards("3 3 3 3 4 4 4 4 5 5 5 6 6 6 7 8 9 T");
            *s = Situation { hand, role: 2, ..Situation::default() };
        },
        &["situation.hand"],
    ),
    (
        "a landlord with 21 cards",
        |_, s| {
            let hand = cards("3 3 3 3 4 4 4 4 5 5 5 5 6 6 6 6 7 7 7 7 8");
            *s = Situation { hand, role: 1, ..Situation::default() };
        },
        &["situation.hand"],
    ),
    (
        "a hand that the history does not leave",
        |_, s| {
            s.hand.pop();
            s.cards_left = None;
        },
        &["situation.hand"],
    ),
    (
        "no group",
        |_, s| {
            s.to_beat = cards("3 4");
            s.history.clear();
            s.cards_left = None;
        },
        &["situation.to_beat"],
    ),
    ("another group than in the history", |_, s| s.to_beat = cards("8c"), &["situation.to_beat"]),
    (
        "a group of cards from the hand",
        |_, s| {
            s.to_beat = cards("6h");
            s.history.clear();
        },
        &["situation.to_beat[0]"],
    ),
    ("a group of the wrong type", |_, s| s.to_beat_type = 2, &["situation.to_beat"]),
    ("an unknown group type", |_, s| s.to_beat_type = 16, &["situation.to_beat_type"]),
    ("a pass to beat", |_, s| s.to_beat_type = 15, &["situation.to_beat_type"]),
    (
        "a type without a group",
        |_, s| {
            *s = Situation { hand: cards("3"), role: 1, to_beat_type: 1, ..Situation::default() };
        },
        &["situation.to_beat_type"],
    ),
    (
        "more of a rank than the deck, with the table",
        |_, s| {
            *s = follow("9 9 9", "9 9").situation.expect("it is there");
        },
        &["situation.to_beat"],
    ),
    (
        "a count that is not the hand's",
        |_, s| s.cards_left = Some(left(None, Some(3), None)),
        &["situation.cards_left.peasant_after"],
    ),
    (
        "a count that the history contradicts",
        |_, s| s.cards_left = Some(left(Some(17), None, None)),
        &["situation.cards_left.landlord"],
    ),
    (
        "a count of none",
        |_, s| s.cards_left = Some(left(None, None, Some(0))),
        &["situation.cards_left.peasant_before"],
    ),
    (
        "a count beyond belief",
        |_, s| {
            s.history.clear();
            s.cards_left = Some(left(None, None, Some(u32::MAX)));
        },
        &["situation.cards_left.peasant_before"],
    ),
    ("a history that begins with a pass", |_, s| s.history[0].cards.clear(), &["situation.history[0].cards"]),
    ("a play that beats nothing", |_, s| s.history[1].cards = cards("3c"), &["situation.history[1].cards"]),
    ("a play that is no group", |_, s| s.history[1].cards = cards("4 5"), &["situation.history[1].cards"]),
    (
        "a rank in the history that is none",
        |_, s| s.history[3].cards[0].rank = 40,
        &["situation.history[3].cards[0].rank"],
    ),
    (
        "a group type in the history that is none",
        |_, s| s.history[3].group_type = -2,
        &["situation.history[3].group_type"],
    ),
    ("a pass with a type", |_, s| s.history[2].group_type = 1, &["situation.history[2].group_type"]),
    (
        "a history in which someone else moves",
        |_, s| {
            s.history.pop();
        },
        &["situation.cards_left.landlord", "situation.history"],
    ),
    (
        "a history longer than any game",
        |_, s| s.history = vec![HistoryPlay::default(); 163],
        &["situation.history"],
    ),
    (
        "two bottom cards",
        |_, s| {
            s.bottom_cards.pop();
        },
        &["situation.bottom_cards"],
    ),
    (
        "a bottom card that a peasant holds",
        |_, s| s.bottom_cards = cards("3s 4s 6h"),
        &["situation.bottom_cards[2]"],
    ),
    ("a bottom card that is none", |_, s| s.bottom_cards[1].rank = 2, &["situation.bottom_cards[1].rank"]),
    ("a bid of 4", |_, s| s.bid = Some(4), &["situation.bid"]),
    ("a multiplier of 0", |_, s| s.multiplier = Some(0), &["situation.multiplier"]),
    (
        "an unknown preset",
        |_, s| s.rule_set = Some(RuleSet { preset: 6, ..RuleSet::default() }),
        &["situation.rule_set.preset"],
    ),
    (
        "a table that reads as two groups",
        |_, s| {
            *s = follow("7 7 7 8 8 8 9 9 9 T T T", "3 3 3 4 4 4 5 5 5 6 6 6").situation.expect("it is there");
            s.rule_set = Some(RuleSet { adjacent_trio_kickers: Some(true), ..RuleSet::default() });
        },
        &["situation.to_beat"],
    ),
    ("a request id of 129 bytes", |r, _| r.request_id = "x".repeat(129), &["request_id"]),
    ("an unknown strategy", |r, _| r.strategy = "alpha-go".to_owned(), &["strategy"]),
    ("a strategy in capitals", |r, _| r.strategy = "RHCP".to_owned(), &["strategy"]),
    ("a negative time budget", |r, _| r.time_budget = Some(seconds(-1, 0)), &["time_budget"]),
    ("a time budget of an hour", |r, _| r.time_budget = Some(seconds(3600, 0)), &["time_budget"]),
    (
        "a time budget beyond the clock",
        |r, _| r.time_budget = Some(seconds(i64::MAX, i32::MAX)),
        &["time_budget"],
    ),
    (
        "a time budget at war with itself",
        |r, _| r.time_budget = Some(seconds(1, -2_000_000_000)),
        &["time_budget"],
    ),
    (
        "everything at once",
        |r, s| {
            r.request_id = "x".repeat(1000);
            r.strategy = "?".to_owned();
            r.time_budget = Some(seconds(-5, 0));
            s.hand[0].rank = 77;
            s.last_player = 8;
            s.bid = Some(9);
            s.multiplier = Some(0);
            s.bottom_cards.pop();
            s.history[2].group_type = 99;
        },
        &[
            "request_id",
            "situation.bid",
            "situation.bottom_cards",
            "situation.hand[0].rank",
            "situation.history[2].group_type",
            "situation.last_player",
            "situation.multiplier",
            "strategy",
            "time_budget",
        ],
    ),
];

fn left(landlord: Option<u32>, peasant_after: Option<u32>, peasant_before: Option<u32>) -> CardsLeft {
    CardsLeft { landlord, peasant_after, peasant_before }
}

fn seconds(seconds: i64, nanos: i32) -> prost_types::Duration {
    prost_types::Duration { seconds, nanos }
}

#[tokio::test]
async fn decide_names_every_wrong_field() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    client.decide(full()).await.expect("unspoiled it is right");
    let mut wrong = Vec::new();
    for (name, spoil, expected) in DECIDE {
        let mut request = full();
        let mut situation = request.situation.take().expect("it is there");
        spoil(&mut request, &mut situation);
        request.situation = Some(situation);
        match client.decide(request).await {
            Ok(response) => wrong.push(format!("{name}: answered with {:?}", response.into_inner().play)),
            Err(status) if fields(&status) != **expected => {
                wrong.push(format!("{name}: {:?} instead of {expected:?}", fields(&status)));
            }
            Err(_) => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let status = client.decide(DecideRequest::default()).await.expect_err("nothing to decide");
    assert_eq!(fields(&status), ["situation"]);
    server.assert_well().await;
}

#[tokio::test]
async fn evaluate_hand_names_every_wrong_field() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let request = |hand: &str| EvaluateHandRequest { hand: cards(hand), ..EvaluateHandRequest::default() };
    let mut spoiled = request("3 4 5");
    spoiled.hand[2].rank = 99;
    spoiled.request_id = "x".repeat(129);
    let cases = [
        (request(""), vec!["hand"]),
        (request("3 3 3 3 3"), vec!["hand"]),
        (request("3h 3h"), vec!["hand[1]"]),
        (request("3 3 3 3 4 4 4 4 5 5 5 5 6 6 6 6 7 7 7 7 8"), vec!["hand"]),
        (spoiled, vec!["hand[2].rank", "request_id"]),
        (
            EvaluateHandRequest {
                rule_set: Some(RuleSet { preset: -1, ..RuleSet::default() }),
                ..request("3")
            },
            vec!["rule_set.preset"],
        ),
    ];
    for (request, expected) in cases {
        let status = client.evaluate_hand(request).await.expect_err("it is wrong");
        assert_eq!(fields(&status), expected);
    }
    server.assert_well().await;
}

#[tokio::test]
async fn classify_play_names_every_wrong_field() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let request = |played: &str, to_beat: &str| ClassifyPlayRequest {
        cards: cards(played),
        to_beat: cards(to_beat),
        ..ClassifyPlayRequest::default()
    };
    let typed =
        |group_type, to_beat_type| ClassifyPlayRequest { group_type, to_beat_type, ..request("3", "") };
    let cases = [
        (request("", ""), vec!["cards"]),
        (request("", "3 4"), vec!["cards", "to_beat"]),
        (request("X X", ""), vec!["cards"]),
        (request("3", "4 5"), vec!["to_beat"]),
        (request("5 5 5", "5 5"), vec!["to_beat"]),
        (request("4", "3h 3h"), vec!["to_beat[1]"]),
        (typed(15, 0), vec!["group_type"]),
        (typed(16, 0), vec!["group_type"]),
        (typed(0, 1), vec!["to_beat_type"]),
        (typed(0, -1), vec!["to_beat_type"]),
        (ClassifyPlayRequest { to_beat_type: 2, ..request("4", "3") }, vec!["to_beat"]),
    ];
    for (request, expected) in cases {
        let status = client.classify_play(request).await.expect_err("it is wrong");
        assert_eq!(fields(&status), expected);
    }
    server.assert_well().await;
}

#[tokio::test]
async fn a_flood_of_violations_fits_the_headers_of_common_clients() {
    let server = Server::start(&[]).await;
    let mut request = lead("3");
    request.situation.as_mut().expect("it is there").hand = vec![Card { rank: 99, suit: 0 }; 5000];
    let status = server.client().await.decide(request).await.expect_err("it is wrong");
    let listed = fields(&status);
    assert_eq!(listed.len(), 33);
    assert!(status.message().ends_with("(and 4999 more)"), "{}", status.message());
    assert!(status.details().len() < 5 * 1024, "{} bytes of details", status.details().len());
    server.assert_well().await;
}

/// The answer to a raw request: HTTP status, and the gRPC code if there is one.
async fn raw(server: &Server, request: Request<()>, body: Vec<u8>) -> (StatusCode, Option<Code>) {
    let mut sender = server.h2().await.ready().await.expect("ready");
    let (response, mut stream) = sender.send_request(request, false).expect("sent");
    stream.send_data(Bytes::from(body), true).expect("sent");
    let response = soon(response).await.expect("a response");
    let code = |headers: &HeaderMap| headers.get("grpc-status").map(|code| Code::from_bytes(code.as_bytes()));
    let (parts, mut body) = response.into_parts();
    if let Some(code) = code(&parts.headers) {
        return (parts.status, Some(code));
    }
    while let Some(chunk) = soon(body.data()).await {
        let length = chunk.expect("data").len();
        body.flow_control().release_capacity(length).expect("released");
    }
    let trailers = soon(body.trailers()).await.expect("no reset");
    (parts.status, trailers.as_ref().and_then(code))
}

#[tokio::test]
async fn bytes_that_are_no_request() {
    let server = Server::start(&[]).await;
    let message = full().encode_to_vec();
    let whole = framed(&message);
    let good = (StatusCode::OK, Some(Code::Ok));
    assert_eq!(raw(&server, decide(), whole.clone()).await, good);

    let bad = |code| (StatusCode::OK, Some(code));
    let mut compressed = whole.clone();
    compressed[0] = 1;
    let mut flag = whole.clone();
    flag[0] = 7;
    let cases: Vec<(&str, Vec<u8>, Code)> = vec![
        ("nothing", vec![], Code::Internal),
        ("half a prefix", whole[..3].to_vec(), Code::Internal),
        ("a prefix alone", whole[..5].to_vec(), Code::Internal),
        ("a message cut short", whole[..whole.len() - 1].to_vec(), Code::Internal),
        ("a message cut short, with a fitting prefix", framed(&message[..message.len() - 1]), Code::Internal),
        ("random bytes", framed(&[0xff; 40]), Code::Internal),
        ("text", framed(b"{\"situation\": {}}"), Code::Internal),
        ("groups nested too deeply", framed(&[0x0b; 4000]), Code::Internal),
        ("compressed, but not said how", compressed, Code::Internal),
        ("an unknown compression flag", flag, Code::Internal),
        ("more than 64 KiB", framed(&vec![0; 64 * 1024 + 1]), Code::OutOfRange),
        ("4 GiB, by the prefix", [&[0, 0xff, 0xff, 0xff, 0xff], &message[..]].concat(), Code::OutOfRange),
        ("an empty message", framed(&[]), Code::InvalidArgument),
        ("a field of another type", framed(&[0x10, 0x01]), Code::Internal),
        ("a request id that is not UTF-8", framed(&[0x0a, 0x02, 0xc3, 0x28]), Code::Internal),
    ];
    for (name, body, code) in cases {
        assert_eq!(raw(&server, decide(), body).await, bad(code), "{name}");
    }
    // An unknown field is a later version's: it is passed over.
    let later = [&message[..], &[0xf8, 0x07, 0x01]].concat();
    assert_eq!(raw(&server, decide(), framed(&later)).await, good);
    server.assert_well().await;
}

#[tokio::test]
async fn requests_that_are_no_grpc() {
    let server = Server::start(&[]).await;
    let body = || framed(&full().encode_to_vec());
    let with = |name: &'static str, value: &str| {
        let mut request = decide();
        request.headers_mut().insert(name, value.parse().expect("a header"));
        request
    };
    for content_type in
        ["application/json", "application/grpc-web", "application/grpc+json", "text/plain", ""]
    {
        let answer = raw(&server, with("content-type", content_type), body()).await;
        assert_eq!(answer, (StatusCode::UNSUPPORTED_MEDIA_TYPE, None), "{content_type}");
    }
    let mut none = decide();
    none.headers_mut().remove("content-type");
    assert_eq!(raw(&server, none, body()).await, (StatusCode::UNSUPPORTED_MEDIA_TYPE, None));
    for content_type in ["application/grpc+proto", "application/grpc;charset=utf-8"] {
        let answer = raw(&server, with("content-type", content_type), body()).await;
        assert_eq!(answer, (StatusCode::OK, Some(Code::Ok)), "{content_type}");
    }
    for method in [Method::GET, Method::PUT, Method::DELETE] {
        let mut request = decide();
        *request.method_mut() = method.clone();
        assert_eq!(raw(&server, request, body()).await, (StatusCode::METHOD_NOT_ALLOWED, None), "{method}");
    }
    for path in
        ["/", "/doudizhu.v1.DecisionService", "/doudizhu.v1.DecisionService/Win", "/doudizhu.v2.X/Decide"]
    {
        let request = post(path).body(()).expect("a request");
        assert_eq!(
            raw(&server, request, body()).await,
            (StatusCode::OK, Some(Code::Unimplemented)),
            "{path}"
        );
    }
    let answer = raw(&server, with("grpc-encoding", "gzip"), body()).await;
    assert_eq!(answer, (StatusCode::OK, Some(Code::Unimplemented)));
    for timeout in ["soon", "1", "-1S", "123456789S", "1.5S"] {
        let answer = raw(&server, with("grpc-timeout", timeout), body()).await;
        assert_eq!(answer, (StatusCode::OK, Some(Code::InvalidArgument)), "{timeout}");
    }
    server.assert_well().await;
}

#[tokio::test]
async fn calls_that_are_cancelled() {
    let server = Server::start(&[]).await;
    let mut sender = server.h2().await;
    let canceled = ["grpc_method=\"Decide\"", "grpc_code=\"Canceled\""];
    for call in 1..=10 {
        sender = sender.ready().await.expect("ready");
        let (response, mut stream) = sender.send_request(decide(), false).expect("sent");
        stream.send_data(Bytes::from_static(&[0, 0, 0]), false).expect("sent");
        // It has begun, and waits for the rest of its request.
        server.until_metric("grpc_server_started_total", &canceled[..1], f64::from(call)).await;
        stream.send_reset(h2::Reason::CANCEL);
        drop(response);
        server.until_metric("grpc_server_handled_total", &canceled, f64::from(call)).await;
    }
    server.assert_well().await;
}
