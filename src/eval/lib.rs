//! Evaluation: from the resolved script to values and process terms.

#![doc = include_str!("README.md")]

mod apply;
mod atom;
mod atoms;
mod builtin;
mod builtin_process;
mod builtin_relation;
mod builtin_sequence;
mod builtin_set;
mod call_table;
mod calls;
mod claim;
mod collection;
mod computation;
mod cycles;
mod declare;
mod declared;
mod definition;
mod delay;
mod dot;
mod dotted;
mod dotted_pattern;
mod environment;
mod evaluator;
mod event;
mod event_fields;
mod event_values;
mod events;
mod expression;
mod field;
mod force;
mod imported;
mod inference;
mod instance;
mod item;
mod kind;
mod listing;
mod member;
mod name_table;
mod names;
mod operator;
mod pattern;
mod pattern_shape;
pub mod permute;
mod plain;
mod prefix;
mod priority;
mod process;
mod quantify;
mod script;
mod sequence;
mod set;
mod set_algebra;
mod set_relation;
mod show;
mod statement;
mod timed;
mod typed;
mod value;
mod within;
mod work;

pub use atoms::refusal::NOT_AN_ATOM;
pub use atoms::table::AtomType;
pub use evaluator::Evaluator;
pub use event_fields::EventField;
pub use event_values::FreeValues;
pub use plain::{PlainCall, PlainCode, PlainMember, PlainValue};
pub use script::ResolvedScript;
pub use set::Set;
pub use value::Value;

#[cfg(test)]
mod tests;
