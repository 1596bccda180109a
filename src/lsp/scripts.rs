//! Which of the open documents are scripts by themselves, and what is known of each.
//!
//! A document that another one includes is looked at as a part of that one: by itself it may lack
//! what stands around it.

use base::source::FileId;

use super::analysis::Analysis;
use super::documents::{Document, Documents};

/// A script that is no part of another open one.
struct RootScript {
    /// Its name.
    name: String,
    analysis: Analysis,
    state: State,
}

/// What has become of the files of a script since they were read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Same,
    /// Files that are not open may have changed on disk.
    Doubtful,
    Changed,
}

/// All scripts, in the order in which they were opened.
#[derive(Default)]
pub(super) struct Scripts {
    scripts: Vec<RootScript>,
    is_stale: bool,
}

impl Scripts {
    /// Notes that the file `name` was opened, closed or changed.
    pub(super) fn changed(&mut self, name: &str) {
        self.is_stale = true;
        for script in self.scripts.iter_mut().filter(|script| script.has(name)) {
            script.state = State::Changed;
        }
    }

    /// Notes that files may have changed on disk.
    pub(super) fn changed_on_disk(&mut self) {
        self.is_stale = true;
        let same = self
            .scripts
            .iter_mut()
            .filter(|script| script.state == State::Same);
        same.for_each(|script| script.state = State::Doubtful);
    }

    /// Whether something changed since the last [`Scripts::refresh`].
    pub(super) fn are_stale(&self) -> bool {
        self.is_stale
    }

    /// Reads again what has changed. Returns the names of the scripts that changed or are no longer
    /// scripts by themselves.
    pub(super) fn refresh(&mut self, documents: &Documents) -> Vec<String> {
        self.is_stale = false;
        let mut renewed = Vec::new();
        self.scripts.retain(|script| {
            let is_open = documents.named(&script.name).is_some();
            if !is_open {
                renewed.push(script.name.clone());
            }
            is_open
        });
        let stale = self
            .scripts
            .iter_mut()
            .filter(|script| script.state != State::Same);
        for script in stale {
            let analysis = analysis(&script.name, documents);
            // Whether a doubtful script has changed is known only now that it was read again.
            if script.state == State::Changed || !analysis.is_of_same_text(&script.analysis) {
                renewed.push(script.name.clone());
            }
            script.analysis = analysis;
            script.state = State::Same;
        }
        // Documents that are no longer included, or have just been opened.
        for document in documents.iter() {
            if !self.scripts.iter().any(|script| script.has(&document.name)) {
                self.scripts.push(RootScript {
                    name: document.name.clone(),
                    analysis: analysis(&document.name, documents),
                    state: State::Same,
                });
                renewed.push(document.name.clone());
            }
        }
        self.drop_included(&mut renewed);
        renewed
    }

    /// Drops scripts that others include; of two that include each other, the one that was opened
    /// first.
    fn drop_included(&mut self, dropped: &mut Vec<String>) {
        let mut at = 0;
        while let Some(script) = self.scripts.get(at) {
            let others = self.scripts.iter().enumerate();
            let mut others = others.filter(|(other, _)| *other != at);
            if others.any(|(_, other)| other.has(&script.name)) {
                dropped.push(self.scripts.remove(at).name);
            } else {
                at += 1;
            }
        }
    }

    /// The script that `document` is or belongs to, by name, with its file in it.
    pub(super) fn of(&self, document: &Document) -> Option<(&str, &Analysis, FileId)> {
        let mut all = self.scripts.iter();
        all.find_map(|script| {
            let file = script.analysis.file(&document.name)?;
            Some((script.name.as_str(), &script.analysis, file))
        })
    }

    /// The script called `name`.
    pub(super) fn named(&self, name: &str) -> Option<&Analysis> {
        let mut all = self.scripts.iter();
        let found = all.find(|script| script.name == name)?;
        Some(&found.analysis)
    }

    /// All scripts.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Analysis)> {
        let each = self.scripts.iter();
        each.map(|script| (script.name.as_str(), &script.analysis))
    }
}

impl RootScript {
    /// Whether the file `name` is it or a part of it.
    fn has(&self, name: &str) -> bool {
        self.analysis.file(name).is_some()
    }
}

fn analysis(name: &str, documents: &Documents) -> Analysis {
    Analysis::of(name, &mut documents.files())
}
