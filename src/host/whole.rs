//! Writing a file in one step, so that it is never half written.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes `bytes` to the file at `path`. If it replaces a file, it keeps the permissions of that
/// file.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let before = match fs::metadata(path) {
        Ok(before) => Some(before.permissions()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let beside = beside(path)?;
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    // A file that others could not read cannot be read by them while it is written either.
    #[cfg(unix)]
    if before.is_some() {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    let mut file = options.open(&beside)?;
    let written = file
        .write_all(bytes)
        .and_then(|()| file.sync_all())
        .and_then(|()| before.map_or(Ok(()), |before| fs::set_permissions(&beside, before)))
        .and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // A file that is half written is of no use.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// The path of a new file in the same folder, under a name of its own: a file left over from a
/// program that was killed is in nobody's way.
fn beside(path: &Path) -> io::Result<PathBuf> {
    let mut random = [0; 4];
    getrandom::fill(&mut random).map_err(io::Error::other)?;
    let mut name = path.as_os_str().to_os_string();
    name.push(format!(".{:08x}.saving", u32::from_ne_bytes(random)));
    Ok(PathBuf::from(name))
}
