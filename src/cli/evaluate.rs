use std::fmt::Write as _;

use doudizhu::service::proto::{EvaluateHandRequest, EvaluateHandResponse};

use super::backend::{BackendArgs, show};
use super::values::{Cards, RuleArgs, cards};
use super::{Failure, print};

/// Tell what a hand is worth and which groups it falls into.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The cards, 1 … 20.
    #[arg(long, value_name = "CARDS", value_parser = cards)]
    hand: Cards,

    #[command(flatten)]
    rules: RuleArgs,

    #[command(flatten)]
    backend: BackendArgs,
}

pub(super) fn run(args: Args) -> Result<(), Failure> {
    let request = EvaluateHandRequest {
        request_id: String::new(),
        hand: args.hand.0,
        rule_set: Some(args.rules.message()),
    };
    show(&args.backend.ask(request)?, args.backend.json, |response: &EvaluateHandResponse, text| {
        let value = response.value.as_ref().map(print::value).unwrap_or_default();
        writeln!(text, "value    {value}")?;
        for (position, group) in response.decomposition.iter().enumerate() {
            let label = if position == 0 { "groups" } else { "" };
            writeln!(text, "{label:<8} {}", print::group(group))?;
        }
        response.cost.as_ref().map_or(Ok(()), |cost| print::cost(cost, text))
    })
}
