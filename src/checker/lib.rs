//! Scripts and questions about them: the one place where the stages are called in order.

#![doc = include_str!("README.md")]

mod additions;
mod apart;
mod asking;
mod breaking;
mod checks;
mod claim_verdict;
mod compiled;
mod counterexample;
mod decide;
mod decision;
mod describe_channels;
mod describe_machine;
mod describe_symmetry;
mod determinism;
mod error;
mod for_all;
mod graph;
mod identity;
mod leaf;
mod leaf_states;
mod leaf_transitions;
mod mistakes;
mod moved_walk;
mod mutations;
mod nodes;
mod options;
mod orbit_graph;
mod orbit_types;
mod orbits;
mod own_checks;
mod parts;
mod portfolio;
mod printing;
mod product;
mod profile;
mod progress;
mod question;
mod read;
mod reduce;
mod reduction;
mod refinement_game;
mod remarks;
mod representatives;
mod script;
mod several;
mod specification;
mod starts;
mod storage;
mod symmetric;
mod symmetries;
mod task;
mod twisted;
mod walk_found;
mod walk_parts;
mod walk_start;
mod walk_symmetry;
mod walker;
mod warnings;

pub use breaking::{ChangedScript, SymmetryComparison};
pub use checks::Checks;
pub use error::Error;
pub use graph::GraphOptions;
pub use mutations::Mutation;
pub use nodes::ProcessNodes;
pub use options::{
    Definition, ForAll, Options, PATIENT_LEAF_STATES, PartialOrder, Storage, Strategy, Symmetries,
};
pub use own_checks::OwnChecks;
pub use printing::Printing;
pub use progress::{Progress, Work};
pub use refinement_game::{GameQuestion, RefinementGame};
pub use script::{Answer, EvaluatedText, Script, Subject};
pub use task::Task;
pub use walker::{WalkSubject, Walker};

pub use apart::apart_from_unread;
pub use identity::texts;
pub use mistakes::{Separate, of_all, of_the_rest};
pub use read::joined;
pub use warnings::of_assertion;
