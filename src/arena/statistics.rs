//! Means with their intervals, and decision times.
//!
//! All sums are of integers, so that they do not depend on the order in which threads add to them.

use std::time::Duration;

use serde::Serialize;

/// Half the width of a 95 % interval, in standard errors (normal approximation; a match has hundreds of decks).
const NORMAL_95: f64 = 1.959_963_984_540_054;

/// A mean and half the width of its 95 % interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Half the width of the 95 % interval.
    pub ci95: f64,
}

impl Estimate {
    /// The lower end of the interval.
    #[must_use]
    pub fn low(&self) -> f64 {
        self.mean - self.ci95
    }

    /// The upper end of the interval.
    #[must_use]
    pub fn high(&self) -> f64 {
        self.mean + self.ci95
    }
}

/// Sums of an integer that is observed once for each deck, from which its mean and interval follow.
///
/// Both games on a deck make one observation: the luck of the deal, which they share, then cancels out of the
/// variance instead of being counted as if the games were independent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairedSum {
    count: u64,
    sum: i64,
    squares: i128,
}

impl PairedSum {
    /// Adds the observation of one deck.
    pub fn add(&mut self, value: i64) {
        self.count += 1;
        self.sum += value;
        self.squares += i128::from(value) * i128::from(value);
    }

    /// Adds what another thread observed.
    pub fn merge(&mut self, other: &PairedSum) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// Number of observations.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mean and interval of the observations divided by `scale`.
    #[must_use]
    pub fn estimate(&self, scale: f64) -> Estimate {
        if self.count == 0 {
            return Estimate::default();
        }
        let count = self.count as f64;
        let mean = self.sum as f64 / count;
        if self.count == 1 {
            return Estimate { mean: mean / scale, ci95: 0.0 };
        }
        // Exact up to the last step: n · Σx² − (Σx)² over integers cannot cancel badly.
        let spread = i128::from(self.count) * self.squares - i128::from(self.sum) * i128::from(self.sum);
        let variance = spread as f64 / (count * (count - 1.0));
        Estimate { mean: mean / scale, ci95: NORMAL_95 * (variance / count).sqrt() / scale }
    }
}

/// How long decisions took: exact mean and maximum, and quantiles within one part in sixteen.
///
/// A histogram over the logarithm: sixteen buckets for each doubling of the nanoseconds, so that a million
/// decisions need no list.
#[derive(Clone, Debug)]
pub struct Times {
    buckets: Box<[u64; Times::BUCKETS]>,
    count: u64,
    total: u128,
    longest: u64,
}

impl Default for Times {
    fn default() -> Times {
        Times { buckets: Box::new([0; Times::BUCKETS]), count: 0, total: 0, longest: 0 }
    }
}

impl Times {
    const STEPS: u64 = 16;
    const BUCKETS: usize = 64 * Times::STEPS as usize;

    fn bucket(nanoseconds: u64) -> usize {
        if nanoseconds < Times::STEPS {
            return nanoseconds as usize;
        }
        // The four bits below the leading one choose the step within its doubling.
        let shift = nanoseconds.ilog2() - Times::STEPS.ilog2();
        ((u64::from(shift) + 1) * Times::STEPS + ((nanoseconds >> shift) - Times::STEPS)) as usize
    }

    /// The greatest number of nanoseconds that falls into bucket `index`.
    fn upper_end(index: usize) -> u64 {
        let index = index as u64;
        if index < Times::STEPS {
            return index;
        }
        let shift = index / Times::STEPS - 1;
        ((Times::STEPS + index % Times::STEPS + 1) << shift) - 1
    }

    /// Adds one decision.
    pub fn add(&mut self, time: Duration) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.buckets[Times::bucket(nanoseconds)] += 1;
        self.count += 1;
        self.total += u128::from(nanoseconds);
        self.longest = self.longest.max(nanoseconds);
    }

    /// Adds what another thread observed.
    pub fn merge(&mut self, other: &Times) {
        for (mine, theirs) in self.buckets.iter_mut().zip(other.buckets.iter()) {
            *mine += theirs;
        }
        self.count += other.count;
        self.total += other.total;
        self.longest = self.longest.max(other.longest);
    }

    /// Number of decisions.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Mean, in microseconds.
    #[must_use]
    pub fn mean_us(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.total as f64 / self.count as f64 / 1e3 }
    }

    /// The longest, in microseconds.
    #[must_use]
    pub fn max_us(&self) -> f64 {
        self.longest as f64 / 1e3
    }

    /// The time, in microseconds, that a share `quantile` of the decisions did not exceed.
    #[must_use]
    pub fn quantile_us(&self, quantile: f64) -> f64 {
        let wanted = (quantile * self.count as f64).ceil() as u64;
        let mut seen = 0;
        for (index, count) in self.buckets.iter().enumerate() {
            seen += count;
            if seen >= wanted.max(1) {
                return Times::upper_end(index).min(self.longest) as f64 / 1e3;
            }
        }
        self.max_us()
    }
}
