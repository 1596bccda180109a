//! Constructors of terms, with simplifications that hold for every script.

use std::sync::Arc;

use super::compression::Compression;
use super::event::{EventId, EventSetId};
use super::operator::Operator;
use super::priority::Priority;
use super::term::{BufferShape, Operands, Term, TermId, Terms};

impl Terms {
    /// `operator` over these operands, without simplification.
    pub fn over(&mut self, operator: Operator, operands: impl AsRef<[TermId]>) -> TermId {
        self.intern(Term::over(operator, operands.as_ref()))
    }

    /// The term `STOP`.
    pub fn stop(&mut self) -> TermId {
        self.intern(Term::Stop)
    }

    /// The term `SKIP`.
    pub fn skip(&mut self) -> TermId {
        self.intern(Term::Skip)
    }

    /// The term after ✓.
    pub(crate) fn omega(&mut self) -> TermId {
        self.intern(Term::Omega)
    }

    /// A choice of prefixes, in any order and with repetitions. Without prefixes it is `STOP`.
    pub fn prefix(&mut self, mut branches: Vec<(EventId, TermId)>) -> TermId {
        // Sorted, so that a choice is one term in whatever order it was written.
        branches.sort_unstable();
        branches.dedup();
        if branches.is_empty() {
            return self.stop();
        }
        self.intern(Term::Prefix(branches.into()))
    }

    /// `[]` without its `STOP` operands. Without operands it is `STOP`.
    pub fn external_choice(&mut self, mut operands: Vec<TermId>) -> TermId {
        // Only the term `STOP` itself is left out. A call that stands for it stays, because nothing
        // is unfolded here.
        operands.retain(|&operand| *self.get(operand) != Term::Stop);
        match operands.as_slice() {
            [] => self.stop(),
            [only] => *only,
            _ => self.over(Operator::Choice(None), operands),
        }
    }

    /// `|~|`; `None` if there are no operands.
    pub fn internal_choice(&mut self, operands: Vec<TermId>) -> Option<TermId> {
        match operands.as_slice() {
            [] => None,
            [only] => Some(*only),
            _ => Some(self.intern(Term::InternalChoice(operands.into()))),
        }
    }

    /// `;` of the processes in order. Without operands it is `SKIP`.
    pub fn sequential(&mut self, operands: Vec<TermId>) -> TermId {
        let mut backwards = operands.into_iter().rev();
        let Some(last) = backwards.next() else {
            return self.skip();
        };
        backwards.fold(last, |rest, first| {
            self.over(Operator::Sequential, [first, rest])
        })
    }

    /// `P /\ Q`
    pub fn interrupt(&mut self, process: TermId, interrupter: TermId) -> TermId {
        self.over(Operator::Interrupt(None), [process, interrupter])
    }

    /// `P [> Q`
    pub fn sliding_choice(&mut self, first: TermId, then: TermId) -> TermId {
        self.over(Operator::SlidingChoice, [first, then])
    }

    /// `P [| A |> Q`
    pub fn exception(&mut self, process: TermId, set: EventSetId, handler: TermId) -> TermId {
        self.over(Operator::Exception(set), [process, handler])
    }

    /// `[+ A +]`. Without operands it is `STOP`. A `STOP` operand stays and refuses `A`.
    pub fn synchronising_choice(&mut self, set: EventSetId, operands: Vec<TermId>) -> TermId {
        match operands.as_slice() {
            [] => self.stop(),
            [only] => *only,
            _ => self.over(Operator::Choice(Some(set)), operands),
        }
    }

    /// `P /+ A +\ Q`
    pub fn synchronising_interrupt(
        &mut self,
        process: TermId,
        set: EventSetId,
        interrupter: TermId,
    ) -> TermId {
        self.over(Operator::Interrupt(Some(set)), [process, interrupter])
    }

    /// `|||`. Without operands it is `SKIP`.
    pub fn interleave(&mut self, operands: Vec<TermId>) -> TermId {
        let nothing = self.events.intern_set(Vec::new());
        self.parallel(nothing, operands)
    }

    /// `[| A |]`. Without operands it is `SKIP`.
    pub fn parallel(&mut self, set: EventSetId, operands: Vec<TermId>) -> TermId {
        match operands.as_slice() {
            [] => self.skip(),
            // Nothing synchronises with a single operand, so its ✓ is that of the whole and stays
            // as it is.
            [only] => *only,
            _ => {
                let seen = operands.into_iter().map(|operand| self.seen(operand));
                let seen: Operands = seen.collect();
                self.over(Operator::Parallel(set), seen)
            }
        }
    }

    /// `||`. Without operands it is `SKIP`. A single operand stays: its alphabet restricts it.
    pub fn alphabetised(&mut self, operands: Vec<(EventSetId, TermId)>) -> TermId {
        if operands.is_empty() {
            return self.skip();
        }
        let alphabets = operands.iter().map(|&(set, _)| set).collect();
        let seen = operands.into_iter().map(|(_, p)| self.seen(p));
        let seen: Operands = seen.collect();
        self.over(Operator::Alphabetised(alphabets), seen)
    }

    /// Linked parallel, with its ties in any order and with repetitions.
    pub fn linked(&mut self, left: TermId, ties: Vec<(EventId, EventId)>, right: TermId) -> TermId {
        let sides = [left, right].map(|operand| self.seen(operand));
        self.over(Operator::Linked(sorted(ties)), sides)
    }

    /// `P \ A`. With an empty set it is `P`.
    pub fn hide(&mut self, process: TermId, set: EventSetId) -> TermId {
        // A set of channels that has no events yet may get some later, so its definition decides,
        // not its members.
        if self.events.is_empty_set(set) {
            return process;
        }
        self.over(Operator::Hide(set), [process])
    }

    /// `P |\ A`
    pub fn project(&mut self, process: TermId, set: EventSetId) -> TermId {
        self.over(Operator::Project(set), [process])
    }

    /// `P [[from <- to, ...]]`, in any order and with repetitions. Without pairs it is `P`.
    pub fn rename(&mut self, process: TermId, pairs: Vec<(EventId, EventId)>) -> TermId {
        if pairs.is_empty() {
            return process;
        }
        self.over(Operator::Rename(sorted(pairs)), [process])
    }

    /// `prioritise(P, ...)`. If no event is above another, it is `P`.
    pub fn prioritise(&mut self, process: TermId, priority: &Arc<Priority>) -> TermId {
        if priority.is_trivial() {
            return process;
        }
        self.over(Operator::Prioritise(Arc::clone(priority)), [process])
    }

    /// `sbisim(P)` and other compressions. A compression done twice is done once, and so is `chase`
    /// of a process that has been chased.
    pub fn compress(&mut self, compression: Compression, process: TermId) -> TermId {
        if let &Term::Over(Operator::Compress(inner), _) = self.get(process) {
            // A process that was chased has no τ left to follow. `deter` of it still has a choice
            // to make, because `chase` keeps several transitions of one event.
            let chased = !compression.keeps_meaning()
                && !inner.keeps_meaning()
                && (compression != Compression::Deter || inner == Compression::Deter);
            if chased || inner == compression {
                return process;
            }
        }
        let process = match compression {
            // The process has to be deterministic as an environment sees it.
            Compression::Deter => self.seen(process),
            _ => process,
        };
        self.over(Operator::Compress(compression), [process])
    }

    /// An empty buffer.
    pub fn buffer(&mut self, mut shape: BufferShape) -> TermId {
        shape.pairs.sort_unstable();
        self.intern(Term::Buffer(Arc::new(shape), Arc::from([])))
    }
}

fn sorted(mut pairs: Vec<(EventId, EventId)>) -> Arc<[(EventId, EventId)]> {
    pairs.sort_unstable();
    pairs.dedup();
    pairs.into()
}
