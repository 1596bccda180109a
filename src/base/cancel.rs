//! One token that all long work holds: it says whether the work may go on, and reports how far the
//! work is.

mod phase;
pub mod testing;

use std::cell::Cell;
use std::cmp::Ordering as Order;
use std::fmt;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::{Duration, Instant};

pub use self::phase::{Listener, Phase};
use crate::diag::{Diagnostic, Result};

/// The reason why work is to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Somebody cancelled the work.
    Cancelled,
    /// The deadline of the work has passed.
    Time,
    /// One of the bounds on memory was reached: its number in the [`MemoryBounds`].
    Memory(usize),
    /// Something else, which says so: another process that did a part of the work.
    Told(&'static Diagnostic),
}

/// No reason to end, in a token.
const NONE: usize = 0;
const TIME: usize = 2;

/// The whole work, of which this work is a part, ends.
const WHOLE: usize = 3;

/// A diagnostic, kept in the token, says why the work ends.
const TOLD: usize = 4;

/// The first bound on memory was reached; the other bounds follow in their order.
const MEMORY: usize = 5;

/// The number of things to look at in one step.
const STRIDE: usize = 64;

/// The number of steps after which a thread looks at the clock, and reports its steps to the
/// listener: often enough for people, and too rarely to cost anything.
const PATIENCE: usize = 1024;

/// The largest number of things that are put in order without asking.
const PIECE: usize = 1 << 14;

thread_local! {
    /// The things that this thread has looked at since its last step.
    static LOOKED: Cell<usize> = const { Cell::new(0) };
    /// The steps that this thread has done and not yet reported.
    static DONE: Cell<usize> = const { Cell::new(0) };
    /// The ticks that this thread has done since it last looked at the clock.
    static TICKS: Cell<usize> = const { Cell::new(0) };
}

/// The value of [`Cancellation::flag`] once the work is cancelled.
pub const CANCELLED: usize = 1;

/// The bounds on the memory of the program. The library sets none by itself, because only the
/// program knows what else it holds.
pub trait MemoryBounds: Send + Sync {
    /// Returns the number of the first bound that `more` bytes would exceed; `None` if they fit.
    fn exceeded_with(&self, more: u64) -> Option<usize>;
    /// The tightest bound, of which least is left: the bytes that it allows, and those taken now.
    fn tightest(&self) -> Option<(u64, u64)>;
    /// True if the user asked for a bound. If not, the bounds are those of the machine, and other
    /// programs need memory too.
    fn is_wanted(&self) -> bool;
}

/// Gives the message for a reason.
type Words = Box<dyn Fn(Reason) -> Diagnostic + Send + Sync>;

/// The things that end work without a call of [`Cancellation::cancel`].
#[derive(Default)]
pub struct Ends {
    /// The time by which the work has to be done.
    pub deadline: Option<Instant>,
    /// The bounds on the memory of the work. A search looks at them before its tables grow. For all
    /// other work, the program that sets the bounds calls [`Cancellation::look_at_memory`] now and
    /// then, from another thread.
    pub memory: Option<Arc<dyn MemoryBounds>>,
    /// The message for each reason, where [`Cancellation::message`] is to give another than its
    /// own.
    pub words: Option<Words>,
    /// The work of which this work is a part: when the whole ends, so does the part.
    pub whole: Option<Cancellation>,
    /// The steps that the work may take.
    pub budget: Option<StepBudget>,
}

/// A bound on the steps of some work. Unlike time it is the same on every machine.
pub struct StepBudget {
    /// The number of steps, which may be exceeded by some thousands.
    pub most: u64,
    /// The message for work that needs more.
    pub exceeded: Diagnostic,
}

/// A token that says whether work may go on. All clones are one token: whoever holds one may
/// cancel, on any thread, and whatever works asks now and then.
///
/// ```
/// use base::cancel::Cancellation;
///
/// let token = Cancellation::new();
/// assert!(token.check().is_ok());
/// token.clone().cancel();
/// assert_eq!(token.check().unwrap_err().code, "interrupted");
/// ```
#[derive(Clone)]
pub struct Cancellation {
    token: Arc<TokenState>,
    listener: Option<Arc<dyn Listener>>,
}

struct TokenState {
    /// The number of the first reason.
    reason: Arc<AtomicUsize>,
    /// The message that [`Cancellation::tell`] was given.
    told: OnceLock<&'static Diagnostic>,
    /// The steps that were reported so far, of work with a budget.
    steps: AtomicU64,
    ends: Ends,
}

impl Default for Cancellation {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Cancellation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<cancellation: {:?}>", self.reason())
    }
}

impl Cancellation {
    /// Work that goes on until somebody cancels it.
    pub fn new() -> Self {
        Self::ending(Ends::default())
    }

    /// The token of all work that goes on to its end. It must not be cancelled, because all such
    /// work shares it.
    #[doc(hidden)]
    pub fn never() -> &'static Self {
        static NEVER: LazyLock<Cancellation> = LazyLock::new(Cancellation::new);
        &NEVER
    }

    /// Work that has to end within `time` from now.
    pub fn after(time: Duration) -> Self {
        Self::ending(Ends {
            // A time that cannot be represented is no deadline.
            deadline: Instant::now().checked_add(time),
            ..Ends::default()
        })
    }

    /// Work that ends as `ends` says.
    pub fn ending(ends: Ends) -> Self {
        // A part of work that is asked at each step is asked at each step too.
        let is_asked = ends
            .whole
            .as_ref()
            .is_some_and(|whole| whole.number() == WHOLE);
        let reason = if is_asked { WHOLE } else { NONE };
        Self {
            token: Arc::new(TokenState {
                reason: Arc::new(AtomicUsize::new(reason)),
                told: OnceLock::new(),
                steps: AtomicU64::new(0),
                ends,
            }),
            listener: None,
        }
    }

    /// This token, for work that reports to `listener` how far it is.
    #[must_use]
    pub fn heard_by(&self, listener: impl Listener + 'static) -> Self {
        Self {
            token: self.token.clone(),
            listener: Some(Arc::new(listener)),
        }
    }

    /// A token for a part of this work, for tests: `listener` hears of each step at once, which
    /// makes every step slow.
    #[doc(hidden)]
    #[must_use]
    pub fn heard_at_each_step(&self, listener: impl Listener + 'static) -> Self {
        let part = Self::ending(Ends {
            whole: Some(self.clone()),
            ..Ends::default()
        });
        // As long as the flag holds any number, each step asks for the reason; `WHOLE` by itself is
        // none.
        part.note(WHOLE);
        part.heard_by(listener)
    }

    // ---- For code that ends work

    /// Ends the work.
    pub fn cancel(&self) {
        self.note(CANCELLED);
    }

    /// Ends the work, because of `why`, if nothing has ended it by now.
    pub fn tell(&self, why: Diagnostic) {
        // This happens once for a token. The message stays as long as the program, so that copies
        // of the reason remain valid.
        self.token.told.get_or_init(|| Box::leak(Box::new(why)));
        self.note(TOLD);
    }

    /// The flag in which a signal handler, which may do nothing else, writes [`CANCELLED`].
    pub fn flag(&self) -> Arc<AtomicUsize> {
        self.token.reason.clone()
    }

    /// The time by which this work has to be done. The deadline of the whole work does not count.
    pub fn deadline(&self) -> Option<Instant> {
        self.token.ends.deadline
    }

    /// The reason that was noted for this token itself. Looks neither at the clock nor at the whole
    /// work.
    pub fn noted(&self) -> Option<Reason> {
        Some(match self.number() {
            NONE | WHOLE => return None,
            CANCELLED => Reason::Cancelled,
            TIME => Reason::Time,
            TOLD => (self.token.told.get()).map_or(Reason::Cancelled, |why| Reason::Told(why)),
            number => Reason::Memory(number - MEMORY),
        })
    }

    // ---- For code that works

    /// Says that `count` transitions, or things that take as long, are looked at next. Fails if the
    /// work is to end. It costs next to nothing, so that it can stand in inner loops.
    #[inline]
    pub fn look(&self, count: usize) -> Result<()> {
        let looked = LOOKED.get() + count;
        if looked < STRIDE {
            LOOKED.set(looked);
            return Ok(());
        }
        LOOKED.set(looked % STRIDE);
        self.steps(looked / STRIDE)
    }

    /// Says that a step begins, such as the next state of a system. Fails if the work is to end.
    #[inline]
    pub fn step(&self) -> Result<()> {
        self.steps(1)
    }

    /// Says that something short begins that is no step, such as the evaluation of an operator.
    /// Fails if the work is to end.
    #[inline]
    pub fn tick(&self) -> Result<()> {
        // Ticks are counted apart from steps, because no listener hears of them.
        let ticks = TICKS.get() + 1;
        if ticks < PATIENCE && self.number() == NONE {
            TICKS.set(ticks);
            return Ok(());
        }
        TICKS.set(0);
        self.check()
    }

    #[inline]
    fn steps(&self, count: usize) -> Result<()> {
        let done = DONE.get() + count;
        if done < PATIENCE && self.number() == NONE {
            DONE.set(done);
            return Ok(());
        }
        DONE.set(0);
        self.say(done)
    }

    #[cold]
    fn say(&self, done: usize) -> Result<()> {
        if let Some(listener) = &self.listener {
            listener.steps(done);
        }
        self.spend(done);
        self.check()
    }

    /// Takes `done` steps from the budget, if there is one.
    fn spend(&self, done: usize) {
        if let Some(budget) = &self.token.ends.budget {
            let before = self.token.steps.fetch_add(done as u64, Ordering::Relaxed);
            if before + done as u64 > budget.most {
                self.tell(budget.exceeded.clone());
            }
        }
    }

    /// A phase of the work begins, which is about the process `name`, or about no single process if
    /// the name is empty. The steps of this thread count for this phase from now on.
    pub fn enter(&self, phase: Phase, name: &str) {
        let done = DONE.take();
        count_anew();
        self.spend(done);
        if let Some(listener) = &self.listener {
            // The last steps of the phase before, which were too few to be reported by now.
            if done > 0 {
                listener.steps(done);
            }
            listener.enter(phase, name);
        }
    }

    /// Fails if the work is to end. It looks at the clock each time: for use before something that
    /// takes long and does not ask.
    pub fn check(&self) -> Result<()> {
        match self.message() {
            Some(message) => message.into(),
            None => Ok(()),
        }
    }

    /// The reason why the work is to end; `None` if it may go on. The first reason counts.
    pub fn reason(&self) -> Option<Reason> {
        let ends = &self.token.ends;
        if let Some(reason) = self.noted() {
            return Some(reason);
        }
        if let Some(reason) = ends.whole.as_ref().and_then(Self::reason) {
            // Noting it here makes later questions a look at one flag.
            self.note(WHOLE);
            return Some(reason);
        }
        if ends
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
        {
            self.note(TIME);
        }
        self.noted()
    }

    /// The message for work that is to end; `None` if it may go on.
    pub fn message(&self) -> Option<Diagnostic> {
        let ends = &self.token.ends;
        let reason = self.reason()?;
        let whole = ends.whole.as_ref().filter(|_| self.noted().is_none());
        if let Some(message) = whole.and_then(Self::message) {
            return Some(message);
        }
        Some(match &ends.words {
            Some(words) => words(reason),
            None => reason.message(),
        })
    }

    /// The bounds on the memory of this work, or of the whole of which it is a part; `None` if
    /// nothing bounds it.
    pub fn memory(&self) -> Option<&dyn MemoryBounds> {
        let ends = &self.token.ends;
        let whole = || ends.whole.as_ref()?.memory();
        ends.memory.as_deref().or_else(whole)
    }

    /// Ends the work if taking `more` bytes would exceed a bound on its memory; the whole, if that
    /// has the bound.
    pub fn look_at_memory(&self, more: u64) {
        let ends = &self.token.ends;
        match (&ends.memory, &ends.whole) {
            (Some(memory), _) => {
                if let Some(number) = memory.exceeded_with(more) {
                    self.note(MEMORY + number);
                }
            }
            (None, Some(whole)) => whole.look_at_memory(more),
            (None, None) => {}
        }
    }

    /// Puts `items` in the order of `compare`; equal items may change places. Many items are split
    /// in two halves first, so that the work may end between. That compares a third more often than
    /// sorting all at once.
    pub fn sort_by<T>(&self, items: &mut [T], compare: &impl Fn(&T, &T) -> Order) -> Result<()> {
        self.look(items.len())?;
        if items.len() <= PIECE {
            items.sort_unstable_by(compare);
            return Ok(());
        }
        let (left, _, right) = items.select_nth_unstable_by(items.len() / 2, compare);
        self.sort_by(left, compare)?;
        self.sort_by(right, compare)
    }

    /// Puts `items` in their natural order.
    pub fn sort<T: Ord>(&self, items: &mut [T]) -> Result<()> {
        self.sort_by(items, &T::cmp)
    }

    #[inline]
    fn number(&self) -> usize {
        self.token.reason.load(Ordering::Relaxed)
    }

    /// Ends the work for the reason of this number, unless it has ended for another.
    fn note(&self, number: usize) {
        // No other memory is handed over with the number, so no stronger ordering is needed.
        let (ordering, otherwise) = (Ordering::Relaxed, Ordering::Relaxed);
        let reason = &self.token.reason;
        // It fails if there was a reason before, which is the one that counts. `WHOLE` by itself is
        // none.
        let noted = reason.compare_exchange(NONE, number, ordering, otherwise);
        let whole = self.token.ends.whole.as_ref();
        if noted == Err(WHOLE) && whole.is_none_or(|whole| whole.reason().is_none()) {
            let _ = reason.compare_exchange(WHOLE, number, ordering, otherwise);
        }
    }
}

/// The result of `work` under a token that never ends it. `work` must not fail for other reasons.
pub fn at_leisure<R>(work: impl FnOnce(&Cancellation) -> Result<R>) -> R {
    let result = work(Cancellation::never());
    result.unwrap_or_else(|problem| unreachable!("it may go on, but {}", problem.message))
}

/// Forgets the steps that this thread has not yet reported, because a new phase begins.
pub fn count_anew() {
    LOOKED.set(0);
    DONE.set(0);
}

impl Reason {
    /// The message for this reason, where the program gives none of its own.
    pub fn message(self) -> Diagnostic {
        let (code, message) = match self {
            Reason::Cancelled => ("interrupted", "the work was cancelled before it was done"),
            Reason::Time => ("timeout", "the time for the work is over"),
            Reason::Memory(_) => ("memory-limit", "more memory is needed than is allowed"),
            Reason::Told(why) => return why.clone(),
        };
        Diagnostic::undecided(code, message)
    }
}

#[cfg(test)]
mod tests;
