//! The lead.

use crate::cards::{Hand, Rank};
use crate::groups::{Group, GroupType, RuleSet};

use super::parts::{Parts, attach};

/// What to lead; `None` if there is no part.
///
/// The lowest part, but singles and pairs are kept back while they are needed as kickers, and bombs while there
/// is anything else.
pub(super) fn lead(parts: &Parts, rules: RuleSet) -> Option<Group> {
    let trios: usize = parts
        .iter()
        .filter(|part| matches!(part.kind(), GroupType::Trio | GroupType::Plane))
        .map(|part| part.links() as usize)
        .sum();
    let kickers = parts.iter().filter(|part| is_kicker(part)).count();
    // Two more kickers than trios are kept, so that the trios' choice is not the last one.
    let keeps_back = trios > 0 && trios + 2 > kickers;
    let first = parts.iter().find(|part| {
        let held_back = is_kicker(part) && keeps_back;
        !part.kind().crosses_types() && !held_back
    });
    let first = first.or_else(|| parts.iter().next())?;
    Some(match first.kind() {
        GroupType::Trio => with_kicker(parts, first, rules),
        GroupType::Plane => with_kickers(parts, first, rules),
        _ => *first,
    })
}

fn is_kicker(part: &Group) -> bool {
    matches!(part.kind(), GroupType::Single | GroupType::Pair)
}

/// The trio with the lowest single, or else the lowest pair, below 2. A 2 or a joker goes along only if it is
/// all that is left.
fn with_kicker(parts: &Parts, trio: &Group, rules: RuleSet) -> Group {
    let is_last = parts.len() == 2;
    let low = |part: &&Group| is_last || part.main_rank() < Rank::Two;
    for (kicker, kind) in
        [(GroupType::Single, GroupType::TrioWithSingle), (GroupType::Pair, GroupType::TrioWithPair)]
    {
        // Parts ascend, so the walk ends at the first 2.
        let found = parts.iter().take_while(low).find(|part| part.kind() == kicker);
        if let Some(group) = found.and_then(|kicker| attach(trio, kind, kicker.cards(), rules)) {
            return group;
        }
    }
    *trio
}

/// The plane with the lowest singles, or else the lowest pairs, if there are enough.
fn with_kickers(parts: &Parts, plane: &Group, rules: RuleSet) -> Group {
    let needed = plane.links() as usize;
    for (kicker, kind) in
        [(GroupType::Single, GroupType::PlaneWithSingles), (GroupType::Pair, GroupType::PlaneWithPairs)]
    {
        if parts.of_type(kicker).count() >= needed {
            let lowest = parts.of_type(kicker).take(needed);
            let kickers = lowest.fold(Hand::EMPTY, |cards, kicker| cards + kicker.cards());
            if let Some(group) = attach(plane, kind, kickers, rules) {
                return group;
            }
        }
    }
    *plane
}
