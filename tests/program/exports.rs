//! Exports pages with programs that were installed in several ways.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

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
    let call = ["explore", "cspm/vending/vending.csp", "--export"];
    Command::new(folder.join("bin/cspsym"))
        .args(call)
        .arg(folder.join("page"))
        .output()
        .expect("the program starts")
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
