//! `chase` in a machine: the τ that are followed as soon as they are possible.
//!
//! A `chase` over parallels is an operator of the tree. The rules of τ below it stay behind at its
//! place (`flatten`), and tables of their own follow them (`successors/chaser.rs`). Every state
//! that a search meets is *chased*: none of these rules is possible in it.
//!
//! This is right because the leaves below a chase alone decide whether a τ below it is possible,
//! and which step it is. So a state of the machine in which such τ are followed until there are
//! none is one in which `chase` may go on, whatever its context. If the leaves below it have not
//! started yet, it is the state in which they start. A leaf that is switched off does nothing. No
//! two chases stand inside each other, so the order among them does not matter.
//!
//! The rules of terms follow the first τ of their order (`process/semantics/choose.rs`), and the
//! machine the first of its own. If it matters which τ is followed, `chase` promises neither. So a
//! counterexample is replayed on terms like any other. If the replay fails, or if a chase finds no
//! end here, the question is decided again with the chase as a leaf, which has the messages.
//!
//! Symmetries would have to keep the order in which τ are followed: none are looked for. So a chase
//! that is small is listed as a leaf instead (`checker/portfolio/turns.rs`).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use base::diag::Diagnostic;

/// The mark that some chase found no end. From then on no state has successors, so that a search
/// soon ends: its result is not used. Everything made from one machine shares this mark.
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

/// The error that gives a question up, to be decided again with every chase as a leaf.
pub fn lost() -> Diagnostic {
    Diagnostic::error(CHASE_LOST, "a chase in a machine was given up")
        .note("this is a mistake in the checker, not in the script")
        .hint("please report it together with the script")
}

#[cfg(test)]
mod tests;
