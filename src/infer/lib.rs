//! Types of expressions: Hindley–Milner inference with dotted types.

#![doc = include_str!("README.md")]

mod annotated;
mod annotation;
mod assertion;
mod builtin;
mod check;
mod communication;
mod comparison;
pub mod constraint;
mod datatype;
mod declaration;
mod dots;
mod environment;
mod expression;
pub mod frames;
mod function;
mod group;
mod inference;
mod kind;
pub mod mismatch;
mod module;
mod nodes;
mod pattern;
mod problems;
mod process;
mod processes;
mod reason;
mod require;
pub mod scheme;
mod script;
mod sharing;
mod single;
pub mod text;
mod trail;
mod traps;
pub mod types;
mod typing;
mod unify;
mod walks;

#[cfg(test)]
mod tests;

use self::inference::Inference;
use self::scheme::Generality;
use self::types::{Type, Types};
use ::types::resolved::Resolved;
use base::diag::Diagnostic;
use base::index::IndexVec;
use syntax::ast::{Ast, ExprId, PatternId};

pub use self::builtin::signature;
pub use self::inference::Declared;

/// The types of a script.
pub struct Typed {
    /// The type of each expression; `None` where a mistake prevented it.
    pub expressions: IndexVec<ExprId, Option<Type>>,
    /// The type of each pattern that is a name.
    pub patterns: IndexVec<PatternId, Option<Type>>,
    /// All names that declarations introduce.
    pub declared: Vec<Declared>,
    /// The structure of the types.
    pub types: Types,
}

/// The type of every expression of `ast` and of `expressions`, which stand at the top level of the
/// script without being part of it; and the messages. Of mistakes that depend on each other, only
/// one is reported.
pub fn infer(ast: &Ast, resolved: &Resolved, expressions: &[ExprId]) -> (Typed, Vec<Diagnostic>) {
    let mut inference = Inference::new(ast, resolved);
    inference.declarations(&ast.script, Generality::MostGeneral);
    for &expression in expressions {
        inference.expression(expression);
    }
    let typed = Typed {
        expressions: inference.expressions,
        patterns: inference.patterns,
        declared: inference.declared,
        types: inference.types,
    };
    (typed, inference.problems.in_order())
}
