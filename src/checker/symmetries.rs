//! The symmetries that the check of an assertion can use, for `cspsym symmetry`: described and not
//! used.

use std::sync::Arc;

use base::diag::{Diagnostic, Result};
use base::source::{FileId, Span};
use lts::normal_form::NormalForm;
use process::term::Definitions;
use report::symmetry::SymmetryDescription;
use syntax::ast::{Assertion, AssertionKind};
use syntax::print::expression_text;

use super::compiled::{Compiled, compile};
use super::decision::Decision;
use super::describe_symmetry::{AssertionWords, FoundSymmetries, describe_symmetry};
use super::question::{Question, positive_text};
use super::reduction::{Purpose, reduction};

/// The symmetries of the check for `question`, which `assertion` asks.
pub(super) fn symmetries(
    run: &mut Decision<'_, '_>,
    assertion: &Assertion,
    question: &Question<'_>,
    span: Span,
) -> Result<SymmetryDescription> {
    let (compiled, form) = compiled_for_symmetry(run, question, span)?;
    let subject = compiled.subject(&form, &run.parts.options);
    let (claims, options) = (&question.claims, run.options);
    let reduction = reduction(
        run.evaluator,
        &subject,
        claims,
        options,
        Purpose::Description,
    )?;
    let ast = &run.script.ast;
    let specification = match &assertion.kind {
        AssertionKind::Refinement { specification, .. } => Some(*specification),
        _ => None,
    };
    let words = AssertionWords {
        assertion: positive_text(ast, assertion, options),
        file: run.script.sources.file(FileId(0)).name.clone(),
        specification: specification.map(|e| expression_text(ast, e)),
        implementation: expression_text(ast, question.implementation),
        start_fixed: options.fix_initial,
    };
    let found = FoundSymmetries {
        machine: &compiled.machine,
        reduction: &reduction,
        events: &run.evaluator.terms().events,
        sources: &run.script.sources,
    };
    Ok(describe_symmetry(words, &found))
}

/// Both sides of `question`, compiled, and the normal form beside which its symmetries are those of
/// its check.
pub(super) fn compiled_for_symmetry(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
    span: Span,
) -> Result<(Compiled, Arc<NormalForm>)> {
    run.parts.options.chases_are_leaves = true;
    let Some(compiled) = compile(run, question)? else {
        let message = "every process has the empty trace";
        return unsupported(message, span, "nothing is searched for this assertion").into();
    };
    let form = Arc::clone(compiled.against.form());
    Ok((compiled, form))
}

/// What is said of the assertion at `span` if no symmetries can be found for it.
fn unsupported(message: &str, span: Span, place: &str) -> Diagnostic {
    Diagnostic::undecided("unsupported", message.to_string()).at(span, place)
}
