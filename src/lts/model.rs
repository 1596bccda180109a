//! The semantic models in which processes are compared.

/// A semantic model of CSP; what it observes of a process, the finer ones beside all that the coarser ones do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Model {
    /// Finite traces.
    Traces,
    /// And what a process refuses in the states after them in which it has come to rest; divergence goes unseen.
    Failures,
    /// And the traces after which it can diverge; whatever it does after that does not count.
    FailuresDivergences,
}

impl Model {
    /// Whether refusals count.
    pub fn has_failures(self) -> bool {
        self >= Model::Failures
    }

    /// Whether divergences count.
    pub fn has_divergences(self) -> bool {
        self == Model::FailuresDivergences
    }
}

/// A model that sees more than failures: which event a process does after it was seen at rest. Normal forms have no place for
/// that; such models are decided on sets of states (*Understanding Concurrent Systems*, chapters 11 and 12).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FinerModel {
    /// Stable revivals: traces, and at their end what is refused at rest and which event is done from there.
    Revivals,
    /// And divergences, after which nothing counts.
    RevivalsDivergences,
    /// Refusal testing: what is refused at rest is seen before each event of a trace, as often as the process comes to rest.
    RefusalTesting,
    /// And divergences, after which nothing counts.
    RefusalTestingDivergences,
}

impl FinerModel {
    /// Whether what was refused before an event counts after it.
    pub fn remembers_refusals(self) -> bool {
        matches!(
            self,
            FinerModel::RefusalTesting | FinerModel::RefusalTestingDivergences
        )
    }

    /// Whether divergences count.
    pub fn has_divergences(self) -> bool {
        matches!(
            self,
            FinerModel::RevivalsDivergences | FinerModel::RefusalTestingDivergences
        )
    }
}
