//! The path of a search with symmetries beside the run that it stands for.

use std::collections::HashMap;

use base::diag::{Diagnostic, Result};
use base::source::Span;
use machine::Machine;
use process::event::EventTable;
use process::term::Definitions;
use refine::check::{CheckOptions, Outcome};
use refine::path::{Path, PathStep, Violation};
use refine::twisted_path::{PairStates, TwistedPair, TwistedPath};
use report::twisted::{
    PairReport, TwistedPairReport, TwistedReport, TwistedStepReport, WrongStepReport,
};
use symmetry::naming::SymmetryNames;
use symmetry::pbisim::Symmetry;

use super::claim_verdict::ClaimVerdict;
use super::compiled::{Against, Compiled, compile};
use super::counterexample::seen;
use super::decision::Decision;
use super::error::Error;
use super::leaf_states::{LeafStates, leaf_names};
use super::options::Options;
use super::portfolio::beside::BesideSearch;
use super::product;
use super::question::Question;
use super::reduce::reduce;
use super::reduction::Reduction;
use super::script::Script;
use super::task::Task;

impl Script {
    /// The counterexample of the assertion at `index` as a search with symmetries meets it, beside
    /// the run that it stands for. Fails if there is none, or if the search uses no symmetries.
    pub fn twisted(
        &self,
        index: usize,
        options: &Options,
        task: &Task,
    ) -> std::result::Result<TwistedReport, Error> {
        self.ask(|scope| {
            let permutations = scope.permutations(options)?;
            let id = scope.assertions[index];
            scope.ask_of_check(id, &permutations, options, task, |run, question| {
                twisted(run, question, scope.span(id))
            })
        })
    }
}

/// The counterexample of `question`, whose assertion stands at `span`, as a search with symmetries
/// meets it. There is no trial without symmetries before, as a check may have.
fn twisted(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
    span: Span,
) -> Result<TwistedReport> {
    run.parts.options.chases_are_leaves = true;
    let Some(mut compiled) = compile(run, question)? else {
        let message = "nothing is twisted: every process has the empty trace";
        return none(message, span).into();
    };
    // A dive has no representatives.
    compiled.dives = false;
    let Against::NormalForm(_, claim) = &compiled.against else {
        let message =
            "nothing is twisted: a search for determinism keeps no path of representatives";
        return none(message, span).into();
    };
    let reduction = reduce(run, &compiled, &question.claims)?;
    let Some(method) = &reduction.choice.method else {
        let message = "nothing is twisted: this assertion is decided without symmetries";
        return none(message, span)
            .hint("`cspsym symmetry` says which there are, and what breaks the others")
            .into();
    };
    let representative = method.name();
    let wanted = CheckOptions {
        keeps_twists: true,
        ..run.check_options()
    };
    let beside = &mut BesideSearch::of(&compiled);
    let result = product::result(run, (&compiled, beside), &reduction, wanted)?;
    let path = path_of(&result.outcome);
    // This says why a search ended early, and believes a path only when it is replayed.
    let found = product::answered(run, &compiled, claim, result)?;
    let (Some(path), ClaimVerdict::Fails(Some(counterexample))) = (path, found) else {
        let message =
            "nothing is twisted: the search found no run that the specification does not allow";
        return none(message, span).into();
    };
    let Some(twisted) = &path.twisted else {
        return none("nothing is twisted: the search kept no path", span).into();
    };
    let mut writer = PairWriter::new(run, &compiled, &reduction)?;
    let (start, steps) = writer.track(run, &path.steps, twisted)?;
    let wrong = wrong_step(twisted, &path, &run.evaluator.terms().events);
    Ok(TwistedReport {
        file: run.report.file.clone(),
        assertion: run.report.assertion.clone().unwrap_or_default(),
        algorithm: reduction.choice.algorithm.name(),
        representative,
        order: reduction.group.order().to_string(),
        components: leaf_names(&compiled.machine),
        counterexample: run.report.in_words(*counterexample),
        start,
        steps,
        wrong,
    })
}

/// The path to a violation, if one was found.
fn path_of(outcome: &Outcome) -> Option<Path> {
    match outcome {
        Outcome::Violated(path) => Some(path.clone()),
        Outcome::Holds | Outcome::Stopped(_) => None,
    }
}

/// The step that is not allowed, as the search met it and as it is.
fn wrong_step(twisted: &TwistedPath, path: &Path, events: &EventTable) -> Option<WrongStepReport> {
    match (twisted.wrong, &path.violation) {
        (Some(met), Violation::Event(real) | Violation::Revival(_, real)) => {
            Some(WrongStepReport {
                met: text(met, events),
                real: text(*real, events),
            })
        }
        _ => None,
    }
}

/// The message for an assertion without a twisted path.
fn none(message: &str, span: Span) -> Diagnostic {
    Diagnostic::undecided("no-twists", message.to_string()).at(span, "")
}

/// The text of a step as walks write it: `a`, `τ`, `τ (a)`.
fn text(step: PathStep, events: &EventTable) -> String {
    seen(step.label, step.origin, events).text()
}

/// Writes pairs and symmetries as text.
struct PairWriter<'m> {
    machine: &'m Machine,
    leaves: Vec<LeafStates>,
    names: SymmetryNames,
    /// Texts that were needed before: a path meets few symmetries and few states of a leaf.
    named: HashMap<Symmetry, String>,
    texts: HashMap<(usize, u32), String>,
}

impl<'m> PairWriter<'m> {
    /// A writer that names symmetries as the description of `reduction` does. Lists the leaves
    /// again.
    fn new(
        run: &mut Decision<'_, '_>,
        compiled: &'m Compiled,
        reduction: &Reduction,
    ) -> Result<Self> {
        let machine = &*compiled.machine;
        let leaves = machine.leaves.indices();
        let leaves = leaves.map(|leaf| LeafStates::of(run.evaluator, machine, leaf));
        let known = reduction.findings.generators.iter();
        Ok(Self {
            machine,
            leaves: leaves.collect::<Result<_>>()?,
            names: SymmetryNames::new(run.evaluator, machine, compiled.form())?,
            named: known
                .map(|known| (known.symmetry.clone(), known.name.clone()))
                .collect(),
            texts: HashMap::new(),
        })
    }

    /// Both tracks: where they begin, and their steps, of which the run has `real`.
    fn track(
        &mut self,
        run: &mut Decision<'_, '_>,
        real: &[PathStep],
        twisted: &TwistedPath,
    ) -> Result<(TwistedPairReport, Vec<TwistedStepReport>)> {
        let start = self.pair(run, &twisted.start)?;
        let mut steps = Vec::with_capacity(real.len());
        for (step, &real) in twisted.steps.iter().zip(real) {
            let pair = self.pair(run, &step.pair)?;
            let events = &run.evaluator.terms().events;
            steps.push(TwistedStepReport {
                met: text(step.met, events),
                real: text(real, events),
                pair,
            });
        }
        Ok((start, steps))
    }

    fn pair(
        &mut self,
        run: &mut Decision<'_, '_>,
        pair: &TwistedPair,
    ) -> Result<TwistedPairReport> {
        Ok(TwistedPairReport {
            twist: self.name(run, &pair.twist)?,
            undo: self.name(run, &pair.undo)?,
            stored: self.states(run, &pair.stored)?,
            real: self.states(run, &pair.real)?,
        })
    }

    fn name(&mut self, run: &mut Decision<'_, '_>, symmetry: &Symmetry) -> Result<String> {
        if let Some(name) = self.named.get(symmetry) {
            return Ok(name.clone());
        }
        let name = self.names.name(run.evaluator, self.machine, symmetry)?;
        self.named.insert(symmetry.clone(), name.clone());
        Ok(name)
    }

    fn states(&mut self, run: &mut Decision<'_, '_>, pair: &PairStates) -> Result<PairReport> {
        let mut components = Vec::with_capacity(pair.leaves.len());
        for (leaf, &state) in pair.leaves.iter().enumerate() {
            let text = match self.texts.get(&(leaf, state)) {
                Some(text) => text.clone(),
                None => self.leaves[leaf].short_text(run.evaluator, state)?,
            };
            self.texts.insert((leaf, state), text.clone());
            components.push(text);
        }
        Ok(PairReport {
            components,
            specification: pair.specification.0,
        })
    }
}
