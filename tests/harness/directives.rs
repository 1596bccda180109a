//! The directives of scripts: the runs to make, and the results that each must give.
//!
//! A script that is itself a test has them inside, on lines that begin with `--!`:
//!
//! ```text
//! --! run -D N=3                      a run of `check` with these arguments
//! --! 1 pass states=120               what its first assertion gives
//! --! 2 fail trace=<a.1,b.2> event=c
//! --! 2 fail length=4                 how many steps lead there, internal ones included
//! --! 1 pass algorithm=SymCheck1 representative=sortRep order=24
//! --! 1 pass views=47 in_sight=2       of a run with --for-all
//! --! 3 error unknown-name
//! --! 4 unknown max-states
//! --! print {1,2,3}                   a line that a `print` declaration gives
//! --! exit 2                          where the status does not follow from the verdicts
//! --! long run -D N=7                 the same, but only in a deep run
//! --! run refine 'RUN(Events)' P      another subcommand, without the script's name
//! --! run eval 'card(Events)'
//! --! print 12
//! ```
//!
//! A script for readers has them in a file beside it, `hanoi.expected` beside `hanoi.csp`. Each
//! line of that file is a directive without its `--!`; empty lines and lines that begin with `#`
//! are ignored:
//!
//! ```text
//! # The smallest instance.
//! run -D N=3
//! 1 pass states=120
//!
//! run -D N=4
//! 1 pass states=579
//! ```
//!
//! No script has directives in both places.

use super::split_arguments;

/// One run of the program on a script.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Run {
    /// The line of the directive, in the file in which it stands.
    pub(crate) line: usize,
    /// True if only a deep run makes it.
    pub(crate) long: bool,
    /// The subcommand.
    pub(crate) command: Command,
    /// Its arguments, without the script.
    pub(crate) arguments: Vec<String>,
    /// The expected results of the assertions, by number.
    pub(crate) verdicts: Vec<(usize, Expected)>,
    /// The expected output of `print` declarations, in order.
    pub(crate) prints: Vec<String>,
    /// The exit status, if it is given.
    pub(crate) exit: Option<i32>,
}

/// The subcommand of a [`Run`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Command {
    /// `check FILE`
    #[default]
    Check,
    /// `refine SPEC IMPL FILE`
    Refine,
    /// `eval EXPR FILE`
    Eval,
}

/// The expected result of one assertion.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Expected {
    /// `pass`, `fail`, `error`, `unknown`
    pub(crate) verdict: String,
    /// The code of the message, for `error` and `unknown`.
    pub(crate) code: Option<String>,
    /// Numbers of the report, by key; `length` counts the steps before the violation, and `order`
    /// is that of the group of symmetries.
    pub(crate) numbers: Vec<(String, u64)>,
    /// The name of the algorithm, without white space.
    pub(crate) algorithm: Option<String>,
    /// The name of the representative function, without white space.
    pub(crate) representative: Option<String>,
    /// The trace of the counterexample, without white space.
    pub(crate) trace: Option<String>,
    /// The event that violates, without white space.
    pub(crate) event: Option<String>,
}

impl Run {
    /// The expected exit status.
    pub(crate) fn status(&self) -> i32 {
        let any = |verdict: &str| {
            self.verdicts
                .iter()
                .any(|(_, expected)| expected.verdict == verdict)
        };
        match self.exit {
            Some(status) => status,
            None if any("error") => 2,
            None if any("fail") => 1,
            None if any("unknown") => 3,
            None => 0,
        }
    }

    /// The arguments of the program, including `file`.
    pub(crate) fn command_line(&self, file: &str) -> Vec<String> {
        let (name, operands) = match self.command {
            Command::Check => ("check", 0),
            Command::Refine => ("refine", 2),
            Command::Eval => ("eval", 1),
        };
        let (operands, options) = self.arguments.split_at(operands.min(self.arguments.len()));
        let mut line = vec![name.to_string()];
        line.extend_from_slice(options);
        if self.command != Command::Eval {
            line.extend(["--format", "json"].map(str::to_string));
        }
        if !self
            .arguments
            .iter()
            .any(|argument| argument == "--timeout")
        {
            line.extend(["--timeout", "600"].map(str::to_string));
        }
        line.push("--".to_string());
        match self.command {
            Command::Check => line.push(file.to_string()),
            Command::Refine | Command::Eval => {
                line.extend(operands.iter().cloned().chain([file.to_string()]))
            }
        }
        line
    }
}

/// The runs that the directives of a script ask for. The directives stand in the script or, if
/// there is such a file, beside it. An error names the line.
pub(crate) fn parse(script: &str, beside: Option<&str>) -> Result<Vec<Run>, String> {
    let Some(beside) = beside else {
        return runs(inside(script));
    };
    match inside(script).next() {
        None => runs(apart(beside)),
        Some((line, _)) => Err(format!(
            "directives stand beside the script, but on its line {line} too"
        )),
    }
}

/// The directives in a script, each with its line.
fn inside(script: &str) -> impl Iterator<Item = (usize, &str)> {
    numbered(script).filter_map(|(line, text)| Some((line, text.strip_prefix("--!")?.trim())))
}

/// The directives in a file beside a script, each with its line.
fn apart(beside: &str) -> impl Iterator<Item = (usize, &str)> {
    numbered(beside).filter(|(_, text)| !text.is_empty() && !text.starts_with('#'))
}

fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines().map(str::trim))
}

fn runs<'a>(directives: impl Iterator<Item = (usize, &'a str)>) -> Result<Vec<Run>, String> {
    let mut runs: Vec<Run> = Vec::new();
    for (line, directive) in directives {
        let at = |problem: String| format!("line {line}: {problem}");
        let (word, rest) = directive
            .split_once(char::is_whitespace)
            .unwrap_or((directive, ""));
        match (word, runs.last_mut()) {
            ("run", _) => runs.push(run(line, false, rest)),
            ("long", _) if rest.split_whitespace().next() == Some("run") => {
                let arguments = rest.trim_start().trim_start_matches("run");
                runs.push(run(line, true, arguments));
            }
            (_, None) => return Err(at(format!("`{word}` stands before any `run`"))),
            ("print", Some(run)) => run.prints.push(rest.trim().to_string()),
            ("exit", Some(run)) => {
                run.exit = Some(
                    rest.trim()
                        .parse()
                        .map_err(|_| at("`exit` takes a number".to_string()))?,
                );
            }
            (number, Some(run)) => {
                let number = number
                    .parse()
                    .map_err(|_| at(format!("`{number}` is no directive")))?;
                if run.verdicts.iter().any(|(other, _)| *other == number) {
                    return Err(at(format!("a second expectation for assertion {number}")));
                }
                run.verdicts.push((number, expected(rest).map_err(at)?));
            }
        }
    }
    Ok(runs)
}

fn run(line: usize, long: bool, arguments: &str) -> Run {
    let mut arguments = split_arguments(arguments);
    let command = match arguments.first().map(String::as_str) {
        Some("check") => Some(Command::Check),
        Some("refine") => Some(Command::Refine),
        Some("eval") => Some(Command::Eval),
        _ => None,
    };
    if command.is_some() {
        arguments.remove(0);
    }
    Run {
        line,
        long,
        command: command.unwrap_or_default(),
        arguments,
        ..Run::default()
    }
}

/// The keys that an expectation may have after the verdict.
const KEYS: [&str; 17] = [
    "states",
    "transitions",
    "levels",
    "trace",
    "event",
    "length",
    "algorithm",
    "representative",
    "order",
    "views",
    "in_sight",
    "fails_with",
    "instances",
    "decided",
    "least",
    "largest",
    "cutoff",
];

/// The beginnings of the keys of an expectation, and its end. A value reaches up to the next key,
/// because traces may contain spaces.
fn bounds(text: &str) -> Vec<usize> {
    let starts = text
        .match_indices(char::is_whitespace)
        .filter_map(|(index, _)| {
            let rest = text[index..].trim_start();
            KEYS.iter()
                .any(|key| {
                    rest.strip_prefix(key)
                        .is_some_and(|rest| rest.starts_with('='))
                })
                .then_some(index)
        });
    starts.chain([text.len()]).collect()
}

fn expected(text: &str) -> Result<Expected, String> {
    let bounds = bounds(text);
    let mut words = text[..bounds[0]].split_whitespace();
    let mut expected = Expected {
        verdict: words.next().unwrap_or("").to_string(),
        ..Expected::default()
    };
    expected.code = words.next().map(str::to_string);
    match (expected.verdict.as_str(), &expected.code) {
        ("pass" | "fail", None) | ("error" | "unknown", Some(_)) => {}
        ("pass" | "fail", Some(word)) => return Err(format!("`{word}` does not belong here")),
        ("error" | "unknown", None) => return Err("the code of the message is missing".to_string()),
        (other, _) => return Err(format!("`{other}` is no verdict")),
    }
    if let Some(word) = words.next() {
        return Err(format!("`{word}` does not belong here"));
    }
    for window in bounds.windows(2) {
        let (key, value) = text[window[0]..window[1]]
            .trim()
            .split_once('=')
            .expect("a key was found there");
        match key {
            "trace" => expected.trace = Some(squeeze(value)),
            "event" => expected.event = Some(squeeze(value)),
            "algorithm" => expected.algorithm = Some(squeeze(value)),
            "representative" => expected.representative = Some(squeeze(value)),
            key => {
                let number = value
                    .replace(',', "")
                    .parse()
                    .map_err(|_| format!("`{value}` is no number"))?;
                expected.numbers.push((key.to_string(), number));
            }
        }
    }
    Ok(expected)
}

/// The text without white space.
pub(crate) fn squeeze(text: &str) -> String {
    text.split_whitespace().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_collect_the_expectations_behind_them() {
        let script = "\
-- A script.
--! run -D N=3 -D 'L=<3, 3>'
--! 1 pass states=579,733 transitions=9 levels=4
--! 2 fail trace=<a.1, b.<2>, c.(1,2)> event=d length=5
--! 3 pass algorithm=SymCheck1 representative=sortRep, simultaneous order=24
P = STOP -- --! 7 pass
--! long run refine 'RUN(Events)' P --no-minimise
--! 1 unknown max-states
--! print {1, 2}
--! run
--! 1 error unknown-name
--! exit 3
";
        let runs = parse(script, None).expect("it parses");
        assert_eq!(runs.len(), 3);
        assert_eq!(
            (runs[0].line, runs[0].long, runs[0].command),
            (2, false, Command::Check)
        );
        assert_eq!(runs[0].arguments, ["-D", "N=3", "-D", "L=<3, 3>"]);
        let numbers = [("states", 579_733), ("transitions", 9), ("levels", 4)];
        assert_eq!(
            runs[0].verdicts[0].1.numbers,
            numbers.map(|(key, number)| (key.to_string(), number))
        );
        assert_eq!(
            runs[0].verdicts[1].1.trace.as_deref(),
            Some("<a.1,b.<2>,c.(1,2)>")
        );
        assert_eq!(runs[0].verdicts[1].1.event.as_deref(), Some("d"));
        assert_eq!(runs[0].verdicts[1].1.numbers, [("length".to_string(), 5)]);
        let third = &runs[0].verdicts[2].1;
        assert_eq!(third.algorithm.as_deref(), Some("SymCheck1"));
        assert_eq!(
            third.representative.as_deref(),
            Some("sortRep,simultaneous")
        );
        assert_eq!(third.numbers, [("order".to_string(), 24)]);
        assert_eq!(runs[0].status(), 1);
        assert_eq!(
            (runs[1].long, runs[1].command, runs[1].status()),
            (true, Command::Refine, 3)
        );
        assert_eq!(runs[1].prints, ["{1, 2}"]);
        assert_eq!(
            runs[1].command_line("a.csp").join(" "),
            "refine --no-minimise --format json --timeout 600 -- RUN(Events) P a.csp"
        );
        assert_eq!(
            (runs[2].verdicts[0].1.code.as_deref(), runs[2].status()),
            (Some("unknown-name"), 3)
        );
    }

    #[test]
    fn a_directive_that_means_nothing_is_an_error() {
        for (script, problem) in [
            ("--! 1 pass", "line 1: `1` stands before any `run`"),
            ("--! run\n--! pass", "line 2: `pass` is no directive"),
            ("--! run\n--! 1 passes", "line 2: `passes` is no verdict"),
            (
                "--! run\n--! 1 pass state=3",
                "line 2: `state=3` does not belong here",
            ),
            (
                "--! run\n--! 1 pass states=many",
                "line 2: `many` is no number",
            ),
            (
                "--! run\n--! 1 error",
                "line 2: the code of the message is missing",
            ),
            (
                "--! run\n--! 1 error a-code b",
                "line 2: `b` does not belong here",
            ),
            (
                "--! run\n--! 1 pass\n--! 1 fail",
                "line 3: a second expectation for assertion 1",
            ),
            ("--! run\n--! exit x", "line 2: `exit` takes a number"),
            ("--! long", "line 1: `long` stands before any `run`"),
        ] {
            assert_eq!(parse(script, None), Err(problem.to_string()));
        }
    }

    #[test]
    fn a_script_without_directives_has_no_runs() {
        assert_eq!(parse("P = STOP\n-- ! run\n", None), Ok(Vec::new()));
    }

    #[test]
    fn directives_beside_a_script_are_those_that_it_had_inside() {
        let inside =
            "--! run -D N=3\n--! 1 fail trace=<a>\n--! long run eval N\n--! print 3\nP = STOP";
        let beside =
            "# Small.\nrun -D N=3\n1 fail trace=<a>\n\n  # Large.\nlong run eval N\nprint 3\n";
        let without_lines = |runs: Result<Vec<Run>, String>| {
            let runs = runs.expect("they parse").into_iter();
            runs.map(|run| Run { line: 0, ..run }).collect::<Vec<_>>()
        };
        let found = parse("P = STOP", Some(beside));
        assert_eq!(
            found.as_ref().map(|runs| (runs[0].line, runs[1].line)),
            Ok((2, 6))
        );
        assert_eq!(without_lines(found), without_lines(parse(inside, None)));
    }

    #[test]
    fn a_mistake_in_the_file_beside_a_script_is_an_error() {
        for (script, beside, problem) in [
            (
                "-- A model.\n--! run",
                "run\n1 pass",
                "directives stand beside the script, but on its line 2 too",
            ),
            (
                "--! run",
                "",
                "directives stand beside the script, but on its line 1 too",
            ),
            ("", "run\n--! 1 pass", "line 2: `--!` is no directive"),
            ("", "\n# A\n1 pass", "line 3: `1` stands before any `run`"),
        ] {
            assert_eq!(parse(script, Some(beside)), Err(problem.to_string()));
        }
    }
}
