//! Process terms: hash-consed trees of operators over named calls.

use std::sync::Arc;

use smallvec::SmallVec;

use super::event::{EventId, EventSetId, EventTable};
use super::imported::ImportedSystem;
use super::listing::{EndedListing, ListingEnd, RowSink};
use super::operator::Operator;
use super::termination::Termination;
use super::watchdog::Watchdog;
use base::cancel::{Cancellation, Phase};
use base::define_index;
use base::diag::Result;
use base::interner::Interner;
use base::source::Span;
use base::threads::Threads;

define_index! {
    /// A term of [`Terms`]; equal terms have equal numbers.
    TermId,
    /// A named call: a definition with its argument values and captured values. Equal calls have
    /// equal numbers, which closes recursion. Only a [`Definitions`] knows its body.
    CallId,
}

/// One process operator applied to its operands.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// A process by name, unfolded by [`Definitions::body`].
    Call(CallId),
    /// Does nothing: `STOP`.
    Stop,
    /// Terminates: `SKIP`.
    Skip,
    /// A terminated process: the term after ✓. It does nothing, like [`Term::Stop`].
    Omega,
    /// Diverges at once: `DIV`.
    Div,
    /// Always offers every event of the set.
    Run(EventSetId),
    /// May do or refuse any event of the set; never diverges. It decides by τ, as in
    /// `CHAOS(A) = STOP |~| ([] x : A @ x -> CHAOS(A))`, because priorities see the difference.
    Chaos(EventSetId),
    /// Offers these events, ascending by event; an event may occur more than once.
    Prefix(Arc<[(EventId, TermId)]>),
    /// `|~|` of two or more.
    InternalChoice(Arc<[TermId]>),
    /// An operator over processes of which some run: one, two, or several, as the operator takes.
    Over(Operator, Operands),
    /// `trace_watchdog(P, A, e)`, `failure_watchdog(P, A, e)`
    Watchdog(Arc<Watchdog>),
    /// An imported transition system, and its present state.
    Imported(Arc<ImportedSystem>, u32),
    /// A buffer, and the items that it holds.
    Buffer(Arc<BufferShape>, Arc<[EventId]>),
}

/// The operands of an operator, in the order in which they are written.
pub type Operands = SmallVec<[TermId; 2]>;

impl Term {
    /// The operator `operator` over these operands.
    pub fn over(operator: Operator, operands: &[TermId]) -> Self {
        Self::Over(operator, Operands::from_slice(operands))
    }

    /// All operands: those that have started, then those that wait. For an operator over processes
    /// that is the order in which they are written.
    pub fn operands(&self) -> Vec<TermId> {
        match self {
            Self::Over(_, operands) => operands.to_vec(),
            Self::Prefix(branches) => branches.iter().map(|&(_, p)| p).collect(),
            Self::InternalChoice(operands) => operands.to_vec(),
            _ => self.started_operands().to_vec(),
        }
    }

    /// The number of operands.
    pub fn operand_count(&self) -> usize {
        match self {
            Self::Over(_, operands) => operands.len(),
            Self::InternalChoice(operands) => operands.len(),
            Self::Prefix(branches) => branches.len(),
            _ => self.started_operands().len(),
        }
    }

    /// The operands that take part in the next step.
    pub fn started_operands(&self) -> &[TermId] {
        match self {
            Self::Over(operator, operands) => &operands[..operator.started(operands)],
            Self::Watchdog(watchdog) => &watchdog.members,
            _ => &[],
        }
    }

    /// The operands that start later, if at all.
    pub(crate) fn waiting_operands(&self) -> Vec<TermId> {
        self.operands().split_off(self.started_operands().len())
    }

    /// The same operator over the images, under `image`, of the operands that take part in the next
    /// step.
    pub fn with_started(&self, image: impl FnMut(TermId) -> Result<TermId>) -> Result<Self> {
        let images = self.started_operands().iter().copied().map(image);
        let images = images.collect::<Result<Operands>>()?;
        let mut term = self.clone();
        match &mut term {
            Self::Over(_, operands) => operands[..images.len()].copy_from_slice(&images),
            Self::Watchdog(watchdog) => Arc::make_mut(watchdog).members = images.into_vec(),
            _ => {}
        }
        Ok(term)
    }
}

/// The shape of a built-in buffer. The items that a buffer holds are a queue of output events,
/// oldest first.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BufferShape {
    /// The number of items that fit.
    pub capacity: usize,
    /// (input event, output event), ascending by input.
    pub pairs: Vec<(EventId, EventId)>,
    /// The effect of an input into the full buffer.
    pub overflow: Overflow,
}

/// The effect of writing to a full buffer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Overflow {
    /// `BUFFER`: inputs are refused.
    Refuse,
    /// `WEAK_BUFFER`: any input is accepted and lost, and then this event must happen before
    /// anything else.
    Signal(EventId),
    /// `SIGNAL_BUFFER`: offers the first event while it is full, and the second while it is empty.
    Status(EventId, EventId),
}

/// The arena of terms, with their events.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    terms: Interner<TermId, Term>,
    /// The events.
    pub events: EventTable,
    /// The reading of ✓.
    termination: Termination,
}

impl Terms {
    /// An arena without terms.
    pub fn new() -> Self {
        Self::default()
    }

    /// The reading of ✓.
    pub fn termination(&self) -> Termination {
        self.termination
    }

    /// Sets the reading of ✓ for the terms that are built from now on.
    pub fn read_termination(&mut self, termination: Termination) {
        self.termination = termination;
    }

    /// The number of `term`.
    pub fn intern(&mut self, term: Term) -> TermId {
        self.terms.intern(term)
    }

    /// The term `id`.
    pub fn get(&self, id: TermId) -> &Term {
        &self.terms[id]
    }

    /// The number of terms.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// True if there are no terms.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}

/// The meanings of named calls: the evaluator, or a table in tests. It owns the terms, because
/// unfolding a call makes new ones.
pub trait Definitions {
    /// The terms.
    fn terms(&self) -> &Terms;
    /// The terms, mutable.
    fn terms_mut(&mut self) -> &mut Terms;
    /// The body of `call`, which may be a call itself. The body never changes.
    fn body(&mut self, call: CallId) -> Result<TermId>;
    /// True if the definition of `call` can call itself, and if all definitions that it can reach
    /// certainly consist of prefixes, choices and calls only. Then nothing in it is a component of
    /// its own, and its calls need not be followed to know that.
    fn is_sequential_loop(&mut self, _call: CallId) -> bool {
        false
    }
    /// True if [`represent`](Self::represent) may replace terms by others.
    fn has_orbits(&self) -> bool {
        false
    }
    /// Replaces `terms` by their images under one permutation of values under which the definitions
    /// are symmetric: each step of a term is a step of its image, with the images of event and
    /// target. Terms that are images of each other get the same ones as far as possible. All but
    /// the first are in no order, and are there once each afterwards. Returns how many
    /// terms, parts of them and values were looked at.
    fn represent(&mut self, _terms: &mut Vec<TermId>) -> Result<usize> {
        Ok(0)
    }
    /// Passes the transitions of all states that `term` can become to `sink`, by number of the
    /// state, if there is a faster way to find them than the operational rules. Goes on from a
    /// listing of `term` that was ended, if it gets one. States are those of the rules: different
    /// terms are different states. Their numbers depend neither on the number of threads nor on
    /// where listing was ended.
    fn list(
        &mut self,
        _term: TermId,
        _from: Option<EndedListing>,
        _threads: &Threads,
        _sink: &mut dyn RowSink,
    ) -> Result<ListingEnd> {
        Ok(ListingEnd::Impossible)
    }
    /// Lets making a choice of more than `most` events fail from now on, with the message
    /// [`larger`](crate::trial::larger). Definitions that have no large choices need not heed this.
    fn limit_choices(&mut self, _most: usize) {}
    /// True if `call` has no name of its own: it is a piece of a definition, such as the
    /// continuation of a prefix.
    fn is_piece(&self, _call: CallId) -> bool {
        false
    }
    /// `call` as CSPm text, such as `POLE(A)`; for an unnamed continuation, an excerpt of its
    /// source.
    fn call_name(&self, call: CallId) -> String;
    /// The name of the definition that `call` calls, without arguments.
    fn definition_name(&self, call: CallId) -> String;
    /// The place of the definition of `call` in the source, if there is one.
    fn call_span(&self, call: CallId) -> Option<Span>;
    /// The token that decides if work may go on, and reports the progress of the work.
    fn cancellation(&self) -> &Cancellation {
        Cancellation::never()
    }
    /// Reports that a phase begins, see [`Cancellation::enter`].
    fn enter(&mut self, phase: Phase, name: &str) {
        self.cancellation().enter(phase, name);
    }
}
