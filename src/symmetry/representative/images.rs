//! Applies elements of a group to packed states by tables.

use rustc_hash::FxHashMap;

use crate::pbisim::Symmetry;
use machine::packing::{BitField, PackedState, Packing};

/// Tables for the images of packed states under each of some symmetries.
///
/// The components that move are cut into pieces, each one field or, in states of one word, several
/// small ones beside each other. A table has, by the value of a piece, the bits of its image.
#[derive(Clone, Debug)]
pub(super) struct ImageTables<S> {
    pieces: Vec<BitField>,
    /// By element and piece, its table.
    tables: Vec<PieceTable>,
    /// All tables, one after the other. Equal tables are stored once.
    bits: Vec<u64>,
    /// By word, the bits of all components that move.
    moved: Vec<u64>,
    scratch: S,
}

/// The table of a piece under an element.
#[derive(Clone, Copy, Debug)]
struct PieceTable {
    /// The index of the image of value 0 in `bits`.
    start: u32,
    /// The word that the image bits belong to.
    word: u32,
}

/// The most bits of a piece of several fields.
const PIECE_BITS: u32 = 6;

/// The most entries of all tables together, for pieces of several fields to be made.
const PIECE_ENTRIES: usize = 1 << 23;

impl<S: PackedState> ImageTables<S> {
    /// Makes the tables for `elements`; `states` are the numbers of states of the components.
    pub(super) fn new(elements: &[Symmetry], states: &[u32], packing: &Packing) -> Self {
        let components = moved_components(elements, packing);
        let joined = packing.words() == 1
            && elements.len() * components.len() <= PIECE_ENTRIES >> PIECE_BITS;
        let pieces = pieces(&components, packing, if joined { PIECE_BITS } else { 0 });
        let mut images = Self {
            pieces: pieces.iter().map(|piece| piece.field).collect(),
            tables: Vec::with_capacity(elements.len() * pieces.len()),
            bits: Vec::new(),
            moved: vec![0; packing.words()],
            scratch: S::zero(packing.words()),
        };
        for &component in &components {
            let field = packing.fields()[component];
            images.moved[field.word as usize] |= field.mask << field.shift;
        }
        // Elements that do the same to a piece share a table: there are far fewer tables than
        // elements times pieces.
        let mut known = FxHashMap::default();
        for element in elements {
            for piece in &pieces {
                let (word, bits) = piece.images(element, states, packing);
                let start = *known.entry(bits).or_insert_with_key(|bits| {
                    let start = images.bits.len() as u32;
                    images.bits.extend_from_slice(bits);
                    start
                });
                images.tables.push(PieceTable { start, word });
            }
        }
        images
    }

    /// Replaces `state` by its image under the element of this number.
    #[inline]
    pub(super) fn apply(&mut self, element: u32, state: &mut S) {
        let image = &mut self.scratch;
        image.clone_from(state);
        for (word, &moved) in self.moved.iter().enumerate() {
            // Flipping the bits that are set clears the components that move.
            image.flip(word as u32, state.word(word as u32) & moved);
        }
        let tables = &self.tables[element as usize * self.pieces.len()..][..self.pieces.len()];
        for (piece, table) in self.pieces.iter().zip(tables) {
            let bits = self.bits[(table.start + piece.get(state)) as usize];
            image.flip(table.word, bits);
        }
        std::mem::swap(image, state);
    }
}

/// Neighbouring fields, and their components.
struct FieldRun {
    field: BitField,
    components: Vec<usize>,
}

/// The components that some element moves and that take room.
fn moved_components(elements: &[Symmetry], packing: &Packing) -> Vec<usize> {
    let fields = packing.fields().iter().enumerate();
    let moved = fields.filter(|&(component, field)| {
        field.mask != 0 && elements.iter().any(|e| !e.fixes(component))
    });
    moved.map(|(component, _)| component).collect()
}

/// The pieces of these components, each of one field or of at most `most_bits` bits.
fn pieces(components: &[usize], packing: &Packing, most_bits: u32) -> Vec<FieldRun> {
    let mut components = components.to_vec();
    let field = |component: usize| packing.fields()[component];
    components.sort_by_key(|&component| (field(component).word, field(component).shift));
    let mut pieces: Vec<FieldRun> = Vec::new();
    for component in components {
        let next = field(component);
        if let Some(last) = pieces.last_mut() {
            let width = last.field.mask.count_ones();
            let adjacent = last.field.word == next.word && last.field.shift + width == next.shift;
            if adjacent && width + next.mask.count_ones() <= most_bits {
                last.field.mask |= next.mask << width;
                last.components.push(component);
                continue;
            }
        }
        pieces.push(FieldRun {
            field: next,
            components: vec![component],
        });
    }
    pieces
}

impl FieldRun {
    /// By value, the bits of the image under `element`, and the word that they belong to.
    fn images(&self, element: &Symmetry, states: &[u32], packing: &Packing) -> (u32, Vec<u64>) {
        let values = match *self.components {
            [only] => states[only],
            _ => self.field.mask as u32 + 1,
        };
        let mut word = 0;
        let mut bits = vec![0; values as usize];
        for &component in &self.components {
            let (to, map) = element.part(component);
            let (from, to) = (packing.fields()[component], packing.fields()[to]);
            // The word is the same for all fields of a piece: a piece has several fields only in
            // states of one word.
            word = to.word;
            for (value, bits) in (0u64..).zip(&mut bits) {
                let state = value >> (from.shift - self.field.shift) & from.mask;
                // No state has a value that is no state of its component.
                let image = map.get(state as usize).copied().unwrap_or_default();
                *bits |= u64::from(image) << to.shift;
            }
        }
        (word, bits)
    }
}
