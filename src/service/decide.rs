//! `Decide`: the play of one turn.

use crate::strategy::{Decision, RankedPlay, Scratch};

use super::convert;
use super::deadline::Deadline;
use super::turn::Turn;
use super::{Decider, Refusal, proto};

pub(super) fn answer(
    decider: &Decider,
    request: &proto::DecideRequest,
    deadline: &Deadline,
    scratch: &mut Scratch,
) -> Result<proto::DecideResponse, Refusal> {
    let turn = Turn::read(decider, &request.into())?;
    let most = request.alternatives as usize;
    let ((decision, alternatives), elapsed) =
        turn.think(deadline, scratch, |strategy, situation, thinking| {
            if most == 0 {
                return (strategy.decide(situation, thinking), Vec::new());
            }
            let ranking = strategy.rank(situation, thinking);
            let mut plays = ranking.plays.into_iter();
            // A ranking begins with the decision.
            match plays.next() {
                Some(RankedPlay { play, evaluation }) => {
                    (Decision { play, evaluation, cost: ranking.cost }, plays.take(most).collect())
                }
                None => (strategy.decide(situation, thinking), Vec::new()),
            }
        });

    let Turn { player, situation, suits, .. } = &turn;
    player.metrics.record(situation.role(), situation.is_lead(), &decision.play, decision.cost, elapsed);
    Ok(proto::DecideResponse {
        request_id: request.request_id.clone(),
        play: Some(convert::play(&decision.play, suits)),
        strategy: player.strategy.name().to_owned(),
        evaluation: Some(decision.evaluation.into()),
        cost: Some(convert::cost(decision.cost, elapsed)),
        alternatives: alternatives.iter().map(|ranked| convert::ranked_play(ranked, suits)).collect(),
    })
}
