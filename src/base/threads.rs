//! The threads that share work.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The number of threads, and the threads once there is work for more than one.
#[derive(Clone)]
pub struct Threads {
    count: NonZeroUsize,
    stack_bytes: usize,
    /// Empty if the system gives no more threads. `None` for one thread.
    pool: Option<Arc<OnceLock<Option<ThreadPool>>>>,
}

/// Stack of each thread that works: scripts and systems may nest deeply, and this memory is only
/// used if they do.
pub const STACK_BYTES: usize = 256 << 20;

/// More threads than this are never used: what each needs for itself would outgrow what it is for.
pub const MOST_THREADS: usize = 1024;

impl Threads {
    /// This number of threads, but at most [`MOST_THREADS`].
    pub fn new(count: NonZeroUsize) -> Self {
        let most = NonZeroUsize::new(MOST_THREADS).unwrap_or(NonZeroUsize::MIN);
        let count = count.min(most);
        Self {
            count,
            stack_bytes: STACK_BYTES,
            pool: (count > NonZeroUsize::MIN).then(Arc::default),
        }
    }

    /// The calling thread alone.
    pub const fn one() -> Self {
        Self {
            count: NonZeroUsize::MIN,
            stack_bytes: STACK_BYTES,
            pool: None,
        }
    }

    /// These threads, with stacks of this number of bytes.
    #[must_use]
    pub fn with_stack(self, stack_bytes: usize) -> Self {
        Self {
            stack_bytes,
            ..self
        }
    }

    /// As many threads as this process can run at once.
    pub fn available() -> Self {
        Self::new(std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
    }

    /// How many.
    pub fn count(&self) -> usize {
        self.count.get()
    }

    /// Does `work` to each of `items`, on as many threads as there are items and threads. That
    /// costs about ten microseconds beyond the work itself if it is more than one.
    pub fn each<T: Send>(&self, items: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
        let mut workers = vec![(); self.count()];
        self.share(&mut workers, items, |(), number, item| work(number, item));
    }

    /// Does `work` to each of `items` in their order, by whichever of `workers` is free; there must
    /// be one.
    pub fn share<W: Send, T: Send>(
        &self,
        workers: &mut [W],
        items: &mut [T],
        work: impl Fn(&mut W, usize, &mut T) + Sync,
    ) {
        let most = items.len().min(self.count()).min(workers.len());
        let workers = &mut workers[..most];
        let queue = Mutex::new(items.iter_mut().enumerate());
        // The lock is held while an item is taken, not while it is worked on.
        let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        let run = |worker: &mut W| {
            while let Some((number, item)) = next() {
                work(worker, number, item);
            }
        };
        let Some((own, others)) = workers.split_first_mut() else {
            return;
        };
        let pool = (!others.is_empty()).then(|| self.pool()).flatten();
        match pool {
            // In place, so that the calling thread works too instead of waiting for the pool.
            Some(pool) => pool.in_place_scope(|scope| {
                for worker in others {
                    scope.spawn(|_| run(worker));
                }
                run(own);
            }),
            None => run(own),
        }
    }

    fn pool(&self) -> Option<&ThreadPool> {
        let build = || {
            // The calling thread is one of them. There is a pool only for two or more, and so never
            // for 0 threads, which `rayon` would take for a number of its own choice.
            let builder = ThreadPoolBuilder::new()
                .num_threads(self.count() - 1)
                .stack_size(self.stack_bytes);
            // Fewer threads than asked for are only slower.
            builder.build().ok()
        };
        self.pool.as_ref()?.get_or_init(build).as_ref()
    }
}

impl Default for Threads {
    /// The calling thread alone.
    fn default() -> Self {
        Self::one()
    }
}

impl fmt::Debug for Threads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Threads").field(&self.count).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_worked_on_once() {
        for count in 1..=3 {
            let threads = Threads::new(NonZeroUsize::new(count).unwrap_or(NonZeroUsize::MIN));
            let mut items = vec![0; 100];
            threads.each(&mut items, |number, item| *item += number);
            let mut done = vec![0; count];
            threads.share(&mut done, &mut items, |done, number, item| {
                *item -= number;
                *done += 1;
            });
            assert_eq!(items, [0; 100]);
            assert_eq!(done.iter().sum::<usize>(), 100);
        }
    }
}
