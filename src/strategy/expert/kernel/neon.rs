use std::arch::aarch64::*;

use super::{Accumulator, Dense, HALF, NARROW, NARROW_MOST, NARROW_SHIFT, OUTPUTS, Table, WIDE, WIDE_MOST};

/// 16-bit numbers in a vector.
const LANES: usize = 8;
/// Vectors that are summed at once: half of the registers.
const BLOCK: usize = 16;

/// See [`super::change`].
#[target_feature(enable = "neon")]
pub(super) fn change(
    table: Table<'_>,
    base: &Accumulator,
    new: &[u16],
    gone: &[u16],
    sums: &mut Accumulator,
) {
    const { assert!(WIDE.is_multiple_of(BLOCK * LANES)) };
    for block in 0..WIDE / (BLOCK * LANES) {
        let at = block * BLOCK * LANES;
        let mut sum = load(base, at);
        for row in new {
            let row = unpack(table, *row, at);
            for vector in 0..BLOCK {
                sum[vector] = vaddq_s16(sum[vector], row[vector]);
            }
        }
        for row in gone {
            let row = unpack(table, *row, at);
            for vector in 0..BLOCK {
                sum[vector] = vsubq_s16(sum[vector], row[vector]);
            }
        }
        for (vector, sum) in sum.iter().enumerate() {
            let target = &mut sums.0[at + vector * LANES..at + (vector + 1) * LANES];
            // SAFETY: `target` is 8 numbers of 16 bits, the size of the vector; no alignment is needed.
            unsafe { vst1q_s16(target.as_mut_ptr(), *sum) };
        }
    }
}

#[target_feature(enable = "neon")]
#[inline]
fn load(row: &Accumulator, at: usize) -> [int16x8_t; BLOCK] {
    let row = &row.0[at..at + BLOCK * LANES];
    let mut vectors = [vdupq_n_s16(0); BLOCK];
    for (vector, chunk) in vectors.iter_mut().zip(row.chunks_exact(LANES)) {
        // SAFETY: `chunk` is 8 numbers of 16 bits, the size of the vector; no alignment is needed.
        *vector = unsafe { vld1q_s16(chunk.as_ptr()) };
    }
    vectors
}

/// The weights of a row of `table` from unit `at` on.
#[target_feature(enable = "neon")]
#[inline]
fn unpack(table: Table<'_>, row: u16, at: usize) -> [int16x8_t; BLOCK] {
    let shift = vdupq_n_s16(i16::from(table.shifts[row as usize]));
    let row = &table.rows[row as usize].0[at..at + BLOCK * LANES];
    let mut vectors = [vdupq_n_s16(0); BLOCK];
    for (vector, chunk) in vectors.iter_mut().zip(row.chunks_exact(LANES)) {
        // SAFETY: `chunk` is 8 numbers of 8 bits, the size of the load; no alignment is needed.
        *vector = vshlq_s16(vmovl_s8(unsafe { vld1_s8(chunk.as_ptr()) }), shift);
    }
    vectors
}

/// See [`super::outputs`].
#[target_feature(enable = "neon")]
pub(super) fn outputs(sums: &Accumulator, dense: &Dense) -> [i32; OUTPUTS] {
    /// Vectors of the second layer's sums, all held in registers.
    const VECTORS: usize = NARROW / 4;
    let mut sum = [vdupq_n_s32(0); VECTORS];
    for (vector, chunk) in sum.iter_mut().zip(dense.second_bias.chunks_exact(4)) {
        // SAFETY: `chunk` is 4 numbers of 32 bits, the size of the vector; no alignment is needed.
        *vector = unsafe { vld1q_s32(chunk.as_ptr()) };
    }
    for (pair, weights) in sums.0.chunks_exact(2).zip(&dense.second.0) {
        let (a, b) = (pair[0].clamp(0, WIDE_MOST), pair[1].clamp(0, WIDE_MOST));
        // One pair of units in three is idle.
        if a | b == 0 {
            continue;
        }
        for (two, chunk) in sum.chunks_exact_mut(2).zip(weights.as_flattened().chunks_exact(2 * LANES)) {
            // SAFETY: `chunk` is 16 numbers of 16 bits, the size of both vectors; no alignment is needed.
            let int16x8x2_t(of_a, of_b) = unsafe { vld2q_s16(chunk.as_ptr()) };
            two[0] = vmlal_n_s16(two[0], vget_low_s16(of_a), a);
            two[1] = vmlal_high_n_s16(two[1], of_a, a);
            two[0] = vmlal_n_s16(two[0], vget_low_s16(of_b), b);
            two[1] = vmlal_high_n_s16(two[1], of_b, b);
        }
    }
    let (zero, half, most) = (vdupq_n_s32(0), vdupq_n_s32(HALF), vdupq_n_s32(NARROW_MOST));
    for vector in &mut sum {
        let shifted = vshrq_n_s32::<{ NARROW_SHIFT as i32 }>(vaddq_s32(*vector, half));
        *vector = vminq_s32(vmaxq_s32(shifted, zero), most);
    }
    let mut outputs = dense.third_bias;
    for (output, weights) in outputs.iter_mut().zip(&dense.third) {
        let mut products = zero;
        for (vector, chunk) in sum.iter().zip(weights.chunks_exact(4)) {
            // SAFETY: `chunk` is 4 numbers of 16 bits, the size of the load; no alignment is needed.
            let weight = unsafe { vld1_s16(chunk.as_ptr()) };
            products = vmlaq_s32(products, *vector, vmovl_s16(weight));
        }
        *output = output.wrapping_add(vaddvq_s32(products));
    }
    outputs
}
