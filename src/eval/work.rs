//! The course of evaluation: its place, how deep it is nested, and what ends it.

use super::item::SEQUENCE_LIMIT;
use base::cancel::Cancellation;
use base::diag::{Diagnostic, Result, Severity};
use base::source::{FileId, Span};
use process::trial::larger;

/// The course of an evaluation.
pub(super) struct EvaluationWork {
    /// The place of evaluation, for errors that do not know their own.
    place: Span,
    depth: u32,
    cancellation: Cancellation,
    /// The most events of a choice while something is tried.
    most_events: usize,
}

/// The deepest nesting of evaluations, each of which takes about a kilobyte of stack.
const DEPTH_LIMIT: u32 = 1_000_000;

impl EvaluationWork {
    /// Work that goes on until `cancellation` ends it.
    pub(super) fn new(cancellation: Cancellation) -> Self {
        Self {
            place: Span::new(FileId(0), 0, 0),
            depth: 0,
            cancellation,
            most_events: usize::MAX,
        }
    }

    /// Lets `cancellation` end the work from now on.
    pub(super) fn end_by(&mut self, cancellation: Cancellation) {
        self.cancellation = cancellation;
    }

    /// Lets choices have at most `most` events from now on.
    pub(super) fn limit_choices(&mut self, most: usize) {
        self.most_events = most;
    }

    /// Fails if `events` are more than a choice may have while something is tried.
    pub(super) fn check_choice(&self, events: usize) -> Result<()> {
        match events > self.most_events {
            true => larger().into(),
            false => Ok(()),
        }
    }

    pub(super) fn cancellation(&self) -> &Cancellation {
        &self.cancellation
    }

    /// The place of evaluation.
    pub(super) fn place(&self) -> Span {
        self.place
    }

    /// Notes that evaluation is at `place` now.
    pub(super) fn go_to(&mut self, place: Span) {
        self.place = place;
    }

    /// Begins an evaluation inside the present one. Returns the place to go back to.
    pub(super) fn enter(&mut self) -> Result<Span> {
        if self.depth >= DEPTH_LIMIT {
            let message = format!("evaluation is nested more than {DEPTH_LIMIT} deep");
            return self
                .limit("recursion-too-deep", message)
                .hint("a recursive function whose end is never reached?")
                .into();
        }
        self.depth += 1;
        Ok(self.place)
    }

    /// Ends an evaluation that began at `place`.
    pub(super) fn leave(&mut self, place: Span) {
        self.place = place;
        self.depth -= 1;
    }

    /// Begins a step of evaluation. Fails if the work is to end.
    pub(super) fn tick(&mut self) -> Result<()> {
        self.cancellation
            .tick()
            .map_err(|problem| Box::new(problem.at(self.place, "evaluation was here")))
    }

    /// An error at the present place of evaluation.
    pub(super) fn error(&self, code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(code, message).at(self.place, "")
    }

    /// A message that a limit ended evaluation at the present place, so that nothing is decided.
    pub(super) fn limit(&self, code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::undecided(code, message).at(self.place, "")
    }

    /// The message about a case that no well-typed script reaches: then the types were not checked,
    /// or not correctly.
    pub(super) fn ill_typed(&self, what: &str) -> Diagnostic {
        let message = format!("this is a fault of cspsym, not of the script: {what}");
        self.error("internal-error", message)
            .note("the check of types, before the script is run, should have refused it")
            .hint("please report it, with the script and the command line")
    }

    /// The error that the number `n` is out of the range of `what`.
    pub(super) fn out_of_range(&self, what: &str, n: i64) -> Diagnostic {
        self.error("out-of-range", format!("{what}, not {n}"))
    }

    /// The error that an integer is too large.
    pub(super) fn overflow(&self) -> Diagnostic {
        self.error("integer-overflow", "the result does not fit into 64 bits")
    }

    pub(super) fn too_many(&self, count: &str) -> Diagnostic {
        let message = format!("a set with {count} members or more would have to be listed here");
        self.limit("set-too-large", message)
            .hint("use smaller types, or a comprehension that keeps only what is needed")
    }

    pub(super) fn endless_sequence(&self) -> Diagnostic {
        self.error("infinite-sequence", format!("a sequence of more than {SEQUENCE_LIMIT} items is needed in full here"))
            .hint("an infinite sequence cannot be compared, counted, or given to a process as an argument")
    }

    /// True if evaluation would fail again: neither a limit nor a definition that is being
    /// evaluated at present ended it.
    pub(super) fn is_lasting(&self, problem: &Diagnostic) -> bool {
        self.is_mistake(problem) && problem.code != "cyclic-definition"
    }

    /// True if the problem is a mistake in the script, which does not count if the value is never
    /// used. An infinite sequence is reported at once: otherwise the name of the rest after each of
    /// its items would be looked for in vain.
    pub(super) fn is_mistake(&self, problem: &Diagnostic) -> bool {
        problem.severity == Severity::Error
            && self.cancellation.reason().is_none()
            && !matches!(problem.code, "internal-error" | "infinite-sequence")
    }
}
