//! What each group type looks like: the one statement that recognition and generation both read.

use std::ops::RangeInclusive;

use super::GroupType;

/// A group type's shape: a body of neighbouring ranks, each held `copies` times, and kickers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pattern {
    /// Cards of each rank of the body.
    pub copies: u8,
    /// Fewest ranks in the body.
    pub min_links: u8,
    /// Most ranks in the body, within a hand of 20 cards. A body of more than one rank is a chain.
    pub max_links: u8,
    /// What is attached, if anything.
    pub kickers: Option<Kickers>,
}

/// What is attached to a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kickers {
    /// Kickers for each rank of the body.
    pub per_link: u8,
    /// Cards in a kicker: 1 for singles, 2 for pairs.
    pub size: u8,
}

impl Pattern {
    /// The shape of `kind`; `None` for the rocket, which is two given cards.
    #[inline]
    pub(crate) const fn of(kind: GroupType) -> Option<Pattern> {
        const fn bare(copies: u8, min_links: u8, max_links: u8) -> Pattern {
            Pattern { copies, min_links, max_links, kickers: None }
        }
        const fn with(pattern: Pattern, per_link: u8, size: u8) -> Pattern {
            Pattern { kickers: Some(Kickers { per_link, size }), ..pattern }
        }
        Some(match kind {
            GroupType::Single => bare(1, 1, 1),
            GroupType::Pair => bare(2, 1, 1),
            GroupType::Trio => bare(3, 1, 1),
            GroupType::Straight => bare(1, 5, 12),
            GroupType::PairChain => bare(2, 3, 10),
            GroupType::Plane => bare(3, 2, 6),
            GroupType::TrioWithSingle => with(bare(3, 1, 1), 1, 1),
            GroupType::TrioWithPair => with(bare(3, 1, 1), 1, 2),
            GroupType::PlaneWithSingles => with(bare(3, 2, 5), 1, 1),
            GroupType::PlaneWithPairs => with(bare(3, 2, 4), 1, 2),
            GroupType::FourWithTwoSingles => with(bare(4, 1, 1), 2, 1),
            GroupType::FourWithTwoPairs => with(bare(4, 1, 1), 2, 2),
            GroupType::Bomb => bare(4, 1, 1),
            GroupType::Rocket => return None,
        })
    }

    /// Cards for each rank of the body, kickers included.
    #[inline]
    pub(crate) const fn cards_per_link(&self) -> u8 {
        match self.kickers {
            None => self.copies,
            Some(kickers) => self.copies + kickers.per_link * kickers.size,
        }
    }

    /// The lengths a body may have.
    #[inline]
    pub(crate) const fn links(&self) -> RangeInclusive<u8> {
        self.min_links..=self.max_links
    }

    /// Whether the body is a chain, whose links are 3 … A.
    #[inline]
    pub(crate) const fn is_chain(&self) -> bool {
        self.max_links > 1
    }
}
