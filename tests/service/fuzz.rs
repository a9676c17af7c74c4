//! Whatever bytes come, the decider answers or refuses: it never panics, and what it answers is legal.

use std::time::Duration;

use doudizhu::game::{Role, Situation, SituationInput};
use doudizhu::groups::Play;
use doudizhu::service::proto::{
    Card, CardsLeft, ClassifyPlayRequest, DecideRequest, EvaluateHandRequest, HistoryPlay, RuleSet,
    Situation as Message,
};
use doudizhu::service::{Deadline, Decider, Refusal};
use doudizhu::strategy::Registry;
use doudizhu::telemetry::metrics::Metrics;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use prost::Message as _;

fn decider() -> Decider {
    let metrics = Metrics::new();
    Decider::new(&Registry::builtin(), "rhcp", Duration::ZERO, 1, &metrics).expect("rhcp is there")
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

/// A refusal of the caller's fault, with reasons.
fn assert_fair(refusal: &Refusal) {
    match refusal {
        Refusal::Invalid(violations) => assert!(!violations.is_empty()),
        other => panic!("{other:?}"),
    }
}

/// Has `decider` answer a request of each kind that `bytes` happen to be.
fn answer_bytes(decider: &Decider, bytes: &[u8]) {
    if let Ok(request) = DecideRequest::decode(bytes) {
        let _ = decider.decide(&request, &Deadline::none()).map_err(|refusal| assert_fair(&refusal));
    }
    if let Ok(request) = EvaluateHandRequest::decode(bytes) {
        let _ = decider.evaluate_hand(&request, &Deadline::none()).map_err(|refusal| assert_fair(&refusal));
    }
    if let Ok(request) = ClassifyPlayRequest::decode(bytes) {
        let _ = decider.classify_play(&request, &Deadline::none()).map_err(|refusal| assert_fair(&refusal));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(bytes in vec(any::<u8>(), 0..400)) {
        answer_bytes(&decider(), &bytes);
    }

    #[test]
    fn requests_with_a_few_bytes_changed(
        situation in situation(),
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        let request = DecideRequest { situation: Some(situation), ..DecideRequest::default() };
        let mut bytes = request.encode_to_vec();
        for (position, byte) in changes {
            let position = position.index(bytes.len());
            bytes[position] = byte;
        }
        answer_bytes(&decider(), &bytes);
    }

    #[test]
    fn well_formed_requests(situation in situation(), strategy in 0..4usize, seed in any::<u64>()) {
        let strategy = ["", "rhcp", "random", "?"][strategy].to_owned();
        let request = DecideRequest { situation: Some(situation), strategy, seed, ..DecideRequest::default() };
        if let Err(refusal) = decider().decide(&request, &Deadline::none()) {
            assert_fair(&refusal);
        }
    }

    #[test]
    fn answers_are_legal_and_made_of_the_hand(ranks in vec(3..=17u8, 1..=20), seed in any::<u64>()) {
        let hand: Vec<_> = ranks.iter().filter_map(|rank| doudizhu::cards::Rank::from_value(*rank)).collect();
        let hand: Vec<_> = hand.into_iter().map(doudizhu::cards::Card::suitless).collect();
        let Ok(situation) = Situation::new(&SituationInput::lead(Role::Landlord, hand.clone())) else {
            return Ok(());
        };
        let mut legal = Vec::new();
        situation.for_each_play(|play| legal.push(play.cards().to_string()));
        let message = Message {
            hand: hand.into_iter().map(Into::into).collect(),
            role: 1,
            ..Message::default()
        };
        for strategy in ["rhcp", "random"] {
            let request = DecideRequest {
                situation: Some(message.clone()),
                strategy: strategy.to_owned(),
                seed,
                ..DecideRequest::default()
            };
            let response = decider().decide(&request, &Deadline::none()).expect("a legal situation");
            let played = response.play.expect("a play").cards;
            let ranks = played.iter().filter_map(|card| doudizhu::cards::Rank::from_value(card.rank as u8));
            let cards = doudizhu::cards::Hand::from_ranks(ranks).expect("cards of a deck");
            prop_assert!(legal.contains(&cards.to_string()), "{} played {}", strategy, cards);
            prop_assert_ne!(cards, Play::Pass.cards());
        }
    }
}
