//! Kinds of tokens: brackets, tokens that end an operand, tokens that absorb line breaks.

use super::tokens::Token;

/// The name that messages use for the bracket, word or symbol `token`, whose text is `text`.
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

/// True if an operand is complete after `token`, so that `<` is less-than.
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

/// True if `token` cannot start a declaration, so that line breaks before it mean nothing.
pub(crate) fn absorbs_before(token: Token) -> bool {
    use Token::*;
    match token {
        Int | Char(_) | String | True | False | Wildcard => true,
        And | Or | Not | NotAssertion | If | Then | Else | Let | Within => true,
        // `>` may end a sequence, and so a declaration: after it a line break counts.
        Greater | CloseSequence | Colon | HasType => true,
        Property(_) | HasTrace(_) | Symmetric(_) => true,
        TauPriority | PartialOrder | SymmetryReduce | ForAll => true,
        token => is_closer(token) || is_joining(token),
    }
}

/// True if `token` cannot end a declaration, so that line breaks after it mean nothing.
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

/// True for symbols that absorb line breaks on both sides.
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
