//! The arena: matches, statistics, reports, and the command line.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod command;
mod matches;
mod statistics;
