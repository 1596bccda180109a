//! Looking at a process: walking it step by step, and seeing who does what, who waits for whom,
//! and what a specification would allow.

#![doc = include_str!("README.md")]

pub mod allowed;
pub mod orbit;
pub mod rest;
pub mod terms;
pub mod walk;
pub mod why;

#[cfg(test)]
mod tests;
