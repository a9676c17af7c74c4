use crate::game::Role;

use super::features::INPUTS;
use super::kernel::{self, Dense, Lane};
use super::stage::{PHASES, STAGES, phase_of};

/// Units of the first layer.
pub(crate) const WIDE: usize = 256;
/// Units of the second layer.
pub(crate) const NARROW: usize = 64;
/// Outputs: the win probability as a logit, and the expected score.
pub(crate) const OUTPUTS: usize = 2;

/// Fixed-point units of the first layer's weights and sums: 1.0 is 512, so sums may reach ± 64.
pub(crate) const WIDE_ONE: f32 = 512.0;
/// Where the first layer's activations are cut off: 8.0. The cut keeps the second layer's sums within 32 bits.
pub(crate) const WIDE_MOST: i16 = 4095;
/// Fixed-point units of the weights of the second and third layer; the largest is `WEIGHT_MOST`.
pub(crate) const WEIGHT_ONE: f32 = 1024.0;
/// The largest weight of the second layer: 2.0, since 256 · 4095 · 2047 < 2³¹.
#[cfg(feature = "train")]
pub(crate) const WEIGHT_MOST: i16 = 2047;
/// How far the second layer's sums are shifted to be in units of 1/512 again.
pub(crate) const NARROW_SHIFT: u32 = 10;
/// Where the second layer's activations are cut off: 16.0.
pub(crate) const NARROW_MOST: i32 = 8191;
/// The largest weight of the third layer: 4.0, since 64 · 8191 · 4095 < 2³¹.
#[cfg(feature = "train")]
pub(crate) const OUTPUT_MOST: i16 = 4095;
/// The stakes that are a score of 1.
pub(crate) const SCORE_ONE: f32 = 4.0;
/// Fixed-point units of an output.
pub(crate) const OUTPUT_ONE: f32 = WIDE_ONE * WEIGHT_ONE;

/// The sums of the first layer.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Accumulator(pub [i16; WIDE]);

/// The weights of one input of the first layer, to be shifted left by what stands beside them: half the memory of
/// whole weights, since what a decision waits for is the memory.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Row(pub [i8; WIDE]);

/// The largest shift of a row: with it a row reaches the ends of the accumulator.
pub(crate) const MOST_SHIFT: u8 = 8;

/// Rows of the first layer, each with its shift: those of one phase.
#[derive(Clone, Copy)]
pub(crate) struct Table<'a> {
    pub rows: &'a [Row],
    pub shifts: &'a [u8],
}

/// One role's network, in fixed point. All arithmetic is on integers, so that every path computes the same.
#[derive(Clone)]
pub(crate) struct Network {
    /// Row by row: for each phase one row of `WIDE` weights for each input. There is no bias: of the inputs that tell
    /// whose the group to beat is, there is always one.
    pub first: Vec<Row>,
    /// The shift of each row, at most [`MOST_SHIFT`].
    pub shifts: Vec<u8>,
    /// The layers after the first, for each stage.
    pub dense: [Dense; STAGES],
}

/// Weights of the second layer: for each two inputs and each output the weights of both, so that one
/// multiply-add instruction takes both.
#[derive(Clone)]
#[repr(C, align(64))]
pub(crate) struct Second(pub [[[i16; 2]; NARROW]; WIDE / 2]);

/// What the network says of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outlook {
    /// Logit of the win probability, in units of 1 / [`OUTPUT_ONE`].
    pub win: i32,
    /// Expected stakes won or lost by a peasant, in units of 1 / [`OUTPUT_ONE`].
    pub score: i32,
}

impl Outlook {
    /// The win probability.
    pub(crate) fn probability(self) -> f32 {
        1.0 / (1.0 + (-(self.win as f32) / OUTPUT_ONE).exp())
    }

    /// The expected score: in units of [`SCORE_ONE`] stakes.
    pub(crate) fn expected_score(self) -> f32 {
        self.score as f32 / OUTPUT_ONE
    }

    /// The points that a player of `role` may expect.
    pub(crate) fn points(self, role: Role) -> f32 {
        self.expected_score() * SCORE_ONE * stake(role)
    }
}

/// What a player of `role` stakes: the landlord plays against two.
pub(crate) fn stake(role: Role) -> f32 {
    if role.is_landlord() { 2.0 } else { 1.0 }
}

impl Network {
    /// A network of zeros.
    pub(crate) fn zero() -> Network {
        Network {
            first: vec![Row([0; WIDE]); PHASES * INPUTS],
            shifts: vec![0; PHASES * INPUTS],
            dense: std::array::from_fn(|_| Dense {
                second: Box::new(Second([[[0; 2]; NARROW]; WIDE / 2])),
                second_bias: [0; NARROW],
                third: [[0; NARROW]; OUTPUTS],
                third_bias: [0; OUTPUTS],
            }),
        }
    }

    /// The first layer's weights at `stage`, row by row.
    #[inline]
    pub(crate) fn first_at(&self, stage: usize) -> Table<'_> {
        let start = phase_of(stage) * INPUTS;
        Table { rows: &self.first[start..][..INPUTS], shifts: &self.shifts[start..][..INPUTS] }
    }

    /// The first layer's sums of these rows at `stage`.
    #[inline]
    pub(crate) fn sum(&self, lane: Lane, stage: usize, rows: &[u16]) -> Accumulator {
        let mut sums = Accumulator([0; WIDE]);
        kernel::change(lane, self.first_at(stage), &Accumulator([0; WIDE]), rows, &[], &mut sums);
        sums
    }

    /// What it says at `stage` when `new` is added to `base` and `gone` taken away.
    #[inline]
    pub(crate) fn outlook(
        &self,
        lane: Lane,
        stage: usize,
        base: &Accumulator,
        new: &[u16],
        gone: &[u16],
    ) -> Outlook {
        let mut sums = Accumulator([0; WIDE]);
        kernel::change(lane, self.first_at(stage), base, new, gone, &mut sums);
        let [win, score] = kernel::outputs(lane, &sums, &self.dense[stage]);
        Outlook { win, score }
    }
}
