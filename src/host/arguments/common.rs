//! Options of every subcommand that reads a script.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use base::threads::{STACK_BYTES, Threads};
use checker::{Definition, Options};
use process::termination::Termination;

use super::super::memory::Memory;
use super::values::{definition, folder, seconds, size};

/// Options of every subcommand that reads a script.
#[derive(Args, Debug)]
pub struct Common {
    /// Replace the top-level constant NAME by the expression EXPR; may be repeated
    #[arg(short = 'D', value_name = "NAME=EXPR", value_parser = definition)]
    pub definitions: Vec<Definition>,
    /// What ✓ is: an event like any other, as in FDR, so that a process that has terminated is
    /// deadlocked (event); or, as in Roscoe's books, a signal, so that a process that can terminate
    /// may refuse everything else (signal)
    #[arg(long, value_enum, value_name = "event|signal", default_value_t = TerminationWish::Event, hide_possible_values = true)]
    pub(crate) termination: TerminationWish,
    /// End the run after this time, counted from the start of the program
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Stop an assertion that needs more memory than this, in bytes or as 512M, 4G or 1.5G, in
    /// powers of 1024 [default: four fifths of what the machine or its container has]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory_limit: Option<u64>,
    /// Show on standard error how far long work is; auto: if that is a terminal
    #[arg(long, value_enum, value_name = "on|off|auto", default_value_t = ProgressWish::Auto, hide_possible_values = true)]
    pub progress: ProgressWish,
    /// Include no file from outside the folder DIR, by whatever links: a message shows lines of the
    /// files that it is about
    #[arg(long, value_name = "DIR", value_parser = folder)]
    pub include_root: Option<PathBuf>,
}

/// `--termination`
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TerminationWish {
    /// Hoare's, and FDR's
    Event,
    /// Roscoe's
    Signal,
}

/// `--progress`
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProgressWish {
    /// Always
    On,
    /// Never
    Off,
    /// Where it makes sense
    Auto,
}

impl Common {
    /// The options of questions. The limits on memory are those of `memory`.
    pub fn options(&self, memory: &Memory) -> Options {
        Options {
            termination: match self.termination {
                TerminationWish::Event => Termination::Event,
                TerminationWish::Signal => Termination::Signal,
            },
            threads: Threads::available().with_stack(memory.stack_bytes(STACK_BYTES)),
            ..Options::default()
        }
    }
}
