//! One refinement from two expressions to a verdict with its counterexample.

use std::time::Instant;

use crate::diag::{Diagnostic, Result};
use crate::eval::Evaluator;
use crate::lts::explore::LeafLimits;
use crate::lts::normal_form::NormalForm;
use crate::machine::explicit::explicit;
use crate::machine::{CompileOptions, Machine, compile};
use crate::process::event::{EventId, EventTable, TAU};
use crate::process::term::{Definitions, Term, TermId};
use crate::refine::check::{
    CheckOptions, CheckResult, Control, Outcome, StopReason, check as plain_check, twisted_check,
};
use crate::report::assertion::{
    AssertionReport, Counterexample, CounterexampleKind, MachineReport, SpecificationReport, Step,
    Verdict,
};
use crate::symmetry::find::Subject;
use crate::symmetry::representative::Method;
use crate::syntax::ast::ExprId;
use crate::witness::explain;

use super::describe_symmetry::symmetry_report;
use super::progress::Snapshot;
use super::reduce::{Claims, Reduction, reduction};
use super::request::{Options, timeout_message};

/// A trace refinement that is to be decided.
pub(super) struct Refinement<'a> {
    pub(super) specification: Specification,
    pub(super) implementation: ExprId,
    /// Whether the assertion says that it does not hold.
    pub(super) negated: bool,
    /// Events over which τ and ✓ have priority, on both sides.
    pub(super) tau_priority: Option<ExprId>,
    /// What is said about its symmetries.
    pub(super) claims: Claims<'a>,
}

/// What the implementation is compared with.
#[derive(Clone, Copy)]
pub(super) enum Specification {
    /// A process.
    Process(ExprId),
    /// Everything but this sequence of events: not refined by the processes that have it as a trace.
    AllBut(ExprId),
}

/// Decides `question` and fills `report` in as far as it gets.
pub(super) fn decide(
    evaluator: &mut Evaluator<'_>,
    question: &Refinement<'_>,
    options: &Options,
    progress: &mut dyn FnMut(Snapshot),
    report: &mut AssertionReport,
) -> Result<()> {
    let started = Instant::now();
    let Some(check) = prepare(evaluator, question, options)? else {
        // Every process has the empty trace.
        report.verdict = verdict(false, question);
        return Ok(());
    };
    report.machine = Some(machine_report(&check.machine));
    report.specification = Some(SpecificationReport {
        states: check.normal_form.state_count() as u64,
    });
    report.seconds.compile = started.elapsed().as_secs_f64();

    let started = Instant::now();
    let reduction = reduction(
        evaluator,
        &check.subject(),
        &question.claims,
        options,
        false,
    )?;
    report.algorithm = Some(reduction.choice.algorithm.name());
    report.representative = reduction.choice.method.as_ref().map(Method::name);
    let missed = reduction
        .findings
        .detection
        .is_some_and(|found| !found.is_complete);
    if report.representative.is_some() || missed {
        report.symmetry = Some(symmetry_report(&reduction));
    }
    report.seconds.symmetry = started.elapsed().as_secs_f64();

    let started = Instant::now();
    let result = search(&check, &reduction, options, progress);
    report.seconds.explore = started.elapsed().as_secs_f64();
    let result = result?;
    report.states = Some(result.statistics.states);
    report.transitions = Some(result.statistics.transitions);
    report.levels = Some(result.statistics.levels);
    report.memory_bytes = Some(result.statistics.memory_bytes);
    if let Some(symmetry) = &mut report.symmetry {
        symmetry.extra_states = result.statistics.extra_states;
        symmetry.unique |= symmetry.extra_states == Some(0);
    }
    let holds = match &result.outcome {
        Outcome::Holds => true,
        Outcome::Violated(path) => {
            // Replayed on the terms themselves before anything is said.
            let witness = explain(evaluator, check.specification, check.implementation, path)?;
            report.seconds.explore = started.elapsed().as_secs_f64();
            match &check.asked {
                // Of a trace that was asked for there is nothing more to tell, but it has to be that one.
                Some(trace) => expect_run_of(trace, &witness)?,
                None => {
                    let events = &evaluator.terms().events;
                    report.counterexample = Some(counterexample(&witness, events));
                }
            }
            false
        }
        Outcome::Stopped(reason) => return stopped(*reason, result.statistics.states).into(),
    };
    report.verdict = verdict(holds, question);
    Ok(())
}

/// A question with everything compiled.
pub(super) struct Prepared {
    specification: TermId,
    implementation: TermId,
    pub(super) machine: Machine,
    pub(super) normal_form: NormalForm,
    options: CompileOptions,
    /// The trace that was asked for, if one was.
    asked: Option<Vec<EventId>>,
}

impl Prepared {
    /// What symmetries are looked for in.
    pub(super) fn subject(&self) -> Subject<'_> {
        Subject {
            term: self.implementation,
            machine: &self.machine,
            specification: &self.normal_form,
            options: &self.options,
        }
    }
}

/// Compiles both sides of `question`; nothing if it asks for the empty trace.
pub(super) fn prepare(
    evaluator: &mut Evaluator<'_>,
    question: &Refinement<'_>,
    options: &Options,
) -> Result<Option<Prepared>> {
    let options = compile_options(options);
    let (specification, asked) = match question.specification {
        Specification::Process(specification) => {
            let over = question.tau_priority;
            let term = evaluator.process_with_tau_priority(specification, over)?;
            (Some(term), None)
        }
        Specification::AllBut(trace) => (None, Some(evaluator.trace_of(trace)?)),
    };
    let implementation =
        evaluator.process_with_tau_priority(question.implementation, question.tau_priority)?;
    let machine = compile(evaluator, implementation, &options)?;
    let specification = match (specification, &asked) {
        (Some(specification), _) => specification,
        (None, Some(trace)) if !trace.is_empty() => all_but(evaluator, trace, &machine),
        _ => return Ok(None),
    };
    let normal_form = normal_form(evaluator, specification, &options)?;
    Ok(Some(Prepared {
        specification,
        implementation,
        machine,
        normal_form,
        options,
        asked,
    }))
}

fn search(
    check: &Prepared,
    reduction: &Reduction,
    options: &Options,
    progress: &mut dyn FnMut(Snapshot),
) -> Result<CheckResult> {
    let mut observer = |now: &crate::refine::check::Progress| {
        progress(Snapshot {
            levels: now.statistics.levels,
            states: now.statistics.states,
            transitions: now.statistics.transitions,
        });
        let late = options
            .limits
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline);
        if late {
            Control::Stop
        } else {
            Control::Continue
        }
    };
    let check_options = CheckOptions {
        max_states: options.limits.states,
    };
    let (specification, machine) = (&check.normal_form, &check.machine);
    let exact = reduction.choice.exact.as_ref();
    let exact = exact.filter(|_| options.counts_orbits);
    match &reduction.choice.method {
        None => plain_check(specification, machine, &check_options, &mut observer),
        Some(method) => twisted_check(
            specification,
            machine,
            method,
            exact,
            &check_options,
            &mut observer,
        ),
    }
}

/// What it means for the assertion whether the refinement holds.
fn verdict(holds: bool, question: &Refinement<'_>) -> Verdict {
    if holds != question.negated {
        Verdict::Pass
    } else {
        Verdict::Fail
    }
}

/// The run that was found must do exactly the events of `trace`.
fn expect_run_of(trace: &[EventId], witness: &crate::witness::Counterexample) -> Result<()> {
    let mut done = witness.trace();
    done.push(witness.violation.label);
    if done == trace {
        return Ok(());
    }
    Diagnostic::undecided(
        "internal-replay",
        "the run that was found is not the trace asked for",
    )
    .into()
}

/// A process with all traces over the events of `machine` that do not begin with `trace`, which is not empty.
fn all_but(evaluator: &mut Evaluator<'_>, trace: &[EventId], machine: &Machine) -> TermId {
    let results = machine.rules.iter().map(|rule| rule.result);
    let mut alphabet: Vec<EventId> = results.filter(|event| event.is_visible()).collect();
    alphabet.extend_from_slice(trace);
    alphabet.sort_unstable();
    alphabet.dedup();
    let terms = evaluator.terms_mut();
    let set = terms.events.intern_set(alphabet.clone());
    let (run, skip) = (terms.intern(Term::Run(set)), terms.skip());
    // Not a choice, which the first event would resolve: it may terminate at any time.
    let anything = terms.interrupt(run, skip);
    // From the last event backwards: what may follow the events before it.
    let mut rest = None;
    for &next in trace.iter().rev() {
        let follow = |event| if event == next { rest } else { Some(anything) };
        let branches = alphabet
            .iter()
            .filter_map(|&event| Some((event, follow(event)?)));
        let branches: Vec<(EventId, TermId)> = branches.collect();
        let offered = if branches.is_empty() {
            terms.stop()
        } else {
            terms.prefix(branches)
        };
        rest = Some(terms.external_choice(vec![offered, skip]));
    }
    rest.unwrap_or(anything)
}

/// The normal form of a specification. It is compiled into a machine like any other process, because
/// the states of a machine are found much faster than those of a term.
fn normal_form(
    evaluator: &mut Evaluator<'_>,
    specification: TermId,
    options: &CompileOptions,
) -> Result<NormalForm> {
    let machine = compile(evaluator, specification, options)?;
    let limit = options.limits.states;
    NormalForm::of(&explicit(&machine, limit)?, limit)
}

/// How processes are compiled.
pub(super) fn compile_options(options: &Options) -> CompileOptions {
    let states = usize::try_from(options.limits.leaf_states).unwrap_or(usize::MAX);
    CompileOptions {
        limits: LeafLimits { states },
        minimise: options.minimise,
    }
}

fn machine_report(machine: &Machine) -> MachineReport {
    MachineReport {
        leaves: machine.leaves.len() as u64,
        leaf_states: machine
            .leaves
            .iter()
            .map(|leaf| u64::from(leaf.state_count()))
            .collect(),
        rules: machine.rules.len() as u64,
    }
}

fn counterexample(witness: &crate::witness::Counterexample, events: &EventTable) -> Counterexample {
    let name = |event: EventId| events.name(event).to_string();
    let step = |label: EventId, origin: EventId| match (label, origin) {
        (TAU, TAU) => Step::Internal,
        (TAU, origin) => Step::Hidden(name(origin)),
        (label, _) => Step::Visible(name(label)),
    };
    Counterexample {
        kind: CounterexampleKind::Trace,
        trace: witness.trace().into_iter().map(name).collect(),
        event: Some(name(witness.violation.label)),
        trace_with_taus: witness
            .steps
            .iter()
            .map(|s| step(s.label, s.origin))
            .collect(),
    }
}

fn stopped(reason: StopReason, states: u64) -> Diagnostic {
    match reason {
        StopReason::StateLimit => Diagnostic::undecided(
            "state-limit",
            format!("more states than --max-states allows; {states} were visited"),
        )
        .hint("allow more states, or check a smaller instance with -D"),
        StopReason::Numbers => Diagnostic::undecided(
            "state-limit",
            format!("more states than can be numbered; {states} were visited"),
        )
        .hint("check a smaller instance with -D"),
        StopReason::Observer => timeout_message(),
    }
}
