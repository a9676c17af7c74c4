//! The fewest groups into which a hand can be put down, if nobody interfered: the oldest measure of a hand.
//!
//! Quads stay bombs but for chains that run through them, and the jokers stay a rocket, since a player who breaks
//! them for a kicker gives up more than the round. Within that, chains are searched for and everything else has
//! a closed form, which does not ask whether the wings of one plane are all singles or all pairs.

use crate::cards::Hand;

/// One bit for each rank of a packed hand that may be a link of a chain: 3 … A.
const CHAINABLE: u64 = 0x1111_1111_1111;
/// Bits of a rank.
const RANK: u32 = 4;
/// Fewest ranks of a straight.
const STRAIGHT: u32 = 5;
/// Fewest ranks of a chain of pairs.
const PAIR_CHAIN: u32 = 3;

/// Most rounds that [`fewest_rounds`] tells apart.
pub(crate) const MOST_ROUNDS: u8 = 15;

/// The fewest groups that use up `hand`.
pub(crate) fn fewest_rounds(hand: Hand) -> u8 {
    let mut best = u8::MAX;
    search(hand, 0, 0, &mut best);
    best.min(MOST_ROUNDS)
}

/// One bit for each rank of which there are at least `count` cards.
#[inline]
fn at_least(hand: Hand, count: u8) -> u64 {
    hand.at_least(count).times(1).bits()
}

/// Tries every chain of `hand` whose place in the order of chains is not before `from`.
fn search(hand: Hand, from: u32, groups: u8, best: &mut u8) {
    *best = (*best).min(groups + loose_rounds(hand));
    // One more chain and one more group for what it leaves is the least that could follow.
    if groups + 1 >= *best {
        return;
    }
    let pairs = at_least(hand, 2) & CHAINABLE;
    // Chains of pure pairs are part of the closed form: only those that break a trio or a quad are tried.
    let thick = at_least(hand, 3);
    chains(pairs, thick, PAIR_CHAIN, from, |lowest, links| {
        let chain = Hand::chain(rank(lowest), links as u8, 2);
        if at_least(chain, 1) & thick != 0 {
            search(hand - chain, lowest, groups + 1, best);
        }
    });
    let singles = at_least(hand, 1) & CHAINABLE;
    // Straights come after all chains of pairs, so that no set of chains is tried in two orders.
    let from = from.saturating_sub(RANKS);
    chains(singles, pairs, STRAIGHT, from, |lowest, links| {
        let chain = Hand::chain(rank(lowest), links as u8, 1);
        search(hand - chain, RANKS + lowest, groups + 1, best);
    });
}

/// Ranks that a place in the order of chains may have.
const RANKS: u32 = 16;

fn rank(index: u32) -> crate::cards::Rank {
    crate::cards::Rank::from_index(index as usize)
}

/// Calls `each` with the chains of at least `shortest` links in `links`. A chain stops short of a rank that it
/// could take in only where that rank is in `spare`, that is, still makes a group of its own.
#[inline]
fn chains(links: u64, spare: u64, shortest: u32, from: u32, mut each: impl FnMut(u32, u32)) {
    let mut starts = links;
    for link in 1..shortest {
        starts &= links >> (RANK * link);
    }
    // The rank below is absent or spare.
    starts &= !((links & !spare) << RANK);
    starts &= u64::MAX.checked_shl(RANK * from).unwrap_or(0);
    while starts != 0 {
        let lowest = starts.trailing_zeros() / RANK;
        starts &= starts - 1;
        let mut length = shortest;
        loop {
            let above = links >> (RANK * (lowest + length)) & 1;
            let above_is_spare = spare >> (RANK * (lowest + length)) & 1;
            if above == 0 || above_is_spare == 1 {
                each(lowest, length);
            }
            if above == 0 {
                break;
            }
            length += 1;
        }
    }
}

/// The fewest groups of `hand` when the only chains are planes of its trios and chains of its pairs.
#[inline]
fn loose_rounds(hand: Hand) -> u8 {
    let (one, two, three, four) =
        (at_least(hand, 1), at_least(hand, 2), at_least(hand, 3), at_least(hand, 4));
    let (singles, pairs, trios) = (one & !two, two & !three, three & !four);
    let rocket = u32::from(hand.has_rocket());
    let singles = singles.count_ones() - 2 * rocket;
    let links = trios & CHAINABLE;
    let planes = (trios & !((links << RANK) & CHAINABLE)).count_ones();
    let wings = trios.count_ones();

    let chained = pairs & CHAINABLE;
    let threes = chained & (chained >> RANK) & (chained >> (2 * RANK));
    let fixed = planes + four.count_ones() + rocket;
    let loose = |kickers: u32| {
        if kickers >= wings {
            kickers - wings
        } else {
            // Of three trios that have no kickers one can be the kickers of the other two.
            0
        }
    };
    let all_loose = fixed + loose(singles + pairs.count_ones());
    if threes == 0 {
        return all_loose as u8;
    }
    let in_chains = threes | (threes << RANK) | (threes << (2 * RANK));
    let chain_groups = (in_chains & !(in_chains << RANK)).count_ones();
    let with_chains = fixed + chain_groups + loose(singles + (pairs & !in_chains).count_ones());
    all_loose.min(with_chains) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Dice, deal};
    use crate::groups::{GroupType, Play, RuleSet, for_each_play};

    /// The fewest groups by trying every group; only chains break quads, nothing breaks the rocket.
    fn by_trying(hand: Hand, groups: u8, best: &mut u8) {
        if hand.is_empty() {
            *best = (*best).min(groups);
            return;
        }
        if groups + 1 >= *best {
            return;
        }
        let quads = hand.exactly(4);
        let Some(lowest) = hand.at_least(1).lowest() else { return };
        for_each_play(hand, None, RuleSet::default(), |play| {
            let Play::Group(group) = play else { return };
            let bomb = group.kind().crosses_types();
            let chain = matches!(group.kind(), GroupType::Straight | GroupType::PairChain);
            let cards = group.cards();
            let breaks = |rank| cards.count(rank) > 0 && !bomb && !chain;
            if quads.into_iter().any(breaks)
                || (hand.has_rocket() && !bomb && !cards.min(Hand::ROCKET).is_empty())
            {
                return;
            }
            // The order of the groups does not matter: first the one that holds the lowest rank.
            if cards.count(lowest) > 0 {
                by_trying(hand - cards, groups + 1, best);
            }
        });
    }

    #[test]
    fn close_to_the_fewest_of_all_partitions() {
        let mut dice = Dice::new(4);
        let (mut equal, mut count) = (0, 0);
        for _ in 0..300 {
            let hand = deal(&mut dice).hands.0[1];
            let hand = hand.ranks().take(11).fold(Hand::EMPTY, |hand, rank| hand + Hand::of(rank, 1));
            let mut best = u8::MAX;
            by_trying(hand, 0, &mut best);
            let fast = fewest_rounds(hand);
            assert!(fast.abs_diff(best) <= 1, "{hand}: {fast}, by trying {best}");
            equal += usize::from(fast == best);
            count += 1;
        }
        assert!(equal * 100 >= count * 95, "{equal} of {count}");
    }

    #[test]
    fn the_empty_hand_and_single_groups() {
        assert_eq!(fewest_rounds(Hand::EMPTY), 0);
        for kind in GroupType::ALL {
            let mut found = None;
            crate::groups::for_each_group_of_type(Hand::DECK, kind, RuleSet::default(), &mut |group| {
                // Quads with kickers are a bomb and its kickers by this count.
                found = found.or(Some(group));
            });
            if let Some(group) = found
                && !matches!(kind, GroupType::FourWithTwoSingles | GroupType::FourWithTwoPairs)
            {
                assert_eq!(fewest_rounds(group.cards()), 1, "{group}");
            }
        }
    }
}
