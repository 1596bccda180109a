//! Examples of runs of compressed leaves, most of them with rests on the way.
//! `tests/semantics/oracle_observations.rs` expands random runs.

use super::*;
use crate::compile_observed;
use lts::explore::LeafLimits;
use process::compression::Compression;
use process::table::DefinitionTable;

const OPTIONS: CompileOptions = CompileOptions::new(LeafLimits::all(100));

/// A process that does `hidden` first and is compressed to `event -> STOP`.
fn late(table: &mut DefinitionTable, hidden: EventId, event: EventId) -> TermId {
    let terms = table.terms_mut();
    let stop = terms.stop();
    let then = terms.prefix(vec![(event, stop)]);
    let process = terms.prefix(vec![(hidden, then)]);
    compressed(table, process, hidden)
}

/// `wbisim((process ||| STOP) \ {hidden})`. The parallel keeps the operand from being one leaf, so
/// that the steps of a run say which event was hidden.
fn compressed(table: &mut DefinitionTable, process: TermId, hidden: EventId) -> TermId {
    let terms = table.terms_mut();
    let stop = terms.stop();
    let process = terms.interleave(vec![process, stop]);
    let set = terms.events.intern_set(vec![hidden]);
    let process = terms.hide(process, set);
    terms.compress(Compression::Wbisim, process)
}

fn events(table: &mut DefinitionTable) -> [EventId; 4] {
    ["a", "b", "t", "u"].map(|name| table.terms_mut().events.intern(name))
}

/// An expanded run of `term` with these events, each at rest before it if that has offers.
fn found(
    table: &mut DefinitionTable,
    term: TermId,
    events: &[EventId],
    rests: &[Option<Vec<EventId>>],
    end: &RunEnd,
) -> Option<Vec<RunStep>> {
    let observed = events.iter().zip(rests).map(|(&event, rest)| ObservedStep {
        rest: rest.clone(),
        event,
    });
    let trace: Vec<ObservedStep> = observed.collect();
    let machine = compile_observed(table, term, &OPTIONS).expect("it is small");
    let run = run(&machine, &trace, end, Cancellation::never()).expect("it is small")?;
    let subject = (&machine, ProcessView::AfterRests);
    expand(table, subject, run, end, &OPTIONS).expect("it is small")
}

#[test]
fn all_components_come_to_rest_where_the_whole_is_seen_at_rest() {
    let mut table = DefinitionTable::new();
    let [a, b, t, u] = events(&mut table);
    let operands = vec![late(&mut table, t, a), late(&mut table, u, b)];
    let both = table.terms_mut().interleave(operands);
    let mut expand =
        |rest: Option<Vec<EventId>>, end: RunEnd| found(&mut table, both, &[a], &[rest], &end);
    let only_first = vec![(TAU, t), (a, a)];
    assert_eq!(expand(None, RunEnd::Anyhow), Some(only_first.clone()));
    let at_rest = Some(vec![(TAU, t), (TAU, u), (a, a)]);
    assert_eq!(expand(Some(vec![a, b]), RunEnd::Anyhow), at_rest);
    assert_eq!(expand(Some(vec![a, b]), RunEnd::Rest(vec![b])), at_rest);
    // The process rests only at its end.
    let then_rests = [only_first, vec![(TAU, u)]].concat();
    assert_eq!(expand(None, RunEnd::Rest(vec![b])), Some(then_rests));
    // The process never rests with the offer a alone.
    assert_eq!(expand(Some(vec![a]), RunEnd::Anyhow), None);
}

#[test]
fn an_event_done_at_rest_is_not_the_one_done_before() {
    // ((t -> a -> b -> STOP) [] a -> STOP) \ {t}: at rest, a leads on to b.
    let mut table = DefinitionTable::new();
    let [a, b, t, _] = events(&mut table);
    let terms = table.terms_mut();
    let stop = terms.stop();
    let then = terms.prefix(vec![(b, stop)]);
    let later = terms.prefix(vec![(a, then)]);
    let process = terms.prefix(vec![(t, later), (a, stop)]);
    let process = compressed(&mut table, process, t);
    let mut expand = |wanted: &[EventId], rests: &[Option<Vec<EventId>>]| {
        found(&mut table, process, wanted, rests, &RunEnd::Anyhow)
    };
    assert_eq!(expand(&[a], &[None]), Some(vec![(a, a)]));
    assert_eq!(expand(&[a], &[Some(vec![a])]), Some(vec![(TAU, t), (a, a)]));
    let through = Some(vec![(TAU, t), (a, a), (b, b)]);
    assert_eq!(expand(&[a, b], &[Some(vec![a]), None]), through);
    assert_eq!(expand(&[a, b], &[Some(vec![a]), Some(vec![b])]), through);
    assert_eq!(expand(&[a, b], &[Some(vec![b]), None]), None);
}

#[test]
fn leaves_inside_leaves_come_to_rest_too() {
    let mut table = DefinitionTable::new();
    let [a, b, t, u] = events(&mut table);
    let operands = vec![late(&mut table, t, a), late(&mut table, u, b)];
    let terms = table.terms_mut();
    let both = terms.interleave(operands);
    let whole = terms.compress(Compression::Sbisim, both);
    let rests = [Some(vec![a, b]), None];
    let run = found(&mut table, whole, &[a, b], &rests, &RunEnd::Anyhow);
    assert_eq!(run, Some(vec![(TAU, t), (TAU, u), (a, a), (b, b)]));
}

#[test]
fn a_leaf_says_which_events_its_internal_steps_were() {
    // Twice wbisim((a -> t -> b -> STOP) \ {t}), where the compressed part is one leaf.
    let mut table = DefinitionTable::new();
    let [a, b, t, u] = events(&mut table);
    let mut operands = Vec::new();
    for hidden in [t, u] {
        let terms = table.terms_mut();
        let stop = terms.stop();
        let last = terms.prefix(vec![(b, stop)]);
        let inside = terms.prefix(vec![(hidden, last)]);
        let process = terms.prefix(vec![(a, inside)]);
        let set = terms.events.intern_set(vec![hidden]);
        let process = terms.hide(process, set);
        operands.push(terms.compress(Compression::Wbisim, process));
    }
    let both = table.terms_mut().interleave(operands);
    let end = RunEnd::Rest(vec![b]);
    let run = expand_trace(&mut table, both, &[a, a, b], &end, &OPTIONS);
    let run = run.unwrap().unwrap();
    // Each is done as soon as it can be.
    let first = run[1].1;
    let second = if first == t { u } else { t };
    let expected = [(a, a), (TAU, first), (a, a), (TAU, second), (b, b)];
    assert_eq!(run, expected);
}
