//! Seats, situations and the referee. Knows groups.
//!
//! * [`Role`]: the three seats, in the order of play.
//! * [`Situation`]: what the player to move knows; one that exists is free of contradictions.
//! * [`History`]: the public record of a game, which accepts only legal plays.
//! * [`Table`]: a whole game with all three hands; the referee of the arena and of training.
//! * [`deal()`] and [`Shuffle`]: hands from a seed.
//! * [`Auction`] and [`Doubling`]: who becomes landlord, and for what stakes.
//! * [`Outcome`]: how a game ended, and the points that it is worth.

mod auction;
mod deal;
mod doubling;
mod history;
mod role;
mod score;
mod situation;
mod table;

pub use auction::{Auction, AuctionRules, AuctionState, Bid, BidTurn, HIGHEST_BID, IllegalBid};
pub use deal::{Deal, Dice, Shuffle, deal};
pub use doubling::{Doubling, DoublingOver, DoublingRules};
pub use history::{History, IllegalPlay};
pub use role::{PerRole, Role};
pub use score::{Objective, Outcome, ScoreRules, Stakes};
pub use situation::{HistoryPlay, Situation, SituationInput, Violation};
pub use table::Table;
