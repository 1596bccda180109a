//! The equations of the operators: the contribution of each to failures and divergences, as
//! clauses.
//!
//! They are those of Roscoe, *Understanding Concurrent Systems*, chapters 10 to 12, in terms of
//! acceptances (complements of refusals). Parallel processes terminate together.

use std::collections::BTreeMap;

use crate::denotation::{Clause, Denotation, Denotations, Number, Remainders, TooLarge};
use crate::oracle::{Event, Full, P, Set, TICK};

/// An operator over the remainders of its operands.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Remainder {
    /// After ✓.
    Terminated,
    Stop,
    Skip,
    Div,
    Run(Set),
    Chaos(Set),
    Prefix(Vec<(Event, P)>),
    Sequence(Number, Vec<P>),
    Sliding(Number, Number),
    Exception(Number, Set, P),
    /// Events of the set are done by all together, any other one makes the choice.
    Choice(Set, Vec<Number>),
    /// Events of the set are done by both together.
    Interrupt(Number, Set, Number),
    /// Events of the set, and ✓, are done by both together.
    Parallel(Number, Set, Number),
    Within(Number, Set),
    Hide(Number, Set),
    Project(Number, Set),
    Rename(Number, Vec<(Event, Event)>),
    Buffer {
        size: usize,
        ports: Vec<(Event, Event)>,
        full: Full,
        held: Vec<Event>,
        /// True if an item was lost, so that the signal comes next.
        overflows: bool,
    },
}

impl Denotations<'_> {
    /// The remainders of `process` before it has done anything.
    pub(crate) fn start(&mut self, process: &P) -> Remainders {
        let only = match process {
            P::Stop => Remainder::Stop,
            P::Skip => Remainder::Skip,
            P::Div => Remainder::Div,
            P::Run(set) => Remainder::Run(set.clone()),
            P::Chaos(set) => Remainder::Chaos(set.clone()),
            P::Prefix(branches) => Remainder::Prefix(branches.clone()),
            P::External(ps) => self.choice(&Set::new(), ps),
            P::SyncChoice(set, ps) => self.choice(set, ps),
            P::Internal(ps) => return ps.iter().flat_map(|p| self.start(p)).collect(),
            P::Seq(ps) => match ps.split_first() {
                Some((first, rest)) => Remainder::Sequence(self.of(first), rest.to_vec()),
                None => Remainder::Skip,
            },
            P::Interrupt(p, q) => Remainder::Interrupt(self.of(p), Set::new(), self.of(q)),
            P::SyncInterrupt(p, set, q) => {
                Remainder::Interrupt(self.of(p), set.clone(), self.of(q))
            }
            P::Sliding(p, q) => Remainder::Sliding(self.of(p), self.of(q)),
            P::Exception(p, set, q) => Remainder::Exception(self.of(p), set.clone(), (**q).clone()),
            P::Parallel(set, ps) => return self.parallel(set, ps),
            P::Alphabetised(ps) => return self.alphabetised(ps),
            P::Linked(p, ties, q) => self.linked(p, ties, q),
            P::Hide(p, set) => Remainder::Hide(self.of(p), set.clone()),
            P::Project(p, set) => Remainder::Project(self.of(p), set.clone()),
            P::Rename(p, pairs) => Remainder::Rename(self.of(p), pairs.clone()),
            P::Buffer(size, ports, full) => Remainder::Buffer {
                size: *size,
                ports: ports.clone(),
                full: *full,
                held: Vec::new(),
                overflows: false,
            },
            P::Call(i) => return self.start(&self.definitions[*i].clone()),
        };
        Remainders::from([only])
    }

    /// A choice among none is `STOP`, with or without synchronisation.
    fn choice(&mut self, set: &Set, ps: &[P]) -> Remainder {
        match ps {
            [] => Remainder::Stop,
            _ => Remainder::Choice(set.clone(), ps.iter().map(|p| self.of(p)).collect()),
        }
    }

    fn parallel(&mut self, set: &Set, ps: &[P]) -> Remainders {
        let Some((last, others)) = ps.split_last() else {
            return Remainders::from([Remainder::Skip]);
        };
        if others.is_empty() {
            return self.start(last);
        }
        let left = self.parallel(set, others);
        let (left, right) = (self.number(left), self.of(last));
        Remainders::from([Remainder::Parallel(left, set.clone(), right)])
    }

    fn alphabetised(&mut self, ps: &[(Set, P)]) -> Remainders {
        let Some(((alphabet, last), others)) = ps.split_last() else {
            return Remainders::from([Remainder::Skip]);
        };
        let alone = Remainders::from([Remainder::Within(self.of(last), alphabet.clone())]);
        if others.is_empty() {
            return alone;
        }
        let left = self.alphabetised(others);
        let (left, right) = (self.number(left), self.number(alone));
        let all: Set = others.iter().flat_map(|(set, _)| set.clone()).collect();
        Remainders::from([Remainder::Parallel(left, &all & alphabet, right)])
    }

    /// A linked parallel: each tie is an event of its own, done by both sides and hidden.
    fn linked(&mut self, p: &P, ties: &[(Event, Event)], q: &P) -> Remainder {
        let numbered = || (1000..).zip(ties);
        let left = numbered().map(|(tie, ends)| (ends.0, tie)).collect();
        let right = numbered().map(|(tie, ends)| (ends.1, tie)).collect();
        let set: Set = numbered().map(|(tie, _)| tie).collect();
        let left = Remainder::Rename(self.of(p), left);
        let right = Remainder::Rename(self.of(q), right);
        let [left, right] = [left, right].map(|side| self.number(Remainders::from([side])));
        let joined = Remainder::Parallel(left, set.clone(), right);
        Remainder::Hide(self.number(Remainders::from([joined])), set)
    }

    /// The contribution of `remainder` to the denotation.
    pub(crate) fn clause(&mut self, remainder: &Remainder) -> Result<Clause, TooLarge> {
        let one = |remainder| Remainders::from([remainder]);
        Ok(match remainder {
            Remainder::Stop | Remainder::Terminated => offering(Vec::new()),
            Remainder::Skip => offering(vec![(TICK, one(Remainder::Terminated))]),
            Remainder::Div => Clause {
                diverges: true,
                ..Clause::default()
            },
            Remainder::Run(set) => offering(again(set, remainder)),
            Remainder::Chaos(set) => Clause {
                after: again(set, remainder),
                acceptances: vec![Set::new()],
                ..Clause::default()
            },
            Remainder::Prefix(branches) => {
                offering(branches.iter().map(|(e, p)| (*e, self.start(p))).collect())
            }
            Remainder::Sequence(p, rest) => self.sequence(*p, rest)?,
            Remainder::Sliding(p, q) => self.sliding(*p, *q)?,
            Remainder::Exception(p, set, q) => self.catching(*p, set, q)?,
            Remainder::Choice(set, ps) => self.choosing(set, ps)?,
            Remainder::Interrupt(p, set, q) => self.interrupting(*p, set, *q)?,
            Remainder::Parallel(p, set, q) => self.together(*p, set, *q)?,
            Remainder::Within(p, set) => {
                let mut clause = self.mapped(*p, |e, after| match set.contains(&e) {
                    true => vec![(e, one(Remainder::Within(after, set.clone())))],
                    false => Vec::new(),
                })?;
                for acceptance in &mut clause.acceptances {
                    acceptance.retain(|e| *e == TICK || set.contains(e));
                }
                clause
            }
            Remainder::Hide(p, set) => self.hiding(
                *p,
                |e| set.contains(&e),
                |after| Remainder::Hide(after, set.clone()),
            )?,
            Remainder::Project(p, set) => self.hiding(
                *p,
                |e| e != TICK && !set.contains(&e),
                |after| Remainder::Project(after, set.clone()),
            )?,
            Remainder::Rename(p, pairs) => {
                let mut clause = self.mapped(*p, |e, after| {
                    let renamed = one(Remainder::Rename(after, pairs.clone()));
                    images(pairs, e)
                        .into_iter()
                        .map(|e| (e, renamed.clone()))
                        .collect()
                })?;
                for acceptance in &mut clause.acceptances {
                    *acceptance = acceptance.iter().flat_map(|&e| images(pairs, e)).collect();
                }
                clause
            }
            Remainder::Buffer { .. } => offering(buffer(remainder)),
        })
    }

    /// The clause of `p [| set |> q`.
    fn catching(&mut self, p: Number, set: &Set, q: &P) -> Result<Clause, TooLarge> {
        let handler = self.start(q);
        self.mapped(p, |e, after| match set.contains(&e) {
            true => vec![(e, handler.clone())],
            false => {
                let rest = Remainder::Exception(after, set.clone(), q.clone());
                vec![(e, Remainders::from([rest]))]
            }
        })
    }

    /// The clause of an operator that changes only the processes after events; ✓ stays.
    fn mapped(
        &mut self,
        p: Number,
        event: impl Fn(Event, Number) -> Vec<(Event, Remainders)>,
    ) -> Result<Clause, TooLarge> {
        let p = self.denotation(p)?;
        let mut clause = Clause {
            acceptances: p.acceptances.iter().cloned().collect(),
            diverges: p.diverges,
            ..Clause::default()
        };
        for (&e, &after) in &p.after {
            match e {
                TICK => clause.after.push((TICK, terminated())),
                _ => clause.after.extend(event(e, after)),
            }
        }
        Ok(clause)
    }

    /// The clause of `;`. A refusal of `p` with ✓ is one of `;` too, and ✓ is silent.
    fn sequence(&mut self, p: Number, rest: &[P]) -> Result<Clause, TooLarge> {
        if rest.is_empty() {
            let remainder = |p| Remainder::Sequence(p, Vec::new());
            return self.mapped(p, |e, after| {
                vec![(e, Remainders::from([remainder(after)]))]
            });
        }
        let mut clause = self.mapped(p, |e, after| {
            vec![(
                e,
                Remainders::from([Remainder::Sequence(after, rest.to_vec())]),
            )]
        })?;
        if clause.after.iter().any(|(e, _)| *e == TICK) {
            clause.silent = self.start(&P::Seq(rest.to_vec()));
        }
        clause.after.retain(|(e, _)| *e != TICK);
        clause
            .acceptances
            .retain(|acceptance| !acceptance.contains(&TICK));
        Ok(clause)
    }

    /// The clause of `[>`, which is never stable before `p` has begun.
    fn sliding(&mut self, p: Number, q: Number) -> Result<Clause, TooLarge> {
        let [begun, then] = [self.denotation(p)?, self.denotation(q)?];
        let mut after = self.taken(&begun, |_| true);
        after.extend(self.taken(&then, |_| true));
        Ok(Clause {
            after,
            acceptances: then.acceptances.iter().cloned().collect(),
            diverges: begun.diverges || then.diverges,
            ..Clause::default()
        })
    }

    /// The events of `denotation` that are `wanted`, each with the process after it alone.
    fn taken(
        &self,
        denotation: &Denotation,
        wanted: impl Fn(Event) -> bool,
    ) -> Vec<(Event, Remainders)> {
        let events = denotation.after.iter().filter(|(e, _)| wanted(**e));
        events
            .map(|(&e, &after)| (e, self.remainders(after)))
            .collect()
    }

    /// The clause of a choice. All operands must be stable. An event outside `set` is refused if
    /// all refuse it, one in `set` if any does.
    fn choosing(&mut self, set: &Set, ps: &[Number]) -> Result<Clause, TooLarge> {
        let mut all = Vec::new();
        for &p in ps {
            all.push(self.denotation(p)?);
        }
        let mut clause = Clause {
            diverges: all.iter().any(|p| p.diverges),
            ..Clause::default()
        };
        for p in &all {
            clause.after.extend(self.taken(p, |e| !set.contains(&e)));
        }
        for &e in set {
            let afters = all.iter().map(|p| p.after.get(&e).copied());
            if let Some(afters) = afters.collect::<Option<Vec<_>>>() {
                let rest = Remainder::Choice(set.clone(), afters);
                clause.after.push((e, Remainders::from([rest])));
            }
        }
        let families = all.iter().map(|p| p.acceptances.iter().cloned().collect());
        let combined = families.reduce(|left: Vec<Set>, right: Vec<Set>| {
            combined(&left, &right, |e| set.contains(&e))
        });
        clause.acceptances = combined.unwrap_or_default();
        Ok(clause)
    }

    /// The clause of an interrupt: `q` offers first events always; unshared ones take over.
    fn interrupting(&mut self, p: Number, set: &Set, q: Number) -> Result<Clause, TooLarge> {
        let [left, right] = [self.denotation(p)?, self.denotation(q)?];
        let mut after = self.taken(&right, |e| !set.contains(&e));
        let rest = |p, q| Remainders::from([Remainder::Interrupt(p, set.clone(), q)]);
        for (&e, &next) in &left.after {
            match right.after.get(&e) {
                _ if e == TICK => after.push((TICK, terminated())),
                _ if !set.contains(&e) => after.push((e, rest(next, q))),
                Some(&partner) => after.push((e, rest(next, partner))),
                None => {}
            }
        }
        Ok(Clause {
            after,
            acceptances: families(&left, &right, |e| set.contains(&e)),
            diverges: left.diverges || right.diverges,
            ..Clause::default()
        })
    }

    /// The clause of a parallel. An operand that accepts ✓ waits with it for the other.
    fn together(&mut self, p: Number, set: &Set, q: Number) -> Result<Clause, TooLarge> {
        let [left, right] = [self.denotation(p)?, self.denotation(q)?];
        let mut after = Vec::new();
        let rest = |p, q| Remainders::from([Remainder::Parallel(p, set.clone(), q)]);
        for (&e, &next) in &left.after {
            match right.after.get(&e) {
                _ if e != TICK && !set.contains(&e) => after.push((e, rest(next, q))),
                Some(_) if e == TICK => after.push((TICK, terminated())),
                Some(&partner) => after.push((e, rest(next, partner))),
                None => {}
            }
        }
        let alone = right
            .after
            .iter()
            .filter(|(e, _)| **e != TICK && !set.contains(e));
        after.extend(alone.map(|(&e, &next)| (e, rest(p, next))));
        Ok(Clause {
            after,
            acceptances: families(&left, &right, |e| e == TICK || set.contains(&e)),
            diverges: left.diverges || right.diverges,
            ..Clause::default()
        })
    }

    /// The clause of hiding. It is stable if the operand refuses all hidden events.
    fn hiding(
        &mut self,
        p: Number,
        hides: impl Fn(Event) -> bool,
        remainder: impl Fn(Number) -> Remainder,
    ) -> Result<Clause, TooLarge> {
        let mut clause = self.mapped(p, |e, after| {
            vec![(e, Remainders::from([remainder(after)]))]
        })?;
        let silent = clause.after.extract_if(.., |(e, _)| hides(*e));
        clause.silent = silent.flat_map(|(_, rest)| rest).collect();
        clause
            .acceptances
            .retain(|acceptance| !acceptance.iter().any(|&e| hides(e)));
        Ok(clause)
    }
}

fn terminated() -> Remainders {
    Remainders::from([Remainder::Terminated])
}

/// The steps by which each of these events leads back to `remainder`.
fn again(events: &Set, remainder: &Remainder) -> Vec<(Event, Remainders)> {
    let one = Remainders::from([remainder.clone()]);
    events.iter().map(|&e| (e, one.clone())).collect()
}

/// A stable clause with these events and no others.
fn offering(after: Vec<(Event, Remainders)>) -> Clause {
    Clause {
        acceptances: vec![after.iter().map(|(e, _)| *e).collect()],
        after,
        ..Clause::default()
    }
}

fn families(p: &Denotation, q: &Denotation, shared: impl Fn(Event) -> bool) -> Vec<Set> {
    let [left, right] = [p, q].map(|p| p.acceptances.iter().cloned().collect::<Vec<_>>());
    combined(&left, &right, shared)
}

/// Each member of `left` joined with each of `right`: a shared event is accepted by both, any other
/// by one of them.
fn combined(left: &[Set], right: &[Set], shared: impl Fn(Event) -> bool) -> Vec<Set> {
    let mut found = Vec::new();
    for a in left {
        for b in right {
            let accepted = |e: &&Event| !shared(**e) || (a.contains(e) && b.contains(e));
            found.push((a | b).iter().filter(accepted).copied().collect());
        }
    }
    found
}

/// The images of `event` under a renaming: itself if it has no pairs.
fn images(pairs: &[(Event, Event)], event: Event) -> Vec<Event> {
    let said: Vec<Event> = pairs
        .iter()
        .filter(|pair| pair.0 == event)
        .map(|pair| pair.1)
        .collect();
    if said.is_empty() { vec![event] } else { said }
}

/// The offers of a buffer.
fn buffer(remainder: &Remainder) -> Vec<(Event, Remainders)> {
    let Remainder::Buffer {
        size,
        ports,
        full,
        held,
        overflows,
    } = remainder
    else {
        return Vec::new();
    };
    let with = |held: Vec<Event>, overflows| {
        Remainders::from([Remainder::Buffer {
            size: *size,
            ports: ports.clone(),
            full: *full,
            held,
            overflows,
        }])
    };
    if let (true, Full::Signal(signal)) = (overflows, full) {
        return vec![(*signal, with(held.clone(), false))];
    }
    let mut after: BTreeMap<Event, Remainders> = BTreeMap::new();
    let mut add = |e, rest| after.entry(e).or_default().extend(rest);
    if let Some((&oldest, rest)) = held.split_first() {
        add(oldest, with(rest.to_vec(), false));
    }
    let is_full = held.len() >= *size;
    for &(input, output) in ports {
        match full {
            _ if !is_full => add(input, with([held.as_slice(), &[output]].concat(), false)),
            Full::Signal(_) => add(input, with(held.clone(), true)),
            Full::Refuse | Full::Status(..) => {}
        }
    }
    if let Full::Status(when_full, when_empty) = *full {
        if is_full {
            add(when_full, with(held.clone(), false));
        }
        if held.is_empty() {
            add(when_empty, with(held.clone(), false));
        }
    }
    after.into_iter().collect()
}
