use std::fmt;
use std::ops::{Add, Sub};

use super::Rank;

/// How many cards of each rank: a multiset of ranks, packed into one `u64`.
///
/// Four bits a rank, the three in the lowest. A count is 0 … 4 (0 … 1 for a joker), so that subset tests,
/// addition, subtraction and hashing are each a handful of word operations and the word itself is the key of
/// every memo table. It is used for what a player holds, for the cards of a group, and for the cards seen.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Hand(u64);

/// The lowest bit of every nibble.
const ONES: u64 = 0x0111_1111_1111_1111;
/// The highest bit of every nibble: free in a hand, since a count is at most 4.
const HIGHS: u64 = ONES << 3;

impl Hand {
    /// No card.
    pub const EMPTY: Hand = Hand(0);
    /// The 54 cards of the deck.
    pub const DECK: Hand = Hand(0x0114_4444_4444_4444);
    /// Both jokers.
    pub const ROCKET: Hand = Hand(0x0110_0000_0000_0000);

    /// The hand with these counts, in the order of [`Rank::ALL`]; `None` if the deck holds fewer.
    #[must_use]
    pub fn from_counts(counts: [u8; Rank::COUNT]) -> Option<Hand> {
        let mut hand = 0;
        for rank in Rank::ALL {
            let count = counts[rank.index()];
            if count > rank.copies() {
                return None;
            }
            hand |= u64::from(count) << (4 * rank.index());
        }
        Some(Hand(hand))
    }

    /// The hand of these cards, one by one; `None` if the deck holds fewer of a rank.
    #[must_use]
    pub fn from_ranks(ranks: impl IntoIterator<Item = Rank>) -> Option<Hand> {
        let mut counts = [0u8; Rank::COUNT];
        for rank in ranks {
            counts[rank.index()] = counts[rank.index()].saturating_add(1);
        }
        Hand::from_counts(counts)
    }

    /// `count` cards of `rank`. `count` is at most what the deck holds.
    #[inline]
    #[must_use]
    pub const fn of(rank: Rank, count: u8) -> Hand {
        debug_assert!(count <= rank.copies());
        Hand((count as u64) << (4 * rank.index()))
    }

    /// `count` cards of each rank of a chain of `length` ranks that starts at `lowest`.
    #[inline]
    #[must_use]
    pub const fn chain(lowest: Rank, length: u8, count: u8) -> Hand {
        debug_assert!(length >= 1 && lowest.index() + length as usize <= Rank::COUNT);
        Hand((((1u64 << (4 * length)) - 1) & ONES) * count as u64).shifted(lowest.index())
    }

    /// The packed word: a key for tables and digests.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    const fn shifted(self, ranks: usize) -> Hand {
        Hand(self.0 << (4 * ranks))
    }

    /// How many cards of `rank`.
    #[inline]
    #[must_use]
    pub const fn count(self, rank: Rank) -> u8 {
        (self.0 >> (4 * rank.index())) as u8 & 0xF
    }

    /// How many cards in all.
    #[inline]
    #[must_use]
    pub const fn len(self) -> usize {
        const PAIRED: u64 = 0x0F0F_0F0F_0F0F_0F0F;
        let bytes = (self.0 & PAIRED) + ((self.0 >> 4) & PAIRED);
        (bytes.wrapping_mul(0x0101_0101_0101_0101) >> 56) as usize
    }

    /// Whether there is no card.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether every card of `other` is in here.
    #[inline]
    #[must_use]
    pub const fn contains(self, other: Hand) -> bool {
        ((self.0 | HIGHS) - other.0) & HIGHS == HIGHS
    }

    /// The cards of `self` that `other` does not take away, rank by rank.
    #[inline]
    #[must_use]
    pub const fn checked_sub(self, other: Hand) -> Option<Hand> {
        if self.contains(other) { Some(Hand(self.0 - other.0)) } else { None }
    }

    /// The union of two piles of cards; `None` if together they hold more of a rank than the deck.
    #[must_use]
    pub fn checked_add(self, other: Hand) -> Option<Hand> {
        Hand::DECK.checked_sub(self).filter(|rest| rest.contains(other)).map(|_| Hand(self.0 + other.0))
    }

    /// Rank by rank the smaller of both counts.
    #[inline]
    #[must_use]
    pub const fn min(self, other: Hand) -> Hand {
        // A nibble's high bit survives the subtraction where self >= other; spread it over the nibble.
        let greater_equal = (((self.0 | HIGHS) - other.0) & HIGHS) >> 3;
        let take_other = greater_equal * 0xF;
        Hand((other.0 & take_other) | (self.0 & !take_other))
    }

    /// The ranks of which there are at least `count` cards, 1 … 4.
    #[inline]
    #[must_use]
    pub const fn at_least(self, count: u8) -> RankMask {
        RankMask(((self.0 + (8 - count as u64) * ONES) >> 3) & ONES)
    }

    /// The ranks of which there are exactly `count` cards, 1 … 4.
    #[inline]
    #[must_use]
    pub const fn exactly(self, count: u8) -> RankMask {
        match count {
            // No count reaches 5, so the highest bit of a count is set for 4 alone.
            4 => self.at_least(4),
            _ => RankMask(self.at_least(count).0 & !self.at_least(count + 1).0),
        }
    }

    /// Whether every count is even, so that the cards are pairs.
    #[inline]
    #[must_use]
    pub const fn is_all_pairs(self) -> bool {
        self.0 & ONES == 0
    }

    /// The ranks next to a rank of which there are cards, that hold none themselves.
    #[inline]
    #[must_use]
    pub const fn neighbours(self) -> RankMask {
        let held = self.at_least(1).0;
        RankMask(((held << 4) | (held >> 4)) & ONES & !held)
    }

    /// The cards of these ranks.
    #[inline]
    #[must_use]
    pub const fn within(self, ranks: RankMask) -> Hand {
        Hand(self.0 & (ranks.0 * 0xF))
    }

    /// Whether both jokers are here.
    #[inline]
    #[must_use]
    pub const fn has_rocket(self) -> bool {
        self.0 & Hand::ROCKET.0 == Hand::ROCKET.0
    }

    /// The cards one by one, ascending by rank.
    pub fn ranks(self) -> impl Iterator<Item = Rank> {
        Rank::ALL.into_iter().flat_map(move |rank| std::iter::repeat_n(rank, self.count(rank) as usize))
    }
}

impl Add for Hand {
    type Output = Hand;
    /// The union of two piles. Together they must fit the deck; [`Hand::checked_add`] tests it.
    #[inline]
    fn add(self, other: Hand) -> Hand {
        Hand(self.0 + other.0)
    }
}

impl Sub for Hand {
    type Output = Hand;
    /// What is left when `other` is taken away. It must be contained; [`Hand::checked_sub`] tests it.
    #[inline]
    fn sub(self, other: Hand) -> Hand {
        debug_assert!(self.contains(other), "{self:?} does not contain {other:?}");
        Hand(self.0.wrapping_sub(other.0))
    }
}

impl fmt::Display for Hand {
    /// The ranks' symbols, ascending, without separators.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.ranks().try_for_each(|rank| write!(f, "{rank}"))
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hand({self})")
    }
}

/// A set of ranks, in the layout of a [`Hand`]: the lowest bit of a rank's nibble.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct RankMask(u64);

impl RankMask {
    /// Every rank.
    pub const ALL: RankMask = RankMask(ONES);
    /// The ranks that may be links of a chain: 3 … A.
    pub const CHAINABLE: RankMask = RankMask(ONES & 0x0000_FFFF_FFFF_FFFF);

    /// The one rank.
    #[inline]
    #[must_use]
    pub const fn only(rank: Rank) -> RankMask {
        RankMask(1 << (4 * rank.index()))
    }

    /// The ranks above `rank`.
    #[inline]
    #[must_use]
    pub const fn above(rank: Rank) -> RankMask {
        RankMask(ONES & !((1 << (4 * rank.index() + 4)) - 1))
    }

    /// The ranks in both sets.
    #[inline]
    #[must_use]
    pub const fn and(self, other: RankMask) -> RankMask {
        RankMask(self.0 & other.0)
    }

    /// The ranks in either set.
    #[inline]
    #[must_use]
    pub const fn or(self, other: RankMask) -> RankMask {
        RankMask(self.0 | other.0)
    }

    /// The ranks in here that are not in `other`.
    #[inline]
    #[must_use]
    pub const fn without(self, other: RankMask) -> RankMask {
        RankMask(self.0 & !other.0)
    }

    /// The ranks from which `length` neighbouring ranks are all in this set.
    #[inline]
    #[must_use]
    pub const fn chain_starts(self, length: u8) -> RankMask {
        let mut starts = self.0;
        let mut link = 1;
        while link < length {
            starts &= self.0 >> (4 * link);
            link += 1;
        }
        RankMask(starts)
    }

    /// The ranks of the chains of `length` that start at these ranks: the inverse of [`Self::chain_starts`].
    #[inline]
    #[must_use]
    pub const fn chains(self, length: u8) -> RankMask {
        let mut links = self.0;
        let mut link = 1;
        while link < length {
            links |= self.0 << (4 * link);
            link += 1;
        }
        RankMask(links & ONES)
    }

    /// The neighbouring ranks from the lowest rank up.
    #[inline]
    #[must_use]
    pub const fn lowest_run(self) -> RankMask {
        // The nibbles of the set filled, adding to the lowest bit carries through exactly the first run.
        let filled = self.0 * 0xF;
        let lowest = self.0 & self.0.wrapping_neg();
        RankMask(self.0 & !filled.wrapping_add(lowest))
    }

    /// How many neighbouring ranks from `rank` up are in the set.
    #[inline]
    #[must_use]
    pub const fn run_from(self, rank: Rank) -> u8 {
        let filled = (self.0 * 0xF) >> (4 * rank.index());
        (filled.trailing_ones() / 4) as u8
    }

    /// Of these starts of chains of `length` links in `ranks`, those whose chain goes on for one more link.
    #[inline]
    #[must_use]
    pub const fn longer(self, ranks: RankMask, length: u8) -> RankMask {
        RankMask(self.0 & (ranks.0 >> (4 * length)))
    }

    /// Whether the set holds no rank.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many ranks.
    #[inline]
    #[must_use]
    pub const fn len(self) -> usize {
        // The top nibble of the product is the sum of all nibbles, at most 15: without an instruction that counts
        // bits, which plain x86-64 lacks, several times quicker than counting.
        (self.0.wrapping_mul(0x1111_1111_1111_1111) >> 60) as usize
    }

    /// Whether `rank` is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, rank: Rank) -> bool {
        self.0 >> (4 * rank.index()) & 1 == 1
    }

    /// The lowest rank.
    #[inline]
    #[must_use]
    pub const fn lowest(self) -> Option<Rank> {
        if self.0 == 0 { None } else { Some(Rank::from_index(self.0.trailing_zeros() as usize / 4)) }
    }

    /// The highest rank.
    #[inline]
    #[must_use]
    pub const fn highest(self) -> Option<Rank> {
        if self.0 == 0 { None } else { Some(Rank::from_index(15 - self.0.leading_zeros() as usize / 4)) }
    }

    /// The lowest ranks, `count` of them or all.
    #[inline]
    #[must_use]
    pub const fn lowest_of(self, count: u8) -> RankMask {
        let mut rest = self.0;
        let mut taken = 0;
        while taken < count {
            rest &= rest.wrapping_sub(1);
            taken += 1;
        }
        RankMask(self.0 ^ rest)
    }

    /// `count` cards of every rank of the set.
    #[inline]
    #[must_use]
    pub const fn times(self, count: u8) -> Hand {
        Hand(self.0 * count as u64)
    }
}

impl IntoIterator for RankMask {
    type Item = Rank;
    type IntoIter = Ranks;
    #[inline]
    fn into_iter(self) -> Ranks {
        Ranks(self)
    }
}

/// The ranks of a [`RankMask`], ascending.
#[derive(Clone, Debug)]
pub struct Ranks(RankMask);

impl Iterator for Ranks {
    type Item = Rank;
    #[inline]
    fn next(&mut self) -> Option<Rank> {
        let rank = self.0.lowest()?;
        self.0.0 &= self.0.0 - 1;
        Some(rank)
    }
}

impl fmt::Debug for RankMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
