//! Options of every subcommand that compiles processes; `machine` has no others of this kind.

use std::num::NonZeroUsize;

use clap::Args;

use base::threads::{STACK_BYTES, Threads};
use checker::Options;

use super::super::memory::Memory;
use super::Common;

/// The options by which processes are compiled.
#[derive(Args, Debug)]
pub struct Compiling {
    /// Stop where one sequential component has more states than this, or a process that is listed
    /// as a whole: for a compression, or as a specification [default: 1000000 for a component, and
    /// as many as fit into memory for a process]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64))]
    pub(crate) max_leaf_states: Option<u64>,
    /// Search, and minimise components, with this many threads; results are the same for any number
    /// [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Do not minimise the components by strong bisimulation
    #[arg(long)]
    pub(crate) no_minimise: bool,
    #[command(flatten)]
    pub common: Common,
}

impl Compiling {
    /// The options of questions. The limits on memory are those of `memory`.
    pub fn options(&self, memory: &Memory) -> Options {
        let options = self.common.options(memory);
        let threads = self
            .threads
            .map(|count| Threads::new(count).with_stack(memory.stack_bytes(STACK_BYTES)));
        Options {
            max_leaf_states: self.max_leaf_states,
            threads: threads.unwrap_or_else(|| options.threads.clone()),
            minimise: !self.no_minimise,
            ..options
        }
    }
}
