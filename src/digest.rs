//! Digests that tell whether something changed, where nobody has a reason to forge them.

/// FNV-1a, 64 bits: <http://www.isthe.com/chongo/tech/comp/fnv/>.
pub(crate) fn fnv1a(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(0xCBF2_9CE4_8422_2325, |digest, byte| {
        (digest ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}
