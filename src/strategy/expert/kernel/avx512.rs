use std::arch::x86_64::*;

use super::{Accumulator, Dense, HALF, NARROW, NARROW_MOST, NARROW_SHIFT, OUTPUTS, Table, WIDE, WIDE_MOST};

/// 16-bit numbers in a vector.
const LANES: usize = 32;
/// Vectors of the first layer's sums, all held in registers.
const VECTORS: usize = WIDE / LANES;
/// Vectors of the second layer's sums.
const NARROWS: usize = NARROW / 16;

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn load(row: &Accumulator) -> [__m512i; VECTORS] {
    let mut vectors = [_mm512_setzero_si512(); VECTORS];
    for (vector, chunk) in vectors.iter_mut().zip(row.0.chunks_exact(LANES)) {
        // SAFETY: `chunk` is 32 numbers of 16 bits, the size of the vector; no alignment is needed.
        *vector = unsafe { _mm512_loadu_si512(chunk.as_ptr().cast()) };
    }
    vectors
}

/// The weights of a row of `table`.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn unpack(table: Table<'_>, row: u16) -> [__m512i; VECTORS] {
    let shift = _mm512_set1_epi16(i16::from(table.shifts[row as usize]));
    let mut vectors = [_mm512_setzero_si512(); VECTORS];
    for (vector, chunk) in vectors.iter_mut().zip(table.rows[row as usize].0.chunks_exact(LANES)) {
        // SAFETY: `chunk` is 32 numbers of 8 bits, the size of the load; no alignment is needed.
        let packed = unsafe { _mm256_loadu_si256(chunk.as_ptr().cast()) };
        *vector = _mm512_sllv_epi16(_mm512_cvtepi8_epi16(packed), shift);
    }
    vectors
}

/// See [`super::change`].
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn change(
    table: Table<'_>,
    base: &Accumulator,
    new: &[u16],
    gone: &[u16],
    sums: &mut Accumulator,
) {
    let mut sum = load(base);
    for row in new {
        let row = unpack(table, *row);
        for (sum, row) in sum.iter_mut().zip(row) {
            *sum = _mm512_add_epi16(*sum, row);
        }
    }
    for row in gone {
        let row = unpack(table, *row);
        for (sum, row) in sum.iter_mut().zip(row) {
            *sum = _mm512_sub_epi16(*sum, row);
        }
    }
    for (sum, target) in sum.iter().zip(sums.0.chunks_exact_mut(LANES)) {
        // SAFETY: `target` is 32 numbers of 16 bits, the size of the vector; no alignment is needed.
        unsafe { _mm512_storeu_si512(target.as_mut_ptr().cast(), *sum) };
    }
}

/// Adds the products of one pair of units.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
fn multiply(sum: &mut [__m512i; NARROWS], unit: i32, weights: &[[i16; 2]; NARROW]) {
    let unit = _mm512_set1_epi32(unit);
    for (vector, chunk) in sum.iter_mut().zip(weights.as_flattened().chunks_exact(LANES)) {
        // SAFETY: `chunk` is 32 numbers of 16 bits, the size of the vector; no alignment is needed.
        let weight = unsafe { _mm512_loadu_si512(chunk.as_ptr().cast()) };
        *vector = _mm512_dpwssd_epi32(*vector, unit, weight);
    }
}

/// See [`super::outputs`].
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) fn outputs(sums: &Accumulator, dense: &Dense) -> [i32; OUTPUTS] {
    /// Pairs of units in a vector.
    const PAIRS: usize = 16;
    let (zero, most) = (_mm512_setzero_si512(), _mm512_set1_epi16(WIDE_MOST));
    // The pairs of units of which one is not zero, and their numbers, close together: about two in three.
    let (mut units, mut numbers) = ([0i32; WIDE / 2 + PAIRS], [0u32; WIDE / 2 + PAIRS]);
    let mut count = 0;
    let mut number = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for chunk in sums.0.chunks_exact(LANES) {
        // SAFETY: `chunk` is 32 numbers of 16 bits, the size of the vector; no alignment is needed.
        let sum = unsafe { _mm512_loadu_si512(chunk.as_ptr().cast()) };
        let unit = _mm512_min_epi16(_mm512_max_epi16(sum, zero), most);
        let busy = _mm512_test_epi32_mask(unit, unit);
        let (to_units, to_numbers) = (&mut units[count..count + PAIRS], &mut numbers[count..count + PAIRS]);
        // SAFETY: both targets are 16 numbers of 32 bits, the size of the vector; no alignment is needed.
        unsafe {
            _mm512_storeu_si512(to_units.as_mut_ptr().cast(), _mm512_maskz_compress_epi32(busy, unit));
            _mm512_storeu_si512(to_numbers.as_mut_ptr().cast(), _mm512_maskz_compress_epi32(busy, number));
        }
        count += busy.count_ones() as usize;
        number = _mm512_add_epi32(number, _mm512_set1_epi32(PAIRS as i32));
    }
    // Two sums, so that a dot product need not wait for the one before.
    let mut even = [zero; NARROWS];
    let mut odd = [zero; NARROWS];
    for (vector, chunk) in even.iter_mut().zip(dense.second_bias.chunks_exact(16)) {
        // SAFETY: `chunk` is 16 numbers of 32 bits, the size of the vector; no alignment is needed.
        *vector = unsafe { _mm512_loadu_si512(chunk.as_ptr().cast()) };
    }
    let (units, numbers) = (&units[..count], &numbers[..count]);
    let row = |number: u32| &dense.second.0[number as usize & (WIDE / 2 - 1)];
    let mut two = units.chunks_exact(2).zip(numbers.chunks_exact(2));
    for (units, numbers) in &mut two {
        multiply(&mut even, units[0], row(numbers[0]));
        multiply(&mut odd, units[1], row(numbers[1]));
    }
    if count % 2 == 1 {
        multiply(&mut even, units[count - 1], row(numbers[count - 1]));
    }
    let (half, most) = (_mm512_set1_epi32(HALF), _mm512_set1_epi32(NARROW_MOST));
    for (even, odd) in even.iter_mut().zip(odd) {
        let sum = _mm512_add_epi32(_mm512_add_epi32(*even, odd), half);
        let shifted = _mm512_srai_epi32::<NARROW_SHIFT>(sum);
        *even = _mm512_min_epi32(_mm512_max_epi32(shifted, zero), most);
    }
    let mut outputs = dense.third_bias;
    for (output, weights) in outputs.iter_mut().zip(&dense.third) {
        let mut products = zero;
        for (vector, chunk) in even.iter().zip(weights.chunks_exact(16)) {
            // SAFETY: `chunk` is 16 numbers of 16 bits, the size of the load; no alignment is needed.
            let weight = unsafe { _mm256_loadu_si256(chunk.as_ptr().cast()) };
            products = _mm512_add_epi32(products, _mm512_mullo_epi32(*vector, _mm512_cvtepi16_epi32(weight)));
        }
        *output = output.wrapping_add(_mm512_reduce_add_epi32(products));
    }
    outputs
}
