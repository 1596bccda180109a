//! Tests of evaluation, as tables of script, expression and value.

mod atoms;
mod claims;
mod deep;
mod dots;
mod errors;
mod event_fields;
mod identity;
mod permute;
mod processes;
mod symbolic;
mod timed;
mod trials;
mod values;
mod within;

use base::cancel::Cancellation;
use base::diag::Diagnostic;
use base::source::SourceMap;
use infer::infer;
use syntax::parser::NoIncludes;
use syntax::{parse_expression, parse_script};
use types::resolve::resolve_with;

use super::{Evaluator, ResolvedScript};

/// Runs `ask` on the evaluator of `script` with each of `expressions`, which stand at its top
/// level.
pub(super) fn with_script<R>(
    script: &str,
    expression: &str,
    ask: impl FnOnce(&mut Evaluator<'_>, syntax::ast::ExprId) -> R,
) -> R {
    let mut sources = SourceMap::new();
    let root = sources.add("test.csp", script);
    let (mut ast, problems) = parse_script(&mut sources, root, &mut NoIncludes);
    assert_eq!(problems, [], "{script}");
    let line = sources.add("expression", expression);
    let id = parse_expression(&mut ast, &sources, line)
        .unwrap_or_else(|e| panic!("{expression}: {e:?}"));
    let (mut resolved, problems) = resolve_with(&ast, &[id]);
    let problems: Vec<String> = problems.iter().map(|p| p.render(&sources)).collect();
    assert_eq!(problems, [] as [String; 0], "{script} | {expression}");
    // Scripts that are ill typed are run all the same: they show what the evaluator says of them.
    let (mut typed, _) = infer(&ast, &resolved, &[id]);
    resolved.processes.extend(typed.processes(&ast));
    let script = ResolvedScript {
        sources: sources.into(),
        ast,
        resolved,
    };
    let mut evaluator = Evaluator::new(&script, Cancellation::new());
    ask(&mut evaluator, id)
}

/// The value of `expression` after `script`, as text.
pub(super) fn value(script: &str, expression: &str) -> Result<String, Box<Diagnostic>> {
    with_script(script, expression, |evaluator, id| {
        let value = evaluator.value_of(id)?;
        Ok(evaluator.show(&value))
    })
}
