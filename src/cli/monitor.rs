//! What the thread that works shares with the one that waits for it: how far it is, whether to go on, who may print.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use memory_stats::memory_stats;

use crate::diag::{Diagnostic, Result};
use crate::process::work::{Phase, Watcher};
use crate::refine::check::Progress;
use crate::report::assertion::AssertionReport;

use super::limits::Limit;
use super::output::Output;
use super::progress::Display;
use super::work::Work;

/// Knows the limits of the whole call. It is asked often, so that asking costs next to nothing: the thread that waits looks at the
/// memory, and signals write for themselves that they came.
pub(crate) struct Monitor {
    deadline: Option<Instant>,
    /// In bytes.
    memory: Option<u64>,
    /// The number of the limit that was reached; see [`limit`].
    reached: Arc<AtomicUsize>,
    work: Mutex<Work>,
    output: Mutex<Output>,
    listener: Option<Listener>,
}

/// Who wants to know each time that the work is farther.
type Listener = Box<dyn Fn(&Work) + Send + Sync>;

/// No limit was reached.
const NOTHING: usize = 0;
const TIME: usize = 1;
const MEMORY: usize = 2;

/// What a signal to end writes.
pub(super) const SIGNAL: usize = 3;

/// The limit of this number.
fn limit(number: usize) -> Option<Limit> {
    match number {
        TIME => Some(Limit::Time),
        MEMORY => Some(Limit::Memory),
        SIGNAL => Some(Limit::Signal),
        _ => None,
    }
}

/// Work that goes on beyond the limit of memory by more than this part of it, and these bytes, is ended from outside.
const BEYOND: (u64, u64) = (20, 4 << 20);

/// Memory is short when less than one part in so many of the limit is left.
const SHORT: u64 = 16;

/// Between two looks at the clock and the memory.
const PAUSE: Duration = Duration::from_millis(50);

/// The shortest such pause.
const SHORTEST_PAUSE: Duration = Duration::from_millis(2);

/// Memory is not taken faster, in bytes a second: pages have to be cleared first.
const FASTEST_GROWTH: f64 = 4e9;

impl Default for Monitor {
    /// One that never ends anything.
    fn default() -> Self {
        Self::new(None, None, Display::Hidden)
    }
}

impl Monitor {
    /// Ends what goes on at `deadline`, or takes more bytes of `memory`.
    pub(crate) fn new(deadline: Option<Instant>, memory: Option<u64>, display: Display) -> Self {
        Self {
            deadline,
            memory,
            reached: Arc::default(),
            work: Mutex::new(Work::new(String::new())),
            output: Mutex::new(Output::new(display)),
            listener: None,
        }
    }

    /// The same; `listener` is told each time that the work is farther.
    pub(crate) fn told(self, listener: impl Fn(&Work) + Send + Sync + 'static) -> Self {
        Self {
            listener: Some(Box::new(listener)),
            ..self
        }
    }

    /// Where a signal writes that it came.
    pub(super) fn flag(&self) -> Arc<AtomicUsize> {
        self.reached.clone()
    }

    // ---- Whether to go on

    /// Nobody wants to know any more.
    pub(crate) fn cancel(&self) {
        self.reached.store(SIGNAL, Ordering::Relaxed);
    }

    /// What ends the work, if anything does.
    pub(crate) fn reached(&self) -> Option<Limit> {
        let reached = limit(self.reached.load(Ordering::Relaxed));
        if reached.is_none() && self.deadline.is_some_and(|at| Instant::now() >= at) {
            self.reach(TIME);
            return Some(Limit::Time);
        }
        reached
    }

    /// What keeps anything more from being begun.
    pub(crate) fn ends_run(&self) -> Option<Limit> {
        self.reached().filter(|limit| limit.ends_run())
    }

    /// What ends the work, if so many bytes more are about to be taken at once.
    pub(crate) fn reached_with(&self, bytes: u64) -> Option<Limit> {
        if let (Some(most), true) = (self.memory, bytes > 0)
            && resident().is_some_and(|now| now.saturating_add(bytes) > most)
        {
            self.reach(MEMORY);
        }
        self.reached()
    }

    /// How many bytes more may be taken, if there is a limit.
    pub(crate) fn room(&self) -> Option<u64> {
        let taken = resident().unwrap_or(0);
        self.memory.map(|most| most.saturating_sub(taken))
    }

    /// Whether hardly any memory is left, and less than when that was last said to whoever has `told`: it has the bytes that were taken then.
    /// What is given back may stay with the allocator, for what is taken next, so that as much taken as before is no news.
    pub(crate) fn is_short(&self, told: &mut u64) -> bool {
        let memory = self.memory.zip(resident());
        memory.is_some_and(|(most, now)| is_short_of(most, now, told))
    }

    /// Notes that a limit was reached, unless another was before.
    fn reach(&self, number: usize) {
        let (ordering, otherwise) = (Ordering::Relaxed, Ordering::Relaxed);
        // Whichever was first is told.
        let _ = self
            .reached
            .compare_exchange(NOTHING, number, ordering, otherwise);
    }

    /// Looks at clock and memory; what ends the work, if anything does.
    pub(super) fn look(&self) -> Option<Limit> {
        if let Some(most) = self.memory
            && resident().is_some_and(|now| now > most)
        {
            self.reach(MEMORY);
        }
        self.reached()
    }

    /// Whether so much more memory is taken than allowed that the work cannot be waited for.
    pub(super) fn is_far_beyond(&self) -> bool {
        let (part, bytes) = BEYOND;
        let far = |most: u64| most.saturating_add(most / part).saturating_add(bytes);
        let most = self.memory.map(far);
        most.is_some_and(|most| resident().is_some_and(|now| now > most))
    }

    /// When to look again.
    pub(super) fn pause(&self) -> Duration {
        let mut pause = PAUSE;
        if let (Some(most), Some(now)) = (self.memory, resident()) {
            let room = most.saturating_sub(now) as f64;
            pause = pause.min(Duration::from_secs_f64(room / FASTEST_GROWTH));
        }
        if let Some(deadline) = self.deadline {
            let left = deadline.saturating_duration_since(Instant::now());
            if !left.is_zero() {
                pause = pause.min(left);
            }
        }
        pause.max(SHORTEST_PAUSE)
    }

    // ---- How far the work is

    /// How far the work is.
    pub(crate) fn work(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Work on `title` begins. What was taken before is given back by now, so that memory counts anew.
    pub(crate) fn begin(&self, title: String) {
        *self.work() = Work::new(title);
        let (ordering, otherwise) = (Ordering::Relaxed, Ordering::Relaxed);
        let _ = self
            .reached
            .compare_exchange(MEMORY, NOTHING, ordering, otherwise);
        self.look();
    }

    /// What is known of the assertion by now.
    pub(crate) fn publish(&self, report: &AssertionReport) {
        self.work().report = Some(report.clone());
    }

    /// A search is so far.
    pub(crate) fn search(&self, progress: &Progress) {
        let mut work = self.work();
        work.search(progress);
        self.tell(&work);
    }

    /// What to say where `limit` ends the present work.
    pub(crate) fn problem(&self, limit: Limit) -> Diagnostic {
        limit.problem(&self.work())
    }

    fn tell(&self, work: &Work) {
        if let Some(listener) = &self.listener {
            listener(work);
        }
    }

    // ---- Who may print

    /// What has been printed and what not, while nobody else prints.
    pub(super) fn output(&self) -> MutexGuard<'_, Output> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same for `patience`: who prints may wait for a reader.
    pub(super) fn output_within(&self, patience: Duration) -> Option<MutexGuard<'_, Output>> {
        let until = Instant::now() + patience;
        loop {
            match self.output.try_lock() {
                Ok(output) => return Some(output),
                Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) if Instant::now() >= until => return None,
                Err(TryLockError::WouldBlock) => thread::sleep(SHORTEST_PAUSE.min(patience)),
            }
        }
    }

    /// Shows how far the work is, if that is wanted.
    pub(super) fn show(&self) {
        if let Some(mut output) = self.output_within(Duration::ZERO) {
            output.line.show(&self.work(), Instant::now(), resident);
        }
    }
}

/// The same where `most` bytes may be taken and `now` are.
fn is_short_of(most: u64, now: u64, told: &mut u64) -> bool {
    let part = most / SHORT;
    if now <= most - part {
        // Not where it goes up and down about that.
        if now <= most - 2 * part {
            *told = 0;
        }
        return false;
    }
    let is_news = now > (*told).min(most);
    *told = now.max(*told);
    is_news
}

/// The bytes of memory that the program takes, if that can be told.
fn resident() -> Option<u64> {
    memory_stats().map(|now| now.physical_mem as u64)
}

impl fmt::Debug for Monitor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<monitor, {:?} reached>", self.reached())
    }
}

/// A monitor as the stages see it.
pub(crate) struct Watched(pub(crate) Arc<Monitor>);

impl Watcher for Watched {
    fn enter(&self, phase: Phase, name: &str) {
        let mut work = self.0.work();
        work.enter(phase, name);
        self.0.tell(&work);
    }

    fn proceed(&self, steps: u64) -> Result<()> {
        {
            let mut work = self.0.work();
            // A search counts its states itself.
            if work.phase != Phase::Search {
                work.steps = steps;
                self.0.tell(&work);
            }
        }
        match self.0.reached() {
            Some(limit) => self.0.problem(limit).into(),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_limit_counts_and_memory_only_once() {
        let monitor = Monitor::new(Some(Instant::now()), None, Display::Hidden);
        monitor.reach(MEMORY);
        assert_eq!(monitor.reached(), Some(Limit::Memory));
        monitor.begin("another assertion".to_string());
        assert_eq!(monitor.reached(), Some(Limit::Time));
        monitor.reach(MEMORY);
        assert_eq!(monitor.look(), Some(Limit::Time));
        monitor.cancel();
        monitor.begin("a third".to_string());
        assert_eq!(monitor.reached(), Some(Limit::Signal));
    }

    #[test]
    fn memory_is_foreseen() {
        let most = resident().expect("it can be told") + (1 << 30);
        let monitor = Monitor::new(None, Some(most), Display::Hidden);
        assert_eq!(monitor.look(), None);
        assert_eq!(monitor.reached_with(0), None);
        assert_eq!(monitor.reached_with(1 << 20), None);
        assert_eq!(monitor.reached_with(2 << 30), Some(Limit::Memory));
        assert_eq!(monitor.pause(), PAUSE);
        assert!(!monitor.is_far_beyond());
        assert!(!monitor.is_short(&mut 0));
        let full = Monitor::new(None, Some(1), Display::Hidden);
        assert!(full.is_short(&mut 0));
        assert_eq!(full.pause(), SHORTEST_PAUSE);
        assert_eq!(full.look(), Some(Limit::Memory));
        let nothing = Monitor::default();
        assert_eq!((nothing.look(), nothing.is_far_beyond()), (None, false));
    }

    #[test]
    fn shortage_is_said_once_until_it_is_worse() {
        let most = 1600;
        let mut told = 0;
        let mut said = |now: u64| is_short_of(most, now, &mut told);
        // What was taken before is given back now and then, and not always to the system.
        assert!(!said(1500) && said(1501) && !said(1501) && said(1510));
        assert!(!said(1490) && !said(1505) && said(1511));
        assert!(!said(1400) && said(1501));
        // Beyond the limit whoever has anything to spare is always asked for it.
        assert!(said(1700) && said(1650) && !said(1600));
    }

    #[test]
    fn what_goes_on_too_long_is_told_where_it_was() {
        let monitor = Arc::new(Monitor::new(Some(Instant::now()), None, Display::Hidden));
        let watched = Watched(monitor);
        watched.enter(Phase::Component, "P(0)");
        let problem = watched.proceed(1024).expect_err("the time is over");
        assert_eq!(problem.code, "timeout");
        assert_eq!(problem.notes, ["it was compiling `P(0)`, 1,024 states"]);
    }
}
