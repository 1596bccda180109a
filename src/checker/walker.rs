//! Walking a process of a script: steps by their names, and what is seen where they lead.

use base::diag::{Diagnostic, Result as Diagnosed};
use base::index::TypedIndex;
use base::natural::natural_order;
use base::number::counted;
use base::suggest::nearest;
use eval::Evaluator;
use explore::allowed::Allowed;
use explore::walk::{ComponentNow, ProcessWalk, TakenStep, WalkChoice};
use explore::why::{Ability, Party, Possibility, meet_all_events};
use lts::reach::ReachedWay;
use process::event::{EventId, EventTable, TAU};
use process::term::Definitions;
use report::components::{ComponentWait, CycleMember};
use report::message::PlaceReport;
use report::walk::{
    ChoiceReport, ComponentView, PartyAbility, PartyReport, SavedWalk, SpecificationNow,
    WalkReport, WalkToCounterexample, WayReport, WhyReport, is_name_of, step_name,
};
use witness::WitnessStep;

use super::additions::{self, WrittenPermutation};
use super::asking::placed;
use super::counterexample::{named, sorted_names, sorted_sets, unique_names};
use super::error::Error;
use super::options::{Definition, Options};
use super::representatives::RepresentativeTrack;
use super::script::Script;
use super::specification::allowed_next;
use super::task::Task;
use super::walk_parts::{operator_views, part_reports, start_chased, step_reports};
use super::walk_start::{WalkStart, WalkedPart};
use super::walk_symmetry::{WalkSymmetry, fault};

/// The subject of a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WalkSubject<'a> {
    /// This process, which is CSPm.
    Process(&'a str),
    /// The process of the assertion at this position, counted from 0, beside its specification.
    Assertion(usize),
}

/// A part of a process that unfolds more calls than this is shown as one component: a process that
/// grows for ever would never be ready.
pub(super) const MOST_CALLS: usize = 10_000;

/// A walk through a process of a script. Steps have names, which are texts: a name leads to the
/// same place whenever the walk is taken again.
pub struct Walker<'w> {
    pub(super) scope: &'w Script,
    pub(super) evaluator: Evaluator<'w>,
    pub(super) options: &'w Options,
    pub(super) task: &'w Task,
    /// The instance that is walked, as `-D` takes it, if it is another than the script.
    instance: Option<String>,
    /// The part of the script that is walked, and the permutations that are claimed to be its
    /// symmetries.
    pub(super) part: WalkedPart,
    pub(super) permutations: &'w [WrittenPermutation],
    pub(super) start: WalkStart,
    /// The real run.
    pub(super) walk: ProcessWalk,
    /// The place on it of the counterexample to which it has led.
    pub(super) found: Option<WalkToCounterexample>,
    /// The number of steps at the start that reports leave out.
    left_out: usize,
    /// The symmetries of its check, once they were needed.
    pub(super) symmetry: Option<WalkSymmetry>,
    /// The track of representatives, if that is shown.
    pub(super) track: Option<RepresentativeTrack>,
}

impl Script {
    /// Walks `subject`: `explore` gets a walk that stands at the start, or at the end of the
    /// counterexample if `subject` is an assertion that has one and `to_counterexample` is set. A
    /// question about every value of a constant is walked in the instance that fails.
    pub fn walk<T>(
        &self,
        subject: WalkSubject<'_>,
        to_counterexample: bool,
        options: &Options,
        task: &Task,
        explore: impl FnOnce(&mut Walker<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let report = match (subject, to_counterexample) {
            (WalkSubject::Assertion(index), true) => {
                let answer = self.check(index, options, task);
                match answer.problem {
                    Some(problem) => return Err(problem),
                    None => Some(answer.report),
                }
            }
            _ => None,
        };
        let for_all = report.as_ref().and_then(|report| report.for_all.as_ref());
        let instance = for_all.and_then(|for_all| for_all.instance.clone());
        let mut scope = self.scope();
        let prepared = scope.prepared(subject, instance.as_deref(), options);
        let (part, permutations) = prepared.map_err(|problem| scope.error(*problem))?;
        let scope = &scope;
        let walker = Walker::started(scope, part, &permutations, options, task);
        let place = scope.span(part.id);
        let placed = |problem: Box<Diagnostic>| placed(task.explained(*problem), place);
        let mut walker = walker.map_err(|problem| scope.error(placed(problem)))?;
        walker.instance = instance;
        if let Some(report) = report {
            let found = walker.follow_counterexample(&report);
            walker.said(found)?;
        }
        explore(&mut walker)
    }

    /// The part of this `instance` of the script, as `-D` takes it, that is walked, and the
    /// permutations of the options, added to the script.
    pub(super) fn prepared(
        &mut self,
        subject: WalkSubject<'_>,
        instance: Option<&str>,
        options: &Options,
    ) -> Diagnosed<(WalkedPart, Vec<WrittenPermutation>)> {
        if let Some((name, text)) = instance.and_then(|instance| instance.split_once('=')) {
            let (name, text) = (name.to_string(), text.to_string());
            additions::redefine(&mut self.script, &Definition { name, text })?;
        }
        let (id, is_process) = match subject {
            WalkSubject::Process(text) => {
                (additions::add_check_of(&mut self.script, text)?.0, true)
            }
            WalkSubject::Assertion(index) => (self.assertions[index], false),
        };
        Ok((WalkedPart { id, is_process }, self.permutations(options)?))
    }
}

impl<'w> Walker<'w> {
    /// A walk at the start of `part`.
    pub(super) fn started(
        scope: &'w Script,
        part: WalkedPart,
        permutations: &'w [WrittenPermutation],
        options: &'w Options,
        task: &'w Task,
    ) -> Diagnosed<Self> {
        let mut evaluator = scope.evaluator(options, task);
        let start = WalkStart::of(scope, &mut evaluator, part, options)?;
        let walk = ProcessWalk::start(&mut evaluator, start.process, MOST_CALLS)?;
        Ok(Self {
            scope,
            evaluator,
            options,
            task,
            instance: None,
            part,
            permutations,
            start,
            walk,
            found: None,
            left_out: 0,
            symmetry: None,
            track: None,
        })
    }
}

impl Walker<'_> {
    /// Notes that the script is this instance, as `-D` takes it: a walk that is saved names it.
    pub fn note_instance(&mut self, instance: &str) {
        self.instance = Some(instance.to_string());
    }

    /// From now on, reports leave out the first `steps` steps, if there are as many.
    pub fn leave_out(&mut self, steps: usize) {
        self.left_out = steps;
    }

    /// The number of steps that were taken.
    pub fn steps(&self) -> usize {
        self.walk.len()
    }

    /// The names of the steps taken.
    pub fn path(&self) -> Vec<String> {
        let events = &self.evaluator.terms().events;
        self.walk
            .taken()
            .map(|taken| name_of(taken, events))
            .collect()
    }

    /// The walk so far, to be taken again.
    pub fn saved(&self) -> SavedWalk {
        let start = &self.start;
        SavedWalk {
            process: start.assertion.is_none().then(|| start.text.clone()),
            assertion: start.assertion.clone(),
            instance: self.instance.clone(),
            path: self.path(),
        }
    }

    /// Goes back to where `steps` steps were taken.
    pub fn back_to(&mut self, steps: usize) {
        self.walk.truncate(steps);
        if let Some(track) = &mut self.track {
            track.truncate(steps);
        }
    }

    /// Takes the step with this name on the track that is shown.
    pub fn take(&mut self, name: &str) -> Result<(), Error> {
        let taken = self.take_represented(name);
        self.said(taken)
    }

    /// Takes the steps with these names of the real run, from the start. Steps that the walk has in
    /// common with them are not taken again.
    pub fn follow(&mut self, path: &[String]) -> Result<(), Error> {
        let here = self.path();
        let common = here.iter().zip(path).take_while(|(a, b)| a == b).count();
        self.back_to(common);
        let taken = path[common..].iter().try_for_each(|name| {
            self.take_named(name)?;
            self.follow_on_track()
        });
        self.said(taken)
    }

    /// Takes a shortest way from the start to the state that [`Script::graph`] gives this `number`.
    pub fn follow_to_state(&mut self, number: usize) -> Result<(), Error> {
        self.back_to(0);
        let taken = self.take_way_to(number);
        self.said(taken)
    }

    fn take_way_to(&mut self, number: usize) -> Diagnosed<()> {
        let evaluator = &mut self.evaluator;
        let Some(mut way) = ReachedWay::to(evaluator, self.start.process, number)? else {
            let message = format!("the graph of this process has no state {number}");
            return Diagnostic::error("no-such-state", message)
                .note("states are numbered from 0, breadth first")
                .into();
        };
        for step in way.steps.clone() {
            let wanted = WitnessStep {
                label: step.label,
                origin: step.origins.first().copied().unwrap_or(step.label),
            };
            let taken = self
                .walk
                .take_to(&mut self.evaluator, wanted, &mut |known, term| {
                    way.is_state(known, term, step.target)
                })?;
            if !taken {
                return fault("a step of the graph is none of the walk").into();
            }
            self.follow_on_track()?;
        }
        Ok(())
    }

    /// Takes the step of the real run with this name, and no other one.
    pub(super) fn take_named(&mut self, name: &str) -> Diagnosed<()> {
        // A path can be long, and mostly there is only one step that it can mean.
        let is_it = |events: &EventTable, step: WitnessStep| named(&step, events).text() == name;
        if self.walk.take_only(&mut self.evaluator, &is_it)? {
            return Ok(());
        }
        let choice = step_named(&mut self.evaluator, &mut self.walk, name)?;
        self.walk.take(&mut self.evaluator, &choice)
    }

    /// The report of where the walk is, and what can happen next, on the track that is shown.
    pub fn report(&mut self) -> Result<WalkReport, Error> {
        let report = self.described_track();
        self.said(report)
    }

    /// The report on whether the event with this name can happen, and who would take part.
    pub fn why(&mut self, event: &str) -> Result<WhyReport, Error> {
        let report = self.on_track(|walker| walker.explained(event));
        self.said(report)
    }

    /// `result`, its error with the texts that it is about.
    pub(super) fn said<T>(&self, result: Diagnosed<T>) -> Result<T, Error> {
        result.map_err(|problem| self.scope.error(self.task.explained(*problem)))
    }

    // ---- What is seen

    /// The report of the real run.
    pub(super) fn described(&mut self) -> Diagnosed<WalkReport> {
        let allowed = self.allowed()?;
        self.told(allowed)
    }

    /// The report of the walk, where the specification allows what `allowed` says.
    pub(super) fn told(&mut self, allowed: Option<Allowed>) -> Diagnosed<WalkReport> {
        let choices = self.walk.choices(&mut self.evaluator)?;
        let components = self.walk.components(&mut self.evaluator)?;
        let rests = self.walk.rests(&mut self.evaluator)?;
        let waiting = match choices.is_empty() {
            true => Some(self.walk.waiting(&mut self.evaluator)?),
            false => None,
        };
        let events = &self.evaluator.terms().events;
        let names = component_names(&components);
        let mut views: Vec<ComponentView> = components
            .iter()
            .zip(&names)
            .map(|(now, name)| self.view(now, name))
            .collect();
        for (component, event, on) in waiting.iter().flat_map(|waiting| &waiting.waits) {
            views[*component].waits_for.push(ComponentWait {
                event: events.name(*event).to_string(),
                components: on.iter().map(|&other| names[other].clone()).collect(),
            });
        }
        let circle = waiting.map(|waiting| waiting.circle.into_iter());
        let member = |(component, event): (usize, EventId)| CycleMember {
            component: names[component].clone(),
            event: events.name(event).to_string(),
        };
        let from = self.left_out.min(self.walk.len());
        let visible = self.walk.taken().skip(from).map(|taken| taken.step.label);
        let trace: Vec<EventId> = visible.filter(|&label| label != TAU).collect();
        Ok(WalkReport {
            file: self.scope.name().to_string(),
            process: self.start.text.clone(),
            assertion: self.start.assertion.clone(),
            instance: self.instance.clone(),
            from,
            steps: step_reports(&self.walk, from, &names, events),
            chased: start_chased(&self.walk, &names, events),
            operators: operator_views(&self.walk),
            trace: events.names(&trace),
            components: views,
            choices: choices
                .iter()
                .map(|choice| choice_report(choice, &names, allowed.as_ref(), events))
                .collect(),
            stable: rests.is_stable,
            acceptances: rests.acceptances.map(|sets| sorted_sets(&sets, events)),
            diverges: rests.diverges,
            waiting_circle: circle.map(|circle| circle.map(member).collect()),
            specification: allowed.and_then(|allowed| self.specification_now(&allowed)),
            counterexample: self.found.clone(),
            representatives: None,
        })
    }

    fn view(&self, now: &ComponentNow, name: &str) -> ComponentView {
        let events = &self.evaluator.terms().events;
        let running = now.running.as_ref();
        let span = running.and_then(|running| running.span);
        ComponentView {
            name: name.to_string(),
            within: now.within.clone(),
            operator: now.operator,
            now: running.map(|running| running.text.clone()),
            offers: running.map_or(Vec::new(), |running| sorted_names(&running.offers, events)),
            place: span.map(|span| PlaceReport::of(span, "", &self.scope.script.sources)),
            waits_for: Vec::new(),
        }
    }

    /// The events that the specification allows next, if there is one.
    pub(super) fn allowed(&mut self) -> Diagnosed<Option<Allowed>> {
        let Some(specification) = &self.start.specification else {
            return Ok(None);
        };
        let (view, options) = (specification.view, self.options.compile_options());
        let trace = self.walk.trace();
        Allowed::after(&mut self.evaluator, view, &trace, &options).map(Some)
    }

    fn specification_now(&self, allowed: &Allowed) -> Option<SpecificationNow> {
        let events = &self.evaluator.terms().events;
        let specification = self.start.specification.as_ref()?;
        Some(SpecificationNow {
            process: specification.text.clone(),
            model: specification.model.clone(),
            allowed: allowed_next(allowed, events),
        })
    }

    /// The event with this name, which some component offers or can offer later.
    fn event_named(&mut self, name: &str) -> Diagnosed<EventId> {
        let mut are_all = false;
        if self.evaluator.terms().events.find(name).is_none() {
            are_all = meet_all_events(&mut self.evaluator, &self.walk)?;
        }
        let events = &self.evaluator.terms().events;
        match events.find(name) {
            Some(id) if id != TAU => Ok(id),
            _ => no_such_event(name, are_all, events).into(),
        }
    }

    fn explained(&mut self, event: &str) -> Diagnosed<WhyReport> {
        let components = self.walk.components(&mut self.evaluator)?;
        let id = self.event_named(event)?;
        let possibility = Possibility::of(&mut self.evaluator, &mut self.walk, id)?;
        let names = component_names(&components);
        let party = |party: &Party| {
            let now = self.view(&components[party.component], &names[party.component]);
            PartyReport {
                component: now.name,
                event: self.evaluator.terms().events.name(party.event).to_string(),
                ability: match party.ability {
                    Ability::Offered => PartyAbility::Offered,
                    Ability::Later => PartyAbility::Later,
                    Ability::Never => PartyAbility::Never,
                },
                now: now.now,
                offers: now.offers,
            }
        };
        let way = |way: &Vec<Party>| WayReport {
            ready: way.iter().all(|party| party.ability == Ability::Offered),
            parties: way.iter().map(party).collect(),
        };
        Ok(WhyReport {
            event: event.to_string(),
            verdict: possibility.verdict,
            hidden: possibility.ways.is_hidden,
            shut_in: possibility
                .shut_in
                .iter()
                .map(|&component| names[component].clone())
                .collect(),
            ways: possibility.ways.all.iter().map(way).collect(),
            more: possibility.ways.is_cut,
        })
    }
}

/// The names of components, numbered where several look the same.
pub(super) fn component_names(components: &[ComponentNow]) -> Vec<String> {
    let names: Vec<&str> = components
        .iter()
        .map(|component| component.name.as_str())
        .collect();
    unique_names(&names)
}

/// The choice of `walk` with this name.
pub(super) fn step_named(
    evaluator: &mut Evaluator<'_>,
    walk: &mut ProcessWalk,
    name: &str,
) -> Diagnosed<WalkChoice> {
    // Looking ahead along all the others costs more than the step.
    let may_be_it = |events: &EventTable, step| is_name_of(name, &named(&step, events).text());
    let choices = walk.choices_among(evaluator, &may_be_it)?;
    let events = &evaluator.terms().events;
    let mut found = choices.into_iter();
    let found = found.find(|choice| name_of(&choice.taken, events) == name);
    match found {
        Some(choice) => Ok(choice),
        None => {
            let choices = walk.choices(evaluator)?;
            no_such_step(name, walk.len(), &choices, &evaluator.terms().events).into()
        }
    }
}

/// The name of a step in a path.
pub(super) fn name_of(taken: &TakenStep, events: &EventTable) -> String {
    step_name(&named(&taken.step, events).text(), taken.alike_before)
}

fn choice_report(
    choice: &WalkChoice,
    names: &[String],
    allowed: Option<&Allowed>,
    events: &EventTable,
) -> ChoiceReport {
    let taken = &choice.taken;
    let label = taken.step.label;
    ChoiceReport {
        name: name_of(taken, events),
        event: named(&taken.step, events).text(),
        parts: part_reports(taken, names, events, true),
        // No specification forbids a τ. After an event that it forbids, it says nothing.
        allowed: allowed
            .filter(|allowed| !matches!(allowed, Allowed::Nothing(_)))
            .map(|allowed| label == TAU || allowed.allows(label)),
    }
}

fn no_such_step(
    name: &str,
    taken: usize,
    choices: &[WalkChoice],
    events: &EventTable,
) -> Diagnostic {
    /// The largest number of choices that the message lists.
    const SHOWN: usize = 10;
    let steps = counted(taken as u64, "step");
    let message = format!("`{name}` is no step that can be taken after {steps}");
    let names = choices.iter().map(|choice| name_of(&choice.taken, events));
    let names: Vec<String> = names.collect();
    let problem = Diagnostic::error("no-such-step", message);
    match names.len() {
        0 => problem.note("nothing can happen there"),
        1..=SHOWN => problem.note(format!("what can happen there is {}", names.join(", "))),
        more => problem.note(format!(
            "what can happen there is {}, and {} more",
            names[..SHOWN].join(", "),
            more - SHOWN
        )),
    }
}

/// The message about an event that was not met; `are_all` is true if all were met that can be done.
fn no_such_event(event: &str, are_all: bool, events: &EventTable) -> Diagnostic {
    /// The largest number of events that the hint lists.
    const SHOWN: usize = 6;
    let message = match are_all {
        true => format!("no component that runs can ever do the event `{event}`"),
        false => format!("no component has offered the event `{event}` so far"),
    };
    let problem = Diagnostic::error("no-such-event", message);
    let known = || (0..events.len()).map(|id| events.name(EventId::from_usize(id)));
    let channel = format!("{event}.");
    let mut begin_so: Vec<&str> = known().filter(|name| name.starts_with(&channel)).collect();
    begin_so.sort_by(|a, b| natural_order(a, b));
    if begin_so.is_empty() {
        return match nearest(event, known()) {
            Some(name) => problem.hint(format!("the nearest event is `{name}`")),
            None => problem.hint("write the whole event as it is printed"),
        };
    }
    let more = match begin_so.len() > SHOWN {
        true => ", …",
        false => "",
    };
    begin_so.truncate(SHOWN);
    problem.hint(format!(
        "write the whole event: {}{more}",
        begin_so.join(", ")
    ))
}
