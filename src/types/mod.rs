//! What names mean: scopes, modules, arities, duplicate definitions.

pub mod builtin;
pub mod resolve;
pub mod resolved;

mod body;
mod declare;
mod expression;
mod free;
mod instances;
mod modules;
mod names;
mod pattern;
mod processes;
mod scope;
mod timed;

#[cfg(test)]
mod tests;
