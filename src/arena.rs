//! Measuring strength. Knows the strategies.
//!
//! * [`Player`]: a strategy and how long it may think.
//! * [`Match`]: A against B on duplicate decks, on all cores; [`MatchResult`] is what it found.
//! * [`Args`]: the command line of `doudizhu arena`.
//!
//! The protocol is DouZero's (Zha et al., ICML 2021, section 5.1): every deck is played twice with the sides
//! swapped, WP is the share of games won, ADP the mean number of points won by a side, where the landlord's
//! stake is 2, each peasant's is 1, and every bomb or rocket played doubles. There is no auction and no
//! spring. Everything a match reports but its decision times depends on its seed alone.

mod command;
mod duplicate;
mod game;
mod player;
mod report;
mod seeds;
mod statistics;
mod workers;

pub use command::{Args, ArenaError, run};
pub use duplicate::{Match, MatchResult};
pub use game::{GameRecord, Tally, play_game};
pub use player::{Allowance, ParseAllowanceError, Player, UnknownPlayer};
pub use report::{Report, text_report};
pub use seeds::derive_seed;
pub use statistics::{Estimate, PairedSum, Times};
pub use workers::{Progress, for_each_index};
