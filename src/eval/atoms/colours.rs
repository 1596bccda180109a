//! Colours that tell the atoms of some terms apart, refined until they tell no more.
//!
//! An atom's colour follows from the places at which it stands and from the colours of the atoms
//! beside it (colour refinement, as for graphs). The colours of an image are those of its origin:
//! which atom has which follows from nothing but where it stands.

use std::rc::Rc;

use super::table::AtomEnds;
use crate::atom::AtomId;
use base::index::IndexVec;
use base::mix::mix;

/// A part of terms in which atoms stand: the way to it, and its atoms. Parts on one way are in no
/// order.
#[derive(Clone, Debug)]
pub(super) struct ColouredPart {
    pub(super) way: u64,
    pub(super) ends: Rc<AtomEnds>,
}

/// The colour of each atom.
#[derive(Clone, Debug)]
pub(super) struct Colours(IndexVec<AtomId, u64>);

impl Colours {
    /// The colours of atoms whose types are `types`, as far as `parts` tell them apart.
    pub(super) fn new(types: impl Iterator<Item = usize>, parts: &[ColouredPart]) -> Self {
        let mut colours = Self(types.map(|ty| mix(ty as u64)).collect());
        colours.refine(parts);
        colours
    }

    /// The colour of `atom`.
    pub(super) fn of(&self, atom: AtomId) -> u64 {
        self.0[atom]
    }

    /// These colours, but with one of its own for `atom`, as far as `parts` tell apart.
    pub(super) fn with_one(&self, atom: AtomId, parts: &[ColouredPart]) -> Self {
        let mut colours = self.clone();
        colours.0[atom] = mix(!colours.0[atom]);
        colours.refine(parts);
        colours
    }

    /// Refines the colours until no atom more is told from another.
    fn refine(&mut self, parts: &[ColouredPart]) {
        let mut count = self.count();
        loop {
            let mut next = self.0.clone();
            for part in parts {
                let places = part.ends.places.iter();
                let around = places.fold(mix(part.way ^ part.ends.shape), |sum, end| {
                    sum.wrapping_add(mix(end.role ^ mix(self.of(end.atom))))
                });
                for end in &part.ends.places {
                    next[end.atom] = next[end.atom].wrapping_add(mix(around ^ mix(end.role)));
                }
            }
            let next = Self(next.iter().map(|&colour| mix(colour)).collect());
            let told = next.count();
            // The last round tells no more, but the colours it makes are taken all the same: the
            // number of rounds is that of every image.
            *self = next;
            if told <= count {
                return;
            }
            count = told;
        }
    }

    /// The number of colours.
    fn count(&self) -> usize {
        let mut all: Vec<u64> = self.0.iter().copied().collect();
        all.sort_unstable();
        all.dedup();
        all.len()
    }
}
