use crate::cards::Hand;
use crate::groups::{Group, Play};

use super::{PerRole, Role};

/// The public record of a game from the landlord's first play on. It accepts only plays that are legal as far
/// as everyone at the table can see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    plays: Vec<Play>,
    played: PerRole<Hand>,
    table: Option<(Group, Role)>,
}

/// Why a play is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalPlay {
    /// The leader passed.
    #[error("the leader may not pass")]
    PassOnLead,
    /// The group does not beat the one on the table.
    #[error("{group} does not beat {table}")]
    DoesNotBeat {
        /// The group played.
        group: Group,
        /// The group on the table.
        table: Group,
    },
    /// The player cannot hold these cards.
    #[error("{role} cannot hold {cards}")]
    NotHeld {
        /// The player.
        role: Role,
        /// The cards played.
        cards: Hand,
    },
    /// The group does not exist under the rule set of the game.
    #[error("{0} is no group under the rule set of this game")]
    NotAGroup(Group),
    /// Someone has no cards left.
    #[error("the game is over: {0} has no cards left")]
    GameOver(Role),
}

impl History {
    /// The record of a game of about `plays` plays, before the first of them.
    pub(super) fn with_capacity(plays: usize) -> History {
        History { plays: Vec::with_capacity(plays), ..History::default() }
    }

    /// The plays, passes included; the one at position `i` was made by the seat `i % 3` after the landlord.
    #[must_use]
    pub fn plays(&self) -> &[Play] {
        &self.plays
    }

    /// All cards that `role` has played.
    #[inline]
    #[must_use]
    pub fn played(&self, role: Role) -> Hand {
        self.played[role]
    }

    /// All cards played.
    #[inline]
    #[must_use]
    pub fn all_played(&self) -> Hand {
        self.played.0[0] + self.played.0[1] + self.played.0[2]
    }

    /// Cards `role` still holds.
    #[inline]
    #[must_use]
    pub fn cards_left(&self, role: Role) -> u8 {
        role.starting_cards() - self.played[role].len() as u8
    }

    /// The seat to move.
    #[inline]
    #[must_use]
    pub fn turn(&self) -> Role {
        Role::ALL[self.plays.len() % 3]
    }

    /// The group to beat and who played it; `None` when the seat to move leads.
    #[inline]
    #[must_use]
    pub fn table(&self) -> Option<(Group, Role)> {
        self.table.filter(|(_, owner)| *owner != self.turn())
    }

    /// The seat that has no cards left.
    #[inline]
    #[must_use]
    pub fn winner(&self) -> Option<Role> {
        // Only the seat that moved last can have run out.
        let last = self.turn().previous();
        (self.cards_left(last) == 0).then_some(last)
    }

    /// How many times the stakes have been doubled: bombs and rockets played.
    #[must_use]
    pub fn doublings(&self) -> u32 {
        let groups = self.plays.iter().filter_map(Play::group);
        groups.filter(|group| group.kind().crosses_types()).count() as u32
    }

    /// Adds the play of the seat to move.
    ///
    /// # Errors
    /// The play is illegal; the record is unchanged.
    #[inline]
    pub fn push(&mut self, play: Play) -> Result<(), IllegalPlay> {
        if let Some(winner) = self.winner() {
            return Err(IllegalPlay::GameOver(winner));
        }
        let role = self.turn();
        match (play, self.table()) {
            (Play::Pass, None) => return Err(IllegalPlay::PassOnLead),
            (Play::Pass, Some(_)) => {}
            (Play::Group(group), table) => {
                if let Some((table, _)) = table
                    && !group.beats(&table)
                {
                    return Err(IllegalPlay::DoesNotBeat { group, table });
                }
                let cards = group.cards();
                if cards.len() > self.cards_left(role) as usize
                    || self.all_played().checked_add(cards).is_none()
                {
                    return Err(IllegalPlay::NotHeld { role, cards });
                }
                self.played[role] = self.played[role] + cards;
                self.table = Some((group, role));
            }
        }
        self.plays.push(play);
        Ok(())
    }
}
