//! The states that a few leaves can be in at once, as far as the rules that move them tell.

use rustc_hash::FxHashMap;

use super::network::{LocalGroup, Network};
use base::cancel::Cancellation;
use base::diag::Result;

/// The states that the leaves of a group can be in together.
///
/// A *place* stands for one state of each leaf. It is the sum of the numbers of these states, each
/// times the `stride` of its leaf; that of the last leaf is 1.
pub(super) struct GroupStates {
    /// For each leaf of the group, the number of its states.
    states: Vec<usize>,
    strides: Vec<usize>,
    /// For each place, true if it is reachable.
    are_reachable: Vec<bool>,
}

impl GroupStates {
    fn new(states: Vec<usize>) -> Self {
        let mut strides = vec![1; states.len()];
        for leaf in (1..states.len()).rev() {
            strides[leaf - 1] = strides[leaf] * states[leaf];
        }
        let places = states.iter().product();
        Self {
            states,
            strides,
            are_reachable: vec![false; places],
        }
    }

    /// The number of reachable places.
    pub(super) fn count(&self) -> u64 {
        let reachable = self.are_reachable.iter().filter(|is| **is);
        reachable.count() as u64
    }

    /// The states in which the last leaf of the group can be while the others are in certain ones,
    /// for all states of the others: with theirs, where not all states of the last are possible.
    pub(super) fn of_last(&self) -> impl Iterator<Item = (Vec<usize>, Vec<usize>)> {
        let last = self.states.last().copied().unwrap_or(1);
        let chunks = self.are_reachable.chunks(last).enumerate();
        let open = chunks.filter(|(_, chunk)| chunk.contains(&false));
        open.map(move |(number, chunk)| {
            let others = self.strides.iter().zip(&self.states);
            let others = others.map(|(stride, states)| number * last / stride % states);
            let possible = (0..last).filter(|&state| chunk[state]);
            let others = others.take(self.states.len() - 1).collect();
            (others, possible.collect())
        })
    }

    /// The state of a leaf of the group in `place`.
    fn state(&self, place: usize, leaf: usize) -> usize {
        place / self.strides[leaf] % self.states[leaf]
    }

    /// Marks a place. Returns true if it is new.
    fn reach(&mut self, place: usize) -> bool {
        !std::mem::replace(&mut self.are_reachable[place], true)
    }
}

/// The actions of some leaves, each given by its position in the group.
type GroupActions = Vec<(usize, usize)>;

/// The steps of the leaves of a group. A leaf of the group is given by its position there.
struct Steps<'n> {
    network: &'n Network,
    group: &'n [usize],
    /// For each leaf and each of its actions, the number of rules in which no other leaf of the
    /// group takes part.
    alone: Vec<Vec<usize>>,
    /// For the first leaf of a rule with several of the group, and its action, the actions of the
    /// others, ascending by leaf. Each occurs once.
    together: FxHashMap<(usize, usize), Vec<GroupActions>>,
}

impl<'n> Steps<'n> {
    /// The steps of `group`, of which two leaves or more take part in the rules `joint`.
    fn of(network: &'n Network, group: &'n [usize], joint: &[u32]) -> Self {
        let actions = |&leaf: &usize| network.leaves[leaf].actions.iter();
        let alone = group.iter().map(|leaf| actions(leaf).map(|a| a.rules));
        let mut steps = Self {
            network,
            group,
            alone: alone.map(Iterator::collect).collect(),
            together: FxHashMap::default(),
        };
        for &rule in joint {
            let rule = network.rules[rule as usize].iter();
            let inside = rule.filter_map(|&(leaf, action)| {
                let position = group.iter().position(|&other| other == leaf)?;
                Some((position, action))
            });
            let mut inside: GroupActions = inside.collect();
            inside.sort_unstable();
            for &(position, action) in &inside {
                steps.alone[position][action] -= 1;
            }
            let first = inside.remove(0);
            let known = steps.together.entry(first).or_default();
            if !known.contains(&inside) {
                known.push(inside);
            }
        }
        steps
    }

    /// Adds each place `after` one step from `place`. Returns the number of actions looked at.
    fn from(&self, place: usize, together: &GroupStates, after: &mut Vec<usize>) -> usize {
        let mut actions = 0;
        for position in 0..self.group.len() {
            let state = together.state(place, position);
            for &action in self.network.leaves[self.group[position]].possible(state) {
                actions += 1;
                let first = (position, action);
                if self.alone[position][action] > 0 {
                    after.extend(self.after(place, together, &[first]));
                }
                for others in self.together.get(&first).into_iter().flatten() {
                    let all: GroupActions =
                        [first].into_iter().chain(others.iter().copied()).collect();
                    after.extend(self.after(place, together, &all));
                }
            }
        }
        actions
    }

    /// The places after leaves have done their `actions` at once in `place`; none if one of them
    /// cannot.
    fn after(
        &self,
        place: usize,
        together: &GroupStates,
        actions: &[(usize, usize)],
    ) -> Vec<usize> {
        let mut places = vec![place];
        for &(position, action) in actions {
            let state = together.state(place, position);
            let stride = together.strides[position];
            let action = &self.network.leaves[self.group[position]].actions[action];
            let targets: Vec<usize> = action.targets(state).collect();
            let moved = |&from: &usize| {
                let base = from - state * stride;
                targets.iter().map(move |to| base + to * stride)
            };
            places = places.iter().flat_map(moved).collect();
        }
        places
    }
}

/// The states that the leaves of `group` reach, two or more of which take part in the rules
/// `joint`. An action is done by a leaf alone if that is so in some other rule. If several take
/// part there too, each of them may move alone, so that they reach what they reach together.
/// Returns `None` if this takes more than is `left`: of that each place takes one, and so does each
/// action of the leaves, each that is looked at in a place, and each place that it leads to.
pub(super) fn reachable(
    (network, group): (&Network, &LocalGroup),
    joint: &[u32],
    left: &mut u64,
    token: &Cancellation,
) -> Result<Option<GroupStates>> {
    let steps = Steps::of(network, group, joint);
    let states = group.iter().map(|&leaf| network.leaves[leaf].states);
    let mut together = GroupStates::new(states.collect());
    let actions = steps.alone.iter().map(Vec::len);
    let mut work = together.are_reachable.len() + actions.sum::<usize>() + joint.len();
    together.reach(0);
    let mut open = vec![0];
    let mut after = Vec::new();
    loop {
        token.look(work)?;
        *left = match left.checked_sub(work as u64) {
            Some(left) => left,
            None => return Ok(None),
        };
        let Some(place) = open.pop() else {
            return Ok(Some(together));
        };
        work = 1 + steps.from(place, &together, &mut after) + after.len();
        open.extend(after.drain(..).filter(|&next| together.reach(next)));
    }
}
