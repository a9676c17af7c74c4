//! Hidden hands: deals of the unseen cards that agree with all that is known, each with the likelihood that the
//! other players would have played as they did if these were their hands.

use crate::cards::{Hand, Rank};
use crate::game::{Dice, PerRole, Role, Situation};
use crate::groups::Play;

use super::brain::Brain;
use super::facts::{Facts, Other};
use super::kernel::Lane;
use super::position::Position;

/// Makes deals of the unseen cards.
pub(crate) struct Worlds<'a> {
    situation: &'a Situation,
    /// The seats that the cards go to, and how many each gets.
    seats: [Role; 2],
    counts: [usize; 2],
    /// Bottom cards that the landlord surely holds, if the landlord is one of the seats.
    certain: Hand,
    /// The other unseen cards.
    cards: Vec<Rank>,
}

impl<'a> Worlds<'a> {
    /// The deals that `facts` of `situation` allow; `None` if it is not known how many cards each seat holds.
    pub(crate) fn new(situation: &'a Situation, facts: &Facts) -> Option<Worlds<'a>> {
        let seats = Other::BOTH.map(|seat| seat.role(facts.role));
        let counts = [usize::from(facts.left[0]?), usize::from(facts.left[1]?)];
        let certain = facts.bottom.unwrap_or(Hand::EMPTY);
        let cards: Vec<Rank> = facts.unseen.checked_sub(certain)?.ranks().collect();
        let landlord = seats.iter().position(|seat| seat.is_landlord());
        let fits = landlord.map_or(certain.is_empty(), |landlord| certain.len() <= counts[landlord]);
        (fits && certain.len() + cards.len() >= counts[0] + counts[1]).then_some(Worlds {
            situation,
            seats,
            counts,
            certain,
            cards,
        })
    }

    /// A deal, each as likely as the next.
    pub(crate) fn deal(&self, dice: &mut Dice) -> PerRole<Hand> {
        let mut cards = self.cards.clone();
        dice.shuffle(&mut cards);
        let mut hands = PerRole([Hand::EMPTY; 3]);
        hands[self.situation.role()] = self.situation.hand();
        let mut next = cards.iter();
        for (seat, count) in self.seats.into_iter().zip(self.counts) {
            let certain = if seat.is_landlord() { self.certain } else { Hand::EMPTY };
            let drawn = next.by_ref().take(count - certain.len());
            hands[seat] = drawn.fold(certain, |hand, rank| hand + Hand::of(*rank, 1));
        }
        hands
    }

    /// The logarithm of the likelihood of what the other two have played, had they held `hands`.
    pub(crate) fn log_likelihood(&self, hands: PerRole<Hand>, brain: &Brain, lane: Lane) -> f32 {
        let (Some(history), Some(mut position)) =
            (self.situation.history(), Position::beginning(self.situation, hands))
        else {
            return 0.0;
        };
        let mut sum = 0.0;
        for play in history.plays() {
            if position.mover != self.situation.role() {
                sum += log_chance(&position, play, brain, lane);
            }
            position.play(play);
        }
        sum
    }
}

/// How much worse, in win probability, a play has to look to be made e times less often.
const TEMPERATURE: f32 = 0.04;
/// Share of plays that are made for no reason that the networks see.
const BLUNDERS: f32 = 0.2;

/// The logarithm of the chance that the player to move makes `made`.
fn log_chance(position: &Position, made: &Play, brain: &Brain, lane: Lane) -> f32 {
    let hand = position.hands[position.mover];
    let mut count = 0;
    position.for_each_play(|_| count += 1);
    if count < 2 || made.cards() == hand {
        return 0.0;
    }
    let mut look = brain.look(&position.facts(), lane);
    let (mut sum, mut of_made) = (0.0f32, 0.0f32);
    position.for_each_play(|play| {
        // A play that goes out would have been made.
        let chance = if play.cards() == hand { 1.0 } else { look.at(&play).probability() };
        let weight = (chance / TEMPERATURE).exp();
        sum += weight;
        if play == *made {
            of_made = weight;
        }
    });
    ((1.0 - BLUNDERS) * of_made / sum.max(f32::MIN_POSITIVE) + BLUNDERS / count as f32).ln()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::game::{Table, deal};
    use crate::groups::RuleSet;

    #[test]
    fn deals_agree_with_all_that_is_known() {
        let mut dice = Dice::new(8);
        for _ in 0..20 {
            let mut table = Table::new(&deal(&mut dice), RuleSet::default());
            while table.winner().is_none() {
                let situation = table.situation();
                let worlds = Worlds::new(situation, &Facts::of(situation)).unwrap();
                let hands = worlds.deal(&mut dice);
                for role in Role::ALL {
                    assert_eq!(Some(hands[role].len() as u8), situation.cards_left(role));
                }
                assert_eq!(hands[situation.role()], situation.hand());
                assert_eq!(
                    hands.0.iter().fold(Hand::EMPTY, |sum, hand| sum + *hand),
                    situation.unseen() + situation.hand()
                );
                if let Some(bottom) = situation.bottom_left().filter(|_| !situation.role().is_landlord()) {
                    assert!(hands[Role::Landlord].contains(bottom));
                }
                assert!(Worlds::new(&situation.minimal(), &Facts::of(&situation.minimal())).is_none());
                let mut plays = Vec::new();
                situation.for_each_play(|play| plays.push(play));
                table.play(plays[dice.below(plays.len())]).unwrap();
            }
        }
    }
}
