//! Whatever bytes come, the decider answers or refuses: it never panics, and what it answers is legal. So does the
//! server, whatever comes over a connection. These are the first steps of a search that `deploy/tests/fuzz.sh` makes
//! for as long as it is let.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use doudizhu::service::Decider;
use doudizhu::service::proto::{
    AuctionRules, Bid, BidRequest, Card, CardsLeft, ClassifyPlayRequest, DecideRequest, DoubleRequest,
    EvaluateHandRequest, HistoryPlay, RankPlaysRequest, RuleSet, Situation as Message,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use tonic::Code;

use crate::connections::{Door, Target};
use crate::messages;

static DECIDER: LazyLock<Decider> = LazyLock::new(|| messages::decider("expert"));

/// An input for [`messages::check`].
fn input(method: &str, request: &impl prost::Message) -> Vec<u8> {
    let number = messages::METHODS.iter().position(|name| *name == method).expect("a method");
    [vec![number as u8], request.encode_to_vec()].concat()
}

/// The inputs from which the fuzzer begins, by name.
fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/corpus").join(name);
    let files = fs::read_dir(folder).expect("a corpus");
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).expect("a file")).collect()
}

/// `input` with some bytes changed, and perhaps cut short.
fn bent(input: &[u8], changes: &[(prop::sample::Index, u8)], end: Option<prop::sample::Index>) -> Vec<u8> {
    let mut bent = input.to_vec();
    for (position, byte) in changes {
        // The first byte says what the others are for.
        if bent.len() > 1 {
            let position = 1 + position.index(bent.len() - 1);
            bent[position] = *byte;
        }
    }
    if let Some(end) = end {
        bent.truncate(1 + end.index(bent.len()));
    }
    bent
}

/// A number of an enum that ends at `most`, now and then none of it.
fn number(most: i32) -> impl Strategy<Value = i32> {
    prop_oneof![20 => 0..=most, 1 => -2..=most + 2, 1 => any::<i32>()]
}

fn card() -> impl Strategy<Value = Card> {
    (prop_oneof![20 => 3..=17, 1 => number(17)], prop_oneof![5 => Just(0), 1 => number(4)])
        .prop_map(|(rank, suit)| Card { rank, suit })
}

fn some_cards(most: usize) -> impl Strategy<Value = Vec<Card>> {
    prop_oneof![10 => vec(card(), 0..=most), 1 => vec(card(), 0..60)]
}

fn rule_set() -> impl Strategy<Value = Option<RuleSet>> {
    option::of((number(5), any::<[Option<bool>; 6]>()).prop_map(|(preset, options)| RuleSet {
        preset,
        distinct_kickers: options[0],
        rocket_as_kickers: options[1],
        adjacent_trio_kickers: options[2],
        quad_kickers: options[3],
        same_pair_twice: options[4],
        no_four_with_two: options[5],
    }))
}

fn situation() -> impl Strategy<Value = Message> {
    let table = (some_cards(4), number(15), number(3));
    let play = (some_cards(3), number(15)).prop_map(|(cards, group_type)| HistoryPlay { cards, group_type });
    let facts = (
        option::of(any::<[Option<u32>; 3]>()),
        prop_oneof![3 => Just(vec![]), 1 => vec(play, 0..6)],
        prop_oneof![3 => Just(vec![]), 1 => some_cards(3)],
        any::<Option<u32>>(),
        any::<Option<u32>>(),
    );
    (some_cards(20), number(3), table, facts, rule_set()).prop_map(|(hand, role, table, facts, rule_set)| {
        let (to_beat, to_beat_type, last_player) = table;
        let (left, history, bottom_cards, bid, multiplier) = facts;
        let left = left.map(|[landlord, peasant_after, peasant_before]| CardsLeft {
            landlord,
            peasant_after,
            peasant_before,
        });
        Message {
            hand,
            role,
            to_beat,
            to_beat_type,
            last_player,
            cards_left: left,
            history,
            bottom_cards,
            bid,
            multiplier,
            rule_set,
        }
    })
}

fn bids() -> impl Strategy<Value = Vec<Bid>> {
    let bid = (number(4), prop_oneof![4 => 0..=3u32, 1 => any::<u32>()]);
    vec(bid.prop_map(|(kind, points)| Bid { r#type: kind, points }), 0..4)
}

/// A request of any method, often a sound one.
fn request() -> impl Strategy<Value = Vec<u8>> {
    let strategy =
        (0..5usize).prop_map(|number| ["", "expert", "rhcp-team", "random", "?"][number].to_owned());
    let turn = (situation(), strategy, any::<u64>(), option::of(0..50u32)).boxed();
    prop_oneof![
        turn.clone().prop_map(|(situation, strategy, seed, search_iterations)| {
            let situation = Some(situation);
            let request =
                DecideRequest { situation, strategy, seed, search_iterations, ..DecideRequest::default() };
            input("Decide", &request)
        }),
        (turn, 0..4u32).prop_map(|((situation, strategy, seed, search_iterations), limit)| {
            let situation = Some(situation);
            let rest = RankPlaysRequest::default();
            input(
                "RankPlays",
                &RankPlaysRequest { situation, strategy, seed, search_iterations, limit, ..rest },
            )
        }),
        (deal(17), number(AuctionRules::CallAndRob as i32), bids()).prop_map(
            |(hand, auction_rules, bids)| {
                input("Bid", &BidRequest { hand, auction_rules, bids, ..BidRequest::default() })
            }
        ),
        (deal(17), number(3), some_cards(3), any::<Option<u32>>(), 0..4u32, any::<Option<f32>>()).prop_map(
            |(hand, role, bottom_cards, bid, doubled, threshold)| {
                let request_id = String::new();
                input(
                    "Double",
                    &DoubleRequest { request_id, hand, role, bid, bottom_cards, doubled, threshold },
                )
            }
        ),
        (some_cards(20), rule_set()).prop_map(|(hand, rule_set)| {
            input("EvaluateHand", &EvaluateHandRequest { hand, rule_set, ..EvaluateHandRequest::default() })
        }),
        (some_cards(8), number(15), some_cards(5), number(15), rule_set()).prop_map(
            |(cards, group_type, to_beat, to_beat_type, rule_set)| {
                let request_id = String::new();
                let request =
                    ClassifyPlayRequest { request_id, cards, group_type, to_beat, to_beat_type, rule_set };
                input("ClassifyPlay", &request)
            }
        ),
    ]
}

/// That many cards of a deck.
fn deal(count: usize) -> impl Strategy<Value = Vec<Card>> {
    let deck: Vec<Card> =
        (0..54).map(|n| Card { rank: if n < 52 { 3 + n / 4 } else { n - 36 }, suit: 0 }).collect();
    prop::sample::subsequence(deck, count)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(bytes in vec(any::<u8>(), 0..400)) {
        messages::check(&DECIDER, &bytes);
    }

    #[test]
    fn well_formed_requests(request in request()) {
        prop_assert!(messages::check(&DECIDER, &request).is_some());
    }

    #[test]
    fn requests_with_a_few_bytes_changed(
        request in request(),
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        end in option::weighted(0.1, any::<prop::sample::Index>()),
    ) {
        messages::check(&DECIDER, &bent(&request, &changes, end));
    }

    #[test]
    fn seeds_with_a_few_bytes_changed(
        seed in prop::sample::select(corpus("messages")),
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        messages::check(&DECIDER, &bent(&seed, &changes, None));
    }
}

#[test]
fn the_seeds_reach_every_method_and_both_outcomes() {
    let mut seen = Vec::new();
    for seed in corpus("messages") {
        let code = messages::check(&DECIDER, &seed);
        seen.push((usize::from(seed[0]), code));
    }
    for method in 0..messages::METHODS.len() {
        for code in [Code::Ok, Code::InvalidArgument] {
            assert!(seen.contains(&(method, Some(code))), "{} {code:?}", messages::METHODS[method]);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_comes_over_a_connection_the_server_stays_well() {
    let seeds = corpus("connections");
    for door in 0..Door::ALL.len() {
        assert!(seeds.iter().any(|seed| usize::from(seed[0]) == door), "no seed for {:?}", Door::ALL[door]);
    }
    let target = Target::start().await;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let change = (any::<prop::sample::Index>(), any::<u8>());
    let changes = (vec(change, 1..4), option::weighted(0.2, any::<prop::sample::Index>()));
    for seed in &seeds {
        target.send(seed).await;
        for _ in 0..4 {
            let (changes, end) = changes.new_tree(&mut runner).expect("values").current();
            target.send(&bent(seed, &changes, end)).await;
        }
    }
    target.assert_well().await;
}
