//! Remarks on a verdict: how far a process can do a trace, whether it may diverge, and what was not
//! compressed.

use std::collections::BTreeSet;

use base::cancel::Cancellation;
use base::diag::Result;
use base::number::plain;
use lts::tau::divergent_states;
use machine::Machine;
use machine::leaf::Behaviour;
use machine::text::expression;
use machine::tree::NodeKind;
use process::event::{EventId, EventTable};
use process::term::{Definitions, TermId};
use refine::prefix::{LongestPrefix, longest_prefix};
use report::violation::trace_ends;

use super::compiled::visible_results;
use super::counterexample::sorted_names;
use super::decision::Decision;

/// At most this many states are visited to say how far a process can do a trace: symmetry does not
/// help there, so it could take longer than the verdict.
const MOST_FOLLOWED: usize = 1_000_000;

/// Notes how far `machine` can do `trace`, which it cannot do to its end.
pub(super) fn note_how_far(
    run: &mut Decision<'_, '_>,
    machine: &Machine,
    trace: &[EventId],
) -> Result<()> {
    let unknown = never_done(trace, machine, &run.evaluator.terms().events);
    run.report.remarks.extend(unknown);
    let token = &run.evaluator.cancellation().clone();
    let found = longest_prefix(machine, trace, MOST_FOLLOWED, token)?;
    let events = &run.evaluator.terms().events;
    // Without a message, because too many states were visited, the verdict stands all the same.
    run.report.message = found.and_then(|found| how_far(&found, trace, events));
    Ok(())
}

/// A remark on an event of `trace` that `machine` never does: most likely a slip.
fn never_done(trace: &[EventId], machine: &Machine, events: &EventTable) -> Option<String> {
    let possible = visible_results(machine);
    let event = trace
        .iter()
        .find(|event| possible.binary_search(event).is_err())?;
    Some(format!("the process never does {}", events.name(*event)))
}

/// A message on how far a process can do `trace`, which it cannot do to its end, and what it can do
/// instead then.
fn how_far(found: &LongestPrefix, trace: &[EventId], events: &EventTable) -> Option<String> {
    let names = events.names(trace);
    let missing = names.get(found.length)?;
    Some(trace_ends(
        &names[..found.length],
        missing,
        &sorted_names(&found.next, events),
    ))
}

/// Notes which compressions are left out of the process that is searched; the first is named.
pub(super) fn note_left_out(run: &mut Decision<'_, '_>, left_out: &[TermId]) {
    let Some(&first) = left_out.first() else {
        return;
    };
    let different: BTreeSet<_> = left_out.iter().collect();
    let name = expression(run.evaluator, first);
    let subject = match different.len() - 1 {
        0 => format!("`{name}` is"),
        n => format!("`{name}` and {} are", plain(n, "other compression")),
    };
    run.report.remarks.push(format!(
        "{subject} left out: there are many states, and few of them seem to be alike"
    ));
}

/// The remark on deadlock freedom in a model that does not see divergence.
const DIVERGES: &str =
    "the process can diverge, which `:[deadlock free [F]]` does not see: `[FD]` does not hold";

/// Notes that a process that never deadlocks can diverge, as far as that is known without a search.
/// The verdict is known by now, so it is not lost if the time ends here.
pub(super) fn note_divergence(run: &mut Decision<'_, '_>, machine: &Machine) {
    let token = &run.evaluator.cancellation().clone();
    let diverges = is_known_to_diverge(machine, token);
    if diverges.is_ok_and(|diverges| diverges) {
        run.report.remarks.push(DIVERGES.to_string());
    }
}

/// True if the process is one component and can diverge.
fn is_known_to_diverge(machine: &Machine, token: &Cancellation) -> Result<bool> {
    // Whether several components diverge together takes a search of its own, which is too much for
    // a remark.
    let NodeKind::Leaf(leaf) = machine.nodes[machine.root()].kind else {
        return Ok(false);
    };
    let Behaviour::Process(graph) = &machine.leaves[leaf].behaviour else {
        return Ok(false);
    };
    Ok(divergent_states(&graph.lts, token)?.contains(&true))
}
