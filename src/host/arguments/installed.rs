//! The arguments of `completions` and `man`, by which an installed program is made known to shells
//! and to `man`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
pub use clap_complete::Shell;

/// `completions SHELL`
#[derive(Args, Debug)]
pub struct CompletionsCall {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: Shell,
    /// Complete the calls of a program of this name
    #[arg(long, value_enum, value_name = "NAME", default_value_t = ProgramName::Cspsym)]
    pub program: ProgramName,
}

/// `--program` of `completions`
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProgramName {
    /// This program
    Cspsym,
    /// The same one under the name that scripts for FDR4 call
    Refines,
}

/// `man [SUBCOMMAND]...`
#[derive(Args, Debug)]
pub struct ManCall {
    /// The subcommand, such as check, or lab check; without it, the page is that of the program
    #[arg(value_name = "SUBCOMMAND", conflicts_with = "into")]
    pub subcommand: Vec<String>,
    /// Write all pages into the folder DIR, which is made if there is none
    #[arg(long, value_name = "DIR")]
    pub into: Option<PathBuf>,
}
