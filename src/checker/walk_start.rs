//! The start of a walk: a process, or the two sides of an assertion with its counterexample.

use base::diag::Result;
use eval::Evaluator;
use process::runs::rests_with;
use process::semantics::{Semantics, Step};
use process::term::{Definitions, TermId};
use report::assertion::{Counterexample, CounterexampleKind, TraceStep};
use syntax::ast::{DeclarationId, ModelName};
use syntax::print::expression_text;
use witness::replay::{ToldStep, not_reproduced, run_as_told};

use super::counterexample::sorted_names;
use super::options::Options;
use super::question::{kind_and_model, positive_text, question};
use super::script::Script;
use super::specification::SpecificationBeside;

/// The part of a script that is walked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct WalkedPart {
    /// The assertion about the process: of a process that is walked by itself, that it is
    /// divergence free.
    pub(super) id: DeclarationId,
    /// True if the process is walked by itself.
    pub(super) is_process: bool,
}

/// The process that is walked, and the specification beside it.
pub(super) struct WalkStart {
    /// The process.
    pub(super) process: TermId,
    /// The process as CSPm.
    pub(super) text: String,
    /// The assertion whose check is meant, as CSPm.
    pub(super) check: String,
    /// The assertion that it is walked for, as CSPm; absent if it is walked by itself.
    pub(super) assertion: Option<String>,
    /// The specification of a refinement.
    pub(super) specification: Option<SpecificationBeside>,
}

impl WalkStart {
    /// The start of `part`.
    pub(super) fn of(
        scope: &Script,
        evaluator: &mut Evaluator<'_>,
        part: WalkedPart,
        options: &Options,
    ) -> Result<Self> {
        scope.unless_mistaken(part.id)?;
        let ast = &scope.script.ast;
        let assertion = scope.assertion(part.id);
        let question = question(assertion, scope.span(part.id), options, &[])?;
        // Evaluated in the order in which a check evaluates them.
        let asked = question.asked.evaluated(question.tau_priority, evaluator)?;
        let process = question.implementation;
        let text = expression_text(ast, process);
        let process = evaluator.process_with_tau_priority(process, question.tau_priority)?;
        let (_, model) = kind_and_model(assertion, options);
        let model = model.map_or("", ModelName::name).into();
        let check = positive_text(ast, assertion, options);
        Ok(Self {
            process,
            text,
            assertion: (!part.is_process).then(|| check.clone()),
            check,
            specification: SpecificationBeside::of(ast, question.asked, &asked, model),
        })
    }
}

/// The run of `process` that `found` tells of, up to and with what is wrong if that is steps.
pub(super) fn run_of(
    definitions: &mut dyn Definitions,
    process: TermId,
    found: &Counterexample,
) -> Result<Vec<Step>> {
    let mut told: Vec<ToldStep<'_>> = found.trace_with_taus.iter().map(told_step).collect();
    let is_trace = found.kind == CounterexampleKind::Trace;
    if let Some(event) = found.event.as_deref().filter(|_| is_trace) {
        told.push(ToldStep {
            label: event,
            origin: None,
        });
    }
    let offers = found.offers.as_ref().filter(|_| !is_trace);
    let cycle = found.cycle.iter().flatten();
    let cycle: Vec<ToldStep<'_>> = cycle.map(told_step).collect();
    let mut around = None;
    let mut ends_well =
        |semantics: &mut Semantics, definitions: &mut dyn Definitions, term: TermId| {
            if !cycle.is_empty() {
                let start = semantics.head(definitions, term)?;
                let is_start =
                    &mut |semantics: &mut Semantics, definitions: &mut dyn Definitions, term| {
                        Ok(semantics.head(definitions, term)? == start)
                    };
                around = run_as_told(definitions, term, &cycle, is_start)?;
                return Ok(around.is_some());
            }
            let Some(offers) = offers else {
                return Ok(true);
            };
            let rest = rests_with(semantics, definitions, term)?;
            let events = &definitions.terms().events;
            Ok(rest.is_some_and(|rest| sorted_names(&rest, events) == *offers))
        };
    let run = run_as_told(definitions, process, &told, &mut ends_well)?;
    match run {
        Some(run) => Ok([run, around.unwrap_or_default()].concat()),
        None => not_reproduced("it cannot be walked").into(),
    }
}

/// The other run of `process` of a nondeterminism, if `found` tells of one.
pub(super) fn other_run_of(
    definitions: &mut dyn Definitions,
    process: TermId,
    found: &Counterexample,
) -> Result<Option<Vec<Step>>> {
    let Some(other) = &found.other_trace_with_taus else {
        return Ok(None);
    };
    let told: Vec<ToldStep<'_>> = other.iter().map(told_step).collect();
    match run_as_told(definitions, process, &told, &mut |_, _, _| Ok(true))? {
        Some(run) => Ok(Some(run)),
        None => not_reproduced("its other run cannot be walked").into(),
    }
}

fn told_step(step: &TraceStep) -> ToldStep<'_> {
    match step {
        TraceStep::Visible(event) => ToldStep {
            label: event,
            origin: None,
        },
        TraceStep::Internal => ToldStep {
            label: "τ",
            origin: Some("τ"),
        },
        TraceStep::Hidden(event) => ToldStep {
            label: "τ",
            origin: Some(event),
        },
    }
}
