//! Going out by force.

use crate::cards::Hand;
use crate::groups::{Play, RuleSet, for_each_play};
use crate::strategy::HandValue;

use super::features::View;

/// Most cards of a hand that is searched: with more there is hardly ever a sequence that nothing can beat.
const MOST_CARDS: usize = 14;

/// Looks for a sequence of groups that nothing the enemies may hold can beat, up to a last one.
pub(super) struct Search<'a> {
    view: &'a View,
    rules: RuleSet,
    /// How many hands it may still look at.
    hands: u32,
}

impl<'a> Search<'a> {
    /// Hands that the search for one decision looks at, at most.
    const MOST_HANDS: u32 = 64;

    /// Most rounds, by the evaluator, of a hand that is searched.
    const MOST_ROUNDS: u8 = 4;

    pub(super) fn new(view: &'a View, rules: RuleSet) -> Search<'a> {
        Search { view, rules, hands: Search::MOST_HANDS }
    }

    /// Whether the player to move, leading from `hand` of value `value`, certainly goes out. Hands of many rounds
    /// are not looked at.
    pub(super) fn goes_out(&mut self, hand: Hand, value: HandValue) -> bool {
        value.rounds <= Search::MOST_ROUNDS && self.step(hand)
    }

    fn step(&mut self, hand: Hand) -> bool {
        if hand.is_empty() {
            return true;
        }
        let Some(left) = self.hands.checked_sub(1).filter(|_| hand.len() <= MOST_CARDS) else { return false };
        self.hands = left;
        let (view, rules) = (self.view, self.rules);
        let mut found = false;
        for_each_play(hand, None, rules, |play| {
            if let Play::Group(group) = play
                && !found
            {
                let rest = hand - group.cards();
                found = rest.is_empty() || (view.keeps(&group) >= 1.0 && self.step(rest));
            }
        });
        found
    }
}
