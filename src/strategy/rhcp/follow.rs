//! Answering a group on the table (RHCP, chapters 7–10 and 16).

use crate::cards::{Hand, Rank};
use crate::groups::{Group, GroupType, Play, for_each_answer, recognise};
use crate::strategy::HandValue;

use super::Evaluator;

/// A table of four with two is bombed at once when the hand is worth more than this: two kickers could gain at
/// most 14.
const BOMB_FOUR_WITH_TWO_ABOVE: i16 = 14;

/// What `hand` plays on `table`.
pub(super) fn follow(evaluator: &mut Evaluator<'_>, hand: Hand, table: &Group) -> Play {
    if hand.has_rocket() && evaluator.value(hand - Hand::ROCKET).rounds == 1 {
        return Play::Group(Group::ROCKET);
    }
    match table.kind() {
        GroupType::Rocket => return Play::Pass,
        GroupType::Bomb => return cheapest_bomb(hand, Some(table.main_rank())),
        _ => {}
    }
    if let Ok(group) = recognise(hand, evaluator.rules(), None)
        && group.beats(table)
    {
        return Play::Group(group);
    }
    let whole = evaluator.value(hand);
    let four_with_two = matches!(table.kind(), GroupType::FourWithTwoSingles | GroupType::FourWithTwoPairs);
    if four_with_two && whole.sum > BOMB_FOUR_WITH_TWO_ABOVE {
        let bomb = cheapest_bomb(hand, None);
        if bomb != Play::Pass {
            return bomb;
        }
    }
    if let Some(group) = same_type(evaluator, hand, table, whole) {
        return Play::Group(group);
    }
    if four_with_two { cheapest_bomb(hand, None) } else { judged_bomb(evaluator, hand, whole) }
}

/// What passing is worth: the hand, and one round lost.
fn passing(whole: HandValue) -> i16 {
    whole.score() - HandValue::ROUND_COST
}

/// The answer of the table's own type that leaves the best rest, if it is no worse than passing. Among equals
/// the higher body wins, then the kickers that are higher from the top down: the last one of the original,
/// which tries every order of the kickers.
fn same_type(evaluator: &mut Evaluator<'_>, hand: Hand, table: &Group, whole: HandValue) -> Option<Group> {
    let rules = evaluator.rules();
    let mut best = None;
    let mut best_key = (passing(whole), 0, 0);
    for_each_answer(hand, table, rules, &mut |group| {
        if !is_considered(&group) {
            return;
        }
        let kickers = group.cards() - group.body();
        let score = evaluator.value(hand - group.cards()).score();
        let key = (score, group.main_rank().value(), tie_order(&group, kickers));
        if key >= best_key {
            best_key = key;
            best = Some(group);
        }
    });
    best
}

/// The original enumerates the kickers of planes in every order, so that among equals the multiset that is
/// highest from the top down comes last. Pairs of kickers on a quad come in ascending order, lowest first.
fn tie_order(group: &Group, kickers: Hand) -> u64 {
    match group.kind() {
        GroupType::FourWithTwoSingles | GroupType::FourWithTwoPairs => {
            let ranks = kickers.at_least(1);
            let rank = |rank: Option<Rank>| u64::from(rank.map_or(0, Rank::value));
            rank(ranks.lowest()) << 8 | rank(ranks.highest())
        }
        _ => kickers.bits(),
    }
}

/// The original has no answers with very long planes, and never takes a pair as the two singles of a quad.
fn is_considered(group: &Group) -> bool {
    match group.kind() {
        GroupType::PlaneWithSingles => group.links() <= 4,
        GroupType::PlaneWithPairs => group.links() <= 3,
        GroupType::FourWithTwoSingles => (group.cards() - group.body()).at_least(2).is_empty(),
        GroupType::FourWithTwoPairs => (group.cards() - group.body()).at_least(4).is_empty(),
        _ => true,
    }
}

/// The lowest bomb above `above`, else the rocket, without any judgement.
fn cheapest_bomb(hand: Hand, above: Option<Rank>) -> Play {
    let mut quads = hand.exactly(4).into_iter();
    match quads.find(|quad| above.is_none_or(|above| *quad > above)) {
        Some(quad) => Play::Group(Group::bomb(quad)),
        None if hand.has_rocket() => Play::Group(Group::ROCKET),
        None => Play::Pass,
    }
}

/// A bomb or the rocket where the rest promises to go out.
fn judged_bomb(evaluator: &mut Evaluator<'_>, hand: Hand, whole: HandValue) -> Play {
    let mut best = passing(whole);
    let mut bomb = None;
    for quad in hand.exactly(4) {
        let rest = evaluator.value(hand - Hand::of(quad, 4));
        // As in the original, a rest above 0 also lowers the bar: the last bomb accepted is played.
        if best <= rest.score() || rest.sum > 0 {
            best = rest.score();
            bomb = Some(Group::bomb(quad));
        }
    }
    if let Some(bomb) = bomb {
        return Play::Group(bomb);
    }
    let rocket = super::group_value(GroupType::Rocket, Rank::BigJoker);
    if hand.has_rocket() && whole.sum > rocket { Play::Group(Group::ROCKET) } else { Play::Pass }
}
