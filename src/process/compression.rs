//! The functions that turn a process into one with a smaller transition system.

/// A compression, by its name in scripts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Compression {
    /// Lists all states now, as one component.
    Explicate,
    /// The quotient by strong bisimilarity.
    Sbisim,
    /// The quotient by delay bisimilarity that respects divergence.
    Dbisim,
    /// The quotient by weak bisimilarity that respects divergence.
    Wbisim,
    /// States that τ leads round in a circle become one.
    TauLoopFactor,
    /// Intermediate states of τ are left out.
    Diamond,
    /// Deterministic but for minimal acceptances and divergence.
    Normal,
    /// The same where that is not larger than the process itself.
    LazyNorm,
    /// Whatever keeps traces, failures and divergences.
    ModelCompress,
    /// Follows τ, the first where there are several.
    Chase,
    /// The same.
    ChaseNoCache,
    /// Follows τ, and of several transitions with one event the first.
    Deter,
}

impl Compression {
    /// Its name in scripts.
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

    /// Whether it keeps the traces, failures and divergences of every process. The others choose among what a
    /// process can do, and keep those only of processes where the choice makes no difference.
    pub fn keeps_meaning(self) -> bool {
        !matches!(
            self,
            Compression::Chase | Compression::ChaseNoCache | Compression::Deter
        )
    }
}
