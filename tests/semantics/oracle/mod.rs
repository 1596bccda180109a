//! The traces of a process straight from their definition: sets and recursion, no states, no steps.
//!
//! A prefix-closed set of traces is a tree: its branches are the first events, and below each is
//! the set of traces that can follow. Every operator is a function on such sets. Recursion is
//! unfolded until the length bound ends it. Nothing here is shared with the engine, whose answers
//! it judges.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// An event: [`TICK`], or a visible one.
pub(crate) type Event = u32;
/// Successful termination.
pub(crate) const TICK: Event = 1;
/// A set of visible events.
pub(crate) type Set = BTreeSet<Event>;

/// The meaning of termination.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Termination {
    /// ✓ is an event like any other, after which nothing is offered.
    Event,
    /// A process that can do ✓ may refuse all else; one that has done it is not deadlocked.
    Signal,
}

impl Termination {
    pub(crate) const BOTH: [Termination; 2] = [Termination::Event, Termination::Signal];

    /// The name that the program uses.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Termination::Event => "event",
            Termination::Signal => "signal",
        }
    }
}

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

/// The behaviour of a full buffer.
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
    /// The number of sets that may still be looked at, because some processes have too many traces.
    static WORK: Cell<usize> = const { Cell::new(0) };
}
const ALLOWED_WORK: usize = 100_000;

/// Takes one away from the allowed work. Returns true if none was left.
fn exhausted() -> bool {
    let left = WORK.get();
    WORK.set(left.saturating_sub(1));
    left == 0
}

/// The traces of `process` of at most `bound` events, ✓ included; `None` if that takes too long.
/// Calls must be guarded by prefixes, and definitions must not call below operators that hide.
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
        let shorter = |after: &Traces| after.cut(bound - 1);
        let kept = self.0.iter().filter(|_| bound > 0);
        Traces(kept.map(|(&e, after)| (e, shorter(after))).collect())
    }

    fn union(mut self, other: Traces) -> Traces {
        for (event, after) in other.0 {
            let known = self.0.entry(event).or_default();
            *known = std::mem::take(known).union(after);
        }
        self
    }

    /// The union over all first events: `each` gives the traces that begin with an event.
    fn each(&self, each: impl Fn(Event, &Traces) -> Traces) -> Traces {
        let known = self.0.iter().filter(|_| !exhausted());
        union(known.map(|(&e, after)| each(e, after)))
    }
}

fn none() -> Traces {
    Traces::default()
}

fn begin(event: Event, after: Traces) -> Traces {
    Traces(BTreeMap::from([(event, after)]))
}

fn union(all: impl Iterator<Item = Traces>) -> Traces {
    all.fold(none(), Traces::union)
}

/// The traces of `process` of at most `n` events.
fn of(defs: &[P], process: &P, n: usize) -> Traces {
    if n == 0 || exhausted() {
        return none();
    }
    let t = |p: &P| of(defs, p, n);
    let then = |e: Event, p: &P| begin(e, of(defs, p, n - 1));
    let skip = || begin(TICK, none());
    match process {
        P::Stop | P::Div => none(),
        P::Skip => skip(),
        P::Run(set) | P::Chaos(set) => union(set.iter().map(|&e| then(e, process))),
        P::Prefix(branches) => union(branches.iter().map(|(e, p)| then(*e, p))),
        P::External(ps) | P::Internal(ps) => union(ps.iter().map(t)),
        P::Sliding(p, q) => t(p).union(t(q)),
        P::Seq(ps) => ps.iter().rfold(skip(), |q, p| sequence(&t(p), &q)),
        P::Interrupt(p, q) => interrupt(&t(p), &Set::new(), &t(q)),
        P::Exception(p, set, q) => exception(&t(p), set, &t(q)),
        P::SyncChoice(set, ps) => choice(&ps.iter().map(t).collect::<Vec<_>>(), set),
        P::SyncInterrupt(p, set, q) => interrupt(&t(p), set, &t(q)),
        P::Parallel(set, ps) => {
            let all = ps.iter().map(t);
            all.reduce(|p, q| parallel(&p, set, &q, n))
                .unwrap_or_else(skip)
        }
        P::Alphabetised(ps) => {
            let all = ps.iter().map(|(set, p)| (set.clone(), within(&t(p), set)));
            all.reduce(|(x, p), (y, q)| (&x | &y, parallel(&p, &(&x & &y), &q, n)))
                .map_or_else(skip, |(_, p)| p)
        }
        P::Linked(p, ties, q) => {
            // Each tie gets an event of its own, on which both sides synchronise and which is
            // hidden.
            let numbered = || (1000..).zip(ties);
            let left = numbered().map(|(tie, ends)| (ends.0, tie)).collect();
            let right = numbered().map(|(tie, ends)| (ends.1, tie)).collect();
            let set: Set = numbered().map(|(tie, _)| tie).collect();
            let sides = vec![P::Rename(p.clone(), left), P::Rename(q.clone(), right)];
            let joined = P::Parallel(set.clone(), sides);
            hidden(defs, &joined, n, |e| set.contains(&e))
        }
        P::Hide(p, set) => hidden(defs, p, n, |e| set.contains(&e)),
        P::Project(p, set) => hidden(defs, p, n, |e| e != TICK && !set.contains(&e)),
        P::Rename(p, pairs) => renamed(&t(p), pairs),
        P::Buffer(capacity, ports, full) => buffer(*capacity, ports, *full, &[], n),
        P::Call(i) => t(&defs[*i]),
    }
    .cut(n)
}

/// The traces of `p`, followed by `q` after its end.
fn sequence(p: &Traces, q: &Traces) -> Traces {
    p.each(|e, after| match e {
        TICK => q.clone(),
        _ => begin(e, sequence(after, q)),
    })
}

/// The traces of `p`, followed by `q` after an event of `set`.
fn exception(p: &Traces, set: &Set, q: &Traces) -> Traces {
    p.each(|e, after| match set.contains(&e) {
        true => begin(e, q.clone()),
        false => begin(e, exception(after, set, q)),
    })
}

/// The traces of a choice: events of `set` are done by all of `ps` together; any other resolves it.
fn choice(ps: &[Traces], set: &Set) -> Traces {
    let together = |e| ps.iter().map(|p| p.0.get(&e).cloned()).collect();
    union(ps.iter().cloned()).each(|e, after| match together(e) {
        _ if !set.contains(&e) => begin(e, after.clone()),
        Some::<Vec<_>>(afters) => begin(e, choice(&afters, set)),
        None => none(),
    })
}

/// The traces of an interrupt: events of `set` are done by both together; any other event of `q`,
/// at any time, leaves `p` behind.
fn interrupt(p: &Traces, set: &Set, q: &Traces) -> Traces {
    let stays = p.each(|e, after| match q.0.get(&e) {
        _ if e == TICK => begin(e, none()),
        _ if !set.contains(&e) => begin(e, interrupt(after, set, q)),
        Some(partner) => begin(e, interrupt(after, set, partner)),
        None => none(),
    });
    stays.union(q.each(|e, after| match set.contains(&e) {
        true => none(),
        false => begin(e, after.clone()),
    }))
}

/// The traces of a parallel: `set` and ✓ together, all others interleaved; at most `n` events.
fn parallel(p: &Traces, set: &Set, q: &Traces, n: usize) -> Traces {
    if n == 0 {
        return none();
    }
    let shared = |e: Event| e == TICK || set.contains(&e);
    let with_left = p.each(|e, after| match q.0.get(&e) {
        _ if !shared(e) => begin(e, parallel(after, set, q, n - 1)),
        Some(partner) => begin(e, parallel(after, set, partner, n - 1)),
        None => none(),
    });
    with_left.union(q.each(|e, after| match shared(e) {
        true => none(),
        false => begin(e, parallel(p, set, after, n - 1)),
    }))
}

/// The traces whose visible events are all in `set`.
fn within(p: &Traces, set: &Set) -> Traces {
    p.each(|e, after| match e == TICK || set.contains(&e) {
        true => begin(e, within(after, set)),
        false => none(),
    })
}

fn renamed(p: &Traces, pairs: &[(Event, Event)]) -> Traces {
    p.each(|e, after| {
        let after = renamed(after, pairs);
        let images = pairs.iter().filter(|pair| pair.0 == e);
        let all = union(images.map(|pair| begin(pair.1, after.clone())));
        if all == none() { begin(e, after) } else { all }
    })
}

fn without(p: &Traces, hides: &impl Fn(Event) -> bool) -> Traces {
    p.each(|e, after| match hides(e) {
        true => without(after, hides),
        false => begin(e, without(after, hides)),
    })
}

/// The traces of `p` with hidden events. A short trace can hide a long one, so ever longer traces
/// of `p` are taken, until several lengths have brought nothing new or there are none.
fn hidden(defs: &[P], p: &P, n: usize, hides: impl Fn(Event) -> bool) -> Traces {
    let mut long = of(defs, p, n);
    let mut result = without(&long, &hides);
    let mut unchanged = 0;
    for length in (n + 2..).step_by(2) {
        if long.size() > 3000 {
            WORK.set(0);
        }
        let longer = of(defs, p, length);
        let next = without(&longer, &hides).cut(n);
        unchanged = if next == result { unchanged + 1 } else { 0 };
        if unchanged == 3 || longer == long || exhausted() {
            return next;
        }
        (long, result) = (longer, next);
    }
    result
}

/// The traces of a buffer that holds `held`, the oldest first.
fn buffer(size: usize, ports: &[(Event, Event)], full: Full, held: &[Event], n: usize) -> Traces {
    if n == 0 || exhausted() {
        return none();
    }
    let with = |held: &[Event]| buffer(size, ports, full, held, n - 1);
    let output = held.iter().take(1).map(|&e| begin(e, with(&held[1..])));
    let inputs = ports.iter().map(|&(input, output)| match full {
        _ if held.len() < size => begin(input, with(&[held, &[output]].concat())),
        Full::Signal(signal) => begin(input, begin(signal, with(held))),
        Full::Refuse | Full::Status(..) => none(),
    });
    let status = match full {
        Full::Status(when_full, _) if held.len() == size => begin(when_full, with(held)),
        Full::Status(_, when_empty) if held.is_empty() => begin(when_empty, with(held)),
        _ => none(),
    };
    union(output.chain(inputs)).union(status)
}
