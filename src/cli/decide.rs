use std::fmt::Write as _;

use doudizhu::service::proto::{DecideRequest, DecideResponse};

use super::backend::{BackendArgs, show};
use super::turn::{TurnArgs, TurnFields};
use super::{Failure, print};

/// Decide what to play in one turn.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    turn: TurnArgs,

    /// How many of the other plays to show, best first.
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "request")]
    alternatives: u32,

    #[command(flatten)]
    backend: BackendArgs,
}

pub(super) fn run(args: Args) -> Result<(), Failure> {
    let request = args.turn.request(|fields| {
        let TurnFields { situation, strategy, time_budget, search_iterations, seed } = fields;
        DecideRequest {
            request_id: String::new(),
            situation,
            strategy,
            time_budget,
            search_iterations,
            seed,
            alternatives: args.alternatives,
        }
    })?;
    show(&args.backend.ask(request)?, args.backend.json, |response: &DecideResponse, text| {
        writeln!(text, "play     {}", response.play.as_ref().map(print::group).unwrap_or_default())?;
        let evaluation = response.evaluation.unwrap_or_default();
        if let Some(rest) = &evaluation.rest {
            writeln!(text, "rest     {}", print::value(rest))?;
        }
        if let Some(probability) = evaluation.win_probability {
            writeln!(text, "to win   {}", print::probability(probability))?;
        }
        if let Some(points) = evaluation.expected_points {
            writeln!(text, "points   {points:+.2}")?;
        }
        for ranked in &response.alternatives {
            writeln!(text, "or       {}", print::ranked_play(ranked))?;
        }
        writeln!(text, "decided  by {}", response.strategy)?;
        response.cost.as_ref().map_or(Ok(()), |cost| print::cost(cost, text))
    })
}
