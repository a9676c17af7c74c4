use crate::cards::Hand;
use crate::strategy::HandValue;

/// Values of hands that one decision has worked out: an open-addressing table on the packed hand.
///
/// It is bounded: when the neighbourhood of a key is full, the value is not stored and will be worked out
/// again. [`Memo::forget`] makes all entries stale at once, so nothing is carried from request to request.
#[derive(Debug, Default)]
pub struct Memo {
    /// Empty until the first decision: strategies without an evaluator pay nothing.
    entries: Vec<Entry>,
    /// The decision under way; entries of other decisions count as empty.
    generation: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: u64,
    value: HandValue,
    generation: u32,
}

impl Memo {
    /// 2¹³ entries, 128 KiB: the worst hand known, rich in trios, needs a quarter of them, and the table
    /// stays in a core's second-level cache.
    const BITS: u32 = 13;
    /// How far from its home an entry may lie: two cache lines.
    const REACH: usize = 8;

    /// Forgets everything.
    pub(crate) fn forget(&mut self) {
        if self.entries.is_empty() {
            self.entries = vec![Entry::default(); (1 << Memo::BITS) + Memo::REACH];
        }
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            // Every 2³² decisions stamps could come round again.
            self.entries.fill(Entry::default());
            self.generation = 1;
        }
    }

    /// Where `hand` is looked for first.
    #[inline]
    fn home(hand: Hand) -> usize {
        // Fibonacci hashing: the high bits of the product depend on all bits of the key.
        (hand.bits().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - Memo::BITS)) as usize
    }

    /// The value of `hand`, if this decision has stored it.
    #[inline]
    pub(super) fn find(&self, hand: Hand) -> Option<HandValue> {
        let near = self.entries.iter().skip(Memo::home(hand)).take(Memo::REACH);
        near.take_while(|entry| entry.generation == self.generation)
            .find(|entry| entry.key == hand.bits())
            .map(|entry| entry.value)
    }

    /// Stores the value of `hand`.
    #[inline]
    pub(super) fn store(&mut self, hand: Hand, value: HandValue) {
        let generation = self.generation;
        let mut near = self.entries.iter_mut().skip(Memo::home(hand)).take(Memo::REACH);
        if let Some(free) = near.find(|entry| entry.generation != generation) {
            *free = Entry { key: hand.bits(), value, generation };
        }
    }
}
