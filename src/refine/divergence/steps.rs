//! The τ of a pair that are followed: all, or those of a stubborn set.

use crate::product::Product;
use crate::selection::StepSelection;
use crate::stubborn::Sampling;
use machine::packing::PackedState;
use machine::successors::Scratch;
use process::event::TAU;
use symmetry::representative::Representative;

/// Lists the τ that are followed.
pub(crate) struct TauSteps<'a> {
    /// Chooses the transitions that are followed, if not all are.
    selection: Option<StepSelection<'a>>,
    /// At which pairs the search chooses; all τ are followed unless it does at each.
    sampling: Sampling,
}

impl<'a> TauSteps<'a> {
    /// Those of the pairs of `product`.
    pub(super) fn new(product: &Product<'a>) -> Self {
        Self {
            selection: StepSelection::of(product),
            sampling: Sampling::default(),
        }
    }

    /// Lists all τ from now on, as the search does at pairs that are no samples, or those that are
    /// chosen again.
    pub(crate) fn sample(&mut self, sampling: Sampling) {
        self.sampling = sampling;
    }

    /// Does `each` to the words of the representative of each pair that a τ of `state` leads to.
    pub(crate) fn for_each<S: PackedState, R: Representative<S>>(
        &mut self,
        product: &Product<'_>,
        representative: &mut R,
        (state, scratch): (&S, &mut Scratch<S>),
        each: &mut dyn FnMut(&[u64]),
    ) {
        let mut follow = |words: &[u64]| {
            if R::IS_IDENTITY {
                each(words);
            } else {
                let mut next = state.clone();
                next.load(words);
                representative.represent(&mut next);
                each(next.words());
            }
        };
        let selection = self.selection.as_mut();
        let Some(selection) = selection.filter(|_| self.sampling.is_everywhere()) else {
            let all = &mut |_, event, next: &S| {
                if event == TAU {
                    follow(next.words());
                }
            };
            product.successors.for_each(state, scratch, all);
            return;
        };
        // What is wrong with the state is said by the search, when it gets there.
        selection.list(product, state, scratch, None);
        selection.choose(product, state);
        for (rule, words) in selection.followed() {
            if product.machine.rules[rule].result == TAU {
                words.into_iter().for_each(&mut follow);
            }
        }
    }
}
