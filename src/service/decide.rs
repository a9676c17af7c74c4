//! `Decide`: the play of one turn.

use crate::strategy::Scratch;

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
    let (decision, elapsed) =
        turn.think(deadline, scratch, |strategy, situation, thinking| strategy.decide(situation, thinking));

    let Turn { player, situation, suits, .. } = &turn;
    player.metrics.record(situation.role(), situation.is_lead(), &decision.play, decision.cost, elapsed);
    Ok(proto::DecideResponse {
        request_id: request.request_id.clone(),
        play: Some(convert::play(&decision.play, suits)),
        strategy: player.strategy.name().to_owned(),
        evaluation: Some(decision.evaluation.into()),
        cost: Some(convert::cost(decision.cost, elapsed)),
    })
}
