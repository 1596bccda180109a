//! The semantic models in which processes are compared.

/// A semantic model of CSP, by what it observes of a process (Roscoe, *Understanding Concurrent
/// Systems*, chapters 11 and 12).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Model {
    /// Finite traces.
    Traces,
    /// Traces, and what a process refuses after each of them once it has come to rest. Divergence
    /// is not observed.
    Failures,
    /// Failures, and the traces after which a process can diverge. What it does after a divergence
    /// does not count.
    FailuresDivergences,
    /// Stable revivals: traces, and after each what is refused at rest with an event that is done
    /// from there.
    Revivals,
    /// Stable revivals and divergences. What is done after a divergence does not count.
    RevivalsDivergences,
    /// Refusal testing: what is refused at rest is seen before each event of a trace, as often as
    /// the process comes to rest.
    RefusalTesting,
    /// Refusal testing and divergences. What is done after a divergence does not count.
    RefusalTestingDivergences,
}

impl Model {
    /// Whether refusals count.
    pub fn has_failures(self) -> bool {
        self != Model::Traces
    }

    /// Whether divergences count.
    pub fn has_divergences(self) -> bool {
        use Model::{FailuresDivergences, RefusalTestingDivergences, RevivalsDivergences};
        matches!(
            self,
            FailuresDivergences | RevivalsDivergences | RefusalTestingDivergences
        )
    }

    /// Whether it counts which event is done from a rest.
    pub fn sees_revivals(self) -> bool {
        use Model::{Failures, FailuresDivergences, Traces};
        !matches!(self, Traces | Failures | FailuresDivergences)
    }

    /// Whether what was refused before an event counts after it.
    pub fn remembers_refusals(self) -> bool {
        matches!(
            self,
            Model::RefusalTesting | Model::RefusalTestingDivergences
        )
    }
}
