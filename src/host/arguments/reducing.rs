//! Options of the subcommands that use symmetries.

use clap::{Args, ValueEnum};

use ::symmetry::choice::{self, RepresentativeKind};
use checker::{Options, Symmetries};

use super::super::memory::Memory;
use super::Compiling;
use super::values::symmetry;

/// The options by which symmetries are used.
#[derive(Args, Debug)]
pub struct Reducing {
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
    #[command(flatten)]
    pub compiling: Compiling,
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
    /// The representative function that is asked for, or `None` if the program chooses.
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
    /// The algorithm that is asked for, or `None` if the program chooses.
    fn wanted(self) -> Option<choice::Algorithm> {
        match self {
            AlgorithmWish::Auto => None,
            AlgorithmWish::Check => Some(choice::Algorithm::Check),
            AlgorithmWish::SymCheck1 => Some(choice::Algorithm::SymCheck1),
            AlgorithmWish::SymCheck2 => Some(choice::Algorithm::SymCheck2),
            AlgorithmWish::SymCheck3 => Some(choice::Algorithm::SymCheck3),
        }
    }
}

impl Reducing {
    /// The options of questions. The limits on memory are those of `memory`.
    pub(crate) fn options(&self, memory: &Memory) -> Options {
        Options {
            algorithm: self.algorithm.wanted(),
            representative: self.representative.wanted(),
            symmetries: self.symmetry.clone(),
            fix_initial: self.fix_initial,
            ..self.compiling.options(memory)
        }
    }

    /// The reason why these options make no sense together.
    pub(super) fn contradiction(&self) -> Option<&'static str> {
        let algorithm = self.algorithm.wanted();
        let is_plain = algorithm.is_none_or(|wanted| wanted == choice::Algorithm::Check);
        if self.symmetry == Symmetries::Off && !is_plain {
            return Some(
                "`--symmetry off` leaves only plain search: give no other `--algorithm` than `auto` or `check` with it",
            );
        }
        let is_sort = self.representative.wanted()? == RepresentativeKind::Sort;
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
}
