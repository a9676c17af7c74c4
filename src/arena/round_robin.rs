use std::fmt::Write as _;

use serde::Serialize;

use crate::groups::RuleSet;

use super::report::Side;
use super::{Estimate, Match, MatchResult, Pairing, Player, Progress, Report, elo_ratings};

/// Every player against every other one, all on the same decks.
#[derive(Clone, Debug)]
pub struct RoundRobin {
    /// The players.
    pub players: Vec<Player>,
    /// Number of decks of each pair; twice as many games.
    pub decks: u64,
    /// Decks and chance moves follow from it.
    pub seed: u64,
    /// Threads; 0 for one on each core. The result does not depend on it.
    pub threads: usize,
    /// The rules of the room.
    pub rules: RuleSet,
}

/// What a round robin found.
#[derive(Clone, Debug, Serialize)]
pub struct Standings {
    /// The players, best first.
    pub players: Vec<Standing>,
    /// Each pair's match.
    pub matches: Vec<Report>,
}

/// One player's place.
#[derive(Clone, Debug, Serialize)]
pub struct Standing {
    /// The player's label.
    pub player: String,
    /// Its rating on Elo's scale; the mean of all players is 0.
    pub elo: f64,
    /// Half the width of the rating's 95 % interval.
    pub elo_ci95: f64,
    /// Mean share of games won over the other players.
    pub wp: f64,
    /// Mean points a game over the other players.
    pub adp: f64,
}

impl RoundRobin {
    /// Number of matches.
    #[must_use]
    pub fn matches(&self) -> u64 {
        let players = self.players.len() as u64;
        players * players.saturating_sub(1) / 2
    }

    /// Plays all matches. `progress` is told the number of decks done over all of them.
    #[must_use]
    pub fn play(&self, progress: Progress<'_>) -> Standings {
        let mut reports = Vec::new();
        let mut pairings = Vec::new();
        for first in 0..self.players.len() {
            for second in first + 1..self.players.len() {
                let done = reports.len() as u64 * self.decks;
                let duel = Match {
                    a: self.players[first].clone(),
                    b: self.players[second].clone(),
                    decks: self.decks,
                    seed: self.seed,
                    threads: self.threads,
                    rules: self.rules,
                };
                let result = duel.play(&|decks| progress(done + decks));
                pairings.push(Pairing { first, second, share: result.wp, games: 2 * self.decks });
                reports.push(Report::new(&duel, &result));
            }
        }
        let labels: Vec<String> = self.players.iter().map(Player::label).collect();
        Standings::new(&labels, &pairings, reports)
    }
}

impl Standings {
    /// The standings of the two players of one match.
    #[must_use]
    pub fn of_match(played: &Match, result: &MatchResult, report: Report) -> Standings {
        let pairing = Pairing { first: 0, second: 1, share: result.wp, games: 2 * result.decks };
        Standings::new(&[played.a.label(), played.b.label()], &[pairing], vec![report])
    }

    fn new(labels: &[String], pairings: &[Pairing], matches: Vec<Report>) -> Standings {
        let ratings = elo_ratings(labels.len(), pairings);
        let mut players: Vec<Standing> = labels
            .iter()
            .zip(ratings)
            .map(|(player, Estimate { mean, ci95 })| {
                let sides = || matches.iter().filter_map(|report| side_of(report, player));
                let count = sides().count().max(1) as f64;
                Standing {
                    player: player.clone(),
                    elo: mean,
                    elo_ci95: ci95,
                    wp: sides().map(|side| side.wp).sum::<f64>() / count,
                    adp: sides().map(|side| side.adp).sum::<f64>() / count,
                }
            })
            .collect();
        players.sort_by(|one, other| other.elo.total_cmp(&one.elo));
        Standings { players, matches }
    }

    /// The results of the player `row` against `column`.
    pub(super) fn result(&self, row: &str, column: &str) -> Option<Side> {
        let of_row = self.matches.iter().filter(|report| report.a == column || report.b == column);
        of_row.filter(|_| row != column).find_map(|report| side_of(report, row))
    }

    /// The standings without what the clock had a part in.
    #[must_use]
    pub fn without_timing(self) -> Standings {
        let matches = self.matches.into_iter().map(Report::without_timing).collect();
        Standings { matches, ..self }
    }
}

fn side_of(report: &Report, player: &str) -> Option<Side> {
    if report.a == player {
        Some(report.overall)
    } else if report.b == player {
        Some(report.overall.reversed())
    } else {
        None
    }
}

/// The standings for people.
#[must_use]
pub fn text_standings(standings: &Standings) -> String {
    let width = standings.players.iter().map(|standing| standing.player.chars().count()).max().unwrap_or(0);
    let mut text = format!("{:width$}  {:>13}  WP / ADP against\n{:width$}  {:13}", "player", "Elo", "", "");
    for column in &standings.players {
        let _ = write!(text, " {:>17}", column.player);
    }
    text.push('\n');
    for row in &standings.players {
        let _ = write!(text, "{:width$}  {:>+6.0} ± {:>4.0}", row.player, row.elo, row.elo_ci95);
        for column in &standings.players {
            match standings.result(&row.player, &column.player) {
                Some(side) => {
                    let _ = write!(text, "    {:.4} / {:>+6.3}", side.wp, side.adp);
                }
                None => {
                    let _ = write!(text, " {:>18}", "–");
                }
            }
        }
        text.push('\n');
    }
    let illegal: u64 = standings.matches.iter().map(|report| report.illegal).sum();
    let _ = writeln!(text, "illegal plays: {illegal}");
    text
}
