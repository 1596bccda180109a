//! `P :[symmetric]: T`: does a process stay the same when the values of a type are renamed into each other?

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::diag::Result;
use crate::eval::Evaluator;
use crate::eval::permute::{ClaimedType, ValueType};
use crate::lts::bisimulation::minimise_while;
use crate::lts::graph::Lts;
use crate::machine::explicit::explicit_while;
use crate::machine::{CompileOptions, Machine, compile};
use crate::process::event::EventId;
use crate::process::term::{Definitions, TermId};
use crate::process::work::Pace;

use super::Start;
use super::bisimilarity::matching;
use super::candidates::generating;
use super::find::{lifted, machine_events, text_of};
use super::notation::cycles_text;
use super::refusal::Refusal;
use super::rules::{Prover, Rule};

/// Why a process is not symmetric.
#[derive(Clone, Debug)]
pub struct Asymmetry {
    /// The permutation of values that changes it, in cycles.
    pub permutation: String,
    /// What it changes.
    pub why: Arc<Refusal>,
}

/// What changes `term` when values of `types` that are not kept fixed are permuted, if something does: up to strong
/// bisimilarity, from the initial state. No types: all types of which two values or more occur in it, and these values.
///
/// The rules are tried first. What they refuse is decided on the transition system as a whole, so that the answer
/// does not depend on how the process is written; that fails if it has more states than a leaf may have.
pub fn asymmetry(
    evaluator: &mut Evaluator<'_>,
    term: TermId,
    types: &[ClaimedType],
    options: &CompileOptions,
) -> Result<Option<Asymmetry>> {
    let machine = compile(evaluator, term, options)?;
    let mut proceed = || evaluator.proceed();
    let events = machine_events(&machine, &mut Pace::new(&mut proceed))?;
    let mut decision = Decision {
        events: events.into_iter().collect(),
        whole: None,
        machine,
        term,
        options,
    };
    let mut chosen: Vec<(ValueType, Vec<usize>)> = Vec::new();
    for claim in types {
        chosen.extend(evaluator.claimed_whole(claim, &decision.events)?);
    }
    if types.is_empty() {
        for ty in evaluator.permutable_types(&decision.events)? {
            let free = (0..ty.values.len()).collect();
            chosen.push((ty, free));
        }
    }
    for (ty, free) in &chosen {
        for images in generating(ty.values.len(), free) {
            if let Some(why) = decision.broken_by(evaluator, ty, &images)? {
                let permutation = cycles_text(&text_of(evaluator, ty), &images);
                return Ok(Some(Asymmetry { permutation, why }));
            }
        }
    }
    Ok(None)
}

struct Decision<'a> {
    term: TermId,
    machine: Machine,
    events: Vec<EventId>,
    options: &'a CompileOptions,
    /// All states of the machine, minimised, once it was needed.
    whole: Option<Lts>,
}

impl Decision<'_> {
    fn broken_by(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        ty: &ValueType,
        images: &[usize],
    ) -> Result<Option<Arc<Refusal>>> {
        let parts = [(ty.clone(), images.to_vec())];
        let why = match lifted(evaluator, &parts, &self.events)? {
            Ok(sigma) => {
                let mut prover = Prover::new(evaluator, self.options);
                match prover.prove(self.term, &sigma, self.term)? {
                    Ok(_) => return Ok(None),
                    Err(why) => why,
                }
            }
            // Perhaps the event is hidden, or never done.
            Err(why) => Arc::new(Refusal::of_machine(&self.machine, Rule::Lifting, why)),
        };
        let whole = match &self.whole {
            Some(whole) => whole,
            None => {
                let limit = self.options.limits.states;
                let explicit = explicit_while(&self.machine, limit, &mut || evaluator.proceed())?;
                let mut proceed = || evaluator.proceed();
                let minimised = minimise_while(&explicit, &mut Pace::new(&mut proceed))?;
                self.whole.insert(minimised.lts)
            }
        };
        let done: BTreeSet<EventId> = whole
            .states()
            .flat_map(|state| whole.row(state).iter().map(|&(event, _)| event))
            .filter(|event| event.is_visible())
            .collect();
        let done: Vec<EventId> = done.into_iter().collect();
        let same = match lifted(evaluator, &parts, &done)? {
            Ok(sigma) => {
                let mut proceed = || evaluator.proceed();
                let pace = &mut Pace::new(&mut proceed);
                matching(whole, &sigma, whole, Start::Fixed, pace)?.is_some()
            }
            Err(_) => false,
        };
        Ok((!same).then_some(why))
    }
}
