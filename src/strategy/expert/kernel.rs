//! The inner loops of the network: portable, for NEON, for AVX2 and for AVX-512. The only part of the service with
//! `unsafe` code.
//!
//! All of it is integer arithmetic that neither rounds nor saturates on the way, so that the order of additions
//! does not matter and every lane gives the same numbers.

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "vector loads and stores take pointers")]
mod avx2;

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "vector loads and stores take pointers")]
mod avx512;

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
#[allow(unsafe_code, reason = "vector loads and stores take pointers")]
mod neon;

mod portable;

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
        Lane::Portable => portable::change(table, base, new, gone, sums),
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
        Lane::Portable => portable::outputs(sums, dense),
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
