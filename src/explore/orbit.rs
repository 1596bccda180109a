//! The orbit of a state under a group of symmetries, and the symmetries that leave the state as it
//! is.

use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use base::cancel::Cancellation;
use base::diag::{Diagnostic, Result};
use lts::graph::StateId;
use machine::Machine;
use symmetry::group::Group;
use symmetry::pbisim::Symmetry;

/// A state of a check: one of the specification, and one of each leaf of the machine.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CheckedState {
    /// The state of the specification; `None` once it has forbidden an event, or allows everything.
    pub specification: Option<StateId>,
    /// The states of the leaves, by leaf.
    pub leaves: Vec<u32>,
}

impl CheckedState {
    /// The image under `symmetry`.
    #[must_use]
    pub fn image(&self, symmetry: &Symmetry) -> Self {
        let specification = self.specification;
        Self {
            specification: specification.map(|state| symmetry.specification(state)),
            leaves: symmetry.pbisim.image(&self.leaves),
        }
    }
}

/// The images of a state under all symmetries of a group.
pub struct StateOrbit<'g> {
    group: &'g Group,
    /// The state itself, and then its images, breadth first.
    states: Vec<CheckedState>,
    numbers: FxHashMap<CheckedState, usize>,
    /// For each image but the first, the index of the image that it was found from, and the
    /// generator.
    found_from: Vec<Option<(usize, usize)>>,
    is_complete: bool,
}

impl<'g> StateOrbit<'g> {
    /// The orbit of `state` under `group`. At most `limit` images are listed.
    pub fn of(
        group: &'g Group,
        state: CheckedState,
        limit: usize,
        token: &Cancellation,
    ) -> Result<Self> {
        let mut orbit = Self {
            group,
            numbers: FxHashMap::from_iter([(state.clone(), 0)]),
            states: vec![state],
            found_from: vec![None],
            is_complete: true,
        };
        let mut done = 0;
        while done < orbit.states.len() {
            for (number, generator) in group.generators().iter().enumerate() {
                token.look(orbit.states[done].leaves.len())?;
                let image = orbit.states[done].image(generator);
                if orbit.numbers.contains_key(&image) {
                    continue;
                }
                if orbit.states.len() >= limit {
                    orbit.is_complete = false;
                    return Ok(orbit);
                }
                orbit.numbers.insert(image.clone(), orbit.states.len());
                orbit.states.push(image);
                orbit.found_from.push(Some((done, number)));
            }
            done += 1;
        }
        Ok(orbit)
    }

    /// The state itself, and then its images: those that take fewest generators first.
    pub fn states(&self) -> &[CheckedState] {
        &self.states
    }

    /// True if all images are listed.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The index of `state` among the images; `None` if it is not listed.
    pub fn number(&self, state: &CheckedState) -> Option<usize> {
        self.numbers.get(state).copied()
    }

    /// A symmetry that takes the state to the image at index `number`.
    pub fn element(&self, number: usize) -> Symmetry {
        let mut word = Vec::new();
        let mut at = number;
        while let Some((before, generator)) = self.found_from[at] {
            word.push(generator);
            at = before;
        }
        let generators = self.group.generators();
        let letters = word.into_iter().rev();
        letters.fold(self.group.identity().clone(), |element, letter| {
            element.then(&generators[letter])
        })
    }

    /// Symmetries that generate the stabiliser of the state, taken from `candidates` first, and the
    /// order of the stabiliser. The orbit must be complete.
    ///
    /// By Schreier's lemma, tₛ g t⁻¹ for all images s and generators g are enough, where tₛ takes
    /// the state to s and t takes it to sg. They are taken until they generate as many symmetries
    /// as the orbit-stabiliser theorem demands. That this number is reached is the check of both.
    pub fn stabiliser(
        &self,
        machine: &Machine,
        specification_states: usize,
        candidates: &[&Symmetry],
        token: &Cancellation,
    ) -> Result<Vec<Symmetry>> {
        let size = BigUint::from(self.states.len());
        let wanted = self.group.order() / &size;
        let of = |generators: Vec<Symmetry>| Group::new(machine, specification_states, generators);
        let mut found = of(Vec::new());
        let add = |found: &mut Group, element: &Symmetry| {
            let moves = !element.pbisim.is_identity() || !element.fixes_specification();
            let stays = self.states[0].image(element) == self.states[0];
            if moves && stays && !found.contains(element) {
                *found = of([found.generators(), std::slice::from_ref(element)].concat());
            }
        };
        for candidate in candidates {
            if *found.order() < wanted {
                add(&mut found, candidate);
            }
        }
        'images: for (number, state) in self.states.iter().enumerate() {
            for generator in self.group.generators() {
                if *found.order() >= wanted {
                    break 'images;
                }
                token.step()?;
                let image = state.image(generator);
                let Some(&back) = self.numbers.get(&image) else {
                    continue;
                };
                let there = self.element(number).then(generator);
                add(&mut found, &there.then(&self.element(back).inverse()));
            }
        }
        if found.order() * size != *self.group.order() {
            let message = "the orbit and the stabiliser of a state do not fit the group";
            return Diagnostic::undecided("internal-error", message).into();
        }
        Ok(found.generators().to_vec())
    }
}
