//! The arguments of the command line, and the help that teaches them.

mod texts;

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::base::threads::{STACK_BYTES, Threads};
use crate::checker::{Definition, Options, Symmetries};
use crate::process::termination::Termination;
use crate::report::text::Detail;
use crate::symmetry::choice::{self, RepresentativeKind};
use crate::syntax::ast::ModelName;

use super::chapters;
use super::memory::Memory;
use super::spill::StorageArguments;
use texts::{
    EXAMPLES, EXIT_STATUSES, EXPLANATIONS, PLACES, READING, SERVER, SHORTEST, SYMMETRY, TYPES,
};

/// Checks whether processes refine each other: reads CSPm, decides assertions, explains
/// counterexamples.
#[derive(Parser, Debug)]
#[command(name = "cspsym", version, after_help = format!("{}\n\n{EXAMPLES}\n\n{EXIT_STATUSES}", chapters::topics()))]
#[command(
    arg_required_else_help = true,
    infer_subcommands = false,
    disable_help_subcommand = true
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Decide the assertions of scripts, in order
    #[command(after_help = format!("{PLACES}\n\n{EXIT_STATUSES}\n\n{SHORTEST}"))]
    Check(CheckCall),
    /// Decide whether one process refines another
    #[command(after_help = format!(
        "SPEC and IMPL are process expressions in the scope of FILE. {PLACES}\n\n{EXIT_STATUSES}\n\n{SHORTEST}"
    ))]
    Refine(RefineCall),
    /// Print the value of an expression
    #[command(after_help = format!(
        "EXPR is any expression in the scope of FILE; one that begins with - goes behind --. {PLACES}\n\n{EXIT_STATUSES}"
    ))]
    Eval(AskCall),
    /// Print the structured machine that a process is compiled to
    #[command(after_help = format!("EXPR is a process expression in the scope of FILE. {PLACES}\n\n{EXIT_STATUSES}"))]
    Machine(MachineCall),
    /// Explain the symmetries that a check can use
    #[command(
        override_usage = "cspsym symmetry [OPTIONS] SPEC IMPL FILE\n       cspsym symmetry [OPTIONS] --assertion <TEXT|N> FILE"
    )]
    #[command(after_help = format!(
        "{SYMMETRY}\n\nSPEC and IMPL are process expressions in the scope of FILE. {PLACES}\n\n{EXIT_STATUSES}"
    ))]
    Symmetry(SymmetryCall),
    /// Print what is wrong with scripts, and run nothing
    #[command(after_help = format!(
        "Nothing is printed if nothing is wrong. The other subcommands do the same first. {PLACES}\n\n{EXIT_STATUSES}"
    ))]
    Typecheck(TypecheckCall),
    /// Print the type of an expression
    #[command(after_help = format!(
        "EXPR is any expression in the scope of FILE; one that begins with - goes behind --. {PLACES}\n\n{TYPES}\n\n{EXIT_STATUSES}"
    ))]
    Type(AskCall),
    /// Explain a message by its code, with an example before and after
    #[command(after_help = EXPLANATIONS)]
    Explain(ExplainCall),
    /// Print a chapter of the manual, or the help of a subcommand
    #[command(after_help = format!("{}\n\n{READING}", chapters::topics()))]
    Help(HelpCall),
    /// Serve an editor, by the language server protocol on standard input and output
    #[command(after_help = SERVER)]
    Lsp,
}

/// `check FILE...`
#[derive(Args, Debug)]
pub(crate) struct CheckCall {
    /// The scripts
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// Decide only the N-th assertion, or those whose text contains TEXT; may be repeated
    #[arg(long = "assertion", value_name = "TEXT|N")]
    pub(crate) assertions: Vec<String>,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// Add to each counterexample a table of what every component did in it and can do next, those
    /// inside compressions too; and who waits for whom, where the process comes to rest
    #[arg(long)]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) storage: StorageArguments,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// `refine SPEC IMPL FILE`
#[derive(Args, Debug)]
pub(crate) struct RefineCall {
    /// The specification
    #[arg(value_name = "SPEC")]
    pub(crate) specification: String,
    /// The implementation
    #[arg(value_name = "IMPL")]
    pub(crate) implementation: String,
    /// The script that gives them their meaning
    #[arg(value_name = "FILE")]
    pub(crate) file: String,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// Add to a counterexample a table of what every component did in it and can do next, those
    /// inside compressions too; and who waits for whom, where the process comes to rest
    #[arg(long)]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) storage: StorageArguments,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// `eval EXPR FILE` and `type EXPR FILE`
#[derive(Args, Debug)]
pub(crate) struct AskCall {
    /// The expression
    #[arg(value_name = "EXPR")]
    pub(crate) expression: String,
    /// The script that gives it its meaning
    #[arg(value_name = "FILE")]
    pub(crate) file: String,
    /// How the answer is printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// `typecheck FILE...`
#[derive(Args, Debug)]
pub(crate) struct TypecheckCall {
    /// The scripts
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// How messages are printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// `machine EXPR FILE`
#[derive(Args, Debug)]
pub(crate) struct MachineCall {
    /// The process
    #[arg(value_name = "EXPR")]
    pub(crate) expression: String,
    /// The script that gives it its meaning
    #[arg(value_name = "FILE")]
    pub(crate) file: String,
    /// How the machine is printed
    #[arg(long, value_enum, default_value_t = MachineFormat::Text)]
    pub(crate) format: MachineFormat,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// `symmetry SPEC IMPL FILE` or `symmetry --assertion N FILE`
#[derive(Args, Debug)]
pub(crate) struct SymmetryCall {
    /// Specification, implementation and script; with --assertion the script alone
    #[arg(required = true, num_args = 1..=3, value_name = "SPEC IMPL FILE")]
    pub(crate) words: Vec<String>,
    /// Look at the N-th assertion, or at the one whose text contains TEXT
    #[arg(long, value_name = "TEXT|N")]
    pub(crate) assertion: Option<String>,
    /// Print the relations themselves: which state each generator takes each state of a leaf to
    #[arg(long)]
    pub(crate) pbisims: bool,
    /// How they are printed
    #[arg(long, value_enum, default_value_t = SymmetryFormat::Text)]
    pub(crate) format: SymmetryFormat,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// `explain [CODE]`
#[derive(Args, Debug)]
pub(crate) struct ExplainCall {
    /// The code of the message, such as unknown-name; without it, all codes are listed
    #[arg(value_name = "CODE")]
    pub(crate) code: Option<String>,
}

/// `help [TOPIC]`
#[derive(Args, Debug)]
pub(crate) struct HelpCall {
    /// A topic of the manual, or a subcommand; without it, all of them are listed
    #[arg(value_name = "TOPIC")]
    pub(crate) topic: Option<String>,
    /// With the topic json: print the JSON Schema of the results
    #[arg(long)]
    pub(crate) schema: bool,
}

/// What `symmetry` is about, as it was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SymmetryAbout<'a> {
    /// `SPEC [T= IMPL`
    Processes {
        /// SPEC
        specification: &'a str,
        /// IMPL
        implementation: &'a str,
    },
    /// One assertion of the script, by its number or a part of its text.
    Assertion(&'a str),
}

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
    /// Stop a check that reaches more product states than this
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

/// `--format`
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// For people
    Text,
    /// One object a line
    Json,
}

/// `--format` of `machine`
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MachineFormat {
    /// A tree for people
    Text,
    /// One object
    Json,
    /// A graph for Graphviz
    Dot,
}

/// `--format` of `symmetry`
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SymmetryFormat {
    /// For people
    Text,
    /// One object
    Json,
    /// The leaves as graphs for Graphviz, with arrows for the symmetries
    Dot,
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
    fn needs_symmetry(self) -> bool {
        self.wanted()
            .is_some_and(|algorithm| algorithm != choice::Algorithm::Check)
    }
}

impl Arguments {
    /// The arguments of a call, the name of the program first. Arguments that contradict each other
    /// are refused.
    pub(crate) fn read<W: Into<OsString> + Clone>(
        words: impl IntoIterator<Item = W>,
    ) -> Result<Self, clap::Error> {
        let mut program = Self::command();
        let matches = program.try_get_matches_from_mut(words)?;
        let arguments = Self::from_arg_matches(&matches)?;
        let Some((kind, message)) = arguments.command.contradiction() else {
            return arguments.or_help();
        };
        let name = matches.subcommand_name().unwrap_or_default();
        let error = match program.find_subcommand_mut(name) {
            Some(subcommand) => subcommand.error(kind, message),
            None => program.error(kind, message),
        };
        Err(error)
    }

    /// The names of all subcommands.
    pub(crate) fn subcommands() -> Vec<String> {
        let program = Self::command();
        let names = program.get_subcommands().map(|call| call.get_name());
        names.map(str::to_string).collect()
    }

    /// The help that `help` asks for, if that is the one of a subcommand or of the program, as
    /// `--help` gives it.
    fn or_help(self) -> Result<Self, clap::Error> {
        let Command::Help(HelpCall { topic, .. }) = &self.command else {
            return Ok(self);
        };
        match topic {
            // To clap help is an error, which `main` prints with exit status 0.
            None => Self::try_parse_from(["cspsym", "--help"]),
            Some(topic) if Self::subcommands().contains(topic) => {
                Self::try_parse_from(["cspsym", topic, "--help"])
            }
            Some(_) => Ok(self),
        }
    }
}

impl SymmetryCall {
    /// What to look at. Returns `None` if the number of words does not fit.
    pub(crate) fn subject(&self) -> Option<SymmetryAbout<'_>> {
        match (self.assertion.as_deref(), self.words.as_slice()) {
            (Some(assertion), [_]) => Some(SymmetryAbout::Assertion(assertion)),
            (None, [specification, implementation, _]) => Some(SymmetryAbout::Processes {
                specification,
                implementation,
            }),
            _ => None,
        }
    }

    /// The script: always the last word.
    pub(crate) fn file(&self) -> &str {
        self.words.last().map_or("", String::as_str)
    }
}

impl Command {
    /// The options that all subcommands share which read a script.
    pub(crate) fn common(&self) -> Option<&Common> {
        match self {
            Command::Check(call) => Some(&call.common),
            Command::Refine(call) => Some(&call.common),
            Command::Eval(call) => Some(&call.common),
            Command::Machine(call) => Some(&call.common),
            Command::Symmetry(call) => Some(&call.common),
            Command::Typecheck(call) => Some(&call.common),
            Command::Type(call) => Some(&call.common),
            Command::Explain(_) | Command::Help(_) | Command::Lsp => None,
        }
    }

    /// Whether what is wrong is read by people, and has an explanation that is not shown yet.
    pub(crate) fn is_for_people(&self) -> bool {
        match self {
            Command::Check(call) => call.format == Format::Text,
            Command::Refine(call) => call.format == Format::Text,
            Command::Eval(call) | Command::Type(call) => call.format == Format::Text,
            Command::Typecheck(call) => call.format == Format::Text,
            Command::Machine(call) => call.format != MachineFormat::Json,
            Command::Symmetry(call) => call.format != SymmetryFormat::Json,
            Command::Explain(_) | Command::Help(_) | Command::Lsp => false,
        }
    }

    /// What makes no sense together, in words, although each argument is right.
    fn contradiction(&self) -> Option<(ErrorKind, &'static str)> {
        if let Command::Help(call) = self {
            let is_wrong = call.schema && call.topic.as_deref() != Some(chapters::JSON);
            let message = "`--schema` goes with the topic json: `cspsym help json --schema`";
            return is_wrong.then_some((ErrorKind::ArgumentConflict, message));
        }
        let common = self.common()?;
        let off = common.symmetry == Symmetries::Off;
        if off && common.algorithm.needs_symmetry() {
            return Some((
                ErrorKind::ArgumentConflict,
                "`--symmetry off` leaves only plain search: give no other `--algorithm` than `auto` or `check` with it",
            ));
        }
        if let Some(contradiction) = common.wrong_representative() {
            return Some((ErrorKind::ArgumentConflict, contradiction));
        }
        let Command::Symmetry(call) = self else {
            return None;
        };
        if off {
            return Some((
                ErrorKind::ArgumentConflict,
                "`--symmetry off` leaves this subcommand nothing to show",
            ));
        }
        if call.subject().is_none() {
            return Some((
                ErrorKind::WrongNumberOfValues,
                "expected SPEC IMPL FILE, or --assertion N and FILE",
            ));
        }
        None
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
            storage: None,
            memory_limit: memory.report().filter(|_| self.stats),
        }
    }

    /// What a representative function is asked for that has no place in the search.
    fn wrong_representative(&self) -> Option<&'static str> {
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

fn definition(argument: &str) -> Result<Definition, String> {
    let (name, text) = argument
        .split_once('=')
        .ok_or("expected NAME=EXPR, such as N=3")?;
    let (name, text) = (name.trim(), text.trim());
    if !is_identifier(name) {
        return Err(format!(
            "`{name}` is not a name: a letter, then letters, digits and _, then any number of '"
        ));
    }
    if text.is_empty() {
        return Err(format!("`{name}` gets no value: write {name}=EXPR"));
    }
    Ok(Definition {
        name: name.to_string(),
        text: text.to_string(),
    })
}

fn is_identifier(name: &str) -> bool {
    let body = name.trim_end_matches('\'');
    body.starts_with(|first: char| first.is_ascii_alphabetic())
        && body
            .chars()
            .all(|rest| rest.is_ascii_alphanumeric() || rest == '_')
}

fn model(argument: &str) -> Result<ModelName, String> {
    match argument {
        "T" => Ok(ModelName::T),
        "F" => Ok(ModelName::F),
        "FD" => Ok(ModelName::FD),
        "V" => Ok(ModelName::V),
        "VD" => Ok(ModelName::VD),
        "R" => Ok(ModelName::R),
        "RD" => Ok(ModelName::RD),
        _ => Err("expected T, F, FD, V, VD, R or RD".to_string()),
    }
}

fn symmetry(argument: &str) -> Result<Symmetries, String> {
    match argument.trim() {
        "auto" => Ok(Symmetries::Found),
        "off" => Ok(Symmetries::Off),
        // What stands in the brackets only has a meaning in a script.
        permutations if permutations.starts_with('(') => {
            Ok(Symmetries::Permutations(permutations.to_string()))
        }
        _ => {
            Err("expected auto, off or permutations in cycles, such as '(B C),(B C D)'".to_string())
        }
    }
}

fn seconds(argument: &str) -> Result<Duration, String> {
    let number: f64 = argument
        .parse()
        .map_err(|_| "expected a number of seconds, such as 60 or 0.5")?;
    Duration::try_from_secs_f64(number)
        .map_err(|_| "expected a number of seconds that is not negative".to_string())
}

/// Where a folder really is.
fn folder(argument: &str) -> Result<PathBuf, String> {
    let real = Path::new(argument).canonicalize();
    let real = real.map_err(|error| error.to_string())?;
    real.is_dir()
        .then_some(real)
        .ok_or_else(|| "it is no folder".to_string())
}

/// The bytes of `512M` or `1.5 GiB`: what people write, of which none means powers of 1000 where it
/// is about memory.
fn size(argument: &str) -> Result<u64, String> {
    const EXPECTED: &str = "expected a size, such as 512M, 4G or a number of bytes";
    let digits = |c: char| c.is_ascii_digit() || c == '.';
    let unit = argument.trim_start_matches(digits);
    let number = &argument[..argument.len() - unit.len()];
    let factor = match unit.trim_start().to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 1,
        "M" | "MB" | "MIB" => 2,
        "G" | "GB" | "GIB" => 3,
        "T" | "TB" | "TIB" => 4,
        _ => return Err(EXPECTED.to_string()),
    };
    let number: f64 = number.parse().map_err(|_| EXPECTED)?;
    let bytes = number * 1024_f64.powi(factor);
    if bytes < 1.0 {
        return Err("expected a size that is not nothing".to_string());
    }
    // Beyond the range it is the largest there is: no limit.
    Ok(bytes as u64)
}

#[cfg(test)]
mod tests;
