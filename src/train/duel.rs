//! Matches of the arena between players that are no part of the registry: how a run is watched, and how two
//! files of weights are told apart.

use std::sync::Arc;

use crate::arena::{Match, MatchResult, Player};
use crate::game::Situation;
use crate::groups::RuleSet;
use crate::strategy::{Decision, Strategy, Thinking};

/// A player that is told nothing but the minimal situation.
pub struct Minimal(pub Arc<dyn Strategy>);

impl Strategy for Minimal {
    fn name(&self) -> &'static str {
        "minimal"
    }

    fn decide(&self, situation: &Situation, thinking: &mut Thinking<'_>) -> Decision {
        self.0.decide(&situation.minimal(), thinking)
    }
}

/// A match between two strategies that do not search, on duplicate decks.
#[must_use]
pub fn duel(
    a: Arc<dyn Strategy>,
    b: Arc<dyn Strategy>,
    decks: u64,
    seed: u64,
    threads: usize,
) -> MatchResult {
    let (a, b) = (Player::new(a), Player::new(b));
    Match { a, b, decks, seed, threads, rules: RuleSet::default() }.play(&|_| {})
}
