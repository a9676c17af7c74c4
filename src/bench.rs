//! A deterministic signature of a strategy's play: what `doudizhu bench` prints and a test compares. Knows
//! strategies.
//!
//! A change that is meant to leave play as it is must leave the signature as it is. The clock stays with the
//! caller.

use crate::digest::fnv1a;
use crate::game::{Dice, Situation, Table, deal};
use crate::groups::RuleSet;
use crate::strategy::{Budget, Decision, Scratch, Strategy, Thinking};

/// The seed of the situations over which signatures are taken.
pub const SEED: u64 = 1;

/// How many these are.
pub const COUNT: usize = 10_000;

/// The first `count` situations of games that `player` plays against itself, dealt from `seed`: every second one
/// minimal, as a caller tells it who knows no more.
#[must_use]
pub fn situations(player: &dyn Strategy, seed: u64, count: usize) -> Vec<Situation> {
    let mut dice = Dice::new(seed);
    let mut scratch = Scratch::default();
    let mut situations = Vec::with_capacity(count);
    while situations.len() < count {
        let mut table = Table::new(&deal(&mut dice), RuleSet::default());
        while table.winner().is_none() && situations.len() < count {
            let situation = table.situation();
            situations.push(if situations.len() % 2 == 0 { situation.clone() } else { situation.minimal() });
            let mut thinking =
                Thinking { seed: dice.bits(), budget: Budget::IMMEDIATE, scratch: &mut scratch };
            let decision = player.decide(situation, &mut thinking);
            if table.play(decision.play).is_err() {
                // Not a player: the next game.
                break;
            }
        }
    }
    situations
}

/// The decision of `strategy` in `situation`, with the seed `0` and no search.
pub fn decide(strategy: &dyn Strategy, situation: &Situation, scratch: &mut Scratch) -> Decision {
    strategy.decide(situation, &mut Thinking { seed: 0, budget: Budget::IMMEDIATE, scratch })
}

/// A digest of what `strategy` plays in `situations`, in their order.
#[must_use]
pub fn signature(strategy: &dyn Strategy, situations: &[Situation]) -> u64 {
    let mut scratch = Scratch::default();
    fnv1a(situations.iter().flat_map(|situation| {
        let play = decide(strategy, situation, &mut scratch).play;
        let kind = play.group().map_or(0, |group| group.kind() as u8);
        play.cards().bits().to_le_bytes().into_iter().chain([kind])
    }))
}
