//! x
pub mod cards;
pub mod groups;
