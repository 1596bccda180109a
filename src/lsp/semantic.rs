//! The classes of the words of a file, for their colours. The class of a name follows from its
//! meaning.

use gen_lsp_types::{Position, Range, SemanticToken, SemanticTokenTypes as Class, SemanticTokens};
use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use base::source::Span;
use syntax::lexemes::{Lexeme, LexemeKind, lexemes};
use types::builtin::Builtin;
use types::occurrences::{DefinedName, Meaning, Occurrence};
use types::scope::NameKind;

use super::analysis::builtin_type;
use super::names::is_introduced;
use super::scripts::ScriptFile;

/// The classes of words, in the order of their numbers. Processes are classes, channels are events,
/// datatypes are enumerations, and the properties of assertions are macros.
const CLASSES: [Class; 14] = [
    Class::Class,
    Class::Event,
    Class::Enum,
    Class::EnumMember,
    Class::Function,
    Class::Variable,
    Class::Parameter,
    Class::Namespace,
    Class::Keyword,
    Class::Number,
    Class::String,
    Class::Comment,
    Class::Operator,
    Class::Macro,
];

/// The modifiers, by their bits.
const DECLARATION: u32 = 1;
const READONLY: u32 = 2;
const BUILTIN: u32 = 4;

/// The classes and modifiers that the numbers of tokens stand for.
pub(crate) fn legend() -> Value {
    let modifiers = ["declaration", "readonly", "defaultLibrary"];
    json!({ "tokenTypes": CLASSES, "tokenModifiers": modifiers })
}

/// The tokens of the file that lie in `range`, or all of them.
pub(crate) fn semantic_tokens(asked: &ScriptFile<'_>, range: Option<Range>) -> SemanticTokens {
    let (lines, text) = asked.places.lines(asked.file);
    let wanted = range.map_or(0..text.len(), |range| {
        lines.byte(text, range.start)..lines.byte(text, range.end)
    });
    let mut known = FxHashMap::default();
    let mut data = Vec::new();
    let mut last = Position::default();
    for word in lexemes(text) {
        if word.range.end <= wanted.start || word.range.start >= wanted.end {
            continue;
        }
        let Some((class, modifiers)) = class(asked, &word, &mut known) else {
            continue;
        };
        let number = CLASSES.iter().position(|one| *one == class);
        // A token of the protocol ends with its line.
        for part in lines.cut(word.range) {
            let length = text[part.clone()].trim_end().len();
            if length == 0 {
                continue;
            }
            let place = lines.range(text, part.start..part.start + length);
            let is_same_line = place.start.line == last.line;
            let before = if is_same_line { last.character } else { 0 };
            data.push(SemanticToken {
                delta_line: place.start.line - last.line,
                delta_start: place.start.character - before,
                length: place.end.character - place.start.character,
                token_type: number.unwrap_or_default() as u32,
                token_modifiers_bitset: modifiers,
            });
            last = place.start;
        }
    }
    let result_id = None;
    SemanticTokens { result_id, data }
}

/// The classes of names, by the places where they are introduced. Writing types takes longer than
/// all else.
type KnownClasses = FxHashMap<Span, Class>;

/// The class of `word`, with its modifiers. Brackets have none, and neither has a name without a
/// meaning.
fn class(asked: &ScriptFile<'_>, word: &Lexeme, known: &mut KnownClasses) -> Option<(Class, u32)> {
    let class = match word.kind {
        LexemeKind::Name => {
            let found = asked
                .analysis
                .names
                .at(asked.file, word.range.start as u32)?;
            return (found.span.range() == word.range).then(|| of_name(asked, found, known));
        }
        LexemeKind::Keyword => Class::Keyword,
        LexemeKind::Number => Class::Number,
        LexemeKind::Text => Class::String,
        LexemeKind::Comment => Class::Comment,
        LexemeKind::Operator => Class::Operator,
        LexemeKind::Property => Class::Macro,
        LexemeKind::Bracket | LexemeKind::Unreadable => return None,
    };
    Some((class, 0))
}

fn of_name(asked: &ScriptFile<'_>, one: &Occurrence, known: &mut KnownClasses) -> (Class, u32) {
    let introduced = if is_introduced(one) { DECLARATION } else { 0 };
    match one.meaning {
        Meaning::Builtin(builtin) => (of_builtin(builtin), BUILTIN),
        // An `include` is no name.
        Meaning::File(_) => (Class::String, 0),
        Meaning::Defined(name) => {
            let class = known
                .entry(name.span)
                .or_insert_with(|| of_defined(asked, &name));
            let readonly = if *class == Class::Variable {
                READONLY
            } else {
                0
            };
            (class.clone(), introduced | readonly)
        }
    }
}

fn of_defined(asked: &ScriptFile<'_>, name: &DefinedName) -> Class {
    let is_process = || {
        let ty = asked.analysis.type_of(name);
        ty.is_some_and(|ty| gives_process(&ty))
    };
    match name.kind {
        NameKind::Variable => Class::Parameter,
        NameKind::Constant | NameKind::Function if is_process() => Class::Class,
        NameKind::Constant => Class::Variable,
        NameKind::Function => Class::Function,
        NameKind::Import(builtin) => of_builtin(builtin),
        NameKind::Channel => Class::Event,
        NameKind::Constructor => Class::EnumMember,
        NameKind::Type => Class::Enum,
        NameKind::Module | NameKind::Instance => Class::Namespace,
    }
}

fn of_builtin(builtin: Builtin) -> Class {
    match builtin.arity() {
        _ if gives_process(&builtin_type(builtin)) => Class::Class,
        0 => Class::Variable,
        _ => Class::Function,
    }
}

/// True if a value of the type `ty` is a process, or a function that gives one.
fn gives_process(ty: &str) -> bool {
    ty == "Proc" || ty.ends_with("-> Proc")
}
