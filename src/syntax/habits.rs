//! Hints for what other languages write differently, at the place where the grammar could not go
//! on.

use super::messages::SyntaxStop;
use super::tokens::Token;
use crate::base::suggest::nearest;

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

/// What is written instead, if `stop` looks like a habit from elsewhere.
pub(super) fn habit(stop: &SyntaxStop<'_>) -> Option<String> {
    let hint = match (stop.before()?, stop.found()?) {
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
        (_, Token::Comma) if stop.expects("<->") => "a sequence is written `<1, 2, 3>`",
        (_, Token::Comma) if stop.first() == Some(Token::Datatype) => {
            "constructors are separated by `|`: `datatype Colour = Red | Green`"
        }
        (_, Token::Comma | Token::Colon) if stop.first() == Some(Token::Channel) => {
            "one line gives all its channels the same fields: write a `channel` line for each kind"
        }
        (before, Token::Identifier(_) | Token::Int) if SyntaxStop::ends_operand(before) => {
            return name_behind(stop);
        }
        _ => return None,
    };
    Some(hint.to_string())
}

/// What is written instead of a word of another language.
pub(super) fn foreign_word(stop: &SyntaxStop<'_>) -> Option<String> {
    if !stop.before().is_some_and(SyntaxStop::ends_operand) {
        return None;
    }
    let hint = match stop.text_at(stop.index) {
        "mod" | "rem" => "the remainder of a division is written `%`",
        "div" => "division is written `/`",
        "elseif" | "elsif" | "elif" => "write `else if`, in two words",
        "where" => "definitions for one expression stand before it: `let x = 1 within x + x`",
        _ => return None,
    };
    Some(hint.to_string())
}

/// A name or a number behind an operand: a misspelt declaration, or an argument without brackets.
fn name_behind(stop: &SyntaxStop<'_>) -> Option<String> {
    match stop.text_at(stop.index) {
        // The second token does not fit: the first one may be a keyword with a slip.
        _ if stop.index == 1 => {
            let first = stop.text_at(0);
            let meant = nearest(first, DECLARATIONS.iter().copied())?;
            Some(format!("did you mean `{meant}`?"))
        }
        argument if matches!(stop.before(), Some(Token::Identifier(_))) => {
            let function = stop.text_at(stop.index - 1);
            Some(format!(
                "an event is followed by `->`, and the arguments of a function stand in brackets: `{function} -> {argument}` or `{function}({argument})`"
            ))
        }
        _ => None,
    }
}
