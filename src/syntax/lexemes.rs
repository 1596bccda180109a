//! The words, signs and comments of a text, for editors to colour and the formatter to lay out.

use std::ops::Range;

use super::ast::Ast;
use super::classes::{is_closer, is_opener};
use super::tokens::{Token, comment_end, tokens};
use base::index::TypedIndex;
use base::source::FileId;

/// The kind of a [`Lexeme`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LexemeKind {
    /// A reserved word.
    Keyword,
    /// A name of the script, or of a built-in.
    Name,
    /// A number.
    Number,
    /// A string or a character.
    Text,
    /// An opening or closing bracket; `<` and `>` count as operators.
    Bracket,
    /// Any other sign.
    Operator,
    /// A property of an assertion, with its brackets.
    Property,
    /// A comment.
    Comment,
    /// Text that could not be read.
    Unreadable,
}

/// A word, a sign or a comment, with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lexeme {
    /// The kind.
    pub kind: LexemeKind,
    /// Its bytes, without white space at the end.
    pub range: Range<usize>,
    pub(super) token: Token,
}

/// All words, signs and comments of `text`, in order.
pub fn lexemes(text: &str) -> Vec<Lexeme> {
    let (read, _) = tokens(&mut Ast::default(), FileId::from_usize(0), text);
    let mut found = Vec::with_capacity(read.len());
    let mut behind = 0;
    for lexed in read {
        let (start, end) = (lexed.start as usize, lexed.end as usize);
        comments(text, behind..start, &mut found);
        behind = end;
        // Some tokens take the white space behind them along.
        let end = start + text[start..end].trim_end().len();
        found.push(Lexeme {
            kind: kind(lexed.token),
            range: start..end,
            token: lexed.token,
        });
    }
    comments(text, behind..text.len(), &mut found);
    found
}

/// True if `text` can be a name.
pub fn is_name(text: &str) -> bool {
    match lexemes(text).as_slice() {
        // `include` is a name only where no space is behind it.
        [one] => one.kind == LexemeKind::Name && one.range == (0..text.len()) && text != "include",
        _ => false,
    }
}

/// Adds the comments in `gap`, a range that holds only comments and white space.
fn comments(text: &str, gap: Range<usize>, found: &mut Vec<Lexeme>) {
    let mut at = gap.start;
    while at < gap.end {
        let rest = &text[at..gap.end];
        let end = if rest.starts_with("--") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("{-") {
            2 + comment_end(&rest.as_bytes()[2..]).unwrap_or(rest.len() - 2)
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        };
        found.push(Lexeme {
            kind: LexemeKind::Comment,
            range: at..at + rest[..end].trim_end().len(),
            token: Token::Comment,
        });
        at += end;
    }
}

fn kind(token: Token) -> LexemeKind {
    use Token::*;
    match token {
        Identifier(_) => LexemeKind::Name,
        Int => LexemeKind::Number,
        Char(_) | String => LexemeKind::Text,
        Property(_) | HasTrace(_) | Symmetric(_) => LexemeKind::Property,
        TauPriority | PartialOrder | SymmetryReduce | ForAll => LexemeKind::Property,
        Broken => LexemeKind::Unreadable,
        True | False | And | Or | Not | NotAssertion | If | Then | Else | Let | Within
        | Channel | Assert | Datatype | Subtype | External | Transparent | Nametype | Module
        | Exports | EndModule | Instance | Timed | Print | Include => LexemeKind::Keyword,
        token if is_opener(token) || is_closer(token) => LexemeKind::Bracket,
        _ => LexemeKind::Operator,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<(LexemeKind, &str)> {
        let found = lexemes(text);
        let each = found.into_iter();
        each.map(|one| (one.kind, &text[one.range])).collect()
    }

    #[test]
    fn comments_are_among_the_words() {
        use LexemeKind::*;
        let text = "-- a  \r\n{- b {- c -} -}print 'x' {- d -}-- e\nP = 1 \"--\" -- f";
        let expected = [
            (Comment, "-- a"),
            (Comment, "{- b {- c -} -}"),
            (Keyword, "print"),
            (Text, "'x'"),
            (Comment, "{- d -}"),
            (Comment, "-- e"),
            (Name, "P"),
            (Operator, "="),
            (Number, "1"),
            (Text, "\"--\""),
            (Comment, "-- f"),
        ];
        assert_eq!(shown(text), expected);
        assert_eq!(shown("{- open"), [(Unreadable, "{- open")]);
        assert_eq!(shown(""), []);
    }

    #[test]
    fn names_are_one_word_that_is_not_reserved() {
        for name in ["x", "P'", "a_1", "STOP"] {
            assert!(is_name(name), "{name}");
        }
        for other in [
            "", "1x", "x y", "x ", " x", "if", "true", "include", "_", "x--", "x'y", "M::x",
        ] {
            assert!(!is_name(other), "{other}");
        }
    }
}
