//! The specification of a refinement, shown beside the runs of its implementation.

use std::borrow::Cow;

use base::diag::Result;
use explore::allowed::{Allowed, AllowedAlong, SpecificationView};
use machine::CompileOptions;
use process::event::{EventId, EventTable, TAU};
use process::observation::ObservedStep;
use process::term::{Definitions, TermId};
use report::allowed::{AllowedKind, AllowedNext};
use report::components::{SpecificationRow, SpecificationState};
use syntax::ast::Ast;
use syntax::print::expression_text;
use witness::{Refutation, Wrong};

use super::counterexample::{sorted_names, sorted_sets};
use super::question::Asked;

/// The specification of a refinement.
#[derive(Clone)]
pub(super) struct SpecificationBeside {
    pub(super) view: SpecificationView,
    /// The specification as CSPm.
    pub(super) text: String,
    /// The model in which it is to be refined.
    pub(super) model: Cow<'static, str>,
}

impl SpecificationBeside {
    /// The process that is to be refined in `model` by the question `asked`, whose expressions were
    /// evaluated to those of `evaluated`; `None` if the question is about no refinement.
    pub(super) fn of(
        ast: &Ast,
        asked: Asked,
        evaluated: &Asked<TermId, Vec<EventId>>,
        model: Cow<'static, str>,
    ) -> Option<Self> {
        let (Asked::Refines(expression, _), &Asked::Refines(term, seen)) = (asked, evaluated)
        else {
            return None;
        };
        Some(Self {
            view: SpecificationView {
                term,
                has_failures: seen.has_failures(),
                has_divergences: seen.has_divergences(),
                sees_rests: seen.sees_revivals(),
            },
            text: expression_text(ast, expression),
            model,
        })
    }

    /// The row of what the specification allows on the way of `witness`, a counterexample to it.
    pub(super) fn row(
        &self,
        definitions: &mut dyn Definitions,
        witness: &Refutation,
        options: &CompileOptions,
    ) -> Result<SpecificationRow> {
        let mut along = AllowedAlong::start(definitions, self.view, options)?;
        let mut at_end = along.now(definitions)?;
        let mut states = vec![(0, at_end.clone())];
        for (index, step) in witness.steps.iter().enumerate() {
            if step.label == TAU {
                continue;
            }
            let mut rests = witness.rests.iter().flatten();
            let rest = rests.find(|(before, _)| *before == index);
            let seen = ObservedStep {
                rest: rest.map(|(_, offers)| offers.clone()),
                event: step.label,
            };
            along.step(definitions, &seen)?;
            at_end = along.now(definitions)?;
            states.push((index + 1, at_end.clone()));
        }
        if let Wrong::Event(step) = witness.wrong {
            along.step(definitions, &ObservedStep::unseen(step.label))?;
            states.push((witness.steps.len() + 1, along.now(definitions)?));
        }
        let events = &definitions.terms().events;
        let state = |(step, allowed): &(usize, Allowed)| SpecificationState {
            step: *step as u64,
            allowed: allowed_next(allowed, events),
        };
        Ok(SpecificationRow {
            process: self.text.clone(),
            model: self.model.clone(),
            states: states.iter().map(state).collect(),
            at_end: allowed_next(&at_end, events),
        })
    }
}

/// `allowed` by the names of events.
pub(super) fn allowed_next(allowed: &Allowed, events: &EventTable) -> AllowedNext {
    match allowed {
        Allowed::Nothing(after) => AllowedNext {
            after: Some(*after),
            ..AllowedNext::default()
        },
        Allowed::Everything(after) => AllowedNext {
            allows: AllowedKind::Everything,
            after: Some(*after),
            ..AllowedNext::default()
        },
        Allowed::Events {
            events: next,
            acceptances,
        } => AllowedNext {
            allows: AllowedKind::Events,
            events: sorted_names(next, events),
            acceptances: sorted_sets(acceptances, events),
            after: None,
        },
    }
}
