//! Calls are answered in turns, so that no number of them keeps anything else waiting.
//!
//! An answer is worked out in a task of its own, and the runtime polls its tasks in the order in which they woke: a
//! thousand calls that arrive together would all be answered before the next look at a socket, a health check's among
//! them. So a few calls are let through at a time, in the order of their arrival, and then everything else that is due
//! has its turn: new connections, requests, refusals, probes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{Notify, Semaphore};
use tokio::task::yield_now;

/// Calls per worker that are answered in one turn, at least. An answer takes some 10 to 100 µs, so that a turn is over
/// within a few milliseconds; the look at all sockets between two turns costs a few µs.
const CALLS_PER_TURN: usize = 16;

/// Lets calls through to be answered.
pub(super) struct Turns {
    size: usize,
    /// Calls that may still be let through in this turn. It is fair: first come, first served.
    left: Semaphore,
    /// Calls that were let through since the start.
    passed: AtomicUsize,
    half_way: Notify,
}

impl Turns {
    pub(super) fn new(workers: usize) -> Turns {
        // A power of two, so that the count stays right when `passed` wraps.
        let size = (CALLS_PER_TURN * workers).next_power_of_two();
        Turns { size, left: Semaphore::new(size), passed: AtomicUsize::new(0), half_way: Notify::new() }
    }

    /// Waits until a call may be answered.
    pub(super) async fn next(&self) {
        // It is never closed.
        if let Ok(place) = self.left.acquire().await {
            place.forget();
            // In the middle of a turn: the next one begins when all sockets have been looked at, and if the worker that
            // does so is late, the others have the second half left.
            if self.passed.fetch_add(1, Ordering::Relaxed) % self.size == self.size / 2 {
                self.half_way.notify_one();
            }
        }
    }

    /// Adds a turn whenever half of one has passed and everything else that was due has been seen to; for ever.
    pub(super) async fn take(self: Arc<Self>) {
        loop {
            self.half_way.notified().await;
            // The runtime comes back to this task when it has looked at the sockets.
            yield_now().await;
            self.left.add_permits(self.size);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lets `calls` through, and looks after each turn whether others were let through meanwhile.
    #[tokio::test]
    async fn others_have_their_turn_between_calls() {
        let turns = Arc::new(Turns::new(1));
        let size = turns.size;
        let pace = tokio::spawn(Arc::clone(&turns).take());
        let passed = Arc::new(AtomicUsize::new(0));
        let calls: Vec<_> = (0..10 * size)
            .map(|_| {
                let (turns, passed) = (Arc::clone(&turns), Arc::clone(&passed));
                tokio::spawn(async move {
                    turns.next().await;
                    passed.fetch_add(1, Ordering::Relaxed);
                })
            })
            .collect();
        let mut before = 0;
        while before < 10 * size {
            yield_now().await;
            let now = passed.load(Ordering::Relaxed);
            assert!(now - before <= 3 * size / 2, "{} calls in one turn", now - before);
            before = now;
        }
        for call in calls {
            call.await.expect("no panic");
        }
        pace.abort();
    }

    #[tokio::test]
    async fn calls_that_are_given_up_use_nothing_up() {
        let turns = Arc::new(Turns::new(1));
        let size = turns.size;
        for _ in 0..size {
            turns.next().await;
        }
        let given_up: Vec<_> = (0..size)
            .map(|_| {
                let turns = Arc::clone(&turns);
                tokio::spawn(async move { turns.next().await })
            })
            .collect();
        yield_now().await;
        for call in &given_up {
            call.abort();
        }
        let pace = tokio::spawn(Arc::clone(&turns).take());
        for _ in 0..3 * size {
            turns.next().await;
        }
        pace.abort();
    }
}
