//! Where the calls of a connection run.

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::{Context, Poll, Waker};

use hyper::rt::Executor;

/// Runs calls first on the spot, in the task of their connection, and in tasks of their own only if they have to wait.
///
/// Health checks, and refusals of requests that came in one piece, are over on the spot. In tasks of their own they would wait behind whatever else is
/// due, once to be answered and once more to be sent.
#[derive(Clone)]
pub(super) struct OnTheSpot;

impl<F> Executor<F> for OnTheSpot
where
    F: Future<Output = ()> + Send + 'static,
{
    fn execute(&self, call: F) {
        let mut call = Box::pin(call);
        // What wakes the call before it has a task of its own is not lost: a new task is polled.
        let poll = || call.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        // A panic costs the call, as it would in a task, and not its connection.
        if let Ok(Poll::Pending) = catch_unwind(AssertUnwindSafe(poll)) {
            tokio::spawn(call);
        }
    }
}

/// What comes after it does not run on the spot: it takes long enough that several calls of one connection are better
/// worked on by several workers.
pub(super) async fn leave_the_spot() {
    let mut left = false;
    poll_fn(|context| {
        if std::mem::replace(&mut left, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
