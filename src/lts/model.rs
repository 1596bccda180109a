//! The semantic models in which processes are compared.

/// A semantic model of CSP, by what it observes of a process. Each model observes what the models
/// before it observe, too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Model {
    /// Finite traces.
    Traces,
    /// Traces, and what a process refuses after each of them once it has come to rest. Divergence
    /// is not observed.
    Failures,
    /// Failures, and the traces after which a process can diverge. What it does after a divergence
    /// does not count.
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

/// A model that sees more than failures: which event a process does after it was seen at rest.
/// Normal forms have no place for that; such models are decided on sets of states (*Understanding
/// Concurrent Systems*, chapters 11 and 12).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FinerModel {
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
