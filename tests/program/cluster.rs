//! Several processes that search together, through the whole program: on one machine by themselves
//! and from a list of hosts. They are killed, stopped, told to end, or do not fit together.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::harness::{Outcome, cspsym, empty_folder, ended, in_parallel, root, split_arguments};
use serde_json::Value;
use testkit::depth::cases;

/// Questions that hold and that fail, in each model, with and without symmetry and reduction.
const QUESTIONS: [&str; 14] = [
    "check cspm/dijkstra/dijkstra.csp -D N=3 --assertion 1 --algorithm check",
    "check cspm/dijkstra/dijkstra.csp -D N=4 --assertion 1",
    "check cspm/dijkstra/dijkstra.csp -D N=3 --reduce po --stats",
    "check cspm/hanoi/hanoi.csp",
    "check cspm/philosophers/philosophers.csp",
    "check cspm/philosophers/philosophers.csp --symmetry off --reduce po",
    "check cspm/milner/milner.csp",
    "check cspm/abp/abp.csp",
    "check cspm/peterson/peterson.csp --symmetry off",
    "check cspm/allocator/allocator.csp --stats",
    "check cspm/fischer/fischer.csp",
    "check cspm/colouring/colouring.csp --stats",
    "check tests/scripts/observations/refusal-testing.csp",
    "check tests/scripts/observations/symmetric.csp",
];

/// A question about half a million states.
const LONG: &str = "check cspm/dijkstra/dijkstra.csp -D N=5 --assertion 1 --algorithm check";

/// An option with a time that is longer than any test takes.
const PATIENT: &str = "--patience 60";

/// A folder for one test, which is new.
fn folder(name: &str) -> PathBuf {
    empty_folder("cluster", name)
}

/// A call that runs while the test goes on.
fn started(line: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_cspsym"))
        .args(split_arguments(line))
        .current_dir(root())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

fn run(line: &str) -> Outcome {
    cspsym(&split_arguments(line), b"")
}

/// The objects on standard output.
fn reports(outcome: &Outcome) -> Vec<Value> {
    let object = |line| serde_json::from_str(line).expect("a line is an object");
    outcome.out.lines().map(object).collect()
}

/// The part of a report that must be equal for any number of processes.
fn essence(report: &Value) -> BTreeMap<&'static str, Value> {
    let mut keys = vec!["assertion", "verdict", "algorithm"];
    let holds = report["counterexample"].is_null();
    // Several processes meet pairs of states, and one meets the states themselves.
    let is_by_pairs = holds && report["kind"] == "deterministic";
    keys.extend((!is_by_pairs).then_some("levels"));
    if holds && !is_by_pairs {
        keys.extend(["states", "transitions", "extra_states"]);
    }
    let found = &report["counterexample"];
    let mut essence: BTreeMap<_, _> = keys
        .into_iter()
        .map(|key| (key, report[key].clone()))
        .collect();
    let steps = found["trace_with_taus"].as_array().map(Vec::len);
    essence.insert("steps", steps.into());
    essence.insert("code", code(report).into());
    essence
}

/// The code of the message about a missing verdict; empty if there is a verdict.
fn code(report: &Value) -> String {
    let message = report["message"].as_str().unwrap_or_default();
    let (code, _) = message.split_once(':').unwrap_or_default();
    code.to_string()
}

#[test]
fn any_number_of_processes_finds_the_same() {
    let complaints = in_parallel(&QUESTIONS, |line| {
        let alone = run(&format!("{line} --format json"));
        let expected: Vec<_> = reports(&alone).iter().map(essence).collect();
        assert!(!expected.is_empty(), "{line}: {}", alone.err);
        let mut first: Option<Vec<Value>> = None;
        for processes in (1..=3).step_by(cases(2, 1)) {
            let together = run(&format!(
                "{line} --format json --processes {processes} {PATIENT}"
            ));
            let mut found = reports(&together);
            let is_same = found.iter().map(essence).eq(expected.iter().cloned());
            if !is_same || together.status != alone.status {
                return Some(format!(
                    "{line}, {processes}: {}{}",
                    together.out, together.err
                ));
            }
            // Counterexamples have to be equal too, and everything else but time, memory and
            // threads.
            for report in &mut found {
                for key in ["seconds", "memory_bytes", "memory_limit", "threads"] {
                    report.as_object_mut().map(|report| report.remove(key));
                }
            }
            let first = first.get_or_insert_with(|| found.clone());
            if *first != found {
                return Some(format!("{line}: {processes} processes find another"));
            }
        }
        None
    });
    let complaints: Vec<String> = complaints.into_iter().flatten().collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn counterexamples_are_those_of_a_search_on_disk() {
    let line = "check cspm/philosophers/philosophers.csp --symmetry off --format json";
    let folder = folder("disk");
    let on_disk = run(&format!(
        "{line} --spill {}",
        folder.join("states").display()
    ));
    let together = run(&format!("{line} --processes 2 {PATIENT}"));
    let found = |outcome: &Outcome| -> Vec<Value> {
        let all = reports(outcome);
        all.iter()
            .map(|report| report["counterexample"].clone())
            .collect()
    };
    assert!(found(&on_disk).iter().any(|found| !found.is_null()));
    assert_eq!(found(&on_disk), found(&together));
}

/// Calls that belong together, from a list of hosts.
struct Hosts {
    folder: PathBuf,
    count: usize,
}

impl Hosts {
    fn new(name: &str, count: usize) -> Self {
        let folder = folder(name);
        // All ports are bound at once, so that they are different.
        let ports: Vec<TcpListener> = (0..count)
            .map(|_| TcpListener::bind("127.0.0.1:0").expect("a port is free"))
            .collect();
        let lines = ports.iter().map(|port| {
            let address = port.local_addr().expect("it has one");
            format!("{address} # one of them\n")
        });
        fs::write(folder.join("hosts"), lines.collect::<String>()).expect("it can be written");
        fs::write(folder.join("secret"), "between us\n").expect("it can be written");
        Self { folder, count }
    }

    /// Starts the call of number `process`.
    fn start(&self, line: &str, process: usize) -> Child {
        let folder = self.folder.display();
        let line =
            format!("{line} --hosts {folder}/hosts --secret {folder}/secret --process {process}");
        started(&line)
    }

    fn start_all(&self, line: &str) -> Vec<Child> {
        (0..self.count)
            .map(|process| self.start(line, process))
            .collect()
    }
}

#[test]
fn calls_on_hosts_search_together_and_one_prints() {
    let hosts = Hosts::new("hosts", 3);
    let line = "check cspm/philosophers/philosophers.csp";
    let mut calls = hosts.start_all(&format!("{line} {PATIENT}")).into_iter();
    let Outcome { status, out, err } = ended(calls.next().expect("there are three"));
    let alone = run(line);
    let verdicts = |out: &str| -> Vec<String> {
        let lines = out.lines().filter(|line| line.starts_with("assert "));
        lines.map(str::to_string).collect()
    };
    assert_eq!(
        (status, verdicts(&out)),
        (alone.status, verdicts(&alone.out)),
        "{err}"
    );
    for call in calls {
        let Outcome { status, out, err } = ended(call);
        assert_eq!((status, &out[..], &err[..]), (alone.status, "", ""));
    }
}

#[test]
fn refinements_are_decided_together_too() {
    let asked = "refine VISIBLE DIJKSTRA cspm/dijkstra/dijkstra.csp --format json";
    let (alone, together) = (run(asked), run(&format!("{asked} --processes 2 {PATIENT}")));
    assert_eq!(
        essence(&reports(&together)[0]),
        essence(&reports(&alone)[0])
    );
}

/// The outcomes of the other calls, if `happen` is done to one of three calls on a long search.
fn hit(name: &str, options: &str, happen: impl Fn(&mut Child)) -> Vec<Outcome> {
    let hosts = Hosts::new(name, 3);
    let mut calls = hosts.start_all(&format!("{LONG} --progress on {options}"));
    // A line of progress shows that the search is under way. Earlier ones are about what comes
    // before it, when another process may not even have read its script.
    let err = calls[0].stderr.as_mut().expect("a pipe");
    let (mut said, mut next) = (String::new(), [0]);
    while !said.ends_with("searching level") {
        err.read_exact(&mut next).expect("there is progress");
        said.push(char::from(next[0]));
    }
    happen(&mut calls[1]);
    let mut hit = calls.remove(1);
    let found = calls.into_iter().map(ended).collect();
    let _ = hit.kill();
    let _ = hit.wait();
    found
}

#[test]
fn a_process_that_is_killed_ends_the_run_without_a_verdict() {
    let ends = hit("killed", PATIENT, |call| {
        call.kill().expect("it can be killed")
    });
    for Outcome { status, out, .. } in &ends {
        assert_eq!(*status, Some(3), "{ends:?}");
        assert!(!out.contains("holds"), "{out}");
    }
    let Outcome { out, err, .. } = &ends[0];
    assert!(out.contains("undecided (cluster-lost)"), "{out}");
    assert!(err.contains("process 1 (127.0.0.1:"), "{err}");
    assert!(err.contains("was lost"), "{err}");
}

#[cfg(unix)]
#[test]
fn a_process_that_hangs_ends_the_run_without_a_verdict() {
    let ends = hit("hangs", "--patience 2", |call| signal(call, "STOP"));
    for Outcome { status, out, .. } in &ends {
        assert_eq!(*status, Some(3), "{ends:?}");
        assert!(!out.contains("holds"), "{out}");
    }
    assert!(ends[0].err.contains("silent for 2 s"), "{ends:?}");
}

#[cfg(unix)]
#[test]
fn a_process_that_is_told_to_end_ends_the_run_for_all() {
    let ends = hit("told", PATIENT, |call| signal(call, "INT"));
    for Outcome { status, .. } in &ends {
        assert_eq!(*status, Some(3), "{ends:?}");
    }
    let Outcome { out, err, .. } = &ends[0];
    assert!(out.contains("undecided (cluster-"), "{out}");
    assert!(err.contains("process 1 (127.0.0.1:"), "{err}");
}

#[cfg(unix)]
fn signal(call: &Child, name: &str) {
    let sent = Command::new("kill")
        .args([format!("-{name}"), call.id().to_string()])
        .status();
    assert!(sent.expect("the signal is sent").success());
}

#[test]
fn limits_end_an_assertion_everywhere() {
    let line =
        "check cspm/dijkstra/dijkstra.csp -D N=5 --algorithm check --assertion 1 --format json";
    let found = run(&format!("{line} --max-states 5000 --processes 2 {PATIENT}"));
    let report = &reports(&found)[0];
    assert_eq!(found.status, Some(3), "{}", found.err);
    assert_eq!(code(report), "state-limit");
    assert_eq!(report["states"], 5000);
    let alone = run(&format!("{line} --max-states 5000"));
    assert_eq!(report["levels"], reports(&alone)[0]["levels"]);
    let found = run(&format!(
        "{line} --timeout-each 0.3 --processes 2 {PATIENT}"
    ));
    let code = code(&reports(&found)[0]);
    let is_late = ["timeout", "cluster-stopped"].contains(&&code[..]);
    assert!(is_late, "{}", found.out);
    assert_eq!(found.status, Some(3));
}

#[test]
fn processes_that_do_not_fit_together_decide_nothing() {
    let hosts = Hosts::new("other", 2);
    let script = |number: usize| {
        let path = hosts.folder.join(format!("{number}")).join("script.csp");
        fs::create_dir_all(path.parent().expect("it has one")).expect("it can be made");
        let text = format!("channel c : {{0..{number}}}\nassert STOP [T= c.0 -> STOP\n");
        fs::write(&path, text).expect("it can be written");
        path
    };
    let line = |script: &Path| format!("check {} {PATIENT}", script.display());
    let both = [0, 1].map(|number| hosts.start(&line(&script(number)), number));
    let both = both.map(ended);
    for Outcome { status, out, .. } in &both {
        assert_eq!(*status, Some(2), "{both:?}");
        assert!(!out.contains("fails"), "{out}");
    }
    assert!(
        both[0].err.contains("the text of script.csp differs"),
        "{both:?}"
    );
    let hosts = Hosts::new("asked", 2);
    let script = script(1);
    let line = |options: &str| format!("{} {options}", line(&script));
    let both = [
        ("--algorithm check", 0),
        ("--no-minimise --algorithm check", 1),
    ];
    let both = both.map(|(options, number)| hosts.start(&line(options), number));
    let both = both.map(ended);
    for Outcome { status, out, .. } in &both {
        assert_eq!(*status, Some(2), "{both:?}");
        assert!(!out.contains("fails"), "{out}");
    }
    assert!(both[0].err.contains("--no-minimise differs"), "{both:?}");
}

#[test]
fn what_keeps_a_cluster_from_coming_together_is_said() {
    let hosts = Hosts::new("alone", 2);
    let line = "check cspm/philosophers/philosophers.csp --wait 0.3";
    let Outcome { status, out, err } = ended(hosts.start(line, 0));
    assert_eq!((status, out), (Some(2), String::new()));
    assert!(
        err.contains("error[cluster-not-joined]: process 1"),
        "{err}"
    );
    let folder = hosts.folder.display();
    let said = |options: &str| {
        run(&format!(
            "check cspm/philosophers/philosophers.csp {options}"
        ))
    };
    let none = said(&format!("--hosts {folder}/hosts --process 0"));
    assert_eq!(none.status, Some(2));
    assert!(none.err.contains("error[cluster-secret]"), "{}", none.err);
    let with = format!("--secret {folder}/secret --process");
    let beyond = said(&format!("--hosts {folder}/hosts {with} 2"));
    assert!(
        beyond.err.contains("there is no process 2"),
        "{}",
        beyond.err
    );
    for (text, why) in [
        ("node1\n", "is no `host:port`"),
        ("node1:0\n", "is no `host:port`"),
        ("a:1\nb:2\na:1\n", "line 3"),
        ("# nobody\n", "lists no processes"),
    ] {
        fs::write(hosts.folder.join("wrong"), text).expect("it can be written");
        let wrong = said(&format!("--hosts {folder}/wrong {with} 0"));
        assert_eq!(wrong.status, Some(2));
        assert!(wrong.err.contains("error[cluster-hosts]"), "{}", wrong.err);
        assert!(wrong.err.contains(why), "{}", wrong.err);
    }
}

#[test]
fn copies_are_started_once_and_read_files() {
    let after_dashes = run(&format!(
        "check --processes 2 {PATIENT} -- cspm/queue/queue.csp"
    ));
    assert_eq!(
        after_dashes.status,
        run("check cspm/queue/queue.csp").status
    );
    let input = run("check - --processes 2");
    assert_eq!((input.status, &input.out[..]), (Some(2), ""));
    assert!(
        input.err.contains("the script has to be a file"),
        "{}",
        input.err
    );
    let page = folder("page").join("page.html");
    let line = "check cspm/milner/milner.csp";
    let with_page = format!("{line} --report {} --processes 2 {PATIENT}", page.display());
    let (with_page, alone) = (run(&with_page), run(line));
    assert_eq!(with_page.status, alone.status, "{}", with_page.err);
    assert!(fs::read_to_string(page).is_ok_and(|page| page.contains("<html")));
}

/// Half a million states in 61 levels.
const SPILLED: &str =
    "check cspm/dijkstra/dijkstra.csp -D N=4 --assertion 1 --algorithm check --format json";

/// Options that make the search take some time.
const SLOWLY: &str = "--threads 1 --spill-budget 100000";

/// Runs a line in which `DIR` stands for the folder.
fn run_in(folder: &Path, line: &str) -> Outcome {
    run(&line.replace("DIR", &folder.to_string_lossy()))
}

/// The only report of a line in which `DIR` stands for the folder.
fn report_in(folder: &Path, line: &str) -> Value {
    let outcome = run_in(folder, line);
    let mut reports = reports(&outcome);
    assert_eq!(reports.len(), 1, "{outcome:?}");
    reports.remove(0)
}

/// Waits until the journal of a process in the folder has `lines` lines, or the run is over.
fn wait_for_lines(lines: usize, folder: &Path, process: usize, run: &mut Child) {
    let journal = folder.join(format!("process-{process}/1/journal"));
    let written = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    while written() < lines && run.try_wait().expect("it can be asked").is_none() {
        std::thread::yield_now();
    }
}

/// Copies a folder with its contents.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("it can be made");
    for entry in fs::read_dir(from).expect("it is a folder") {
        let path = entry.expect("it can be read").path();
        let target = to.join(path.file_name().expect("it has a name"));
        match path.is_dir() {
            true => copy(&path, &target),
            false => drop(fs::copy(&path, &target).expect("it can be copied")),
        }
    }
}

/// Resumes from copies of the folder on 3, 2 and 1 processes, and compares with one process in
/// memory. The folder must have at least `levels` levels.
fn goes_on(folder: &Path, levels: u64) {
    let expected = essence(&report_in(folder, SPILLED));
    for processes in 1..=3 {
        let copied = folder.with_extension(format!("{processes}"));
        let _ = fs::remove_dir_all(&copied);
        copy(folder, &copied);
        let line = format!("{SPILLED} --processes {processes} {PATIENT} --resume DIR");
        let found = report_in(&copied, &line);
        assert_eq!(essence(&found), expected, "{processes} processes: {found}");
        let resumed = found["disk"]["resumed"].as_u64();
        assert!(resumed >= Some(levels), "{processes} processes: {found}");
        // A second run finds all that was moved.
        let other = format!("{SPILLED} --processes {} {PATIENT}", 4 - processes);
        let found = report_in(&copied, &format!("{other} --resume DIR"));
        assert_eq!(essence(&found), expected, "{processes} processes: {found}");
        assert_eq!(found["disk"]["resumed"], found["levels"], "{found}");
        let _ = fs::remove_dir_all(&copied);
    }
}

/// The processes that a process has started.
#[cfg(target_os = "linux")]
fn copies_of(parent: u32) -> Vec<u32> {
    let processes = fs::read_dir("/proc").expect("there is one").flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let is_copy = |number: &u32| {
        let stat = fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
        // The name, in brackets, may hold anything.
        let rest = stat.rsplit_once(')').map(|(_, rest)| rest);
        rest.and_then(|rest| rest.split_whitespace().nth(1)) == Some(&parent.to_string())
    };
    numbers.filter(is_copy).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn a_search_on_disk_goes_on_after_a_process_was_killed() {
    let folder = folder("spill-killed").join("states");
    let line = format!(
        "{SPILLED} {SLOWLY} --processes 3 {PATIENT} --spill {}",
        folder.display()
    );
    let mut first = started(&line);
    wait_for_lines(20, &folder, 2, &mut first);
    let copies = copies_of(first.id());
    assert_eq!(copies.len(), 2, "it was too fast");
    let kill = Command::new("kill")
        .args(["-KILL", &copies[1].to_string()])
        .status();
    assert!(kill.expect("it can be killed").success());
    let ended = ended(first);
    assert_eq!(ended.status, Some(3), "{ended:?}");
    assert!(ended.err.contains("go on with --resume"), "{}", ended.err);
    goes_on(&folder, 18);
}

#[cfg(unix)]
#[test]
fn a_search_on_disk_goes_on_after_one_hung_or_was_told_to_end() {
    for name in &["STOP", "INT"][..cases(1, 2)] {
        let hosts = Hosts::new(&format!("spill-{name}"), 3);
        let folder = hosts.folder.join("states");
        let line = format!(
            "{SPILLED} {SLOWLY} --patience 2 --spill {}",
            folder.display()
        );
        let mut calls = hosts.start_all(&line);
        wait_for_lines(10, &folder, 0, &mut calls[0]);
        signal(&calls[1], name);
        let mut hit = calls.remove(1);
        for call in calls {
            let ended = ended(call);
            assert_eq!(ended.status, Some(3), "{ended:?}");
        }
        let _ = hit.kill();
        let _ = hit.wait();
        goes_on(&folder, 8);
    }
}

#[test]
fn limits_end_a_search_on_disk_where_one_process_ends() {
    let folder = folder("spill-limits");
    let line = format!("{SPILLED} --max-states 50000 --spill DIR");
    let alone = report_in(&folder.join("alone"), &line);
    assert_eq!(code(&alone), "state-limit");
    let states = folder.join("states");
    let found = report_in(&states, &format!("{line} --processes 3 {PATIENT}"));
    for key in ["states", "levels", "message"] {
        let is_message = key == "message";
        assert!(is_message || found[key] == alone[key], "{found} {alone}");
    }
    assert_eq!(code(&found), "state-limit");
    let bytes = found["disk"]["bytes"].as_u64();
    assert!(
        bytes >= alone["disk"]["bytes"].as_u64().map(|all| all / 2),
        "{found}"
    );
    // The same limit ends the search of other processes at the same place.
    let again = line.replace("--spill", "--resume");
    let found = report_in(&states, &format!("{again} --processes 2 {PATIENT}"));
    assert_eq!(
        (&found["states"], &found["levels"]),
        (&alone["states"], &alone["levels"])
    );
    goes_on(&states, alone["levels"].as_u64().expect("a number"));
}

#[cfg(unix)]
#[test]
fn a_disk_without_room_ends_the_run_for_all_and_loses_nothing() {
    let folder = folder("spill-full");
    let line = format!(
        "{SPILLED} {SLOWLY} --processes 3 {PATIENT} --spill {}",
        folder.display()
    );
    // A file may have 800 blocks of 512 bytes, and no signal tells of the limit.
    let limited = Command::new("sh")
        .args(["-c", "ulimit -f 800; trap '' XFSZ; exec \"$0\" \"$@\""])
        .arg(env!("CARGO_BIN_EXE_cspsym"))
        .args(split_arguments(&line))
        .current_dir(root())
        .output()
        .expect("a shell starts");
    let message = String::from_utf8_lossy(&limited.stderr);
    assert_eq!(limited.status.code(), Some(3), "{message}");
    // Any of the three processes may be the first to fail.
    assert!(message.contains("cannot be kept in"), "{message}");
    assert!(message.contains("go on with --resume"), "{message}");
    goes_on(&folder, 20);
}

#[test]
fn a_search_on_disk_that_is_out_of_time_goes_on() {
    let folder = folder("spill-late");
    // It has 15,895,088 orbits of up to 720 states, so no machine finds them in time.
    let line = SPILLED.replace("N=4", "N=6");
    let line = format!("{line} --processes 2 {PATIENT}");
    let late = report_in(&folder, &format!("{line} --timeout 2 --spill DIR"));
    assert_eq!(code(&late), "timeout", "{late}");
    let levels = late["levels"].as_u64();
    assert!(levels > Some(1), "no level in two seconds: {late}");
    // The rest is on disk. It serves another number of processes too, whose run ends at once.
    let line = line.replace("--processes 2", "--processes 3");
    let again = report_in(&folder, &format!("{line} --max-states 1 --resume DIR"));
    assert_eq!(code(&again), "state-limit", "{again}");
    let resumed = again["disk"]["resumed"].as_u64();
    assert!(resumed > Some(0) && resumed <= levels, "{late} {again}");
}

#[test]
fn what_cannot_go_on_is_said() {
    let folder = folder("spill-refused");
    let line = "check cspm/dijkstra/dijkstra.csp --assertion 1 --algorithm check --format json";
    let with = |folder: &Path, options: &str| {
        let outcome = run_in(folder, &format!("{line} {PATIENT} {options}"));
        let report = reports(&outcome).pop().unwrap_or_default();
        let why = code(&report);
        (outcome.status, why, outcome.err)
    };
    let whole = folder.join("whole");
    let begun = with(&whole, "--processes 3 --spill DIR");
    assert_eq!((begun.0, &begun.1[..]), (Some(0), ""), "{}", begun.2);
    // One process keeps to its own way of searching.
    let (status, why, err) = with(&whole, "--resume DIR");
    assert_eq!((status, &why[..]), (Some(3), "spill-directory"));
    assert!(err.contains("--processes 1"), "{err}");
    let (status, why, _) = with(&whole, "--processes 2 --spill DIR");
    assert_eq!((status, &why[..]), (Some(2), "spill-directory"));
    let (status, why, err) = with(&whole, "--processes 2 --resume DIR -D N=3");
    assert_eq!(status, Some(3), "{err}");
    assert!(
        ["other-spill", "cluster-stopped"].contains(&&why[..]),
        "{err}"
    );
    assert!(err.contains("is not this one"), "{err}");
    // A process that finds something by itself tells the others.
    let damaged = folder.join("damaged");
    copy(&whole, &damaged);
    fs::write(damaged.join("process-1/1/levels"), "").expect("it can be written");
    let (status, why, err) = with(&damaged, "--processes 3 --resume DIR");
    assert_eq!((status, &why[..]), (Some(3), "cluster-stopped"), "{err}");
    assert!(
        err.contains("process 1 (") && err.contains("were changed"),
        "{err}"
    );
    let lost = folder.join("lost");
    copy(&whole, &lost);
    fs::remove_dir_all(lost.join("process-1")).expect("it can be removed");
    for processes in [1, 3] {
        let options = format!("--processes {processes} --resume DIR");
        let (status, why, err) = with(&lost, &options);
        assert_eq!((status, &why[..]), (Some(3), "missing-share"), "{err}");
        assert!(err.contains("process-1"), "{err}");
    }
    let (status, why, _) = with(&folder.join("nothing"), "--processes 2 --resume DIR");
    assert_eq!((status, &why[..]), (Some(2), "spill-directory"));
}

#[test]
fn processes_on_disk_find_what_they_find_in_memory() {
    let complaints = in_parallel(&QUESTIONS, |line| {
        let line = format!("{line} --format json --processes 2 {PATIENT}");
        let folder = folder(&format!("spill-{}", line.replace(['/', ' ', '.'], "-")));
        let expected: Vec<_> = reports(&run(&line)).iter().map(essence).collect();
        let with_spill = format!("{line} --spill DIR --spill-budget 100000");
        let found = run_in(&folder.join("states"), &with_spill);
        let is_same = reports(&found).iter().map(essence).eq(expected);
        let _ = fs::remove_dir_all(&folder);
        (!is_same).then(|| format!("{line}: {}{}", found.out, found.err))
    });
    let complaints: Vec<String> = complaints.into_iter().flatten().collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
