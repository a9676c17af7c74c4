use std::fmt::Write as _;

use doudizhu::service::proto::{self, DoubleRequest, DoubleResponse};

use super::backend::{BackendArgs, show};
use super::values::{Cards, cards, role};
use super::{Failure, print};

/// Decide whether to double the stakes before play.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The cards of the player who decides: 20 for the landlord, 17 for a peasant.
    #[arg(long, value_name = "CARDS", value_parser = cards)]
    hand: Cards,

    /// The seat of the player who decides: landlord, peasant_after or peasant_before.
    #[arg(long, value_name = "ROLE", value_parser = role)]
    role: proto::Role,

    /// The landlord's bid, 1 … 3.
    #[arg(long, value_name = "N")]
    bid: Option<u32>,

    /// The three bottom cards (底牌).
    #[arg(long, value_name = "CARDS", value_parser = cards)]
    bottom_cards: Option<Cards>,

    /// How many of the others have doubled.
    #[arg(long, value_name = "N", default_value_t = 0)]
    doubled: u32,

    /// Expected points from which on to double [default: the fitted ones].
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true)]
    threshold: Option<f32>,

    #[command(flatten)]
    backend: BackendArgs,
}

pub(super) fn run(args: Args) -> Result<(), Failure> {
    let request = DoubleRequest {
        request_id: String::new(),
        hand: args.hand.0,
        role: args.role as i32,
        bid: args.bid,
        bottom_cards: args.bottom_cards.map(|cards| cards.0).unwrap_or_default(),
        doubled: args.doubled,
        threshold: args.threshold,
    };
    show(&args.backend.ask(request)?, args.backend.json, |response: &DoubleResponse, text| {
        writeln!(text, "double   {}", if response.doubles { "yes" } else { "no" })?;
        response.outlook.as_ref().map_or(Ok(()), |outlook| print::outlook(outlook, "as this player", text))
    })
}
