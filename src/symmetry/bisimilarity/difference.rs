//! The difference of two transition systems: the shortest trace that one has and the other does not
//! have.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::permutation::EventPermutation;
use crate::start::Start;
use base::define_index;
use base::index::TypedIndex;
use base::interner::Interner;
use lts::graph::{Lts, StateId};
use process::event::{EventId, TAU};

/// A difference between two transition systems.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Difference {
    /// One side does a trace that the other does not. Under [`Start::Fixed`] both start from their
    /// initial states. Under [`Start::Any`] only the side that does the trace starts there, and the
    /// other does not do it from any state.
    Behaviour(DistinguishingTrace),
    /// No single event was found that tells the systems apart, but these many states of the left
    /// and of the right have no partner.
    States(usize, usize),
    /// All states have partners, but the initial states are not partners of each other.
    Initial,
}

/// A trace and an event that one of two systems does and the other does not, up to a permutation of
/// events: `left` does `event` after `trace`, but `right` does not do the image after the image of
/// the trace; or, if not `on_left`, the other way round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DistinguishingTrace {
    /// Events of `left`, τ included; as few as possible, as far as was searched.
    pub trace: Vec<EventId>,
    /// The images of `trace`: events of `right`.
    pub(crate) image_trace: Vec<EventId>,
    /// The event of `left`.
    pub event: EventId,
    /// Its image.
    pub image: EventId,
    /// True if `left` does it.
    pub(crate) on_left: bool,
}

/// A trace and an event that distinguish the systems, if any were found.
pub(super) fn behaviour(left: &Lts, right: &Lts, start: Start) -> Option<Difference> {
    let (from_left, from_right) = ((left, Lts::INITIAL), (right, Lts::INITIAL));
    match start {
        Start::Fixed => apart(from_left, from_right),
        // A missing event is seen more easily than an event that is missing after some trace.
        Start::Any => nearer(
            surplus(from_left, &alphabet(right), vec![Lts::INITIAL]),
            surplus(from_right, &alphabet(left), vec![Lts::INITIAL]),
        )
        .or_else(|| {
            nearer(
                surplus(from_left, right, right.states().collect()),
                surplus(from_right, left, left.states().collect()),
            )
        }),
    }
}

/// The shortest trace that distinguishes two states, if one was found.
pub(super) fn apart(left: (&Lts, StateId), right: (&Lts, StateId)) -> Option<Difference> {
    let there = surplus(left, right.0, vec![right.1]);
    let back = surplus(right, left.0, vec![left.1]);
    nearer(there, back)
}

/// A system of one state that does all events that `lts` ever does.
fn alphabet(lts: &Lts) -> Lts {
    let events = lts.states().flat_map(|state| lts.row(state));
    let events: BTreeSet<EventId> = events.map(|&(event, _)| event).collect();
    let row = events.into_iter().map(|event| (event, Lts::INITIAL));
    Lts::from_rows(vec![row.collect()])
}

/// A trace and an event after it.
type Surplus = (Vec<EventId>, EventId);

/// The shorter of two traces: the first is done only by the left system, the second only by the
/// right one. Both are in events of the right system, so images and originals are equal here.
fn nearer(left: Option<Surplus>, right: Option<Surplus>) -> Option<Difference> {
    let left = left.into_iter().map(|found| (found, true));
    let both = left.chain(right.map(|found| (found, false)));
    // Of two equally long traces this is the first.
    let ((trace, event), on_left) = both.min_by_key(|((trace, _), _)| trace.len())?;
    Some(Difference::Behaviour(DistinguishingTrace {
        image_trace: trace.clone(),
        trace,
        event,
        image: event,
        on_left,
    }))
}

impl Difference {
    /// This difference between the image of a system and another system, turned into one between
    /// the system itself and the other: the trace and the event of the left replace their images.
    pub(super) fn translated(self, sigma: &EventPermutation) -> Self {
        let Self::Behaviour(found) = self else {
            return self;
        };
        let back = sigma.inverse();
        let trace = found.image_trace.iter().map(|&event| back.apply(event));
        Self::Behaviour(DistinguishingTrace {
            trace: trace.collect(),
            event: back.apply(found.image),
            ..found
        })
    }
}

define_index! {
    /// A set of states that a trace leads to.
    SubsetId,
}

/// The steps of a set, ascending by event.
type SetSteps = Arc<[(EventId, SubsetId)]>;

/// The sets of states that traces lead to; found when they are needed.
struct TraceSets<'a> {
    lts: &'a Lts,
    sets: Interner<SubsetId, Arc<[StateId]>>,
    /// By state, the set of it alone, where that was met: most sets are such.
    alone: Vec<Option<SubsetId>>,
    /// By set, its steps, where they were asked for.
    rows: Vec<Option<SetSteps>>,
    /// The number of transitions looked at.
    work: usize,
}

impl<'a> TraceSets<'a> {
    fn of(lts: &'a Lts) -> Self {
        Self {
            lts,
            sets: Interner::new(),
            alone: vec![None; lts.state_count()],
            rows: Vec::new(),
            work: 0,
        }
    }

    /// The set of these states, which are ascending.
    fn set(&mut self, states: &[StateId]) -> SubsetId {
        match states {
            [state] => *self.alone[state.index()]
                .get_or_insert_with(|| self.sets.intern(Arc::<[StateId]>::from(states))),
            _ => self.sets.intern(Arc::<[StateId]>::from(states)),
        }
    }

    /// The steps of the states of `set`.
    fn row(&mut self, set: SubsetId) -> SetSteps {
        if let Some(Some(known)) = self.rows.get(set.index()) {
            return known.clone();
        }
        let states = self.sets[set].clone();
        let steps = states.iter().flat_map(|&state| self.lts.row(state));
        let mut steps: Vec<(EventId, StateId)> = steps.copied().collect();
        self.work += steps.len();
        // The steps of one state are in order.
        if states.len() > 1 {
            steps.sort_unstable();
            steps.dedup();
        }
        // Steps are sorted by event and then target: a set of targets is ascending, and has one
        // number however it was reached.
        let mut row = Vec::new();
        let mut targets = Vec::new();
        for steps in steps.chunk_by(|a, b| a.0 == b.0) {
            targets.clear();
            targets.extend(steps.iter().map(|&(_, target)| target));
            row.push((steps[0].0, self.set(&targets)));
        }
        let row: SetSteps = row.into();
        self.rows.resize(self.sets.len(), None);
        self.rows[set.index()] = Some(row.clone());
        row
    }
}

/// The shortest trace of `one` from its state, and an event after it, such that `other` cannot do
/// trace and event from any of `starts`. τ counts as any other event. Returns `None` also after a
/// few times the work of reading both systems, because there may be exponentially many sets of
/// states.
fn surplus(one: (&Lts, StateId), other: &Lts, starts: Vec<StateId>) -> Option<Surplus> {
    let (one, initial) = one;
    let most_work = 100_000 + 4 * (one.transition_count() + other.transition_count());
    let mut subsets = TraceSets::of(other);
    let first = (initial, subsets.set(&starts));
    let mut seen = FxHashSet::from_iter([first]);
    // The pairs, each with the number of the pair before it, and the event between them.
    let mut pairs = vec![(first, 0, TAU)];
    let mut next = 0;
    while let Some(&((state, set), _, _)) = pairs.get(next) {
        let row = subsets.row(set);
        for &(event, target) in one.row(state) {
            let Ok(at) = row.binary_search_by_key(&event, |&(event, _)| event) else {
                return Some((trace_to(&pairs, next), event));
            };
            let pair = (target, row[at].1);
            if seen.insert(pair) {
                pairs.push((pair, next, event));
            }
        }
        subsets.work += one.row(state).len();
        // The limit is checked after the steps of the state, so that a difference found there is
        // reported.
        if subsets.work > most_work {
            return None;
        }
        next += 1;
    }
    None
}

/// The events on the way from the first pair to number `at`.
fn trace_to(pairs: &[((StateId, SubsetId), usize, EventId)], mut at: usize) -> Vec<EventId> {
    let mut trace = Vec::new();
    // The first pair has itself in place of the pair before it, and no event.
    while at != 0 {
        let (_, before, event) = pairs[at];
        trace.push(event);
        at = before;
    }
    trace.reverse();
    trace
}
