//! Many operands.

use super::{OPTIONS, Prover, Start};
use crate::permutation::EventPermutation;
use machine::compile;
use process::event::EventId;
use process::table::DefinitionTable;
use process::term::{Definitions, TermId};

const COUNT: usize = 1000;

/// The process that does `first` and `second` in turn.
fn in_turn(table: &mut DefinitionTable, [first, second]: [EventId; 2]) -> TermId {
    let name = format!("P({})", table.terms().events.name(first));
    let again = table.call(&name);
    let then = table.terms_mut().prefix(vec![(second, again)]);
    let body = table.terms_mut().prefix(vec![(first, then)]);
    table.define(&name, body);
    again
}

/// The number of goals that were settled.
fn goals(prover: &Prover<'_>) -> usize {
    prover.memo.proofs.len() + prover.memo.failures.len()
}

/// Checks a thousand different operands in a cycle, and a thousand equal ones.
#[test]
fn many_operands_are_matched_by_their_signatures() {
    for (is_alike, is_interrupted) in [(false, false), (false, true), (true, false)] {
        let table = &mut DefinitionTable::new();
        let events: Vec<[EventId; 2]> = (0..COUNT)
            .map(|i| {
                let names = ["many", "much"].map(|channel| format!("{channel}.{i}"));
                names.map(|name| table.terms_mut().events.intern(&name))
            })
            .collect();
        let operands = (0..COUNT).map(|i| {
            let operand = in_turn(table, events[if is_alike { 0 } else { i }]);
            let terms = table.terms_mut();
            if is_interrupted {
                let stop = terms.stop();
                let interrupt = terms.prefix(vec![(events[i][1], stop)]);
                terms.interrupt(operand, interrupt)
            } else {
                operand
            }
        });
        let operands = operands.collect();
        let term = table.terms_mut().interleave(operands);
        let turned = (0..COUNT).flat_map(|i| {
            let next = events[(i + 1) % COUNT];
            events[i].into_iter().zip(next)
        });
        let sigma = if is_alike {
            let others = (events[1][0], events[1][1]);
            EventPermutation::from_pairs([others])
        } else {
            EventPermutation::from_pairs(turned)
        };
        let sigma = sigma.unwrap();
        let machine = compile(table, term, &OPTIONS).unwrap();
        let mut prover = Prover::for_machine(table, &OPTIONS, &machine, Start::Any);
        let verdict = prover.prove(term, &sigma, term).unwrap();
        assert!(verdict.is_ok(), "{:?}", verdict.unwrap_err().why);
        assert!(goals(&prover) < 5000, "{} goals", goals(&prover));
        let mut prover = Prover::new(table, &OPTIONS);
        assert!(prover.prove(term, &sigma, term).unwrap().is_ok());
        assert!(goals(&prover) < 5000, "{} goals", goals(&prover));
    }
}
