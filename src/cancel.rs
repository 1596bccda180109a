//! Ending work before it is done: one token, asked by all that may take long.

use std::cell::Cell;
use std::cmp::Ordering as Order;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use crate::diag::{Diagnostic, Result};

/// Why work is to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Nobody wants its result any more.
    Cancelled,
    /// The deadline has passed.
    Time,
    /// One of the bounds on memory was reached: its number in the [`MemoryBounds`].
    Memory(usize),
}

/// No reason to end.
const NONE: usize = 0;
const TIME: usize = 2;

/// The work of which this is a part ends.
const WHOLE: usize = 3;

/// From this number on the bounds on memory, in their order.
const MEMORY: usize = 4;

/// So many things that are looked at are one step.
const STRIDE: usize = 64;

/// After so many steps of a thread it looks at the clock, and says how many it did.
const PATIENCE: usize = 1024;

/// So many things are put in order without asking.
const PIECE: usize = 1 << 14;

thread_local! {
    /// What this thread has looked at since its last step.
    static LOOKED: Cell<usize> = const { Cell::new(0) };
    /// The steps that this thread has done and not said yet.
    static DONE: Cell<usize> = const { Cell::new(0) };
    /// What this thread has begun that is no step since it last asked.
    static TICKS: Cell<usize> = const { Cell::new(0) };
}

/// What [`Cancellation::flag`] holds once the work is cancelled.
pub const CANCELLED: usize = 1;

/// What bounds the memory of the program. The library bounds none by itself, because only the program knows what else it holds.
pub trait MemoryBounds: Send + Sync {
    /// The number of the bound that is exceeded if `more` bytes are taken, if one is.
    fn exceeded_with(&self, more: u64) -> Option<usize>;
    /// How many bytes may be taken, and how many are taken now, by the bound of which least is left.
    fn tightest(&self) -> Option<(u64, u64)>;
    /// Whether somebody asked for a bound. If not, the bounds are those of the machine, and others need memory too.
    fn is_wanted(&self) -> bool;
}

/// Gives the message for a reason.
type Words = Box<dyn Fn(Reason) -> Diagnostic + Send + Sync>;

/// What ends work, beside [`Cancellation::cancel`].
#[derive(Default)]
pub struct Ends {
    /// When it has to be done.
    pub deadline: Option<Instant>,
    /// What it may take. A search looks at it before its tables grow; for all else whoever bounds the memory calls
    /// [`Cancellation::look_at_memory`] now and then, from another thread.
    pub memory: Option<Arc<dyn MemoryBounds>>,
    /// The message for each reason, where [`Cancellation::message`] is to give another than its own.
    pub words: Option<Words>,
    /// Work of which this is a part: where that ends, this ends too.
    pub whole: Option<Cancellation>,
}

/// A token that says whether work may go on. All clones are one token: whoever holds one may cancel, on any thread, and whatever works
/// asks now and then.
///
/// ```
/// use cspsym::Cancellation;
///
/// let token = Cancellation::new();
/// assert!(token.check().is_ok());
/// token.clone().cancel();
/// assert_eq!(token.check().unwrap_err().code, "interrupted");
/// ```
#[derive(Clone)]
pub struct Cancellation {
    token: Arc<Token>,
    listener: Option<Arc<Listener>>,
}

/// Hears how many steps more were done: often, and on any of the threads that work.
type Listener = dyn Fn(usize) + Send + Sync;

struct Token {
    /// The number of the first reason.
    reason: Arc<AtomicUsize>,
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

    /// One token for all work that goes on to its end. It is never to be cancelled: others hold it too.
    #[doc(hidden)]
    pub fn never() -> &'static Self {
        static NEVER: LazyLock<Cancellation> = LazyLock::new(Cancellation::new);
        &NEVER
    }

    /// Work that ends after this time, counted from now.
    pub fn after(time: Duration) -> Self {
        Self::ending(Ends {
            deadline: Instant::now().checked_add(time),
            ..Ends::default()
        })
    }

    /// Work that `ends` bound.
    pub fn ending(ends: Ends) -> Self {
        let reason = Arc::default();
        Self {
            token: Arc::new(Token { reason, ends }),
            listener: None,
        }
    }

    /// The same token, for work whose steps `listener` counts.
    #[must_use]
    pub fn heard_by(&self, listener: impl Fn(usize) + Send + Sync + 'static) -> Self {
        Self {
            token: self.token.clone(),
            listener: Some(Arc::new(listener)),
        }
    }

    /// A part of this work of which `listener` hears each step at once, for tests: then every look is slow.
    #[doc(hidden)]
    #[must_use]
    pub fn heard_at_each_step(&self, listener: impl Fn(usize) + Send + Sync + 'static) -> Self {
        let part = Self::ending(Ends {
            whole: Some(self.clone()),
            ..Ends::default()
        });
        part.note(WHOLE);
        part.heard_by(listener)
    }

    // ---- For those who want the work to end

    /// Ends the work.
    pub fn cancel(&self) {
        self.note(CANCELLED);
    }

    /// Where a signal handler, which may do nothing else, writes [`CANCELLED`].
    pub fn flag(&self) -> Arc<AtomicUsize> {
        self.token.reason.clone()
    }

    /// When the work has to be done, not looking at that of which it is a part.
    pub fn deadline(&self) -> Option<Instant> {
        self.token.ends.deadline
    }

    /// The reason that was noted for this token itself, without a look at the clock or at the work of which it is a part.
    pub fn noted(&self) -> Option<Reason> {
        numbered(self.number())
    }

    // ---- For those who work

    /// `count` transitions, or what takes as long, are looked at next: fails if the work is to end. It costs next to nothing, so that it
    /// can stand in inner loops.
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

    /// A step, such as the next state of a system, is begun: fails if the work is to end.
    #[inline]
    pub fn step(&self) -> Result<()> {
        self.steps(1)
    }

    /// Something short is begun that is no step, such as the evaluation of an operator: fails if the work is to end.
    #[inline]
    pub fn tick(&self) -> Result<()> {
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
            listener(done);
        }
        self.check()
    }

    /// Fails if the work is to end. Also for work that takes long as a whole and does not ask: before it.
    pub fn check(&self) -> Result<()> {
        match self.message() {
            Some(message) => message.into(),
            None => Ok(()),
        }
    }

    /// Why the work is to end, if it is. The first reason counts.
    pub fn reason(&self) -> Option<Reason> {
        let ends = &self.token.ends;
        if let Some(reason) = self.noted() {
            return Some(reason);
        }
        if let Some(reason) = ends.whole.as_ref().and_then(Self::reason) {
            // From now on a look at the flag is enough.
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

    /// What to say if the work is to end.
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

    /// What bounds the memory, if anything does.
    pub fn memory(&self) -> Option<&dyn MemoryBounds> {
        self.token.ends.memory.as_deref()
    }

    /// Ends the work if `more` bytes are too many to be taken at once.
    pub fn look_at_memory(&self, more: u64) {
        let memory = self.memory();
        if let Some(number) = memory.and_then(|memory| memory.exceeded_with(more)) {
            self.note(MEMORY + number);
        }
    }

    /// Puts `items` in order, equal ones in any, by `compare`; many of them in two halves, so that the work may end between. That
    /// compares a third more often than sorting all at once.
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

    /// Puts `items` in the order that they have.
    pub fn sort<T: Ord>(&self, items: &mut [T]) -> Result<()> {
        self.sort_by(items, &T::cmp)
    }

    #[inline]
    fn number(&self) -> usize {
        self.token.reason.load(Ordering::Relaxed)
    }

    /// Ends the work for the reason of this number, unless it has ended for another.
    fn note(&self, number: usize) {
        let (ordering, otherwise) = (Ordering::Relaxed, Ordering::Relaxed);
        let reason = &self.token.reason;
        // It fails if there was a reason before, which is the one that counts.
        let _ = reason.compare_exchange(NONE, number, ordering, otherwise);
    }
}

/// What comes of `work`, which fails only where it is to end, if it may go on to its end.
pub fn at_leisure<R>(work: impl FnOnce(&Cancellation) -> Result<R>) -> R {
    let result = work(Cancellation::never());
    result.unwrap_or_else(|problem| unreachable!("it may go on, but {}", problem.message))
}

/// A phase of the work begins on this thread: what was done before is not counted for it.
pub fn count_anew() {
    LOOKED.set(0);
    DONE.set(0);
}

fn numbered(number: usize) -> Option<Reason> {
    Some(match number {
        NONE | WHOLE => return None,
        CANCELLED => Reason::Cancelled,
        TIME => Reason::Time,
        number => Reason::Memory(number - MEMORY),
    })
}

impl Reason {
    /// What to say where the caller has no words of its own.
    fn message(self) -> Diagnostic {
        let (code, message) = match self {
            Reason::Cancelled => ("interrupted", "the work was cancelled before it was done"),
            Reason::Time => ("timeout", "the time for the work is over"),
            Reason::Memory(_) => ("memory-limit", "more memory is needed than is allowed"),
        };
        Diagnostic::undecided(code, message)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// What comes of `work`, which may not begin more than `most` steps, and how many it began. It begins no more after the end.
    pub(crate) fn within<R>(
        most: usize,
        work: impl FnOnce(&Cancellation) -> Result<R>,
    ) -> (Result<R>, usize) {
        let whole = Cancellation::new();
        let steps = Arc::new(AtomicUsize::new(0));
        let (ended, heard) = (whole.clone(), steps.clone());
        let listener = move |begun| {
            let before = heard.fetch_add(begun, Ordering::Relaxed);
            assert!(before <= most, "it goes on after {before} of {most} steps");
            if before + begun > most {
                ended.cancel();
            }
        };
        count_anew();
        let outcome = work(&whole.heard_at_each_step(listener));
        (outcome, steps.load(Ordering::Relaxed))
    }

    /// How many steps `work` asks for. Wherever it may not go on, which is tried at more and more places, it ends at once.
    pub(crate) fn asked<R>(mut work: impl FnMut(&Cancellation) -> Result<R>) -> usize {
        let mut most = 0;
        loop {
            match within(most, &mut work) {
                (Ok(_), steps) => return steps,
                (Err(problem), _) => assert_eq!(problem.code, "interrupted"),
            }
            most = 2 * most + 1;
        }
    }

    struct Most(u64);

    impl MemoryBounds for Most {
        fn exceeded_with(&self, more: u64) -> Option<usize> {
            (more > self.0).then_some(7)
        }
        fn tightest(&self) -> Option<(u64, u64)> {
            Some((self.0, 0))
        }
        fn is_wanted(&self) -> bool {
            true
        }
    }

    #[test]
    fn the_first_reason_counts() {
        let token = Cancellation::ending(Ends {
            memory: Some(Arc::new(Most(10))),
            ..Ends::default()
        });
        token.look_at_memory(10);
        assert_eq!(token.reason(), None);
        token.look_at_memory(11);
        token.cancel();
        assert_eq!(token.reason(), Some(Reason::Memory(7)));
        assert_eq!(
            Cancellation::after(Duration::ZERO).reason(),
            Some(Reason::Time)
        );
        let signalled = Cancellation::new();
        signalled.flag().store(CANCELLED, Ordering::Relaxed);
        assert_eq!(signalled.reason(), Some(Reason::Cancelled));
    }

    #[test]
    fn a_part_ends_with_the_whole_and_in_its_words_and_not_the_other_way_round() {
        let whole = Cancellation::ending(Ends {
            words: Some(Box::new(|_| {
                Diagnostic::undecided("timeout", "all is over")
            })),
            ..Ends::default()
        });
        let part = || {
            Cancellation::ending(Ends {
                whole: Some(whole.clone()),
                ..Ends::default()
            })
        };
        part().cancel();
        assert_eq!(whole.reason(), None);
        let (early, late) = (part(), part());
        early.cancel();
        whole.cancel();
        let code = |token: &Cancellation| token.check().unwrap_err().code;
        assert_eq!((code(&early), code(&late)), ("interrupted", "timeout"));
    }

    #[test]
    fn sorting_asks_and_sorts() {
        // A permutation, as the factor is odd.
        let count = 8 * PIECE as u32;
        let items: Vec<u32> = (0..count).map(|i| i.wrapping_mul(40503) % count).collect();
        let mut sorted = items.clone();
        Cancellation::new().sort(&mut sorted).expect("it may go on");
        assert!(sorted.iter().copied().eq(0..count));
        // Each of four times halved.
        let least = 4 * items.len() / STRIDE;
        assert!(asked(|token| token.sort(&mut items.clone())) >= least - 4);
        let few = &mut [3, 1, 2];
        assert_eq!(asked(|token| token.sort(few)), 0);
        assert_eq!(*few, [1, 2, 3]);
    }

    #[test]
    fn many_things_are_one_step() {
        let steps = asked(|token| {
            (0..10 * STRIDE).try_for_each(|_| token.look(1))?;
            token.look(STRIDE - 1)?;
            token.look(STRIDE + 1)
        });
        assert_eq!(steps, 12);
    }

    #[test]
    fn threads_end_when_one_of_them_is_told() {
        let token = Cancellation::new();
        let others: Vec<_> = (0..2)
            .map(|_| {
                let token = token.clone();
                std::thread::spawn(move || while token.step().is_ok() {})
            })
            .collect();
        token.cancel();
        others
            .into_iter()
            .for_each(|other| other.join().expect("it ends"));
    }
}
