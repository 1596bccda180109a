//! Looking at a process: a walk step by step, the components that act and those that wait for
//! others, and the events that a specification would allow.

#![doc = include_str!("README.md")]

pub mod allowed;
pub mod orbit;
pub mod rest;
pub mod terms;
pub mod walk;
pub mod why;

#[cfg(test)]
mod tests;
