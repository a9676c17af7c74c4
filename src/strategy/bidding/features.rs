//! What is seen of a hand and of the auction, as numbers.

use crate::cards::{Hand, Rank};
use crate::game::BidTurn;
use crate::strategy::HandValue;

use super::{DoubleTurn, amount};

/// A rank of four cards has a feature for holding one, two, three and four of it; a joker has one.
const HELD: usize = 4 * 13 + 2;
/// The rocket, and the value of the hand: sum, rounds and their products.
const VALUED: usize = 6;
const HAND: usize = HELD + VALUED;
const KNOWN: usize = 13;

/// Number of features; the last one is always 1.
pub const FEATURES: usize = HAND + KNOWN + 1;

/// What a player knows besides the hand.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Knowledge {
    /// Where the player speaks in the auction, 0 … 2.
    pub position: Option<u8>,
    /// In the auction, the highest bid so far; after it, the landlord's. A call counts as 1, a robbery as one
    /// more than what was robbed.
    pub bid: Option<u8>,
    /// The bottom cards.
    pub bottom: Option<Hand>,
    /// How many of the others have doubled.
    pub doubled: u8,
}

impl Knowledge {
    /// What is known at a turn of the auction.
    #[must_use]
    pub fn of_turn(turn: &BidTurn) -> Knowledge {
        Knowledge { position: turn.position, bid: Some(turn.highest), ..Knowledge::default() }
    }

    /// What is known at a turn to double.
    #[must_use]
    pub fn of_doubling(turn: &DoubleTurn) -> Knowledge {
        Knowledge { position: None, bid: turn.bid, bottom: turn.bottom, doubled: turn.doubled }
    }
}

/// Calls `each` with every feature of `hand`, whose value is `value`, that is not 0, and what it is.
pub fn for_each_feature(hand: Hand, value: HandValue, each: &mut impl FnMut(usize, f32)) {
    let mut first = 0;
    for rank in Rank::ALL {
        for held in 0..usize::from(hand.count(rank)) {
            each(first + held, 1.0);
        }
        first += usize::from(rank.copies());
    }
    if hand.has_rocket() {
        each(HELD, 1.0);
    }
    // Scaled so that all features are of one size, which the penalty on the weights presumes.
    let (sum, rounds) = (f32::from(value.sum) / 20.0, f32::from(value.rounds) / 10.0);
    for (position, amount) in [sum, rounds, sum * sum, sum * rounds, rounds * rounds].into_iter().enumerate()
    {
        each(HELD + 1 + position, amount);
    }
    each(FEATURES - 1, 1.0);
}

/// Calls `each` with every feature of what else is known that is not 0, and what it is.
pub fn for_each_known(knowledge: &Knowledge, each: &mut impl FnMut(usize, f32)) {
    match knowledge.position {
        None => each(HAND, 1.0),
        Some(0) => {}
        Some(position) => each(HAND + usize::from(position.min(2)), 1.0),
    }
    match knowledge.bid {
        None => each(HAND + 3, 1.0),
        Some(0) => {}
        Some(bid) => each(HAND + 3 + usize::from(bid.min(3)), 1.0),
    }
    match knowledge.bottom {
        None => each(HAND + 7, 1.0),
        Some(bottom) => {
            let strong = [Rank::Ace, Rank::Two, Rank::SmallJoker, Rank::BigJoker];
            for (position, rank) in strong.into_iter().enumerate() {
                each(HAND + 8 + position, amount(bottom, rank));
            }
        }
    }
    each(HAND + 12, f32::from(knowledge.doubled));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_stay_apart() {
        let mut seen = [0u32; FEATURES];
        let mut count = |feature: usize, _| seen[feature] += 1;
        for_each_feature(Hand::DECK, HandValue { sum: 3, rounds: 2 }, &mut count);
        assert!(seen[..HAND].iter().all(|times| *times == 1), "{seen:?}");
        assert!(seen[HAND..FEATURES - 1].iter().all(|times| *times == 0), "{seen:?}");
        assert_eq!(seen[FEATURES - 1], 1);
        let mut known = [0.0; FEATURES];
        let knowledge = Knowledge { position: Some(2), bid: Some(3), bottom: Some(Hand::ROCKET), doubled: 2 };
        for_each_known(&knowledge, &mut |feature, amount| known[feature] += amount);
        assert_eq!(known[HAND..], [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 0.0]);
        assert!(known[..HAND].iter().all(|amount| *amount == 0.0));
    }
}
