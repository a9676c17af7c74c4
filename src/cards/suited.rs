use super::{Card, Hand, Rank, Suit};

/// The cards of one hand with their suits: what the caller sent, and where the cards of an answer come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SuitedHand {
    /// Sorted by rank ascending; within a rank in the order in which cards are given away.
    cards: Vec<Card>,
}

impl SuitedHand {
    /// Wraps `cards`, in any order.
    #[must_use]
    pub fn new(mut cards: Vec<Card>) -> SuitedHand {
        cards.sort_unstable_by_key(|card| (card.rank, give_away_order(card.suit)));
        SuitedHand { cards }
    }

    /// The very cards that a play of `group` takes out of this hand, ascending by rank.
    ///
    /// Among equal ranks hearts go first, then spades, diamonds, clubs, and cards without a suit last, so
    /// that the same request always gets the same cards. Cards that are not in the hand are left out.
    #[must_use]
    pub fn take(&self, group: Hand) -> Vec<Card> {
        let mut taken = Vec::with_capacity(group.len());
        for rank in Rank::ALL {
            let of_rank = self.cards.iter().filter(|card| card.rank == rank);
            taken.extend(of_rank.take(group.count(rank) as usize).copied());
        }
        taken
    }
}

fn give_away_order(suit: Option<Suit>) -> u8 {
    match suit {
        Some(suit) => Suit::Hearts as u8 - suit as u8,
        None => Suit::ALL.len() as u8,
    }
}
