//! The state of a conversation: answers to messages, and messages to the client.

use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::Sender;

use gen_lsp_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    MessageType, ProgressToken,
};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::Serialize;
use serde_json::{Value, json};

use host::fault::caught;
use host::files::Files;
use host::framing::Framing;
use host::status::Status;

use super::diagnostics::{Published, update};
use super::incoming::{Event, Inbox, cancelled_id};
use super::protocol::{Outgoing, Reply, cancelled, fault, parsed, refusal};
use super::runs::Runs;
use super::scripts::Scripts;
use super::settings::Settings;

/// Serves the page of a script in a thread of its own, where some may frame it, and returns its
/// address.
pub(crate) type ServePage = fn(&str, &Framing, &mut Files) -> io::Result<String>;

/// The stages of a conversation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lifecycle {
    /// Before `initialize`.
    Silent,
    Talking,
    /// After `shutdown`: only `exit` is left.
    ShutDown,
}

/// A request to the client.
pub(crate) enum ClientRequest {
    /// A request to take reports of the progress of the run with this number.
    Progress(u64),
    /// A request to show the page with this address.
    Page(String),
}

/// The state of a conversation.
pub(crate) struct Server {
    client: Sender<Outgoing>,
    /// Takes the events that happen beside the conversation.
    pub(crate) events: Sender<Event>,
    stage: Lifecycle,
    pub(crate) settings: Settings,
    pub(crate) scripts: Scripts,
    pub(crate) runs: Runs,
    /// Serves pages; `None` where nobody stays to be served.
    pub(crate) serve_page: Option<ServePage>,
    /// The address of the page of a script, by the name of the script.
    pub(crate) pages: BTreeMap<String, String>,
    published: Published,
    /// The number of the last request to the client.
    last_request: i32,
    /// Requests to the client whose answers matter.
    pub(crate) asked: BTreeMap<RequestId, ClientRequest>,
}

impl Server {
    /// A server that talks to `client`. What happens beside the conversation goes to `events`.
    pub(crate) fn new(
        client: Sender<Outgoing>,
        events: Sender<Event>,
        serve_page: Option<ServePage>,
    ) -> Self {
        Self {
            client,
            events,
            stage: Lifecycle::Silent,
            settings: Settings::of(&Value::Null),
            scripts: Scripts::default(),
            runs: Runs::default(),
            serve_page,
            pages: BTreeMap::new(),
            published: Published::default(),
            last_request: 0,
            asked: BTreeMap::new(),
        }
    }

    /// Does what `event` asks for. Returns the exit status if the program is to end.
    pub(crate) fn take(&mut self, event: Event, inbox: &Inbox) -> Option<Status> {
        match event {
            Event::Message(Message::Request(request)) => self.request(request, inbox),
            Event::Message(Message::Response(response)) => self.response(response),
            Event::Message(Message::Notification(note)) => return self.notification(note),
            Event::Unidentified => {
                let message = "the id of a request is a string, or a whole number of 32 bits";
                let error = refusal(ErrorCode::InvalidRequest, message);
                let answer = json!({ "jsonrpc": "2.0", "id": null, "error": error });
                self.send(Outgoing::Unidentified(answer));
            }
            Event::Malformed(reason) => self.log(format!("this is no message: {reason}")),
            Event::Lost(reason) => {
                self.log(format!("{reason}, so this is the end"));
                return Some(Status::Error);
            }
            Event::Progress(number, how_far) => self.progress(number, &how_far),
            Event::Decided(number, outcome) => self.decided(number, *outcome),
            // The client should have sent `exit` before.
            Event::Closed => return Some(Status::Fails),
        }
        None
    }

    // ---- Notifications

    fn notification(&mut self, note: Notification) -> Option<Status> {
        let method = note.method.as_str();
        match self.stage {
            // `exit` counts at every stage, even before `initialize`.
            Lifecycle::ShutDown if method == "exit" => return Some(Status::Holds),
            _ if method == "exit" => return Some(Status::Fails),
            Lifecycle::Talking => {
                // A wrong notification gets no answer, but a line in the log.
                if let Err(wrong) = self.note(method, note.params) {
                    let reason = wrong.message;
                    self.log(format!("the parameters of {method} are wrong: {reason}"));
                }
            }
            Lifecycle::Silent | Lifecycle::ShutDown => {}
        }
        None
    }

    fn note(&mut self, method: &str, params: Value) -> Reply<()> {
        let documents = &mut self.scripts.documents;
        let changed = match method {
            "textDocument/didOpen" => {
                let asked: DidOpenTextDocumentParams = parsed(params)?;
                Some(documents.open(asked.text_document))
            }
            "textDocument/didChange" => {
                let asked: DidChangeTextDocumentParams = parsed(params)?;
                documents.change(&asked.text_document, asked.content_changes)
            }
            "textDocument/didClose" => {
                let asked: DidCloseTextDocumentParams = parsed(params)?;
                documents.close(&asked.text_document.uri)
            }
            // Files that are included, and not open, may have changed.
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => {
                self.scripts.changed_on_disk();
                None
            }
            "$/cancelRequest" => {
                if let Some(id) = cancelled_id(&params) {
                    self.cancel(|run| run.request == id, &cancelled());
                }
                None
            }
            // The user has clicked on cancel where progress is shown.
            "window/workDoneProgress/cancel" => {
                let token = params.get("token").cloned().unwrap_or_default();
                if let Ok(token) = parsed::<ProgressToken>(token) {
                    self.cancel(|run| run.token.as_ref() == Some(&token), &cancelled());
                }
                None
            }
            _ => None,
        };
        if let Some(name) = changed {
            // The verdicts of the script mean nothing any more.
            self.scripts.changed(&name);
            let of_it = self.scripts.iter().filter(|script| script.has(&name));
            let scripts: Vec<String> = of_it.map(|script| script.name.clone()).collect();
            self.outdate(&scripts);
        }
        Ok(())
    }

    /// Reads changed scripts again, and sends the client their messages.
    pub(crate) fn refresh(&mut self) {
        if self.scripts.are_stale {
            let renewed = self.scripts.refresh();
            // A change on disk shows only now.
            self.outdate(&renewed);
            self.publish(&renewed);
        }
    }

    /// Sends the client the messages of the scripts `renewed`, and all others that have changed.
    pub(crate) fn publish(&mut self, renewed: &[String]) {
        for messages in update(&mut self.published, &self.scripts, &self.runs, renewed) {
            self.notify("textDocument/publishDiagnostics", messages);
        }
    }

    // ---- Requests

    fn request(&mut self, request: Request, inbox: &Inbox) {
        let id = request.id.clone();
        if let Some(answer) = self.reply(request, inbox).transpose() {
            self.answer(id, answer);
        }
    }

    /// The answer to a request. Returns `None` if it comes later.
    fn reply(&mut self, request: Request, inbox: &Inbox) -> Reply<Option<Value>> {
        let Request { id, method, params } = request;
        match (self.stage, method.as_str()) {
            (Lifecycle::ShutDown, _) => {
                let message = "the server has been shut down";
                Err(refusal(ErrorCode::InvalidRequest, message))
            }
            (Lifecycle::Talking, "initialize") => {
                let message = "initialize has been asked for already";
                Err(refusal(ErrorCode::InvalidRequest, message))
            }
            (Lifecycle::Silent, method) if method != "initialize" => {
                let message = "the first request has to be initialize";
                Err(refusal(ErrorCode::ServerNotInitialized, message))
            }
            _ if inbox.cancels(&id) => Err(cancelled()),
            (_, "initialize") => {
                self.settings = Settings::of(&params);
                self.scripts.documents.encoding = self.settings.encoding;
                self.scripts.documents.include_root = self.settings.include_root.clone();
                self.stage = Lifecycle::Talking;
                Ok(Some(self.settings.capabilities()))
            }
            (_, "shutdown") => {
                self.stage = Lifecycle::ShutDown;
                self.cancel_all();
                Ok(Some(Value::Null))
            }
            (_, "workspace/executeCommand") => self.execute(id, params),
            (_, method) => {
                self.refresh();
                let answer = caught(|| self.about_text(method, params));
                answer.or_else(fault)?.map(Some)
            }
        }
    }

    // ---- Messages to the client

    /// Sends a message.
    fn say(&self, message: impl Into<Message>) {
        let (jsonrpc, message) = ("2.0", message.into());
        self.send(Outgoing::Message { jsonrpc, message });
    }

    /// Sends a message. If the client is gone, the thread that reads notices that, too.
    fn send(&self, outgoing: Outgoing) {
        let _ = self.client.send(outgoing);
    }

    /// Sends a notification.
    pub(crate) fn notify(&self, method: &str, parameters: impl Serialize) {
        self.say(Notification::new(method.to_string(), parameters));
    }

    /// Sends a request. Returns its number.
    pub(crate) fn ask(&mut self, method: &str, parameters: Value) -> RequestId {
        self.last_request += 1;
        let id = RequestId::from(self.last_request);
        self.say(Request::new(id.clone(), method.to_string(), parameters));
        id
    }

    /// Answers a request.
    pub(crate) fn answer(&self, id: RequestId, response_result: Reply<Value>) {
        self.say(Response {
            id,
            response_result,
        });
    }

    /// Shows a message to the user of the editor.
    pub(crate) fn show_message(&self, kind: MessageType, message: String) {
        let parameters = json!({ "type": kind, "message": message });
        self.notify("window/showMessage", parameters);
    }

    /// Notes a mistake of the client in the log that it keeps.
    fn log(&self, message: String) {
        let parameters = json!({ "type": MessageType::Error, "message": message });
        self.notify("window/logMessage", parameters);
    }
}
