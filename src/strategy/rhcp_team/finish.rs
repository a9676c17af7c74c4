//! Going out by force.

use crate::cards::{Hand, Rank, RankMask};
use crate::groups::pattern::Pattern;
use crate::groups::{GroupType, RuleSet, body_starts, for_each_group_from, for_each_reading};
use crate::strategy::HandValue;

use super::features::View;

/// Most cards of a hand that is searched: with more there is hardly ever a sequence that nothing can beat.
const MOST_CARDS: usize = 14;

/// Looks for a sequence of groups that nothing the enemies may hold can beat, up to a last one.
pub(super) struct Search<'a> {
    view: &'a View,
    rules: RuleSet,
    /// For each type, by its number, where bodies start that may be sure to keep the lead; once it was asked for.
    sure: [Option<RankMask>; GroupType::ALL.len() + 1],
    /// How many hands it may still look at.
    hands: u32,
}

impl<'a> Search<'a> {
    /// Hands that the search for one decision looks at, at most.
    const MOST_HANDS: u32 = 64;

    /// Most rounds, by the evaluator, of a hand that is searched.
    const MOST_ROUNDS: u8 = 4;

    pub(super) fn new(view: &'a View, rules: RuleSet) -> Search<'a> {
        Search { view, rules, sure: [None; GroupType::ALL.len() + 1], hands: Search::MOST_HANDS }
    }

    /// Whether the player to move, leading from `hand` of value `value`, certainly goes out. Hands of many rounds
    /// are not looked at.
    pub(super) fn goes_out(&mut self, hand: Hand, value: HandValue) -> bool {
        value.rounds <= Search::MOST_ROUNDS && self.step(hand)
    }

    fn step(&mut self, hand: Hand) -> bool {
        let Some(left) = self.hands.checked_sub(1).filter(|_| hand.len() <= MOST_CARDS) else { return false };
        self.hands = left;
        let (view, rules) = (self.view, self.rules);
        let mut found = false;
        for_each_reading(hand, rules, &mut |_| found = true);
        let most_copies = (1..=4).rev().find(|copies| !hand.at_least(*copies).is_empty()).unwrap_or(0);
        for kind in GroupType::ALL {
            if found {
                break;
            }
            // What a quick look tells first: there are not enough equal cards for a body.
            let Some(pattern) = Pattern::of(kind).filter(|pattern| pattern.copies <= most_copies) else {
                continue;
            };
            let starts = body_starts(hand, pattern);
            if starts.is_empty() {
                continue;
            }
            let starts = starts.and(self.may_be_sure(kind));
            if starts.is_empty() {
                continue;
            }
            for_each_group_from(hand, kind, starts, rules, &mut |group| {
                found = found || (view.keeps(&group) >= 1.0 && self.step(hand - group.cards()));
            });
        }
        found || (hand.has_rocket() && self.step(hand - Hand::ROCKET))
    }

    /// Where bodies of type `kind` start that may be sure to keep the lead: no other group of the type is.
    fn may_be_sure(&mut self, kind: GroupType) -> RankMask {
        let view = self.view;
        let work_out = || {
            let Some(pattern) = Pattern::of(kind).filter(|_| kind != GroupType::Bomb) else {
                return RankMask::ALL;
            };
            if pattern.is_chain() {
                // If there may be a bomb, none is, and else it depends on the others' chains.
                let unmatched = view.keeps_with(Rank::BigJoker, pattern.copies, usize::MAX);
                return if unmatched >= 1.0 { RankMask::ALL } else { RankMask::default() };
            }
            let size = usize::from(pattern.cards_per_link());
            let ranks = Rank::ALL.into_iter().rev();
            ranks
                .take_while(|rank| view.keeps_with(*rank, pattern.copies, size) >= 1.0)
                .fold(RankMask::default(), |sure, rank| sure.or(RankMask::only(rank)))
        };
        *self.sure[kind as usize].get_or_insert_with(work_out)
    }
}
