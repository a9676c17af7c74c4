//! The gRPC service: from bytes to a decision and back. Knows the game and the strategies, which know nothing of it.
//!
//! A call flows in one direction: [`connection`](self) → [`front`](self) (method, limits, deadline, metrics) → the
//! generated server (bytes to message) → [`Decider`] and one file per RPC (message to domain, strategy, and back).
//!
//! * [`proto`]: the generated messages, and their JSON form.
//! * [`Decider`]: answers requests, in a server or within a process that wants no server.
//! * [`Refusal`]: why a call gets no answer; the one place that makes gRPC statuses.
//! * [`serve`] and [`run`]: the server, on given sockets or as a whole process.

mod bid;
mod body;
mod classify_play;
mod compute;
mod connection;
mod convert;
mod deadline;
mod decide;
mod decider;
mod double;
mod errors;
mod evaluate_hand;
mod executor;
mod front;
mod handler;
mod health;
pub mod proto;
mod rank_plays;
mod self_test;
mod server;
mod signals;
mod tls;
mod tokens;
mod turn;
mod turns;
mod watched;
mod web;
mod wire;

pub use body::MAX_REQUEST_BYTES;
pub use convert::{LONGEST_REQUEST_ID, LONGEST_TIME_BUDGET};
pub use deadline::Deadline;
pub use decider::Decider;
pub use errors::Refusal;
pub use health::LIVENESS;
pub use self_test::SelfTestFailed;
pub use server::{ServeError, Sockets, run, serve};
pub use watched::BadFile;
