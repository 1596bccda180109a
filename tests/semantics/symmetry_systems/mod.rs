//! Random symmetric systems, as CSPm and as plain transition systems, with the expected results of
//! searches.
//!
//! A [`system::System`] is a tree of operators over component templates with identities in their
//! events. It is written as a script, and it is expanded to a [`tree::Tree`], a direct and slow
//! semantics of its own that knows no machine, no rules and no packed states. [`expectation`]
//! searches the tree, with and without symmetry.

pub(crate) mod alphabet;
pub(crate) mod case;
pub(crate) mod dice;
pub(crate) mod expectation;
pub(crate) mod families;
pub(crate) mod lts;
pub(crate) mod node;
pub(crate) mod operators;
pub(crate) mod pattern;
pub(crate) mod restrictions;
pub(crate) mod specifications;
pub(crate) mod system;
pub(crate) mod template;
pub(crate) mod tree;
