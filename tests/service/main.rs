//! The real server on a real socket, and clients of every kind.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod auction;
mod bad_input;
mod certificates;
mod cli;
#[path = "../fuzz/connections.rs"]
mod connections;
mod fuzz;
mod harness;
mod health;
mod life;
mod limits;
#[path = "../fuzz/messages.rs"]
mod messages;
mod metrics;
#[cfg(feature = "otlp")]
mod otlp;
mod public_cases;
#[path = "../core/reported.rs"]
mod reported;
mod rpc;
mod searching;
mod settings;
mod tls;
mod tokens;
mod web;
