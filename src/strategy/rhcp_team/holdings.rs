//! What the other two seats may hold, as probabilities.

use crate::cards::{Hand, Rank, RankMask};
use crate::game::{Role, Situation};
use crate::groups::pattern::Pattern;
use crate::groups::{Group, GroupType};

/// Cards of the deck.
const DECK: usize = Hand::DECK.len();

/// 1 divided by the index: divisions would be the slowest part of all this.
const RECIPROCALS: [f32; DECK + 1] = {
    let mut reciprocals = [0.0; DECK + 1];
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
    pile: Pile,
    /// `none_of[c]`: the probability that it draws none of `c` given cards.
    none_of: [f32; DECK + 1],
    /// The probability that it holds the rocket.
    rocket: f32,
    /// The probability that it holds a bomb or the rocket.
    bomb: f32,
}

/// Cards that a seat must hold, and those from which it draws the others.
#[derive(Clone, Copy, Debug)]
struct Pile {
    sure: Hand,
    free: Hand,
    draw: Hypergeometric,
}

impl Pile {
    /// The probability that the seat holds at least so many cards of `rank`.
    #[inline]
    fn at_least(&self, rank: Rank, copies: u8) -> f32 {
        match copies.checked_sub(self.sure.count(rank) + 1) {
            Some(more) => self.draw.0[self.free.count(rank) as usize][more as usize],
            None => 1.0,
        }
    }

    /// The ranks of which it may hold at least so many cards.
    #[inline]
    fn ranks(&self, copies: u8) -> RankMask {
        (self.free + self.sure).at_least(copies)
    }
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
    const NONE: Threat = Threat { same: 0.0, bomb: 0.0 };

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
        let cards = free.len();
        let drawn = (drawn as usize).min(cards);
        let pile = Pile { sure, free, draw: Hypergeometric::new(cards, drawn) };
        let mut holdings = Holdings {
            role,
            left,
            pile,
            none_of: none_of(cards, drawn),
            rocket: rocket(free, sure, drawn),
            bomb: 0.0,
        };
        let lowest = Rank::Three;
        let no_quad = (1.0 - holdings.higher(lowest, 4)) * (1.0 - pile.at_least(lowest, 4));
        holdings.bomb = 1.0 - no_quad * (1.0 - holdings.rocket);
        holdings
    }

    /// The probability that it holds so many cards of some rank above `rank`.
    #[inline]
    fn higher(&self, rank: Rank, copies: u8) -> f32 {
        let ranks = RankMask::above(rank);
        if copies == 1 {
            // Single cards are drawn without replacement, which matters when few are left.
            let certain = !self.pile.sure.within(ranks).is_empty();
            return if certain { 1.0 } else { 1.0 - self.none_of[self.pile.free.within(ranks).len()] };
        }
        let (mut none, mut ranks) = (1.0, self.pile.ranks(copies).and(ranks));
        while let Some(rank) = ranks.highest() {
            none *= 1.0 - self.pile.at_least(rank, copies);
            ranks = ranks.without(RankMask::only(rank));
        }
        1.0 - none
    }

    /// How likely this seat can beat `group`.
    #[inline]
    pub(super) fn threat(&self, group: &Group) -> Threat {
        // The rocket is all of its type, and nothing beats it.
        let Some(pattern) = Pattern::of(group.kind()) else { return Threat::NONE };
        if group.kind() == GroupType::Bomb {
            let higher = self.higher(group.main_rank(), 4);
            return Threat { same: 1.0 - (1.0 - higher) * (1.0 - self.rocket), bomb: 0.0 };
        }
        let size = group.cards().len();
        if pattern.is_chain() && self.left as usize >= size {
            return Threat { same: self.higher_chain(group, pattern.copies), bomb: self.bomb };
        }
        self.threat_to(group.main_rank(), pattern.copies, size)
    }

    /// How likely this seat can beat a group of `size` cards that is neither a bomb nor a chain: so many copies of
    /// `rank` and, if they are fewer, kickers.
    #[inline]
    pub(super) fn threat_to(&self, rank: Rank, copies: u8, size: usize) -> Threat {
        let same = if (self.left as usize) < size { 0.0 } else { self.higher(rank, copies) };
        Threat { same, bomb: self.bomb }
    }

    /// The probability of a chain as long as that of `group`, above it, with `copies` of each rank.
    fn higher_chain(&self, group: &Group, copies: u8) -> f32 {
        let links = group.links();
        let ranks = self.pile.ranks(copies).and(RankMask::CHAINABLE);
        let starts = ranks.chain_starts(links).and(RankMask::above(group.lowest_rank()));
        let mut none = 1.0;
        for lowest in starts {
            let chain = &Rank::ALL[lowest.index()..][..links as usize];
            none *= 1.0 - chain.iter().map(|rank| self.pile.at_least(*rank, copies)).product::<f32>();
        }
        1.0 - none
    }
}

/// The probability that a seat that holds `sure` and `drawn` of the cards `free` holds both jokers.
fn rocket(free: Hand, sure: Hand, drawn: usize) -> f32 {
    let (cards, drawn) = (free.len() as f32, drawn as f32);
    match (sure.min(Hand::ROCKET).len(), free.min(Hand::ROCKET).len()) {
        (2, _) => 1.0,
        (1, 1) => drawn / cards,
        (0, 2) => drawn * (drawn - 1.0) / (cards * (cards - 1.0)),
        _ => 0.0,
    }
}

/// [`Holdings::none_of`] for `drawn` out of `cards` cards.
fn none_of(cards: usize, drawn: usize) -> [f32; DECK + 1] {
    let mut none_of = [0.0; DECK + 1];
    let mut none = 1.0;
    none_of[0] = none;
    // With more given cards than are left undrawn, one of them is drawn.
    for given in 0..(cards - drawn).min(DECK) {
        none *= (cards - drawn - given) as f32 * RECIPROCALS[cards - given];
        none_of[given + 1] = none;
    }
    none_of
}

/// How many cards `role` holds. A minimal situation does not say: then as many as the player to move, which is
/// what hands of one game have in common.
fn cards_left(situation: &Situation, role: Role) -> u8 {
    let guess = || (situation.hand().len() as u8).min(role.starting_cards());
    situation.cards_left(role).unwrap_or_else(guess)
}

/// `table[c][m − 1]`: the probability that of `c` given cards at least `m` are among those drawn.
#[derive(Clone, Copy, Debug)]
struct Hypergeometric([[f32; 4]; 5]);

impl Hypergeometric {
    /// For a draw of `drawn` out of `cards` cards.
    #[inline]
    fn new(cards: usize, drawn: usize) -> Hypergeometric {
        /// Binomial coefficients.
        const CHOOSE: [[f32; 5]; 5] = [
            [1.0, 0.0, 0.0, 0.0, 0.0],
            [1.0, 1.0, 0.0, 0.0, 0.0],
            [1.0, 2.0, 1.0, 0.0, 0.0],
            [1.0, 3.0, 3.0, 1.0, 0.0],
            [1.0, 4.0, 6.0, 4.0, 1.0],
        ];
        let (of_drawn, of_rest) = (&FALLING[drawn], &FALLING[cards - drawn]);
        let mut table = [[0.0; 4]; 5];
        for copies in 1..5 {
            let (mut sum, share) = (0.0, FALLING_RECIPROCALS[cards][copies]);
            for hit in (1..=copies).rev() {
                sum += CHOOSE[copies][hit] * of_drawn[hit] * of_rest[copies - hit] * share;
                table[copies][hit - 1] = sum.min(1.0);
            }
        }
        Hypergeometric(table)
    }
}

/// `FALLING[n][k]`: in how many ways `k` of `n` cards can be drawn one after the other. All are exact.
const FALLING: [[f32; 5]; DECK + 1] = {
    let mut falling = [[1.0; 5]; DECK + 1];
    let mut cards = 0;
    while cards <= DECK {
        let mut drawn = 1;
        while drawn < 5 {
            let left = (cards + 1).saturating_sub(drawn);
            falling[cards][drawn] = falling[cards][drawn - 1] * left as f32;
            drawn += 1;
        }
        cards += 1;
    }
    falling
};

/// 1 divided by these numbers; 0 where there is no way.
const FALLING_RECIPROCALS: [[f32; 5]; DECK + 1] = {
    let mut reciprocals = FALLING;
    let mut cards = 0;
    while cards <= DECK {
        let mut drawn = 0;
        while drawn < 5 {
            let ways = FALLING[cards][drawn];
            reciprocals[cards][drawn] = if ways == 0.0 { 0.0 } else { 1.0 / ways };
            drawn += 1;
        }
        cards += 1;
    }
    reciprocals
};

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
