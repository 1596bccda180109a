//! The present walks through types, and the types they have passed.

use rustc_hash::{FxHashMap, FxHashSet};

use super::constraint::Constraint;
use super::kind::Type;

/// The present walks, with the types that need not be gone through again.
#[derive(Clone, Default, Debug)]
pub(super) struct Walks {
    /// The depth of the present unification.
    pub(super) unifying: usize,
    /// The pairs that it has made one.
    pub(super) unified: FxHashSet<(Type, Type)>,
    pub(super) evaluating: usize,
    /// The results of evaluating dots, by type.
    pub(super) evaluated: FxHashMap<Type, Type>,
    pub(super) requiring: usize,
    pub(super) required: FxHashSet<(Constraint, Type)>,
    /// The number of parts that the large copies have.
    pub(super) copied: usize,
    /// True if some type would have been too large.
    pub(super) is_too_large: bool,
}
