//! Ending work before it is done: one token, asked by all that may take long.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
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

/// From this number on the bounds on memory, in their order.
const MEMORY: usize = 3;

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
    /// What it may take.
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
pub struct Cancellation(Arc<Token>);

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
        Self(Arc::new(Token { reason, ends }))
    }

    /// Ends the work.
    pub fn cancel(&self) {
        self.note(Reason::Cancelled);
    }

    /// Where a signal handler, which may do nothing else, writes [`CANCELLED`].
    pub fn flag(&self) -> Arc<AtomicUsize> {
        self.0.reason.clone()
    }

    /// Why the work is to end, if it is. The first reason counts.
    pub fn reason(&self) -> Option<Reason> {
        let ends = &self.0.ends;
        let whole = || ends.whole.as_ref().and_then(Self::reason);
        if let Some(reason) = self.noted().or_else(whole) {
            return Some(reason);
        }
        if ends
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
        {
            self.note(Reason::Time);
        }
        self.noted()
    }

    /// The reason that was noted for this token itself, without a look at the clock or at the work of which it is a part.
    pub fn noted(&self) -> Option<Reason> {
        numbered(self.0.reason.load(Ordering::Relaxed))
    }

    /// Fails if the work is to end.
    pub fn check(&self) -> Result<()> {
        match self.message() {
            Some(message) => message.into(),
            None => Ok(()),
        }
    }

    /// What to say if the work is to end.
    pub fn message(&self) -> Option<Diagnostic> {
        let whole = self.0.ends.whole.as_ref();
        if let (None, Some(message)) = (self.noted(), whole.and_then(Self::message)) {
            return Some(message);
        }
        let reason = self.reason()?;
        Some(match &self.0.ends.words {
            Some(words) => words(reason),
            None => reason.message(),
        })
    }

    /// Ends the work if `more` bytes are too many to be taken at once.
    pub fn look_at_memory(&self, more: u64) {
        let memory = self.memory();
        if let Some(number) = memory.and_then(|memory| memory.exceeded_with(more)) {
            self.note(Reason::Memory(number));
        }
    }

    /// What bounds the memory, if anything does.
    pub fn memory(&self) -> Option<&dyn MemoryBounds> {
        self.0.ends.memory.as_deref()
    }

    /// When the work has to be done, not looking at that of which it is a part.
    pub fn deadline(&self) -> Option<Instant> {
        self.0.ends.deadline
    }

    /// Ends the work for this reason, unless it has ended for another.
    fn note(&self, reason: Reason) {
        let number = match reason {
            Reason::Cancelled => CANCELLED,
            Reason::Time => TIME,
            Reason::Memory(number) => MEMORY + number,
        };
        let (ordering, otherwise) = (Ordering::Relaxed, Ordering::Relaxed);
        // It fails if there was a reason before, which is the one that counts.
        let _ = self
            .0
            .reason
            .compare_exchange(NONE, number, ordering, otherwise);
    }
}

fn numbered(number: usize) -> Option<Reason> {
    Some(match number {
        NONE => return None,
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
mod tests {
    use super::*;

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
}
