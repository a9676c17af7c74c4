//! The two inner loops of the network, portable and for AVX2. The only file with `unsafe` code.
//!
//! All of it is integer arithmetic that neither rounds nor saturates on the way, so that the order of additions
//! does not matter and every lane gives the same numbers.

use super::network::{Accumulator, NARROW, NARROW_MOST, NARROW_SHIFT, Second, WIDE, WIDE_MOST};

/// The instructions to compute with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// What every machine has.
    Portable,
    /// 256-bit vectors. Only [`Lane::best`] makes it, after it has asked the processor.
    #[cfg(target_arch = "x86_64")]
    Avx2(HasAvx2),
}

/// Proof that the processor has AVX2.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HasAvx2(());

impl Lane {
    /// The fastest lane of this machine.
    #[inline]
    pub(crate) fn best() -> Lane {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            return Lane::Avx2(HasAvx2(()));
        }
        Lane::Portable
    }
}

/// `sums = base + Σ new − Σ gone`, rows of `table`.
#[inline]
pub(crate) fn change(
    lane: Lane,
    table: &[Accumulator],
    base: &Accumulator,
    new: &[u16],
    gone: &[u16],
    sums: &mut Accumulator,
) {
    match lane {
        Lane::Portable => {
            *sums = *base;
            for row in new {
                let row = &table[*row as usize].0;
                sums.0.iter_mut().zip(row).for_each(|(sum, weight)| *sum = sum.wrapping_add(*weight));
            }
            for row in gone {
                let row = &table[*row as usize].0;
                sums.0.iter_mut().zip(row).for_each(|(sum, weight)| *sum = sum.wrapping_sub(*weight));
            }
        }
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a `HasAvx2` exists only where the processor has AVX2.
        Lane::Avx2(_) => unsafe { avx2::change(table, base, new, gone, sums) },
    }
}

/// The activations of the second layer, 0 … [`NARROW_MOST`].
#[inline]
pub(crate) fn second(lane: Lane, sums: &Accumulator, weights: &Second, bias: &[i32; NARROW]) -> [i32; NARROW] {
    let mut narrow = *bias;
    match lane {
        Lane::Portable => {
            for (pair, weights) in sums.0.chunks_exact(2).zip(&weights.0) {
                let unit = |sum: i16| i32::from(sum.clamp(0, WIDE_MOST));
                let (a, b) = (unit(pair[0]), unit(pair[1]));
                if a | b == 0 {
                    continue;
                }
                for (sum, weight) in narrow.iter_mut().zip(weights) {
                    *sum += a * i32::from(weight[0]) + b * i32::from(weight[1]);
                }
            }
        }
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a `HasAvx2` exists only where the processor has AVX2.
        Lane::Avx2(_) => unsafe { avx2::second(sums, weights, &mut narrow) },
    }
    let half = 1 << (NARROW_SHIFT - 1);
    narrow.map(|sum| ((sum + half) >> NARROW_SHIFT).clamp(0, NARROW_MOST))
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{Accumulator, NARROW, Second, WIDE, WIDE_MOST};

    /// 16-bit numbers in a vector.
    const LANES: usize = 16;
    /// Vectors that are summed at once: half of the registers.
    const BLOCK: usize = 8;

    /// See [`super::change`].
    #[target_feature(enable = "avx2")]
    pub(super) fn change(
        table: &[Accumulator],
        base: &Accumulator,
        new: &[u16],
        gone: &[u16],
        sums: &mut Accumulator,
    ) {
        const { assert!(WIDE % (BLOCK * LANES) == 0) };
        for block in 0..WIDE / (BLOCK * LANES) {
            let at = block * BLOCK * LANES;
            let mut sum = load(base, at);
            for row in new {
                let row = load(&table[*row as usize], at);
                for vector in 0..BLOCK {
                    sum[vector] = _mm256_add_epi16(sum[vector], row[vector]);
                }
            }
            for row in gone {
                let row = load(&table[*row as usize], at);
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

    /// Adds the products of the second layer to `narrow`, which holds the bias.
    #[target_feature(enable = "avx2")]
    pub(super) fn second(sums: &Accumulator, weights: &Second, narrow: &mut [i32; NARROW]) {
        const VECTORS: usize = NARROW / 8;
        let (zero, most) = (_mm256_setzero_si256(), _mm256_set1_epi16(WIDE_MOST));
        let mut units = [0i32; WIDE / 2];
        // The pairs of units of which one is not zero: about two in three, in ascending order.
        let mut active = [0u8; WIDE / 2 + 8];
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
        for (vector, chunk) in sum.iter_mut().zip(narrow.chunks_exact(8)) {
            // SAFETY: `chunk` is 8 numbers of 32 bits, the size of the vector; no alignment is needed.
            *vector = unsafe { _mm256_loadu_si256(chunk.as_ptr().cast()) };
        }
        for pair in &active[..count] {
            let pair = (*pair as usize) & (WIDE / 2 - 1);
            let unit = _mm256_set1_epi32(units[pair]);
            let row = weights.0[pair].as_flattened();
            for (vector, chunk) in sum.iter_mut().zip(row.chunks_exact(LANES)) {
                // SAFETY: `chunk` is 16 numbers of 16 bits, the size of the vector; no alignment is needed.
                let weight = unsafe { _mm256_loadu_si256(chunk.as_ptr().cast()) };
                *vector = _mm256_add_epi32(*vector, _mm256_madd_epi16(unit, weight));
            }
        }
        for (vector, chunk) in sum.iter().zip(narrow.chunks_exact_mut(8)) {
            // SAFETY: `chunk` is 8 numbers of 32 bits, the size of the vector; no alignment is needed.
            unsafe { _mm256_storeu_si256(chunk.as_mut_ptr().cast(), *vector) };
        }
    }
}
