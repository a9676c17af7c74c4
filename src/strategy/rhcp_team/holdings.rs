//! What the other two seats may hold, as probabilities.

use crate::cards::{Hand, Rank};
use crate::game::{Role, Situation};
use crate::groups::{Group, GroupType};

/// 1 divided by the index: divisions would be the slowest part of all this.
const RECIPROCALS: [f32; 55] = {
    let mut reciprocals = [0.0; 55];
    let mut number = 1;
    while number < reciprocals.len() {
        reciprocals[number] = 1.0 / number as f32;
        number += 1;
    }
    reciprocals
};

/// What one other seat may hold: any of the unseen cards, each set of the right size as likely as the next,
/// but for bottom cards that it must hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Holdings {
    /// The seat.
    pub role: Role,
    /// How many cards it holds; a guess where the situation does not say.
    pub left: u8,
    /// `at_least[rank][copies − 1]`: the probability that it holds so many cards of the rank.
    at_least: [[f32; 4]; Rank::COUNT],
    /// `above[rank][copies − 1]`: the probability that it holds so many cards of some higher rank.
    above: [[f32; 4]; Rank::COUNT],
    /// The probability that it holds the rocket.
    rocket: f32,
}

/// The probabilities that a seat can beat a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Threat {
    /// With a group of the same type and size, or a higher bomb if the group is one.
    pub same: f32,
    /// With a bomb or the rocket, if the group is neither.
    pub bomb: f32,
}

impl Threat {
    /// The probability that the seat can beat the group at all, as if both ways were independent.
    #[inline]
    pub(super) fn any(self) -> f32 {
        1.0 - (1.0 - self.same) * (1.0 - self.bomb)
    }
}

impl Holdings {
    /// What `role`, another seat than the one to move, may hold.
    pub(super) fn new(situation: &Situation, role: Role) -> Holdings {
        let unseen = situation.unseen();
        let left = cards_left(situation, role);
        let sure = match situation.bottom_left() {
            Some(bottom) if role.is_landlord() => bottom,
            _ => Hand::EMPTY,
        };
        // Bottom cards that are still held are drawn by nobody else.
        let placed = if situation.role().is_landlord() {
            Hand::EMPTY
        } else {
            situation.bottom_left().unwrap_or_default()
        };
        let free = unseen.checked_sub(placed).unwrap_or(unseen);
        let drawn = left.saturating_sub(sure.len() as u8);
        Holdings::drawn(role, left, free, drawn, sure)
    }

    /// A seat that holds `sure` and, at random, `drawn` of the cards `free`.
    fn drawn(role: Role, left: u8, free: Hand, drawn: u8, sure: Hand) -> Holdings {
        let (cards, drawn) = (free.len() as f32, f32::from(drawn).min(free.len() as f32));
        let of_copies = Hypergeometric::new(cards, drawn);
        let mut at_least = [[0.0; 4]; Rank::COUNT];
        let mut above = [[0.0; 4]; Rank::COUNT];
        // The probabilities of holding nothing above the rank that the loop has come down to.
        let mut none = [1.0f32; 4];
        let (mut missed, mut seen) = (cards - drawn, free.len());
        for rank in Rank::ALL.into_iter().rev() {
            let (loose, held) = (free.count(rank), sure.count(rank) as usize);
            let mut holds = of_copies.at_least(loose);
            if held > 0 {
                holds = std::array::from_fn(|more| if more < held { 1.0 } else { holds[more - held] });
            }
            at_least[rank.index()] = holds;
            above[rank.index()] = none.map(|none| 1.0 - none);
            // Single cards are drawn without replacement, which matters when few are left.
            let single = if held > 0 { 0.0 } else { none[0] };
            for copies in 1..4 {
                none[copies] *= 1.0 - holds[copies];
            }
            let mut missing = single;
            for _ in 0..loose {
                missing *= missed.max(0.0) * RECIPROCALS[seen];
                missed -= 1.0;
                seen -= 1;
            }
            none[0] = missing;
        }
        let jokers = free.min(Hand::ROCKET).len();
        let rocket = match sure.min(Hand::ROCKET).len() {
            2 => 1.0,
            1 if jokers == 1 => drawn / cards,
            0 if jokers == 2 => drawn * (drawn - 1.0) / (cards * (cards - 1.0)),
            _ => 0.0,
        };
        Holdings { role, left, at_least, above, rocket }
    }

    /// How likely this seat can beat `group`.
    #[inline]
    pub(super) fn threat(&self, group: &Group) -> Threat {
        let main = group.main_rank().index();
        let higher = |copies: usize| self.above[main][copies - 1];
        let same = match group.kind() {
            GroupType::Rocket => return Threat { same: 0.0, bomb: 0.0 },
            GroupType::Bomb => {
                return Threat { same: 1.0 - (1.0 - higher(4)) * (1.0 - self.rocket), bomb: 0.0 };
            }
            _ if (self.left as usize) < group.cards().len() => 0.0,
            GroupType::Single => higher(1),
            GroupType::Pair => higher(2),
            GroupType::Trio | GroupType::TrioWithSingle | GroupType::TrioWithPair => higher(3),
            GroupType::FourWithTwoSingles | GroupType::FourWithTwoPairs => higher(4),
            GroupType::Straight => self.higher_chain(group, 1),
            GroupType::PairChain => self.higher_chain(group, 2),
            GroupType::Plane | GroupType::PlaneWithSingles | GroupType::PlaneWithPairs => {
                self.higher_chain(group, 3)
            }
        };
        Threat { same, bomb: self.any_bomb() }
    }

    /// The probability of a bomb or the rocket.
    #[inline]
    fn any_bomb(&self) -> f32 {
        let lowest = Rank::Three.index();
        let none = (1.0 - self.above[lowest][3]) * (1.0 - self.at_least[lowest][3]);
        1.0 - none * (1.0 - self.rocket)
    }

    /// The probability of a chain as long as that of `group`, above it, with `copies` of each rank.
    fn higher_chain(&self, group: &Group, copies: usize) -> f32 {
        let links = group.links() as usize;
        let held = &self.at_least[..=Rank::Ace.index()];
        let higher = held.get(group.lowest_rank().index() + 1..).unwrap_or_default();
        let none: f32 = higher
            .windows(links)
            .map(|chain| 1.0 - chain.iter().map(|rank| rank[copies - 1]).product::<f32>())
            .product();
        1.0 - none
    }
}

/// How many cards `role` holds. A minimal situation does not say: then as many as the player to move, which is
/// what hands of one game have in common.
fn cards_left(situation: &Situation, role: Role) -> u8 {
    let guess = || (situation.hand().len() as u8).min(role.starting_cards());
    situation.cards_left(role).unwrap_or_else(guess)
}

/// `table[c][m − 1]`: the probability that of `c` given cards at least `m` are among those drawn.
struct Hypergeometric([[f32; 4]; 5]);

impl Hypergeometric {
    /// For a draw of `drawn` out of `cards` cards.
    fn new(cards: f32, drawn: f32) -> Hypergeometric {
        /// Binomial coefficients.
        const CHOOSE: [[f32; 5]; 5] = [
            [1.0, 0.0, 0.0, 0.0, 0.0],
            [1.0, 1.0, 0.0, 0.0, 0.0],
            [1.0, 2.0, 1.0, 0.0, 0.0],
            [1.0, 3.0, 3.0, 1.0, 0.0],
            [1.0, 4.0, 6.0, 4.0, 1.0],
        ];
        let falling = |from: f32| {
            let mut products = [1.0f32; 5];
            for step in 1..5 {
                products[step] = products[step - 1] * (from - (step as f32 - 1.0)).max(0.0);
            }
            products
        };
        let (of_all, of_drawn, of_rest) = (falling(cards), falling(drawn), falling(cards - drawn));
        let mut table = [[0.0; 4]; 5];
        for copies in 1..5 {
            if of_all[copies] == 0.0 {
                continue;
            }
            let (mut sum, share) = (0.0, 1.0 / of_all[copies]);
            for hit in (1..=copies).rev() {
                sum += CHOOSE[copies][hit] * of_drawn[hit] * of_rest[copies - hit] * share;
                table[copies][hit - 1] = sum.min(1.0);
            }
        }
        Hypergeometric(table)
    }

    #[inline]
    fn at_least(&self, copies: u8) -> [f32; 4] {
        self.0.get(copies as usize).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::groups::{RuleSet, readings};

    fn pile(text: &str) -> Hand {
        let cards =
            text.chars().filter_map(|symbol| Rank::ALL.into_iter().find(|rank| rank.symbol() == symbol));
        Hand::from_ranks(cards).unwrap_or_default()
    }

    #[track_caller]
    fn beats(holdings: &Holdings, group: &str, same: f32, bomb: f32) {
        let group = readings(pile(group), RuleSet::default())[0];
        let threat = holdings.threat(&group);
        assert!((threat.same - same).abs() < 1e-5, "{group}: {threat:?}");
        assert!((threat.bomb - bomb).abs() < 1e-5, "{group}: {threat:?}");
    }

    /// Two of the cards 3, 3, 4, X: six equally likely hands.
    #[test]
    fn draws_are_counted() {
        let seat = Holdings::drawn(Role::Landlord, 2, pile("334X"), 2, Hand::EMPTY);
        beats(&seat, "3", 5.0 / 6.0, 0.0);
        beats(&seat, "4", 3.0 / 6.0, 0.0);
        beats(&seat, "D", 0.0, 0.0);
        // A pair of threes is one of the six, but no pair beats threes.
        beats(&seat, "33", 0.0, 0.0);
        // Three cards are more than it holds.
        beats(&seat, "333", 0.0, 0.0);
    }

    #[test]
    fn bombs_and_the_rocket_are_counted() {
        let all = Holdings::drawn(Role::Landlord, 6, pile("5555XD"), 6, Hand::EMPTY);
        beats(&all, "33", 1.0, 1.0);
        beats(&all, "3333", 1.0, 0.0);
        beats(&all, "XD", 0.0, 0.0);
        // Two of six cards are both jokers in one hand of fifteen.
        let two = Holdings::drawn(Role::Landlord, 2, pile("5555XD"), 2, Hand::EMPTY);
        beats(&two, "6666", 1.0 / 15.0, 0.0);
        beats(&two, "77", 0.0, 1.0 / 15.0);
    }

    #[test]
    fn chains_are_counted_by_their_places() {
        let seat = Holdings::drawn(Role::Landlord, 5, pile("456789"), 5, Hand::EMPTY);
        // 45678 and 56789 leave out one of six cards each; the two places are taken as independent.
        beats(&seat, "34567", 1.0 - (1.0 - (5.0f32 / 6.0).powi(5)).powi(2), 0.0);
        beats(&seat, "56789", 0.0, 0.0);
    }

    #[test]
    fn bottom_cards_are_held_for_certain() {
        let seat = Holdings::drawn(Role::Landlord, 3, pile("2345"), 1, pile("2A"));
        beats(&seat, "K", 1.0, 0.0);
        // The other 2 is one of four cards, of which one is drawn.
        beats(&seat, "AA", 0.25, 0.0);
    }
}
