//! Writes the inputs from which the fuzzers begin into `tests/data/corpus`: `cargo run --example seeds`.

#![allow(clippy::expect_used, reason = "who runs it sees what is wrong")]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use doudizhu::bench;
use doudizhu::game::Situation;
use doudizhu::groups::Preset;
use doudizhu::service::proto;
use doudizhu::strategy::{Random, Rhcp};
use prost::Message;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore};

/// A folder of inputs.
struct Corpus(std::path::PathBuf);

impl Corpus {
    fn new(name: &str) -> Corpus {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/corpus").join(name);
        fs::create_dir_all(&path).expect("a folder");
        Corpus(path)
    }

    fn add(&self, name: &str, number: u8, bytes: &[u8]) {
        fs::write(self.0.join(name), [&[number][..], bytes].concat()).expect("written");
    }
}

fn main() {
    messages(&Corpus::new("messages"));
    connections(&Corpus::new("connections"));
}

fn messages(corpus: &Corpus) {
    // Every fortieth: of each game a few turns, every second one minimal.
    let turns: Vec<Situation> =
        bench::situations(&Rhcp::default(), 1, 1_200).into_iter().step_by(39).collect();
    for (number, turn) in turns.iter().enumerate() {
        let situation = Some(proto::Situation::from(turn));
        let strategy = ["", "rhcp-team", "rhcp", "classic", "novice", "random"][number % 6].to_owned();
        if number % 2 == 0 {
            let search_iterations = (number % 4 == 0).then_some(8);
            let request = proto::DecideRequest {
                request_id: number.to_string(),
                situation,
                strategy,
                seed: number as u64,
                search_iterations,
                ..proto::DecideRequest::default()
            };
            corpus.add(&format!("decide-{number:02}"), 0, &request.encode_to_vec());
        } else {
            let limit = number as u32 % 4;
            let request =
                proto::RankPlaysRequest { situation, strategy, limit, ..proto::RankPlaysRequest::default() };
            corpus.add(&format!("rank-{number:02}"), 1, &request.encode_to_vec());
        }
    }
    // What is refused, with every kind of field.
    let card = proto::Card { rank: 3, suit: 0 };
    let wrong = proto::Situation {
        hand: vec![card; 5],
        role: 7,
        to_beat: vec![card],
        to_beat_type: 99,
        last_player: 1,
        cards_left: Some(proto::CardsLeft { landlord: Some(21), ..proto::CardsLeft::default() }),
        history: vec![proto::HistoryPlay { cards: vec![card], group_type: 2 }],
        bottom_cards: vec![card; 2],
        bid: Some(4),
        multiplier: Some(0),
        rule_set: Some(proto::RuleSet { preset: 9, ..proto::RuleSet::default() }),
    };
    let (situation, strategy) = (Some(wrong), "nobody".to_owned());
    let time_budget = Some(prost_types::Duration { seconds: -1, nanos: 0 });
    let request = proto::DecideRequest {
        situation: situation.clone(),
        strategy: strategy.clone(),
        time_budget,
        ..proto::DecideRequest::default()
    };
    corpus.add("decide-wrong", 0, &request.encode_to_vec());
    let request = proto::RankPlaysRequest { situation, strategy, ..proto::RankPlaysRequest::default() };
    corpus.add("rank-wrong", 1, &request.encode_to_vec());
    let request = proto::EvaluateHandRequest { hand: vec![card; 5], ..proto::EvaluateHandRequest::default() };
    corpus.add("evaluate-wrong", 4, &request.encode_to_vec());

    let hands: Vec<Vec<proto::Card>> = bench::situations(&Random, 2, 400)
        .iter()
        .filter(|turn| turn.hand().len() == 17)
        .map(|turn| proto::Situation::from(turn).hand)
        .collect();
    let points = |points| proto::Bid { r#type: proto::BidType::Points as i32, points };
    let said = |kind: proto::BidType| proto::Bid { r#type: kind as i32, points: 0 };
    let auctions = [
        (1, vec![]),
        (1, vec![points(1), said(proto::BidType::Pass)]),
        (2, vec![said(proto::BidType::Pass), said(proto::BidType::Call)]),
        (2, vec![said(proto::BidType::Call), said(proto::BidType::Rob), said(proto::BidType::Pass)]),
        (2, vec![said(proto::BidType::Rob)]),
    ];
    for (number, (auction_rules, bids)) in auctions.into_iter().enumerate() {
        let thresholds =
            Some(proto::BidThresholds { one_point: Some(-0.5), ..proto::BidThresholds::default() });
        let hand = hands[number].clone();
        let request = proto::BidRequest { hand, auction_rules, bids, thresholds, ..Default::default() };
        corpus.add(&format!("bid-{number}"), 2, &request.encode_to_vec());
    }
    for role in 1..=4 {
        let hand = hands[role as usize].clone();
        let request = proto::DoubleRequest { hand, role, bid: Some(2), doubled: 1, ..Default::default() };
        corpus.add(&format!("double-{role}"), 3, &request.encode_to_vec());
    }
    for (number, hand) in hands.iter().take(4).enumerate() {
        let preset = number as i32 + 1;
        let rule_set = Some(proto::RuleSet { preset, ..proto::RuleSet::default() });
        let mut hand = hand.clone();
        for (suit, card) in hand.iter_mut().enumerate() {
            // The fourth hand has two equal cards.
            card.suit = if card.rank < 16 && number > 0 { suit as i32 % (5 - number as i32 % 2) } else { 0 };
        }
        let request = proto::EvaluateHandRequest { hand, rule_set, ..Default::default() };
        corpus.add(&format!("evaluate-{number}"), 4, &request.encode_to_vec());
    }
    let cards = |text: &str| -> Vec<proto::Card> {
        doudizhu::cards::parse_cards(text).expect("cards").into_iter().map(Into::into).collect()
    };
    for (number, (played, table)) in [
        ("3 3 3 4 4 4 5 6", "8"),
        ("4 4 4 5 5 5 6 6 6 7 7 7", "3 3 3 4 4 4 5 5 5 6 6 6"),
        ("7 7 7 7 X D", ""),
        ("3 3 3 3 4 4 4 4", "X D"),
        ("3 4 5 6 7 8 9", "4 5 6 7 8 9 T"),
        ("2h 2s", "Ah Ac"),
        ("3 4", ""),
    ]
    .into_iter()
    .enumerate()
    {
        let preset = number as i32 % (Preset::ALL.len() as i32 + 1);
        let rule_set = Some(proto::RuleSet { preset, quad_kickers: Some(true), ..proto::RuleSet::default() });
        let request = proto::ClassifyPlayRequest {
            cards: cards(played),
            to_beat: if table.is_empty() { Vec::new() } else { cards(table) },
            to_beat_type: i32::from(number == 6),
            rule_set,
            ..proto::ClassifyPlayRequest::default()
        };
        corpus.add(&format!("classify-{number}"), 5, &request.encode_to_vec());
    }
}

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// One frame of HTTP/2.
fn frame(kind: u8, flags: u8, stream: u8, payload: &[u8]) -> Vec<u8> {
    let length = (payload.len() as u32).to_be_bytes();
    [&length[1..], &[kind, flags, 0, 0, 0, stream], payload].concat()
}

/// The same in the short form that the fuzzer makes frames of.
fn short(kind: u8, flags: u8, stream: u8, payload: &[u8]) -> Vec<u8> {
    let length = u8::try_from(payload.len()).expect("a short frame");
    [&[kind, flags, stream, length], payload].concat()
}

/// Header fields as HPACK literals without indexing, plain text.
fn header(fields: &[(&str, &str)]) -> Vec<u8> {
    let mut block = Vec::new();
    for (name, value) in fields {
        block.push(0);
        for text in [name, value] {
            block.push(u8::try_from(text.len()).expect("a short text"));
            block.extend(text.as_bytes());
        }
    }
    block
}

fn framed(message: &[u8]) -> Vec<u8> {
    [&[0], &(message.len() as u32).to_be_bytes()[..], message].concat()
}

fn call(path: &str, extra: &[(&str, &str)]) -> Vec<u8> {
    let fields = [
        (":method", "POST"),
        (":scheme", "http"),
        (":path", path),
        (":authority", "test"),
        ("content-type", "application/grpc"),
        ("te", "trailers"),
    ];
    header(&[&fields, extra].concat())
}

const DECIDE: &str = "/doudizhu.v1.DecisionService/Decide";
const WATCH: &str = "/grpc.health.v1.Health/Watch";
const REFLECTION: &str = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";

fn connections(corpus: &Corpus) {
    let cards = doudizhu::cards::parse_cards("3 4 5 6 7 9").expect("cards");
    let hand = cards.into_iter().map(Into::into).collect();
    let situation = Some(proto::Situation { hand, role: 1, ..proto::Situation::default() });
    let message = framed(&proto::DecideRequest { situation, ..Default::default() }.encode_to_vec());

    let good = |path: &str, extra: &[(&str, &str)], body: &[u8]| {
        let parts =
            [PREFACE.to_vec(), frame(4, 0, 0, &[]), frame(1, 4, 1, &call(path, extra)), frame(0, 1, 1, body)];
        parts.concat()
    };
    let one = good(DECIDE, &[], &message);
    let timed =
        [("grpc-timeout", "1S"), ("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")];
    let two = [one.clone(), frame(1, 4, 3, &call(DECIDE, &timed)), frame(0, 1, 3, &message)].concat();
    for (door, name) in [(0, "plain"), (2, "web-http2"), (4, "within-tls")] {
        corpus.add(&format!("{name}-one"), door, &one);
        corpus.add(&format!("{name}-two"), door, &two);
        corpus.add(
            &format!("{name}-cancelled"),
            door,
            &[one.clone(), frame(3, 0, 1, &[0, 0, 0, 8])].concat(),
        );
    }
    corpus.add("plain-watch", 0, &good(WATCH, &[], &framed(&[])));
    corpus.add("plain-reflection", 0, &good(REFLECTION, &[], &framed(b"\x3a\x00")));
    corpus.add("plain-unknown", 0, &good("/nobody/Knows", &[], &message));
    corpus.add(
        "plain-compressed",
        0,
        &good(DECIDE, &[("grpc-encoding", "gzip")], &[&[1], &message[1..]].concat()),
    );
    corpus.add("plain-too-long", 0, &good(DECIDE, &[], &[0, 0x7f, 0xff, 0xff, 0xff, 1]));

    let start = [short(1, 4, 1, &call(DECIDE, &timed)), short(0, 1, 1, &message)].concat();
    corpus.add("frames-call", 1, &start);
    let update = short(8, 0, 0, &[0, 0, 0xff, 0xff]);
    let ping = short(6, 0, 0, b"12345678");
    let settings = short(4, 0, 0, &[0, 3, 0, 0, 0, 9, 0, 4, 0, 0, 0x10, 0]);
    corpus.add("frames-control", 1, &[settings, ping, update, start.clone()].concat());
    let cut = call(DECIDE, &[]);
    let (head, tail) = cut.split_at(20);
    let continued = [
        short(1, 0, 1, head),
        short(9, 4, 1, tail),
        short(0, 0, 1, &message[..7]),
        short(0, 1, 1, &message[7..]),
    ];
    corpus.add("frames-continued", 1, &continued.concat());
    let resets: Vec<u8> = (0..8u8)
        .flat_map(|number| {
            let stream = 2 * number + 1;
            [short(1, 4, stream, &call(DECIDE, &[])), short(3, 0, stream, &[0, 0, 0, 8])].concat()
        })
        .collect();
    corpus.add("frames-resets", 1, &resets);
    corpus.add("frames-goaway", 1, &[start, short(7, 0, 0, &[0; 8])].concat());

    let page = |content_type: &str, extra: &str, body: &[u8]| {
        let head = format!(
            "POST {DECIDE} HTTP/1.1\r\nhost: test\r\ncontent-type: {content_type}\r\n{extra}content-length: {}\r\n\r\n",
            body.len()
        );
        [head.as_bytes(), body].concat()
    };
    let text = base64(&message);
    for (door, name) in [(2, "web"), (5, "web-within-tls")] {
        corpus.add(&format!("{name}-binary"), door, &page("application/grpc-web+proto", "", &message));
        let accept = "accept: application/grpc-web-text\r\n";
        corpus.add(
            &format!("{name}-text"),
            door,
            &page("application/grpc-web-text", accept, text.as_bytes()),
        );
    }
    let twice =
        [page("application/grpc-web", "", &message), page("application/grpc-web", "", &message)].concat();
    corpus.add("web-twice", 2, &twice);
    let chunked = format!(
        "POST {DECIDE} HTTP/1.1\r\nhost: test\r\ncontent-type: application/grpc-web\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n",
        message.len()
    );
    corpus.add("web-chunked", 2, &[chunked.as_bytes(), &message, b"\r\n0\r\n\r\n"].concat());
    let preflight = format!(
        "OPTIONS {DECIDE} HTTP/1.1\r\nhost: test\r\norigin: https://play.example.com\r\naccess-control-request-method: POST\r\n\r\n"
    );
    corpus.add("web-preflight", 2, preflight.as_bytes());

    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = config.with_safe_default_protocol_versions().expect("versions");
    let mut config = config.with_root_certificates(RootCertStore::empty()).with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec()];
    let name = ServerName::try_from("localhost").expect("a name");
    let mut client = ClientConnection::new(Arc::new(config), name).expect("a client");
    let mut hello = Vec::new();
    client.write_tls(&mut hello).expect("memory takes all");
    corpus.add("tls-hello", 3, &hello);
    corpus.add(
        "tls-hello-and-more",
        3,
        &[&hello, &b"\x14\x03\x03\x00\x01\x01\x17\x03\x03\x00\x10"[..], &[7; 16]].concat(),
    );
    corpus.add("tls-half", 3, &hello[..hello.len() / 2]);
    corpus.add("tls-plain-http", 3, b"GET / HTTP/1.1\r\n\r\n");

    for (door, name) in [(6, "bent"), (7, "bent-certificate")] {
        corpus.add(&format!("{name}-not"), door, &[]);
        corpus.add(&format!("{name}-hello"), door, &[0, 60, 1]);
        corpus.add(&format!("{name}-cut"), door, &[0, 200, 0]);
        corpus.add(&format!("{name}-late"), door, &[1, 0x40, 0x80, 0, 9, 3]);
    }
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let quad = |three: &[u8]| {
        let bits =
            three.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        let digit = |place: usize| {
            if place > three.len() {
                '='
            } else {
                char::from(DIGITS[(bits >> (18 - 6 * place)) as usize & 63])
            }
        };
        (0..4).map(digit).collect::<String>()
    };
    bytes.chunks(3).map(quad).collect()
}
