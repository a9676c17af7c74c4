/// Derives an independent seed from `seed` and the path to where it is used: the number of the deck, of the
/// game, of the turn. A deck therefore does not depend on which thread plays it, nor on how many there are.
///
/// Each step of number n takes the n-th output of the splitmix64 generator (Steele, Lea and Flood, OOPSLA 2014)
/// whose state is the seed so far.
#[inline]
#[must_use]
pub fn derive_seed(seed: u64, path: &[u64]) -> u64 {
    path.iter().fold(output(seed), |state, step| output(state.wrapping_add(step.wrapping_mul(GAMMA))))
}

/// The increment of the generator's state.
const GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

/// The generator's next output.
#[inline]
fn output(state: u64) -> u64 {
    let mut z = state.wrapping_add(GAMMA);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
