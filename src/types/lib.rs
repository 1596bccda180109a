//! The meaning of names: scopes, modules, arities, duplicate definitions.

#![doc = include_str!("README.md")]

pub mod builtin;
pub mod occurrences;
pub mod resolve;
pub mod resolved;
pub mod scope;

mod body;
mod declare;
mod expression;
mod free;
mod instances;
mod members;
mod modules;
mod names;
mod pattern;
mod processes;
mod record;
mod resolver;
mod timed;
mod unknown;

#[cfg(test)]
mod tests;
