//! Options by which several scripts are checked at once.

use std::num::NonZeroUsize;
use std::time::Duration;

use clap::Args;
use serde::{Deserialize, Serialize};

use base::threads::Threads;

use super::super::files::STANDARD_INPUT;
use super::CheckCall;

/// The scripts that are checked at once.
#[derive(Args, Debug, Default)]
pub struct JobsWish {
    /// Check N scripts at a time, each in a process of its own, with its share of processors and
    /// memory; 0: as many as there are processors. What is printed is the same, in the same order
    #[arg(long, value_name = "N", display_order = 5, conflicts_with_all = ["processes", "hosts", "spill", "resume"])]
    jobs: Option<usize>,
    /// This call was started by another, for one script of `--jobs`, which it is told of on
    /// standard input
    #[arg(long, hide = true)]
    pub job: bool,
    /// What this call was told to do.
    #[arg(skip)]
    pub order: Option<JobOrder>,
}

/// The work of a process that checks one script of several.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JobOrder {
    /// The script.
    pub script: String,
    /// The time until the run ends.
    pub left: Option<Duration>,
    /// The bytes of memory that the process may take.
    pub memory: Option<u64>,
    /// The threads that it has, unless the call says how many.
    pub threads: NonZeroUsize,
}

impl JobsWish {
    /// The number of these scripts that are checked at once.
    pub fn count(&self, scripts: &[String]) -> usize {
        let wanted = match self.jobs {
            Some(0) => Threads::available().count(),
            wanted => wanted.unwrap_or(1),
        };
        // Standard input can be read once, by this call alone.
        let files = scripts.iter().filter(|name| *name != STANDARD_INPUT);
        match files.count() {
            0 | 1 => 1,
            files => wanted.min(files),
        }
    }
}

impl CheckCall {
    /// Makes this the call for the script of `order`.
    pub fn take(&mut self, order: JobOrder) {
        self.files = vec![order.script.clone()];
        let compiling = &mut self.checking.deciding.reducing.compiling;
        compiling.common.timeout = order.left;
        compiling.threads.get_or_insert(order.threads);
        self.jobs.order = Some(order);
    }
}
