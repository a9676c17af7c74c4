//! How far the win probabilities that a player states are from the games it wins.

use std::fmt;

use crate::game::{Dice, Table, deal};
use crate::groups::RuleSet;
use crate::strategy::{Budget, Scratch, Strategy, Thinking};

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

    fn of(mut statements: Vec<(f32, bool)>) -> Calibration {
        statements.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut deciles = [Decile::default(); 10];
        for (index, decile) in deciles.iter_mut().enumerate() {
            let part = &statements[statements.len() * index / 10..statements.len() * (index + 1) / 10];
            let count = part.len().max(1) as f64;
            decile.stated = part.iter().map(|(stated, _)| f64::from(*stated)).sum::<f64>() / count;
            decile.won = part.iter().filter(|(_, won)| *won).count() as f64 / count;
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

/// Lets `player` play `games` games against itself. With `minimal` it is told nothing but the minimal situation.
#[must_use]
pub fn calibrate(player: &dyn Strategy, games: u64, seed: u64, minimal: bool) -> Calibration {
    let mut scratch = Scratch::default();
    let mut statements = Vec::new();
    for game in 0..games {
        let mut table = Table::new(&deal(&mut Dice::new(seed.wrapping_add(game))), RuleSet::default());
        let mut of_game = Vec::new();
        while table.winner().is_none() {
            let situation = if minimal { table.situation().minimal() } else { table.situation().clone() };
            let mut thinking = Thinking { seed: game, budget: Budget::IMMEDIATE, scratch: &mut scratch };
            let decision = player.decide(&situation, &mut thinking);
            if let Some(stated) = decision.evaluation.win_probability {
                of_game.push((stated, table.turn()));
            }
            if table.play(decision.play).is_err() {
                break;
            }
        }
        if let Some(winner) = table.winner() {
            statements.extend(of_game.into_iter().map(|(stated, role)| (stated, role.is_ally(winner))));
        }
    }
    Calibration::of(statements)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn honest_statements_have_no_error() {
        let statements =
            (0..1000).map(|number| (f32::from(u8::from(number % 10 < 3)), number % 10 < 3)).collect();
        let calibration = Calibration::of(statements);
        // One decile holds both kinds of statement, each true.
        assert!(calibration.error() < 1e-9);
        let always = Calibration::of((0..1000).map(|number| (0.9, number % 2 == 0)).collect());
        assert!((always.error() - 0.4).abs() < 1e-6);
    }
}
