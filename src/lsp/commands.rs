//! Deciding assertions when the editor asks for it, and reporting the verdicts.

use gen_lsp_types::{
    CodeLensRefreshRequest, ExecuteCommandParams, MessageType, ProgressNotification,
    ProgressParams, ProgressToken, ShowMessageNotification, ShowMessageParams, Uri,
    WorkDoneProgressBegin, WorkDoneProgressCreateParams, WorkDoneProgressCreateRequest,
    WorkDoneProgressEnd, WorkDoneProgressReport,
};
use lsp_server::{ErrorCode, RequestId, Response};
use serde::Serialize;
use serde_json::Value;

use report::assertion::Verdict;
use report::json::Printed;
use syntax::assertion_text;
use syntax::ast::Declaration;

use super::answer::{Reply, RequestRefusal, not_open, to_value};
use super::outcome::CheckOutcome;
use super::protocol::{CANCEL, CHECK, GRAPH, STEP};
use super::runs::CheckRun;
use super::server::Server;

impl Server {
    /// Does what a command says. A check is answered when it is decided.
    pub(super) fn execute(&mut self, id: RequestId, parameters: ExecuteCommandParams) {
        if self.is_stale() {
            self.refresh();
        }
        let arguments = parameters.arguments.as_deref().unwrap_or_default();
        let command = parameters.command.as_str();
        if [STEP, GRAPH].contains(&command) {
            return self.explore(id, command, arguments);
        }
        let asked = match command {
            CHECK | CANCEL => self.assertion(arguments),
            other => Err(RequestRefusal::parameters(format!(
                "there is no command {other}"
            ))),
        };
        let (script, index) = match asked {
            Ok(asked) => asked,
            Err(refusal) => return self.answer(id, Err(refusal)),
        };
        let is_it = |run: &CheckRun| run.script == script && run.index == index;
        if parameters.command == CANCEL {
            self.cancel(is_it, Self::cancelled);
            return self.answer(id, Ok(Value::Null));
        }
        if self.runs.is_running(&script, index) {
            let message = "this assertion is being checked already".to_string();
            let code = ErrorCode::RequestFailed;
            return self.answer(id, Err(RequestRefusal { code, message }));
        }
        let token = parameters.work_done_progress_params.work_done_token;
        let is_asked_for = token.is_some();
        let number = self.runs.add(&script, index, id, token);
        // A client that gave no token is asked whether it takes one; `response` then begins the
        // progress.
        if !is_asked_for && self.settings.shows_progress {
            let token = ProgressToken::String(format!("cspsym/check/{number}"));
            let parameters = WorkDoneProgressCreateParams { token };
            let request = self.ask::<WorkDoneProgressCreateRequest>(parameters);
            self.tokens.push((request, number));
        }
        if is_asked_for {
            self.begin_progress(number);
        }
        self.start_next();
        self.verdicts_changed();
    }

    /// The assertion that the arguments of a command name: the script, and a number counted from 0.
    fn assertion(&self, arguments: &[Value]) -> Reply<(String, usize)> {
        let [Value::String(uri), index] = arguments else {
            let message = "expected the URI of a script and the number of an assertion";
            return Err(RequestRefusal::parameters(message));
        };
        let uri = Uri(uri.clone());
        let document = self.documents.get(&uri).ok_or_else(|| not_open(&uri))?;
        let script = self.scripts.of(document);
        let (script, analysis, _) = script.ok_or_else(|| not_open(&uri))?;
        let index = index.as_u64().and_then(|index| usize::try_from(index).ok());
        match index.filter(|&index| index < analysis.assertions.len()) {
            Some(index) => Ok((script.to_string(), index)),
            None => {
                let count = analysis.assertions.len();
                let message = format!("the script has assertions 0 to {count}, without the last");
                Err(RequestRefusal::parameters(message))
            }
        }
    }

    /// Starts the next run that waits, if none is active.
    fn start_next(&mut self) {
        let options = self.settings.options();
        let timeout = self.settings.timeout;
        let documents = &self.documents;
        let files = || documents.files();
        self.runs.start_next(files, &options, timeout, &self.events);
    }

    /// A run has ended.
    pub(super) fn decided(&mut self, number: u64, outcome: CheckOutcome) {
        let Some((run, outcome)) = self.runs.finish(number, outcome) else {
            // It was cancelled.
            return;
        };
        let kind = match outcome.report.verdict {
            Verdict::Pass => MessageType::Info,
            Verdict::Fail | Verdict::Unknown => MessageType::Warning,
            Verdict::Error => MessageType::Error,
        };
        let (text, title) = (outcome.text(), outcome.title());
        let report = to_value(&Printed::of(&outcome.report));
        let message = format!("assert {}: {text}", self.text_of(&run));
        self.end_progress(&run, title);
        self.notify::<ShowMessageNotification>(ShowMessageParams { kind, message });
        self.answer(run.request, report);
        self.start_next();
        self.publish(&[]);
        self.verdicts_changed();
    }

    /// The assertion that a run is about, as CSPm.
    fn text_of(&self, run: &CheckRun) -> String {
        let analysis = self.scripts.named(&run.script);
        let text = analysis.and_then(|analysis| {
            let id = *analysis.assertions.get(run.index)?;
            match analysis.ast.declaration(id) {
                Declaration::Assert(assertion) => Some(assertion_text(&analysis.ast, assertion)),
                _ => None,
            }
        });
        text.unwrap_or_default()
    }

    // ---- Ending before the end

    /// Ends the runs that are `unwanted`, with `refusal` as the answer.
    fn cancel(&mut self, unwanted: impl Fn(&CheckRun) -> bool, refusal: fn() -> RequestRefusal) {
        let cancelled = self.runs.cancel(unwanted);
        if cancelled.is_empty() {
            return;
        }
        for run in cancelled {
            self.end_progress(&run, "cancelled".to_string());
            self.answer(run.request, Err(refusal()));
        }
        self.start_next();
        self.verdicts_changed();
    }

    /// The client has cancelled `request`.
    pub(super) fn cancel_request(&mut self, request: &RequestId) {
        self.cancel(|run| run.request == *request, Self::cancelled);
    }

    /// Somebody has clicked on cancel where progress is shown.
    pub(super) fn cancel_token(&mut self, parameters: &Value) {
        let token = parameters.get("token").cloned().unwrap_or_default();
        if let Ok(token) = serde_json::from_value::<ProgressToken>(token) {
            self.cancel(|run| run.token.as_ref() == Some(&token), Self::cancelled);
        }
    }

    /// Ends all runs, because the server shuts down.
    pub(super) fn cancel_all(&mut self) {
        self.cancel(|_| true, Self::cancelled);
    }

    /// Ends the runs on `scripts`, which have changed, and forgets their verdicts.
    pub(super) fn outdate(&mut self, scripts: &[String]) {
        let is_changed = |run: &CheckRun| scripts.contains(&run.script);
        self.cancel(is_changed, || RequestRefusal {
            code: ErrorCode::ContentModified,
            message: "the script has changed".to_string(),
        });
        let forgotten = scripts.iter().filter(|script| self.runs.forget(script));
        if forgotten.count() > 0 {
            self.verdicts_changed();
        }
    }

    // ---- Progress

    /// The client has answered a request: those with a meaning are for a token, or for a page to be
    /// shown.
    pub(super) fn response(&mut self, response: &Response) {
        self.shown(response);
        let asked = self.tokens.iter().position(|(id, _)| *id == response.id);
        let Some((_, number)) = asked.map(|at| self.tokens.remove(at)) else {
            return;
        };
        if response.response_result.is_err() {
            return;
        }
        if let Some(run) = self.runs.get_mut(number) {
            run.token = Some(ProgressToken::String(format!("cspsym/check/{number}")));
            self.begin_progress(number);
        }
    }

    fn begin_progress(&mut self, number: u64) {
        let run = self.runs.iter().find(|run| run.number == number);
        let Some(run) = run else { return };
        let begin = WorkDoneProgressBegin {
            title: format!("assert {}", self.text_of(run)),
            cancellable: Some(true),
            ..WorkDoneProgressBegin::default()
        };
        self.tell(run, &begin);
    }

    /// Reports how far a run is.
    pub(super) fn progress(&self, number: u64, how_far: String) {
        if let Some(run) = self.runs.active(number) {
            let report = WorkDoneProgressReport {
                cancellable: Some(true),
                message: Some(how_far),
                ..WorkDoneProgressReport::default()
            };
            self.tell(run, &report);
        }
    }

    fn end_progress(&self, run: &CheckRun, message: String) {
        let message = Some(message);
        self.tell(run, &WorkDoneProgressEnd { message });
    }

    /// Reports progress where the client shows it.
    fn tell(&self, run: &CheckRun, value: &impl Serialize) {
        if let (Some(token), Ok(value)) = (run.token.clone(), serde_json::to_value(value)) {
            self.notify::<ProgressNotification>(ProgressParams { token, value });
        }
    }

    /// What the lenses show is out of date.
    fn verdicts_changed(&mut self) {
        if self.settings.refreshes_lenses {
            self.ask::<CodeLensRefreshRequest>(());
        }
    }
}
