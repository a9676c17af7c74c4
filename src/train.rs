//! The trainer of the expert: self-play, learning, checkpoints. Not part of the service.
//!
//! * [`selfplay`]: games of the networks against themselves, as samples.
//! * [`learner`]: one role's network in floating point, its gradient and its optimiser.
//! * [`run`]: the loop over both, by a schedule counted in games.
//! * [`checkpoint`]: the state of a run on disk.
//! * [`curve`]: the learning curve, as a table and as a drawing.
//! * [`calibration`]: how true the stated win probabilities are.
//! * [`duel`]: matches on duplicate decks, to watch a run and compare weights.

pub mod calibration;
pub mod checkpoint;
pub mod curve;
pub mod duel;
pub mod learner;
pub mod run;
pub mod selfplay;
