//! Operators over explicit components: their steps straight from the operational rules, one state a
//! tree.

use std::collections::BTreeSet;

use super::alphabet::{Event, TAU, TICK};
use super::lts::{Lts, explore};

type Set = BTreeSet<Event>;

/// The operator of an inner node, or the system of a leaf.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Operator {
    Leaf(Lts),
    Parallel(Set),
    /// `||`, with the alphabet of each operand.
    Alphabetised(Vec<Set>),
    Linked(Vec<(Event, Event)>),
    Hide(Set),
    Rename(Vec<(Event, Event)>),
    Sequential,
    ExternalChoice,
    Interrupt,
    SlidingChoice,
    Exception(Set),
    /// Prefixes: each operand after its event.
    Prefix(Vec<Event>),
    InternalChoice,
}

impl Operator {
    /// True if its operands are not all live all the time.
    pub(crate) fn starts_operands(&self) -> bool {
        match self {
            Operator::Leaf(_)
            | Operator::Parallel(_)
            | Operator::Alphabetised(_)
            | Operator::Linked(_)
            | Operator::Hide(_)
            | Operator::Rename(_) => false,
            Operator::Sequential
            | Operator::ExternalChoice
            | Operator::Interrupt
            | Operator::SlidingChoice
            | Operator::Exception(_)
            | Operator::Prefix(_)
            | Operator::InternalChoice => true,
        }
    }
}

/// A process. A part without parallels is one minimised leaf, as in a structured machine.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) operator: Operator,
    pub(crate) operands: Vec<Tree>,
    /// True if the operands are numbered by identities.
    pub(crate) by_id: bool,
}

/// A state of a [`Tree`]; that of hiding and renaming is the state of the operand.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum State {
    /// The state of a leaf.
    Leaf(usize),
    /// The states of operands that are all live; empty for a choice or prefix still ahead.
    All(Vec<State>),
    /// The state of the only operand that is left, with its number.
    One(usize, Box<State>),
    /// The state after ✓ of an operator whose shape changes.
    Over,
}

type Steps = Vec<(Event, State)>;

impl Tree {
    /// The operator over its operands, made a leaf if no part of it is parallel.
    pub(crate) fn new(operator: Operator, operands: Vec<Tree>, by_id: bool) -> Self {
        let is_parallel = matches!(
            operator,
            Operator::Parallel(_) | Operator::Alphabetised(_) | Operator::Linked(_)
        );
        let is_leaf = |tree: &Tree| matches!(tree.operator, Operator::Leaf(_));
        let is_sequential = !is_parallel && operands.iter().all(is_leaf);
        let tree = Self {
            operator,
            operands,
            by_id,
        };
        if is_sequential && !is_leaf(&tree) {
            let (lts, _) =
                explore(tree.initial(), usize::MAX, |state| tree.steps(state)).expect("no limit");
            return Self::leaf(lts.minimised());
        }
        tree
    }

    pub(crate) fn leaf(lts: Lts) -> Self {
        Self {
            operator: Operator::Leaf(lts),
            operands: Vec::new(),
            by_id: false,
        }
    }

    pub(crate) fn initial(&self) -> State {
        let first = || Box::new(self.operands[0].initial());
        match &self.operator {
            Operator::Leaf(_) => State::Leaf(0),
            Operator::Hide(_) | Operator::Rename(_) => *first(),
            Operator::Prefix(_) | Operator::InternalChoice => State::All(Vec::new()),
            Operator::Sequential | Operator::Exception(_) => State::One(0, first()),
            Operator::SlidingChoice => State::All(vec![*first()]),
            _ => State::All(self.operands.iter().map(Tree::initial).collect()),
        }
    }

    pub(crate) fn steps(&self, state: &State) -> Steps {
        match (&self.operator, state) {
            (Operator::Leaf(lts), State::Leaf(at)) => {
                let row = lts.rows[*at].iter();
                row.map(|&(event, to)| (event, State::Leaf(to))).collect()
            }
            (Operator::Hide(hidden), _) => {
                let hide = |event| if hidden.contains(&event) { TAU } else { event };
                let steps = self.operands[0].steps(state).into_iter();
                steps.map(|(event, to)| (hide(event), to)).collect()
            }
            (Operator::Rename(pairs), _) => renamed(self.operands[0].steps(state), pairs),
            (_, State::All(states)) => self.of_all(states),
            (_, State::One(live, state)) => self.of_one(*live, state),
            (_, State::Over) => Vec::new(),
            (_, State::Leaf(_)) => unreachable!("only leaves have such states"),
        }
    }

    fn of_all(&self, states: &[State]) -> Steps {
        let operands = self.operands.iter().zip(states);
        let rows: Vec<Steps> = operands.map(|(tree, state)| tree.steps(state)).collect();
        match &self.operator {
            Operator::Parallel(set) => together(states, &rows, |_, event| {
                set.contains(&event) || event == TICK
            }),
            Operator::Alphabetised(alphabets) => {
                let mut allowed = rows;
                for (row, alphabet) in allowed.iter_mut().zip(alphabets) {
                    row.retain(|(event, _)| *event <= TICK || alphabet.contains(event));
                }
                together(states, &allowed, |i, event| {
                    event == TICK || alphabets[i].contains(&event)
                })
            }
            Operator::Linked(ties) => linked(states, &rows, ties),
            Operator::Prefix(events) => {
                let enter = |(i, &event): (usize, &Event)| (event, self.one(i));
                events.iter().enumerate().map(enter).collect()
            }
            Operator::InternalChoice => {
                let operands = 0..self.operands.len();
                operands.map(|i| (TAU, self.one(i))).collect()
            }
            Operator::ExternalChoice => {
                let of = |i: usize| rows[i].iter().map(move |step| (i, step));
                (0..rows.len())
                    .flat_map(of)
                    .map(|(i, (event, to))| match *event {
                        TAU => (TAU, with(states, i, to)),
                        TICK => (TICK, State::Over),
                        event => (event, State::One(i, Box::new(to.clone()))),
                    })
                    .collect()
            }
            Operator::SlidingChoice => {
                let step = |(event, to): &(Event, State)| match *event {
                    TAU => (TAU, with(states, 0, to)),
                    TICK => (TICK, State::Over),
                    event => (event, State::One(0, Box::new(to.clone()))),
                };
                let steps = rows[0].iter().map(step);
                steps.chain([(TAU, self.one(1))]).collect()
            }
            Operator::Interrupt => {
                let process = rows[0].iter().map(|(event, to)| match *event {
                    TICK => (TICK, State::Over),
                    event => (event, with(states, 0, to)),
                });
                let interrupter = rows[1].iter().map(|(event, to)| match *event {
                    TAU => (TAU, with(states, 1, to)),
                    TICK => (TICK, State::Over),
                    event => (event, State::One(1, Box::new(to.clone()))),
                });
                process.chain(interrupter).collect()
            }
            _ => unreachable!("these are all operators with several live operands"),
        }
    }

    fn of_one(&self, live: usize, state: &State) -> Steps {
        let steps = self.operands[live].steps(state).into_iter();
        let step = |(event, to): (Event, State)| match (&self.operator, event, live) {
            (Operator::Sequential, TICK, 0) => (TAU, self.one(1)),
            (_, TICK, _) => (TICK, State::Over),
            (Operator::Exception(set), event, 0) if set.contains(&event) => (event, self.one(1)),
            _ => (event, State::One(live, Box::new(to))),
        };
        steps.map(step).collect()
    }

    fn one(&self, operand: usize) -> State {
        State::One(operand, Box::new(self.operands[operand].initial()))
    }
}

fn with(states: &[State], i: usize, to: &State) -> State {
    let mut states = states.to_vec();
    states[i] = to.clone();
    State::All(states)
}

/// The steps in which all operands to which an event is `common` do it, or one other does.
fn together(states: &[State], rows: &[Steps], common: impl Fn(usize, Event) -> bool) -> Steps {
    let mut steps = Vec::new();
    let mut shared = BTreeSet::new();
    for (i, row) in rows.iter().enumerate() {
        for (event, to) in row {
            if common(i, *event) {
                shared.insert(*event);
            } else {
                steps.push((*event, with(states, i, to)));
            }
        }
    }
    for event in shared {
        let mut joint = vec![states.to_vec()];
        for i in (0..rows.len()).filter(|&i| common(i, event)) {
            let targets = rows[i].iter().filter(|(e, _)| *e == event);
            let targets: Vec<&State> = targets.map(|(_, to)| to).collect();
            let extend = |states: &Vec<State>| {
                let next = |to: &&State| {
                    let mut states = states.clone();
                    states[i] = (*to).clone();
                    states
                };
                targets.iter().map(next).collect::<Vec<_>>()
            };
            joint = joint.iter().flat_map(extend).collect();
        }
        steps.extend(joint.into_iter().map(|states| (event, State::All(states))));
    }
    steps
}

fn linked(states: &[State], rows: &[Steps], ties: &[(Event, Event)]) -> Steps {
    let mut steps = Vec::new();
    for (event, to) in &rows[0] {
        if *event != TICK && !ties.iter().any(|(left, _)| left == event) {
            steps.push((*event, with(states, 0, to)));
        }
    }
    for (event, to) in &rows[1] {
        if *event != TICK && !ties.iter().any(|(_, right)| right == event) {
            steps.push((*event, with(states, 1, to)));
        }
    }
    for (left, p) in &rows[0] {
        for (right, q) in &rows[1] {
            let both = State::All(vec![p.clone(), q.clone()]);
            if (*left, *right) == (TICK, TICK) {
                steps.push((TICK, both));
            } else if ties.contains(&(*left, *right)) {
                steps.push((TAU, both));
            }
        }
    }
    steps
}

/// The steps of a renaming: an event becomes each of its images; an event without an image stays.
fn renamed(steps: Steps, pairs: &[(Event, Event)]) -> Steps {
    let mut renamed = Vec::new();
    for (event, to) in steps {
        let images = pairs.iter().filter(|(from, _)| *from == event);
        let images: BTreeSet<Event> = images.map(|&(_, image)| image).collect();
        if images.is_empty() {
            renamed.push((event, to));
        } else {
            renamed.extend(images.into_iter().map(|image| (image, to.clone())));
        }
    }
    renamed
}
