//! The files of the repository.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the repository, in which the program is run.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
/// The scripts under `folder`, at any depth, in alphabetic order; paths from the root of the
/// repository.
pub(crate) fn scripts(folder: &str) -> Vec<String> {
    files(folder, "csp")
}
/// The files with `extension` under `folder`, at any depth; paths from the root of the repository.
pub(crate) fn files(folder: &str, extension: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![PathBuf::from(folder)];
    while let Some(folder) = open.pop() {
        let Ok(entries) = fs::read_dir(root().join(&folder)) else {
            continue;
        };
        for entry in entries {
            let entry = entry.expect("a folder entry is readable");
            let path = folder.join(entry.file_name());
            if entry.path().is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}

/// An empty folder for the test `name` of `group`. What an earlier run has left there goes.
pub(crate) fn empty_folder(group: &str, name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(group)
        .join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}
