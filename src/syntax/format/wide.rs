//! The places where a line that is too long is broken.

use super::WIDTH;
use crate::classes::{absorbs_after, absorbs_before, is_closer, is_opener};
use crate::lexemes::{Lexeme, LexemeKind};
use crate::tokens::Token;

/// The columns by which the rest of a broken line stands further to the right.
const STEP: usize = 4;

/// A word in a line that is being written.
#[derive(Clone, Copy)]
pub(super) struct PlacedWord {
    /// Its number.
    pub(super) at: usize,
    /// The columns where it begins and ends.
    pub(super) begin: usize,
    pub(super) end: usize,
}

/// The words of `line` that are to begin lines of their own, with their columns. The least nested
/// place is taken; of several, the one that binds least; of these, the last that leaves no line too
/// long.
pub(super) fn breaks(words: &[Lexeme], line: &[PlacedWord]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    // A comment behind the line is never broken, so its length does not count.
    let is_comment = |word: &PlacedWord| words[word.at].kind == LexemeKind::Comment;
    let length = line.iter().rposition(|word| !is_comment(word));
    let line = &line[..length.map_or(0, |last| last + 1)];
    let (Some(first), Some(last)) = (line.first(), line.last()) else {
        return found;
    };
    let column = first.begin + STEP;
    let (mut start, mut begin) = (0, first.begin);
    // The text of the line from word `start` on begins at `begin`.
    while begin + last.end.saturating_sub(line[start].begin) > WIDTH {
        let mut depth = 0isize;
        let mut best: Option<(isize, usize, usize)> = None;
        let mut first = None;
        for here in start + 1..line.len() {
            depth += depth_of(words[line[here - 1].at].token);
            let width = line[here - 1].end.saturating_sub(line[start].begin);
            // No later break can be better. Without this check, a line of many words would be
            // looked at to its end for each part of it.
            if begin + width > WIDTH && first.is_some() {
                break;
            }
            // Otherwise the rest would begin further to the right than it does now.
            let rest = last.end.saturating_sub(line[here].begin);
            let gains = match words[line[here - 1].at].token {
                // A definition begins in its first line if it takes several anyway.
                Token::Assign => column + rest <= WIDTH,
                _ => width > STEP,
            };
            if !gains || !can_break(&words[line[here - 1].at], &words[line[here].at]) {
                continue;
            }
            first = first.or(Some(here));
            let closes = is_closer(words[line[here].at].token);
            let rank = (
                depth - isize::from(closes),
                strength(words[line[here].at].token),
            );
            if begin + width <= WIDTH && best.is_none_or(|(one, other, _)| rank <= (one, other)) {
                best = Some((rank.0, rank.1, here));
            }
        }
        let Some(here) = best.map(|(.., here)| here).or(first) else {
            break;
        };
        found.push((line[here].at, column));
        (start, begin) = (here, column);
    }
    found
}

fn depth_of(token: Token) -> isize {
    isize::from(is_opener(token)) - isize::from(is_closer(token))
}

/// The strength with which `token` binds the text before it to the text behind it; 0 is weakest.
fn strength(token: Token) -> usize {
    use Token::*;
    match token {
        Then | Else | Within => 0,
        ExternalChoice | InternalChoice | Interleave | Interrupt | SlidingChoice | Parallel
        | Semicolon | OpenShared | Backslash | Bar => 1,
        _ => 2,
    }
}

/// True if a line can end with `before` and the next begin with `after`, and that reads well.
fn can_break(before: &Lexeme, after: &Lexeme) -> bool {
    use Token::*;
    if before.kind == LexemeKind::Comment || after.kind == LexemeKind::Comment {
        return false;
    }
    let is_ending = matches!(
        before.token,
        Arrow | Comma | At | Assign | Guard | Refines(_)
    );
    let is_beginning = matches!(
        after.token,
        ExternalChoice
            | InternalChoice
            | Interleave
            | Interrupt
            | SlidingChoice
            | Parallel
            | Semicolon
            | OpenShared
            | And
            | Or
            | Plus
            | Backslash
            | Bar
            | Then
            | Else
            | Within
    );
    is_ending && absorbs_after(before.token) || is_beginning && absorbs_before(after.token)
}
