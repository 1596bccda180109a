//! Histories that the replay accepts, and histories that it must reject.

use super::*;
use crate::tests::made_up_path;
use lts::explore::LeafLimits;
use process::event::EventId;
use process::table::DefinitionTable;

const OPTIONS: CompileOptions = CompileOptions::new(LeafLimits::all(1000));

struct Fixture {
    table: DefinitionTable,
    a: EventId,
    b: EventId,
    d: EventId,
    /// `a -> b -> STOP |~| (a -> c -> STOP [] d -> STOP)`
    straight: TermId,
    /// `straight` with b and c exchanged.
    crossed: TermId,
}

fn fixture() -> Fixture {
    let mut table = DefinitionTable::new();
    let terms = table.terms_mut();
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| terms.events.intern(name));
    let stop = terms.stop();
    let mut system = |first, second| {
        let [first, second] = [first, second].map(|event| terms.prefix(vec![(event, stop)]));
        let alone = terms.prefix(vec![(a, first)]);
        let beside = terms.prefix(vec![(a, second), (d, stop)]);
        terms.internal_choice(vec![alone, beside])
    };
    let straight = system(b, c).expect("it has operands");
    let crossed = system(c, b).expect("it has operands");
    Fixture {
        table,
        a,
        b,
        d,
        straight,
        crossed,
    }
}

/// The result of replaying the history in which `rest` was seen before a.
fn explained(
    f: &mut Fixture,
    model: Model,
    rest: Option<&[EventId]>,
    missing: Missing,
) -> Result<Refutation> {
    let step = ObservedStep {
        rest: rest.map(<[EventId]>::to_vec),
        event: f.a,
    };
    let history = History {
        steps: vec![step],
        missing,
    };
    // A run that leads elsewhere is of no use, and does no harm.
    let path = made_up_path(&[TAU, f.d]);
    let guide = FoundPath::new(None, &path);
    let sides = (f.crossed, f.straight);
    explain_history(&mut f.table, sides, model, &history, guide, &OPTIONS)
}

#[test]
fn what_was_seen_at_rest_is_shown_with_its_place() {
    let mut f = fixture();
    let (model, rest, missing) = (Model::RefusalTesting, vec![f.a], Missing::Event(f.b));
    let found = explained(&mut f, model, Some(&rest), missing).expect("it is one");
    assert_eq!(found.trace(), [f.a]);
    assert_eq!(found.event(), Some(f.b));
    assert_eq!(found.rests, Some(vec![(1, rest)]));
}

#[test]
fn histories_that_refute_nothing_are_internal_errors() {
    let f = fixture();
    let (a, b, d) = (f.a, f.b, f.d);
    let revival = Missing::Revival {
        offers: vec![b],
        event: b,
    };
    let wrong = [
        // Without the rest the specification can do it.
        (None, Missing::Event(b)),
        (None, Missing::Refusal(vec![b])),
        (None, revival),
        // The implementation does not come to rest like this, or does something else from there.
        (Some(vec![a, b]), Missing::Event(b)),
        (Some(vec![a, d]), Missing::Event(b)),
        (Some(vec![d]), Missing::Event(b)),
        (Some(vec![a]), Missing::Event(d)),
        (Some(vec![a]), Missing::Divergence),
    ];
    for model in [Model::RefusalTesting, Model::RevivalsDivergences] {
        for (rest, missing) in wrong.clone() {
            let error = explained(&mut fixture(), model, rest.as_deref(), missing.clone());
            let code = error.expect_err("it is none").code;
            assert_eq!(code, "internal-replay", "{rest:?} {missing:?}");
        }
    }
}

#[test]
fn a_specification_that_diverges_allows_everything() {
    let mut f = fixture();
    let terms = f.table.terms_mut();
    let div = terms.intern(process::term::Term::Div);
    f.crossed = terms.prefix(vec![(f.a, div)]);
    let rest = [f.a];
    let event = Missing::Event(f.b);
    let model = Model::RefusalTestingDivergences;
    let error = explained(&mut f, model, Some(&rest), event.clone()).expect_err("it is none");
    assert_eq!(error.code, "internal-replay");
    let model = Model::RefusalTesting;
    assert!(explained(&mut f, model, Some(&rest), event).is_ok());
}
