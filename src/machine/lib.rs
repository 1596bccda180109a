//! Compiles process terms to structured machines: an operator tree over small explicit leaves,
//! which is flattened into a fixed set of synchronisation rules.

#![doc = include_str!("README.md")]

mod budget;
mod builder;
pub mod chase;
mod compile;
mod components;
mod controller;
mod copies;
pub mod expand;
pub mod explicit;
mod flatten;
mod gates;
mod graphs;
mod idle;
pub mod interference;
mod joint;
pub mod leaf;
mod met;
mod one_leaf;
pub mod packing;
pub mod priority;
pub mod rule_sets;
pub mod rules;
pub mod skeleton;
mod structure;
pub mod successors;
pub mod text;
pub mod together;
pub mod tree;
pub mod unjoined;

pub use compile::{CompileOptions, ProcessView, compile, compile_observed, compile_slim};
pub use components::{may_have_normal_components, with_component, with_normal_components};
pub use graphs::LeafGraphs;
pub use idle::{IdleCompressions, SlimProcess};
pub use structure::{LeafId, Machine, RuleId, Taus};

#[cfg(test)]
pub(crate) mod tests;
