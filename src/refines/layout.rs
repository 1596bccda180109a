//! The output about a script, in the layout that a call asks for.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal};
use std::mem;
use std::sync::Arc;

use base::diag::Diagnostic;
use base::source::SourceMap;
use checker::Error;
use report::assertion::AssertionReport;
use report::json::json;
use report::message::one_line;

use host::arguments::{RefinesCall, RefinesFormat};
use host::console::Console;
use host::output::{Said, Unsaid};
use host::status::Status;

use super::behaviour::FdrCounterexample;
use super::document::FdrDocument;
use super::mistakes::laid_out;
use super::plain::PlainLayout;

/// The output about one script.
pub(super) struct FdrLayout {
    file: String,
    form: LayoutForm,
    /// The warnings that were given: assertions about one process share most of them.
    warned: BTreeSet<String>,
}

enum LayoutForm {
    /// Text, as it is found.
    Plain(PlainLayout),
    /// A JSON document. If `is_framed`, a line for each assertion, as it is decided; otherwise one
    /// for all, at the end.
    Json {
        document: Box<FdrDocument>,
        is_framed: bool,
    },
}

impl FdrLayout {
    /// The layout of the script `file` that `call` asks for.
    pub(super) fn of(call: &RefinesCall, file: &str) -> Self {
        let plain = |has_colours| {
            LayoutForm::Plain(PlainLayout {
                is_brief: call.brief,
                is_quiet: call.quiet,
                has_colours,
            })
        };
        let document = |is_framed| LayoutForm::Json {
            document: Box::new(FdrDocument::of(file)),
            is_framed,
        };
        Self {
            file: file.to_string(),
            form: match call.format {
                None => plain(io::stdout().is_terminal()),
                Some(RefinesFormat::Colour) => plain(true),
                Some(RefinesFormat::Json) => document(false),
                Some(RefinesFormat::FramedJson) => document(true),
                // The other formats were refused.
                Some(RefinesFormat::Plain | RefinesFormat::Xml | RefinesFormat::Yaml) => {
                    plain(false)
                }
            },
            warned: BTreeSet::new(),
        }
    }

    /// Notes what is left to print if a limit ends the run from outside.
    pub(super) fn pending(&self, console: &Console<'_>) {
        console.pending(self.unsaid());
    }

    /// Reports mistakes, for which the script is not checked, and ends.
    pub(super) fn unread(
        &mut self,
        problems: &[Diagnostic],
        sources: &SourceMap,
        console: &mut Console<'_>,
    ) -> io::Result<()> {
        let texts = problems.iter().map(|problem| laid_out(problem, sources));
        let said = match &mut self.form {
            LayoutForm::Plain(_) => texts.collect(),
            LayoutForm::Json { document, .. } => {
                document.errors.extend(texts);
                String::new()
            }
        };
        self.say(String::new(), said, console)?;
        console.count(Status::of_problems(problems).max(Status::Undecided));
        self.end(console)
    }

    /// Reports warnings that were not reported before.
    pub(super) fn warn(
        &mut self,
        problems: &[Diagnostic],
        sources: &SourceMap,
        console: &mut Console<'_>,
    ) -> io::Result<()> {
        let texts = problems.iter().map(|problem| laid_out(problem, sources));
        let new: Vec<String> = texts
            .filter(|text| self.warned.insert(text.clone()))
            .collect();
        match &mut self.form {
            LayoutForm::Plain(layout) if layout.is_quiet || layout.is_brief => Ok(()),
            LayoutForm::Plain(_) => self.say(String::new(), new.concat(), console),
            LayoutForm::Json { document, .. } => {
                document.warnings.extend(new);
                Ok(())
            }
        }
    }

    /// Reports the value of a `print` declaration.
    pub(super) fn printed(
        &mut self,
        expression: &str,
        value: Result<String, Error>,
        console: &mut Console<'_>,
    ) -> io::Result<()> {
        let problem = value.as_ref().err().map(Error::messages);
        console.count(Status::of_problems(&problem.unwrap_or_default()));
        match (&mut self.form, value) {
            (LayoutForm::Plain(_), Ok(value)) => {
                let text = PlainLayout::printed(expression, &value);
                self.say(text, String::new(), console)
            }
            (LayoutForm::Plain(_), Err(error)) => {
                let (problems, sources) = (error.messages(), error.sources());
                let texts = problems.iter().map(|problem| laid_out(problem, sources));
                self.say(String::new(), texts.collect(), console)
            }
            (LayoutForm::Json { document, .. }, value) => {
                let reason = |error: Error| match error.messages().first() {
                    Some(problem) => one_line(problem, error.sources()),
                    None => String::new(),
                };
                document.add_printed(expression, value.map_err(reason));
                Ok(())
            }
        }
    }

    /// Reports the verdict on the assertion `text`, with the counterexamples that were found.
    pub(super) fn verdict(
        &mut self,
        text: &str,
        report: &AssertionReport,
        found: &[FdrCounterexample],
        console: &mut Console<'_>,
    ) -> io::Result<()> {
        let out = match &mut self.form {
            LayoutForm::Plain(layout) => layout.verdict(report, found),
            LayoutForm::Json {
                document,
                is_framed,
            } => {
                document.add(text, report, found);
                match is_framed {
                    true => framed(&self.file, document),
                    false => String::new(),
                }
            }
        };
        self.say(out, String::new(), console)
    }

    /// Prints what is left to be said of the script.
    pub(super) fn end(&mut self, console: &mut Console<'_>) -> io::Result<()> {
        let out = match &mut self.form {
            // In frames, all was said but what came after the last assertion.
            LayoutForm::Json {
                document,
                is_framed,
            } if !*is_framed || !document.is_empty() => framed(&self.file, document),
            LayoutForm::Plain(_) | LayoutForm::Json { .. } => String::new(),
        };
        console.answer(
            &Said {
                out,
                ..Said::default()
            },
            Status::Holds,
            None,
        )
    }

    /// Prints `out` to standard output, and `err` to standard error; more is to come.
    fn say(&self, out: String, err: String, console: &mut Console<'_>) -> io::Result<()> {
        let said = Said {
            out,
            err,
            ..Said::default()
        };
        console.answer(&said, Status::Holds, Some(self.unsaid()))
    }

    /// The text that is left if a limit ends the run from outside.
    fn unsaid(&self) -> Unsaid {
        let LayoutForm::Json { document, .. } = &self.form else {
            return Unsaid::Answer(None);
        };
        let document = document.clone();
        Unsaid::Answer(Some(Arc::new(move |problem, sources| {
            let mut document = document.clone();
            document.errors.push(laid_out(problem, sources));
            json(&document)
        })))
    }
}

/// `document` in one line, in whose place a new one about `file` begins.
fn framed(file: &str, document: &mut FdrDocument) -> String {
    json(&mem::replace(document, FdrDocument::of(file))) + "\n"
}
