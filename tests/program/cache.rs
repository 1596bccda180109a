//! `check --cache`: verdicts are taken from a folder as long as nothing has changed that they
//! depend on.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use pretty_assertions::assert_eq;
use serde_json::Value;

use crate::harness::{Outcome, cspsym, empty_folder, in_parallel, split_arguments, without_times};

/// A script with an include, a warning, verdicts of both kinds and a counterexample.
const SCRIPT: &str = "include \"part.csp\"
N = 2
channel c : {0..N}
COUNT(n) = n <= N & c!n -> COUNT(n + 1)
assert STOP [T= COUNT(0)
assert RUN({| c |}) [T= COUNT(0)
assert PART [T= STOP
assert not PART [T= COUNT(0)
";

const PART: &str = "channel d\nPART = d -> PART\n";

/// A folder with the script, and one for verdicts.
struct Place {
    folder: PathBuf,
}

impl Place {
    fn new(test: &str) -> Self {
        let place = Self {
            folder: empty_folder("cache", test),
        };
        place.write("main.csp", SCRIPT);
        place.write("part.csp", PART);
        place
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.folder.join(name);
        fs::create_dir_all(path.parent().expect("it is in a folder")).expect("it can be made");
        fs::write(path, text).expect("it can be written");
    }

    fn at(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    /// Runs a line in which `DIR` is the folder for verdicts, and `MAIN` the script.
    fn run(&self, line: &str) -> Outcome {
        let line = line.replace("MAIN", &self.at("main.csp"));
        cspsym(
            &split_arguments(&line.replace("DIR", &self.at("kept"))),
            b"",
        )
    }

    /// For each assertion of a call of `check` with these arguments, true if its verdict was kept.
    fn taken(&self, arguments: &str) -> Vec<bool> {
        let outcome = self.run(&format!("check --format json --cache DIR {arguments}"));
        taken(&outcome)
    }

    /// The files with verdicts.
    fn verdicts(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.folder.join("kept")).expect("it is there");
        let paths = entries.map(|entry| entry.expect("it can be read").path());
        let ours = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "verdict");
        let mut verdicts: Vec<PathBuf> = paths.filter(ours).collect();
        verdicts.sort();
        verdicts
    }
}

/// For each line of JSON, true if its verdict was kept.
fn taken(outcome: &Outcome) -> Vec<bool> {
    let lines = outcome.out.lines();
    let reports = lines.map(|line| serde_json::from_str::<Value>(line).expect("it is JSON"));
    reports.map(|report| report["cached"] == true).collect()
}

/// The text without times, and without the notes that verdicts were kept.
fn told(text: &str) -> String {
    let text = without_times(text).replace(",\"cached\":true", "");
    let lines = text.split_inclusive('\n');
    lines
        .filter(|line| !line.starts_with("  cache  "))
        .collect()
}

const NONE: [bool; 4] = [false; 4];
const ALL: [bool; 4] = [true; 4];

#[test]
fn every_change_of_a_text_or_a_constant_is_seen() {
    let place = Place::new("changes");
    assert_eq!(place.taken("MAIN"), NONE);
    assert_eq!(place.taken("MAIN"), ALL);
    let changes: [(&str, &str, String); 6] = [
        ("a comment", "main.csp", format!("{SCRIPT}-- more\n")),
        ("a definition", "main.csp", SCRIPT.replace("N = 2", "N = 3")),
        (
            "an assertion",
            "main.csp",
            SCRIPT.replace("assert not", "assert"),
        ),
        (
            "an include",
            "main.csp",
            format!("include \"more.csp\"\n{SCRIPT}"),
        ),
        ("the included text", "part.csp", format!("{PART}-- more\n")),
        (
            "the included process",
            "part.csp",
            PART.replace("-> PART", "-> STOP"),
        ),
    ];
    place.write("more.csp", "MORE = STOP\n");
    for (what, name, text) in changes {
        let before = fs::read_to_string(place.folder.join(name)).expect("it can be read");
        place.write(name, &text);
        assert_eq!(place.taken("MAIN"), NONE, "{what}");
        assert_eq!(place.taken("MAIN"), ALL, "{what}");
        let kept = place.run("check --cache DIR MAIN");
        assert_eq!(
            told(&kept.out),
            told(&place.run("check MAIN").out),
            "{what}"
        );
        // What was asked before is still known.
        place.write(name, &before);
        assert_eq!(place.taken("MAIN"), ALL, "{what}");
    }
    for arguments in ["-D N=3", "-D N=2", "-D N=1+1", "-D N=2 -D N=3"] {
        let line = format!("{arguments} MAIN");
        assert_eq!(place.taken(&line), NONE, "{arguments}");
        assert_eq!(place.taken(&line), ALL, "{arguments}");
    }
    // Reports have the names of files.
    place.write("other/main.csp", SCRIPT);
    place.write("other/part.csp", PART);
    assert_eq!(place.taken(&place.at("other/main.csp")), NONE);
}

#[test]
fn the_file_that_is_nearer_is_the_one_that_is_included() {
    let place = Place::new("nearer");
    place.write("sub/main.csp", "include \"inner/one.csp\"\n");
    place.write(
        "sub/inner/one.csp",
        "include \"two.csp\"\nassert TWO :[deadlock free]\n",
    );
    place.write("sub/two.csp", "TWO = STOP\n");
    let nested = place.at("sub/main.csp");
    assert_eq!(place.taken(&nested), [false]);
    assert_eq!(place.taken(&nested), [true]);
    place.write("sub/inner/two.csp", "channel e\nTWO = e -> TWO\n");
    assert_eq!(place.taken(&nested), [false]);
}

#[test]
fn an_assertion_is_kept_for_itself() {
    let place = Place::new("alone");
    assert_eq!(place.taken("--assertion 2 --assertion 3 MAIN"), [false; 2]);
    let mixed = place.run("check --cache DIR --stats MAIN");
    assert_eq!(told(&mixed.out), told(&place.run("check --stats MAIN").out));
    assert_eq!(place.taken("MAIN"), [false, true, true, false]);
    // Two assertions with one text are two: a message has the place of its own.
    place.write("main.csp", &format!("{SCRIPT}assert STOP [T= COUNT(0)\n"));
    assert_eq!(place.taken("MAIN"), [false; 5]);
    let files = place.verdicts().len();
    assert_eq!(place.taken("MAIN"), [true; 5]);
    assert_eq!(place.verdicts().len(), files);
}

#[test]
fn what_is_printed_and_written_is_the_same() {
    let place = Place::new("formats");
    let files = "--report OUT.html --junit OUT.xml --sarif OUT.sarif";
    for arguments in [
        "",
        "--quiet",
        "--stats",
        "--explain",
        "--explain --stats",
        "--format json",
        "--format json --explain",
        "--counterexamples 2",
        "--for-all N",
        files,
        "--format json --explain --report OUT.html",
    ] {
        let written = |name: &str, kept: &str| {
            let arguments = arguments.replace("OUT", &place.at(name));
            let outcome = place.run(&format!("check {kept} {arguments} MAIN"));
            let texts = ["html", "xml", "sarif"].map(|ending| {
                let text = fs::read_to_string(place.folder.join(format!("{name}.{ending}")));
                let text = text.unwrap_or_default().replace(&place.at(name), "OUT");
                masked(&text.replace(&format!("--cache {} ", place.at("kept")), ""))
            });
            let said = (outcome.status, told(&outcome.out), told(&outcome.err));
            (said, texts)
        };
        let fresh = written("fresh", "");
        let first = written("first", "--cache DIR");
        let second = written("second", "--cache DIR");
        assert_eq!(first, fresh, "{arguments}");
        assert_eq!(second, fresh, "{arguments}");
    }
    // The verdict of the last runs was not decided anew.
    let stats = place.run("check --cache DIR --stats MAIN");
    assert_eq!(stats.out.matches("\n  cache  ").count(), 4, "{}", stats.out);
    assert!(stats.err.contains("warning["), "{}", stats.err);
    let fresh = place.run("check --stats MAIN");
    assert!(!fresh.out.contains("\n  cache  "), "{}", fresh.out);
}

/// A file of results without what differs from run to run: dates, times, the call, the note that a
/// verdict was kept.
fn masked(text: &str) -> String {
    let text = text
        .replace("&quot;", "\"")
        .replace("\\u0022", "\"")
        .replace("</", " </");
    let lines = text.lines().filter(|line| !line.contains("GMT"));
    let lines = lines.map(|line| {
        let mut line = line.replace(",\"cached\":true", "");
        for (start, end) in [
            (" time=\"", "\""),
            ("\"seconds\":{", "}"),
            ("\"memory_bytes\":", ","),
        ] {
            while let Some((before, after)) = line.split_once(start) {
                let after = after.split_once(end).map_or("", |(_, after)| after);
                line = format!("{before}{after}");
            }
        }
        without_times(&line)
    });
    lines.map(|line| line + "\n").collect()
}

#[test]
fn a_damaged_file_counts_as_not_kept_and_is_written_anew() {
    let place = Place::new("damaged");
    let fresh = told(&place.run("check --format json MAIN").out);
    assert_eq!(place.taken("MAIN"), NONE);
    let files = place.verdicts();
    assert_eq!(files.len(), 4);
    let whole = |path: &Path| fs::read(path).expect("it can be read");
    let bytes = whole(&files[0]);
    let mut damaged: Vec<Vec<u8>> = vec![Vec::new(), b"\n".to_vec(), vec![0xff; 100]];
    for at in (0..bytes.len()).step_by(bytes.len() / 12) {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1;
        damaged.push(flipped);
        damaged.push(bytes[..at].to_vec());
    }
    damaged.push([bytes.clone(), b" ".to_vec()].concat());
    // The verdict of another assertion is none of this one, although its file is not damaged.
    damaged.push(whole(&files[1]));
    for (number, damage) in damaged.iter().enumerate() {
        fs::write(&files[0], damage).expect("it can be written");
        let outcome = place.run("check --format json --cache DIR MAIN");
        assert_eq!(told(&outcome.out), fresh, "damage {number}");
        let decided = taken(&outcome).iter().filter(|taken| !**taken).count();
        assert_eq!(decided, 1, "damage {number}");
        assert_eq!(place.taken("MAIN"), ALL, "damage {number}");
    }
    // What cannot be replaced costs the keeping, and not the verdict.
    fs::remove_file(&files[0]).expect("it can be removed");
    fs::create_dir(&files[0]).expect("it can be made");
    let outcome = place.run("check --format json --cache DIR MAIN");
    assert_eq!((told(&outcome.out), outcome.status), (fresh, Some(1)));
    assert!(
        outcome.err.contains("warning[unwritable-cache]"),
        "{}",
        outcome.err
    );
}

#[test]
fn calls_at_one_time_share_a_folder() {
    let place = Place::new("shared");
    let fresh = told(&place.run("check --format json MAIN").out);
    let calls: Vec<usize> = (0..8).collect();
    let outcomes = in_parallel(&calls, |_| {
        place.run("check --format json --cache DIR MAIN")
    });
    for outcome in outcomes {
        assert_eq!(
            (
                told(&outcome.out),
                outcome.err.matches("unwritable").count()
            ),
            (fresh.clone(), 0)
        );
    }
    assert_eq!(place.taken("MAIN"), ALL);
    // Nothing is left but verdicts and the tag.
    let entries = fs::read_dir(place.folder.join("kept")).expect("it is there");
    assert_eq!(entries.count(), place.verdicts().len() + 1);
}

#[test]
fn what_a_limit_has_left_open_is_asked_again() {
    let place = Place::new("limits");
    for limit in [
        "--timeout-each 0",
        "--timeout 0",
        "--max-states 1",
        "--memory-limit 1",
    ] {
        let outcome = place.run(&format!("check --cache DIR {limit} MAIN"));
        assert!(
            outcome.out.contains("undecided"),
            "{limit}: {}",
            outcome.out
        );
    }
    // The limit of one is in the options, so these verdicts are others.
    let only_wide = place.taken("MAIN");
    assert_eq!(only_wide, NONE);
    // A verdict takes no time, so no limit keeps it back.
    assert_eq!(place.taken("--timeout-each 0 MAIN"), ALL);
    assert_eq!(place.taken("--timeout 1000 --memory-limit 8G MAIN"), ALL);
    // An assertion with a mistake has no verdict to keep.
    place.write("main.csp", "assert STOP [T= NONE\nassert STOP [T= STOP\n");
    for expected in [[false, false], [false, true]] {
        assert_eq!(place.taken("MAIN"), expected);
        assert_eq!(place.run("check --cache DIR MAIN").status, Some(2));
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error_before_any_work() {
    let place = Place::new("unwritable");
    place.write("file", "");
    for folder in ["file", "file/below"] {
        let outcome = place.run(&format!("check --cache {} MAIN", place.at(folder)));
        assert_eq!(
            (outcome.status, outcome.out.as_str()),
            (Some(2), ""),
            "{folder}"
        );
        assert!(
            outcome.err.contains("error[unwritable-cache]"),
            "{}",
            outcome.err
        );
    }
    for others in ["--processes 2", "--hosts h --process 0"] {
        let refused = place.run(&format!("check --cache DIR {others} MAIN"));
        assert_eq!(refused.status, Some(2), "{others}");
        assert!(
            refused.err.contains("cannot be used with"),
            "{}",
            refused.err
        );
    }
    assert!(!place.folder.join("kept").exists());
}

#[test]
fn what_is_kept_counts_where_nothing_can_be_written() {
    let place = Place::new("read-only");
    assert_eq!(place.taken("MAIN"), NONE);
    // The tag is the first file that is written, and a folder of its name is in its way. Whether a
    // file may be written is no obstacle to an administrator, who may be running this.
    let tag = place.folder.join("kept/CACHEDIR.TAG");
    fs::remove_file(&tag).expect("it can be removed");
    fs::create_dir(&tag).expect("it can be made");
    for jobs in ["", "--jobs 2"] {
        let outcome = place.run(&format!("check --format json --cache DIR {jobs} MAIN"));
        assert_eq!((taken(&outcome), outcome.status), (ALL.to_vec(), Some(1)));
        let warnings = outcome.err.matches("warning[unwritable-cache]").count();
        assert_eq!(warnings, 1, "{}", outcome.err);
    }
}

#[test]
fn standard_input_and_refine_and_searches_on_disk_have_verdicts_that_are_kept() {
    let place = Place::new("ways");
    let script = b"channel a\nP = a -> P\nassert STOP [T= P\n";
    let kept = place.at("kept");
    let from_input = |input: &[u8]| {
        let line = format!("check --format json --cache {kept} -");
        taken(&cspsym(&split_arguments(&line), input))
    };
    assert_eq!(from_input(script), [false]);
    assert_eq!(from_input(script), [true]);
    assert_eq!(
        from_input(b"channel a\nP = a -> STOP\nassert STOP [T= P\n"),
        [false]
    );
    let refined =
        |sides: &str| taken(&place.run(&format!("refine --format json --cache DIR {sides} MAIN")));
    for sides in [
        "STOP COUNT(0)",
        "STOP COUNT(1)",
        "COUNT(0) STOP",
        "--model F STOP COUNT(0)",
    ] {
        assert_eq!(refined(sides), [false], "{sides}");
        assert_eq!(refined(sides), [true], "{sides}");
    }
    // The numbers of a search on disk are others, and there is a folder for each search.
    for (number, expected) in [NONE, ALL].into_iter().enumerate() {
        let spill = place.at(&format!("spill{number}"));
        assert_eq!(place.taken(&format!("--spill {spill} MAIN")), expected);
    }
    assert_eq!(place.taken("MAIN"), NONE);
}

#[test]
fn a_verdict_that_nobody_has_used_for_long_is_removed() {
    let place = Place::new("old");
    assert_eq!(place.taken("MAIN"), NONE);
    let age = |path: &Path, days: u64| {
        let then = SystemTime::now() - Duration::from_secs(days * 24 * 60 * 60);
        let file = File::options()
            .append(true)
            .open(path)
            .expect("it can be opened");
        file.set_modified(then).expect("it can be set");
    };
    let files = place.verdicts();
    let leftover = files[0].with_extension("verdict.0123abcd.saving");
    let (other, named) = (
        place.folder.join("kept/notes.txt"),
        place.folder.join("kept/abc.verdict"),
    );
    for path in [&leftover, &other, &named] {
        fs::write(path, "").expect("it can be written");
        age(path, 1000);
    }
    age(&files[0], 31);
    age(&files[1], 29);
    let decided = place
        .taken("MAIN")
        .into_iter()
        .filter(|taken| !taken)
        .count();
    assert_eq!(decided, 1);
    assert!(!leftover.exists() && other.exists() && named.exists());
    // What was used is young again.
    let used = fs::metadata(&files[1])
        .and_then(|found| found.modified())
        .expect("it is known");
    assert!(
        used.elapsed()
            .is_ok_and(|since| since < Duration::from_secs(24 * 60 * 60))
    );
}
