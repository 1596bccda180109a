//! Text to abstract syntax: tokens, layout, grammar, printer.

pub mod ast;
