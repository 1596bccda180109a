//! Options that every subcommand takes which reads a script.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::base::threads::{STACK_BYTES, Threads};
use crate::checker::{Definition, Options, Symmetries};
use crate::process::termination::Termination;
use crate::report::text::Detail;
use crate::symmetry::choice::{self, RepresentativeKind};
use crate::syntax::ast::ModelName;

use super::super::memory::Memory;
use super::values::{definition, folder, model, seconds, size, symmetry};

/// Options that every subcommand takes which reads a script; one that has no meaning there has no
/// effect.
#[derive(Args, Debug)]
pub(crate) struct Common {
    /// Replace the top-level constant NAME by the expression EXPR; may be repeated
    #[arg(short = 'D', value_name = "NAME=EXPR", value_parser = definition)]
    pub(crate) definitions: Vec<Definition>,
    /// Decide refinements in this model, whatever the script says [T: traces, F: stable failures,
    /// FD: failures and divergences, V: stable revivals, R: refusal testing, VD and RD: these and
    /// divergences]
    #[arg(long, value_name = "MODEL", value_parser = model)]
    pub(crate) model: Option<ModelName>,
    /// What ✓ is: an event like any other, as in FDR, so that a process that has terminated is
    /// deadlocked (event); or, as in Roscoe's books, a signal, so that a process that can terminate
    /// may refuse everything else (signal)
    #[arg(long, value_enum, value_name = "event|signal", default_value_t = TerminationWish::Event, hide_possible_values = true)]
    pub(crate) termination: TerminationWish,
    /// Print all numbers of each check
    #[arg(long)]
    pub(crate) stats: bool,
    /// Say of each check how much time, how many states and how much memory went into which
    /// component, compression and search
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) profile: bool,
    /// Print one line for each assertion that does not hold, and nothing else
    #[arg(long, conflicts_with = "stats")]
    pub(crate) quiet: bool,
    /// End the run after this time, counted from the start of the program
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,
    /// Stop an assertion that takes longer than this, and decide the next; the same of the value of
    /// a `print` declaration
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout_each: Option<Duration>,
    /// Stop an assertion that needs more memory than this, in bytes or as 512M, 4G or 1.5G, in
    /// powers of 1024 [default: four fifths of what the machine or its container has]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) memory_limit: Option<u64>,
    /// Stop a check that reaches more product states than this, or a graph of more states
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_states: Option<u64>,
    /// Stop where one sequential component has more states than this, or a process that is listed
    /// as a whole: for a compression, or as a specification [default: 1000000 for a component, and
    /// as many as fit into memory for a process]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64))]
    pub(crate) max_leaf_states: Option<u64>,
    /// Search, and minimise components, with this many threads; results are the same for any number
    /// [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Show on standard error how far long work is; auto: if that is a terminal, and not with
    /// --quiet
    #[arg(long, value_enum, value_name = "on|off|auto", default_value_t = ProgressWish::Auto, hide_possible_values = true)]
    pub(crate) progress: ProgressWish,
    /// Include no file from outside the folder DIR, by whatever links: a message shows lines of the
    /// files that it is about
    #[arg(long, value_name = "DIR", value_parser = folder)]
    pub(crate) include_root: Option<PathBuf>,
    /// Do not minimise the components by strong bisimulation
    #[arg(long)]
    pub(crate) no_minimise: bool,
    /// How to search; one that does not apply is an error that says why
    #[arg(long, value_enum, default_value_t = AlgorithmWish::Auto)]
    pub(crate) algorithm: AlgorithmWish,
    /// How representatives are found; one that does not apply is an error that says why
    #[arg(long, value_enum, value_name = "NAME", default_value_t = RepresentativeWish::Auto)]
    pub(crate) representative: RepresentativeWish,
    /// Which symmetries to use: those that are found (auto), none (off), or those that PERMUTATIONS
    /// generate, which are cycles of values or events such as '(B C),(B C D)' and are verified
    /// first
    #[arg(long, value_name = "auto|off|PERMUTATIONS", default_value = "auto", value_parser = symmetry)]
    pub(crate) symmetry: Symmetries,
    /// Use only symmetries that fix the initial states; without it there may be more, and
    /// counterexamples are right all the same
    #[arg(long)]
    pub(crate) fix_initial: bool,
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
pub(crate) enum ProgressWish {
    /// Always
    On,
    /// Never
    Off,
    /// Where it makes sense
    Auto,
}

/// `--algorithm`
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AlgorithmWish {
    /// The cheapest that applies
    Auto,
    /// Plain search, without symmetry
    Check,
    /// Finds representatives by sorting: for leaves that may be exchanged freely, and a
    /// specification that no symmetry moves
    #[value(name = "symcheck1")]
    SymCheck1,
    /// Finds representatives in any other way: for any leaves, and a specification that no symmetry
    /// moves
    #[value(name = "symcheck2")]
    SymCheck2,
    /// The same, for specifications that the symmetries move: their states move along
    #[value(name = "symcheck3")]
    SymCheck3,
}

/// `--representative`
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RepresentativeWish {
    /// The best that applies
    Auto,
    /// Sorts the states of leaves that may be exchanged freely: one for each orbit, the fastest
    Sort,
    /// Sorts ids that may be exchanged freely, also those that leaves hold: nearly as fast, perhaps
    /// several for an orbit
    Signature,
    /// Tries all symmetries and takes the least state: one for each orbit, for groups that can be
    /// listed
    General,
    /// Searches the least state without trying all symmetries: one for each orbit, for groups of
    /// any size
    Minimal,
    /// Takes a symmetry as long as that makes the state less: fast for any group, often several for
    /// an orbit
    Local,
}

impl RepresentativeWish {
    /// The representative function that is asked for, if it is not for the program to choose.
    fn wanted(self) -> Option<RepresentativeKind> {
        match self {
            RepresentativeWish::Auto => None,
            RepresentativeWish::Sort => Some(RepresentativeKind::Sort),
            RepresentativeWish::Signature => Some(RepresentativeKind::Signature),
            RepresentativeWish::General => Some(RepresentativeKind::General),
            RepresentativeWish::Minimal => Some(RepresentativeKind::Minimal),
            RepresentativeWish::Local => Some(RepresentativeKind::Local),
        }
    }
}

impl AlgorithmWish {
    /// The algorithm that is asked for, if it is not for the program to choose.
    fn wanted(self) -> Option<choice::Algorithm> {
        match self {
            AlgorithmWish::Auto => None,
            AlgorithmWish::Check => Some(choice::Algorithm::Check),
            AlgorithmWish::SymCheck1 => Some(choice::Algorithm::SymCheck1),
            AlgorithmWish::SymCheck2 => Some(choice::Algorithm::SymCheck2),
            AlgorithmWish::SymCheck3 => Some(choice::Algorithm::SymCheck3),
        }
    }

    /// Whether there must be symmetries for it to work on.
    pub(super) fn needs_symmetry(self) -> bool {
        self.wanted()
            .is_some_and(|algorithm| algorithm != choice::Algorithm::Check)
    }
}

impl Common {
    /// How questions are decided, where this bounds the memory.
    pub(crate) fn options(&self, memory: &Memory) -> Options {
        Options {
            model: self.model,
            termination: match self.termination {
                TerminationWish::Event => Termination::Event,
                TerminationWish::Signal => Termination::Signal,
            },
            max_states: self.max_states,
            max_leaf_states: self.max_leaf_states,
            threads: self
                .threads
                .map_or_else(Threads::available, Threads::new)
                .with_stack(memory.stack_bytes(STACK_BYTES)),
            minimise: !self.no_minimise,
            algorithm: self.algorithm.wanted(),
            representative: self.representative.wanted(),
            symmetries: self.symmetry.clone(),
            fix_initial: self.fix_initial,
            count_orbits: self.stats,
            profile: self.profile,
            explain: false,
            counterexamples: 1,
            storage: None,
            for_all: None,
            memory_limit: memory.report().filter(|_| self.stats),
        }
    }

    /// What a representative function is asked for that has no place in the search.
    pub(super) fn wrong_representative(&self) -> Option<&'static str> {
        let wanted = self.representative.wanted()?;
        let is_sort = wanted == RepresentativeKind::Sort;
        match self.algorithm {
            _ if self.symmetry == Symmetries::Off => {
                Some("`--symmetry off` leaves only plain search, which has no `--representative`")
            }
            AlgorithmWish::Check => {
                Some("`--algorithm check` is plain search, which has no `--representative`")
            }
            AlgorithmWish::SymCheck1 if !is_sort => Some(
                "`--algorithm symcheck1` is the one with `--representative sort`: the others belong to `symcheck2` and `symcheck3`",
            ),
            AlgorithmWish::SymCheck2 if is_sort => Some(
                "`--representative sort` belongs to `--algorithm symcheck1`, not to `symcheck2`",
            ),
            _ => None,
        }
    }

    /// How much text to print about each assertion.
    pub(crate) fn detail(&self) -> Detail {
        match (self.quiet, self.stats) {
            (true, _) => Detail::Quiet,
            (false, true) => Detail::Statistics,
            (false, false) => Detail::Normal,
        }
    }
}
