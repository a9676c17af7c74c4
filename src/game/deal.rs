use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::cards::{Hand, Rank};

use super::{PerRole, Role};

/// A seeded source of random numbers, the same on every platform and in every version: the arena's decks, a
/// strategy's chance moves and training data must be reproducible from their seed.
#[derive(Clone, Debug)]
pub struct Dice(Xoshiro256PlusPlus);

impl Dice {
    /// The dice of `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Dice {
        Dice(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number in `0..bound`; 0 if `bound` is 0. The bias of the multiplication method is below 2⁻³² here.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// A number in `0.0..1.0`.
    #[inline]
    pub fn fraction(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Puts `items` into random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// A shuffled deck dealt to three seats, before it is known who the landlord is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shuffle {
    /// The 17 cards of each seat. Seats are numbered in the order of play.
    pub seats: [Hand; 3],
    /// The three bottom cards (底牌).
    pub bottom: Hand,
}

impl Shuffle {
    /// Shuffles a deck and deals it.
    #[must_use]
    pub fn new(dice: &mut Dice) -> Shuffle {
        let mut deck: Vec<Rank> = Hand::DECK.ranks().collect();
        dice.shuffle(&mut deck);
        let pile = |cards: &[Rank]| cards.iter().fold(Hand::EMPTY, |hand, rank| hand + Hand::of(*rank, 1));
        Shuffle {
            seats: [pile(&deck[..17]), pile(&deck[17..34]), pile(&deck[34..51])],
            bottom: pile(&deck[51..]),
        }
    }

    /// The part that `seat` has when the landlord sits at `landlord`.
    #[must_use]
    pub fn role(seat: usize, landlord: usize) -> Role {
        Role::ALL[(seat + Role::ALL.len() - landlord % Role::ALL.len()) % Role::ALL.len()]
    }

    /// Who holds what when `landlord`, 0 … 2, has taken the bottom cards.
    #[must_use]
    pub fn deal(&self, landlord: usize) -> Deal {
        let seat = |role: Role| self.seats[(landlord + role as usize) % Role::ALL.len()];
        let mut hands = PerRole(Role::ALL.map(seat));
        hands[Role::Landlord] = hands[Role::Landlord] + self.bottom;
        Deal { hands, bottom: self.bottom }
    }
}

/// Who holds what when the game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deal {
    /// The three hands; the landlord's holds the bottom cards.
    pub hands: PerRole<Hand>,
    /// The three bottom cards (底牌).
    pub bottom: Hand,
}

/// Deals a shuffled deck: 17 cards a seat, and the three bottom cards to the landlord.
#[must_use]
pub fn deal(dice: &mut Dice) -> Deal {
    Shuffle::new(dice).deal(0)
}
