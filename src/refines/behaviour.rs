//! Counterexamples divided as FDR divides them: into behaviours of machines.

use report::assertion::{
    AssertionReport, Counterexample, CounterexampleKind, Kind, Rest, TraceStep,
};
use report::components::{ComponentEnd, ComponentReport};

/// The text for an internal step.
pub(super) const TAU: &str = "τ";

/// The parts of a counterexample that a call wants to see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shown {
    /// Internal steps are a part of traces.
    pub(super) taus: bool,
    /// The behaviour of each component stands below that of the whole.
    pub(super) components: bool,
}

/// A counterexample.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FdrCounterexample {
    pub(super) sort: CounterexampleSort,
    /// The behaviour of the specification, or of nondeterminism the other run of the process.
    pub(super) specification: Option<MachineBehaviour>,
    pub(super) implementation: MachineBehaviour,
    /// True if it refutes a refinement: FDR then calls both sides by their names.
    pub(super) is_of_refinement: bool,
}

/// The sort of a counterexample.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CounterexampleSort {
    Trace,
    MinAcceptance,
    Deadlock,
    Divergence,
    Determinism,
}

/// A behaviour of a machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct MachineBehaviour {
    /// The machine, as CSPm.
    pub(super) machine: Option<String>,
    /// The sections before `trace`, each of which ends at rest; in models that see rests.
    pub(super) prior: Vec<RestSection>,
    /// The events since the last section.
    pub(super) trace: Vec<String>,
    pub(super) end: BehaviourEnd,
    /// The behaviours of its components.
    pub(super) children: Vec<MachineBehaviour>,
}

/// A part of a behaviour that ends at rest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RestSection {
    pub(super) trace: Vec<String>,
    /// The events that are offered there.
    pub(super) acceptance: Vec<String>,
}

/// The end of a behaviour, after its trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum BehaviourEnd {
    /// This event is done, or is not allowed.
    Event(String),
    /// The machine is at rest, and offers these events.
    Acceptance(Vec<String>),
    /// The trace goes on for ever: from this index on it is repeated.
    Loop(usize),
    /// The machine diverges; its internal steps are not known.
    Divergence,
    /// Nothing is wrong here.
    Plain,
}

/// The plys of a search as FDR counts them: without that of the start.
pub(super) fn plys(report: &AssertionReport) -> u64 {
    report.levels.unwrap_or_default().saturating_sub(1)
}

impl CounterexampleSort {
    fn of(kind: CounterexampleKind) -> Self {
        match kind {
            CounterexampleKind::Trace => Self::Trace,
            CounterexampleKind::Refusal | CounterexampleKind::Revival => Self::MinAcceptance,
            CounterexampleKind::Deadlock => Self::Deadlock,
            CounterexampleKind::Divergence => Self::Divergence,
            CounterexampleKind::Nondeterminism => Self::Determinism,
        }
    }

    /// The name in JSON.
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Trace => "trace",
            Self::MinAcceptance => "min_acceptance",
            Self::Deadlock => "deadlock",
            Self::Divergence => "divergence",
            Self::Determinism => "determinism",
        }
    }

    /// The name in text.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Trace => "Trace Counterexample",
            Self::MinAcceptance => "Min Acceptance Counterexample",
            Self::Deadlock => "Deadlock Counterexample",
            Self::Divergence => "Divergence Counterexample",
            Self::Determinism => "Determinism Counterexample",
        }
    }
}

impl FdrCounterexample {
    /// All counterexamples of `report`, about the sides that are named.
    pub(super) fn all(
        report: &AssertionReport,
        (specification, implementation): (Option<&str>, Option<&str>),
        shown: Shown,
    ) -> Vec<Self> {
        let several = report.counterexamples.as_deref();
        let found = several.unwrap_or(report.counterexample.as_slice());
        let is_of_refinement = report.kind == Some(Kind::Refinement);
        let named = |text: Option<&str>| text.map(str::to_string);
        let found = found.iter().map(|found| Self {
            sort: CounterexampleSort::of(found.kind),
            specification: if is_of_refinement {
                Some(of_specification(found, named(specification)))
            } else {
                other_run(found, named(implementation), shown)
            },
            implementation: of_implementation(found, named(implementation), shown),
            is_of_refinement,
        });
        found.collect()
    }
}

/// The behaviour of the process that is asked about.
fn of_implementation(
    found: &Counterexample,
    machine: Option<String>,
    shown: Shown,
) -> MachineBehaviour {
    let offers = found.offers.clone().unwrap_or_default();
    let event = found.event.clone().unwrap_or_default();
    let mut steps = found.trace_with_taus.as_slice();
    let mut prior = Vec::new();
    let mut done = 0;
    for Rest { before, offers } in found.rests.iter().flatten() {
        let length =
            usize::try_from(*before).map_or(steps.len(), |before| before.saturating_sub(1 + done));
        let (section, rest) = steps.split_at(length.min(steps.len()));
        prior.push(RestSection {
            trace: texts(section, shown),
            acceptance: offers.clone(),
        });
        (steps, done) = (rest, done + section.len());
    }
    let mut trace = texts(steps, shown);
    let end = match found.kind {
        CounterexampleKind::Trace => BehaviourEnd::Event(event),
        CounterexampleKind::Revival => {
            prior.push(RestSection {
                trace: std::mem::take(&mut trace),
                acceptance: offers,
            });
            BehaviourEnd::Event(event)
        }
        CounterexampleKind::Refusal
        | CounterexampleKind::Deadlock
        | CounterexampleKind::Nondeterminism => BehaviourEnd::Acceptance(offers),
        CounterexampleKind::Divergence => match &found.cycle {
            Some(cycle) => {
                let from = trace.len();
                // Of a divergence nothing but internal steps would be left to repeat.
                trace.extend(texts(
                    cycle,
                    Shown {
                        taus: true,
                        ..shown
                    },
                ));
                BehaviourEnd::Loop(from)
            }
            None => BehaviourEnd::Divergence,
        },
    };
    let is_at_rest = matches!(end, BehaviourEnd::Acceptance(_));
    MachineBehaviour {
        machine,
        prior,
        trace,
        end,
        children: of_components(found.components.as_deref(), shown, is_at_rest),
    }
}

/// The behaviour of the specification: it can do the trace, and not what comes then.
fn of_specification(found: &Counterexample, machine: Option<String>) -> MachineBehaviour {
    MachineBehaviour {
        machine,
        prior: Vec::new(),
        trace: found.trace.clone(),
        end: match &found.event {
            Some(event) => BehaviourEnd::Event(event.clone()),
            None => BehaviourEnd::Plain,
        },
        children: Vec::new(),
    }
}

/// The run of a process in which it does what it refuses in another one.
/// The report has the event at the end of that run; FDR has it apart.
fn other_run(
    found: &Counterexample,
    machine: Option<String>,
    shown: Shown,
) -> Option<MachineBehaviour> {
    let run = found.other_trace_with_taus.as_ref()?;
    let before_event = &run[..run.len().saturating_sub(1)];
    Some(MachineBehaviour {
        machine,
        prior: Vec::new(),
        trace: texts(before_event, shown),
        end: BehaviourEnd::Event(found.event.clone().unwrap_or_default()),
        children: of_components(found.other_components.as_deref(), shown, false),
    })
}

/// The behaviours of the components, each with what it offers by itself if the whole is at rest.
fn of_components(
    components: Option<&[ComponentReport]>,
    shown: Shown,
    is_at_rest: bool,
) -> Vec<MachineBehaviour> {
    let components = components.unwrap_or_default().iter();
    let components = components.filter(|_| shown.components);
    let of_component = |component: &ComponentReport| {
        let events = component.steps.iter().map(|step| step.event.as_str());
        let events = events.map(|event| match event.starts_with(TAU) {
            true => TAU,
            false => event,
        });
        let seen = events.filter(|event| shown.taus || *event != TAU);
        MachineBehaviour {
            machine: Some(component.name.clone()),
            prior: Vec::new(),
            trace: seen.map(str::to_string).collect(),
            end: match &component.offers {
                Some(offers) if is_at_rest && component.end == ComponentEnd::Runs => {
                    BehaviourEnd::Acceptance(offers.clone())
                }
                _ => BehaviourEnd::Plain,
            },
            children: Vec::new(),
        }
    };
    components.map(of_component).collect()
}

/// The events of `steps`, with internal ones if they are shown.
fn texts(steps: &[TraceStep], shown: Shown) -> Vec<String> {
    let texts = steps.iter().filter_map(|step| match step {
        TraceStep::Visible(event) => Some(event.clone()),
        TraceStep::Internal | TraceStep::Hidden(_) => shown.taus.then(|| TAU.to_string()),
    });
    texts.collect()
}
