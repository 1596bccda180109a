//! What goes through types at present, and what it has gone through.

use rustc_hash::{FxHashMap, FxHashSet};

use super::constraint::Constraint;
use super::kind::Type;

/// What is being gone through, with what need not be gone through again.
#[derive(Clone, Default, Debug)]
pub(super) struct Walks {
    /// How deep the present unification is.
    pub(super) unifying: usize,
    /// What was made one in it.
    pub(super) unified: FxHashSet<(Type, Type)>,
    pub(super) evaluating: usize,
    /// By type, what it is with its dots evaluated.
    pub(super) evaluated: FxHashMap<Type, Type>,
    pub(super) requiring: usize,
    pub(super) required: FxHashSet<(Constraint, Type)>,
    /// How many parts the large copies have.
    pub(super) copied: usize,
    /// Whether some type would have been too large.
    pub(super) is_too_large: bool,
}
