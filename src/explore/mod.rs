//! Looking at a process: walking it step by step, and seeing who does what, who waits for whom,
//! and what a specification would allow.
//!
//! All of it follows the operational semantics of terms, as replaying a counterexample does. No
//! machine is compiled and nothing is searched, so that systems of any size open at once.

pub mod allowed;
pub mod walk;
pub mod why;

#[cfg(test)]
mod tests;
