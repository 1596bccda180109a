//! A script with all that it includes in one file, as `--archive` writes it.
//!
//! The file is gzip around JSON: the names and texts, the script first. A name is the one by which
//! the file was reached, so that messages are the same.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use base::diag::{Diagnostic, Result};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};

use host::arguments::RefinesCall;
use host::console::Console;
use host::files::{Files, STANDARD_INPUT, with_slashes};
use host::load::Loaded;
use host::outcome::CallEnd;
use host::output::Unsaid;
use host::whole::write_whole;

use super::layout::FdrLayout;

/// The first bytes of a file of gzip.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// The most bytes that the texts of an archive may have.
const LARGEST: u64 = 1 << 28;

/// The content of an archive.
#[derive(Serialize, Deserialize)]
struct Archive {
    /// Names and texts, the script first.
    files: Vec<(String, String)>,
}

/// Saves the scripts of `call`, each with all that it includes, in the file `to`.
pub(super) fn save(
    call: &RefinesCall,
    to: &Path,
    files: &mut Files,
    console: &mut Console<'_>,
) -> CallEnd {
    let [file] = call.files.as_slice() else {
        let problem = Diagnostic::error("unwritable-output", "an archive is made of one script");
        return Err(problem.hint("make one for each script").into());
    };
    let definitions = &call.deciding.common().definitions;
    if !definitions.is_empty() {
        let problem = Diagnostic::error("unwritable-output", "an archive keeps no `-D`");
        return Err(problem
            .hint("give `-D` to the call that checks the archive")
            .into());
    }
    let layout = FdrLayout::begin(call, file, &[], console);
    let loaded = match Loaded::read(file, files, &[]) {
        Ok(loaded) => loaded,
        Err(error) => return Ok(layout.unread(&error.messages(), error.sources(), console)?),
    };
    console.pending(Unsaid::Answer(None));
    let sources = loaded.script.sources();
    let names = files.read_of(sources);
    let texts = sources.iter().map(|(_, source)| source);
    let mut saved: Vec<(String, String)> = Vec::new();
    for source in texts.filter(|source| names.contains(&source.name)) {
        let name = with_slashes(&source.name);
        if saved.iter().all(|(other, _)| *other != name) {
            saved.push((name, source.text.clone()));
        }
    }
    let refused = |why: &str| {
        let message = format!("the archive {} cannot be written: {why}", to.display());
        Diagnostic::error("unwritable-output", message)
    };
    let is_one = |(name, _): &(String, String)| to.exists() && same_file(Path::new(name), to);
    if to == Path::new(STANDARD_INPUT) || saved.iter().any(is_one) {
        return Err(refused("it would take the place of a script").into());
    }
    let bytes = packed(&Archive { files: saved });
    let written = bytes.and_then(|bytes| write_whole(to, &bytes));
    written.map_err(|error| refused(&error.to_string()))?;
    if !call.quiet {
        let to = to.display();
        console.remark(&format!("Saved {file} (and all dependent files) to {to}"));
    }
    Ok(())
}

fn packed(archive: &Archive) -> io::Result<Vec<u8>> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(&serde_json::to_vec(archive)?)?;
    packer.finish()
}

/// The script and the files of the archive `file`; `None` if that is no archive.
pub(super) fn opened(file: &str) -> Result<Option<(String, Files)>> {
    if file == STANDARD_INPUT {
        return Ok(None);
    }
    // What cannot be read is reported by those who read scripts. A device has no end.
    let Some(mut bytes) = File::open(file).ok().filter(is_regular) else {
        return Ok(None);
    };
    let mut start = [0; MAGIC.len()];
    if bytes.read_exact(&mut start).is_err() || start != MAGIC {
        return Ok(None);
    }
    let damaged = |error: &str| {
        let message = format!("`{file}` is no script and no archive of one: {error}");
        Box::new(Diagnostic::error("unreadable-file", message))
    };
    let mut text = Vec::new();
    let unpacked = GzDecoder::new(start.chain(bytes))
        .take(LARGEST + 1)
        .read_to_end(&mut text);
    let length = unpacked.map_err(|error| damaged(&error.to_string()))?;
    if length as u64 > LARGEST {
        return Err(damaged("it is too large"));
    }
    let archive = serde_json::from_slice(&text);
    let archive: Archive = archive.map_err(|error| damaged(&error.to_string()))?;
    let Some((root, _)) = archive.files.first() else {
        return Err(damaged("it is empty"));
    };
    Ok(Some((root.clone(), Files::of_archive(archive.files))))
}

fn same_file(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    real(one).is_some_and(|one| Some(one) == real(other))
}

fn is_regular(file: &File) -> bool {
    file.metadata().is_ok_and(|found| found.is_file())
}
