//! The `rhcp` strategy: the hand evaluator of the series 斗地主AI算法 (九日王朝, chapters 1–16), memoised.
//!
//! A hand is worth the sum of the values of its groups, and every group costs one round of 7 points. The value
//! of a hand is found by asking again and again what it would lead; what it would lead is the play whose rest is
//! worth most. The original works this out by plain recursion; here a memo table that belongs to one decision
//! makes it linear in the number of different sub-hands, which changes no decision.
//!
//! Three faults of the original are mended: the body that is played is the one that was evaluated, planes with
//! pairs keep their type, and all groups are groups of the rule set in force. Everything else decides as the
//! original does: it knows nothing of roles, partners or counts.

use crate::game::Situation;
use crate::groups::Play;

use super::{Cost, Decision, Evaluation, Strategy, Thinking};

mod evaluator;
mod follow;
mod memo;
mod value;

pub use evaluator::Evaluator;
pub use memo::Memo;
pub use value::group_value;

/// The strategy; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rhcp;

impl Strategy for Rhcp {
    fn name(&self) -> &'static str {
        "rhcp"
    }

    fn decide(&self, situation: &Situation, thinking: &mut Thinking<'_>) -> Decision {
        let mut evaluator = Evaluator::new(&mut thinking.scratch.memo, situation.rules());
        let play = match situation.to_beat() {
            None => evaluator.lead(situation.hand()).map_or(Play::Pass, Play::Group),
            Some(table) => follow::follow(&mut evaluator, situation.hand(), table),
        };
        let rest = evaluator.value(situation.hand() - play.cards());
        Decision {
            play,
            evaluation: Evaluation { rest: Some(rest), win_probability: None },
            cost: evaluator.cost(),
        }
    }
}
