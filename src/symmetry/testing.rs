//! Symmetric systems for tests, with the symmetries that they are built with.

#![allow(clippy::unwrap_used, reason = "only tests call this")]

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use base::cancel::{Cancellation, at_leisure};
use lts::explore::{LeafLimits, explore};
use lts::graph::{Lts, StateId};
use lts::normal_form::NormalForm;
use machine::leaf::{Action, Behaviour, What};
use machine::{CompileOptions, LeafId, Machine, compile};
use process::event::EventId;
use process::table::DefinitionTable;
use process::term::{Definitions, TermId};
use testkit::copies::{CopiesSystem, Shape};

use crate::group::Group;
use crate::pbisim::{Pbisim, Symmetry};
use crate::permutation::EventPermutation;
use crate::representative::SortPlan;
use crate::structure::{forest, recognise};

/// A check with some of its symmetries.
pub struct CopiesCheck {
    /// The definitions of its processes.
    pub table: DefinitionTable,
    /// What is allowed.
    pub specification: TermId,
    /// What is checked.
    pub implementation: TermId,
    /// Of the specification.
    pub normal_form: NormalForm,
    /// Of the implementation.
    pub machine: Machine,
    /// What it looks like, for messages.
    pub shape: Shape,
}

/// The plan to sort by for what the group is recognised as.
pub fn sorted(machine: &Machine, group: &Group) -> std::result::Result<SortPlan, String> {
    let forest = forest(&at_leisure(|token| recognise(group, token)));
    SortPlan::recognise(machine, group, forest.as_ref())
}

impl CopiesCheck {
    /// The check of a system of copies. Returns `None` if it is too large.
    pub fn of(shape: &Shape) -> Option<Self> {
        let CopiesSystem {
            mut table,
            specification,
            implementation,
        } = shape.system();
        let options = CompileOptions::new(LeafLimits::all(1000));
        let machine = compile(&mut table, implementation, &options).ok()?;
        let lts = explore(&mut table, specification, &options.limits)
            .ok()?
            .lts;
        let model = lts::model::Model::Traces;
        Some(Self {
            normal_form: NormalForm::of(&lts, model, 100, Cancellation::never()).ok()?,
            table,
            specification,
            implementation,
            machine,
            shape: shape.clone(),
        })
    }

    /// Its group: of the transpositions of identities, the turns and the reflections those that are
    /// symmetries.
    pub fn group(&self) -> Group {
        let n = self.shape.copies;
        let mut permutations = Vec::new();
        for i in 0..n {
            for j in 0..i {
                let mut transposition: Vec<usize> = (0..n).collect();
                transposition.swap(i, j);
                permutations.push(transposition);
            }
            permutations.push((0..n).map(|id| (id + i) % n).collect());
            permutations.push((0..n).map(|id| (i + n - id) % n).collect());
        }
        let symmetries = permutations.iter().filter_map(|ids| self.symmetry(ids));
        let mut generators: Vec<Symmetry> = symmetries.filter(|s| !s.is_identity()).collect();
        let mut seen = BTreeSet::new();
        generators.retain(|generator| seen.insert(generator.events.clone()));
        Group::new(&self.machine, self.normal_form.state_count(), generators)
    }

    /// The symmetry that permutes the identities so, if it is one.
    pub fn symmetry(&self, ids: &[usize]) -> Option<Symmetry> {
        let events = &self.table.terms().events;
        let lifted = |name: &str| -> String {
            let field = |field: &str| match field.parse::<usize>() {
                Ok(id) => ids[id].to_string(),
                Err(_) => field.to_string(),
            };
            name.split('.').map(field).collect::<Vec<_>>().join(".")
        };
        let all: Vec<EventId> = (2..events.len() as u32).map(EventId).collect();
        let by_name: HashMap<&str, EventId> = all.iter().map(|&e| (events.name(e), e)).collect();
        let pair = |&event: &EventId| (event, by_name[lifted(events.name(event)).as_str()]);
        let sigma = EventPermutation::from_pairs(all.iter().map(pair)).unwrap();
        let symmetry = symmetry(&self.machine, &self.normal_form, &sigma)?;
        preserves_rules(&self.machine, &symmetry).then_some(symmetry)
    }
}

/// The symmetry that moves events by `sigma`: each leaf goes to the first one that is left and has
/// the same behaviour. Leaves of a random machine are rarely the same process, so that there is one
/// answer.
fn symmetry(
    machine: &Machine,
    normal_form: &NormalForm,
    sigma: &EventPermutation,
) -> Option<Symmetry> {
    let mut left: Vec<LeafId> = machine.leaves.indices().collect();
    let mut leaves = Vec::new();
    let mut states: Vec<Arc<[u32]>> = Vec::new();
    for leaf in machine.leaves.indices() {
        let from = lts(machine, leaf);
        let (at, map) = left
            .iter()
            .enumerate()
            .find_map(|(at, &other)| Some((at, bijection(from, lts(machine, other), sigma)?)))?;
        leaves.push(left.remove(at));
        states.push(map.into());
    }
    let mut specification = bijection(normal_form.lts(), normal_form.lts(), sigma)?;
    // The points follow the states, and a search meets states only.
    specification.truncate(normal_form.state_count());
    Some(Symmetry {
        events: sigma.clone(),
        pbisim: Pbisim::new(leaves, states),
        specification: specification.into(),
    })
}

fn lts(machine: &Machine, leaf: LeafId) -> &Lts {
    match &machine.leaves[leaf].behaviour {
        Behaviour::Process(graph) => &graph.lts,
        Behaviour::Controller { .. } => panic!("these systems have no controllers"),
    }
}

/// The states of `right` that those of `left` become by `sigma`, wherever the systems start: the
/// union is refined until nothing changes, and then each class has one state of each, because both
/// are minimal.
fn bijection(left: &Lts, right: &Lts, sigma: &EventPermutation) -> Option<Vec<u32>> {
    let count = left.state_count();
    if right.state_count() != count {
        return None;
    }
    let shift = count as u32;
    let moved = |&(event, target): &(EventId, StateId)| (sigma.apply(event), target.0);
    let kept = |&(event, target): &(EventId, StateId)| (event, target.0 + shift);
    let left_rows = left
        .states()
        .map(|s| left.row(s).iter().map(moved).collect());
    let right_rows = right
        .states()
        .map(|s| right.row(s).iter().map(kept).collect());
    let rows: Vec<Vec<(EventId, u32)>> = left_rows.chain(right_rows).collect();
    let mut classes = vec![0u32; rows.len()];
    let mut number = 1;
    loop {
        let mut numbers: HashMap<(u32, BTreeSet<(EventId, u32)>), u32> = HashMap::new();
        let mut next = Vec::new();
        for (state, row) in rows.iter().enumerate() {
            let signature = row.iter().map(|&(event, to)| (event, classes[to as usize]));
            let fresh = numbers.len() as u32;
            let key = (classes[state], signature.collect());
            next.push(*numbers.entry(key).or_insert(fresh));
        }
        classes = next;
        if numbers.len() == number {
            break;
        }
        number = numbers.len();
    }
    let images = classes[..count].iter().map(|class| {
        let image = classes[count..].iter().position(|other| other == class);
        image.map(|image| image as u32)
    });
    images.collect()
}

/// Whether the rules, with participants and result moved, are the rules again; and the transitions
/// of the leaves.
fn preserves_rules(machine: &Machine, symmetry: &Symmetry) -> bool {
    let moved = |(leaf, action): (LeafId, Action)| {
        let What::Event(event) = action.what else {
            panic!("these systems have no controllers");
        };
        let what = What::Event(symmetry.events.apply(event));
        (symmetry.pbisim.leaf(leaf), Action { what, ..action })
    };
    let rules: BTreeSet<_> = machine
        .rules
        .iter()
        .map(|rule| (rule.participants.to_vec(), rule.result))
        .collect();
    machine.rules.iter().all(|rule| {
        let mut participants: Vec<_> = rule.participants.iter().map(|&p| moved(p)).collect();
        participants.sort_unstable();
        let transitions = rule.participants.iter().all(|&participant| {
            let states = symmetry.pbisim.states(participant.0);
            let (leaf, action) = moved(participant);
            let pairs = machine.leaves[participant.0]
                .transitions(participant.1)
                .into_iter();
            let pairs = pairs.map(|(from, to)| (states[from as usize], states[to as usize]));
            let mut pairs: Vec<_> = pairs.collect();
            pairs.sort_unstable();
            pairs == machine.leaves[leaf].transitions(action)
        });
        transitions && rules.contains(&(participants, symmetry.events.apply(rule.result)))
    })
}
