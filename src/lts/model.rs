//! The semantic models in which processes are compared.

/// A semantic model of CSP, by what it observes of a process (Roscoe, *Understanding Concurrent
/// Systems*, chapters 11 and 12).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Model {
    /// Finite traces.
    Traces,
    /// Traces, and the refusals of a process at rest after each trace. Divergence is not observed.
    Failures,
    /// Failures, and the traces after which a process can diverge. Its behaviour after a divergence
    /// does not count.
    FailuresDivergences,
    /// Stable revivals: traces, and after each trace a refusal at rest with an event done from
    /// there.
    Revivals,
    /// Stable revivals and divergences. The behaviour after a divergence does not count.
    RevivalsDivergences,
    /// Refusal testing: refusals at rest are seen before each event of a trace, whenever the
    /// process comes to rest.
    RefusalTesting,
    /// Refusal testing and divergences. The behaviour after a divergence does not count.
    RefusalTestingDivergences,
}

impl Model {
    /// True if refusals count.
    pub fn has_failures(self) -> bool {
        self != Model::Traces
    }

    /// True if divergences count.
    pub fn has_divergences(self) -> bool {
        use Model::{FailuresDivergences, RefusalTestingDivergences, RevivalsDivergences};
        matches!(
            self,
            FailuresDivergences | RevivalsDivergences | RefusalTestingDivergences
        )
    }

    /// True if the event done after a rest counts.
    pub fn sees_revivals(self) -> bool {
        use Model::{Failures, FailuresDivergences, Traces};
        !matches!(self, Traces | Failures | FailuresDivergences)
    }

    /// True if refusals before an event count after it.
    pub fn remembers_refusals(self) -> bool {
        matches!(
            self,
            Model::RefusalTesting | Model::RefusalTestingDivergences
        )
    }
}
