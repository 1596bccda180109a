//! Text to abstract syntax: tokens, layout, grammar, printer.

#![doc = include_str!("README.md")]

pub mod ast;
pub mod aut;

mod property;
pub mod tokens;

/// AFTER THIS POINT: declarations are apart, brackets match, `<` and `>` are decided.
mod classes;
mod layout;

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, clippy::unwrap_used, missing_docs, unreachable_pub, unused)]
    #[rustfmt::skip]
    grammar,
    "/grammar.rs"
);

/// The functions that the grammar calls.
mod builder;

/// Rows of operators to trees.
/// AFTER THIS POINT: no binding strength is left to decide.
mod chain;
mod fixup;

mod assertion;
mod members;
mod pattern;
mod unread;

/// Hints for habits from other languages and from textbooks.
mod habits;
/// Syntax errors in plain words.
mod messages;
mod notation;

/// Files, includes, modules.
/// AFTER THIS POINT: the script is one [`ast::Ast`].
pub mod parser;

/// Transition systems that are imported.
mod imports;

/// The direct children of nodes.
pub mod children;

/// Back to text.
pub mod print;

/// The layout of a text with its comments, as the printer would write it.
pub mod format;
/// Words, signs and comments, as they stand in the text.
pub mod lexemes;

pub use habits::DECLARATIONS;
pub use parser::{
    Loader, NoIncludes, NotIncluded, parse_assertion, parse_expression, parse_script,
};
pub use print::{assertion_text, expression_text, pattern_text, script_text};
pub use unread::UnreadParts;

#[cfg(test)]
mod tests;
