//! x
pub mod cards;
pub mod game;
pub mod groups;
pub mod strategy;
pub mod arena;
