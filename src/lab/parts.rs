//! The declarations of a student's script: their places, the names they define and use, and the
//! names they may not define or use.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::diag::Diagnostic;
use base::source::{SourceMap, Span};
use checker::Error;
use syntax::ast::{Ast, Declaration, DeclarationId, Expr, Pattern, PatternId};
use syntax::children::{Child, descendants};
use syntax::lexemes::{LexemeKind, lexemes};
use syntax::parse_script;
use types::builtin::{Builtin, Visibility};

use super::texts::{Inside, LabTexts, WORK, is_named};

/// The beginning of the names that are kept for the lab's script.
pub(super) const RESERVED: &str = "LAB_";

/// True if a name that is kept for the lab stands in `text`.
pub fn is_kept(text: &str) -> bool {
    text.contains(RESERVED)
}

/// Words of declarations that give a meaning to more than the name in front of `=`. Without such a
/// declaration the rest of a script may have another meaning, and not only lack a name.
const FAR_REACHING: [&str; 11] = [
    "channel",
    "datatype",
    "endmodule",
    "exports",
    "external",
    "include",
    "instance",
    "module",
    "nametype",
    "subtype",
    "transparent",
];

/// The bytes of a part of a script: a declaration, or unreadable text between two declarations.
pub(super) type PartRange = (u32, u32);

/// The declarations at the top level of a student's script.
#[derive(Debug)]
pub(super) struct WrittenParts {
    pub(super) sources: Arc<SourceMap>,
    /// The readable declarations by their bytes, with the names that they define.
    declarations: BTreeMap<PartRange, WrittenDeclaration>,
    /// The text.
    text: String,
    /// True if the given script is included.
    includes_given: bool,
    given: String,
    /// A built-in that is defined anew, and the place of its definition.
    redefined: Option<(String, Span)>,
}

/// One declaration.
#[derive(Debug)]
struct WrittenDeclaration {
    names: Vec<String>,
    /// The names in its expressions.
    uses: BTreeSet<String>,
    /// True if only names are missing without it.
    is_definition: bool,
}

impl WrittenParts {
    /// The parts of the student's script, whose text is `work`.
    pub(super) fn of(texts: &LabTexts<'_>, work: &str) -> Self {
        let mut sources = SourceMap::new();
        let root = sources.add(texts.checks.name, texts.checks.text);
        let mut loader = Inside { texts, work };
        let (ast, _) = parse_script(&mut sources, root, &mut loader);
        let included = ast.script.iter().find_map(|id| match ast.declaration(*id) {
            Declaration::Include(path, members) if path == texts.start => Some(members),
            _ => None,
        });
        let members: &[DeclarationId] = included.map_or(&[], |members| members);
        let is_given = |id: &DeclarationId| match ast.declaration(*id) {
            Declaration::Include(path, _) => is_named(path, texts.given.name),
            _ => false,
        };
        let written = members.iter().map(|id| {
            // The span of a function covers all of its clauses, and the text between them.
            let span = ast.declarations[*id].span;
            ((span.start, span.end), WrittenDeclaration::of(&ast, *id))
        });
        let declarations = written.collect();
        let includes_given = members.iter().any(is_given);
        let redefined = redefined(&ast, members);
        Self {
            sources: Arc::new(sources),
            declarations,
            text: work.to_string(),
            includes_given,
            given: texts.given.name.to_string(),
            redefined,
        }
    }

    /// The places at which the script names what is kept for the lab's script, as mistakes; `None`
    /// if there are none. Without this a script could be right by naming the answer.
    pub(super) fn reserved(&self) -> Option<Error> {
        let names = lexemes(&self.text).into_iter();
        let names = names.filter(|lexeme| lexeme.kind == LexemeKind::Name);
        let problems = names.filter_map(|lexeme| {
            let name = &self.text[lexeme.range.clone()];
            let place = Span::new(WORK, lexeme.range.start, lexeme.range.end);
            name.starts_with(RESERVED).then(|| {
                let message = format!("`{name}` is a name that is kept for the lab");
                let problem = Diagnostic::error("reserved-name", message).at(place, "");
                problem.hint(format!(
                    "call it something that does not begin with `{RESERVED}`"
                ))
            })
        });
        let problems: Vec<Diagnostic> = problems.collect();
        (!problems.is_empty()).then(|| Error::new(problems, self.sources.clone()))
    }

    /// True if the script defines `name`.
    pub(super) fn defines(&self, name: &str) -> bool {
        let mut all = self.declarations.values();
        all.any(|written| written.names.iter().any(|known| known == name))
    }

    /// True if `text` names something that the script defines.
    pub(super) fn has_part_in(&self, text: &str) -> bool {
        words(text).any(|word| self.defines(word))
    }

    /// The first of the names `given` that the definition of `answer` uses, or a definition that it
    /// uses. `None` if they use none of them.
    pub(super) fn used_by<'g>(&self, answer: &str, given: &'g [String]) -> Option<&'g str> {
        let mut met = BTreeSet::from([answer]);
        let mut open = vec![answer];
        while let Some(name) = open.pop() {
            let all = self.declarations.values();
            let defining = all.filter(|written| written.names.iter().any(|known| known == name));
            for used in defining.flat_map(|written| &written.uses) {
                if met.insert(used) {
                    open.push(used);
                }
            }
        }
        let found = given.iter().find(|name| met.contains(name.as_str()));
        found.map(String::as_str)
    }

    /// The reason why the script cannot be graded fairly, if there is one: it brings its own
    /// version of the given script, or of parts of CSPm.
    pub(super) fn unfair(&self) -> Option<Diagnostic> {
        if let Some((name, place)) = &self.redefined {
            let message = format!("`{name}` is built in, and a lab does not allow another one");
            let problem = Diagnostic::error("redefined-built-in", message).at(*place, "");
            return Some(problem.hint("call it something else: the checks use the built-in one"));
        }
        if self.includes_given {
            return None;
        }
        let given = &self.given;
        let message = format!("the script does not include `{given}`");
        let problem = Diagnostic::error("given-not-included", message);
        let hint = format!("write include \"{given}\" before the first task, in a line of its own");
        Some(problem.hint(hint).at(Span::new(WORK, 0, 0), ""))
    }

    /// `error`; or, if that is about nothing but names that are missing without the given script,
    /// or about the lab's script alone, the reason of unfairness. Without the given script the
    /// lab's script cannot be right. What is wrong there is not shown: it may have the answers.
    pub(super) fn unfair_rather_than(&self, error: Error) -> Error {
        let Some(unfair) = self.unfair() else {
            return error;
        };
        let is_of_student = |problem: &&Diagnostic| {
            let mut places = problem.labels.iter();
            problem.code != "unknown-name" && places.any(|(place, _)| self.is_of_student(*place))
        };
        let mut problems: Vec<Diagnostic> = error
            .problems()
            .iter()
            .filter(is_of_student)
            .cloned()
            .collect();
        if problems.is_empty() {
            problems.push(unfair);
        }
        Error::new(problems, error.shared_sources())
    }

    /// True if `place` is in the student's script.
    pub(super) fn is_of_student(&self, place: Span) -> bool {
        place.file == WORK
    }

    /// The part of the student's script with `place` in it.
    pub(super) fn around(&self, place: Span) -> Option<PartRange> {
        if !self.is_of_student(place) {
            return None;
        }
        let at = place.start;
        let mut before = self.declarations.range(..=(at, u32::MAX));
        let last = before.next_back().map(|(part, _)| *part);
        if let Some(part) = last.filter(|(_, end)| at < *end) {
            return Some(part);
        }
        // Text between readable declarations could not be read.
        let start = last.map_or(0, |(_, end)| end);
        let next = self.declarations.range((start.max(at), 0)..).next();
        let end = next.map_or(self.text.len() as u32, |((start, _), _)| *start);
        Some((start, end))
    }

    /// The names that `part` defines or may define.
    pub(super) fn names(&self, part: PartRange) -> Vec<&str> {
        match self.declarations.get(&part) {
            Some(written) => written.names.iter().map(String::as_str).collect(),
            // A definition begins in a line of its own.
            None => self.text_of(part).lines().filter_map(first_word).collect(),
        }
    }

    /// The declarations that define one of these names.
    pub(super) fn defining(&self, names: &BTreeSet<&str>) -> Vec<PartRange> {
        let is_one = |written: &WrittenDeclaration| {
            let mut defined = written.names.iter();
            defined.any(|name| names.contains(&**name))
        };
        let found = self.declarations.iter();
        let found = found.filter(|(_, written)| is_one(written));
        found.map(|(part, _)| *part).collect()
    }

    /// `text` without these parts. Blanks stand for them, so that the rest keeps its place. `None`
    /// if more than definitions would be missing.
    pub(super) fn blanked(&self, text: &str, parts: &BTreeSet<PartRange>) -> Option<String> {
        let mut bytes = text.as_bytes().to_vec();
        for part in parts {
            let is_definition = match self.declarations.get(part) {
                Some(written) => written.is_definition,
                None => words(self.text_of(*part)).all(|word| !FAR_REACHING.contains(&word)),
            };
            if !is_definition {
                return None;
            }
            let (start, end) = (part.0 as usize, part.1 as usize);
            for byte in bytes.get_mut(start..end)? {
                if !matches!(byte, b'\n' | b'\r') {
                    *byte = b' ';
                }
            }
        }
        // Parts begin and end between characters.
        String::from_utf8(bytes).ok()
    }

    fn text_of(&self, part: PartRange) -> &str {
        let range = part.0 as usize..part.1 as usize;
        self.text.get(range).unwrap_or_default()
    }
}

impl WrittenDeclaration {
    fn of(ast: &Ast, id: DeclarationId) -> Self {
        let declaration = ast.declaration(id);
        let is_definition = matches!(
            declaration,
            Declaration::Pattern(..) | Declaration::Function(..) | Declaration::Annotation(..)
        );
        let names = named(ast, id).into_iter().map(|(name, _)| name);
        let inner = descendants(ast, Child::Declaration(id)).into_iter();
        let uses = inner.filter_map(|child| match child {
            Child::Expression(id) => match ast.expr(id) {
                Expr::Name(path) => Some(ast.name(path.last().symbol).to_string()),
                _ => None,
            },
            _ => None,
        });
        Self {
            names: names.collect(),
            uses: uses.collect(),
            is_definition,
        }
    }
}

/// The names to which the declaration `id` gives a meaning or a type, with their places.
fn named(ast: &Ast, id: DeclarationId) -> Vec<(String, Span)> {
    let identifiers = match ast.declaration(id) {
        Declaration::Pattern(pattern, _) => return bound(ast, *pattern),
        Declaration::Function(name, _)
        | Declaration::Subtype(name, _)
        | Declaration::Nametype(name, _)
        | Declaration::Module { name, .. }
        | Declaration::Instance { name, .. } => vec![*name],
        Declaration::Channel(names, _) | Declaration::Annotation(names, _) => names.clone(),
        Declaration::Datatype(name, constructors) => {
            let constructors = constructors.iter().map(|constructor| constructor.name);
            std::iter::once(*name).chain(constructors).collect()
        }
        Declaration::External(_)
        | Declaration::Transparent(_)
        | Declaration::Include(..)
        | Declaration::Print(_)
        | Declaration::Timed(..)
        | Declaration::Assert(_) => Vec::new(),
    };
    let each = identifiers.into_iter();
    each.map(|name| (ast.name(name.symbol).to_string(), name.span))
        .collect()
}

/// The names in a pattern.
fn bound(ast: &Ast, pattern: PatternId) -> Vec<(String, Span)> {
    let inner = descendants(ast, Child::Pattern(pattern));
    let names = inner.into_iter().filter_map(|child| match child {
        Child::Pattern(id) => match ast.pattern(id) {
            Pattern::Name(path) => Some(path.last()),
            _ => None,
        },
        _ => None,
    });
    names
        .map(|name| (ast.name(name.symbol).to_string(), name.span))
        .collect()
}

/// A built-in name that one of `declarations` defines anew for the whole script.
fn redefined(ast: &Ast, declarations: &[DeclarationId]) -> Option<(String, Span)> {
    let is_built_in = |name: &str| {
        let mut all = Builtin::ALL.iter();
        all.any(|built_in| built_in.visibility() == Visibility::Always && built_in.name() == name)
    };
    let mut left: Vec<DeclarationId> = declarations.to_vec();
    while let Some(id) = left.pop() {
        if let Declaration::Timed(_, members) = ast.declaration(id) {
            left.extend(members);
        }
        let found = named(ast, id).into_iter();
        if let Some(found) = found.into_iter().find(|(name, _)| is_built_in(name)) {
            return Some(found);
        }
    }
    None
}

/// The words of a text, except those of comments that end with their line.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_sign = |sign: char| !(sign.is_ascii_alphanumeric() || sign == '_' || sign == '\'');
    let code = text.lines().filter_map(|line| line.split("--").next());
    code.flat_map(move |line| line.split(is_sign))
        .filter(|word| !word.is_empty())
}

/// The name with which a line begins.
fn first_word(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let starts = line.starts_with(|sign: char| sign.is_ascii_alphabetic());
    starts.then(|| words(line).next()).flatten()
}
