//! Text that is being written, and ways in which it could go on.
//!
//! A text that is being written is hardly ever a script that can be read. So a placeholder is put
//! where the next name goes, and brackets that are open around it are closed, until the text can be
//! read.

use logos::Logos;

use syntax::tokens::Token;

use super::analysis::Analysis;
use super::documents::Document;
use super::scripts::Scripts;

/// The name that is put where a name is missing. No script has a name like it.
pub(crate) const PLACEHOLDER: &str = "cspsym_completion_placeholder";

/// Text with a place where a name is being written.
pub(crate) struct Unfinished<'a> {
    /// The text before the name; `after` is the text behind it.
    before: &'a str,
    after: &'a str,
    /// The text that closes all that is open at the place.
    missing: String,
    /// True if the name is a member of the module instance before `::`.
    pub(crate) is_member: bool,
    /// True if the name is the first word of its line.
    pub(crate) begins_line: bool,
}

/// True if `sign` can stand in a name.
pub(crate) fn is_part_of_name(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || sign == '_' || sign == '\''
}

impl<'a> Unfinished<'a> {
    /// The place at the byte `at` of `text`. Returns `None` in a comment and where no name can be
    /// written.
    pub(crate) fn at(text: &'a str, at: usize) -> Option<Self> {
        let (before, after) = text.split_at_checked(at)?;
        let before = before.trim_end_matches(is_part_of_name);
        if text[before.len()..].starts_with(|sign: char| sign.is_ascii_digit()) {
            return None;
        }
        Some(Self {
            before,
            after: after.trim_start_matches(is_part_of_name),
            missing: missing(before)?,
            is_member: before.ends_with("::"),
            begins_line: before.is_empty() || before.ends_with('\n'),
        })
    }

    /// The analysis of the script that `document` is or belongs to, with the document finished in
    /// the first way that can be read. Returns `None` if no way can be read at the place.
    pub(crate) fn read(&self, scripts: &Scripts, document: &Document) -> Option<Analysis> {
        let name = &document.name;
        let script = scripts.of(name).map_or(name, |(script, _)| &script.name);
        self.finished().find_map(|text| {
            let mut files = scripts.documents.files_with([(name.clone(), text)]);
            Analysis::at(script, &mut files, (name, self.before.len()))
        })
    }

    /// The text with a name at the place, and the ends that may be missing behind it, the likeliest
    /// first.
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
        let (before, after) = (self.before, self.after);
        let ends = ends.into_iter();
        ends.map(move |end| format!("{before}{PLACEHOLDER}{end}{after}"))
    }
}

/// Words that open something, each with the word that closes it, and the text that is written where
/// that is missing. Behind the brackets of a parallel operator stands its right-hand side.
const PAIRS: [(Token, Token, &str); 12] = [
    (Token::OpenParen, Token::CloseParen, ")"),
    (Token::OpenBrace, Token::CloseBrace, "}"),
    (Token::OpenProductions, Token::CloseProductions, "|}"),
    (Token::OpenMap, Token::CloseMap, "|)"),
    (Token::OpenRename, Token::CloseRename, "]]"),
    (Token::OpenShared, Token::CloseShared, "|] STOP"),
    (Token::OpenShared, Token::CloseException, "|] STOP"),
    (Token::OpenSync, Token::CloseSync, "+] STOP"),
    (Token::Let, Token::Within, " within STOP"),
    (Token::If, Token::Then, " then STOP else STOP"),
    (Token::Then, Token::Else, " else STOP"),
    (Token::Less, Token::Greater, ">"),
];

/// The text that closes all that is open at the end of `text`, in its last declaration. Returns
/// `None` if the end is in a comment or in quotes.
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
        // A word at the margin begins a new declaration, for all that is usual.
        let is_at_margin = before.is_empty() || before.ends_with('\n');
        if is_at_margin && !matches!(token, Token::Newline | Token::Within) {
            open.clear();
        }
        let closed = PAIRS.iter().find(|(_, end, _)| *end == token);
        // `then` opens something only where it closes something.
        let fits = closed.is_none_or(|(.., text)| open.pop_if(|last| last == text).is_some());
        let opened = PAIRS.iter().find(|(begin, ..)| *begin == token);
        if fits && (token != Token::Less || expects_operand(before)) {
            open.extend(opened.map(|(.., text)| *text));
        }
    }
    None
}

/// True if an operand is expected behind `before`: there `<` begins a sequence.
fn expects_operand(before: &str) -> bool {
    let before = before.trim_end();
    before.is_empty() || before.ends_with(|sign| "=(,<{|@[^-:".contains(sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The endings that are tried for the text before `¦`.
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
        // An earlier declaration needs no end, and neither does a bracket that is closed.
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
