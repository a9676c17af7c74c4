//! The game core and the strategies, as a library.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod auction;
mod cards;
mod classic;
mod expert;
mod generation;
mod groups;
mod layering;
mod public_cases;
mod rhcp;
mod score;
mod signature;
mod situation;
mod strategies;
mod support;
mod table;
