//! The answer to a group on the table.

use crate::cards::{Hand, Rank, RankMask};
use crate::game::{Role, Situation};
use crate::groups::{Group, GroupType, Play, RuleSet};

use super::parts::{Parts, attach};
use super::split::Split;

/// An enemy with at most so many cards is bombed.
const NEARLY_OUT: u8 = 5;

/// With at most so many parts a player bombs its way out.
const FEW_PARTS: usize = 3;

/// What to put on `table`, which `owner` played, or pass.
pub(super) fn follow(parts: &Parts, table: &Group, owner: Role, situation: &Situation) -> Play {
    let rules = situation.rules();
    if situation.role().is_ally(owner) {
        return natural(parts, table)
            .or_else(|| with_kickers(parts, table, false, rules))
            .filter(spares_partner)
            .map_or(Play::Pass, Play::Group);
    }
    if let Some(group) = natural(parts, table).or_else(|| with_kickers(parts, table, true, rules)) {
        return group.into();
    }
    let bomb = || parts.iter().find(|part| part.kind().crosses_types() && part.beats(table)).copied();
    // The bomb wins the lead for the last group.
    if parts.len() == 2
        && !table.kind().crosses_types()
        && let Some(bomb) = bomb()
    {
        return bomb.into();
    }
    if let Some(group) = broken_up(parts, table, rules) {
        return group.into();
    }
    let nearly_out = situation.cards_left(owner).is_some_and(|left| left <= NEARLY_OUT);
    let worth_it = nearly_out || parts.len() <= FEW_PARTS;
    bomb().filter(|_| worth_it).map_or(Play::Pass, Play::Group)
}

/// Whether `group` may be put on the partner's: it holds neither a 2 nor a joker and is no bomb.
fn spares_partner(group: &Group) -> bool {
    !group.kind().crosses_types() && group.cards().within(RankMask::above(Rank::Ace)).is_empty()
}

/// The lowest part of the table's type that beats it; bombs and the rocket count as one type.
fn natural(parts: &Parts, table: &Group) -> Option<Group> {
    let same = |part: &Group| part.kind() == table.kind() || table.kind().crosses_types();
    parts.iter().find(|part| same(part) && part.beats(table)).copied()
}

/// A trio or plane among the parts, with the kickers that the table asks for. `breaks` says whether parts may be
/// broken up for kickers.
fn with_kickers(parts: &Parts, table: &Group, breaks: bool, rules: RuleSet) -> Option<Group> {
    let bare = match table.kind() {
        GroupType::TrioWithSingle | GroupType::TrioWithPair => GroupType::Trio,
        GroupType::PlaneWithSingles | GroupType::PlaneWithPairs => GroupType::Plane,
        _ => return None,
    };
    let mut bodies = parts.of_type(bare).filter(|body| body.links() == table.links());
    bodies.find_map(|body| dressed(&parts.without(body), body, table, breaks, rules))
}

/// `body` with kickers out of `others`, if that beats `table`. Nothing is broken up unless all of it is found.
fn dressed(others: &Parts, body: &Group, table: &Group, breaks: bool, rules: RuleSet) -> Option<Group> {
    if body.main_rank() <= table.main_rank() {
        return None;
    }
    let Some((units, size)) = table.kickers() else {
        return Some(*body).filter(|body| body.beats(table));
    };
    let kicker = if size == 1 { GroupType::Single } else { GroupType::Pair };
    let (mut others, mut kickers) = (*others, Hand::EMPTY);
    for _ in 0..units {
        let whole = others.of_type(kicker).next().map(|part| (others.without(part), *part));
        let (left, part) = whole.or_else(|| {
            let split = Split { parts: &others, rules };
            let accept = &mut |left: &Parts, part: &Group| Some((*left, *part));
            match kicker {
                _ if !breaks => None,
                GroupType::Single => split.single(true, accept),
                _ => split.pair(accept),
            }
        })?;
        kickers = kickers + part.cards();
        others = left;
    }
    attach(body, table.kind(), kickers, rules).filter(|group| group.beats(table))
}

/// What beats `table` after one part is broken up.
fn broken_up(parts: &Parts, table: &Group, rules: RuleSet) -> Option<Group> {
    let split = Split { parts, rules };
    let mut beats = |_: &Parts, group: &Group| Some(*group).filter(|group| group.beats(table));
    let mut dressed = |others: &Parts, body: &Group| dressed(others, body, table, true, rules);
    match table.kind() {
        GroupType::Single => split.single(false, &mut beats),
        GroupType::Pair => split.pair(&mut beats),
        GroupType::Trio | GroupType::TrioWithSingle | GroupType::TrioWithPair => split.trio(&mut dressed),
        GroupType::Straight => split.straight(table.links(), &mut beats),
        GroupType::PairChain => split.pair_chain(table.links(), &mut beats),
        GroupType::Plane | GroupType::PlaneWithSingles | GroupType::PlaneWithPairs => {
            split.plane(table.links(), &mut dressed)
        }
        // Quads with kickers are answered by bombs alone, as in the original.
        GroupType::FourWithTwoSingles | GroupType::FourWithTwoPairs | GroupType::Bomb | GroupType::Rocket => {
            None
        }
    }
}
