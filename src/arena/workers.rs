use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Is told how many units of work are done, from any thread.
pub type Progress<'a> = &'a (dyn Fn(u64) + Sync);

/// Calls `work` with every index of `0..count`, on `threads` threads (0: one for each core), and returns what
/// each thread collected. Which thread gets which index is chance: `work` must derive everything from the
/// index, and what is collected must be such that the order of adding does not matter.
pub fn for_each_index<T, W>(count: u64, threads: usize, progress: Progress<'_>, work: W) -> Vec<T>
where
    T: Default + Send,
    W: Fn(&mut T, u64) + Sync,
{
    let next = AtomicU64::new(0);
    let done = AtomicU64::new(0);
    let worker = || {
        let mut collected = T::default();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return collected;
            }
            work(&mut collected, index);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        }
    };
    let threads = match threads {
        0 => thread::available_parallelism().map_or(1, std::num::NonZero::get),
        threads => threads,
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}
