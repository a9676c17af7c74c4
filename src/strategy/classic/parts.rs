//! The groups into which a hand is cut.

use crate::cards::{Hand, Rank, RankMask};
use crate::groups::{Group, GroupType, RuleSet, for_each_on_body};
use crate::strategy::HandValue;
use crate::strategy::rhcp::worth;

/// A hand cut into groups without kickers, in ascending order of their highest ranks.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    groups: [Group; Parts::MOST],
    count: usize,
}

impl Parts {
    /// A part holds at least one card of a hand.
    const MOST: usize = 20;

    const NONE: Parts = Parts { groups: [Group::ROCKET; Parts::MOST], count: 0 };

    /// Cuts `hand` up: the rocket and the quads; of the rest all planes; of the rest all chains of pairs; of the
    /// rest all straights, each as long as it can be; and what is left by rank.
    pub(super) fn of(hand: Hand, rules: RuleSet) -> Parts {
        let mut parts = Parts::NONE;
        let mut rest = hand;
        if hand.has_rocket() {
            parts.add(Group::ROCKET);
            rest = rest - Hand::ROCKET;
        }
        for quad in rest.exactly(4) {
            rest = parts.cut(rest, GroupType::Bomb, quad, 1, rules);
        }
        let chains = [(GroupType::Plane, 3, 2), (GroupType::PairChain, 2, 3), (GroupType::Straight, 1, 5)];
        for (kind, copies, shortest) in chains {
            let mut ranks = rest.at_least(copies).and(RankMask::CHAINABLE);
            while let Some(lowest) = ranks.lowest() {
                let run = ranks.lowest_run();
                ranks = ranks.without(run);
                if run.len() >= shortest {
                    rest = parts.cut(rest, kind, lowest, run.len() as u8, rules);
                }
            }
        }
        for rank in rest.at_least(1) {
            let kind = match rest.count(rank) {
                1 => GroupType::Single,
                2 => GroupType::Pair,
                _ => GroupType::Trio,
            };
            rest = parts.cut(rest, kind, rank, 1, rules);
        }
        debug_assert!(rest.is_empty(), "{rest} is in no part of {hand}");
        parts
    }

    /// Cuts the group of type `kind` on this body out of `rest`, which is returned without it.
    fn cut(&mut self, rest: Hand, kind: GroupType, lowest: Rank, links: u8, rules: RuleSet) -> Hand {
        let Some(group) = bare(rest, kind, lowest, links, rules) else { return rest };
        self.add(group);
        rest - group.cards()
    }

    /// Adds `group` behind the parts whose highest rank is not higher.
    fn add(&mut self, group: Group) {
        let place = self.iter().take_while(|part| part.main_rank() <= group.main_rank()).count();
        let end = (self.count + 1).min(Parts::MOST);
        if let Some(moved) = self.groups.get_mut(place..end) {
            moved.rotate_right(1);
            moved[0] = group;
            self.count = end;
        }
    }

    /// The parts, lowest first.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Group> {
        self.groups[..self.count].iter()
    }

    /// The parts of type `kind`, lowest first.
    pub(super) fn of_type(&self, kind: GroupType) -> impl Iterator<Item = &Group> {
        self.iter().filter(move |part| part.kind() == kind)
    }

    /// How many parts.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// These parts without `part`.
    pub(super) fn without(&self, part: &Group) -> Parts {
        let mut others = Parts::NONE;
        for other in self.iter().filter(|other| *other != part) {
            others.add(*other);
        }
        others
    }

    /// These parts with `taken`, some cards of `part`, cut off it. What is left of the part is cut up like a hand.
    /// The taken cards are not among the parts.
    pub(super) fn cut_off(&self, part: &Group, taken: &Group, rules: RuleSet) -> Parts {
        let mut others = self.without(part);
        for remnant in Parts::of(part.cards() - taken.cards(), rules).iter() {
            others.add(*remnant);
        }
        others
    }

    /// The value of the hand in these parts, in the measure of RHCP.
    pub(super) fn value(&self) -> HandValue {
        self.iter().fold(HandValue::default(), |value, part| value.with_group(worth(part)))
    }
}

/// The group without kickers of type `kind` on the body of `links` ranks from `lowest` up, which `cards` hold.
pub(super) fn bare(cards: Hand, kind: GroupType, lowest: Rank, links: u8, rules: RuleSet) -> Option<Group> {
    let mut found = None;
    for_each_on_body(cards, kind, lowest, links, rules, &mut |group| found = Some(group));
    found
}

/// The group of type `kind` that `kickers` make with the body of `bare`, if the rules allow them.
pub(super) fn attach(bare: &Group, kind: GroupType, kickers: Hand, rules: RuleSet) -> Option<Group> {
    let cards = bare.cards() + kickers;
    let mut found = None;
    for_each_on_body(cards, kind, bare.lowest_rank(), bare.links(), rules, &mut |group| {
        if group.cards() == cards {
            found = Some(group);
        }
    });
    found
}
