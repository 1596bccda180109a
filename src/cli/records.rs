//! The files in which a check keeps its verdicts: a page, and forms that other programs show.

mod junit;
mod sarif;

use std::fs;
use std::path::{Path, PathBuf};

use base::diag::Diagnostic;
use checker::{GraphOptions, Options, Script, Task};
use report::assertion::{AssertionReport, Verdict};
use report::graph::GraphOverview;
use report::message::PlaceReport;
use report::page::{PageAssertion, ReportPage};
use report::text::verdict;

use host::arguments::RecordWish;
use host::clock;
use host::files::STANDARD_INPUT;
use host::named::is_named_as_script;
use host::shell::own_call;
use host::whole::write_whole;
use junit::junit;
use sarif::sarif;

/// The most states of a graph that is drawn in a page.
const MOST_DRAWN: usize = 40;

/// The files in which a run keeps its verdicts, beside what it prints.
pub(super) struct Records {
    page: ReportPage,
    /// For each assertion of the page, the script that it was checked with, and its place.
    origins: Vec<Origin>,
    files: Vec<(RecordForm, PathBuf)>,
}

/// The script that an assertion was checked with, and its place, which may be in an included file.
#[derive(Clone, Debug, Default)]
struct Origin {
    script: String,
    place: Option<PlaceReport>,
}

/// The form of such a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum RecordForm {
    /// `--report`: a page for people.
    Page,
    /// `--junit`: XML in the form of JUnit, for what shows the results of tests.
    Junit,
    /// `--sarif`: JSON in the form of SARIF, for what shows findings in a text.
    Sarif,
}

impl Records {
    /// Empty records, to be written to the files that `wish` names once all is known; `None` if it
    /// names none. Fails before any work if a file can be seen to be wrong.
    pub(super) fn wanted(wish: &RecordWish) -> Result<Option<Self>, Box<Diagnostic>> {
        let files = [
            (RecordForm::Page, &wish.report),
            (RecordForm::Junit, &wish.junit),
            (RecordForm::Sarif, &wish.sarif),
        ];
        let files = files.into_iter();
        let files: Vec<_> = files
            .filter_map(|(form, path)| Some((form, path.clone()?)))
            .collect();
        for (index, (_, path)) in files.iter().enumerate() {
            let is_twice = files[..index].iter().any(|(_, other)| other == path);
            let twice = is_twice.then(|| "it is named twice".to_string());
            if let Some(why) = twice.or_else(|| why_not(path)) {
                return Err(Box::new(unwritable(path, &why)));
            }
        }
        for (_, path) in &files {
            // Results of an earlier run must not be taken for those of one that is killed. If there
            // are none, there is nothing to remove.
            let _ = fs::remove_file(path);
        }
        Ok((!files.is_empty()).then(|| Self {
            page: ReportPage {
                call: own_call(),
                made: clock::date(),
                ..ReportPage::default()
            },
            origins: Vec::new(),
            files,
        }))
    }

    /// True if each assertion is to be drawn.
    pub(super) fn has_drawings(&self) -> bool {
        self.files.iter().any(|(form, _)| *form == RecordForm::Page)
    }

    /// Adds an assertion that is checked with `script`; returns its position.
    pub(super) fn add(
        &mut self,
        script: &str,
        report: AssertionReport,
        place: Option<PlaceReport>,
    ) -> usize {
        self.page.assertions.push(PageAssertion {
            report,
            drawing: None,
        });
        self.origins.push(Origin {
            script: script.to_string(),
            place,
        });
        self.origins.len() - 1
    }

    /// Takes the reports on what a limit has left: assertions that were added, and scripts.
    pub(super) fn leave(&mut self, left: Vec<AssertionReport>) {
        for report in left {
            let mut known = self.page.assertions.iter_mut().map(|one| &mut one.report);
            let known = known.find(|known| {
                let is_open = known.verdict == Verdict::Unknown && known.message.is_none();
                is_open && known.file == report.file && known.assertion == report.assertion
            });
            match known {
                Some(known) => *known = report,
                None => {
                    self.add(&report.file.clone(), report, None);
                }
            }
        }
    }

    /// Notes the answer for the assertion at this position.
    pub(super) fn answer(
        &mut self,
        position: usize,
        report: AssertionReport,
        drawing: Option<String>,
    ) {
        self.page.assertions[position] = PageAssertion { report, drawing };
    }

    /// Writes all files. Returns the messages about those that could not be written.
    pub(super) fn write(&self) -> Vec<Diagnostic> {
        let reports = self.page.assertions.iter().map(|one| &one.report);
        let all: Vec<(&AssertionReport, &Origin)> = reports.zip(&self.origins).collect();
        let written = self.files.iter().map(|(form, path)| {
            let bytes = match form {
                RecordForm::Page => Ok(self.page.html().into_bytes()),
                RecordForm::Junit => junit(&all),
                RecordForm::Sarif => Ok(sarif(&all).into_bytes()),
            };
            let written = bytes.and_then(|bytes| write_whole(path, &bytes));
            written.map_err(|error| unwritable(path, &error.to_string()))
        });
        written.filter_map(Result::err).collect()
    }
}

/// The reason why no file can be written to `path`, if that can be seen before.
fn why_not(path: &Path) -> Option<String> {
    let folder = path.parent().filter(|path| !path.as_os_str().is_empty());
    let is_there = fs::symlink_metadata(path);
    match folder.map(fs::metadata) {
        _ if path.is_dir() => Some("it is a folder".to_string()),
        _ if is_there.is_ok_and(|found| !found.is_file()) => {
            Some("it is no plain file".to_string())
        }
        _ if is_named_as_script(path) => Some("its name is that of a script".to_string()),
        _ if path == Path::new(STANDARD_INPUT) => Some("it needs the name of a file".to_string()),
        Some(Ok(found)) if !found.is_dir() => Some("it is in no folder".to_string()),
        Some(Err(error)) => Some(error.to_string()),
        _ => None,
    }
}

fn unwritable(path: &Path, why: &str) -> Diagnostic {
    let message = format!("the report cannot be written to {}: {why}", path.display());
    Diagnostic::error("unwritable-report", message)
        .hint("give the name of a file in a folder that is there, such as report.html")
}

/// The reason for the verdict of `report`, in a sentence.
fn reason(report: &AssertionReport) -> String {
    let found = report.counterexample.as_ref();
    let found = found.filter(|_| report.verdict == Verdict::Fail);
    let sentence = found.map(|found| found.sentence.clone());
    let message = sentence.or_else(|| report.message.clone());
    message.unwrap_or_else(|| verdict(report))
}

/// The graph of the process that the assertion at `index` is about, if that is small.
pub(super) fn drawing(
    script: &Script,
    index: usize,
    options: &Options,
    task: &Task,
) -> Option<String> {
    let process = script.process_of(index)?;
    let wanted = GraphOptions {
        most_states: Some(MOST_DRAWN + 1),
        ..GraphOptions::default()
    };
    // A page without a drawing is a page all the same.
    let graph = script.graph(&process, &wanted, options, task).ok()?;
    if !graph.complete || graph.states.len() > MOST_DRAWN {
        return None;
    }
    let mut drawing = Vec::new();
    graph
        .write_svg(&GraphOverview::default(), &mut drawing)
        .ok()?;
    String::from_utf8(drawing).ok()
}
