use std::sync::Arc;
use std::time::{Duration, Instant};

use metrics::Counter;
use tokio::sync::Semaphore;

use crate::strategy::{Registry, Scratch, Strategy};
use crate::telemetry::metrics::{Metrics, StrategyMetrics};

use super::compute::{self, Panic};
use super::deadline::Deadline;
use super::{Refusal, bid, classify_play, decide, double, evaluate_hand, proto, rank_plays, self_test};

/// Answers requests. It holds the strategies and nothing of any request.
pub struct Decider {
    players: Vec<Player>,
    /// Position of the strategy that decides when a request names none.
    default: usize,
    /// How long a strategy may think when a request does not say.
    pub(super) time_budget: Duration,
    /// A permit for every thread that may search at the same time.
    pub(super) searches: Arc<Semaphore>,
    panics: Counter,
}

/// A strategy, and where its decisions are counted.
pub(super) struct Player {
    pub(super) strategy: Arc<dyn Strategy>,
    pub(super) metrics: StrategyMetrics,
}

impl Decider {
    /// A decider that offers the strategies of `registry`, decides by the one called `default` when a request
    /// names none, and then gives it `time_budget`; at most `searches` threads search at once. `None` if there is no strategy of that name.
    #[must_use]
    pub fn new(
        registry: &Registry,
        default: &str,
        time_budget: Duration,
        searches: usize,
        metrics: &Metrics,
    ) -> Option<Decider> {
        let players: Vec<Player> = registry
            .names()
            .filter_map(|name| registry.find(name))
            .map(|strategy| Player {
                strategy: Arc::clone(strategy),
                metrics: metrics.strategy(strategy.name()),
            })
            .collect();
        let default = players.iter().position(|player| player.strategy.name() == default)?;
        Some(Decider {
            players,
            default,
            time_budget,
            searches: Arc::new(Semaphore::new(searches)),
            panics: metrics.panics.clone(),
        })
    }

    /// The strategy called `name`, or the default one if that is empty.
    pub(super) fn player(&self, name: &str) -> Option<&Player> {
        if name.is_empty() {
            return self.players.get(self.default);
        }
        self.players.iter().find(|player| player.strategy.name() == name)
    }

    /// The names of all strategies.
    pub(super) fn strategies(&self) -> Vec<&'static str> {
        self.players.iter().map(|player| player.strategy.name()).collect()
    }

    /// Decides a turn.
    ///
    /// # Errors
    /// See [`Refusal`].
    pub fn decide(
        &self,
        request: &proto::DecideRequest,
        deadline: &Deadline,
    ) -> Result<proto::DecideResponse, Refusal> {
        self.answer("Decide", &request.request_id, deadline, |scratch| {
            decide::answer(self, request, deadline, scratch)
        })
    }

    /// Ranks the legal plays of a turn.
    ///
    /// # Errors
    /// See [`Refusal`].
    pub fn rank_plays(
        &self,
        request: &proto::RankPlaysRequest,
        deadline: &Deadline,
    ) -> Result<proto::RankPlaysResponse, Refusal> {
        self.answer("RankPlays", &request.request_id, deadline, |scratch| {
            rank_plays::answer(self, request, deadline, scratch)
        })
    }

    /// Decides what to say in the auction.
    ///
    /// # Errors
    /// See [`Refusal`].
    pub fn bid(
        &self,
        request: &proto::BidRequest,
        deadline: &Deadline,
    ) -> Result<proto::BidResponse, Refusal> {
        self.answer("Bid", &request.request_id, deadline, |scratch| bid::answer(request, scratch))
    }

    /// Decides whether to double the stakes.
    ///
    /// # Errors
    /// See [`Refusal`].
    pub fn double(
        &self,
        request: &proto::DoubleRequest,
        deadline: &Deadline,
    ) -> Result<proto::DoubleResponse, Refusal> {
        self.answer("Double", &request.request_id, deadline, |scratch| double::answer(request, scratch))
    }

    /// Tells how good a hand is.
    ///
    /// # Errors
    /// See [`Refusal`].
    pub fn evaluate_hand(
        &self,
        request: &proto::EvaluateHandRequest,
        deadline: &Deadline,
    ) -> Result<proto::EvaluateHandResponse, Refusal> {
        self.answer("EvaluateHand", &request.request_id, deadline, |scratch| {
            evaluate_hand::answer(request, scratch)
        })
    }

    /// Tells which group cards are.
    ///
    /// # Errors
    /// See [`Refusal`].
    pub fn classify_play(
        &self,
        request: &proto::ClassifyPlayRequest,
        deadline: &Deadline,
    ) -> Result<proto::ClassifyPlayResponse, Refusal> {
        self.answer("ClassifyPlay", &request.request_id, deadline, |_| classify_play::answer(request))
    }

    /// Has every strategy decide turns whose legal answers are known.
    pub(super) fn self_test(&self) -> Result<(), super::SelfTestFailed> {
        self.players.iter().try_for_each(|player| self_test::check(&*player.strategy))
    }

    fn answer<T>(
        &self,
        method: &'static str,
        request_id: &str,
        deadline: &Deadline,
        work: impl FnOnce(&mut Scratch) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        if deadline.has_passed(Instant::now()) {
            return Err(Refusal::DeadlinePassed);
        }
        compute::think(work).unwrap_or_else(|Panic(message)| {
            self.panics.increment(1);
            tracing::error!(method, request_id, panic = message, "a call panicked");
            Err(Refusal::Panicked)
        })
    }
}
