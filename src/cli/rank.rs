use std::fmt::Write as _;

use doudizhu::service::proto::{RankPlaysRequest, RankPlaysResponse};

use super::backend::{BackendArgs, show};
use super::turn::{TurnArgs, TurnFields};
use super::{Failure, print};

/// List the legal plays of one turn, best first.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    turn: TurnArgs,

    /// How many plays to list at most; 0 for all.
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: u32,

    #[command(flatten)]
    backend: BackendArgs,
}

pub(super) fn run(args: Args) -> Result<(), Failure> {
    let request = args.turn.request(|fields| {
        let TurnFields { situation, strategy, time_budget, search_iterations, seed } = fields;
        let limit = args.limit;
        RankPlaysRequest {
            request_id: String::new(),
            situation,
            strategy,
            time_budget,
            search_iterations,
            seed,
            limit,
        }
    })?;
    show(&args.backend.ask(request)?, args.backend.json, |response: &RankPlaysResponse, text| {
        for ranked in &response.plays {
            writeln!(text, "{}", print::ranked_play(ranked))?;
        }
        writeln!(text, "{} legal plays, ranked by {}", response.legal_plays, response.strategy)
    })
}
