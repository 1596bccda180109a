//! The communication graph of a process as plain data: which components have which channels in
//! common, which end sends, and what symmetries make of them.

mod broken;
mod directions;
mod groups;
mod references;

use rustc_hash::FxHashMap;

use base::diag::Result as Diagnosed;
use base::index::TypedIndex;
use base::natural::natural_order;
use machine::leaf::Behaviour;
use machine::{LeafId, Machine};
use process::term::Definitions;
use report::channels::{ChannelComponent, ChannelDescription, ChannelEnd, ChannelGraph};
use symmetry::group::Group;
use symmetry::pbisim::Symmetry;
use syntax::print::expression_text;

use super::additions;
use super::decision::Decision;
use super::error::Error;
use super::leaf_states::leaf_names;
use super::options::Options;
use super::reduction::{Purpose, Reduction, reduction};
use super::script::Script;
use super::symmetries::compiled_for_symmetry;
use super::task::Task;

use broken::BrokenCandidates;
use directions::Directions;
use groups::EventGroups;

impl Script {
    /// The communication graph of `process`, with the symmetries of the check that it is divergence
    /// free, which forbids no event.
    pub fn channels(
        &self,
        process: &str,
        options: &Options,
        task: &Task,
    ) -> Result<ChannelGraph, Error> {
        self.ask(|scope| {
            let (id, process) = additions::add_check_of(&mut scope.script, process)?;
            let permutations = scope.permutations(options)?;
            let text = expression_text(&scope.script.ast, process);
            scope.ask_of_check(id, &permutations, options, task, |run, question| {
                let compiled = compiled_for_symmetry(run, question, scope.span(id))?;
                let reduction = reduction(run, &compiled, &question.claims, Purpose::Description)?;
                let graph = described(run, &compiled.machine, &reduction)?;
                Ok(ChannelGraph {
                    file: scope.name().to_string(),
                    expression: text,
                    ..graph
                })
            })
        })
    }
}

/// The graph, without the names of what it is about.
fn described(
    run: &mut Decision<'_, '_>,
    machine: &Machine,
    reduction: &Reduction,
) -> Diagnosed<ChannelGraph> {
    let groups = EventGroups::of(machine, run.evaluator)?;
    let directions = Directions::of(machine, &groups, run.evaluator)?;
    let references = references::references(&groups, &directions, run.evaluator);
    let events = &run.evaluator.terms().events;
    let generators = reduction.findings.generators.iter();
    let generators: Vec<&Symmetry> = generators.map(|named| &named.symmetry).collect();
    let leaf_orbits = leaf_orbits(machine, &reduction.group);
    let group_orbits = orbits(groups.all.len(), &generators, &|generator, group| {
        groups.image(&groups.all[group], generator, events)
    });
    let rejected = &reduction.findings.rejected;
    let broken = BrokenCandidates::of(machine, rejected, &leaf_orbits);
    let components = components(machine, &leaf_orbits, &broken);
    let place = |leaf: &LeafId| components.binary_search_by_key(leaf, |(leaf, _)| *leaf);
    let mut channels: Vec<ChannelDescription> = Vec::with_capacity(groups.all.len());
    for (number, group) in groups.all.iter().enumerate() {
        let ends = group.leaves.iter().zip(directions.of_group(number));
        // All of these leaves are components, because controllers are no ends.
        let ends = ends.filter_map(|(leaf, (sends, receives))| {
            Some(ChannelEnd {
                component: place(leaf).ok()?,
                sends,
                receives,
            })
        });
        channels.push(ChannelDescription {
            name: groups.name(group, events),
            events: group.events.len() as u64,
            hidden: group.is_hidden,
            ends: ends.collect(),
            references: references[number].iter().cloned().collect(),
            orbit: group_orbits[number],
            breaks: broken.of_channel(group),
        });
    }
    channels.sort_by(|a, b| {
        let ends = |channel: &ChannelDescription| -> Vec<usize> {
            channel.ends.iter().map(|end| end.component).collect()
        };
        natural_order(&a.name, &b.name).then_with(|| ends(a).cmp(&ends(b)))
    });
    number_anew(channels.iter_mut().map(|channel| &mut channel.orbit));
    let is_sought = reduction.remark.is_none();
    Ok(ChannelGraph {
        file: String::new(),
        expression: String::new(),
        components: components.into_iter().map(|(_, one)| one).collect(),
        channels,
        order: is_sought.then(|| reduction.group.order().to_string()),
        structure: is_sought.then(|| reduction.recognised.structure.to_string()),
        broken: broken.described(events, &run.script.sources),
    })
}

/// The leaves that are processes, each with its description.
fn components(
    machine: &Machine,
    orbits: &[usize],
    broken: &BrokenCandidates<'_>,
) -> Vec<(LeafId, ChannelComponent)> {
    let leaves = machine.leaves.iter_enumerated().zip(leaf_names(machine));
    let processes = leaves.filter(|((_, leaf), _)| matches!(leaf.behaviour, Behaviour::Process(_)));
    let described = processes.map(|((id, leaf), name)| {
        let component = ChannelComponent {
            name,
            states: u64::from(leaf.state_count()),
            orbit: orbits[id.index()],
            breaks: broken.of_leaf(id),
        };
        (id, component)
    });
    let mut described: Vec<(LeafId, ChannelComponent)> = described.collect();
    number_anew(described.iter_mut().map(|(_, one)| &mut one.orbit));
    described
}

/// By leaf, the number of the first leaf of its orbit.
fn leaf_orbits(machine: &Machine, group: &Group) -> Vec<usize> {
    let mut first: Vec<usize> = (0..machine.leaves.len()).collect();
    for orbit in group.leaf_orbits() {
        for leaf in &orbit {
            first[leaf.index()] = orbit[0].index();
        }
    }
    first
}

/// Numbers orbits in the order in which they are met.
fn number_anew<'n>(orbits: impl Iterator<Item = &'n mut usize>) {
    let mut met: FxHashMap<usize, usize> = FxHashMap::default();
    for orbit in orbits {
        let next = met.len();
        *orbit = *met.entry(*orbit).or_insert(next);
    }
}

/// By point, the least point of its orbit under `generators`; `image` says where one takes a point,
/// or `None` if that is no point.
fn orbits(
    points: usize,
    generators: &[&Symmetry],
    image: &dyn Fn(&Symmetry, usize) -> Option<usize>,
) -> Vec<usize> {
    let mut orbits: Vec<Option<usize>> = vec![None; points];
    for first in 0..points {
        let mut open = vec![first];
        // Generators permute points, so that all of an orbit is met from any point of it.
        while let Some(point) = open.pop() {
            if orbits[point].is_some() {
                continue;
            }
            orbits[point] = Some(first);
            open.extend(generators.iter().filter_map(|g| image(g, point)));
        }
    }
    orbits.into_iter().flatten().collect()
}
