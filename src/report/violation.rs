//! A counterexample as text: a sentence that says what is wrong, and the steps that lead there.

use super::assertion::{AssertionReport, Counterexample, CounterexampleKind, Kind, TraceStep};
use super::components::{table, waits};
use super::events::set;

/// A trace longer than this is not repeated in the sentence above its steps.
const TRACE_IN_SENTENCE: usize = 10;

/// The line below a deadlock of a process that has terminated.
const TO_ALLOW_TERMINATION: &str = "  To allow it to terminate, ask about P ; RUN({e}) instead of P, \
with an event e that P never does.\n";

/// The names that sentences give the two sides of an assertion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SideNames {
    /// The side that is to be refined; no other kind of assertion has it.
    pub specification: String,
    /// The side that the counterexample is a run of.
    pub implementation: String,
}

impl SideNames {
    /// The names that fit every assertion of this kind.
    pub fn of(kind: Option<Kind>) -> Self {
        let implementation = match kind {
            Some(Kind::Refinement) | None => "the implementation",
            Some(_) => "the process",
        };
        Self {
            specification: "the specification".to_string(),
            implementation: implementation.to_string(),
        }
    }
}

impl AssertionReport {
    /// `found`, a counterexample to the assertion, with the sentence that says what is wrong.
    #[must_use]
    pub fn in_words(&self, found: Counterexample) -> Counterexample {
        Counterexample {
            sentence: sentence(self.kind, &found, &SideNames::of(self.kind)),
            ..found
        }
    }
}

/// The whole counterexample, in lines that are indented by two at least.
pub(super) fn violation(
    kind: Option<Kind>,
    counterexample: &Counterexample,
    names: &SideNames,
) -> String {
    let mut text = format!("  {}\n", sentence(kind, counterexample, names));
    let mut steps = observed(counterexample);
    let first_of_cycle = steps.len() + 1;
    let event = counterexample.event.as_deref().unwrap_or_default();
    if counterexample.kind == CounterexampleKind::Trace && counterexample.event.is_some() {
        steps.push(format!("{event}   <- not allowed here"));
    }
    text.push_str(&numbered(&steps, 1));
    match counterexample.kind {
        CounterexampleKind::Trace | CounterexampleKind::Refusal | CounterexampleKind::Revival => {}
        CounterexampleKind::Deadlock => {
            if counterexample.terminated == Some(true) {
                text.push_str(TO_ALLOW_TERMINATION);
            }
        }
        CounterexampleKind::Divergence => {
            match &counterexample.cycle {
                Some(cycle) => {
                    text.push_str("    and then again and again:\n");
                    text.push_str(&numbered(&texts(cycle), first_of_cycle));
                }
                // It was not replayed.
                None => text.push_str("    and then τ for ever\n"),
            }
        }
        CounterexampleKind::Nondeterminism => {
            let other = counterexample.other_trace_with_taus.as_deref();
            let refuses = match counterexample.offers.as_deref() {
                Some(offers) => refuses(event, offers),
                None => format!("where {event} is refused"),
            };
            text.push_str(&format!("    {refuses}, but also\n"));
            text.push_str(&numbered(&texts(other.unwrap_or_default()), 1));
        }
    }
    if let (Some(by), Some(event)) = (&counterexample.last_step_by, &counterexample.event) {
        text.push_str(&format!("  {event} is done by {}.\n", by.join(" and ")));
    }
    text.push_str(&components(counterexample, names));
    text
}

/// The sentence on how far a trace goes of which the process can do `done`, but not `missing` after
/// it: only `next`.
pub fn trace_ends(done: &[String], missing: &str, next: &[String]) -> String {
    let start = match done.len() {
        0 => "at the start".to_string(),
        n if n <= TRACE_IN_SENTENCE => format!("after <{}>", done.join(", ")),
        n => format!("after the first {n} events of the trace"),
    };
    match next {
        [] => format!("{start} the process can do no event at all, so not {missing}"),
        [only] if only == "✓" => {
            format!("{start} the process can only terminate, not do {missing}")
        }
        _ => format!(
            "{start} the process can do only {}, not {missing}",
            set(next)
        ),
    }
}

/// The table of what each component did, if that was asked for.
fn components(counterexample: &Counterexample, names: &SideNames) -> String {
    let Some(components) = &counterexample.components else {
        return String::new();
    };
    let event = match counterexample.kind {
        // Of the events only this one is a step that the components took part in:
        // `explain_components` appends it to the run.
        CounterexampleKind::Trace => counterexample.event.iter().len(),
        _ => 0,
    };
    let cycle = counterexample.cycle.as_ref().map_or(0, Vec::len);
    let steps = counterexample.trace_with_taus.len() + event + cycle;
    let title = "What each component did at each step and was then, and can do next";
    let specification = counterexample.specification.as_ref();
    let mut text = table(title, components, specification, steps);
    if let Some(specification) = specification {
        let allowed = specification.at_end.text(&names.specification);
        text.push_str(&format!("  Instead, {allowed}.\n"));
    }
    let circle = counterexample.waiting_circle.as_deref();
    text.push_str(&waits(components, circle.unwrap_or_default()));
    if let Some(others) = &counterexample.other_components {
        let other = counterexample.other_trace_with_taus.as_ref();
        let title = "What each did in the other run";
        text.push_str(&table(title, others, None, other.map_or(0, Vec::len)));
    }
    text
}

/// The sentence that says what is wrong.
pub(super) fn sentence(
    kind: Option<Kind>,
    counterexample: &Counterexample,
    names: &SideNames,
) -> String {
    let seen = match counterexample.rests.as_deref() {
        None | Some([]) => "",
        Some(_) => ", seen at rest as shown below,",
    };
    let after = after(&counterexample.trace) + seen;
    let (who, specification) = (&names.implementation, &names.specification);
    let limit = match kind {
        Some(Kind::Refinement) | None => format!("which {specification} does not allow"),
        Some(_) => "which is not allowed".to_string(),
    };
    let event = counterexample.event.as_deref();
    let offers = counterexample.offers.as_deref().unwrap_or_default();
    let wanted = counterexample.acceptances.as_deref();
    match counterexample.kind {
        CounterexampleKind::Trace => match event {
            Some("✓") => format!("{after} {who} can terminate, {limit}."),
            Some(event) => format!("{after} {who} can do {event}, {limit}."),
            // This does not happen: the checker gives each counterexample of this kind its event.
            None => format!("{after} {who} can go wrong."),
        },
        CounterexampleKind::Refusal => {
            let demand = wanted.map_or(limit, |wanted| demand(specification, wanted));
            format!("{after} {who} {}, {demand}.", rest(offers))
        }
        CounterexampleKind::Revival => {
            let event = event.unwrap_or_default();
            let demand = wanted.map_or(limit, |wanted| demand_with(specification, event, wanted));
            let rest = rest(offers);
            format!("{after} {who} {rest} and then do {event}, {demand}.")
        }
        CounterexampleKind::Deadlock if counterexample.terminated == Some(true) => {
            format!("{after} {who} has terminated, which counts as a deadlock.")
        }
        CounterexampleKind::Deadlock => {
            format!("{after} {who} can do nothing more: it is deadlocked.")
        }
        CounterexampleKind::Divergence => {
            let limit = match kind {
                Some(Kind::Refinement) => format!(", {limit}"),
                _ => String::new(),
            };
            format!("{after} {who} can do internal steps for ever{limit}.")
        }
        CounterexampleKind::Nondeterminism => match event {
            Some("✓") => format!("{after} {who} can terminate, and can also refuse to."),
            event => {
                let event = event.unwrap_or_default();
                format!("{after} {who} can do {event}, and can also refuse it.")
            }
        },
    }
}

fn after(trace: &[String]) -> String {
    match trace.len() {
        0 => "At the start".to_string(),
        n if n <= TRACE_IN_SENTENCE => format!("After <{}>", trace.join(", ")),
        n => format!("After the {n} visible events below"),
    }
}

/// The clause on a process that has come to rest with these offers.
fn rest(offers: &[String]) -> String {
    match offers {
        [] => "can come to rest offering nothing".to_string(),
        [only] if only == "✓" => "can terminate, refusing all else".to_string(),
        _ => format!("can come to rest offering only {}", set(offers)),
    }
}

/// The clause on why a run that has come to rest with these offers refuses `event`.
fn refuses(event: &str, offers: &[String]) -> String {
    match offers {
        [] => format!("where {event} is refused, for nothing is offered at rest"),
        [only] if only == "✓" => {
            format!("where {event} is refused: it may terminate, and then refuses all else")
        }
        _ => format!(
            "where {event} is refused, for only {} is offered at rest",
            set(offers)
        ),
    }
}

/// The clause on what the `specification` with these minimal acceptances asks for.
fn demand(specification: &str, acceptances: &[Vec<String>]) -> String {
    match some_of(acceptances) {
        None => format!("but {specification} never comes to rest"),
        Some(sets) => format!("but {specification} always offers at least {sets}"),
    }
}

/// The clause on what the `specification` asks for where it offers `event`, if these are the
/// smallest of its acceptances with `event`.
fn demand_with(specification: &str, event: &str, acceptances: &[Vec<String>]) -> String {
    match some_of(acceptances) {
        None => format!("but {specification} never comes to rest offering {event}"),
        Some(sets) => format!(
            "but where {specification} comes to rest offering {event}, it offers at least {sets}"
        ),
    }
}

/// One of `sets`, in words. Returns `None` if there are no sets.
fn some_of(sets: &[Vec<String>]) -> Option<String> {
    const SETS: usize = 6;
    let shown = sets.iter().take(SETS).map(|events| set(events));
    let mut shown: Vec<String> = shown.collect();
    if sets.len() > SETS {
        shown.push(match sets.len() - SETS {
            1 => "one other set".to_string(),
            more => format!("one of {more} other sets"),
        });
    }
    match &shown[..] {
        [] => None,
        [only] => Some(only.clone()),
        [others @ .., last] => Some(format!("{} or {last}", others.join(", "))),
    }
}

fn texts(steps: &[TraceStep]) -> Vec<String> {
    steps.iter().map(TraceStep::text).collect()
}

/// The steps of the run, each with what was seen at rest before it.
fn observed(counterexample: &Counterexample) -> Vec<String> {
    let mut lines = texts(&counterexample.trace_with_taus);
    for rest in counterexample.rests.iter().flatten() {
        if let Some(line) = (rest.before as usize)
            .checked_sub(1)
            .and_then(|at| lines.get_mut(at))
        {
            line.push_str(&format!(
                "   <- from rest, offering only {}",
                set(&rest.offers)
            ));
        }
    }
    lines
}

/// The lines, numbered from `first`.
fn numbered(lines: &[String], first: usize) -> String {
    let width = (first + lines.len()).saturating_sub(1).to_string().len();
    let lines = lines.iter().enumerate();
    lines
        .map(|(index, line)| format!("    {:>width$}  {line}\n", first + index))
        .collect()
}

#[cfg(test)]
mod tests;
