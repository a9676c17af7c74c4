use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::thread;
use std::time::Duration;

use tokio::runtime::Runtime;
use tonic::Code;
use tonic::transport::{Channel, Endpoint};

use crate::cards::{Hand, Rank};
use crate::game::Situation;
use crate::groups::{GroupType, Play, recognise};
use crate::service::proto::{self, decision_service_client::DecisionServiceClient};
use crate::strategy::{Decision, Evaluation, Strategy, Thinking};

use super::Allowance;

/// A player behind a server that speaks this crate's API.
///
/// It is named by the server's address and, after a slash, the strategy asked for: `grpc://host:50051/rhcp`.
#[derive(Debug)]
pub struct Remote {
    label: String,
    strategy: String,
    allowance: Allowance,
    runtime: Runtime,
    channel: Channel,
    /// Calls that got no answer to play.
    failures: AtomicU64,
    first_failure: OnceLock<String>,
    /// One client for each thread that has asked so far and is not asking now.
    clients: Mutex<Vec<DecisionServiceClient<Channel>>>,
}

/// Why there is no such player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{address}: {reason}")]
pub struct NoRemote {
    address: String,
    reason: String,
}

/// How a remote player's name begins.
pub(super) const SCHEME: &str = "grpc://";

/// How long a server may be silent.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Attempts after the first, for calls that a busy or restarting server turned away.
const RETRIES: u32 = 5;
const RETRY_DELAY: Duration = Duration::from_millis(50);

impl Remote {
    /// The player at `address`, `grpc://host:port` and perhaps a slash and the name of a strategy. The
    /// connection is made when it is first asked.
    ///
    /// # Errors
    /// That is no address.
    pub fn new(address: &str, allowance: Allowance) -> Result<Remote, NoRemote> {
        let refuse = |reason: String| NoRemote { address: address.to_owned(), reason };
        let place = address.strip_prefix(SCHEME).ok_or_else(|| refuse(format!("begins with {SCHEME}")))?;
        let (host, strategy) = place.split_once('/').unwrap_or((place, ""));
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(|error| refuse(error.to_string()))?;
        let endpoint =
            Endpoint::from_shared(format!("http://{host}")).map_err(|error| refuse(error.to_string()))?;
        let channel = {
            // The connection's task lives on the runtime.
            let _inside = runtime.enter();
            endpoint.connect_timeout(TIMEOUT).timeout(TIMEOUT).tcp_nodelay(true).connect_lazy()
        };
        Ok(Remote {
            label: format!("{address}{allowance}"),
            strategy: strategy.to_owned(),
            allowance,
            runtime,
            channel,
            failures: AtomicU64::new(0),
            first_failure: OnceLock::new(),
            clients: Mutex::new(Vec::new()),
        })
    }

    /// The name under which results are reported.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The first reason why a turn got no answer, if one did.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        let first = self.first_failure.get()?;
        Some(format!("{} turns without an answer, the first: {first}", self.failures.load(Ordering::Relaxed)))
    }

    fn ask(&self, situation: &Situation, seed: u64) -> Result<Decision, String> {
        let request = proto::DecideRequest {
            request_id: String::new(),
            situation: Some(situation.into()),
            strategy: self.strategy.clone(),
            time_budget: match self.allowance {
                Allowance::Time(time) => prost_types::Duration::try_from(time).ok(),
                Allowance::Immediate | Allowance::Iterations(_) => None,
            },
            seed,
            search_iterations: match self.allowance {
                Allowance::Iterations(count) => Some(count),
                Allowance::Immediate | Allowance::Time(_) => None,
            },
            alternatives: 0,
        };
        let mut client = self.client();
        let mut attempt = 0;
        let answer = loop {
            let busy = |code| matches!(code, Code::ResourceExhausted | Code::Unavailable);
            match self.runtime.block_on(client.decide(request.clone())) {
                Ok(answer) => break Ok(answer.into_inner()),
                Err(status) if busy(status.code()) && attempt < RETRIES => {
                    attempt += 1;
                    thread::sleep(RETRY_DELAY * attempt);
                }
                Err(status) => break Err(format!("{:?}: {}", status.code(), status.message())),
            }
        };
        if let Ok(mut idle) = self.clients.lock() {
            idle.push(client);
        }
        read(&answer?, situation)
    }

    fn client(&self) -> DecisionServiceClient<Channel> {
        let idle = self.clients.lock().ok().and_then(|mut idle| idle.pop());
        idle.unwrap_or_else(|| DecisionServiceClient::new(self.channel.clone()))
    }
}

impl Strategy for Remote {
    fn name(&self) -> &'static str {
        "remote"
    }

    fn decide(&self, situation: &Situation, thinking: &mut Thinking<'_>) -> Decision {
        self.ask(situation, thinking.seed).unwrap_or_else(|error| {
            self.failures.fetch_add(1, Ordering::Relaxed);
            // Only the first one is told.
            let _ = self.first_failure.set(error);
            Decision { play: Play::Pass, evaluation: Evaluation::default(), cost: Default::default() }
        })
    }
}

/// The decision in `answer`. Whether it is legal is for the referee to say.
fn read(answer: &proto::DecideResponse, situation: &Situation) -> Result<Decision, String> {
    let group = answer.play.as_ref().ok_or("an answer without a play")?;
    let play = if group.r#type == proto::GroupType::Pass as i32 {
        Play::Pass
    } else {
        let rank = |card: &proto::Card| u8::try_from(card.rank).ok().and_then(Rank::from_value);
        let ranks: Option<Vec<Rank>> = group.cards.iter().map(rank).collect();
        let cards = ranks.and_then(Hand::from_ranks).ok_or("cards that are no cards of a deck")?;
        let named = GroupType::ALL.into_iter().find(|kind| *kind as i32 == group.r#type);
        recognise(cards, situation.rules(), named).map(Play::Group).map_err(|error| error.to_string())?
    };
    let stated = answer.evaluation.unwrap_or_default();
    let evaluation = Evaluation {
        rest: None,
        win_probability: stated.win_probability,
        expected_points: stated.expected_points,
    };
    Ok(Decision { play, evaluation, cost: Default::default() })
}
