//! The output about a script, in the layout that a call asks for.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal};
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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

/// The output about one script. The thread that ends the run from outside sees it too.
pub(super) struct FdrLayout(Arc<Mutex<LayoutState>>);

struct LayoutState {
    file: String,
    form: LayoutForm,
    /// True if messages about the script are all that is wanted.
    is_typecheck: bool,
    /// True if something was printed to standard output.
    has_printed: bool,
    /// The warnings that were given: assertions about one process share most of them.
    warned: BTreeSet<String>,
    /// The assertions without a verdict, in their order, each as CSPm and with its report so far.
    open: Vec<(String, AssertionReport)>,
    /// The scripts that come after this one.
    later: Vec<String>,
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
    /// The layout that `call` asks for, of the script `file` before the scripts `later`. From now
    /// on it is printed that these are open, if a limit ends the run from outside.
    pub(super) fn begin(
        call: &RefinesCall,
        file: &str,
        later: &[String],
        console: &Console<'_>,
    ) -> Self {
        let layout = Self(Arc::new(Mutex::new(LayoutState {
            file: file.to_string(),
            form: LayoutForm::of(call, file),
            is_typecheck: call.typecheck,
            has_printed: false,
            warned: BTreeSet::new(),
            open: Vec::new(),
            later: later.to_vec(),
        })));
        console.pending(layout.unsaid());
        layout
    }

    /// Reports mistakes, for which the script is not checked, and ends.
    pub(super) fn unread(
        &self,
        problems: &[Diagnostic],
        sources: &SourceMap,
        console: &mut Console<'_>,
    ) -> io::Result<()> {
        let (out, err) = self.state().unread(problems, sources);
        self.say(out, err, console)?;
        console.count(Status::of_problems(problems).max(Status::Undecided));
        self.end(console)
    }

    /// Reports warnings that were not reported before.
    pub(super) fn warn(
        &self,
        problems: &[Diagnostic],
        sources: &SourceMap,
        console: &mut Console<'_>,
    ) -> io::Result<()> {
        let err = self.state().warn(problems, sources);
        self.say(String::new(), err, console)
    }

    /// Reports the value of a `print` declaration. One without a value leaves no assertion open,
    /// and so does not count.
    pub(super) fn printed(
        &self,
        expression: &str,
        value: Result<String, Error>,
        console: &mut Console<'_>,
    ) -> io::Result<()> {
        let (out, err) = self.state().printed(expression, value);
        self.say(out, err, console)
    }

    /// Notes the assertions that are to be decided.
    pub(super) fn announce(&self, open: Vec<(String, AssertionReport)>) {
        self.state().open = open;
    }

    /// Reports the verdict on the first assertion that is open, with the counterexamples that were
    /// found.
    pub(super) fn verdict(
        &self,
        report: &AssertionReport,
        found: &[FdrCounterexample],
        console: &mut Console<'_>,
    ) -> io::Result<()> {
        let out = self.state().verdict(report, found);
        self.say(out, String::new(), console)
    }

    /// Prints what is left to be said of the script.
    pub(super) fn end(&self, console: &mut Console<'_>) -> io::Result<()> {
        let out = self.state().end();
        self.say(out, String::new(), console)
    }

    /// Prints `out` to standard output, and `err` to standard error; more may come. Nobody may hold
    /// the state meanwhile: another thread that prints asks for it.
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
        let layout = Self(Arc::clone(&self.0));
        Unsaid::Answer(Some(Arc::new(move |problem, sources| {
            layout.state().left(problem, sources)
        })))
    }

    fn state(&self) -> MutexGuard<'_, LayoutState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LayoutForm {
    fn of(call: &RefinesCall, file: &str) -> Self {
        let plain = |has_colours| {
            Self::Plain(PlainLayout {
                is_brief: call.brief,
                is_quiet: call.quiet,
                has_colours,
            })
        };
        let document = |is_framed| Self::Json {
            document: Box::new(FdrDocument::of(file)),
            is_framed,
        };
        match call.format {
            None => plain(io::stdout().is_terminal()),
            Some(RefinesFormat::Colour) => plain(true),
            Some(RefinesFormat::Json) => document(false),
            Some(RefinesFormat::FramedJson) => document(true),
            // The other formats were refused.
            Some(RefinesFormat::Plain | RefinesFormat::Xml | RefinesFormat::Yaml) => plain(false),
        }
    }
}

/// Each of these gives the text for standard output, or for it and standard error.
impl LayoutState {
    fn unread(&mut self, problems: &[Diagnostic], sources: &SourceMap) -> (String, String) {
        let texts = problems.iter().map(|problem| laid_out(problem, sources));
        match &mut self.form {
            LayoutForm::Plain(_) if self.is_typecheck => (String::new(), texts.collect()),
            // Scripts look for `Failed` here, and may not look at the exit status.
            LayoutForm::Plain(_) => (format!("{}: Failed to load\n", self.file), texts.collect()),
            LayoutForm::Json { document, .. } => {
                document.errors.extend(texts);
                (String::new(), String::new())
            }
        }
    }

    fn warn(&mut self, problems: &[Diagnostic], sources: &SourceMap) -> String {
        let texts = problems.iter().map(|problem| laid_out(problem, sources));
        let new = texts.filter(|text| self.warned.insert(text.clone()));
        match &mut self.form {
            LayoutForm::Plain(layout) if layout.is_quiet || layout.is_brief => String::new(),
            LayoutForm::Plain(_) => new.collect(),
            LayoutForm::Json { document, .. } => {
                document.warnings.extend(new);
                String::new()
            }
        }
    }

    fn printed(&mut self, expression: &str, value: Result<String, Error>) -> (String, String) {
        match (&mut self.form, value) {
            (LayoutForm::Plain(_), Ok(value)) => {
                (PlainLayout::printed(expression, &value), String::new())
            }
            (LayoutForm::Plain(_), Err(error)) => {
                let (problems, sources) = (error.messages(), error.sources());
                let texts = problems.iter().map(|problem| laid_out(problem, sources));
                (String::new(), texts.collect())
            }
            (LayoutForm::Json { document, .. }, value) => {
                let reason = |error: Error| match error.messages().first() {
                    Some(problem) => one_line(problem, error.sources()),
                    None => String::new(),
                };
                document.add_printed(expression, value.map_err(reason));
                (String::new(), String::new())
            }
        }
    }

    fn verdict(&mut self, report: &AssertionReport, found: &[FdrCounterexample]) -> String {
        let text = match self.open.is_empty() {
            true => report.title(),
            false => self.open.remove(0).0,
        };
        match &mut self.form {
            LayoutForm::Plain(layout) => layout.verdict(report, found),
            LayoutForm::Json {
                document,
                is_framed,
            } => {
                document.add(&text, report, found);
                match is_framed {
                    true => self.document(),
                    false => String::new(),
                }
            }
        }
    }

    fn end(&mut self) -> String {
        match &self.form {
            // In frames, all was said but what came after the last assertion.
            LayoutForm::Json {
                document,
                is_framed,
            } if !*is_framed || !self.has_printed || !document.is_empty() => self.document(),
            LayoutForm::Plain(_) | LayoutForm::Json { .. } => String::new(),
        }
    }

    /// The document so far, in one line, in whose place a new one begins.
    fn document(&mut self) -> String {
        let LayoutForm::Json { document, .. } = &mut self.form else {
            return String::new();
        };
        self.has_printed = true;
        let new = FdrDocument::of(&self.file);
        json(&mem::replace(&mut **document, new)) + "\n"
    }

    /// All that is left where `problem` ends the run: this script, and those after it. It lacks the
    /// newline at its end.
    fn left(&mut self, problem: &Diagnostic, sources: &SourceMap) -> String {
        let mut text = String::new();
        if self.open.is_empty() {
            text += &self.unread(std::slice::from_ref(problem), sources).0;
        }
        for (_, report) in self.open.clone() {
            text += &self.verdict(&report.stopped_by(problem, sources), &[]);
        }
        text += &self.end();
        for file in mem::take(&mut self.later) {
            self.file = file;
            if let LayoutForm::Json { document, .. } = &mut self.form {
                **document = FdrDocument::of(&self.file);
            }
            text += &self.unread(std::slice::from_ref(problem), sources).0;
            text += &self.end();
        }
        text.trim_end_matches('\n').to_string()
    }
}

#[cfg(test)]
mod tests {
    use host::arguments::{Arguments, Command};
    use host::monitor::Monitor;
    use pretty_assertions::assert_eq;
    use serde_json::{Value, json};

    use super::*;

    /// The text that is left of two scripts, of which the first has an open assertion.
    fn left(format: &str) -> String {
        let words = ["refines", "--format", format, "a.csp", "b.csp"];
        let arguments = Arguments::read(words).expect("the call is right");
        let Command::Refines(call) = arguments.command else {
            panic!("it is a call of refines");
        };
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let monitor = Arc::new(Monitor::default());
        let console = Console::new(&mut out, &mut err, monitor, false);
        let later = ["b.csp".to_string()];
        let layout = FdrLayout::begin(&call, "a.csp", &later, &console);
        let mut report = AssertionReport::new("a.csp");
        report.assertion = Some("P [T= Q".to_string());
        layout.announce(vec![("P [T= Q".to_string(), report)]);
        let problem = Diagnostic::undecided("timeout", "the time is over");
        layout.state().left(&problem, &SourceMap::new())
    }

    #[test]
    fn all_that_is_open_is_told_of_where_the_run_is_ended_from_outside() {
        let expected = "\
P [T= Q:
    Log:
        Undecided (Failed to decide: timeout: the time is over)
b.csp: Failed to load";
        assert_eq!(left("plain"), expected);
        for format in ["json", "framed_json"] {
            let text = left(format);
            let documents = text.lines();
            let documents: Vec<Value> = documents
                .map(|line| serde_json::from_str(line).expect("a line is an object"))
                .collect();
            let files = documents.iter().map(|document| &document["file_name"]);
            assert_eq!(
                files.collect::<Vec<_>>(),
                [&json!("a.csp"), &json!("b.csp")]
            );
            let result = &documents[0]["results"][0];
            assert_eq!(result["errors"], json!(["timeout: the time is over"]));
            assert!(result.get("result").is_none());
            let message = "<unknown location>:\n    undecided[timeout]: the time is over\n";
            assert_eq!(documents[1]["errors"], json!([message]));
        }
    }
}
