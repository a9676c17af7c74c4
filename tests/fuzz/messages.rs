//! Bytes to a request, its answer, and a judge: whatever bytes come, the decider answers or refuses, never panics,
//! and what it answers is legal. Shared by the tests and the fuzzer.

use std::time::{Duration, Instant};

use doudizhu::cards::{Card, Rank, Suit};
use doudizhu::game::{Auction, AuctionRules, Bid, HistoryPlay, PerRole, Role, Situation, SituationInput};
use doudizhu::groups::{Group, GroupType, Play, Preset, RuleSet};
use doudizhu::service::proto;
use doudizhu::service::{Deadline, Decider, Refusal};
use doudizhu::strategy::Registry;
use doudizhu::telemetry::metrics::Metrics;
use prost::Message;
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

/// How long a request may think: a search must end by it, and the next input is waiting.
const PATIENCE: Duration = Duration::from_millis(20);

/// What a refusal may take in a response's headers: common clients refuse responses with more.
const HEADERS: usize = 8 * 1024;

/// The methods, by the number that an input begins with.
pub(crate) const METHODS: [&str; 6] =
    ["Decide", "RankPlays", "Bid", "Double", "EvaluateHand", "ClassifyPlay"];

/// A decider with every strategy, that decides by `default`.
pub(crate) fn decider(default: &str) -> Decider {
    Decider::new(&Registry::builtin(), default, Duration::ZERO, 1, &Metrics::new()).expect("a strategy")
}

/// Has `decider` answer the request that `input` is: the number of a method, and the bytes of its message. Says
/// how it ended; nothing if they are no message.
pub(crate) fn check(decider: &Decider, input: &[u8]) -> Option<Code> {
    let (method, bytes) = input.split_first()?;
    match METHODS[usize::from(*method) % METHODS.len()] {
        "Decide" => answer(bytes, |request, deadline| decider.decide(request, deadline), judge_decide),
        "RankPlays" => {
            answer(bytes, |request, deadline| decider.rank_plays(request, deadline), judge_ranking)
        }
        "Bid" => answer(bytes, |request, deadline| decider.bid(request, deadline), judge_bid),
        "Double" => answer(bytes, |request, deadline| decider.double(request, deadline), judge_double),
        "EvaluateHand" => {
            answer(bytes, |request, deadline| decider.evaluate_hand(request, deadline), judge_evaluation)
        }
        _ => {
            answer(bytes, |request, deadline| decider.classify_play(request, deadline), judge_classification)
        }
    }
}

fn answer<Q: Message + Default, A: Message>(
    bytes: &[u8],
    ask: impl Fn(&Q, &Deadline) -> Result<A, Refusal>,
    judge: impl Fn(&Q, A),
) -> Option<Code> {
    let request = Q::decode(bytes).ok()?;
    match ask(&request, &Deadline::after(Instant::now(), Some(PATIENCE))) {
        Ok(response) => {
            judge(&request, response);
            Some(Code::Ok)
        }
        Err(refusal) => Some(judge_refusal(refusal)),
    }
}

/// A refusal of the caller's fault, with reasons, that fits the headers in which it travels.
fn judge_refusal(refusal: Refusal) -> Code {
    let status = Status::from(refusal);
    match status.code() {
        Code::InvalidArgument => {
            let details = status.get_details_bad_request().expect("it names fields");
            assert!(!details.field_violations.is_empty());
        }
        // Where something else had the processor for all of the request's time.
        Code::DeadlineExceeded => {}
        _ => panic!("{status:?}"),
    }
    let code = status.code();
    let response = status.into_http::<()>();
    let headers = response.headers().iter();
    let size: usize = headers.map(|(name, value)| name.as_str().len() + value.len()).sum();
    assert!(size <= HEADERS, "{size} bytes of headers");
    code
}

fn judge_decide(request: &proto::DecideRequest, response: proto::DecideResponse) {
    assert_eq!(response.request_id, request.request_id);
    assert!(request.strategy.is_empty() || response.strategy == request.strategy);
    let message = request.situation.as_ref().expect("there is no answer without a situation");
    let plays = legal_plays(&situation(message));
    judge_play(&response.play.expect("a play"), &message.hand, &plays);
    judge_win_probability(response.evaluation.expect("an evaluation").win_probability);
}

fn judge_ranking(request: &proto::RankPlaysRequest, response: proto::RankPlaysResponse) {
    assert_eq!(response.request_id, request.request_id);
    let message = request.situation.as_ref().expect("there is no answer without a situation");
    let mut plays = legal_plays(&situation(message));
    assert_eq!(response.legal_plays as usize, plays.len());
    let shown = if request.limit == 0 { plays.len() } else { plays.len().min(request.limit as usize) };
    assert_eq!(response.plays.len(), shown);
    for ranked in response.plays {
        // Each play once: what has been seen is no longer there.
        let position = judge_play(&ranked.play.expect("a play"), &message.hand, &plays);
        plays.swap_remove(position);
        judge_win_probability(ranked.evaluation.expect("an evaluation").win_probability);
    }
}

fn judge_bid(request: &proto::BidRequest, response: proto::BidResponse) {
    assert_eq!(response.request_id, request.request_id);
    let rules = match request.auction_rules() {
        proto::AuctionRules::CallAndRob => AuctionRules::CallAndRob,
        _ => AuctionRules::Points,
    };
    let mut auction = Auction::new(rules);
    for said in request.bids.iter().chain(&response.bid) {
        auction.bid(bid(said)).expect("what is said in an auction is allowed there");
    }
    assert_eq!(auction.bids().len(), request.bids.len() + 1);
    judge_outlook(response.outlook);
}

fn judge_double(request: &proto::DoubleRequest, response: proto::DoubleResponse) {
    assert_eq!(response.request_id, request.request_id);
    judge_outlook(response.outlook);
}

fn judge_evaluation(request: &proto::EvaluateHandRequest, response: proto::EvaluateHandResponse) {
    assert_eq!(response.request_id, request.request_id);
    let value = response.value.expect("a value");
    assert_eq!(value.rounds as usize, response.decomposition.len());
    assert_eq!(value.score, value.sum - 7 * value.rounds as i32);
    let rules = rules(request.rule_set.as_ref());
    let mut dealt = Vec::new();
    for part in response.decomposition {
        judge_group(&part, rules);
        dealt.extend(part.cards);
    }
    assert_eq!(sorted(dealt), sorted(request.hand.clone()), "the groups together are the hand");
}

fn judge_classification(request: &proto::ClassifyPlayRequest, response: proto::ClassifyPlayResponse) {
    assert_eq!(response.request_id, request.request_id);
    let rules = rules(request.rule_set.as_ref());
    for reading in response.readings.iter().chain(&response.group) {
        judge_group(reading, rules);
        assert_eq!(sorted(reading.cards.clone()), sorted(request.cards.clone()));
    }
    assert!(response.group.iter().all(|group| response.readings.contains(group)));
    assert_eq!(response.beats.is_some(), response.group.is_some() && !request.to_beat.is_empty());
}

/// A play is one of `plays`, with cards of `hand`, suits kept. Says which one.
fn judge_play(play: &proto::Group, hand: &[proto::Card], plays: &[Play]) -> usize {
    let mut hand = hand.to_vec();
    for card in &play.cards {
        let position = hand.iter().position(|held| held == card).expect("a card of the hand");
        hand.swap_remove(position);
    }
    let is_it = |legal: &Play| match legal {
        Play::Pass => play.r#type == proto::GroupType::Pass as i32 && play.cards.is_empty(),
        Play::Group(group) => is_group(play, group),
    };
    plays.iter().position(is_it).unwrap_or_else(|| panic!("{play:?} is not legal"))
}

/// A group is one that its cards can be read as.
fn judge_group(group: &proto::Group, rules: RuleSet) {
    let ranks = cards(&group.cards).into_iter().map(|card| card.rank);
    let hand = doudizhu::cards::Hand::from_ranks(ranks).expect("cards of a deck");
    let readings = doudizhu::groups::readings(hand, rules);
    assert!(readings.iter().any(|reading| is_group(group, reading)), "{group:?}");
}

fn is_group(message: &proto::Group, group: &Group) -> bool {
    let ranks = cards(&message.cards).into_iter().map(|card| card.rank);
    message.r#type == group.kind() as i32
        && message.main_rank == group.main_rank() as i32
        && message.chain_length == u32::from(group.links())
        && doudizhu::cards::Hand::from_ranks(ranks) == Some(group.cards())
}

fn judge_outlook(outlook: Option<proto::Outlook>) {
    let outlook = outlook.expect("an outlook");
    judge_win_probability(Some(outlook.win_probability));
    assert!(outlook.expected_points.is_finite());
}

fn judge_win_probability(probability: Option<f32>) {
    assert!(probability.is_none_or(|probability| (0.0..=1.0).contains(&probability)), "{probability:?}");
}

/// The situation of a message that was answered, read here once more: there must be one.
fn situation(message: &proto::Situation) -> Situation {
    let left = message.cards_left.unwrap_or_default();
    let input = SituationInput {
        hand: cards(&message.hand),
        role: role(message.role).expect("a role"),
        to_beat: cards(&message.to_beat),
        to_beat_type: group_type(message.to_beat_type),
        last_player: role(message.last_player),
        cards_left: PerRole([left.landlord, left.peasant_after, left.peasant_before]),
        history: message
            .history
            .iter()
            .map(|play| HistoryPlay { cards: cards(&play.cards), group_type: group_type(play.group_type) })
            .collect(),
        bottom_cards: cards(&message.bottom_cards),
        bid: message.bid,
        multiplier: message.multiplier,
        rules: rules(message.rule_set.as_ref()),
    };
    Situation::new(&input).expect("what was answered is a situation")
}

fn legal_plays(situation: &Situation) -> Vec<Play> {
    let mut plays = Vec::new();
    situation.for_each_play(|play| plays.push(play));
    plays
}

fn cards(messages: &[proto::Card]) -> Vec<Card> {
    let card = |card: &proto::Card| {
        let rank = u8::try_from(card.rank).ok().and_then(Rank::from_value).expect("a rank");
        let suit = (card.suit != 0).then(|| Suit::ALL[card.suit as usize - 1]);
        Card { rank, suit }
    };
    messages.iter().map(card).collect()
}

fn sorted(mut cards: Vec<proto::Card>) -> Vec<proto::Card> {
    cards.sort_by_key(|card| (card.rank, card.suit));
    cards
}

fn role(number: i32) -> Option<Role> {
    (number != 0).then(|| Role::ALL[number as usize - 1])
}

fn group_type(number: i32) -> Option<GroupType> {
    (number != 0).then(|| GroupType::ALL[number as usize - 1])
}

fn rules(message: Option<&proto::RuleSet>) -> RuleSet {
    let Some(message) = message else { return RuleSet::default() };
    let preset = match message.preset {
        0 => Preset::default(),
        number => Preset::ALL[number as usize - 1],
    };
    let base = preset.rules();
    RuleSet {
        distinct_kickers: message.distinct_kickers.unwrap_or(base.distinct_kickers),
        rocket_as_kickers: message.rocket_as_kickers.unwrap_or(base.rocket_as_kickers),
        adjacent_trio_kickers: message.adjacent_trio_kickers.unwrap_or(base.adjacent_trio_kickers),
        quad_kickers: message.quad_kickers.unwrap_or(base.quad_kickers),
        same_pair_twice: message.same_pair_twice.unwrap_or(base.same_pair_twice),
        no_four_with_two: message.no_four_with_two.unwrap_or(base.no_four_with_two),
    }
}

fn bid(message: &proto::Bid) -> Bid {
    match message.r#type() {
        proto::BidType::Points => Bid::Points(u8::try_from(message.points).expect("1 to 3 points")),
        proto::BidType::Call => Bid::Call,
        proto::BidType::Rob => Bid::Rob,
        proto::BidType::Pass => Bid::Pass,
        proto::BidType::Unspecified => panic!("a bid without a type was taken"),
    }
}
