//! The functions that turn a process into one with a smaller transition system.

/// A compression, by its name in scripts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Compression {
    /// Lists all states at once, as one component.
    Explicate,
    /// The quotient by strong bisimilarity.
    Sbisim,
    /// The quotient by delay bisimilarity that respects divergence.
    Dbisim,
    /// The quotient by weak bisimilarity that respects divergence.
    Wbisim,
    /// States on a common cycle of τ become one.
    TauLoopFactor,
    /// Intermediate states of τ are left out.
    Diamond,
    /// Deterministic but for minimal acceptances and divergence.
    Normal,
    /// [`Compression::Normal`], unless that is larger than the process itself.
    LazyNorm,
    /// Any compression that keeps traces, failures and divergences.
    ModelCompress,
    /// Follows τ, and the first of several.
    Chase,
    /// Follows τ like [`Compression::Chase`]; in FDR it keeps less in memory.
    ChaseNoCache,
    /// Follows τ, and the first of several transitions with one event.
    Deter,
}

impl Compression {
    /// The name in scripts.
    pub fn name(self) -> &'static str {
        match self {
            Compression::Explicate => "explicate",
            Compression::Sbisim => "sbisim",
            Compression::Dbisim => "dbisim",
            Compression::Wbisim => "wbisim",
            Compression::TauLoopFactor => "tau_loop_factor",
            Compression::Diamond => "diamond",
            Compression::Normal => "normal",
            Compression::LazyNorm => "lazynorm",
            Compression::ModelCompress => "model_compress",
            Compression::Chase => "chase",
            Compression::ChaseNoCache => "chase_nocache",
            Compression::Deter => "deter",
        }
    }

    /// True if the compression keeps the traces, failures and divergences of every process. The
    /// others choose among the transitions of a process, and keep these only if the choice makes no
    /// difference.
    pub fn keeps_meaning(self) -> bool {
        !matches!(
            self,
            Compression::Chase | Compression::ChaseNoCache | Compression::Deter
        )
    }
}
