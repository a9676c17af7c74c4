//! Ranks, suits, cards and hands. Knows nothing else of the game.
//!
//! * [`Rank`]: 3 … 2, small joker, big joker; its number is the card value 3 … 17 of the Dou Dizhu literature.
//! * [`Card`]: a rank and, where the caller cares, a suit.
//! * [`Hand`]: how many cards of each rank, packed into one `u64`. Suits never matter to a decision, so
//!   everything that thinks works on hands.
//! * [`SuitedHand`]: the caller's own cards, from which the cards of an answer are taken.

mod card;
mod hand;
mod rank;
mod suited;

pub use card::{Card, ParseCardError, Suit, parse_cards};
pub use hand::{Hand, RankMask, Ranks};
pub use rank::Rank;
pub use suited::SuitedHand;
