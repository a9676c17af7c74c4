//! Linear and logistic regression with a ridge penalty, over sparse rows.

use crate::strategy::bidding::FEATURES;

/// The features of one observation that are not 0.
pub(super) type Row = Vec<(u8, f32)>;

/// Keeps weights of features that hardly occur near 0, and the equations solvable where a feature never does.
const PENALTY: f64 = 5.0;

type Weights = [f64; FEATURES];

/// Normal equations: a symmetric matrix, of which the lower half is used, and a right-hand side.
struct Equations {
    matrix: Vec<[f64; FEATURES]>,
    right: Weights,
}

impl Equations {
    fn new() -> Equations {
        let mut matrix = vec![[0.0; FEATURES]; FEATURES];
        for (position, row) in matrix.iter_mut().enumerate() {
            row[position] = PENALTY;
        }
        Equations { matrix, right: [0.0; FEATURES] }
    }

    fn add(&mut self, row: &Row, weight: f64, target: f64) {
        for (feature, amount) in row {
            let weighted = weight * f64::from(*amount);
            self.right[usize::from(*feature)] += weighted * target;
            let line = &mut self.matrix[usize::from(*feature)];
            for (other, amount) in row {
                line[usize::from(*other)] += weighted * f64::from(*amount);
            }
        }
    }

    /// Solves by Cholesky's decomposition. The penalty makes the matrix positive definite.
    fn solve(mut self) -> Weights {
        let matrix = &mut self.matrix;
        for column in 0..FEATURES {
            for line in column..FEATURES {
                let product: f64 = (0..column).map(|k| matrix[line][k] * matrix[column][k]).sum();
                let rest = matrix[line][column] - product;
                matrix[line][column] = if line == column {
                    rest.max(PENALTY * 1e-9).sqrt()
                } else {
                    rest / matrix[column][column]
                };
            }
        }
        let mut solution = self.right;
        for line in 0..FEATURES {
            let known: f64 = (0..line).map(|k| matrix[line][k] * solution[k]).sum();
            solution[line] = (solution[line] - known) / matrix[line][line];
        }
        for line in (0..FEATURES).rev() {
            let known: f64 = (line + 1..FEATURES).map(|k| matrix[k][line] * solution[k]).sum();
            solution[line] = (solution[line] - known) / matrix[line][line];
        }
        solution
    }
}

fn product(weights: &Weights, row: &Row) -> f64 {
    row.iter().map(|(feature, amount)| weights[usize::from(*feature)] * f64::from(*amount)).sum()
}

fn narrow(weights: &Weights) -> [f32; FEATURES] {
    weights.map(|weight| weight as f32)
}

/// The weights by which the sum over a row comes nearest to its target, in squares.
pub(super) fn linear(observations: &[(Row, f64)]) -> [f32; FEATURES] {
    let mut equations = Equations::new();
    for (row, target) in observations {
        equations.add(row, 1.0, *target);
    }
    narrow(&equations.solve())
}

/// The weights by which the sum over a row is the log odds of its target, found by iteratively reweighted least
/// squares (McCullagh and Nelder, Generalized Linear Models, section 2.5).
pub(super) fn logistic(observations: &[(Row, bool)]) -> [f32; FEATURES] {
    const STEPS: usize = 6;
    let mut weights = [0.0; FEATURES];
    for _ in 0..STEPS {
        let mut equations = Equations::new();
        for (row, target) in observations {
            let logit = product(&weights, row);
            let probability = 1.0 / (1.0 + (-logit).exp());
            let variance = (probability * (1.0 - probability)).max(1e-6);
            let residual = f64::from(u8::from(*target)) - probability;
            equations.add(row, variance, logit + residual / variance);
        }
        weights = equations.solve();
    }
    narrow(&weights)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Dice;

    /// Rows over three features and the constant.
    fn rows() -> Vec<Row> {
        let mut dice = Dice::new(1);
        let constant = (FEATURES - 1) as u8;
        let mut draw = |feature| (feature, dice.fraction() as f32 * 4.0 - 2.0);
        (0..40_000).map(|_| vec![draw(0), draw(1), draw(7), (constant, 1.0)]).collect()
    }

    const TRUE: [(usize, f64); 4] = [(0, 0.5), (1, -1.25), (7, 2.0), (FEATURES - 1, 0.75)];

    fn sum(row: &Row) -> f64 {
        let weight = |feature: u8| TRUE.iter().find(|(known, _)| *known == usize::from(feature)).unwrap().1;
        row.iter().map(|(feature, amount)| weight(*feature) * f64::from(*amount)).sum()
    }

    #[test]
    fn a_line_is_found_again() {
        let observations: Vec<(Row, f64)> = rows().into_iter().map(|row| (row.clone(), sum(&row))).collect();
        let weights = linear(&observations);
        for (feature, weight) in TRUE {
            assert!((f64::from(weights[feature]) - weight).abs() < 2e-3, "{feature}: {}", weights[feature]);
        }
        assert_eq!(weights[3], 0.0, "a feature that never occurs");
    }

    #[test]
    fn log_odds_are_found_again() {
        let mut dice = Dice::new(2);
        let observations: Vec<(Row, bool)> = rows()
            .into_iter()
            .map(|row| (row.clone(), dice.fraction() < 1.0 / (1.0 + (-sum(&row)).exp())))
            .collect();
        let weights = logistic(&observations);
        for (feature, weight) in TRUE {
            assert!((f64::from(weights[feature]) - weight).abs() < 0.08, "{feature}: {}", weights[feature]);
        }
    }
}
