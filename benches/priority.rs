//! The time per state with priorities, compared with an equal machine without.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use base::cancel::Cancellation;
use lts::explore::LeafLimits;
use machine::packing::PackedState;
use machine::successors::Scratch;
use machine::{CompileOptions, compile};
use process::event::EventId;
use process::priority::Priority;
use process::table::DefinitionTable;
use process::term::{Definitions, TermId};

/// The number of processes that wait for each other.
const PROCESSES: usize = 10;

/// Processes that do a step of their own, wait for tock together, and go on; the table has the
/// events tock, `a.i`, `b.i` and `c.i`.
fn system(table: &mut DefinitionTable) -> (TermId, EventId, [Vec<EventId>; 3]) {
    let tock = table.terms_mut().events.intern("tock");
    let mut own: [Vec<EventId>; 3] = Default::default();
    let mut all = Vec::new();
    for i in 0..PROCESSES {
        let name = format!("P({i})");
        let again = table.call(&name);
        let terms = table.terms_mut();
        let [a, b, c] = ["a", "b", "c"].map(|name| terms.events.intern(&format!("{name}.{i}")));
        let b_again = terms.prefix(vec![(b, again)]);
        let tock_again = terms.prefix(vec![(tock, again)]);
        let waiting = terms.prefix(vec![(tock, b_again), (c, tock_again)]);
        let body = terms.prefix(vec![(a, waiting), (tock, again)]);
        table.define(&name, body);
        for (events, event) in own.iter_mut().zip([a, b, c]) {
            events.push(event);
        }
        all.push(again);
    }
    let terms = table.terms_mut();
    let shared = terms.events.intern_set(vec![tock]);
    (terms.parallel(shared, all), tock, own)
}

/// The nanoseconds to expand one of `states`, or of the states that are reached first.
fn time(table: &mut DefinitionTable, term: TermId, states: Option<&[u64]>) -> (f64, Vec<u64>) {
    const STATES: usize = 20_000;
    let options = CompileOptions::new(LeafLimits::default());
    let machine = compile(table, term, &options).expect("it is finite");
    let packing = machine.packing(1);
    let successors = machine
        .successors(&packing, Cancellation::never())
        .expect("it is small");
    let mut scratch = Scratch::new(1);
    let states = states.map(<[u64]>::to_vec).unwrap_or_else(|| {
        let mut found = vec![u64::zero(1)];
        let mut next = 0;
        while found.len() < STATES && next < found.len() {
            let state = found[next];
            successors.for_each(&state, &mut scratch, &mut |_, _, &to| found.push(to));
            next += 1;
        }
        found.truncate(STATES);
        found
    });
    const ROUNDS: u32 = 30;
    let started = Instant::now();
    let mut sum = 0_u64;
    for state in (0..ROUNDS).flat_map(|_| &states) {
        successors.for_each(state, &mut scratch, &mut |_, _, &to| sum ^= to);
    }
    black_box(sum);
    let each = started.elapsed().as_secs_f64() * 1e9 / f64::from(ROUNDS) / states.len() as f64;
    (each, states)
}

#[allow(clippy::print_stdout, reason = "that is what a bench is for")]
fn main() {
    let mut table = DefinitionTable::new();
    let (plain, tock, [a, b, c]) = system(&mut table);
    let (without, states) = time(&mut table, plain, None);
    println!("without priorities: {without:.1} ns a state");
    let orders = [
        ("τ over tock", vec![vec![], vec![tock]]),
        ("a over tock", vec![a.clone(), vec![], vec![tock]]),
        (
            "a over b and c, and all over tock",
            vec![
                vec![],
                a.clone(),
                [b.clone(), c.clone()].concat(),
                vec![tock],
            ],
        ),
        (
            "every event a level",
            [&a[..], &b, &c, &[tock]]
                .concat()
                .into_iter()
                .map(|event| vec![event])
                .collect(),
        ),
    ];
    for (name, levels) in orders {
        let priority = Arc::new(Priority::levels(&levels));
        let term = table.terms_mut().prioritise(plain, &priority);
        let (with, _) = time(&mut table, term, Some(&states));
        println!(
            "{name}: {with:.1} ns a state, {:.2} times as long",
            with / without
        );
    }
}
