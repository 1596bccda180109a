//! `--report FILE`: the page that a check writes.

use std::fs;
use std::path::{Path, PathBuf};

use base::diag::Diagnostic;
use checker::{GraphOptions, Options, Script, Task};
use report::assertion::AssertionReport;
use report::graph::GraphOverview;
use report::page::{PageAssertion, ReportPage};

use host::clock;
use host::shell::own_call;
use host::whole::write_whole;

/// The most states of a graph that is drawn in a page.
const MOST_DRAWN: usize = 40;

/// A page that is being made.
pub(super) struct PageFile {
    path: PathBuf,
    page: ReportPage,
}

impl PageFile {
    /// An empty page, to be written to `path` once all is known. Fails before any work if the path
    /// can be seen to be wrong.
    pub(super) fn at(path: &Path) -> Result<Self, Box<Diagnostic>> {
        let folder = path.parent().filter(|path| !path.as_os_str().is_empty());
        let why = match folder.map(fs::metadata) {
            _ if path.is_dir() => "it is a folder".to_string(),
            Some(Ok(found)) if !found.is_dir() => "it is in no folder".to_string(),
            Some(Err(error)) => error.to_string(),
            _ => {
                return Ok(Self {
                    path: path.to_path_buf(),
                    page: ReportPage {
                        call: own_call(),
                        made: clock::date(),
                        ..ReportPage::default()
                    },
                });
            }
        };
        Err(Box::new(unwritable(path, &why)))
    }

    /// Adds an assertion; returns its position.
    pub(super) fn add(&mut self, report: AssertionReport) -> usize {
        self.page.assertions.push(PageAssertion {
            report,
            drawing: None,
        });
        self.page.assertions.len() - 1
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

    /// Writes the page.
    pub(super) fn write(&self) -> Result<(), Diagnostic> {
        let written = write_whole(&self.path, self.page.html().as_bytes());
        written.map_err(|error| unwritable(&self.path, &error.to_string()))
    }
}

fn unwritable(path: &Path, why: &str) -> Diagnostic {
    let message = format!("the report cannot be written to {}: {why}", path.display());
    Diagnostic::error("unwritable-report", message)
        .hint("give the name of a file in a folder that is there, such as report.html")
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
