use crate::cards::{Hand, RankMask};

use super::kickers::KickerLimits;
use super::pattern::Pattern;
use super::{Group, GroupType, RuleSet};

/// Why cards could not be taken as one group.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAGroup {
    /// They are no group at all, or not one of the type that was named.
    #[error("{cards} is not a group{}", of_type(*.named))]
    NoReading {
        /// The cards.
        cards: Hand,
        /// The type the caller named.
        named: Option<GroupType>,
    },
    /// They are several, which only some options of the rule set make possible, and no type was named.
    #[error("{cards} reads as {first} or as {second}: name the group type")]
    Ambiguous {
        /// The cards.
        cards: Hand,
        /// One type.
        first: GroupType,
        /// Another one.
        second: GroupType,
    },
}

fn of_type(kind: Option<GroupType>) -> String {
    kind.map_or_else(String::new, |kind| format!(" of type {kind}"))
}

/// The groups that a set of cards can be read as: none, one, or under some options of the rule set several.
pub type Readings = Vec<Group>;

/// Every group that `cards` can be read as under `rules`, by type and then by main rank from high to low.
#[must_use]
pub fn readings(cards: Hand, rules: RuleSet) -> Readings {
    let mut readings = Readings::new();
    for_each_reading(cards, rules, &mut |group| readings.push(group));
    readings
}

/// The group that `cards` are under `rules`.
///
/// Where they can be read as several, `named` chooses the type; among readings of one type the one with the
/// highest main rank is meant, since it is the best the cards can claim.
///
/// # Errors
/// The cards are no group, not one of the named type, or groups of several types and none is named.
pub fn recognise(cards: Hand, rules: RuleSet, named: Option<GroupType>) -> Result<Group, NotAGroup> {
    let mut found: Option<Group> = None;
    let mut other: Option<Group> = None;
    for_each_reading(cards, rules, &mut |group| {
        if named.is_some_and(|kind| kind != group.kind()) {
            return;
        }
        match found {
            None => found = Some(group),
            Some(first) if first.kind() != group.kind() => other = Some(group),
            Some(_) => {}
        }
    });
    match (found, other) {
        (None, _) => Err(NotAGroup::NoReading { cards, named }),
        (Some(group), None) => Ok(group),
        (Some(first), Some(second)) => {
            Err(NotAGroup::Ambiguous { cards, first: first.kind(), second: second.kind() })
        }
    }
}

/// A type of group and the links of its body, among groups of one size.
#[derive(Clone, Copy)]
struct Shape {
    kind: GroupType,
    pattern: Pattern,
    links: u8,
}

/// The types, but for the rocket, that a group of so many cards may have, in the order of their numbers.
const SHAPES: [([Option<Shape>; MOST_SHAPES], usize); MOST_CARDS + 1] = {
    let mut shapes = [([None; MOST_SHAPES], 0); MOST_CARDS + 1];
    let mut position = 0;
    while position < GroupType::ALL.len() {
        let kind = GroupType::ALL[position];
        position += 1;
        let Some(pattern) = Pattern::of(kind) else { continue };
        let mut links = pattern.min_links;
        while links <= pattern.max_links {
            let (list, count) = &mut shapes[(links * pattern.cards_per_link()) as usize];
            list[*count] = Some(Shape { kind, pattern, links });
            *count += 1;
            links += 1;
        }
    }
    shapes
};

/// The largest groups are twenty cards.
const MOST_CARDS: usize = 20;

/// No size is shared by more types than twelve cards.
const MOST_SHAPES: usize = 4;

/// Calls `each` with every reading of `cards`, by type and then by main rank from high to low.
#[inline]
pub(crate) fn for_each_reading(cards: Hand, rules: RuleSet, each: &mut impl FnMut(Group)) {
    let shapes = SHAPES.get(cards.len()).map_or(&[][..], |(shapes, count)| &shapes[..*count]);
    for Shape { kind, pattern, links } in shapes.iter().flatten().copied() {
        if !rules.allows(kind) {
            continue;
        }
        let mut starts = super::generate::body_ranks(cards, pattern).chain_starts(links);
        while let Some(lowest) = starts.highest() {
            starts = starts.without(RankMask::only(lowest));
            let attached = cards - Hand::chain(lowest, links, pattern.copies);
            let fits = match pattern.kickers {
                None => true,
                Some(kickers) => {
                    let pairs_only = kickers.size == 1 || attached.is_all_pairs();
                    pairs_only && KickerLimits::new(kickers, lowest, links, rules).allow(attached)
                }
            };
            if fits {
                let main_rank = super::generate::top_of(lowest, links);
                each(Group::new(kind, main_rank, links, cards));
            }
        }
    }
    if cards == Hand::ROCKET {
        each(Group::ROCKET);
    }
}

/// Whether `group` is one of the readings of its cards under `rules`.
#[inline]
#[must_use]
pub fn is_reading(group: &Group, rules: RuleSet) -> bool {
    let mut found = false;
    for_each_reading(group.cards(), rules, &mut |reading| found |= reading == *group);
    found
}
