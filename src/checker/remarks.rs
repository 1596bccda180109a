//! What else is said of a verdict: how far a process can do a trace, and whether it may diverge.

use crate::cancel::Cancellation;
use crate::diag::Result;
use crate::lts::tau::divergent_states;
use crate::machine::Machine;
use crate::machine::leaf::Behaviour;
use crate::machine::tree::Operator;
use crate::process::event::{EventId, EventTable};
use crate::process::term::Definitions;
use crate::refine::prefix::{Prefix, longest_prefix};
use crate::report::violation::trace_ends;

use super::compiled::visible_results;
use super::counterexample::sorted_names;
use super::run::Run;

/// Of more states than this it is not said how far a process can do a trace: symmetry does not help to follow it.
const MOST_FOLLOWED: usize = 1_000_000;

/// Notes how far `machine` can do `trace`, which it cannot do to its end.
pub(super) fn note_how_far(
    run: &mut Run<'_, '_>,
    machine: &Machine,
    trace: &[EventId],
) -> Result<()> {
    let unknown = never_done(trace, machine, &run.evaluator.terms().events);
    run.report.remarks.extend(unknown);
    let token = &run.evaluator.cancellation().clone();
    let found = longest_prefix(machine, trace, MOST_FOLLOWED, token)?;
    let events = &run.evaluator.terms().events;
    run.report.message = found.and_then(|found| how_far(&found, trace, events));
    Ok(())
}

/// What to say of a trace with an event that `machine` never does: most likely a slip.
fn never_done(trace: &[EventId], machine: &Machine, events: &EventTable) -> Option<String> {
    let possible = visible_results(machine);
    let event = trace
        .iter()
        .find(|event| possible.binary_search(event).is_err())?;
    Some(format!("the process never does {}", events.name(*event)))
}

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

/// Said of deadlock freedom in a model that does not see divergence.
const DIVERGES: &str =
    "the process can diverge, which `:[deadlock free [F]]` does not see: `[FD]` does not hold";

/// Notes that a process that never deadlocks can diverge, as far as that is known without a search. The verdict is there by now: if the
/// time ends here, this alone stays unknown.
pub(super) fn note_divergence(run: &mut Run<'_, '_>, machine: &Machine) {
    let token = &run.evaluator.cancellation().clone();
    let diverges = is_known_to_diverge(machine, token);
    if diverges.is_ok_and(|diverges| diverges) {
        run.report.remarks.push(DIVERGES.to_string());
    }
}

/// Whether the process can diverge, if it is one component.
fn is_known_to_diverge(machine: &Machine, token: &Cancellation) -> Result<bool> {
    let Operator::Leaf(leaf) = machine.nodes[machine.root()].operator else {
        return Ok(false);
    };
    let Behaviour::Process(graph) = &machine.leaves[leaf].behaviour else {
        return Ok(false);
    };
    Ok(divergent_states(&graph.lts, token)?.contains(&true))
}
