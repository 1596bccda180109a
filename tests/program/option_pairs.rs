//! Each option of `cspsym check` together with each other one: both have their effects, or the pair
//! is refused in words.
//!
//! The options are read from the help, which is made from the types of the arguments. So an option
//! that is added and not described here fails the test. The effect of an option is looked for in
//! the output for `option_pairs/pairs.csp`, in which it shows.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use testkit::depth::cases;

use crate::harness::{Outcome, cspsym, in_parallel, split_arguments, without_times};
use serde_json::Value;

const SCRIPT: &str = "tests/option_pairs/pairs.csp";

/// An option, and the way in which it shows.
struct Probe {
    option: &'static str,
    /// The arguments. `FOLDER` stands for a folder of the run.
    arguments: &'static str,
    shows: Shows,
}

/// The way in which the effect of an option shows.
enum Shows {
    /// In the JSON, or else in the text.
    In(fn(&Seen) -> bool, fn(&Seen) -> bool),
    /// In nothing that is printed, for this reason: the verdicts are those without it.
    Nowhere(&'static str),
    /// As a limit, which these arguments reach: then each assertion that needs a search has this
    /// code instead of a verdict.
    Limit(&'static str, &'static str),
}
use Shows::{In, Limit, Nowhere};

/// The output of a run, and its folder.
struct Seen {
    outcome: Outcome,
    /// The reports, if they are JSON.
    reports: Vec<Value>,
    folder: PathBuf,
}

/// Parts of the texts of the assertions, by their numbers.
const TEXTS: [&str; 6] = [
    "COUNT(0)",
    "(a?i -> STOP)",
    "= STOP",
    "SKIP",
    "if M == 1",
    "SYSTEM :[deadlock",
];

impl Seen {
    fn is_json(&self) -> bool {
        !self.reports.is_empty()
    }

    /// The report on the assertion with this number, from 1 on.
    fn report(&self, number: usize) -> &Value {
        let text = TEXTS[number - 1];
        let of_it = |report: &&Value| {
            let assertion = report["assertion"].as_str().unwrap_or_default();
            // The model may be another one.
            assertion.replace("[F=", "[T=").contains(text)
        };
        self.reports.iter().find(of_it).unwrap_or(&Value::Null)
    }

    /// The line on the assertion with this number.
    fn line(&self, number: usize) -> Option<&str> {
        let text = TEXTS[number - 1];
        let mut lines = self.outcome.out.lines();
        lines.find(|line| line.starts_with("assert ") && line.replace("[F=", "[T=").contains(text))
    }

    /// The verdict on the assertion with this number, in the form of JSON.
    fn verdict(&self, number: usize) -> Option<&str> {
        if self.is_json() {
            return self.report(number)["verdict"].as_str();
        }
        let line = self.line(number)?;
        let words = [
            (": holds", "pass"),
            (": fails", "fail"),
            (": undecided", "unknown"),
            (": error", "error"),
        ];
        let mut words = words.into_iter();
        words.find_map(|(word, verdict)| line.contains(word).then_some(verdict))
    }

    fn fails(&self, number: usize) -> bool {
        self.verdict(number) == Some("fail")
    }

    fn says(&self, text: &str) -> bool {
        self.outcome.out.contains(text)
    }

    fn has(&self, number: usize, key: &str) -> bool {
        !self.report(number)[key].is_null()
    }

    /// True if something is in a folder of the run.
    fn left(&self, name: &str) -> bool {
        let entries = fs::read_dir(self.folder.join(name));
        entries.is_ok_and(|mut entries| entries.next().is_some())
    }
}

const SAME: &str = "results are the same for any number";

/// All options, in the order of the help.
const PROBES: &[Probe] = &[
    Probe {
        option: "--assertion",
        arguments: "--assertion 1 --assertion 2 --assertion 3 --assertion 4 --assertion 5",
        shows: In(
            |seen| seen.verdict(2).is_some() && seen.verdict(6).is_none(),
            |seen| seen.line(2).is_some() && seen.line(6).is_none(),
        ),
    },
    Probe {
        option: "--format",
        arguments: "--format text",
        shows: In(|_| false, |seen| seen.line(2).is_some()),
    },
    Probe {
        option: "--explain",
        arguments: "--explain",
        shows: In(
            |seen| !seen.report(2)["counterexample"]["components"].is_null(),
            |seen| seen.says("What each component did"),
        ),
    },
    Probe {
        option: "--counterexamples",
        arguments: "--counterexamples 2",
        shows: In(
            |seen| {
                seen.report(2)["counterexamples"]
                    .as_array()
                    .is_some_and(|all| all.len() == 2)
            },
            |seen| seen.says("Counterexample 2 of 2"),
        ),
    },
    Probe {
        option: "--for-all",
        arguments: "--for-all N",
        shows: In(
            |seen| seen.report(1)["for_all"]["counted"] == "N" && seen.fails(1),
            |seen| seen.fails(1),
        ),
    },
    Probe {
        option: "--cache",
        arguments: "--cache FOLDER/cache",
        shows: In(|seen| seen.left("cache"), |seen| seen.left("cache")),
    },
    Probe {
        option: "--jobs",
        arguments: "--jobs 2",
        shows: Nowhere(SAME),
    },
    Probe {
        option: "--report",
        arguments: "--report FOLDER/report.html",
        shows: In(reported, reported),
    },
    Probe {
        option: "--junit",
        arguments: "--junit FOLDER/junit.xml",
        shows: In(junit_written, junit_written),
    },
    Probe {
        option: "--sarif",
        arguments: "--sarif FOLDER/found.sarif",
        shows: In(sarif_written, sarif_written),
    },
    Probe {
        option: "--spill",
        arguments: "--spill FOLDER/spill",
        shows: In(|seen| seen.left("spill"), |seen| seen.left("spill")),
    },
    Probe {
        option: "--resume",
        arguments: "--resume FOLDER/resume",
        shows: In(
            |seen| !seen.report(2)["disk"]["resumed"].is_null(),
            |seen| seen.left("resume") && seen.fails(2),
        ),
    },
    Probe {
        option: "--processes",
        arguments: "--processes 2",
        shows: Nowhere(SAME),
    },
    Probe {
        option: "--hosts",
        arguments: "--hosts FOLDER/hosts --process 0 --secret FOLDER/secret",
        shows: Nowhere(SAME),
    },
    Probe {
        option: "--process",
        arguments: "--hosts FOLDER/hosts --process 0 --secret FOLDER/secret",
        shows: Nowhere(SAME),
    },
    Probe {
        option: "--secret",
        arguments: "--hosts FOLDER/hosts --process 0 --secret FOLDER/secret",
        shows: Nowhere(SAME),
    },
    Probe {
        option: "--wait",
        arguments: "--hosts FOLDER/hosts --process 0 --secret FOLDER/secret --wait 9",
        shows: Nowhere("all are there at once"),
    },
    Probe {
        option: "--stats",
        arguments: "--stats",
        shows: In(
            |seen| seen.has(2, "memory_limit"),
            |seen| seen.says("  memory limit "),
        ),
    },
    Probe {
        option: "--profile",
        arguments: "--profile",
        shows: In(|seen| seen.has(5, "profile"), |seen| seen.says("  work ")),
    },
    Probe {
        option: "--quiet",
        arguments: "--quiet",
        shows: In(
            |seen| !seen.outcome.err.contains("warning"),
            |seen| seen.line(6).is_none() && !seen.outcome.err.contains("warning"),
        ),
    },
    Probe {
        option: "--timeout-each",
        arguments: "--timeout-each 1000",
        shows: Limit("--timeout-each 0", "timeout"),
    },
    Probe {
        option: "--model",
        arguments: "--model F",
        shows: In(|seen| seen.fails(3), |seen| seen.fails(3)),
    },
    Probe {
        option: "--max-states",
        arguments: "--max-states 1000000",
        shows: Limit("--max-states 1", "state-limit"),
    },
    Probe {
        option: "--reduce",
        arguments: "--reduce po",
        shows: In(|seen| seen.has(2, "partial_order"), in_numbers),
    },
    Probe {
        option: "--shortest",
        arguments: "--shortest",
        shows: Nowhere("these searches are over before the first dive"),
    },
    Probe {
        option: "--strategy",
        arguments: "--strategy terms",
        shows: In(
            |seen| seen.report(2)["strategy"] == "terms",
            // No numbers are printed with `--quiet`.
            |seen| seen.says("nothing") || !seen.says(" states"),
        ),
    },
    Probe {
        option: "--algorithm",
        arguments: "--algorithm check",
        shows: In(
            |seen| seen.report(2)["algorithm"] == "Check",
            |seen| seen.fails(2) && !seen.says("representative state"),
        ),
    },
    Probe {
        option: "--representative",
        arguments: "--representative local",
        shows: In(
            |seen| {
                let mut reports = seen.reports.iter();
                reports.any(|report| report["representative"] == "local search")
            },
            in_numbers,
        ),
    },
    Probe {
        option: "--symmetry",
        arguments: "--symmetry off",
        shows: In(
            |seen| !seen.has(2, "symmetry") && seen.has(2, "states"),
            |seen| seen.fails(2) && !seen.says("representative state"),
        ),
    },
    Probe {
        option: "--fix-initial",
        arguments: "--fix-initial",
        shows: In(
            |seen| seen.report(6)["symmetry"]["order"] != "48",
            |seen| seen.fails(2) && !seen.says("under 48 symmetries"),
        ),
    },
    Probe {
        option: "--max-leaf-states",
        arguments: "--max-leaf-states 1000000",
        // Otherwise terms are searched where no component may be listed.
        shows: Limit("--max-leaf-states 0 --strategy machine", "growing-process"),
    },
    Probe {
        option: "--threads",
        arguments: "--threads 2",
        shows: Nowhere(SAME),
    },
    Probe {
        option: "--no-minimise",
        arguments: "--no-minimise",
        shows: In(
            |seen| {
                let leaves = seen.report(2)["machine"]["leaf_states"].as_array();
                leaves.is_some_and(|leaves| leaves.iter().any(|states| states.as_u64() >= Some(4)))
            },
            in_numbers,
        ),
    },
    Probe {
        option: "-D",
        arguments: "-D M=2",
        shows: In(|seen| seen.fails(5), |seen| seen.fails(5)),
    },
    Probe {
        option: "--termination",
        arguments: "--termination signal",
        shows: In(|seen| !seen.fails(4), |seen| !seen.fails(4)),
    },
    Probe {
        option: "--timeout",
        arguments: "--timeout 1000",
        shows: Limit("--timeout 0", "timeout"),
    },
    Probe {
        option: "--memory-limit",
        arguments: "--memory-limit 8G",
        shows: Limit("--memory-limit 1", "memory-limit"),
    },
    Probe {
        option: "--progress",
        arguments: "--progress on",
        shows: Nowhere("nothing here takes long enough for a line"),
    },
    Probe {
        option: "--include-root",
        arguments: "--include-root tests",
        shows: Nowhere("the script includes nothing from outside; `messages/` has what is refused"),
    },
];

/// The effect of an option that shows in numbers, which the text has only with `--stats`. The pair
/// is also looked at in JSON, which has them; in the text, the verdict has to be as usual.
fn in_numbers(seen: &Seen) -> bool {
    seen.fails(2)
}

fn junit_written(seen: &Seen) -> bool {
    let xml = fs::read_to_string(seen.folder.join("junit.xml"));
    xml.is_ok_and(|xml| xml.contains("<testcase ") && xml.contains("COUNT(0)"))
}

fn sarif_written(seen: &Seen) -> bool {
    let text = fs::read_to_string(seen.folder.join("found.sarif"));
    text.is_ok_and(|text| text.contains("\"ruleId\""))
}

fn reported(seen: &Seen) -> bool {
    let page = fs::read_to_string(seen.folder.join("report.html"));
    page.is_ok_and(|page| page.contains("COUNT(0)"))
}

/// Pairs of which one does not show beside the other, and the message of the program about that.
/// The flag says that the message appears only with results as text.
const TOLD: &[(&str, &str, bool, &str)] = &[
    ("--explain", "--quiet", true, "prints no counterexample"),
    (
        "--counterexamples",
        "--quiet",
        true,
        "prints no counterexample",
    ),
    (
        "--counterexamples",
        "--spill",
        false,
        "where states are kept on disk",
    ),
    (
        "--counterexamples",
        "--resume",
        false,
        "where states are kept on disk",
    ),
    (
        "--counterexamples",
        "--processes",
        false,
        "where several processes search",
    ),
    (
        "--counterexamples",
        "--hosts",
        false,
        "where several processes search",
    ),
    (
        "--counterexamples",
        "--process",
        false,
        "where several processes search",
    ),
    (
        "--counterexamples",
        "--secret",
        false,
        "where several processes search",
    ),
    (
        "--counterexamples",
        "--wait",
        false,
        "where several processes search",
    ),
    (
        "--counterexamples",
        "--reduce",
        false,
        "several counterexamples are looked for",
    ),
    (
        "--counterexamples",
        "--strategy",
        false,
        "strategy-inapplicable",
    ),
    (
        "--strategy",
        "--representative",
        false,
        "strategy-inapplicable",
    ),
    ("--strategy", "--reduce", false, "strategy-inapplicable"),
    (
        "--reduce",
        "--shortest",
        false,
        "a shortest counterexample is looked for",
    ),
    ("--strategy", "--no-minimise", true, "with nothing compiled"),
    (
        "--strategy",
        "--no-minimise",
        false,
        "\"strategy\":\"terms\"",
    ),
    ("--strategy", "--spill", false, "strategy-inapplicable"),
    ("--strategy", "--resume", false, "strategy-inapplicable"),
    ("--strategy", "--processes", false, "strategy-inapplicable"),
    ("--strategy", "--hosts", false, "strategy-inapplicable"),
    ("--strategy", "--process", false, "strategy-inapplicable"),
    ("--strategy", "--secret", false, "strategy-inapplicable"),
    ("--strategy", "--wait", false, "strategy-inapplicable"),
    ("--cache", "--processes", false, "cannot be used with"),
    ("--cache", "--hosts", false, "cannot be used with"),
    ("--cache", "--process", false, "cannot be used with"),
    ("--cache", "--secret", false, "cannot be used with"),
    ("--cache", "--wait", false, "cannot be used with"),
    ("--jobs", "--processes", false, "cannot be used with"),
    ("--jobs", "--hosts", false, "cannot be used with"),
    ("--jobs", "--process", false, "cannot be used with"),
    ("--jobs", "--secret", false, "cannot be used with"),
    ("--jobs", "--wait", false, "cannot be used with"),
    ("--jobs", "--spill", false, "cannot be used with"),
    ("--jobs", "--resume", false, "cannot be used with"),
    ("--spill", "--resume", false, "cannot be used with"),
    ("--processes", "--hosts", false, "cannot be used with"),
    ("--processes", "--process", false, "cannot be used with"),
    ("--processes", "--secret", false, "cannot be used with"),
    ("--processes", "--wait", false, "cannot be used with"),
    ("--stats", "--quiet", false, "cannot be used with"),
    ("--profile", "--quiet", false, "cannot be used with"),
    (
        "--algorithm",
        "--representative",
        false,
        "is plain search, which has no",
    ),
    (
        "--representative",
        "--symmetry",
        false,
        "which has no `--representative`",
    ),
];

/// One run, as a line of arguments, with the effects that have to show.
struct Run<'p> {
    one: &'p Probe,
    other: &'p Probe,
    arguments: String,
    /// The code of the limit that is reached.
    reached: Option<&'static str>,
    is_json: bool,
}

#[test]
fn every_pair_of_options_is_crossed() {
    let help = cspsym(&split_arguments("check --help"), b"").out;
    let described: BTreeSet<&str> = PROBES.iter().map(|probe| probe.option).collect();
    let helped: BTreeSet<&str> = options(&help).collect();
    assert_eq!(
        helped, described,
        "each option of the help has a probe, and no other has one"
    );
    let mut runs = Vec::new();
    for (number, one) in PROBES.iter().enumerate() {
        for other in &PROBES[number + 1..] {
            runs.extend(runs_of(one, other));
        }
    }
    // Every third, so that each option meets most others on each run, and all in a deep run.
    let numbered: Vec<(usize, Run<'_>)> =
        runs.into_iter().enumerate().step_by(cases(3, 1)).collect();
    let wrong = in_parallel(&numbered, |(number, run)| problem(*number, run));
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The options beside which a verdict is taken that was kept without them. Beside all others it is
/// another verdict.
const TAKEN_ALL_THE_SAME: [&str; 12] = [
    "--jobs",
    "--assertion",
    "--format",
    "--junit",
    "--sarif",
    "--quiet",
    "--timeout-each",
    "--threads",
    "--timeout",
    "--memory-limit",
    "--progress",
    "--include-root",
];

#[test]
fn a_kept_verdict_is_one_by_the_same_options() {
    let is_refused = |probe: &Probe| {
        let mut told = TOLD.iter();
        told.any(|(one, other, ..)| *one == "--cache" && *other == probe.option)
    };
    let probes = PROBES.iter().filter(|probe| probe.option != "--cache");
    let probes: Vec<(usize, &Probe)> = probes
        .filter(|probe| !is_refused(probe))
        .enumerate()
        .collect();
    let wrong = in_parallel(&probes, |(number, probe)| problem_of_kept(*number, probe));
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The problem with verdicts that are kept beside those without an option, if there is one.
fn problem_of_kept(number: usize, probe: &Probe) -> Option<String> {
    let kept = std::env::temp_dir().join(format!("cspsym-kept-{number}-{}", std::process::id()));
    let keep = format!("--cache {}", kept.display());
    let format = match probe.option {
        "--format" => "",
        _ => "--format json",
    };
    let checked = |arguments: &str, cache: &str| {
        // No other test has runs of these numbers.
        let seen = run(
            &format!("check {arguments} {cache} {SCRIPT}"),
            30_000 + number,
        );
        fs::remove_dir_all(&seen.folder).expect("the folder is removed");
        seen
    };
    checked("", &keep);
    let arguments = format!("{} {format}", probe.arguments);
    let runs = ["", &keep, &keep].map(|cache| checked(&arguments, cache));
    fs::remove_dir_all(&kept).expect("the folder is removed");
    let [fresh, first, second] = runs.each_ref().map(printed);
    let decided = runs[0].reports.iter();
    let decided =
        decided.filter(|report| report["verdict"] == "pass" || report["verdict"] == "fail");
    let decided = decided.count();
    let taken = |seen: &Seen| {
        let reports = seen.reports.iter();
        reports.filter(|report| report["cached"] == true).count()
    };
    let is_taken = TAKEN_ALL_THE_SAME.contains(&probe.option);
    let expected = [0, if is_taken { decided } else { 0 }, decided];
    let found = runs.each_ref().map(taken);
    let problem = match () {
        () if found != expected => format!("{found:?} are kept instead of {expected:?}"),
        () if first != fresh => format!("{first}\ninstead of\n{fresh}"),
        () if second != fresh => format!("{second}\ninstead of\n{fresh}"),
        () => return None,
    };
    Some(format!("{}: {problem}", probe.option))
}

/// The output without what differs from run to run: times, memory, and the note that a verdict was
/// kept.
fn printed(seen: &Seen) -> String {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(keys) => {
                // The rows of a profile are in the order of their times.
                for key in ["seconds", "memory_bytes", "cached", "profile"] {
                    keys.remove(key);
                }
                keys.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut reports = Value::Array(seen.reports.clone());
    strip(&mut reports);
    let text = match seen.is_json() {
        true => "",
        false => &seen.outcome.out,
    };
    let (status, err) = (seen.outcome.status, &seen.outcome.err);
    format!("{status:?}\n{reports:#}\n{}\n{err}", without_times(text))
}

/// The names of the options that a help shows.
fn options(help: &str) -> impl Iterator<Item = &str> {
    let lines = help.lines().map(str::trim_start);
    let options = lines.filter(|line| line.starts_with('-') && !line.starts_with("- "));
    let names = options.map(|line| line.split([' ', ',']).next().unwrap_or_default());
    names.filter(|name| *name != "-h")
}

/// The runs for two options: both together in each format, and each limit reached beside the other
/// option.
fn runs_of<'p>(one: &'p Probe, other: &'p Probe) -> Vec<Run<'p>> {
    // The options of one call among several hosts need each other.
    let is_whole = |probe: &Probe| probe.arguments.contains("--hosts");
    if is_whole(one) && is_whole(other) {
        return Vec::new();
    }
    let both = |is_json| Run {
        one,
        other,
        arguments: format!("{} {}", one.arguments, other.arguments),
        reached: None,
        is_json,
    };
    let limit = |limit: &'p Probe, beside: &'p Probe| match limit.shows {
        Limit(tight, code) if !tight.contains(beside.option) => Some(Run {
            one: limit,
            other: beside,
            arguments: format!("{tight} {}", beside.arguments),
            reached: Some(code),
            is_json: beside.option != "--format",
        }),
        _ => None,
    };
    let mut runs = vec![both(false)];
    if one.option != "--format" && other.option != "--format" {
        runs.push(both(true));
    }
    runs.extend(limit(one, other));
    runs.extend(limit(other, one));
    runs
}

/// The problem with a run, if there is one.
fn problem(number: usize, planned: &Run<'_>) -> Option<String> {
    let Run {
        one,
        other,
        arguments,
        reached,
        is_json,
    } = planned;
    let format = if *is_json { "--format json" } else { "" };
    let line = format!("check {arguments} {format} {SCRIPT}");
    let seen = run(&line, number);
    let is_said = |text: &str| seen.says(text) || seen.outcome.err.contains(text);
    let told = TOLD.iter().find(|(first, second, in_text, _)| {
        let names = [one.option, other.option];
        names.contains(first) && names.contains(second) && (!in_text || !is_json)
    });
    let missing = match (told, reached) {
        (Some((.., text)), _) => (!is_said(text)).then(|| format!("`{text}` is not said")),
        (None, Some(code)) => (!is_said(code)).then(|| format!("`{code}` is not reached")),
        (None, None) => {
            let hidden = [one, other].into_iter().find(|probe| !shows(probe, &seen));
            hidden.map(|probe| format!("{} does not show", probe.option))
        }
    };
    let printed = format!("{}{}", seen.outcome.out, seen.outcome.err);
    fs::remove_dir_all(&seen.folder).expect("the folder is removed");
    missing.map(|why| format!("{line}: {why}\n{}", shortened(&printed)))
}

fn shows(probe: &Probe, seen: &Seen) -> bool {
    match probe.shows {
        In(in_json, _) if seen.is_json() => in_json(seen),
        In(_, in_text) => in_text(seen),
        Nowhere(reason) => !reason.is_empty() && seen.fails(2),
        Limit(..) => seen.fails(2),
    }
}

fn shortened(text: &str) -> String {
    let lines = text.lines().take(12);
    let lines = lines.map(|line| line.chars().take(160).collect::<String>() + "\n");
    lines.collect()
}

/// Runs a line in which `FOLDER` is a folder of the run.
fn run(line: &str, number: usize) -> Seen {
    let folder = std::env::temp_dir().join(format!("cspsym-pair-{number}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("the folder is made");
    let place = folder.to_str().expect("the folder has a name").to_string();
    let prepared = |line: &str| split_arguments(&line.replace("FOLDER", &place));
    let hosts = format!("127.0.0.1:{}\n", 20_000 + number);
    fs::write(folder.join("hosts"), hosts).expect("it is written");
    fs::write(folder.join("secret"), "nobody knows it").expect("it is written");
    if line.contains("--resume") {
        // The resumed search was begun with equal options.
        cspsym(&prepared(&line.replace("--resume", "--spill")), b"");
    }
    let outcome = cspsym(&prepared(line), b"");
    let reports = outcome.out.lines().filter(|line| line.starts_with('{'));
    let reports = reports.filter_map(|line| serde_json::from_str(line).ok());
    Seen {
        reports: reports.collect(),
        outcome,
        folder,
    }
}
