//! The state that the thread that works shares with the one that waits for it: how far the work is,
//! if it may go on, and who may print.

use std::fmt;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use base::cancel::Phase;
use base::cancel::{Cancellation, Ends, MemoryBounds};
use base::diag::Diagnostic;
use checker::{Progress, Task, Work};

use super::allocator;
use super::limits::Limit;
use super::memory::{EXHAUSTED, Memory, resident};
use super::output::Output;
use super::progress::Display;

/// The limits of the whole call, and the state of its work. The thread that waits looks at the
/// memory, and a signal writes for itself that it came, so that the questions of the work cost next
/// to nothing.
pub struct Monitor {
    /// Ends all work.
    run: Cancellation,
    /// Ends the present turn: one assertion, or one value that is printed. A thread that notes the
    /// end of a turn holds the lock, so that the next turn is not ended instead.
    turn: Mutex<Cancellation>,
    /// The number of the question that all processes of a cluster are at in the present turn; 0 if
    /// there is none. It changes only where the lock of the turn is held.
    question: AtomicU64,
    /// The time that each turn may take.
    each: Option<Duration>,
    memory: Arc<Memory>,
    progress: Arc<Progress>,
    output: Mutex<Output>,
}

/// The least time that a turn may go on beyond its end before the run is ended for it.
const PATIENCE: Duration = Duration::from_secs(10);

/// The longest time between two looks at the clock and the memory.
const PAUSE: Duration = Duration::from_millis(50);

/// The shortest time between two looks.
const SHORTEST_PAUSE: Duration = Duration::from_millis(2);

/// The most bytes a second by which memory grows: pages have to be cleared first.
const FASTEST_GROWTH: f64 = 4e9;

impl Default for Monitor {
    /// A monitor that never ends anything.
    fn default() -> Self {
        Self::new(None, None, Memory::default(), Display::Hidden)
    }
}

impl Monitor {
    /// A monitor that ends the run at `deadline`, a turn that takes longer than `each`, and work
    /// that takes more than is allowed of `memory`.
    pub fn new(
        deadline: Option<Instant>,
        each: Option<Duration>,
        memory: Memory,
        display: Display,
    ) -> Self {
        let memory = Arc::new(memory);
        let run = Cancellation::ending(Ends {
            deadline,
            words: Some({
                let memory = memory.clone();
                Box::new(move |reason| Limit::of_run(reason, &memory).diagnostic())
            }),
            ..Ends::default()
        });
        Self {
            turn: Mutex::new(turn(&run, &memory, None)),
            question: AtomicU64::new(0),
            run,
            each,
            memory,
            progress: Arc::default(),
            output: Mutex::new(Output::new(display)),
        }
    }

    /// This monitor, which calls `listener` each time that the work has come farther.
    pub fn told(self, listener: impl Fn(&Work) + Send + Sync + 'static) -> Self {
        Self {
            progress: Arc::new(Progress::told(listener)),
            ..self
        }
    }

    /// The flag in which a signal writes that it came.
    pub fn flag(&self) -> Arc<AtomicUsize> {
        self.run.flag()
    }

    // ---- The end of the work

    /// The token that ends all work.
    pub fn cancellation(&self) -> &Cancellation {
        &self.run
    }

    /// Ends all work, because of `why`.
    pub fn end_run(&self, why: Diagnostic) {
        self.run.tell(why);
    }

    /// Notes the number of the question that the present turn is about.
    pub fn begin_question(&self, question: u64) {
        let _turn = self.turn();
        self.question.store(question, Ordering::Relaxed);
    }

    /// Ends the present turn, because of `why`, if it is about this question.
    pub fn end_question(&self, question: u64, why: Diagnostic) {
        let turn = self.turn();
        if self.question.load(Ordering::Relaxed) == question {
            turn.tell(why);
        }
    }

    /// The token and the progress of the present turn.
    pub fn task(&self) -> Task {
        Task {
            cancellation: self.turn().clone(),
            progress: self.progress.clone(),
        }
    }

    /// The limit that ends the present turn, if there is one.
    pub fn reached(&self) -> Option<Limit> {
        let turn = self.turn();
        // The limit that came first counts.
        let noted = turn
            .noted()
            .map(|reason| Limit::of_turn(reason, &self.memory));
        noted.or_else(|| self.ends_run()).or_else(|| {
            let reason = turn.reason()?;
            Some(Limit::of_turn(reason, &self.memory))
        })
    }

    /// The limit that ends the run, if there is one: nothing more is begun then. Another limit may
    /// have ended the present turn before.
    pub fn ends_run(&self) -> Option<Limit> {
        let reason = self.run.reason()?;
        Some(Limit::of_run(reason, &self.memory))
    }

    /// The bounds on the memory.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Looks at the clock and the memory, and returns the limit that ends the work, if there is
    /// one.
    pub fn look(&self) -> Option<Limit> {
        if allocator::is_exhausted() {
            return Some(Limit::Memory(EXHAUSTED));
        }
        {
            let turn = self.turn();
            turn.look_at_memory(0);
            // The turn notes the end of the run, so that the work sees it at once.
            turn.reason();
        }
        self.reached()
    }

    /// True if memory is so far beyond a bound, or so used up, that the work cannot be waited for.
    pub fn is_far_beyond(&self) -> bool {
        allocator::is_exhausted() || self.memory.is_far_beyond()
    }

    /// True if the present turn has gone on for much too long. The run ends for it, and so the next
    /// turn is not begun either: a turn gets more time than work at the end of the run.
    pub fn is_stuck(&self) -> bool {
        let patience = self.each.map_or(PATIENCE, |each| each.max(PATIENCE));
        let until = self.turn().deadline();
        until.is_some_and(|until| Instant::now().saturating_duration_since(until) >= patience)
    }

    /// The time until the next look.
    pub fn pause(&self) -> Duration {
        let mut pause = PAUSE;
        if let Some((most, now)) = self.memory.tightest() {
            // Growth at FASTEST_GROWTH would take this long to the bound.
            let room = most.saturating_sub(now);
            pause = pause.min(Duration::from_secs_f64(room as f64 / FASTEST_GROWTH));
        }
        let deadlines = [self.run.deadline(), self.turn().deadline()];
        for deadline in deadlines.into_iter().flatten() {
            let left = deadline.saturating_duration_since(Instant::now());
            // A deadline that is over was noted before: it is no reason to look more often.
            if !left.is_zero() {
                pause = pause.min(left);
            }
        }
        pause.max(SHORTEST_PAUSE)
    }

    // ---- The progress of the work

    /// The work, with how far it is.
    pub fn work(&self) -> MutexGuard<'_, Work> {
        self.progress.work()
    }

    /// The work, if no other thread holds it all through `patience`: one that does may have no
    /// memory.
    pub fn work_within(&self, patience: Duration) -> Option<MutexGuard<'_, Work>> {
        within(patience, || self.progress.work_now())
    }

    /// Begins work on `title`, with reading a script.
    pub fn begin(&self, title: String) {
        self.begin_in(title, Phase::Reading, None);
    }

    /// Begins to wait for others that do the work on `title`.
    pub fn wait_for(&self, title: String) {
        self.begin_in(title, Phase::Waiting, None);
    }

    /// Begins work on `title`, which has to be done at `deadline`. The memory of the work before is
    /// given back by now, so that memory counts anew.
    fn begin_in(&self, title: String, phase: Phase, deadline: Option<Instant>) {
        self.progress.begin(title, phase);
        self.next_turn(deadline);
        self.look();
    }

    /// Gives the `work` on `title`, for which a script was read, a turn. It may take the time that
    /// each turn may take.
    pub fn turn_of<T>(&self, title: String, work: impl FnOnce(&Task) -> T) -> T {
        let deadline = self.each.and_then(|each| Instant::now().checked_add(each));
        self.begin_in(title, Phase::Evaluation, deadline);
        let done = work(&self.task());
        // No deadline holds between two turns, however long it takes to print.
        self.next_turn(None);
        done
    }

    fn next_turn(&self, deadline: Option<Instant>) {
        let mut present = self.turn();
        *present = turn(&self.run, &self.memory, deadline);
        self.question.store(0, Ordering::Relaxed);
    }

    fn turn(&self) -> MutexGuard<'_, Cancellation> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    // ---- The right to print

    /// The output. Nobody else prints while it is held.
    pub(super) fn output(&self) -> MutexGuard<'_, Output> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The output, or `None` if another thread prints all through `patience`: it may wait for a
    /// reader.
    pub fn output_within(&self, patience: Duration) -> Option<MutexGuard<'_, Output>> {
        within(patience, || match self.output.try_lock() {
            Ok(output) => Some(output),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        })
    }

    /// Shows how far the work is, if that is wanted.
    pub fn show(&self) {
        // A thread that prints a result now needs no progress line beside it.
        if let Some(mut output) = self.output_within(Duration::ZERO) {
            output.line.show(&self.work(), Instant::now(), resident);
        }
    }
}

/// A token for a part of the `run`, which has to be done at `deadline`.
fn turn(run: &Cancellation, memory: &Arc<Memory>, deadline: Option<Instant>) -> Cancellation {
    let known = memory.clone();
    Cancellation::ending(Ends {
        deadline,
        memory: Some(memory.clone()),
        words: Some(Box::new(move |reason| {
            Limit::of_turn(reason, &known).diagnostic()
        })),
        whole: Some(run.clone()),
        ..Ends::default()
    })
}

/// The first `Some` that `ask` returns within `patience`, asked again and again.
fn within<T>(patience: Duration, ask: impl Fn() -> Option<T>) -> Option<T> {
    let until = Instant::now() + patience;
    loop {
        let given = ask();
        if given.is_some() || Instant::now() >= until {
            return given;
        }
        thread::sleep(SHORTEST_PAUSE.min(patience));
    }
}

impl fmt::Debug for Monitor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<monitor, {:?} reached>", self.reached())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_limit_counts_and_memory_only_once() {
        let now = Some(Instant::now());
        let monitor = Monitor::new(now, None, Memory::of(1), Display::Hidden);
        let memory = Some(Limit::Memory(monitor.memory.bound(0)));
        assert_eq!(monitor.look(), memory);
        assert_eq!(monitor.ends_run(), Some(Limit::Time));
        monitor.begin("another assertion".to_string());
        assert_eq!(monitor.reached(), memory);
        let monitor = Monitor::new(now, None, Memory::default(), Display::Hidden);
        assert_eq!(monitor.look(), Some(Limit::Time));
        monitor.run.cancel();
        monitor.begin("a third".to_string());
        assert_eq!(monitor.reached(), Some(Limit::Time));
        let monitor = Monitor::default();
        monitor.run.cancel();
        monitor.begin("a fourth".to_string());
        assert_eq!(monitor.reached(), Some(Limit::Signal));
    }

    #[test]
    fn a_turn_ends_and_the_next_begins() {
        let each = Some(Duration::ZERO);
        let monitor = Monitor::new(None, each, Memory::default(), Display::Hidden);
        monitor.begin("a script".to_string());
        assert_eq!(monitor.look(), None);
        for _ in 0..2 {
            monitor.turn_of("an assertion".to_string(), |task| {
                let code = task.cancellation.message().map(|message| message.code);
                assert_eq!(code, Some("timeout"));
                let reached = (monitor.look(), monitor.ends_run());
                assert_eq!(reached, (Some(Limit::Turn), None));
                assert!(!monitor.is_stuck());
                assert_eq!(monitor.work().phase, Phase::Evaluation);
            });
        }
        assert_eq!(monitor.turn().deadline(), None);
        monitor.begin("another script".to_string());
        assert_eq!(monitor.look(), None);
        let Some(long_ago) = Instant::now().checked_sub(PATIENCE) else {
            return;
        };
        *monitor.turn() = turn(&monitor.run, &monitor.memory, Some(long_ago));
        assert!(monitor.is_stuck());
    }

    #[test]
    fn memory_is_foreseen() {
        let most = resident().expect("it can be told") + (1 << 30);
        let monitor = Monitor::new(None, None, Memory::of(most), Display::Hidden);
        assert_eq!(monitor.look(), None);
        monitor.turn().look_at_memory(1 << 20);
        assert_eq!(monitor.reached(), None);
        monitor.turn().look_at_memory(2 << 30);
        assert_eq!(
            monitor.reached(),
            Some(Limit::Memory(monitor.memory.bound(0)))
        );
        assert_eq!(monitor.pause(), PAUSE);
        assert!(!monitor.is_far_beyond());
        let full = Monitor::new(None, None, Memory::of(1), Display::Hidden);
        assert_eq!(full.pause(), SHORTEST_PAUSE);
        assert_eq!(full.look(), Some(Limit::Memory(full.memory.bound(0))));
        let nothing = Monitor::default();
        assert_eq!((nothing.look(), nothing.is_far_beyond()), (None, false));
    }
}
