//! Proves determinism by a search of pairs of states (`pairs`), or of one pair of
//! each orbit.

use crate::check::{CheckOptions, Proof, Statistics, proved};
use crate::product::Product;
use base::diag::Result;
use lts::model::Model;
use lts::normal_form::NormalForm;
use machine::Machine;
use machine::packing::{PackedState, Packing};
use symmetry::pbisim::Symmetry;
use symmetry::representative::{AnyRep, Itself, Method, Representative, apply};

/// Tries to prove that `machine` is deterministic in `model`, by pairs of states; with a `method`,
/// by one pair of each orbit. The method has to be made of verified symmetries of `machine` beside
/// `anything`, the normal form that allows all but divergence. The states of the statistics are
/// pairs.
pub fn prove_determinism(
    machine: &Machine,
    (anything, method): (&NormalForm, Option<&Method>),
    model: Model,
    options: &CheckOptions,
) -> Result<(Proof, Statistics)> {
    let product = &Product::of_pairs(anything, machine, model, &options.cancellation)?;
    let states = anything.state_count();
    let packing = &product.packing;
    let by_method = method.map(|method| PairRep {
        rep: method.packed(&machine.packing(states as u32)),
        state: vec![0; packing.words() / 2],
        packing: packing.clone(),
    });
    match (by_method, packing.words()) {
        (Some(rep), 2) => proved::<[u64; 2], _>(product, rep, options),
        (Some(rep), _) => proved::<Vec<u64>, _>(product, rep, options),
        (None, 2) => proved::<[u64; 2], _>(product, Itself::new(machine, states), options),
        (None, _) => proved::<Vec<u64>, _>(product, Itself::new(machine, states), options),
    }
}

/// Represents a pair by an image of it, in which the first state is the representative of its
/// orbit.
#[derive(Clone)]
struct PairRep {
    rep: AnyRep<Vec<u64>>,
    /// The first state of a pair.
    state: Vec<u64>,
    packing: Packing,
}

impl<S: PackedState> Representative<S> for PairRep {
    const IS_IDENTITY: bool = false;

    fn represent(&mut self, pair: &mut S) {
        let (first, partner) = pair.words_mut().split_at_mut(self.state.len());
        if first == partner {
            self.state.copy_from_slice(first);
            self.rep.represent(&mut self.state);
            first.copy_from_slice(&self.state);
            partner.copy_from_slice(&self.state);
        } else {
            let symmetry = self.twist(pair);
            *pair = apply(&self.packing, &symmetry, pair);
        }
    }

    fn twist(&mut self, pair: &S) -> Symmetry {
        let width = self.state.len();
        self.state.copy_from_slice(&pair.words()[..width]);
        self.rep.twist(&self.state)
    }

    /// Returns false: a symmetry may move the partner alone.
    fn is_unique(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests;
