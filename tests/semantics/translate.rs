//! Translates processes of the oracle to terms of the engine; event `n` is `EventId(n)`.

use process::event::{EventId, EventSetId};
use process::table::DefinitionTable;
use process::term::{BufferShape, Definitions, Overflow, Term, TermId, Terms};

use crate::oracle::{Event, Full, P, Set};

/// The visible events of random processes.
pub(crate) const EVENTS: [(Event, &str); 4] = [(2, "a"), (3, "b"), (4, "c"), (5, "d")];

/// A process of the engine with the definitions it calls.
pub(crate) struct Case {
    pub(crate) table: DefinitionTable,
    pub(crate) term: TermId,
}

/// `process` and `definitions` as terms.
pub(crate) fn translate(definitions: &[P], process: &P) -> Case {
    let mut table = DefinitionTable::new();
    for (number, name) in EVENTS {
        assert_eq!(table.terms_mut().events.intern(name), EventId(number));
    }
    for (i, body) in definitions.iter().enumerate() {
        let body = term(&mut table, body);
        table.define(&call_name(i), body);
    }
    let term = term(&mut table, process);
    Case { table, term }
}

/// `first` as the case, and `second` as another term with its definitions.
pub(crate) fn translate_pair(definitions: &[P], first: &P, second: &P) -> (Case, TermId) {
    let mut case = translate(definitions, first);
    let second = term(&mut case.table, second);
    (case, second)
}

fn call_name(i: usize) -> String {
    format!("D{i}")
}

fn term(table: &mut DefinitionTable, process: &P) -> TermId {
    match process {
        P::Stop => build(table, Terms::stop),
        P::Skip => build(table, Terms::skip),
        P::Div => build(table, |t| t.intern(Term::Div)),
        P::Run(s) => over(table, s, Term::Run),
        P::Chaos(s) => over(table, s, Term::Chaos),
        P::Prefix(branches) => {
            let branches = branches
                .iter()
                .map(|(e, p)| (EventId(*e), term(table, p)))
                .collect();
            build(table, |t| t.prefix(branches))
        }
        P::External(ps) => nary(table, ps, Terms::external_choice),
        P::Internal(ps) => nary(table, ps, |t, ps| {
            t.internal_choice(ps).expect("an operand")
        }),
        P::Seq(ps) => nary(table, ps, Terms::sequential),
        P::Interrupt(p, q) => binary(table, p, q, Terms::interrupt),
        P::Sliding(p, q) => binary(table, p, q, Terms::sliding_choice),
        P::Exception(p, s, q) => {
            let s = set(table, s);
            binary(table, p, q, |t, p, q| t.exception(p, s, q))
        }
        P::SyncChoice(s, ps) => {
            let s = set(table, s);
            nary(table, ps, |t, ps| t.synchronising_choice(s, ps))
        }
        P::SyncInterrupt(p, s, q) => {
            let s = set(table, s);
            binary(table, p, q, |t, p, q| t.synchronising_interrupt(p, s, q))
        }
        P::Parallel(s, ps) => {
            let s = set(table, s);
            nary(table, ps, |t, ps| t.parallel(s, ps))
        }
        P::Alphabetised(ps) => {
            let ps = ps
                .iter()
                .map(|(s, p)| (set(table, s), term(table, p)))
                .collect();
            build(table, |t| t.alphabetised(ps))
        }
        P::Linked(p, ties, q) => binary(table, p, q, |t, p, q| t.linked(p, pairs(ties), q)),
        P::Hide(p, s) => unary(table, p, s, Terms::hide),
        P::Project(p, s) => unary(table, p, s, Terms::project),
        P::Rename(p, renaming) => {
            let p = term(table, p);
            build(table, |t| t.rename(p, pairs(renaming)))
        }
        P::Buffer(capacity, ports, full) => {
            let shape = buffer(*capacity, ports, *full);
            build(table, |t| t.buffer(shape))
        }
        P::Call(i) => table.call(&call_name(*i)),
    }
}

fn buffer(capacity: usize, ports: &[(Event, Event)], full: Full) -> BufferShape {
    BufferShape {
        capacity,
        pairs: pairs(ports),
        overflow: match full {
            Full::Refuse => Overflow::Refuse,
            Full::Signal(e) => Overflow::Signal(EventId(e)),
            Full::Status(e, f) => Overflow::Status(EventId(e), EventId(f)),
        },
    }
}

fn over(table: &mut DefinitionTable, s: &Set, make: fn(EventSetId) -> Term) -> TermId {
    let s = set(table, s);
    build(table, |t| t.intern(make(s)))
}

fn unary(
    table: &mut DefinitionTable,
    p: &P,
    s: &Set,
    make: impl FnOnce(&mut Terms, TermId, EventSetId) -> TermId,
) -> TermId {
    let (p, s) = (term(table, p), set(table, s));
    build(table, |t| make(t, p, s))
}

fn build(table: &mut DefinitionTable, make: impl FnOnce(&mut Terms) -> TermId) -> TermId {
    make(table.terms_mut())
}

fn nary(
    table: &mut DefinitionTable,
    ps: &[P],
    make: impl FnOnce(&mut Terms, Vec<TermId>) -> TermId,
) -> TermId {
    let ps = ps.iter().map(|p| term(table, p)).collect();
    make(table.terms_mut(), ps)
}

fn binary(
    table: &mut DefinitionTable,
    p: &P,
    q: &P,
    make: impl FnOnce(&mut Terms, TermId, TermId) -> TermId,
) -> TermId {
    let (p, q) = (term(table, p), term(table, q));
    make(table.terms_mut(), p, q)
}

fn set(table: &mut DefinitionTable, set: &Set) -> EventSetId {
    table
        .terms_mut()
        .events
        .intern_set(set.iter().map(|&e| EventId(e)).collect())
}

fn pairs(pairs: &[(Event, Event)]) -> Vec<(EventId, EventId)> {
    pairs
        .iter()
        .map(|&(from, to)| (EventId(from), EventId(to)))
        .collect()
}
