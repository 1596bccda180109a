//! The threads that share work.

use std::collections::VecDeque;
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The number of threads, and the threads once there is work for more than one.
#[derive(Clone)]
pub struct Threads {
    count: NonZeroUsize,
    stack_bytes: usize,
    /// The other threads. `None` for one thread; holds `None` if the system gives no more threads.
    pool: Option<Arc<OnceLock<Option<ThreadPool>>>>,
}

/// Stack of each thread that works: scripts and systems may nest deeply, and this memory is only
/// used if they do.
pub const STACK_BYTES: usize = 256 << 20;

/// The largest number of threads used: with more, the memory of each outgrows its use.
pub(crate) const MOST_THREADS: usize = 1024;

/// The number of times that the calling thread looks whether the others are done before it sleeps:
/// about ten microseconds.
const SPINS: u32 = 1 << 9;

impl Threads {
    /// The given number of threads, but at most `MOST_THREADS`, and one in WebAssembly.
    pub fn new(count: NonZeroUsize) -> Self {
        let most = if cfg!(target_family = "wasm") {
            1
        } else {
            MOST_THREADS
        };
        let most = NonZeroUsize::new(most).unwrap_or(NonZeroUsize::MIN);
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

    /// As many threads, with stacks of `stack_bytes` each.
    #[must_use]
    pub fn with_stack(self, stack_bytes: usize) -> Self {
        Self {
            stack_bytes,
            ..self
        }
    }

    /// As many other threads, which are free even while these work.
    #[must_use]
    pub fn apart(&self) -> Self {
        Self {
            pool: self.pool.as_ref().map(|_| Arc::default()),
            ..self.clone()
        }
    }

    /// As many threads as this process can run at once.
    pub fn available() -> Self {
        Self::new(std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
    }

    /// The number of threads.
    pub fn count(&self) -> usize {
        self.count.get()
    }

    /// Does `work` to each of `items`, on as many threads as there are items and threads. If there
    /// are several, that costs about ten microseconds beyond the work itself.
    pub fn each<T: Send>(&self, items: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
        let mut workers = vec![(); self.count()];
        self.share(&mut workers, items, |(), number, item| work(number, item));
    }

    /// Does `work` to the items that `make` hands on, while `make` makes more of them on the
    /// calling thread. That thread works too when `make` is done, and while more than
    /// `most_waiting` items wait. Returns what `make` returns, and the results in the order of the
    /// items.
    ///
    /// Handing on costs some microseconds: items should be worth more than that.
    pub fn pipeline<T: Send, R: Send, M>(
        &self,
        most_waiting: usize,
        make: impl FnOnce(&mut dyn FnMut(T)) -> M,
        work: impl Fn(T) -> R + Sync,
    ) -> (M, Vec<R>) {
        let line = Pipeline {
            waiting: Mutex::default(),
            results: Mutex::default(),
            work,
        };
        let made = match self.pool() {
            // Each item has a task, which takes the first item that waits, if one is left.
            Some(pool) => pool.in_place_scope(|scope| {
                let announce = || scope.spawn(|_| _ = line.work_on_next());
                line.run(most_waiting, make, announce)
            }),
            None => line.run(most_waiting, make, || {}),
        };
        (made, line.results())
    }

    /// Does `work` to each of `items` in their order, by whichever of `workers` is free. There must
    /// be at least one worker.
    pub fn share<W: Send, T: Send>(
        &self,
        workers: &mut [W],
        items: &mut [T],
        work: impl Fn(&mut W, usize, &mut T) + Sync,
    ) {
        self.share_beside(|| {}, workers, items, work);
    }

    /// Does `first` on the calling thread while the other workers begin `work` on `items`; then the
    /// calling thread works too. There must be at least one worker.
    pub fn share_beside<W: Send, T: Send>(
        &self,
        first: impl FnOnce(),
        workers: &mut [W],
        items: &mut [T],
        work: impl Fn(&mut W, usize, &mut T) + Sync,
    ) {
        let most = items.len().min(self.count()).min(workers.len());
        let workers = &mut workers[..most];
        let queue = Mutex::new(items.iter_mut().enumerate());
        // The lock is held while an item is taken, not while it is worked on.
        let next = || lock(&queue).next();
        let run = |worker: &mut W| {
            while let Some((number, item)) = next() {
                work(worker, number, item);
            }
        };
        let Some((own, others)) = workers.split_first_mut() else {
            return first();
        };
        let pool = (!others.is_empty()).then(|| self.pool()).flatten();
        let Some(pool) = pool else {
            first();
            return run(own);
        };
        let busy = AtomicUsize::new(others.len());
        // In place, so that the calling thread works too instead of waiting for the pool.
        pool.in_place_scope(|scope| {
            for worker in others {
                scope.spawn(|_| {
                    run(worker);
                    busy.fetch_sub(1, Ordering::Relaxed);
                });
            }
            first();
            run(own);
            // The others are about to be done: sleeping and being woken takes longer.
            let mut patience = SPINS;
            while busy.load(Ordering::Relaxed) > 0 && patience > 0 {
                std::hint::spin_loop();
                patience -= 1;
            }
        });
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

/// The items of [`Threads::pipeline`], each with its number.
struct Pipeline<T, R, W> {
    waiting: Mutex<VecDeque<(usize, T)>>,
    results: Mutex<Vec<(usize, R)>>,
    work: W,
}

impl<T, R, W: Fn(T) -> R> Pipeline<T, R, W> {
    /// The part of the calling thread. `announce` tells the others that one more item waits.
    fn run<M>(
        &self,
        most_waiting: usize,
        make: impl FnOnce(&mut dyn FnMut(T)) -> M,
        announce: impl Fn(),
    ) -> M {
        let mut count = 0;
        let made = make(&mut |item| {
            lock(&self.waiting).push_back((count, item));
            count += 1;
            announce();
            while lock(&self.waiting).len() > most_waiting {
                self.work_on_next();
            }
        });
        while self.work_on_next() {}
        made
    }

    /// Works on the first item that waits. Returns false if none waits.
    fn work_on_next(&self) -> bool {
        let next = lock(&self.waiting).pop_front();
        let Some((number, item)) = next else {
            return false;
        };
        let result = (self.work)(item);
        lock(&self.results).push((number, result));
        true
    }

    fn results(self) -> Vec<R> {
        let results = self.results.into_inner();
        let mut results = results.unwrap_or_else(PoisonError::into_inner);
        results.sort_unstable_by_key(|&(number, _)| number);
        results.into_iter().map(|(_, result)| result).collect()
    }
}

/// Locks a mutex whose data is valid whenever no thread holds it, even if a thread panicked.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
    #[test]
    fn a_pipeline_gives_results_in_order_and_holds_few_items() {
        for count in 1..=3 {
            let threads = Threads::new(NonZeroUsize::new(count).unwrap_or(NonZeroUsize::MIN));
            for most_waiting in [0, 1, 5] {
                let taken = AtomicUsize::new(0);
                let make = |hand_on: &mut dyn FnMut(usize)| {
                    for item in 0..200 {
                        hand_on(item);
                        let waiting = item + 1 - taken.load(Ordering::SeqCst).min(item + 1);
                        // A thread may have taken an item without having counted it yet.
                        assert!(waiting <= most_waiting + count, "{waiting}");
                    }
                    "all made"
                };
                let (outcome, results) = threads.pipeline(most_waiting, make, |item| {
                    taken.fetch_add(1, Ordering::SeqCst);
                    item * 2
                });
                assert_eq!(outcome, "all made");
                assert_eq!(results, Vec::from_iter((0..200).map(|item| item * 2)));
            }
        }
    }
}
