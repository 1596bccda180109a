//! A second opinion for the denotational oracle: the operational rules of the operators, as Roscoe
//! states them, with failures and divergences observed on the graph that they make.
//!
//! The rules are those of *Understanding Concurrent Systems*, chapter 9. If ✓ is a signal, they are
//! taken literally: an operand of a parallel that can terminate does so on its own and silently,
//! and becomes Ω. If ✓ is an event, both operands do it together. Built-in buffers are left out.

use std::collections::{BTreeMap, BTreeSet};

use crate::denotation::minimal;
use crate::oracle::{Event, P, Set, TICK, Termination};

const TAU: Event = 0;

/// A terminated process.
const OMEGA: P = P::Call(usize::MAX);

/// The observations of a set of states: the events with their targets, minimal acceptances,
/// divergence.
pub(crate) struct Seen {
    pub(crate) after: BTreeMap<Event, BTreeSet<usize>>,
    pub(crate) acceptances: BTreeSet<Set>,
    pub(crate) diverges: bool,
}

/// The states and steps of a process.
pub(crate) struct Graph {
    termination: Termination,
    steps: Vec<Vec<(Event, usize)>>,
    diverging: Vec<bool>,
}

impl Graph {
    /// The graph of `process`, with the initial state first; none if it has more than `limit`
    /// states.
    pub(crate) fn of(
        definitions: &[P],
        process: &P,
        termination: Termination,
        limit: usize,
    ) -> Option<Graph> {
        let rules = Rules {
            definitions,
            termination,
        };
        let mut numbers = BTreeMap::from([(process.clone(), 0)]);
        let mut open = vec![process.clone()];
        let mut steps = Vec::new();
        while steps.len() < open.len() {
            let mut row = Vec::new();
            for (event, target) in rules.steps(&open[steps.len()].clone()) {
                let next = numbers.len();
                let number = *numbers.entry(target.clone()).or_insert(next);
                if number == next {
                    open.push(target);
                }
                row.push((event, number));
            }
            steps.push(row);
            if open.len() > limit {
                return None;
            }
        }
        let diverging = diverging(&steps);
        Some(Graph {
            termination,
            steps,
            diverging,
        })
    }

    /// The steps of each state.
    pub(crate) fn rows(&self) -> &[Vec<(Event, usize)>] {
        &self.steps
    }

    /// The observations of a process that may be in any of `states`.
    pub(crate) fn seen(&self, states: &BTreeSet<usize>) -> Seen {
        let mut closure = states.clone();
        let mut open: Vec<usize> = states.iter().copied().collect();
        let mut seen = Seen {
            after: BTreeMap::new(),
            acceptances: BTreeSet::new(),
            diverges: false,
        };
        while let Some(state) = open.pop() {
            seen.diverges |= self.diverging[state];
            let row = &self.steps[state];
            let offered: Set = row.iter().map(|step| step.0).collect();
            for &(event, target) in row {
                if event != TAU {
                    seen.after.entry(event).or_default().insert(target);
                } else if closure.insert(target) {
                    open.push(target);
                }
            }
            if self.termination == Termination::Signal && offered.contains(&TICK) {
                seen.acceptances.insert(Set::from([TICK]));
            } else if !offered.contains(&TAU) {
                seen.acceptances.insert(offered);
            }
        }
        seen.acceptances = minimal(&seen.acceptances);
        seen
    }
}

/// The states from which τ can go on for ever.
fn diverging(steps: &[Vec<(Event, usize)>]) -> Vec<bool> {
    let mut diverging = vec![true; steps.len()];
    loop {
        let before = diverging.clone();
        for (state, row) in steps.iter().enumerate() {
            diverging[state] &= row.iter().any(|&(e, target)| e == TAU && before[target]);
        }
        if diverging == before {
            return diverging;
        }
    }
}

type Steps = Vec<(Event, P)>;

/// The operational rules.
#[derive(Clone, Copy)]
struct Rules<'a> {
    definitions: &'a [P],
    termination: Termination,
}

impl Rules<'_> {
    /// The steps of `process`.
    fn steps(self, process: &P) -> Steps {
        let steps = |p: &P| self.steps(p);
        let own = |e: Event| (e, process.clone());
        match process {
            P::Stop => Vec::new(),
            P::Skip => vec![(TICK, OMEGA)],
            P::Div => vec![own(TAU)],
            P::Run(set) => set.iter().map(|&e| own(e)).collect(),
            P::Chaos(set) => {
                // STOP |~| ([] x : A @ x -> CHAOS(A)), as the book defines it.
                let offers = P::Prefix(set.iter().map(|&e| own(e)).collect());
                vec![(TAU, P::Stop), (TAU, offers)]
            }
            P::Prefix(branches) => branches.clone(),
            P::Internal(ps) => ps.iter().map(|p| (TAU, p.clone())).collect(),
            P::External(ps) => self.choice(&Set::new(), ps),
            P::SyncChoice(set, ps) => self.choice(set, ps),
            P::Seq(ps) => self.sequence(ps),
            P::Sliding(p, q) => self.sliding(p, q),
            P::Interrupt(p, q) => self.interrupt(p, &Set::new(), q),
            P::SyncInterrupt(p, set, q) => self.interrupt(p, set, q),
            P::Exception(p, set, q) => mapped(steps(p), |e, p| match set.contains(&e) {
                true => (e, (**q).clone()),
                false if e == TICK => (e, p),
                false => (e, P::Exception(Box::new(p), set.clone(), q.clone())),
            }),
            P::Parallel(set, ps) => self.synchronised(set, ps),
            P::Alphabetised(ps) => self.alphabetised(ps),
            P::Linked(p, ties, q) => self.linked(p, ties, q),
            P::Hide(p, set) => mapped(steps(p), |e, p| match e {
                TICK => (TICK, p),
                _ if set.contains(&e) => (TAU, P::Hide(Box::new(p), set.clone())),
                _ => (e, P::Hide(Box::new(p), set.clone())),
            }),
            P::Project(p, set) => mapped(steps(p), |e, p| match e {
                TICK => (TICK, p),
                _ if set.contains(&e) => (e, P::Project(Box::new(p), set.clone())),
                _ => (TAU, P::Project(Box::new(p), set.clone())),
            }),
            P::Rename(p, pairs) => self.renamed(p, pairs),
            P::Buffer(..) => panic!("buffers are left out"),
            P::Call(usize::MAX) => Vec::new(),
            P::Call(i) => steps(&self.definitions[*i]),
        }
    }

    fn sequence(self, ps: &[P]) -> Steps {
        match ps.split_first() {
            None => vec![(TICK, OMEGA)],
            Some((only, [])) => self.steps(only),
            Some((first, rest)) => mapped(self.steps(first), |e, p| match e {
                TICK => (TAU, P::Seq(rest.to_vec())),
                _ => (e, P::Seq([&[p], rest].concat())),
            }),
        }
    }

    fn sliding(self, p: &P, q: &P) -> Steps {
        let begun = mapped(self.steps(p), |e, p| match e {
            TAU => (TAU, P::Sliding(Box::new(p), Box::new(q.clone()))),
            _ => (e, p),
        });
        [begun, vec![(TAU, q.clone())]].concat()
    }

    fn synchronised(self, set: &Set, ps: &[P]) -> Steps {
        match ps {
            [] => vec![(TICK, OMEGA)],
            [only] => self.steps(only),
            [p, q] => self.parallel([self.steps(p), self.steps(q)], [p, q], set, |p, q| {
                P::Parallel(set.clone(), vec![p, q])
            }),
            [ps @ .., q] => self.steps(&P::Parallel(
                set.clone(),
                vec![P::Parallel(set.clone(), ps.to_vec()), q.clone()],
            )),
        }
    }

    fn alphabetised(self, ps: &[(Set, P)]) -> Steps {
        match ps {
            [] => vec![(TICK, OMEGA)],
            [(x, p)] => mapped(within(self.steps(p), x), |e, p| match e {
                TICK => (TICK, OMEGA),
                _ => (e, P::Alphabetised(vec![(x.clone(), p)])),
            }),
            [(x, p), (y, q)] => {
                let rows = [within(self.steps(p), x), within(self.steps(q), y)];
                self.parallel(rows, [p, q], &(x & y), |p, q| {
                    P::Alphabetised(vec![(x.clone(), p), (y.clone(), q)])
                })
            }
            [ps @ .., last] => {
                let all = ps.iter().flat_map(|(x, _)| x.clone()).collect();
                let first = P::Alphabetised(ps.to_vec());
                self.steps(&P::Alphabetised(vec![(all, first), last.clone()]))
            }
        }
    }

    fn renamed(self, p: &P, pairs: &[(Event, Event)]) -> Steps {
        let mut found = Vec::new();
        for (e, p) in self.steps(p) {
            let images = pairs.iter().filter(|(from, _)| *from == e);
            let images: Vec<Event> = images.map(|(_, to)| *to).collect();
            let renamed = P::Rename(Box::new(p.clone()), pairs.to_vec());
            match e {
                TICK => found.push((TICK, p)),
                _ if images.is_empty() => found.push((e, renamed)),
                _ => found.extend(images.into_iter().map(|to| (to, renamed.clone()))),
            }
        }
        found
    }

    fn choice(self, set: &Set, ps: &[P]) -> Steps {
        let rows: Vec<Steps> = ps.iter().map(|p| self.steps(p)).collect();
        let rebuilt = |ps| match set.is_empty() {
            true => P::External(ps),
            false => P::SyncChoice(set.clone(), ps),
        };
        let mut found = Vec::new();
        for (i, row) in rows.iter().enumerate() {
            for (e, p) in row {
                if *e == TAU {
                    let mut changed = ps.to_vec();
                    changed[i] = p.clone();
                    found.push((TAU, rebuilt(changed)));
                } else if !set.contains(e) {
                    found.push((*e, p.clone()));
                }
            }
        }
        for &e in set.iter().filter(|_| !ps.is_empty()) {
            let mut joint: Vec<Vec<P>> = vec![Vec::new()];
            for row in &rows {
                let targets = || row.iter().filter(|step| step.0 == e).map(|step| &step.1);
                let longer = |ps: Vec<P>| {
                    let all =
                        targets().map(move |p| [ps.as_slice(), std::slice::from_ref(p)].concat());
                    all.collect::<Vec<_>>()
                };
                joint = joint.into_iter().flat_map(longer).collect();
            }
            found.extend(joint.into_iter().map(|ps| (e, rebuilt(ps))));
        }
        found
    }

    fn interrupt(self, p: &P, set: &Set, q: &P) -> Steps {
        let rebuilt =
            |p: &P, q: &P| P::SyncInterrupt(Box::new(p.clone()), set.clone(), Box::new(q.clone()));
        let (left, right) = (self.steps(p), self.steps(q));
        let mut found = Vec::new();
        for (e, p) in &left {
            match *e {
                TICK => found.push((TICK, p.clone())),
                _ if set.contains(e) => {
                    let partners = right.iter().filter(|step| step.0 == *e);
                    found.extend(partners.map(|(_, q)| (*e, rebuilt(p, q))));
                }
                _ => found.push((*e, rebuilt(p, q))),
            }
        }
        for (e, q) in &right {
            match *e {
                TAU => found.push((TAU, rebuilt(p, q))),
                _ if set.contains(e) => {}
                _ => found.push((*e, q.clone())),
            }
        }
        found
    }

    /// The steps of two operands side by side.
    fn parallel(
        self,
        rows: [Steps; 2],
        [p, q]: [&P; 2],
        set: &Set,
        rebuilt: impl Fn(P, P) -> P,
    ) -> Steps {
        let mut found = Vec::new();
        let alone = self.termination == Termination::Signal;
        let ends = |row: &Steps| row.iter().any(|step| step.0 == TICK);
        let both_end = match alone {
            true => (p, q) == (&OMEGA, &OMEGA),
            false => rows.iter().all(ends),
        };
        if both_end {
            found.push((TICK, OMEGA));
        }
        for (e, p) in &rows[0] {
            match *e {
                TICK if alone => found.push((TAU, rebuilt(OMEGA, q.clone()))),
                TICK => {}
                _ if set.contains(e) => {
                    let partners = rows[1].iter().filter(|step| step.0 == *e);
                    found.extend(partners.map(|(_, q)| (*e, rebuilt(p.clone(), q.clone()))));
                }
                _ => found.push((*e, rebuilt(p.clone(), q.clone()))),
            }
        }
        for (e, q) in &rows[1] {
            match *e {
                TICK if alone => found.push((TAU, rebuilt(p.clone(), OMEGA))),
                TICK => {}
                _ if set.contains(e) => {}
                _ => found.push((*e, rebuilt(p.clone(), q.clone()))),
            }
        }
        found
    }

    fn linked(self, p: &P, ties: &[(Event, Event)], q: &P) -> Steps {
        let tied = |left: Event, right: Event| ties.contains(&(left, right));
        let rebuilt =
            |p: &P, q: &P| P::Linked(Box::new(p.clone()), ties.to_vec(), Box::new(q.clone()));
        let (left, right) = (self.steps(p), self.steps(q));
        // Without ties both sides interleave; those left out are the ends of ties.
        let free_left = left
            .iter()
            .filter(|step| !ties.iter().any(|tie| tie.0 == step.0));
        let free_right = right
            .iter()
            .filter(|step| !ties.iter().any(|tie| tie.1 == step.0));
        let rows = [free_left.cloned().collect(), free_right.cloned().collect()];
        let mut found = self.parallel(rows, [p, q], &Set::new(), |p, q| rebuilt(&p, &q));
        for (e, p) in &left {
            let partners = right.iter().filter(|(f, _)| tied(*e, *f));
            found.extend(partners.map(|(_, q)| (TAU, rebuilt(p, q))));
        }
        found
    }
}

fn mapped(steps: Steps, change: impl Fn(Event, P) -> (Event, P)) -> Steps {
    steps.into_iter().map(|(e, p)| change(e, p)).collect()
}

/// The steps whose events are in `set`.
fn within(steps: Steps, set: &Set) -> Steps {
    let kept = |e: Event| e == TAU || e == TICK || set.contains(&e);
    steps.into_iter().filter(|(e, _)| kept(*e)).collect()
}

/// `process` with `STOP` for each buffer.
pub(crate) fn without_buffers(process: &P) -> P {
    let same = without_buffers;
    let all = |ps: &[P]| ps.iter().map(same).collect::<Vec<_>>();
    let boxed = |p: &P| Box::new(same(p));
    match process {
        P::Buffer(..) => P::Stop,
        P::Stop | P::Skip | P::Div | P::Run(_) | P::Chaos(_) | P::Call(_) => process.clone(),
        P::Prefix(branches) => P::Prefix(branches.iter().map(|(e, p)| (*e, same(p))).collect()),
        P::External(ps) => P::External(all(ps)),
        P::Internal(ps) => P::Internal(all(ps)),
        P::Seq(ps) => P::Seq(all(ps)),
        P::Interrupt(p, q) => P::Interrupt(boxed(p), boxed(q)),
        P::Sliding(p, q) => P::Sliding(boxed(p), boxed(q)),
        P::Exception(p, s, q) => P::Exception(boxed(p), s.clone(), boxed(q)),
        P::SyncChoice(s, ps) => P::SyncChoice(s.clone(), all(ps)),
        P::SyncInterrupt(p, s, q) => P::SyncInterrupt(boxed(p), s.clone(), boxed(q)),
        P::Parallel(s, ps) => P::Parallel(s.clone(), all(ps)),
        P::Alphabetised(ps) => {
            P::Alphabetised(ps.iter().map(|(s, p)| (s.clone(), same(p))).collect())
        }
        P::Linked(p, ties, q) => P::Linked(boxed(p), ties.clone(), boxed(q)),
        P::Hide(p, s) => P::Hide(boxed(p), s.clone()),
        P::Project(p, s) => P::Project(boxed(p), s.clone()),
        P::Rename(p, pairs) => P::Rename(boxed(p), pairs.clone()),
    }
}
