//! The traces of a process straight from their definition: sets and recursion, no states, no steps.
//!
//! A prefix-closed set of traces is a tree: its branches are the first events, and below each is the set
//! of what can follow. Every operator is a function on such sets. Recursion is unfolded until the
//! length bound ends it. Nothing here is shared with the engine, whose answers it is to judge.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// An event: [`TICK`], or a visible one.
pub(crate) type Event = u32;
/// Successful termination.
pub(crate) const TICK: Event = 1;
/// A set of visible events.
pub(crate) type Set = BTreeSet<Event>;

/// A process.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum P {
    Stop,
    Skip,
    Div,
    Run(Set),
    Chaos(Set),
    Prefix(Vec<(Event, P)>),
    External(Vec<P>),
    Internal(Vec<P>),
    Seq(Vec<P>),
    Interrupt(Box<P>, Box<P>),
    Sliding(Box<P>, Box<P>),
    Exception(Box<P>, Set, Box<P>),
    SyncChoice(Set, Vec<P>),
    SyncInterrupt(Box<P>, Set, Box<P>),
    Parallel(Set, Vec<P>),
    Alphabetised(Vec<(Set, P)>),
    /// The ties are one-to-one.
    Linked(Box<P>, Vec<(Event, Event)>, Box<P>),
    Hide(Box<P>, Set),
    Project(Box<P>, Set),
    Rename(Box<P>, Vec<(Event, Event)>),
    Buffer(usize, Vec<(Event, Event)>, Full),
    Call(usize),
}

/// What a full buffer does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Full {
    Refuse,
    Signal(Event),
    Status(Event, Event),
}

/// A prefix-closed set of traces.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Traces(BTreeMap<Event, Traces>);

thread_local! {
    /// How many sets may still be looked at, because some processes have too many traces to list.
    static WORK: Cell<usize> = const { Cell::new(0) };
}
const ALLOWED_WORK: usize = 20_000;

/// Takes away one from the allowed work; whether there was none left.
fn exhausted() -> bool {
    let left = WORK.get();
    WORK.set(left.saturating_sub(1));
    left == 0
}

/// The traces of `process` of at most `bound` events, ✓ included; none if that takes too long. Calls
/// must be guarded by prefixes, and definitions must not call below operators that hide.
pub(crate) fn traces(definitions: &[P], process: &P, bound: usize) -> Option<BTreeSet<Vec<Event>>> {
    WORK.set(ALLOWED_WORK);
    let mut found = BTreeSet::new();
    of(definitions, process, bound).list(&mut Vec::new(), &mut found);
    (!exhausted()).then_some(found)
}

impl Traces {
    fn list(&self, trace: &mut Vec<Event>, found: &mut BTreeSet<Vec<Event>>) {
        found.insert(trace.clone());
        for (&event, after) in &self.0 {
            trace.push(event);
            after.list(trace, found);
            trace.pop();
        }
    }

    fn size(&self) -> usize {
        1 + self.0.values().map(Traces::size).sum::<usize>()
    }

    fn cut(&self, bound: usize) -> Traces {
        let Some(rest) = bound.checked_sub(1) else {
            return Traces::default();
        };
        Traces(
            self.0
                .iter()
                .map(|(&event, after)| (event, after.cut(rest)))
                .collect(),
        )
    }

    /// Adds `event` and what can follow it.
    fn add(&mut self, event: Event, after: Traces) {
        let known = self.0.entry(event).or_default();
        *known = std::mem::take(known).union(after);
    }

    fn union(mut self, other: Traces) -> Traces {
        for (event, after) in other.0 {
            self.add(event, after);
        }
        self
    }

    /// The union over all first events: `each` says which traces begin with it.
    fn over_events(&self, mut each: impl FnMut(Event, &Traces) -> Traces) -> Traces {
        self.0.iter().fold(Traces::default(), |all, (&e, after)| {
            all.union(each(e, after))
        })
    }
}

fn begin(event: Event, after: Traces) -> Traces {
    Traces(BTreeMap::from([(event, after)]))
}

fn union(all: impl Iterator<Item = Traces>) -> Traces {
    all.fold(Traces::default(), Traces::union)
}

fn of(defs: &[P], process: &P, n: usize) -> Traces {
    let Some(less) = n.checked_sub(1) else {
        return Traces::default();
    };
    let t = |p: &P| of(defs, p, n);
    if exhausted() {
        return Traces::default();
    }
    let all = match process {
        P::Stop | P::Div => Traces::default(),
        P::Skip => begin(TICK, Traces::default()),
        P::Run(set) | P::Chaos(set) => {
            union(set.iter().map(|&e| begin(e, of(defs, process, less))))
        }
        P::Prefix(branches) => union(branches.iter().map(|(e, p)| begin(*e, of(defs, p, less)))),
        P::External(ps) | P::Internal(ps) => union(ps.iter().map(t)),
        P::Sliding(p, q) => t(p).union(t(q)),
        P::Seq(ps) => ps
            .iter()
            .rev()
            .map(t)
            .reduce(|q, p| sequence(&p, &q))
            .unwrap_or_else(|| t(&P::Skip)),
        P::Interrupt(p, q) => interrupt(&t(p), &t(q)),
        P::Exception(p, set, q) => exception(&t(p), set, &t(q)),
        P::SyncChoice(set, ps) => synchronising_choice(&ps.iter().map(t).collect::<Vec<_>>(), set),
        P::SyncInterrupt(p, set, q) => synchronising_interrupt(&t(p), set, &t(q)),
        P::Parallel(set, ps) => ps
            .iter()
            .map(t)
            .reduce(|p, q| parallel(&p, set, &q, n))
            .unwrap_or_else(|| t(&P::Skip)),
        P::Alphabetised(ps) => {
            let restricted = ps.iter().map(|(set, p)| (set.clone(), within(&t(p), set)));
            let both = |(x, p): (Set, Traces), (y, q): (Set, Traces)| {
                (&x | &y, parallel(&p, &(&x & &y), &q, n))
            };
            restricted
                .reduce(both)
                .map_or_else(|| t(&P::Skip), |(_, p)| p)
        }
        P::Linked(p, ties, q) => {
            // Each tie gets an event of its own, on which both sides synchronise and which is hidden.
            let fresh = |i: usize| 1000 + i as Event;
            let left = ties
                .iter()
                .enumerate()
                .map(|(i, tie)| (tie.0, fresh(i)))
                .collect();
            let right = ties
                .iter()
                .enumerate()
                .map(|(i, tie)| (tie.1, fresh(i)))
                .collect();
            let set: Set = (0..ties.len()).map(fresh).collect();
            let sides = vec![P::Rename(p.clone(), left), P::Rename(q.clone(), right)];
            hidden(defs, &P::Parallel(set.clone(), sides), n, |e| {
                set.contains(&e)
            })
        }
        P::Hide(p, set) => hidden(defs, p, n, |e| set.contains(&e)),
        P::Project(p, set) => hidden(defs, p, n, |e| e != TICK && !set.contains(&e)),
        P::Rename(p, pairs) => renamed(&t(p), pairs),
        P::Buffer(capacity, pairs, full) => buffer(&[], *capacity, pairs, *full, n),
        P::Call(i) => t(&defs[*i]),
    };
    all.cut(n)
}

fn sequence(p: &Traces, q: &Traces) -> Traces {
    p.over_events(|e, after| {
        if e == TICK {
            q.clone()
        } else {
            begin(e, sequence(after, q))
        }
    })
}

fn interrupt(p: &Traces, q: &Traces) -> Traces {
    let on = |e, after: &Traces| {
        if e == TICK {
            after.clone()
        } else {
            interrupt(after, q)
        }
    };
    p.over_events(|e, after| begin(e, on(e, after)))
        .union(q.clone())
}

fn exception(p: &Traces, set: &Set, q: &Traces) -> Traces {
    p.over_events(|e, after| {
        begin(
            e,
            if set.contains(&e) {
                q.clone()
            } else {
                exception(after, set, q)
            },
        )
    })
}

fn synchronising_choice(ps: &[Traces], set: &Set) -> Traces {
    let all = union(ps.iter().cloned());
    all.over_events(|e, after| {
        if !set.contains(&e) {
            return begin(e, after.clone());
        }
        let afters: Option<Vec<Traces>> = ps.iter().map(|p| p.0.get(&e).cloned()).collect();
        afters.map_or_else(Traces::default, |ps| {
            begin(e, synchronising_choice(&ps, set))
        })
    })
}

fn synchronising_interrupt(p: &Traces, set: &Set, q: &Traces) -> Traces {
    let stays = p.over_events(|e, after| match q.0.get(&e) {
        _ if e == TICK => begin(e, Traces::default()),
        _ if !set.contains(&e) => begin(e, synchronising_interrupt(after, set, q)),
        Some(partner) => begin(e, synchronising_interrupt(after, set, partner)),
        None => Traces::default(),
    });
    let takes_over = |e, after: &Traces| {
        if set.contains(&e) {
            Traces::default()
        } else {
            begin(e, after.clone())
        }
    };
    stays.union(q.over_events(takes_over))
}

/// Events of `set` and ✓ together, all others interleaved; at most `n` events.
fn parallel(p: &Traces, set: &Set, q: &Traces, n: usize) -> Traces {
    let Some(less) = n.checked_sub(1) else {
        return Traces::default();
    };
    let shared = |e: Event| e == TICK || set.contains(&e);
    let left = p.over_events(|e, after| match q.0.get(&e) {
        _ if !shared(e) => begin(e, parallel(after, set, q, less)),
        Some(partner) => begin(e, parallel(after, set, partner, less)),
        None => Traces::default(),
    });
    let right = |e, after: &Traces| {
        if shared(e) {
            Traces::default()
        } else {
            begin(e, parallel(p, set, after, less))
        }
    };
    left.union(q.over_events(right))
}

/// The traces whose visible events are all in `set`.
fn within(p: &Traces, set: &Set) -> Traces {
    p.over_events(|e, after| {
        if e == TICK || set.contains(&e) {
            begin(e, within(after, set))
        } else {
            Traces::default()
        }
    })
}

fn renamed(p: &Traces, pairs: &[(Event, Event)]) -> Traces {
    p.over_events(|e, after| {
        let after = renamed(after, pairs);
        let images: Vec<Event> = pairs
            .iter()
            .filter(|pair| pair.0 == e)
            .map(|pair| pair.1)
            .collect();
        if images.is_empty() {
            return begin(e, after);
        }
        union(images.iter().map(|&image| begin(image, after.clone())))
    })
}

/// A short trace can hide a long one, so ever longer traces of `p` are taken until that has brought
/// nothing new several times over, or there are none.
fn hidden(defs: &[P], p: &P, n: usize, is_hidden: impl Fn(Event) -> bool) -> Traces {
    fn without(p: &Traces, is_hidden: &impl Fn(Event) -> bool) -> Traces {
        p.over_events(|e, after| {
            let after = without(after, is_hidden);
            if is_hidden(e) { after } else { begin(e, after) }
        })
    }
    let mut unchanged = 0;
    let mut length = n;
    let mut long = of(defs, p, length);
    let mut result = without(&long, &is_hidden).cut(n);
    while unchanged < 3 {
        if long.size() > 3000 {
            WORK.set(0);
        }
        if exhausted() {
            return result;
        }
        length += 2;
        let longer = of(defs, p, length);
        let next = without(&longer, &is_hidden).cut(n);
        if longer == long {
            return next;
        }
        unchanged = if next == result { unchanged + 1 } else { 0 };
        (long, result) = (longer, next);
    }
    result
}

fn buffer(
    held: &[Event],
    capacity: usize,
    pairs: &[(Event, Event)],
    full: Full,
    n: usize,
) -> Traces {
    let Some(less) = n.checked_sub(1) else {
        return Traces::default();
    };
    let with = |held: &[Event], n: usize| buffer(held, capacity, pairs, full, n);
    let mut all = Traces::default();
    if !held.is_empty() {
        all.add(held[0], with(&held[1..], less));
    }
    for &(input, output) in pairs {
        if held.len() < capacity {
            all.add(input, with(&[held, &[output]].concat(), less));
        } else if let Full::Signal(signal) = full {
            let lost = if less == 0 {
                Traces::default()
            } else {
                begin(signal, with(held, less - 1))
            };
            all.add(input, lost);
        }
    }
    if let Full::Status(when_full, when_empty) = full {
        if held.len() == capacity {
            all.add(when_full, with(held, less));
        }
        if held.is_empty() {
            all.add(when_empty, with(held, less));
        }
    }
    all
}
