//! Bidding and doubling: how a hand will fare, and what to say.
//!
//! A hand's [`Outlook`] is a fitted estimate: a logistic regression of the side's wins and a linear regression
//! of its points on what can be seen of the hand ([`features`]). It was fitted to games played to their end
//! from dealt hands, by the arena, which also measures how well it is calibrated; [`weights`] says from which
//! games, and by which command: with other weights of the player it is to be run again. No game is played and
//! nothing is searched here, so an answer takes microseconds.
//!
//! * [`choose_bid`]: what to say in the auction, never anything illegal.
//! * [`choose_double`]: whether to double (加倍).
//! * [`series_bid`]: the bid of the RHCP articles, for comparison.

mod features;
#[allow(clippy::approx_constant, reason = "a weight that is near to a constant of nature is not it")]
mod weights;

use crate::cards::{Hand, Rank};
use crate::game::{AuctionRules, Bid, BidTurn, HIGHEST_BID, Role};
use crate::groups::RuleSet;

use super::{HandValue, Scratch, rhcp};

pub use features::{FEATURES, Knowledge, for_each_feature, for_each_known};

/// What the cards of a player lead one to expect.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outlook {
    /// The probability, 0 … 1, that the player's side wins.
    pub win_probability: f32,
    /// The points that the player will win or lose on average in a game for one point a peasant: bombs and
    /// rockets double, bid and doubling are not counted in.
    pub points: f32,
}

impl Outlook {
    /// The same game seen by one peasant instead of by the landlord, who plays against two.
    #[must_use]
    pub fn of_peasant(self) -> Outlook {
        Outlook { win_probability: 1.0 - self.win_probability, points: -self.points / 2.0 }
    }
}

/// Weights of a regression of the landlord's result, both of wins (as log odds) and of points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    /// The weights by which the log odds of the landlord's winning are summed up.
    pub win: [f32; FEATURES],
    /// The weights by which the landlord's points are summed up.
    pub points: [f32; FEATURES],
}

impl Model {
    /// A model that knows nothing.
    pub const EMPTY: Model = Model { win: [0.0; FEATURES], points: [0.0; FEATURES] };

    /// What a hand whose value is `value` leads the landlord to expect.
    #[must_use]
    pub fn outlook(&self, hand: Hand, value: HandValue, knowledge: &Knowledge) -> Outlook {
        let (mut logit, mut points) = (0.0, 0.0);
        let mut add = |feature: usize, amount: f32| {
            logit += self.win[feature] * amount;
            points += self.points[feature] * amount;
        };
        for_each_feature(hand, value, &mut add);
        for_each_known(knowledge, &mut add);
        Outlook { win_probability: 1.0 / (1.0 + (-logit).exp()), points }
    }
}

/// Everything that was fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Models {
    /// The landlord's result from the 17 cards of a player who is to bid.
    pub bid: Model,
    /// The landlord's result from what each seat sees after the auction, in the order of [`Role::ALL`].
    pub double: [Model; 3],
    /// From what expectation on to bid.
    pub bid_thresholds: BidThresholds,
    /// From what expectation on to double.
    pub double_thresholds: DoubleThresholds,
}

impl Models {
    /// What this version of the crate was fitted to.
    pub const FITTED: Models = weights::FITTED;
}

/// The expected points, as landlord in a game for one point a peasant, from which on a player bids. They were
/// found by playing auctions with players who bid by such thresholds and with players who bid by the RHCP articles;
/// those for points among thresholds that leave 1 and 2 to about a tenth of the hands each, as is natural.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BidThresholds {
    /// For a bid of 1, 2 and 3 points.
    pub points: [f32; HIGHEST_BID as usize],
    /// To call (叫地主).
    pub call: f32,
    /// To rob (抢地主).
    pub rob: f32,
}

impl Default for BidThresholds {
    fn default() -> BidThresholds {
        Models::FITTED.bid_thresholds
    }
}

impl BidThresholds {
    /// What a player who expects `points` as landlord says at `turn`: the most that the thresholds support, and
    /// never anything illegal.
    #[must_use]
    pub fn choose(&self, points: f32, turn: &BidTurn) -> Bid {
        let candidates: [(Bid, f32); 3] = match turn.rules {
            AuctionRules::Points => {
                let [one, two, three] = self.points;
                [(Bid::Points(3), three), (Bid::Points(2), two), (Bid::Points(1), one)]
            }
            AuctionRules::CallAndRob => [(Bid::Rob, self.rob), (Bid::Call, self.call), (Bid::Pass, f32::MIN)],
        };
        let said = candidates.into_iter().find(|(bid, least)| points >= *least && turn.allows(*bid));
        said.map_or(Bid::Pass, |(bid, _)| bid)
    }
}

/// What to bid, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BidDecision {
    /// What to say. Always legal.
    pub bid: Bid,
    /// What to expect as landlord.
    pub outlook: Outlook,
}

/// What the holder of the 17 cards of `hand` says at `turn` of the auction.
#[must_use]
pub fn choose_bid(
    hand: Hand,
    turn: &BidTurn,
    thresholds: &BidThresholds,
    scratch: &mut Scratch,
) -> BidDecision {
    let knowledge = Knowledge::of_turn(turn);
    let outlook = Models::FITTED.bid.outlook(hand, value(hand, scratch), &knowledge);
    BidDecision { bid: thresholds.choose(outlook.points, turn), outlook }
}

/// The expected points, of the player who decides, in a game for one point a peasant, from which on to double.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DoubleThresholds {
    /// For a peasant.
    pub peasant: f32,
    /// For the landlord, whose points are those of both peasants.
    pub landlord: f32,
}

impl Default for DoubleThresholds {
    fn default() -> DoubleThresholds {
        Models::FITTED.double_thresholds
    }
}

impl DoubleThresholds {
    /// Whether `role`, who expects `points`, doubles.
    #[must_use]
    pub fn choose(&self, role: Role, points: f32) -> bool {
        points >= if role.is_landlord() { self.landlord } else { self.peasant }
    }
}

/// A turn to double or not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DoubleTurn {
    /// The part of the player who decides.
    pub role: Role,
    /// The landlord's bid, if known.
    pub bid: Option<u8>,
    /// The bottom cards, if known.
    pub bottom: Option<Hand>,
    /// How many of the others have doubled.
    pub doubled: u8,
}

/// Whether to double, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DoubleDecision {
    /// Whether to double.
    pub doubles: bool,
    /// What the player who decides may expect.
    pub outlook: Outlook,
}

/// Whether the holder of `hand` doubles at `turn`. The hand is the one after the auction: a landlord's has 20
/// cards.
#[must_use]
pub fn choose_double(
    hand: Hand,
    turn: &DoubleTurn,
    thresholds: &DoubleThresholds,
    scratch: &mut Scratch,
) -> DoubleDecision {
    let model = &Models::FITTED.double[turn.role as usize];
    let of_landlord = model.outlook(hand, value(hand, scratch), &Knowledge::of_doubling(turn));
    let outlook = if turn.role.is_landlord() { of_landlord } else { of_landlord.of_peasant() };
    DoubleDecision { doubles: thresholds.choose(turn.role, outlook.points), outlook }
}

/// The value on which bidding rests. Options of the rule set change kickers only, which matter little here: the
/// fit is to the official rules.
#[must_use]
pub fn value(hand: Hand, scratch: &mut Scratch) -> HandValue {
    rhcp::value(hand, RuleSet::default(), scratch)
}

/// The bid of the RHCP articles (九日王朝, chapter 16): by the sum of the values of the 17 cards, 1 from 10, 2
/// from 15, 3 from 20, and never below the bid on the table. The articles know no calling and robbing: here, who
/// would bid at all calls, and who would bid 3 robs.
#[must_use]
pub fn series_bid(value: HandValue, turn: &BidTurn) -> Bid {
    let points = match value.sum {
        ..10 => 0,
        10..15 => 1,
        15..20 => 2,
        20.. => 3,
    };
    let bid = match (turn.rules, points) {
        (_, 0) => Bid::Pass,
        (AuctionRules::Points, points) => Bid::Points(points),
        (AuctionRules::CallAndRob, 3) if turn.highest > 0 => Bid::Rob,
        (AuctionRules::CallAndRob, _) => Bid::Call,
    };
    if turn.allows(bid) { bid } else { Bid::Pass }
}

/// How many cards of `rank` are in `hand`, as a number to calculate with.
fn amount(hand: Hand, rank: Rank) -> f32 {
    f32::from(hand.count(rank))
}
