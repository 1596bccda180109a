//! `P :[symmetric]: T`, the assertion that a process stays the same when the values of a type are
//! renamed into each other.

use std::sync::Arc;

use base::diag::Result;
use lts::graph::Lts;
use machine::{CompileOptions, Machine};
use process::term::TermId;
use process::values::{EventValues, PermutedType, ValueType};

use super::bisimilarity::matching;
use super::candidates::generating;
use super::events::{machine_events, visible};
use super::find::attempt::lifted;
use super::notation::cycles_text;
use super::permutation::EventPermutation;
use super::proof_rule::ProofRule;
use super::refusal::Refusal;
use super::rules::Prover;
use super::start::Start;

/// A permutation of values that the rules do not show to leave a process as it is.
#[derive(Clone, Debug)]
pub struct UnprovedPermutation {
    /// The permutation, in cycles.
    pub text: String,
    /// The reason why no rule shows it.
    pub why: Arc<Refusal>,
    parts: [PermutedType; 1],
}

/// The permutations of the `free` values of types that generate all, without those that the rules
/// show to leave the process that `machine` was compiled from as it is, up to strong bisimilarity
/// from the initial state.
pub fn unproved(
    values: &mut dyn EventValues,
    (term, machine): (TermId, &Machine),
    free: &[(ValueType, Vec<usize>)],
    options: &CompileOptions,
) -> Result<Vec<UnprovedPermutation>> {
    let token = &values.cancellation().clone();
    let events = machine_events(machine, token)?;
    // The permutations that leave a process as it is form a group: it is enough to try some that
    // generate all.
    let tried = free.iter().flat_map(|(ty, free)| {
        let generating = generating(ty.values.len(), free).into_iter();
        generating.map(move |images| (ty, images))
    });
    let mut unproved = Vec::new();
    for (ty, images) in tried {
        let text = cycles_text(&ty.values, &images);
        let parts = [(ty.clone(), images)];
        let why = match lifted(values, &parts, &events)? {
            Ok(sigma) => match Prover::new(values, options).prove(term, &sigma, term)? {
                Ok(_) => continue,
                Err(why) => why,
            },
            // The event without an image may be hidden, or never done.
            Err(why) => Arc::new(Refusal::of_machine(machine, ProofRule::Lifting, why)),
        };
        unproved.push(UnprovedPermutation { text, why, parts });
    }
    Ok(unproved)
}

impl UnprovedPermutation {
    /// This permutation as one of the events of `system`; `None` if one of these would become
    /// something that is no event.
    pub fn lifted(
        &self,
        values: &mut dyn EventValues,
        system: &Lts,
    ) -> Result<Option<EventPermutation>> {
        // An event that only a part of the process does, and that is hidden or blocked above, is
        // none of the whole, and needs no image.
        let rows = system.states().flat_map(|state| system.row(state));
        let done = visible(rows.map(|&(event, _)| event).collect());
        Ok(lifted(values, &self.parts, &done)?.ok())
    }
}

/// True if `sigma` takes `system` to one that is bisimilar to it, from the initial states.
pub fn keeps(values: &dyn EventValues, sigma: &EventPermutation, system: &Lts) -> Result<bool> {
    let token = values.cancellation();
    Ok(matching(system, sigma, system, Start::Fixed, token)?.is_some())
}
