//! Lemma 1, Theorem 1 and Theorem 2 on random groups, and the claims of `PROOFS.md` about a start
//! that moves.

use std::collections::BTreeSet;

use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};

use crate::permutation::EventPermutation;
use process::event::EventId;

/// The number of points on which a group acts; there is an event for each.
const POINTS: usize = 4;

/// The length up to which traces are compared.
const LENGTH: usize = 3;

/// A state of a product space: some points, moved by the group one by one. The first is the state
/// of the specification.
type State = Vec<usize>;

/// An element of the group: the image of each point, and of each event.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Element {
    points: Vec<usize>,
    events: EventPermutation,
}

impl Element {
    /// Makes the element that moves the points and the events of these; the first visible event is
    /// that of point 0.
    fn new(points: Vec<usize>) -> Self {
        let event = |point: usize| EventId(point as u32 + 2);
        let pairs = points.iter().enumerate();
        let pairs = pairs.map(|(from, &to)| (event(from), event(to)));
        Self {
            events: EventPermutation::from_pairs(pairs).unwrap(),
            points,
        }
    }

    fn apply(&self, state: &State) -> State {
        state.iter().map(|&point| self.points[point]).collect()
    }

    fn then(&self, next: &Self) -> Self {
        Self {
            points: next.apply(&self.points),
            events: self.events.then(&next.events),
        }
    }
}

/// A random product space on which a random group acts, with a random choice of a twist in every
/// state.
struct Space {
    start: State,
    group: Vec<Element>,
    steps: BTreeSet<(State, EventId, State)>,
    /// The events that a state of the implementation does, but that the specification's state
    /// beside it does not allow.
    rejected: BTreeSet<(State, EventId)>,
    twists: Vec<(State, Element)>,
}

struct Dice(TestRng);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        (self.0.next_u64() % bound as u64) as usize
    }

    fn state(&mut self) -> State {
        (0..2).map(|_| self.below(POINTS)).collect()
    }

    /// A random permutation of the points from `free` on.
    fn element(&mut self, free: usize) -> Element {
        let mut points: Vec<usize> = (0..POINTS).collect();
        for at in (free + 1..POINTS).rev() {
            points.swap(at, free + self.below(at + 1 - free));
        }
        Element::new(points)
    }
}

impl Space {
    fn random(seed: u8, fixed_start: bool) -> Self {
        let mut dice = Dice(TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]));
        // Where the start is fixed, point 0 is fixed too, because the start is made of it.
        let free = usize::from(fixed_start);
        let group = closure(&[dice.element(free), dice.element(free)]);
        let start = vec![0, 0];
        let mut steps = BTreeSet::new();
        for number in 0..8 {
            let from = if number == 0 {
                start.clone()
            } else {
                dice.state()
            };
            let (event, to) = (EventId(dice.below(POINTS) as u32 + 2), dice.state());
            for element in &group {
                let image = element.events.apply(event);
                steps.insert((element.apply(&from), image, element.apply(&to)));
            }
        }
        let (from, event) = (dice.state(), EventId(dice.below(POINTS) as u32 + 2));
        let rejected = group
            .iter()
            .map(|element| (element.apply(&from), element.events.apply(event)));
        let rejected = rejected.collect();
        let states = (0..POINTS).flat_map(|u| (0..POINTS).map(move |v| vec![u, v]));
        let twist = |state| (state, group[dice.below(group.len())].clone());
        let twists = states.map(twist).collect();
        Self {
            start,
            group,
            steps,
            rejected,
            twists,
        }
    }

    /// The search in which the least image of each state is its representative.
    fn with_unique_representatives(mut self) -> Self {
        for (state, twist) in &mut self.twists {
            let least = self.group.iter().min_by_key(|element| element.apply(state));
            *twist = least.unwrap().clone();
        }
        self
    }

    /// `repPair`: the state that represents `state`, and the twist that leads there.
    fn represent(&self, state: &State) -> (State, &Element) {
        let (_, twist) = self
            .twists
            .iter()
            .find(|(other, _)| other == state)
            .unwrap();
        (twist.apply(state), twist)
    }

    fn after(&self, state: &State) -> impl Iterator<Item = &(State, EventId, State)> {
        self.steps.iter().filter(move |(from, _, _)| from == state)
    }

    /// A trace to each state with each event that is rejected there.
    fn counterexamples<'a>(
        &self,
        paths: impl Iterator<Item = (&'a Vec<EventId>, &'a State)>,
    ) -> BTreeSet<Vec<EventId>> {
        let bad = |(trace, state): (&Vec<EventId>, &State)| {
            let rejected = self.rejected.iter().filter(|(other, _)| other == state);
            let traces = rejected.map(|(_, event)| [trace.as_slice(), &[*event]].concat());
            traces.collect::<Vec<_>>()
        };
        paths.flat_map(bad).collect()
    }

    /// The states that are reached from `start` when each step is followed by `then`, level by
    /// level.
    fn reached(&self, start: State, then: impl Fn(&State) -> State) -> Vec<BTreeSet<State>> {
        let mut seen = BTreeSet::from([start.clone()]);
        let mut levels = vec![BTreeSet::from([start])];
        while let Some(level) = levels.last().filter(|level| !level.is_empty()) {
            let steps = level.iter().flat_map(|state| self.after(state));
            let next = steps.map(|(_, _, to)| then(to));
            let next = next.filter(|to| seen.insert(to.clone())).collect();
            levels.push(next);
        }
        levels
    }

    /// The traces up to a length, each with a state it leads to.
    fn paths(&self) -> BTreeSet<(Vec<EventId>, State)> {
        let mut found = BTreeSet::from([(Vec::new(), self.start.clone())]);
        for _ in 0..LENGTH {
            let longer = |(trace, state): &(Vec<EventId>, State)| {
                let next = |(_, event, to): &(State, EventId, State)| {
                    ([trace.as_slice(), &[*event]].concat(), to.clone())
                };
                self.after(state).map(next).collect::<Vec<_>>()
            };
            let steps: Vec<_> = found.iter().flat_map(longer).collect();
            found.extend(steps);
        }
        found
    }

    /// The twisted paths up to a length from the representative of the start, or from the start
    /// itself: `recover2` of each, its total twist, and the state it leads to.
    fn twisted_paths(&self, twisted_start: bool) -> BTreeSet<(Vec<EventId>, Element, State)> {
        let none = Element::new((0..POINTS).collect());
        let (start, twist) = if twisted_start {
            self.represent(&self.start)
        } else {
            (self.start.clone(), &none)
        };
        let mut found = BTreeSet::from([(Vec::new(), twist.clone(), start)]);
        for _ in 0..LENGTH {
            let longer = |(trace, total, state): &(Vec<EventId>, Element, State)| {
                let next = |(_, event, to): &(State, EventId, State)| {
                    let (to, twist) = self.represent(to);
                    let trace = trace.iter().chain([event]);
                    let trace = trace.map(|&event| twist.events.apply(event)).collect();
                    (trace, total.then(twist), to)
                };
                self.after(state).map(next).collect::<Vec<_>>()
            };
            let steps: Vec<_> = found.iter().flat_map(longer).collect();
            found.extend(steps);
        }
        found
    }
}

fn closure(generators: &[Element]) -> Vec<Element> {
    let mut group = vec![Element::new((0..POINTS).collect())];
    let mut next = 0;
    while next < group.len() {
        for generator in generators {
            let product = group[next].then(generator);
            if !group.contains(&product) {
                group.push(product);
            }
        }
        next += 1;
    }
    group
}

fn spaces(fixed_start: bool) -> Vec<Space> {
    let spaces: Vec<Space> = (0..20)
        .map(|seed| Space::random(seed, fixed_start))
        .collect();
    let orders: BTreeSet<usize> = spaces.iter().map(|space| space.group.len()).collect();
    assert!(orders.len() > 2, "{orders:?}");
    let long = |space: &&Space| space.paths().iter().any(|(trace, _)| trace.len() == LENGTH);
    assert!(spaces.iter().filter(long).count() > 10);
    spaces
}

fn moved(trace: &[EventId], by: &Element) -> Vec<EventId> {
    trace.iter().map(|&event| by.events.apply(event)).collect()
}

fn traces(paths: &BTreeSet<(Vec<EventId>, State)>) -> BTreeSet<&[EventId]> {
    paths.iter().map(|(trace, _)| trace.as_slice()).collect()
}

/// Lemma 1: there is a path with trace t to s if and only if there is a twisted path with the
/// recovered trace tσ to sσ.
#[test]
fn lemma_1_holds() {
    for space in spaces(false) {
        let paths = space.paths();
        let twisted = space.twisted_paths(false);
        let twisted: BTreeSet<_> = twisted
            .iter()
            .map(|(t, _, s)| (t.clone(), s.clone()))
            .collect();
        let image = |(trace, state): &(Vec<EventId>, State), sigma: &Element| {
            (moved(trace, sigma), sigma.apply(state))
        };
        let has_image_in = |path: &_, others: &BTreeSet<_>| {
            let mut images = space.group.iter().map(|sigma| image(path, sigma));
            images.any(|image| others.contains(&image))
        };
        assert!(paths.iter().all(|path| has_image_in(path, &twisted)));
        assert!(twisted.iter().all(|path| has_image_in(path, &paths)));
    }
}

/// Theorem 1: t is a counterexample if and only if some tσ is recovered as one, and the shortest
/// are equally long.
#[test]
fn theorem_1_holds() {
    let mut failing = 0;
    for space in spaces(false) {
        let (paths, twisted) = (space.paths(), space.twisted_paths(false));
        let plain = space.counterexamples(paths.iter().map(|(t, s)| (t, s)));
        let twisted = space.counterexamples(twisted.iter().map(|(t, _, s)| (t, s)));
        let has_image_in = |trace: &Vec<EventId>, others: &BTreeSet<Vec<EventId>>| {
            let mut images = space.group.iter().map(|sigma| moved(trace, sigma));
            images.any(|image| others.contains(&image))
        };
        assert!(plain.iter().all(|trace| has_image_in(trace, &twisted)));
        assert!(twisted.iter().all(|trace| has_image_in(trace, &plain)));
        let shortest = |traces: &BTreeSet<Vec<EventId>>| traces.iter().map(Vec::len).min();
        assert_eq!(shortest(&plain), shortest(&twisted));
        failing += usize::from(!plain.is_empty());
    }
    assert!((5..20).contains(&failing), "{failing} fail");
}

/// With unique representatives there is one for each orbit with a reachable member, at the least
/// level of the reachable members.
#[test]
fn reduced_states_are_the_orbits_of_the_reachable_ones() {
    let mut reduced = 0;
    for space in spaces(false) {
        let space = space.with_unique_representatives();
        let represent = |state: &State| space.represent(state).0;
        let plain = space.reached(space.start.clone(), State::clone);
        let twisted = space.reached(represent(&space.start), represent);
        let mut seen = BTreeSet::new();
        for (at, level) in plain.iter().enumerate() {
            let orbits: BTreeSet<State> = level.iter().map(represent).collect();
            let new: BTreeSet<State> = orbits.difference(&seen).cloned().collect();
            assert_eq!(twisted.get(at).cloned().unwrap_or_default(), new);
            seen.extend(new);
        }
        let size = |levels: &[BTreeSet<State>]| levels.iter().map(BTreeSet::len).sum::<usize>();
        assert_eq!(size(&twisted), seen.len());
        reduced += usize::from(size(&twisted) < size(&plain));
    }
    assert!(reduced > 10, "only {reduced} have fewer states");
}

/// Theorem 2, where the group fixes the start: the results of `recover2` are traces as they stand,
/// and at least one of each orbit. (Not every trace is recovered: the theorem's `t` on one side is
/// some `tσ` on the other.)
#[test]
fn theorem_2_holds_where_the_start_is_fixed() {
    let mut missing = 0;
    for space in spaces(true) {
        let paths = space.paths();
        let twisted = space.twisted_paths(false);
        let recovered: BTreeSet<&[EventId]> = twisted.iter().map(|(t, ..)| t.as_slice()).collect();
        let traces = traces(&paths);
        assert!(recovered.is_subset(&traces));
        let has_image = |trace: &&[EventId]| {
            let mut images = space.group.iter().map(|sigma| moved(trace, sigma));
            images.any(|image| recovered.contains(image.as_slice()))
        };
        assert!(traces.iter().all(has_image));
        missing += usize::from(recovered.len() < traces.len());
    }
    assert!(missing > 0);
}

/// If the group does not fix the start, exactly the traces are recovered once the total twist is
/// undone, from the representative of the start as from the start itself. Without undoing it, some
/// results are no traces.
#[test]
fn untwisted_traces_are_the_traces() {
    let mut differ = 0;
    for space in spaces(false) {
        let paths = space.paths();
        for twisted_start in [false, true] {
            let twisted = space.twisted_paths(twisted_start);
            let untwist = |(trace, total, state): &(Vec<EventId>, Element, State)| {
                let mut group = space.group.iter();
                let back = group
                    .find(|back| total.then(back) == space.group[0])
                    .unwrap();
                assert_eq!(back.events, total.events.inverse());
                (moved(trace, back), back.apply(state))
            };
            let untwisted: BTreeSet<(Vec<EventId>, State)> = twisted.iter().map(untwist).collect();
            assert_eq!(untwisted, paths);
            let recovered: BTreeSet<&[EventId]> =
                twisted.iter().map(|(t, ..)| t.as_slice()).collect();
            differ += usize::from(recovered != traces(&paths));
        }
    }
    assert!(
        differ > 10,
        "only {differ} have traces that need to be untwisted"
    );
}
