//! What the methods about a turn share: reading their requests, and thinking within their time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;

use crate::cards::SuitedHand;
use crate::game::Situation;
use crate::strategy::{Budget, Scratch, Strategy, Thinking};

use super::compute;
use super::convert::{LONGEST_TIME_BUDGET, Reader};
use super::deadline::Deadline;
use super::decider::Player;
use super::{Decider, Refusal, proto};

/// The fields that requests about a turn have in common.
pub(super) struct TurnRequest<'a> {
    pub(super) request_id: &'a str,
    pub(super) situation: Option<&'a proto::Situation>,
    pub(super) strategy: &'a str,
    pub(super) time_budget: Option<prost_types::Duration>,
    pub(super) search_iterations: Option<u32>,
    pub(super) seed: u64,
}

macro_rules! turn_request {
    ($message:ident) => {
        impl<'a> From<&'a proto::$message> for TurnRequest<'a> {
            fn from(request: &'a proto::$message) -> TurnRequest<'a> {
                TurnRequest {
                    request_id: &request.request_id,
                    situation: request.situation.as_ref(),
                    strategy: &request.strategy,
                    time_budget: request.time_budget,
                    search_iterations: request.search_iterations,
                    seed: request.seed,
                }
            }
        }
    };
}

turn_request!(DecideRequest);
turn_request!(RankPlaysRequest);

impl TurnRequest<'_> {
    /// How long the strategy may think, if the request is sound: by its time budget; or as long as the call may
    /// last, if it limits the search by iterations alone; or as long as the server's setting says.
    pub(super) fn budget(&self, decider: &Decider) -> Duration {
        match (self.time_budget.map(Duration::try_from), self.search_iterations) {
            (Some(Ok(budget)), _) => budget.min(LONGEST_TIME_BUDGET),
            (None, Some(_)) => LONGEST_TIME_BUDGET,
            (Some(Err(_)) | None, _) => decider.time_budget,
        }
    }

    /// Whether answering will take more than an instant.
    pub(super) fn searches(&self, decider: &Decider) -> bool {
        let player = decider.player(self.strategy);
        player.is_some_and(|player| player.strategy.searches())
            && self.search_iterations != Some(0)
            && !self.budget(decider).is_zero()
    }
}

/// A turn to think about.
pub(super) struct Turn<'a> {
    pub(super) player: &'a Player,
    pub(super) situation: Situation,
    /// The suits of the hand.
    pub(super) suits: SuitedHand,
    seed: u64,
    budget: Duration,
    iterations: Option<u32>,
    /// Threads for searches: where a search looks for idle ones to help it.
    searches: &'a Arc<Semaphore>,
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
        reader.time_budget(request.time_budget);
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
        Ok(Turn {
            player,
            situation,
            suits,
            seed: request.seed,
            budget: request.budget(decider),
            iterations: request.search_iterations,
            searches: &decider.searches,
        })
    }

    /// Has the strategy `think`, and tells how long it took.
    pub(super) fn think<T>(
        &self,
        deadline: &Deadline,
        scratch: &mut Scratch,
        think: impl FnOnce(&dyn Strategy, &Situation, &mut Thinking<'_>) -> T,
    ) -> (T, Duration) {
        let start = Instant::now();
        let until = deadline.think_until(self.budget);
        let is_spent = || Instant::now() >= until || deadline.is_cancelled();
        let crew = |wanted: usize, work: &(dyn Fn() + Sync)| compute::together(self.searches, wanted, work);
        let budget = Budget { is_spent: &is_spent, iterations: self.iterations, crew: &crew };
        let mut thinking = Thinking { seed: self.seed, budget, scratch };
        let thought = think(&*self.player.strategy, &self.situation, &mut thinking);
        (thought, start.elapsed())
    }
}
