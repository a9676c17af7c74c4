//! `Decide`: the play of one turn.

use std::time::Instant;

use crate::strategy::{Budget, Scratch, Thinking};

use super::convert::{self, Reader};
use super::deadline::Deadline;
use super::{Decider, Refusal, proto};

pub(super) fn answer(
    decider: &Decider,
    request: &proto::DecideRequest,
    deadline: Deadline,
    scratch: &mut Scratch,
) -> Result<proto::DecideResponse, Refusal> {
    let mut reader = Reader::default();
    reader.request_id(&request.request_id);
    let player = decider.player(&request.strategy);
    if player.is_none() {
        let known = decider.strategies().join(", ");
        reader.refuse("strategy", format!("is unknown: this server has {known}"));
    }
    let budget = reader.time_budget(request.time_budget);
    let situation = match &request.situation {
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

    let start = Instant::now();
    let until = deadline.think_until(start, budget.unwrap_or(decider.time_budget));
    let is_spent = move || Instant::now() >= until;
    let mut thinking =
        Thinking { seed: request.seed, budget: Budget { is_spent: &is_spent, iterations: None }, scratch };
    let decision = player.strategy.decide(&situation, &mut thinking);
    let elapsed = start.elapsed();

    player.metrics.record(situation.role(), situation.is_lead(), &decision.play, decision.cost, elapsed);
    Ok(proto::DecideResponse {
        request_id: request.request_id.clone(),
        play: Some(convert::play(&decision.play, &suits)),
        strategy: player.strategy.name().to_owned(),
        evaluation: Some(decision.evaluation.into()),
        cost: Some(convert::cost(decision.cost, elapsed)),
    })
}
