//! Check and TwistedCheck: is everything that a machine does allowed by its specification, in the
//! model of the specification?
//!
//! Both are one search, `search`, over the pairs of specification state and machine state:
//! TwistedCheck (Figure 3 of the paper) replaces each pair by the representative of its orbit, and
//! Check is TwistedCheck where each pair represents itself. Its states are in memory or on disk,
//! which are the two frontiers `in_memory` and `external`, and may be `divided` between processes.

use super::divided::Divided;
use super::external::DiskPlan;
use super::halt::Halt;
use super::in_memory::InMemory;
pub use super::outcome::{
    CheckOptions, CheckResult, Outcome, ProgressSink, Proof, SearchProgress, SearchWay, Spilled,
    Statistics, StopReason,
};
use super::pauses::Pauses;
use super::product::Product;
use super::search::{Search, initial};
use super::shared_search::SharedSearch;
use base::diag::Result;
use lts::normal_form::NormalForm;
use machine::Machine;
use machine::packing::PackedState;
use symmetry::representative::{Itself, Method, Representative};

/// Decides whether `machine` refines `specification`, in the model of `specification`.
pub fn check(
    specification: &NormalForm,
    machine: &Machine,
    options: &CheckOptions,
) -> Result<CheckResult> {
    pausing_check(specification, machine, (None, None), options, None)
}

/// The answer of [`check`] from one pair of each orbit: TwistedCheck(repPair), with repPair by
/// `method`. The group from which `method` was made must be one of verified symmetries of
/// `specification` and `machine`. If the representatives are not unique and the refinement holds,
/// orbits are counted by `exact`, a unique method for the same group, unless there are very many.
pub fn twisted_check(
    specification: &NormalForm,
    machine: &Machine,
    method: &Method,
    exact: Option<&Method>,
    options: &CheckOptions,
) -> Result<CheckResult> {
    let methods = (Some(method), exact);
    pausing_check(specification, machine, methods, options, None)
}

/// The answer of [`twisted_check`], or of [`check`] if there is no method, by a search that pauses
/// where `pauses` says. States are then in memory, and not divided.
pub fn pausing_check(
    specification: &NormalForm,
    machine: &Machine,
    (method, exact): (Option<&Method>, Option<&Method>),
    options: &CheckOptions,
    pauses: Option<&mut dyn Pauses>,
) -> Result<CheckResult> {
    let product = product(specification, machine, options)?;
    let (product, packing) = (&product, &product.packing);
    let pauses = pauses.map(|pauses| pauses as &mut dyn Pauses);
    let Some(method) = method else {
        let itself = Itself::new(machine, specification.state_count());
        return match packing.words() {
            1 => search::<u64, _>(product, itself, None, options, pauses),
            2 => search::<[u64; 2], _>(product, itself, None, options, pauses),
            _ => search::<Vec<u64>, _>(product, itself, None, options, pauses),
        };
    };
    match packing.words() {
        1 => search::<u64, _>(product, method.packed(packing), exact, options, pauses),
        2 => search::<[u64; 2], _>(product, method.packed(packing), exact, options, pauses),
        _ => search::<Vec<u64>, _>(product, method.packed(packing), exact, options, pauses),
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

/// Searches in memory, on disk, or in several processes.
fn search<'a, S: PackedState, R: Representative<S>>(
    product: &'a Product<'a>,
    by: R,
    exact: Option<&Method>,
    options: &CheckOptions,
    pauses: Option<&'a mut (dyn Pauses + 'a)>,
) -> Result<CheckResult> {
    let result = match begun(product, by, options) {
        Ok(search) => search.counting(exact).pausing(pauses).run(),
        // Other processes ended the search before all began.
        Err(Halt::Stopped(reason)) => Ok(CheckResult::not_begun(reason)),
        Err(halt) => Err(halt),
    };
    result.map_err(Halt::into_problem)
}

/// Tries to prove that a process is deterministic, by a search of pairs
/// ([`pairs`](super::determinism::pairs)), wherever its states are.
pub(super) fn proved<S: PackedState, R: Representative<S>>(
    product: &Product<'_>,
    by: R,
    options: &CheckOptions,
) -> Result<(Proof, Statistics)> {
    let proof = match begun(product, by, options) {
        Ok(search) => search.prove(),
        Err(Halt::Stopped(reason)) => Ok((Proof::Stopped(reason), Statistics::default())),
        Err(halt) => Err(halt),
    };
    proof.map_err(Halt::into_problem)
}

/// A search in memory, on disk, or in several processes.
fn begun<'a, S: PackedState, R: Representative<S>>(
    product: &'a Product<'a>,
    by: R,
    options: &CheckOptions,
) -> Result<Search<'a>, Halt> {
    match &options.shared {
        // Where everything is allowed there are no states.
        Some(shared) if !product.allows_all => divided(product, by, options, shared),
        _ => Ok(in_this_process(product, by, options)?),
    }
}

/// A search in this process.
pub(super) fn in_this_process<'a, S: PackedState, R: Representative<S>>(
    product: &'a Product<'a>,
    mut by: R,
    options: &CheckOptions,
) -> Result<Search<'a>> {
    let initial = initial(product, &mut by);
    if let (Some(spill), false) = (&options.spill, product.allows_all) {
        let states = DiskPlan::new(product, &options.threads, spill).open(&initial)?;
        return Ok(Search::new::<S, R>(product, by, options, Box::new(states)));
    }
    // Where everything is allowed there is nothing to look for.
    let initial = Some(initial.words()).filter(|_| !product.allows_all);
    let states = Box::new(InMemory::new(product, initial, &options.threads));
    Ok(Search::new::<S, R>(product, by, options, states).collecting(options.further))
}

/// A search in several processes.
fn divided<'a, S: PackedState, R: Representative<S>>(
    product: &'a Product<'a>,
    mut by: R,
    options: &CheckOptions,
    shared: &SharedSearch,
) -> Result<Search<'a>, Halt> {
    let initial = initial(product, &mut by);
    let (share, divided) = Divided::begin(product, (&initial, &by), shared, options)?;
    Ok(Search::new::<S, R>(product, by, options, share).together(divided))
}
