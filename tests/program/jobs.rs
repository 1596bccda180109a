//! `check --jobs`: several scripts at once, and what is printed and written is that of one after
//! the other.

use std::fs;
use std::path::PathBuf;

use pretty_assertions::assert_eq;

use crate::harness::{Outcome, cspsym, empty_folder, in_parallel, split_arguments, without_times};

fn check(line: &str) -> Outcome {
    cspsym(&split_arguments(&format!("check {line}")), b"")
}

/// An empty folder for files of a test.
fn folder(test: &str) -> PathBuf {
    empty_folder("jobs", test)
}

/// The outcome without times.
fn told(outcome: &Outcome) -> (Option<i32>, String, String) {
    let (out, err) = (without_times(&outcome.out), without_times(&outcome.err));
    (outcome.status, out, err)
}

/// Scripts of all sorts: with verdicts, warnings, values, mistakes, without assertions, unreadable.
const SCRIPTS: &str = "tests/pipelines cspm/ferry cspm/hanoi/hanoi.csp 'tests/messages/p*.csp' \
'tests/messages/d*.csp' tests/no-such.csp tests/messages/explain-kinds.csp cspm/timeout";

#[test]
fn what_is_printed_is_that_of_one_script_after_the_other() {
    let wishes = [
        "",
        "--quiet",
        "--stats",
        "--explain",
        "--counterexamples 2 --format json",
        "--format json --explain --quiet",
        "--assertion 1",
        "--assertion NOWHERE",
        "-D PLACES=3 -D DISCS=2",
        "-D NONE=3 --format json",
        "--max-states 5",
        "--timeout-each 0",
        "--threads 1",
    ];
    let wrong = in_parallel(&wishes, |wish| {
        let line = format!("{SCRIPTS} {wish}");
        let alone = told(&check(&line));
        for jobs in ["3", "0"] {
            let together = told(&check(&format!("{line} --jobs {jobs}")));
            assert_eq!(together, alone, "{wish} --jobs {jobs}");
        }
    });
    assert_eq!(wrong.len(), wishes.len());
}

#[test]
fn what_is_written_is_that_of_one_script_after_the_other() {
    let folder = folder("records");
    let written = |jobs: &str| {
        let at = |ending: &str| folder.join(format!("{jobs}.{ending}"));
        let line = format!(
            "{SCRIPTS} --jobs {jobs} --junit {} --sarif {} --report {}",
            at("xml").display(),
            at("sarif").display(),
            at("html").display()
        );
        let outcome = told(&check(&line));
        let texts = ["xml", "sarif", "html"].map(|ending| {
            let text = fs::read_to_string(at(ending)).expect("it was written");
            // The times of JUnit have an element of their own, and those of the page a sentence.
            let parts = text.split(['"', '>', '<', '&']);
            let parts = parts.filter(|part| part.parse::<f64>().is_err());
            without_times(&parts.collect::<Vec<&str>>().join("\n"))
        });
        let [xml, sarif, html] = texts;
        assert!(html.matches("svg").count() > 10, "there are drawings");
        (outcome, xml, sarif)
    };
    assert_eq!(written("3"), written("1"));
}

#[test]
fn verdicts_are_kept_and_taken_beside_each_other() {
    let kept = folder("kept").join("verdicts");
    let line = format!("{SCRIPTS} --cache {}", kept.display());
    let alone = told(&check(SCRIPTS));
    assert_eq!(told(&check(&format!("{line} --jobs 3"))), alone);
    let taken = check(&format!("{line} --jobs 3 --format json"));
    let decided = |report: &&str| {
        report.contains("\"verdict\":\"pass\"") || report.contains("\"verdict\":\"fail\"")
    };
    let lines: Vec<&str> = taken.out.lines().filter(decided).collect();
    assert!(lines.len() > 20);
    assert!(lines.iter().all(|line| line.contains("\"cached\":true")));
    // The times are those of the run that has decided.
    let again = check(&format!("{line} --format json"));
    let again: Vec<&str> = again.out.lines().filter(decided).collect();
    assert_eq!(again, lines);
}

#[test]
fn standard_input_and_one_script_alone_need_no_others() {
    let script = b"channel a\nP = a -> P\nassert STOP [T= P\n";
    let line = |jobs: &str| format!("check - cspm/ferry {jobs}");
    let alone = cspsym(&split_arguments(&line("")), script);
    let together = cspsym(&split_arguments(&line("--jobs 2")), script);
    assert_eq!(told(&together), told(&alone));
    let one = check("cspm/ferry/ferry.csp --jobs 5 --quiet");
    assert_eq!(one.status, Some(1), "{}", one.err);
    for others in [
        "--processes 2",
        "--hosts h --process 0",
        "--spill d",
        "--resume d",
    ] {
        let refused = check(&format!("tests/pipelines --jobs 2 {others}"));
        assert_eq!(refused.status, Some(2), "{others}");
        assert!(
            refused.err.contains("cannot be used with"),
            "{}",
            refused.err
        );
    }
}

/// A script with an assertion that no machine decides, between two that are decided at once.
const LARGE: &str = "\
channel c : {0..19}.{0..9}
P(i, n) = c.i.n -> P(i, (n + 1) % 10)
assert STOP [T= STOP
assert RUN(Events) [T= ||| i : {0..19} @ P(i, 0)
assert RUN(Events) [T= P(0, 0)
";

/// A folder with the large script between two others.
fn with_large(test: &str) -> PathBuf {
    let folder = folder(test);
    let small = "assert STOP [T= STOP\n";
    for (name, text) in [("a.csp", small), ("b.csp", LARGE), ("c.csp", small)] {
        fs::write(folder.join(name), text).expect("it can be written");
    }
    folder
}

#[test]
fn a_limit_ends_one_assertion_or_the_run() {
    let folder = with_large("limits");
    let verdicts = |limit: &str| {
        let line = format!("{} --jobs 2 --symmetry off {limit}", folder.display());
        let outcome = check(&line);
        let lines = outcome
            .out
            .lines()
            .filter(|line| !line.starts_with(' ') && line.contains(": "));
        let lines: Vec<String> = lines
            .map(|line| {
                line.rsplit_once(": ")
                    .map_or("", |(_, end)| end)
                    .to_string()
            })
            .collect();
        assert_eq!(outcome.status, Some(3), "{limit}: {}", outcome.err);
        lines
    };
    let total = "4 hold, 1 undecided";
    let each = "undecided (timeout)";
    assert_eq!(
        verdicts("--timeout-each 2"),
        ["holds", "holds", each, "holds", "holds", total]
    );
    let memory = "undecided (memory-limit)";
    assert_eq!(
        verdicts("--memory-limit 80M"),
        ["holds", "holds", memory, "holds", "holds", total]
    );
    let left = "2 hold, 2 undecided, 1 script not begun";
    assert_eq!(
        verdicts("--timeout 4"),
        ["holds", "holds", each, each, each, left]
    );
}

#[cfg(target_os = "linux")]
mod ended {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Child, Command, Stdio};
    use std::thread;

    use pretty_assertions::assert_eq;

    use super::{fs, with_large};

    /// Starts a check of the large script between two others. Returns with the standard output once
    /// the assertion before the large one is decided.
    fn begun(test: &str) -> (Child, BufReader<impl Read>) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cspsym"))
            .arg("check")
            .arg(with_large(test))
            .args(["--jobs", "2", "--symmetry", "off"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut out = BufReader::new(child.stdout.take().expect("it is a pipe"));
        let mut before = String::new();
        while before.matches(": holds").count() < 2 {
            let read = out.read_line(&mut before).expect("it is UTF-8");
            assert!(read > 0, "{before}");
        }
        (child, out)
    }

    fn kill(signal: &str, process: &str) {
        let sent = Command::new("kill").args(["-s", signal, process]).status();
        assert!(sent.expect("it can be sent").success());
    }

    /// The numbers of the processes that this one has started, by whichever of its threads.
    fn copies(process: u32) -> Vec<String> {
        let tasks = fs::read_dir(format!("/proc/{process}/task")).expect("it runs");
        let lists = tasks.flatten().map(|task| task.path().join("children"));
        let lists = lists.filter_map(|list| fs::read_to_string(list).ok());
        let all: String = lists.collect();
        all.split_whitespace().map(str::to_string).collect()
    }

    /// The status, the rest of standard output, and standard error.
    fn rest(child: Child, mut out: BufReader<impl Read>) -> (Option<i32>, String, String) {
        let mut text = String::new();
        out.read_to_string(&mut text).expect("it is UTF-8");
        let ended = child.wait_with_output().expect("it ends");
        let err = String::from_utf8(ended.stderr).expect("it is UTF-8");
        (ended.status.code(), text, err)
    }

    #[test]
    fn a_signal_ends_the_run_with_what_is_known() {
        let (child, out) = begun("signal");
        kill("INT", &child.id().to_string());
        let (status, out, err) = rest(child, out);
        assert_eq!(status, Some(3), "{err}");
        assert_eq!(out.matches("undecided (interrupted)").count(), 3, "{out}");
        assert!(
            out.ends_with("2 hold, 2 undecided, 1 script not begun\n"),
            "{out}"
        );
        assert_eq!(err.matches("error[interrupted]").count(), 1, "{err}");
        assert!(
            err.contains("it was "),
            "the copy has said how far it was: {err}"
        );
    }

    #[test]
    fn a_process_that_is_killed_leaves_its_script_open_and_no_other() {
        let (mut child, out) = begun("killed");
        // That of the large script runs all the time, and the others soon no more.
        let of_large = loop {
            if let [only] = &copies(child.id())[..] {
                break only.clone();
            }
            let ended = child.try_wait().expect("it can be asked");
            assert_eq!(ended, None);
            thread::yield_now();
        };
        kill("KILL", &of_large);
        let (status, out, err) = rest(child, out);
        assert_eq!(status, Some(3), "{err}");
        assert_eq!(out.matches("undecided (job-lost)").count(), 2, "{out}");
        assert!(out.ends_with("3 hold, 2 undecided\n"), "{out}");
        assert_eq!(err.matches("error[job-lost]").count(), 1, "{err}");
    }
}
