//! Exports pages with programs that were installed in several ways.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

/// The first bytes of a file of WebAssembly, and what tells two of them apart.
const BESIDE: &[u8] = b"\0asm beside";
const SHARED: &[u8] = b"\0asm shared";

/// The program, as if it was installed in the folder `name`.
fn installed(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("exports")
        .join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("bin")).expect("a folder can be made");
    fs::create_dir_all(folder.join("share/cspsym")).expect("a folder can be made");
    let program = folder.join("bin/cspsym");
    let built = env!("CARGO_BIN_EXE_cspsym");
    // The program is large, and a second name is enough.
    fs::hard_link(built, &program)
        .or_else(|_| fs::copy(built, &program).map(drop))
        .expect("the program can be installed");
    folder
}

fn export(folder: &Path) -> Output {
    export_all(folder, &["cspm/vending/vending.csp"])
}

/// Exports the page of several scripts; `words` may be options too.
fn export_all(folder: &Path, words: &[&str]) -> Output {
    Command::new(folder.join("bin/cspsym"))
        .arg("explore")
        .args(words)
        .arg("--export")
        .arg(folder.join("page"))
        .output()
        .expect("the program starts")
}

/// The JSON in a file of an exported page.
fn exported(folder: &Path, name: &str) -> Value {
    let bytes = fs::read(folder.join("page").join(name)).expect("it was exported");
    serde_json::from_slice(&bytes).expect("it is JSON")
}

#[test]
fn the_program_for_browsers_is_found_beside_an_installed_one() {
    let folder = installed("found");
    fs::write(folder.join("share/cspsym/cspsym.wasm"), SHARED).expect("it can be written");
    assert!(export(&folder).status.success());
    let exported = || fs::read(folder.join("page/cspsym.wasm")).expect("it was exported");
    assert_eq!(exported(), SHARED);
    // What `cargo install` has put beside the program is newer than what came with a package.
    fs::write(folder.join("bin/cspsym.wasm"), BESIDE).expect("it can be written");
    assert!(export(&folder).status.success());
    assert_eq!(exported(), BESIDE);
}

#[test]
fn without_it_a_command_is_named_that_makes_it() {
    let folder = installed("missing");
    let output = export(&folder);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("error[unexported-page]"), "{said}");
    let command = "cargo install --path . --target wasm32-wasip1";
    assert!(said.contains(command), "{said}");
    assert!(
        !folder.join("page").exists(),
        "a page without a program was written"
    );
}

#[test]
fn several_scripts_share_a_page() {
    let folder = installed("several");
    fs::write(folder.join("bin/cspsym.wasm"), BESIDE).expect("it can be written");
    let scripts = [
        "cspm/hanoi/hanoi.csp",
        "cspm/dijkstra/dijkstra.csp",
        "cspm/labs/hanoi/start.csp",
        "-DN=2",
    ];
    let output = export_all(&folder, &scripts);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    assert!(said.contains("with 3 scripts"), "{said}");
    let names = [
        "hanoi/hanoi.csp",
        "dijkstra/dijkstra.csp",
        "labs/hanoi/start.csp",
    ];
    let openings = names.map(|name| exported(&folder, &format!("openings/{name}")));
    assert_eq!(exported(&folder, "opening"), openings[0]);
    for opening in &openings {
        assert_eq!(opening["scripts"], json!(names));
    }
    // Each has its own files and the values of constants that it has.
    let files = |opening: &Value| {
        let files = opening["files"].as_object().expect("an object");
        files.keys().cloned().collect::<Vec<_>>()
    };
    let [hanoi, dijkstra, lab] = &openings;
    assert_eq!(
        (&hanoi["file"], files(hanoi)),
        (&json!("hanoi.csp"), vec![])
    );
    assert_eq!(files(dijkstra), ["../../specs/mutual-exclusion.csp"]);
    assert_eq!(files(lab), ["given.csp"]);
    assert_eq!(hanoi["definitions"], json!([]));
    assert_eq!(dijkstra["definitions"], json!(["N=2"]));

    // A page of one script has nothing left of the others.
    assert!(export(&folder).status.success());
    assert!(!folder.join("page/openings").exists());
    assert_eq!(exported(&folder, "opening")["scripts"], json!([]));
}

#[test]
fn scripts_that_cannot_share_a_page_are_refused() {
    let folder = installed("refused");
    fs::write(folder.join("bin/cspsym.wasm"), BESIDE).expect("it can be written");
    let twice = ["cspm/hanoi/hanoi.csp", "cspm/hanoi/../hanoi/hanoi.csp"];
    let unknown = [
        "cspm/hanoi/hanoi.csp",
        "cspm/vending/vending.csp",
        "-DNONE=2",
    ];
    let missing = ["cspm/hanoi/hanoi.csp", "cspm/none.csp"];
    let refused = [
        (&twice[..], "hanoi.csp is given twice"),
        (&unknown[..], "no script has a constant `NONE`"),
        (&missing[..], "cspm/none.csp"),
    ];
    for (words, why) in refused {
        let output = export_all(&folder, words);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(why), "{said}");
        assert!(!folder.join("page").exists(), "a page was written");
    }
    let served = Command::new(folder.join("bin/cspsym"))
        .args(["explore", twice[0], "cspm/vending/vending.csp"])
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&served.stderr).into_owned();
    assert_eq!(served.status.code(), Some(2), "{said}");
    assert!(said.contains("several with --export"), "{said}");
}
