//! Plain data that a person or a program reads, and its renderers. Nothing here computes a verdict.

#![doc = include_str!("README.md")]

pub mod allowed;
#[cfg(feature = "cli")]
pub mod api;
pub mod assertion;
pub mod breaking;
pub mod channels;
pub mod components;
pub mod dot;
pub mod drawing;
mod events;
pub mod explanation;
pub mod for_all;
pub mod game;
pub mod graph;
pub mod json;
pub mod lab;
pub mod machine;
pub mod message;
pub mod node;
pub mod orbit;
#[cfg(feature = "cli")]
pub mod page;
pub mod profile;
#[cfg(feature = "cli")]
pub mod schema;
pub mod symmetry;
pub mod text;
pub mod transitions;
pub mod twisted;
pub mod value;
pub mod views;
pub mod violation;
pub mod walk;
