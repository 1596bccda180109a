//! The labs: their keys, the wrong attempts in their notes, the figures in their texts, and the
//! work of a student and a lecturer with them.
//!
//! `UPDATE_EXPECTED=1 cargo test --test program labs` writes the feedback in `tests/labs/` anew.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::harness::{Outcome, cspsym, empty_folder, in_parallel, root, without_times};
use testkit::depth::cases;

mod cheats;
mod mutants;

/// An option for more time: the program under test is slow, and shares the machine with others.
const PATIENT: &str = "--timeout-each";

const LABS: [&str; 3] = ["refinement", "hanoi", "dijkstra"];

/// A file of a lab.
fn file(lab: &str, name: &str) -> String {
    let path = root().join("cspm/labs").join(lab).join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    empty_folder("labs", name)
}

/// Runs `cspsym lab` with these words.
fn lab(words: &[&str]) -> Outcome {
    let words = ["lab"].iter().chain(words);
    cspsym(
        &words.map(|word| (*word).to_string()).collect::<Vec<_>>(),
        b"",
    )
}

/// The tasks of the script at `path`, as JSON.
fn marked(path: &Path) -> Vec<Value> {
    let path = path.to_string_lossy();
    let outcome = lab(&["check", "--in", &path, "--format", "json", PATIENT, "600"]);
    let lines = outcome.out.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("a line is JSON"))
        .collect()
}

/// The numbers of the tasks that are not done, each with its outcome.
fn open(tasks: &[Value]) -> Vec<(u64, String)> {
    let each = tasks.iter().map(|task| {
        let outcome = task["outcome"].as_str().unwrap_or_default();
        (
            task["task"].as_u64().unwrap_or_default(),
            outcome.to_string(),
        )
    });
    each.filter(|(_, outcome)| outcome != "passed").collect()
}

/// A wrong attempt at a task, from the notes.
struct Attempt {
    lab: &'static str,
    task: u64,
    name: String,
    /// The text in place of the solution's part.
    script: String,
}

fn attempts(lab: &'static str) -> Vec<Attempt> {
    let notes = file(lab, "key/notes.md");
    let mut found = Vec::new();
    for section in notes.split("\n## Task ").skip(1) {
        let task = section
            .split(':')
            .next()
            .and_then(|number| number.parse().ok());
        let task = task.expect("a section is headed by its number");
        for attempt in section.split("\n### Wrong: ").skip(1) {
            let (name, rest) = attempt.split_once('\n').expect("text follows");
            let script = rest
                .split_once("```csp\n")
                .and_then(|(_, rest)| rest.split_once("```"));
            let (script, _) = script.expect("a wrong attempt has a script");
            found.push(Attempt {
                lab,
                task,
                name: name.to_string(),
                script: script.to_string(),
            });
        }
    }
    found
}

/// The solution of a lab with the part of one task replaced.
fn with_attempt(attempt: &Attempt) -> String {
    let solution = file(attempt.lab, "key/solution.csp");
    let head = format!("-- Task {} ", attempt.task);
    let start = solution
        .find(&head)
        .expect("the solution has a part for each task");
    let body = start + solution[start..].find('\n').expect("a line ends");
    let end = solution[body..]
        .find("\n-- Task ")
        .map_or(solution.len(), |end| body + end);
    format!(
        "{}\n{}{}",
        &solution[..body],
        attempt.script,
        &solution[end..]
    )
}

#[test]
fn every_key_passes_every_task_at_every_size() {
    for name in LABS {
        let path = root().join("cspm/labs").join(name).join("key/solution.csp");
        let tasks = marked(&path);
        assert_eq!(open(&tasks), [], "{name}");
        let numbers = tasks.iter().map(|task| task["task"].as_u64());
        let count = tasks.len() as u64;
        assert!(numbers.eq((1..=count).map(Some)) && count >= 8, "{name}");
        let right = |task: &Value| {
            let predictions = task["predictions"].as_array().expect("a list").clone();
            predictions
                .iter()
                .all(|one| one["right"] == Value::Bool(true))
        };
        assert!(
            tasks.iter().all(right),
            "{name}: the key predicts what comes out"
        );
    }
    for (name, sizes) in [
        ("hanoi", ["POLES=4", "DISCS=3"]),
        ("hanoi", ["POLES=5", "DISCS=5"]),
        ("dijkstra", ["N=3", "N=3"]),
    ] {
        let path = format!("cspm/labs/{name}/key/solution.csp");
        let sizes = ["-D", sizes[0], "-D", sizes[1]];
        let outcome = lab(&[&["check", "--in", &path, PATIENT, "600"], &sizes[..]].concat());
        assert_eq!(
            outcome.status,
            Some(0),
            "{name} {sizes:?}\n{}{}",
            outcome.out,
            outcome.err
        );
    }
}

#[test]
fn nothing_is_done_at_the_start() {
    for name in LABS {
        let path = root().join("cspm/labs").join(name).join("start.csp");
        for (task, outcome) in open(&marked(&path)) {
            assert!(
                ["failed", "locked"].contains(&&*outcome),
                "{name} {task}: {outcome}"
            );
        }
        assert_eq!(open(&marked(&path)).len(), marked(&path).len(), "{name}");
        // A script without any answer is one in which names are missing: it can be read.
        let empty = folder(&format!("empty-{name}")).join("start.csp");
        fs::write(&empty, "include \"given.csp\"\n").expect("a script can be written");
        let words = [
            "check",
            "--lab",
            name,
            "--in",
            &empty.to_string_lossy(),
            "--format",
            "json",
        ];
        let lines = lab(&words).out.lines().count();
        assert_eq!(lines, marked(&path).len(), "{name}");
        // With the predictions of the key alone, the parts to write are still missing.
        let mut text = file(name, "start.csp");
        for line in file(name, "key/solution.csp").lines() {
            if let Some((name, _)) = line
                .strip_prefix("--? predict ")
                .and_then(|line| line.split_once(' '))
            {
                text = text.replace(&format!("--? predict {name} ?"), line);
            }
        }
        let path = folder(&format!("predicted-{name}")).join("start.csp");
        fs::write(&path, text).expect("a script can be written");
        let failing = open(&marked(&path));
        assert!(
            failing.iter().all(|(_, outcome)| outcome == "failed"),
            "{name}: {failing:?}"
        );
        assert_eq!(failing.len(), marked(&path).len(), "{name}");
    }
}

#[test]
fn every_wrong_attempt_fails_its_task_with_its_feedback() {
    for name in LABS {
        let attempts = attempts(name);
        let sheet = marked(&root().join("cspm/labs").join(name).join("key/solution.csp"));
        let tried: BTreeSet<u64> = attempts.iter().map(|attempt| attempt.task).collect();
        assert_eq!(
            tried.len(),
            sheet.len(),
            "{name}: each task has a wrong attempt"
        );
        let folder = folder(&format!("attempts-{name}"));
        let numbered: Vec<(usize, &Attempt)> = attempts.iter().enumerate().collect();
        let feedback = in_parallel(&numbered, |(index, attempt)| {
            let path = folder.join(format!("attempt-{index}.csp"));
            fs::write(&path, with_attempt(attempt)).expect("a script can be written");
            let title = format!("{name}, task {}: {}", attempt.task, attempt.name);
            let expected = [(attempt.task, "failed".to_string())];
            // A whole sheet is marked for some attempts, and in a deep run for each.
            if index % cases(4, 1) == 0 {
                assert_eq!(open(&marked(&path)), expected, "{title}");
            }
            let number = attempt.task.to_string();
            let path = path.to_string_lossy();
            let outcome = lab(&["check", &number, "--in", &path, PATIENT, "600"]);
            assert_eq!((outcome.status, &*outcome.err), (Some(1), ""), "{title}");
            let out = outcome.out.replace(&format!(" --in {path}"), "");
            format!("==== {title}\n{}\n", without_times(&out))
        });
        compare(&format!("tests/labs/{name}.expected"), &feedback.concat());
    }
}

/// Compares `actual` with the file, or writes the file anew.
fn compare(path: &str, actual: &str) {
    let file = root().join(path);
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        fs::create_dir_all(file.parent().expect("it has a folder")).expect("a folder can be made");
        fs::write(&file, actual).expect("the file can be written");
    }
    let expected = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        expected == actual,
        "{path}:\n{}\n(UPDATE_EXPECTED=1 writes it anew)",
        pretty_assertions::StrComparison::new(&expected, actual)
    );
}

/// Bold figures in the texts for students and lecturers come from the program.
#[test]
fn every_figure_is_checked() {
    for name in LABS {
        let mut measured: BTreeSet<String> = BTreeSet::new();
        let mut explained: BTreeSet<String> = BTreeSet::new();
        for task in marked(&root().join("cspm/labs").join(name).join("key/solution.csp")) {
            for check in task["checks"].as_array().expect("a list") {
                // `f(3)` is 8, or 8
                let words = check["expression"].as_str().unwrap_or_default();
                measured.extend(words.rsplit(' ').next().map(str::to_string));
            }
            for prediction in task["predictions"].as_array().expect("a list") {
                measured.extend(prediction["found"].as_str().map(str::to_string));
                let explanation = prediction["explanation"].as_str().unwrap_or_default();
                let words = explanation.split(|sign: char| !sign.is_ascii_alphanumeric());
                let is_number = |word: &&str| !word.is_empty() && word.parse::<u64>().is_ok();
                explained.extend(words.filter(is_number).map(str::to_string));
            }
        }
        // Numbers of tasks, and others that are as small, come from elsewhere.
        explained.retain(|figure| figure.len() > 1);
        for figure in &explained {
            assert!(
                measured.contains(figure),
                "{name}: no directive checks {figure}"
            );
        }
        for text in ["lab.md", "key/notes.md"] {
            let text = file(name, text);
            let bold = text.split("**").skip(1).step_by(2);
            for figure in bold.filter(|bold| bold.starts_with(|c: char| c.is_ascii_digit())) {
                let plain = figure.replace(',', "");
                assert!(
                    measured.contains(&plain),
                    "{name}: no directive checks {figure}"
                );
            }
        }
    }
}

/// The times and titles in the texts are those of the directives.
#[test]
fn times_and_titles_agree() {
    for name in LABS {
        for task in marked(&root().join("cspm/labs").join(name).join("key/solution.csp")) {
            let title = task["title"].as_str().expect("a task has a title");
            let number = &task["task"];
            for text in ["lab.md", "key/notes.md"] {
                let text = file(name, text);
                let mut heads = text
                    .lines()
                    .filter(|line| line.starts_with(&format!("## Task {number}")));
                let head = heads.next().unwrap_or_default();
                let directive = format!("--? task {number} \"{title}\" minutes ");
                let lab = file(name, "lab.csp");
                let minutes = lab
                    .split(&directive)
                    .nth(1)
                    .expect("a task has a directive");
                let minutes = minutes.split_whitespace().next().unwrap_or_default();
                let end = format!(": {title} ({minutes} minutes)");
                assert!(head.ends_with(&end), "{name}: {head} / {end}");
            }
        }
    }
}

/// The texts that students read before they predict do not give the results away.
#[test]
fn no_sample_prediction_is_the_right_one_and_each_task_has_its_misconception() {
    for name in LABS {
        let key = file(name, "key/solution.csp");
        let right = key
            .lines()
            .filter_map(|line| line.strip_prefix("--? predict "));
        for (text, right) in ["lab.md", "start.csp"]
            .into_iter()
            .flat_map(|text| right.clone().map(move |right| (text, right)))
        {
            let said = file(name, text).contains(&format!("predict {right}"));
            assert!(!said, "{name}, {text}: predict {right}");
        }
        for section in file(name, "key/notes.md").split("\n## ").skip(1) {
            let head = section.lines().next().unwrap_or_default();
            let is_whole = head.ends_with(" minutes)") && section.contains("Misconception:");
            assert!(is_whole, "{name}: {head}");
        }
    }
}

/// A given process is no solution of the first lab.
#[test]
fn no_given_process_is_a_solution() {
    let folder = folder("given");
    let given = file("refinement", "given.csp");
    let names: Vec<&str> = given
        .lines()
        .filter_map(|line| line.split_once(" = "))
        .map(|(name, _)| name)
        .collect();
    assert!(names.len() > 8, "{names:?}");
    in_parallel(&names, |name| {
        let mut script = file("refinement", "key/solution.csp");
        for (asked, line) in
            ["VM", "LAZY", "BUYER", "KIOSK", "NOISY"].map(|asked| (asked, format!("\n{asked} = ")))
        {
            let start = script.find(&line).expect("the key has it");
            let end = start + 1 + script[start + 1..].find('\n').expect("a line ends");
            script.replace_range(start..end, &format!("\n{asked} = {name}"));
        }
        let path = folder.join(format!("{name}.csp"));
        fs::write(&path, script).expect("a script can be written");
        let failed = [1, 4, 6, 7, 9].map(|task| (task, "failed".to_string()));
        assert_eq!(open(&marked(&path)), failed, "{name}");
    });
}

/// The script of a key with `change` made in it, marked.
fn changed_key(name: &str, place: &str, change: impl Fn(&str) -> String) -> Vec<Value> {
    let path = folder(&format!("changed-{place}")).join("start.csp");
    let key = file(name, "key/solution.csp");
    let text = change(&key);
    assert_ne!(text, key, "{place}");
    fs::write(&path, text).expect("a script can be written");
    marked(&path)
}

#[test]
fn a_mistake_fails_the_tasks_that_use_it_and_no_others() {
    let error = |tasks: &[u64]| -> Vec<(u64, String)> {
        tasks
            .iter()
            .map(|task| (*task, "error".to_string()))
            .collect()
    };
    let typed = changed_key("hanoi", "type", |key| {
        key.replace("CLOCKWISE = HANOI", "CLOCKWISE = 3 + HANOI")
    });
    assert_eq!(open(&typed), error(&[11]));
    let message = typed[10]["message"].as_str().unwrap_or_default();
    assert!(
        message.starts_with("type-mismatch: ") && message.contains("start.csp:"),
        "{message}"
    );
    let unread = changed_key("refinement", "syntax", |key| {
        key.replace("SILENCE = HUM", "SILENCE = (HUM")
            .replace("VM = coin", "VM = coin -> -> coin")
    });
    assert_eq!(open(&unread), error(&[1, 9]));
    let message = unread[8]["message"].as_str().unwrap_or_default();
    assert!(message.starts_with("unclosed-bracket: "), "{message}");
    let of_helper = changed_key("hanoi", "helper", |key| {
        key.replace("ways(discs - 1, k - 1)", "ways(HANOI, k - 1)")
    });
    assert_eq!(open(&of_helper), error(&[9]));
    // If there are two definitions, it is not known which is meant. One clause is not a whole
    // function.
    let twice = changed_key("refinement", "twice", |key| {
        key.replace("BOUGHT = ", "BOUGHT = <>\nHIDDEN = {}\nBOUGHT = ")
    });
    assert_eq!(open(&twice), error(&[2, 8]));
    let clause = changed_key("hanoi", "clause", |key| {
        key.replace("next(B) = C", "next(B) = (C")
    });
    assert_eq!(open(&clause), error(&[11]));
    // A mistake in a declaration on which more depends than one name spoils all.
    let type_of_all = changed_key("refinement", "datatype", |key| {
        format!("{key}\ndatatype T = A.\n")
    });
    assert_eq!(type_of_all.len(), 1);
    assert_eq!(type_of_all[0]["outcome"], "error");
}

/// Without the given script nearly everything is wrong in the lab's own script, which has answers.
#[test]
fn nothing_is_told_of_the_lab_where_the_given_script_is_missing() {
    let start = file("refinement", "start.csp");
    let path = folder("not-included").join("start.csp");
    let text = start.replace("include ", "-- include ");
    assert_ne!(text, start);
    fs::write(&path, text).expect("a script can be written");
    let line = ["lab", "check", "1", "--in", &path.display().to_string()].map(str::to_string);
    let outcome = cspsym(&line, b"");
    assert_eq!(outcome.status, Some(2));
    let said = outcome.out + &outcome.err;
    assert!(said.contains("given-not-included"), "{said}");
    assert!(
        !said.contains("LAB_") && !said.contains("CHANGER"),
        "{said}"
    );
}

#[test]
fn a_submission_cannot_change_what_it_is_compared_with() {
    let refused = |place: &str, change: &dyn Fn(&str) -> String| {
        let marked = changed_key("hanoi", place, change);
        assert_eq!(marked.len(), 1, "{place}");
        assert_eq!(marked[0]["outcome"], "error", "{place}");
        let message = marked[0]["message"].as_str().unwrap_or_default();
        message.split(':').next().unwrap_or_default().to_string()
    };
    let include = "include \"../given.csp\"";
    let given = file("hanoi", "given.csp");
    let mine = given.replace("smallest(on) = {", "smallest(on) = on\nunused(on) = {");
    assert_ne!(mine, given);
    let codes = [
        refused("pasted", &|key| key.replace(include, &mine)),
        refused("module", &|key| {
            let module = format!("module M\nx = 1\nexports\n{include}\nendmodule");
            key.replace(include, &format!("{mine}\n{module}"))
        }),
        refused("both", &|key| {
            key.replace(include, &format!("{include}\n{mine}"))
        }),
        refused("length", &|key| {
            format!("{key}\nlength(xs) = if #xs == 9 then 7 else #xs\n")
        }),
        refused("run", &|key| format!("{key}\nRUN(xs) = STOP\n")),
        refused("pattern", &|key| format!("{key}\n(diff, x) = (inter, 1)\n")),
        refused("given", &|key| format!("{key}\nsmaller(on) = DISC\n")),
    ];
    assert_eq!(
        codes,
        [
            "given-not-included",
            "given-not-included",
            "duplicate-definition",
            "redefined-built-in",
            "redefined-built-in",
            "redefined-built-in",
            "duplicate-definition",
        ]
    );
    // A name that is kept for the lab spoils nothing but what uses it.
    let own = changed_key("hanoi", "check", |key| {
        format!("{key}\nLAB_UNSOLVED = STOP\n")
    });
    assert_eq!(open(&own), []);
}

#[test]
fn what_is_not_checked_at_a_size_is_not_done() {
    let path = folder("sizes").join("start.csp");
    let key = file("hanoi", "key/solution.csp");
    let wrong = key.replace(
        "heaps(discs, most) = ",
        "heaps(discs, most) = 5\nunused(discs, most) = ",
    );
    fs::write(&path, wrong).expect("a script can be written");
    let path = path.to_string_lossy();
    let one = lab(&["check", "9", "-D", "POLES=4", "--in", &path]);
    assert!(
        one.out.contains("not checked") && !one.out.contains("done"),
        "{}",
        one.out
    );
    let all = lab(&["check", "-D", "POLES=4", "--in", &path]);
    assert_eq!(all.status, Some(0), "{}", all.out);
    let done = all
        .out
        .lines()
        .filter(|line| line.contains("  done  "))
        .count();
    let last = all.out.lines().last().unwrap_or_default();
    let said = format!("{done} of {done} tasks that are checked at this size are done.");
    assert_eq!(last, said);
    assert!((1..11).contains(&done), "{}", all.out);
}

#[test]
fn a_student_goes_through_a_lab() {
    let place = folder("student").join("mine");
    let place = place.to_string_lossy();
    let here = ["--in", &*place];
    let run = |words: &[&str]| lab(&[words, &here].concat());
    let begun = lab(&["start", "refinement", &place]);
    assert_eq!(begun.status, Some(0), "{}", begun.err);
    for name in ["lab.md", "start.csp", "given.csp"] {
        let written = fs::read_to_string(Path::new(&*place).join(name)).expect("it is written");
        assert_eq!(written, file("refinement", name));
    }
    assert!(!Path::new(&*place).join("key").exists());
    let again = lab(&["start", "refinement", &place]);
    assert_eq!(again.status, Some(2));
    assert!(again.err.starts_with("error[lab-exists]"), "{}", again.err);
    let locked = run(&["check", "3"]);
    assert_eq!(locked.status, Some(1));
    assert!(
        locked
            .out
            .contains(&format!("cspsym lab predict 3a ANSWER --in {place}")),
        "{}",
        locked.out
    );
    assert!(
        !locked.out.contains("stuck") && !locked.out.contains("Traces do not say"),
        "verdicts are locked: {}",
        locked.out
    );
    let next = run(&["predict", "3a", "fails"]);
    assert_eq!(
        next.out,
        format!("3a: fails. Next: `cspsym lab predict 3b ANSWER --in {place}`\n")
    );
    let next = run(&["predict", "3b", "fails"]);
    assert_eq!(
        next.out,
        format!("3b: fails. Now see: `cspsym lab check 3 --in {place}`\n")
    );
    let changed = run(&["predict", "3a", "holds"]);
    assert!(
        changed.err.starts_with("error[bad-prediction]"),
        "{}",
        changed.err
    );
    let seen = run(&["check", "3"]);
    assert!(
        seen.out.contains("predicted fails, but it is: holds")
            && seen.out.contains("Traces do not say who chooses."),
        "{}",
        seen.out
    );
    assert!(
        seen.out.contains("CHOICE and your customer can get stuck."),
        "{}",
        seen.out
    );
}

#[test]
fn what_a_student_wrote_is_checked_and_kept() {
    let place = folder("writer").join("mine");
    let place = place.to_string_lossy();
    let here = ["--in", &*place];
    let run = |words: &[&str]| lab(&[words, &here].concat());
    assert_eq!(lab(&["start", "refinement", &place]).status, Some(0));
    for name in ["3a", "3b"] {
        assert_eq!(run(&["predict", name, "fails"]).status, Some(0));
    }
    let hint = run(&["hint", "3", "2"]);
    assert_eq!(
        hint.out
            .lines()
            .filter(|line| line.starts_with(['1', '2']))
            .count(),
        3
    );
    let script = Path::new(&*place).join("start.csp");
    let text = fs::read_to_string(&script).expect("it is there");
    let text = text.replace("CUSTOMER = STOP", "CUSTOMER = coin -> toffee -> CUSTOMER");
    fs::write(&script, text).expect("it can be written");
    assert_eq!(run(&["check", "3"]).status, Some(0));
    assert_eq!(run(&["check"]).status, Some(1));
    let begun = lab(&["start", "refinement", &place, "--overwrite", "--key"]);
    assert_eq!(begun.status, Some(0), "{}", begun.err);
    assert_eq!(run(&["check", "3"]).status, Some(1));
    let key = lab(&["check", "--in", &format!("{place}/key/solution.csp")]);
    assert_eq!(key.status, Some(0), "{}", key.err);
}

/// A game goes on where it was left. What is won is kept, and what is lost is not.
#[test]
fn the_moves_of_a_game_are_kept_in_the_script() {
    let place = folder("player").join("mine");
    let place = place.to_string_lossy();
    assert_eq!(lab(&["start", "refinement", &place]).status, Some(0));
    let play = |requests: &str| {
        let words = ["lab", "play", "5a", "--in", &*place].map(str::to_string);
        let outcome = cspsym(&words, requests.as_bytes());
        let text = fs::read_to_string(Path::new(&*place).join("start.csp")).expect("it is there");
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("--? game 5a "));
        (outcome, line.unwrap_or_default().to_string())
    };
    let check = || lab(&["check", "5", "--in", &place]).out;
    assert!(check().contains(&format!("Play it: `cspsym lab play 5a --in {place}`")));
    let (lost, line) = play("coin\nat rest\n");
    assert_eq!((lost.status, &*line), (Some(1), "coin"), "{}", lost.out);
    assert!(!lost.out.contains("A shortest attack"), "{}", lost.out);
    assert!(check().contains("The game is not at its end. After <coin> it is your move."));
    let (won, line) = play("choc\ncoin\n1\nat rest\n");
    assert_eq!(
        (won.status, &*line),
        (Some(0), "coin; choc; coin; τ; at rest")
    );
    assert!(
        won.out.contains(&format!("--? game 5a {line}\n")),
        "{}",
        won.out
    );
    assert!(check().contains("Show that FICKLE does and refuses nothing"));
    for requests in ["again\ncoin\n", "back\ngive up\n", "swap\n1\n"] {
        assert_eq!(play(requests).1, line, "{requests}");
    }
    let unknown = lab(&["play", "9a", "--in", &place]);
    assert!(
        unknown.err.contains("its games are 5a, 5b"),
        "{}",
        unknown.err
    );
}

/// Fills a folder with good and bad submissions.
fn fill(class: &Path) {
    let hand_in = |name: &str, text: &str| {
        let path = class.join(name);
        fs::create_dir_all(path.parent().expect("it has a folder")).expect("a folder can be made");
        fs::write(path, text).expect("a submission can be written");
    };
    let key = file("hanoi", "key/solution.csp");
    hand_in("ada/start.csp", &key);
    hand_in("brook.csp", &file("hanoi", "start.csp"));
    // This submission is right at the lab's own size only.
    let narrow = key.replace(
        "LARGEST_STAYS = RUN(diff(Events, {| move.DISCS |}))",
        "LARGEST_STAYS = RUN(diff(Events, {| move.3 |}))",
    );
    hand_in("cleo/start.csp", &narrow);
    hand_in("dana/start.csp", &key.replace("STUCK = <", "STUCK = <<"));
    hand_in(
        "eli/start.csp",
        &key.replace("states(poles, discs) = ", "states(poles, discs) = 1 / 0 + "),
    );
    hand_in("finn/notes.txt", "I forgot");
    // The evaluation neither ends nor grows.
    let endless = "LARGEST_STAYS = if card({ (x + y) % 7 | x <- {1..100000}, y <- {1..100000} }) == 7 then STOP else SKIP";
    hand_in(
        "gus.csp",
        &key.replace(
            "LARGEST_STAYS = RUN(diff(Events, {| move.DISCS |}))",
            endless,
        ),
    );
    hand_in(
        "hana/start.csp",
        &key.replace("../given.csp", "/etc/passwd"),
    );
    // A line that belongs to no task spoils none.
    hand_in("ivo/start.csp", &format!("{key}\n--? accept \"me\"\n"));
}

#[test]
fn a_lecturer_grades_a_class() {
    let class = folder("class");
    fill(&class);
    let class = class.to_string_lossy();
    let words = [
        "grade",
        &class,
        "--csv",
        "--seed",
        "2",
        "--timeout-each",
        "20",
    ];
    let outcome = lab(&words);
    assert_eq!((outcome.status, &*outcome.err), (Some(0), ""));
    compare("tests/labs/class.csv", &outcome.out);
    let rows: BTreeMap<&str, &str> = outcome
        .out
        .lines()
        .filter_map(|line| line.split_once(','))
        .collect();
    assert!(
        rows["ada"].starts_with(&"passed,".repeat(11)),
        "{}",
        outcome.out
    );
}

#[test]
fn submissions_are_objects_too_and_sizes_may_be_given() {
    let class = folder("small-class");
    let key = file("dijkstra", "key/solution.csp");
    fs::write(class.join("ada.csp"), key).expect("a submission can be written");
    let class = class.to_string_lossy();
    let outcome = lab(&["grade", &class, "--format", "json", "-D", "N=2"]);
    let graded: Value = serde_json::from_str(&outcome.out).expect("it is one object");
    assert_eq!(graded["submission"], "ada.csp");
    assert_eq!(
        (&graded["passed"], &graded["right"]),
        (&Value::from(11), &Value::from(10))
    );
    assert_eq!(graded["sizes"], Value::from(vec!["N=2"]));
    // The folder of one student is one submission.
    let student = folder("one-student").join("mine");
    let student = student.to_string_lossy();
    let begun = lab(&["start", "refinement", &student, "--key"]);
    assert_eq!(begun.status, Some(0), "{}", begun.err);
    let outcome = lab(&["grade", &student, "--csv"]);
    assert_eq!(outcome.out.lines().count(), 2, "{}", outcome.out);
    assert!(
        outcome
            .out
            .lines()
            .last()
            .unwrap_or_default()
            .starts_with("mine,")
    );
    let outcome = lab(&["grade", &class, "--lab", "hanoi"]);
    assert!(
        outcome.out.contains("belongs to the lab `dijkstra`"),
        "{}",
        outcome.out
    );
}
