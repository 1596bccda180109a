//! Transition systems that are processes without operators: those that a script imports.

use std::hash::{Hash, Hasher};

use super::event::EventId;

/// A transition system, known by its number: two with one number are the same.
#[derive(Clone, Debug)]
pub struct ImportedSystem {
    number: u32,
    name: String,
    /// `starts[s]..starts[s + 1]` are the steps of state `s`.
    starts: Vec<u32>,
    steps: Vec<(EventId, u32)>,
}

impl ImportedSystem {
    /// The system called `name` of this many states, with these steps: from, event, to. There are
    /// fewer of them than 32 bits can number, and no other system has this number.
    pub fn new(
        number: u32,
        name: String,
        states: u32,
        steps: impl Iterator<Item = (u32, EventId, u32)> + Clone,
    ) -> Self {
        let mut starts = vec![0_u32; states as usize + 1];
        for (from, ..) in steps.clone() {
            starts[from as usize + 1] += 1;
        }
        for state in 0..states as usize {
            starts[state + 1] += starts[state];
        }
        let mut next = starts.clone();
        let mut sorted = vec![(EventId(0), 0); starts[states as usize] as usize];
        for (from, event, to) in steps {
            let place = &mut next[from as usize];
            sorted[*place as usize] = (event, to);
            *place += 1;
        }
        Self {
            number,
            name,
            starts,
            steps: sorted,
        }
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What `state` can do, and where that leads.
    pub fn row(&self, state: u32) -> &[(EventId, u32)] {
        let at = state as usize;
        &self.steps[self.starts[at] as usize..self.starts[at + 1] as usize]
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
