//! One call of each method, end to end.

use doudizhu::service::proto::{
    self, ClassifyPlayRequest, DecideRequest, EvaluateHandRequest, GroupType, HistoryPlay, Preset, Rank,
    RankPlaysRequest, Role, RuleSet, Situation,
};

use crate::harness::{Server, cards, follow, lead, text};

#[tokio::test]
async fn decide_leads_with_cards_of_the_hand() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let mut request = lead("3h 4d 5s 6c 7h Kd Ks");
    request.request_id = "table 9, turn 1".to_owned();
    let response = client.decide(request).await.expect("an answer").into_inner();
    assert_eq!(response.request_id, "table 9, turn 1");
    assert_eq!(response.strategy, "rhcp");
    let play = response.play.expect("a play");
    assert_eq!(play.r#type(), GroupType::Straight);
    assert_eq!(play.main_rank(), Rank::Seven);
    assert_eq!(play.chain_length, 5);
    assert_eq!(text(&play.cards), "3h 4d 5s 6c 7h");
    let rest = response.evaluation.expect("an evaluation").rest.expect("rhcp values the rest");
    assert_eq!(rest.rounds, 1);
    assert_eq!(rest.score, rest.sum - 7 * rest.rounds as i32);
    let cost = response.cost.expect("a cost");
    assert!(cost.states > 0 && cost.elapsed.is_some());
}

#[tokio::test]
async fn decide_follows_or_passes() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let beaten = client.decide(follow("5c 5h 9 K", "4 4")).await.expect("an answer").into_inner();
    assert_eq!(text(&beaten.play.expect("a play").cards), "5h 5c");
    let passed = client.decide(follow("3 4 5 6", "2 2")).await.expect("an answer").into_inner();
    let pass = passed.play.expect("a play");
    assert_eq!(pass.r#type(), GroupType::Pass);
    assert_eq!((pass.main_rank(), pass.chain_length, pass.cards.len()), (Rank::Unspecified, 0, 0));
}

#[tokio::test]
async fn decide_takes_a_full_situation() {
    let server = Server::start(&[]).await;
    let play = |text: &str| HistoryPlay { cards: cards(text), group_type: 0 };
    let situation = Situation {
        hand: cards("5 6 6 7 8 8 9 9 T T J J Q K 2 2"),
        role: Role::PeasantAfterLandlord as i32,
        to_beat: cards("7"),
        last_player: Role::Landlord as i32,
        cards_left: Some(proto::CardsLeft {
            landlord: Some(18),
            peasant_after: Some(16),
            peasant_before: Some(17),
        }),
        history: vec![play("3"), play("5"), play(""), play("7")],
        bottom_cards: cards("3 4 A"),
        bid: Some(3),
        multiplier: Some(3),
        ..Situation::default()
    };
    let request = DecideRequest { situation: Some(situation), ..DecideRequest::default() };
    let response = server.client().await.decide(request).await.expect("a situation").into_inner();
    let play = response.play.expect("a play");
    assert_eq!(play.r#type(), GroupType::Single);
    assert!(play.main_rank > Rank::Seven as i32);
}

#[tokio::test]
async fn the_same_request_gets_the_same_answer() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let mut request = lead("3 4 4 5 6 7 8 9 9 J J J Q K A A 2 X");
    request.strategy = "random".to_owned();
    request.seed = 20_261_201;
    let first = client.decide(request.clone()).await.expect("an answer").into_inner().play;
    for _ in 0..20 {
        let again = client.decide(request.clone()).await.expect("an answer").into_inner().play;
        assert_eq!(again, first);
    }
}

#[tokio::test]
async fn evaluate_hand_takes_it_apart() {
    let server = Server::start(&[]).await;
    let request = EvaluateHandRequest {
        request_id: "q".to_owned(),
        hand: cards("3c 3d 3s 3h 4 5 6 7 8 Ac Ad X D"),
        rule_set: None,
    };
    let response =
        server.client().await.evaluate_hand(request.clone()).await.expect("an answer").into_inner();
    assert_eq!(response.request_id, "q");
    let value = response.value.expect("a value");
    assert_eq!(value.score, value.sum - 7 * value.rounds as i32);
    assert_eq!(response.decomposition.len(), value.rounds as usize);
    // Together the groups are the hand, suits and all.
    let mut dealt: Vec<_> = response.decomposition.into_iter().flat_map(|group| group.cards).collect();
    dealt.sort_by_key(|card| (card.rank, card.suit));
    let mut hand = request.hand;
    hand.sort_by_key(|card| (card.rank, card.suit));
    assert_eq!(dealt, hand);
}

#[tokio::test]
async fn classify_play_names_the_group_and_compares_it() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let mut request = ClassifyPlayRequest {
        request_id: "r".to_owned(),
        cards: cards("5h 5s 5d 9c"),
        to_beat: cards("4 4 4 A"),
        ..ClassifyPlayRequest::default()
    };
    let response = client.classify_play(request.clone()).await.expect("an answer").into_inner();
    assert_eq!(response.request_id, "r");
    let group = response.group.clone().expect("a group");
    assert_eq!((group.r#type(), group.main_rank()), (GroupType::TrioWithSingle, Rank::Five));
    assert_eq!(text(&group.cards), "5h 5s 5d 9c");
    assert_eq!(response.readings, [group]);
    assert_eq!(response.beats, Some(true));

    request.to_beat = cards("6 6 6 3");
    let response = client.classify_play(request.clone()).await.expect("an answer").into_inner();
    assert_eq!(response.beats, Some(false));

    request.cards = cards("3 4");
    let response = client.classify_play(request).await.expect("an answer").into_inner();
    assert_eq!((response.group, response.readings.len(), response.beats), (None, 0, None));
}

#[tokio::test]
async fn classify_play_tells_all_readings_where_options_make_several() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let rule_set = RuleSet { preset: Preset::OpenSpiel as i32, ..RuleSet::default() };
    let mut request = ClassifyPlayRequest {
        cards: cards("333 444 555 666"),
        to_beat: cards("777 888 999 T J Q"),
        rule_set: Some(rule_set),
        ..ClassifyPlayRequest::default()
    };
    let response = client.classify_play(request.clone()).await.expect("an answer").into_inner();
    let types: Vec<GroupType> = response.readings.iter().map(proto::Group::r#type).collect();
    assert_eq!(types, [GroupType::Plane, GroupType::PlaneWithSingles, GroupType::PlaneWithSingles]);
    assert_eq!((response.group, response.beats), (None, None));

    request.group_type = GroupType::PlaneWithSingles as i32;
    let response = client.classify_play(request.clone()).await.expect("an answer").into_inner();
    assert_eq!(response.group.expect("it is named").main_rank(), Rank::Six);
    assert_eq!(response.beats, Some(false));

    request.rule_set = None;
    request.group_type = 0;
    let response = client.classify_play(request).await.expect("an answer").into_inner();
    assert_eq!(response.group.expect("officially it is one thing").r#type(), GroupType::Plane);
}

#[test]
fn responses_have_a_json_form() {
    let request = EvaluateHandRequest { request_id: "q".to_owned(), hand: cards("3h X"), rule_set: None };
    let json = proto::to_json(&request).expect("a message of the API");
    let expected = r#"{
  "requestId": "q",
  "hand": [
    {
      "rank": "RANK_THREE",
      "suit": "SUIT_HEARTS"
    },
    {
      "rank": "RANK_SMALL_JOKER"
    }
  ]
}"#;
    assert_eq!(json, expected);
    assert_eq!(proto::from_json::<EvaluateHandRequest>(&json).expect("its own text"), request);
    assert!(proto::from_json::<EvaluateHandRequest>(r#"{"hands": []}"#).is_err());
}

/// Hands and groups to beat that leave few and many answers.
fn turns() -> Vec<DecideRequest> {
    vec![
        lead("3 3 4 5 6 7 T J Q K A 2 X"),
        lead("3334445556667778889X"),
        lead("5"),
        follow("8888 TT 22", "QQ"),
        follow("3 4 5 6", "X D"),
        follow("5h 5c 5d 6s 7s XD", "4 4"),
    ]
}

#[tokio::test]
async fn rank_plays_begins_with_what_decide_plays() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    for strategy in doudizhu::strategy::Registry::builtin().names() {
        for turn in turns() {
            let request = RankPlaysRequest {
                situation: turn.situation.clone(),
                strategy: strategy.to_owned(),
                seed: 5,
                ..RankPlaysRequest::default()
            };
            let ranked = client.rank_plays(request.clone()).await.expect("an answer").into_inner();
            let decide = DecideRequest { strategy: strategy.to_owned(), seed: 5, ..turn };
            let weighed = DecideRequest { alternatives: 3, ..decide.clone() };
            let weighed = client.decide(weighed).await.expect("an answer").into_inner();
            let decided = client.decide(decide).await.expect("an answer").into_inner();
            assert_eq!(ranked.plays[0].play, decided.play, "{strategy}");
            assert_eq!(ranked.plays[0].evaluation, decided.evaluation, "{strategy}");
            assert!(decided.alternatives.is_empty(), "nobody asked for them");
            assert_eq!(weighed.play, decided.play, "{strategy}");
            assert_eq!(weighed.alternatives[..], ranked.plays[1..ranked.plays.len().min(4)]);
            assert_eq!(ranked.strategy, strategy);
            assert_eq!(ranked.legal_plays as usize, ranked.plays.len());

            let again = client.rank_plays(request.clone()).await.expect("an answer").into_inner();
            assert_eq!(again.plays, ranked.plays, "the order is stable");
            let limited = RankPlaysRequest { limit: 2, ..request };
            let limited = client.rank_plays(limited).await.expect("an answer").into_inner();
            assert_eq!(limited.plays[..], ranked.plays[..ranked.plays.len().min(2)]);
            assert_eq!(limited.legal_plays, ranked.legal_plays);
        }
    }
}

#[tokio::test]
async fn rank_plays_lists_every_legal_play_once() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    // Public case P04: a quad beats any ordinary group.
    let situation = follow("8888 TT 22", "QQ").situation;
    let request = RankPlaysRequest { situation, ..RankPlaysRequest::default() };
    let ranked = client.rank_plays(request).await.expect("an answer").into_inner();
    let mut plays: Vec<String> =
        ranked.plays.iter().map(|ranked| text(&ranked.play.as_ref().expect("a play").cards)).collect();
    plays.sort();
    assert_eq!(plays, ["", "2 2", "8 8 8 8"]);
    let refused = client.rank_plays(RankPlaysRequest::default()).await.expect_err("no situation");
    assert_eq!(crate::harness::fields(&refused), ["situation"]);
}
