use crate::cards::{Hand, Rank, RankMask};
use crate::groups::GroupType;
use crate::strategy::HandValue;

/// The value of one group (RHCP, chapter 4): the average card is a 10 and worth 0; length and kickers do not
/// enter; runs, planes and quads are worth more the harder they are to beat; a bomb is worth one extra round.
#[inline]
#[must_use]
pub const fn group_value(kind: GroupType, main_rank: Rank) -> i16 {
    let rank = main_rank.value() as i16;
    match kind {
        GroupType::Single
        | GroupType::Pair
        | GroupType::Trio
        | GroupType::TrioWithSingle
        | GroupType::TrioWithPair => rank - 10,
        GroupType::Straight | GroupType::PairChain => rank - 9,
        GroupType::Plane | GroupType::PlaneWithSingles | GroupType::PlaneWithPairs => (rank - 2) / 2,
        GroupType::FourWithTwoSingles | GroupType::FourWithTwoPairs => (rank - 3) / 2,
        GroupType::Bomb => rank - 3 + HandValue::ROUND_COST,
        GroupType::Rocket => 20,
    }
}

/// The value of a hand that holds no trio, no straight and no pair chain, and so falls apart in one way only:
/// every rank is a group, and both jokers are one. `None` for any other hand.
#[inline]
pub(super) fn loose_value(hand: Hand) -> Option<HandValue> {
    let chainable = hand.at_least(1).and(RankMask::CHAINABLE);
    let pairs = hand.at_least(2).and(RankMask::CHAINABLE);
    let quads = hand.exactly(4);
    let trios = hand.at_least(3).without(quads);
    if !trios.is_empty() || !chainable.chain_starts(5).is_empty() || !pairs.chain_starts(3).is_empty() {
        return None;
    }
    let ranks = hand.at_least(1);
    let rounds = ranks.len() as i16;
    // A single or pair of rank r is worth r − 10, a bomb r + 4: 14 more.
    let mut sum = ranks.sum_of_values() as i16 - 10 * rounds + 14 * quads.len() as i16;
    let mut rounds = rounds as u8;
    if hand.has_rocket() {
        sum += group_value(GroupType::Rocket, Rank::BigJoker)
            - group_value(GroupType::Single, Rank::SmallJoker)
            - group_value(GroupType::Single, Rank::BigJoker);
        rounds -= 1;
    }
    Some(HandValue { sum, rounds })
}
