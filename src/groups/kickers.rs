//! What may be attached to a body: the one statement of the kicker rules, for recognition and generation.

use crate::cards::{Hand, Rank, RankMask};

use super::RuleSet;
use super::pattern::Kickers;

/// The kickers that one body accepts: any multiset of the right number of units within these limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KickerLimits {
    /// Most cards of each rank.
    pub most: Hand,
    /// Whether both jokers may be among them.
    pub rocket: bool,
}

impl KickerLimits {
    /// The limits for `kickers` on a body of `links` ranks from `lowest` up.
    #[inline]
    pub(crate) fn new(kickers: Kickers, lowest: Rank, links: u8, rules: RuleSet) -> KickerLimits {
        let body = Hand::chain(lowest, links, 1).at_least(1);
        let outside = RankMask::ALL.without(body);
        if kickers.size == 2 {
            let copies = if rules.same_pair_twice { 4 } else { 2 };
            let ranks = outside.and(Hand::DECK.at_least(2));
            return KickerLimits { most: ranks.times(copies), rocket: false };
        }
        let copies = match (rules.distinct_kickers, rules.quad_kickers) {
            (true, _) => 1,
            (false, false) => 3,
            (false, true) => 4,
        };
        let mut most = outside.times(copies).min(Hand::DECK);
        if links > 1 && copies > 2 && !rules.adjacent_trio_kickers {
            // A full trio beside the body would read as a longer body. A 2 is no link, so beside A it is free.
            let beside = Hand::chain(lowest, links, 1).neighbours().and(RankMask::CHAINABLE);
            most = most.min(RankMask::ALL.times(4) - beside.times(2));
        }
        KickerLimits { most, rocket: rules.rocket_as_kickers }
    }

    /// Whether `kickers`, which number the right count of cards, are within the limits.
    #[inline]
    pub(crate) fn allow(&self, kickers: Hand) -> bool {
        self.most.contains(kickers) && (self.rocket || !kickers.has_rocket())
    }

    /// Calls `each` with every multiset of `units` kickers of `size` cards out of `available`, in ascending
    /// lexicographic order of ranks.
    #[inline]
    pub(crate) fn for_each(&self, available: Hand, units: u8, size: u8, each: &mut impl FnMut(Hand)) {
        let available = available.min(self.most);
        if units == 1 {
            for rank in available.at_least(size) {
                each(Hand::of(rank, size));
            }
            return;
        }
        choose(available, units, size, self.rocket, Hand::EMPTY, each);
    }
}

/// Extends `chosen` by `units` more kickers from `available`, lowest rank first. A rank is used up before the
/// next one is looked at, which keeps every multiset unique.
fn choose(available: Hand, units: u8, size: u8, rocket: bool, chosen: Hand, each: &mut impl FnMut(Hand)) {
    if units == 0 {
        each(chosen);
        return;
    }
    let mut rest = available;
    for rank in available.at_least(size) {
        let held = rest.count(rank);
        rest = rest - Hand::of(rank, held);
        if units == 1 {
            each(chosen + Hand::of(rank, size));
            continue;
        }
        let mut higher = rest;
        if rank == Rank::SmallJoker && !rocket {
            higher = Hand::EMPTY;
        }
        let most = units.min(held / size);
        for taken in (1..=most).rev() {
            choose(higher, units - taken, size, rocket, chosen + Hand::of(rank, taken * size), each);
        }
    }
}
