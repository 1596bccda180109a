//! Text to tokens: comments, literals, reserved words.

use logos::{FilterResult, Lexer, Logos};

use super::ast::{Ast, ModelName, Symbol};
use super::notation::{REFINEMENTS, instead_of_character, written_as};
use super::property::{PropertyTag, read_property, unknown_model};
use base::diag::Diagnostic;
use base::source::{FileId, Span};

/// A token. Where one text has two meanings ([`Token::Less`], [`Token::Not`], ...), the lexer gives
/// the common one. The layout pass replaces it where it means the other.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(error = LexicalError, skip r"[ \t\r\x0b\x0c\u{feff}]+")]
#[allow(missing_docs)]
pub enum Token {
    /// A line break. The lexer keeps only `Lexed::after_newline` of it; in the output of the layout
    /// pass this token is the boundary between two declarations.
    #[token("\n")]
    Newline,
    #[token("--", line_comment)]
    #[token("{-", block_comment)]
    Comment,

    #[regex("[A-Za-z][A-Za-z0-9_]*'*")]
    Word,
    Identifier(Symbol),
    #[regex("[0-9]+", integer)]
    /// A number. Its value is read again from the text: with it, tokens would be twice as large.
    Int,
    #[token("'", character)]
    Char(char),
    #[token("\"", string)]
    String,
    #[token("_")]
    Wildcard,

    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("and")]
    And,
    #[token("or")]
    Or,
    #[token("not")]
    Not,
    /// `not` right after `assert`: negates the assertion.
    NotAssertion,
    #[token("if")]
    If,
    #[token("then")]
    Then,
    #[token("else")]
    Else,
    #[token("let")]
    Let,
    #[token("within")]
    Within,
    #[token("channel")]
    Channel,
    #[token("assert")]
    Assert,
    #[token("datatype")]
    Datatype,
    #[token("subtype")]
    Subtype,
    #[token("external")]
    External,
    #[token("transparent")]
    Transparent,
    #[token("nametype")]
    Nametype,
    #[token("module")]
    Module,
    #[token("exports")]
    Exports,
    #[token("endmodule")]
    EndModule,
    #[token("instance")]
    Instance,
    #[token("Timed")]
    Timed,
    #[token("print ")]
    Print,
    Include,

    #[token("(")]
    OpenParen,
    #[token(")")]
    CloseParen,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token("{|")]
    OpenProductions,
    #[token("|}")]
    CloseProductions,
    #[regex(r"\(\|[ \t\r\n]")]
    OpenMap,
    #[token("|)")]
    CloseMap,
    #[token("[[")]
    OpenRename,
    #[token("]]")]
    CloseRename,
    #[token("[|")]
    OpenShared,
    #[token("|]")]
    CloseShared,
    #[token("|>")]
    CloseException,
    #[token("[+")]
    OpenSync,
    #[token("+]")]
    CloseSync,
    #[token("/+")]
    OpenSyncInterrupt,
    #[token("+\\")]
    CloseSyncInterrupt,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,

    /// `<` as less-than.
    #[token("<")]
    Less,
    /// `<` that opens a sequence.
    OpenSequence,
    /// `>` as greater-than.
    #[token(">")]
    Greater,
    /// `>` that closes a sequence.
    CloseSequence,
    #[regex("<[ \t\r\n]*>")]
    EmptySequence,
    #[token("<=")]
    LessEqual,
    #[token(">=")]
    GreaterEqual,
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Times,
    #[token("/")]
    Divide,
    #[token("%")]
    Modulo,
    #[token("#")]
    Length,
    #[token("^")]
    Concat,

    #[token("[]")]
    ExternalChoice,
    #[token("|~|")]
    InternalChoice,
    #[token("|||")]
    Interleave,
    #[token("||")]
    Parallel,
    #[token("/\\")]
    Interrupt,
    #[token("[>")]
    SlidingChoice,
    #[token(";")]
    Semicolon,
    #[token("\\")]
    Backslash,
    #[token("|\\")]
    Project,
    #[token("->")]
    Arrow,
    #[token("&")]
    Guard,
    #[token("?")]
    Question,
    #[token("!")]
    Exclamation,
    #[token("$")]
    Dollar,
    #[token(".")]
    Dot,
    #[token("..")]
    DotDot,
    #[token(",")]
    Comma,
    #[token("|")]
    Bar,
    #[token("@")]
    At,
    #[token("@@")]
    Both,
    #[token("=")]
    Assign,
    #[token("<-")]
    From,
    #[token("<->")]
    Tie,
    #[token("=>")]
    Maps,
    #[token("=>*")]
    MapsStar,
    #[token(":")]
    Colon,
    /// `::` with white space beside it: a type annotation.
    #[token("::")]
    HasType,
    /// `::` between two names: module scope.
    Scope,

    #[token("[T=", |_| ModelName::T)]
    #[token("[F=", |_| ModelName::F)]
    #[token("[FD=", |_| ModelName::FD)]
    #[token("[V=", |_| ModelName::V)]
    #[token("[VD=", |_| ModelName::VD)]
    #[token("[R=", |_| ModelName::R)]
    #[token("[RD=", |_| ModelName::RD)]
    Refines(ModelName),
    #[token(":[")]
    OpenProperty,
    /// `:[deadlock free [F]]` and other properties. A colon after it is a token of its own.
    Property(PropertyTag),
    HasTrace(Option<ModelName>),
    Symmetric(Option<ModelName>),
    TauPriority,
    /// `:[partial order reduce [word]]`; the word is read from the text.
    PartialOrder,
    SymmetryReduce,
    ForAll,

    /// Something unreadable, already reported; also a refinement in a model that does not exist.
    #[regex(r"\[[A-Za-z]*=", no_such_model, priority = 1)]
    Broken,

    /// The mark of what the parser should read; always the first token it gets.
    StartDeclaration,
    StartExpression,
    StartAssertion,
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexed {
    /// The token.
    pub(crate) token: Token,
    /// First byte.
    pub(crate) start: u32,
    /// One past the last byte.
    pub(crate) end: u32,
    /// True if a line break stands between the previous token and this one.
    pub(crate) after_newline: bool,
}

/// The reason why no token could be read.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum LexicalError {
    /// No token begins with this character.
    #[default]
    UnknownCharacter,
    /// A comment has no end.
    UnclosedComment,
    /// A string has no end.
    UnclosedString,
    /// The text between single quotes is no character.
    BadCharacter,
    /// A number has more than 64 bits.
    IntegerTooLarge,
    /// No model has the name between `[` and `=`.
    UnknownModel,
}

/// All tokens of `text`, with [`Token::Broken`] where none could be read.
pub(crate) fn tokens(ast: &mut Ast, file: FileId, text: &str) -> (Vec<Lexed>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    // One message instead of many: nothing in such a file is CSPm.
    if text.trim_start_matches('\u{feff}').starts_with("{\\rtf") {
        return (Vec::new(), vec![rich_text(file)]);
    }
    let mut out = Vec::with_capacity(text.len() / 3);
    let mut lexer = Token::lexer(text);
    let mut after_newline = false;
    while let Some(result) = lexer.next() {
        let range = lexer.span();
        let token = match result {
            Ok(Token::Newline) => {
                after_newline = true;
                continue;
            }
            Ok(token) => token,
            Err(error) => {
                diagnostics.push(lexical_diagnostic(error, file, text, range.clone()));
                Token::Broken
            }
        };
        let mut push = |token, range: std::ops::Range<usize>| {
            let (start, end) = (range.start as u32, range.end as u32);
            out.push(Lexed {
                token,
                start,
                end,
                after_newline: std::mem::take(&mut after_newline),
            });
        };
        match token {
            Token::Word if is_include(text, &range) => push(Token::Include, range),
            Token::Word => push(Token::Identifier(symbol(ast, &text[range.clone()])), range),
            Token::HasType if is_scope(text, &range) => push(Token::Scope, range),
            Token::OpenProperty => {
                let read = read_property(text, range.start, file);
                // The lexer itself has read no more than `:[`.
                lexer.bump(read.end - range.end);
                let token = read.token.unwrap_or_else(|diagnostic| {
                    diagnostics.push(diagnostic);
                    Token::Broken
                });
                push(token, range.start..read.end);
            }
            token => push(token, range),
        }
    }
    (out, diagnostics)
}

fn symbol(ast: &mut Ast, text: &str) -> Symbol {
    // Looked up first: only a new name needs a text of its own.
    match ast.symbols.find(text) {
        Some(symbol) => symbol,
        None => ast.symbols.intern(text.to_string()),
    }
}

/// True if the `include` at `range` has white space behind it. Only then is it special.
fn is_include(text: &str, range: &std::ops::Range<usize>) -> bool {
    &text[range.clone()] == "include" && text[range.end..].starts_with([' ', '\t', '\r', '\n'])
}

/// True if the `::` at `range` has no space on either side. It is then module scope.
fn is_scope(text: &str, range: &std::ops::Range<usize>) -> bool {
    !text[..range.start].ends_with(char::is_whitespace)
        && !text[range.end..].starts_with(char::is_whitespace)
}

fn line_comment(lexer: &mut Lexer<Token>) -> logos::Skip {
    let rest = lexer.remainder();
    // The line break stays, because it may end a declaration.
    lexer.bump(rest.find('\n').unwrap_or(rest.len()));
    logos::Skip
}

/// Skips a block comment. Comments nest. Characters are taken in pairs after `-` and `{`, so `--}`
/// closes nothing and `{{-` opens nothing: scripts written for other tools rely on it.
fn block_comment(lexer: &mut Lexer<Token>) -> FilterResult<(), LexicalError> {
    let bytes = lexer.remainder().as_bytes();
    let Some(end) = comment_end(bytes) else {
        lexer.bump(bytes.len());
        return FilterResult::Error(LexicalError::UnclosedComment);
    };
    lexer.bump(end);
    // Line breaks in the comment are skipped with it, and end no declaration.
    FilterResult::Skip
}

/// The byte behind the end of a comment whose `{-` stands before `bytes`; `None` if it never ends.
pub(super) fn comment_end(bytes: &[u8]) -> Option<usize> {
    let (mut depth, mut at) = (1usize, 0);
    while depth > 0 {
        match (bytes.get(at), bytes.get(at + 1)) {
            (None, _) => return None,
            (Some(b'-'), Some(b'}')) => depth -= 1,
            (Some(b'{'), Some(b'-')) => depth += 1,
            (Some(b'-' | b'{'), Some(_)) => {}
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
    }
    Some(at)
}

fn no_such_model(_: &mut Lexer<Token>) -> Result<(), LexicalError> {
    Err(LexicalError::UnknownModel)
}

fn integer(lexer: &mut Lexer<Token>) -> Result<(), LexicalError> {
    let value: Result<i64, _> = lexer.slice().parse();
    value.map(drop).map_err(|_| LexicalError::IntegerTooLarge)
}

fn string(lexer: &mut Lexer<Token>) -> Result<(), LexicalError> {
    let rest = lexer.remainder();
    let mut escaped = false;
    for (at, c) in rest.char_indices() {
        match c {
            // Line breaks come before escapes: a backslash at the end of a line does not continue
            // the string.
            '\n' => {
                lexer.bump(at);
                return Err(LexicalError::UnclosedString);
            }
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => {
                lexer.bump(at + 1);
                return Ok(());
            }
            _ => {}
        }
    }
    lexer.bump(rest.len());
    Err(LexicalError::UnclosedString)
}

fn character(lexer: &mut Lexer<Token>) -> Result<char, LexicalError> {
    let rest = lexer.remainder();
    let mut chars = rest.chars();
    let value = match chars.next() {
        Some('\\') => match chars.next() {
            Some('n') => Some('\n'),
            Some('r') => Some('\r'),
            Some('t') => Some('\t'),
            other => other.filter(|&c| c != '\n'),
        },
        other => other.filter(|&c| c != '\n' && c != '\''),
    };
    if let (Some(value), Some('\'')) = (value, chars.next()) {
        lexer.bump(rest.len() - chars.as_str().len());
        return Ok(value);
    }
    // Skip to a closing quote on this line, lest the rest of the literal makes more errors.
    let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
    lexer.bump(line.find('\'').map_or(0, |at| at + 1));
    Err(LexicalError::BadCharacter)
}

/// The value of a string literal; `literal` includes the quotes. Any escape but `\n`, `\r` and `\t`
/// stands for a double quote, as in FDR.
pub(crate) fn string_value(literal: &str) -> String {
    let inner = literal
        .get(1..literal.len().saturating_sub(1))
        .unwrap_or("");
    let mut value = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        value.push(match c {
            '\\' => match chars.next() {
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                _ => '"',
            },
            other => other,
        });
    }
    value
}

fn rich_text(file: FileId) -> Diagnostic {
    Diagnostic::error(
        "rich-text-file",
        "this file is in Rich Text Format, not plain text",
    )
    .at(Span::new(file, 0, 5), "the mark of a Rich Text file")
    .hint("open it in a word processor and save it as plain text")
}

fn lexical_diagnostic(
    error: LexicalError,
    file: FileId,
    text: &str,
    range: std::ops::Range<usize>,
) -> Diagnostic {
    let whole = Span::new(file, range.start, range.end);
    let opening = |length: usize| Span::new(file, range.start, range.start + length);
    match error {
        LexicalError::UnknownCharacter => {
            let character = text[range.clone()].chars().next().unwrap_or(' ');
            let message = format!("{character:?} has no meaning here");
            let diagnostic = Diagnostic::error("unknown-character", message).at(whole, "");
            let diagnostic = match instead_of_character(character) {
                Some(hint) => diagnostic.hint(hint),
                None => diagnostic,
            };
            match written_as(character) {
                Some(text) => diagnostic.replace(whole, text),
                None => diagnostic,
            }
        }
        LexicalError::UnclosedComment => {
            Diagnostic::error("unclosed-comment", "this comment is never closed")
                .at(opening(2), "the comment starts here")
                .hint("comments nest: each `{-` needs a `-}`; a set that starts with a negative number is written `{ -1}`")
        }
        LexicalError::UnclosedString => Diagnostic::error("unclosed-string", "this string is not closed on its line")
            .at(opening(1), "the string starts here")
            .hint("a backslash takes the next character with it, a closing quote too"),
        LexicalError::BadCharacter => {
            Diagnostic::error("bad-character", "a character literal holds exactly one character")
                .at(whole, "")
                .hint("write several characters as a string, in double quotes")
        }
        LexicalError::IntegerTooLarge => {
            Diagnostic::error("integer-too-large", "this number does not fit into 64 bits")
                .at(whole, "")
                .note(format!("the largest number is {}", i64::MAX))
        }
        LexicalError::UnknownModel => {
            match text[range].trim_matches(['[', '=']) {
                "" => Diagnostic::error("unknown-model", "a refinement says in which semantic model")
                    .at(whole, "")
                    .hint(REFINEMENTS),
                name => unknown_model(name, whole),
            }
        }
    }
}
