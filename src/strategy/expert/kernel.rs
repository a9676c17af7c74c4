//! The inner loops of the network: portable, for NEON, for AVX2 and for AVX-512. The only file of the service with `unsafe`
//! code.
//!
//! All of it is integer arithmetic that neither rounds nor saturates on the way, so that the order of additions
//! does not matter and every lane gives the same numbers.

use super::network::{
    Accumulator, NARROW, NARROW_MOST, NARROW_SHIFT, OUTPUTS, Second, Table, WIDE, WIDE_MOST,
};

/// The instructions to compute with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// What every machine has.
    #[cfg_attr(
        all(target_arch = "aarch64", target_feature = "neon", not(test)),
        allow(dead_code, reason = "every such processor has a faster lane")
    )]
    Portable,
    /// 128-bit vectors, which every 64-bit ARM processor that this crate is built for has.
    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    Neon,
    /// 256-bit vectors. Only [`Lane::best`] makes it, after it has asked the processor.
    #[cfg(target_arch = "x86_64")]
    Avx2(HasAvx2),
    /// 512-bit vectors with 16-bit dot products. Only [`Lane::best`] makes it, as above.
    #[cfg(target_arch = "x86_64")]
    Avx512(HasAvx512),
}

/// Proof that the processor has AVX2.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HasAvx2(());

/// Proof that the processor has AVX-512 F, BW and VNNI.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HasAvx512(());

impl Lane {
    /// Every lane of this machine.
    #[cfg(test)]
    pub(crate) fn all() -> Vec<Lane> {
        let mut lanes = vec![Lane::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            lanes.extend(Lane::avx2());
            lanes.extend(Lane::avx512());
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        lanes.push(Lane::Neon);
        lanes
    }

    #[cfg(target_arch = "x86_64")]
    #[inline]
    fn avx2() -> Option<Lane> {
        std::arch::is_x86_feature_detected!("avx2").then_some(Lane::Avx2(HasAvx2(())))
    }

    #[cfg(target_arch = "x86_64")]
    #[inline]
    fn avx512() -> Option<Lane> {
        let has = std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512bw")
            && std::arch::is_x86_feature_detected!("avx512vnni");
        has.then_some(Lane::Avx512(HasAvx512(())))
    }

    /// The fastest lane of this machine.
    #[inline]
    pub(crate) fn best() -> Lane {
        #[cfg(target_arch = "x86_64")]
        if let Some(lane) = Lane::avx512().or_else(Lane::avx2) {
            return lane;
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        return Lane::Neon;
        #[cfg(not(all(target_arch = "aarch64", target_feature = "neon")))]
        Lane::Portable
    }
}

#[allow(unsafe_code, reason = "a lane is the proof that its instructions exist")]
/// `sums = base + Σ new − Σ gone`, rows of `table`.
#[inline]
pub(crate) fn change(
    lane: Lane,
    table: Table<'_>,
    base: &Accumulator,
    new: &[u16],
    gone: &[u16],
    sums: &mut Accumulator,
) {
    match lane {
        Lane::Portable => {
            *sums = *base;
            for row in new {
                let (row, shift) = (&table.rows[*row as usize].0, table.shifts[*row as usize]);
                let pairs = sums.0.iter_mut().zip(row);
                pairs.for_each(|(sum, weight)| *sum = sum.wrapping_add(i16::from(*weight) << shift));
            }
            for row in gone {
                let (row, shift) = (&table.rows[*row as usize].0, table.shifts[*row as usize]);
                let pairs = sums.0.iter_mut().zip(row);
                pairs.for_each(|(sum, weight)| *sum = sum.wrapping_sub(i16::from(*weight) << shift));
            }
        }
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        // SAFETY: what is compiled here for has NEON.
        Lane::Neon => unsafe { neon::change(table, base, new, gone, sums) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a `HasAvx2` exists only where the processor has AVX2.
        Lane::Avx2(_) => unsafe { avx2::change(table, base, new, gone, sums) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a `HasAvx512` exists only where the processor has these parts of AVX-512.
        Lane::Avx512(_) => unsafe { avx512::change(table, base, new, gone, sums) },
    }
}

/// The weights of the layers after the first.
#[derive(Clone)]
pub(crate) struct Dense {
    pub second: Box<Second>,
    pub second_bias: [i32; NARROW],
    pub third: [[i16; NARROW]; OUTPUTS],
    pub third_bias: [i32; OUTPUTS],
}

#[allow(unsafe_code, reason = "a lane is the proof that its instructions exist")]
/// What the layers after the first make of its sums.
#[inline]
pub(crate) fn outputs(lane: Lane, sums: &Accumulator, dense: &Dense) -> [i32; OUTPUTS] {
    match lane {
        Lane::Portable => portable(sums, dense),
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        // SAFETY: what is compiled here for has NEON.
        Lane::Neon => unsafe { neon::outputs(sums, dense) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a `HasAvx2` exists only where the processor has AVX2.
        Lane::Avx2(_) => unsafe { avx2::outputs(sums, dense) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a `HasAvx512` exists only where the processor has these parts of AVX-512.
        Lane::Avx512(_) => unsafe { avx512::outputs(sums, dense) },
    }
}

/// Half of a unit of the second layer's activations, so that the shift rounds.
const HALF: i32 = 1 << (NARROW_SHIFT - 1);

#[inline]
fn portable(sums: &Accumulator, dense: &Dense) -> [i32; OUTPUTS] {
    let mut narrow = dense.second_bias;
    for (pair, weights) in sums.0.chunks_exact(2).zip(&dense.second.0) {
        let unit = |sum: i16| i32::from(sum.clamp(0, WIDE_MOST));
        let (a, b) = (unit(pair[0]), unit(pair[1]));
        if a | b == 0 {
            continue;
        }
        for (sum, weight) in narrow.iter_mut().zip(weights) {
            *sum = sum.wrapping_add(a * i32::from(weight[0]) + b * i32::from(weight[1]));
        }
    }
    let unit = |sum: i32| (sum.wrapping_add(HALF) >> NARROW_SHIFT).clamp(0, NARROW_MOST);
    let mut outputs = dense.third_bias;
    for (output, weights) in outputs.iter_mut().zip(&dense.third) {
        for (sum, weight) in narrow.iter().zip(weights) {
            *output = output.wrapping_add(unit(*sum) * i32::from(*weight));
        }
    }
    outputs
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "vector loads and stores take pointers")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{
        Accumulator, Dense, HALF, NARROW, NARROW_MOST, NARROW_SHIFT, OUTPUTS, Table, WIDE, WIDE_MOST,
    };

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
        for (block, (chunk, target)) in sums.0.chunks_exact(LANES).zip(units.chunks_exact_mut(8)).enumerate()
        {
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
                products =
                    _mm256_add_epi32(products, _mm256_mullo_epi32(*vector, _mm256_cvtepi16_epi32(weight)));
            }
            let mut parts = [0i32; 8];
            // SAFETY: `parts` is 8 numbers of 32 bits, the size of the vector; no alignment is needed.
            unsafe { _mm256_storeu_si256(parts.as_mut_ptr().cast(), products) };
            *output = parts.iter().fold(*output, |sum, part| sum.wrapping_add(*part));
        }
        outputs
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "vector loads and stores take pointers")]
mod avx512 {
    use std::arch::x86_64::*;

    use super::{
        Accumulator, Dense, HALF, NARROW, NARROW_MOST, NARROW_SHIFT, OUTPUTS, Table, WIDE, WIDE_MOST,
    };

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
            let (to_units, to_numbers) =
                (&mut units[count..count + PAIRS], &mut numbers[count..count + PAIRS]);
            // SAFETY: both targets are 16 numbers of 32 bits, the size of the vector; no alignment is needed.
            unsafe {
                _mm512_storeu_si512(to_units.as_mut_ptr().cast(), _mm512_maskz_compress_epi32(busy, unit));
                _mm512_storeu_si512(
                    to_numbers.as_mut_ptr().cast(),
                    _mm512_maskz_compress_epi32(busy, number),
                );
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
                products =
                    _mm512_add_epi32(products, _mm512_mullo_epi32(*vector, _mm512_cvtepi16_epi32(weight)));
            }
            *output = output.wrapping_add(_mm512_reduce_add_epi32(products));
        }
        outputs
    }
}

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
#[allow(unsafe_code, reason = "vector loads and stores take pointers")]
mod neon {
    use std::arch::aarch64::*;

    use super::{
        Accumulator, Dense, HALF, NARROW, NARROW_MOST, NARROW_SHIFT, OUTPUTS, Table, WIDE, WIDE_MOST,
    };

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
}
