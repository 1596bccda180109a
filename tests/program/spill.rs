//! Searches on disk through the whole program: killed and resumed, with a tenth of the memory, on
//! full disks, in folders of others.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use testkit::depth::cases;

use crate::harness::{Outcome, cspsym, in_parallel, scripts, split_arguments};
use serde_json::{Value, json};

/// Half a million states in 61 levels.
const DIJKSTRA: &str =
    "check cspm/dijkstra/dijkstra.csp -D N=4 --assertion 1 --algorithm check --format json";

/// A folder for one test, which does not exist yet.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("spill")
        .join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.parent().expect("it has one")).expect("it can be made");
    folder
}

/// Runs the program, with `DIR` for the folder.
fn run(line: &str, folder: &Path) -> Outcome {
    cspsym(&arguments(line, folder), b"")
}

fn arguments(line: &str, folder: &Path) -> Vec<String> {
    let folder = folder.to_string_lossy();
    let words = split_arguments(line).into_iter();
    words.map(|word| word.replace("DIR", &folder)).collect()
}

/// The objects on standard output.
fn reports(outcome: &Outcome) -> Vec<Value> {
    let object = |line| serde_json::from_str(line).expect("a line is an object");
    outcome.out.lines().map(object).collect()
}

/// The part of the report on a check that holds which does not depend on the place of its states.
fn essence(report: &Value) -> BTreeMap<&'static str, Value> {
    let keys = [
        "assertion",
        "verdict",
        "algorithm",
        "states",
        "transitions",
        "levels",
    ];
    keys.map(|key| (key, report[key].clone())).into()
}

fn start(line: &str, folder: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_cspsym"))
        .args(arguments(line, folder))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts")
}

/// Kills a search as soon as its journal has `lines` lines.
fn kill_at(lines: usize, mut search: Child, folder: &Path) {
    let journal = folder.join("1").join("journal");
    let written = || fs::read(&journal).map_or(0, |text| line_count(&text));
    while written() < lines && search.try_wait().expect("it can be asked").is_none() {
        std::thread::yield_now();
    }
    search.kill().expect("it can be killed");
    search.wait().expect("it has ended");
}

fn line_count(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte == b'\n').count()
}

#[test]
fn a_killed_search_goes_on() {
    let folder = folder("killed");
    let expected = reports(&run(DIJKSTRA, &folder));
    kill_at(
        15,
        start(
            &format!("{DIJKSTRA} --spill DIR --spill-budget 100000"),
            &folder,
        ),
        &folder,
    );
    let resumed = format!("{DIJKSTRA} --resume DIR --spill-budget 300000 --threads");
    kill_at(35, start(&format!("{resumed} 1"), &folder), &folder);
    let found = reports(&run(&format!("{resumed} 2"), &folder));
    assert_eq!(essence(&found[0]), essence(&expected[0]));
    let levels = found[0]["disk"]["resumed"].as_u64();
    assert!(levels >= Some(34), "{levels:?}");
    let states = found[0]["disk"]["resumed_states"].as_u64();
    assert!(states > levels && states < found[0]["states"].as_u64());
    // A search that was decided is still decided the next time.
    let found = reports(&run(&format!("{resumed} 3"), &folder));
    assert_eq!(essence(&found[0]), essence(&expected[0]));
    assert_eq!(found[0]["disk"]["resumed"], found[0]["levels"]);
    assert_eq!(found[0]["disk"]["resumed_states"], found[0]["states"]);
    assert_eq!(found[0]["remarks"][0], "the whole search was on disk");
}

#[test]
fn a_tenth_of_the_memory_suffices() {
    let folder = folder("tenth");
    let expected = reports(&run(DIJKSTRA, &folder));
    let memory = expected[0]["memory_bytes"].as_u64().expect("a number");
    let budget = memory / 10;
    let line = format!("{DIJKSTRA} --spill DIR --spill-budget {budget}");
    let found = reports(&run(&line, &folder));
    assert_eq!(essence(&found[0]), essence(&expected[0]));
    let taken = found[0]["memory_bytes"].as_u64().expect("a number");
    assert!(taken < memory / 5, "{taken} instead of {memory}");
    let on_disk = found[0]["disk"]["bytes"].as_u64().expect("a number");
    assert!(on_disk > 500_000, "{on_disk}");
}

/// The report of a search that was killed when its journal had `lines` lines, and then resumed.
fn killed_and_resumed(lines: usize, options: &str, folder: &Path) -> Value {
    let _ = fs::remove_dir_all(folder);
    let begun = start(&format!("{DIJKSTRA} {options} --spill DIR"), folder);
    kill_at(lines, begun, folder);
    // The search may have been too fast, or may not have begun.
    let verb = if folder.join("lock").is_file() {
        "resume"
    } else {
        "spill"
    };
    reports(&run(&format!("{DIJKSTRA} {options} --{verb} DIR"), folder)).remove(0)
}

#[test]
fn what_is_held_is_what_is_allowed() {
    // The memory for each file and each stretch of states that is taken beside any limit.
    const BESIDE: u64 = 200_000;
    let folder = folder("budgets");
    let expected = reports(&run(DIJKSTRA, &folder)).remove(0);
    const BUDGETS: [(u64, usize); 4] = [(300_000, 3), (1_000_000, 1), (3_000_000, 2), (100_000, 2)];
    for (budget, threads) in &BUDGETS[..cases(2, 4)] {
        let options = format!("--spill-budget {budget} --threads {threads}");
        let _ = fs::remove_dir_all(&folder);
        let fresh = reports(&run(&format!("{DIJKSTRA} {options} --spill DIR"), &folder));
        let resumed = [20, 50, 5, 35][..cases(2, 4)]
            .iter()
            .map(|&lines| killed_and_resumed(lines, &options, &folder));
        let resumed: Vec<Value> = resumed.collect();
        for report in fresh.iter().chain(&resumed) {
            assert_eq!(essence(report), essence(&expected), "{options}");
            let held = report["memory_bytes"].as_u64().expect("a number");
            assert!(held <= *budget + BESIDE, "{held} bytes: {options}");
        }
    }
}

#[test]
fn what_a_fresh_search_finishes_a_resumed_one_does() {
    let folder = folder("limits");
    let expected = reports(&run(DIJKSTRA, &folder)).remove(0);
    let is_decided = |report: &Value| {
        let is_decided = report["verdict"] != "unknown";
        assert!(!is_decided || essence(report) == essence(&expected));
        is_decided
    };
    let options = |limit: usize| format!("--memory-limit {limit}M --threads 2");
    let fresh = |limit: &usize| {
        let _ = fs::remove_dir_all(&folder);
        let line = format!("{DIJKSTRA} {} --spill DIR", options(*limit));
        is_decided(&reports(&run(&line, &folder))[0])
    };
    const LIMITS: [usize; 15] = [64, 48, 40, 32, 28, 24, 20, 18, 16, 14, 12, 11, 10, 9, 8];
    let mut decided: Vec<usize> = LIMITS[..cases(7, 15)]
        .iter()
        .copied()
        .take_while(fresh)
        .collect();
    // The memory of the program itself differs a little from call to call: by less than two of
    // these limits.
    decided.truncate(decided.len().saturating_sub(2));
    // The program of a deep run is optimised, and takes less itself.
    assert!(decided.contains(&cases(40, 32)), "{decided:?}");
    for limit in decided {
        for &lines in &[3, 45, 20, 58][..cases(2, 4)] {
            let report = killed_and_resumed(lines, &options(limit), &folder);
            assert!(is_decided(&report), "{limit} MB after {lines}: {report}");
        }
    }
}

/// Runs a check of a script of seven parts with hidden steps `t`, in a folder with this limit.
fn hidden(part: &str, limit: &str, folder: &Path) -> Outcome {
    let script = format!(
        "channel t, u : {{0..6}}.{{0..9}}\nchannel v : {{0..6}}\n{part}\n\
         assert (||| i : {{0..6}} @ PART(i, 0)) \\ {{| t |}} :[divergence free]\n"
    );
    let _ = fs::remove_dir_all(folder);
    let line = format!("check - --symmetry off --format json {limit} --spill DIR");
    cspsym(&arguments(&line, folder), script.as_bytes())
}

#[test]
fn what_was_followed_along_tau_is_forgotten_where_memory_is_short() {
    let folder = folder("followed");
    // Each state leads to few states along τ, and all states together to two million.
    let cycle = "PART(i, n) = n < 3 & t.i.n -> PART(i, n+1) [] n == 3 & v.i -> REST(i, 0)\n\
                 REST(i, n) = u.i.n -> (if n < 3 then REST(i, n+1) else PART(i, 0))";
    let expected = reports(&hidden(cycle, "", &folder)).remove(0);
    assert_eq!(expected["verdict"], "pass");
    let is_decided = |limit: &usize| {
        let found = reports(&hidden(cycle, &format!("--memory-limit {limit}M"), &folder)).remove(0);
        let is_decided = found["verdict"] != "unknown";
        assert!(
            !is_decided || essence(&found) == essence(&expected),
            "{found}"
        );
        is_decided
    };
    assert!(is_decided(&26));
    if cases(false, true) {
        let limits = [32, 26, 22, 20, 18, 16];
        let mut decided: Vec<usize> = limits.into_iter().take_while(is_decided).collect();
        // A limit that suffices once suffices every time: forgotten data makes room for new data,
        // whatever the allocator does with it. The memory of the program itself differs a little
        // from call to call: by less than two of these limits.
        decided.truncate(decided.len().saturating_sub(2));
        assert!(decided.contains(&26), "{decided:?}");
        for limit in decided.last().into_iter().chain(decided.last()) {
            assert!(is_decided(limit), "{limit} MB");
        }
    }
    // The first state leads to ten million.
    let long = "PART(i, n) = n < 9 & t.i.n -> PART(i, n+1)";
    let found = hidden(long, "--memory-limit 40M", &folder);
    assert_eq!(said(&found), (Some(3), vec!["memory-limit"]));
    assert!(found.err.contains("what did not fit"), "{}", found.err);
}

#[test]
fn one_hard_assertion_on_disk_leaves_time_for_the_next() {
    let folder = folder("each");
    let script = folder.with_extension("csp");
    // The first system has 10^20 states, the second 6.
    let text = "channel c : {0..19}.{0..9}\n\
                P(i, n) = c.i.n -> P(i, (n + 1) % 10)\n\
                assert RUN({| c |}) [T= ||| i : {0..19} @ P(i, 0)\n\
                assert not c.0.6 -> STOP [T= P(0, 6)\n";
    fs::write(&script, text).expect("it can be written");
    let file = script.to_string_lossy();
    let line = format!("check {file} --symmetry off --timeout-each 0.5 --format json");
    let mut levels = 0;
    for folder_option in ["--spill", "--resume"] {
        let found = run(&format!("{line} {folder_option} DIR"), &folder);
        assert_eq!(said(&found), (Some(3), vec!["timeout"]), "{}", found.err);
        let found = reports(&found);
        assert_eq!(found[0]["verdict"], "unknown", "{}", found[0]);
        assert_eq!(found[1]["verdict"], "pass", "{}", found[1]);
        // The levels reached within the time are kept, and the search resumes from them.
        let reached = found[0]["levels"].as_u64().expect("some were reached");
        assert!(reached >= levels.max(2), "{reached} after {levels}");
        levels = reached;
    }
}

/// Scripts whose checks are all quick.
fn small_scripts() -> Vec<String> {
    let mut all = scripts("cspm");
    // On disk components are listed first, and those of the latter have no end.
    all.retain(|script| !script.contains("/timed/") && !script.contains("/unlisted.csp"));
    all
}

#[test]
fn shipped_scripts_are_decided_alike() {
    let scripts = small_scripts();
    let compared = in_parallel(&scripts, |script| {
        let folder = folder(&format!("scripts-{}", script.replace('/', "-")));
        let line = format!("check {script} --format json --max-states 20000 --timeout 60");
        let expected = reports(&run(&line, &folder));
        let line = format!("{line} --spill DIR --spill-budget 20000");
        let found = reports(&run(&line, &folder));
        assert_eq!(found.len(), expected.len(), "{script}");
        let mut compared = 0;
        // On disk each chase is one component, which is made small before the search.
        let text = fs::read_to_string(script).expect("it is a file");
        let has_chases = text.contains("chase(");
        for (expected, found) in expected.iter().zip(&found) {
            let what = format!("{script}: {}", expected["assertion"]);
            if expected["verdict"] == "unknown" {
                continue;
            }
            assert_eq!(found["verdict"], expected["verdict"], "{what}");
            // A check in memory meets pairs of states, and a check on disk the states themselves.
            let other_numbers = expected["kind"] == "deterministic";
            if has_chases || other_numbers && expected["counterexample"].is_null() {
                continue;
            }
            if expected["counterexample"].is_null() {
                assert_eq!(essence(found), essence(expected), "{what}");
            } else {
                let steps = |report: &Value| {
                    let trace = report["counterexample"]["trace_with_taus"].as_array();
                    trace.expect("a list").len()
                };
                assert_eq!(steps(found), steps(expected), "{what}");
                assert_eq!(found["levels"], expected["levels"], "{what}");
            }
            compared += 1;
        }
        let _ = fs::remove_dir_all(&folder);
        compared
    });
    assert!(compared.iter().sum::<usize>() > 50, "{compared:?}");
}

/// The codes of the messages, and the exit status.
fn said(outcome: &Outcome) -> (Option<i32>, Vec<&str>) {
    let code = |line: &'_ str| -> Option<usize> { line.strip_prefix("error[")?.find(']') };
    let lines = outcome.err.lines();
    let codes = lines.filter_map(|line| code(line).map(|end| &line[6..6 + end]));
    (outcome.status, codes.collect())
}

const SMALL: &str = "check cspm/dijkstra/dijkstra.csp --assertion 1";

#[test]
fn a_folder_is_for_its_own_searches() {
    let folder = folder("own");
    let go = |options: &str| run(&format!("{SMALL} {options}"), &folder);
    let nothing_there = go("--resume DIR");
    assert_eq!(said(&nothing_there), (Some(2), vec!["spill-directory"]));
    assert!(!folder.exists());
    assert_eq!(go("--spill DIR").status, Some(0));
    let used = go("--spill DIR");
    assert_eq!(said(&used), (Some(2), vec!["spill-directory"]));
    assert!(used.err.contains("--resume"), "{}", used.err);
    assert_eq!(go("--resume DIR").status, Some(0));
    let other = go("--resume DIR -D N=3");
    assert_eq!(said(&other), (Some(3), vec!["other-spill"]));
    assert!(other.err.contains("-D N is new"), "{}", other.err);
    let both = go("--resume DIR --spill DIR");
    assert_eq!(both.status, Some(2));
    // The test locks the folder, as a call does that goes on.
    let lock = File::options().write(true).open(folder.join("lock"));
    let lock = lock.expect("there is a lock");
    lock.try_lock().expect("nobody else has it");
    let in_use = go("--resume DIR --format json");
    assert_eq!(said(&in_use), (Some(3), vec!["spill-in-use"]));
    assert_eq!(reports(&in_use)[0]["verdict"], "unknown");
    drop(lock);
    fs::write(folder.join("1").join("levels"), "").expect("it can be written");
    let damaged = go("--resume DIR");
    assert_eq!(said(&damaged), (Some(3), vec!["damaged-spill"]));
    fs::remove_file(folder.join("1").join("journal")).expect("it can be removed");
    let nameless = go("--resume DIR");
    assert_eq!(said(&nameless), (Some(3), vec!["damaged-spill"]));
    assert!(
        nameless.err.contains("`journal` is missing"),
        "{}",
        nameless.err
    );
    assert!(
        nameless.err.contains("remove that folder"),
        "{}",
        nameless.err
    );
    fs::remove_dir_all(folder.join("1")).expect("it can be removed");
    assert_eq!(go("--resume DIR").status, Some(0));
}

#[test]
fn what_is_not_decided_on_disk_is_decided_in_memory() {
    let folder = folder("in-memory");
    let script =
        b"channel a\nassert not a -> STOP |~| STOP :[deterministic]\nassert STOP [T= STOP\n";
    let outcome = cspsym(&arguments("check - --spill DIR", &folder), script);
    assert_eq!(said(&outcome), (Some(0), vec![]));
    let remark = "  its states were kept in memory: ";
    assert_eq!(outcome.out.matches(remark).count(), 1, "{}", outcome.out);
    let holds = outcome.out.matches(": holds\n").count();
    assert_eq!(holds, 2, "{}", outcome.out);
    // A search in memory leaves nothing to go on with.
    let outcome = cspsym(&arguments("check - --resume DIR", &folder), script);
    assert_eq!(said(&outcome), (Some(0), vec![]), "{}", outcome.out);
}

/// Cells that each do an internal step on the way, one after which the environment has a choice.
const CELLS: &str = "channel go, rest, back, settle : {1..4}
CELL(i) = go.i -> settle.i -> (rest.i -> CELL(i) [] back.i -> CELL(i))
assert ||| i : {1..4} @ CELL(i) \\ {settle.i} :[deterministic]
assert ||| i : {1..4} @ CELL(i) \\ {settle.i} :[deterministic [F]]
";

#[test]
fn that_a_process_is_deterministic_is_shown_on_disk_and_by_several_processes() {
    let folder = folder("deterministic");
    let script = folder.with_extension("csp");
    fs::write(&script, CELLS).expect("it can be written");
    let script = script.display();
    let go = |more: &str| {
        let line = format!("check {script} --format json --symmetry off {more}");
        reports(&run(&line, &folder))
    };
    let kept = go("--spill DIR");
    let numbers = |found: &[Value]| -> Vec<Value> {
        let of = |report: &Value| {
            ["verdict", "states", "levels", "remarks"].map(|key| report[key].clone())
        };
        found.iter().flat_map(of).collect()
    };
    for report in &kept {
        assert_eq!(
            (&report["verdict"], &report["remarks"]),
            (&json!("pass"), &json!([])),
            "{report}"
        );
        assert!(report["disk"].is_object(), "{report}");
    }
    assert_eq!(numbers(&go("--processes 2")), numbers(&kept));
    let resumed = go("--resume DIR");
    for (resumed, kept) in resumed.iter().zip(&kept) {
        assert_eq!(resumed["states"], kept["states"]);
        assert_eq!(resumed["remarks"], json!(["the whole search was on disk"]));
    }
}

#[test]
fn models_that_see_what_is_done_from_rest_are_decided_on_disk() {
    for name in ["revivals", "refusal-testing", "symmetric"] {
        let check = format!("check tests/scripts/observations/{name}.csp --format json");
        let folder = folder(name);
        let expected = reports(&run(&check, &folder));
        let found = reports(&run(&format!("{check} --spill DIR"), &folder));
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found["verdict"], expected["verdict"], "{found}");
            assert_eq!(found["counterexample"], expected["counterexample"]);
            if expected["counterexample"].is_null() {
                assert_eq!(essence(found), essence(expected));
            }
            assert!(found["disk"].is_object(), "{found}");
        }
    }
}

/// The message of a run that cannot write to `folder`, because of the shell's `before`.
#[cfg(unix)]
fn unwritable(before: &str, line: &str, folder: &Path) -> String {
    let limited = Command::new("sh")
        .args(["-c", &format!("{before}; exec \"$0\" \"$@\"")])
        .arg(env!("CARGO_BIN_EXE_cspsym"))
        .args(arguments(line, folder))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("a shell starts");
    let message = String::from_utf8_lossy(&limited.stderr).into_owned();
    assert_eq!(limited.status.code(), Some(3), "{message}");
    assert!(message.starts_with("error[unwritable-spill]"), "{message}");
    message
}

#[cfg(unix)]
#[test]
fn too_few_open_files_are_a_message_that_says_what_to_do() {
    let folder = folder("files");
    let expected = reports(&run(DIJKSTRA, &folder));
    let options = "--spill DIR --spill-budget 100000 --threads 1";
    let line = format!("{DIJKSTRA} {options}");
    let message = unwritable("ulimit -n 9", &line, &folder);
    assert!(message.contains("ulimit -n"), "{message}");
    let found = reports(&run(&format!("{DIJKSTRA} --resume DIR"), &folder));
    assert_eq!(essence(&found[0]), essence(&expected[0]));
}

#[cfg(unix)]
#[test]
fn a_disk_without_room_loses_nothing() {
    let folder = folder("full");
    let expected = reports(&run(DIJKSTRA, &folder));
    // A file may have 400 blocks of 512 bytes, and no signal tells of the limit.
    let line = format!("{DIJKSTRA} --spill DIR --spill-budget 100000");
    let message = unwritable("ulimit -f 400; trap '' XFSZ", &line, &folder);
    assert!(message.contains("--resume"), "{message}");
    let found = reports(&run(&format!("{DIJKSTRA} --resume DIR"), &folder));
    assert_eq!(essence(&found[0]), essence(&expected[0]));
    assert!(found[0]["disk"]["resumed"].as_u64() > Some(5));
}

#[test]
fn a_search_that_was_limited_says_how_it_goes_on() {
    let folder = folder("limited");
    let stopped = run(
        &format!("{DIJKSTRA} --spill DIR --max-states 1000"),
        &folder,
    );
    assert_eq!(said(&stopped), (Some(3), vec!["state-limit"]));
    assert!(stopped.err.contains("--resume"), "{}", stopped.err);
    let found = run(&format!("{DIJKSTRA} --resume DIR"), &folder);
    assert_eq!(found.status, Some(0));
}
