//! The symmetries of a check as the plain data of a report.

mod definitions;
mod nearly;

use base::index::TypedIndex;
use base::order::ascending;
use base::source::{FileId, SourceMap};
use eval::ResolvedScript;
use machine::{LeafId, Machine};
use process::event::{EventId, EventTable};
use process::term::Definitions;
use report::assertion::SymmetryReport;
use report::message::place;
use report::symmetry::{
    AlgorithmRefusal, DetectionDescription, GeneratorDescription, LeafGraph, LeafRelation,
    PbisimDescription, RejectionDescription, RelationDescription, SymmetryDescription,
    TypeSymmetry,
};
use symmetry::pbisim::Symmetry;
use symmetry::{DetectionFinding, NamedSymmetry, Rejection, SymmetrySource, TypeFinding};
use syntax::ast::{Assertion, AssertionKind};
use syntax::print::expression_text;

use super::decision::Decision;
use super::leaf_transitions::{control_results, leaf_description, leaf_transitions};
use super::question::{Question, positive_text};
use super::reduction::Reduction;

pub(super) use definitions::describe_definitions;
pub(super) use nearly::near_symmetries;

/// The description of the check for `question`, which `assertion` asks, without its symmetries.
fn named(
    run: &Decision<'_, '_>,
    assertion: &Assertion,
    question: &Question<'_>,
) -> SymmetryDescription {
    let ResolvedScript { ast, sources, .. } = run.script;
    let specification = match &assertion.kind {
        AssertionKind::Refinement { specification, .. } => Some(*specification),
        _ => None,
    };
    SymmetryDescription {
        assertion: positive_text(ast, assertion, run.options),
        file: sources.file(FileId(0)).name.clone(),
        specification: specification.map(|specification| expression_text(ast, specification)),
        implementation: expression_text(ast, question.implementation),
        start_fixed: run.options.fix_initial,
        ..SymmetryDescription::default()
    }
}

/// The description of the symmetries of the check for `question`, which `assertion` asks, with
/// their relations.
pub(super) fn describe_symmetry(
    run: &Decision<'_, '_>,
    assertion: &Assertion,
    question: &Question<'_>,
    (machine, reduction): (&Machine, &Reduction),
) -> SymmetryDescription {
    let sources = &run.script.sources;
    let events = &run.evaluator.terms().events;
    let Reduction {
        findings,
        group,
        recognised,
        choice,
        ..
    } = reduction;
    let generators = findings.generators.iter();
    let rejected = findings.rejected.iter();
    let refused = choice.refused.iter();
    let (leaf_orbits, event_orbits) = (group.leaf_orbits(), group.event_orbits());
    SymmetryDescription {
        listed: true,
        order: group.order().to_string(),
        structure: recognised.structure.to_string(),
        universal: group.is_universal(),
        algorithm: choice.algorithm.name(),
        representative: choice.method.as_ref().map(|method| method.name()),
        unique: choice.method.as_ref().map(|method| method.is_unique()),
        detection: findings.detection.map(detection),
        refused: refused
            .map(|(algorithm, reason)| AlgorithmRefusal {
                algorithm: algorithm.name(),
                reason: reason.clone(),
            })
            .collect(),
        types: findings.types.iter().map(type_symmetry).collect(),
        generators: generators
            .map(|generator| generator_description(generator, &findings.types))
            .collect(),
        leaves: machine.leaves.iter().map(leaf_description).collect(),
        leaf_orbits: leaf_orbits.iter().map(|o| positions(o)).collect(),
        event_orbits: event_orbits.iter().map(|o| events.names(o)).collect(),
        rejected: rejected
            .map(|rejection| rejection_description(rejection, events, sources))
            .collect(),
        pbisims: Some(pbisims(machine, &findings.generators, events)),
        ..named(run, assertion, question)
    }
}

/// The part of the report of an assertion that is about the symmetries that its search used.
pub(super) fn symmetry_report(reduction: &Reduction) -> SymmetryReport {
    let Reduction {
        findings,
        group,
        recognised,
        choice,
        ..
    } = reduction;
    SymmetryReport {
        order: group.order().to_string(),
        structure: recognised.structure.to_string(),
        generators: group.names().to_vec(),
        universal: group.is_universal(),
        types: findings.types.iter().map(type_symmetry).collect(),
        detection: findings.detection.map(detection),
        // In plain search every state is its own representative.
        unique: choice.method.as_ref().is_none_or(|m| m.is_unique()),
        // The search counts them, and `product::answered` notes the number here.
        extra_states: None,
    }
}

fn detection(found: DetectionFinding) -> DetectionDescription {
    DetectionDescription {
        complete: found.is_complete,
        steps: found.steps,
    }
}

fn type_symmetry(finding: &TypeFinding) -> TypeSymmetry {
    let values = |indices: &Vec<usize>| -> Vec<String> {
        let values = indices.iter().map(|&index| finding.values[index].clone());
        values.collect()
    };
    TypeSymmetry {
        name: finding.name.clone(),
        free: finding.permutable.free.iter().map(values).collect(),
        turning: finding.permutable.turning.iter().map(values).collect(),
        fixed: values(&finding.permutable.fixed),
        complete: !finding.permutable.is_cut_short,
    }
}

fn generator_description(generator: &NamedSymmetry, types: &[TypeFinding]) -> GeneratorDescription {
    let symmetry = &generator.symmetry;
    let source = match generator.source {
        SymmetrySource::Type(index) => format!("type {}", types[index].name),
        SymmetrySource::Claim => "claimed".to_string(),
        SymmetrySource::EqualOperands => "equal operands".to_string(),
        SymmetrySource::Graph => "graph".to_string(),
    };
    let leaves = moved_leaves(symmetry);
    GeneratorDescription {
        name: generator.name.clone(),
        source,
        moves_initial: !symmetry.fixes_initial(),
        moves_specification: !symmetry.fixes_specification(),
        leaves: leaves
            .map(|leaf| (leaf.index(), symmetry.pbisim.leaf(leaf).index()))
            .collect(),
    }
}

fn moved_leaves(symmetry: &Symmetry) -> impl Iterator<Item = LeafId> {
    let leaves = (0..symmetry.pbisim.leaf_count()).map(LeafId::from_usize);
    leaves.filter(|&leaf| !symmetry.pbisim.fixes(leaf))
}

fn rejection_description(
    rejection: &Rejection,
    events: &EventTable,
    sources: &SourceMap,
) -> RejectionDescription {
    RejectionDescription {
        name: rejection.name.clone(),
        reason: rejection.why.text(events),
        place: rejection.why.span.map(|span| place(span, sources)),
        of_type: rejection.of_type,
    }
}

fn positions(leaves: &[LeafId]) -> Vec<usize> {
    leaves.iter().map(|leaf| leaf.index()).collect()
}

/// The permutation bisimulations, with the transitions that they preserve.
fn pbisims(
    machine: &Machine,
    generators: &[NamedSymmetry],
    events: &EventTable,
) -> PbisimDescription {
    let results = control_results(machine);
    let by_leaf: Vec<Vec<(u32, EventId, u32)>> = machine
        .leaves
        .iter_enumerated()
        .map(|(id, leaf)| leaf_transitions(id, leaf, &results))
        .collect();
    let used = ascending(by_leaf.iter().flatten().map(|&(_, event, _)| event));
    // `used` is ascending and has the events of all leaves, so this is the place of `event` in it.
    let position = |event: EventId| used.partition_point(|&other| other < event) as u32;
    let graphs = machine.leaves.iter().zip(by_leaf);
    PbisimDescription {
        graphs: graphs
            .map(|(leaf, transitions)| LeafGraph {
                transitions: transitions
                    .into_iter()
                    .map(|(from, event, to)| (from, position(event), to))
                    .collect(),
                // The state in which a leaf is off comes behind its live states, and `state_count`
                // includes it.
                off: leaf.can_be_off.then(|| leaf.state_count() - 1),
            })
            .collect(),
        relations: generators
            .iter()
            .map(|generator| relation(&generator.symmetry, events))
            .collect(),
        events: events.names(&used),
    }
}

fn relation(symmetry: &Symmetry, events: &EventTable) -> RelationDescription {
    // These are states only: `find` has dropped the images of the other points of the normal form.
    let specification = (0..).zip(symmetry.specification.iter().copied());
    RelationDescription {
        events: symmetry
            .events
            .cycles()
            .iter()
            .map(|cycle| events.names(cycle))
            .collect(),
        specification: specification.filter(|(from, to)| from != to).collect(),
        leaves: moved_leaves(symmetry)
            .map(|leaf| LeafRelation {
                from: leaf.index(),
                to: symmetry.pbisim.leaf(leaf).index(),
                states: symmetry.pbisim.states(leaf).to_vec(),
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests;
