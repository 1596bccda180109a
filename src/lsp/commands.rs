//! The commands of editors: to decide assertions, with reports of progress and verdicts, and to
//! open pages of scripts.

use std::path::Path;

use gen_lsp_types::{ExecuteCommandParams, MessageType, ProgressToken, Uri};
use lsp_server::{ErrorCode, RequestId, Response, ResponseError};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use host::fault::caught;
use report::assertion::Verdict;
use report::json::Printed;
use syntax::assertion_text;
use syntax::ast::Declaration;

use super::outcome::CheckOutcome;
use super::protocol::{
    CANCEL, CHECK, GRAPH, Reply, STEP, cancelled, failed, fault, parsed, refusal, to_value, wrong,
};
use super::runs::CheckRun;
use super::scripts::ScriptFile;
use super::server::{ClientRequest, Server};

/// The characters that are encoded in a fragment, behind `#`.
const NOT_IN_VALUES: &AsciiSet = &NON_ALPHANUMERIC.remove(b'_').remove(b'-').remove(b'.');

impl Server {
    /// Executes a command. Returns `None` if the answer comes later: a check is answered when it is
    /// decided.
    pub(crate) fn execute(&mut self, id: RequestId, params: Value) -> Reply<Option<Value>> {
        let asked: ExecuteCommandParams = parsed(params)?;
        self.refresh();
        let arguments = asked.arguments.as_deref().unwrap_or_default();
        match asked.command.as_str() {
            command @ (STEP | GRAPH) => self.explore(command, arguments).map(Some),
            CANCEL => {
                let (script, index) = self.assertion(arguments)?;
                self.cancel(|run| run.is_of(&script, index), &cancelled());
                Ok(Some(Value::Null))
            }
            CHECK => {
                let (script, index) = self.assertion(arguments)?;
                let token = asked.work_done_progress_params.work_done_token;
                self.check(id, script, index, token)
            }
            other => wrong(format!("there is no command {other}")),
        }
    }

    /// The open file that the URI of a command names.
    pub(crate) fn named(&self, uri: &str) -> Reply<ScriptFile<'_>> {
        let file = self.scripts.file(&Uri(uri.to_string()))?;
        file.map_or_else(|| wrong(format!("{uri} is not open")), Ok)
    }

    /// The assertion that the arguments of a command name: the script, and a number counted from 0.
    fn assertion(&self, arguments: &[Value]) -> Reply<(String, usize)> {
        let [Value::String(uri), index] = arguments else {
            return wrong("expected the URI of a script and the number of an assertion");
        };
        let file = self.named(uri)?;
        let count = file.analysis.assertions.len();
        let index = index.as_u64().and_then(|index| usize::try_from(index).ok());
        match index.filter(|&index| index < count) {
            Some(index) => Ok((file.script.to_string(), index)),
            None => wrong(format!(
                "the script has assertions 0 to {count}, without the last"
            )),
        }
    }

    fn check(
        &mut self,
        id: RequestId,
        script: String,
        index: usize,
        token: Option<ProgressToken>,
    ) -> Reply<Option<Value>> {
        if self.runs.is_running(&script, index) {
            return failed("this assertion is being checked already");
        }
        let is_asked_for = token.is_some();
        let number = self.runs.add(script, index, id, token);
        if is_asked_for {
            self.begin_progress(number);
        } else if self.settings.shows_progress {
            // A client that gave no token is asked if it takes one.
            let parameters = json!({ "token": progress_token(number) });
            let request = self.ask("window/workDoneProgress/create", parameters);
            self.asked.insert(request, ClientRequest::Progress(number));
        }
        self.start_next();
        self.verdicts_changed();
        Ok(None)
    }

    /// Starts the next run that waits, if none is active.
    fn start_next(&mut self) {
        let files = || self.scripts.documents.files();
        self.runs.start_next(files, &self.settings, &self.events);
    }

    /// Takes the outcome of a run that has ended.
    pub(crate) fn decided(&mut self, number: u64, outcome: CheckOutcome) {
        let kind = match outcome.report.verdict {
            Verdict::Pass => MessageType::Info,
            Verdict::Fail | Verdict::Unknown => MessageType::Warning,
            Verdict::Error => MessageType::Error,
        };
        let (text, title) = (outcome.text(), outcome.title());
        let report = to_value(&Printed::of(&outcome.report));
        let Some(run) = self.runs.finish(number, outcome) else {
            // The run was cancelled.
            return;
        };
        let message = format!("assert {}: {text}", self.text_of(&run));
        self.end_progress(&run, &title);
        self.show_message(kind, message);
        self.answer(run.request, report);
        self.start_next();
        self.publish(&[]);
        self.verdicts_changed();
    }

    /// The assertion that a run is about, as CSPm.
    fn text_of(&self, run: &CheckRun) -> String {
        let mut scripts = self.scripts.iter();
        let Some(script) = scripts.find(|script| script.name == run.script) else {
            return String::new();
        };
        let ast = &script.analysis.ast;
        let id = script.analysis.assertions.get(run.index);
        match id.map(|&id| ast.declaration(id)) {
            Some(Declaration::Assert(assertion)) => assertion_text(ast, assertion),
            _ => String::new(),
        }
    }

    // ---- Ending before the end

    /// Ends the runs that are `unwanted`, with `refusal` as the answer.
    pub(crate) fn cancel(&mut self, unwanted: impl Fn(&CheckRun) -> bool, refusal: &ResponseError) {
        let cancelled = self.runs.cancel(unwanted);
        if cancelled.is_empty() {
            return;
        }
        for run in cancelled {
            self.end_progress(&run, "cancelled");
            self.answer(run.request, Err(refusal.clone()));
        }
        self.start_next();
        self.verdicts_changed();
    }

    /// Ends all runs, because the server shuts down.
    pub(crate) fn cancel_all(&mut self) {
        self.cancel(|_| true, &cancelled());
    }

    /// Ends the runs on `scripts`, which have changed, and forgets their verdicts.
    pub(crate) fn outdate(&mut self, scripts: &[String]) {
        let changed = refusal(ErrorCode::ContentModified, "the script has changed");
        self.cancel(|run| scripts.contains(&run.script), &changed);
        let forgotten = scripts.iter().filter(|script| self.runs.forget(script));
        if forgotten.count() > 0 {
            self.verdicts_changed();
        }
    }

    // ---- Progress

    /// Takes the answer of the client to a request.
    pub(crate) fn response(&mut self, response: Response) {
        let result = response.response_result.ok();
        match self.asked.remove(&response.id) {
            Some(ClientRequest::Page(address))
                if result
                    .as_ref()
                    .is_none_or(|result| result["success"] != true) =>
            {
                self.say_where(&address);
            }
            Some(ClientRequest::Progress(number)) if result.is_some() => {
                if let Some(run) = self.runs.get_mut(number) {
                    run.token = Some(progress_token(number));
                    self.begin_progress(number);
                }
            }
            _ => {}
        }
    }

    fn begin_progress(&mut self, number: u64) {
        if let Some(run) = self.runs.get(number) {
            let title = format!("assert {}", self.text_of(run));
            let value = json!({ "kind": "begin", "title": title, "cancellable": true });
            self.tell(run, value);
        }
    }

    /// Reports to the client how far a run is.
    pub(crate) fn progress(&self, number: u64, how_far: &str) {
        if let Some(run) = self.runs.get(number) {
            let value = json!({ "kind": "report", "message": how_far, "cancellable": true });
            self.tell(run, value);
        }
    }

    fn end_progress(&self, run: &CheckRun, message: &str) {
        self.tell(run, json!({ "kind": "end", "message": message }));
    }

    /// Reports progress where the client shows it.
    fn tell(&self, run: &CheckRun, value: Value) {
        if let Some(token) = &run.token {
            self.notify("$/progress", json!({ "token": token, "value": value }));
        }
    }

    /// Asks the client to renew its lenses, which show verdicts.
    fn verdicts_changed(&mut self) {
        if self.settings.refreshes_lenses {
            self.ask("workspace/codeLens/refresh", Value::Null);
        }
    }

    // ---- Pages

    /// Opens the page of a script at a process, and returns its address. The arguments are the URI
    /// of the script, and the process.
    pub(crate) fn explore(&mut self, command: &str, arguments: &[Value]) -> Reply<Value> {
        let [Value::String(uri), Value::String(process)] = arguments else {
            return wrong("expected the URI of a script and a process");
        };
        let script = self.named(uri)?.script.to_string();
        if !Path::new(&script).is_file() {
            return failed("save the script first: the page reads it from the disk");
        }
        let page = self.page(script)?;
        let tab = if command == GRAPH { "graph" } else { "walk" };
        let process = utf8_percent_encode(process, NOT_IN_VALUES);
        let address = format!("{page}#tab={tab}&process={process}");
        if self.settings.shows_documents {
            let parameters = json!({ "uri": address, "external": true, "takeFocus": true });
            let request = self.ask("window/showDocument", parameters);
            self.asked
                .insert(request, ClientRequest::Page(address.clone()));
        } else {
            self.say_where(&address);
        }
        Ok(Value::String(address))
    }

    /// The address of the page of a script. There is one server for each script, however often it
    /// is asked for.
    fn page(&mut self, script: String) -> Reply<String> {
        if let Some(page) = self.pages.get(&script) {
            return Ok(page.clone());
        }
        let Some(serve) = self.serve_page else {
            return failed("pages are served in a conversation that goes on: `cspsym lsp`");
        };
        let mut files = self.scripts.documents.files();
        // A panic over the script must not end the conversation.
        let served =
            caught(|| serve(&script, &self.settings.framing, &mut files)).or_else(fault)?;
        let served = served.or_else(|error| failed(format!("the page cannot be served: {error}")));
        let page = served?;
        self.pages.insert(script, page.clone());
        Ok(page)
    }

    /// Tells the address of a page.
    pub(crate) fn say_where(&self, address: &str) {
        self.show_message(MessageType::Info, format!("open {address}"));
    }
}

/// The token for the progress of run `number`, if the client takes reports.
fn progress_token(number: u64) -> ProgressToken {
    ProgressToken::String(format!("cspsym/check/{number}"))
}
