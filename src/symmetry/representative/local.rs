//! Local search: hill climbing over the generators.
//!
//! As TopSPIN does (A. F. Donaldson and A. Miller, *Exact and approximate strategies for symmetry
//! reduction in model checking*, FM 2006): from a state the search goes to a smaller image as long
//! as one is found. Here some more elements of the group are tried than its generators, because a
//! state from which none of them leads lower is more often the least. States are compared component
//! by component, so most steps are found after a few components not to lead lower.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::group::Group;
use crate::pbisim::{Pbisim, Symmetry};
use machine::packing::{BitField, PackedState, Packing};

use super::function::Representative;
use super::reasons::NO_SYMMETRY;

/// The steps that are tried.
#[derive(Clone, Debug)]
pub struct LocalPlan {
    /// All generators and their inverses, and more.
    steps: Arc<[Symmetry]>,
    identity: Symmetry,
}

/// The most steps that are tried, unless there are more generators.
const MOST_STEPS: usize = 64;

impl LocalPlan {
    /// Makes the plan for `group`. The error is the reason why there is none, in one line.
    pub fn new(group: &Group) -> Result<Self, String> {
        let steps = steps(group);
        if steps.is_empty() {
            return Err(NO_SYMMETRY.to_string());
        }
        Ok(Self {
            steps: steps.into(),
            identity: group.identity().clone(),
        })
    }

    /// The representative function on states packed by `packing`.
    pub fn packed<S: PackedState>(&self, packing: &Packing) -> LocalRep<S> {
        LocalRep {
            tables: StepTables::new(&self.steps, packing),
            image: S::zero(packing.words()),
            plan: self.clone(),
        }
    }
}

/// The generators and their inverses; then, as long as there are not too many, strong generators,
/// representatives of basic orbits, and products of two steps. No two of these steps move states
/// alike, and each moves some.
fn steps(group: &Group) -> Vec<Symmetry> {
    let mut steps = Steps::default();
    for generator in group.generators() {
        steps.push(generator.clone());
        steps.push(generator.inverse());
    }
    let permutations = group.permutations();
    // From the bottom of the chain up: generators of small stabilisers move least.
    let levels = (0..permutations.base().len()).rev();
    let strong = levels.clone();
    let strong = strong.flat_map(|level| permutations.stabiliser_generators(level));
    let representatives = levels.flat_map(|level| {
        let orbit = permutations.basic_orbit(level).into_iter().skip(1);
        orbit.filter_map(move |point| permutations.representative(level, point))
    });
    let elements = strong.chain(representatives);
    steps.fill(elements.map(|element| group.symmetry(&element)));
    let single = steps.list.clone();
    steps.fill(
        single
            .iter()
            .flat_map(|a| single.iter().map(move |b| a.then(b))),
    );
    steps.list
}

/// Elements of which no two move states alike.
#[derive(Default)]
struct Steps {
    list: Vec<Symmetry>,
    known: FxHashSet<(Pbisim, Arc<[u32]>)>,
}

impl Steps {
    fn push(&mut self, step: Symmetry) {
        let action = (step.pbisim.clone(), step.specification.clone());
        if step.moves_states() && self.known.insert(action) {
            self.list.push(step);
        }
    }

    /// Adds as many of `more` as there is room for.
    fn fill(&mut self, mut more: impl Iterator<Item = Symmetry>) {
        while self.list.len() < MOST_STEPS
            && let Some(step) = more.next()
        {
            self.push(step);
        }
    }
}

/// Local search on packed states. Allocates nothing.
#[derive(Clone, Debug)]
pub struct LocalRep<S> {
    plan: LocalPlan,
    tables: StepTables,
    /// Scratch.
    image: S,
}

impl<S: PackedState> LocalRep<S> {
    /// Replaces `state` by an image that no step makes less; `taken` gets the steps there.
    #[inline]
    fn climb(&mut self, state: &mut S, mut taken: impl FnMut(usize)) {
        let steps = self.tables.steps.len();
        let mut failed = 0;
        let mut step = 0;
        while failed < steps {
            // Each step taken leads lower, so climbing ends.
            if self.tables.leads_lower(step, state) {
                self.tables.apply(step, state, &mut self.image);
                std::mem::swap(&mut self.image, state);
                taken(step);
                // A step that led lower may do so again.
                failed = 0;
            } else {
                failed += 1;
                step = if step + 1 == steps { 0 } else { step + 1 };
            }
        }
    }
}

impl<S: PackedState> Representative<S> for LocalRep<S> {
    fn represent(&mut self, state: &mut S) {
        self.climb(state, |_| ());
    }

    fn twist(&mut self, state: &S) -> Symmetry {
        let mut taken = Vec::new();
        self.climb(&mut state.clone(), |step| taken.push(step));
        let steps = taken.into_iter().map(|step| &self.plan.steps[step]);
        steps.fold(self.plan.identity.clone(), |twist, step| twist.then(step))
    }
}

/// The effect of the steps on packed states.
#[derive(Clone, Debug, Default)]
struct StepTables {
    /// By step, the range of its moves in `moves`.
    steps: Vec<Range<usize>>,
    /// The moves of each step, in the order of the components that are moved to.
    moves: Vec<ComponentMove>,
    /// By value of a component, its image: one table after the other, equal ones once.
    values: Vec<u32>,
}

/// The move of one component by a step.
#[derive(Clone, Copy, Debug)]
struct ComponentMove {
    from: BitField,
    to: BitField,
    /// The image of value 0 in `values`.
    start: u32,
}

impl StepTables {
    fn new(steps: &[Symmetry], packing: &Packing) -> Self {
        let mut tables = Self::default();
        let mut known = FxHashMap::default();
        for step in steps {
            let first = tables.moves.len();
            for (from, to, states) in moved(step) {
                let [from, to] = [from, to].map(|component| packing.fields()[component]);
                let start = *known.entry(states.clone()).or_insert_with(|| {
                    let start = tables.values.len() as u32;
                    tables.values.extend_from_slice(states);
                    start
                });
                // A component of one state takes no room.
                if from.mask != 0 {
                    tables.moves.push(ComponentMove { from, to, start });
                }
            }
            tables.steps.push(first..tables.moves.len());
        }
        tables
    }

    fn value<S: PackedState>(&self, step: &ComponentMove, state: &S) -> u32 {
        self.values[(step.start + step.from.get(state)) as usize]
    }

    /// True if the image of `state` comes before it, by the first component in which they differ.
    #[inline]
    fn leads_lower<S: PackedState>(&self, step: usize, state: &S) -> bool {
        for step in &self.moves[self.steps[step].clone()] {
            let (image, value) = (self.value(step, state), step.to.get(state));
            if image != value {
                return image < value;
            }
        }
        false
    }

    /// Sets `image` to the image of `state`.
    #[inline]
    fn apply<S: PackedState>(&self, step: usize, state: &S, image: &mut S) {
        // This is not done in place: the step may take a component to one whose value is still to
        // be read.
        image.clone_from(state);
        for step in &self.moves[self.steps[step].clone()] {
            let (new, old) = (self.value(step, state), step.to.get(state));
            image.flip(step.to.word, step.to.flip(old, new));
        }
    }
}

/// The components that `step` moves, each as the component, its image, and by value the image of
/// the value; ascending by the image of the component.
fn moved(step: &Symmetry) -> Vec<(usize, usize, &Arc<[u32]>)> {
    let components = (0..step.component_count()).filter(|&component| !step.fixes(component));
    let moved = components.map(|component| {
        let (to, states) = step.part(component);
        (component, to, states)
    });
    let mut moved: Vec<_> = moved.collect();
    moved.sort_unstable_by_key(|&(_, to, _)| to);
    moved
}

#[cfg(test)]
mod tests;
