//! Evaluation: from the resolved script to values and process terms.

mod apply;
mod builtin;
mod calls;
mod collection;
mod declare;
mod dot;
mod environment;
mod evaluator;
mod expression;
mod field;
mod instance;
mod operator;
mod pattern;
mod prefix;
mod process;
mod sequence;
mod set;
mod show;
mod statement;
mod timed;
mod value;

pub use evaluator::{Evaluator, Script};
pub use set::Set;
pub use value::Value;

#[cfg(test)]
mod tests;
