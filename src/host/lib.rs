//! The parts that all subcommands share: arguments, files, limits, the terminal, exit statuses.

#![doc = include_str!("README.md")]
#![cfg_attr(
    target_family = "wasm",
    allow(dead_code, reason = "the server and signals are left out there")
)]

pub mod allocator;
pub mod answer;
pub mod arguments;
pub mod chapters;
pub mod clock;
pub mod complaint;
pub mod console;
pub mod fault;
pub mod files;
pub mod framing;
pub mod limits;
pub mod load;
pub mod memory;
pub mod monitor;
pub mod named;
pub mod outcome;
pub mod output;
pub mod playing;
pub mod progress;
pub mod remaining;
pub mod selection;
pub mod shell;
pub mod spill;
pub mod status;
pub mod whole;
mod windows_1252;
