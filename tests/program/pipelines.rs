//! `cspsym check` as pipelines call it: folders and patterns, totals, and files of results for
//! other programs.

use std::fs;
use std::path::PathBuf;

use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use crate::harness::{Outcome, cspsym, empty_folder, split_arguments};

fn check(line: &str) -> Outcome {
    cspsym(&split_arguments(&format!("check {line}")), b"")
}

/// An empty folder for files of a test.
fn folder(test: &str) -> PathBuf {
    empty_folder("pipelines", test)
}

#[test]
fn a_folder_stands_for_its_scripts_and_a_pattern_for_its_files() {
    let heads = |line: &str| -> Vec<String> {
        let outcome = check(line);
        let lines = outcome.out.lines().filter(|line| line.ends_with(".csp"));
        lines.map(str::to_string).collect()
    };
    let [belt, switch, lamp] =
        ["belt.csp", "parts/switch.csp", "lamp.csp"].map(|name| format!("tests/pipelines/{name}"));
    // What another script includes is checked as a part of that alone, and what is hidden is left
    // out.
    let whole = [belt.clone(), switch.clone(), lamp.clone()];
    assert_eq!(heads("tests/pipelines"), whole);
    assert_eq!(heads("tests/pipelines/"), whole);
    assert_eq!(heads("'tests/pipelines/*.csp'"), whole);
    assert_eq!(
        heads("'tests/pipelines/**/s*.csp'"),
        std::slice::from_ref(&switch)
    );
    assert_eq!(
        heads("'./tests/pipelines/{lamp,belt,none}.{csp,cspm}'"),
        whole
    );
    // What is named twice is checked once, where it is named first.
    let once = [switch, lamp, belt];
    let twice = "tests/pipelines/lamp.csp tests/pipelines ./tests/pipelines/belt.csp";
    assert_eq!(heads(twice), once);
    for wrong in [
        "'tests/pipelines/*.cspm'",
        "'tests/[.csp'",
        "'tests/{a,b.csp'",
        "'!tests/*.csp'",
        "tests/conventions",
    ] {
        let outcome = check(wrong);
        assert_eq!(outcome.status, Some(2), "{wrong}");
        assert!(outcome.err.contains("unreadable-file"), "{}", outcome.err);
    }
}

#[test]
fn a_part_is_what_a_script_really_includes() {
    let folder = folder("parts");
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        let above = path.parent().expect("it is in a folder");
        fs::create_dir_all(above).expect("it can be made");
        fs::write(path, text).expect("it can be written");
    };
    let fails = "assert STOP :[deadlock free]\n";
    // In a comment, of itself, from beside the first script, behind a declaration, in a circle.
    write(
        "commented.csp",
        &format!("{{-\ninclude \"main.csp\"\n-}}\n{fails}"),
    );
    write("main.csp", &format!("include \"sub/a.csp\"\n{fails}"));
    write("sub/a.csp", "include \"sub/b.csp\"\nA = B\n");
    write("sub/b.csp", "B = STOP\n");
    write("itself.csp", &format!("include \"itself.csp\"\n{fails}"));
    write("one.csp", &format!("include \"other.csp\"\n{fails}"));
    write("other.csp", &format!("include \"one.csp\"\n{fails}"));
    #[cfg(unix)]
    for name in ["again", "more"] {
        std::os::unix::fs::symlink(".", folder.join(name)).expect("a link can be made");
    }
    let outcome = check(&format!("{} --format json", folder.display()));
    let reports = outcome
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("it is JSON"));
    let found = reports.map(|report: Value| {
        let file = report["file"].as_str().expect("a name").to_string();
        let name = file.rsplit('/').next().unwrap_or_default().to_string();
        (
            name,
            report["verdict"].as_str().unwrap_or_default().to_string(),
        )
    });
    let found: Vec<(String, String)> = found.collect();
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "commented.csp",
            "itself.csp",
            "main.csp",
            "one.csp",
            "other.csp"
        ]
    );
    let verdicts: Vec<&str> = found.iter().map(|(_, verdict)| verdict.as_str()).collect();
    assert_eq!(verdicts, ["fail", "error", "fail", "error", "error"]);
}

#[test]
fn several_scripts_have_totals_and_quiet_lines_have_names() {
    let outcome = check("tests/pipelines");
    let last = outcome.out.lines().last();
    assert_eq!(last, Some("4 assertions in 2 scripts: 3 hold, 1 fail"));
    assert_eq!(outcome.status, Some(1));
    let outcome = check("tests/pipelines --quiet");
    let fails = "assert put -> take -> STOP [T= BELT(0): fails\n";
    assert_eq!(outcome.out, format!("tests/pipelines/belt.csp: {fails}"));
    // One script alone has neither.
    assert_eq!(check("tests/pipelines/belt.csp --quiet").out, fails);
    let outcome = check("tests/pipelines/belt.csp");
    assert!(!outcome.out.contains("assertions in"), "{}", outcome.out);
    let limited = check("tests/pipelines --max-states 1");
    let last = limited.out.lines().last();
    assert!(
        last.is_some_and(|line| line.ends_with("undecided")),
        "{}",
        limited.out
    );
    assert_eq!(limited.status, Some(3), "{}", limited.out);
    let json = check("tests/pipelines --format json").out;
    assert!(json.lines().all(|line| line.starts_with('{')), "{json}");
}

#[test]
fn a_constant_may_be_one_of_some_scripts() {
    let replaced = check("tests/pipelines -D PLACES=3 --quiet");
    assert_eq!((replaced.status, replaced.err.as_str()), (Some(1), ""));
    let unknown = check("tests/pipelines -D PLACES=3 -D SHELVES=1");
    assert!(
        unknown.err.contains("no script has a constant `SHELVES`"),
        "{}",
        unknown.err
    );
    assert_eq!(unknown.status, Some(2));
    let unknown = check("tests/pipelines -D SHELVES=1 --format json --quiet");
    assert!(unknown.out.contains("unknown-constant"), "{}", unknown.out);
    let typed = cspsym(
        &split_arguments("typecheck tests/pipelines -D PLACES=3"),
        b"",
    );
    assert_eq!((typed.status, typed.err.as_str()), (Some(0), ""));
    let line = "refines --brief -D PLACES=3 tests/pipelines/belt.csp tests/pipelines/lamp.csp";
    let refined = cspsym(&split_arguments(line), b"");
    assert_eq!((refined.status, refined.err.as_str()), (Some(0), ""));
    let deeper = check("tests/pipelines -D PLACES=3 --symmetry off --no-minimise");
    assert!(deeper.out.contains("4 states"), "{}", deeper.out);
    // In a script alone it has to be there.
    assert_eq!(
        check("tests/pipelines/lamp.csp -D PLACES=3").status,
        Some(2)
    );
}

#[test]
fn junit_has_a_test_for_each_assertion() {
    let file = folder("junit").join("results.xml");
    let line = format!(
        "tests/pipelines tests/no-such.csp --junit {}",
        file.display()
    );
    assert_eq!(check(&line).status, Some(2));
    let xml = fs::read_to_string(&file).expect("it was written");
    let has = |text: &str| assert!(xml.contains(text), "{text} in {xml}");
    has(r#"<testsuites name="cspsym" tests="5" failures="1" errors="1">"#);
    has(r#"<testsuite name="tests/pipelines/belt.csp" tests="2""#);
    has(
        r#"<testcase name="assert put -&gt; take -&gt; STOP [T= BELT(0)" classname="tests/pipelines/belt.csp""#,
    );
    has(
        r#"<failure message="After &lt;put&gt; the implementation can do put, which the specification does not allow." type="fails">"#,
    );
    has(r#"<error message="unreadable-file: "#);
    has("    1  put\n");
    // What is undecided is no success.
    let line = format!(
        "tests/pipelines/belt.csp --max-states 1 --junit {}",
        file.display()
    );
    check(&line);
    let xml = fs::read_to_string(&file).expect("it was written");
    assert!(
        xml.contains(r#"failures="0" errors="2""#) && xml.contains("state-limit"),
        "{xml}"
    );
}

#[test]
fn tests_of_junit_have_names_of_their_own() {
    let folder = folder("names");
    let file = |name: &str| folder.join(name).display().to_string();
    let script = "assert STOP :[divergence free]\n".repeat(3);
    fs::write(file("three.csp"), script).expect("it can be written");
    let line = format!("{} --junit {}", file("three.csp"), file("results.xml"));
    assert_eq!(check(&line).status, Some(0));
    let xml = fs::read_to_string(file("results.xml")).expect("it was written");
    for name in ["", " (2)", " (3)"] {
        let test = format!("<testcase name=\"assert STOP :[divergence free]{name}\" ");
        assert_eq!(xml.matches(&test).count(), 1, "{xml}");
    }
}

/// The message about what a script prints, or about a mistake in it, is in the files too, and comes
/// before those about what is merely odd.
#[test]
fn files_have_what_is_wrong_beside_the_assertions() {
    let folder = folder("beside");
    let file = |name: &str| folder.join(name).display().to_string();
    let script = "channel a\nP = a -> P\nprint head(<>)\nassert P :[deadlock free]\n";
    fs::write(file("prints.csp"), script).expect("it can be written");
    let odd = b"-- caf\xe9\nP = -> STOP\nassert P :[deadlock free]\n";
    fs::write(file("odd.csp"), odd).expect("it can be written");
    for (script, title, code) in [
        ("prints.csp", "print head(&lt;&gt;)", "empty-sequence"),
        ("odd.csp", "odd.csp", "syntax"),
    ] {
        let (xml, found) = (file("results.xml"), file("found.sarif"));
        let line = format!("{} --junit {xml} --sarif {found}", file(script));
        assert_eq!(check(&line).status, Some(2));
        let xml = fs::read_to_string(xml).expect("it was written");
        assert!(
            xml.contains(r#" errors="1">"#) && xml.contains(title),
            "{xml}"
        );
        assert!(xml.contains(&format!("<error message=\"{code}: ")), "{xml}");
        let found = fs::read_to_string(found).expect("it was written");
        assert!(
            found.contains(r#""ruleId": "error""#) && found.contains(code),
            "{found}"
        );
    }
}

#[test]
fn what_a_limit_has_left_is_in_the_files() {
    let file = folder("left").join("results.xml");
    let line = format!("tests/pipelines --timeout 0 --junit {}", file.display());
    assert_eq!(check(&line).status, Some(3));
    // Where the run was ended from outside there is no file, and none of an earlier run.
    if let Ok(xml) = fs::read_to_string(&file) {
        assert!(
            xml.contains(r#"failures="0" errors="2""#) && xml.contains("timeout: "),
            "{xml}"
        );
    }
}

#[test]
fn sarif_has_a_finding_at_each_place() {
    let folder = folder("sarif");
    let file = folder.join("found.sarif");
    let strange = folder.join("a b#.csp");
    fs::write(&strange, "P = STOP\nassert P [T= 3\n").expect("it can be written");
    let line = format!(
        "tests/pipelines '{}' --sarif {}",
        strange.display(),
        file.display()
    );
    assert_eq!(check(&line).status, Some(2));
    let text = fs::read_to_string(&file).expect("it was written");
    let document: Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(document["version"], "2.1.0");
    let results = document["runs"][0]["results"].as_array().expect("a list");
    assert_eq!(results.len(), 2);
    let place = |index: usize| &results[index]["locations"][0]["physicalLocation"];
    let expected = json!({
        "artifactLocation": { "uri": "tests/pipelines/belt.csp" },
        "region": { "startLine": 6, "startColumn": 1, "endLine": 6, "endColumn": 39 },
    });
    assert_eq!(place(0), &expected);
    assert_eq!(results[0]["ruleId"], "fails");
    assert_eq!(results[1]["ruleId"], "error");
    let address = place(1)["artifactLocation"]["uri"]
        .as_str()
        .expect("a text");
    assert!(address.ends_with("a%20b%23.csp"), "{address}");
    // Where all holds there is nothing to show.
    let line = format!("tests/pipelines/lamp.csp --sarif {}", file.display());
    assert_eq!(check(&line).status, Some(0));
    let text = fs::read_to_string(&file).expect("it was written");
    let document: Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(document["runs"][0]["results"], json!([]));
}

#[test]
fn all_files_are_written_at_once() {
    let folder = folder("all");
    let at = |name: &str| folder.join(name).display().to_string();
    let line = format!(
        "tests/pipelines --report {} --junit {} --sarif {}",
        at("page.html"),
        at("results.xml"),
        at("found.sarif")
    );
    assert_eq!(check(&line).status, Some(1));
    assert_eq!(fs::read_dir(&folder).expect("it is there").count(), 3);
    for wrong in [
        format!("--junit {}", folder.display()),
        "--junit tests/pipelines/lamp.csp".to_string(),
        format!("--junit {0} --sarif {0}", at("twice")),
        "--junit /dev/null".to_string(),
        "--junit -".to_string(),
    ] {
        let refused = check(&format!("tests/pipelines/belt.csp {wrong}"));
        assert_eq!(refused.status, Some(2), "{wrong}");
        assert!(refused.err.contains("unwritable-report"), "{}", refused.err);
    }
    let refused = check(&format!("tests/pipelines --junit {}", folder.display()));
    assert!(
        refused.out.is_empty() && refused.err.contains("unwritable-report"),
        "{}",
        refused.err
    );
}
