//! Transition systems that are processes without operators: those that a script imports.

use std::hash::{Hash, Hasher};

use super::event::EventId;

/// A transition system that is known by its number: systems with equal numbers are equal.
#[derive(Clone, Debug)]
pub struct ImportedSystem {
    number: u32,
    name: String,
    /// The states that have steps, ascending: a file may promise far more states than transitions.
    sources: Vec<u32>,
    /// `starts[i]..starts[i + 1]` are the steps of `sources[i]`.
    starts: Vec<u32>,
    steps: Vec<(EventId, u32)>,
}

impl ImportedSystem {
    /// The system called `name` with these steps: from, event, to. The steps must be few enough to
    /// be numbered with 32 bits, and no other system may have this number.
    pub fn new(
        number: u32,
        name: String,
        steps: impl Iterator<Item = (u32, EventId, u32)>,
    ) -> Self {
        let mut all: Vec<(u32, EventId, u32)> = steps.collect();
        // Steps of one state stay in their order.
        all.sort_by_key(|&(from, ..)| from);
        let (mut sources, mut starts) = (Vec::new(), Vec::new());
        for (at, &(from, ..)) in all.iter().enumerate() {
            if sources.last() != Some(&from) {
                sources.push(from);
                starts.push(at as u32);
            }
        }
        starts.push(all.len() as u32);
        let steps = all.into_iter().map(|(_, event, to)| (event, to));
        Self {
            number,
            name,
            sources,
            starts,
            steps: steps.collect(),
        }
    }

    /// The name of the system.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The steps of `state`, each with the state after it.
    pub fn row(&self, state: u32) -> &[(EventId, u32)] {
        match self.sources.binary_search(&state) {
            Ok(at) => &self.steps[self.starts[at] as usize..self.starts[at + 1] as usize],
            Err(_) => &[],
        }
    }

    /// The events of all steps, with repetitions.
    pub fn events(&self) -> impl Iterator<Item = EventId> {
        self.steps.iter().map(|&(event, _)| event)
    }
}

impl PartialEq for ImportedSystem {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for ImportedSystem {}

impl Hash for ImportedSystem {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.number.hash(state);
    }
}
