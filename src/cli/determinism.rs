//! What is special about deciding determinism: the specification is a resolution of the process itself.

use crate::diag::{Diagnostic, Result};
use crate::eval::Evaluator;
use crate::lts::model::Model;
use crate::lts::normal_form::NormalForm;
use crate::lts::resolution::resolution;
use crate::machine::explicit::listed;
use crate::machine::{CompileOptions, Machine};
use crate::process::event::EventId;
use crate::process::term::TermId;
use crate::refine::determinism::nondeterminism;
use crate::refine::path::Path;
use crate::symmetry::choice::Algorithm;
use crate::symmetry::find::Subject;
use crate::witness::{Counterexample, explain_divergence, explain_refusable};

use super::reduce::{Claims, Reduction, reduction};
use super::request::Options;

/// Said of every such check. A resolution has a state for each trace that differs from others, so symmetry would hardly make it
/// cheaper even where it chose alike for all components.
pub(super) const NO_SYMMETRY: &str = "the process was compared with one resolution of its choices, which need keep no symmetry: none was used";

/// What `machine` refines exactly if it is deterministic in `model`.
pub(super) fn resolution_of(
    machine: &Machine,
    model: Model,
    options: &CompileOptions,
) -> Result<NormalForm> {
    let limit = options.limits.states;
    match listed(machine, limit)? {
        Some(states) => resolution(&states, model, limit),
        None => too_large(limit).into(),
    }
}

/// Plain search. What is claimed about symmetries of the process is looked at all the same, beside a specification that
/// none of them can move.
pub(super) fn without_symmetry(
    evaluator: &mut Evaluator<'_>,
    subject: Subject<'_>,
    events: &[EventId],
    claims: &Claims<'_>,
    options: &Options,
) -> Result<Reduction> {
    let plain = Options {
        algorithm: Some(Algorithm::Check),
        representative: None,
        ..options.clone()
    };
    let subject = Subject {
        specification: &NormalForm::divergence_free(events),
        ..subject
    };
    reduction(evaluator, &subject, claims, &plain, false)
}

/// Both behaviours of `process` at the end of `path`, or its divergence, replayed.
pub(super) fn explain(
    evaluator: &mut Evaluator<'_>,
    process: TermId,
    resolution: &NormalForm,
    path: &Path,
    options: &CompileOptions,
) -> Result<Counterexample> {
    let found = nondeterminism(resolution, path);
    match found.event {
        Some(event) => explain_refusable(evaluator, process, &found.trace, event, options),
        None => explain_divergence(evaluator, process, &found.trace, options),
    }
}

fn too_large(limit: usize) -> Diagnostic {
    let message = format!("the process has more than {limit} states");
    Diagnostic::undecided("large-process", message)
        .note("determinism is decided on a list of all states")
        .hint("check a smaller instance with -D, or allow more with --max-leaf-states")
}
