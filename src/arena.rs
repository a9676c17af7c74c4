//! Measuring strength. Knows the strategies, and the service as a client.
//!
//! * [`Player`]: a strategy and how long it may think; a [`Remote`] one is behind a server.
//! * [`Match`]: A against B on duplicate decks, on all cores; [`Report`] is what it found.
//! * [`RoundRobin`]: every player against every other one; [`Standings`] rates them on Elo's scale.
//! * [`html_report`]: the same as a web page.
//! * [`bids`]: fits and measures the estimates on which bids and doubles rest.
//! * [`verify()`]: random games in which generator, recogniser and referee must agree.
//! * [`Args`] and [`run`]: the command line of `doudizhu arena`.
//!
//! The protocol is DouZero's (Zha et al., ICML 2021, section 5.1): every deck is played twice with the sides
//! swapped, WP is the share of games won, ADP the mean number of points won by a side, where the landlord's
//! stake is 2, each peasant's is 1, and every bomb or rocket played doubles. There is no auction and no
//! spring. Everything a match reports but its decision times depends on its seed alone.

pub mod bids;
mod command;
mod duplicate;
mod game;
mod html;
mod player;
mod progress;
mod ratings;
mod remote;
mod report;
mod round_robin;
mod seeds;
mod statistics;
mod verify;
mod workers;

pub use command::{ArenaError, Args, run};
pub use duplicate::{Match, MatchResult};
pub use game::{Tally, landlord_points, play_game};
pub use html::html_report;
pub use player::{Allowance, ParseAllowanceError, Player, UnknownPlayer};
pub use ratings::{Pairing, elo_ratings};
pub use remote::{NoRemote, Remote};
pub use report::{Both, DecisionTimes, Report, Side, text_report};
pub use round_robin::{RoundRobin, Standing, Standings, text_standings};
pub use seeds::derive_seed;
pub use statistics::{Estimate, PairedSum, Times};
pub use verify::{Verification, text_verification, verify};
pub use workers::{Progress, for_each_index};
