//! Search: deals of the hidden hands, and in each the best few candidates played out by the networks.
//!
//! Every candidate is judged in the same deals, so that luck of the deal does not tell them apart. What the
//! networks say beforehand counts like [`PRIOR`] playouts; deals count by the likelihood of what was played
//! before. Endings are solved exactly instead of played out.

use crate::game::{Dice, Role, Situation};
use crate::groups::Play;

use super::super::Budget;
use super::brain::Brain;
use super::endgame::{self, Solver};
use super::facts::Facts;
use super::kernel::Lane;
use super::position::Position;
use super::worlds::Worlds;

/// Candidates that are searched.
pub(crate) const MOST_CANDIDATES: usize = 4;
/// How much less likely than the best a candidate may look and still be searched.
const MARGIN: f32 = 0.2;
/// Playouts that the networks' own word is worth.
const PRIOR: f32 = 40.0;
/// Deals after which a candidate may be given up.
const TRIAL: u32 = 24;
/// Standard errors by which a candidate has to fall behind to be given up.
const BEHIND: f32 = 3.0;

/// A candidate and how it has done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub play: Play,
    /// The win probability by the networks.
    pub prior: f32,
    /// Weighted sum of the deals won.
    won: f32,
    given_up: bool,
}

impl Candidate {
    pub(crate) fn new(play: Play, prior: f32) -> Candidate {
        Candidate { play, prior, won: 0.0, given_up: false }
    }
}

/// What search found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub play: Play,
    pub win_probability: f32,
    /// Deals looked at.
    pub iterations: u32,
    /// Positions that were solved exactly.
    pub solved: u64,
}

/// Sums of the weights of deals.
#[derive(Clone, Copy, Default)]
struct Weights {
    sum: f32,
    squares: f32,
    /// The logarithm that weights are relative to.
    most: f32,
}

impl Weights {
    /// How many equally weighted deals these are worth.
    fn effective(&self) -> f32 {
        if self.squares > 0.0 { self.sum * self.sum / self.squares } else { 0.0 }
    }
}

/// Searches `candidates`, ordered from the best down, until the budget is spent or the choice is settled.
pub(crate) fn search(
    situation: &Situation,
    facts: &Facts,
    candidates: &mut Vec<Candidate>,
    brain: &Brain,
    lane: Lane,
    seed: u64,
    budget: &Budget<'_>,
) -> Option<Found> {
    let best = candidates.first()?.prior;
    candidates.truncate(MOST_CANDIDATES);
    candidates.retain(|candidate| candidate.prior >= best - MARGIN);
    let mut worlds = Worlds::new(situation, facts)?;
    let mut dice = Dice::new(seed);
    let mut solver = Solver::default();
    let mut weights = Weights::default();
    let mut iterations = 0;
    let mut solved = 0;
    let most = budget.iterations.unwrap_or(u32::MAX);
    let settled = |candidates: &[Candidate]| candidates.iter().filter(|one| !one.given_up).count() < 2;
    while iterations < most && !settled(candidates) && !(budget.is_spent)() {
        let hands = worlds.deal(&mut dice);
        let log = worlds.log_likelihood(hands, brain, lane);
        let weight = weigh(log, iterations == 0, &mut weights, candidates);
        let root = Position::of(situation, hands);
        solver.clear();
        for candidate in candidates.iter_mut().filter(|candidate| !candidate.given_up) {
            let mut position = root;
            position.play(&candidate.play);
            candidate.won += if wins(position, facts.role, brain, lane, &mut solver) { weight } else { 0.0 };
        }
        solved += solver.len() as u64;
        iterations += 1;
        if iterations >= TRIAL && iterations.is_multiple_of(8) {
            give_up(candidates, &weights);
        }
    }
    let value = |candidate: &Candidate| value(candidate, &weights);
    let mut found = candidates.first()?;
    for candidate in candidates.iter().filter(|candidate| !candidate.given_up) {
        if found.given_up || value(candidate) > value(found) {
            found = candidate;
        }
    }
    Some(Found { play: found.play, win_probability: value(found), iterations, solved })
}

/// Whether the side of `role` wins from `position`.
fn wins(position: Position, role: Role, brain: &Brain, lane: Lane, solver: &mut Solver) -> bool {
    if position.cards() <= endgame::MOST_CARDS {
        return endgame::wins(solver, &position, role);
    }
    position.play_out(brain, lane).is_ally(role)
}

/// The weight of a deal of which the likelihood's logarithm is `log`, relative to the most likely so far.
fn weigh(log: f32, first: bool, weights: &mut Weights, candidates: &mut [Candidate]) -> f32 {
    if first || log > weights.most {
        let scale = if first { 0.0 } else { (weights.most - log).exp() };
        weights.sum *= scale;
        weights.squares *= scale * scale;
        candidates.iter_mut().for_each(|candidate| candidate.won *= scale);
        weights.most = log;
    }
    let weight = (log - weights.most).exp();
    weights.sum += weight;
    weights.squares += weight * weight;
    weight
}

/// The win probability by the networks and the deals together.
fn value(candidate: &Candidate, weights: &Weights) -> f32 {
    let effective = weights.effective();
    let share = if weights.sum > 0.0 { candidate.won / weights.sum } else { 0.0 };
    (PRIOR * candidate.prior + effective * share) / (PRIOR + effective)
}

/// Gives up the candidates that are far behind the best.
fn give_up(candidates: &mut [Candidate], weights: &Weights) {
    let best =
        candidates.iter().filter(|one| !one.given_up).map(|one| value(one, weights)).fold(0.0, f32::max);
    let count = PRIOR + weights.effective();
    // Twice the variance of a share: the difference of two.
    let error = (2.0 * (best * (1.0 - best)).max(0.01) / count).sqrt();
    for candidate in candidates {
        candidate.given_up |= value(candidate, weights) < best - BEHIND * error;
    }
}
