//! One role's network in floating point.
//!
//! The sparse first layer is added row by row; the dense layers are matrix products over a whole batch. The
//! activations are cut off where the fixed-point network cuts them.

use std::ops::Range;

use matrixmultiply::sgemm;

use crate::game::Dice;
use crate::strategy::expert::features::INPUTS;
use crate::strategy::expert::network::{
    NARROW, NARROW_MOST, Network, OUTPUT_MOST, OUTPUT_ONE, OUTPUTS, WEIGHT_MOST, WEIGHT_ONE, WIDE, WIDE_MOST,
    WIDE_ONE,
};
use crate::strategy::expert::stage::{FIRST_BLIND, PHASES, STAGES, phase_of};
use crate::strategy::expert::weights::rounded;

/// Decisions of one role: active rows, the stage and what they should have said.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    rows: Vec<u16>,
    ends: Vec<u32>,
    stages: Vec<u8>,
    targets: Vec<[f32; OUTPUTS]>,
}

impl Samples {
    /// Adds a decision.
    pub fn push(&mut self, rows: &[u16], stage: usize, target: [f32; OUTPUTS]) {
        self.rows.extend_from_slice(rows);
        self.ends.push(self.rows.len() as u32);
        self.stages.push(stage as u8);
        self.targets.push(target);
    }

    /// Adds all of `other`.
    pub fn append(&mut self, other: &Samples) {
        let offset = self.rows.len() as u32;
        self.rows.extend_from_slice(&other.rows);
        self.ends.extend(other.ends.iter().map(|end| end + offset));
        self.stages.extend_from_slice(&other.stages);
        self.targets.extend_from_slice(&other.targets);
    }

    /// Number of decisions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.ends.clear();
        self.stages.clear();
        self.targets.clear();
    }

    fn stage(&self, index: usize) -> usize {
        usize::from(self.stages[index])
    }

    fn rows(&self, index: usize) -> &[u16] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.rows[start..self.ends[index] as usize]
    }
}

/// Decisions a step.
pub const BATCH: usize = 512;
/// Steps between two updates of the running average.
const AVERAGE_EVERY: u64 = 8;
/// How much the score, beside the win probability, weighs in the gradient.
const SCORE_WEIGHT: f32 = 0.1;

/// Where the parameters lie in one flat vector: the first layer, then one block of dense layers for each stage.
const DENSE: usize = PHASES * INPUTS * WIDE;
/// Number of parameters of one role.
pub const PARAMETERS: usize = DENSE + STAGES * BLOCK;

/// Where the parameters lie in a block of dense layers.
const SECOND_BIAS: usize = WIDE * NARROW;
const THIRD: usize = SECOND_BIAS + NARROW;
const THIRD_BIAS: usize = THIRD + OUTPUTS * NARROW;
const BLOCK: usize = THIRD_BIAS + OUTPUTS;

/// The place of the dense layers of `stage`.
fn block(stage: usize) -> Range<usize> {
    let start = DENSE + stage * BLOCK;
    start..start + BLOCK
}

/// A network that learns.
#[derive(Clone)]
pub struct Learner {
    /// The parameters.
    pub weights: Vec<f32>,
    /// Their running average: what plays, and what is shipped.
    pub average: Vec<f32>,
    /// Adam's first and second moments.
    pub moments: [Vec<f32>; 2],
    /// Steps made.
    pub steps: u64,
    gradient: Vec<f32>,
    touched: Vec<bool>,
    stages_touched: [bool; STAGES],
    batch: Batch,
}

#[derive(Clone)]
struct Batch {
    wide: Vec<f32>,
    narrow: Vec<f32>,
    d_wide: Vec<f32>,
    d_narrow: Vec<f32>,
}

/// What one round of learning saw.
#[derive(Clone, Copy, Debug, Default)]
pub struct Loss {
    /// Sum of the logistic losses.
    pub win: f64,
    /// Decisions.
    pub count: u64,
}

fn normal(dice: &mut Dice) -> f32 {
    // The sum of twelve uniform numbers is normal enough for a first guess.
    ((0..12).map(|_| dice.fraction()).sum::<f64>() - 6.0) as f32
}

impl Learner {
    /// A network that knows nothing.
    #[must_use]
    pub fn new(seed: u64) -> Learner {
        let mut dice = Dice::new(seed);
        let mut weights = vec![0.0; PARAMETERS];
        weights[..DENSE].iter_mut().for_each(|weight| *weight = 0.1 * normal(&mut dice));
        // All stages begin alike.
        let (dense, others) = weights[DENSE..].split_at_mut(BLOCK);
        dense[..SECOND_BIAS].iter_mut().for_each(|weight| *weight = 0.09 * normal(&mut dice));
        dense[THIRD..THIRD + NARROW].iter_mut().for_each(|weight| *weight = 0.1 * normal(&mut dice));
        others.chunks_exact_mut(BLOCK).for_each(|other| other.copy_from_slice(dense));
        let zeros = |count: usize| vec![0.0; count];
        Learner {
            average: weights.clone(),
            weights,
            moments: [zeros(PARAMETERS), zeros(PARAMETERS)],
            steps: 0,
            gradient: zeros(PARAMETERS),
            touched: vec![false; PHASES * INPUTS],
            stages_touched: [false; STAGES],
            batch: Batch {
                wide: zeros(BATCH * WIDE),
                narrow: zeros(BATCH * NARROW),
                d_wide: zeros(BATCH * WIDE),
                d_narrow: zeros(BATCH * NARROW),
            },
        }
    }

    /// Learns `samples` once, in the order `order`.
    pub fn learn(&mut self, samples: &Samples, order: &[u32], rate: f32, decay: f32) -> Loss {
        let mut loss = Loss::default();
        let mut sorted = [0; BATCH];
        for batch in order.chunks_exact(BATCH) {
            sorted.copy_from_slice(batch);
            loss.win += self.gradient(samples, &mut sorted);
            loss.count += batch.len() as u64;
            self.step(rate, decay);
        }
        loss
    }

    /// Adds the gradient of a batch, which is sorted by stages, and returns its loss.
    fn gradient(&mut self, samples: &Samples, batch: &mut [u32]) -> f64 {
        let weights = &self.weights;
        let gradient = &mut self.gradient;
        batch.sort_by_key(|index| samples.stage(*index as usize));
        let mut loss = 0.0;
        for part in batch.chunk_by(|a, b| samples.stage(*a as usize) == samples.stage(*b as usize)) {
            let stage = samples.stage(part[0] as usize);
            self.stages_touched[stage] = true;
            let first = phase_of(stage) * INPUTS;
            // Filled by the first rows of the buffers.
            let wide = &mut self.batch.wide[..part.len() * WIDE];
            let d_wide = &mut self.batch.d_wide[..part.len() * WIDE];
            let narrow = &mut self.batch.narrow[..part.len() * NARROW];
            let d_narrow = &mut self.batch.d_narrow[..part.len() * NARROW];

            let most = f32::from(WIDE_MOST) / WIDE_ONE;
            for (index, wide) in part.iter().zip(wide.chunks_exact_mut(WIDE)) {
                wide.fill(0.0);
                for row in samples.rows(*index as usize) {
                    let row = &weights[(first + *row as usize) * WIDE..][..WIDE];
                    wide.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
                }
                wide.iter_mut().for_each(|sum| *sum = sum.clamp(0.0, most));
            }
            let (dense, d_dense) = (&weights[block(stage)], &mut gradient[block(stage)]);
            for narrow in narrow.chunks_exact_mut(NARROW) {
                narrow.copy_from_slice(&dense[SECOND_BIAS..THIRD]);
            }
            let second = &dense[..SECOND_BIAS];
            product(part.len(), WIDE, NARROW, wide, false, second, false, 1.0, narrow);
            for ((index, narrow), d_narrow) in
                part.iter().zip(narrow.chunks_exact_mut(NARROW)).zip(d_narrow.chunks_exact_mut(NARROW))
            {
                loss += last_layer(samples.targets[*index as usize], dense, narrow, d_narrow, d_dense);
            }
            let d_second = &mut d_dense[..SECOND_BIAS];
            product(WIDE, part.len(), NARROW, wide, true, d_narrow, false, 0.0, d_second);
            product(part.len(), NARROW, WIDE, d_narrow, false, second, true, 0.0, d_wide);
            for ((index, wide), d_wide) in
                part.iter().zip(wide.chunks_exact(WIDE)).zip(d_wide.chunks_exact_mut(WIDE))
            {
                for (d, value) in d_wide.iter_mut().zip(wide) {
                    *d = if *value > 0.0 && *value < most { *d } else { 0.0 };
                }
                let mut add = |start: usize| {
                    let target = gradient[start..start + WIDE].iter_mut();
                    target.zip(d_wide.iter()).for_each(|(sum, d)| *sum += d);
                };
                for row in samples.rows(*index as usize) {
                    let row = first + *row as usize;
                    self.touched[row] = true;
                    add(row * WIDE);
                }
            }
        }
        loss
    }

    /// One step of Adam. Rows of inputs and stages that the batch did not have stay as they are.
    fn step(&mut self, rate: f32, decay: f32) {
        const BETA: [f32; 2] = [0.9, 0.999];
        const EPSILON: f32 = 1e-8;
        self.steps += 1;
        let correct = |beta: f32| 1.0 - (f64::from(beta).powf(self.steps as f64)) as f32;
        let rate = rate * correct(BETA[1]).sqrt() / correct(BETA[0]);
        let [first, second] = &mut self.moments;
        let mut update = |range: std::ops::Range<usize>, most: f32| {
            let parameters = self.weights[range.clone()].iter_mut().zip(&mut self.gradient[range.clone()]);
            let moments = first[range.clone()].iter_mut().zip(&mut second[range]);
            for ((weight, gradient), (first, second)) in parameters.zip(moments) {
                let g = std::mem::take(gradient);
                *first = BETA[0] * *first + (1.0 - BETA[0]) * g;
                *second = BETA[1] * *second + (1.0 - BETA[1]) * g * g;
                *weight = (*weight - rate * *first / (second.sqrt() + EPSILON)).clamp(-most, most);
            }
        };
        for (row, touched) in self.touched.iter_mut().enumerate() {
            if std::mem::take(touched) {
                update(row * WIDE..(row + 1) * WIDE, 8.0);
            }
        }
        for (stage, touched) in self.stages_touched.iter_mut().enumerate() {
            if std::mem::take(touched) {
                let start = block(stage).start;
                update(start..start + SECOND_BIAS, f32::from(WEIGHT_MOST) / WEIGHT_ONE);
                update(start + SECOND_BIAS..start + THIRD, 8.0);
                update(start + THIRD..start + BLOCK, f32::from(OUTPUT_MOST) / WEIGHT_ONE);
            }
        }
        if self.steps.is_multiple_of(AVERAGE_EVERY) {
            let share = 1.0 - decay.powi(AVERAGE_EVERY as i32);
            for (average, weight) in self.average.iter_mut().zip(&self.weights) {
                *average += share * (weight - *average);
            }
        }
    }

    /// Takes what `other` has learnt of turns at which the player does not know what the enemies hold: phases and
    /// stages of their own, which share no weight with the others.
    pub fn graft_blind(&mut self, other: &Learner) {
        let ours = [&mut self.weights, &mut self.average].into_iter().chain(&mut self.moments);
        let theirs = [&other.weights, &other.average].into_iter().chain(&other.moments);
        let first = phase_of(FIRST_BLIND) * INPUTS * WIDE..DENSE;
        let dense = block(FIRST_BLIND).start..PARAMETERS;
        for (ours, theirs) in ours.zip(theirs) {
            for range in [first.clone(), dense.clone()] {
                ours[range.clone()].copy_from_slice(&theirs[range]);
            }
        }
    }

    /// The averaged network in fixed point.
    #[must_use]
    pub(crate) fn quantised(&self) -> Network {
        let weights = &self.average;
        let short = |value: f32, one: f32, most: i16| {
            (value * one).round().clamp(-f32::from(most), f32::from(most)) as i16
        };
        let mut network = Network::zero();
        let rows = network.first.iter_mut().zip(&mut network.shifts);
        for ((row, shift), weights) in rows.zip(weights.chunks_exact(WIDE)) {
            (*row, *shift) = rounded(&std::array::from_fn(|unit| short(weights[unit], WIDE_ONE, i16::MAX)));
        }
        for (stage, dense) in network.dense.iter_mut().enumerate() {
            let weights = &weights[block(stage)];
            for (pair, rows) in dense.second.0.iter_mut().enumerate() {
                for (unit, both) in rows.iter_mut().enumerate() {
                    for (which, target) in both.iter_mut().enumerate() {
                        *target = short(weights[(2 * pair + which) * NARROW + unit], WEIGHT_ONE, WEIGHT_MOST);
                    }
                }
            }
            for (target, value) in dense.second_bias.iter_mut().zip(&weights[SECOND_BIAS..]) {
                *target = (value * OUTPUT_ONE).round() as i32;
            }
            for (target, value) in dense.third.as_flattened_mut().iter_mut().zip(&weights[THIRD..]) {
                *target = short(*value, WEIGHT_ONE, OUTPUT_MOST);
            }
            for (target, value) in dense.third_bias.iter_mut().zip(&weights[THIRD_BIAS..]) {
                *target = (value * OUTPUT_ONE).round() as i32;
            }
        }
        network
    }

    /// What the averaged network says of `rows` at `stage` in floating point: logit of winning, and score.
    #[must_use]
    pub fn outlook(&self, rows: &[u16], stage: usize) -> [f32; OUTPUTS] {
        let weights = &self.average;
        let mut wide = [0.0; WIDE];
        for row in rows {
            let row = phase_of(stage) * INPUTS + *row as usize;
            let row = &weights[row * WIDE..][..WIDE];
            wide.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
        }
        let dense = &weights[block(stage)];
        let mut narrow = dense[SECOND_BIAS..THIRD].to_vec();
        for (unit, value) in wide.iter().enumerate() {
            let value = value.clamp(0.0, f32::from(WIDE_MOST) / WIDE_ONE);
            let row = &dense[unit * NARROW..][..NARROW];
            narrow.iter_mut().zip(row).for_each(|(sum, weight)| *sum += value * weight);
        }
        std::array::from_fn(|output| {
            let row = &dense[THIRD + output * NARROW..][..NARROW];
            let most = NARROW_MOST as f32 / WIDE_ONE;
            let products = narrow.iter().zip(row).map(|(value, weight)| value.clamp(0.0, most) * weight);
            dense[THIRD_BIAS + output] + products.sum::<f32>()
        })
    }
}

/// The last layer of one decision of a batch: takes the sums of the second, leaves its activations and their
/// gradient, adds the gradient of the biases and the last layer, and returns the loss.
fn last_layer(
    target: [f32; OUTPUTS],
    dense: &[f32],
    narrow: &mut [f32],
    d_narrow: &mut [f32],
    d_dense: &mut [f32],
) -> f64 {
    let most = NARROW_MOST as f32 / WIDE_ONE;
    let scale = 1.0 / BATCH as f32;
    let third = &dense[THIRD..THIRD_BIAS];
    narrow.iter_mut().for_each(|sum| *sum = sum.clamp(0.0, most));
    let output = |index: usize| {
        let row = &third[index * NARROW..][..NARROW];
        dense[THIRD_BIAS + index] + narrow.iter().zip(row).map(|(a, b)| a * b).sum::<f32>()
    };
    let (win, score) = (output(0), output(1));
    let probability = 1.0 / (1.0 + (-win).exp());
    let sure = probability.clamp(1e-6, 1.0 - 1e-6);
    let d = [(probability - target[0]) * scale, (score - target[1]).clamp(-1.0, 1.0) * scale * SCORE_WEIGHT];
    for (unit, (d_unit, value)) in d_narrow.iter_mut().zip(narrow.iter()).enumerate() {
        let open = *value > 0.0 && *value < most;
        *d_unit = if open { d[0] * third[unit] + d[1] * third[NARROW + unit] } else { 0.0 };
        d_dense[SECOND_BIAS + unit] += *d_unit;
        d_dense[THIRD + unit] += d[0] * value;
        d_dense[THIRD + NARROW + unit] += d[1] * value;
    }
    d_dense[THIRD_BIAS] += d[0];
    d_dense[THIRD_BIAS + 1] += d[1];
    -f64::from(target[0] * sure.ln() + (1.0 - target[0]) * (1.0 - sure).ln())
}

/// `c = a · b + beta · c` of row-major matrices: `a` is `m × k`, or `k × m` if it is to be transposed; likewise
/// `b`, `k × n`.
#[allow(clippy::too_many_arguments, reason = "the shape of a matrix product")]
#[allow(unsafe_code, reason = "the matrix product of the trainer takes pointers")]
fn product(
    m: usize,
    k: usize,
    n: usize,
    a: &[f32],
    a_turned: bool,
    b: &[f32],
    b_turned: bool,
    beta: f32,
    c: &mut [f32],
) {
    assert!(a.len() >= m * k && b.len() >= k * n && c.len() >= m * n);
    let strides = |turned: bool, rows: usize, columns: usize| {
        if turned { (1, rows as isize) } else { (columns as isize, 1) }
    };
    let (a_row, a_column) = strides(a_turned, m, k);
    let (b_row, b_column) = strides(b_turned, k, n);
    // SAFETY: the strides stay within the lengths asserted above, and `c` is borrowed alone.
    unsafe {
        sgemm(
            m,
            k,
            n,
            1.0,
            a.as_ptr(),
            a_row,
            a_column,
            b.as_ptr(),
            b_row,
            b_column,
            beta,
            c.as_mut_ptr(),
            n as isize,
            1,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::expert::kernel::Lane;

    fn some_samples(dice: &mut Dice, count: usize) -> Samples {
        let mut samples = Samples::default();
        for _ in 0..count {
            let rows: Vec<u16> = (0..40).map(|_| dice.below(INPUTS) as u16).collect();
            let target = [dice.below(2) as f32, dice.fraction() as f32 * 6.0 - 3.0];
            samples.push(&rows, dice.below(STAGES), target);
        }
        samples
    }

    /// The loss whose gradient is learnt, by the other statement of the forward pass.
    fn loss(learner: &Learner, samples: &Samples) -> f64 {
        let of = |index: usize| {
            let [win, score] = learner.outlook(samples.rows(index), samples.stage(index)).map(f64::from);
            let target = samples.targets[index].map(f64::from);
            let logistic = (1.0 + win.exp()).ln() - target[0] * win;
            let miss = (score - target[1]).abs();
            let huber = if miss < 1.0 { 0.5 * miss * miss } else { miss - 0.5 };
            logistic + f64::from(SCORE_WEIGHT) * huber
        };
        (0..samples.len()).map(of).sum::<f64>() / samples.len() as f64
    }

    #[test]
    fn the_gradient_is_that_of_finite_differences() {
        let mut dice = Dice::new(7);
        let samples = some_samples(&mut dice, BATCH);
        let mut learner = Learner::new(3);
        let mut order: Vec<u32> = (0..BATCH as u32).collect();
        learner.gradient(&samples, &mut order);
        let gradient = learner.gradient.clone();
        let row = (phase_of(samples.stage(0)) * INPUTS + samples.rows(0)[0] as usize) * WIDE;
        let mut places: Vec<usize> = (0..12).map(|_| row + dice.below(WIDE)).collect();
        for stage in 0..STAGES {
            let start = block(stage).start;
            places.extend((0..4).map(|_| start + dice.below(WIDE * NARROW)));
            places.extend((0..2).map(|_| start + SECOND_BIAS + dice.below(NARROW)));
            places.extend((0..3).map(|_| start + THIRD + dice.below(OUTPUTS * NARROW)));
            places.extend([start + THIRD_BIAS, start + THIRD_BIAS + 1]);
        }
        for place in places {
            const STEP: f32 = 4e-3;
            let before = learner.average[place];
            let mut at = |value: f32| {
                learner.average[place] = value;
                loss(&learner, &samples)
            };
            let slope = (at(before + STEP) - at(before - STEP)) / (2.0 * f64::from(STEP));
            at(before);
            let stated = f64::from(gradient[place]);
            assert!((slope - stated).abs() < 1e-4 + 0.05 * stated.abs(), "{place}: {slope} {stated}");
        }
    }

    #[test]
    fn fixed_point_says_what_floating_point_says() {
        let mut dice = Dice::new(11);
        let mut learner = Learner::new(5);
        // A few steps, so that the biases are not zero.
        let samples = some_samples(&mut dice, 4 * BATCH);
        let order: Vec<u32> = (0..samples.len() as u32).collect();
        learner.learn(&samples, &order, 1e-3, 0.5);
        let network = learner.quantised();
        for index in 0..200 {
            let (rows, stage) = (samples.rows(index), samples.stage(index));
            let sums = network.sum(Lane::Portable, stage, rows);
            let said = network.outlook(Lane::Portable, stage, &sums, &[], &[]);
            let [win, score] = learner.outlook(rows, stage);
            assert!(
                (said.win as f32 / OUTPUT_ONE - win).abs() < 0.1,
                "{} {win}",
                said.win as f32 / OUTPUT_ONE
            );
            assert!((said.score as f32 / OUTPUT_ONE - score).abs() < 0.1);
            assert_eq!(
                said,
                network.outlook(Lane::best(), stage, &network.sum(Lane::best(), stage, rows), &[], &[])
            );
        }
    }

    /// Where players know little they play as the one network says, elsewhere as the other.
    #[test]
    fn a_graft_changes_blind_turns_alone() {
        let (mut ours, theirs) = (Learner::new(1), Learner::new(2));
        let before = ours.clone();
        ours.graft_blind(&theirs);
        let samples = some_samples(&mut Dice::new(3), 200);
        for index in 0..samples.len() {
            let (rows, stage) = (samples.rows(index), samples.stage(index));
            let source = if stage < FIRST_BLIND { &before } else { &theirs };
            assert_eq!(ours.outlook(rows, stage), source.outlook(rows, stage));
        }
    }

    #[test]
    fn learning_the_same_again_lowers_the_loss() {
        let samples = some_samples(&mut Dice::new(2), BATCH);
        let order: Vec<u32> = (0..BATCH as u32).collect();
        let mut learner = Learner::new(1);
        let first = learner.learn(&samples, &order, 1e-3, 0.9).win;
        let last = (0..60).map(|_| learner.learn(&samples, &order, 1e-3, 0.9).win).last();
        assert!(last.is_some_and(|last| last < 0.5 * first));
    }
}
