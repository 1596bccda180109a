//! A script with all that it includes in one file, as `--archive` writes it.
//!
//! The file is gzip around JSON: the names and texts, the script first. A name is the one by which
//! the file was reached, so that messages are the same.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use base::diag::Diagnostic;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};

use host::arguments::RefinesCall;
use host::console::Console;
use host::files::Files;
use host::load::Loaded;
use host::outcome::CallEnd;
use host::output::Unsaid;
use host::whole::write_whole;

/// The first bytes of a file of gzip.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// The most bytes that the texts of an archive may have.
const LARGEST: u64 = 1 << 30;

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
    console.pending(Unsaid::Answer(None));
    let [file] = call.files.as_slice() else {
        let problem = Diagnostic::error("unwritable-output", "an archive is made of one script");
        return Err(problem.hint("make one for each script").into());
    };
    let loaded = Loaded::read(file, files, &call.deciding.common().definitions)?;
    let sources = loaded.script.sources();
    let names = files.read_of(sources);
    let texts = sources.iter().map(|(_, source)| source);
    let mut saved: Vec<(String, String)> = Vec::new();
    for source in texts.filter(|source| names.contains(&source.name)) {
        if saved.iter().all(|(name, _)| *name != source.name) {
            saved.push((source.name.clone(), source.text.clone()));
        }
    }
    let bytes = packed(&Archive { files: saved });
    let written = bytes.and_then(|bytes| write_whole(to, &bytes));
    let to = to.display();
    written.map_err(|error| {
        let message = format!("the archive {to} cannot be written: {error}");
        Diagnostic::error("unwritable-output", message)
    })?;
    console.remark(&format!("Saved {file} (and all dependent files) to {to}"));
    Ok(())
}

fn packed(archive: &Archive) -> io::Result<Vec<u8>> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(&serde_json::to_vec(archive)?)?;
    packer.finish()
}

/// The script and the files of the archive `file`; `None` if that is no archive.
pub(super) fn opened(file: &str) -> Result<Option<(String, Files)>, Diagnostic> {
    // What cannot be read is reported by those who read scripts. A device has no end.
    let Some(mut bytes) = File::open(file).ok().filter(is_regular) else {
        return Ok(None);
    };
    let mut start = [0; MAGIC.len()];
    if bytes.read_exact(&mut start).is_err() || start != MAGIC {
        return Ok(None);
    }
    let damaged = |error: String| {
        let message = format!("`{file}` is no script and no archive of one: {error}");
        Diagnostic::error("unreadable-file", message)
    };
    let text = GzDecoder::new(start.chain(bytes)).take(LARGEST);
    let archive: Archive =
        serde_json::from_reader(text).map_err(|error| damaged(error.to_string()))?;
    let Some((root, _)) = archive.files.first() else {
        return Err(damaged("it is empty".to_string()));
    };
    Ok(Some((root.clone(), Files::with_open(archive.files))))
}

fn is_regular(file: &File) -> bool {
    file.metadata().is_ok_and(|found| found.is_file())
}
