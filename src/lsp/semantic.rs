//! What each word of a file is, for its colour: names by what they mean.

use gen_lsp_types::{Position, Range, SemanticToken, SemanticTokens, SemanticTokensLegend};
use rustc_hash::FxHashMap;

use base::source::{FileId, Span};
use syntax::lexemes::{Lexeme, LexemeKind, lexemes};
use types::builtin::Builtin;
use types::occurrences::{DefinedName, Meaning, Occurrence};
use types::scope::NameKind;

use super::analysis::{Analysis, builtin_type};
use super::positions::{Encoding, Lines};
use super::references::is_introduced;

/// The names of the protocol, in the order of [`WordClass`].
const CLASSES: [&str; 14] = [
    "class",
    "event",
    "enum",
    "enumMember",
    "function",
    "variable",
    "parameter",
    "namespace",
    "keyword",
    "number",
    "string",
    "comment",
    "operator",
    "macro",
];

const MODIFIERS: [&str; 3] = ["declaration", "readonly", "defaultLibrary"];

const DECLARATION: u32 = 1;
const READONLY: u32 = 2;
const BUILTIN: u32 = 4;

/// What a word is, with its number in the protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum WordClass {
    Process,
    Channel,
    Type,
    Constructor,
    Function,
    Constant,
    Variable,
    Module,
    Keyword,
    Number,
    Text,
    Comment,
    Operator,
    Property,
}

/// What the numbers of tokens stand for.
pub(super) fn legend() -> SemanticTokensLegend {
    let texts = |names: &[&str]| names.iter().map(ToString::to_string).collect();
    SemanticTokensLegend::new(texts(&CLASSES), texts(&MODIFIERS))
}

/// The words of `file` that lie in `range`, or all of them.
pub(super) fn semantic_tokens(
    analysis: &Analysis,
    file: FileId,
    encoding: Encoding,
    range: Option<Range>,
) -> SemanticTokens {
    let text = &analysis.sources.file(file).text;
    let lines = Lines::of(text);
    let wanted = match range {
        Some(range) => {
            lines.byte(text, range.start, encoding)..lines.byte(text, range.end, encoding)
        }
        None => 0..text.len(),
    };
    let mut classes = Classes {
        analysis,
        file,
        known: FxHashMap::default(),
    };
    let mut data = Vec::new();
    let mut last = Position::default();
    for word in lexemes(text) {
        if word.range.end <= wanted.start || word.range.start >= wanted.end {
            continue;
        }
        let Some((class, modifiers)) = classes.of(&word) else {
            continue;
        };
        // A token of the protocol ends with its line.
        for part in lines.cut(word.range.clone()) {
            let length = text[part.clone()].trim_end().len();
            if length == 0 {
                continue;
            }
            let place = lines.range(text, part.start..part.start + length, encoding);
            let is_same_line = place.start.line == last.line;
            let before = if is_same_line { last.character } else { 0 };
            data.push(SemanticToken {
                delta_line: place.start.line - last.line,
                delta_start: place.start.character - before,
                length: place.end.character - place.start.character,
                token_type: class as u32,
                token_modifiers_bitset: modifiers,
            });
            last = place.start;
        }
    }
    SemanticTokens {
        result_id: None,
        data,
    }
}

struct Classes<'a> {
    analysis: &'a Analysis,
    file: FileId,
    /// By the place where a name is introduced. Writing types takes longer than all else.
    known: FxHashMap<Span, WordClass>,
}

impl Classes<'_> {
    /// What `word` is, with its modifiers. Brackets are nothing, and neither is a name without a
    /// meaning.
    fn of(&mut self, word: &Lexeme) -> Option<(WordClass, u32)> {
        let class = match word.kind {
            LexemeKind::Name => {
                let start = word.range.start as u32;
                let found = self.analysis.names.at(self.file, start)?;
                return (found.span.range() == word.range).then(|| self.of_name(found));
            }
            LexemeKind::Keyword => WordClass::Keyword,
            LexemeKind::Number => WordClass::Number,
            LexemeKind::Text => WordClass::Text,
            LexemeKind::Comment => WordClass::Comment,
            LexemeKind::Operator => WordClass::Operator,
            LexemeKind::Property => WordClass::Property,
            LexemeKind::Bracket | LexemeKind::Unreadable => return None,
        };
        Some((class, 0))
    }

    fn of_name(&mut self, occurrence: &Occurrence) -> (WordClass, u32) {
        let introduced = match is_introduced(occurrence) {
            true => DECLARATION,
            false => 0,
        };
        match occurrence.meaning {
            Meaning::Builtin(builtin) => (of_builtin(builtin), BUILTIN),
            // An `include` is no name.
            Meaning::File(_) => (WordClass::Text, 0),
            Meaning::Defined(name) => {
                let class = match self.known.get(&name.span) {
                    Some(&class) => class,
                    None => self.of_defined(&name),
                };
                self.known.insert(name.span, class);
                let readonly = match class {
                    WordClass::Constant => READONLY,
                    _ => 0,
                };
                (class, introduced | readonly)
            }
        }
    }

    fn of_defined(&self, name: &DefinedName) -> WordClass {
        let is_process = || {
            let ty = self.analysis.type_of(name);
            ty.is_some_and(|ty| gives_process(&ty))
        };
        match name.kind {
            NameKind::Variable => WordClass::Variable,
            NameKind::Constant | NameKind::Function if is_process() => WordClass::Process,
            NameKind::Constant => WordClass::Constant,
            NameKind::Function => WordClass::Function,
            NameKind::Import(builtin) => of_builtin(builtin),
            NameKind::Channel => WordClass::Channel,
            NameKind::Constructor => WordClass::Constructor,
            NameKind::Type => WordClass::Type,
            NameKind::Module | NameKind::Instance => WordClass::Module,
        }
    }
}

fn of_builtin(builtin: Builtin) -> WordClass {
    match builtin.arity() {
        _ if gives_process(&builtin_type(builtin)) => WordClass::Process,
        0 => WordClass::Constant,
        _ => WordClass::Function,
    }
}

/// Whether something with the type `ty` is a process, or a function that gives one.
fn gives_process(ty: &str) -> bool {
    ty == "Proc" || ty.ends_with("-> Proc")
}
