//! What is known of a search after each level: a line in a file for each, appended when its states are there.
//!
//! So a search that was killed goes on from the last whole line, and a level costs no more than what it adds, however many there
//! were before. Each line ends in a digest of it and of the lines before.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use serde::{Deserialize, Serialize};

use super::Identity;
use crate::base::digest::Digest;

/// What the form of the files is called.
const FORMAT: u64 = 1;

/// The first line.
#[derive(Serialize, Deserialize, Debug)]
struct Header {
    format: u64,
    identity: Identity,
}

/// What is known after a level was expanded.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub(super) struct Entry {
    /// How many states there are, those that the level led to included.
    pub(super) states: u64,
    /// How many transitions were followed.
    pub(super) transitions: u64,
    /// The digest of all states, in their order.
    pub(super) digest: u64,
    /// The sorted runs that hold them, from then on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) runs: Option<Vec<RunEntry>>,
}

/// A sorted file of states.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub(super) struct RunEntry {
    pub(super) name: String,
    pub(super) states: u64,
    pub(super) digest: u64,
}

/// The file.
pub(super) struct Journal {
    file: File,
    digest: Digest,
}

/// What a journal says.
#[derive(Debug)]
pub(super) enum Content {
    /// Nothing: the search had not begun.
    Nothing,
    /// It is of another version.
    Foreign,
    /// A line is not what was written.
    Damaged,
    /// The search and its levels.
    Levels(Identity, Vec<Entry>),
}

impl Journal {
    /// A new one, in an empty file.
    pub(super) fn begin(file: File, identity: &Identity) -> io::Result<Self> {
        let digest = Digest::new(FORMAT);
        let mut journal = Self { file, digest };
        journal.write(&Header {
            format: FORMAT,
            identity: identity.clone(),
        })?;
        Ok(journal)
    }

    /// The one in `file`, with what it says. A last line that is not whole is cut off.
    pub(super) fn open(mut file: File) -> io::Result<(Self, Content)> {
        let mut text = Vec::new();
        file.read_to_end(&mut text)?;
        let whole = text.iter().rposition(|&byte| byte == b'\n');
        let whole = whole.map_or(0, |end| end + 1);
        file.set_len(whole as u64)?;
        file.seek(SeekFrom::Start(whole as u64))?;
        let mut journal = Self {
            file,
            digest: Digest::new(FORMAT),
        };
        let content = journal.read(&text[..whole]);
        Ok((journal, content))
    }

    fn read(&mut self, text: &[u8]) -> Content {
        let mut lines = text.split_inclusive(|&byte| byte == b'\n');
        let Some(first) = lines.next() else {
            return Content::Nothing;
        };
        let Some(header) = self.line::<Header>(first) else {
            let other = serde_json::from_slice::<(serde_json::Value, u64)>(first);
            let format = other.ok().and_then(|(header, _)| header["format"].as_u64());
            return match format {
                None | Some(FORMAT) => Content::Damaged,
                Some(_) => Content::Foreign,
            };
        };
        let entries: Option<Vec<Entry>> = lines.map(|line| self.line(line)).collect();
        match entries {
            Some(entries) if entries.is_empty() => Content::Nothing,
            Some(entries) => Content::Levels(header.identity, entries),
            None => Content::Damaged,
        }
    }

    /// What a line says, if it is as it was written.
    fn line<T: Serialize + for<'a> Deserialize<'a>>(&mut self, line: &[u8]) -> Option<T> {
        let (said, digest): (T, u64) = serde_json::from_slice(line).ok()?;
        self.digest.add_bytes(&serde_json::to_vec(&said).ok()?);
        (self.digest.value() == digest).then_some(said)
    }

    /// Appends a line on a level.
    pub(super) fn append(&mut self, entry: &Entry) -> io::Result<()> {
        self.write(entry)
    }

    fn write(&mut self, said: &impl Serialize) -> io::Result<()> {
        self.digest.add_bytes(&serde_json::to_vec(said)?);
        let mut line = serde_json::to_vec(&(said, self.digest.value()))?;
        line.push(b'\n');
        self.file.write_all(&line)
    }

    /// Has it on the disk itself.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}
