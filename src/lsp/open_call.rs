//! The call whose arguments are being written.

use std::ops::Range;

use syntax::lexemes::{Lexeme, LexemeKind, lexemes};

/// A call whose arguments are not closed before a place.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct OpenCall {
    /// The bytes of the name of the function.
    pub(crate) name: Range<usize>,
    /// The byte behind its open bracket.
    pub(crate) inside: usize,
    /// The number of groups of arguments before the open one.
    pub(crate) group: usize,
    /// The number of arguments of the group before the place.
    pub(crate) argument: usize,
}

/// The innermost call whose brackets are open at the byte `at` of `text`.
pub(crate) fn open_call(text: &str, at: usize) -> Option<OpenCall> {
    let mut words = lexemes(text);
    words.retain(|word| word.range.start < at);
    let is_comment = |word: &Lexeme| word.kind == LexemeKind::Comment;
    // A comment that is never closed cannot be read, and all behind it is comment.
    let is_unclosed = |word: &Lexeme| {
        word.kind == LexemeKind::Unreadable && text[word.range.clone()].starts_with("{-")
    };
    // If the place is in a comment, that is the last word before it.
    let last = words.last().filter(|word| is_comment(word));
    if last.is_some_and(|word| reaches(&text[word.range.start..at]))
        || words.iter().any(is_unclosed)
    {
        return None;
    }
    words.retain(|word| !is_comment(word));
    let words = ReadWords { text, words };
    let mut open: Vec<Open> = Vec::new();
    for word in 0..words.words.len() {
        words.note(word, &mut open);
    }
    open.iter().rev().find_map(|open| {
        let (name, group) = words.callee(open.word)?;
        Some(OpenCall {
            name,
            inside: words.words[open.word].range.end,
            group,
            argument: open.commas,
        })
    })
}

/// True if the comment at the beginning of `text` goes on beyond the end of `text`.
fn reaches(text: &str) -> bool {
    match text.starts_with("--") {
        true => !text.contains('\n'),
        // Comments in braces can stand inside each other.
        false => text.matches("{-").count() > text.matches("-}").count(),
    }
}

/// A bracket, or the like, that is open at a place.
struct Open {
    /// The index of the word that opens it.
    word: usize,
    /// The number of commas in it so far.
    commas: usize,
    /// True if it is no bracket, but the variables between a `\` or a replicated operator and `@`.
    is_of_variables: bool,
}

/// The words before a place, without comments.
struct ReadWords<'a> {
    text: &'a str,
    words: Vec<Lexeme>,
}

impl ReadWords<'_> {
    fn shown(&self, word: usize) -> &str {
        &self.text[self.words[word].range.clone()]
    }

    /// Notes the bracket that the word opens or closes.
    fn note(&self, word: usize, open: &mut Vec<Open>) {
        let Lexeme { kind, range, .. } = &self.words[word];
        let is_bracket = *kind == LexemeKind::Bracket;
        let is_at_margin = range.start == 0 || self.text[..range.start].ends_with('\n');
        // A word at the margin begins another declaration, for all that is usual.
        if is_at_margin && !is_bracket {
            open.clear();
        }
        let opening = |is_of_variables: bool| Open {
            word,
            commas: 0,
            is_of_variables,
        };
        match self.shown(word) {
            "," => {
                if let Some(last) = open.last_mut() {
                    last.commas += 1;
                }
            }
            "@" => {
                open.pop_if(|last| last.is_of_variables);
            }
            "\\" | "[]" | "|~|" | "|||" | "||" | ";" if !self.is_behind_operand(word) => {
                open.push(opening(true));
            }
            "<" if !self.is_behind_operand(word) => open.push(opening(false)),
            ">" => {
                open.pop_if(|last| self.shown(last.word) == "<");
            }
            sign if is_bracket && sign.starts_with(['(', '{', '[', '/']) => {
                open.push(opening(false));
            }
            _ if is_bracket => {
                while open.pop_if(|last| last.is_of_variables).is_some() {}
                let closed = open.pop();
                if closed.is_some_and(|closed| self.is_replicated(closed.word)) {
                    open.push(opening(true));
                }
            }
            _ => {}
        }
    }

    /// True if an operand ends before the word.
    fn is_behind_operand(&self, word: usize) -> bool {
        let Some(before) = word.checked_sub(1) else {
            return false;
        };
        let text = self.shown(before);
        match self.words[before].kind {
            LexemeKind::Name | LexemeKind::Number | LexemeKind::Text => true,
            // Any other bracket has an operand behind it.
            LexemeKind::Bracket => [")", "}", "|}", "|)", "]]"].contains(&text),
            LexemeKind::Keyword => ["true", "false"].contains(&text),
            _ => text == ">" || text == "_" || text.starts_with('<') && text.ends_with('>'),
        }
    }

    /// True if the bracket that the word opens is a replicated operator, such as `[| A |] x : S @`.
    /// A bracket behind an `@` is the alphabet of an operand instead.
    fn is_replicated(&self, word: usize) -> bool {
        let is_behind_at = word.checked_sub(1).is_some_and(|at| self.shown(at) == "@");
        ["[|", "[+", "["].contains(&self.shown(word))
            && !is_behind_at
            && !self.is_behind_operand(word)
    }

    /// The name before the bracket, and the number of groups of arguments between them.
    fn callee(&self, bracket: usize) -> Option<(Range<usize>, usize)> {
        if self.shown(bracket) != "(" {
            return None;
        }
        let mut group = 0;
        let mut depth = 0usize;
        for word in (0..bracket).rev() {
            match self.shown(word) {
                ")" => depth += 1,
                "(" if depth > 0 => {
                    depth -= 1;
                    group += usize::from(depth == 0);
                }
                _ if depth == 0 => {
                    let Lexeme { kind, range, .. } = &self.words[word];
                    return (*kind == LexemeKind::Name).then(|| (range.clone(), group));
                }
                _ => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(text: &str) -> Option<(&str, usize, usize)> {
        let found = open_call(text, text.len())?;
        Some((&text[found.name.clone()], found.group, found.argument))
    }

    #[test]
    fn the_innermost_open_call_counts() {
        assert_eq!(call("P = f("), Some(("f", 0, 0)));
        assert_eq!(
            call("P = f(1, g(2, 3), {4, 5}, <6, 7>, "),
            Some(("f", 0, 4))
        );
        assert_eq!(call("P = f(1, g(2, {3, "), Some(("g", 0, 1)));
        assert_eq!(call("P = f(1)(2, "), Some(("f", 1, 1)));
        assert_eq!(call("P = f(a < b, "), Some(("f", 0, 1)));
        assert_eq!(call("P = f(1)"), None);
        assert_eq!(call("P = (1, "), None);
        assert_eq!(call("P = f(\nQ = "), None);
        assert_eq!(call("P = M::f(1, "), Some(("f", 0, 1)));
        assert_eq!(call("P = f({- 1, "), None);
        assert_eq!(call("P = f(1, -- 2, "), None);
    }

    #[test]
    fn commas_between_variables_are_between_no_arguments() {
        for (text, argument) in [
            ("P = f(\\ x, y", 0),
            ("P = f(\\ x, y @ x, ", 1),
            ("P = f(\\ x, y @ \\ z, _ @ z, g(1, 2), ", 2),
            ("P = f(P \\ A, ", 1),
            ("P = f(<> \\ A, (true) \\ A, _ \\ B, ", 3),
            ("P = f([] x : S, y : T @ P, ", 1),
            ("P = f(||| x : S, y : T @ P ||| Q, ", 1),
            ("P = f(a -> ; x : S, y : T @ P ; Q, ", 1),
            ("P = f([| A |] x : S, y : T @ P, ", 1),
            ("P = f(P [| A |] Q, ", 1),
            ("P = f(|| x : S, y : T @ [A] P, ", 1),
            ("P = f(P [A || B] Q, ", 1),
            ("P = f([a <-> b] x : S, y : T", 0),
            ("P = f({\\ x, y}, ", 1),
        ] {
            assert_eq!(call(text), Some(("f", 0, argument)), "{text}");
        }
        assert_eq!(call("P = f(1, \\ x, y @ g(x, "), Some(("g", 0, 1)));
    }
}
