//! The leaf states that can be reached, at most, and the symmetries that move any of them. Without
//! this the second assertion of `cspm/sliding-window` reports a group of 8 elements, of which no
//! reachable state shows more than 4.

use crate::pbisim::Symmetry;
use crate::verify::product::Products;
use base::cancel::Cancellation;
use base::diag::Result;
use base::index::IndexVec;
use machine::{LeafId, Machine};

/// For each leaf, a set of states that includes all that it can ever be in. A product that takes
/// several leaves counts as possible once each of them can take part at some time, even if never
/// all at once.
#[derive(Clone, Debug)]
pub(super) struct Reachable {
    /// By leaf and state, true if the leaf may be in the state.
    states: IndexVec<LeafId, Vec<bool>>,
}

impl Reachable {
    /// Finds the states for `machine`, whose rules are `products`. Takes time linear in the rules
    /// and the transitions of the leaves.
    pub(super) fn by_products(
        machine: &Machine,
        products: &Products,
        token: &Cancellation,
    ) -> Result<Self> {
        let mut exploration = Exploration::new(machine, products, token)?;
        exploration.start();
        while let Some((leaf, state)) = exploration.work.pop() {
            token.look(1 + exploration.transitions[leaf][state as usize].len())?;
            exploration.leave(leaf, state);
        }
        Ok(Self {
            states: exploration.reached,
        })
    }

    /// True if `leaf` may be in `state` at some time.
    pub(super) fn contains(&self, leaf: LeafId, state: u32) -> bool {
        self.states[leaf][state as usize]
    }

    /// Adds the images of all states under `symmetries`. A search meets the images too: symmetries
    /// that move the initial state make representatives that need not be reachable.
    pub(super) fn close_under<'a>(
        &mut self,
        symmetries: impl IntoIterator<Item = &'a Symmetry> + Clone,
        token: &Cancellation,
    ) -> Result<()> {
        let mut work: Vec<(LeafId, u32)> = Vec::new();
        for (leaf, states) in self.states.iter_enumerated() {
            let states = (0..).zip(states).filter(|&(_, &is_reached)| is_reached);
            work.extend(states.map(|(state, _)| (leaf, state)));
        }
        while let Some((leaf, state)) = work.pop() {
            for symmetry in symmetries.clone() {
                token.look(1)?;
                let image = symmetry.pbisim.leaf(leaf);
                let state = symmetry.pbisim.states(leaf)[state as usize];
                if !std::mem::replace(&mut self.states[image][state as usize], true) {
                    work.push((image, state));
                }
            }
        }
        Ok(())
    }

    /// The state of `leaf`, if there is only one that it may be in.
    fn only(&self, leaf: LeafId) -> Option<u32> {
        let mut states = (0..).zip(&self.states[leaf]).filter(|&(_, &is)| is);
        let (state, _) = states.next()?;
        states.next().is_none().then_some(state)
    }
}

/// True if `symmetry` moves a state of the specification, or some state vector of `reachable`
/// states.
pub(super) fn moves_something_reachable(reachable: &Reachable, symmetry: &Symmetry) -> bool {
    let moves = |leaf: LeafId| {
        let (image, states) = (symmetry.pbisim.leaf(leaf), symmetry.pbisim.states(leaf));
        if image == leaf {
            return (0..)
                .zip(states.iter())
                .any(|(state, &to)| state != to && reachable.contains(leaf, state));
        }
        // Leaves that are always in one state may change places without moving a state vector.
        match (reachable.only(leaf), reachable.only(image)) {
            (Some(from), Some(to)) => states[from as usize] != to,
            _ => true,
        }
    };
    !symmetry.fixes_specification() || reachable.states.indices().any(moves)
}

/// A place in a product: the number of a leaf with a relation over its states.
type ProductFactor = u32;

/// The places that each state can be left by, and the states that wait for a product.
#[derive(Default)]
struct Exploration {
    reached: IndexVec<LeafId, Vec<bool>>,
    /// Reached states whose transitions are still to be looked at.
    work: Vec<(LeafId, u32)>,
    /// By place, the leaf, and the number of the product.
    places: Vec<(LeafId, usize)>,
    /// By leaf and state, its transitions: (place, to).
    transitions: IndexVec<LeafId, Vec<Vec<(ProductFactor, u32)>>>,
    /// By place, the states that it leads to, as far as they are known, while its product waits.
    waiting: Vec<Vec<u32>>,
    /// By product, its places.
    places_of: Vec<std::ops::Range<ProductFactor>>,
    /// By product, the number of its leaves that cannot take part yet.
    missing: Vec<u32>,
}

impl Exploration {
    fn new(machine: &Machine, products: &Products, token: &Cancellation) -> Result<Self> {
        let leaves = machine
            .leaves
            .iter()
            .map(|leaf| leaf.state_count() as usize);
        let mut exploration = Self {
            reached: leaves.clone().map(|states| vec![false; states]).collect(),
            transitions: leaves.map(|states| vec![Vec::new(); states]).collect(),
            ..Self::default()
        };
        for (number, product) in products.all().enumerate() {
            let first = exploration.places.len() as ProductFactor;
            for &(leaf, relation) in &product.body.participants {
                let place = exploration.places.len() as ProductFactor;
                exploration.places.push((leaf, number));
                token.look(1 + products.pairs(relation).len())?;
                for &(from, to) in products.pairs(relation) {
                    exploration.transitions[leaf][from as usize].push((place, to));
                }
            }
            let end = exploration.places.len() as ProductFactor;
            exploration.places_of.push(first..end);
            exploration.missing.push(end - first);
        }
        exploration.waiting = vec![Vec::new(); exploration.places.len()];
        Ok(exploration)
    }

    fn start(&mut self) {
        for leaf in self.reached.indices().collect::<Vec<LeafId>>() {
            self.reach(leaf, 0);
        }
    }

    fn reach(&mut self, leaf: LeafId, state: u32) {
        if !std::mem::replace(&mut self.reached[leaf][state as usize], true) {
            self.work.push((leaf, state));
        }
    }

    /// Follows the transitions of a state, as far as their products are possible.
    fn leave(&mut self, leaf: LeafId, state: u32) {
        for (place, to) in std::mem::take(&mut self.transitions[leaf][state as usize]) {
            let product = self.places[place as usize].1;
            if self.missing[product] == 0 {
                self.reach(leaf, to);
                continue;
            }
            let waiting = &mut self.waiting[place as usize];
            let is_first = waiting.is_empty();
            waiting.push(to);
            // This is the first reached state that can leave by this place: the product waits for
            // one participant less.
            if is_first {
                self.missing[product] -= 1;
                if self.missing[product] == 0 {
                    self.release(product);
                }
            }
        }
    }

    /// Follows the waiting transitions of a product when all its leaves can take part.
    fn release(&mut self, product: usize) {
        for place in self.places_of[product].clone() {
            let leaf = self.places[place as usize].0;
            for to in std::mem::take(&mut self.waiting[place as usize]) {
                self.reach(leaf, to);
            }
        }
    }
}
