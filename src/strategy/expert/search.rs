//! Search: deals of the hidden hands, and in each the best few candidates played out by the networks.
//!
//! Every candidate is judged in the same deals, so that luck of the deal does not tell them apart. What the
//! networks say beforehand counts like [`PRIOR`] playouts; deals count by the likelihood of what was played
//! before. Endings are solved exactly instead of played out.
//!
//! Deals are looked at in blocks of [`BLOCK`], by as many threads as the crew has at the moment. Every deal
//! follows from the seed and its own number, and what they gave is added up in the order of their numbers: the
//! number of threads changes nothing but the time.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

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
/// Deals between two looks at how the candidates do; as many threads can help.
const BLOCK: u32 = 8;
/// Deals after which a candidate may be given up.
const TRIAL: u32 = 3 * BLOCK;
/// Standard errors by which a candidate has to fall behind to be given up.
const BEHIND: f32 = 3.0;

/// A candidate and how it has done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub play: Play,
    /// The win probability by the networks.
    pub prior: f32,
    /// The expected points by the networks.
    pub points: f32,
    /// Weighted sum of the deals won.
    won: f32,
    given_up: bool,
}

impl Candidate {
    pub(crate) fn new(play: Play, prior: f32, points: f32) -> Candidate {
        Candidate { play, prior, points, won: 0.0, given_up: false }
    }
}

/// What search found.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// The candidates that were searched, the best first, those that were given up last; what the networks said of
    /// their win probability has given way to what was found.
    pub candidates: Vec<Candidate>,
    /// Deals looked at.
    pub iterations: u32,
    /// Positions that were solved exactly.
    pub solved: u64,
}

/// What one deal gave.
#[derive(Clone, Copy, Default)]
struct Outcome {
    /// The logarithm of its likelihood.
    log: f32,
    /// Which candidates won.
    won: [bool; MOST_CANDIDATES],
    solved: u64,
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

/// Searches the first of `candidates`, ordered from the best down, until the budget is spent or the choice is
/// settled. `None` if the situation tells too little to deal the hidden hands.
pub(crate) fn search(
    situation: &Situation,
    facts: &Facts,
    candidates: &[Candidate],
    brain: &Brain,
    lane: Lane,
    seed: u64,
    budget: &Budget<'_>,
) -> Option<Found> {
    let best = candidates.first()?.prior;
    let hopeful = candidates.iter().filter(|candidate| candidate.prior >= best - MARGIN);
    let mut candidates: Vec<Candidate> = hopeful.take(MOST_CANDIDATES).copied().collect();
    let worlds = Worlds::new(situation, facts)?;
    let search = Search { situation, role: facts.role, worlds: &worlds, brain, lane, seed };
    let mut weights = Weights::default();
    let mut iterations = 0;
    let mut solved = 0;
    let most = budget.iterations.unwrap_or(u32::MAX);
    let settled = |candidates: &[Candidate]| candidates.iter().filter(|one| !one.given_up).count() < 2;
    while iterations < most && !settled(&candidates) && !(budget.is_spent)() {
        let end = most.min(iterations + BLOCK);
        let outcomes = search.block(iterations, end, &candidates, budget);
        for outcome in &outcomes {
            let weight = weigh(outcome.log, iterations == 0, &mut weights, &mut candidates);
            for (candidate, won) in candidates.iter_mut().zip(outcome.won) {
                candidate.won += if won { weight } else { 0.0 };
            }
            solved += outcome.solved;
            iterations += 1;
        }
        if iterations < end {
            // Time was up.
            break;
        }
        if iterations >= TRIAL {
            give_up(&mut candidates, &weights);
        }
    }
    candidates
        .sort_by(|a, b| a.given_up.cmp(&b.given_up).then(value(b, &weights).total_cmp(&value(a, &weights))));
    candidates.iter_mut().for_each(|candidate| candidate.prior = value(candidate, &weights));
    Some(Found { candidates, iterations, solved })
}

/// What all deals of a search have in common.
#[derive(Clone, Copy)]
struct Search<'a> {
    situation: &'a Situation,
    role: Role,
    worlds: &'a Worlds<'a>,
    brain: &'a Brain,
    lane: Lane,
    seed: u64,
}

impl Search<'_> {
    /// The outcomes of the deals `start` … `end`, or of the first of them if time is up before.
    fn block(&self, start: u32, end: u32, candidates: &[Candidate], budget: &Budget<'_>) -> Vec<Outcome> {
        let next = AtomicU32::new(start);
        let outcomes = Mutex::new(Vec::new());
        (budget.crew)((end - start) as usize, &|| {
            let mut solver = Solver::default();
            // The first deal was allowed by the caller of this block.
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= end {
                    return;
                }
                let outcome = self.deal(number, candidates, &mut solver);
                outcomes.lock().unwrap_or_else(PoisonError::into_inner).push((number, outcome));
                if (budget.is_spent)() {
                    next.store(end, Ordering::Relaxed);
                }
            }
        });
        let mut done = outcomes.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_unstable_by_key(|(number, _)| *number);
        done.into_iter().map(|(_, outcome)| outcome).collect()
    }

    /// What deal `number` gives.
    fn deal(&self, number: u32, candidates: &[Candidate], solver: &mut Solver) -> Outcome {
        // The odd constant of splitmix64 keeps the deals of neighbouring seeds apart.
        let mut dice =
            Dice::new(self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(u64::from(number)));
        let hands = self.worlds.deal(&mut dice);
        let mut outcome =
            Outcome { log: self.worlds.log_likelihood(hands, self.brain, self.lane), ..Outcome::default() };
        let root = Position::of(self.situation, hands);
        solver.clear();
        for (candidate, won) in candidates.iter().zip(&mut outcome.won) {
            if !candidate.given_up {
                let mut position = root;
                position.play(&candidate.play);
                *won = wins(position, self.role, self.brain, self.lane, solver);
            }
        }
        outcome.solved = solver.len() as u64;
        outcome
    }
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
