use std::fmt::Write as _;

use serde::Serialize;

use crate::arena::{Estimate, PairedSum};
use crate::game::{AuctionRules, Bid, BidTurn, Doubling, DoublingRules, Role, ScoreRules};
use crate::strategy::HandValue;
use crate::strategy::bidding::{Knowledge, Models};

use super::Record;
use super::auctions::{Bidder, Expectations, points_against};
use super::fit::{double, double_turn, settle_all};

/// What predictions say and what happens, in ten parts of equal size from the least to the greatest prediction.
#[derive(Clone, Debug, Serialize)]
pub struct Calibration {
    /// Number of hands.
    pub hands: usize,
    /// The ten parts.
    pub deciles: Vec<Decile>,
    /// The mean, over the ten parts, of how far prediction and observation are apart.
    pub mean_absolute_error: f64,
    /// The mean of the squared errors of single predictions (Brier's score).
    pub brier: f64,
    /// What Brier's score would be if every prediction were the overall share of wins.
    pub brier_of_mean: f64,
}

/// One part.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Decile {
    /// The mean prediction of the landlord's winning.
    pub predicted: f64,
    /// The share of games the landlord won.
    pub observed: f64,
    /// Mean prediction of the landlord's points.
    pub predicted_points: f64,
    /// The landlord's mean points.
    pub observed_points: f64,
}

/// A mean gain in points with half the width of its 95 % interval.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Gain {
    /// Mean points.
    pub points: f64,
    /// Half the width of the interval.
    pub ci95: f64,
}

impl From<Estimate> for Gain {
    fn from(estimate: Estimate) -> Gain {
        Gain { points: estimate.mean, ci95: estimate.ci95 }
    }
}

/// How good the estimates are, and what they are good for.
#[derive(Clone, Debug, Serialize)]
pub struct BidReport {
    /// Who played.
    pub player: String,
    /// Number of decks; three hands and games each.
    pub decks: usize,
    /// The seed.
    pub seed: u64,
    /// Calibration of the estimate from 17 cards, nothing else known.
    pub bid: Calibration,
    /// Calibration of the same at the turns of auctions, earlier bids known.
    pub bid_at_turn: Calibration,
    /// Calibration of each seat's estimate after the auction, in the order of play from the landlord.
    pub double: Vec<Calibration>,
    /// Shares of the hands dealt with which a bidder by estimate who speaks first passes, bids 1, 2 and 3.
    pub first_bids: [f64; 4],
    /// Shares of decks among bidders by estimate whose landlord's bid was 1, 2 and 3.
    pub landlord_bids: [f64; 3],
    /// Share of decks that everyone passes, among bidders by estimate.
    pub all_pass: f64,
    /// Landlord's share of wins after auctions among bidders by estimate.
    pub landlord_wins: f64,
    /// Points a deck of one bidder by estimate against two by the RHCP articles, over all seats.
    pub against_series: Gain,
    /// Points a deck of one bidder by the RHCP articles against two by estimate, over all seats.
    pub series_against: Gain,
    /// Points a game that both peasants gain by doubling, the landlord redoubling, over nobody doubling.
    pub peasants_doubling: Gain,
    /// Points a game that the landlord gains by redoubling over never redoubling.
    pub landlord_redoubling: Gain,
    /// Share of games in which a peasant doubles.
    pub doubled: f64,
    /// The first two gains for doubling by the values of the RHCP articles: a peasant from a sum of 20, a
    /// landlord from a score of −14.
    pub series_doubling: [Gain; 2],
}

/// Measures `models` on `records`, which should be fresh.
#[must_use]
pub fn measure(models: &Models, records: &[Record], player: String, seed: u64) -> BidReport {
    let settled = settle_all(records, models);
    let mut blind = Vec::new();
    let mut at_turn = Vec::new();
    let mut after: [Vec<Prediction>; 3] = Default::default();
    let (mut all_pass, mut wins, mut games, mut doubled) = (0u64, 0u64, 0u64, 0u64);
    let (mut first_bids, mut landlord_bids) = ([0u64; 4], [0u64; 3]);
    let mut sums: [PairedSum; 6] = Default::default();
    for (record, settled) in records.iter().zip(&settled) {
        for seat in 0..3 {
            let (hand, value) = (record.shuffle.seats[seat], record.values[seat]);
            let outlook = models.bid.outlook(hand, value, &Knowledge::default());
            blind.push(Prediction::new(outlook, record, seat));
        }
        for (seat, turn) in &settled.turns {
            let (hand, value) = (record.shuffle.seats[*seat], record.values[*seat]);
            let outlook = models.bid.outlook(hand, value, &Knowledge::of_turn(turn));
            at_turn.push(Prediction::new(outlook, record, *seat));
        }
        let rules = AuctionRules::Points;
        let expectations = Expectations::new(&models.bid, record, rules);
        for points in expectations.of_first() {
            let turn = BidTurn { rules, highest: 0, position: Some(0) };
            let bid = models.bid_thresholds.choose(points, &turn);
            first_bids[if let Bid::Points(points) = bid { usize::from(points) } else { 0 }] += 1;
        }
        let (series, estimate) = (Bidder::Series, Bidder::Estimate(&models.bid_thresholds));
        sums[0].add(points_against(record, &expectations, rules, estimate, series));
        sums[1].add(points_against(record, &expectations, rules, series, estimate));
        let Some((landlord, bid)) = settled.landlord else {
            all_pass += 1;
            continue;
        };
        games += 1;
        landlord_bids[bid as usize - 1] += 1;
        wins += u64::from(record.outcomes[landlord].winner.is_landlord());
        let whole = double(record, landlord, bid, models, None);
        for role in Role::ALL {
            let doubling = double(record, landlord, bid, models, Some(role));
            let (turn, hand, value) = double_turn(record, landlord, bid, role, &doubling);
            let knowledge = Knowledge::of_doubling(&turn);
            let outlook = models.double[role as usize].outlook(hand, value, &knowledge);
            after[role as usize].push(Prediction::new(outlook, record, landlord));
        }
        doubled += u64::from(whole.has_doubled(Role::PeasantAfter) || whole.has_doubled(Role::PeasantBefore));
        let by_series = double_by_series(record, landlord);
        let points = |doubling: &Doubling| landlord_result(record, landlord, bid, doubling);
        let undoubled = points(&Doubling::default());
        for (first, doubling) in [(2, &whole), (4, &by_series)] {
            sums[first].add(undoubled - points(doubling));
            sums[first + 1].add(points(doubling) - points(&without_redoubling(doubling)));
        }
    }
    let gain = |position: usize, scale: f64| Gain::from(sums[position].estimate(scale));
    let decks = records.len().max(1) as f64;
    BidReport {
        player,
        decks: records.len(),
        seed,
        bid: calibrate(blind),
        bid_at_turn: calibrate(at_turn),
        double: after.into_iter().map(calibrate).collect(),
        first_bids: first_bids.map(|count| count as f64 / (3.0 * decks)),
        landlord_bids: landlord_bids.map(|count| count as f64 / decks),
        all_pass: all_pass as f64 / decks,
        landlord_wins: wins as f64 / games.max(1) as f64,
        against_series: gain(0, 3.0),
        series_against: gain(1, 3.0),
        peasants_doubling: gain(2, 1.0),
        landlord_redoubling: gain(3, 1.0),
        doubled: doubled as f64 / games.max(1) as f64,
        series_doubling: [gain(4, 1.0), gain(5, 1.0)],
    }
}

/// The landlord's points of a game that was doubled like this.
fn landlord_result(record: &Record, landlord: usize, bid: u32, doubling: &Doubling) -> i64 {
    record.outcomes[landlord].points(&doubling.stakes(bid), ScoreRules::default())[Role::Landlord]
}

/// The same doubling by the peasants, and a landlord who does not redouble.
fn without_redoubling(doubling: &Doubling) -> Doubling {
    let mut same = Doubling::new(DoublingRules::Redouble);
    while let Some(role) = same.turn() {
        if same.decide(!role.is_landlord() && doubling.has_doubled(role)).is_err() {
            break;
        }
    }
    same
}

fn double_by_series(record: &Record, landlord: usize) -> Doubling {
    const PEASANT_SUM: i16 = 20;
    const LANDLORD_SCORE: i16 = -2 * HandValue::ROUND_COST;
    let mut doubling = Doubling::new(DoublingRules::Redouble);
    while let Some(role) = doubling.turn() {
        let doubles = if role.is_landlord() {
            record.landlord_values[landlord].score() >= LANDLORD_SCORE
        } else {
            record.values[Record::seat(role, landlord)].sum >= PEASANT_SUM
        };
        if doubling.decide(doubles).is_err() {
            break;
        }
    }
    doubling
}

/// One prediction of a landlord's result, and the result.
struct Prediction {
    probability: f64,
    won: f64,
    expected: f64,
    points: f64,
}

impl Prediction {
    fn new(outlook: crate::strategy::bidding::Outlook, record: &Record, landlord: usize) -> Prediction {
        let outcome = &record.outcomes[landlord];
        Prediction {
            probability: f64::from(outlook.win_probability),
            won: f64::from(u8::from(outcome.winner.is_landlord())),
            expected: f64::from(outlook.points),
            points: crate::arena::landlord_points(outcome) as f64,
        }
    }
}

const PARTS: usize = 10;

fn calibrate(mut predictions: Vec<Prediction>) -> Calibration {
    predictions.sort_by(|one, other| one.probability.total_cmp(&other.probability));
    let mean = |part: &[Prediction], of: fn(&Prediction) -> f64| {
        part.iter().map(of).sum::<f64>() / part.len().max(1) as f64
    };
    let count = predictions.len();
    let deciles: Vec<Decile> = (0..PARTS)
        .map(|part| {
            let part = &predictions[count * part / PARTS..count * (part + 1) / PARTS];
            Decile {
                predicted: mean(part, |prediction| prediction.probability),
                observed: mean(part, |prediction| prediction.won),
                predicted_points: mean(part, |prediction| prediction.expected),
                observed_points: mean(part, |prediction| prediction.points),
            }
        })
        .collect();
    let error = deciles.iter().map(|decile| (decile.predicted - decile.observed).abs()).sum::<f64>();
    let share = mean(&predictions, |prediction| prediction.won);
    Calibration {
        hands: count,
        mean_absolute_error: error / PARTS as f64,
        brier: mean(&predictions, |prediction| (prediction.probability - prediction.won).powi(2)),
        brier_of_mean: share * (1.0 - share),
        deciles,
    }
}

/// The report for people.
#[must_use]
pub fn text_bid_report(report: &BidReport) -> String {
    let mut text = format!("{} decks played by {}, seed {}\n", report.decks, report.player, report.seed);
    let mut table = |title: &str, calibration: &Calibration| {
        let Calibration { hands, mean_absolute_error, brier, brier_of_mean, .. } = calibration;
        let _ = writeln!(
            text,
            "{title}: {hands} hands, mean absolute error {mean_absolute_error:.4}, Brier {brier:.4} \
             (of the mean: {brier_of_mean:.4})\n  predicted and observed landlord wins, predicted and observed points"
        );
        for decile in &calibration.deciles {
            let Decile { predicted, observed, predicted_points, observed_points } = decile;
            let _ = writeln!(
                text,
                "  {predicted:.4} {observed:.4}   {predicted_points:+.3} {observed_points:+.3}"
            );
        }
    };
    table("17 cards", &report.bid);
    table("17 cards at a turn of the auction", &report.bid_at_turn);
    for (role, calibration) in Role::ALL.into_iter().zip(&report.double) {
        table(&format!("{role} after the auction"), calibration);
    }
    let list =
        |shares: &[f64]| shares.iter().map(|share| format!("{share:.4}")).collect::<Vec<_>>().join(" ");
    let show = |gain: &Gain| format!("{:+.4} ± {:.4}", gain.points, gain.ci95);
    let _ = writeln!(
        text,
        "hands that pass, bid 1, 2 and 3 when they speak first: {}\n\
         decks whose landlord bid 1, 2 and 3: {}, all pass: {:.4}, landlord wins: {:.4}\n\
         points a deck, bidding by estimate against two by the series: {}\n\
         points a deck, bidding by the series against two by estimate: {}\n\
         points a game, peasants' doubling: {} (in {:.4} of games), landlord's redoubling: {}\n\
         points a game, doubling by the series: peasants {}, landlord {}",
        list(&report.first_bids),
        list(&report.landlord_bids),
        report.all_pass,
        report.landlord_wins,
        show(&report.against_series),
        show(&report.series_against),
        show(&report.peasants_doubling),
        report.doubled,
        show(&report.landlord_redoubling),
        show(&report.series_doubling[0]),
        show(&report.series_doubling[1]),
    );
    text
}
