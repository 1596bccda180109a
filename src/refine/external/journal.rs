//! The journal of a search on disk: a line in a file for each level, appended when its states are
//! there.
//!
//! So a search that was killed goes on from the last whole line, and a level costs no more than
//! what it adds, however many there were before. Each line ends in a digest of it and of the lines
//! before. After a power cut lines may be there whose states are not, or the other way round:
//! `history` finds the last line whose states are there.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};

use serde::{Deserialize, Serialize};

use super::division::ShareStamp;
use crate::frontier::FollowedSteps;
use crate::spill::Identity;
use base::digest::Digest;

/// The number of the files' format.
const FORMAT: u64 = 2;

/// The first line.
#[derive(Serialize, Deserialize, Debug)]
struct JournalHeader {
    format: u64,
    identity: Identity,
    /// The share of the states that the journal is of, if they are divided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    share: Option<ShareStamp>,
}

/// The line on a level: what is known after the level before it was expanded.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub(super) struct LevelEntry {
    /// The number of states, those that the level led to included.
    pub(super) states: u64,
    /// The steps that were followed.
    #[serde(flatten)]
    pub(super) followed: FollowedSteps,
    /// The digest of all states, in their order.
    pub(super) digest: u64,
    /// The sorted runs that hold them from this line on; `None` if they are those of the line
    /// before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) runs: Option<Vec<RunEntry>>,
    /// True if all up to the line before was on the disk itself when this line was written.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) is_synced: bool,
}

fn is_false(is_so: &bool) -> bool {
    !is_so
}

/// A sorted file of states.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub(super) struct RunEntry {
    pub(super) name: String,
    pub(super) states: u64,
    pub(super) digest: u64,
}

/// The file of a journal, open at its end.
pub(super) struct Journal {
    file: File,
    digest: Digest,
}

/// The search that the beginning of a journal names.
#[derive(Debug)]
pub(super) enum Content {
    /// Nothing: the search had not begun.
    Nothing,
    /// The journal is of another version.
    Foreign,
    /// The journal is not what was written.
    Damaged,
    /// The search, and its share, if its states are divided.
    Search(Identity, Option<ShareStamp>),
}

/// A place after a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct JournalPlace {
    /// The number of bytes before the place.
    bytes: u64,
    /// The digest of the lines before.
    digest: Digest,
}

impl Journal {
    /// Begins a new journal, in an empty file.
    pub(super) fn begin(
        file: File,
        identity: &Identity,
        share: Option<ShareStamp>,
    ) -> io::Result<Self> {
        let digest = Digest::new(FORMAT);
        let mut journal = Self { file, digest };
        journal.write(&JournalHeader {
            format: FORMAT,
            identity: identity.clone(),
            share,
        })?;
        Ok(journal)
    }

    /// Opens the journal in `file`. Returns what its beginning says too.
    pub(super) fn open(file: File) -> io::Result<(Self, Content)> {
        let journal = Self {
            file,
            digest: Digest::new(FORMAT),
        };
        let mut lines = journal.lines()?;
        if !lines.next()? {
            return Ok((journal, Content::Nothing));
        }
        let content = match lines.said::<JournalHeader>() {
            // A search without any level has nothing to go on with.
            Some(_) if !lines.next()? => Content::Nothing,
            Some(header) => Content::Search(header.identity, header.share),
            None => lines.foreign(),
        };
        Ok((journal, content))
    }

    /// The lines on levels, in order.
    pub(super) fn entries(&self) -> io::Result<Entries> {
        let mut lines = self.lines()?;
        let is_over = !lines.next()? || lines.said::<JournalHeader>().is_none();
        Ok(Entries { lines, is_over })
    }

    fn lines(&self) -> io::Result<WholeLines> {
        let mut file = self.file.try_clone()?;
        file.seek(SeekFrom::Start(0))?;
        Ok(WholeLines {
            reader: BufReader::new(file),
            line: Vec::new(),
            after: JournalPlace {
                bytes: 0,
                digest: Digest::new(FORMAT),
            },
        })
    }

    /// Drops the lines after `place`, to go on there.
    pub(super) fn cut(&mut self, place: JournalPlace) -> io::Result<()> {
        self.digest = place.digest;
        self.file.set_len(place.bytes)?;
        // Reading has moved the position, which all handles of the file share.
        self.file.seek(SeekFrom::Start(place.bytes))?;
        Ok(())
    }

    /// A copy of the journal up to `place`, in an empty file.
    pub(super) fn copied(&self, mut to: File, place: JournalPlace) -> io::Result<Self> {
        let mut file = self.file.try_clone()?;
        file.seek(SeekFrom::Start(0))?;
        io::copy(&mut file.take(place.bytes), &mut to)?;
        Ok(Self {
            file: to,
            digest: place.digest,
        })
    }

    /// Appends a line on a level.
    pub(super) fn append(&mut self, entry: &LevelEntry) -> io::Result<()> {
        self.write(entry)
    }

    fn write(&mut self, said: &impl Serialize) -> io::Result<()> {
        self.digest.add_bytes(&serde_json::to_vec(said)?);
        let mut line = serde_json::to_vec(&(said, self.digest.value()))?;
        line.push(b'\n');
        self.file.write_all(&line)
    }

    /// Syncs the journal to the disk itself.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

/// The lines of a journal on levels.
pub(super) struct Entries {
    lines: WholeLines,
    is_over: bool,
}

/// A line on a level.
#[derive(Debug)]
pub(super) enum Line {
    /// The content of the line, and the place after it.
    LevelEntry(LevelEntry, JournalPlace),
    /// The line is not what was written; nor do the lines after it count.
    Damaged,
}

impl Entries {
    /// The place after the lines that were read.
    pub(super) fn place(&self) -> JournalPlace {
        self.lines.after
    }

    /// The next line. A last line that is not whole does not count.
    pub(super) fn next(&mut self) -> io::Result<Option<Line>> {
        if self.is_over || !self.lines.next()? {
            return Ok(None);
        }
        Ok(Some(match self.lines.said::<LevelEntry>() {
            Some(entry) => Line::LevelEntry(entry, self.lines.after),
            None => {
                self.is_over = true;
                Line::Damaged
            }
        }))
    }
}

/// The whole lines of a journal.
struct WholeLines {
    reader: BufReader<File>,
    line: Vec<u8>,
    /// The place after the lines that were read and are as they were written.
    after: JournalPlace,
}

impl WholeLines {
    /// Reads the next line. Returns false if there is none.
    fn next(&mut self) -> io::Result<bool> {
        self.line.clear();
        self.reader.read_until(b'\n', &mut self.line)?;
        Ok(self.line.ends_with(b"\n"))
    }

    /// The content of the line, if it is as it was written.
    fn said<T: Serialize + for<'a> Deserialize<'a>>(&mut self) -> Option<T> {
        let (said, expected): (T, u64) = serde_json::from_slice(&self.line).ok()?;
        let mut digest = self.after.digest;
        // The digest is that of the text without the digest, so the content is written again. A
        // line with more in it than this version knows is then not as it was written.
        digest.add_bytes(&serde_json::to_vec(&said).ok()?);
        if digest.value() != expected {
            return None;
        }
        self.after = JournalPlace {
            bytes: self.after.bytes + self.line.len() as u64,
            digest,
        };
        Some(said)
    }

    /// The content of a first line that is not one of this version: damaged, or of another version.
    fn foreign(&self) -> Content {
        let other = serde_json::from_slice::<(serde_json::Value, u64)>(&self.line);
        let format = other.ok().and_then(|(header, _)| header["format"].as_u64());
        match format {
            None | Some(FORMAT) => Content::Damaged,
            Some(_) => Content::Foreign,
        }
    }
}
