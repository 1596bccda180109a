//! The arguments of the command line, and the help that teaches them.

#![allow(
    missing_docs,
    reason = "what stands above an option is printed as its help"
)]

mod checking;
mod cluster;
mod common;
mod compiling;
mod deciding;
mod graph;
mod installed;
mod jobs;
pub mod lab;
mod records;
mod reducing;
mod refines;
mod requested;
mod texts;
pub mod values;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use checker::{Definition, ForAll, Options, Symmetries};
use report::game::GameSide;
use syntax::ast::ModelName;

use super::chapters;
use super::memory::Memory;
pub use checking::Checking;
pub use cluster::ClusterArguments;
pub use common::{Common, ProgressWish};
pub use compiling::Compiling;
pub use deciding::Deciding;
pub use graph::{GraphCall, GraphFormat, OverviewWish, compression};
pub use installed::{CompletionsCall, ManCall, ProgramName, Shell};
pub use jobs::{JobOrder, JobsWish};
use lab::{LONGEST_TASK, LabCall, LabCommand};
pub use records::RecordWish;
pub use reducing::Reducing;
pub use refines::{RefinesCall, RefinesFormat};
pub use requested::RequestOptions;
use texts::{
    ASSISTANTS, COMPLETIONS, DEBUGGING, EXAMPLES, EXIT_STATUSES, EXPLANATIONS, EXPLORING,
    GAME_STATUSES, GAMES, GRAPHS, LABS, MANUAL_PAGES, PLACES, PRINTING_STATUSES, READING,
    REFINE_EXPLAIN, REFINE_FOR_ALL, REFINES, REQUESTS, SERVER, SHORTEST, STEP_STATUSES, STEPPING,
    SYMMETRY, TYPES,
};
use values::{definition, folder, model};

/// Checks whether processes refine each other: reads CSPm, decides assertions, explains
/// counterexamples.
#[derive(Parser, Debug)]
#[command(name = "cspsym", version, after_help = format!("{}\n\n{EXAMPLES}\n\n{EXIT_STATUSES}", chapters::topics()))]
#[command(
    arg_required_else_help = true,
    infer_subcommands = false,
    disable_help_subcommand = true
)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Decide the assertions of scripts, in order
    #[command(after_help = format!("{PLACES}\n\n{EXIT_STATUSES}\n\n{SHORTEST}"))]
    Check(CheckCall),
    /// Decide whether one process refines another
    #[command(after_help = format!(
        "SPEC and IMPL are process expressions in the scope of FILE. {PLACES}\n\n{EXIT_STATUSES}\n\n{SHORTEST}"
    ))]
    Refine(RefineCall),
    /// Decide the assertions of scripts with the options and layouts of FDR4's refines
    #[command(infer_long_args = true, args_override_self = true, after_help = REFINES)]
    #[command(version, display_name = "cspsym")]
    Refines(RefinesCall),
    /// Print the value of an expression
    #[command(after_help = format!(
        "EXPR is any expression in the scope of FILE; one that begins with - goes behind --. {PLACES}\n\n{PRINTING_STATUSES}"
    ))]
    Eval(AskCall),
    /// Print the structured machine that a process is compiled to
    #[command(after_help = format!("EXPR is a process expression in the scope of FILE. {PLACES}\n\n{PRINTING_STATUSES}"))]
    Machine(MachineCall),
    /// Print or draw the transition system of a process
    #[command(after_help = format!("{GRAPHS}\n\n{PLACES}\n\n{PRINTING_STATUSES}"))]
    Graph(GraphCall),
    /// Explain the symmetries that a check can use
    #[command(
        override_usage = "cspsym symmetry [OPTIONS] SPEC IMPL FILE\n       cspsym symmetry [OPTIONS] --assertion <TEXT|N> FILE"
    )]
    #[command(after_help = format!(
        "{SYMMETRY}\n\nSPEC and IMPL are process expressions in the scope of FILE. {PLACES}\n\n{PRINTING_STATUSES}"
    ))]
    Symmetry(SymmetryCall),
    /// Walk a process step by step, or the counterexample of an assertion
    #[command(
        override_usage = "cspsym step [OPTIONS] FILE PROCESS\n       cspsym step [OPTIONS] --assertion <TEXT|N> FILE\n       cspsym step [OPTIONS] --walk <WALK> FILE"
    )]
    #[command(after_help = format!("{STEPPING}\n\n{PLACES}\n\n{STEP_STATUSES}"))]
    Step(StepCall),
    /// Play a game about a refinement against the program: attack it, or defend it
    #[command(
        override_usage = "cspsym game [OPTIONS] SPEC IMPL FILE\n       cspsym game [OPTIONS] --assertion <TEXT|N> FILE"
    )]
    #[command(after_help = format!("{GAMES}\n\n{PLACES}\n\n{GAME_STATUSES}"))]
    Game(GameCall),
    /// Explore a script in the browser: walk, check, draw, and see its symmetries
    #[command(after_help = EXPLORING)]
    Explore(ExploreCall),
    /// Answer requests of other programs, a JSON object a line on standard input and output
    #[command(after_help = REQUESTS)]
    Api(ApiCall),
    /// Serve an assistant, by the Model Context Protocol on standard input and output
    #[command(after_help = ASSISTANTS)]
    Mcp(McpCall),
    /// Print what is wrong with scripts, and run nothing
    #[command(after_help = format!(
        "Nothing is printed if nothing is wrong, and the exit status is 0; with an error it is 2. The other subcommands do the same first. {PLACES}"
    ))]
    Typecheck(TypecheckCall),
    /// Print the type of an expression
    #[command(after_help = format!(
        "EXPR is any expression in the scope of FILE; one that begins with - goes behind --. {PLACES}\n\n{TYPES}\n\n{PRINTING_STATUSES}"
    ))]
    Type(AskCall),
    /// Learn CSP by tasks that are checked, or grade what was handed in
    #[command(after_help = LABS)]
    Lab(LabCall),
    /// Explain a message by its code, with an example before and after
    #[command(after_help = EXPLANATIONS)]
    Explain(ExplainCall),
    /// Print a chapter of the manual, or the help of a subcommand
    #[command(after_help = format!("{}\n\n{READING}", chapters::topics()))]
    Help(HelpCall),
    /// Serve an editor, by the language server protocol on standard input and output
    #[command(after_help = SERVER)]
    Lsp,
    /// Walk a process as a debugger does, by the Debug Adapter Protocol
    #[command(after_help = DEBUGGING)]
    Dap,
    /// Print what a shell needs to complete the calls of this program
    #[command(after_help = COMPLETIONS)]
    Completions(CompletionsCall),
    /// Print the page of a subcommand for man, or write all pages into a folder
    #[command(after_help = MANUAL_PAGES)]
    Man(ManCall),
}

/// `check FILE...`
#[derive(Args, Debug)]
pub struct CheckCall {
    /// The scripts: files, folders with all scripts below them, or patterns such as
    /// 'models/**/*.csp'
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// Decide only the N-th assertion, or those whose text contains TEXT; may be repeated
    #[arg(long = "assertion", value_name = "TEXT|N")]
    pub assertions: Vec<String>,
    #[command(flatten)]
    pub records: RecordWish,
    #[command(flatten)]
    pub checking: Checking,
    #[command(flatten)]
    pub jobs: JobsWish,
}

/// `refine SPEC IMPL FILE`
#[derive(Args, Debug)]
#[command(mut_arg("explain", |option| option.help(REFINE_EXPLAIN)))]
#[command(mut_arg("for_all", |option| option.help(REFINE_FOR_ALL)))]
pub struct RefineCall {
    /// The specification
    #[arg(value_name = "SPEC")]
    pub specification: String,
    /// The implementation
    #[arg(value_name = "IMPL")]
    pub implementation: String,
    /// The script that gives them their meaning
    #[arg(value_name = "FILE")]
    pub file: String,
    #[command(flatten)]
    pub checking: Checking,
}

/// `eval EXPR FILE` and `type EXPR FILE`
#[derive(Args, Debug)]
pub struct AskCall {
    /// The expression
    #[arg(value_name = "EXPR")]
    pub expression: String,
    /// The script that gives it its meaning
    #[arg(value_name = "FILE")]
    pub file: String,
    /// How the answer is printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    #[command(flatten)]
    pub common: Common,
}

/// `typecheck FILE...`
#[derive(Args, Debug)]
pub struct TypecheckCall {
    /// The scripts: files, folders with all scripts below them, or patterns
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// How messages are printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    #[command(flatten)]
    pub common: Common,
}

/// `machine EXPR FILE`
#[derive(Args, Debug)]
pub struct MachineCall {
    /// The process
    #[arg(value_name = "EXPR")]
    pub expression: String,
    /// The script that gives it its meaning
    #[arg(value_name = "FILE")]
    pub file: String,
    /// Print the communication graph instead of the operator tree: which components have which
    /// channels in common, which end sends, and what symmetries take to each other
    #[arg(long)]
    pub channels: bool,
    /// How it is printed
    #[arg(long, value_enum, default_value_t = MachineFormat::Text)]
    pub format: MachineFormat,
    #[command(flatten)]
    pub compiling: Compiling,
}

/// `symmetry SPEC IMPL FILE` or `symmetry --assertion N FILE`
#[derive(Args, Debug)]
pub struct SymmetryCall {
    /// Specification, implementation and script; with --assertion the script alone
    #[arg(required = true, num_args = 1..=3, value_name = "SPEC IMPL FILE")]
    pub words: Vec<String>,
    /// Look at the N-th assertion, or at the one whose text contains TEXT
    #[arg(long, value_name = "TEXT|N")]
    pub assertion: Option<String>,
    /// Print the relations themselves: which state each generator takes each state of a leaf to
    #[arg(long, conflicts_with = "for_all")]
    pub pbisims: bool,
    /// Decide the assertion for every value from 1 on of the constant N instead, as check does, and
    /// print the views of a few identities that show it (see cspsym help every-n)
    #[arg(long, value_name = "N")]
    pub for_all: Option<ForAll>,
    /// How they are printed
    #[arg(long, value_enum, default_value_t = SymmetryFormat::Text)]
    pub format: SymmetryFormat,
    /// Decide refinements in this model, whatever the script says [T: traces, F: stable failures,
    /// FD: failures and divergences, V: stable revivals, R: refusal testing, VD and RD: these and
    /// divergences]
    #[arg(long, value_name = "MODEL", value_parser = model)]
    pub(crate) model: Option<ModelName>,
    #[command(flatten)]
    pub reducing: Reducing,
}

/// `step FILE PROCESS`, `step --assertion N FILE` or `step --walk WALK FILE`
#[derive(Args, Debug)]
pub struct StepCall {
    /// The script, and the process; with --assertion or --walk the script alone
    #[arg(required = true, num_args = 1..=2, value_name = "FILE PROCESS")]
    pub words: Vec<String>,
    /// Begin with the counterexample of the N-th assertion, or of the one whose text contains TEXT
    #[arg(long, value_name = "TEXT|N")]
    pub assertion: Option<String>,
    /// Take the walk again that was saved in the file WALK, and go on from there
    #[arg(long, value_name = "WALK")]
    pub walk: Option<String>,
    #[command(flatten)]
    pub deciding: Deciding,
}

/// `game SPEC IMPL FILE` or `game --assertion N FILE`
#[derive(Args, Debug)]
pub struct GameCall {
    /// Specification, implementation and script; with --assertion the script alone
    #[arg(required = true, num_args = 1..=3, value_name = "SPEC IMPL FILE")]
    pub words: Vec<String>,
    /// Play for the N-th assertion, or for the one whose text contains TEXT
    #[arg(long, value_name = "TEXT|N")]
    pub assertion: Option<String>,
    /// The side that you take; the program takes the other one
    #[arg(long = "as", value_enum, value_name = "SIDE", default_value_t = SideWish::Attacker)]
    pub side: SideWish,
    /// Play in this model, whatever the script says [T: traces, F: stable failures, FD: failures
    /// and divergences]; without it for SPEC and IMPL in T
    #[arg(long, value_name = "MODEL", value_parser = model)]
    pub(crate) model: Option<ModelName>,
    /// Refuse a game with more positions than this, or with more states of one process; at most
    /// 100000
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_states: Option<u64>,
    #[command(flatten)]
    pub common: Common,
}

/// `--as`
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SideWish {
    /// You say that IMPL does not refine SPEC, and move IMPL
    Attacker,
    /// You say that IMPL refines SPEC, and answer for SPEC
    Defender,
}

/// `explore FILE`
#[derive(Args, Debug)]
pub struct ExploreCall {
    /// The script; if there is no such file, a new one begins. With --export there may be several,
    /// among which readers choose
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    /// Replace the top-level constant NAME by the expression EXPR; may be repeated
    #[arg(short = 'D', value_name = "NAME=EXPR", value_parser = definition)]
    pub definitions: Vec<Definition>,
    /// Print the address, and start no browser
    #[arg(long)]
    pub no_open: bool,
    /// Serve the page at this port, 0 for any that is free; otherwise a script gets the same port
    /// each time, if that is free, where the browser finds its drafts again
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,
    /// Serve nothing: write the page into the folder DIR, with the program as WebAssembly in it, so
    /// that any web server can offer it to those who have no cspsym
    #[arg(long, value_name = "DIR", conflicts_with_all = ["no_open", "port"])]
    pub export: Option<PathBuf>,
    /// Where the program is as WebAssembly, for --export [default: cspsym.wasm beside this program,
    /// or where cargo builds it]
    #[arg(long, value_name = "FILE", requires = "export")]
    pub program: Option<PathBuf>,
}

/// `api`
#[derive(Args, Debug)]
pub struct ApiCall {
    /// Read no file from outside the folder DIR, by whatever links
    #[arg(long, value_name = "DIR", value_parser = folder)]
    pub root: Option<PathBuf>,
}

/// `mcp`
#[derive(Args, Debug)]
pub struct McpCall {
    /// Read no file from outside the folder DIR, by whatever links; without it, the folder that the
    /// program is started in
    #[arg(long, value_name = "DIR", value_parser = folder)]
    pub root: Option<PathBuf>,
}

/// `explain [CODE]`
#[derive(Args, Debug)]
pub struct ExplainCall {
    /// The code of the message, such as unknown-name; without it, all codes are listed
    #[arg(value_name = "CODE")]
    pub code: Option<String>,
}

/// `help [TOPIC]...`
#[derive(Args, Debug)]
pub struct HelpCall {
    /// A topic of the manual, or a subcommand, with the words below it as in `lab start`; without
    /// it, all of them are listed
    #[arg(value_name = "TOPIC")]
    topic: Vec<String>,
    /// With the topic json: print the JSON Schema of the results
    #[arg(long)]
    pub schema: bool,
}

/// `--format`
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// For people
    Text,
    /// One object a line
    Json,
}

/// `--format` of `machine`
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum MachineFormat {
    /// For people
    Text,
    /// One object
    Json,
    /// A graph for Graphviz
    Dot,
    /// A drawing
    Svg,
}

/// `--format` of `symmetry`
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymmetryFormat {
    /// For people
    Text,
    /// One object
    Json,
    /// The leaves as graphs for Graphviz, with arrows for the symmetries
    Dot,
}

impl Arguments {
    /// The arguments of a call, the name of the program first. Arguments that contradict each other
    /// are refused.
    pub fn read<W: Into<OsString> + Clone>(
        words: impl IntoIterator<Item = W>,
    ) -> Result<Self, clap::Error> {
        let mut words: Vec<OsString> = words.into_iter().map(Into::into).collect();
        // Under this name the program is what scripts for FDR4 call.
        if words
            .first()
            .is_some_and(|word| Path::new(word).file_stem() == Some("refines".as_ref()))
        {
            words.splice(..1, ["cspsym".into(), "refines".into()]);
        }
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
    pub fn subcommands() -> Vec<String> {
        let program = Self::command();
        let names = program.get_subcommands().map(|call| call.get_name());
        names.map(str::to_string).collect()
    }

    /// The words of all subcommands, and of those below them, such as `lab` and `lab start`.
    pub fn nested_subcommands() -> Vec<String> {
        let mut all = Vec::new();
        let mut open = vec![(String::new(), Self::command())];
        while let Some((above, call)) = open.pop() {
            for below in call.get_subcommands() {
                let words = format!("{above} {}", below.get_name());
                all.push(words.trim_start().to_string());
                open.push((words, below.clone()));
            }
        }
        all
    }

    /// Returns these arguments, or if they are a call of `help` for the program or a subcommand,
    /// the help that `--help` gives.
    fn or_help(self) -> Result<Self, clap::Error> {
        let Command::Help(call) = &self.command else {
            return Ok(self);
        };
        let topic = call.topic();
        if !call.topic.is_empty() && !Self::nested_subcommands().contains(&topic) {
            return Ok(self);
        }
        // To clap, help is an error, which `main` prints with exit status 0.
        let words = topic.split_whitespace();
        Self::try_parse_from(["cspsym"].into_iter().chain(words).chain(["--help"]))
    }
}

impl HelpCall {
    /// The words of the topic, with a blank between two of them; empty if there is none.
    pub fn topic(&self) -> String {
        self.topic.join(" ")
    }
}

impl SymmetryCall {
    /// The specification and the implementation, if these are named.
    pub fn processes(&self) -> Option<(&str, &str)> {
        match self.words.as_slice() {
            [specification, implementation, _] => Some((specification, implementation)),
            _ => None,
        }
    }

    /// True if the processes or the assertion to look at are named, and not both.
    fn has_one_subject(&self) -> bool {
        match self.assertion {
            Some(_) => self.words.len() == 1,
            None => self.processes().is_some(),
        }
    }

    /// The script, which is always the last word.
    pub fn file(&self) -> &str {
        self.words.last().map_or("", String::as_str)
    }

    /// The options of questions. The limits on memory are those of `memory`.
    pub fn options(&self, memory: &Memory) -> Options {
        Options {
            model: self.model,
            ..self.reducing.options(memory)
        }
    }
}

impl StepCall {
    /// The script, which is always the first word.
    pub fn file(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    /// The process, if it is named.
    pub fn process(&self) -> Option<&str> {
        self.words.get(1).map(String::as_str)
    }

    /// True if exactly one of the process, the assertion and the walk is given.
    fn has_one_subject(&self) -> bool {
        let said = [
            self.process().is_some(),
            self.assertion.is_some(),
            self.walk.is_some(),
        ];
        said.into_iter().filter(|&said| said).count() == 1
    }
}

impl GameCall {
    /// The specification and the implementation, if these are named.
    pub fn processes(&self) -> Option<(&str, &str)> {
        match self.words.as_slice() {
            [specification, implementation, _] => Some((specification, implementation)),
            _ => None,
        }
    }

    /// The script, which is always the last word.
    pub fn file(&self) -> &str {
        self.words.last().map_or("", String::as_str)
    }

    /// True if the processes or the assertion are named, and not both.
    fn has_one_subject(&self) -> bool {
        match self.assertion {
            Some(_) => self.words.len() == 1,
            None => self.processes().is_some(),
        }
    }

    /// The options of questions. The limits on memory are those of `memory`.
    pub fn options(&self, memory: &Memory) -> Options {
        Options {
            model: self.model,
            max_states: self.max_states,
            ..self.common.options(memory)
        }
    }
}

impl SideWish {
    /// The side that is meant.
    pub fn side(self) -> GameSide {
        match self {
            Self::Attacker => GameSide::Attacker,
            Self::Defender => GameSide::Defender,
        }
    }
}

impl Command {
    /// The options that all subcommands which read a script share.
    pub fn common(&self) -> Option<&Common> {
        match self {
            Command::Eval(call) | Command::Type(call) => Some(&call.common),
            Command::Typecheck(call) => Some(&call.common),
            Command::Game(call) => Some(&call.common),
            Command::Machine(call) => Some(&call.compiling.common),
            _ => self.reducing().map(|reducing| &reducing.compiling.common),
        }
    }

    /// The options on symmetries of a call, if it has any.
    fn reducing(&self) -> Option<&Reducing> {
        match self {
            Command::Graph(call) => Some(&call.reducing),
            Command::Symmetry(call) => Some(&call.reducing),
            Command::Step(call) => Some(&call.deciding.reducing),
            Command::Refines(call) => Some(&call.deciding.reducing),
            Command::Lab(LabCall {
                command: LabCommand::Check(call),
            }) => Some(&call.deciding.reducing),
            _ => Some(&self.checking()?.deciding.reducing),
        }
    }

    /// The options of a call that decides assertions one after the other.
    fn checking(&self) -> Option<&Checking> {
        match self {
            Command::Check(call) => Some(&call.checking),
            Command::Refine(call) => Some(&call.checking),
            _ => None,
        }
    }

    /// True if another process prints the results.
    pub fn is_silent(&self) -> bool {
        let in_cluster = self.checking();
        let in_cluster = in_cluster.is_some_and(|call| call.cluster.is_silent());
        in_cluster || self.is_copy_for_jobs()
    }

    /// True if another process has started this one for a script of several, and hears its answers.
    pub fn is_copy_for_jobs(&self) -> bool {
        matches!(self, Command::Check(call) if call.jobs.job)
    }

    /// The order of such a process.
    pub fn order(&self) -> Option<&JobOrder> {
        match self {
            Command::Check(call) => call.jobs.order.as_ref(),
            _ => None,
        }
    }

    /// True if no progress is wanted.
    pub fn is_quiet(&self) -> bool {
        match self {
            Command::Refines(call) => call.quiet || call.brief,
            _ => self.checking().is_some_and(|call| call.quiet),
        }
    }

    /// The time that one assertion, or one task of a lab, may take.
    pub fn timeout_each(&self) -> Option<Duration> {
        match self {
            // A student's definition that calls itself without end looks like a program that hangs.
            Command::Lab(LabCall {
                command: LabCommand::Check(call),
            }) => call.timeout_each.or(Some(LONGEST_TASK)),
            _ => self.checking()?.timeout_each,
        }
    }

    /// True if people read the messages, and the explanation of a message is not shown yet.
    pub fn is_for_people(&self) -> bool {
        match self {
            Command::Check(CheckCall { checking, .. })
            | Command::Refine(RefineCall { checking, .. }) => checking.format == Format::Text,
            Command::Eval(call) | Command::Type(call) => call.format == Format::Text,
            Command::Typecheck(call) => call.format == Format::Text,
            Command::Machine(call) => call.format != MachineFormat::Json,
            Command::Graph(call) => call.format != GraphFormat::Json,
            Command::Symmetry(call) => call.format != SymmetryFormat::Json,
            Command::Lab(call) => match &call.command {
                LabCommand::Check(call) => call.format == Format::Text,
                _ => true,
            },
            Command::Step(_) | Command::Game(_) | Command::Explore(_) => true,
            Command::Refines(_)
            | Command::Api(_)
            | Command::Mcp(_)
            | Command::Explain(_)
            | Command::Help(_)
            | Command::Completions(_)
            | Command::Man(_)
            | Command::Lsp
            | Command::Dap => false,
        }
    }

    /// The reason, in words, why arguments make no sense together, although each is right.
    fn contradiction(&self) -> Option<(ErrorKind, &'static str)> {
        let first = match self {
            Command::Step(call) if !call.has_one_subject() => {
                let message = "expected FILE PROCESS, or FILE with --assertion or --walk";
                return Some((ErrorKind::WrongNumberOfValues, message));
            }
            Command::Explore(call) if call.export.is_none() && call.files.len() > 1 => {
                let message = "expected one FILE, or several with --export";
                return Some((ErrorKind::WrongNumberOfValues, message));
            }
            Command::Help(call) if call.schema && call.topic() != chapters::JSON => {
                Some("`--schema` goes with the topic json: `cspsym help json --schema`")
            }
            Command::Check(call) => {
                let (files, has_page) = (&call.files, call.records.report.is_some());
                call.checking.contradiction(files, has_page)
            }
            Command::Refine(call) => {
                let file = std::slice::from_ref(&call.file);
                call.checking.contradiction(file, false)
            }
            _ => None,
        };
        let second = first.or_else(|| self.reducing()?.contradiction());
        let conflict = second.or_else(|| match self {
            Command::Graph(call)
                if call.orbits && !matches!(call.format, GraphFormat::Json | GraphFormat::Svg) =>
            {
                Some("`--orbits` goes with `--format json` or `--format svg`")
            }
            Command::Symmetry(call) if call.reducing.symmetry == Symmetries::Off => {
                Some("`--symmetry off` leaves this subcommand nothing to show")
            }
            Command::Symmetry(call)
                if call.for_all.is_some() && call.format == SymmetryFormat::Dot =>
            {
                Some("`--format dot` draws symmetries, not what `--for-all` shows")
            }
            _ => None,
        });
        match (conflict, self) {
            (Some(message), _) => Some((ErrorKind::ArgumentConflict, message)),
            (None, Command::Game(call)) if !call.has_one_subject() => {
                let message = "expected SPEC IMPL FILE, or --assertion N and FILE";
                Some((ErrorKind::WrongNumberOfValues, message))
            }
            (None, Command::Symmetry(call)) if !call.has_one_subject() => {
                let message = "expected SPEC IMPL FILE, or --assertion N and FILE";
                Some((ErrorKind::WrongNumberOfValues, message))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
