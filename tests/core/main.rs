//! The game core and the strategies, as a library.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod auction;
mod bidding;
mod cards;
mod classic;
mod expert;
mod generation;
mod groups;
mod layering;
mod levels;
mod public_cases;
mod reported;
mod rhcp;
mod rhcp_team;
mod score;
mod signature;
mod situation;
mod strategies;
mod support;
mod table;
