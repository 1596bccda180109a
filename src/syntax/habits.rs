//! Hints for notations of other languages, at the place where the grammar could not go on.

use super::messages::SyntaxStop;
use super::notation::{instead_of_prefixed, instead_of_word};
use super::tokens::Token;
use base::suggest::nearest;

/// Words that begin a declaration.
pub const DECLARATIONS: &[&str] = &[
    "assert",
    "channel",
    "datatype",
    "external",
    "include",
    "instance",
    "module",
    "nametype",
    "print",
    "subtype",
    "transparent",
];

/// A hint at the notation of CSPm, if `stop` looks like a habit from elsewhere.
pub(super) fn habit(stop: &SyntaxStop<'_>) -> Option<String> {
    let hint = comment(stop)
        .or_else(|| bracketed(stop))
        .or_else(|| hidden_names(stop))
        .or_else(|| sign(stop));
    hint.map(str::to_string).or_else(|| name_behind(stop))
}

/// A hint for a sign that means something else in CSPm.
fn sign(stop: &SyntaxStop<'_>) -> Option<&'static str> {
    Some(match (stop.before()?, stop.found()?) {
        (Token::Guard, Token::Guard) => {
            "conditions are joined by `and`; a single `&` stands between a condition and a process"
        }
        (before, Token::Parallel) if SyntaxStop::ends_operand(before) => {
            "conditions are joined by `or`; processes in parallel are `P [| A |] Q`, `P [A || B] Q` or `P ||| Q`"
        }
        (before, Token::Bar) if SyntaxStop::ends_operand(before) => {
            "a choice between processes is `P [] Q`, or `P |~| Q` if the process itself chooses"
        }
        (Token::Minus, Token::Greater | Token::CloseSequence) => {
            "`->` is one sign, without a space in it"
        }
        (_, Token::CloseRename) if stop.expects("<-") => "a renaming is written `P[[old <- new]]`",
        (_, Token::Arrow) if stop.expects("=>") => {
            "the arguments of a function stand in brackets: `(Int) -> Int`"
        }
        (_, Token::Comma) if stop.expects("|]") => "the events form a set: `P [| {a, b} |] Q`",
        (_, Token::Comma) if is_field(stop) => "each field has a sign of its own: `c?x?y`",
        (_, Token::Comma) if stop.first() == Some(Token::Datatype) => {
            "constructors are separated by `|`: `datatype Colour = Red | Green`"
        }
        (_, Token::Comma | Token::Colon) if stop.first() == Some(Token::Channel) => {
            "one line gives all its channels the same fields: write a `channel` line for each kind"
        }
        (_, Token::DotDot) => "a set of numbers stands in braces: `{0..3}`",
        (_, Token::Exclamation) if stop.expects("integer") => "negation is written `not b`",
        (_, Token::Semicolon) if !stop.expects("integer") => {
            "no sign ends a line; `P ; Q` is P and, once it has terminated, Q"
        }
        _ => return None,
    })
}

/// A hint for a comment of another language.
fn comment(stop: &SyntaxStop<'_>) -> Option<&'static str> {
    let begins = |at| {
        let next = stop.token(at + 1);
        match stop.token(at) {
            Some(Token::Divide) => matches!(next, Some(Token::Divide | Token::Times)),
            Some(Token::Length) => {
                at == 0 || at == stop.index && stop.before().is_some_and(SyntaxStop::ends_operand)
            }
            _ => false,
        }
    };
    let places = [Some(stop.index), stop.index.checked_sub(1), Some(0)];
    let is_comment = places.into_iter().flatten().any(begins);
    is_comment.then_some("a comment begins with `--` and goes to the end of the line")
}

/// A hint for single brackets as other languages use them. CSPm has them in `P [a <-> b] Q` and `P
/// [A || B] Q` alone.
fn bracketed(stop: &SyntaxStop<'_>) -> Option<&'static str> {
    if !stop.expects("<->") {
        return None;
    }
    let open = stop.looking_back(|token| token == Token::OpenBracket)?;
    let inside: Vec<Token> = (open + 1..stop.index)
        .filter_map(|at| stop.token(at))
        .collect();
    let before = open.checked_sub(1).and_then(|at| stop.token(at));
    let stands_behind = before.is_some_and(SyntaxStop::ends_operand);
    // A line that ends with `]` is continued by the next one, which was meant to be another.
    let next_begins = !stop.ends_line(stop.index)
        && matches!(
            stop.token(stop.index + 1),
            Some(Token::Identifier(_) | Token::OpenParen)
        );
    Some(match stop.found()? {
        Token::DotDot => "a set of numbers is written `{0..3}`, a sequence of them `<0..3>`",
        Token::CloseBracket if inside.contains(&Token::Divide) => {
            "a renaming is written `P[[old <- new]]`"
        }
        Token::CloseBracket if stands_behind && !next_begins => {
            "a sequence has no numbered places: `head(s)` is its first item, and `tail(s)` the others"
        }
        Token::CloseBracket | Token::Comma if stands_behind => {
            "the events that processes do together are a set: `P [| {a, b} |] Q`"
        }
        Token::CloseBracket | Token::Comma => "a sequence is written `<1, 2, 3>`",
        _ => return None,
    })
}

/// A hint for names behind a backslash that are no set.
fn hidden_names(stop: &SyntaxStop<'_>) -> Option<&'static str> {
    let hiding = stop.looking_back(|token| token == Token::Backslash)?;
    let behind = [stop.token(hiding + 1), stop.token(hiding + 2)];
    matches!(behind, [Some(Token::Identifier(_)), Some(Token::Comma)])
        .then_some("the hidden events are a set: `P \\ {a, b}`")
}

/// True if the name before the stop stands behind the sign of a field.
fn is_field(stop: &SyntaxStop<'_>) -> bool {
    let sign = stop.index.checked_sub(2).and_then(|at| stop.token(at));
    matches!(
        sign,
        Some(Token::Question | Token::Exclamation | Token::Dollar)
    )
}

/// A hint at the notation of CSPm for a word of another language.
pub(super) fn foreign_word(stop: &SyntaxStop<'_>) -> Option<String> {
    if !stop.before().is_some_and(SyntaxStop::ends_operand) {
        return None;
    }
    let behind = instead_of_word(stop.text_at(stop.index));
    let hint = behind.or_else(|| instead_of_prefixed(stop.text_at(stop.index - 1)))?;
    Some(hint.to_string())
}

/// The keyword that the first token was meant to be, if the second token does not fit.
pub(super) fn misspelt_declaration(stop: &SyntaxStop<'_>) -> Option<&'static str> {
    if stop.index != 1
        || foreign_word(stop).is_some()
        || !matches!(stop.found()?, Token::Identifier(_) | Token::Int)
    {
        return None;
    }
    nearest(stop.text_at(0), DECLARATIONS.iter().copied())
}

/// The text that the hint puts in place of the wrong token; `None` if no single text does.
pub(super) fn instead_of_token(stop: &SyntaxStop<'_>) -> Option<&'static str> {
    let is_behind_operand = stop.before().is_some_and(SyntaxStop::ends_operand);
    Some(match (stop.found()?, stop.text_at(stop.index)) {
        (Token::Identifier(_), "mod" | "rem") if is_behind_operand => "%",
        (Token::Identifier(_), "div") if is_behind_operand => "/",
        (Token::Identifier(_), "elseif" | "elsif" | "elif") if is_behind_operand => "else if",
        _ => return None,
    })
}

/// A hint for a name or a number behind an operand: an argument without brackets.
fn name_behind(stop: &SyntaxStop<'_>) -> Option<String> {
    if !matches!(stop.found()?, Token::Identifier(_) | Token::Int)
        || !stop.before().is_some_and(SyntaxStop::ends_operand)
    {
        return None;
    }
    match stop.text_at(stop.index) {
        // The second token of a declaration that nobody misspelt.
        _ if stop.index == 1 => None,
        argument if matches!(stop.before(), Some(Token::Identifier(_))) => {
            let function = stop.text_at(stop.index - 1);
            Some(format!(
                "an event is followed by `->`, and the arguments of a function stand in brackets: `{function} -> {argument}` or `{function}({argument})`"
            ))
        }
        _ => None,
    }
}
