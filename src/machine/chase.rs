//! `chase` in a machine: the τ that are followed as soon as they are possible.
//!
//! A `chase` over parallels is an operator of the tree. The rules of τ below it stay behind at its
//! place (`flatten`), and tables of their own follow them (`successors/chaser.rs`). Every state
//! that a search meets is *chased*: none of these rules is possible in it.
//!
//! Why that is right: whether a τ below a chase is possible, and what it does, depends on the
//! leaves below the chase alone. So a state of the machine in which such τ are followed until
//! there are none is one that `chase` may go on in, whatever stands around, and if the leaves
//! below it have not started yet, it is the one in which they start. A leaf that is switched off
//! does nothing. No two chases stand inside each other, so the order among them does not matter.
//!
//! The rules of terms follow the first τ of their order (`process/semantics/choose.rs`), and the
//! machine the first of its own. Where it matters which τ is followed, `chase` promises neither.
//! So a counterexample is replayed on terms as ever, and if that fails, or if a chase finds no end
//! here, the question is decided again with the chase as a leaf, which has the messages.
//!
//! Symmetries would have to keep the order in which τ are followed: none are looked for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use base::diag::Diagnostic;

/// Whether some chase found no end. From then on no state has successors, lest a search go on in
/// vain: what it finds is not looked at. All that is made of one machine shares this.
#[derive(Clone, Default, Debug)]
pub(crate) struct ChaseLoss(Arc<AtomicBool>);

impl ChaseLoss {
    #[inline]
    pub(super) fn is_noted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn note(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The code of the error [`lost`], which is never reported.
pub const CHASE_LOST: &str = "chase-lost";

/// What a question is given up with, to be decided again with every chase as a leaf.
pub fn lost() -> Diagnostic {
    Diagnostic::error(CHASE_LOST, "a chase in a machine was given up")
        .note("this is a mistake in the checker, not in the script")
        .hint("please report it together with the script")
}

#[cfg(test)]
mod tests;
