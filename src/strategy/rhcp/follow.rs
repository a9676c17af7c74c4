use crate::cards::Hand;
use crate::groups::{Group, GroupType, Play, for_each_group_of_type, for_each_higher, for_each_reading};
use crate::strategy::HandValue;

use super::evaluator::Evaluator;

/// With more than this a hand answers a quad with kickers by a bomb at once: 14 is the most that two kickers,
/// the best singles, could be worth (RHCP, chapter 13).
const RICH: i16 = 14;

/// With more than this, the worth of the rocket itself, the rocket is put on anything.
const ROCKET_WORTH: i16 = 20;

impl Evaluator<'_> {
    /// What to put on `table`, or pass (RHCP, 九日王朝, chapters 8 to 14).
    ///
    /// Passing costs one round. A group is played if what it leaves is not worse than that; among equals the
    /// last one looked at is played.
    pub(crate) fn follow(&mut self, hand: Hand, table: &Group) -> Play {
        if table.kind() == GroupType::Rocket {
            return Play::Pass;
        }
        // The rocket is played as the last group but one.
        if hand.has_rocket() && self.is_one_round(hand - Hand::ROCKET) {
            return Group::ROCKET.into();
        }
        if table.kind() == GroupType::Bomb {
            return self.lowest_bomb(hand, Some(table));
        }
        let mut whole = None;
        for_each_reading(hand, self.rules, &mut |group| {
            if group.beats(table) {
                whole.get_or_insert(group);
            }
        });
        if let Some(whole) = whole {
            return whole.into();
        }
        let value = self.value(hand);
        let pass = value.score() - HandValue::ROUND_COST;
        let is_quad = matches!(table.kind(), GroupType::FourWithTwoSingles | GroupType::FourWithTwoPairs);
        if is_quad && value.sum > RICH {
            let bomb = self.lowest_bomb(hand, None);
            if bomb != Play::Pass {
                return bomb;
            }
        }
        if let Some(group) = self.same_type(hand, table, pass) {
            return group.into();
        }
        if is_quad {
            return self.lowest_bomb(hand, None);
        }
        if let Some(bomb) = self.bomb(hand, pass) {
            return bomb.into();
        }
        if hand.has_rocket() && value.sum > ROCKET_WORTH { Group::ROCKET.into() } else { Play::Pass }
    }

    /// The group of the table's own type that leaves the best hand, if that is at least `pass`.
    fn same_type(&mut self, hand: Hand, table: &Group, pass: i16) -> Option<Group> {
        let kind = table.kind();
        let mut best = pass;
        let mut found: Option<Group> = None;
        for_each_higher(hand, table, self.rules, &mut |group| {
            if kind == GroupType::FourWithTwoSingles {
                // The original takes two different ranks here.
                let kickers = group.cards() - group.body();
                if kickers.at_least(1).len() < 2 {
                    return;
                }
            }
            let score = self.value(hand - group.cards()).score();
            if score < best {
                return;
            }
            if score == best
                && matches!(kind, GroupType::PlaneWithSingles | GroupType::PlaneWithPairs)
                && found.is_some_and(|found| {
                    found.main_rank() == group.main_rank() && found.cards() > group.cards()
                })
            {
                // The original looks at kickers in every order; of equals, it ends with those whose highest
                // ranks are higher. On one body that is the larger packed hand.
                return;
            }
            best = score;
            found = Some(group);
        });
        found
    }

    /// The last bomb whose rest is not worse than passing, or worth more than nothing.
    fn bomb(&mut self, hand: Hand, pass: i16) -> Option<Group> {
        let mut best = pass;
        let mut found = None;
        for_each_group_of_type(hand, GroupType::Bomb, self.rules, &mut |bomb| {
            let rest = self.value(hand - bomb.cards());
            if best <= rest.score() || rest.sum > 0 {
                best = rest.score();
                found = Some(bomb);
            }
        });
        found
    }

    /// The lowest bomb, if there is one that beats `table`, else the rocket, else pass.
    fn lowest_bomb(&self, hand: Hand, table: Option<&Group>) -> Play {
        let mut found = None;
        for_each_group_of_type(hand, GroupType::Bomb, self.rules, &mut |bomb| {
            if table.is_none_or(|table| bomb.beats(table)) {
                found.get_or_insert(bomb);
            }
        });
        let rocket = hand.has_rocket().then_some(Group::ROCKET);
        found.or(rocket).map_or(Play::Pass, Play::Group)
    }
}
