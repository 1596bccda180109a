//! The script that is explored: the data that the page starts with, and the saving of changes.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{self, Path, PathBuf};

use serde::{Deserialize, Serialize};

use base::digest::Digest;
use checker::Definition;

use host::files::Files;
use host::shell::shell_line;
use host::whole::write_whole;

/// One script with its definitions.
pub(super) struct ExploredScript {
    /// The script, as the call names it.
    pub(super) file: String,
    definitions: Vec<String>,
    /// Its real path.
    pub(super) real: PathBuf,
}

/// The data that the page starts with.
#[derive(Serialize)]
pub(super) struct Opening {
    pub(super) file: String,
    /// The identity of the file, however the call names it: drafts are kept by it.
    pub(super) identity: String,
    text: String,
    digest: String,
    definitions: Vec<String>,
    version: &'static str,
    /// A random word that is told to this page alone: whoever answers later is the same program
    /// only if it knows this. Absent if the page is exported.
    pub(super) run: Option<String>,
    /// The command that starts the program again so that the browser finds its drafts. Absent if
    /// the page is exported.
    pub(super) again: Option<String>,
    /// The address of the program that the page runs by itself. Absent if the page is served by a
    /// program.
    pub(super) program: Option<&'static str>,
    /// The texts, by name, that the program cannot read from a disk; without the script.
    pub(super) files: BTreeMap<String, String>,
}

/// A request of the page to save the script.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Saving {
    text: String,
    /// The digest of the text that was read before.
    digest: String,
}

/// The outcome of saving.
#[derive(Serialize)]
struct Saved {
    /// True if the text is in the file now.
    saved: bool,
    /// The digest of the text in the file now.
    digest: String,
    /// The text in the file, if somebody else has changed it.
    text: Option<String>,
}

impl ExploredScript {
    /// The script `file` with these definitions.
    pub(super) fn of(file: &str, definitions: &[Definition]) -> io::Result<Self> {
        Ok(Self {
            file: file.to_string(),
            definitions: definitions.iter().map(Definition::to_string).collect(),
            real: Path::new(file).canonicalize()?,
        })
    }

    /// The data that every page of the script starts with.
    pub(super) fn opening(&self) -> io::Result<Opening> {
        Ok(Opening {
            file: self.file.clone(),
            identity: digest(self.real.as_os_str().as_encoded_bytes()),
            text: self.text()?,
            digest: digest(&fs::read(&self.real)?),
            definitions: self.definitions.clone(),
            version: env!("CARGO_PKG_VERSION"),
            run: None,
            again: None,
            program: None,
            files: BTreeMap::new(),
        })
    }

    /// The command that explores the script, from any folder.
    pub(super) fn command(&self) -> String {
        let file = path::absolute(&self.file);
        let file = file.map_or(self.file.clone(), |file| {
            file.to_string_lossy().into_owned()
        });
        let mut words = vec!["cspsym", "explore", &file];
        for definition in &self.definitions {
            words.extend(["-D", definition]);
        }
        shell_line(&words)
    }

    /// Saves the text in `request`, unless the file has changed since it was read. The answer is
    /// JSON.
    pub(super) fn save(&self, request: &[u8]) -> io::Result<String> {
        let saving: Saving = serde_json::from_slice(request)?;
        let now = fs::read(&self.real)?;
        let is_known = digest(&now) == saving.digest;
        let (bytes, text) = match is_known {
            true => (as_written(&saving.text, &now)?, None),
            false => (now, Some(self.text()?)),
        };
        if is_known {
            write_whole(&self.real, &bytes)?;
        }
        let saved = Saved {
            saved: is_known,
            digest: digest(&bytes),
            text,
        };
        serde_json::to_string(&saved).map_err(io::Error::other)
    }

    /// The text of the script, as every subcommand reads it, with `\n` at the ends of lines.
    fn text(&self) -> io::Result<String> {
        let text = Files::new().read(&self.file);
        let text = text.map_err(|problem| io::Error::other(problem.message))?;
        Ok(text.replace("\r\n", "\n"))
    }
}

impl Opening {
    /// The data as JSON.
    pub(super) fn json(&self) -> io::Result<String> {
        serde_json::to_string(self).map_err(io::Error::other)
    }
}

/// `text` in the way in which the file with the bytes `before` was written: with its byte order
/// mark and its line ends.
fn as_written(text: &str, before: &[u8]) -> io::Result<Vec<u8>> {
    const MARK: &str = "\u{feff}";
    let Ok(before) = std::str::from_utf8(before) else {
        let reason = "the script is not UTF-8: convert it first, \
                      with `iconv -f WINDOWS-1252 -t UTF-8`";
        return Err(io::Error::other(reason));
    };
    let mark = match before.starts_with(MARK) {
        true => MARK,
        false => "",
    };
    let ends = before.matches('\n').count();
    let text = match 2 * before.matches("\r\n").count() > ends {
        true => text.replace("\r\n", "\n").replace('\n', "\r\n"),
        false => text.to_string(),
    };
    Ok((mark.to_string() + &text).into_bytes())
}

/// A digest of the bytes of a file, which shows if it has changed.
fn digest(bytes: &[u8]) -> String {
    let words = [1, 2].map(|seed| {
        let mut digest = Digest::new(seed);
        digest.add_bytes(bytes);
        digest.value()
    });
    format!("{:016x}{:016x}", words[0], words[1])
}
