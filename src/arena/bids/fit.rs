use crate::arena::landlord_points;
use crate::cards::Hand;
use crate::game::{AuctionRules, Doubling, DoublingRules, Role};
use crate::strategy::HandValue;
use crate::strategy::bidding::{
    BidThresholds, DoubleThresholds, DoubleTurn, Knowledge, Model, Models, for_each_feature, for_each_known,
};

use super::Record;
use super::auctions::{Bidder, Expectations, Settled, points_against, settle};
use super::regression::{Row, linear, logistic};

/// Decks on which thresholds are tried out; more make no difference that matters.
const TRIED: usize = 30_000;

/// Fits everything to `records`.
///
/// What a bid before tells about its bidder's hand depends on how that player bids. So the estimate is fitted
/// three times: first as if nothing were known of the auction, then twice to auctions among players who bid by
/// the fit before. The same holds for doubling.
#[must_use]
pub fn fit(records: &[Record]) -> Models {
    let mut models = Models {
        bid: Model::EMPTY,
        double: [Model::EMPTY; 3],
        bid_thresholds: BidThresholds { points: [0.0; 3], call: 0.0, rob: 0.0 },
        double_thresholds: DoubleThresholds { peasant: 0.3, landlord: 0.0 },
    };
    models.bid = fit_bid(records, &[]);
    for _ in 0..2 {
        models.bid_thresholds = tune_bids(records, &models);
        let settled = settle_all(records, &models);
        models.bid = fit_bid(records, &settled);
    }
    models.bid_thresholds = tune_bids(records, &models);
    let settled = settle_all(records, &models);
    for _ in 0..2 {
        for role in [Role::PeasantAfter, Role::PeasantBefore, Role::Landlord] {
            models.double[role as usize] = fit_double(records, &settled, &models, role);
        }
        models.double_thresholds.peasant = tune_doubles(records, &settled, &models);
    }
    for role in [Role::PeasantBefore, Role::Landlord] {
        models.double[role as usize] = fit_double(records, &settled, &models, role);
    }
    models
}

/// Observations of wins and points that grow together.
#[derive(Default)]
struct Observations {
    wins: Vec<(Row, bool)>,
    points: Vec<(Row, f64)>,
}

impl Observations {
    fn add(&mut self, hand: Hand, value: HandValue, knowledge: &Knowledge, record: &Record, landlord: usize) {
        let mut row = Row::new();
        let mut add = |feature: usize, amount: f32| {
            if amount != 0.0 {
                row.push((feature as u8, amount));
            }
        };
        for_each_feature(hand, value, &mut add);
        for_each_known(knowledge, &mut add);
        let outcome = &record.outcomes[landlord];
        self.wins.push((row.clone(), outcome.winner.is_landlord()));
        self.points.push((row, landlord_points(outcome) as f64));
    }

    fn fit(&self) -> Model {
        Model { win: logistic(&self.wins), points: linear(&self.points) }
    }
}

/// The auction of every deck among players who bid by `models`.
pub(super) fn settle_all(records: &[Record], models: &Models) -> Vec<Settled> {
    let bidder = Bidder::Estimate(&models.bid_thresholds);
    let rules = AuctionRules::Points;
    let settle_one = |record| {
        let expectations = Expectations::new(&models.bid, record, rules);
        settle(record, &expectations, rules, [bidder; 3])
    };
    records.iter().map(settle_one).collect()
}

/// Every hand twice: as if nothing were known of the auction, and at its turn in it, if there was one.
fn fit_bid(records: &[Record], settled: &[Settled]) -> Model {
    let mut observations = Observations::default();
    for (deck, record) in records.iter().enumerate() {
        for seat in 0..3 {
            let (hand, value) = (record.shuffle.seats[seat], record.values[seat]);
            observations.add(hand, value, &Knowledge::default(), record, seat);
        }
        for (seat, turn) in settled.get(deck).map_or(&[][..], |settled| &settled.turns) {
            let (hand, value) = (record.shuffle.seats[*seat], record.values[*seat]);
            observations.add(hand, value, &Knowledge::of_turn(turn), record, *seat);
        }
    }
    observations.fit()
}

/// The most profitable thresholds, half of the decks being bid against two players who bid by the same thresholds
/// and half against two who bid by the RHCP articles.
///
/// Against its like alone a bidder learns to bid 1 on the worst of hands, since somebody will always bid more:
/// that is no way to bid among players who pass. And left to itself it learns to say 3 or nothing, for hardly
/// more points than with [`SHARES`], which leave bids of 1 and 2 to middling hands, as people do.
fn tune_bids(records: &[Record], models: &Models) -> BidThresholds {
    let records = &records[..records.len().min(TRIED)];
    let mut thresholds = models.bid_thresholds;
    for rules in [AuctionRules::Points, AuctionRules::CallAndRob] {
        let expectations: Vec<Expectations> =
            records.iter().map(|record| Expectations::new(&models.bid, record, rules)).collect();
        for _ in 0..3 {
            let others = thresholds;
            let profit = |tried: &BidThresholds| -> i64 {
                let (one, others) = (Bidder::Estimate(tried), Bidder::Estimate(&others));
                let decks = records.iter().zip(&expectations);
                decks
                    .map(|(record, expected)| {
                        points_against(record, expected, rules, one, others)
                            + points_against(record, expected, rules, one, Bidder::Series)
                    })
                    .sum()
            };
            // The first of the best, so that the fit repeats.
            let best_of = |tried: Vec<BidThresholds>| {
                let tried = tried.into_iter().map(|tried| (profit(&tried), tried));
                tried.reduce(|best, next| if next.0 > best.0 { next } else { best })
            };
            match rules {
                AuctionRules::Points => {
                    let tried = by_shares(&expectations, thresholds);
                    thresholds = best_of(tried).map_or(thresholds, |(_, best)| best);
                }
                AuctionRules::CallAndRob => {
                    for entry in [|tried| &mut tried.call, |tried| &mut tried.rob] as [Entry; 2] {
                        let candidates = (-15..=15).map(|step| step as f32 / 5.0);
                        let tried = candidates.map(|candidate| {
                            let mut tried = thresholds;
                            *entry(&mut tried) = candidate;
                            tried
                        });
                        thresholds = best_of(tried.collect()).map_or(thresholds, |(_, best)| best);
                    }
                }
            }
        }
    }
    thresholds
}

type Entry = fn(&mut BidThresholds) -> &mut f32;

/// Per cent of the hands dealt with which a player who speaks first may bid 3, 2 and 1: what is natural, of which
/// the most profitable is taken.
const SHARES: [&[usize]; 3] = [&[15, 20, 25], &[10, 12, 15], &[10, 12, 15]];

/// `thresholds` with those for points at which bids are as frequent as each combination of [`SHARES`] says.
fn by_shares(expectations: &[Expectations], thresholds: BidThresholds) -> Vec<BidThresholds> {
    let mut dealt: Vec<f32> = expectations.iter().flat_map(Expectations::of_first).collect();
    dealt.sort_by(|one, other| other.total_cmp(one));
    // In hundredths, which is what people will read.
    let threshold = |share: usize| {
        let least = dealt.get(dealt.len() * share / 100).copied().unwrap_or_default();
        (least * 100.0).round() / 100.0
    };
    let mut tried = Vec::new();
    for three in SHARES[0] {
        for two in SHARES[1] {
            for one in SHARES[2] {
                let points = [three + two + one, three + two, *three].map(threshold);
                tried.push(BidThresholds { points, ..thresholds });
            }
        }
    }
    tried
}

/// What `role` sees when it is to double, and its cards.
pub(super) fn double_turn(
    record: &Record,
    landlord: usize,
    bid: u32,
    role: Role,
    doubling: &Doubling,
) -> (DoubleTurn, Hand, HandValue) {
    let seat = Record::seat(role, landlord);
    let others = Role::ALL.into_iter().filter(|other| *other != role && doubling.has_doubled(*other));
    let turn = DoubleTurn {
        role,
        bid: Some(bid as u8),
        bottom: Some(record.shuffle.bottom),
        doubled: others.count() as u8,
    };
    if role.is_landlord() {
        (turn, record.landlord_hand(landlord), record.landlord_values[landlord])
    } else {
        (turn, record.shuffle.seats[seat], record.values[seat])
    }
}

/// The doubling of a deck among players who double by `models`, up to the turn of `until`.
pub(super) fn double(
    record: &Record,
    landlord: usize,
    bid: u32,
    models: &Models,
    until: Option<Role>,
) -> Doubling {
    let mut doubling = Doubling::new(DoublingRules::Redouble);
    while let Some(role) = doubling.turn().filter(|role| Some(*role) != until) {
        let (turn, hand, value) = double_turn(record, landlord, bid, role, &doubling);
        let of_landlord = models.double[role as usize].outlook(hand, value, &Knowledge::of_doubling(&turn));
        let outlook = if role.is_landlord() { of_landlord } else { of_landlord.of_peasant() };
        if doubling.decide(models.double_thresholds.choose(role, outlook.points)).is_err() {
            break;
        }
    }
    doubling
}

/// Every deck with a landlord four times: with bid and bottom cards known or not.
fn fit_double(records: &[Record], settled: &[Settled], models: &Models, role: Role) -> Model {
    let mut observations = Observations::default();
    for (record, settled) in records.iter().zip(settled) {
        let Some((landlord, bid)) = settled.landlord else { continue };
        let doubling = double(record, landlord, bid, models, Some(role));
        let (turn, hand, value) = double_turn(record, landlord, bid, role, &doubling);
        let known = Knowledge::of_doubling(&turn);
        for knowledge in [
            known,
            Knowledge { bid: None, ..known },
            Knowledge { bottom: None, ..known },
            Knowledge { bid: None, bottom: None, ..known },
        ] {
            observations.add(hand, value, &knowledge, record, landlord);
        }
    }
    observations.fit()
}

/// From which expectation on it pays a peasant to double, when the landlord redoubles as it pays to.
fn tune_doubles(records: &[Record], settled: &[Settled], models: &Models) -> f32 {
    let candidates = (0..=15).map(|step| step as f32 / 10.0);
    let tried = candidates.map(|candidate| {
        let thresholds = DoubleThresholds { peasant: candidate, ..models.double_thresholds };
        let models = Models { double_thresholds: thresholds, ..*models };
        let profit: i64 = records
            .iter()
            .zip(settled)
            .filter_map(|(record, settled)| settled.landlord.map(|landlord| (record, landlord)))
            .map(|(record, (landlord, bid))| {
                let stakes = double(record, landlord, bid, &models, None).stakes(bid);
                -record.outcomes[landlord].points(&stakes, Default::default())[Role::Landlord]
            })
            .sum();
        (profit, candidate)
    });
    let best = tried.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map_or(0.0, |(_, candidate)| candidate)
}
