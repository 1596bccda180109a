//! The rule of each operator.

use process::term::Term;

use crate::proof_rule::ProofRule;

/// The rule of the outermost operator of a term.
pub(super) fn rule_of(term: &Term) -> ProofRule {
    match term {
        Term::Over(operator, _) => ProofRule::of(operator),
        Term::Call(_) => ProofRule::Unfold,
        Term::Stop | Term::Skip | Term::Omega | Term::Div => ProofRule::Numbered(1, ["STOP", ""]),
        Term::Run(_) | Term::Chaos(_) => ProofRule::Universal,
        Term::Prefix(_) => ProofRule::Numbered(2, ["->", ""]),
        Term::InternalChoice(_) => ProofRule::Numbered(13, ["|~|", ""]),
        Term::Watchdog(_) | Term::Imported(..) => ProofRule::Operational,
        Term::Buffer(..) => ProofRule::Buffer,
    }
}
