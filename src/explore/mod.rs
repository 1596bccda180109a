//! Looking at a process: walking it step by step, and seeing who does what, who waits for whom,
//! and what a specification would allow.
//!
//! A walk follows the operational semantics of terms, as replaying a counterexample does. No
//! machine is compiled and nothing is searched, so that systems of any size open at once. Only to
//! say what symmetries do to a state a machine is needed: `terms` reads its states as terms.

pub mod allowed;
pub mod orbit;
pub mod terms;
pub mod walk;
pub mod why;

#[cfg(test)]
mod tests;
