//! `P :[symmetric]: T`: does a process stay the same when the values of a type are renamed into each other?

use std::rc::Rc;

use crate::diag::Result;
use crate::eval::Evaluator;
use crate::eval::permute::{ClaimedType, ValueType};
use crate::lts::bisimulation::minimise;
use crate::lts::graph::Lts;
use crate::machine::explicit::explicit;
use crate::machine::{CompileOptions, Machine, compile};
use crate::process::event::EventId;
use crate::process::term::TermId;

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
    pub why: Rc<Refusal>,
}

/// What changes `term` when values of `types` that are not kept fixed are permuted, if something does: up to strong
/// bisimilarity, from the initial state. No types: all types of which values occur in it.
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
    let mut decision = Decision {
        events: machine_events(&machine).into_iter().collect(),
        whole: None,
        machine,
        term,
        options,
    };
    let occurring = evaluator.permutable_types(&decision.events)?;
    let all = || (0..occurring.len()).map(|at| (at, (0..occurring[at].values.len()).collect()));
    let chosen: Vec<(usize, Vec<usize>)> = if types.is_empty() {
        all().collect()
    } else {
        types.iter().flat_map(|ty| ty.select(&occurring)).collect()
    };
    for (at, free) in chosen {
        let ty = &occurring[at];
        for images in generating(ty.values.len(), &free) {
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
    ) -> Result<Option<Rc<Refusal>>> {
        let parts = [(ty.clone(), images.to_vec())];
        let sigma = match lifted(evaluator, &parts, &self.events)? {
            Ok(sigma) => sigma,
            Err(why) => {
                let refusal = Refusal::of_machine(&self.machine, Rule::Lifting, why);
                return Ok(Some(Rc::new(refusal)));
            }
        };
        let mut prover = Prover::new(evaluator, self.options);
        let Err(why) = prover.prove(self.term, &sigma, self.term)? else {
            return Ok(None);
        };
        let whole = match &self.whole {
            Some(whole) => whole,
            None => {
                let explicit = explicit(&self.machine, self.options.limits.states)?;
                self.whole.insert(minimise(&explicit).lts)
            }
        };
        let same = matching(whole, &sigma, whole, Start::Fixed).is_some();
        Ok((!same).then_some(why))
    }
}
