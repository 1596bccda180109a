//! `P :[symmetric]: T`: does a process stay the same when the values of a type are renamed into
//! each other?

use std::collections::BTreeSet;
use std::sync::Arc;

use base::diag::Result;
use lts::bisimulation::minimise;
use lts::graph::Lts;
use machine::explicit::explicit_process;
use machine::{CompileOptions, Machine};
use process::event::EventId;
use process::term::TermId;
use process::values::{EventValues, ValueType};

use super::Start;
use super::bisimilarity::matching;
use super::candidates::generating;
use super::events::machine_events;
use super::find::attempt::lifted;
use super::notation::cycles_text;
use super::refusal::Refusal;
use super::rules::{ProofRule, Prover};

/// Why a process is not symmetric.
#[derive(Clone, Debug)]
pub struct Asymmetry {
    /// The permutation of values that changes it, in cycles.
    pub permutation: String,
    /// What it changes.
    pub why: Arc<Refusal>,
}

/// What changes the process that `machine` was compiled from when the `free` values of types are
/// permuted, if something does: up to strong bisimilarity, from the initial state.
///
/// The rules are tried first. What they refuse is decided on the transition system as a whole, so
/// that the answer does not depend on how the process is written; that fails if it has more states
/// than a leaf may have.
pub fn asymmetry(
    values: &mut dyn EventValues,
    (term, machine): (TermId, &Machine),
    free: &[(ValueType, Vec<usize>)],
    options: &CompileOptions,
) -> Result<Option<Asymmetry>> {
    let token = &values.cancellation().clone();
    let mut decision = AssertionSymmetry {
        events: machine_events(machine, token)?,
        whole: None,
        machine,
        term,
        options,
    };
    for (ty, free) in free {
        // What leaves a process as it is forms a group: permutations that generate all are enough.
        for images in generating(ty.values.len(), free) {
            if let Some(why) = decision.broken_by(values, ty, &images)? {
                let permutation = cycles_text(&ty.values, &images);
                return Ok(Some(Asymmetry { permutation, why }));
            }
        }
    }
    Ok(None)
}

struct AssertionSymmetry<'a> {
    term: TermId,
    machine: &'a Machine,
    events: Vec<EventId>,
    options: &'a CompileOptions,
    /// All states of the machine, minimised, once it was needed.
    whole: Option<Lts>,
}

impl AssertionSymmetry<'_> {
    fn broken_by(
        &mut self,
        values: &mut dyn EventValues,
        ty: &ValueType,
        images: &[usize],
    ) -> Result<Option<Arc<Refusal>>> {
        let parts = [(ty.clone(), images.to_vec())];
        let why = match lifted(values, &parts, &self.events)? {
            Ok(sigma) => {
                let mut prover = Prover::new(values, self.options);
                match prover.prove(self.term, &sigma, self.term)? {
                    Ok(_) => return Ok(None),
                    Err(why) => why,
                }
            }
            // Perhaps the event is hidden, or never done.
            Err(why) => Arc::new(Refusal::of_machine(self.machine, ProofRule::Lifting, why)),
        };
        let token = &values.cancellation().clone();
        let whole = match &self.whole {
            Some(whole) => whole,
            None => {
                let states = explicit_process(self.machine, self.options.limits.listed, token)?;
                self.whole.insert(minimise(&states, token)?.lts)
            }
        };
        // Lifting is tried again with the events that the whole process does: an event that only a
        // part does, and that is hidden or blocked above, needs no image.
        let done: BTreeSet<EventId> = whole
            .states()
            .flat_map(|state| whole.row(state).iter().map(|&(event, _)| event))
            .filter(|event| event.is_visible())
            .collect();
        let done: Vec<EventId> = done.into_iter().collect();
        let same = match lifted(values, &parts, &done)? {
            Ok(sigma) => matching(whole, &sigma, whole, Start::Fixed, token)?.is_some(),
            // An event that is done would become something that is no event.
            Err(_) => false,
        };
        Ok((!same).then_some(why))
    }
}
