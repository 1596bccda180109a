//! Source files and places in them.

use std::ops::Range;
use std::sync::OnceLock;

use crate::define_index;
use crate::index::IndexVec;

define_index! {
    /// A file of a [`SourceMap`].
    FileId,
}

/// A range of bytes of one file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes `start..end` of `file`.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        Self {
            file,
            // 32 bits are enough: the parser refuses larger texts.
            start: start as u32,
            end: end as u32,
        }
    }

    /// The span from the start of `self` to the end of `other`. If they lie in different files,
    /// which happens for text that an include splits, the span is `self` alone.
    pub fn to(self, other: Span) -> Span {
        if self.file == other.file {
            Span {
                file: self.file,
                start: self.start.min(other.start),
                end: self.end.max(other.end),
            }
        } else {
            self
        }
    }

    /// The byte range.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// One file: the name shown to the user, and its text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The name as the user or the `include` wrote it.
    pub name: String,
    /// The whole text.
    pub text: String,
    /// The declaration that includes it; `None` for the root script and for text from elsewhere.
    pub included_at: Option<Span>,
    /// The start of each line in bytes, found when first asked for.
    line_starts: OnceLock<Vec<u32>>,
}

impl SourceFile {
    /// The start of each line in bytes; the first is 0. After a last newline there is an empty
    /// line. The starts are found once, because a script may get as many messages as it has lines.
    pub fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            let ends = self.text.match_indices('\n');
            let next = ends.map(|(end, _)| end as u32 + 1);
            std::iter::once(0).chain(next).collect()
        })
    }

    /// The index in [`SourceFile::line_starts`] of the line with the byte `at`. Returns that of the
    /// last line if `at` is behind the end.
    pub fn line_of(&self, at: usize) -> usize {
        let starts = self.line_starts();
        // The first line starts at 0, so at least one line starts at or before `at`.
        starts.partition_point(|&start| start as usize <= at) - 1
    }
}

/// All files of a run, the root script first.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: IndexVec<FileId, SourceFile>,
}

impl SourceMap {
    /// No files yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.files.push(SourceFile {
            name: name.into(),
            text: text.into(),
            included_at: None,
            line_starts: OnceLock::new(),
        })
    }

    /// Adds a file that the declaration at `place` includes. A file that is included twice is
    /// added twice.
    pub fn add_included(
        &mut self,
        name: impl Into<String>,
        text: impl Into<String>,
        place: Span,
    ) -> FileId {
        let file = self.add(name, text);
        self.files[file].included_at = Some(place);
        file
    }

    /// The declarations that bring in the file `id`: first the one that includes it, then the one
    /// that includes the file with that declaration, and so on up to the root script.
    pub fn includes(&self, id: FileId) -> impl Iterator<Item = Span> {
        let around = |place: &Span| self.files[place.file].included_at;
        std::iter::successors(self.files[id].included_at, around)
    }

    /// The file `id`.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id]
    }

    /// The text that `span` covers.
    pub fn text(&self, span: Span) -> &str {
        self.files[span.file].text.get(span.range()).unwrap_or("")
    }

    /// All files in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter_enumerated()
    }
}
