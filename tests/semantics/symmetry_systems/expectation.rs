//! The expected result of a check of a random system: by plain search of the product, and by brute
//! force over all permutations of the identities.

use std::collections::{BTreeSet, HashSet};

use super::alphabet::{Alphabet, Event, TAU};
use super::lts::{Lts, matching};
use super::tree::{Operator, State, Tree};

/// A state of the specification with one of the implementation.
type Pair = (usize, State);

/// The expected result of a check.
#[derive(Clone, Debug)]
pub(crate) struct Expectation {
    /// States of the specification's normal form.
    pub(crate) specification_states: usize,
    /// The number of steps before the first event that is not allowed, τ included; `None` if there
    /// is no such event.
    pub(crate) steps_to_violation: Option<usize>,
    /// Reachable pairs and breadth-first levels, if there is no violation.
    pub(crate) states: usize,
    pub(crate) levels: usize,
    /// The reduction by all symmetries that are permutations of identities.
    pub(crate) any_start: Reduction,
    /// The reduction by the symmetries that fix the initial states.
    pub(crate) fixed_start: Reduction,
}

/// The effect of a group on the reachable pairs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reduction {
    /// The number of permutations of the identities that are symmetries.
    pub(crate) order: usize,
    /// True if all of them fix every state of the specification.
    pub(crate) universal: bool,
    /// The number of orbits of the reachable pairs; counted only if there is no violation.
    pub(crate) orbits: usize,
}

/// The expected result of a check of `implementation` against a specification in normal form;
/// `None` if it has more pairs than `limit`.
pub(crate) fn expectation(
    alphabet: &Alphabet,
    specification: &Lts,
    implementation: &Tree,
    limit: usize,
) -> Option<Expectation> {
    let start = (0, implementation.initial());
    let search = search(specification, implementation, &start, limit)?;
    let holds = search.steps_to_violation.is_none();
    let group = symmetries(alphabet, specification, implementation);
    let reduction = |group: &[&Symmetry]| Reduction {
        order: group.len(),
        universal: group.iter().all(|symmetry| symmetry.fixes_specification()),
        orbits: if holds {
            orbits(&search.pairs, group)
        } else {
            0
        },
    };
    let fixes_start = |symmetry: &&Symmetry| symmetry.apply(&start) == start;
    let fixed: Vec<&Symmetry> = group.iter().filter(fixes_start).collect();
    for symmetry in &group {
        assert_automorphism(alphabet, implementation, symmetry, &search.pairs);
    }
    if holds {
        assert_eq!(
            orbits(&search.pairs, &fixed),
            burnside(&search.pairs, &fixed)
        );
    }
    Some(Expectation {
        specification_states: specification.rows.len(),
        steps_to_violation: search.steps_to_violation,
        states: search.pairs.len(),
        levels: search.levels,
        any_start: reduction(&group.iter().collect::<Vec<_>>()),
        fixed_start: reduction(&fixed),
    })
}

struct Search {
    /// The pairs found before the first violation, in breadth-first order.
    pairs: Vec<Pair>,
    levels: usize,
    steps_to_violation: Option<usize>,
}

fn search(specification: &Lts, tree: &Tree, start: &Pair, limit: usize) -> Option<Search> {
    let mut seen = HashSet::from([start.clone()]);
    let mut pairs = vec![start.clone()];
    let (mut level, mut levels) = (0..1, 0);
    while !level.is_empty() {
        levels += 1;
        for at in level.clone() {
            let (allowing, state) = pairs[at].clone();
            for (event, to) in tree.steps(&state) {
                let next = match event {
                    TAU => Some(allowing),
                    _ => specification.after(allowing, event),
                };
                let Some(next) = next else {
                    return Some(Search {
                        pairs,
                        levels,
                        steps_to_violation: Some(levels - 1),
                    });
                };
                if seen.insert((next, to.clone())) {
                    pairs.push((next, to));
                }
            }
        }
        if pairs.len() > limit {
            return None;
        }
        level = level.end..pairs.len();
    }
    Some(Search {
        pairs,
        levels,
        steps_to_violation: None,
    })
}

/// The number of orbits with a member among `pairs`. Each pair that is not marked yet marks all its
/// images.
fn orbits(pairs: &[Pair], group: &[&Symmetry]) -> usize {
    let mut marked: HashSet<Pair> = HashSet::new();
    let mut count = 0;
    for pair in pairs {
        if !marked.contains(pair) {
            count += 1;
            marked.extend(group.iter().map(|symmetry| symmetry.apply(pair)));
        }
    }
    count
}

/// The number of orbits of a group that maps `pairs` to themselves, by Burnside's lemma: the mean
/// number of pairs that an element fixes.
fn burnside(pairs: &[Pair], group: &[&Symmetry]) -> usize {
    let all: HashSet<&Pair> = pairs.iter().collect();
    let fixed = |symmetry: &&Symmetry| {
        let images = pairs.iter().map(|pair| (pair, symmetry.apply(pair)));
        let fixes = |(pair, image): (&Pair, Pair)| {
            assert!(all.contains(&image));
            usize::from(*pair == image)
        };
        images.map(fixes).sum::<usize>()
    };
    group.iter().map(fixed).sum::<usize>() / group.len()
}

/// Asserts that the steps of the images of some pairs are the images of their steps.
fn assert_automorphism(alphabet: &Alphabet, tree: &Tree, symmetry: &Symmetry, pairs: &[Pair]) {
    let images = alphabet.lifted(&symmetry.sigma);
    for (_, state) in pairs.iter().step_by(1 + pairs.len() / 50) {
        let moved =
            |(event, to): (Event, State)| (images[event], symmetry.implementation.apply(&to));
        let expected: BTreeSet<_> = tree.steps(state).into_iter().map(moved).collect();
        let steps = tree
            .steps(&symmetry.implementation.apply(state))
            .into_iter()
            .collect();
        assert_eq!(expected, steps);
    }
}

/// A permutation of identities that preserves specification and implementation, with its effect on
/// their states.
struct Symmetry {
    /// The image of each identity.
    sigma: Vec<usize>,
    specification: Vec<usize>,
    implementation: Action,
}

impl Symmetry {
    fn apply(&self, (specification, state): &Pair) -> Pair {
        let specification = self.specification[*specification];
        (specification, self.implementation.apply(state))
    }

    fn fixes_specification(&self) -> bool {
        (0..self.specification.len()).all(|state| self.specification[state] == state)
    }
}

/// All symmetries that are permutations of identities, the identity first.
fn symmetries(alphabet: &Alphabet, specification: &Lts, tree: &Tree) -> Vec<Symmetry> {
    let symmetry = |sigma: Vec<usize>| {
        let images = alphabet.lifted(&sigma);
        Some(Symmetry {
            specification: matching(specification, specification, &images)?,
            implementation: action(tree, tree, &sigma, &images)?,
            sigma,
        })
    };
    alphabet
        .permutations()
        .into_iter()
        .filter_map(symmetry)
        .collect()
}

/// The effect of a permutation of identities on the states of a tree.
enum Action {
    Leaf(Vec<usize>),
    /// For each operand, the operand to which its states go, and the effect on them.
    Operands(Vec<usize>, Vec<Action>),
}

impl Action {
    fn apply(&self, state: &State) -> State {
        match (self, state) {
            (Action::Leaf(states), State::Leaf(at)) => State::Leaf(states[*at]),
            (Action::Operands(partners, actions), State::All(states)) => {
                let mut images = states.clone();
                for (at, state) in states.iter().enumerate() {
                    images[partners[at]] = actions[at].apply(state);
                }
                State::All(images)
            }
            (Action::Operands(partners, actions), State::One(live, state)) => {
                State::One(partners[*live], Box::new(actions[*live].apply(state)))
            }
            (_, State::Over) => State::Over,
            _ => unreachable!("the state is one of the tree"),
        }
    }
}

/// The map of the states of `from` to those of `to` when every event is replaced by its image;
/// `None` if the trees do not correspond. Operands that are numbered by identities go where their
/// identities go; two others may swap. Where an operator starts or ends operands as it runs, their
/// initial states must correspond. (A machine also knows symmetries without this condition: it
/// keeps the states of operands that are not live.)
fn action(from: &Tree, to: &Tree, sigma: &[usize], images: &[Event]) -> Option<Action> {
    if let (Operator::Leaf(from), Operator::Leaf(to)) = (&from.operator, &to.operator) {
        return Some(Action::Leaf(matching(from, to, images)?));
    }
    if from.operands.len() != to.operands.len() || from.by_id != to.by_id {
        return None;
    }
    let straight: Vec<usize> = (0..from.operands.len()).collect();
    let candidates = match (&from.operator, from.by_id) {
        (_, true) => vec![sigma.to_vec()],
        (Operator::Parallel(_) | Operator::Linked(_) | Operator::ExternalChoice, _) => {
            vec![straight, vec![1, 0]]
        }
        _ => vec![straight],
    };
    candidates.into_iter().find_map(|partners| {
        if moved(&from.operator, &partners, images).as_ref() != Some(&sorted(&to.operator)) {
            return None;
        }
        let pairs = from.operands.iter().zip(&partners);
        let actions = pairs.map(|(operand, &at)| action(operand, &to.operands[at], sigma, images));
        let mut actions: Vec<Action> = actions.collect::<Option<_>>()?;
        let fixes_starts = || {
            let mut pairs = from.operands.iter().zip(&partners).zip(&actions);
            pairs.all(|((operand, &at), action)| {
                action.apply(&operand.initial()) == to.operands[at].initial()
            })
        };
        if from.operator.starts_operands() && !fixes_starts() {
            return None;
        }
        Some(match from.operator {
            // The states of these operators are those of the operand.
            Operator::Hide(_) | Operator::Rename(_) => actions.remove(0),
            _ => Action::Operands(partners, actions),
        })
    })
}

/// An operator with every event replaced by its image and every operand moved to the place of its
/// partner, lists sorted; `None` for a leaf.
fn moved(operator: &Operator, partners: &[usize], images: &[Event]) -> Option<Operator> {
    let set = |set: &BTreeSet<Event>| set.iter().map(|&e| images[e]).collect();
    let pair = |&(left, right): &(Event, Event)| (images[left], images[right]);
    Some(sorted(&match operator {
        Operator::Leaf(_) => return None,
        Operator::Parallel(events) => Operator::Parallel(set(events)),
        Operator::Hide(events) => Operator::Hide(set(events)),
        Operator::Exception(events) => Operator::Exception(set(events)),
        Operator::Alphabetised(alphabets) => {
            let mut moved = alphabets.clone();
            for (at, alphabet) in alphabets.iter().enumerate() {
                moved[partners[at]] = set(alphabet);
            }
            Operator::Alphabetised(moved)
        }
        Operator::Prefix(events) => {
            let mut moved = events.clone();
            for (at, &event) in events.iter().enumerate() {
                moved[partners[at]] = images[event];
            }
            Operator::Prefix(moved)
        }
        Operator::Rename(pairs) => Operator::Rename(pairs.iter().map(pair).collect()),
        Operator::Linked(ties) if partners[0] == 0 => {
            Operator::Linked(ties.iter().map(pair).collect())
        }
        Operator::Linked(ties) => {
            let swapped = ties.iter().map(pair).map(|(left, right)| (right, left));
            Operator::Linked(swapped.collect())
        }
        Operator::Sequential
        | Operator::ExternalChoice
        | Operator::Interrupt
        | Operator::SlidingChoice
        | Operator::InternalChoice => operator.clone(),
    }))
}

fn sorted(operator: &Operator) -> Operator {
    let sorted = |pairs: &Vec<(Event, Event)>| {
        let mut pairs = pairs.clone();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    };
    match operator {
        Operator::Rename(pairs) => Operator::Rename(sorted(pairs)),
        Operator::Linked(ties) => Operator::Linked(sorted(ties)),
        other => other.clone(),
    }
}
