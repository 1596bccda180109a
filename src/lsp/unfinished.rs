//! Text that is being written, and ways in which it could go on.
//!
//! What is being written is hardly ever a script that can be read. So a name is put where the next
//! one goes, and what is still open around it is closed, until that can be read.

use logos::Logos;

use syntax::tokens::Token;

use super::analysis::Analysis;
use super::documents::{Document, Documents};
use super::scripts::Scripts;

/// The name that is put where a name is missing. Nobody has one like it.
pub(super) const PLACEHOLDER: &str = "cspsym_completion_placeholder";

/// Text with a place where a name is being written.
pub(super) struct Unfinished<'a> {
    text: &'a str,
    /// Where the name begins and ends.
    start: usize,
    end: usize,
    /// What closes all that is open at the place.
    missing: String,
    /// Whether it is a member of what stands before `::`.
    pub(super) is_member: bool,
    /// Whether nothing stands before it in its line.
    pub(super) begins_line: bool,
}

/// Whether `sign` can stand in a name.
pub(super) fn is_part_of_name(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || sign == '_' || sign == '\''
}

impl<'a> Unfinished<'a> {
    /// The place at the byte `at` of `text`. Returns `None` in a comment and where no name can be
    /// written.
    pub(super) fn at(text: &'a str, at: usize) -> Option<Self> {
        let (before, after) = text.split_at_checked(at)?;
        let start = before.trim_end_matches(is_part_of_name).len();
        let end = at + after.len() - after.trim_start_matches(is_part_of_name).len();
        if text[start..end].starts_with(|sign: char| sign.is_ascii_digit()) {
            return None;
        }
        let before = &text[..start];
        Some(Self {
            text,
            start,
            end,
            missing: missing(before)?,
            is_member: before.ends_with("::"),
            begins_line: before.is_empty() || before.ends_with('\n'),
        })
    }

    /// What is known of the script that `document` is or belongs to, if the document has this text
    /// and goes on in one of the ways below. Returns `None` if none of them can be read at the
    /// place.
    pub(super) fn read(
        &self,
        documents: &Documents,
        scripts: &Scripts,
        document: &Document,
    ) -> Option<Analysis> {
        let script = scripts.of(document);
        let name = script.map_or(document.name.as_str(), |(name, ..)| name);
        self.finished().find_map(|text| {
            let open = documents.iter().map(|other| {
                let is_this = other.name == document.name;
                let text = if is_this { &text } else { &other.text };
                (other.name.clone(), text.clone())
            });
            let mut files = documents.files_with(open);
            Analysis::at(name, &mut files, (&document.name, self.start))
        })
    }

    /// The text with a name at the place and what may be missing behind it, the likeliest first.
    fn finished(&self) -> impl Iterator<Item = String> {
        let mut ends = Vec::new();
        for arrow in ["", " -> STOP"] {
            ends.push(arrow.to_string());
            // Each attempt is a whole script to be read, so none is made twice.
            if !self.missing.is_empty() {
                ends.push(format!("{arrow}{}", self.missing));
            }
        }
        if self.begins_line {
            ends.push(" = STOP".to_string());
        }
        let (before, after) = (&self.text[..self.start], &self.text[self.end..]);
        ends.into_iter()
            .map(move |end| format!("{before}{PLACEHOLDER}{end}{after}"))
    }
}

const THEN: &str = " then STOP else STOP";
const ELSE: &str = " else STOP";
const WITHIN: &str = " within STOP";

/// What closes all that is open at the end of `text`, in its last declaration. Returns `None` if
/// the end is in a comment or in quotes.
fn missing(text: &str) -> Option<String> {
    // A comment or a string that does not end before the placeholder swallows it.
    let whole = format!("{text}{PLACEHOLDER}");
    let mut lexer = Token::lexer(&whole);
    let mut open: Vec<&str> = Vec::new();
    while let Some(token) = lexer.next() {
        let start = lexer.span().start;
        if start == text.len() {
            return Some(open.iter().rev().copied().collect());
        }
        let Ok(token) = token else { continue };
        let before = &text[..start];
        // What begins at the margin is a new declaration, for all that is usual.
        let is_at_margin = before.is_empty() || before.ends_with('\n');
        if is_at_margin && !matches!(token, Token::Newline | Token::Within) {
            open.clear();
        }
        if let Some(closed) = closed_by(token) {
            if open.last() == Some(&closed) {
                open.pop();
                if token == Token::Then {
                    open.push(ELSE);
                }
            }
        } else {
            open.extend(closing(token, before.trim_end()));
        }
    }
    None
}

/// What closes `token`, which stands behind the text `before`, if it opens something. Behind the
/// brackets of a parallel operator stands its right-hand side.
fn closing(token: Token, before: &str) -> Option<&'static str> {
    // Where an operand is expected, `<` begins a sequence.
    let expects_operand =
        before.is_empty() || before.ends_with(|sign| "=(,<{|@[^-:".contains(sign));
    Some(match token {
        Token::OpenParen => ")",
        Token::OpenBrace => "}",
        Token::OpenProductions => "|}",
        Token::OpenMap => "|)",
        Token::OpenRename => "]]",
        Token::OpenShared => "|] STOP",
        Token::OpenSync => "+] STOP",
        Token::Let => WITHIN,
        Token::If => THEN,
        Token::Less if expects_operand => ">",
        _ => return None,
    })
}

/// What is no longer missing behind `token`.
fn closed_by(token: Token) -> Option<&'static str> {
    Some(match token {
        Token::CloseParen => ")",
        Token::CloseBrace => "}",
        Token::CloseProductions => "|}",
        Token::CloseMap => "|)",
        Token::CloseRename => "]]",
        Token::CloseShared | Token::CloseException => "|] STOP",
        Token::CloseSync => "+] STOP",
        Token::Within => WITHIN,
        Token::Then => THEN,
        Token::Else => ELSE,
        Token::Greater => ">",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The endings that are tried for the text before `|`.
    fn endings(text: &str) -> Vec<String> {
        let at = text.find('¦').unwrap();
        let text = text.replace('¦', "");
        let Some(place) = Unfinished::at(&text, at) else {
            return vec!["none".to_string()];
        };
        let behind = |finished: String| {
            let (_, end) = finished.split_once(PLACEHOLDER).unwrap();
            end.to_string()
        };
        place.finished().map(behind).collect()
    }

    #[test]
    fn what_is_open_is_closed() {
        assert_eq!(endings("P = f(a, ¦")[1], ")");
        assert_eq!(endings("P = f(a, {b, ¦")[1], "})");
        assert_eq!(endings("P = let x = 1\n        y = ¦")[1], " within STOP");
        assert_eq!(endings("P = if ¦")[1], " then STOP else STOP");
        assert_eq!(endings("P = if a then ¦")[1], " else STOP");
        assert_eq!(endings("P = Q [| {| a, ¦")[1], "|}|] STOP");
        assert_eq!(endings("P = <a, ¦")[1], ">");
        assert_eq!(endings("P = {x | x <- <¦")[1], ">}");
        assert_eq!(endings("P = (Q [[ a <- ¦")[1], "]])");
        // Nothing of an earlier declaration, and nothing that is closed.
        assert_eq!(endings("P = f(\nQ = ({1} < {¦")[1], "})");
        assert_eq!(endings("P = f(a)[¦"), ["", " -> STOP"]);
    }

    #[test]
    fn the_name_is_replaced_as_a_whole() {
        let text = "P = foo'bar -> STOP";
        let place = Unfinished::at(text, 6).unwrap();
        assert_eq!(
            place.finished().next().unwrap(),
            format!("P = {PLACEHOLDER} -> STOP")
        );
        assert!(Unfinished::at("P = M::", 7).unwrap().is_member);
        assert!(Unfinished::at("P\nQu", 4).unwrap().begins_line);
    }

    #[test]
    fn in_comments_strings_and_numbers_there_are_no_names() {
        for text in ["-- P¦", "{- P¦", "P = \"a ¦", "P = 4¦"] {
            assert_eq!(endings(text), ["none"], "{text}");
        }
        assert_ne!(endings("P = \"a\" ¦"), ["none"]);
        assert_ne!(endings("-- P\nQ = {- a -} ¦"), ["none"]);
    }
}
