use crate::cards::{Hand, Rank, RankMask};

use super::kickers::KickerLimits;
use super::pattern::Pattern;
use super::{Group, GroupType, Play, RuleSet};

/// The highest rank of a body of `links` ranks from `lowest` up.
#[inline]
pub(super) const fn top_of(lowest: Rank, links: u8) -> Rank {
    Rank::from_index(lowest.index() + links as usize - 1)
}

/// Calls `each` with every play that `hand` has: to lead if `to_beat` is `None`, otherwise pass and every
/// group that beats it. Each comes once, in an order that depends on nothing but the arguments. Allocates
/// nothing.
#[inline]
pub fn for_each_play(hand: Hand, to_beat: Option<&Group>, rules: RuleSet, mut each: impl FnMut(Play)) {
    let mut group = |group| each(Play::Group(group));
    let Some(table) = to_beat else {
        lead(hand, rules, &mut group);
        return;
    };
    follow(hand, table, rules, &mut group);
    each(Play::Pass);
}

/// The plays of [`for_each_play`] as a list.
#[must_use]
pub fn legal_plays(hand: Hand, to_beat: Option<&Group>, rules: RuleSet) -> Vec<Play> {
    let mut plays = Vec::new();
    for_each_play(hand, to_beat, rules, |play| plays.push(play));
    plays
}

/// Calls `each` with every group of type `kind` in `hand`.
#[inline]
pub fn for_each_group_of_type(hand: Hand, kind: GroupType, rules: RuleSet, each: &mut impl FnMut(Group)) {
    if kind == GroupType::Rocket {
        if hand.has_rocket() {
            each(Group::ROCKET);
        }
    } else if let Some(pattern) = Pattern::of(kind).filter(|_| rules.allows(kind)) {
        groups_of(hand, kind, pattern, pattern.min_links..=pattern.max_links, RankMask::ALL, rules, each);
    }
}

#[inline]
fn lead(hand: Hand, rules: RuleSet, each: &mut impl FnMut(Group)) {
    for kind in GroupType::ALL {
        for_each_group_of_type(hand, kind, rules, each);
    }
}

#[inline]
fn follow(hand: Hand, table: &Group, rules: RuleSet, each: &mut impl FnMut(Group)) {
    let kind = table.kind();
    if kind == GroupType::Rocket {
        return;
    }
    for_each_higher(hand, table, rules, each);
    if kind != GroupType::Bomb {
        for_each_group_of_type(hand, GroupType::Bomb, rules, each);
    }
    for_each_group_of_type(hand, GroupType::Rocket, rules, each);
}

/// Calls `each` with every group of the type and size of `table` that beats it, from low bodies to high.
#[inline]
pub(crate) fn for_each_higher(hand: Hand, table: &Group, rules: RuleSet, each: &mut impl FnMut(Group)) {
    let kind = table.kind();
    if let Some(pattern) = Pattern::of(kind) {
        let starts = RankMask::above(table.lowest_rank());
        groups_of(hand, kind, pattern, table.links()..=table.links(), starts, rules, each);
    }
}

/// Calls `each` with every group of type `kind` whose body is the `links` ranks from `lowest` up. `hand` must
/// hold the body.
#[inline]
pub(crate) fn for_each_on_body(
    hand: Hand,
    kind: GroupType,
    lowest: Rank,
    links: u8,
    rules: RuleSet,
    each: &mut impl FnMut(Group),
) {
    if let Some(pattern) = Pattern::of(kind) {
        on_body(hand, kind, pattern, lowest, links, rules, each);
    }
}

/// Calls `each` with the groups of one type whose body has `links` ranks and starts in `starts`.
#[inline]
fn groups_of(
    hand: Hand,
    kind: GroupType,
    pattern: Pattern,
    links: std::ops::RangeInclusive<u8>,
    starts: RankMask,
    rules: RuleSet,
    each: &mut impl FnMut(Group),
) {
    let linkable = if pattern.is_chain() { RankMask::CHAINABLE } else { RankMask::ALL };
    let ranks = hand.at_least(pattern.copies).and(linkable);
    let mut chains = ranks.chain_starts(*links.start());
    for links in links {
        if chains.is_empty() {
            return;
        }
        for lowest in chains.and(starts) {
            on_body(hand, kind, pattern, lowest, links, rules, each);
        }
        chains = chains.longer(ranks, links);
    }
}

#[inline]
fn on_body(
    hand: Hand,
    kind: GroupType,
    pattern: Pattern,
    lowest: Rank,
    links: u8,
    rules: RuleSet,
    each: &mut impl FnMut(Group),
) {
    let body = Hand::chain(lowest, links, pattern.copies);
    let main_rank = top_of(lowest, links);
    match pattern.kickers {
        None => each(Group::new(kind, main_rank, links, body)),
        Some(kickers) => KickerLimits::new(kickers, lowest, links, rules).for_each(
            hand - body,
            links * kickers.per_link,
            kickers.size,
            &mut |attached| each(Group::new(kind, main_rank, links, body + attached)),
        ),
    }
}
