//! The steps of small terms, written as text: one test for each rule.

use std::sync::Arc;

use pretty_assertions::assert_eq;

use super::focus::Focused;
use super::{head, steps};
use crate::event::{EventId, EventSetId};
use crate::operator::Operator;
use crate::table::DefinitionTable;
use crate::term::{BufferShape, Definitions, Overflow, Term, TermId};
use crate::watchdog::Watchdog;
use base::diag::Severity;

/// A table with the events `a`, `b`, `c`, and short ways of building terms.
struct Fixture {
    table: DefinitionTable,
}

impl Fixture {
    fn new() -> Self {
        let mut table = DefinitionTable::new();
        for name in ["a", "b", "c", "d"] {
            table.terms_mut().events.intern(name);
        }
        Self { table }
    }

    fn event(&self, name: &str) -> EventId {
        self.table.terms().events.find(name).unwrap()
    }

    fn set(&mut self, names: &str) -> EventSetId {
        let events = names
            .split_whitespace()
            .map(|name| self.event(name))
            .collect();
        self.table.terms_mut().events.intern_set(events)
    }

    /// Prefixes of one event each, the last one before `SKIP`.
    fn chain(&mut self, names: &str) -> TermId {
        let skip = self.table.terms_mut().skip();
        names.split_whitespace().rev().fold(skip, |after, name| {
            let event = self.event(name);
            self.table.terms_mut().prefix(vec![(event, after)])
        })
    }

    fn pair(&self, from: &str, to: &str) -> (EventId, EventId) {
        (self.event(from), self.event(to))
    }

    /// Checks the steps of `term`: `label` or `label/origin` of each, with the term after it.
    fn shows(&mut self, term: TermId, expected: &[&str]) {
        let steps = steps(&mut self.table, term).unwrap();
        let shown: Vec<String> = steps
            .iter()
            .map(|step| {
                let events = &self.table.terms().events;
                let label = events.name(step.label);
                let origin = events.name(step.origin);
                let label = if label == origin {
                    label.into()
                } else {
                    format!("{label}/{origin}")
                };
                format!("{label} -> {}", self.show(step.target))
            })
            .collect();
        assert_eq!(shown, expected);
    }

    fn show(&self, term: TermId) -> String {
        let list = |ps: &[TermId], op: &str| {
            let shown: Vec<String> = ps.iter().map(|&p| self.show(p)).collect();
            format!("({})", shown.join(op))
        };
        match self.table.terms().get(term) {
            Term::Stop => "STOP".into(),
            Term::Skip => "SKIP".into(),
            Term::Omega => "Ω".into(),
            Term::Call(call) => self.table.call_name(*call),
            Term::Prefix(branches) => {
                let name = |e: EventId| self.table.terms().events.name(e).to_string();
                let all: Vec<String> = branches.iter().map(|&(e, _)| name(e)).collect();
                all.join("|")
            }
            Term::Over(operator, ps) => match operator {
                Operator::Choice(None) => list(ps, " [] "),
                Operator::Choice(Some(_)) => list(ps, " [+] "),
                Operator::Parallel(_) | Operator::Alphabetised(_) => list(ps, " || "),
                Operator::Linked(_) => list(ps, " <-> "),
                Operator::Sequential => list(ps, " ; "),
                Operator::Interrupt(_) => list(ps, " /\\ "),
                Operator::SlidingChoice => list(ps, " [> "),
                Operator::Exception(_) => list(ps, " |> "),
                Operator::Hide(_) => list(ps, "") + "\\",
                Operator::Project(_) => list(ps, "") + "|\\",
                Operator::Rename(_) => list(ps, "") + "[[]]",
                other => format!("{other:?}"),
            },
            Term::Buffer(_, held) => {
                let names = held.iter().map(|&e| self.table.terms().events.name(e));
                format!("<{}>", names.collect::<Vec<_>>().join(","))
            }
            other => format!("{other:?}"),
        }
    }

    fn intern(&mut self, term: Term) -> TermId {
        self.table.terms_mut().intern(term)
    }

    fn over(&mut self, operator: Operator, operands: impl AsRef<[TermId]>) -> TermId {
        self.table.terms_mut().over(operator, operands)
    }
}

#[test]
fn constants() {
    let f = &mut Fixture::new();
    let set = f.set("a b");
    for (term, expected) in [
        (Term::Stop, &[][..]),
        (Term::Omega, &[]),
        (Term::Skip, &["✓ -> Ω"]),
        (Term::Div, &["τ -> Div"]),
        (
            Term::Run(set),
            &["a -> Run(EventSetId(0))", "b -> Run(EventSetId(0))"],
        ),
        (Term::Chaos(set), &["τ -> STOP", "τ -> a|b"]),
    ] {
        let term = f.intern(term);
        f.shows(term, expected);
    }
}

#[test]
fn prefix_and_choices() {
    let f = &mut Fixture::new();
    let (a, b, skip) = (f.chain("a b"), f.chain("b c"), f.chain(""));
    f.shows(a, &["a -> b"]);
    let internal = f.intern(Term::InternalChoice([a, b].into()));
    f.shows(internal, &["τ -> a", "τ -> b"]);
    let external = f.over(Operator::Choice(None), [internal, skip]);
    f.shows(
        external,
        &["τ -> (a [] SKIP)", "τ -> (b [] SKIP)", "✓ -> Ω"],
    );
    let resolved = f.over(Operator::Choice(None), [a, b]);
    f.shows(resolved, &["a -> b", "b -> c"]);
    let sliding = f.over(Operator::SlidingChoice, [internal, skip]);
    f.shows(
        sliding,
        &["τ -> SKIP", "τ -> (a [> SKIP)", "τ -> (b [> SKIP)"],
    );
}

#[test]
fn handing_over() {
    let f = &mut Fixture::new();
    let (a, b, skip) = (f.chain("a a"), f.chain("b"), f.chain(""));
    let seq = f.over(Operator::Sequential, [a, b]);
    f.shows(seq, &["a -> (a ; b)"]);
    let seq = f.over(Operator::Sequential, [skip, b]);
    f.shows(seq, &["τ/✓ -> b"]);
    let interrupt = f.over(Operator::Interrupt(None), [a, b]);
    f.shows(interrupt, &["a -> (a /\\ b)", "b -> SKIP"]);
    let interrupt = f.over(Operator::Interrupt(None), [skip, b]);
    f.shows(interrupt, &["✓ -> Ω", "b -> SKIP"]);
    let set = f.set("a");
    let exception = f.over(Operator::Exception(set), [a, b]);
    f.shows(exception, &["a -> b"]);
    let set = f.set("b");
    let exception = f.over(Operator::Exception(set), [a, b]);
    f.shows(exception, &["a -> (a |> b)"]);
}

#[test]
fn synchronising_forms() {
    let f = &mut Fixture::new();
    let (p, q) = (f.chain("a b"), f.chain("a c"));
    let set = f.set("a");
    let choice = f.over(Operator::Choice(Some(set)), [p, q]);
    f.shows(choice, &["a -> (b [+] c)"]);
    let (b, c, skip) = (f.chain("b"), f.chain("c"), f.chain(""));
    let choice = f.over(Operator::Choice(Some(set)), [b, c, skip]);
    f.shows(choice, &["✓ -> Ω", "b -> SKIP", "c -> SKIP"]);
    let interrupt = f.over(Operator::Interrupt(Some(set)), [p, q]);
    f.shows(interrupt, &["a -> (b /\\ c)"]);
    let interrupt = f.over(Operator::Interrupt(Some(set)), [b, c]);
    f.shows(interrupt, &["b -> (SKIP /\\ c)", "c -> SKIP"]);
    let interrupt = f.over(Operator::Interrupt(Some(set)), [p, c]);
    f.shows(interrupt, &["c -> SKIP"]);
}

#[test]
fn parallel_forms() {
    let f = &mut Fixture::new();
    let (p, q, skip) = (f.chain("a b"), f.chain("a c"), f.chain(""));
    let (none, a, ab) = (f.set(""), f.set("a"), f.set("a b"));
    let interleaved = f.over(Operator::Parallel(none), [p, q]);
    f.shows(interleaved, &["a -> (b || a)", "a -> (a || c)"]);
    let shared = f.over(Operator::Parallel(a), [p, q]);
    f.shows(shared, &["a -> (b || c)"]);
    let half = f.over(Operator::Parallel(none), [p, skip]);
    f.shows(half, &["a -> (b || SKIP)"]);
    let done = f.over(Operator::Parallel(a), [skip, skip, skip]);
    f.shows(done, &["✓ -> Ω"]);
    let b = f.chain("b");
    let alphabets = f.over(Operator::Alphabetised([ab, a].into()), [b, q]);
    f.shows(alphabets, &["b -> (SKIP || a)"]);
    let alphabets = f.over(Operator::Alphabetised([ab, a].into()), [p, b]);
    f.shows(alphabets, &[]);
    let ties = [f.pair("a", "b")];
    let linked = f.over(Operator::Linked(ties.into()), [p, b]);
    f.shows(linked, &["τ/a -> (b <-> SKIP)"]);
    let linked = f.over(Operator::Linked(ties.into()), [b, q]);
    f.shows(linked, &["a -> (b <-> c)", "b -> (SKIP <-> a)"]);
}

#[test]
fn relabelling_keeps_the_origin() {
    let f = &mut Fixture::new();
    let (p, a, bc) = (f.chain("a b"), f.set("a"), f.set("b c"));
    let hidden = f.over(Operator::Hide(a), [p]);
    f.shows(hidden, &["τ/a -> (b)\\"]);
    let projected = f.over(Operator::Project(bc), [p]);
    f.shows(projected, &["τ/a -> (b)|\\"]);
    let pairs = [f.pair("a", "b"), f.pair("a", "c")];
    let renamed = f.over(Operator::Rename(pairs.into()), [p]);
    f.shows(renamed, &["b/a -> (b)[[]]", "c/a -> (b)[[]]"]);
    let b = f.chain("b");
    let both = f.over(Operator::Alphabetised([bc, bc].into()), [renamed, b]);
    f.shows(both, &["b/a -> ((b)[[]] || SKIP)"]);
}

#[test]
fn buffers() {
    let f = &mut Fixture::new();
    for (overflow, empty, full) in [
        (Overflow::Refuse, &["a -> <b>"][..], &["b -> <>"][..]),
        (
            Overflow::Signal(EventId(5)),
            &["a -> <b>"],
            &["a -> d", "b -> <>"],
        ),
        (
            Overflow::Status(EventId(5), EventId(4)),
            &["a -> <b>", "c -> <>"],
            &["b -> <>", "d -> <b>"],
        ),
    ] {
        let shape = BufferShape {
            capacity: 1,
            pairs: vec![f.pair("a", "b")],
            overflow,
        };
        let shape = Arc::new(shape);
        let term = f.intern(Term::Buffer(shape.clone(), [].into()));
        f.shows(term, empty);
        let held = [f.event("b")].into();
        let term = f.intern(Term::Buffer(shape, held));
        f.shows(term, full);
    }
}

#[test]
fn recursion_closes() {
    let f = &mut Fixture::new();
    let p = f.table.call("P");
    let q = f.table.call("Q");
    let a = f.event("a");
    let body = f.table.terms_mut().prefix(vec![(a, p)]);
    f.table.define("P", q);
    f.table.define("Q", body);
    assert_eq!(head(&mut f.table, p).unwrap(), body);
    f.shows(p, &["a -> P"]);
}

#[test]
fn unguarded_recursion_is_an_error() {
    let stop_or = |f: &mut Fixture, p: TermId| {
        let a = f.chain("a");
        f.table.terms_mut().external_choice(vec![p, a])
    };
    type Body = fn(&mut Fixture, TermId) -> TermId;
    let itself: Body = |_, p| p;
    let seq: Body = |f, p| {
        let a = f.chain("a");
        f.over(Operator::Sequential, [p, a])
    };
    for body in [itself, stop_or, seq] {
        let f = &mut Fixture::new();
        let p = f.table.call("P");
        let body = body(f, p);
        f.table.define("P", body);
        let error = steps(&mut f.table, p).unwrap_err();
        assert_eq!(error.code, "unguarded-recursion");
        assert_eq!(error.severity, Severity::Error);
        assert_eq!(error.message, "`P` calls itself before it does any event");
    }
}

#[test]
fn a_deep_term_does_not_overflow_the_stack() {
    let f = &mut Fixture::new();
    let set = f.set("b");
    let a = f.chain("a");
    let other = f.set("c");
    let deep = (0..200_000).fold(a, |p, i| {
        f.over(Operator::Hide(if i % 2 == 0 { set } else { other }), [p])
    });
    assert_eq!(steps(&mut f.table, deep).unwrap().len(), 1);
}

#[test]
fn a_watchdog_can_be_asked_again_after_an_error() {
    let mut table = DefinitionTable::new();
    let missing = table.call("MISSING");
    let terms = table.terms_mut();
    let [a, bark] = ["a", "bark"].map(|name| terms.events.intern(name));
    let watchdog = Watchdog {
        members: vec![missing],
        alphabet: terms.events.intern_set(vec![a]),
        bark,
        tests_refusals: false,
        demand: None,
    };
    let term = terms.intern(Term::Watchdog(watchdog.into()));
    let mut focused = Focused::new();
    for _ in 0..2 {
        let problem = focused.steps(&mut table, term, None, None).unwrap_err();
        assert_eq!(problem.code, "unknown-name");
    }
}
