//! Failures and divergences of a process, straight from their definitions: the remainders of the
//! process after each trace, independent of the way there.
//!
//! # The model
//!
//! The denotation of a process has three parts, which together are a congruence for finite-state
//! processes (Valmari and Tienari, *An improved failures equivalence for finite-state systems with
//! a reduction algorithm*, 1991): its traces; its stable failures; and the traces after which it
//! may diverge, *without* the usual closure under extension. Both models of the checker are read
//! off it: stable failures forget the third part, and failures–divergences closes it (Roscoe,
//! *Understanding Concurrent Systems*, 10.4 and 12.2).
//!
//! A denotation is infinite but regular, so it is kept as a tree of the behaviour after each trace,
//! with equal subtrees drawn once: a [`Number`] stands for "the process after the trace `s`", and
//! [`Denotation`] is its immediate behaviour. A refusal set is given by its complement, an
//! acceptance; only minimal ones are kept, because refusals are closed under subset.
//!
//! # Why it is exact
//!
//! An equation for an operator makes its behaviours from behaviours of its operands. So `P ⊕ Q`
//! after `s` is a *set* of [`Remainder`]s, one for each way to divide `s` among the operands; each
//! holds operands by number, that is, by *their* denotation after their part of `s`
//! (`operators.rs`). There are finitely many numbers for a regular operand, so finitely many
//! remainders and sets of them: everything is computed to the end, without a bound on the length of
//! traces.
//!
//! Silent moves between remainders arise in two ways only: a hidden event, and the ✓ before `;`. An
//! infinite sequence of hidden events is a cycle of silent moves, as there are finitely many
//! remainders; and conversely a cycle is an infinite trace of the operand, all hidden, which a
//! finite-state operand can do in full when it can do all its prefixes. So `P \ A` diverges exactly
//! where the operand does or where there is such a cycle.
//!
//! # Termination
//!
//! If ✓ is an event, the equations are complete. If it is a signal, a process that can do it may
//! refuse everything else: `{✓}` is an acceptance wherever ✓ is possible.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::oracle::{Event, P, Set, TICK, Termination};
use crate::remainder::Remainder;

/// A process after a trace, by number: equal numbers, equal denotations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Number(usize);

/// All ways in which a trace may have been divided among the operands.
pub(crate) type Remainders = BTreeSet<Remainder>;

/// The observations of a process after a trace.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Denotation {
    /// The processes after one more event.
    pub(crate) after: BTreeMap<Event, Number>,
    /// The minimal complements of refusal sets; empty if the process is never stable.
    pub(crate) acceptances: BTreeSet<Set>,
    /// True if it may diverge before any event.
    pub(crate) diverges: bool,
}

/// The contribution of one remainder to the denotation, before silent moves are followed.
#[derive(Default)]
pub(crate) struct Clause {
    pub(crate) silent: Remainders,
    pub(crate) after: Vec<(Event, Remainders)>,
    pub(crate) acceptances: Vec<Set>,
    pub(crate) diverges: bool,
}

/// The case is too large.
#[derive(Debug)]
pub(crate) struct TooLarge;

/// The number of remainders that are looked at for one case.
const ALLOWED_WORK: usize = 6_000;

/// Denotations computed so far, of processes that call one list of definitions.
pub(crate) struct Denotations<'a> {
    pub(crate) definitions: &'a [P],
    pub(crate) termination: Termination,
    numbers: BTreeMap<Remainders, Number>,
    remainders: Vec<Rc<Remainders>>,
    known: Vec<Option<Rc<Denotation>>>,
    work: usize,
}

impl<'a> Denotations<'a> {
    /// The denotations of processes that call `definitions`, each of which begins with a prefix.
    pub(crate) fn new(definitions: &'a [P], termination: Termination) -> Self {
        Self {
            definitions,
            termination,
            numbers: BTreeMap::new(),
            remainders: Vec::new(),
            known: Vec::new(),
            work: 0,
        }
    }

    /// `process` after the empty trace.
    pub(crate) fn of(&mut self, process: &P) -> Number {
        let start = self.start(process);
        self.number(start)
    }

    /// The number of the process that may be any of `remainders`.
    pub(crate) fn number(&mut self, remainders: Remainders) -> Number {
        if let Some(&number) = self.numbers.get(&remainders) {
            return number;
        }
        let number = Number(self.known.len());
        self.numbers.insert(remainders.clone(), number);
        self.remainders.push(Rc::new(remainders));
        self.known.push(None);
        number
    }

    /// The remainders that `number` stands for.
    pub(crate) fn remainders(&self, number: Number) -> Remainders {
        (*self.remainders[number.0]).clone()
    }

    /// The observations of `number`.
    pub(crate) fn denotation(&mut self, number: Number) -> Result<Rc<Denotation>, TooLarge> {
        if let Some(known) = &self.known[number.0] {
            return Ok(known.clone());
        }
        let denotation = Rc::new(self.compute(number)?);
        self.known[number.0] = Some(denotation.clone());
        Ok(denotation)
    }

    /// The union of the clauses of all remainders that silent moves lead to.
    fn compute(&mut self, number: Number) -> Result<Denotation, TooLarge> {
        let mut open: Vec<Remainder> = self.remainders(number).into_iter().collect();
        let mut silent: BTreeMap<Remainder, Remainders> = BTreeMap::new();
        let mut after: BTreeMap<Event, Remainders> = BTreeMap::new();
        let mut denotation = Denotation::default();
        while let Some(remainder) = open.pop() {
            if silent.contains_key(&remainder) {
                continue;
            }
            self.work += 1;
            if self.work > ALLOWED_WORK {
                return Err(TooLarge);
            }
            let clause = self.clause(&remainder)?;
            denotation.diverges |= clause.diverges;
            denotation.acceptances.extend(clause.acceptances);
            for (event, rest) in clause.after {
                after.entry(event).or_default().extend(rest);
            }
            open.extend(clause.silent.iter().cloned());
            silent.insert(remainder, clause.silent);
        }
        if self.termination == Termination::Signal && after.contains_key(&TICK) {
            denotation.acceptances.insert(Set::from([TICK]));
        }
        denotation.acceptances = minimal(&denotation.acceptances);
        denotation.diverges |= has_cycle(silent);
        let numbered = after.into_iter().map(|(e, rest)| (e, self.number(rest)));
        denotation.after = numbered.collect();
        Ok(denotation)
    }
}

/// The members of `sets` that contain no other.
pub(crate) fn minimal(sets: &BTreeSet<Set>) -> BTreeSet<Set> {
    let has_smaller = |set: &Set| sets.iter().any(|s| s != set && s.is_subset(set));
    sets.iter()
        .filter(|set| !has_smaller(set))
        .cloned()
        .collect()
}

/// True if moves can go on for ever. Remainders without moves are removed until nothing changes.
fn has_cycle(mut moves: BTreeMap<Remainder, Remainders>) -> bool {
    loop {
        let ends = |rest: &Remainders, all: &BTreeMap<Remainder, Remainders>| {
            !rest.iter().any(|remainder| all.contains_key(remainder))
        };
        let left: BTreeMap<_, _> = moves
            .iter()
            .filter(|(_, rest)| !ends(rest, &moves))
            .map(|(remainder, rest)| (remainder.clone(), rest.clone()))
            .collect();
        if left.len() == moves.len() {
            return !left.is_empty();
        }
        moves = left;
    }
}
