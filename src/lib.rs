//! cspsym: a CSP refinement checker that reads CSPm and exploits symmetry.
//!
//! The modules below are the stages, in the order of the data flow; each imports only those above it.
//! (The empty lines keep the formatter from sorting them by name.)

#![cfg_attr(
    test,
    allow(clippy::unwrap_used, reason = "a test may fail by panicking")
)]

// Some unit tests share files with the integration tests, which call the crate by its name.
#[cfg(test)]
extern crate self as cspsym;

/// Typed indices, interning, stack growth. Knows nothing of CSP.
pub mod base;

/// Files and places in them.
pub mod source;

/// Messages: what went wrong, where, and what to do about it.
pub mod diag;

/// Text to abstract syntax.
/// AFTER THIS STAGE: every node has a span; no layout, no operator precedence is left to decide.
pub mod syntax;

/// Names to what they mean; arities and duplicates.
/// AFTER THIS STAGE: every name has a [`types::resolved::Reference`], every pattern variable a slot.
pub mod types;

/// The type of every expression, or what is wrong with it.
/// AFTER THIS STAGE: no operator meets a value of a type that it does not take.
pub mod infer;

/// Hash-consed process terms over opaque named calls, and their operational semantics.
pub mod process;

/// Values, and process terms of process expressions.
/// AFTER THIS STAGE: no names, no environments; a process is a term whose calls this stage unfolds.
pub mod eval;

/// Explicit transition systems of terms: exploration, strong bisimulation, normal form.
pub mod lts;

/// Structured machines: operator trees over small leaves, flattened into synchronisation rules.
/// AFTER THIS STAGE: no terms; a state is a packed vector of leaf states.
pub mod machine;

/// Permutation bisimulations of machines from algebraic rules, the groups they generate, representatives.
/// AFTER THIS STAGE: every symmetry has been verified against machine and specification.
pub mod symmetry;

/// Is every behaviour of the machine one of the specification? Breadth-first product search.
pub mod refine;

/// From the path a search found to a counterexample that was replayed on the terms themselves.
pub mod witness;

/// Verdicts, machines and values as text, JSON and DOT. Computes nothing.
pub mod report;

/// Arguments to calls. The only stage that reads files, prints, spawns threads of its own and exits.
pub mod cli;
