//! Calls are answered in turns, so that no number of them keeps anything else waiting.
//!
//! An answer is worked out on the worker that received the call, and the runtime polls its tasks in the order in which
//! they woke: a thousand calls that arrive together would all be answered before the next look at a socket, a health
//! check's among them. So no more than a few calls are let through at a time, in the order of their arrival, and then
//! everything else that is due has its turn: new connections, requests, refusals, probes.

use std::sync::Arc;

use tokio::sync::{Notify, Semaphore};
use tokio::task::yield_now;

/// Calls per worker that are answered in one turn. An answer takes some 10 to 100 µs, so that a turn is over within a
/// few milliseconds; the look at all sockets between two turns costs a few µs.
const CALLS_PER_TURN: usize = 32;

/// Lets calls through to be answered.
pub(super) struct Turns {
    /// One for each call that may still be let through in this turn. It is fair: first come, first served.
    left: Semaphore,
    size: usize,
    used_up: Notify,
}

impl Turns {
    pub(super) fn new(workers: usize) -> Turns {
        let size = CALLS_PER_TURN * workers;
        Turns { left: Semaphore::new(size), size, used_up: Notify::new() }
    }

    /// Waits until a call may be answered.
    pub(super) async fn next(&self) {
        // It is never closed.
        if let Ok(place) = self.left.acquire().await {
            place.forget();
        }
        if self.left.available_permits() == 0 {
            self.used_up.notify_one();
        }
    }

    /// Begins a new turn whenever one is used up and the runtime has looked at everything else; for ever.
    pub(super) async fn take(self: Arc<Self>) {
        loop {
            self.used_up.notified().await;
            // The runtime comes back to this task when it has asked the system for what is ready.
            yield_now().await;
            self.left.add_permits(self.size - self.left.available_permits().min(self.size));
        }
    }
}
