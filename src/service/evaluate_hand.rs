//! `EvaluateHand`: what a hand is worth, and the groups it falls into.

use std::time::Instant;

use crate::strategy::Scratch;
use crate::strategy::rhcp::evaluate;

use super::convert::{self, Reader};
use super::{Refusal, proto};

pub(super) fn answer(
    request: &proto::EvaluateHandRequest,
    scratch: &mut Scratch,
) -> Result<proto::EvaluateHandResponse, Refusal> {
    let mut reader = Reader::default();
    reader.request_id(&request.request_id);
    let rules = reader.rule_set("rule_set", request.rule_set.as_ref());
    let hand = reader.pile("hand", &request.hand);
    reader.finish()?;
    let (hand, cards) = hand.unwrap_or_default();

    let start = Instant::now();
    let evaluation = evaluate(hand, rules, scratch);
    let elapsed = start.elapsed();

    Ok(proto::EvaluateHandResponse {
        request_id: request.request_id.clone(),
        value: Some(evaluation.value.into()),
        decomposition: convert::deal_out(&evaluation.groups, cards),
        cost: Some(convert::cost(evaluation.cost, elapsed)),
    })
}
