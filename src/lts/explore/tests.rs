//! Tests of exploration: sizes, sharing, and processes that grow.

use std::sync::Arc;

use pretty_assertions::assert_eq;

use super::{LeafLimits, explore};
use base::diag::{Result, Severity};
use base::source::{FileId, Span};
use process::event::{EventId, EventSetId};
use process::table::DefinitionTable;
use process::term::{CallId, Definitions, Term, TermId, Terms};
use process::watchdog::Watchdog;

fn event(table: &mut DefinitionTable, name: &str) -> EventId {
    table.terms_mut().events.intern(name)
}

/// Defines `name = events -> after`.
fn define_chain(table: &mut DefinitionTable, name: &str, events: &str, after: TermId) -> TermId {
    let body = events.split_whitespace().rev().fold(after, |after, e| {
        let e = event(table, e);
        table.terms_mut().prefix(vec![(e, after)])
    });
    table.define(name, body);
    table.call(name)
}

fn limits(states: usize) -> LeafLimits {
    LeafLimits::all(states)
}

#[test]
fn a_loop_closes() {
    let mut table = DefinitionTable::new();
    let p = table.call("P");
    define_chain(&mut table, "P", "a b c", p);
    let explored = explore(&mut table, p, &LeafLimits::default()).unwrap();
    assert_eq!(explored.lts.state_count(), 3);
    assert_eq!(explored.lts.transition_count(), 3);
    assert_eq!(explored.terms.len(), 3);
}

#[test]
fn names_of_one_body_share_a_state() {
    let mut table = DefinitionTable::new();
    let (p, q) = (table.call("P"), table.call("Q"));
    table.define("P", q);
    define_chain(&mut table, "Q", "a", p);
    let explored = explore(&mut table, p, &LeafLimits::default()).unwrap();
    assert_eq!(explored.lts.state_count(), 1);
}

#[test]
fn interleaving_multiplies() {
    let mut table = DefinitionTable::new();
    let p = table.call("P");
    define_chain(&mut table, "P", "a b", p);
    let all = table.terms_mut().interleave(vec![p; 10]);
    let explored = explore(&mut table, all, &LeafLimits::default()).unwrap();
    // `P` itself and its unfolded tail are the two states of each operand.
    assert_eq!(explored.lts.state_count(), 1 << 10);
}

#[test]
fn the_limit_is_inclusive() {
    let mut table = DefinitionTable::new();
    let p = table.call("P");
    define_chain(&mut table, "P", "a b c", p);
    assert!(explore(&mut table, p, &limits(3)).is_ok());
    let error = explore(&mut table, p, &limits(2)).unwrap_err();
    assert_eq!(
        error.message,
        "the process has more than 2 states, reached through `P`"
    );
}

#[test]
fn nesting_below_operators_is_noticed_early() {
    type Grow = fn(&mut Terms, TermId) -> TermId;
    let both: Grow = |terms, p| terms.interleave(vec![p, p]);
    // The most deeply nested operand is then the one that cannot grow.
    let before: Grow = |terms, p| {
        let b = terms.events.intern("b");
        let stop = terms.stop();
        let other = terms.prefix(vec![(b, stop)]);
        terms.interleave(vec![p, other])
    };
    let hidden: Grow = |terms, p| {
        let a = terms.events.intern("b");
        let set = terms.events.intern_set(vec![a]);
        terms.hide(p, set)
    };
    let then: Grow = |terms, p| {
        let stop = terms.stop();
        terms.sequential(vec![p, stop])
    };
    for grow in [both, before, hidden, then] {
        let mut table = DefinitionTable::new();
        let p = table.call("P");
        let grown = grow(table.terms_mut(), p);
        define_chain(&mut table, "P", "a", grown);
        let error = explore(&mut table, p, &limits(1_000_000)).unwrap_err();
        assert_eq!(
            (error.code, error.severity),
            ("growing-process", Severity::Undecided)
        );
        assert_eq!(
            error.message,
            "the process grows without end: `P` nests itself ever more deeply"
        );
        assert!(error.hint.unwrap().contains("--max-leaf-states"));
    }
}

#[test]
fn bounded_nesting_is_explored() {
    let mut table = DefinitionTable::new();
    let stop = table.terms_mut().stop();
    let mut last = stop;
    for n in 0..12 {
        let both = table.terms_mut().interleave(vec![last, stop]);
        last = define_chain(&mut table, &format!("P({n})"), "a b", both);
    }
    let explored = explore(&mut table, last, &limits(100)).unwrap();
    assert_eq!(explored.lts.state_count(), 25);
}

/// The definitions of `P(n) = a -> P(n + 1)`.
struct Counter(Terms);

impl Definitions for Counter {
    fn terms(&self) -> &Terms {
        &self.0
    }
    fn terms_mut(&mut self) -> &mut Terms {
        &mut self.0
    }
    fn body(&mut self, call: CallId) -> Result<TermId> {
        let next = self.0.intern(Term::Call(CallId(call.0 + 1)));
        let a = self.0.events.intern("a");
        Ok(self.0.prefix(vec![(a, next)]))
    }
    fn call_name(&self, call: CallId) -> String {
        format!("P({})", call.0)
    }
    fn definition_name(&self, _call: CallId) -> String {
        "P".into()
    }
    fn call_span(&self, _call: CallId) -> Option<Span> {
        Some(Span::new(FileId(0), 0, 1))
    }
}

#[test]
fn ever_new_arguments_are_named() {
    let mut counter = Counter(Terms::new());
    let start = counter.0.intern(Term::Call(CallId(0)));
    let error = explore(&mut counter, start, &limits(1000)).unwrap_err();
    let expected = "the process has more than 1000 states: `P` was called with 1001 different \
                    arguments: `P(0)`, `P(1)`, `P(2)`, ...";
    assert_eq!(error.message, expected);
    assert_eq!(error.labels.len(), 1);
}

#[test]
fn what_a_watchdog_follows_is_bounded() {
    // All events of P are internal to the watchdog, and P grows.
    let mut table = DefinitionTable::new();
    let p = table.call("P");
    let both = table.terms_mut().interleave(vec![p, p]);
    define_chain(&mut table, "P", "a", both);
    let alphabet = table.terms_mut().events.intern_set(Vec::new());
    let watchdog = watchdog(&mut table, p, alphabet);
    let error = explore(&mut table, watchdog, &limits(10_000)).unwrap_err();
    assert_eq!(
        (error.code, error.severity),
        ("growing-process", Severity::Undecided)
    );
    assert!(error.message.contains("`P`"), "{}", error.message);
}

#[test]
fn a_watchdog_may_lead_back_to_itself_after_an_event_it_watches() {
    // Each is a state of the next: that grows, but each has its steps.
    let mut table = DefinitionTable::new();
    let p = table.call("P");
    let a = event(&mut table, "a");
    let alphabet = table.terms_mut().events.intern_set(vec![a]);
    let over_p = watchdog(&mut table, p, alphabet);
    define_chain(&mut table, "P", "a", over_p);
    let error = explore(&mut table, p, &limits(10_000)).unwrap_err();
    assert_eq!(error.code, "growing-process");
    // If the event is not watched, they are one watchdog.
    let mut table = DefinitionTable::new();
    let p = table.call("P");
    let alphabet = table.terms_mut().events.intern_set(Vec::new());
    let over_p = watchdog(&mut table, p, alphabet);
    define_chain(&mut table, "P", "a", over_p);
    let error = explore(&mut table, p, &limits(10_000)).unwrap_err();
    assert_eq!(error.code, "unguarded-recursion");
}

fn watchdog(table: &mut DefinitionTable, specification: TermId, alphabet: EventSetId) -> TermId {
    let bark = event(table, "bark");
    table.terms_mut().intern(Term::Watchdog(Arc::new(Watchdog {
        members: vec![specification],
        alphabet,
        bark,
        tests_refusals: false,
        demand: None,
    })))
}
