//! Syntax errors in plain words, with hints for the traps of the language.

use super::classes::{absorbs_after, bracket_text};
use super::habits::{foreign_word, habit, instead_of_token, misspelt_declaration};
use super::layout::Placed;
use super::tokens::Token;
use base::diag::Diagnostic;
use base::source::{FileId, Span};

/// The place where the grammar could not go on.
pub(crate) struct SyntaxStop<'a> {
    pub(crate) file: FileId,
    pub(crate) text: &'a str,
    /// The tokens of the declaration.
    pub(crate) tokens: &'a [Placed],
    /// The index of the token that does not fit; past the end if more was needed.
    pub(crate) index: usize,
    /// The grammar's names for the tokens that would fit.
    pub(crate) expected: &'a [String],
}

/// Tokens that a message names where the grammar would take them.
const NAMED: &[&str] = &[
    "string", "newline", ")", "}", ">", "|}", "|)", "]]", "|]", "]", "+]", "+\\", "then", "else",
    "within", "@", "=", "<->", "=>", "refines", "property",
];

/// Further tokens, which are named where nothing larger is wanted.
const NAMED_ALONE: &[&str] = &["<-", ",", ":", "{", "("];

/// The words of a message for the token that the grammar calls `name`.
fn words(name: &str) -> String {
    match name {
        "string" => "a string in double quotes".to_string(),
        "newline" => "a new line".to_string(),
        "refines" => "`[T=` or another refinement".to_string(),
        "property" => "a property such as `:[deadlock free]`".to_string(),
        symbol => format!("`{symbol}`"),
    }
}

/// The message about `stop`: it finds the kind of mistake first, then the words for it.
pub(crate) fn syntax_error(stop: &SyntaxStop<'_>) -> Diagnostic {
    let message = match stop.found() {
        Some(token) => format!(
            "expected {}, found {}",
            stop.wanted(),
            stop.described(stop.index, token)
        ),
        None => format!("expected {}, but the declaration ends here", stop.wanted()),
    };
    let diagnostic = Diagnostic::error("syntax", message).at(stop.span(), "");
    // If the line before has swallowed this one, the mistake is there, whatever would fit here.
    if let Some(unfinished) = unfinished_line(stop) {
        let place = stop.tokens[unfinished];
        let span = Span::new(stop.file, place.0 as usize, place.2 as usize);
        let text = format!(
            "after {} the next line continues this one",
            stop.described(unfinished, place.1)
        );
        return diagnostic.at(span, text).hint("finish the line before");
    }
    if let Some(instead) = misspelt_declaration(stop) {
        return diagnostic.did_you_mean(&format!("`{instead}`"), stop.span_of(0), instead);
    }
    let hint = foreign_word(stop)
        .or_else(|| trap(stop))
        .or_else(|| habit(stop))
        .or_else(|| side_by_side(stop));
    let diagnostic = match hint {
        Some(hint) => diagnostic.hint(hint),
        None => diagnostic,
    };
    match instead_of_token(stop) {
        Some(instead) => diagnostic.replace(stop.span(), instead),
        None => diagnostic,
    }
}

impl SyntaxStop<'_> {
    pub(super) fn token(&self, index: usize) -> Option<Token> {
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

    /// The text of the token at `index`; empty past the end.
    pub(super) fn text_at(&self, index: usize) -> &str {
        let token = self.tokens.get(index);
        let text = token.and_then(|token| self.text.get(token.0 as usize..token.2 as usize));
        text.unwrap_or("")
    }

    /// True if the token after `index` stands on another line, or there is none.
    pub(super) fn ends_line(&self, index: usize) -> bool {
        let (Some(token), Some(next)) = (self.tokens.get(index), self.tokens.get(index + 1)) else {
            return true;
        };
        self.text[token.2 as usize..next.0 as usize].contains('\n')
    }

    /// True if an operand can end with `token`.
    pub(super) fn ends_operand(token: Token) -> bool {
        operand_ends(Some(token))
    }

    pub(super) fn expects(&self, name: &str) -> bool {
        self.expected
            .iter()
            .any(|expected| expected.trim_matches('"') == name)
    }

    /// The span of the token that does not fit; at the end, that of the last token.
    fn span(&self) -> Span {
        match self.tokens.get(self.index).or(self.tokens.last()) {
            Some(token) => Span::new(
                self.file,
                token.0 as usize,
                // A line break has no width, and a place needs some.
                token.2.max(token.0 + 1) as usize,
            ),
            None => Span::new(self.file, 0, self.text.len()),
        }
    }

    /// The place of the token at `index`.
    fn span_of(&self, index: usize) -> Span {
        let place = self.tokens.get(index);
        let (start, end) = place.map_or((0, 0), |token| (token.0, token.2));
        Span::new(self.file, start as usize, end as usize)
    }

    /// The token at `index`, as a message names it.
    fn described(&self, index: usize, token: Token) -> String {
        let fixed = match token {
            Token::Newline => "the start of a new declaration",
            Token::Identifier(_) => "a name",
            Token::Int => "a number",
            Token::Char(_) => "a character",
            Token::String => "a string",
            Token::Less => "`<` (less than)",
            Token::Greater => "`>` (greater than)",
            Token::CloseSequence => "`>` (the end of a sequence)",
            Token::EmptySequence => "`<>`",
            Token::Property(_) | Token::HasTrace(_) | Token::Symmetric(_) => "a property",
            Token::TauPriority | Token::PartialOrder | Token::SymmetryReduce | Token::ForAll => {
                "an option of an assertion"
            }
            _ => return bracket_text(token, self.text_at(index)),
        };
        fixed.to_string()
    }

    /// The tokens that could stand here, in the words of a reader.
    fn wanted(&self) -> String {
        let operand = self.expects("integer") && self.expects("name");
        let operator = self.expects("+") && self.expects("[]") && !operand;
        if self.index == 0 && self.expects("datatype") {
            return "a declaration".to_string();
        }
        let mut wanted: Vec<String> = Vec::new();
        if operand {
            wanted.push("an expression".to_string());
        }
        if operator {
            wanted.push("an operator".to_string());
        }
        if self.expects("name") && !operand {
            wanted.push("a name".to_string());
        }
        let alone = match operand || operator {
            true => &[],
            false => NAMED_ALONE,
        };
        // A string is an expression, which has been named already.
        let fits = |name: &&&str| self.expects(name) && !(operand && **name == "string");
        let named = NAMED.iter().chain(alone).filter(fits);
        wanted.extend(named.map(|name| words(name)));
        match wanted.split_last() {
            None => "the end of the declaration".to_string(),
            Some((last, [])) => last.clone(),
            Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        }
    }

    /// The index of the last token before the stop for which `sought` is true.
    pub(super) fn looking_back(&self, sought: impl Fn(Token) -> bool) -> Option<usize> {
        let before = &self.tokens[..self.index.min(self.tokens.len())];
        before.iter().rposition(|token| sought(token.1))
    }
}

/// The message for a mistake that people often make in the place of `stop`.
fn trap(stop: &SyntaxStop<'_>) -> Option<String> {
    let operand_wanted = stop.expects("integer") && stop.expects("name");
    if stop.before() == Some(Token::Include) {
        return Some("write `include \"file.csp\"`, with the quotes".to_string());
    }
    if stop.expects("else") {
        return Some("every `if` needs an `else`: `if b then P else STOP`".to_string());
    }
    // The assertion ends after a process, and claims nothing about it.
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
            .looking_back(|t| t == Token::CloseSequence)
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
                && stop.looking_back(|t| matches!(t, Token::Assign | Token::If)).is_some() =>
        {
            Some("equality is written `==`; `=` only defines".to_string())
        }
        Some(Token::Newline) | None if operand_wanted && stop.before() == Some(Token::Assign) => {
            Some("the right-hand side is missing; a line that starts with a name begins a new declaration".to_string())
        }
        Some(Token::Bar) if stop.before() == Some(Token::OpenParen) => {
            Some("`(|` opens a map only with a space after it: `(| 0 => 1 |)`".to_string())
        }
        None if stop.expects("=") && stop.looking_back(|t| t == Token::Assign).is_none() => {
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

/// A message for a declaration with nothing behind its `=`, or for a foreign type notation.
fn unfinished_declaration(stop: &SyntaxStop<'_>) -> Option<String> {
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
        (Token::Identifier(_), _) if stop.looking_back(|token| token == Token::Equal).is_some() => {
            Some(format!(
                "a definition has a single `=`, as in `{} = STOP`; `==` compares",
                stop.text_at(0)
            ))
        }
        (Token::Identifier(_), Some(Token::Colon)) => Some(format!(
            "the type of a name is written with two colons: `{} :: {}`",
            stop.text_at(0),
            stop.text_at(2)
        )),
        _ => None,
    }
}

/// A message for a line that was meant to go on with the line before.
fn continuation(stop: &SyntaxStop<'_>) -> Option<String> {
    let start = stop.tokens.first()?.0 as usize;
    let has_text = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with("--");
    stop.text[..start].lines().any(has_text).then(|| {
        "this line is read as a new declaration: to continue the line before, start with another operator or end that line with one"
            .to_string()
    })
}

/// A message for two operands without anything between them.
fn side_by_side(stop: &SyntaxStop<'_>) -> Option<String> {
    let begins = matches!(
        stop.found(),
        Some(Token::OpenParen | Token::OpenBrace | Token::Identifier(_) | Token::Int)
    );
    (begins && operand_ends(stop.before())).then(|| {
        "two expressions stand side by side: an operator or a comma may be missing".to_string()
    })
}

/// The index of the token that made the line of a misplaced `=` part of the line before.
fn unfinished_line(stop: &SyntaxStop<'_>) -> Option<usize> {
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

fn operand_after(stop: &SyntaxStop<'_>) -> bool {
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

/// True if the token that does not fit follows the one before it without a space.
fn touches(stop: &SyntaxStop<'_>) -> bool {
    stop.index > 0 && stop.tokens[stop.index - 1].2 == stop.tokens[stop.index].0
}
