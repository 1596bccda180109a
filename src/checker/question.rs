//! The question of an assertion, in the terms of the stages that answer it.

use base::diag::{Diagnostic, Result};
use base::source::Span;
use eval::Evaluator;
use lts::model::Model;
use process::event::EventId;
use process::term::TermId;
use refine::stubborn::StubbornEffort;
use report::assertion::Kind;
use symmetry::choice::Algorithm;
use syntax::ast::{
    Assertion, AssertionKind, AssertionOption, Ast, ExprId, ModelName, Property, SymmetricType,
};
use syntax::print::assertion_text;

use super::additions::WrittenPermutation;
use super::options::{Options, PartialOrder};

/// The kind of an assertion, if it could be read, and the model in which it is to be decided.
pub(super) fn kind_and_model(
    assertion: &Assertion,
    options: &Options,
) -> (Option<Kind>, Option<ModelName>) {
    let (kind, model) = match &assertion.kind {
        AssertionKind::Refinement { model, .. } => {
            (Kind::Refinement, Some(options.model.unwrap_or(*model)))
        }
        AssertionKind::Property {
            property, model, ..
        } => {
            let (kind, usual) = match property {
                Property::DeadlockFree => (Kind::DeadlockFree, ModelName::F),
                Property::DivergenceFree => (Kind::DivergenceFree, ModelName::FD),
                Property::Deterministic => (Kind::Deterministic, ModelName::FD),
            };
            (kind, Some(model.unwrap_or(usual)))
        }
        AssertionKind::HasTrace { model, .. } => {
            (Kind::HasTrace, Some(model.unwrap_or(ModelName::T)))
        }
        AssertionKind::Symmetric { model, .. } => (Kind::Symmetric, *model),
        AssertionKind::Unread(_) => return (None, None),
    };
    (Some(kind), model)
}

/// `assertion` without a `not`, in the model in which it is decided.
pub(super) fn positive_text(ast: &Ast, assertion: &Assertion, options: &Options) -> String {
    let mut positive = Assertion {
        negated: false,
        ..assertion.clone()
    };
    if let (AssertionKind::Refinement { model, .. }, Some(asked)) =
        (&mut positive.kind, options.model)
    {
        *model = asked;
    }
    assertion_text(ast, &positive)
}

/// The events over which τ has priority in the process of `assertion`, if it says so.
pub(super) fn tau_priority(assertion: &Assertion) -> Option<ExprId> {
    let options = assertion.options.iter().rev();
    let mut over = options.filter_map(|option| match option {
        AssertionOption::TauPriority(over) => Some(*over),
        _ => None,
    });
    over.next()
}

/// The question that an assertion asks.
pub(super) struct Question<'a> {
    pub(super) asked: Asked,
    /// The process that it is about.
    pub(super) implementation: ExprId,
    /// True if the assertion says that this does not hold.
    pub(super) negated: bool,
    /// The claims about its symmetries.
    pub(super) claims: Claims<'a>,
    /// Events over which τ and ✓ have priority, on both sides.
    pub(super) tau_priority: Option<ExprId>,
    /// The effort with which partial order reduction looks for a smaller search, if the assertion
    /// asks for that.
    pub(super) partial_order: Option<StubbornEffort>,
}

/// The claims about symmetry, by an assertion or on the command line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Claims<'a> {
    /// The types of `:[symmetry reduce]:`.
    pub(super) types: &'a [SymmetricType],
    /// The permutations of `--symmetry`; if there are any, the types are ignored.
    pub(super) permutations: &'a [WrittenPermutation],
}

impl Claims<'_> {
    /// True if these claims or `options` ask for a search with symmetries, or for a certain one.
    pub(super) fn ask_for_symmetry(&self, options: &Options) -> bool {
        let is_plain = matches!(options.algorithm, None | Some(Algorithm::Check));
        !is_plain
            || options.representative.is_some()
            || !self.types.is_empty()
            || !self.permutations.is_empty()
    }

    /// True if the program may choose how the machine is searched, and leave symmetries out.
    pub(super) fn leave_free(&self, options: &Options) -> bool {
        options.algorithm.is_none()
            && options.storage.is_none()
            && options.cluster.is_none()
            && !self.ask_for_symmetry(options)
    }
}

impl Question<'_> {
    /// The cases in which the search for this question is to be reduced by partial order.
    pub(super) fn reduction(&self, options: &Options) -> Option<PartialOrder> {
        match self.partial_order {
            Some(effort) => Some(PartialOrder::Always(effort)),
            None => options.partial_order,
        }
    }
}

/// The property that a process is to have, and the model. `P` is the type of a specification and
/// `T` that of a trace: both are expressions at first, and once these are evaluated, a term and
/// events.
#[derive(Clone, Copy, Debug)]
pub(super) enum Asked<P = ExprId, T = ExprId> {
    /// To refine this process.
    Refines(P, Model),
    /// Never to deadlock.
    DeadlockFree(Model),
    /// Never to diverge.
    DivergenceFree,
    /// Never to refuse what it can do.
    Deterministic(Model),
    /// To have this sequence of events.
    HasTrace(T, Model),
}

impl<P, T> Asked<P, T> {
    /// True if the question is about a model that sees what is done after a rest.
    pub(super) fn sees_revivals(&self) -> bool {
        match self {
            Asked::Refines(_, model) | Asked::HasTrace(_, model) => model.sees_revivals(),
            Asked::DeadlockFree(model) | Asked::Deterministic(model) => model.sees_revivals(),
            Asked::DivergenceFree => false,
        }
    }
}

impl Asked {
    /// This question with its expressions evaluated, where τ has priority over the events `over`.
    pub(super) fn evaluated(
        self,
        over: Option<ExprId>,
        evaluator: &mut Evaluator<'_>,
    ) -> Result<Asked<TermId, Vec<EventId>>> {
        let mut process = |expression| evaluator.process_with_tau_priority(expression, over);
        Ok(match self {
            Asked::Refines(specification, model) => Asked::Refines(process(specification)?, model),
            Asked::DeadlockFree(model) => Asked::DeadlockFree(model),
            Asked::DivergenceFree => Asked::DivergenceFree,
            Asked::Deterministic(model) => Asked::Deterministic(model),
            Asked::HasTrace(trace, model) => Asked::HasTrace(evaluator.trace_of(trace)?, model),
        })
    }
}

/// The question that `assertion` asks. Fails if this version cannot decide it.
pub(super) fn question<'a>(
    assertion: &'a Assertion,
    span: Span,
    options: &Options,
    permutations: &'a [WrittenPermutation],
) -> Result<Question<'a>> {
    let (_, written) = kind_and_model(assertion, options);
    let model = || property_model(written, span);
    let (asked, implementation) = match &assertion.kind {
        AssertionKind::Refinement {
            specification,
            implementation,
            ..
        } => {
            let model = refinement_model(written, span)?;
            (Asked::Refines(*specification, model), *implementation)
        }
        AssertionKind::Property {
            process, property, ..
        } => {
            let model = model()?;
            let name = written.map_or("", ModelName::name);
            (property_asked(*property, model, name, span)?, *process)
        }
        AssertionKind::HasTrace { process, trace, .. } => {
            (Asked::HasTrace(*trace, model()?), *process)
        }
        AssertionKind::Symmetric { .. } => return without_search(span).into(),
        AssertionKind::Unread(_) => return unread(span).into(),
    };
    let mut partial_order = None;
    for option in &assertion.options {
        match option {
            AssertionOption::PartialOrderReduce(word) => {
                partial_order = Some(effort(word.as_deref(), span)?);
            }
            // `tau_priority` reads it.
            AssertionOption::TauPriority(_) => {}
            // `claims` reads the first; the second asks for many instances, and this is one.
            AssertionOption::SymmetryReduce(_) | AssertionOption::ForAll(_) => {}
        }
    }
    Ok(Question {
        partial_order,
        tau_priority: tau_priority(assertion),
        asked,
        implementation,
        negated: assertion.negated,
        claims: claims(assertion, permutations),
    })
}

/// The message for an assertion that could not be read.
pub(super) fn unread(span: Span) -> Diagnostic {
    Diagnostic::error("syntax", "this assertion could not be read").at(span, "")
}

/// The effort that `word` asks for.
fn effort(word: Option<&str>, span: Span) -> Result<StubbornEffort> {
    match word {
        None => Ok(StubbornEffort::default()),
        Some("fast") => Ok(StubbornEffort::Fast),
        Some("hybrid") => Ok(StubbornEffort::Hybrid),
        Some("precise") => Ok(StubbornEffort::Precise),
        Some(other) => {
            let message = format!("there is no partial order reduction `{other}`");
            Diagnostic::error("unknown-reduction", message)
                .at(span, "")
                .note("the reductions are precise, fast and hybrid")
                .into()
        }
    }
}

const WITH_FAILURES: &str = "F, FD and finer models";
const WITH_DIVERGENCES: &str = "FD, VD and RD";

/// The question that `property` asks in `model`, which the script writes as `letters`.
fn property_asked(property: Property, model: Model, letters: &str, span: Span) -> Result<Asked> {
    let (name, models, asked) = match property {
        Property::DeadlockFree => ("deadlock free", WITH_FAILURES, Asked::DeadlockFree(model)),
        Property::DivergenceFree => ("divergence free", WITH_DIVERGENCES, Asked::DivergenceFree),
        Property::Deterministic => ("deterministic", WITH_FAILURES, Asked::Deterministic(model)),
    };
    let is_seen = match property {
        Property::DeadlockFree | Property::Deterministic => model.has_failures(),
        Property::DivergenceFree => model.has_divergences(),
    };
    if is_seen {
        return Ok(asked);
    }
    let message = format!("`{name}` means nothing in the model {letters}");
    Diagnostic::error("wrong-model", message)
        .at(span, "")
        .note(format!("what it speaks of is seen only in {models}"))
        .hint(format!("write `:[{name}]`"))
        .into()
}

/// The model to decide a property in.
///
/// A property that is written for a finer model holds there exactly if it holds in the model of
/// failures or, if divergences count, of failures and divergences. For whether a process deadlocks,
/// diverges, has a trace, or refuses what it can do is read off its traces, failures and
/// divergences, and these can be read off what the finer models see. If divergences count, a
/// process has each trace on the way of which it can diverge: histories without refusals say just
/// that.
fn property_model(written: Option<ModelName>, span: Span) -> Result<Model> {
    Ok(match refinement_model(written, span)? {
        Model::Traces => Model::Traces,
        model if model.has_divergences() => Model::FailuresDivergences,
        _ => Model::Failures,
    })
}

/// The model to decide a refinement in.
pub(super) fn refinement_model(written: Option<ModelName>, span: Span) -> Result<Model> {
    Ok(match written {
        Some(ModelName::T) => Model::Traces,
        Some(ModelName::F) => Model::Failures,
        Some(ModelName::FD) => Model::FailuresDivergences,
        Some(ModelName::V) => Model::Revivals,
        Some(ModelName::VD) => Model::RevivalsDivergences,
        Some(ModelName::R) => Model::RefusalTesting,
        Some(ModelName::RD) => Model::RefusalTestingDivergences,
        None => return without_search(span).into(),
    })
}

/// The message for an assertion of symmetry of which a search or a model is asked: it has neither.
/// Only questions for the symmetries of a check end in it, because such an assertion is decided
/// without a [`Question`].
fn without_search(span: Span) -> Diagnostic {
    let message = "a static assertion of symmetry is decided without a search";
    Diagnostic::undecided("unsupported", message).at(span, "")
}

/// The claims of `assertion` and of the command line about symmetry.
fn claims<'a>(assertion: &'a Assertion, permutations: &'a [WrittenPermutation]) -> Claims<'a> {
    // The first one is the only one: the parser refuses an option that is repeated.
    let types = assertion.options.iter().find_map(|option| match option {
        AssertionOption::SymmetryReduce(types) => Some(&types[..]),
        _ => None,
    });
    Claims {
        types: types.unwrap_or_default(),
        permutations,
    }
}
