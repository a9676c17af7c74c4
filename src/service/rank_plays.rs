//! `RankPlays`: all legal plays of one turn, best first.

use crate::strategy::Scratch;

use super::convert;
use super::deadline::Deadline;
use super::turn::Turn;
use super::{Decider, Refusal, proto};

pub(super) fn answer(
    decider: &Decider,
    request: &proto::RankPlaysRequest,
    deadline: &Deadline,
    scratch: &mut Scratch,
) -> Result<proto::RankPlaysResponse, Refusal> {
    let turn = Turn::read(decider, &request.into())?;
    let (ranking, elapsed) =
        turn.think(deadline, scratch, |strategy, situation, thinking| strategy.rank(situation, thinking));

    let most = if request.limit == 0 { usize::MAX } else { request.limit as usize };
    let plays = ranking.plays.iter().take(most).map(|ranked| convert::ranked_play(ranked, &turn.suits));
    Ok(proto::RankPlaysResponse {
        request_id: request.request_id.clone(),
        plays: plays.collect(),
        legal_plays: ranking.plays.len() as u32,
        strategy: turn.player.strategy.name().to_owned(),
        cost: Some(convert::cost(ranking.cost, elapsed)),
    })
}
