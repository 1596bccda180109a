//! Decides questions for every number of identities, by views that are closed under steps.

#![doc = include_str!("README.md")]

mod alphabet;
mod arrangement;
mod certain;
mod chain;
mod closure;
mod comparison;
mod evaluation_place;
mod expression;
mod frames;
mod guess;
mod identities;
mod instance;
mod interpreter;
mod line;
mod listing;
mod member;
mod merge;
mod met;
mod model;
mod newcomer;
mod oracle;
mod parameter;
mod pattern;
mod priority;
mod process;
mod ring;
pub mod scene;
mod second_look;
mod sets;
mod show;
mod tree;
mod uniform;
mod value;
mod variables;
mod walk;

pub use chain::{Chain, chains};
pub use closure::{ClosedViews, Finding, Views, close};
pub use listing::{ListedProcess, ViewListing};
pub use parameter::{IndexSet, IndexSetMembers};
pub use scene::FamilyQuestion;
pub use walk::{InstanceWalk, NotWalked};
