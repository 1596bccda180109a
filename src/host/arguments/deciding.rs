//! Options of the subcommands that decide assertions.

use clap::{Args, ValueEnum};

use checker::{Options, PartialOrder, Strategy};
use refine::stubborn::StubbornEffort;
use syntax::ast::ModelName;

use super::super::memory::Memory;
use super::values::model;
use super::{Common, Reducing};

/// The options by which assertions are decided.
#[derive(Args, Debug)]
pub struct Deciding {
    /// Decide refinements in this model, whatever the script says [T: traces, F: stable failures,
    /// FD: failures and divergences, V: stable revivals, R: refusal testing, VD and RD: these and
    /// divergences]
    #[arg(long, value_name = "MODEL", value_parser = model)]
    pub(crate) model: Option<ModelName>,
    /// Stop a check that reaches more product states than this
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_states: Option<u64>,
    /// Whether one order is followed of steps that do not get in each other's way: never (off),
    /// where it pays (auto), or always (po), which is said in a script by `:[partial order
    /// reduce]`. Verdicts are the same, counterexamples need not be the shortest
    #[arg(long, value_enum, value_name = "off|auto|po", default_value_t = ReduceWish::Auto)]
    pub(crate) reduce: ReduceWish,
    /// Look for a shortest counterexample: search level by level and follow all orders of steps,
    /// whatever --reduce and the script say
    #[arg(long)]
    pub(crate) shortest: bool,
    /// Decide assertions in this way alone. Without it, what is compiled grows by turns with
    /// searches of what is not, and whichever is sooner decides
    #[arg(
        long,
        value_enum,
        value_name = "terms|orbits|subsets|machine|dive|local"
    )]
    pub(crate) strategy: Option<StrategyWish>,
    #[command(flatten)]
    pub(crate) reducing: Reducing,
}

/// `--strategy`
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StrategyWish {
    /// Search the states of the processes as they are met, and compile nothing: where few of them
    /// are met
    Terms,
    /// Search the states of the processes as they are met, one of those that are alike but for
    /// values that the script only compares: for queues, sets and tables of identities
    Orbits,
    /// Compile the process, and make the specification's sets of states as they are met: where
    /// the normal form of the specification is large
    Subsets,
    /// Compile all components first, and search the machine
    Machine,
    /// Compile all components first, and go ahead through the machine along one order of steps
    /// after the other: where what is wrong lies deep. This never shows that an assertion holds
    Dive,
    /// Compile the process, and look at two or three components at a time for what may deadlock:
    /// for networks of very many. This never finds a deadlock
    Local,
}

impl StrategyWish {
    fn strategy(self) -> Strategy {
        match self {
            StrategyWish::Terms => Strategy::Terms,
            StrategyWish::Orbits => Strategy::Orbits,
            StrategyWish::Subsets => Strategy::Subsets,
            StrategyWish::Machine => Strategy::Machine,
            StrategyWish::Dive => Strategy::Dive,
            StrategyWish::Local => Strategy::Local,
        }
    }
}

/// `--reduce`
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReduceWish {
    /// Only where a script says so; and there are no dives
    Off,
    /// Partial order reduction where a search gets as far with it as one of four times the states
    /// without; and dives, which go ahead along one order of steps, beside a long search
    Auto,
    /// Partial order reduction by stubborn sets, wherever it applies
    Po,
}

impl ReduceWish {
    /// The partial order reduction of searches where a script does not ask for it.
    fn partial_order(self) -> Option<PartialOrder> {
        match self {
            ReduceWish::Off => None,
            ReduceWish::Auto => Some(PartialOrder::IfItPays),
            ReduceWish::Po => Some(PartialOrder::Always(StubbornEffort::default())),
        }
    }
}

impl Deciding {
    /// The options that all subcommands which read a script share.
    pub fn common(&self) -> &Common {
        &self.reducing.compiling.common
    }

    /// The options of questions. The limits on memory are those of `memory`.
    pub fn options(&self, memory: &Memory) -> Options {
        Options {
            model: self.model,
            max_states: self.max_states,
            partial_order: self.reduce.partial_order(),
            shortest: self.shortest,
            strategy: self.strategy.map(StrategyWish::strategy),
            ..self.reducing.options(memory)
        }
    }
}
