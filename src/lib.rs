//! cspsym: a CSP refinement checker that reads CSPm and exploits symmetry.
//!
//! The modules below are the stages, in the order of the data flow; each imports only those above it.

/// Typed indices, interning. Knows nothing of CSP.
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
/// Hash-consed process terms over opaque named calls, and their operational semantics.
pub mod process;
/// Explicit transition systems of terms: exploration, strong bisimulation, normal form.
pub mod lts;
/// Process terms to structured machines: operator tree, leaves, rules, packed successors.
/// AFTER THIS STAGE: a state is a fixed vector of leaf states; no term is left to unfold.
pub mod machine;
/// Refinement checking by breadth-first search of specification and machine side by side.
pub mod refine;
/// From a path of the search to a counterexample, replayed by code that shares nothing with it.
pub mod witness;
