//! The step between tokens and grammar. It decides which line breaks end a declaration, which
//! meaning `<` and `>` have, and which brackets match.

use std::ops::Range;

use super::classes::{
    absorbs_after, absorbs_before, bracket_text, closes, ends_operand, is_closer, is_opener,
};
use super::tokens::{Lexed, Token};
use base::diag::Diagnostic;
use base::source::{FileId, Span};

/// A token as the grammar takes it.
pub(crate) type Placed = (u32, Token, u32);

/// The tokens of a file, cut into declarations.
#[derive(Default, Debug)]
pub(crate) struct LaidOut {
    /// All tokens; [`Token::Newline`] stands only between the declarations of a `let` or `Timed`.
    pub(crate) tokens: Vec<Placed>,
    /// The tokens of each declaration. A declaration with unmatched brackets or unreadable tokens
    /// is left out. If it is an assertion, a [`Token::Broken`] stands for it.
    pub(crate) declarations: Vec<Range<usize>>,
    /// Unmatched brackets.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Cuts `lexed` into declarations.
pub(crate) fn lay_out(lexed: &[Lexed], file: FileId, text: &str) -> LaidOut {
    let mut layout = LaidOut {
        tokens: Vec::with_capacity(lexed.len() + 16),
        ..LaidOut::default()
    };
    let mut next = 0;
    while next < lexed.len() {
        next = Cutter::new(&mut layout, file, text).declaration(lexed, next);
    }
    layout
}

/// Lays out text that is one expression or assertion: there are no declaration boundaries.
pub(crate) fn lay_out_line(lexed: &[Lexed], file: FileId, text: &str) -> LaidOut {
    let joined: Vec<Lexed> = lexed
        .iter()
        .map(|l| Lexed {
            after_newline: false,
            ..*l
        })
        .collect();
    // Within a `let` line breaks still matter.
    let keep = lexed.iter().any(|l| l.token == Token::Let);
    lay_out(if keep { lexed } else { &joined }, file, text)
}

/// An open bracket.
struct Open {
    token: Token,
    start: u32,
    end: u32,
    /// True if the bracket holds declarations: `let`, or the braces of `Timed`.
    holds_declarations: bool,
    /// The sequences opened in this bracket and not yet closed. They are kept by bracket, because a
    /// `>` inside a bracket never closes a `<` outside of it.
    sequences: Vec<(u32, u32)>,
    /// True for the parenthesis after `Timed`.
    of_timed: bool,
}

/// Reads one declaration.
struct Cutter<'a> {
    layout: &'a mut LaidOut,
    file: FileId,
    text: &'a str,
    open: Vec<Open>,
    /// The sequences that are open outside all brackets.
    sequences: Vec<(u32, u32)>,
    previous: Option<Token>,
    /// True if the next brace is that of `Timed`.
    timed: bool,
    /// True if a token could not be read. Brackets then mean nothing.
    broken: bool,
}

impl<'a> Cutter<'a> {
    fn new(layout: &'a mut LaidOut, file: FileId, text: &'a str) -> Self {
        Self {
            layout,
            file,
            text,
            open: Vec::new(),
            sequences: Vec::new(),
            previous: None,
            timed: false,
            broken: false,
        }
    }

    /// Reads the declaration that starts at token `first`. Returns the start of the next one.
    fn declaration(&mut self, lexed: &[Lexed], first: usize) -> usize {
        let start = self.layout.tokens.len();
        for (at, token) in lexed.iter().enumerate().skip(first) {
            // Noted before any bracket is reported: beside an unreadable token brackets mean
            // nothing.
            self.broken |= token.token == Token::Broken;
            if at > first && self.ends_line(token) {
                match self.boundary(token) {
                    Boundary::Inner => {
                        self.layout
                            .tokens
                            .push((token.start, Token::Newline, token.start))
                    }
                    Boundary::Outer => {
                        self.keep(start);
                        return at;
                    }
                    Boundary::Unclosed => {
                        self.keep_unread(start, &[]);
                        return at;
                    }
                }
                self.previous = Some(Token::Newline);
            }
            if let Err(diagnostic) = self.token(token) {
                self.report(*diagnostic);
                let next = self.recover(lexed, first, at + 1);
                self.keep_unread(start, &lexed[at..next]);
                return next;
            }
        }
        if let Some((token, span)) = self.unclosed() {
            let diagnostic = self.not_closed(token, span);
            self.report(diagnostic);
            let opener = lexed
                .iter()
                .position(|l| l.start == span.start)
                .unwrap_or(first);
            // An open `let` has taken all following declarations for its own: they are read again.
            // With any other bracket open, `boundary` has ended the declaration at the first of
            // them.
            if token == Token::Let {
                return self.recover(lexed, first, opener + 1);
            }
            self.keep_unread(start, &[]);
            return lexed.len();
        }
        self.keep(start);
        lexed.len()
    }

    /// Ends the declaration whose tokens begin at `start`.
    fn keep(&mut self, start: usize) {
        let first = self.layout.tokens.get(start).map(|token| token.1);
        if !self.broken || first == Some(Token::Assert) {
            self.layout
                .declarations
                .push(start..self.layout.tokens.len());
        }
    }

    /// Ends the assertion whose tokens begin at `start`, with `rest`, although its brackets do not
    /// match. Does nothing if it is no assertion.
    fn keep_unread(&mut self, start: usize, rest: &[Lexed]) {
        let tokens = &mut self.layout.tokens;
        if tokens.get(start).map(|token| token.1) == Some(Token::Assert) {
            tokens.extend(
                rest.iter()
                    .map(|token| (token.start, token.token, token.end)),
            );
            // There is one token at least, the `assert`.
            let end = tokens[tokens.len() - 1].2;
            tokens.push((end, Token::Broken, end));
            self.layout.declarations.push(start..tokens.len());
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if !self.broken {
            self.layout.diagnostics.push(diagnostic);
        }
    }

    /// True if a declaration may end before `token`.
    fn ends_line(&self, token: &Lexed) -> bool {
        let Some(previous) = self.previous else {
            return false;
        };
        // An include is a declaration of its own, whatever else stands on its line.
        if token.token == Token::Include || previous == Token::String && self.after_include() {
            // At the beginning or the end of its scope the bracket already separates it.
            return !matches!(previous, Token::OpenBrace | Token::Let)
                && !matches!(token.token, Token::CloseBrace | Token::Within);
        }
        token.after_newline && !absorbs_after(previous) && !absorbs_before(token.token)
    }

    fn after_include(&self) -> bool {
        let tokens = &self.layout.tokens;
        tokens.len() >= 2 && tokens[tokens.len() - 2].1 == Token::Include
    }

    fn boundary(&mut self, next: &Lexed) -> Boundary {
        let inner = self
            .open
            .last()
            .map_or(&self.sequences, |open| &open.sequences);
        // No declaration can begin in a bracket that holds none, or in an open sequence.
        let declarations = self.open.last().is_none_or(|open| open.holds_declarations);
        if declarations && inner.is_empty() {
            return if self.open.is_empty() {
                Boundary::Outer
            } else {
                Boundary::Inner
            };
        }
        if let Some((token, span)) = self.unclosed() {
            let next = Span::new(self.file, next.start as usize, next.end as usize);
            let diagnostic = self.not_closed(token, span)
                .at(next, "a new declaration starts here")
                .hint("a line that starts with a name, `(`, `{`, `<`, `-` or `#` is a new declaration: close the bracket before it, or start the line with an operator");
            self.report(diagnostic);
        }
        Boundary::Unclosed
    }

    /// The innermost bracket or sequence that is open.
    fn unclosed(&self) -> Option<(Token, Span)> {
        let span = |&(start, end): &(u32, u32)| Span::new(self.file, start as usize, end as usize);
        let innermost = self.open.last();
        let sequences = innermost.map_or(&self.sequences, |open| &open.sequences);
        match (sequences.last(), innermost) {
            (Some(place), _) => Some((Token::OpenSequence, span(place))),
            (None, Some(open)) => Some((open.token, span(&(open.start, open.end)))),
            (None, None) => None,
        }
    }

    /// Takes one token: decides its kind, and keeps track of brackets.
    fn token(&mut self, lexed: &Lexed) -> base::diag::Result<()> {
        let place = (lexed.start, lexed.end);
        let operand_before = self.previous.is_some_and(ends_operand);
        let mut token = lexed.token;
        // The mark holds for the next token only. `close` sets it again behind the parenthesis that
        // may stand between `Timed` and its brace.
        let timed = std::mem::replace(&mut self.timed, token == Token::Timed);
        match token {
            Token::Less if !operand_before => {
                self.sequences_mut().push(place);
                token = Token::OpenSequence;
            }
            // While a sequence is open in this bracket, `>` closes it: a comparison needs
            // parentheses.
            Token::Greater if self.sequences_mut().pop().is_some() => token = Token::CloseSequence,
            Token::Not if self.previous == Some(Token::Assert) => token = Token::NotAssertion,
            _ if is_opener(token) => self.open.push(Open {
                token,
                start: lexed.start,
                end: lexed.end,
                holds_declarations: token == Token::Let || token == Token::OpenBrace && timed,
                sequences: Vec::new(),
                of_timed: timed && token == Token::OpenParen,
            }),
            _ if is_closer(token) => self.close(lexed)?,
            _ => {}
        }
        self.previous = Some(token);
        self.layout.tokens.push((lexed.start, token, lexed.end));
        Ok(())
    }

    fn sequences_mut(&mut self) -> &mut Vec<(u32, u32)> {
        match self.open.last_mut() {
            Some(open) => &mut open.sequences,
            None => &mut self.sequences,
        }
    }

    fn close(&mut self, closer: &Lexed) -> base::diag::Result<()> {
        let span = Span::new(self.file, closer.start as usize, closer.end as usize);
        match self.unclosed() {
            Some((open, _)) if closes(open, closer.token) => {
                self.timed = self.open.pop().is_some_and(|open| open.of_timed);
                Ok(())
            }
            Some((open, opened)) => Diagnostic::error(
                "mismatched-bracket",
                format!(
                    "{} does not match {}",
                    self.text_of(closer.token, span),
                    self.text_of(open, opened)
                ),
            )
            .at(span, "this closes nothing that is open here")
            .at(
                opened,
                format!("{} is still open", self.text_of(open, opened)),
            )
            .hint(
                if closer.token == Token::CloseMap && open == Token::OpenParen {
                    "`(|` opens a map only with a space after it: `(| 0 => 1 |)`"
                } else {
                    mismatch_hint(open)
                },
            )
            .into(),
            None => Diagnostic::error(
                "mismatched-bracket",
                format!(
                    "{} has no opening bracket",
                    self.text_of(closer.token, span)
                ),
            )
            .at(span, "")
            .into(),
        }
    }

    /// The name that messages use for the bracket or word `token` at `span`.
    fn text_of(&self, token: Token, span: Span) -> String {
        bracket_text(token, &self.text[span.start as usize..span.end as usize])
    }

    fn not_closed(&self, token: Token, span: Span) -> Diagnostic {
        if token == Token::Let {
            return Diagnostic::error("unclosed-let", "this `let` has no `within`")
                .at(span, "opened here")
                .hint("write `let <declarations> within <expression>`");
        }
        let message = format!("{} is not closed", self.text_of(token, span));
        let diagnostic = Diagnostic::error("unclosed-bracket", message).at(span, "opened here");
        if token == Token::OpenSequence {
            diagnostic.hint(mismatch_hint(token))
        } else {
            diagnostic
        }
    }

    /// The token where reading goes on after an error: the beginning of the next line that starts
    /// no further to the right than the broken declaration.
    fn recover(&mut self, lexed: &[Lexed], first: usize, from: usize) -> usize {
        let column = |at: u32| {
            let before = &self.text[..at as usize];
            before.len() - before.rfind('\n').map_or(0, |newline| newline + 1)
        };
        let limit = column(lexed[first].start);
        let mut at = from;
        while at < lexed.len() {
            let starts_line = lexed[at].after_newline
                && !absorbs_before(lexed[at].token)
                && !absorbs_after(lexed[at - 1].token);
            if starts_line && column(lexed[at].start) <= limit {
                return at;
            }
            at += 1;
        }
        at
    }
}

enum Boundary {
    /// Between two declarations of a `let` or `Timed`.
    Inner,
    /// After the whole declaration.
    Outer,
    /// In the middle of a bracket.
    Unclosed,
}

/// A hint at the token that closes an open bracket, or at the reason why it is open.
fn mismatch_hint(open: Token) -> &'static str {
    match open {
        Token::OpenSequence => {
            "`<` opens a sequence where an expression starts; a comparison needs something on its left"
        }
        Token::Let => "a `let` needs a `within` before the bracket around it closes",
        Token::OpenBrace => "`{` is closed by `}`",
        Token::OpenProductions => "`{|` is closed by `|}`",
        Token::OpenMap => "`(|` is closed by `|)`",
        Token::OpenRename => "`[[` is closed by `]]`",
        Token::OpenShared => "`[|` is closed by `|]`, or by `|>` in an exception",
        Token::OpenSync => "`[+` is closed by `+]`",
        Token::OpenSyncInterrupt => "`/+` is closed by `+\\`",
        Token::OpenBracket => "`[` is closed by `]`",
        _ => "`(` is closed by `)`",
    }
}
