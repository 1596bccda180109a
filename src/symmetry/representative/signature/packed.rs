//! Signature sort on packed states.

use crate::pbisim::Symmetry;
use machine::packing::{PackedState, Packing};

use super::super::Representative;
use super::SignaturePlan;
use super::search::TieSearch;
use super::sorter::{Signed, Sorter};

/// Signature sort on packed states. Allocates nothing for a state whose like has been seen.
#[derive(Clone, Debug)]
pub struct SignatureRep<S> {
    plan: SignaturePlan,
    sorter: Sorter,
    /// The state at hand.
    signed: Signed,
    /// The exchanges that `state` has been moved by.
    steps: Vec<u32>,
    search: TieSearch<S>,
    ambiguous: u64,
}

impl<S: PackedState> SignatureRep<S> {
    pub(super) fn new(plan: &SignaturePlan, packing: &Packing) -> Self {
        let sorter = Sorter::new(&plan.tables, packing);
        Self {
            plan: plan.clone(),
            signed: Signed {
                keys: vec![0; plan.tables.ids.count()],
                ..Signed::default()
            },
            steps: Vec::new(),
            search: TieSearch::new(&plan.tables, packing, plan.most_images),
            sorter,
            ambiguous: 0,
        }
    }

    /// For how many states the search for the least image was given up, so that others of the same
    /// orbit may have been represented differently.
    pub fn ambiguous(&self) -> u64 {
        self.ambiguous
    }

    /// Moves `state` and writes down by which exchanges. Returns whether all of the orbit have this
    /// outcome.
    #[inline]
    fn canonise(&mut self, state: &mut S) -> bool {
        self.steps.clear();
        let (sorter, signed) = (&mut self.sorter, &mut self.signed);
        sorter.read(state, signed);
        let sorted = sorter.sort(&signed.keys, &mut self.steps);
        // Without linking points, siblings with equal keys have corresponding points: exchanging
        // them leaves the state as it is.
        let is_settled = !sorted.is_tied || signed.linking.is_empty();
        if sorted.has_moved {
            if is_settled {
                // Nobody reads `signed` any more, so only the state is moved.
                sorter.move_state(signed, &self.steps, state);
            } else {
                sorter.move_signed(signed, &self.steps, state);
            }
        }
        is_settled || self.search.settle(sorter, signed, &mut self.steps, state)
    }
}

impl<S: PackedState> Representative<S> for SignatureRep<S> {
    const IS_IDENTITY: bool = false;

    fn is_unique(&self) -> bool {
        self.ambiguous == 0
    }

    #[inline]
    fn represent(&mut self, state: &mut S) {
        let is_certain = self.canonise(state);
        self.ambiguous += u64::from(!is_certain);
    }

    fn twist(&mut self, state: &S) -> Symmetry {
        self.canonise(&mut state.clone());
        let words = &self.plan.tables.exchanges.words;
        let swaps = self
            .steps
            .iter()
            .flat_map(|&step| words[step as usize].iter());
        swaps.fold(self.plan.identity.clone(), |twist, &swap| {
            twist.then(&self.plan.swaps[swap as usize])
        })
    }
}
