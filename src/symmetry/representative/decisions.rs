//! A decision graph for the element of a group that takes a state to its least image. It grows as
//! states need it.
//!
//! A node has a position and the elements that survived so far: their images agree in all earlier
//! positions, and no dropped element has a lesser image. The images of the position are looked up,
//! not computed: a table has, by the leaf that survivors take it from and the value there, the
//! least image and the survivors that attain it. So all worse elements are abandoned at one step,
//! and equal sets of survivors are one node, whatever state led to them. Without the graph,
//! comparing elements one by one, `dijkstra` with 5 participants takes 5 times as long.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::pbisim::Symmetry;
use machine::packing::{BitField, PackedState, Packing};

/// The actions of some elements on the positions.
#[derive(Clone, Default, Debug)]
pub(super) struct ElementActions {
    positions: usize,
    /// By element and position, the origin of the image there.
    origins: Vec<ImageOf>,
    /// Maps of states, all different.
    maps: Vec<Arc<[u32]>>,
}

/// The origin of the image at a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ImageOf {
    /// A position.
    from: u32,
    /// The number of the map in `maps`: by the state at `from`, the state here.
    map: u32,
}

impl ElementActions {
    /// The actions of `elements` on the components `positions`, which they permute.
    pub(super) fn of_elements(elements: &[Symmetry], positions: &[usize]) -> Self {
        let mut known: FxHashMap<Arc<[u32]>, u32> = FxHashMap::default();
        let mut maps = Vec::new();
        let mut number = |map: &Arc<[u32]>| {
            *known.entry(map.clone()).or_insert_with(|| {
                maps.push(map.clone());
                maps.len() as u32 - 1
            })
        };
        let place: FxHashMap<usize, usize> = positions.iter().copied().zip(0..).collect();
        let mut origins = vec![ImageOf { from: 0, map: 0 }; elements.len() * positions.len()];
        let rows = origins.chunks_mut(positions.len().max(1));
        for (element, origins) in elements.iter().zip(rows) {
            for (from, &component) in (0..).zip(positions) {
                let (to, map) = element.part(component);
                let map = number(map);
                if let Some(&at) = place.get(&to) {
                    origins[at] = ImageOf { from, map };
                }
            }
        }
        Self {
            positions: positions.len(),
            origins,
            maps,
        }
    }

    #[inline]
    fn origin(&self, element: u32, position: u32) -> ImageOf {
        self.origins[element as usize * self.positions + position as usize]
    }

    /// The image at `position` under `element` of the state with these values.
    #[inline]
    fn image(&self, element: u32, position: u32, value: impl Fn(u32) -> u32) -> u32 {
        let ImageOf { from, map } = self.origin(element, position);
        self.maps[map as usize][value(from) as usize]
    }

    /// The first position from `position` on at which two of `elements` differ; the number of
    /// positions if there is none.
    fn next_difference(&self, elements: &[u32], position: u32) -> u32 {
        let positions = self.positions as u32;
        let differ = |&at: &u32| {
            let first = self.origin(elements[0], at);
            elements
                .iter()
                .any(|&element| self.origin(element, at) != first)
        };
        (position..positions).find(differ).unwrap_or(positions)
    }
}

/// A set of elements, and the position up to which they have been compared.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Survivors {
    /// The first position at which they may still differ.
    position: u32,
    /// The elements, ascending.
    elements: Arc<[u32]>,
}

/// The part of a node that is read on each visit.
#[derive(Clone, Copy, Debug)]
struct DecisionNode {
    /// The first of the node's branches, or the element that wins.
    first: u32,
    /// The number of branches; or [`DECIDED`] or [`TABLELESS`].
    branches: u32,
}

/// The number of branches of a node at which nothing is left to compare.
const DECIDED: u32 = 0;
/// The number of branches of a node that takes more room than is left: its elements are compared
/// one by one.
const TABLELESS: u32 = u32::MAX;

/// The survivors that take the node's position from one other position.
#[derive(Clone, Copy, Debug)]
struct Branch {
    field: BitField,
    from: u32,
    /// The start of its entries, which are by the value of `field`.
    entries: u32,
}

/// The least image in the upper half, and the node of the elements that attain it in the lower.
type BranchEntry = u64;
/// An entry that no state has needed yet.
const UNKNOWN: BranchEntry = BranchEntry::MAX;

/// The most bytes that all nodes together may take.
pub(super) const ROOM: usize = 256 << 20;

/// The decision graph of some elements.
#[derive(Clone, Default, Debug)]
pub(super) struct Decisions {
    actions: ElementActions,
    /// By position, its field in a state, and the number of its values.
    fields: Vec<(BitField, u32)>,
    nodes: Vec<DecisionNode>,
    branches: Vec<Branch>,
    entries: Vec<BranchEntry>,
    /// By node, its elements.
    survivors: Vec<Survivors>,
    known: FxHashMap<Survivors, u32>,
    /// By position and two nodes after it, the node of the elements of both.
    unions: FxHashMap<(u32, u32, u32), u32>,
    room: usize,
    /// The nodes that a tie leads to.
    tied: Vec<u32>,
    /// Elements that are compared one by one.
    open: Vec<u32>,
}

impl Decisions {
    /// Makes the graph of `actions` on the components `positions`, in `room` bytes; `states` are
    /// the numbers of states of the components.
    pub(super) fn new(
        actions: ElementActions,
        positions: &[usize],
        states: &[u32],
        packing: &Packing,
        room: usize,
    ) -> Self {
        let field = |&component: &usize| (packing.fields()[component], states[component]);
        let elements = actions.origins.len().checked_div(actions.positions);
        let mut decisions = Self {
            fields: positions.iter().map(field).collect(),
            actions,
            room,
            ..Self::default()
        };
        // At the root no element has been dropped. Without positions the identity wins.
        let all: Arc<[u32]> = (0..elements.unwrap_or(1) as u32).collect();
        let position = decisions.actions.next_difference(&all, 0);
        decisions.add(Survivors {
            position,
            elements: all,
        });
        decisions
    }

    /// The element that takes `state` to its least image.
    #[inline]
    pub(super) fn least<S: PackedState>(&mut self, state: &S) -> u32 {
        let mut at = 0;
        loop {
            // Each node has a later position than the one before, so the walk ends.
            let node = self.nodes[at as usize];
            let next = match node.branches {
                DECIDED => return node.first,
                TABLELESS => None,
                1 => self.entry(at, node.first, state).map(|entry| entry as u32),
                _ => self.least_of_branches(at, node, state),
            };
            match next {
                Some(next) => at = next,
                None => return self.one_by_one(at, state),
            }
        }
    }

    /// The next node: that of the branch with the least image, or that of all branches with this
    /// image together.
    #[inline]
    fn least_of_branches<S: PackedState>(
        &mut self,
        at: u32,
        node: DecisionNode,
        state: &S,
    ) -> Option<u32> {
        let mut least = u64::MAX;
        let mut next = 0;
        let mut ties = false;
        for branch in node.first..node.first + node.branches {
            let entry = self.entry(at, branch, state)?;
            let image = entry >> u32::BITS;
            if image < least {
                (least, next, ties) = (image, entry as u32, false);
            } else if image == least {
                if !ties {
                    self.tied.clear();
                    self.tied.push(next);
                    ties = true;
                }
                self.tied.push(entry as u32);
            }
        }
        if ties {
            self.union_of_tied(at)
        } else {
            Some(next)
        }
    }

    #[inline]
    fn entry<S: PackedState>(&mut self, at: u32, branch: u32, state: &S) -> Option<BranchEntry> {
        let Branch { field, entries, .. } = self.branches[branch as usize];
        let value = field.get(state);
        let entry = self.entries[(entries + value) as usize];
        if entry == UNKNOWN {
            return self.fill(at, branch, value);
        }
        Some(entry)
    }

    /// Computes an entry that is needed for the first time; `None` if there is no room for its
    /// node.
    #[cold]
    fn fill(&mut self, at: u32, branch: u32, value: u32) -> Option<BranchEntry> {
        let Survivors { position, elements } = self.survivors[at as usize].clone();
        let Branch { from, entries, .. } = self.branches[branch as usize];
        let mut least = u32::MAX;
        let mut attained = Vec::new();
        for &element in elements.iter() {
            if self.actions.origin(element, position).from != from {
                continue;
            }
            let image = self.actions.image(element, position, |_| value);
            if image < least {
                least = image;
                attained.clear();
            }
            if image == least {
                attained.push(element);
            }
        }
        let node = self.node(attained, position + 1)?;
        let entry = u64::from(least) << u32::BITS | u64::from(node);
        self.entries[(entries + value) as usize] = entry;
        Some(entry)
    }

    /// The node of all elements of the nodes in `tied`.
    #[inline]
    fn union_of_tied(&mut self, at: u32) -> Option<u32> {
        let position = self.survivors[at as usize].position;
        let mut union = self.tied[0];
        for next in 1..self.tied.len() {
            let key = (position, union, self.tied[next]);
            union = match self.unions.get(&key) {
                Some(&known) => known,
                None => self.unite(key)?,
            };
        }
        Some(union)
    }

    #[cold]
    fn unite(&mut self, key: (u32, u32, u32)) -> Option<u32> {
        let (position, a, b) = key;
        let elements = |node: u32| self.survivors[node as usize].elements.iter().copied();
        // Branches differ in the position that their elements take the image from, so no element is
        // in both sets.
        let mut both: Vec<u32> = elements(a).chain(elements(b)).collect();
        both.sort_unstable();
        let union = self.node(both, position + 1)?;
        self.room = self.room.checked_sub(2 * size_of_val(&key))?;
        self.unions.insert(key, union);
        Some(union)
    }

    /// The node of these elements, compared up to `position`; `None` if there is no room for a new
    /// one.
    fn node(&mut self, elements: Vec<u32>, position: u32) -> Option<u32> {
        // Positions at which all survivors agree decide nothing, so nodes skip them.
        let position = self.actions.next_difference(&elements, position);
        let survivors = Survivors {
            position,
            elements: elements.into(),
        };
        if let Some(&known) = self.known.get(&survivors) {
            return Some(known);
        }
        let size =
            size_of_val(&*survivors.elements) + size_of::<(DecisionNode, Survivors, Survivors)>();
        self.room = self.room.checked_sub(size)?;
        Some(self.add(survivors))
    }

    /// Adds a node, with its branches if there is room for their entries.
    fn add(&mut self, survivors: Survivors) -> u32 {
        let Survivors { position, elements } = &survivors;
        let number = self.nodes.len() as u32;
        let mut node = DecisionNode {
            // Elements that agree in all positions take a state to the same image, so any of them
            // wins.
            first: elements[0],
            branches: DECIDED,
        };
        if (*position as usize) < self.fields.len() {
            let origin = |&element| self.actions.origin(element, *position).from;
            let mut origins: Vec<u32> = elements.iter().map(origin).collect();
            origins.sort_unstable();
            origins.dedup();
            node = self.add_branches(&origins);
        }
        self.nodes.push(node);
        self.survivors.push(survivors.clone());
        self.known.insert(survivors, number);
        number
    }

    /// A node whose elements take its position from these positions.
    fn add_branches(&mut self, origins: &[u32]) -> DecisionNode {
        let first = self.branches.len() as u32;
        let values = |&from: &u32| self.fields[from as usize].1 as usize;
        let entries: usize = origins.iter().map(values).sum();
        let size =
            entries * size_of::<BranchEntry>() + size_of_val(origins) / 4 * size_of::<Branch>();
        let Some(room) = self.room.checked_sub(size) else {
            let branches = TABLELESS;
            return DecisionNode { first, branches };
        };
        self.room = room;
        for &from in origins {
            let (field, values) = self.fields[from as usize];
            let entries = self.entries.len() as u32;
            self.entries
                .resize(self.entries.len() + values as usize, UNKNOWN);
            self.branches.push(Branch {
                field,
                from,
                entries,
            });
        }
        let branches = origins.len() as u32;
        DecisionNode { first, branches }
    }

    /// Compares the elements of a node without tables, position by position.
    #[cold]
    fn one_by_one<S: PackedState>(&mut self, at: u32, state: &S) -> u32 {
        let Survivors { position, elements } = &self.survivors[at as usize];
        let (actions, fields) = (&self.actions, &self.fields);
        let value = |from: u32| fields[from as usize].0.get(state);
        self.open.clear();
        self.open.extend_from_slice(elements);
        for position in *position..actions.positions as u32 {
            let image = |&element: &u32| actions.image(element, position, value);
            let Some(least) = self.open.iter().map(image).min() else {
                break;
            };
            self.open.retain(|element| image(element) == least);
            if self.open.len() == 1 {
                break;
            }
        }
        // All elements that are left take the state to the least image.
        self.open[0]
    }
}
