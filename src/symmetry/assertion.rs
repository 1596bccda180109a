//! `P :[symmetric]: T`, the assertion that a process stays the same when the values of a type are
//! renamed into each other.

use std::sync::Arc;

use base::diag::Result;
use lts::bisimulation::minimise;
use lts::graph::Lts;
use machine::explicit::explicit_process;
use machine::{CompileOptions, Machine};
use process::term::TermId;
use process::values::{EventValues, ValueType};

use super::bisimilarity::matching;
use super::candidates::generating;
use super::events::{machine_events, visible};
use super::find::attempt::lifted;
use super::notation::cycles_text;
use super::proof_rule::ProofRule;
use super::refusal::Refusal;
use super::rules::Prover;
use super::start::Start;

/// The reason why a process is not symmetric.
#[derive(Clone, Debug)]
pub struct Asymmetry {
    /// The permutation of values that changes the process, in cycles.
    pub permutation: String,
    /// The change.
    pub why: Arc<Refusal>,
}

/// Returns a permutation of the `free` values of types that changes the process that `machine` was
/// compiled from, and the change; `None` if no permutation changes it. The process is compared up
/// to strong bisimilarity, from the initial state.
///
/// The rules are tried first. A permutation that they refuse is decided on the transition system as
/// a whole, so that the answer does not depend on how the process is written. Fails if the system
/// has more states than a leaf may have.
pub fn asymmetry(
    values: &mut dyn EventValues,
    (term, machine): (TermId, &Machine),
    free: &[(ValueType, Vec<usize>)],
    options: &CompileOptions,
) -> Result<Option<Asymmetry>> {
    let token = &values.cancellation().clone();
    let events = machine_events(machine, token)?;
    // All states of the machine, minimised; `None` until they are needed.
    let mut whole: Option<Lts> = None;
    // The permutations that leave a process as it is form a group: it is enough to try some that
    // generate all.
    let tried = free.iter().flat_map(|(ty, free)| {
        let generating = generating(ty.values.len(), free).into_iter();
        generating.map(move |images| (ty, images))
    });
    for (ty, images) in tried {
        let parts = [(ty.clone(), images.clone())];
        let why = match lifted(values, &parts, &events)? {
            Ok(sigma) => match Prover::new(values, options).prove(term, &sigma, term)? {
                Ok(_) => continue,
                Err(why) => why,
            },
            // The event without an image may be hidden, or never done.
            Err(why) => Arc::new(Refusal::of_machine(machine, ProofRule::Lifting, why)),
        };
        let whole = match &whole {
            Some(whole) => whole,
            None => {
                let states = explicit_process(machine, options.limits.listed, token)?;
                whole.insert(minimise(&states, token)?.lts)
            }
        };
        // Lifting is tried again with the events that the whole process does: an event that only a
        // part does, and that is hidden or blocked above, needs no image.
        let rows = whole.states().flat_map(|state| whole.row(state));
        let done = visible(rows.map(|&(event, _)| event).collect());
        let same = match lifted(values, &parts, &done)? {
            Ok(sigma) => matching(whole, &sigma, whole, Start::Fixed, token)?.is_some(),
            // An event that the process does would become something that is no event.
            Err(_) => false,
        };
        if !same {
            let permutation = cycles_text(&ty.values, &images);
            return Ok(Some(Asymmetry { permutation, why }));
        }
    }
    Ok(None)
}
