//! Kinds of tokens: brackets, what ends an operand, what swallows line breaks.

use super::tokens::Token;

/// How messages call the bracket, word or symbol `token`, which stands in the script as `text`.
pub(crate) fn bracket_text(token: Token, text: &str) -> String {
    match token {
        Token::OpenSequence => "the sequence bracket `<`".to_string(),
        // Some tokens take the white space behind them along.
        _ => format!("`{}`", text.trim_end()),
    }
}

pub(crate) fn is_opener(token: Token) -> bool {
    use Token::*;
    matches!(
        token,
        OpenParen
            | OpenBrace
            | OpenProductions
            | OpenMap
            | OpenRename
            | OpenShared
            | OpenSync
            | OpenSyncInterrupt
            | OpenBracket
            | Let
    )
}

pub(crate) fn is_closer(token: Token) -> bool {
    use Token::*;
    matches!(
        token,
        CloseParen
            | CloseBrace
            | CloseProductions
            | CloseMap
            | CloseRename
            | CloseShared
            | CloseException
            | CloseSync
            | CloseSyncInterrupt
            | CloseBracket
            | Within
    )
}

pub(crate) fn closes(open: Token, closer: Token) -> bool {
    use Token::*;
    matches!(
        (open, closer),
        (OpenParen, CloseParen)
            | (OpenBrace, CloseBrace)
            | (OpenProductions, CloseProductions)
            | (OpenMap, CloseMap)
            | (OpenRename, CloseRename)
            | (OpenShared, CloseShared | CloseException)
            | (OpenSync, CloseSync)
            | (OpenSyncInterrupt, CloseSyncInterrupt)
            | (OpenBracket, CloseBracket)
            | (Let, Within)
    )
}

/// Whether an operand is complete after `token`, so that `<` is less-than.
pub(crate) fn ends_operand(token: Token) -> bool {
    use Token::*;
    matches!(
        token,
        Identifier(_)
            | Int
            | Char(_)
            | String
            | Wildcard
            | True
            | False
            | CloseParen
            | CloseBrace
            | CloseProductions
            | CloseMap
            | CloseRename
            | CloseSequence
            | EmptySequence
            | Broken
    )
}

/// Whether line breaks before `token` mean nothing: what cannot start a declaration.
pub(crate) fn absorbs_before(token: Token) -> bool {
    use Token::*;
    match token {
        Int | Char(_) | String | True | False | Wildcard => true,
        And | Or | Not | NotAssertion | If | Then | Else | Let | Within => true,
        // `>` may end a sequence, and so a declaration: after it a line break counts.
        Greater | CloseSequence | Colon | HasType => true,
        Property(_) | HasTrace(_) | Symmetric => true,
        TauPriority | PartialOrder | SymmetryReduce | ForAll => true,
        token => is_closer(token) || is_joining(token),
    }
}

/// Whether line breaks after `token` mean nothing: what cannot end a declaration.
pub(crate) fn absorbs_after(token: Token) -> bool {
    use Token::*;
    match token {
        And | Or | Not | NotAssertion | If | Then | Else | Let | Within => true,
        // `<`, `-` and `#` may begin an expression, so before them a line break counts.
        Less | OpenSequence | Minus | Length | Colon | HasType | Newline => true,
        CloseShared | CloseException | CloseSync | CloseSyncInterrupt | CloseBracket => true,
        HasTrace(_) | TauPriority | ForAll => true,
        Channel | Datatype | Subtype | Nametype | External | Transparent | Assert | Module
        | Instance | Timed => true,
        token => is_opener(token) || is_joining(token),
    }
}

/// Symbols that swallow line breaks on both sides.
fn is_joining(token: Token) -> bool {
    use Token::*;
    matches!(
        token,
        ExternalChoice
            | InternalChoice
            | Interleave
            | Interrupt
            | Arrow
            | SlidingChoice
            | Parallel
            | Semicolon
            | Guard
            | Project
            | Equal
            | NotEqual
            | LessEqual
            | GreaterEqual
            | Comma
            | DotDot
            | Dot
            | Question
            | Exclamation
            | Dollar
            | From
            | Tie
            | Maps
            | MapsStar
            | Both
            | Assign
            | At
            | Backslash
            | Plus
            | Times
            | Divide
            | Modulo
            | Concat
            | Bar
            | Refines(_)
            | OpenRename
            | OpenShared
            | OpenSync
            | OpenSyncInterrupt
            | OpenBracket
    )
}
