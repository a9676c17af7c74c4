use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use super::Progress;

const WIDTH: u64 = 40;
const STEPS: u64 = 400;

/// Runs `work`, of `total` units, with a progress bar on standard error if that is a terminal.
pub(super) fn with_progress<T>(total: u64, unit: &str, work: impl FnOnce(Progress<'_>) -> T) -> T {
    if !io::stderr().is_terminal() {
        return work(&|_| {});
    }
    let begin = Instant::now();
    let shown = AtomicU64::new(0);
    let step = (total / STEPS).max(1);
    let result = work(&|done| {
        // Threads finish out of order: the bar moves forward only.
        if done % step != 0 || shown.fetch_max(done, Ordering::Relaxed) >= done {
            return;
        }
        let seconds = begin.elapsed().as_secs_f64();
        let left = seconds * total.saturating_sub(done) as f64 / done.max(1) as f64;
        // A bar that cannot be drawn is no reason to stop.
        let _ = write!(
            io::stderr().lock(),
            "\r{} {done}/{total} {unit}, {left:.0} s left \x1b[K",
            bar(done, total)
        );
    });
    let _ = write!(io::stderr().lock(), "\r\x1b[K");
    result
}

fn bar(done: u64, total: u64) -> String {
    let filled = (WIDTH * done / total.max(1)).min(WIDTH) as usize;
    format!("[{}{}]", "█".repeat(filled), "·".repeat(WIDTH as usize - filled))
}
