//! Check and TwistedCheck: is everything that a machine does allowed by its specification, in the
//! model of that?
//!
//! Both are one search, `search`, over the pairs of specification state and machine state:
//! TwistedCheck (Figure 3 of the paper) replaces each pair by the representative of its orbit, and
//! Check is TwistedCheck where each pair represents itself. Its states are in memory, on disk, or
//! divided between processes: `in_memory`, `external` and `divided` are the three frontiers of the
//! search.

use super::divided::{Divided, open_share};
use super::external::{DiskPlan, OnDisk, Spill};
use super::frontier::Frontier;
use super::halt::Halt;
use super::in_memory::InMemory;
pub use super::outcome::{
    CheckOptions, CheckResult, Outcome, ProgressSink, SearchProgress, Spilled, Statistics,
    StopReason,
};
use super::product::Product;
use super::search::{Search, initial};
use super::shared_search::SharedSearch;
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
) -> Result<CheckResult> {
    let product = product(specification, machine, options)?;
    let itself = Itself::new(machine, specification.state_count());
    match product.packing.words() {
        1 => search::<u64, _>(&product, itself, None, options),
        2 => search::<[u64; 2], _>(&product, itself, None, options),
        _ => search::<Vec<u64>, _>(&product, itself, None, options),
    }
}

/// The answer of [`check`] from one pair of each orbit: TwistedCheck(repPair), with repPair by
/// `method`. What `method` was made from must be a group of verified symmetries of `specification`
/// and `machine`. If its representatives are not unique and the refinement holds, orbits are
/// counted by `exact`, a unique method for the same group, unless there are very many.
pub fn twisted_check(
    specification: &NormalForm,
    machine: &Machine,
    method: &Method,
    exact: Option<&Method>,
    options: &CheckOptions,
) -> Result<CheckResult> {
    let product = product(specification, machine, options)?;
    let (product, packing) = (&product, &product.packing);
    match packing.words() {
        1 => search::<u64, _>(product, method.packed(packing), exact, options),
        2 => search::<[u64; 2], _>(product, method.packed(packing), exact, options),
        _ => search::<Vec<u64>, _>(product, method.packed(packing), exact, options),
    }
}

fn product<'a>(
    specification: &NormalForm,
    machine: &'a Machine,
    options: &'a CheckOptions,
) -> Result<Product<'a>> {
    let product = Product::new(specification, machine, &options.cancellation)?;
    Ok(product.reduced(options.stubborn.as_deref()))
}

/// In memory, on disk, or in several processes.
fn search<S: PackedState, R: Representative<S>>(
    product: &Product<'_>,
    by: R,
    exact: Option<&Method>,
    options: &CheckOptions,
) -> Result<CheckResult> {
    let result = match (&options.shared, &options.spill) {
        // Where everything is allowed there are no states.
        (Some(shared), None) if !product.allows_all => {
            begun(divided(product, by, options, shared), exact)
        }
        (Some(shared), Some(spill)) if !product.allows_all => begun(
            divided_on_disk(product, by, options, (shared, spill)),
            exact,
        ),
        (None, Some(spill)) if !product.allows_all => {
            let search = on_disk(product, by, options, spill)?;
            search.counting(exact).run()
        }
        _ => in_memory(product, by, options)
            .counting(exact)
            .collecting(options.further)
            .run(),
    };
    result.map_err(Halt::into_problem)
}

/// A search that keeps its states in memory.
pub(super) fn in_memory<'a, S: PackedState, R: Representative<S>>(
    product: &'a Product<'a>,
    mut by: R,
    options: &CheckOptions,
) -> Search<'a, S, R, InMemory> {
    let initial = initial(product, &mut by);
    // Where everything is allowed there is nothing to look for.
    let initial = Some(&initial).filter(|_| !product.allows_all);
    let frontier = InMemory::new(product, initial, &options.threads);
    Search::new(product, by, options, frontier)
}

/// A search that keeps its states where `spill` says.
pub(super) fn on_disk<'a, S: PackedState, R: Representative<S>>(
    product: &'a Product<'a>,
    mut by: R,
    options: &CheckOptions,
    spill: &Spill,
) -> Result<Search<'a, S, R, OnDisk>> {
    let initial = initial(product, &mut by);
    let frontier = DiskPlan::new(product, &options.threads, spill).open(&initial)?;
    Ok(Search::new(product, by, options, frontier))
}

/// What a search finds that several processes have begun.
fn begun<S: PackedState, R: Representative<S>, F: Frontier<S>>(
    search: Result<Search<'_, S, R, F>, Halt>,
    exact: Option<&Method>,
) -> Result<CheckResult, Halt> {
    match search {
        Ok(search) => search.counting(exact).run(),
        // Others ended it before all began.
        Err(Halt::Stopped(reason)) => Ok(CheckResult::not_begun(reason)),
        Err(halt) => Err(halt),
    }
}

/// A search that keeps its share of the states in memory.
pub(super) fn divided<'a, S: PackedState, R: Representative<S>>(
    product: &'a Product<'a>,
    mut by: R,
    options: &CheckOptions,
    shared: &SharedSearch,
) -> Result<Search<'a, S, R, Divided<InMemory, R>>, Halt> {
    let initial = initial(product, &mut by);
    let keep = |own: Option<&S>| Ok(InMemory::new(product, own, &options.threads));
    let mut frontier = Divided::begin(shared, options, (&initial, &by), keep)?;
    frontier.count::<S>()?;
    Ok(Search::new(product, by, options, frontier))
}

/// A search that keeps its share of the states where `spill` says.
pub(super) fn divided_on_disk<'a, S: PackedState, R: Representative<S>>(
    product: &'a Product<'a>,
    mut by: R,
    options: &CheckOptions,
    (shared, spill): (&SharedSearch, &Spill),
) -> Result<Search<'a, S, R, Divided<OnDisk, R>>, Halt> {
    let initial = initial(product, &mut by);
    let plan = DiskPlan::new(product, &options.threads, spill);
    let mut old = None;
    let keep = |own: Option<&S>| {
        let opened = open_share(&plan, shared, options, own)?;
        old = opened.1;
        Ok(opened.0)
    };
    let mut frontier = Divided::begin(shared, options, (&initial, &by), keep)?;
    if let Some(old) = old {
        frontier.move_in::<S>(old)?;
    }
    frontier.count::<S>()?;
    Ok(Search::new(product, by, options, frontier))
}
