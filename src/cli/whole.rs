//! Writing a file in one step, so that it is never half written.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes `text` to the file at `path`, with the permissions of the one that it replaces, if there
/// is one.
pub(super) fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let mut beside = path.as_os_str().to_os_string();
    beside.push(".saving");
    let beside = PathBuf::from(beside);
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&beside)?;
    let keeps_permissions = || match fs::metadata(path) {
        Ok(before) => fs::set_permissions(&beside, before.permissions()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    };
    let written = file
        .write_all(text.as_bytes())
        .and_then(|()| file.sync_all())
        .and_then(|()| keeps_permissions())
        .and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // What is left of it is of no use.
        let _ = fs::remove_file(&beside);
    }
    written
}
