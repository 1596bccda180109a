//! Options by which several processes search together.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::super::files::STANDARD_INPUT;
use super::values::seconds;

/// The other processes that a call searches with. `cspsym help cluster` is the chapter about them.
#[derive(Args, Debug)]
pub struct ClusterArguments {
    /// Search in N processes on this machine, each of which keeps a share of the states (see cspsym
    /// help cluster)
    #[arg(long, value_name = "N", conflicts_with = "hosts", value_parser = clap::value_parser!(u64).range(1..=256))]
    pub processes: Option<u64>,
    /// Search together with a call of cspsym on each of the hosts that FILE lists, as `host:port`,
    /// one a line
    #[arg(long, value_name = "FILE", requires = "process")]
    pub hosts: Option<PathBuf>,
    /// Which line of the list is this call, counted from 0; process 0 prints the results
    #[arg(long, value_name = "I", requires = "hosts")]
    pub process: Option<usize>,
    /// A file with a secret that all these calls are given, and nobody else; without it, it is in
    /// the environment variable CSPSYM_SECRET
    #[arg(long, value_name = "FILE", requires = "hosts")]
    pub secret: Option<PathBuf>,
    /// How long the calls wait until all of them are there [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, requires = "hosts")]
    pub wait: Option<Duration>,
    /// For how long another process may be silent, for tests
    #[arg(long, value_name = "SECONDS", value_parser = seconds, hide = true)]
    pub patience: Option<Duration>,
    /// This call was started by another, as this process of `--processes`
    #[arg(long, value_name = "I", requires = "processes", hide = true)]
    pub member: Option<usize>,
}

impl ClusterArguments {
    /// The number of this process in its cluster, or `None` if it searches alone.
    pub(crate) fn number(&self) -> Option<usize> {
        let first = self.processes.map(|_| 0);
        self.process.or(self.member).or(first)
    }

    /// True if another process prints the results.
    pub fn is_silent(&self) -> bool {
        self.number() > Some(0)
    }

    /// The reason why these options make no sense together, or with the scripts `files`.
    pub(super) fn contradiction(&self, files: &[String]) -> Option<&'static str> {
        let reads_input = files.iter().any(|file| file == STANDARD_INPUT);
        (reads_input && self.processes.is_some()).then_some(
            "with `--processes` the script has to be a file: each process reads it for itself",
        )
    }

    /// The number of processes that share this machine, as far as this call knows.
    pub fn on_this_machine(&self) -> usize {
        let processes = self.processes.and_then(|count| usize::try_from(count).ok());
        processes.unwrap_or(1)
    }
}
