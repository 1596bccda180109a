//! The state of a conversation, and what goes out.

use std::sync::mpsc::Sender;

use gen_lsp_types::{Notification as NotificationType, Request as RequestType};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::Value;

use super::answer::{Reply, RequestRefusal};
use super::diagnostics::Published;
use super::documents::Documents;
use super::event::Event;
use super::explorer::{Explorers, ServePage};
use super::outgoing::Outgoing;
use super::runs::Runs;
use super::scripts::Scripts;
use super::settings::Settings;

/// How far the conversation is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ConversationStage {
    /// Before `initialize`.
    Silent,
    Talking,
    /// After `shutdown`: only `exit` is left.
    ShutDown,
}

/// The state of a conversation.
pub(super) struct Server {
    client: Sender<Outgoing>,
    pub(super) events: Sender<Event>,
    pub(super) stage: ConversationStage,
    pub(super) settings: Settings,
    pub(super) documents: Documents,
    pub(super) scripts: Scripts,
    pub(super) runs: Runs,
    pub(super) explorers: Explorers,
    pub(super) published: Published,
    /// The number of the last request to the client.
    last_request: i32,
    /// Requests to the client for a token to report the progress of a run under.
    pub(super) tokens: Vec<(RequestId, u64)>,
}

impl Server {
    /// Talks to `client`; what happens beside the conversation comes by `events`.
    pub(super) fn new(
        client: Sender<Outgoing>,
        events: Sender<Event>,
        serve_page: Option<ServePage>,
    ) -> Self {
        Self {
            client,
            events,
            stage: ConversationStage::Silent,
            settings: Settings::of(&Value::Null),
            documents: Documents::default(),
            scripts: Scripts::default(),
            runs: Runs::default(),
            explorers: Explorers::new(serve_page),
            published: Published::default(),
            last_request: 0,
            tokens: Vec::new(),
        }
    }

    /// Whether something has changed and was not read again yet.
    pub(super) fn is_stale(&self) -> bool {
        self.scripts.are_stale()
    }

    // ---- What goes out

    /// Sends a message. If the client is gone, the thread that reads notices too.
    fn send(&self, message: impl Into<Message>) {
        let _ = self.client.send(Outgoing::Message(message.into()));
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
    pub(super) fn answer(&self, id: RequestId, answer: Reply<Value>) {
        self.send(match answer {
            Ok(value) => Response::new_ok(id, value),
            Err(refusal) => Response::new_err(id, refusal.code as i32, refusal.message),
        });
    }

    /// Answers a request whose id nobody can repeat.
    pub(super) fn answer_unidentified(&self) {
        let _ = self.client.send(Outgoing::Unidentified(RequestRefusal {
            code: ErrorCode::InvalidRequest,
            message: "the id of a request is a string, or a whole number of 32 bits".to_string(),
        }));
    }

    /// The answer to a request that was cancelled.
    pub(super) fn cancelled() -> RequestRefusal {
        RequestRefusal {
            code: ErrorCode::RequestCanceled,
            message: "the request was cancelled".to_string(),
        }
    }
}
