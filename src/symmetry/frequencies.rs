//! The number of times that each event occurs in the parts of a check. Every symmetry keeps these
//! numbers, and they are cheap to look up.

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::start::Start;
use base::cancel::Cancellation;
use base::diag::Result;
use lts::normal_form::NormalForm;
use machine::Machine;
use machine::leaf::Behaviour;
use machine::tree::TreeNode;
use process::event::EventId;
use process::operator::Operator;

/// By event, the number of its transitions in the specification and in the leaves, and the number
/// of these that start in initial states.
///
/// A symmetry takes leaves to leaves and the specification to itself with all their transitions,
/// and each transition to one with the image of its event. So an event and its image occur equally
/// often; if initial states are fixed, they also occur equally often in these. This refuses most
/// permutations of values that are no symmetries, without lifting them or looking at processes.
pub(super) struct Frequencies {
    counts: FxHashMap<EventId, Counts>,
}

/// Numbers of transitions: of the specification and of the leaves, each all of them and those from
/// initial states.
type Counts = [[usize; 2]; 2];

impl Frequencies {
    /// Counts the transitions. The leaves of a machine with a renaming are left out, because below
    /// a renaming events may move in another way than outside.
    pub(super) fn of(
        machine: &Machine,
        specification: &NormalForm,
        start: Start,
        token: &Cancellation,
    ) -> Result<Self> {
        let mut counts: FxHashMap<EventId, Counts> = FxHashMap::default();
        // State 0 is the initial one of the normal form and of every leaf.
        let initial = |state: u32| usize::from(state == 0 && start == Start::Fixed);
        let lts = specification.lts();
        for state in lts.states() {
            token.look(1 + lts.row(state).len())?;
            for &(event, _) in lts.row(state) {
                let [all, from_initial] = &mut counts.entry(event).or_default()[0];
                *all += 1;
                *from_initial += initial(state.0);
            }
        }
        let mut operators = machine.nodes.iter().filter_map(TreeNode::operator);
        if operators.any(|o| matches!(o, Operator::Rename(_) | Operator::Linked(_))) {
            return Ok(Self { counts });
        }
        for leaf in machine.leaves.iter() {
            // The transitions of controllers are control actions, which are no events.
            let Behaviour::Process(graph) = &leaf.behaviour else {
                continue;
            };
            for event in graph.events() {
                let transitions = graph.transitions(event);
                token.look(1)?;
                let [all, from_initial] = &mut counts.entry(event).or_default()[1];
                *all += transitions.len();
                // Transitions ascend by their states, so those of the initial state come first.
                let first = transitions.iter().take_while(|&&(from, _)| from == 0);
                *from_initial += first.map(|&(from, _)| initial(from)).sum::<usize>();
            }
        }
        Ok(Self { counts })
    }

    /// A number that is the same for `event` and its image; 0 if the event was counted nowhere. An
    /// event that was not counted may have any image: below a renaming it may go to an event to
    /// which no permutation of values takes it.
    pub(super) fn of_event(&self, event: EventId) -> u64 {
        let counts = self.counts.get(&event);
        // Two counts with one hash only let a candidate be tried that is refused later.
        counts.map_or(0, |counts| FxBuildHasher.hash_one(counts))
    }
}
