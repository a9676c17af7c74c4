//! The expert: three small networks, one a role, trained by self-play, that score every legal play.
//!
//! What is worked out by rate of change:
//!
//! * [`weights`]: the networks as a file; read once in the life of a process.
//! * [`facts`]: what the network may know of a turn, once a turn.
//! * [`features`]: facts and candidates as rows of the first layer.
//! * [`brain`]: a turn's sums, once a turn; each candidate's, once a candidate.
//! * [`network`], [`kernel`]: the arithmetic, in integers, the same on every processor.
//! * [`rounds`]: the fewest rounds of a hand.

use std::sync::Arc;

use crate::game::Situation;
use crate::groups::Play;

pub(crate) mod brain;
pub(crate) mod endgame;
pub(crate) mod facts;
pub(crate) mod features;
pub(crate) mod kernel;
pub(crate) mod network;
pub(crate) mod position;
pub(crate) mod rounds;
pub(crate) mod weights;

use brain::Brain;
use facts::Facts;
use kernel::Lane;
use weights::Weights;

pub use weights::BadWeights;

use super::{Cost, Decision, Evaluation, Strategy, Thinking};

/// The strongest player of this crate: the legal play with the highest win probability.
#[derive(Clone)]
pub struct Expert {
    weights: Arc<Weights>,
    lane: Lane,
}

impl Expert {
    /// The expert with the networks of a file of weights.
    ///
    /// # Errors
    /// The file is damaged or of another architecture.
    pub fn from_bytes(bytes: &[u8]) -> Result<Expert, BadWeights> {
        Ok(Expert { weights: Arc::new(Weights::read(bytes)?), lane: Lane::best() })
    }

    /// The expert with networks that are being trained.
    #[cfg(feature = "train")]
    pub(crate) fn from_brain(brain: Brain) -> Expert {
        Expert { weights: Arc::new(Weights { brain, record: String::new() }), lane: Lane::best() }
    }

    /// What the file of weights says of how they came about.
    #[must_use]
    pub fn training_record(&self) -> &str {
        &self.weights.record
    }

    pub(crate) fn brain(&self) -> &Brain {
        &self.weights.brain
    }
}

/// The play that puts down the whole hand, if there is one.
fn finish(situation: &Situation) -> Option<Play> {
    let mut finish = None;
    situation.for_each_play(|play| {
        if play.cards() == situation.hand() {
            finish = Some(play);
        }
    });
    finish
}

impl Strategy for Expert {
    fn name(&self) -> &'static str {
        "expert"
    }

    fn decide(&self, situation: &Situation, _thinking: &mut Thinking<'_>) -> Decision {
        let decision = |play, win_probability| Decision {
            play,
            evaluation: Evaluation { rest: None, win_probability: Some(win_probability) },
            cost: Cost::default(),
        };
        if let Some(play) = finish(situation) {
            return decision(play, 1.0);
        }
        let mut look = self.brain().look(&Facts::of(situation), self.lane);
        let mut best = None;
        situation.for_each_play(|play| {
            let outlook = look.at(&play);
            if best.is_none_or(|(win, _, _)| outlook.win > win) {
                best = Some((outlook.win, outlook, play));
            }
        });
        // A turn always has a legal play: a leader has a card to lead, a follower can pass.
        best.map_or(decision(Play::Pass, 0.0), |(_, outlook, play)| decision(play, outlook.probability()))
    }
}
