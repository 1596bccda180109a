//! Syntax errors in plain words, with hints for the traps of the language.

use super::classes::{absorbs_after, describe};
use super::habits::{foreign_word, habit};
use super::layout::Placed;
use super::tokens::Token;
use crate::diag::Diagnostic;
use crate::source::{FileId, Span};

/// Where the grammar could not go on.
pub(crate) struct Stop<'a> {
    pub(crate) file: FileId,
    pub(crate) text: &'a str,
    /// The tokens of the declaration.
    pub(crate) tokens: &'a [Placed],
    /// The one that does not fit; past the end if more was needed.
    pub(crate) index: usize,
    /// The names of the grammar for what would fit.
    pub(crate) expected: &'a [String],
}

/// Tokens that a message names, and how.
const WORDS: &[(&str, &str)] = &[
    ("string", "a string in double quotes"),
    ("newline", "a new line"),
    (")", "`)`"),
    ("}", "`}`"),
    (">", "`>`"),
    ("|}", "`|}`"),
    ("|)", "`|)`"),
    ("]]", "`]]`"),
    ("|]", "`|]`"),
    ("]", "`]`"),
    ("+]", "`+]`"),
    ("+\\", "`+\\`"),
    ("then", "`then`"),
    ("else", "`else`"),
    ("within", "`within`"),
    ("@", "`@`"),
    ("=", "`=`"),
    ("<->", "`<->`"),
    ("=>", "`=>`"),
    ("refines", "`[T=` or another refinement"),
    ("property", "a property such as `:[deadlock free]`"),
];

/// Further ones, where nothing larger is wanted.
const PLAIN: &[(&str, &str)] = &[
    ("<-", "`<-`"),
    (",", "`,`"),
    (":", "`:`"),
    ("{", "`{`"),
    ("(", "`(`"),
];

/// What went wrong at `stop`: the kind of mistake first, then its words.
pub(crate) fn syntax_error(stop: &Stop<'_>) -> Diagnostic {
    let message = match stop.found() {
        Some(token) => format!(
            "expected {}, found {}",
            stop.wanted(),
            describe_token(token)
        ),
        None => format!("expected {}, but the declaration ends here", stop.wanted()),
    };
    let diagnostic = Diagnostic::error("syntax", message).at(stop.span(), "");
    if let Some(unfinished) = unfinished_line(stop) {
        let place = stop.tokens[unfinished];
        let span = Span::new(stop.file, place.0 as usize, place.2 as usize);
        let text = format!(
            "after {} the next line continues this one",
            describe_token(place.1)
        );
        return diagnostic.at(span, text).hint("finish the line before");
    }
    let hint = foreign_word(stop)
        .or_else(|| trap(stop))
        .or_else(|| habit(stop))
        .or_else(|| side_by_side(stop));
    match hint {
        Some(hint) => diagnostic.hint(hint),
        None => diagnostic,
    }
}

impl Stop<'_> {
    fn token(&self, index: usize) -> Option<Token> {
        self.tokens.get(index).map(|token| token.1)
    }

    pub(super) fn found(&self) -> Option<Token> {
        self.token(self.index)
    }

    pub(super) fn before(&self) -> Option<Token> {
        self.index
            .checked_sub(1)
            .and_then(|before| self.token(before))
    }

    /// The token that the declaration begins with.
    pub(super) fn first(&self) -> Option<Token> {
        self.token(0)
    }

    /// What stands at a token; nothing past the end.
    pub(super) fn text_at(&self, index: usize) -> &str {
        let token = self.tokens.get(index);
        let text = token.and_then(|token| self.text.get(token.0 as usize..token.2 as usize));
        text.unwrap_or("")
    }

    /// Whether an operand can end with `token`.
    pub(super) fn ends_operand(token: Token) -> bool {
        operand_ends(Some(token))
    }

    pub(super) fn expects(&self, name: &str) -> bool {
        self.expected
            .iter()
            .any(|expected| expected.trim_matches('"') == name)
    }

    /// The token itself; at the end the last token.
    fn span(&self) -> Span {
        match self.tokens.get(self.index).or(self.tokens.last()) {
            Some(token) => Span::new(
                self.file,
                token.0 as usize,
                token.2.max(token.0 + 1) as usize,
            ),
            None => Span::new(self.file, 0, self.text.len()),
        }
    }

    /// What could stand here, as a reader would say it.
    fn wanted(&self) -> String {
        let operand = self.expects("integer") && self.expects("name");
        let operator = self.expects("+") && self.expects("[]") && !operand;
        if self.index == 0 && self.expects("datatype") {
            return "a declaration".to_string();
        }
        let mut wanted: Vec<&str> = Vec::new();
        if operand {
            wanted.push("an expression");
        }
        if operator {
            wanted.push("an operator");
        }
        if self.expects("name") && !operand {
            wanted.push("a name");
        }
        let single = WORDS
            .iter()
            .filter(|(name, _)| self.expects(name) && !(operand && *name == "string"));
        wanted.extend(single.map(|(_, words)| *words));
        if !operand && !operator {
            wanted.extend(
                PLAIN
                    .iter()
                    .filter(|(name, _)| self.expects(name))
                    .map(|(_, words)| *words),
            );
        }
        match wanted.split_last() {
            None => "the end of the declaration".to_string(),
            Some((last, [])) => (*last).to_string(),
            Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        }
    }

    /// The last token before the stop that is `sought`, not crossing `barrier`.
    fn looking_back(
        &self,
        sought: impl Fn(Token) -> bool,
        barrier: impl Fn(Token) -> bool,
    ) -> Option<usize> {
        let before = &self.tokens[..self.index.min(self.tokens.len())];
        let at = before
            .iter()
            .rposition(|token| sought(token.1) || barrier(token.1))?;
        sought(self.tokens[at].1).then_some(at)
    }
}

/// The mistake people make most often at such a place.
fn trap(stop: &Stop<'_>) -> Option<String> {
    let operand_wanted = stop.expects("integer") && stop.expects("name");
    if stop.before() == Some(Token::Include) {
        return Some("write `include \"file.csp\"`, with the quotes".to_string());
    }
    if stop.expects("else") {
        return Some("every `if` needs an `else`: `if b then P else STOP`".to_string());
    }
    if stop.found().is_none() && !operand_wanted && stop.expects("refines") {
        return Some(
            "write `assert SPEC [T= SYSTEM` or `assert SYSTEM :[deadlock free]`".to_string(),
        );
    }
    // `<x | x > 2>`: the first `>` has closed the sequence, and another one is left.
    let closed_early = |at| stop.index > 0 && at + 1 == stop.index;
    let is_closing = |token: &Placed| matches!(token.1, Token::Greater | Token::CloseSequence);
    if operand_after(stop)
        && stop.tokens[stop.index..].iter().any(is_closing)
        && stop
            .looking_back(|t| t == Token::CloseSequence, |_| false)
            .is_some_and(closed_early)
    {
        return Some(
            "`>` inside `<...>` closes the sequence: put the comparison in parentheses, `(x > 2)`"
                .to_string(),
        );
    }
    match stop.found() {
        Some(Token::Assign)
            if operand_ends(stop.before())
                && stop.looking_back(|t| matches!(t, Token::Assign | Token::If), |_| false).is_some() =>
        {
            Some("equality is written `==`; `=` only defines".to_string())
        }
        Some(Token::Newline) | None if operand_wanted && stop.before() == Some(Token::Assign) => {
            Some("the right-hand side is missing; a line that starts with a name begins a new declaration".to_string())
        }
        Some(Token::Bar) if stop.before() == Some(Token::OpenParen) => {
            Some("`(|` opens a map only with a space after it: `(| 0 => 1 |)`".to_string())
        }
        None if stop.expects("=") && stop.looking_back(|t| t == Token::Assign, |_| false).is_none() => {
            unfinished_declaration(stop).or_else(|| continuation(stop))
        }
        Some(Token::Wildcard) | Some(Token::Identifier(_)) if operand_ends(stop.before()) && touches(stop) => {
            Some("a name is letters, digits and `_`, and starts with a letter; primes come last".to_string())
        }
        Some(Token::CloseParen) if stop.before() == Some(Token::OpenParen) => {
            Some("`()` stands only after the name of a function or in a type".to_string())
        }
        _ => None,
    }
}

/// A declaration without what stands behind its `=`, or a type that is given as other languages do.
fn unfinished_declaration(stop: &Stop<'_>) -> Option<String> {
    let name = stop.text_at(1);
    match (stop.first()?, stop.token(1)) {
        (Token::Datatype, _) => Some(format!(
            "a datatype lists its constructors: `datatype {name} = A | B`"
        )),
        (Token::Subtype, _) => Some(format!(
            "a subtype lists constructors of a datatype: `subtype {name} = A | B`"
        )),
        (Token::Nametype, _) => Some(format!(
            "a name for a set of values says which: `nametype {name} = {{0..3}}`"
        )),
        (Token::Identifier(_), Some(Token::Colon)) => Some(format!(
            "the type of a name is written with two colons: `{} :: {}`",
            stop.text_at(0),
            stop.text_at(2)
        )),
        _ => None,
    }
}

/// A line that was meant to go on with the one before, if there is one.
fn continuation(stop: &Stop<'_>) -> Option<String> {
    let start = stop.tokens.first()?.0 as usize;
    let has_text = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with("--");
    stop.text[..start].lines().any(has_text).then(|| {
        "this line is read as a new declaration: to continue the line before, start with another operator or end that line with one"
            .to_string()
    })
}

/// Two operands without anything between them.
fn side_by_side(stop: &Stop<'_>) -> Option<String> {
    let begins = matches!(
        stop.found(),
        Some(Token::OpenParen | Token::OpenBrace | Token::Identifier(_) | Token::Int)
    );
    (begins && operand_ends(stop.before())).then(|| {
        "two expressions stand side by side: an operator or a comma may be missing".to_string()
    })
}

/// The token that made the line of a misplaced `=` part of the line before.
fn unfinished_line(stop: &Stop<'_>) -> Option<usize> {
    if stop.found() != Some(Token::Assign) {
        return None;
    }
    let at = stop.tokens[stop.index].0 as usize;
    let line = stop.text[..at].rfind('\n')? as u32;
    let first = stop.tokens[..stop.index]
        .iter()
        .position(|token| token.0 > line)?;
    let last = first.checked_sub(1)?;
    absorbs_after(stop.tokens[last].1)
        .then_some(last)
        .filter(|&last| stop.tokens[last].1 != Token::Newline)
}

fn operand_after(stop: &Stop<'_>) -> bool {
    matches!(
        stop.found(),
        Some(
            Token::Identifier(_)
                | Token::Int
                | Token::OpenParen
                | Token::OpenBrace
                | Token::True
                | Token::False
                | Token::Char(_)
                | Token::String
        )
    )
}

fn operand_ends(token: Option<Token>) -> bool {
    matches!(
        token,
        Some(
            Token::Identifier(_)
                | Token::Int
                | Token::Wildcard
                | Token::CloseParen
                | Token::CloseBrace
                | Token::CloseProductions
                | Token::EmptySequence
                | Token::CloseSequence
        )
    )
}

/// Whether the token that does not fit follows the one before it without a space.
fn touches(stop: &Stop<'_>) -> bool {
    stop.index > 0 && stop.tokens[stop.index - 1].2 == stop.tokens[stop.index].0
}

fn describe_token(token: Token) -> String {
    let bracket = describe(token);
    if bracket != "this" {
        return bracket.to_string();
    }
    let fixed = match token {
        Token::Newline => "the start of a new declaration",
        Token::Identifier(_) => "a name",
        Token::Int => "a number",
        Token::Char(_) => "a character",
        Token::String => "a string",
        Token::Wildcard => "`_`",
        Token::True => "`true`",
        Token::False => "`false`",
        Token::And => "`and`",
        Token::Or => "`or`",
        Token::Not | Token::NotAssertion => "`not`",
        Token::If => "`if`",
        Token::Then => "`then`",
        Token::Else => "`else`",
        Token::Less => "`<` (less than)",
        Token::Greater => "`>` (greater than)",
        Token::CloseSequence => "`>` (the end of a sequence)",
        Token::EmptySequence => "`<>`",
        Token::Assign => "`=`",
        Token::Property(_) | Token::HasTrace(_) | Token::Symmetric => "a property",
        Token::TauPriority | Token::PartialOrder | Token::SymmetryReduce => {
            "an option of an assertion"
        }
        Token::Refines(model) => return format!("`[{model:?}=`"),
        other => return format!("`{}`", symbol(other)),
    };
    fixed.to_string()
}

/// The text of a token that is always written the same.
fn symbol(token: Token) -> &'static str {
    match token {
        Token::Channel => "channel",
        Token::Assert => "assert",
        Token::Datatype => "datatype",
        Token::Subtype => "subtype",
        Token::External => "external",
        Token::Transparent => "transparent",
        Token::Nametype => "nametype",
        Token::Module => "module",
        Token::Exports => "exports",
        Token::EndModule => "endmodule",
        Token::Instance => "instance",
        Token::Timed => "Timed",
        Token::Print => "print",
        Token::Include => "include",
        Token::LessEqual => "<=",
        Token::GreaterEqual => ">=",
        Token::Equal => "==",
        Token::NotEqual => "!=",
        Token::Plus => "+",
        Token::Minus => "-",
        Token::Times => "*",
        Token::Divide => "/",
        Token::Modulo => "%",
        Token::Length => "#",
        Token::Concat => "^",
        Token::ExternalChoice => "[]",
        Token::InternalChoice => "|~|",
        Token::Interleave => "|||",
        Token::Parallel => "||",
        Token::Interrupt => "/\\",
        Token::SlidingChoice => "[>",
        Token::Semicolon => ";",
        Token::Backslash => "\\",
        Token::Project => "|\\",
        Token::Arrow => "->",
        Token::Guard => "&",
        Token::Question => "?",
        Token::Exclamation => "!",
        Token::Dollar => "$",
        Token::Dot => ".",
        Token::DotDot => "..",
        Token::Comma => ",",
        Token::Bar => "|",
        Token::At => "@",
        Token::Both => "@@",
        Token::From => "<-",
        Token::Tie => "<->",
        Token::Maps => "=>",
        Token::MapsStar => "=>*",
        Token::Colon => ":",
        Token::HasType | Token::Scope => "::",
        _ => "this",
    }
}
