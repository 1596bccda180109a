//! The options for deciding questions: those of the command line, as data.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use base::threads::Threads;
use cluster::Exchange;
use lts::explore::LeafLimits;
use machine::{CompileOptions, LeafGraphs};
use process::termination::Termination;
use refine::stubborn::StubbornEffort;
use report::assertion::MemoryLimitReport;
use symmetry::choice::{Algorithm, RepresentativeKind};
use syntax::ast::ModelName;
use syntax::lexemes::is_name;

/// The options for deciding a question. The default is the command line without options.
#[derive(Clone, Debug)]
pub struct Options {
    /// The model to decide refinements in; `None`: the one that is written.
    pub model: Option<ModelName>,
    /// The reading of ✓.
    pub termination: Termination,
    /// The most product states that a search may store; `None`: as many as fit.
    pub max_states: Option<u64>,
    /// The most states of a leaf, and of a process that is listed as a whole; `None`: as many as
    /// fit where an assertion is decided, and elsewhere a million of a leaf.
    pub max_leaf_states: Option<u64>,
    /// The threads on which searches run.
    pub threads: Threads,
    /// True if leaves are minimised.
    pub minimise: bool,
    /// The algorithm that is asked for; `None`: the cheapest that applies.
    pub algorithm: Option<Algorithm>,
    /// The representative function that is asked for; `None`: the best that applies.
    pub representative: Option<RepresentativeKind>,
    /// The symmetries that are used.
    pub symmetries: Symmetries,
    /// The cases in which partial order reduction is used where an assertion does not ask for it by
    /// itself; `None`: in no case, and there are no dives.
    pub partial_order: Option<PartialOrder>,
    /// True if a counterexample is to be a shortest one, so that nothing is reduced by partial
    /// order and there are no dives, whatever an assertion asks for.
    pub shortest: bool,
    /// The strategy that decides questions; `None`: whichever decides them sooner.
    pub strategy: Option<Strategy>,
    /// True if symmetries must fix the initial states.
    pub fix_initial: bool,
    /// True if orbits are counted after a search that may have stored some of them more than once.
    pub count_orbits: bool,
    /// True if reports say where the time went.
    pub profile: bool,
    /// True if counterexamples say what each component did.
    pub explain: bool,
    /// The number of different counterexamples of an assertion that are looked for.
    pub counterexamples: usize,
    /// The folder in which searches keep their states; `None`: they keep them in memory.
    pub storage: Option<Storage>,
    /// The processes among which searches divide their states; `None`: this process alone.
    pub cluster: Option<Arc<dyn Exchange>>,
    /// The bound on the program's memory that reports name; the library itself bounds none.
    pub memory_limit: Option<MemoryLimitReport>,
    /// A constant of the top level: assertions are decided for every value of it, whatever
    /// constants the script names for that.
    pub for_all: Option<ForAll>,
    /// True if reports have the views by which an assertion was decided for every value.
    pub lists_views: bool,
}

/// A question for every value of a constant of the top level, written `N` or `N >= 2`.
///
/// ```
/// use checker::ForAll;
///
/// let asked: ForAll = "N >= 2".parse()?;
/// assert_eq!((&asked.constant[..], asked.least), ("N", 2));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForAll {
    /// The constant: a number, or a set.
    pub constant: String,
    /// The least value, or number of members, that counts.
    pub least: usize,
}

impl FromStr for ForAll {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (constant, least) = match text.split_once(">=") {
            Some((constant, least)) => (constant.trim(), Some(least.trim())),
            None => (text.trim(), None),
        };
        let least = least.map_or(Ok(1), |least| {
            let number = least.parse().ok().filter(|_| !least.starts_with('+'));
            let number = number.and_then(|number: u32| usize::try_from(number).ok());
            number.ok_or_else(|| {
                format!(
                    "`{least}` is no least value: it is a number from 0 to {}",
                    u32::MAX
                )
            })
        });
        if !is_name(constant) {
            return Err(format!(
                "expected a constant, as in N or `N >= 2`, and not `{}`",
                text.trim()
            ));
        }
        Ok(Self {
            constant: constant.to_string(),
            least: least?,
        })
    }
}

impl fmt::Display for ForAll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.least {
            1 => f.write_str(&self.constant),
            least => write!(f, "{} >= {least}", self.constant),
        }
    }
}

/// A way to decide a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// Search the terms themselves, as they are met.
    Terms,
    /// Search the terms themselves, as they are met, one of each orbit under permutations of values
    /// that the definitions only compare.
    Orbits,
    /// Search the machine of the process beside the specification's sets of states, as they are
    /// met.
    Subsets,
    /// Compile both sides, and search the machine beside the normal form.
    Machine,
    /// Compile both sides, and go ahead along one order of the steps after the other.
    Dive,
    /// Compile the process, and look at two or three of its components at a time for what may
    /// deadlock.
    Local,
}

impl Strategy {
    /// The word for it in options and reports.
    pub fn word(self) -> &'static str {
        match self {
            Strategy::Terms => "terms",
            Strategy::Orbits => "orbits",
            Strategy::Subsets => "subsets",
            Strategy::Machine => "machine",
            Strategy::Dive => "dive",
            Strategy::Local => "local",
        }
    }
}

/// The cases in which partial order reduction is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartialOrder {
    /// Wherever it applies.
    Always(StubbornEffort),
    /// If it applies, and a search gets as deep with it as one of four times as many states without
    /// it. Not where states are on disk or divided among processes, and not where the algorithm is
    /// asked for.
    IfItPays,
}

/// The most states of a leaf where people wait for each answer: in editors, pages and labs.
pub const PATIENT_LEAF_STATES: u64 = 1_000_000;

impl Default for Options {
    fn default() -> Self {
        Self {
            model: None,
            termination: Termination::Event,
            max_states: None,
            max_leaf_states: None,
            threads: Threads::available(),
            minimise: true,
            algorithm: None,
            representative: None,
            symmetries: Symmetries::Found,
            partial_order: Some(PartialOrder::IfItPays),
            shortest: false,
            strategy: None,
            fix_initial: false,
            count_orbits: false,
            profile: false,
            explain: false,
            counterexamples: 1,
            storage: None,
            cluster: None,
            memory_limit: None,
            for_all: None,
            lists_views: false,
        }
    }
}

impl Options {
    /// The options for compiling the processes of one evaluator, which share the graphs of their
    /// leaves.
    pub(super) fn compile_options(&self) -> CompileOptions {
        let states = |states| usize::try_from(states).unwrap_or(usize::MAX);
        let limits = self.max_leaf_states.map(states).map(LeafLimits::all);
        CompileOptions {
            minimise: self.minimise,
            threads: self.threads.clone(),
            graphs: Some(LeafGraphs::default()),
            ..CompileOptions::new(limits.unwrap_or_default())
        }
    }
}

/// The symmetries that are used.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Symmetries {
    /// Those that the program finds.
    #[default]
    Found,
    /// None.
    Off,
    /// Those that these permutations of values or events generate, in cycles: `(B C),(B C D)`. They
    /// are verified first.
    Permutations(String),
}

/// A folder in which searches keep their states, each search in a folder of its own. One program at
/// a time may use it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Storage {
    /// The folder, which has to exist.
    pub directory: PathBuf,
    /// True if searches that were begun in the folder are resumed.
    pub resumes: bool,
    /// The bytes of memory that a search may take besides; `None`: most of what the memory's bounds
    /// leave.
    pub budget: Option<usize>,
}

/// A constant of a script's top level that is replaced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The constant.
    pub name: String,
    /// The new value, as CSPm.
    pub text: String,
}

/// The definition as `-D` takes it: `N=3`.
impl fmt::Display for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.text)
    }
}
