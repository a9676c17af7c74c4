use crate::cards::Hand;
use crate::strategy::HandValue;

/// The values worked out so far in one decision: a bounded table from hand to value, open addressing.
///
/// It lives in the scratch memory of a worker and is emptied for every decision, so that nothing passes from
/// one request to another. Emptying is cheap: an entry counts only if it carries the stamp of the decision.
#[derive(Clone, Debug)]
pub struct Memo {
    entries: Vec<Entry>,
    stamp: u64,
    stored: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// The packed hand, with the decision's stamp in the four bits that a hand leaves free.
    key: u64,
    value: HandValue,
}

/// Bits of a hand that no rank uses.
const STAMP_SHIFT: u32 = 60;
const STAMPS: u64 = 15;

/// log2 of the number of entries, 16 bytes each: half a MiB a worker. The hands that need most, full of trios,
/// come to some ten thousand values; what does not fit is worked out again.
const SIZE_LOG2: u32 = 15;
/// Values stored at most: beyond three quarters full, probing gets slow.
const MOST_STORED: usize = (1 << SIZE_LOG2) / 4 * 3;

impl Default for Memo {
    fn default() -> Memo {
        Memo { entries: vec![Entry::default(); 1 << SIZE_LOG2], stamp: 0, stored: 0 }
    }
}

impl Memo {
    /// A table that stores nothing, to measure what memoising is worth.
    #[must_use]
    pub fn disabled() -> Memo {
        Memo { entries: Vec::new(), stamp: 0, stored: 0 }
    }

    /// Forgets everything: a new decision begins.
    pub fn reset(&mut self) {
        self.stored = 0;
        self.stamp += 1;
        if self.stamp > STAMPS {
            self.stamp = 1;
            self.entries.fill(Entry::default());
        }
    }

    #[inline]
    fn key(&self, hand: Hand) -> u64 {
        hand.bits() | self.stamp << STAMP_SHIFT
    }

    /// Where the search for `key` begins: Fibonacci hashing (Knuth, TAOCP 3, 6.4).
    #[inline]
    fn home(key: u64) -> usize {
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - SIZE_LOG2)) as usize
    }

    /// The value stored for `hand`.
    #[inline]
    #[must_use]
    pub fn get(&self, hand: Hand) -> Option<HandValue> {
        let key = self.key(hand);
        let mut position = Memo::home(key);
        // A full quarter of the entries is free of this decision's stamp, so the search ends.
        loop {
            let entry = self.entries.get(position)?;
            if entry.key == key {
                return Some(entry.value);
            }
            if entry.key >> STAMP_SHIFT != self.stamp {
                return None;
            }
            position = (position + 1) & ((1 << SIZE_LOG2) - 1);
        }
    }

    /// Stores the value of `hand`, which is not in the table, if there is room.
    #[inline]
    pub fn put(&mut self, hand: Hand, value: HandValue) {
        if self.stored >= MOST_STORED {
            return;
        }
        let key = self.key(hand);
        let mut position = Memo::home(key);
        loop {
            let Some(entry) = self.entries.get_mut(position) else { return };
            if entry.key >> STAMP_SHIFT != self.stamp {
                *entry = Entry { key, value };
                self.stored += 1;
                return;
            }
            position = (position + 1) & ((1 << SIZE_LOG2) - 1);
        }
    }
}
