//! Random terms over every operator.

#![allow(clippy::unwrap_used, reason = "a failure is a failed test")]

use std::sync::Arc;

use process::event::{EventId, EventSetId};
use process::priority::Priority;
use process::table::DefinitionTable;
use process::term::{Definitions, Term, TermId};

use crate::random::RandomNumbers;

/// Random terms over every operator, and two recursive processes.
pub struct Generator {
    random: RandomNumbers,
    /// The definitions of the terms so far.
    pub table: DefinitionTable,
    events: Vec<EventId>,
    /// True if some of the operators are priorities.
    has_priorities: bool,
}

impl Generator {
    /// The generator for `seed`.
    pub fn new(seed: u64) -> Self {
        let mut table = DefinitionTable::new();
        let events = ["a", "b", "c"]
            .map(|name| table.terms_mut().events.intern(name))
            .to_vec();
        let mut generator = Self {
            random: RandomNumbers(seed),
            table,
            events,
            has_priorities: false,
        };
        for name in ["P", "Q"] {
            let body = generator.recursive(name);
            generator.table.define(name, body);
        }
        generator
    }

    /// A generator of terms some of which have priorities.
    pub fn with_priorities(seed: u64) -> Self {
        Self {
            has_priorities: true,
            ..Self::new(seed)
        }
    }

    /// A random priority: a few levels, or a partial order.
    pub fn priority(&mut self) -> Arc<Priority> {
        let mut events = self.events.clone();
        for last in (1..events.len()).rev() {
            events.swap(last, self.random.below(last + 1));
        }
        let [x, y, z] = events[..] else {
            unreachable!("there are three events");
        };
        let over = |pairs: &[(EventId, EventId)], maximal: &[EventId]| {
            Priority::partial(&[x, y, z], pairs, maximal).unwrap()
        };
        Arc::new(match self.random.below(9) {
            0 => Priority::levels(&[vec![], vec![x, y, z]]),
            1 => Priority::levels(&[vec![], vec![x]]),
            2 => Priority::levels(&[vec![], vec![x], vec![y, z]]),
            3 => Priority::levels(&[vec![x], vec![y]]),
            4 => Priority::levels(&[vec![], vec![x], vec![y], vec![z]]),
            5 => over(&[(x, y), (x, z)], &[x]),
            6 => over(&[(x, z), (y, z)], &[x, y]),
            7 => over(&[(x, y)], &[x, z]),
            _ => over(&[(x, y), (y, z)], &[x]),
        })
    }

    /// A sequential process that may call `name` again.
    fn recursive(&mut self, name: &str) -> TermId {
        let again = self.table.call(name);
        let mut branches = vec![(self.event(), again)];
        for _ in 0..self.random.below(3) {
            let then = self.term(1, false);
            branches.push((self.event(), then));
        }
        self.table.terms_mut().prefix(branches)
    }

    fn event(&mut self) -> EventId {
        self.events[self.random.below(3)]
    }

    /// A random set of events.
    pub fn set(&mut self) -> EventSetId {
        let chosen = (0..self.random.below(3)).map(|_| self.event()).collect();
        self.table.terms_mut().events.intern_set(chosen)
    }

    fn terms(&mut self, depth: usize, parallels: bool) -> Vec<TermId> {
        (0..2 + self.random.below(2))
            .map(|_| self.term(depth, parallels))
            .collect()
    }

    /// A random term of depth `depth`, with or without parallels.
    pub fn term(&mut self, depth: usize, parallels: bool) -> TermId {
        let term = self.unprioritised(depth, parallels);
        if !self.has_priorities || depth == 0 || self.random.below(5) > 1 {
            return term;
        }
        let priority = self.priority();
        self.table.terms_mut().prioritise(term, &priority)
    }

    fn unprioritised(&mut self, depth: usize, parallels: bool) -> TermId {
        if depth == 0 {
            let call = ["P", "Q"][self.random.below(2)];
            let event = self.event();
            let set = self.set();
            let terms = self.table.terms_mut();
            let (stop, skip) = (terms.stop(), terms.skip());
            return match self.random.below(9) {
                0 => stop,
                1 | 2 => skip,
                3 | 4 => self.table.call(call),
                5 => self.table.terms_mut().intern(Term::Chaos(set)),
                6 => self.table.terms_mut().intern(Term::Run(set)),
                7 => self.table.terms_mut().prefix(vec![(event, stop)]),
                _ => self.table.terms_mut().prefix(vec![(event, skip)]),
            };
        }
        let d = depth - 1;
        let (p, q) = (self.term(d, parallels), self.term(d, parallels));
        let set = self.set();
        let (x, y) = (self.event(), self.event());
        let several = self.terms(d.min(1), parallels);
        let alphabets: Vec<(EventSetId, TermId)> =
            several.iter().map(|&p| (self.set(), p)).collect();
        let choice = self.random.below(if parallels { 17 } else { 13 });
        let terms = self.table.terms_mut();
        match choice {
            0 => terms.prefix(vec![(x, p), (y, q)]),
            1 => terms.external_choice(vec![p, q]),
            2 => terms.internal_choice(several).unwrap(),
            3 => terms.sequential(vec![p, q]),
            4 => terms.interrupt(p, q),
            5 => terms.sliding_choice(p, q),
            6 => terms.exception(p, set, q),
            7 => terms.synchronising_choice(set, several),
            8 => terms.synchronising_interrupt(p, set, q),
            9 => terms.hide(p, set),
            10 => terms.project(p, set),
            11 => terms.rename(p, vec![(x, y), (x, x)]),
            12 => terms.external_choice(several),
            13 => terms.parallel(set, several),
            14 => terms.alphabetised(alphabets),
            15 => terms.linked(p, vec![(x, y)], q),
            _ => terms.interleave(vec![p, q]),
        }
    }
}
