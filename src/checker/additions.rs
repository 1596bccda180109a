//! Texts of questions that are added to a script that was read: expressions, a refinement,
//! permutations.

use std::sync::Arc;

use base::diag::{Diagnostic, Result, Severity};
use base::source::Span;
use eval::ResolvedScript;
use infer::Typed;
use infer::scheme::OpenVariables;
use infer::text::TypeNames;
use symmetry::notation;
use syntax::ast::{
    Assertion, AssertionKind, Declaration, DeclarationId, ExprId, ModelName, Node, Property,
};
use syntax::{parse_assertion, parse_expression};

use super::mistakes::Separate;
use super::options::Definition;
use super::read;

/// A permutation, as expressions at the top level of the script.
#[derive(Clone, Debug)]
pub(super) struct WrittenPermutation {
    pub(super) text: String,
    /// The elements of each cycle, in order.
    pub(super) cycles: Vec<Vec<ExprId>>,
    /// The place of its first element.
    pub(super) span: Span,
}

/// The name under which the texts of questions are shown.
pub(crate) const COMMAND_LINE: &str = "<command line>";

/// The expression `text`, in the scope of the script's top level.
pub(super) fn add_expression(script: &mut ResolvedScript, text: &str) -> Result<ExprId> {
    let expression = add(script, text)?;
    print(script, expression);
    check_again(script)?;
    Ok(expression)
}

/// Replaces a constant of the top level.
pub(super) fn redefine(script: &mut ResolvedScript, definition: &Definition) -> Result<()> {
    let sources = Arc::make_mut(&mut script.sources);
    read::replace_constant(&mut script.ast, sources, definition)?;
    check_again(script)
}

/// The process `text`, in the scope of the script's top level.
pub(super) fn add_process(script: &mut ResolvedScript, text: &str) -> Result<ExprId> {
    add_check_of(script, text).map(|(_, process)| process)
}

/// Declares that the process `text` is divergence free. The check of that allows every event, so
/// that it has all symmetries of the process.
pub(super) fn add_check_of(
    script: &mut ResolvedScript,
    text: &str,
) -> Result<(DeclarationId, ExprId)> {
    let process = add(script, text)?;
    let span = script.ast.expressions[process].span;
    // An assertion is where types want a process.
    let kind = AssertionKind::Property {
        process,
        property: Property::DivergenceFree,
        model: None,
    };
    let id = assert(script, kind, span);
    check_again(script)?;
    Ok((id, process))
}

/// The most general type of `text`, in the scope of the script's top level, in FDR's notation.
pub(super) fn type_of(script: &mut ResolvedScript, text: &str) -> Result<String> {
    let expression = add(script, text)?;
    print(script, expression);
    let Typed {
        expressions,
        mut types,
        ..
    } = understand_again(script)?;
    let Some(ty) = expressions[expression] else {
        // An expression without an error has a type.
        return Diagnostic::error("internal-error", "no type was inferred")
            .at(script.ast.expressions[expression].span, "")
            .into();
    };
    // Nothing around the top level has a type that is still open, so every variable is generalised.
    let scheme = types.generalised(ty, &OpenVariables::default());
    Ok(TypeNames::new(&script.ast).scheme(&mut types, &scheme))
}

/// Declares the assertion `text`, with or without the word `assert`.
pub(super) fn add_assertion(script: &mut ResolvedScript, text: &str) -> Result<DeclarationId> {
    let sources = Arc::make_mut(&mut script.sources);
    let file = sources.add(COMMAND_LINE, text);
    let assertion = parse_assertion(&mut script.ast, sources, file)?;
    let kind = Declaration::Assert(assertion);
    let id = declare(script, kind, Span::new(file, 0, text.len()));
    check_again(script)?;
    Ok(id)
}

/// Declares `specification [T= implementation`.
pub(super) fn add_refinement(
    script: &mut ResolvedScript,
    specification: &str,
    model: ModelName,
    implementation: &str,
) -> Result<DeclarationId> {
    let specification = add(script, specification)?;
    let implementation = add(script, implementation)?;
    let span = script.ast.expressions[implementation].span;
    let kind = AssertionKind::Refinement {
        specification,
        model,
        implementation,
    };
    let id = assert(script, kind, span);
    check_again(script)?;
    Ok(id)
}

/// The permutations that `text` writes in cycles, which messages show as `said`.
pub(super) fn add_permutations(
    script: &mut ResolvedScript,
    text: &str,
    said: &str,
) -> Result<Vec<WrittenPermutation>> {
    let parsed = notation::parse(text).map_err(|problem| {
        Diagnostic::error("bad-permutation", format!("{said}: {problem}"))
            .hint("write cycles of values or events, such as '(B C),(B C D)'")
    })?;
    let mut written = Vec::new();
    for permutation in parsed {
        let text = permutation
            .iter()
            .map(|cycle| format!("({})", cycle.join(" ")));
        let text = text.collect();
        let mut cycles: Vec<Vec<ExprId>> = Vec::new();
        for cycle in &permutation {
            let elements = cycle.iter().map(|element| {
                let expression = add(script, element)?;
                print(script, expression);
                Ok(expression)
            });
            cycles.push(elements.collect::<Result<_>>()?);
        }
        // `notation::parse` refuses a permutation without a cycle and a cycle of fewer than two
        // elements.
        let span = script.ast.expressions[cycles[0][0]].span;
        written.push(WrittenPermutation { text, cycles, span });
    }
    check_again(script)?;
    Ok(written)
}

/// Parses the text of a question into the script; its names are not resolved yet.
fn add(script: &mut ResolvedScript, text: &str) -> Result<ExprId> {
    // The scope of a question shares its texts with the script that was read. They are copied here,
    // when the first one is added.
    let file = Arc::make_mut(&mut script.sources).add(COMMAND_LINE, text);
    parse_expression(&mut script.ast, &script.sources, file)
}

/// Declares an expression, so that its names are resolved with those of the script.
fn print(script: &mut ResolvedScript, expression: ExprId) {
    let span = script.ast.expressions[expression].span;
    declare(script, Declaration::Print(expression), span);
}

fn assert(script: &mut ResolvedScript, kind: AssertionKind, span: Span) -> DeclarationId {
    let assertion = Assertion {
        negated: false,
        kind,
        options: Vec::new(),
    };
    declare(script, Declaration::Assert(assertion), span)
}

fn declare(script: &mut ResolvedScript, kind: Declaration, span: Span) -> DeclarationId {
    let id = script.ast.declarations.push(Node { kind, span });
    script.ast.script.push(id);
    id
}

fn check_again(script: &mut ResolvedScript) -> Result<()> {
    understand_again(script).map(|_| ())
}

/// Resolves and types a script again, after something was added to it. Fails with the first
/// mistake, which is in what was added.
fn understand_again(script: &mut ResolvedScript) -> Result<Typed> {
    // The whole script is understood again, because what was added may use every name of it.
    let understood = read::understand(&script.ast, &Separate::of(&script.ast));
    let is_added = |problem: &Diagnostic| {
        let place = problem.labels.first().map(|(span, _)| span.file);
        place.is_some_and(|file| script.sources.file(file).name == COMMAND_LINE)
    };
    let mut problems = understood.problems.into_iter();
    // The script itself has latent mistakes at most: `read` refuses a script with errors. Its
    // latent mistakes are not about the question, but those of the added `print` and `assert` are.
    match problems.find(|problem| {
        problem.is_error() || problem.severity == Severity::Latent && is_added(problem)
    }) {
        Some(problem) => problem.no_longer_latent().into(),
        None => {
            script.resolved = understood.resolved;
            Ok(understood.typed)
        }
    }
}
