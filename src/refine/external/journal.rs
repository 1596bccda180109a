//! What is known of a search after each level: a line in a file for each, appended when its states are there.
//!
//! So a search that was killed goes on from the last whole line, and a level costs no more than what it adds, however many there
//! were before. Each line ends in a digest of it and of the lines before.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};

use serde::{Deserialize, Serialize};

use super::Identity;
use crate::base::digest::Digest;

/// What the form of the files is called.
const FORMAT: u64 = 2;

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
    Levels(Identity, Levels),
}

/// What the lines say together. They are not kept themselves: there may be very many, and a search that goes on should need
/// no more memory than one that was not stopped.
#[derive(Debug, Default)]
pub(super) struct Levels {
    /// Where they end.
    pub(super) ends: Vec<u64>,
    /// All transitions.
    pub(super) transitions: u64,
    /// The digest of all states.
    pub(super) digest: u64,
    /// The sorted runs.
    pub(super) runs: Vec<RunEntry>,
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
    pub(super) fn open(file: File) -> io::Result<(Self, Content)> {
        let mut journal = Self {
            file,
            digest: Digest::new(FORMAT),
        };
        let (content, whole) = journal.read()?;
        if matches!(content, Content::Nothing | Content::Levels(..)) {
            journal.file.set_len(whole)?;
            journal.file.seek(SeekFrom::Start(whole))?;
        }
        Ok((journal, content))
    }

    /// What it says, and how many bytes its whole lines have, as far as they are as they were written.
    fn read(&mut self) -> io::Result<(Content, u64)> {
        let mut lines = Lines {
            reader: BufReader::new(self.file.try_clone()?),
            line: Vec::new(),
            whole: 0,
        };
        if !lines.next()? {
            return Ok((Content::Nothing, 0));
        }
        let Some(header) = self.line::<Header>(&lines.line) else {
            let other = serde_json::from_slice::<(serde_json::Value, u64)>(&lines.line);
            let format = other.ok().and_then(|(header, _)| header["format"].as_u64());
            let content = match format {
                None | Some(FORMAT) => Content::Damaged,
                Some(_) => Content::Foreign,
            };
            return Ok((content, lines.whole));
        };
        let mut levels = Levels::default();
        while lines.next()? {
            let Some(entry) = self.line::<Entry>(&lines.line) else {
                return Ok((Content::Damaged, lines.whole));
            };
            levels.ends.push(entry.states);
            (levels.transitions, levels.digest) = (entry.transitions, entry.digest);
            levels.runs = entry.runs.unwrap_or(levels.runs);
        }
        let content = match levels.ends.is_empty() {
            true => Content::Nothing,
            false => Content::Levels(header.identity, levels),
        };
        Ok((content, lines.whole))
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

/// The whole lines of a journal.
struct Lines {
    reader: BufReader<File>,
    line: Vec<u8>,
    /// How many bytes those have that were read.
    whole: u64,
}

impl Lines {
    /// Reads the next one; false if there is none.
    fn next(&mut self) -> io::Result<bool> {
        self.line.clear();
        self.reader.read_until(b'\n', &mut self.line)?;
        let is_whole = self.line.ends_with(b"\n");
        if is_whole {
            self.whole += self.line.len() as u64;
        }
        Ok(is_whole)
    }
}
