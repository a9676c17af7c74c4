use crate::cards::Hand;
use crate::groups::{Play, RuleSet, is_reading};

use super::{Deal, IllegalPlay, Outcome, PerRole, Role, Situation};

/// A game in progress with all three hands: the referee. Every play is checked in full.
///
/// It keeps the [`Situation`] of the player to move, so that asking a strategy costs no copy.
#[derive(Clone, Debug)]
pub struct Table {
    hands: PerRole<Hand>,
    situation: Situation,
}

impl Table {
    /// The table right after the deal, the landlord to lead.
    #[must_use]
    pub fn new(deal: &Deal, rules: RuleSet) -> Table {
        Table { hands: deal.hands, situation: Situation::opening(deal, rules) }
    }

    /// What the player to move knows.
    #[inline]
    #[must_use]
    pub fn situation(&self) -> &Situation {
        &self.situation
    }

    /// The cards `role` holds.
    #[inline]
    #[must_use]
    pub fn hand(&self, role: Role) -> Hand {
        self.hands[role]
    }

    /// The seat to move.
    #[inline]
    #[must_use]
    pub fn turn(&self) -> Role {
        self.situation.role()
    }

    /// The seat that has no cards left: the game is over.
    #[inline]
    #[must_use]
    pub fn winner(&self) -> Option<Role> {
        let last = self.turn().previous();
        self.hands[last].is_empty().then_some(last)
    }

    /// How many times the stakes have been doubled.
    #[must_use]
    pub fn doublings(&self) -> u32 {
        self.situation.history().map_or(0, super::History::doublings)
    }

    /// How the game ended; `None` while it goes on.
    #[inline]
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.situation.history().and_then(Outcome::of)
    }

    /// Makes the play of the seat to move.
    ///
    /// # Errors
    /// The play is illegal; the table is unchanged.
    #[inline]
    pub fn play(&mut self, play: Play) -> Result<(), IllegalPlay> {
        let role = self.turn();
        let Some(rest) = self.hands[role].checked_sub(play.cards()) else {
            return Err(IllegalPlay::NotHeld { role, cards: play.cards() });
        };
        if let Play::Group(group) = play
            && !is_reading(&group, self.situation.rules())
        {
            return Err(IllegalPlay::NotAGroup(group));
        }
        self.situation.advance(play, self.hands[role.next()])?;
        self.hands[role] = rest;
        Ok(())
    }
}
