use std::arch::x86_64::*;

use super::{Accumulator, Dense, HALF, NARROW, NARROW_MOST, NARROW_SHIFT, OUTPUTS, Table, WIDE, WIDE_MOST};

/// 16-bit numbers in a vector.
const LANES: usize = 16;
/// Vectors that are summed at once: half of the registers.
const BLOCK: usize = 8;

/// See [`super::change`].
#[target_feature(enable = "avx2")]
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
                sum[vector] = _mm256_add_epi16(sum[vector], row[vector]);
            }
        }
        for row in gone {
            let row = unpack(table, *row, at);
            for vector in 0..BLOCK {
                sum[vector] = _mm256_sub_epi16(sum[vector], row[vector]);
            }
        }
        for (vector, sum) in sum.iter().enumerate() {
            let target = &mut sums.0[at + vector * LANES..at + (vector + 1) * LANES];
            // SAFETY: `target` is 16 numbers of 16 bits, the size of the vector; no alignment is needed.
            unsafe { _mm256_storeu_si256(target.as_mut_ptr().cast(), *sum) };
        }
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn load(row: &Accumulator, at: usize) -> [__m256i; BLOCK] {
    let row = &row.0[at..at + BLOCK * LANES];
    let mut vectors = [_mm256_setzero_si256(); BLOCK];
    for (vector, chunk) in vectors.iter_mut().zip(row.chunks_exact(LANES)) {
        // SAFETY: `chunk` is 16 numbers of 16 bits, the size of the vector; no alignment is needed.
        *vector = unsafe { _mm256_loadu_si256(chunk.as_ptr().cast()) };
    }
    vectors
}

/// The weights of a row of `table` from unit `at` on.
#[target_feature(enable = "avx2")]
#[inline]
fn unpack(table: Table<'_>, row: u16, at: usize) -> [__m256i; BLOCK] {
    let shift = _mm_cvtsi32_si128(i32::from(table.shifts[row as usize]));
    let row = &table.rows[row as usize].0[at..at + BLOCK * LANES];
    let mut vectors = [_mm256_setzero_si256(); BLOCK];
    for (vector, chunk) in vectors.iter_mut().zip(row.chunks_exact(LANES)) {
        // SAFETY: `chunk` is 16 numbers of 8 bits, the size of the load; no alignment is needed.
        let packed = unsafe { _mm_loadu_si128(chunk.as_ptr().cast()) };
        *vector = _mm256_sll_epi16(_mm256_cvtepi8_epi16(packed), shift);
    }
    vectors
}

/// See [`super::outputs`].
#[target_feature(enable = "avx2")]
pub(super) fn outputs(sums: &Accumulator, dense: &Dense) -> [i32; OUTPUTS] {
    const VECTORS: usize = NARROW / 8;
    let (zero, most) = (_mm256_setzero_si256(), _mm256_set1_epi16(WIDE_MOST));
    let mut units = [0i32; WIDE / 2];
    // The pairs of units of which one is not zero: about two in three, in ascending order.
    let mut active = [0u8; WIDE / 2];
    let mut count = 0;
    for (block, (chunk, target)) in sums.0.chunks_exact(LANES).zip(units.chunks_exact_mut(8)).enumerate() {
        // SAFETY: `chunk` is 16 numbers of 16 bits, the size of the vector; no alignment is needed.
        let sum = unsafe { _mm256_loadu_si256(chunk.as_ptr().cast()) };
        let unit = _mm256_min_epi16(_mm256_max_epi16(sum, zero), most);
        // SAFETY: `target` is 8 numbers of 32 bits, the size of the vector; no alignment is needed.
        unsafe { _mm256_storeu_si256(target.as_mut_ptr().cast(), unit) };
        let idle = _mm256_cmpeq_epi32(unit, zero);
        let mut busy = !_mm256_movemask_ps(_mm256_castsi256_ps(idle)) & 0xFF;
        while busy != 0 {
            active[count & (WIDE / 2 - 1)] = (block * 8) as u8 + busy.trailing_zeros() as u8;
            count += 1;
            busy &= busy - 1;
        }
    }
    let mut sum = [zero; VECTORS];
    for (vector, chunk) in sum.iter_mut().zip(dense.second_bias.chunks_exact(8)) {
        // SAFETY: `chunk` is 8 numbers of 32 bits, the size of the vector; no alignment is needed.
        *vector = unsafe { _mm256_loadu_si256(chunk.as_ptr().cast()) };
    }
    for pair in &active[..count] {
        let pair = (*pair as usize) & (WIDE / 2 - 1);
        let unit = _mm256_set1_epi32(units[pair]);
        let row = dense.second.0[pair].as_flattened();
        for (vector, chunk) in sum.iter_mut().zip(row.chunks_exact(LANES)) {
            // SAFETY: `chunk` is 16 numbers of 16 bits, the size of the vector; no alignment is needed.
            let weight = unsafe { _mm256_loadu_si256(chunk.as_ptr().cast()) };
            *vector = _mm256_add_epi32(*vector, _mm256_madd_epi16(unit, weight));
        }
    }
    let (half, most) = (_mm256_set1_epi32(HALF), _mm256_set1_epi32(NARROW_MOST));
    for vector in &mut sum {
        let shifted = _mm256_srai_epi32::<{ NARROW_SHIFT as i32 }>(_mm256_add_epi32(*vector, half));
        *vector = _mm256_min_epi32(_mm256_max_epi32(shifted, zero), most);
    }
    let mut outputs = dense.third_bias;
    for (output, weights) in outputs.iter_mut().zip(&dense.third) {
        let mut products = zero;
        for (vector, chunk) in sum.iter().zip(weights.chunks_exact(8)) {
            // SAFETY: `chunk` is 8 numbers of 16 bits, the size of the load; no alignment is needed.
            let weight = unsafe { _mm_loadu_si128(chunk.as_ptr().cast()) };
            products = _mm256_add_epi32(products, _mm256_mullo_epi32(*vector, _mm256_cvtepi16_epi32(weight)));
        }
        let mut parts = [0i32; 8];
        // SAFETY: `parts` is 8 numbers of 32 bits, the size of the vector; no alignment is needed.
        unsafe { _mm256_storeu_si256(parts.as_mut_ptr().cast(), products) };
        *output = parts.iter().fold(*output, |sum, part| sum.wrapping_add(*part));
    }
    outputs
}
