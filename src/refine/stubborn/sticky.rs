//! Steps that break each cycle, chosen before the search, so that nothing is put off for ever.
//!
//! After R. Kurshan, V. Levin, M. Minea, D. Peled and H. Yenigün, *Static partial order reduction*,
//! TACAS 1998: a set of edges of the leaves is chosen without which no leaf goes round in a circle.
//! Steps along these edges are *sticky*; a walk without them cannot come back to where it was.

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use base::cancel::Cancellation;
use base::components::strong_components;
use base::diag::Result;
use base::index::TypedIndex;
use machine::interference::Interference;
use machine::{LeafId, Machine, RuleId};
use symmetry::pbisim::Symmetry;

/// An edge of a leaf: from a state to another.
type Edge = (u32, u32);

/// The steps by *loose* rules that are sticky.
#[derive(Debug)]
pub(super) struct StickySteps {
    is_loose: FixedBitSet,
    /// By action, the states from which it may take a sticky edge.
    sticks: Vec<FixedBitSet>,
    /// By action of a leaf that is a driver, the states from which it leads to others only.
    drives: Vec<FixedBitSet>,
    /// True if loose rules never go round in a circle.
    pub(super) has_no_cycle: bool,
}

/// The most steps of choosing edges one action after the other; if it takes more, all edges of
/// circles are sticky.
const MOST_STEPS: usize = 1 << 24;

impl StickySteps {
    /// The sticky steps by these loose rules, of which those with a lower `cost` should rather not
    /// be sticky. `generators` generate the group by which states are represented.
    pub(super) fn new(
        machine: &Machine,
        interference: &Interference,
        loose: &[(RuleId, usize)],
        generators: &[Symmetry],
        token: &Cancellation,
    ) -> Result<Self> {
        let mut is_loose = FixedBitSet::with_capacity(machine.rules.len());
        is_loose.extend(loose.iter().map(|(rule, _)| rule.index()));
        let orbits = LeafOrbits::new(machine, generators, token)?;
        let edges = loose_edges(machine, interference, loose, generators, token)?;
        let mut chosen: Vec<FxHashSet<Edge>> = Vec::new();
        for (leaf, edges) in machine.leaves.iter().zip(edges) {
            chosen.push(breaking(leaf.state_count() as usize, edges, token)?);
        }
        let drivers = drivers(interference, loose, &orbits, &chosen, token)?;
        for (leaf, chosen) in chosen.iter_mut().enumerate() {
            if !drivers.contains(leaf) {
                chosen.clear();
            }
        }
        close(&mut chosen, generators, token)?;
        let always_drives = |rule: RuleId| {
            interference.participants(rule).iter().any(|participant| {
                let action = &interference.actions[participant.action as usize];
                drivers.contains(participant.leaf.index()) && action.always_moves()
            })
        };
        let has_no_cycle = chosen.iter().all(FxHashSet::is_empty)
            && loose.iter().all(|&(rule, _)| always_drives(rule));
        let (mut sticks, mut drives) = (Vec::new(), Vec::new());
        for action in &interference.actions {
            token.look(1 + action.transitions.len())?;
            let states = machine.leaves[action.leaf].state_count() as usize;
            let chosen = &chosen[action.leaf.index()];
            let mut sticky = FixedBitSet::with_capacity(states);
            let mut driving = FixedBitSet::with_capacity(states);
            if drivers.contains(action.leaf.index()) {
                driving.extend(action.transitions.iter().map(|pair| pair.0 as usize));
            }
            for &(from, to) in &action.transitions {
                if from == to {
                    driving.set(from as usize, false);
                } else if chosen.contains(&(from, to)) {
                    sticky.insert(from as usize);
                }
            }
            sticks.push(sticky);
            drives.push(driving);
        }
        Ok(Self {
            is_loose,
            sticks,
            drives,
            has_no_cycle,
        })
    }

    /// True if `rule` is loose and no result of it, in a state of the machine in which it is
    /// possible, comes by a sticky step: no leaf goes along a chosen edge, and some driver moves.
    #[inline]
    pub(super) fn goes_on(
        &self,
        interference: &Interference,
        rule: RuleId,
        leaves: &[u32],
    ) -> bool {
        if !self.is_loose.contains(rule.index()) {
            return false;
        }
        let mut is_driven = false;
        for participant in interference.participants(rule) {
            let state = leaves[participant.leaf.index()] as usize;
            let action = participant.action as usize;
            if self.sticks[action].contains(state) {
                return false;
            }
            is_driven |= self.drives[action].contains(state);
        }
        is_driven
    }
}

/// The orbits of leaves.
struct LeafOrbits {
    /// By leaf, the least leaf of its orbit.
    first: Vec<usize>,
}

impl LeafOrbits {
    fn new(machine: &Machine, generators: &[Symmetry], token: &Cancellation) -> Result<Self> {
        let mut first: Vec<usize> = (0..machine.leaves.len()).collect();
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            token.look(1 + first.len() * generators.len())?;
            for leaf in 0..first.len() {
                for generator in generators {
                    let image = generator.pbisim.leaf(LeafId::from_usize(leaf)).index();
                    let least = first[leaf].min(first[image]);
                    has_changed |= first[leaf] != least || first[image] != least;
                    (first[leaf], first[image]) = (least, least);
                }
            }
        }
        Ok(Self { first })
    }

    fn members(&self, orbit: usize) -> impl Iterator<Item = usize> {
        (0..self.first.len()).filter(move |&leaf| self.first[leaf] == orbit)
    }
}

/// By leaf, its edges by loose rules, closed under the group, each with the least key of an action
/// that takes it: the cost of the rule and the number of the action.
fn loose_edges(
    machine: &Machine,
    interference: &Interference,
    loose: &[(RuleId, usize)],
    generators: &[Symmetry],
    token: &Cancellation,
) -> Result<Vec<FxHashMap<Edge, (usize, u32)>>> {
    let mut edges: Vec<FxHashMap<Edge, (usize, u32)>> = Vec::new();
    edges.resize_with(machine.leaves.len(), FxHashMap::default);
    let mut costs: FxHashMap<u32, usize> = FxHashMap::default();
    for &(rule, cost) in loose {
        for participant in interference.participants(rule) {
            // An action of several rules is as dear as the dearest: if it is sticky, all are.
            let known = costs.entry(participant.action).or_insert(cost);
            *known = cost.max(*known);
        }
    }
    let mut open = Vec::new();
    let mut costs: Vec<(u32, usize)> = costs.into_iter().collect();
    costs.sort_unstable();
    for (number, cost) in costs {
        let action = &interference.actions[number as usize];
        for &(from, to) in action.transitions.iter().filter(|(from, to)| from != to) {
            let known = edges[action.leaf.index()].entry((from, to));
            let key = known.or_insert((cost, number));
            *key = (cost, number).min(*key);
            open.push((action.leaf, (from, to)));
        }
    }
    while let Some((leaf, edge)) = open.pop() {
        token.look(1 + generators.len())?;
        let key = edges[leaf.index()][&edge];
        for generator in generators {
            let (leaf, edge) = image(generator, leaf, edge);
            edges[leaf.index()].entry(edge).or_insert_with(|| {
                open.push((leaf, edge));
                key
            });
        }
    }
    Ok(edges)
}

fn image(generator: &Symmetry, leaf: LeafId, (from, to): Edge) -> (LeafId, Edge) {
    let states = generator.pbisim.states(leaf);
    let edge = (states[from as usize], states[to as usize]);
    (generator.pbisim.leaf(leaf), edge)
}

/// Edges without which the others form no circle: an action that would close one is sticky where it
/// does.
fn breaking(
    states: usize,
    edges: FxHashMap<Edge, (usize, u32)>,
    token: &Cancellation,
) -> Result<FxHashSet<Edge>> {
    let mut edges: Vec<((usize, u32), Edge)> =
        edges.into_iter().map(|(edge, key)| (key, edge)).collect();
    edges.sort_unstable();
    let mut chosen = FxHashSet::default();
    let mut graph: Vec<Vec<u32>> = vec![Vec::new(); states];
    let actions = edges.chunk_by(|(a, _), (b, _)| a == b);
    let steps = actions.clone().count().saturating_mul(states + edges.len());
    // If all edges are taken together, more of them are chosen than need be.
    let groups: Vec<&[((usize, u32), Edge)]> = match steps > MOST_STEPS {
        true => vec![&edges],
        false => actions.collect(),
    };
    for group in groups {
        for &(_, (from, to)) in group {
            graph[from as usize].push(to);
        }
        let component = strong_components(&graph[..], &mut |steps| token.look(steps))?;
        for &(_, (from, to)) in group {
            if component[from as usize] == component[to as usize] {
                chosen.insert((from, to));
                graph[from as usize].retain(|&other| other != to);
            }
        }
    }
    Ok(chosen)
}

/// The leaves by which it is told whether a step goes on: orbits whose circles need many edges are
/// left out, as long as each loose rule that always moves some leaf always moves one of the others.
fn drivers(
    interference: &Interference,
    loose: &[(RuleId, usize)],
    orbits: &LeafOrbits,
    chosen: &[FxHashSet<Edge>],
    token: &Cancellation,
) -> Result<FixedBitSet> {
    let mut drivers = FixedBitSet::with_capacity(chosen.len());
    drivers.insert_range(..);
    let moved: Vec<Vec<usize>> = loose
        .iter()
        .map(|&(rule, _)| {
            let participants = interference.participants(rule).iter();
            let moved = participants.filter(|participant| {
                interference.actions[participant.action as usize].always_moves()
            });
            moved.map(|participant| participant.leaf.index()).collect()
        })
        .collect();
    let mut first: Vec<usize> = (0..chosen.len())
        .filter(|&leaf| orbits.first[leaf] == leaf && !chosen[leaf].is_empty())
        .collect();
    first.sort_by_key(|&leaf| std::cmp::Reverse(chosen[leaf].len()));
    for orbit in first {
        token.look(1 + moved.len())?;
        let is_own = |leaf: &&usize| orbits.first[**leaf] == orbit;
        let is_moved_besides = moved.iter().all(|moved| {
            let mut others = moved.iter().filter(|leaf| !is_own(leaf));
            !moved.iter().any(|leaf| is_own(&leaf)) || others.any(|&leaf| drivers.contains(leaf))
        });
        if is_moved_besides {
            for leaf in orbits.members(orbit) {
                drivers.set(leaf, false);
            }
        }
    }
    Ok(drivers)
}

/// Adds the images of the edges under the group.
fn close(
    chosen: &mut [FxHashSet<Edge>],
    generators: &[Symmetry],
    token: &Cancellation,
) -> Result<()> {
    let mut open: Vec<(LeafId, Edge)> = Vec::new();
    for (leaf, edges) in chosen.iter().enumerate() {
        open.extend(edges.iter().map(|&edge| (LeafId::from_usize(leaf), edge)));
    }
    while let Some((leaf, edge)) = open.pop() {
        token.look(1 + generators.len())?;
        for generator in generators {
            let (leaf, edge) = image(generator, leaf, edge);
            if chosen[leaf.index()].insert(edge) {
                open.push((leaf, edge));
            }
        }
    }
    Ok(())
}
