//! What groups are worth, and hands in which no chain is possible.

use crate::cards::{Hand, Rank, RankMask};
use crate::groups::{Group, GroupType};
use crate::strategy::HandValue;

/// What a group is worth (RHCP, 九日王朝, chapter 4).
///
/// The average card is a ten and worth nothing; a big joker, which always wins the lead back, is worth 7.
/// Pairs and trios are as hard to beat as they are rare, so they are worth the same as the single; kickers
/// and the length of a chain do not count. A bomb is worth one turn, 7, more than its rank.
#[inline]
#[must_use]
pub const fn worth(group: &Group) -> i16 {
    worth_of(group.kind(), group.main_rank())
}

/// What a group of type `kind` with this main rank is worth.
#[inline]
const fn worth_of(kind: GroupType, main_rank: Rank) -> i16 {
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

/// The value of a hand without trios whose cards make no chain: singles, pairs, bombs and the rocket.
///
/// There the lead routine has nothing to decide. It gives away the lowest rank each time, a pair whole since
/// half a pair costs a round, then the bombs, and the rocket when one group is left.
#[inline]
pub(super) fn loose(hand: Hand) -> HandValue {
    let ranks = hand.at_least(1);
    let mut sum = index_sum(ranks) - 7 * ranks.len() as i16;
    let mut rounds = ranks.len() as u8;
    let quads = hand.exactly(4);
    if !quads.is_empty() {
        sum += 14 * quads.len() as i16;
    }
    if hand.has_rocket() {
        // Counted so far as two singles, 6 and 7.
        sum += 20 - 13;
        rounds -= 1;
    }
    HandValue { sum, rounds }
}

/// Sum of the positions, 0 … 14, of the ranks of a set.
#[inline]
fn index_sum(ranks: RankMask) -> i16 {
    // The top byte of the product is the sum over the bytes of the first factor, each times its position:
    // even ranks and odd ranks apart, since a byte holds two.
    const BYTES: u64 = 0x0101_0101_0101_0101;
    const EVEN: u64 = 0x0002_0406_080A_0C0E;
    const ODD: u64 = 0x0103_0507_090B_0D0F;
    let bits = ranks.times(1).bits();
    let even = (bits & BYTES).wrapping_mul(EVEN) >> 56;
    let odd = ((bits >> 4) & BYTES).wrapping_mul(ODD) >> 56;
    (even + odd) as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_summed() {
        for rank in Rank::ALL {
            assert_eq!(index_sum(RankMask::only(rank)), rank.index() as i16);
        }
        assert_eq!(index_sum(RankMask::ALL), 105);
    }
}
