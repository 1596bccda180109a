//! Which rule is for which operator.

use process::term::Term;

use crate::proof_rule::ProofRule;

/// The rule of the outermost operator of a term.
pub(super) fn rule_of(term: &Term) -> ProofRule {
    match term {
        Term::Call(_) => ProofRule::Unfold,
        Term::Stop | Term::Skip | Term::Omega | Term::Div => ProofRule::Constant,
        Term::Run(_) | Term::Chaos(_) => ProofRule::Universal,
        Term::Prefix(_) => ProofRule::Prefix,
        Term::ExternalChoice(_) => ProofRule::ExternalChoice,
        Term::InternalChoice(_) => ProofRule::InternalChoice,
        Term::Sequential(..) => ProofRule::Sequential,
        Term::Interrupt(..) => ProofRule::Interrupt,
        Term::SlidingChoice(..) => ProofRule::SlidingChoice,
        Term::Exception(..) => ProofRule::Exception,
        Term::SynchronisingChoice(..) => ProofRule::SynchronisingChoice,
        Term::SynchronisingInterrupt(..) => ProofRule::SynchronisingInterrupt,
        Term::Parallel(..) => ProofRule::Parallel,
        Term::Alphabetised(_) => ProofRule::Alphabetised,
        Term::Linked(..) => ProofRule::Linked,
        Term::Hide(..) | Term::Project(..) => ProofRule::Hide,
        Term::Rename(..) => ProofRule::Rename,
        Term::Prioritise(..) => ProofRule::Prioritise,
        Term::Watchdog(_) | Term::Imported(..) => ProofRule::Operational,
        Term::Compress(..) => ProofRule::Compress,
        Term::Buffer(..) => ProofRule::Buffer,
    }
}
