//! Looking at a process: walking it step by step, and seeing who does what, who waits for whom,
//! and what a specification would allow.
//!
//! A walk follows the operational semantics of terms, as replaying a counterexample does. No
//! machine is compiled and nothing is searched, so that systems of any size open at once. A machine
//! is needed only to say with what a process comes to rest that does much by itself (`rest`), and
//! what symmetries do to a state: `terms` reads states of the machine as terms.

pub mod allowed;
pub mod orbit;
pub mod rest;
pub mod terms;
pub mod walk;
pub mod why;

#[cfg(test)]
mod tests;
