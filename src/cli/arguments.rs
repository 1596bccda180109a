//! The arguments of the command line, and the help that teaches them.

use std::time::{Duration, Instant};

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::report::text::Detail;
use crate::syntax::ast::Model;

use super::request::{Definition, Limits, Options};

/// Leaf states allowed where `--max-leaf-states` is not given.
const MAX_LEAF_STATES: &str = "1000000";

const EXAMPLES: &str = "\
Examples:
  cspsym check cspm/dijkstra/dijkstra.csp
      decide every assertion of a script
  cspsym check hanoi.csp -D POLES=4 -D DISCS=6 --assertion 1
      decide its first assertion for another size
  cspsym refine 'RUN(Events)' 'P ||| Q' script.csp
      decide RUN(Events) [T= P ||| Q, both in the scope of the script
  cspsym eval 'card(Events)' script.csp
      print the value of an expression
  cspsym machine SYSTEM script.csp --format dot | dot -Tsvg
      draw the structured machine of a process";

const EXIT_STATUSES: &str = "\
Exit status:
  0  all assertions hold; the value or machine was printed
  1  some assertion fails
  2  an error in a script or in the call (whatever the other assertions say)
  3  a limit or an unsupported feature left something undecided, and nothing fails";

const PLACES: &str = "FILE is a script in CSPm, or - for standard input.";

/// Checks whether processes refine each other: reads CSPm, decides assertions, explains counterexamples.
#[derive(Parser, Debug)]
#[command(name = "cspsym", version, after_help = format!("{EXAMPLES}\n\n{EXIT_STATUSES}"))]
#[command(arg_required_else_help = true, infer_subcommands = false)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Decide the assertions of scripts, in order
    #[command(after_help = format!("{PLACES}\n\n{EXIT_STATUSES}"))]
    Check(Check),
    /// Decide whether one process refines another
    #[command(after_help = format!(
        "SPEC and IMPL are process expressions in the scope of FILE. {PLACES}\n\n{EXIT_STATUSES}"
    ))]
    Refine(Refine),
    /// Print the value of an expression
    #[command(after_help = format!(
        "EXPR is any expression in the scope of FILE; one that begins with - goes behind --. {PLACES}\n\n{EXIT_STATUSES}"
    ))]
    Eval(Eval),
    /// Print the structured machine that a process is compiled to
    #[command(after_help = format!("EXPR is a process expression in the scope of FILE. {PLACES}\n\n{EXIT_STATUSES}"))]
    Machine(Machine),
}

/// `check FILE...`
#[derive(Args, Debug)]
pub(crate) struct Check {
    /// The scripts
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// Decide only the N-th assertion, or those whose text contains TEXT; may be repeated
    #[arg(long = "assertion", value_name = "TEXT|N")]
    pub(crate) assertions: Vec<String>,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// `refine SPEC IMPL FILE`
#[derive(Args, Debug)]
pub(crate) struct Refine {
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
    #[command(flatten)]
    pub(crate) common: Common,
}

/// `eval EXPR FILE`
#[derive(Args, Debug)]
pub(crate) struct Eval {
    /// The expression
    #[arg(value_name = "EXPR")]
    pub(crate) expression: String,
    /// The script that gives it its meaning
    #[arg(value_name = "FILE")]
    pub(crate) file: String,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// `machine EXPR FILE`
#[derive(Args, Debug)]
pub(crate) struct Machine {
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

/// Options that every subcommand takes; one that has no meaning there has no effect.
#[derive(Args, Debug)]
pub(crate) struct Common {
    /// Replace the top-level constant NAME by the expression EXPR; may be repeated
    #[arg(short = 'D', value_name = "NAME=EXPR", value_parser = definition)]
    pub(crate) definitions: Vec<Definition>,
    /// Decide refinements in this model, whatever the script says [T, F, FD, V, VD, R, RD; only T so far]
    #[arg(long, value_name = "MODEL", value_parser = model)]
    pub(crate) model: Option<Model>,
    /// Print all numbers of each check
    #[arg(long)]
    pub(crate) stats: bool,
    /// Print one line for each assertion that does not hold, and nothing else
    #[arg(long, conflicts_with = "stats")]
    pub(crate) quiet: bool,
    /// Stop after this time, counted from the start of the program
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,
    /// Stop a check that reaches more product states than this
    #[arg(long, value_name = "N")]
    pub(crate) max_states: Option<u64>,
    /// Stop where one sequential component has more states than this
    #[arg(long, value_name = "N", default_value = MAX_LEAF_STATES)]
    pub(crate) max_leaf_states: u64,
    /// Do not minimise the components by strong bisimulation
    #[arg(long)]
    pub(crate) no_minimise: bool,
    /// How to search
    #[arg(long, value_enum, default_value_t = Algorithm::Auto)]
    pub(crate) algorithm: Algorithm,
    /// Which symmetries to use
    #[arg(long, value_enum, default_value_t = Symmetry::Auto)]
    pub(crate) symmetry: Symmetry,
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

/// `--algorithm`
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Algorithm {
    /// The cheapest that applies
    Auto,
    /// Plain search, without symmetry
    Check,
}

/// `--symmetry`
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Symmetry {
    /// Those that are found (so far none: the same as off)
    Auto,
    /// None
    Off,
}

impl Command {
    /// The options that all subcommands share.
    pub(crate) fn common(&self) -> &Common {
        match self {
            Command::Check(call) => &call.common,
            Command::Refine(call) => &call.common,
            Command::Eval(call) => &call.common,
            Command::Machine(call) => &call.common,
        }
    }

    /// The script that a report in JSON would name, if verdicts are to be printed in JSON.
    pub(crate) fn json_file(&self) -> Option<String> {
        match self {
            Command::Check(call) if call.format == Format::Json => call.files.first().cloned(),
            Command::Refine(call) if call.format == Format::Json => Some(call.file.clone()),
            _ => None,
        }
    }
}

impl Common {
    /// What the stages need to know.
    pub(crate) fn options(&self, deadline: Option<Instant>) -> Options {
        // `--algorithm` and `--symmetry` choose between one thing so far.
        let Common {
            algorithm: Algorithm::Auto | Algorithm::Check,
            symmetry: Symmetry::Auto | Symmetry::Off,
            ..
        } = self;
        Options {
            definitions: self.definitions.clone(),
            model: self.model,
            limits: Limits {
                deadline,
                states: self.max_states,
                leaf_states: self.max_leaf_states,
            },
            minimise: !self.no_minimise,
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

    /// `--timeout`
    pub(crate) fn timeout(&self) -> Option<Duration> {
        self.timeout
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

fn model(argument: &str) -> Result<Model, String> {
    match argument {
        "T" => Ok(Model::T),
        "F" => Ok(Model::F),
        "FD" => Ok(Model::FD),
        "V" => Ok(Model::V),
        "VD" => Ok(Model::VD),
        "R" => Ok(Model::R),
        "RD" => Ok(Model::RD),
        _ => Err("expected T, F, FD, V, VD, R or RD".to_string()),
    }
}

fn seconds(argument: &str) -> Result<Duration, String> {
    let number: f64 = argument
        .parse()
        .map_err(|_| "expected a number of seconds, such as 60 or 0.5")?;
    Duration::try_from_secs_f64(number)
        .map_err(|_| "expected a number of seconds that is not negative".to_string())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn parse(arguments: &[&str]) -> Result<Arguments, clap::Error> {
        Arguments::try_parse_from(["cspsym"].iter().chain(arguments))
    }

    #[test]
    fn the_definition_of_the_arguments_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn constants_are_split_at_the_first_equals_sign() {
        let arguments = parse(&[
            "check",
            "a.csp",
            "-D",
            "N=3",
            "-DLAYOUT=<3,3>",
            "-D",
            "B = x == y",
            "-D",
            "N'=-1",
        ]);
        let Command::Check(check) = arguments.expect("it parses").command else {
            panic!("it is check")
        };
        let pairs: Vec<(&str, &str)> = check
            .common
            .definitions
            .iter()
            .map(|d| (d.name.as_str(), d.text.as_str()))
            .collect();
        assert_eq!(
            pairs,
            [
                ("N", "3"),
                ("LAYOUT", "<3,3>"),
                ("B", "x == y"),
                ("N'", "-1")
            ]
        );
    }

    #[test]
    fn wrong_arguments_are_refused() {
        for arguments in [
            &["check"][..],
            &["check", "a.csp", "-D", "3=N"],
            &["check", "a.csp", "-D", "N"],
            &["check", "a.csp", "-D", "N="],
            &["check", "a.csp", "--timeout", "-1"],
            &["check", "a.csp", "--timeout", "NaN"],
            &["check", "a.csp", "--model", "Z"],
            &["check", "a.csp", "--max-states", "many"],
            &["check", "a.csp", "--quiet", "--stats"],
            &["refine", "P", "a.csp"],
            &["eval", "a.csp"],
            &["check", "a.csp", "--format", "dot"],
            &["unknown"],
        ] {
            assert_eq!(
                parse(arguments).expect_err("it is wrong").exit_code(),
                2,
                "{arguments:?}"
            );
        }
    }

    #[test]
    fn every_subcommand_takes_the_common_options() {
        let common = [
            "--model",
            "T",
            "--stats",
            "--timeout",
            "1.5",
            "--max-states",
            "10",
            "--max-leaf-states",
            "9",
        ];
        let more = [
            "--no-minimise",
            "--algorithm",
            "check",
            "--symmetry",
            "off",
            "-D",
            "N=2",
            "-",
        ];
        for start in [
            &["check"][..],
            &["refine", "P", "Q"],
            &["eval", "1"],
            &["machine", "P"],
        ] {
            let arguments = parse(&[start, &common, &more].concat()).expect("it parses");
            let options = arguments.command.common().options(None);
            assert_eq!(
                arguments.command.common().timeout(),
                Some(Duration::from_millis(1500))
            );
            assert_eq!(
                (
                    options.limits.states,
                    options.limits.leaf_states,
                    options.minimise
                ),
                (Some(10), 9, false)
            );
            assert_eq!(arguments.command.common().detail(), Detail::Statistics);
        }
    }
}
