//! The fewest groups into which a hand can be put down, if nobody interfered: the oldest measure of a hand.
//!
//! Quads stay bombs but for chains that run through them, and the jokers stay a rocket, since a player who breaks
//! them for a kicker gives up more than the round. Within that, chains are searched for and everything else has
//! a closed form, which does not ask whether the wings of one plane are all singles or all pairs. What such a
//! partition leaves loose tells more of a hand than its count.

use crate::cards::Hand;

/// One bit for each rank of a packed hand that may be a link of a chain: 3 … A.
const CHAINABLE: u64 = 0x1111_1111_1111;
/// Bits of a rank.
const RANK: u32 = 4;
/// Fewest ranks of a straight.
const STRAIGHT: u32 = 5;
/// Fewest ranks of a chain of pairs.
const PAIR_CHAIN: u32 = 3;

/// Most rounds that are told apart.
pub(crate) const MOST_ROUNDS: u8 = 15;

/// A partition of a hand into the fewest groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Partition {
    /// Its groups, at most [`MOST_ROUNDS`].
    pub rounds: u8,
    /// Straights and chains of pairs.
    pub chains: u8,
    /// Trios, alone or in planes, each of which takes a kicker along while there are any.
    pub trios: u8,
    /// Ranks of the singles and of the pairs that are groups of their own: one bit for each rank of a packed hand.
    pub loose: [u64; 2],
}

impl Partition {
    /// The first found of the partitions of `hand` into the fewest groups.
    pub(crate) fn of(hand: Hand) -> Partition {
        let mut best = Best { rounds: u8::MAX, chains: 0, rest: hand, pairs_chained: false };
        search(hand, 0, 0, &mut best);
        best.partition()
    }
}

/// The best partition so far: chains, and what is left after them.
#[derive(Clone, Copy)]
struct Best {
    rounds: u8,
    chains: u8,
    rest: Hand,
    /// Whether the pairs of the rest make chains.
    pairs_chained: bool,
}

impl Best {
    /// Says which groups are loose.
    fn partition(&self) -> Partition {
        let pieces = Pieces::of(self.rest);
        let (pairs, more) = if self.pairs_chained {
            (pieces.pairs & !pieces.in_chains, pieces.chains)
        } else {
            (pieces.pairs, 0)
        };
        let trios = pieces.trios.count_ones();
        // The lowest go along with the trios.
        let (singles, wings) = without_lowest(pieces.singles, trios);
        let (pairs, _) = without_lowest(pairs, wings);
        Partition {
            rounds: self.rounds.min(MOST_ROUNDS),
            chains: self.chains + more as u8,
            trios: trios as u8,
            loose: [singles, pairs],
        }
    }
}

/// `ranks` without the `count` lowest of them, and how many it had too few.
#[inline]
fn without_lowest(mut ranks: u64, mut count: u32) -> (u64, u32) {
    while count > 0 && ranks != 0 {
        ranks &= ranks - 1;
        count -= 1;
    }
    (ranks, count)
}

/// One bit for each rank of which there are at least `count` cards.
#[inline]
fn at_least(hand: Hand, count: u8) -> u64 {
    hand.at_least(count).times(1).bits()
}

/// Tries every chain of `hand` whose place in the order of chains is not before `from`.
fn search(hand: Hand, from: u32, groups: u8, best: &mut Best) {
    let (rounds, pairs_chained) = Pieces::of(hand).rounds();
    if groups + rounds < best.rounds {
        *best = Best { rounds: groups + rounds, chains: groups, rest: hand, pairs_chained };
    }
    // One more chain and one more group for what it leaves is the least that could follow.
    if groups + 1 >= best.rounds {
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

/// A hand when the only chains are planes of its trios and chains of its pairs: one bit for each rank of a kind.
struct Pieces {
    /// Singles; but for the jokers of a rocket.
    singles: u64,
    pairs: u64,
    trios: u64,
    /// The pairs that make chains, and how many chains.
    in_chains: u64,
    chains: u32,
    /// Quads and the rocket.
    bombs: u32,
}

impl Pieces {
    #[inline]
    fn of(hand: Hand) -> Pieces {
        let (one, two, three, four) =
            (at_least(hand, 1), at_least(hand, 2), at_least(hand, 3), at_least(hand, 4));
        let rocket = if hand.has_rocket() { Hand::ROCKET.bits() } else { 0 };
        let pairs = two & !three;
        let chained = pairs & CHAINABLE;
        let threes = chained & (chained >> RANK) & (chained >> (2 * RANK));
        let in_chains = threes | (threes << RANK) | (threes << (2 * RANK));
        Pieces {
            singles: one & !two & !rocket,
            pairs,
            trios: three & !four,
            in_chains,
            chains: (in_chains & !(in_chains << RANK)).count_ones(),
            bombs: four.count_ones() + u32::from(rocket != 0),
        }
    }

    /// The fewest groups, and whether they are so few because pairs are chained.
    #[inline]
    fn rounds(&self) -> (u8, bool) {
        let links = self.trios & CHAINABLE;
        let planes = (self.trios & !((links << RANK) & CHAINABLE)).count_ones();
        let wings = self.trios.count_ones();
        let fixed = planes + self.bombs;
        // Trios that lack kickers can be kickers themselves: they never add to the count of their own groups.
        let loose = |kickers: u32| kickers.saturating_sub(wings);
        let singles = self.singles.count_ones();
        let all_loose = fixed + loose(singles + self.pairs.count_ones());
        let with_chains = fixed + self.chains + loose(singles + (self.pairs & !self.in_chains).count_ones());
        (all_loose.min(with_chains) as u8, with_chains < all_loose)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
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
            let fast = Partition::of(hand).rounds;
            assert!(fast.abs_diff(best) <= 1, "{hand}: {fast}, by trying {best}");
            equal += usize::from(fast == best);
            count += 1;
        }
        assert!(equal * 100 >= count * 95, "{equal} of {count}");
    }

    /// Hands small enough to see their partition at a glance: rounds, chains, trios, loose singles, loose pairs.
    #[test]
    fn a_partition_says_what_is_loose() {
        for (hand, rounds, chains, trios, singles, pairs) in [
            // The trio takes the lowest single along.
            ("3 4 5 6 7 9 9 K K K A 2", 4, 1, 1, "2", "9"),
            ("4 4 5 5 6 6 8", 2, 1, 0, "8", ""),
            ("3 5 5 5 5 X D", 3, 0, 0, "3", ""),
            ("3 5 5 5 5 X", 3, 0, 0, "3 X", ""),
            // Trios that find no single take pairs.
            ("7 7 7 8 8 8 9 J J Q Q", 2, 0, 2, "", "Q"),
            // There may be fewer kickers than trios.
            ("7 7 7 9 9 9 J", 2, 0, 2, "", ""),
            // A chain of pairs breaks a trio where that saves a group, and only there.
            ("3 3 4 4 5 5 5 6 6 7 7", 2, 1, 0, "5", ""),
            ("3 3 4 4 5 5 5 7", 3, 0, 1, "", "3 4"),
            // The three pairs are no more groups with their kings than as a chain: they stay as they are.
            ("3 3 4 4 5 5 J J J Q Q Q K K K", 1, 0, 3, "", ""),
        ] {
            let ranks = |cards: &str| {
                let cards = crate::cards::parse_cards(cards).unwrap();
                Hand::from_ranks(cards.iter().map(|card| card.rank)).unwrap()
            };
            let expected =
                Partition { rounds, chains, trios, loose: [singles, pairs].map(|loose| ranks(loose).bits()) };
            assert_eq!(Partition::of(ranks(hand)), expected, "{hand}");
        }
    }

    /// The groups of a partition are its rounds, and what is loose is in the hand.
    #[test]
    fn a_partition_adds_up() {
        let mut dice = Dice::new(6);
        for _ in 0..2_000 {
            let dealt = deal(&mut dice).hands.0[0];
            let hand = dealt
                .ranks()
                .take(1 + dice.below(20))
                .fold(Hand::EMPTY, |hand, rank| hand + Hand::of(rank, 1));
            let found = Partition::of(hand);
            let [singles, pairs] = found.loose;
            assert_eq!(singles & !at_least(hand, 1), 0);
            assert_eq!(pairs & !at_least(hand, 2), 0);
            let loose = (singles.count_ones() + pairs.count_ones()) as u8;
            // The rest are trios, of which several may be one plane, and bombs.
            let others = found.rounds - found.chains - loose;
            let bombs = (hand.exactly(4).len() + usize::from(hand.has_rocket())) as u8;
            assert!(others <= found.trios + bombs, "{hand}: {found:?}");
            assert!(found.trios == 0 || others > 0, "{hand}: {found:?}");
        }
    }

    #[test]
    fn the_empty_hand_and_single_groups() {
        assert_eq!(Partition::of(Hand::EMPTY).rounds, 0);
        for kind in GroupType::ALL {
            let mut found = None;
            crate::groups::for_each_group_of_type(Hand::DECK, kind, RuleSet::default(), &mut |group| {
                // Quads with kickers are a bomb and its kickers by this count.
                found = found.or(Some(group));
            });
            if let Some(group) = found
                && !matches!(kind, GroupType::FourWithTwoSingles | GroupType::FourWithTwoPairs)
            {
                assert_eq!(Partition::of(group.cards()).rounds, 1, "{group}");
            }
        }
    }
}
