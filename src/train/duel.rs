//! Matches of the arena between players that are no part of the registry: how a run is watched, and how two
//! files of weights are told apart.

use std::sync::Arc;

use crate::arena::{Match, MatchResult, Player};
use crate::game::Situation;
use crate::groups::RuleSet;
use crate::strategy::{Decision, Strategy, Thinking};

/// What a player may be told less than everything.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Told {
    /// The minimal situation.
    Minimal,
    /// That, and how many cards everyone holds.
    Counts,
}

/// A player that is told less than everything.
pub struct Uninformed {
    /// Who decides.
    pub strategy: Arc<dyn Strategy>,
    /// What it is told.
    pub told: Told,
}

impl Strategy for Uninformed {
    fn name(&self) -> &'static str {
        "uninformed"
    }

    fn decide(&self, situation: &Situation, thinking: &mut Thinking<'_>) -> Decision {
        let situation = match self.told {
            Told::Minimal => situation.minimal(),
            Told::Counts => situation.without_history(),
        };
        self.strategy.decide(&situation, thinking)
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
