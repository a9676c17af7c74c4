//! How far the win probabilities that a player states are from the games it wins.

use std::fmt;

use crate::game::{Dice, Role, Table, deal};
use crate::groups::RuleSet;
use crate::strategy::expert::BadWeights;
use crate::strategy::expert::facts::Facts;
use crate::strategy::expert::network::OUTPUT_ONE;
use crate::strategy::expert::stage::{STAGES, stage_of};
use crate::strategy::expert::weights::Weights;
use crate::strategy::{Budget, Scratch, Strategy, Thinking};

/// What a player stated at one of its turns, and what came of the game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statement {
    /// The seat of the player.
    pub role: Role,
    /// The stage of the game, which has layers of its own in the network.
    pub stage: usize,
    /// The win probability stated.
    pub stated: f32,
    /// Whether the side of the player won.
    pub won: bool,
}

/// A tenth of all statements, from the least to the most hopeful.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Decile {
    /// Mean probability stated.
    pub stated: f64,
    /// Share of the games that were won.
    pub won: f64,
}

/// The deciles of a player's statements.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Calibration {
    /// From the least to the most hopeful.
    pub deciles: [Decile; 10],
}

impl Calibration {
    /// Mean distance between what was stated and what was won.
    #[must_use]
    pub fn error(&self) -> f64 {
        self.deciles.iter().map(|decile| (decile.stated - decile.won).abs()).sum::<f64>() / 10.0
    }

    /// The deciles of `statements`.
    #[must_use]
    pub fn of(statements: &[Statement]) -> Calibration {
        let mut statements = statements.to_vec();
        statements.sort_by(|a, b| a.stated.total_cmp(&b.stated));
        let mut deciles = [Decile::default(); 10];
        for (index, decile) in deciles.iter_mut().enumerate() {
            let part = &statements[statements.len() * index / 10..statements.len() * (index + 1) / 10];
            let count = part.len().max(1) as f64;
            decile.stated = part.iter().map(|one| f64::from(one.stated)).sum::<f64>() / count;
            decile.won = part.iter().filter(|one| one.won).count() as f64 / count;
        }
        Calibration { deciles }
    }
}

impl fmt::Display for Calibration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Decile { stated, won } in self.deciles {
            writeln!(f, "stated {stated:.3} won {won:.3}")?;
        }
        write!(f, "mean absolute decile error {:.4}", self.error())
    }
}

/// What `player` states in `games` games against itself. With `minimal` it is told nothing but the minimal
/// situation.
#[must_use]
pub fn statements(player: &dyn Strategy, games: u64, seed: u64, minimal: bool) -> Vec<Statement> {
    let mut scratch = Scratch::default();
    let mut statements = Vec::new();
    for game in 0..games {
        let mut table = Table::new(&deal(&mut Dice::new(seed.wrapping_add(game))), RuleSet::default());
        let first = statements.len();
        while table.winner().is_none() {
            let situation = if minimal { table.situation().minimal() } else { table.situation().clone() };
            let mut thinking = Thinking { seed: game, budget: Budget::IMMEDIATE, scratch: &mut scratch };
            let decision = player.decide(&situation, &mut thinking);
            if let Some(stated) = decision.evaluation.win_probability {
                let stage = stage_of(&Facts::of(&situation));
                statements.push(Statement { role: table.turn(), stage, stated, won: false });
            }
            if table.play(decision.play).is_err() {
                break;
            }
        }
        let winner = table.winner();
        for statement in &mut statements[first..] {
            statement.won = winner.is_some_and(|winner| statement.role.is_ally(winner));
        }
    }
    statements
}

/// The file of weights `bytes` with the logit of the win probability of each role and stage stretched and shifted
/// so that it fits `statements` best (Platt 1999). It changes no choice of play.
///
/// # Errors
/// `bytes` are no file of weights.
pub fn correct(bytes: &[u8], statements: &[Statement]) -> Result<Vec<u8>, BadWeights> {
    let mut weights = Weights::read(bytes)?;
    for (role, stage) in Role::ALL.into_iter().flat_map(|role| (0..STAGES).map(move |stage| (role, stage))) {
        let points: Vec<(f64, f64)> = statements
            .iter()
            // A play that goes out is stated to win with certainty, and not by the network.
            .filter(|one| one.role == role && one.stage == stage && one.stated < 1.0)
            .map(|one| {
                let stated = f64::from(one.stated).clamp(1e-6, 1.0 - 1e-6);
                ((stated / (1.0 - stated)).ln(), f64::from(u8::from(one.won)))
            })
            .collect();
        let (slope, shift) = fit(&points);
        let dense = &mut weights.brain.networks[role as usize].dense[stage];
        for weight in &mut dense.third[0] {
            *weight = (f64::from(*weight) * slope).round().clamp(-4095.0, 4095.0) as i16;
        }
        let bias = &mut dense.third_bias[0];
        *bias = (f64::from(*bias) * slope + shift * f64::from(OUTPUT_ONE)).round() as i32;
    }
    Ok(weights.write())
}

/// The slope and the shift of the logit under which `points`, each a logit and an outcome, are most likely:
/// Newton's method on the logistic loss.
fn fit(points: &[(f64, f64)]) -> (f64, f64) {
    let (mut slope, mut shift) = (1.0, 0.0);
    for _ in 0..20 {
        // Gradient and Hessian.
        let (mut g, mut h) = ([0.0; 2], [1e-9, 0.0, 1e-9]);
        for (logit, outcome) in points {
            let chance = 1.0 / (1.0 + (-(slope * logit + shift)).exp());
            let (miss, curve) = (chance - outcome, chance * (1.0 - chance));
            g[0] += miss * logit;
            g[1] += miss;
            h[0] += curve * logit * logit;
            h[1] += curve * logit;
            h[2] += curve;
        }
        let determinant = h[0] * h[2] - h[1] * h[1];
        slope -= (h[2] * g[0] - h[1] * g[1]) / determinant;
        shift -= (h[0] * g[1] - h[1] * g[0]) / determinant;
    }
    if slope.is_finite() && shift.is_finite() && slope > 0.0 { (slope, shift) } else { (1.0, 0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(statements: impl Iterator<Item = (f32, bool)>) -> Calibration {
        let of = |(stated, won)| Statement { role: Role::Landlord, stage: 0, stated, won };
        Calibration::of(&statements.map(of).collect::<Vec<_>>())
    }

    #[test]
    fn honest_statements_have_no_error() {
        // One decile holds both kinds of statement, each true.
        let honest = said((0..1000).map(|number| (f32::from(u8::from(number % 10 < 3)), number % 10 < 3)));
        assert!(honest.error() < 1e-9);
        let boastful = said((0..1000).map(|number| (0.9, number % 2 == 0)));
        assert!((boastful.error() - 0.4).abs() < 0.05);
    }

    #[test]
    fn the_fit_finds_the_stretch_that_was_made() {
        let mut dice = Dice::new(6);
        let points: Vec<(f64, f64)> = (0..40_000)
            .map(|_| {
                let logit = 6.0 * dice.fraction() - 3.0;
                let chance = 1.0 / (1.0 + (-(0.7 * logit - 0.4f64)).exp());
                (logit, f64::from(u8::from(dice.fraction() < chance)))
            })
            .collect();
        let (slope, shift) = fit(&points);
        assert!((slope - 0.7).abs() < 0.05 && (shift + 0.4).abs() < 0.05, "{slope} {shift}");
    }
}
