//! x
pub mod cards;
pub mod game;
pub mod groups;
pub mod strategy;
#[cfg(feature = "train")]
pub mod train;
