//! Options of `check` and `refine`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use base::threads::{STACK_BYTES, Threads};
use checker::{ForAll, Options};
use report::text::Detail;

use super::super::memory::Memory;
use super::super::spill::StorageArguments;
use super::values::seconds;
use super::{ClusterArguments, Common, Deciding, Format};

/// The options by which assertions are decided one after the other, and told of.
#[derive(Args, Debug)]
pub struct Checking {
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Add to each counterexample a table of what every component did in it, was at each step and
    /// can do next, those inside compressions too, and of what the specification allowed; and who
    /// waits for whom, where the process comes to rest
    #[arg(long)]
    pub explain: bool,
    #[command(flatten)]
    several: SeveralWish,
    /// Decide each assertion for every value from 1 on of the constant N, which is the number of
    /// identities: by small instances, and then by views of a few of them, or by induction over the
    /// links of a chain; `N >= 2` for every value from 2 on (see cspsym help every-n)
    #[arg(long, value_name = "N")]
    for_all: Option<ForAll>,
    /// Keep verdicts in the folder DIR, and take from there those of an earlier run with the same
    /// texts, options and program: only what has changed is decided anew (see cspsym help
    /// command-line)
    #[arg(long, value_name = "DIR", conflicts_with_all = ["processes", "hosts"])]
    pub cache: Option<PathBuf>,
    #[command(flatten)]
    pub storage: StorageArguments,
    #[command(flatten)]
    pub cluster: ClusterArguments,
    /// Print all numbers of each check
    #[arg(long)]
    stats: bool,
    /// Say of each check how much time, how many states and how much memory went into which
    /// component, compression and search
    #[arg(long, conflicts_with = "quiet")]
    profile: bool,
    /// Print one line for each assertion that does not hold, and nothing else
    #[arg(long, conflicts_with = "stats")]
    pub quiet: bool,
    /// Stop an assertion that takes longer than this, and decide the next; the same of the value of
    /// a `print` declaration
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout_each: Option<Duration>,
    #[command(flatten)]
    pub(crate) deciding: Deciding,
}

/// The option for several counterexamples.
#[derive(Args, Debug)]
pub(super) struct SeveralWish {
    /// Look for up to N different counterexamples of an assertion: those that differ in the event
    /// that is not allowed or in the components that do it, in what is offered at rest, of a
    /// deadlock in what each component could do but for others, or in that one is a divergence;
    /// each is as short as a counterexample is (see below)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    counterexamples: u64,
}

impl SeveralWish {
    /// The number of counterexamples that are looked for.
    pub(super) fn count(&self) -> usize {
        usize::try_from(self.counterexamples).unwrap_or(usize::MAX)
    }
}

impl Checking {
    /// The options that all subcommands which read a script share.
    pub fn common(&self) -> &Common {
        self.deciding.common()
    }

    /// The options of questions. The limits on memory are those of `memory`.
    pub fn options(&self, memory: &Memory) -> Options {
        let options = self.deciding.options(memory);
        Options {
            threads: self.shared_threads(memory).unwrap_or(options.threads),
            count_orbits: self.stats,
            profile: self.profile,
            explain: self.explain,
            counterexamples: self.several.count(),
            for_all: self.for_all.clone(),
            memory_limit: memory.report().filter(|_| self.stats),
            ..options
        }
    }

    /// The threads of this call where `--threads` is not given and several processes share the
    /// machine: they share its processors, too.
    fn shared_threads(&self, memory: &Memory) -> Option<Threads> {
        self.cluster.processes?;
        if self.deciding.reducing.compiling.threads.is_some() {
            return None;
        }
        let all = Threads::available().count();
        let share = NonZeroUsize::new(all / self.cluster.on_this_machine());
        let share = Threads::new(share.unwrap_or(NonZeroUsize::MIN));
        Some(share.with_stack(memory.stack_bytes(STACK_BYTES)))
    }

    /// The reason why these options make no sense together, or with the scripts `files`. The call
    /// writes a page if `has_page`.
    pub(super) fn contradiction(&self, files: &[String], has_page: bool) -> Option<&'static str> {
        let shared = self.cluster.contradiction(files);
        if shared.is_some() || !self.quiet || self.format == Format::Json || has_page {
            return shared;
        }
        match (self.explain, self.several.counterexamples) {
            (true, _) => Some("`--quiet` prints no counterexample for `--explain` to explain"),
            (false, 1) => None,
            (false, _) => {
                Some("`--quiet` prints no counterexample, whatever `--counterexamples` asks for")
            }
        }
    }

    /// The amount of text to print about each assertion.
    pub(crate) fn detail(&self) -> Detail {
        match (self.quiet, self.stats) {
            (true, _) => Detail::Quiet,
            (false, true) => Detail::Statistics,
            (false, false) => Detail::Normal,
        }
    }
}
