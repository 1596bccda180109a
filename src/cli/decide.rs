//! One question from expressions to a verdict with its counterexample.

use std::time::Instant;

use crate::base::number::thousands;
use crate::diag::{Diagnostic, Result};
use crate::eval::Evaluator;
use crate::lts::explore::LeafLimits;
use crate::lts::model::Model;
use crate::lts::normal_form::NormalForm;
use crate::lts::tau::divergent_states;
use crate::machine::explicit::explicit_while;
use crate::machine::leaf::Behaviour;
use crate::machine::tree::Operator;
use crate::machine::{CompileOptions, Machine, compile};
use crate::process::event::{EventId, EventTable};
use crate::process::term::{Definitions, TermId};
use crate::process::work::{Pace, Phase};
use crate::refine::check::{
    CheckOptions, CheckResult, Control, Outcome, Progress, Statistics, StopReason,
    check as plain_check, twisted_check,
};
use crate::refine::prefix::{Prefix, longest_prefix};
use crate::report::assertion::{AssertionReport, MachineReport, SpecificationReport, Verdict};
use crate::report::violation::trace_ends;
use crate::symmetry::find::Subject;
use crate::symmetry::representative::Method;
use crate::witness::{Claim, explain};

use super::counterexample::{counterexample, sorted_names};
use super::describe_symmetry::symmetry_report;
use super::determinism::decide_determinism;
use super::limits::Limit;
use super::observations::decide_observations;
use super::question::{Asked, Question};
use super::reduce::{Reduction, reduction};
use super::request::Options;
use super::work::count;

/// Decides `question` and fills `report` in as far as it gets.
pub(super) fn decide(
    evaluator: &mut Evaluator<'_>,
    question: &Question<'_>,
    options: &Options,
    report: &mut AssertionReport,
) -> Result<()> {
    report.remarks.extend(question.remark.map(str::to_string));
    let holds = match question.asked {
        Asked::RefinesObserved(specification, model) => {
            let asked = (specification, model);
            decide_observations(evaluator, question, asked, options, report)?
        }
        Asked::Deterministic(model) => {
            decide_determinism(evaluator, question, model, options, report)?
        }
        _ => answer(evaluator, question, options, report)?,
    };
    report.verdict = if holds != question.negated {
        Verdict::Pass
    } else {
        Verdict::Fail
    };
    Ok(())
}

/// Whether it is as `question` asks, by a search.
fn answer(
    evaluator: &mut Evaluator<'_>,
    question: &Question<'_>,
    options: &Options,
    report: &mut AssertionReport,
) -> Result<bool> {
    let started = Instant::now();
    let monitor = &options.limits.monitor;
    let Some(check) = prepare(evaluator, question, options, Some(report))? else {
        // Every process has the empty trace.
        return Ok(true);
    };
    report.specification = Some(SpecificationReport {
        states: check.normal_form.state_count() as u64,
    });
    report.seconds.compile = started.elapsed().as_secs_f64();
    monitor.publish(report);

    let started = Instant::now();
    let claims = &question.claims;
    let reduction = reduction(evaluator, &check.subject(), claims, options, false)?;
    report.remarks.extend(reduction.remark.map(str::to_string));
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
    monitor.publish(report);

    let started = Instant::now();
    let result = search(&check, &reduction, options, report);
    report.seconds.explore = started.elapsed().as_secs_f64();
    let result = result?;
    count(result.statistics, report);
    report.remarks.extend(resumed(result.statistics));
    if let Some(symmetry) = &mut report.symmetry {
        symmetry.extra_states = result.statistics.extra_states;
        symmetry.unique |= symmetry.extra_states == Some(0);
    }
    let path = match result.outcome {
        Outcome::Holds => None,
        Outcome::Violated(path) => Some(path),
        Outcome::Stopped(reason) => return stopped(reason, result.statistics, options).into(),
    };
    if let (None, Asked::DeadlockFree(Model::Failures)) = (&path, question.asked) {
        let mut proceed = || evaluator.proceed();
        let diverges = is_known_to_diverge(&check.machine, &mut Pace::new(&mut proceed));
        // The verdict is there: if the time ends here, this alone stays unknown.
        if diverges.is_ok_and(|diverges| diverges) {
            report.remarks.push(DIVERGES.to_string());
        }
    }
    if let Some(path) = &path {
        // Replayed on the terms themselves before anything is said.
        evaluator.enter(Phase::Replay, "");
        let process = check.implementation;
        let witness = explain(
            evaluator,
            check.claim(),
            process,
            path,
            check.machine.taus(),
            &check.options,
        )?;
        report.seconds.explore = started.elapsed().as_secs_f64();
        // Of a trace that was asked for there is nothing more to tell.
        if check.trace.is_none() {
            let explained = options.explains;
            let found = counterexample(evaluator, process, &witness, explained)?;
            report.counterexample = Some(found);
        }
    }
    if let Some(trace) = &check.trace {
        // A process that diverges has every longer trace, whether it ever does its events or not.
        if path.is_none() {
            let unknown = never_done(trace, &check.machine, &evaluator.terms().events);
            report.remarks.extend(unknown);
            let proceed = &mut || evaluator.proceed();
            let found = longest_prefix(&check.machine, trace, MOST_FOLLOWED, proceed)?;
            let events = &evaluator.terms().events;
            report.message = found.and_then(|found| how_far(&found, trace, events));
        }
        return Ok(path.is_some());
    }
    Ok(path.is_none())
}

/// A question with everything compiled.
pub(super) struct Prepared {
    asked: Asked,
    /// The process that is to be refined, if there is one.
    specification: Option<TermId>,
    implementation: TermId,
    pub(super) machine: Machine,
    pub(super) normal_form: NormalForm,
    options: CompileOptions,
    /// The trace that was asked for, if one was.
    trace: Option<Vec<EventId>>,
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

    /// What a counterexample has to refute.
    fn claim(&self) -> Claim<'_> {
        match (self.specification, &self.trace, self.asked) {
            (Some(specification), _, _) => Claim::Refines(specification, self.normal_form.model()),
            (None, Some(trace), _) => Claim::Lacks(trace),
            (None, None, Asked::DivergenceFree) => Claim::DivergenceFree,
            (None, None, _) => Claim::DeadlockFree,
        }
    }
}

/// Compiles both sides of `question`, and puts into `report` what is known of that in between; nothing if it asks for the empty
/// trace.
pub(super) fn prepare(
    evaluator: &mut Evaluator<'_>,
    question: &Question<'_>,
    options: &Options,
    report: Option<&mut AssertionReport>,
) -> Result<Option<Prepared>> {
    let monitor = &options.limits.monitor;
    let options = compile_options(options);
    let specification = match question.asked {
        Asked::Refines(specification, _) => {
            Some(evaluator.process_with_tau_priority(specification, question.tau_priority)?)
        }
        _ => None,
    };
    let trace = match question.asked {
        Asked::HasTrace(trace, _) => Some(evaluator.trace_of(trace)?),
        _ => None,
    };
    let implementation =
        evaluator.process_with_tau_priority(question.implementation, question.tau_priority)?;
    let machine = compile(evaluator, implementation, &options)?;
    if let Some(report) = report {
        report.machine = Some(machine_report(&machine));
        monitor.publish(report);
    }
    let mut events = visible_results(&machine);
    let normal_form = match (question.asked, specification, &trace) {
        (Asked::Refines(_, model), Some(specification), _) => {
            normal_form(evaluator, specification, model, &options)?
        }
        (Asked::HasTrace(_, model), _, Some(trace)) if !trace.is_empty() => {
            events.extend_from_slice(trace);
            events.sort_unstable();
            events.dedup();
            NormalForm::all_but(trace, &events, model)
        }
        (Asked::DeadlockFree(model), ..) => {
            NormalForm::deadlock_free(&events, model, evaluator.terms().termination())
        }
        (Asked::DivergenceFree, ..) => NormalForm::divergence_free(&events),
        _ => return Ok(None),
    };
    Ok(Some(Prepared {
        asked: question.asked,
        specification,
        implementation,
        machine,
        normal_form,
        options,
        trace,
    }))
}

/// The visible events that `machine` may do, ascending.
pub(super) fn visible_results(machine: &Machine) -> Vec<EventId> {
    let results = machine.rules.iter().map(|rule| rule.result);
    let mut events: Vec<EventId> = results.filter(|event| event.is_visible()).collect();
    events.sort_unstable();
    events.dedup();
    events
}

/// What to say of a trace with an event that `machine` never does: most likely a slip.
fn never_done(trace: &[EventId], machine: &Machine, events: &EventTable) -> Option<String> {
    let possible = visible_results(machine);
    let event = trace
        .iter()
        .find(|event| possible.binary_search(event).is_err())?;
    Some(format!("the process never does {}", events.name(*event)))
}

/// Of more states than this it is not said how far a process can do a trace: symmetry does not help to follow it.
const MOST_FOLLOWED: usize = 1_000_000;

/// How far a process can do `trace`, which it cannot do to its end, and what it can do then instead.
fn how_far(found: &Prefix, trace: &[EventId], events: &EventTable) -> Option<String> {
    let names = trace.iter().map(|&event| events.name(event).to_string());
    let names: Vec<String> = names.collect();
    let missing = names.get(found.length)?;
    Some(trace_ends(
        &names[..found.length],
        missing,
        &sorted_names(&found.next, events),
    ))
}

fn search(
    check: &Prepared,
    reduction: &Reduction,
    options: &Options,
    report: &AssertionReport,
) -> Result<CheckResult> {
    let mut observer = watching(options);
    let folder = options.spill.as_ref();
    let check_options = CheckOptions {
        max_states: options.limits.states,
        threads: options.threads.clone(),
        spill: folder.map(|folder| folder.search(check, reduction, options, report)),
    };
    let (specification, machine) = (&check.normal_form, &check.machine);
    let exact = reduction.choice.exact.as_ref();
    let exact = exact.filter(|_| options.has_statistics);
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

/// Said of deadlock freedom in a model that does not see divergence.
const DIVERGES: &str =
    "the process can diverge, which `:[deadlock free [F]]` does not see: `[FD]` does not hold";

/// Whether the process can diverge, as far as that is known without a search: of a process that is one component.
fn is_known_to_diverge(machine: &Machine, pace: &mut Pace<'_>) -> Result<bool> {
    let Operator::Leaf(leaf) = machine.nodes[machine.root()].operator else {
        return Ok(false);
    };
    let Behaviour::Process(graph) = &machine.leaves[leaf].behaviour else {
        return Ok(false);
    };
    Ok(divergent_states(&graph.lts, pace)?.contains(&true))
}

/// Where a search went on that was stopped before, if it was to.
fn resumed(statistics: Statistics) -> Option<String> {
    Some(match statistics.spilled?.resumed? {
        0 => "nothing of this search was on disk: it began anew".to_string(),
        level if level > statistics.levels => "the whole search was on disk".to_string(),
        level => format!("the search went on from level {}", thousands(level)),
    })
}

/// Notes how far a search is, and stops it when a limit is reached; before, one on disk is told to hold less.
pub(super) fn watching(options: &Options) -> impl FnMut(&Progress) -> Control + use<> {
    let monitor = options.limits.monitor.clone();
    let mut told = 0;
    move |now| {
        monitor.search(now);
        let has_spare = now.spare > 0 && monitor.reached().is_none();
        if has_spare && monitor.is_short(&mut told) {
            return Control::Less;
        }
        match monitor.reached_with(now.growth) {
            Some(_) => Control::Stop,
            None => Control::Continue,
        }
    }
}

/// The normal form of a specification. It is compiled into a machine like any other process, because
/// the states of a machine are found much faster than those of a term.
fn normal_form(
    evaluator: &mut Evaluator<'_>,
    specification: TermId,
    model: Model,
    options: &CompileOptions,
) -> Result<NormalForm> {
    let machine = compile(evaluator, specification, options)?;
    let limit = options.limits.states;
    let name = &machine.nodes[machine.root()].expression;
    evaluator.enter(Phase::Listing, name);
    let listed = explicit_while(&machine, limit, &mut || evaluator.proceed())?;
    evaluator.enter(Phase::NormalForm, name);
    let mut proceed = || evaluator.proceed();
    NormalForm::of_while(&listed, model, limit, &mut proceed)
}

/// How processes are compiled.
pub(super) fn compile_options(options: &Options) -> CompileOptions {
    let states = usize::try_from(options.limits.leaf_states).unwrap_or(usize::MAX);
    CompileOptions {
        limits: LeafLimits { states },
        minimise: options.minimise,
        threads: options.threads.clone(),
    }
}

pub(super) fn machine_report(machine: &Machine) -> MachineReport {
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

/// What to say of a search that ended early for this `reason`.
pub(super) fn stopped(reason: StopReason, statistics: Statistics, options: &Options) -> Diagnostic {
    let monitor = &options.limits.monitor;
    monitor.work().ended(statistics);
    let mut problem = monitor.problem(match reason {
        StopReason::StateLimit => Limit::States,
        StopReason::Numbers => Limit::Numbers,
        StopReason::Observer => monitor.reached().unwrap_or(Limit::Signal),
    });
    if let Some(folder) = &options.spill {
        problem.hint = Some(folder.hint(reason));
    }
    problem
}
