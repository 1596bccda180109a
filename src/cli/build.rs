//! The build script: a digest of all that the program is built from, by which kept verdicts are
//! told from those of another build.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

/// The endings of the files that a crate is built from.
const ENDINGS: [&str; 4] = ["rs", "lalrpop", "toml", "lock"];

/// The variables by which cargo says how it builds.
const SETTINGS: [&str; 6] = [
    "TARGET",
    "PROFILE",
    "OPT_LEVEL",
    "DEBUG",
    "CARGO_ENCODED_RUSTFLAGS",
    "CARGO_CFG_TARGET_FEATURE",
];

fn main() -> Result<(), Box<dyn Error>> {
    let crates = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("..");
    let mut files = Vec::new();
    for entry in fs::read_dir(&crates)? {
        let folder = entry?.path();
        // What has no manifest here is no crate, such as the extensions of editors.
        if folder.join("Cargo.toml").is_file() {
            println!("cargo:rerun-if-changed={}", folder.display());
            collect(&folder, &mut files)?;
        }
    }
    for name in ["Cargo.toml", "Cargo.lock", "src/main.rs", "src/lib.rs"] {
        let file = crates.join("..").join(name);
        println!("cargo:rerun-if-changed={}", file.display());
        files.push(file);
    }
    files.sort_unstable();
    let mut digest = Sha256::new();
    for file in files {
        // A file that is not there, such as a lock beside a crate that was copied, counts as empty.
        let text = fs::read(&file).unwrap_or_default();
        let name = file.strip_prefix(&crates)?.to_string_lossy().into_owned();
        digest.update(format!("{name}\n{}\n", text.len()));
        digest.update(text);
    }
    for setting in SETTINGS {
        digest.update(format!(
            "{setting}={}\n",
            env::var(setting).unwrap_or_default()
        ));
    }
    let compiler = Command::new(env::var("RUSTC")?).arg("-vV").output()?;
    digest.update(compiler.stdout);
    let build: String = digest
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    println!("cargo:rustc-env=CSPSYM_BUILD={build}");
    Ok(())
}

/// Adds the files below `folder` that are built.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        // A folder that cargo has written to is made from the others.
        if path.is_dir() && !path.join("CACHEDIR.TAG").is_file() {
            collect(&path, files)?;
        } else if ending.is_some_and(|ending| ENDINGS.contains(&ending)) {
            files.push(path);
        }
    }
    Ok(())
}
