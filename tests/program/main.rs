//! The program as a whole: its output and its ends, and its behaviour with files, limits, editors
//! and other processes.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a test may fail by panicking, and says how a long run went"
)]

#[path = "../harness/mod.rs"]
mod harness;

mod bad_input;
mod cache;
mod checks;
mod cluster;
mod cluster_network;
mod compressed_scripts;
mod conversation;
mod counts;
mod debugger;
mod explanations;
mod exports;
mod fixes;
mod for_all_ways;
mod formatting;
mod jobs;
mod labs;
mod language_server;
mod limits;
mod mcp;
mod messages;
mod option_pairs;
mod orders;
mod pipelines;
mod readme;
mod refines;
mod reports;
mod requests;
mod schema;
mod scripts;
mod shells;
mod spill;
mod streams;
mod threads;
mod transcripts;
mod twists;
mod types;
mod wreath_products;
