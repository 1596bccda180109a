//! What is known of a script while it is written: as much as can be said of one that is half typed, too.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use crate::checker::{Separate, joined, of_all};
use crate::cli::fault::caught;
use crate::cli::files::Files;
use crate::cli::load::Includes;
use crate::diag::Diagnostic;
use crate::infer::scheme::Scheme;
use crate::infer::text::Names as TypeNames;
use crate::infer::types::Types;
use crate::infer::{Typed, infer, signature};
use crate::source::{FileId, SourceFile, SourceMap, Span};
use crate::syntax::ast::{Ast, Declaration, DeclarationId, ExprId, Symbol};
use crate::syntax::parse_script;
use crate::types::builtin::Builtin;
use crate::types::resolve::resolve;
use crate::types::resolved::Resolved;

use super::names::{Definition, Names, Origin};

/// A script with all it includes, read and typed as far as that goes.
pub(super) struct Analysis {
    pub(super) sources: SourceMap,
    pub(super) ast: Ast,
    pub(super) names: Names,
    pub(super) problems: Vec<Diagnostic>,
    /// The assertions in the order in which `check` decides them.
    pub(super) assertions: Vec<DeclarationId>,
    /// Types are looked at by following variables, which shortens the ways to what they are.
    typed: RefCell<Typed>,
    /// By name and the place where it stands, its position among the declared names.
    declared: FxHashMap<(Symbol, Span), usize>,
}

impl Analysis {
    /// Reads the script `name` from `files`. Where that goes wrong there is one message, and nothing is known of the script.
    pub(super) fn of(name: &str, files: &mut Files) -> Self {
        let found = caught(|| Read::new(name, files, None).typed());
        found.unwrap_or_else(|problem| {
            let mut nothing = Files::with_open([(name.to_string(), String::new())]);
            let mut analysis = Read::new(name, &mut nothing, None).typed();
            analysis.problems.push(problem);
            analysis
        })
    }

    /// The same, if a name stands at `place`, a byte of a file: with what is visible there.
    pub(super) fn at(name: &str, files: &mut Files, place: (&str, usize)) -> Option<Self> {
        let read = Read::new(name, files, Some(place));
        read.names.visible.is_some().then(|| read.typed())
    }

    /// Whether `other` was made of the same files.
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
    pub(super) fn type_of(&self, definition: &Definition) -> Option<String> {
        // A pattern that is declared has one place for all its names.
        let place = match definition.origin {
            Origin::Declaration(id) => match self.ast.declaration(id) {
                Declaration::Pattern(pattern, _) => self.ast.patterns[*pattern].span,
                _ => definition.span,
            },
            Origin::Pattern => definition.span,
        };
        let typed = &mut *self.typed.borrow_mut();
        let declared = self.declared.get(&(definition.symbol, place));
        let scheme = match (declared, definition.pattern) {
            (Some(&index), _) => typed.declared[index].scheme.clone(),
            (None, Some(pattern)) => Scheme::of(typed.patterns[pattern]?),
            (None, None) => return None,
        };
        self.scheme_text(&mut typed.types, &scheme)
    }

    /// The type of one expression.
    pub(super) fn type_of_use(&self, expression: ExprId) -> Option<String> {
        let typed = &mut *self.typed.borrow_mut();
        let ty = typed.expressions[expression]?;
        self.scheme_text(&mut typed.types, &Scheme::of(ty))
    }

    /// Nothing after a mistake, because then the type is anything.
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

    /// The name of `definition`.
    pub(super) fn name(&self, definition: &Definition) -> &str {
        self.ast.name(definition.symbol)
    }
}

/// A script whose names are known, but not its types.
struct Read {
    sources: SourceMap,
    ast: Ast,
    resolved: Resolved,
    names: Names,
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
        let (resolved, wrong_names) = resolve(&ast);
        Self {
            names: Names::of(&ast, &resolved, place),
            sources,
            ast,
            resolved,
            problems,
            wrong_names,
        }
    }

    /// Names of a script that could not be read in full would be missing for no fault of their own: such follow-on mistakes are
    /// not reported. What can be said of the rest is found all the same.
    fn typed(self) -> Analysis {
        let mut problems = self.problems;
        let (typed, wrong_types) = infer(&self.ast, &self.resolved, &[]);
        Separate::of(&self.ast).make_latent(&mut problems);
        if !problems.iter().any(Diagnostic::is_error) {
            problems.extend(joined(self.wrong_names, wrong_types));
        }
        let declared = typed.declared.iter().enumerate();
        let declared = declared.map(|(index, declared)| {
            let name = declared.name;
            ((name.symbol, name.span), index)
        });
        let ast = self.ast;
        let mut assertions = ast.top_level();
        assertions.retain(|&id| matches!(ast.declaration(id), Declaration::Assert(_)));
        Analysis {
            declared: declared.collect(),
            typed: RefCell::new(typed),
            problems: of_all(&problems),
            sources: self.sources,
            names: self.names,
            assertions,
            ast,
        }
    }
}

/// The type of a built-in, as types of the script are written: one constraint alone stands without brackets.
pub(super) fn builtin_type(builtin: Builtin) -> String {
    let text = signature(builtin).unwrap_or("?");
    let one = text.split_once(" => ").and_then(|(constraints, ty)| {
        let inner = constraints.strip_prefix('(')?.strip_suffix(')')?;
        (!inner.contains(',')).then(|| format!("{inner} => {ty}"))
    });
    one.unwrap_or_else(|| text.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::lsp::names::tests::scripts;

    fn analysed(text: &str) -> Analysis {
        let mut files = Files::with_open([("/a.csp".to_string(), text.to_string())]);
        Analysis::of("/a.csp", &mut files)
    }

    /// The name in the midst of `text`, as `name :: type`.
    fn type_before(text: &str) -> Option<String> {
        let at = text.find('¦').unwrap();
        let analysis = analysed(&text.replace('¦', ""));
        let occurrence = analysis.names.at(FileId(0), at as u32)?;
        match occurrence.target {
            super::super::names::Target::Definition(id) => {
                analysis.type_of(&analysis.names.definitions[id])
            }
            _ => None,
        }
    }

    #[test]
    fn what_can_be_read_has_types_whatever_is_broken_elsewhere() {
        let broken = "f(x) = <x>\nQ = = STOP\nR = nobody\nT = f¦(3)\n";
        assert_eq!(type_before(broken).as_deref(), Some("(a) -> <a>"));
        let variable = "f(x, y) = x¦ + nobody + y\nQ = [ STOP\n";
        assert_eq!(type_before(variable).as_deref(), Some("Int"));
    }

    #[test]
    fn names_and_types_are_reported_of_scripts_that_can_be_read() {
        let codes = |text: &str| {
            let problems = analysed(text).problems;
            problems
                .iter()
                .map(|problem| problem.code)
                .collect::<Vec<_>>()
        };
        assert_eq!(codes("P = nobody\nQ = = STOP\n").len(), 1);
        let two = codes("P = nobody\nQ = 1 + true\n");
        assert_eq!((two.len(), two[0]), (2, "unknown-name"));
        assert_eq!(codes("P = STOP\n"), [""; 0]);
    }

    /// Scripts as they are while somebody types: cut off anywhere, or with a hole. Nothing may go wrong but the script.
    #[test]
    fn whatever_is_typed_something_is_found() {
        let mut seed = 1_u64;
        let mut random = move |below: usize| {
            // Knuth's MMIX generator: any sequence does.
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below.max(1)
        };
        let mut paths = scripts("tests/messages");
        paths.extend(scripts("tests/scripts"));
        for path in paths {
            let Ok(text) = std::fs::read_to_string(&path) else {
                continue;
            };
            // Deep nesting is tested on the stack of the program.
            if text.len() > 6000 {
                continue;
            }
            for round in 0..4 {
                let mut start = random(text.len());
                let mut end = match round {
                    0 => text.len(),
                    _ => (start + random(30)).min(text.len()),
                };
                while !text.is_char_boundary(start) {
                    start -= 1;
                }
                while !text.is_char_boundary(end) {
                    end += 1;
                }
                let analysis = analysed(&[&text[..start], &text[end..]].concat());
                for definition in analysis.names.definitions.iter() {
                    analysis.type_of(definition);
                }
            }
        }
    }
}
