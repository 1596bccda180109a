//! The symmetries of the definitions of a check as the plain data of a report, without a list of
//! states.
//!
//! Permuting the values of types of which the script only compares values is a symmetry of all
//! definitions (crate `eval`, `atoms/PROOFS.md`). Others may be known only of what is listed.

use base::diag::Result;
use base::source::SourceMap;
use eval::{AtomType, Evaluator, Value};
use process::outermost::without_outer_compressions;
use report::message::place;
use report::symmetry::{
    GeneratorDescription, LookedIntoDescription, SymmetryDescription, TypeSymmetry,
};
use symmetry::candidates::generating;
use symmetry::choice::Algorithm;
use symmetry::notation::cycles_text;
use symmetry::structure::of_symmetric_factors;
use syntax::ast::Assertion;

use super::named;
use crate::decision::Decision;
use crate::orbit_types::OrbitTypes;
use crate::question::{Asked, Question};

/// The symmetries that the definitions of both sides of `question`, which `assertion` asks, have.
/// Returns `None` if there are none, or if looking at what the sides can become takes more than
/// `most` terms, parts of them and values.
pub(crate) fn describe_definitions(
    run: &mut Decision<'_, '_>,
    (assertion, question): (&Assertion, &Question<'_>),
    types: &mut OrbitTypes,
    most: usize,
) -> Result<Option<SymmetryDescription>> {
    let found = types.attempt(run, |_, evaluator| reached(question, evaluator, most))?;
    let Some((Some(reached), evaluator)) = found else {
        return Ok(None);
    };
    let moved = reached.all();
    if moved.is_empty() {
        return Ok(None);
    }
    let (order, structure) = of_symmetric_factors(moved.iter().map(AtomType::size));
    let types_moved = moved.iter().map(|ty| TypeSymmetry {
        name: ty.name.clone(),
        free: vec![names(ty.values(), &evaluator)],
        turning: Vec::new(),
        fixed: names(ty.left_out(), &evaluator),
        complete: true,
    });
    let generators = moved.iter().flat_map(|ty| {
        let moves_specification = reached.of_specification.contains(ty);
        generators(ty, names(ty.values(), &evaluator), moves_specification)
    });
    Ok(Some(SymmetryDescription {
        listed: false,
        order: order.to_string(),
        structure: structure.to_string(),
        universal: reached.of_specification.is_empty(),
        algorithm: Algorithm::Check.name(),
        types: types_moved.collect(),
        looked_into: looked_into(types, &run.script.sources),
        generators: generators.collect(),
        ..named(run, assertion, question)
    }))
}

/// The types of atoms that stand in what the sides of a question can become.
struct ReachedTypes {
    of_specification: Vec<AtomType>,
    of_process: Vec<AtomType>,
}

impl ReachedTypes {
    /// The types of either side.
    fn all(&self) -> Vec<AtomType> {
        let mut all = self.of_process.clone();
        let others = self.of_specification.iter();
        all.extend(others.filter(|ty| !self.of_process.contains(ty)).cloned());
        all
    }
}

/// The types that the sides of `question` reach; `None` if that takes more than `most` looks at
/// one of them.
fn reached(
    question: &Question<'_>,
    evaluator: &mut Evaluator<'_>,
    most: usize,
) -> Result<Option<ReachedTypes>> {
    let over = question.tau_priority;
    let of_specification = match question.asked.evaluated(over, evaluator)? {
        Asked::Refines(specification, _) => evaluator.atoms_reached(specification, most)?,
        _ => Some(Vec::new()),
    };
    let process = evaluator.process_with_tau_priority(question.implementation, over)?;
    let process = without_outer_compressions(evaluator, process)?;
    let of_process = evaluator.atoms_reached(process, most)?;
    let both = of_specification.zip(of_process);
    Ok(both.map(|(of_specification, of_process)| ReachedTypes {
        of_specification,
        of_process,
    }))
}

/// The names of `values`.
fn names<'v>(values: impl Iterator<Item = &'v Value>, evaluator: &Evaluator<'_>) -> Vec<String> {
    values.map(|value| evaluator.show(value)).collect()
}

/// Permutations of the values of `ty`, called `names`, from which all others are made.
fn generators(
    ty: &AtomType,
    names: Vec<String>,
    moves_specification: bool,
) -> impl Iterator<Item = GeneratorDescription> {
    let all: Vec<usize> = (0..names.len()).collect();
    let source = format!("type {}", ty.name);
    let images = generating(names.len(), &all).into_iter();
    images.map(move |images| GeneratorDescription {
        name: cycles_text(&names, &images),
        source: source.clone(),
        moves_initial: false,
        moves_specification,
        leaves: Vec::new(),
    })
}

/// The types and values that were left out, with the place and the reason of each.
fn looked_into(types: &OrbitTypes, sources: &SourceMap) -> Vec<LookedIntoDescription> {
    let refused = types.refused.iter();
    let described = refused.map(|refused| LookedIntoDescription {
        reason: refused.message.clone(),
        place: refused
            .labels
            .first()
            .map(|(span, _)| place(*span, sources)),
    });
    described.collect()
}
