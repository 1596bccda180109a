//! The meaning of verdicts: oracles, laws, and random systems against the definitions.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may fail by panicking, and says how a long run went"
)]

#[allow(
    dead_code,
    unused_imports,
    reason = "the tests of the program need more of it"
)]
#[path = "../harness/mod.rs"]
mod harness;

// Oracles, which know nothing of the program.
#[path = "oracle/denotation.rs"]
mod denotation;
#[path = "oracle/observations.rs"]
mod observations;
mod oracle;
#[path = "oracle/remainder.rs"]
mod remainder;
#[path = "oracle/steps.rs"]
mod steps;
#[path = "oracle/verdicts.rs"]
mod verdicts;

// Random systems.
mod generate;
mod instances;
mod meaning;
mod program;
mod random;
mod symmetry_systems;
mod symmetry_worlds;
mod text;
mod translate;

mod chains;
mod compressions;
mod dijkstra;
mod equal_images;
mod every_n;
mod every_n_families;
mod games;
mod graphs;
mod laws;
mod library;
mod listing;
mod nodes;
mod oracle_denotations;
mod oracle_failures;
mod oracle_observations;
mod oracle_traces;
mod orbits;
mod orbits_of_terms;
mod partial_order;
mod proofs;
mod symmetry_failures;
mod symmetry_priorities;
mod symmetry_random;
mod symmetry_shapes;
mod walks;
mod watchdogs;
