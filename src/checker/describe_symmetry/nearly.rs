//! Single components without which a check would have more symmetries, such as one that chooses the
//! least of those who wait.

use base::diag::Result;
use base::index::TypedIndex;
use machine::leaf::Behaviour;
use machine::{Machine, ProcessView, with_component};
use process::event::{EventId, TICK};
use process::term::{Definitions, Term, TermId};
use report::symmetry::NearSymmetry;
use symmetry::TypeFinding;

use crate::claim_verdict::is_limit;
use crate::compiled::Compiled;
use crate::decision::Decision;
use crate::question::Question;
use crate::reduction::{Purpose, Reduction, reduction};

/// The most components that are replaced, one at a time.
const MOST_REPLACED: usize = 8;

/// The most transitions of components that are looked at for all of these together. That takes some
/// tenths of a second.
const MOST_TRANSITIONS: usize = 200_000;

/// The components of `compiled`, whose symmetries are those of `found`, in whose place one that
/// always allows all of its events would give more symmetries.
pub(crate) fn near_symmetries(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
    (compiled, found): (&Compiled, &Reduction),
) -> Result<Vec<NearSymmetry>> {
    let is_partial = |found: &TypeFinding| !found.permutable.fixed.is_empty();
    if !found.findings.types.iter().any(is_partial) || !question.claims.leave_free(run.options) {
        return Ok(Vec::new());
    }
    let odd = odd_components(&compiled.machine, found);
    let transitions = compiled.machine.leaves.iter();
    let transitions: usize = transitions.map(|leaf| leaf.transition_count()).sum();
    if odd.len() > MOST_REPLACED || odd.len() * transitions > MOST_TRANSITIONS {
        return Ok(Vec::new());
    }
    let mut near = Vec::new();
    for component in odd {
        match without(run, question, compiled, &component) {
            Ok(Some(more)) if more.group.order() > found.group.order() => near.push(NearSymmetry {
                leaf: component.leaf,
                order: more.group.order().to_string(),
                structure: more.recognised.structure.to_string(),
            }),
            Ok(_) => {}
            Err(problem) if is_limit(&problem) => run.evaluator.cancellation().check()?,
            Err(problem) => return Err(problem),
        }
    }
    Ok(near)
}

/// A component that no symmetry takes to another one.
struct OddComponent {
    /// Its position among the leaves.
    leaf: usize,
    term: TermId,
    /// The events that it can do, ascending.
    events: Vec<EventId>,
}

/// The components of `machine` with two states or more that no symmetry of `found` takes to another
/// one, and that never terminate.
fn odd_components(machine: &Machine, found: &Reduction) -> Vec<OddComponent> {
    let orbits = found.group.leaf_orbits();
    let mut odd: Vec<OddComponent> = Vec::new();
    for (leaf, component) in machine.leaves.iter_enumerated() {
        let Behaviour::Process(graph) = &component.behaviour else {
            continue;
        };
        let is_moved = orbits.iter().any(|orbit| orbit.contains(&leaf));
        let is_met = odd.iter().any(|other| other.term == graph.term);
        let events: Vec<EventId> = graph.events().filter(|event| event.is_visible()).collect();
        if is_moved || is_met || graph.lts.state_count() < 2 || events.contains(&TICK) {
            continue;
        }
        odd.push(OddComponent {
            leaf: leaf.index(),
            term: graph.term,
            events,
        });
    }
    odd
}

/// The symmetries of `compiled` with `RUN` of its events in the place of `component`.
fn without(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
    compiled: &Compiled,
    component: &OddComponent,
) -> Result<Option<Reduction>> {
    let terms = run.evaluator.terms_mut();
    let events = terms.events.intern_set(component.events.clone());
    let anything = terms.intern(Term::Run(events));
    let places = (component.term, anything);
    let written = compiled.sides.implementation;
    let term = with_component(run.evaluator, written, places, &run.parts.options)?;
    if term == written {
        return Ok(None);
    }
    let machine = run
        .parts
        .machine(run.evaluator, term, ProcessView::Failures)?;
    let Some(changed) = compiled.about(term, machine) else {
        return Ok(None);
    };
    reduction(run, &changed, &question.claims, Purpose::Search).map(Some)
}
