use crate::cards::Hand;
use crate::game::{PerRole, Role, Situation};
use crate::groups::{Group, Play, RuleSet, for_each_play};

use super::brain::Brain;
use super::facts::{Facts, Other, Public};
use super::kernel::Lane;

/// A game in progress with all hands open: what search plays in. It checks nothing, since it makes only plays
/// that were generated for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    /// What each seat holds.
    pub hands: PerRole<Hand>,
    /// The seat to move.
    pub mover: Role,
    /// The group to beat, and whose it is.
    pub table: Option<(Group, Role)>,
    /// What everybody has seen, if the game is known from its beginning.
    public: Option<Public>,
    bottom: Option<Hand>,
    rules: RuleSet,
}

impl Position {
    /// The turn of `situation` if the seats hold `hands`.
    pub(crate) fn of(situation: &Situation, hands: PerRole<Hand>) -> Position {
        Position {
            hands,
            mover: situation.role(),
            table: situation.table(),
            public: situation.history().map(Public::of),
            bottom: situation.bottom(),
            rules: situation.rules(),
        }
    }

    /// The beginning of the game of `situation` if the seats hold `hands` now; `None` if the game is not known
    /// from its beginning.
    pub(crate) fn beginning(situation: &Situation, hands: PerRole<Hand>) -> Option<Position> {
        let history = situation.history()?;
        let hands = PerRole(Role::ALL.map(|role| hands[role] + history.played(role)));
        Some(Position {
            hands,
            mover: Role::Landlord,
            table: None,
            public: Some(Public::default()),
            bottom: situation.bottom(),
            rules: situation.rules(),
        })
    }

    /// What the player to move knows.
    pub(crate) fn facts(&self) -> Facts {
        let role = self.mover;
        let seats = Other::BOTH.map(|seat| seat.role(role));
        let other = |seat: Role| if seat == role.next() { Other::Next } else { Other::Previous };
        let hand = self.hands[role];
        let on_table = self.table.map_or(Hand::EMPTY, |(group, _)| group.cards());
        Facts {
            role,
            hand,
            unseen: match &self.public {
                Some(public) => {
                    Hand::DECK - hand - public.played.0.iter().fold(Hand::EMPTY, |sum, played| sum + *played)
                }
                None => Hand::DECK - hand - on_table,
            },
            table: self.table.map(|(group, owner)| (group, other(owner))),
            left: seats.map(|seat| Some(self.hands[seat].len() as u8)),
            record: self.public.as_ref().map(|public| public.seen_by(role)),
            bottom: match (&self.public, self.bottom) {
                (Some(public), Some(bottom)) if !role.is_landlord() => {
                    Some(bottom - bottom.min(public.played[Role::Landlord]))
                }
                _ => None,
            },
        }
    }

    /// Calls `each` with every legal play.
    #[inline]
    pub(crate) fn for_each_play(&self, each: impl FnMut(Play)) {
        for_each_play(self.hands[self.mover], self.table.as_ref().map(|(group, _)| group), self.rules, each);
    }

    /// Makes a play.
    #[inline]
    pub(crate) fn play(&mut self, play: &Play) {
        if let Some(public) = &mut self.public {
            public.see(self.mover, play, self.table.as_ref());
        }
        if let Play::Group(group) = play {
            self.hands[self.mover] = self.hands[self.mover] - group.cards();
            self.table = Some((*group, self.mover));
        }
        self.mover = self.mover.next();
        // Two passes, and the owner of the group on the table leads.
        self.table = self.table.filter(|(_, owner)| *owner != self.mover);
    }

    /// The seat that has no cards left, which moved last.
    #[inline]
    pub(crate) fn winner(&self) -> Option<Role> {
        let last = self.mover.previous();
        self.hands[last].is_empty().then_some(last)
    }

    /// Cards of all seats.
    #[inline]
    pub(crate) fn cards(&self) -> usize {
        self.hands.0.iter().map(|hand| hand.len()).sum()
    }

    /// Plays on with the networks, and tells who went out.
    pub(crate) fn play_out(mut self, brain: &Brain, lane: Lane) -> Role {
        loop {
            if let Some(winner) = self.winner() {
                return winner;
            }
            let play = self.best_play(brain, lane);
            self.play(&play);
        }
    }

    /// The play that the networks make.
    fn best_play(&self, brain: &Brain, lane: Lane) -> Play {
        let hand = self.hands[self.mover];
        let (mut count, mut only, mut finish) = (0, Play::Pass, None);
        self.for_each_play(|play| {
            count += 1;
            only = play;
            if play.cards() == hand {
                finish = Some(play);
            }
        });
        match finish {
            Some(play) => return play,
            None if count == 1 => return only,
            None => {}
        }
        let mut look = brain.look(&self.facts(), lane);
        let mut best = (i32::MIN, only);
        self.for_each_play(|play| {
            let win = look.at(&play).win;
            if win > best.0 {
                best = (win, play);
            }
        });
        best.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Dice, Table, deal};

    /// A position tells a player what the referee's situation tells it, all through a game.
    #[test]
    fn a_position_knows_what_a_situation_knows() {
        let mut dice = Dice::new(21);
        for _ in 0..60 {
            let mut table = Table::new(&deal(&mut dice), RuleSet::default());
            let hands = PerRole(Role::ALL.map(|role| table.hand(role)));
            let mut position = Position::of(table.situation(), hands);
            while table.winner().is_none() {
                assert_eq!(position.winner(), None);
                let expected = Facts::of(table.situation());
                assert_eq!(format!("{:?}", position.facts()), format!("{expected:?}"));
                let mut plays = Vec::new();
                position.for_each_play(|play| plays.push(play));
                let play = plays[dice.below(plays.len())];
                table.play(play).unwrap();
                position.play(&play);
            }
            assert_eq!(position.winner(), table.winner());
        }
    }
}
