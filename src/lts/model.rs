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
