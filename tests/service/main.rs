//! The real server on a real socket, and clients of every kind.

mod bad_input;
mod fuzz;
mod harness;
mod health;
mod life;
mod limits;
mod metrics;
mod rpc;
mod settings;
