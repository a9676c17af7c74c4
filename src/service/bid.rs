//! `Bid`: what to say in the auction.

use crate::cards::Hand;
use crate::game::{Auction, AuctionRules, Bid, Role};
use crate::strategy::Scratch;
use crate::strategy::bidding::{BidThresholds, Outlook, choose_bid};

use super::convert::Reader;
use super::{Refusal, proto};

pub(super) fn answer(
    request: &proto::BidRequest,
    scratch: &mut Scratch,
) -> Result<proto::BidResponse, Refusal> {
    let mut reader = Reader::default();
    reader.request_id(&request.request_id);
    // Before the auction is over every player has as many cards as a peasant.
    let hand = reader.dealt("hand", &request.hand, Role::PeasantAfter);
    let auction = reader.auction(request);
    let thresholds = reader.thresholds(request.thresholds.as_ref());
    let turn = auction.as_ref().and_then(Auction::turn);
    if auction.is_some() && turn.is_none() {
        reader.refuse("bids", "the auction is over: nobody is to speak");
    }
    reader.finish()?;
    // Whatever is absent here has been refused above.
    let decision = choose_bid(hand.unwrap_or(Hand::EMPTY), &turn.unwrap_or_default(), &thresholds, scratch);
    Ok(proto::BidResponse {
        request_id: request.request_id.clone(),
        bid: Some(decision.bid.into()),
        outlook: Some(decision.outlook.into()),
    })
}

impl Reader {
    /// The auction so far, if every bid is allowed.
    fn auction(&mut self, request: &proto::BidRequest) -> Option<Auction> {
        let rules = match request.auction_rules() {
            proto::AuctionRules::Unspecified | proto::AuctionRules::Points => AuctionRules::Points,
            proto::AuctionRules::CallAndRob => AuctionRules::CallAndRob,
        };
        if proto::AuctionRules::try_from(request.auction_rules).is_err() {
            self.refuse("auction_rules", format!("{} is no kind of auction: 1 … 2", request.auction_rules));
        }
        let mut auction = Auction::new(rules);
        for (position, message) in request.bids.iter().enumerate() {
            let bid = self.bid(position, message)?;
            if auction.bid(bid).is_err() {
                let why = "is not allowed after what was said before";
                self.refuse(format_args!("bids[{position}]"), why);
                return None;
            }
        }
        Some(auction)
    }

    fn bid(&mut self, position: usize, message: &proto::Bid) -> Option<Bid> {
        let points = u8::try_from(message.points).ok();
        let bid = match proto::BidType::try_from(message.r#type) {
            Ok(proto::BidType::Points) => return self.points(position, points),
            Ok(proto::BidType::Pass) => Bid::Pass,
            Ok(proto::BidType::Call) => Bid::Call,
            Ok(proto::BidType::Rob) => Bid::Rob,
            Ok(proto::BidType::Unspecified) => {
                self.refuse(format_args!("bids[{position}].type"), "is missing");
                return None;
            }
            Err(_) => {
                let number = message.r#type;
                self.refuse(format_args!("bids[{position}].type"), format!("{number} is no bid: 1 … 4"));
                return None;
            }
        };
        if points != Some(0) {
            self.refuse(format_args!("bids[{position}].points"), "belongs to bids of points only");
            return None;
        }
        Some(bid)
    }

    fn points(&mut self, position: usize, points: Option<u8>) -> Option<Bid> {
        let points = points.filter(|points| (1..=crate::game::HIGHEST_BID).contains(points));
        if points.is_none() {
            self.refuse(format_args!("bids[{position}].points"), "is not 1, 2 or 3");
        }
        points.map(Bid::Points)
    }

    fn thresholds(&mut self, message: Option<&proto::BidThresholds>) -> BidThresholds {
        let mut thresholds = BidThresholds::default();
        let Some(message) = message else { return thresholds };
        let [one, two, three] = &mut thresholds.points;
        for (name, given, threshold) in [
            ("one_point", message.one_point, one),
            ("two_points", message.two_points, two),
            ("three_points", message.three_points, three),
            ("call", message.call, &mut thresholds.call),
            ("rob", message.rob, &mut thresholds.rob),
        ] {
            if let Some(given) = self.number(format_args!("thresholds.{name}"), given) {
                *threshold = given;
            }
        }
        thresholds
    }
}

impl From<Bid> for proto::Bid {
    fn from(bid: Bid) -> proto::Bid {
        let (kind, points) = match bid {
            Bid::Pass => (proto::BidType::Pass, 0),
            Bid::Points(points) => (proto::BidType::Points, points),
            Bid::Call => (proto::BidType::Call, 0),
            Bid::Rob => (proto::BidType::Rob, 0),
        };
        proto::Bid { r#type: kind as i32, points: u32::from(points) }
    }
}

impl From<Outlook> for proto::Outlook {
    fn from(outlook: Outlook) -> proto::Outlook {
        proto::Outlook { win_probability: outlook.win_probability, expected_points: outlook.points }
    }
}
