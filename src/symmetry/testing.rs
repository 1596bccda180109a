//! Symmetric systems for tests, with the symmetries that they are built with.

#![allow(clippy::unwrap_used, reason = "only tests call this")]

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use base::cancel::{Cancellation, at_leisure};
use base::index::TypedIndex;
use lts::explore::{LeafLimits, explore};
use lts::graph::{Lts, StateId};
use lts::normal_form::NormalForm;
use machine::leaf::{Action, Behaviour, What};
use machine::{CompileOptions, LeafId, Machine, compile};
use process::event::EventId;
use process::table::DefinitionTable;
use process::term::{Definitions, TermId};
use testkit::copies::{CopiesSystem, Shape};

use crate::bisimilarity::matching;
use crate::group::Group;
use crate::pbisim::{Pbisim, Symmetry};
use crate::permutation::EventPermutation;
use crate::representative::SortPlan;
use crate::start::Start;
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
    let bijection = |left: &Lts, right: &Lts| {
        let found = at_leisure(|token| matching(left, sigma, right, Start::Any, token))?;
        preserves(left, &found, sigma, right).then_some(found)
    };
    let mut left: Vec<LeafId> = machine.leaves.indices().collect();
    let mut leaves = Vec::new();
    let mut states: Vec<Arc<[u32]>> = Vec::new();
    for leaf in machine.leaves.indices() {
        let from = lts(machine, leaf);
        let (at, map) = left
            .iter()
            .enumerate()
            .find_map(|(at, &other)| Some((at, bijection(from, lts(machine, other))?)))?;
        leaves.push(left.remove(at));
        states.push(map);
    }
    let specification = bijection(normal_form.lts(), normal_form.lts())?;
    Some(Symmetry {
        events: sigma.clone(),
        pbisim: Pbisim::new(leaves, states),
        // The points follow the states, and a search meets states only.
        specification: specification[..normal_form.state_count()].into(),
    })
}

fn lts(machine: &Machine, leaf: LeafId) -> &Lts {
    match &machine.leaves[leaf].behaviour {
        Behaviour::Process(graph) => &graph.lts,
        Behaviour::Controller { .. } => panic!("these systems have no controllers"),
    }
}

/// True if `states` takes the transitions of `left`, their events moved by `sigma`, to those of
/// `right`.
fn preserves(left: &Lts, states: &[u32], sigma: &EventPermutation, right: &Lts) -> bool {
    let image = |&(event, to): &(EventId, StateId)| {
        let to = StateId(states[to.index()]);
        (sigma.apply(event), to)
    };
    left.states().all(|state| {
        let mut row: Vec<_> = left.row(state).iter().map(image).collect();
        row.sort_unstable();
        row == right.row(StateId(states[state.index()]))
    })
}

/// True if the rules, with participants and result moved, are the rules again; and the transitions
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
