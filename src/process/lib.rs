//! Process terms and their operational semantics.

#![doc = include_str!("README.md")]

pub mod acceptance;
pub mod build;
pub mod compression;
pub mod event;
pub mod growth;
pub mod imported;
pub mod listing;
pub mod observation;
pub mod operator;
pub mod outermost;
pub mod priority;
pub mod recursion;
pub mod runs;
pub mod semantics;
pub mod table;
pub mod term;
pub mod termination;
pub mod trial;
pub mod values;
pub mod watchdog;
