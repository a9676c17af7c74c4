use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use serde::Serialize;

use crate::groups::GroupType;

use super::{Estimate, Match, MatchResult, Tally, Times};

/// The result of a match as one JSON object. All but `decision_us` and `games_per_second` depends on the seed
/// alone.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// A's label.
    pub a: String,
    /// B's label.
    pub b: String,
    /// Number of decks; twice as many games.
    pub decks: u64,
    /// The seed.
    pub seed: u64,
    /// A's results over all games.
    #[serde(flatten)]
    pub overall: Side,
    /// A's results as landlord.
    pub landlord: Side,
    /// A's results as peasants.
    pub peasants: Side,
    /// Plays of both players that the referee refused.
    pub illegal: u64,
    /// The same for each player.
    pub illegal_by: Both<u64>,
    /// How many plays of each type each player made.
    pub plays: Both<BTreeMap<&'static str, u64>>,
    /// How long each player's decisions took, in microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision_us: Option<Both<DecisionTimes>>,
    /// Games a second on one core.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games_per_second: Option<f64>,
}

/// One value for each player.
#[derive(Clone, Debug, Serialize)]
pub struct Both<T> {
    /// A's.
    pub a: T,
    /// B's.
    pub b: T,
}

/// Winning percentage and average difference in points, with half the widths of their 95 % intervals.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Side {
    /// Share of games won.
    pub wp: f64,
    /// Half the width of its interval.
    pub wp_ci95: f64,
    /// Mean points a game.
    pub adp: f64,
    /// Half the width of its interval.
    pub adp_ci95: f64,
}

impl Side {
    fn new(wp: Estimate, adp: Estimate) -> Side {
        Side { wp: wp.mean, wp_ci95: wp.ci95, adp: adp.mean, adp_ci95: adp.ci95 }
    }

    /// The same games from the other player's side.
    pub(super) fn reversed(&self) -> Side {
        Side { wp: 1.0 - self.wp, adp: -self.adp, ..*self }
    }
}

/// Decision times in microseconds.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct DecisionTimes {
    /// Mean.
    pub mean: f64,
    /// What 99 of 100 decisions did not exceed.
    pub p99: f64,
    /// The longest.
    pub max: f64,
}

impl From<&Times> for DecisionTimes {
    fn from(times: &Times) -> DecisionTimes {
        DecisionTimes { mean: times.mean_us(), p99: times.quantile_us(0.99), max: times.max_us() }
    }
}

impl Report {
    /// The report of `result`, which `played` gave.
    #[must_use]
    pub fn new(played: &Match, result: &MatchResult) -> Report {
        let (a, b) = (&result.a, &result.b);
        let games = 2.0 * result.decks as f64;
        Report {
            a: played.a.label(),
            b: played.b.label(),
            decks: result.decks,
            seed: played.seed,
            overall: Side::new(result.wp, result.adp),
            landlord: Side::new(result.landlord_wp, result.landlord_adp),
            peasants: Side::new(result.peasants_wp, result.peasants_adp),
            illegal: a.illegal + b.illegal,
            illegal_by: Both { a: a.illegal, b: b.illegal },
            plays: Both { a: plays_by_name(a), b: plays_by_name(b) },
            decision_us: Some(Both { a: (&a.times).into(), b: (&b.times).into() }),
            games_per_second: (result.busy > Duration::ZERO).then(|| games / result.busy.as_secs_f64()),
        }
    }

    /// The report without what the clock had a part in: it depends on the seed alone.
    #[must_use]
    pub fn without_timing(self) -> Report {
        Report { decision_us: None, games_per_second: None, ..self }
    }
}

fn plays_by_name(tally: &Tally) -> BTreeMap<&'static str, u64> {
    let groups = GroupType::ALL.iter().map(|kind| (kind.name(), tally.plays[*kind as usize]));
    std::iter::once(("pass", tally.plays[0])).chain(groups).collect()
}

/// The report for people.
#[must_use]
pub fn text_report(report: &Report) -> String {
    let mut text =
        format!("{} against {}, {} decks, seed {}\n", report.a, report.b, report.decks, report.seed);
    for (name, side) in
        [("all games", &report.overall), ("as landlord", &report.landlord), ("as peasants", &report.peasants)]
    {
        let Side { wp, wp_ci95, adp, adp_ci95 } = side;
        let _ = writeln!(text, "  {name:<12} WP {wp:.4} ± {wp_ci95:.4}   ADP {adp:+.4} ± {adp_ci95:.4}");
    }
    if let Some(times) = &report.decision_us {
        for (name, times) in [(&report.a, &times.a), (&report.b, &times.b)] {
            let DecisionTimes { mean, p99, max } = times;
            let _ = writeln!(text, "  {name:<12} decides in {mean:.2} µs mean, {p99:.2} p99, {max:.1} max");
        }
    }
    if let Some(rate) = report.games_per_second {
        let _ = writeln!(text, "  {rate:.0} games a second on one core");
    }
    let _ = writeln!(text, "  illegal plays: {} and {}", report.illegal_by.a, report.illegal_by.b);
    text.push_str("  plays of each type:\n");
    for (kind, of_a) in &report.plays.a {
        let of_b = report.plays.b.get(kind).copied().unwrap_or(0);
        let _ = writeln!(text, "    {kind:<22} {of_a:>9} {of_b:>9}");
    }
    text
}
