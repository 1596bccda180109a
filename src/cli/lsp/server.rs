//! One message after the other: what each asks for, and who answers it.

use std::sync::mpsc::Sender;

use gen_lsp_types::{
    CodeActionRequest, CodeLensRequest, CompletionContext, CompletionList, CompletionRequest,
    CompletionResponse, DidChangeTextDocumentNotification, DidCloseTextDocumentNotification,
    DidOpenTextDocumentNotification, DocumentSymbolRequest, ExecuteCommandRequest,
    LogMessageNotification, LogMessageParams, MessageType, Notification as NotificationType,
    Position, PublishDiagnosticsNotification, Request as RequestType, TextDocumentPositionParams,
    Uri,
};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::cli::fault::caught;
use crate::cli::status::Status;
use crate::diag::Diagnostic;
use crate::source::FileId;

use super::Event;
use super::analysis::Analysis;
use super::completion::complete;
use super::definition::definition;
use super::diagnostics::{Places, Published};
use super::documents::Documents;
use super::hover::hover;
use super::inbox::{Inbox, cancelled};
use super::lens::{actions, lenses};
use super::names::Occurrence;
use super::runs::Runs;
use super::scripts::Scripts;
use super::settings::Settings;
use super::symbols::symbols;

/// How far the conversation is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nobody has said hello.
    Silent,
    Talking,
    /// Only good-bye is left to say.
    ShutDown,
}

/// Why a request has no answer.
pub(super) struct Refusal {
    pub(super) code: ErrorCode,
    pub(super) message: String,
}

/// An answer, or why there is none.
pub(super) type Answer<T> = std::result::Result<T, Refusal>;

/// The state of a conversation.
pub(super) struct Server {
    client: Sender<Message>,
    pub(super) events: Sender<Event>,
    stage: Stage,
    pub(super) settings: Settings,
    pub(super) documents: Documents,
    pub(super) scripts: Scripts,
    pub(super) runs: Runs,
    published: Published,
    /// The number of the last request to the client.
    last_request: i32,
    /// Requests to the client for a token to report the progress of a run under.
    pub(super) tokens: Vec<(RequestId, u64)>,
}

impl Refusal {
    /// Something is wrong with the parameters of a request.
    pub(super) fn parameters(message: impl Into<String>) -> Self {
        Self {
            code: ErrorCode::InvalidParams,
            message: message.into(),
        }
    }

    /// Something is wrong with this program.
    fn fault(problem: &Diagnostic) -> Self {
        Self {
            code: ErrorCode::InternalError,
            message: problem.message.clone(),
        }
    }
}

impl Server {
    /// Talks to `client`; what happens beside the conversation comes by `events`.
    pub(super) fn new(client: Sender<Message>, events: Sender<Event>) -> Self {
        Self {
            client,
            events,
            stage: Stage::Silent,
            settings: Settings::of(&Value::Null),
            documents: Documents::default(),
            scripts: Scripts::default(),
            runs: Runs::default(),
            published: Published::default(),
            last_request: 0,
            tokens: Vec::new(),
        }
    }

    /// Whether something has changed that was not looked at yet.
    pub(super) fn is_stale(&self) -> bool {
        self.scripts.are_stale()
    }

    /// Does what `event` asks for; the exit status, if that is to end.
    pub(super) fn take(&mut self, event: Event, inbox: &Inbox) -> Option<Status> {
        match event {
            Event::Message(Message::Request(request)) => self.request(request, inbox),
            Event::Message(Message::Response(response)) => self.response(&response),
            Event::Message(Message::Notification(note)) => return self.notification(note),
            Event::Malformed(reason) => {
                self.notify::<LogMessageNotification>(LogMessageParams {
                    kind: MessageType::Error,
                    message: format!("this is no message: {reason}"),
                });
            }
            Event::Progress(number, how_far) => self.progress(number, how_far),
            Event::Decided(number, outcome) => self.decided(number, *outcome),
            // The client should have said good-bye.
            Event::Closed => return Some(Status::Fails),
        }
        None
    }

    // ---- What goes out

    /// Sends a message. If the client is gone, that comes by the other way too.
    fn send(&self, message: impl Into<Message>) {
        let _ = self.client.send(message.into());
    }

    /// Sends a notification.
    pub(super) fn notify<N: NotificationType>(&self, parameters: N::Params) {
        let note = Notification::new(N::METHOD.as_str().to_string(), parameters);
        self.send(note);
    }

    /// Sends a request; its number.
    pub(super) fn ask<R: RequestType>(&mut self, parameters: R::Params) -> RequestId {
        self.last_request += 1;
        let id = RequestId::from(self.last_request);
        let method = R::METHOD.as_str().to_string();
        self.send(Request::new(id.clone(), method, parameters));
        id
    }

    /// Answers a request.
    pub(super) fn answer(&self, id: RequestId, answer: Answer<Value>) {
        self.send(match answer {
            Ok(value) => Response::new_ok(id, value),
            Err(refusal) => Response::new_err(id, refusal.code as i32, refusal.message),
        });
    }

    // ---- Notifications

    fn notification(&mut self, note: Notification) -> Option<Status> {
        if note.method == "exit" {
            return Some(match self.stage {
                Stage::ShutDown => Status::Holds,
                _ => Status::Fails,
            });
        }
        if self.stage != Stage::Talking {
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

    /// The parameters of a notification. To one that is wrong there is no answer; it is said in the log.
    fn read_note<N: NotificationType>(&self, note: Notification) -> Option<N::Params> {
        match serde_json::from_value(note.params) {
            Ok(parameters) => Some(parameters),
            Err(error) => {
                self.notify::<LogMessageNotification>(LogMessageParams {
                    kind: MessageType::Error,
                    message: format!("the parameters of {} are wrong: {error}", note.method),
                });
                None
            }
        }
    }

    /// Notes that the file `name` has changed; what is decided of it means nothing any more.
    fn changed(&mut self, name: &str) {
        self.scripts.changed(name);
        let of_it = self
            .scripts
            .iter()
            .filter(|(_, script)| script.file(name).is_some());
        let scripts: Vec<String> = of_it.map(|(script, _)| script.to_string()).collect();
        self.outdate(&scripts);
    }

    /// Looks at what has changed, and says what is wrong now.
    pub(super) fn refresh(&mut self) {
        let renewed = self.scripts.refresh(&self.documents);
        // What changed on disk shows only now.
        self.outdate(&renewed);
        self.publish(&renewed);
    }

    /// Tells the client the messages of the scripts `renewed`, and whatever else has changed.
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
                self.stage = Stage::Talking;
                let capabilities = self.settings.capabilities();
                self.answer(id, to_value(&capabilities));
            }
            "shutdown" => {
                self.stage = Stage::ShutDown;
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
                    answer.unwrap_or_else(|problem| Err(Refusal::fault(&problem))),
                );
            }
        }
    }

    /// What is asked about the text of a document.
    fn about_text(&self, method: &str, params: Value) -> Answer<Value> {
        match method {
            "textDocument/hover" => self.about_name(params, hover),
            "textDocument/definition" => self.about_name(params, definition),
            "textDocument/documentSymbol" => {
                answered::<DocumentSymbolRequest>(params, |parameters| {
                    let is_tree = self.settings.has_symbol_trees;
                    let uri = &parameters.text_document.uri;
                    self.located(uri, |_, analysis, places, file| {
                        Some(symbols(analysis, &places, file, is_tree))
                    })
                })
            }
            "textDocument/codeLens" => answered::<CodeLensRequest>(params, |parameters| {
                self.located(
                    &parameters.text_document.uri,
                    |script, analysis, places, file| {
                        Some(lenses(analysis, &places, script, file, &self.runs))
                    },
                )
            }),
            "textDocument/codeAction" => answered::<CodeActionRequest>(params, |parameters| {
                let uri = &parameters.text_document.uri;
                self.located(uri, |script, analysis, places, file| {
                    let lenses = lenses(analysis, &places, script, file, &self.runs);
                    Some(actions(lenses, parameters.range))
                })
            }),
            "textDocument/completion" => answered::<CompletionRequest>(params, |parameters| {
                let place = &parameters.text_document_position_params;
                let context = parameters.context.as_ref();
                let list = self.completion(&place.text_document.uri, place.position, context)?;
                Ok(Some(CompletionResponse::CompletionList(list)))
            }),
            _ => Err(Refusal {
                code: ErrorCode::MethodNotFound,
                message: format!("{method} is not supported"),
            }),
        }
    }

    /// What is to be found about the file `uri` in the script that it belongs to, by name.
    fn located<T>(
        &self,
        uri: &Uri,
        find: impl FnOnce(&str, &Analysis, Places<'_>, FileId) -> Option<T>,
    ) -> Answer<Option<T>> {
        let Some(document) = self.documents.get(uri) else {
            return Err(not_open(uri));
        };
        Ok(self
            .scripts
            .of(document)
            .and_then(|(script, analysis, file)| {
                let places = Places {
                    documents: &self.documents,
                    sources: &analysis.sources,
                    encoding: self.settings.encoding,
                };
                find(script, analysis, places, file)
            }))
    }

    /// What is to be found about the name at the place that `params` give.
    fn about_name<T: Serialize>(
        &self,
        params: Value,
        find: impl FnOnce(&Analysis, &Places<'_>, &Occurrence) -> Option<T>,
    ) -> Answer<Value> {
        let place: TextDocumentPositionParams = parsed(params)?;
        let uri = &place.text_document.uri;
        let found = self.located(uri, |_, analysis, places, file| {
            let document = self.documents.get(uri)?;
            let at = document.byte(place.position, self.settings.encoding);
            find(analysis, &places, analysis.names.at(file, at as u32)?)
        });
        to_value(&found?)
    }

    /// A single colon is typed on the way to `::`; for it alone nobody wants a list of all names.
    fn completion(
        &self,
        uri: &Uri,
        position: Position,
        context: Option<&CompletionContext>,
    ) -> Answer<CompletionList> {
        let Some(document) = self.documents.get(uri) else {
            return Err(not_open(uri));
        };
        let encoding = self.settings.encoding;
        let typed = context.and_then(|context| context.trigger_character.as_deref());
        let before = &document.text[..document.byte(position, encoding)];
        if typed == Some(":") && !before.ends_with("::") {
            return Ok(CompletionList::default());
        }
        let (documents, scripts) = (&self.documents, &self.scripts);
        Ok(complete(documents, scripts, document, position, encoding))
    }

    /// Why a request cannot be answered at this stage.
    fn out_of_place(&self, method: &str) -> Option<Refusal> {
        let (code, message) = match (self.stage, method) {
            (Stage::Silent, "initialize") => return None,
            (Stage::Silent, _) => (
                ErrorCode::ServerNotInitialized,
                "the first request has to be initialize",
            ),
            (Stage::Talking, "initialize") => (
                ErrorCode::InvalidRequest,
                "initialize has been asked for already",
            ),
            (Stage::Talking, _) => return None,
            (Stage::ShutDown, _) => (ErrorCode::InvalidRequest, "the server has been shut down"),
        };
        Some(Refusal {
            code,
            message: message.to_string(),
        })
    }

    /// What a request is answered that nobody wants an answer to any more.
    pub(super) fn cancelled() -> Refusal {
        Refusal {
            code: ErrorCode::RequestCanceled,
            message: "the request was cancelled".to_string(),
        }
    }
}

/// What is said of a document that the client has not opened.
pub(super) fn not_open(uri: &Uri) -> Refusal {
    Refusal::parameters(format!("{uri} is not open"))
}

/// The parameters of a request.
fn read<R: RequestType>(parameters: Value) -> Answer<R::Params> {
    parsed(parameters)
}

fn parsed<T: DeserializeOwned>(parameters: Value) -> Answer<T> {
    serde_json::from_value(parameters).map_err(|error| Refusal::parameters(error.to_string()))
}

/// Answers a request by `answer`; what that finds is what the protocol says, or null.
fn answered<R: RequestType>(
    parameters: Value,
    answer: impl FnOnce(R::Params) -> Answer<R::Result>,
) -> Answer<Value> {
    to_value(&answer(read::<R>(parameters)?)?)
}

/// As JSON.
pub(super) fn to_value(answer: &impl Serialize) -> Answer<Value> {
    serde_json::to_value(answer).map_err(|error| Refusal {
        code: ErrorCode::InternalError,
        message: error.to_string(),
    })
}
