//! In which components a state differs from another.

use machine::packing::{BitField, PackedState};

/// Finds the components in which states differ, among some.
#[derive(Clone, Debug)]
pub(super) struct Changes {
    fields: Vec<BitField>,
    /// By bit of a state, which of the components it belongs to, or [`NO_COMPONENT`].
    component_at: Vec<u32>,
}

/// Of a bit that belongs to none of the components.
const NO_COMPONENT: u32 = u32::MAX;

impl Changes {
    /// For the components with these fields, in states of `words` words.
    pub(super) fn new(fields: Vec<BitField>, words: usize) -> Self {
        let mut component_at = vec![NO_COMPONENT; words * u64::BITS as usize];
        for (component, field) in (0..).zip(&fields) {
            let first = (field.word * u64::BITS + field.shift) as usize;
            component_at[first..][..field.mask.count_ones() as usize].fill(component);
        }
        Self {
            fields,
            component_at,
        }
    }

    /// Does `visit` with the number of each component in which `state` differs from the state with
    /// the words `old`. Costs a step for each word and for each such component.
    #[inline]
    pub(super) fn for_each<S: PackedState>(
        &self,
        old: &[u64],
        state: &S,
        mut visit: impl FnMut(u32),
    ) {
        for (word, (&old, &new)) in old.iter().zip(state.words()).enumerate() {
            let mut changed = old ^ new;
            while changed != 0 {
                let bit = word * u64::BITS as usize + changed.trailing_zeros() as usize;
                let component = self.component_at[bit];
                let Some(field) = self.fields.get(component as usize) else {
                    changed &= changed - 1;
                    continue;
                };
                changed &= !(field.mask << field.shift);
                visit(component);
            }
        }
    }
}
