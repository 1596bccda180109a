//! The answers do not depend on the number of threads: verdicts, counts and traces of the shipped
//! scripts.

use serde_json::Value;

use testkit::depth::cases;

use crate::harness::{cspsym, in_parallel, scripts};

/// The output about a script, without the parts that depend on the machine.
fn answers(file: &str, threads: usize, options: &[&str]) -> (Option<i32>, Vec<Value>) {
    let mut arguments: Vec<String> = ["check", file, "--format", "json", "--threads"]
        .map(str::to_string)
        .to_vec();
    arguments.push(threads.to_string());
    arguments.extend(options.iter().map(ToString::to_string));
    let outcome = cspsym(&arguments, b"");
    let lines = outcome.out.lines().map(|line| {
        let mut value: Value = serde_json::from_str(line).expect("a line is JSON");
        let report = value.as_object_mut().expect("a line is an object");
        report.remove("seconds");
        report.remove("memory_bytes");
        value
    });
    (outcome.status, lines.collect())
}

/// Compares the answers about all scripts.
fn compare(options: &[&str]) {
    let files = scripts("cspm");
    assert!(files.len() > 20);
    in_parallel(&files, |file| compare_script(file, options));
}

fn compare_script(file: &str, options: &[&str]) {
    let alone = answers(file, 1, options);
    for &threads in cases(&[3][..], &[2, 3]) {
        assert_eq!(
            answers(file, threads, options),
            alone,
            "{file} {options:?} with {threads} threads"
        );
    }
}

/// Tests levels of tens of thousands of states, which are divided among threads. Most scripts have
/// none.
#[test]
fn answers_about_large_systems_do_not_depend_on_threads() {
    let dijkstra = "cspm/dijkstra/dijkstra.csp";
    let hanoi = "cspm/hanoi/hanoi.csp";
    let large = ["-DN=4", "--algorithm", "check"];
    compare_script(dijkstra, &large);
    compare_script(
        dijkstra,
        &[&large[..], &["--max-states", "300000"]].concat(),
    );
    compare_script(dijkstra, &[&large[..], &["--model", "FD"]].concat());
    compare_script(dijkstra, &["-DN=4", "--max-states", "20000"]);
    compare_script(hanoi, &["-DPOLES=6", "-DDISCS=6", "--max-states", "40000"]);
    compare_script(
        hanoi,
        &["-DPOLES=6", "-DDISCS=6", "--representative", "minimal"],
    );
    // Leaves of 512 states are minimised on several threads.
    let many_discs = ["-DN=5", "-DD=9", "--assertion", "1", "--fix-initial"];
    compare_script("benches/peers/hanoi.csp", &many_discs);
}

/// Leaves are explored before the tree is built only where that keeps the numbers of terms, which
/// decide the shortest trace and the first error.
#[test]
fn answers_about_parts_of_many_kinds_do_not_depend_on_threads() {
    let controlled = "((R [| {|c, w|} |] STOP) /\\ (w -> STOP)) ||| L";
    let compressed = "(wbisim(R) [| {|c|} |] STOP) ||| L";
    let assertions = [
        format!("assert SPEC [T= {controlled}"),
        format!("assert SPEC [T= {compressed}"),
        "assert STOP [T= wbisim(GROW(0)) ||| BAD(0)".to_string(),
    ];
    let script = format!(
        "transparent wbisim
channel a, b, c, d : {{0..3}}
channel z, w
Y = d.0 -> Y
X1 = a.0 -> SKIP
X2 = b.0 -> SKIP
L = (z -> X1 [] z -> X2) ; Y
R = (c.0 -> X2 [] c.1 -> X1) ; Y
SPEC = z -> SPEC [] w -> SPEC
GROW(n) = a.0 -> GROW(n + 1)
BAD(0) = b.0 -> BAD(1)
BAD(1) = if head(<x | x <- <>>) == 1 then STOP else SKIP
{}
",
        assertions.join("\n")
    );
    let file = std::env::temp_dir().join(format!("cspsym-threads-{}.csp", std::process::id()));
    std::fs::write(&file, script).expect("it can be written");
    compare_script(&file.to_string_lossy(), &["--max-leaf-states", "1000"]);
    std::fs::remove_file(&file).expect("it can be removed");
}

#[test]
fn answers_do_not_depend_on_threads() {
    compare(&[]);
}

#[test]
fn answers_without_symmetry_do_not_depend_on_threads() {
    compare(&["--algorithm", "check"]);
}

#[test]
fn where_a_limit_stops_a_search_does_not_depend_on_threads() {
    compare(&["--algorithm", "check", "--max-states", "2500"]);
}
