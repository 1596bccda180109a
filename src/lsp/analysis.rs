//! What is known of a script while it is written, also of one that is half typed.

#[cfg(test)]
pub(super) mod tests;

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use base::diag::Diagnostic;
use base::source::{FileId, SourceFile, SourceMap, Span};
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
pub(super) struct Analysis {
    pub(super) sources: SourceMap,
    pub(super) ast: Ast,
    pub(super) names: Occurrences,
    pub(super) problems: Vec<Diagnostic>,
    /// The assertions in the order in which `check` decides them.
    pub(super) assertions: Vec<DeclarationId>,
    /// The processes of the top level that have no parameters, in their order, each with its name.
    pub(super) processes: Vec<(DeclarationId, Symbol)>,
    /// Types are looked at by following variables, which shortens the ways to what they are.
    typed: RefCell<Typed>,
    /// By name and the place where it stands, its position among the declared names.
    declared: FxHashMap<(Symbol, Span), usize>,
    /// The patterns that are names, by their places.
    variables: FxHashMap<Span, PatternId>,
}

impl Analysis {
    /// Reads the script `name` from `files`. If the program panics over it there is one message,
    /// and nothing is known of the script.
    pub(super) fn of(name: &str, files: &mut Files) -> Self {
        let found = caught(|| Read::new(name, files, None).typed());
        found.unwrap_or_else(|problem| {
            let mut nothing = Files::with_open([(name.to_string(), String::new())]);
            let mut analysis = Read::new(name, &mut nothing, None).typed();
            analysis.problems.push(problem);
            analysis
        })
    }

    /// Reads the script `name` from `files`, with what is visible at `place`, a byte of a file.
    /// Returns `None` if no name stands there.
    pub(super) fn at(name: &str, files: &mut Files, place: (&str, usize)) -> Option<Self> {
        let read = Read::new(name, files, Some(place));
        // Types are inferred only where they are needed: most endings that completion tries stop
        // here.
        read.names.visible.is_some().then(|| read.typed())
    }

    /// Whether `other` was made of files with the same names and texts.
    pub(super) fn is_of_same_text(&self, other: &Self) -> bool {
        let same =
            |one: &SourceFile, other: &SourceFile| one.name == other.name && one.text == other.text;
        self.sources.iter().count() == other.sources.iter().count()
            && self
                .sources
                .iter()
                .zip(other.sources.iter())
                .all(|((_, one), (_, other))| same(one, other))
    }

    /// The file called `name`.
    pub(super) fn file(&self, name: &str) -> Option<FileId> {
        let mut files = self.sources.iter();
        files.find(|(_, file)| file.name == name).map(|(id, _)| id)
    }

    /// The type of a name for all its uses, in FDR's notation.
    pub(super) fn type_of(&self, name: &DefinedName) -> Option<String> {
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
    pub(super) fn type_of_use(&self, expression: ExprId) -> Option<String> {
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

    /// The first line of a declaration.
    pub(super) fn first_line(&self, id: DeclarationId) -> &str {
        let text = self.sources.text(self.ast.declarations[id].span);
        text.lines().next().unwrap_or("").trim_end()
    }
}

/// A script whose names are known, but not its types.
struct Read {
    sources: SourceMap,
    ast: Ast,
    resolved: Resolved,
    names: Occurrences,
    /// What is wrong with the syntax.
    problems: Vec<Diagnostic>,
    /// What is wrong with the names.
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
        let place = place.and_then(|(name, at)| {
            let mut files = sources.iter();
            let (file, _) = files.find(|(_, file)| file.name == name)?;
            Some((file, at as u32))
        });
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

    /// Names of a script that could not be read in full would be missing for no fault of their own:
    /// such follow-on mistakes are not reported.
    fn typed(self) -> Analysis {
        let mut problems = self.problems;
        let (mut typed, wrong_types) = infer(&self.ast, &self.resolved, &[]);
        Separate::of(&self.ast).make_latent(&mut problems);
        let mut found = joined(self.wrong_names, wrong_types);
        if problems.iter().any(Diagnostic::is_error) {
            found = apart_from_unread(&self.ast, &self.sources, &problems, found);
        }
        problems.extend(found);
        let mut processes = self.resolved.processes.clone();
        processes.extend(typed.processes(&self.ast));
        let declared = typed.declared.iter().enumerate();
        let declared = declared.map(|(index, declared)| {
            let name = declared.name;
            ((name.symbol, name.span), index)
        });
        let ast = self.ast;
        let processes = ast.top_level().into_iter().filter_map(|id| {
            let name = process_name(&ast, id);
            name.filter(|_| processes.contains(&id))
                .map(|name| (id, name))
        });
        let processes = processes.collect();
        let variables = ast.patterns.iter_enumerated();
        let variables = variables.filter(|(_, pattern)| matches!(pattern.kind, Pattern::Name(_)));
        let mut assertions = ast.top_level();
        assertions.retain(|&id| matches!(ast.declaration(id), Declaration::Assert(_)));
        let written = assertions
            .iter()
            .filter_map(|&id| match ast.declaration(id) {
                Declaration::Assert(assertion) => {
                    of_assertion(&ast, &self.resolved, assertion, None)
                }
                _ => None,
            });
        problems.extend(written);
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

/// The name that a declaration gives to a value without parameters.
fn process_name(ast: &Ast, id: DeclarationId) -> Option<Symbol> {
    let Declaration::Pattern(pattern, _) = ast.declaration(id) else {
        return None;
    };
    match ast.pattern(*pattern) {
        Pattern::Name(path) => Some(path.last().symbol),
        _ => None,
    }
}

/// The type of a built-in, as types of the script are written: one constraint alone stands without
/// brackets.
pub(super) fn builtin_type(builtin: Builtin) -> String {
    let text = signature(builtin).unwrap_or("?");
    let one = text.split_once(" => ").and_then(|(constraints, ty)| {
        let inner = constraints.strip_prefix('(')?.strip_suffix(')')?;
        (!inner.contains(',')).then(|| format!("{inner} => {ty}"))
    });
    one.unwrap_or_else(|| text.to_string())
}
