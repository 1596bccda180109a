//! The meaning of termination: an event like any other, or a signal.

use super::operator::Operator;
use super::term::{Term, TermId, Terms};

/// The reading of ✓. The semantics of every operator is equal for both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Termination {
    /// Hoare's, and FDR's: ✓ is an event like any other, except that nothing follows it. A process
    /// that can terminate may insist on doing something else beside, and one that has terminated is
    /// deadlocked.
    #[default]
    Event,
    /// Roscoe's, in his books: a process that can terminate may refuse everything else
    /// (*Understanding Concurrent Systems*, section 7.2), and one that has terminated is not
    /// deadlocked.
    Signal,
}

impl Termination {
    /// The name of this reading: `event` or `signal`.
    pub fn name(self) -> &'static str {
        match self {
            Termination::Event => "event",
            Termination::Signal => "signal",
        }
    }
}

impl Terms {
    /// `process` as an environment sees it. It is used for the operand of a parallel, for the
    /// process as a whole, and where an operator asks what the process may refuse.
    ///
    /// If ✓ is an event, it is the process itself. If ✓ is a signal, it is `P ; SKIP`, which turns
    /// each ✓ that may be refused into a τ to a ✓ without alternative (Gibson-Robinson and
    /// Goldsmith, *The Meaning and Implementation of SKIP in CSP*, 2013). `src/process/PROOFS.md`
    /// proves that this is Roscoe's semantics.
    pub fn seen(&mut self, process: TermId) -> TermId {
        if self.termination() == Termination::Event || self.is_alone(process) {
            return process;
        }
        let skip = self.skip();
        self.over(Operator::Sequential, [process, skip])
    }

    /// True if `process` offers nothing else where it offers ✓, as far as its outermost operator
    /// tells.
    fn is_alone(&self, process: TermId) -> bool {
        match self.get(process) {
            // The ✓ of the first operand is a τ of the whole, so the only ✓ is that of `SKIP`.
            Term::Over(Operator::Sequential, operands) => *self.get(operands[1]) == Term::Skip,
            Term::Stop | Term::Skip | Term::Omega | Term::Div => true,
            Term::Run(_) | Term::Chaos(_) | Term::Buffer(..) => true,
            _ => false,
        }
    }
}
