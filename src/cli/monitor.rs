//! What the thread that works shares with the one that waits for it: how far it is, whether to go on, who may print.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use crate::diag::{Diagnostic, Result};
use crate::process::work::{Phase, Watcher};
use crate::refine::check::Progress;
use crate::report::assertion::AssertionReport;

use super::allocator;
use super::limits::Limit;
use super::memory::{Bound, Memory, Source, resident};
use super::output::Output;
use super::progress::Display;
use super::work::Work;

/// Knows the limits of the whole call. It is asked often, so that asking costs next to nothing: the thread that waits looks at the
/// memory, and signals write for themselves that they came.
pub(crate) struct Monitor {
    deadline: Option<Instant>,
    /// How long each turn may take: one assertion, or one value that is printed.
    each: Option<Duration>,
    /// When the present turn has to end. Whoever notes that it did not holds this, so that the next is not ended for it.
    turn: Mutex<Option<Instant>>,
    memory: Memory,
    /// The number of the limit that was reached; see [`Monitor::limit`].
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
const TURN: usize = 2;

/// What a signal to end writes.
pub(super) const SIGNAL: usize = 3;

/// From here on the bounds of memory, in their order.
const MEMORY: usize = 4;

/// What is reached where memory is asked for in vain.
const EXHAUSTED: Limit = Limit::Memory(Bound {
    source: Source::System,
    bytes: 0,
});

/// How long a turn may go on beyond its end, at least, before the run is ended for it.
const PATIENCE: Duration = Duration::from_secs(10);

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
        Self::new(None, None, Memory::default(), Display::Hidden)
    }
}

impl Monitor {
    /// Ends what goes on at `deadline`, a turn that takes longer than `each`, and what takes more than is allowed of `memory`.
    pub(crate) fn new(
        deadline: Option<Instant>,
        each: Option<Duration>,
        memory: Memory,
        display: Display,
    ) -> Self {
        Self {
            deadline,
            each,
            turn: Mutex::default(),
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
        let reached = self.noted();
        if reached.is_some() {
            return reached;
        }
        if is_past(self.deadline) {
            self.reach(TIME);
            return Some(Limit::Time);
        }
        if self.each.is_some() {
            let turn = self.turn();
            if is_past(*turn) {
                self.reach(TURN);
            }
        }
        self.noted()
    }

    /// The limit that was noted.
    fn noted(&self) -> Option<Limit> {
        self.limit(self.reached.load(Ordering::Relaxed))
    }

    /// The limit of this number.
    fn limit(&self, number: usize) -> Option<Limit> {
        match number {
            NOTHING => None,
            TIME => Some(Limit::Time),
            TURN => Some(Limit::Turn),
            SIGNAL => Some(Limit::Signal),
            number => self.memory.bound(number - MEMORY).map(Limit::Memory),
        }
    }

    /// What ends the run, whatever ended the present turn before.
    pub(super) fn ends_run_by_now(&self) -> Option<Limit> {
        match self.ends_run() {
            None if is_past(self.deadline) => Some(Limit::Time),
            limit => limit,
        }
    }

    /// What keeps anything more from being begun.
    pub(crate) fn ends_run(&self) -> Option<Limit> {
        self.reached().filter(|limit| limit.ends_run())
    }

    /// What ends the work, if so many bytes more are about to be taken at once.
    pub(crate) fn reached_with(&self, bytes: u64) -> Option<Limit> {
        if bytes > 0 {
            self.look_at_memory(bytes);
        }
        self.reached()
    }

    /// Notes it if so many bytes more are too many.
    fn look_at_memory(&self, more: u64) {
        let _turn = self.turn();
        if let Some(number) = self.memory.exceeded_with(more) {
            self.reach(MEMORY + number);
        }
    }

    /// What bounds the memory.
    pub(crate) fn memory(&self) -> &Memory {
        &self.memory
    }

    /// How many bytes more may be taken, if there is a limit.
    pub(crate) fn room(&self) -> Option<u64> {
        let tightest = self.memory.tightest();
        tightest.map(|(most, now)| most.saturating_sub(now))
    }

    /// Whether hardly any memory is left, and less than when that was last said to whoever has `told`: it has the bytes that were taken then.
    /// What is given back may stay with the allocator, for what is taken next, so that as much taken as before is no news.
    pub(crate) fn is_short(&self, told: &mut u64) -> bool {
        let tightest = self.memory.tightest();
        tightest.is_some_and(|(most, now)| is_short_of(most, now, told))
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
        if allocator::is_exhausted() {
            return Some(EXHAUSTED);
        }
        self.look_at_memory(0);
        self.reached()
    }

    /// Whether so much more memory is taken than allowed, or so little is there, that the work cannot be waited for.
    pub(super) fn is_far_beyond(&self) -> bool {
        allocator::is_exhausted() || self.memory.is_far_beyond()
    }

    /// Whether the present turn has gone on for much too long. The next is not begun either, so that more time is given than
    /// where the run is over anyway.
    pub(super) fn is_stuck(&self) -> bool {
        let patience = self.each.map_or(PATIENCE, |each| each.max(PATIENCE));
        let turn = *self.turn();
        turn.is_some_and(|until| Instant::now().saturating_duration_since(until) >= patience)
    }

    /// When to look again.
    pub(super) fn pause(&self) -> Duration {
        let mut pause = PAUSE;
        if let Some(room) = self.room() {
            pause = pause.min(Duration::from_secs_f64(room as f64 / FASTEST_GROWTH));
        }
        let deadlines = [self.deadline, *self.turn()];
        for deadline in deadlines.into_iter().flatten() {
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

    /// The same for `patience`: whoever notes it may have no memory.
    pub(super) fn work_within(&self, patience: Duration) -> Option<MutexGuard<'_, Work>> {
        within(&self.work, patience)
    }

    /// Work on `title` begins with reading a script.
    pub(crate) fn begin(&self, title: String) {
        self.begin_in(title, Phase::Reading);
    }

    /// Work on `title` begins. What was taken before is given back by now, so that memory counts anew.
    fn begin_in(&self, title: String, phase: Phase) {
        let mut work = Work::new(title);
        work.phase = phase;
        *self.work() = work;
        let mut turn = self.turn();
        *turn = None;
        let noted = self.reached.load(Ordering::Relaxed);
        if self.limit(noted).is_some_and(|limit| !limit.ends_run()) {
            let (ordering, otherwise) = (Ordering::Relaxed, Ordering::Relaxed);
            // A signal may come at any time.
            let _ = self
                .reached
                .compare_exchange(noted, NOTHING, ordering, otherwise);
        }
        drop(turn);
        self.look();
    }

    /// Gives the `work` on `title`, for which a script was read, a turn: it may take the time that each may take.
    pub(crate) fn turn_of<T>(&self, title: String, work: impl FnOnce() -> T) -> T {
        self.begin_in(title, Phase::Evaluation);
        *self.turn() = self.each.and_then(|each| Instant::now().checked_add(each));
        let done = work();
        *self.turn() = None;
        done
    }

    fn turn(&self) -> MutexGuard<'_, Option<Instant>> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
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
        within(&self.output, patience)
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

/// What is in `mutex`, if it is free within `patience`.
fn within<T>(mutex: &Mutex<T>, patience: Duration) -> Option<MutexGuard<'_, T>> {
    let until = Instant::now() + patience;
    loop {
        match mutex.try_lock() {
            Ok(inside) => return Some(inside),
            Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) if Instant::now() >= until => return None,
            Err(TryLockError::WouldBlock) => thread::sleep(SHORTEST_PAUSE.min(patience)),
        }
    }
}

/// Whether it is so late.
fn is_past(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|at| Instant::now() >= at)
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
        let now = Some(Instant::now());
        let monitor = Monitor::new(now, None, Memory::of(u64::MAX), Display::Hidden);
        monitor.reach(MEMORY);
        let memory = monitor.memory.bound(0).map(Limit::Memory);
        assert_eq!((monitor.reached(), monitor.ends_run()), (memory, None));
        assert_eq!(monitor.ends_run_by_now(), Some(Limit::Time));
        monitor.begin("another assertion".to_string());
        assert_eq!(monitor.reached(), Some(Limit::Time));
        monitor.reach(MEMORY);
        assert_eq!(monitor.look(), Some(Limit::Time));
        monitor.cancel();
        monitor.begin("a third".to_string());
        assert_eq!(monitor.reached(), Some(Limit::Signal));
    }

    #[test]
    fn a_turn_ends_and_the_next_begins() {
        let each = Some(Duration::ZERO);
        let monitor = Monitor::new(None, each, Memory::default(), Display::Hidden);
        monitor.begin("a script".to_string());
        assert_eq!(monitor.look(), None);
        for _ in 0..2 {
            monitor.turn_of("an assertion".to_string(), || {
                assert_eq!(
                    (monitor.look(), monitor.ends_run()),
                    (Some(Limit::Turn), None)
                );
                assert!(!monitor.is_stuck());
                assert_eq!(monitor.work().phase, Phase::Evaluation);
            });
        }
        // Nobody is late between two turns, however long it takes to print.
        assert_eq!(*monitor.turn(), None);
        monitor.begin("another script".to_string());
        assert_eq!(monitor.look(), None);
        let Some(long_ago) = Instant::now().checked_sub(PATIENCE) else {
            return;
        };
        *monitor.turn() = Some(long_ago);
        assert!(monitor.is_stuck());
    }

    #[test]
    fn memory_is_foreseen() {
        let most = resident().expect("it can be told") + (1 << 30);
        let monitor = Monitor::new(None, None, Memory::of(most), Display::Hidden);
        assert_eq!(monitor.look(), None);
        assert_eq!(monitor.reached_with(0), None);
        assert_eq!(monitor.reached_with(1 << 20), None);
        assert_eq!(
            monitor.reached_with(2 << 30),
            monitor.memory.bound(0).map(Limit::Memory)
        );
        assert_eq!(monitor.pause(), PAUSE);
        assert!(!monitor.is_far_beyond());
        assert!(!monitor.is_short(&mut 0));
        let full = Monitor::new(None, None, Memory::of(1), Display::Hidden);
        assert!(full.is_short(&mut 0));
        assert_eq!(full.pause(), SHORTEST_PAUSE);
        assert_eq!(full.look(), full.memory.bound(0).map(Limit::Memory));
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
        let now = Some(Instant::now());
        let monitor = Monitor::new(now, None, Memory::default(), Display::Hidden);
        let monitor = Arc::new(monitor);
        let watched = Watched(monitor);
        watched.enter(Phase::Component, "P(0)");
        let problem = watched.proceed(1024).expect_err("the time is over");
        assert_eq!(problem.code, "timeout");
        assert_eq!(problem.notes, ["it was compiling `P(0)`, 1,024 states"]);
    }
}
