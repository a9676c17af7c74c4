use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::game::Situation;
use crate::strategy::{ALONE, Budget, Decision, Registry, Scratch, Strategy, Thinking};

use super::remote::{NoRemote, Remote, SCHEME};

/// How long a player may think about one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Allowance {
    /// No search: the strategy's immediate answer.
    #[default]
    Immediate,
    /// So many iterations of the strategy's search, however long they take: the only kind of search whose
    /// results repeat with the seed.
    Iterations(u32),
    /// So much time by the clock.
    Time(Duration),
}

/// The text is no [`Allowance`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is neither a number of iterations (200) nor a time (20ms)")]
pub struct ParseAllowanceError(String);

impl FromStr for Allowance {
    type Err = ParseAllowanceError;

    fn from_str(text: &str) -> Result<Allowance, ParseAllowanceError> {
        let refuse = || ParseAllowanceError(text.to_owned());
        match text.strip_suffix("ms") {
            Some(milliseconds) => match milliseconds.parse::<u64>() {
                Ok(count) => Ok(Allowance::Time(Duration::from_millis(count))),
                Err(_) => Err(refuse()),
            },
            None => text.parse().map(Allowance::Iterations).map_err(|_| refuse()),
        }
    }
}

impl fmt::Display for Allowance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Allowance::Immediate => Ok(()),
            Allowance::Iterations(count) => write!(f, "@{count}"),
            Allowance::Time(time) => write!(f, "@{}ms", time.as_millis()),
        }
    }
}

/// A strategy at the table of the arena.
#[derive(Clone)]
pub struct Player {
    /// Who thinks.
    pub strategy: Arc<dyn Strategy>,
    /// How long it may.
    pub allowance: Allowance,
    /// The same strategy, if it is one behind a server.
    remote: Option<Arc<Remote>>,
}

/// The text names no player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownPlayer {
    /// The registry has no such strategy.
    #[error("there is no strategy {name:?}; there are {known}")]
    Strategy {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// What follows the `@` is no allowance.
    #[error(transparent)]
    Allowance(#[from] ParseAllowanceError),
    /// What begins like the address of a server is none.
    #[error(transparent)]
    Remote(#[from] NoRemote),
}

impl Player {
    /// A player of `strategy` that answers at once.
    #[must_use]
    pub fn new(strategy: Arc<dyn Strategy>) -> Player {
        Player { strategy, allowance: Allowance::Immediate, remote: None }
    }

    /// The player that `text` names: a strategy of `registry`, and after an `@` its allowance, as in
    /// `expert@200` (iterations) or `expert@20ms`. Or a [`Remote`] player: `grpc://host:50051/expert@20ms`.
    ///
    /// # Errors
    /// No such strategy or address, or no such allowance.
    pub fn parse(text: &str, registry: &Registry) -> Result<Player, UnknownPlayer> {
        let (name, allowance) = match text.split_once('@') {
            Some((name, allowance)) => (name, allowance.parse()?),
            None => (text, Allowance::Immediate),
        };
        if name.starts_with(SCHEME) {
            let remote = Arc::new(Remote::new(name, allowance)?);
            return Ok(Player { strategy: Arc::clone(&remote) as _, allowance, remote: Some(remote) });
        }
        let Some(strategy) = registry.find(name) else {
            let known = registry.names().collect::<Vec<_>>().join(", ");
            return Err(UnknownPlayer::Strategy { name: name.to_owned(), known });
        };
        Ok(Player { strategy: Arc::clone(strategy), allowance, remote: None })
    }

    /// The name under which results are reported: the one [`Player::parse`] reads.
    #[must_use]
    pub fn label(&self) -> String {
        match &self.remote {
            Some(remote) => remote.label().to_owned(),
            None => format!("{}{}", self.strategy.name(), self.allowance),
        }
    }

    /// Why a turn got no answer from a server, if one did: the player's results then mean nothing.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        self.remote.as_ref().and_then(|remote| remote.failure())
    }

    /// Asks for the play of one turn.
    pub fn decide(&self, situation: &Situation, seed: u64, scratch: &mut Scratch) -> Decision {
        match self.allowance {
            Allowance::Immediate => {
                self.strategy.decide(situation, &mut Thinking { seed, budget: Budget::IMMEDIATE, scratch })
            }
            Allowance::Iterations(count) => {
                let budget = Budget { is_spent: &|| false, iterations: Some(count), crew: ALONE };
                self.strategy.decide(situation, &mut Thinking { seed, budget, scratch })
            }
            Allowance::Time(time) => {
                let begin = Instant::now();
                let is_spent = || begin.elapsed() >= time;
                let budget = Budget { is_spent: &is_spent, iterations: None, crew: ALONE };
                self.strategy.decide(situation, &mut Thinking { seed, budget, scratch })
            }
        }
    }
}

impl fmt::Debug for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Player({})", self.label())
    }
}
