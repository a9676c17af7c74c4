//! Breaking parts up.
//!
//! Each function offers groups that come off a part, in the order in which the original tries them, together
//! with the parts that are then left, until one is accepted. Chains give their upper ends, as in the original,
//! so that one chain is left and not two.

use crate::cards::Rank;
use crate::groups::{Group, GroupType, RuleSet};

use super::parts::{Parts, bare};

/// The parts that are broken up.
#[derive(Clone, Copy)]
pub(super) struct Split<'a> {
    pub parts: &'a Parts,
    pub rules: RuleSet,
}

impl Split<'_> {
    /// Takes off `part` the group of type `kind` on this body, and offers it.
    fn offer<T>(
        &self,
        part: &Group,
        kind: GroupType,
        lowest: Rank,
        links: u8,
        accept: &mut impl FnMut(&Parts, &Group) -> Option<T>,
    ) -> Option<T> {
        let taken = bare(part.cards(), kind, lowest, links, self.rules)?;
        accept(&self.parts.cut_off(part, &taken, self.rules), &taken)
    }

    /// Takes the upper end of `links` ranks off each part of type `from` that has at least `fewest`.
    fn tops<T>(
        &self,
        from: GroupType,
        fewest: u8,
        kind: GroupType,
        links: u8,
        accept: &mut impl FnMut(&Parts, &Group) -> Option<T>,
    ) -> Option<T> {
        self.parts.of_type(from).filter(|part| part.links() >= fewest.max(links)).find_map(|part| {
            let lowest = Rank::from_index(part.main_rank().index() + 1 - links as usize);
            self.offer(part, kind, lowest, links, accept)
        })
    }

    /// Takes one rank off each part of type `from` that has `links` ranks, the lowest first.
    fn each_rank<T>(
        &self,
        from: GroupType,
        links: u8,
        kind: GroupType,
        accept: &mut impl FnMut(&Parts, &Group) -> Option<T>,
    ) -> Option<T> {
        self.parts.of_type(from).filter(|part| part.links() == links).find_map(|part| {
            part.body().at_least(1).into_iter().find_map(|rank| self.offer(part, kind, rank, 1, accept))
        })
    }

    /// A single: a 2 off a pair, trio or quad of 2s, unless it is to be a kicker; off a pair; the top of a long
    /// straight; off a trio; off the top trio of a plane; a straight of five apart; off a chain of pairs.
    pub(super) fn single<T>(
        &self,
        is_kicker: bool,
        accept: &mut impl FnMut(&Parts, &Group) -> Option<T>,
    ) -> Option<T> {
        let single = GroupType::Single;
        let mut twos =
            self.parts.iter().filter(|part| part.main_rank() == Rank::Two && part.cards().len() > 1);
        twos.find_map(|twos| if is_kicker { None } else { self.offer(twos, single, Rank::Two, 1, accept) })
            .or_else(|| self.tops(GroupType::Pair, 1, single, 1, accept))
            .or_else(|| self.tops(GroupType::Straight, 6, single, 1, accept))
            .or_else(|| self.tops(GroupType::Trio, 1, single, 1, accept))
            .or_else(|| self.tops(GroupType::Plane, 2, single, 1, accept))
            .or_else(|| self.each_rank(GroupType::Straight, 5, single, accept))
            .or_else(|| self.each_rank(GroupType::PairChain, 3, single, accept))
            .or_else(|| self.tops(GroupType::PairChain, 4, single, 1, accept))
    }

    /// A pair: the top of a long chain of pairs; off a trio; a chain of three pairs apart; off a trio of a plane.
    pub(super) fn pair<T>(&self, accept: &mut impl FnMut(&Parts, &Group) -> Option<T>) -> Option<T> {
        let pair = GroupType::Pair;
        None.or_else(|| self.tops(GroupType::PairChain, 4, pair, 1, accept))
            .or_else(|| self.tops(GroupType::Trio, 1, pair, 1, accept))
            .or_else(|| self.each_rank(GroupType::PairChain, 3, pair, accept))
            .or_else(|| self.each_rank(GroupType::Plane, 2, pair, accept))
            .or_else(|| self.tops(GroupType::Plane, 3, pair, 1, accept))
    }

    /// A trio: the top of a plane.
    pub(super) fn trio<T>(&self, accept: &mut impl FnMut(&Parts, &Group) -> Option<T>) -> Option<T> {
        self.tops(GroupType::Plane, 2, GroupType::Trio, 1, accept)
    }

    /// A plane of `links` trios: the top of a longer one.
    pub(super) fn plane<T>(
        &self,
        links: u8,
        accept: &mut impl FnMut(&Parts, &Group) -> Option<T>,
    ) -> Option<T> {
        self.tops(GroupType::Plane, links + 1, GroupType::Plane, links, accept)
    }

    /// A straight of `links` ranks: a chain of pairs or a plane as long; the top of a longer straight, chain of
    /// pairs or plane.
    pub(super) fn straight<T>(
        &self,
        links: u8,
        accept: &mut impl FnMut(&Parts, &Group) -> Option<T>,
    ) -> Option<T> {
        let straight = GroupType::Straight;
        let all_of = |from: GroupType, accept: &mut _| {
            let mut parts = self.parts.of_type(from).filter(|part| part.links() == links);
            parts.find_map(|part| self.offer(part, straight, part.lowest_rank(), links, accept))
        };
        all_of(GroupType::PairChain, accept)
            .or_else(|| all_of(GroupType::Plane, accept))
            .or_else(|| self.tops(GroupType::Straight, links + 1, straight, links, accept))
            .or_else(|| self.tops(GroupType::PairChain, links + 1, straight, links, accept))
            .or_else(|| self.tops(GroupType::Plane, links + 1, straight, links, accept))
    }

    /// A chain of `links` pairs: the top of a longer one, or of a plane at least as long.
    pub(super) fn pair_chain<T>(
        &self,
        links: u8,
        accept: &mut impl FnMut(&Parts, &Group) -> Option<T>,
    ) -> Option<T> {
        let chain = GroupType::PairChain;
        None.or_else(|| self.tops(chain, links + 1, chain, links, accept))
            .or_else(|| self.tops(GroupType::Plane, links, chain, links, accept))
    }
}
