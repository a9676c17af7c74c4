//! The boundary between calls and thinking: a panic stops here, and working memory is lent here.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tokio::sync::Semaphore;

use crate::strategy::Scratch;

thread_local! {
    /// The working memory of this worker, taken by the call that thinks and put back when it is done.
    static SCRATCH: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

/// A panic that was caught, with what it said.
#[derive(Debug)]
pub(super) struct Panic(pub(super) String);

/// Runs `work` with working memory.
///
/// # Errors
/// It panicked. Its working memory is gone with it; everything else `work` may see must be unaffected by a panic
/// at any point, which holds for what is only read.
pub(super) fn think<T>(work: impl FnOnce(&mut Scratch) -> T) -> Result<T, Panic> {
    let mut scratch = SCRATCH.take().unwrap_or_default();
    let result = catch_unwind(AssertUnwindSafe(|| work(&mut scratch)));
    match result {
        Ok(answer) => {
            SCRATCH.set(Some(scratch));
            Ok(answer)
        }
        Err(payload) => {
            let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
            Err(Panic(text.unwrap_or_else(|| "no message".to_owned())))
        }
    }
}

/// Does `work` on this thread and, at the same time, on as many more as `threads` has permits for that nobody else
/// wants, but on `wanted` in all at most. A panic in one of them is one of this thread.
pub(super) fn together(threads: &Semaphore, wanted: usize, work: &(dyn Fn() + Sync)) {
    let permits = (1..wanted).map_while(|_| threads.try_acquire().ok());
    std::thread::scope(|scope| {
        for permit in permits {
            scope.spawn(move || {
                let _permit = permit;
                work();
            });
        }
        work();
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_caught_and_the_next_call_works() {
        let caught = think(|_| -> u8 { panic!("the {} is missing", "king") });
        assert_eq!(caught.err().map(|panic| panic.0).as_deref(), Some("the king is missing"));
        assert_eq!(think(|_| 7).ok(), Some(7));
    }
}
