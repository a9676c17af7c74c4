use crate::game::{Auction, AuctionRules, AuctionState, Bid, BidTurn, ScoreRules, Shuffle, Stakes};
use crate::strategy::bidding::{BidThresholds, Knowledge, Model, series_bid};

use super::Record;

/// A kind of bidder.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bidder<'a> {
    /// The bids of the RHCP articles.
    Series,
    /// Bids by the estimate.
    Estimate(&'a BidThresholds),
}

/// What each seat of a deck expects as landlord.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expectations {
    /// By seat and by the highest bid when it speaks.
    at_turn: [[f32; 4]; 3],
    /// By seat, if it spoke first.
    first: [f32; 3],
}

impl Expectations {
    pub(super) fn new(model: &Model, record: &Record, rules: AuctionRules) -> Expectations {
        let expects = |seat: usize, highest: u8, position: usize| {
            let turn = BidTurn { rules, highest, position: Some(position as u8) };
            let knowledge = Knowledge::of_turn(&turn);
            model.outlook(record.shuffle.seats[seat], record.values[seat], &knowledge).points
        };
        Expectations {
            at_turn: [0, 1, 2].map(|seat| [0, 1, 2, 3].map(|highest| expects(seat, highest, seat))),
            first: [0, 1, 2].map(|seat| expects(seat, 0, 0)),
        }
    }

    /// What each seat would expect if it were the first to speak.
    pub(super) fn of_first(&self) -> [f32; 3] {
        self.first
    }

    fn points(&self, seat: usize, turn: &BidTurn) -> f32 {
        self.at_turn[seat][usize::from(turn.highest.min(3))]
    }
}

/// An auction that is over.
#[derive(Clone, Debug)]
pub(super) struct Settled {
    /// What each seat saw when it spoke, if it did.
    pub turns: Vec<(usize, BidTurn)>,
    /// The landlord's seat and the stake; `None` if everyone passed.
    pub landlord: Option<(usize, u32)>,
}

/// The auction of a deck among `bidders`.
pub(super) fn settle(
    record: &Record,
    expectations: &Expectations,
    rules: AuctionRules,
    bidders: [Bidder<'_>; 3],
) -> Settled {
    let mut auction = Auction::new(rules);
    let mut turns = Vec::with_capacity(4);
    loop {
        let seat = match auction.state() {
            AuctionState::Turn(seat) => seat,
            AuctionState::Landlord { seat, stake } => {
                return Settled { turns, landlord: Some((seat, stake)) };
            }
            AuctionState::AllPassed => return Settled { turns, landlord: None },
        };
        let turn = auction.turn().unwrap_or_default();
        turns.push((seat, turn));
        let bid = match bidders[seat] {
            Bidder::Series => series_bid(record.values[seat], &turn),
            Bidder::Estimate(thresholds) => thresholds.choose(expectations.points(seat, &turn), &turn),
        };
        if auction.bid(bid).is_err() && auction.bid(Bid::Pass).is_err() {
            return Settled { turns, landlord: None };
        }
    }
}

/// What `seat` won or lost on a deck whose auction ended like this; nothing if everyone passed.
pub(super) fn points(record: &Record, settled: &Settled, seat: usize) -> i64 {
    let Some((landlord, bid)) = settled.landlord else { return 0 };
    let stakes = Stakes { bid, ..Stakes::default() };
    record.outcomes[landlord].points(&stakes, ScoreRules::default())[Shuffle::role(seat, landlord)]
}

/// What a bidder wins on a deck against two of another kind, added up over the three seats it can have.
pub(super) fn points_against(
    record: &Record,
    expectations: &Expectations,
    rules: AuctionRules,
    one: Bidder<'_>,
    others: Bidder<'_>,
) -> i64 {
    (0..3)
        .map(|seat| {
            let mut bidders = [others; 3];
            bidders[seat] = one;
            points(record, &settle(record, expectations, rules, bidders), seat)
        })
        .sum()
}
