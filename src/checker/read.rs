//! Reads a text as a script that can be asked: parses it, replaces constants, resolves names,
//! checks types.

use std::collections::BTreeMap;

use base::diag::Diagnostic;
use base::source::{FileId, SourceMap, Span};
use eval::ResolvedScript;
use infer::{Typed, infer};
use syntax::ast::{Ast, Declaration, DeclarationId};
use syntax::{Loader, parse_expression, parse_script};
use types::resolve::resolve;
use types::resolved::Resolved;

use super::apart::apart_from_unread;
use super::error::Error;
use super::mistakes::Separate;
use super::options::Definition;

/// A script that was read, and the problems in it that do not refuse it.
pub(super) struct ReadScript {
    pub(super) script: ResolvedScript,
    pub(super) problems: Vec<Diagnostic>,
    /// By assertion and `print` declaration, the first mistake in it.
    pub(super) mistakes: BTreeMap<DeclarationId, Diagnostic>,
}

/// Reads the script `text`, called `name`, with all it includes; `definitions` replace constants of
/// its top level.
pub(super) fn read(
    name: &str,
    text: &str,
    loader: &mut dyn Loader,
    definitions: &[Definition],
) -> Result<ReadScript, Error> {
    let mut sources = SourceMap::new();
    let root = sources.add(name, text);
    let (mut ast, mut problems) = parse_script(&mut sources, root, loader);
    // Constants are replaced before names are resolved: EXPR may use any name of the top level.
    for definition in definitions {
        if let Err(problem) = replace_constant(&mut ast, &mut sources, definition) {
            problems.push(*problem);
        }
    }
    let separate = Separate::of(&ast);
    separate.make_latent(&mut problems);
    let Understood {
        resolved,
        problems: mut found,
        ..
    } = understand(&ast, &separate);
    // Where a part could not be parsed, names that it defines are reported as missing.
    if problems.iter().any(Diagnostic::is_error) {
        found = apart_from_unread(&ast, &sources, &problems, found);
    }
    problems.extend(found);
    if problems.iter().any(Diagnostic::is_error) {
        problems.sort_by_key(|problem| {
            let place = problem.labels.first().map(|label| label.0);
            place.map_or((1, None), |place| (0, Some((place.file, place.start))))
        });
        return Err(Error::new(problems, sources));
    }
    Ok(ReadScript {
        mistakes: separate.first_mistakes(&problems),
        problems,
        script: ResolvedScript {
            sources: sources.into(),
            ast,
            resolved,
        },
    })
}

/// A warning at the first Timed section, where termination is a signal.
pub(super) fn timed_signal(ast: &Ast) -> Option<Diagnostic> {
    let mut declarations = ast.declarations.iter();
    let section = declarations.find(|d| matches!(d.kind, Declaration::Timed(..)))?;
    // The span of the section may be the whole script; only the word `Timed` is marked.
    let start = section.span.start;
    let word = Span::new(
        section.span.file,
        start as usize,
        start as usize + "Timed".len(),
    );
    let message = "in a Timed section, termination as a signal can stop time";
    let warning = Diagnostic::warning("timed-signal", message)
        .at(word, "")
        .note("a process that waits for others to terminate has nothing more to do, and so refuses tock")
        .hint("leave out `--termination signal`");
    Some(warning)
}

/// The names and types of a script, before anything is evaluated.
pub(super) struct Understood {
    /// The meanings of the names.
    pub(super) resolved: Resolved,
    /// The types.
    pub(super) typed: Typed,
    /// The problems with names and types; latent in assertions and `print` declarations.
    pub(super) problems: Vec<Diagnostic>,
}

/// Resolves the names of `ast` and infers its types. Mistakes in what is `separate` are latent.
pub(super) fn understand(ast: &Ast, separate: &Separate) -> Understood {
    let (mut resolved, mut wrong_names) = resolve(ast);
    let (mut typed, mut wrong_types) = infer(ast, &resolved, &[]);
    // Only types tell which definitions are processes. These become calls by name, so that the name
    // of a call comes to an end (`eval/README.md`).
    resolved.processes.extend(typed.processes(ast));
    for problem in wrong_names.iter_mut().chain(&mut wrong_types) {
        name_import(ast, problem);
    }
    // `joined` comes first: it tells errors from warnings, and a latent mistake is no longer an
    // error.
    let mut problems = joined(wrong_names, wrong_types);
    separate.make_latent(&mut problems);
    Understood {
        resolved,
        typed,
        problems,
    }
}

/// Adds to a problem in an imported file the place where the script imports the file.
fn name_import(ast: &Ast, problem: &mut Diagnostic) {
    let file = problem.labels.first().map(|(span, _)| span.file);
    let import = ast.imports.iter().find(|import| Some(import.file) == file);
    if let Some(import) = import {
        let label = (import.place, "imported here".to_string());
        problem.labels.push(label);
    }
}

/// The problems with names and with types, in the order of the places. A name without a meaning has
/// no type either, so where something is said of a name, nothing is said of types.
pub fn joined(wrong_names: Vec<Diagnostic>, mut wrong_types: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut problems = wrong_names;
    let places = |of: fn(&&Diagnostic) -> bool| -> BTreeMap<(FileId, u32), u32> {
        let labels = problems
            .iter()
            .filter(of)
            .filter_map(|known| known.labels.first());
        let places = labels.map(|(place, _)| ((place.file, place.start), place.end));
        places.collect()
    };
    let (errors, all) = (places(|known| known.is_error()), places(|_| true));
    wrong_types.retain(|error| {
        // A warning about a name is no reason to leave out an error of types.
        let known = if error.is_error() { &errors } else { &all };
        let mut labels = error.labels.iter();
        !labels.any(|(place, _)| overlaps(known, *place))
    });
    problems.extend(wrong_types);
    problems.sort_by_key(|problem| {
        let first = problem.labels.first();
        first.map(|(span, _)| (span.file, span.start))
    });
    problems
}

/// True if `place` has text in common with one of `names`, which maps the file and first byte of
/// each name to one past its last byte. Names do not overlap.
fn overlaps(names: &BTreeMap<(FileId, u32), u32>, place: Span) -> bool {
    let mut before = names.range(..(place.file, place.end));
    let last = before.next_back();
    last.is_some_and(|(&(file, _), &end)| file == place.file && place.start < end)
}

/// Carries out `-D NAME=EXPR`: the right-hand side of the constant becomes EXPR.
pub(super) fn replace_constant(
    ast: &mut Ast,
    sources: &mut SourceMap,
    definition: &Definition,
) -> base::diag::Result<()> {
    let file = sources.add(format!("<-D {}>", definition.name), definition.text.clone());
    let value = parse_expression(ast, sources, file)?;
    let name = &definition.name;
    if let Some(id) = ast.constant(name)
        && let Declaration::Pattern(_, body) = &mut ast.declarations[id].kind
    {
        *body = value;
        return Ok(());
    }
    let message = format!("the script has no constant `{name}` at its top level");
    Diagnostic::error("unknown-constant", message)
        .at(ast.expressions[value].span, "meant to replace it")
        .hint("-D replaces a definition such as `N = 3`; it does not add one")
        .into()
}
