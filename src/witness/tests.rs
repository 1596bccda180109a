//! Paths that the replay accepts, and paths that it must not.

use super::*;
use crate::process::event::{EventId, TICK};
use crate::process::table::DefinitionTable;
use crate::refine::path::PathStep;

struct Fixture {
    table: DefinitionTable,
    a: EventId,
    b: EventId,
    specification: TermId,
    implementation: TermId,
}

/// `a -> STOP` against `((a -> b -> SKIP) ||| (b -> STOP)) \ {b}; a -> b -> STOP` with all `b` hidden in front.
fn fixture() -> Fixture {
    let mut table = DefinitionTable::new();
    let terms = table.terms_mut();
    let (a, b) = (terms.events.intern("a"), terms.events.intern("b"));
    let (stop, skip) = (terms.stop(), terms.skip());
    let specification = terms.prefix(vec![(a, stop)]);
    let b_skip = terms.prefix(vec![(b, skip)]);
    let left = terms.prefix(vec![(a, b_skip)]);
    let both = terms.interleave(vec![left, b_skip]);
    let set = terms.events.intern_set(vec![b]);
    let hidden = terms.hide(both, set);
    let b_stop = terms.prefix(vec![(b, stop)]);
    let implementation = terms.sequential(vec![hidden, b_stop]);
    Fixture { table, a, b, specification, implementation }
}

fn explained(labels: &[EventId]) -> Result<Counterexample> {
    let mut f = fixture();
    let step = |&label: &EventId| PathStep { label, origin: label };
    let (last, before) = labels.split_last().unwrap();
    let path = Path { steps: before.iter().map(step).collect(), violation: step(last) };
    explain(&mut f.table, f.specification, f.implementation, &path)
}

#[test]
fn runs_are_found_again_with_their_origins() {
    let f = fixture();
    let found = explained(&[TAU, f.a, TAU, TAU, f.b]).unwrap();
    assert_eq!(found.trace(), [f.a]);
    assert_eq!(found.violation.label, f.b);
    let origins: Vec<EventId> = found.steps.iter().map(|step| step.origin).collect();
    assert_eq!(origins, [f.b, f.a, f.b, TICK]);
}

#[test]
fn wrong_paths_are_internal_errors() {
    let f = fixture();
    for wrong in [
        vec![f.b],
        vec![f.a],
        vec![TAU],
        vec![f.a, TAU],
        vec![f.a, f.a],
        vec![TAU, TAU, f.a],
        vec![TAU, f.a, TAU, f.b],
        vec![f.a, TAU, TAU, TICK],
    ] {
        let error = explained(&wrong).unwrap_err();
        assert_eq!(error.code, "internal-replay", "{wrong:?}");
        assert_eq!(error.severity, crate::diag::Severity::Undecided);
    }
}
