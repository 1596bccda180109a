//! Atoms: values of which a script asks nothing but if two of them are equal.
//!
//! An evaluator that is told to take the values of some types as atoms refuses whatever looks into
//! one: arithmetic, an order, a literal, a constant by its name. So a step of a process that it
//! evaluates without a refusal would have been the same step with other atoms in their places:
//! `Pσ = P(vσ)` for each permutation σ of atoms of one type, as Table 1 of the paper says of
//! definitions. `PROOFS.md` in this folder has the proof.
//!
//! | file | what it does |
//! |---|---|
//! | `types.rs` | which values are atoms, and their numbers |
//! | `refusal.rs` | what is refused, and what was compared across kinds |
//! | `image.rs` | values, events, calls and terms with their atoms permuted |
//! | `ends.rs` | at which places of a term its atoms stand, whatever the atoms are |
//! | `colours.rs` | what tells the atoms of some terms apart |
//! | `representative.rs` | one of all images of some terms |

mod colours;
mod ends;
pub(crate) mod image;
mod refusal;
mod representative;
mod types;

pub use self::types::AtomType;

pub(crate) use self::image::AtomPermutation;
pub(crate) use self::refusal::compared_across_kinds;
pub(crate) use self::types::{AtomId, TypedAtom};

use std::cell::Cell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use self::ends::{Ends, Subject};
use self::types::AtomTypes;

/// The atoms of an evaluator, and what is known about them.
#[derive(Default)]
pub(crate) struct Atoms {
    pub(super) types: AtomTypes,
    /// The atom that was looked into last.
    refused: Cell<Option<AtomId>>,
    /// Where atoms stand in terms and in sets of events, as far as that was asked for.
    ends: FxHashMap<Subject, Rc<Ends>>,
    /// The numbers of images of calls and of sets of events, by the images of the atoms at their
    /// ends, as far as they were asked for.
    images: FxHashMap<(Subject, Box<[AtomId]>), u32>,
}
