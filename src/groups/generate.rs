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
pub fn for_each_play(hand: Hand, to_beat: Option<&Group>, rules: RuleSet, each: impl FnMut(Play)) {
    for_each_play_attaching(hand, to_beat, rules, &any_of(hand), each);
}

/// Calls `each` with the plays of [`for_each_play`], in the same order, whose kickers are among what `attachable`
/// makes of their body, the number of kickers and the cards in each.
#[inline]
pub(crate) fn for_each_play_attaching(
    hand: Hand,
    to_beat: Option<&Group>,
    rules: RuleSet,
    attachable: &impl Fn(Hand, u8, u8) -> Hand,
    mut each: impl FnMut(Play),
) {
    let mut group = |group| each(Play::Group(group));
    let Some(table) = to_beat else {
        for kind in GroupType::ALL {
            groups_of_type(hand, kind, rules, attachable, &mut group);
        }
        return;
    };
    follow(hand, table, rules, attachable, &mut group);
    each(Play::Pass);
}

/// Any cards of `hand` may be attached to a body.
#[inline]
fn any_of(hand: Hand) -> impl Fn(Hand, u8, u8) -> Hand {
    move |body, _, _| hand - body
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
    groups_of_type(hand, kind, rules, &any_of(hand), each);
}

/// Calls `each` with every group of type `kind` in `hand` whose body starts in `starts`. There is no such group if
/// `kind` is the rocket.
#[inline]
pub(crate) fn for_each_group_from(
    hand: Hand,
    kind: GroupType,
    starts: RankMask,
    rules: RuleSet,
    each: &mut impl FnMut(Group),
) {
    if let Some(pattern) = Pattern::of(kind).filter(|_| rules.allows(kind)) {
        groups_of(hand, kind, pattern, pattern.links(), starts, rules, &any_of(hand), each);
    }
}

/// Calls `each` with every group of the type and size of `table` that beats it, from low bodies to high.
#[inline]
pub(crate) fn for_each_higher(hand: Hand, table: &Group, rules: RuleSet, each: &mut impl FnMut(Group)) {
    higher(hand, table, rules, &any_of(hand), each);
}

#[inline]
fn groups_of_type(
    hand: Hand,
    kind: GroupType,
    rules: RuleSet,
    attachable: &impl Fn(Hand, u8, u8) -> Hand,
    each: &mut impl FnMut(Group),
) {
    if kind == GroupType::Rocket {
        if hand.has_rocket() {
            each(Group::ROCKET);
        }
    } else if let Some(pattern) = Pattern::of(kind)
        && !hand.at_least(pattern.copies).is_empty()
        && rules.allows(kind)
    {
        groups_of(hand, kind, pattern, pattern.links(), RankMask::ALL, rules, attachable, each);
    }
}

#[inline]
fn follow(
    hand: Hand,
    table: &Group,
    rules: RuleSet,
    attachable: &impl Fn(Hand, u8, u8) -> Hand,
    each: &mut impl FnMut(Group),
) {
    let kind = table.kind();
    if kind == GroupType::Rocket {
        return;
    }
    higher(hand, table, rules, attachable, each);
    if kind != GroupType::Bomb {
        groups_of_type(hand, GroupType::Bomb, rules, attachable, each);
    }
    groups_of_type(hand, GroupType::Rocket, rules, attachable, each);
}

#[inline]
fn higher(
    hand: Hand,
    table: &Group,
    rules: RuleSet,
    attachable: &impl Fn(Hand, u8, u8) -> Hand,
    each: &mut impl FnMut(Group),
) {
    let kind = table.kind();
    if let Some(pattern) = Pattern::of(kind) {
        let starts = RankMask::above(table.lowest_rank());
        groups_of(hand, kind, pattern, table.links()..=table.links(), starts, rules, attachable, each);
    }
}

/// Whether `hand` holds the body of a group that beats `table`: if not, it must pass. The kickers are not looked
/// for.
#[inline]
pub(crate) fn has_higher_body(hand: Hand, table: &Group) -> bool {
    let Some(pattern) = Pattern::of(table.kind()) else { return false };
    let starts = body_ranks(hand, pattern).chain_starts(table.links());
    !starts.and(RankMask::above(table.lowest_rank())).is_empty()
        || (table.kind() != GroupType::Bomb && !hand.at_least(4).is_empty())
        || hand.has_rocket()
}

/// Where the shortest bodies of `pattern` start in `hand`.
#[inline]
pub(crate) fn body_starts(hand: Hand, pattern: Pattern) -> RankMask {
    body_ranks(hand, pattern).chain_starts(pattern.min_links)
}

/// The ranks that can be in a body of `pattern`.
#[inline]
pub(super) fn body_ranks(hand: Hand, pattern: Pattern) -> RankMask {
    let linkable = if pattern.is_chain() { RankMask::CHAINABLE } else { RankMask::ALL };
    hand.at_least(pattern.copies).and(linkable)
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
        on_body(kind, pattern, lowest, links, rules, &any_of(hand), each);
    }
}

/// Calls `each` with the groups of one type whose body has `links` ranks and starts in `starts`.
#[inline]
#[allow(clippy::too_many_arguments, reason = "which groups, from what, and to whom")]
fn groups_of(
    hand: Hand,
    kind: GroupType,
    pattern: Pattern,
    links: std::ops::RangeInclusive<u8>,
    starts: RankMask,
    rules: RuleSet,
    attachable: &impl Fn(Hand, u8, u8) -> Hand,
    each: &mut impl FnMut(Group),
) {
    let ranks = body_ranks(hand, pattern);
    let mut chains = ranks.chain_starts(*links.start());
    for links in links {
        if chains.is_empty() {
            return;
        }
        for lowest in chains.and(starts) {
            on_body(kind, pattern, lowest, links, rules, attachable, each);
        }
        chains = chains.longer(ranks, links);
    }
}

#[inline]
fn on_body(
    kind: GroupType,
    pattern: Pattern,
    lowest: Rank,
    links: u8,
    rules: RuleSet,
    attachable: &impl Fn(Hand, u8, u8) -> Hand,
    each: &mut impl FnMut(Group),
) {
    let body = Hand::chain(lowest, links, pattern.copies);
    let main_rank = top_of(lowest, links);
    match pattern.kickers {
        None => each(Group::new(kind, main_rank, links, body)),
        Some(kickers) => {
            let (units, size) = (links * kickers.per_link, kickers.size);
            KickerLimits::new(kickers, lowest, links, rules).for_each(
                attachable(body, units, size),
                units,
                size,
                &mut |attached| each(Group::new(kind, main_rank, links, body + attached)),
            );
        }
    }
}
