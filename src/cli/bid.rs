use std::fmt::Write as _;

use doudizhu::service::proto::{self, BidRequest, BidResponse, BidThresholds};

use super::backend::{BackendArgs, show};
use super::values::{Cards, cards};
use super::{Failure, print};

/// Decide what to say in the auction.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The 17 cards of the player to speak.
    #[arg(long, value_name = "CARDS", value_parser = cards)]
    hand: Cards,

    /// Call and rob (叫地主, 抢地主) instead of bidding points (叫分).
    #[arg(long)]
    call_and_rob: bool,

    /// What was said so far, from the first to speak on: pass, 1, 2, 3, call, rob.
    #[arg(long, value_name = "BIDS", value_delimiter = ',', value_parser = bid)]
    bids: Vec<proto::Bid>,

    /// Expected points from which on to bid 1, 2, 3 [default: the fitted ones].
    #[arg(long, value_name = "P,P,P", value_delimiter = ',', num_args = 1, allow_negative_numbers = true)]
    thresholds: Vec<f32>,

    #[command(flatten)]
    backend: BackendArgs,
}

fn bid(text: &str) -> Result<proto::Bid, String> {
    let (kind, points) = match text.trim() {
        "pass" | "0" => (proto::BidType::Pass, 0),
        "1" => (proto::BidType::Points, 1),
        "2" => (proto::BidType::Points, 2),
        "3" => (proto::BidType::Points, 3),
        "call" => (proto::BidType::Call, 0),
        "rob" => (proto::BidType::Rob, 0),
        _ => return Err("one of pass, 1, 2, 3, call, rob".to_owned()),
    };
    Ok(proto::Bid { r#type: kind as i32, points })
}

pub(super) fn run(args: Args) -> Result<(), Failure> {
    let rules = if args.call_and_rob { proto::AuctionRules::CallAndRob } else { proto::AuctionRules::Points };
    let threshold = |points: usize| args.thresholds.get(points - 1).copied();
    let request = BidRequest {
        request_id: String::new(),
        hand: args.hand.0,
        auction_rules: rules as i32,
        bids: args.bids.clone(),
        thresholds: Some(BidThresholds {
            one_point: threshold(1),
            two_points: threshold(2),
            three_points: threshold(3),
            call: None,
            rob: None,
        }),
    };
    show(&args.backend.ask(request)?, args.backend.json, |response: &BidResponse, text| {
        let bid = response.bid.unwrap_or_default();
        let said = match bid.r#type() {
            proto::BidType::Points => bid.points.to_string(),
            kind => kind.as_str_name().trim_start_matches("BID_TYPE_").to_lowercase(),
        };
        writeln!(text, "bid      {said}")?;
        response.outlook.as_ref().map_or(Ok(()), |outlook| print::outlook(outlook, "as landlord", text))
    })
}
