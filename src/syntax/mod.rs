//! Text to abstract syntax: tokens, layout, grammar, printer.

pub mod ast;
/// Text to tokens.
mod property;
mod tokens;
/// AFTER THIS POINT: declarations are apart, brackets match, `<` and `>` are decided.
mod layout;
/// The actions of the grammar.
mod assertion;
mod builder;
mod members;
mod pattern;
/// AFTER THIS POINT: binding strengths are trees.
mod chain;
mod fixup;
lalrpop_util::lalrpop_mod!(
    #[allow(
        clippy::all,
        clippy::unwrap_used,
        missing_docs,
        unreachable_pub,
        unused,
        let_underscore_drop,
        dead_code
    )]
    #[rustfmt::skip]
    grammar,
    "/syntax/grammar.rs"
);
/// Syntax errors in plain words.
mod messages;
/// Files, includes, modules.
/// AFTER THIS POINT: the script is one [`ast::Ast`].
pub mod parser;
/// Back to text.
pub mod print;
/// Comparison of trees without their places.
pub mod shape;

pub use parser::{Loader, parse_assertion, parse_expression, parse_script};
pub use print::{assertion_text, expression_text, pattern_text, script_text};
pub use shape::same;

#[cfg(test)]
mod tests;
