//! Integers of which a script asks nothing but if two are equal: their numbers, and a note of each
//! that is compared with something else (`atoms/`).

use std::cell::Cell;
use std::rc::Rc;

use base::define_index;
use base::index::IndexVec;

define_index! {
    /// A value of a type of atoms. Those of one type have successive numbers.
    AtomId,
}

/// An atom that is an integer, with the number of its type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TypedAtom {
    pub(crate) ty: u16,
    pub(crate) id: AtomId,
}

/// By atom its image, which is of the same type.
pub(crate) type AtomPermutation = Rc<IndexVec<AtomId, AtomId>>;

thread_local! {
    /// An atom that was compared with an integer or with one of another type since this was asked.
    static ACROSS: Cell<Option<TypedAtom>> = const { Cell::new(None) };
}

/// Notes that `atom` was compared with an integer, or with an atom of another type. The answer,
/// that they differ, is of no worth.
///
/// Values are compared in many places, and in none of a well-typed script does this happen but
/// where a set was taken for one of atoms that is none.
pub(crate) fn compared_across_kinds(atom: TypedAtom) {
    ACROSS.set(Some(atom));
}

/// The atom that was last noted since this was asked.
pub(crate) fn take_compared() -> Option<TypedAtom> {
    ACROSS.take()
}
