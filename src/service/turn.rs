//! What the methods about a turn share: reading their requests, and thinking within their time.

use std::time::{Duration, Instant};

use crate::cards::SuitedHand;
use crate::game::Situation;
use crate::strategy::{Budget, Scratch, Strategy, Thinking};

use super::convert::Reader;
use super::deadline::Deadline;
use super::decider::Player;
use super::{Decider, Refusal, proto};

/// The fields that requests about a turn have in common.
pub(super) struct TurnRequest<'a> {
    pub(super) request_id: &'a str,
    pub(super) situation: Option<&'a proto::Situation>,
    pub(super) strategy: &'a str,
    pub(super) time_budget: Option<prost_types::Duration>,
    pub(super) seed: u64,
}

/// A turn to think about.
pub(super) struct Turn<'a> {
    pub(super) player: &'a Player,
    pub(super) situation: Situation,
    /// The suits of the hand.
    pub(super) suits: SuitedHand,
    seed: u64,
    budget: Duration,
}

impl<'a> Turn<'a> {
    /// Reads a request.
    pub(super) fn read(decider: &'a Decider, request: &TurnRequest<'_>) -> Result<Turn<'a>, Refusal> {
        let mut reader = Reader::default();
        reader.request_id(request.request_id);
        let player = decider.player(request.strategy);
        if player.is_none() {
            let known = decider.strategies().join(", ");
            reader.refuse("strategy", format!("is unknown: this server has {known}"));
        }
        let budget = reader.time_budget(request.time_budget);
        let situation = match request.situation {
            Some(situation) => reader.situation(situation),
            None => {
                reader.refuse("situation", "is missing");
                None
            }
        };
        reader.finish()?;
        // Whatever is absent here has been refused above.
        let (Some(player), Some((situation, suits))) = (player, situation) else {
            return Err(Refusal::Invalid(Vec::new()));
        };
        let budget = budget.unwrap_or(decider.time_budget);
        Ok(Turn { player, situation, suits, seed: request.seed, budget })
    }

    /// Has the strategy `think`, and tells how long it took.
    pub(super) fn think<T>(
        &self,
        deadline: Deadline,
        scratch: &mut Scratch,
        think: impl FnOnce(&dyn Strategy, &Situation, &mut Thinking<'_>) -> T,
    ) -> (T, Duration) {
        let start = Instant::now();
        let until = deadline.think_until(start, self.budget);
        let is_spent = move || Instant::now() >= until;
        let budget = Budget { is_spent: &is_spent, iterations: None };
        let mut thinking = Thinking { seed: self.seed, budget, scratch };
        let thought = think(&*self.player.strategy, &self.situation, &mut thinking);
        (thought, start.elapsed())
    }
}
