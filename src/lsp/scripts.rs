//! The open documents that are scripts by themselves, and the analysis of each.
//!
//! A document that another one includes is analysed as a part of that script: by itself it may lack
//! declarations that stand around it.

use std::cell::OnceCell;

use gen_lsp_types::{Location, Range, Uri};

use base::index::TypedIndex;
use base::source::{FileId, SourceMap, Span};

use super::analysis::Analysis;
use super::documents::{Document, Documents};
use super::positions::Lines;
use super::protocol::{Reply, wrong};

/// A script that is no part of another open one.
pub(crate) struct RootScript {
    pub(crate) name: String,
    pub(crate) analysis: Analysis,
    state: State,
}

/// The state of the files of a script, since they were read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Same,
    /// Files that are not open may have changed on disk.
    Doubtful,
    Changed,
}

/// All scripts that are open, in the order in which they were opened.
#[derive(Default)]
pub(crate) struct Scripts {
    pub(crate) documents: Documents,
    scripts: Vec<RootScript>,
    /// True if a script has changed and was not read again yet.
    pub(crate) are_stale: bool,
}

/// A file of a script, for a question about it.
pub(crate) struct ScriptFile<'a> {
    /// The name of the script.
    pub(crate) script: &'a str,
    pub(crate) analysis: &'a Analysis,
    pub(crate) places: Places<'a>,
    pub(crate) file: FileId,
}

impl Scripts {
    /// Notes that the file `name` was opened, closed or changed.
    pub(crate) fn changed(&mut self, name: &str) {
        self.are_stale = true;
        for script in self.scripts.iter_mut().filter(|script| script.has(name)) {
            script.state = State::Changed;
        }
    }

    /// Notes that files may have changed on disk.
    pub(crate) fn changed_on_disk(&mut self) {
        self.are_stale = true;
        for script in &mut self.scripts {
            if script.state == State::Same {
                script.state = State::Doubtful;
            }
        }
    }

    /// Reads changed scripts again. Returns the names of the scripts that changed or are no longer
    /// scripts by themselves.
    pub(crate) fn refresh(&mut self) -> Vec<String> {
        self.are_stale = false;
        let documents = &self.documents;
        let read = |name: &str| Analysis::of(name, &mut documents.files());
        let closed = |script: &mut RootScript| documents.named(&script.name).is_none();
        let mut renewed: Vec<String> = self
            .scripts
            .extract_if(.., closed)
            .map(|script| script.name)
            .collect();
        for script in &mut self.scripts {
            if script.state == State::Same {
                continue;
            }
            let analysis = read(&script.name);
            // A doubtful script has changed if its text differs, which is known only now.
            if script.state == State::Changed || !analysis.is_of_same_text(&script.analysis) {
                renewed.push(script.name.clone());
            }
            script.analysis = analysis;
            script.state = State::Same;
        }
        // Documents that have just been opened, or are no longer included, become scripts.
        for document in documents.iter() {
            if !self.scripts.iter().any(|script| script.has(&document.name)) {
                self.scripts.push(RootScript {
                    name: document.name.clone(),
                    analysis: read(&document.name),
                    state: State::Same,
                });
                renewed.push(document.name.clone());
            }
        }
        // Of two scripts that include each other, the one that was opened first is removed.
        let mut at = 0;
        while let Some(script) = self.scripts.get(at) {
            let mut others = self.scripts.iter().enumerate();
            if others.any(|(other, around)| other != at && around.has(&script.name)) {
                renewed.push(self.scripts.remove(at).name);
            } else {
                at += 1;
            }
        }
        renewed
    }

    /// The script that the file `name` is or belongs to, with the file in it.
    pub(crate) fn of(&self, name: &str) -> Option<(&RootScript, FileId)> {
        let mut all = self.scripts.iter();
        all.find_map(|script| Some((script, script.analysis.file(name)?)))
    }

    /// The open document `uri`. Refuses a question about one that the client has not opened.
    pub(crate) fn document(&self, uri: &Uri) -> Reply<&Document> {
        let found = self.documents.get(uri);
        found.map_or_else(|| wrong(format!("{uri} is not open")), Ok)
    }

    /// The open document `uri` in the script that it is or belongs to.
    pub(crate) fn file(&self, uri: &Uri) -> Reply<Option<ScriptFile<'_>>> {
        let found = self.of(&self.document(uri)?.name);
        Ok(found.map(|(script, file)| self.part(script, file)))
    }

    /// A file of `script`.
    pub(crate) fn part<'a>(&'a self, script: &'a RootScript, file: FileId) -> ScriptFile<'a> {
        ScriptFile {
            script: &script.name,
            analysis: &script.analysis,
            places: self.places(&script.analysis.sources),
            file,
        }
    }

    /// The places in `sources`.
    pub(crate) fn places<'a>(&'a self, sources: &'a SourceMap) -> Places<'a> {
        Places {
            documents: &self.documents,
            sources,
            lines: sources.iter().map(|_| OnceCell::new()).collect(),
        }
    }

    /// All scripts.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &RootScript> {
        self.scripts.iter()
    }
}

impl RootScript {
    /// True if the file `name` is the script or a part of it.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.analysis.file(name).is_some()
    }
}

/// Turns places of a script into places of the editor.
pub(crate) struct Places<'a> {
    pub(crate) documents: &'a Documents,
    pub(crate) sources: &'a SourceMap,
    /// The lines of each file in which a place was looked up. Finding them takes time in proportion
    /// to the file.
    lines: Vec<OnceCell<Lines>>,
}

impl Places<'_> {
    /// The lines of a file, with its text.
    pub(crate) fn lines(&self, file: FileId) -> (&Lines, &str) {
        let text = &self.sources.file(file).text;
        let lines = &self.lines[file.index()];
        let lines = lines.get_or_init(|| Lines::of(text, self.documents.encoding));
        (lines, text)
    }

    /// The range of `span` in its file.
    pub(crate) fn range(&self, span: Span) -> Range {
        let (lines, text) = self.lines(span.file);
        lines.range(text, span.range())
    }

    /// The file of `span`, and its range there.
    pub(crate) fn location(&self, span: Span) -> Location {
        let uri = self.documents.uri(&self.sources.file(span.file).name);
        Location::new(uri, self.range(span))
    }
}
