//! The bounds and the unjoined events, compared with the transition systems of random processes.

use std::collections::BTreeSet;

use super::*;
use crate::explicit::explicit;
use crate::{CompileOptions, compile};
use base::cancel::Cancellation;
use lts::explore::LeafLimits;
use process::term::TermId;
use testkit::terms::Generator;

const OPTIONS: CompileOptions = CompileOptions::new(LeafLimits::all(1000));

/// The visible events that `term` does in some state; `None` if it has too many.
fn done(definitions: &mut dyn Definitions, term: TermId) -> Option<BTreeSet<EventId>> {
    let machine = compile(definitions, term, &OPTIONS).ok()?;
    let lts = explicit(&machine, 2000, Cancellation::never()).ok()?;
    let steps = lts.states().flat_map(|state| lts.row(state));
    let visible = steps.map(|&(event, _)| event);
    Some(visible.filter(|event| event.is_visible()).collect())
}

#[test]
fn bounds_hold_and_what_is_unjoined_never_happens() {
    let (mut bounded, mut found) = (0, 0);
    for seed in 0..2500 {
        let mut generator = match seed % 2 {
            0 => Generator::new(seed),
            _ => Generator::with_priorities(seed),
        };
        let term = generator.term(4, true);
        let table = &mut generator.table;
        let Ok(machine) = compile(table, term, &OPTIONS) else {
            continue;
        };
        let mut looking = Looking::new(&machine, &table.terms().events);
        for (id, node) in machine.nodes.iter_enumerated() {
            let bound = looking.bound(id, node).unwrap();
            looking.bounds.push(bound);
        }
        let (bounds, unjoined) = (looking.bounds.clone(), looking.found.clone());
        for (id, node) in machine.nodes.iter_enumerated() {
            if let Some(done) = done(table, node.term) {
                let bound: BTreeSet<EventId> = bounds[id].iter().copied().collect();
                assert!(done.is_subset(&bound), "seed {seed}, {}", node.expression);
                bounded += 1;
            }
        }
        for one in &unjoined {
            let parallel = &machine.nodes[one.node];
            for &operand in &one.operands {
                let operand = machine.nodes[operand].term;
                if let Some(done) = done(table, operand) {
                    let blocked: BTreeSet<EventId> = one.events.iter().copied().collect();
                    assert!(done.is_disjoint(&blocked), "seed {seed}");
                    found += 1;
                }
            }
            // Some operand waits for each of the events.
            assert!(one.operands.len() < parallel.operands.len(), "seed {seed}");
        }
    }
    assert!(bounded > 8_000, "only {bounded} were compared");
    assert!(found > 300, "only {found} were unjoined");
}

#[test]
fn nothing_is_said_where_too_much_would_have_to_be_looked_at() {
    let mut generator = Generator::new(3);
    let term = generator.term(4, true);
    let machine = compile(&mut generator.table, term, &OPTIONS).unwrap();
    let mut looking = Looking::new(&machine, &generator.table.terms().events);
    looking.left.set(0);
    let first = machine.nodes.iter_enumerated().next().unwrap();
    assert_eq!(looking.bound(first.0, first.1), None);
}
