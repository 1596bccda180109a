//! One message after the other: what each asks for, and who does it.

use gen_lsp_types::{
    DidChangeTextDocumentNotification, DidCloseTextDocumentNotification,
    DidOpenTextDocumentNotification, ExecuteCommandRequest, LogMessageNotification,
    LogMessageParams, MessageType, Notification as NotificationType,
    PublishDiagnosticsNotification,
};
use lsp_server::{ErrorCode, Message, Notification, Request};
use serde_json::Value;

use host::fault::caught;
use host::status::Status;

use super::answer::{RequestRefusal, read, to_value};
use super::event::Event;
use super::inbox::{Inbox, cancelled};
use super::server::{ConversationStage, Server};
use super::settings::Settings;

impl Server {
    /// Does what `event` asks for. Returns the exit status if the program is to end.
    pub(super) fn take(&mut self, event: Event, inbox: &Inbox) -> Option<Status> {
        match event {
            Event::Message(Message::Request(request)) => self.request(request, inbox),
            Event::Message(Message::Response(response)) => self.response(&response),
            Event::Message(Message::Notification(note)) => return self.notification(note),
            Event::Unidentified => self.answer_unidentified(),
            Event::Malformed(reason) => self.log(format!("this is no message: {reason}")),
            Event::Lost(reason) => {
                self.log(format!("{reason}, so this is the end"));
                return Some(Status::Error);
            }
            Event::Progress(number, how_far) => self.progress(number, how_far),
            Event::Decided(number, outcome) => self.decided(number, *outcome),
            // The client should have said good-bye.
            Event::Closed => return Some(Status::Fails),
        }
        None
    }

    // ---- Notifications

    fn notification(&mut self, note: Notification) -> Option<Status> {
        // `exit` counts at every stage, even before `initialize`.
        if note.method == "exit" {
            return Some(match self.stage {
                ConversationStage::ShutDown => Status::Holds,
                _ => Status::Fails,
            });
        }
        if self.stage != ConversationStage::Talking {
            return None;
        }
        match note.method.as_str() {
            "$/cancelRequest" => {
                if let Some(id) = cancelled(&note.params) {
                    self.cancel_request(&id);
                }
            }
            "window/workDoneProgress/cancel" => self.cancel_token(&note.params),
            "textDocument/didOpen" => {
                if let Some(parameters) = self.read_note::<DidOpenTextDocumentNotification>(note) {
                    let name = self.documents.open(parameters.text_document);
                    self.changed(&name);
                }
            }
            "textDocument/didChange" => {
                if let Some(parameters) = self.read_note::<DidChangeTextDocumentNotification>(note)
                {
                    let encoding = self.settings.encoding;
                    let (id, changes) = (&parameters.text_document, parameters.content_changes);
                    let name = self.documents.change(id, changes, encoding);
                    if let Some(name) = name.map(str::to_string) {
                        self.changed(&name);
                    }
                }
            }
            "textDocument/didClose" => {
                if let Some(parameters) = self.read_note::<DidCloseTextDocumentNotification>(note)
                    && let Some(name) = self.documents.close(&parameters.text_document.uri)
                {
                    self.changed(&name);
                }
            }
            // Files that are included, and not open, may have changed.
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => {
                self.scripts.changed_on_disk();
            }
            _ => {}
        }
        None
    }

    /// Notes a mistake of the client where it keeps such notes.
    fn log(&self, message: String) {
        self.notify::<LogMessageNotification>(LogMessageParams {
            kind: MessageType::Error,
            message,
        });
    }

    /// The parameters of a notification. A wrong notification gets no answer, but a line in the
    /// log.
    fn read_note<N: NotificationType>(&self, note: Notification) -> Option<N::Params> {
        match serde_json::from_value(note.params) {
            Ok(parameters) => Some(parameters),
            Err(error) => {
                self.log(format!(
                    "the parameters of {} are wrong: {error}",
                    note.method
                ));
                None
            }
        }
    }

    /// Notes that the file `name` has changed: its verdicts mean nothing any more.
    fn changed(&mut self, name: &str) {
        self.scripts.changed(name);
        let of_it = self
            .scripts
            .iter()
            .filter(|(_, script)| script.file(name).is_some());
        let scripts: Vec<String> = of_it.map(|(script, _)| script.to_string()).collect();
        self.outdate(&scripts);
    }

    /// Reads again what has changed, and sends the client what is wrong now.
    pub(super) fn refresh(&mut self) {
        let renewed = self.scripts.refresh(&self.documents);
        // What changed on disk shows only now.
        self.outdate(&renewed);
        self.publish(&renewed);
    }

    /// Sends the client the messages of the scripts `renewed`, and all others that have changed.
    pub(super) fn publish(&mut self, renewed: &[String]) {
        let encoding = self.settings.encoding;
        let messages = self.published.update(
            &self.documents,
            &self.scripts,
            &self.runs,
            encoding,
            renewed,
        );
        for message in messages {
            self.notify::<PublishDiagnosticsNotification>(message);
        }
    }

    // ---- Requests

    fn request(&mut self, request: Request, inbox: &Inbox) {
        let Request { id, method, params } = request;
        if let Some(refusal) = self.out_of_place(&method) {
            return self.answer(id, Err(refusal));
        }
        if inbox.cancels(&id) {
            return self.answer(id, Err(Self::cancelled()));
        }
        match method.as_str() {
            "initialize" => {
                self.settings = Settings::of(&params);
                let include_root = self.settings.include_root.clone();
                self.documents.include_from(include_root);
                self.stage = ConversationStage::Talking;
                let capabilities = self.settings.capabilities();
                self.answer(id, to_value(&capabilities));
            }
            "shutdown" => {
                self.stage = ConversationStage::ShutDown;
                self.cancel_all();
                self.answer(id, Ok(Value::Null));
            }
            "workspace/executeCommand" => match read::<ExecuteCommandRequest>(params) {
                Ok(parameters) => self.execute(id, parameters),
                Err(refusal) => self.answer(id, Err(refusal)),
            },
            _ => {
                if self.is_stale() {
                    self.refresh();
                }
                let answer = caught(|| self.about_text(&method, params));
                self.answer(
                    id,
                    answer.unwrap_or_else(|problem| Err(RequestRefusal::fault(&problem))),
                );
            }
        }
    }

    /// Why a request cannot be answered at this stage.
    fn out_of_place(&self, method: &str) -> Option<RequestRefusal> {
        let (code, message) = match (self.stage, method) {
            (ConversationStage::Silent, "initialize") => return None,
            (ConversationStage::Silent, _) => (
                ErrorCode::ServerNotInitialized,
                "the first request has to be initialize",
            ),
            (ConversationStage::Talking, "initialize") => (
                ErrorCode::InvalidRequest,
                "initialize has been asked for already",
            ),
            (ConversationStage::Talking, _) => return None,
            (ConversationStage::ShutDown, _) => {
                (ErrorCode::InvalidRequest, "the server has been shut down")
            }
        };
        Some(RequestRefusal {
            code,
            message: message.to_string(),
        })
    }
}
