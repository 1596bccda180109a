//! Options of `refines`, which are those of FDR4's program of this name.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, ValueEnum};

use checker::Options;

use super::super::memory::Memory;
use super::Deciding;

/// `refines FILE...`
#[derive(Args, Debug)]
pub struct RefinesCall {
    /// The scripts, or archives of scripts, whose assertions are decided; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// How results are printed: as text, with colours or without; as one JSON document for each
    /// script; or as one in a line for each assertion, as soon as it is decided [default: text,
    /// with colours on a terminal]
    #[arg(long, aliases = ["f", "fo"], value_enum, value_name = "FORMAT", hide_possible_values = true)]
    pub format: Option<RefinesFormat>,
    /// Print one line for each assertion
    #[arg(long)]
    pub brief: bool,
    /// Print no progress, no warnings, and not how a verdict came about
    #[arg(long)]
    pub quiet: bool,
    /// Only report what is wrong with the scripts, on standard error; the exit status tells
    #[arg(long, alias = "t")]
    pub typecheck: bool,
    /// Show internal steps in counterexamples
    #[arg(long)]
    pub reveal_taus: bool,
    /// Show the behaviour of each component below that of the whole
    #[arg(long, short)]
    pub divide: bool,
    /// Check nothing: save the script with all that it includes in the file OUT, which can be given
    /// in place of the script then
    #[arg(long, aliases = ["a", "ar"], value_name = "OUT")]
    pub archive: Option<PathBuf>,
    /// Look for up to N different counterexamples of an assertion
    #[arg(
        long = "refinement-desired-counterexample-count",
        value_name = "N",
        default_value_t = 1
    )]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    counterexamples: u64,
    /// Refused: this program runs on the machine on which it is called
    #[arg(long, value_name = "HOST", hide = true)]
    remote: Option<String>,
    #[command(flatten)]
    tuning: TuningOptions,
    #[command(flatten, next_help_heading = "Options of cspsym")]
    pub deciding: Deciding,
}

/// `--format` of `refines`
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[value(rename_all = "snake_case")]
pub enum RefinesFormat {
    Plain,
    #[value(alias = "color")]
    Colour,
    Json,
    FramedJson,
    #[value(hide = true)]
    Xml,
    #[value(hide = true)]
    Yaml,
}

/// Options of FDR that change how it works and not what it finds: they are accepted and have no
/// effect.
#[derive(Debug)]
struct TuningOptions;

/// The names of these options. Each has a value.
const TUNING: &[&str] = &[
    "compiler-leaf-compression",
    "compiler-recursive-high-level",
    "compiler-reuse-machines",
    "cspm-evaluator-heap-size",
    "cspm-evaluator-record-stack-traces",
    "cspm-profiling-active",
    "gui-close-windows-on-load",
    "gui-console-history-length",
    "refinement-bfs-workers",
    "refinement-cluster-homogeneous",
    "refinement-explorer-storage-type",
    "refinement-storage-compressor",
    "refinement-storage-file-cache-size",
    "refinement-storage-file-checksum",
    "refinement-storage-file-compressor",
    "refinement-storage-file-path",
    "refinement-track-history",
];

impl Args for TuningOptions {
    fn augment_args(command: Command) -> Command {
        let options = TUNING.iter();
        options.fold(command, |command, name| {
            command.arg(Arg::new(*name).long(*name).value_name("VALUE").hide(true))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for TuningOptions {
    fn from_arg_matches(_: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self)
    }

    fn update_from_arg_matches(&mut self, _: &ArgMatches) -> Result<(), clap::Error> {
        Ok(())
    }
}

impl RefinesCall {
    /// The options of questions. The limits on memory are those of `memory`.
    pub fn options(&self, memory: &Memory) -> Options {
        Options {
            counterexamples: usize::try_from(self.counterexamples).unwrap_or(usize::MAX),
            ..self.deciding.options(memory)
        }
    }

    /// The option that this program does not support, with what to do instead.
    pub fn unsupported(&self) -> Option<(&'static str, &'static str)> {
        const SAME: &str = "`--format json` says the same";
        match self.format {
            _ if self.remote.is_some() => Some((
                "--remote",
                "make an archive with `--archive`, and call the program where it is to run",
            )),
            Some(RefinesFormat::Xml) => Some(("--format xml", SAME)),
            Some(RefinesFormat::Yaml) => Some(("--format yaml", SAME)),
            _ => None,
        }
    }
}
