//! The output about a script, in the layout that a call asks for.

use std::collections::{BTreeSet, VecDeque};
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
use super::mistakes::{all_laid_out, laid_out};
use super::plain::PlainLayout;

/// The output about one script. The thread that ends the run from outside sees it too.
pub(super) struct FdrLayout(Arc<Mutex<LayoutState>>);

struct LayoutState {
    file: String,
    form: LayoutForm,
    /// True if messages about the script are all that is wanted.
    is_typecheck: bool,
    stage: LayoutStage,
    /// True if something was printed to standard output.
    has_printed: bool,
    /// The warnings that were given: assertions about one process share most of them.
    warned: BTreeSet<String>,
    /// The assertions without a verdict, in their order, each as CSPm and with its report so far.
    open: VecDeque<(String, AssertionReport)>,
    /// The scripts that come after this one.
    later: Vec<String>,
}

/// The stage in which a script is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LayoutStage {
    /// It is not known which assertions it has.
    Unread,
    /// Its values are printed, and its assertions decided.
    Read,
    /// All is said of it.
    Ended,
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
            stage: LayoutStage::Unread,
            has_printed: false,
            warned: BTreeSet::new(),
            open: VecDeque::new(),
            later: later.to_vec(),
        })));
        console.pending(layout.unsaid());
        layout
    }

    /// True if no script comes after this one.
    pub(super) fn is_last(&self) -> bool {
        self.state().later.is_empty()
    }

    /// Reports mistakes, for which the script is not checked, and ends.
    pub(super) fn unread(
        &self,
        problems: &[Diagnostic],
        sources: &SourceMap,
        console: &mut Console<'_>,
    ) -> io::Result<()> {
        console.count(Status::of_problems(problems).max(Status::Undecided));
        self.say(console, |state| {
            let (out, err) = state.unread(problems, sources);
            (out + &state.end(), err)
        })
    }

    /// Reports warnings that were not reported before.
    pub(super) fn warn(
        &self,
        problems: &[Diagnostic],
        sources: &SourceMap,
        console: &mut Console<'_>,
    ) -> io::Result<()> {
        self.say(console, |state| {
            (String::new(), state.warn(problems, sources))
        })
    }

    /// Reports the value of a `print` declaration. One without a value leaves no assertion open,
    /// and so does not count.
    pub(super) fn printed(
        &self,
        expression: &str,
        value: Result<String, Error>,
        console: &mut Console<'_>,
    ) -> io::Result<()> {
        self.say(console, |state| state.printed(expression, value))
    }

    /// Notes the assertions that are to be decided.
    pub(super) fn announce(
        &self,
        open: impl IntoIterator<Item = (String, AssertionReport)>,
        console: &mut Console<'_>,
    ) -> io::Result<()> {
        self.say(console, |state| {
            state.stage = LayoutStage::Read;
            state.open = open.into_iter().collect();
            (String::new(), String::new())
        })
    }

    /// Reports the verdict on the first assertion that is open, with the counterexamples that were
    /// found.
    pub(super) fn verdict(
        &self,
        report: &AssertionReport,
        found: &[FdrCounterexample],
        console: &mut Console<'_>,
    ) -> io::Result<()> {
        self.say(console, |state| {
            (state.verdict(report, found), String::new())
        })
    }

    /// Prints what is left to be said of the script.
    pub(super) fn end(&self, console: &mut Console<'_>) -> io::Result<()> {
        self.say(console, |state| (state.end(), String::new()))
    }

    /// Prints the texts for standard output and standard error that `make` gives. It holds the
    /// output before the state, as the thread does that ends the run from outside.
    fn say(
        &self,
        console: &mut Console<'_>,
        make: impl FnOnce(&mut LayoutState) -> (String, String),
    ) -> io::Result<()> {
        console.answer_by(Some(self.unsaid()), || {
            let (out, err) = make(&mut self.state());
            Said {
                out,
                err,
                ..Said::default()
            }
        })
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
        let texts = all_laid_out(problems, sources);
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
        let texts = all_laid_out(problems, sources);
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
                let problems = error.messages();
                let texts = all_laid_out(&problems, error.sources());
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
        let open = self.open.pop_front();
        let text = open.map_or_else(|| report.title(), |(text, _)| text);
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
        self.stage = LayoutStage::Ended;
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
        let problems = std::slice::from_ref(problem);
        match (self.stage, &mut self.form) {
            (LayoutStage::Unread, _) => text += &self.unread(problems, sources).0,
            // The message has no assertion to stand at.
            (LayoutStage::Read, LayoutForm::Json { document, .. }) if self.open.is_empty() => {
                document.errors.push(laid_out(problem, sources));
            }
            (LayoutStage::Read | LayoutStage::Ended, _) => {}
        }
        for (_, report) in self.open.clone() {
            text += &self.verdict(&report.stopped_by(problem, sources), &[]);
        }
        if self.stage != LayoutStage::Ended {
            text += &self.end();
        }
        for file in mem::take(&mut self.later) {
            self.file = file;
            if let LayoutForm::Json { document, .. } = &mut self.form {
                **document = FdrDocument::of(&self.file);
            }
            self.has_printed = false;
            text += &self.unread(problems, sources).0;
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

    /// The text that is left of two scripts in this form, once `work` was done on the first.
    fn left(format: &str, work: impl FnOnce(&FdrLayout, &mut Console<'_>)) -> String {
        let words = ["refines", "--format", format, "a.csp", "b.csp"];
        let arguments = Arguments::read(words).expect("the call is right");
        let Command::Refines(call) = arguments.command else {
            panic!("it is a call of refines");
        };
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let monitor = Arc::new(Monitor::default());
        let mut console = Console::new(&mut out, &mut err, monitor, false);
        let later = ["b.csp".to_string()];
        let layout = FdrLayout::begin(&call, "a.csp", &later, &console);
        work(&layout, &mut console);
        let problem = Diagnostic::undecided("timeout", "the time is over");
        layout.state().left(&problem, &SourceMap::new())
    }

    fn announce(layout: &FdrLayout, console: &mut Console<'_>) {
        let mut report = AssertionReport::new("a.csp");
        report.assertion = Some("P [T= Q".to_string());
        let open = vec![("P [T= Q".to_string(), report)];
        layout.announce(open, console).expect("it is written");
    }

    fn decide(layout: &FdrLayout, console: &mut Console<'_>) {
        announce(layout, console);
        let mut report = AssertionReport::new("a.csp");
        report.verdict = report::assertion::Verdict::Pass;
        layout
            .verdict(&report, &[], console)
            .expect("it is written");
    }

    #[test]
    fn where_the_run_is_ended_from_outside_all_that_is_open_is_told_of_and_nothing_else() {
        let unread = "a.csp: Failed to load\nb.csp: Failed to load";
        assert_eq!(left("plain", |_, _| {}), unread);
        let open = "\
P [T= Q:
    Log:
        Undecided (Failed to decide: timeout: the time is over)
b.csp: Failed to load";
        assert_eq!(left("plain", announce), open);
        assert_eq!(left("plain", decide), "b.csp: Failed to load");
        let ended = |layout: &FdrLayout, console: &mut Console<'_>| {
            decide(layout, console);
            layout.end(console).expect("it is written");
        };
        assert_eq!(left("plain", ended), "b.csp: Failed to load");
        assert_eq!(left("json", ended).lines().count(), 1);
    }

    #[test]
    fn documents_have_what_is_open_as_undecided() {
        for format in ["json", "framed_json"] {
            let text = left(format, announce);
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
        let text = left("json", decide);
        let first: Value = serde_json::from_str(text.lines().next().unwrap_or_default())
            .expect("a line is an object");
        assert_eq!(first["results"][0]["result"], 1);
        assert_ne!(first["errors"], json!([]));
    }
}
