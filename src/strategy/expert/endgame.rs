//! Endings with open hands, solved exactly: which side wins if everyone plays perfectly and the peasants play as
//! one. A search for one winning play (and-or search) that remembers what it has solved.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::cards::Hand;
use crate::game::Role;
use crate::groups::{GroupType, Play};

use super::position::Position;

/// Endings with so many cards in all are solved in microseconds.
pub(crate) const MOST_CARDS: usize = 10;

/// What is remembered of a position: hands, seat to move, and the group to beat without its kickers.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    hands: [u64; 3],
    turn: u32,
}

/// A hash of the words themselves: keys are as good as random, and nobody chooses them to collide.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        // The odd constant of splitmix64 (Steele, Lea and Flood 2014).
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

/// A solver, with what it has solved.
#[derive(Default)]
pub(crate) struct Solver {
    solved: HashMap<Key, bool, BuildHasherDefault<Mix>>,
    /// Plays on the way from the root to the position that is being solved, a stack of lists.
    plays: Vec<Play>,
}

impl Solver {
    /// Whether the landlord wins from `position`.
    pub(crate) fn landlord_wins(&mut self, position: &Position) -> bool {
        if let Some(winner) = position.winner() {
            return winner.is_landlord();
        }
        let key = key(position);
        if let Some(wins) = self.solved.get(&key) {
            return *wins;
        }
        let landlord_moves = position.mover.is_landlord();
        let hand = position.hands[position.mover];
        let first = self.plays.len();
        let mut can_finish = false;
        position.for_each_play(|play| {
            can_finish |= play.cards() == hand;
            self.plays.push(play);
        });
        let mut wins = !landlord_moves;
        if can_finish {
            wins = landlord_moves;
        } else {
            // The more cards a play takes the likelier it wins.
            self.plays[first..].sort_by_key(|play| std::cmp::Reverse(play.cards().len()));
            for index in first..self.plays.len() {
                let mut next = *position;
                next.play(&self.plays[index]);
                if self.landlord_wins(&next) == landlord_moves {
                    wins = landlord_moves;
                    break;
                }
            }
        }
        self.plays.truncate(first);
        self.solved.insert(key, wins);
        wins
    }

    /// Forgets what it has solved.
    pub(crate) fn clear(&mut self) {
        self.solved.clear();
    }

    /// Positions solved.
    pub(crate) fn len(&self) -> usize {
        self.solved.len()
    }
}

fn key(position: &Position) -> Key {
    let table = position.table.map_or(0, |(group, owner)| {
        let kind = group.kind() as u32;
        let owner = 1 + owner as u32;
        ((kind * 16 + group.main_rank().index() as u32) * 16 + u32::from(group.links())) * 4 + owner
    });
    debug_assert!(GroupType::ALL.len() < 16);
    Key { hands: position.hands.0.map(Hand::bits), turn: table * 4 + position.mover as u32 }
}

/// Whether `side_of` wins from `position`.
pub(crate) fn wins(solver: &mut Solver, position: &Position, side_of: Role) -> bool {
    solver.landlord_wins(position) == side_of.is_landlord()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::Rank;
    use crate::game::{Dice, PerRole, Table, deal};
    use crate::groups::{RuleSet, legal_plays};

    /// The same question asked of every line of play, with nothing remembered and no play preferred.
    fn by_brute_force(hands: [Hand; 3], mover: Role, table: Option<(crate::groups::Group, Role)>) -> bool {
        let to_beat = table.filter(|(_, owner)| *owner != mover);
        let mut outcomes =
            legal_plays(hands[mover as usize], to_beat.as_ref().map(|(group, _)| group), RuleSet::default())
                .into_iter()
                .map(|play| {
                    let mut after = hands;
                    after[mover as usize] = after[mover as usize] - play.cards();
                    if after[mover as usize].is_empty() {
                        return mover.is_landlord();
                    }
                    let table = play.group().map(|group| (group, mover)).or(to_beat);
                    by_brute_force(after, mover.next(), table)
                });
        if mover.is_landlord() { outcomes.any(|wins| wins) } else { outcomes.all(|wins| wins) }
    }

    /// An ending of `cards` cards: each seat has at least one, the seat to move leads or has a group to beat.
    fn ending(dice: &mut Dice, cards: usize) -> Position {
        loop {
            let mut deck: Vec<Rank> = Hand::DECK.ranks().collect();
            dice.shuffle(&mut deck);
            let first = 1 + dice.below(cards - 2);
            let second = 1 + dice.below(cards - first - 1);
            let pile =
                |cards: &[Rank]| cards.iter().fold(Hand::EMPTY, |hand, rank| hand + Hand::of(*rank, 1));
            // Few ranks, so that endings hold more than singles.
            deck.sort_by_key(|rank| rank.index() / 5);
            let at = dice.below(deck.len() - cards);
            let mut few = deck[at..at + cards].to_vec();
            dice.shuffle(&mut few);
            let hands =
                [pile(&few[..first]), pile(&few[first..first + second]), pile(&few[first + second..])];
            let opening = Table::new(&deal(dice), RuleSet::default());
            let mut position = Position::of(&opening.situation().minimal(), PerRole(hands));
            position.mover = Role::ALL[dice.below(3)];
            if dice.below(2) == 0 {
                return position;
            }
            let plays = legal_plays(hands[position.mover as usize], None, RuleSet::default());
            let play = plays[dice.below(plays.len())];
            position.play(&play);
            if position.winner().is_none() {
                return position;
            }
        }
    }

    #[test]
    fn a_thousand_endings_are_solved_as_by_brute_force() {
        let mut dice = Dice::new(17);
        let mut solver = Solver::default();
        let mut landlord = 0;
        for _ in 0..1000 {
            let cards = 4 + dice.below(MOST_CARDS - 3);
            let position = ending(&mut dice, cards);
            solver.clear();
            let wins = solver.landlord_wins(&position);
            assert_eq!(
                wins,
                by_brute_force(position.hands.0, position.mover, position.table),
                "{position:?}"
            );
            landlord += usize::from(wins);
        }
        assert!((100..900).contains(&landlord), "both sides win some: {landlord}");
    }
}
