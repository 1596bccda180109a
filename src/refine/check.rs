//! Check and TwistedCheck: is everything that a machine does allowed by its specification, in the model of that?
//!
//! Both are one search, `search`, over the pairs of specification state and machine state:
//! TwistedCheck (Figure 3 of the paper) replaces each pair by the representative of its orbit, and Check is
//! TwistedCheck where each pair represents itself. With its states on disk it is another one, `external`.

use super::external::External;
pub use super::outcome::{
    CheckOptions, CheckResult, Control, Outcome, SearchProgress, Spilled, Statistics, StopReason,
};
use super::product::Product;
use super::search::Search;
use crate::diag::Result;
use crate::lts::normal_form::NormalForm;
use crate::machine::Machine;
use crate::machine::packing::PackedState;
use crate::symmetry::representative::{Itself, Method, Representative};

/// Whether `machine` refines `specification`, in the model of that.
pub fn check(
    specification: &NormalForm,
    machine: &Machine,
    options: &CheckOptions,
    observer: &mut dyn FnMut(&SearchProgress) -> Control,
) -> Result<CheckResult> {
    let product = Product::new(specification, machine, &options.cancellation)?;
    let itself = Itself::new(machine, specification.state_count());
    match product.packing.words() {
        1 => search::<u64, _>(&product, itself, None, options, observer),
        2 => search::<[u64; 2], _>(&product, itself, None, options, observer),
        _ => search::<Vec<u64>, _>(&product, itself, None, options, observer),
    }
}

/// The same answer from one pair of each orbit: TwistedCheck(repPair), with repPair by `method`. What `method` was
/// made from must be a group of verified symmetries of `specification` and `machine`. If its representatives are not unique
/// and the refinement holds, orbits are counted by `exact`, a unique method for the same group, unless there are very many.
pub fn twisted_check(
    specification: &NormalForm,
    machine: &Machine,
    method: &Method,
    exact: Option<&Method>,
    options: &CheckOptions,
    observer: &mut dyn FnMut(&SearchProgress) -> Control,
) -> Result<CheckResult> {
    let product = Product::new(specification, machine, &options.cancellation)?;
    let (product, packing) = (&product, &product.packing);
    match packing.words() {
        1 => search::<u64, _>(product, method.packed(packing), exact, options, observer),
        2 => search::<[u64; 2], _>(product, method.packed(packing), exact, options, observer),
        _ => search::<Vec<u64>, _>(product, method.packed(packing), exact, options, observer),
    }
}

/// In memory or on disk.
fn search<S: PackedState, R: Representative<S>>(
    product: &Product<'_>,
    representative: R,
    exact: Option<&Method>,
    options: &CheckOptions,
    observer: &mut dyn FnMut(&SearchProgress) -> Control,
) -> Result<CheckResult> {
    match &options.spill {
        // Where everything is allowed there are no states.
        Some(spill) if !product.allows_all => {
            let search = External::open(product, representative, options, spill)?;
            search.counting(exact).run(observer)
        }
        _ => {
            let search = Search::new(product, representative, options);
            search.counting(exact).run(observer)
        }
    }
}
