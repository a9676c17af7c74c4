use crate::game::Situation;
use crate::groups::Play;

use super::rhcp::Values;
use super::{Cost, Decision, Evaluation, HandValue, Scratch};

/// A legal play, and what is thought of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedPlay {
    /// The play.
    pub play: Play,
    /// What is thought of it.
    pub evaluation: Evaluation,
}

/// All legal plays of a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    /// The plays, best first.
    pub plays: Vec<RankedPlay>,
    /// What it cost to rank them.
    pub cost: Cost,
}

/// The play of `decision` first, the others by the score of the hand that they leave. A pass leaves the whole hand
/// and costs a round. Among equals the play of lower strength comes first, which keeps the better cards.
pub(super) fn by_rest(decision: Decision, situation: &Situation, scratch: &mut Scratch) -> Ranking {
    let mut values = Values::new(situation.rules(), scratch);
    let mut ranked = Vec::new();
    situation.for_each_play(|play| {
        let rest = values.of(situation.hand() - play.cards());
        let lost_round = if play == Play::Pass { HandValue::ROUND_COST } else { 0 };
        ranked.push((rest, rest.score() - lost_round, play));
    });
    ranked
        .sort_by_key(|(_, score, play)| (*play != decision.play, std::cmp::Reverse(*score), strength(play)));
    let plays = ranked.into_iter().map(|(rest, _, play)| RankedPlay {
        play,
        evaluation: if play == decision.play {
            decision.evaluation
        } else {
            Evaluation { rest: Some(rest), ..Evaluation::default() }
        },
    });
    Ranking { plays: plays.collect(), cost: decision.cost + values.cost() }
}

/// An order of all plays: passes, then by type, strength, length and cards.
fn strength(play: &Play) -> (u8, u8, u8, u64) {
    let group = play.group();
    (
        group.map_or(0, |group| group.kind() as u8),
        group.map_or(0, |group| group.main_rank().value()),
        group.map_or(0, |group| group.links()),
        play.cards().bits(),
    )
}
