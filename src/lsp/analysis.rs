//! The analysis of a script while it is written, and so of one that is half typed.

#[cfg(test)]
pub(crate) mod tests;

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use base::diag::Diagnostic;
use base::source::{FileId, SourceMap, Span};
use checker::{Separate, apart_from_unread, joined, of_all, of_assertion};
use host::fault::caught;
use host::files::Files;
use host::load::Includes;
use infer::scheme::Scheme;
use infer::text::TypeNames;
use infer::types::Types;
use infer::{Typed, infer, signature};
use syntax::ast::{Ast, Declaration, DeclarationId, ExprId, Pattern, PatternId, Symbol};
use syntax::parse_script;
use types::builtin::Builtin;
use types::occurrences::{DefinedName, Occurrences};
use types::resolve::resolve_for_editor;
use types::resolved::Resolved;

/// A script with all it includes, read and typed as far as that goes.
pub(crate) struct Analysis {
    pub(crate) sources: SourceMap,
    pub(crate) ast: Ast,
    pub(crate) names: Occurrences,
    pub(crate) problems: Vec<Diagnostic>,
    /// The assertions in the order in which `check` decides them.
    pub(crate) assertions: Vec<DeclarationId>,
    /// The processes of the top level that have no parameters, in their order, each with its name.
    pub(crate) processes: Vec<(DeclarationId, Symbol)>,
    /// The types. Looking one up follows variables, which shortens the ways from them to their
    /// types.
    typed: RefCell<Typed>,
    /// The index of a declared name in `typed.declared`, by the name and its place.
    declared: FxHashMap<(Symbol, Span), usize>,
    /// The patterns that are names, by their places.
    variables: FxHashMap<Span, PatternId>,
}

impl Analysis {
    /// Reads the script `name` from `files`. If the program panics over it, the analysis has one
    /// message and knows nothing of the script.
    pub(crate) fn of(name: &str, files: &mut Files) -> Self {
        let found = caught(|| Read::new(name, files, None).typed());
        found.unwrap_or_else(|problem| {
            let mut nothing = Files::with_open([(name.to_string(), String::new())]);
            let mut analysis = Read::new(name, &mut nothing, None).typed();
            analysis.problems.push(problem);
            analysis
        })
    }

    /// Reads the script `name` from `files`, with the names visible at `place`, a byte of a file.
    /// Returns `None` if no name stands there.
    pub(crate) fn at(name: &str, files: &mut Files, place: (&str, usize)) -> Option<Self> {
        let read = Read::new(name, files, Some(place));
        // Types are inferred only where they are needed: most endings that completion tries stop
        // here.
        read.names.visible.is_some().then(|| read.typed())
    }

    /// True if `other` was made of files with the same names and texts.
    pub(crate) fn is_of_same_text(&self, other: &Self) -> bool {
        fn texts(one: &Analysis) -> impl Iterator<Item = (&str, &str)> {
            let files = one.sources.iter();
            files.map(|(_, file)| (file.name.as_str(), file.text.as_str()))
        }
        texts(self).eq(texts(other))
    }

    /// The file called `name`.
    pub(crate) fn file(&self, name: &str) -> Option<FileId> {
        file(&self.sources, name)
    }

    /// The type of a name for all its uses, in FDR's notation.
    pub(crate) fn type_of(&self, name: &DefinedName) -> Option<String> {
        // A pattern that is declared has one place for all its names.
        let place = match name.declaration.map(|id| self.ast.declaration(id)) {
            Some(Declaration::Pattern(pattern, _)) => self.ast.patterns[*pattern].span,
            _ => name.span,
        };
        let typed = &mut *self.typed.borrow_mut();
        let scheme = match self.declared.get(&(name.symbol, place)) {
            Some(&index) => typed.declared[index].scheme.clone(),
            None => Scheme::of(typed.patterns[*self.variables.get(&name.span)?]?),
        };
        self.scheme_text(&mut typed.types, &scheme)
    }

    /// The type of one expression.
    pub(crate) fn type_of_use(&self, expression: ExprId) -> Option<String> {
        let typed = &mut *self.typed.borrow_mut();
        let ty = typed.expressions[expression]?;
        self.scheme_text(&mut typed.types, &Scheme::of(ty))
    }

    /// `scheme` as text. Returns `None` after a mistake, because then the type is anything.
    fn scheme_text(&self, types: &mut Types, scheme: &Scheme) -> Option<String> {
        if types.head(scheme.ty) == Types::UNKNOWN {
            return None;
        }
        Some(TypeNames::new(&self.ast).scheme(types, scheme))
    }
}

fn file(sources: &SourceMap, name: &str) -> Option<FileId> {
    let mut files = sources.iter();
    files.find(|(_, file)| file.name == name).map(|(id, _)| id)
}

/// A script whose names are known, but not its types.
struct Read {
    sources: SourceMap,
    ast: Ast,
    resolved: Resolved,
    names: Occurrences,
    /// The mistakes in the syntax.
    problems: Vec<Diagnostic>,
    /// The mistakes in the names.
    wrong_names: Vec<Diagnostic>,
}

impl Read {
    fn new(name: &str, files: &mut Files, place: Option<(&str, usize)>) -> Self {
        let mut sources = SourceMap::new();
        let (text, mut problems) = match files.read(name) {
            Ok(text) => (text, Vec::new()),
            Err(problem) => (String::new(), vec![*problem]),
        };
        let root = sources.add(name, text);
        let (ast, found) = parse_script(&mut sources, root, &mut Includes(files));
        problems.extend(files.warnings(&sources));
        problems.extend(found);
        let place = place.and_then(|(name, at)| Some((file(&sources, name)?, at as u32)));
        let (resolved, wrong_names, names) = resolve_for_editor(&ast, place);
        Self {
            names,
            sources,
            ast,
            resolved,
            problems,
            wrong_names,
        }
    }

    /// Infers the types. In a script that could not be read in full, a name may be missing for no
    /// fault of its own: such a mistake is not reported.
    fn typed(self) -> Analysis {
        let mut problems = self.problems;
        let (mut typed, wrong_types) = infer(&self.ast, &self.resolved, &[]);
        Separate::of(&self.ast).make_latent(&mut problems);
        let mut found = joined(self.wrong_names, wrong_types);
        if problems.iter().any(Diagnostic::is_error) {
            found = apart_from_unread(&self.ast, &self.sources, &problems, found);
        }
        problems.extend(found);
        let ast = self.ast;
        let mut of_processes = self.resolved.processes.clone();
        of_processes.extend(typed.processes(&ast));
        let (mut assertions, mut processes) = (Vec::new(), Vec::new());
        for id in ast.top_level() {
            match ast.declaration(id) {
                Declaration::Assert(assertion) => {
                    assertions.push(id);
                    problems.extend(of_assertion(&ast, &self.resolved, assertion, None));
                }
                Declaration::Pattern(pattern, _) if of_processes.contains(&id) => {
                    if let Pattern::Name(path) = ast.pattern(*pattern) {
                        processes.push((id, path.last().symbol));
                    }
                }
                _ => {}
            }
        }
        let declared = typed.declared.iter().enumerate();
        let declared = declared.map(|(index, one)| ((one.name.symbol, one.name.span), index));
        let variables = ast.patterns.iter_enumerated();
        let variables = variables.filter(|(_, pattern)| matches!(pattern.kind, Pattern::Name(_)));
        Analysis {
            declared: declared.collect(),
            variables: variables.map(|(id, pattern)| (pattern.span, id)).collect(),
            typed: RefCell::new(typed),
            problems: of_all(&problems),
            sources: self.sources,
            names: self.names,
            assertions,
            processes,
            ast,
        }
    }
}

/// The type of a built-in, written like the types of the script: one constraint alone stands
/// without brackets.
pub(crate) fn builtin_type(builtin: Builtin) -> String {
    let text = signature(builtin).unwrap_or("?");
    let one = text.split_once(" => ").and_then(|(constraints, ty)| {
        let inner = constraints.strip_prefix('(')?.strip_suffix(')')?;
        (!inner.contains(',')).then(|| format!("{inner} => {ty}"))
    });
    one.unwrap_or_else(|| text.to_string())
}
