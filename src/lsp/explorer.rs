//! The page of a script, opened from the editor.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use gen_lsp_types::{
    MessageType, ShowDocumentParams, ShowDocumentRequest, ShowMessageNotification,
    ShowMessageParams, Uri,
};
use lsp_server::{ErrorCode, RequestId, Response};
use serde_json::Value;

use host::fault::caught;
use host::files::Files;

use super::answer::{Reply, RequestRefusal, not_open};
use super::protocol::{GRAPH, STEP};
use super::server::Server;

/// Serves the page of a script in a thread of its own, and returns its address.
pub(super) type ServePage = fn(&str, &mut Files) -> io::Result<String>;

/// The pages that are served, and those that the client was asked to show.
pub(super) struct Explorers {
    /// What serves them; `None` where nobody stays to be served.
    serve: Option<ServePage>,
    /// By script, the address of its page: one server for each, however often it is asked for.
    addresses: BTreeMap<String, String>,
    /// Requests to show a page, with its address.
    asked: Vec<(RequestId, String)>,
}

impl Explorers {
    /// No page is served yet.
    pub(super) fn new(serve: Option<ServePage>) -> Self {
        Self {
            serve,
            addresses: BTreeMap::new(),
            asked: Vec::new(),
        }
    }
}

impl Server {
    /// Opens the page of a script at a process: the arguments are the URI of the script, and the
    /// process. The answer is the address.
    pub(super) fn explore(&mut self, id: RequestId, command: &str, arguments: &[Value]) {
        let address = self.page(command, arguments);
        if let Ok(address) = &address {
            self.show(address.clone());
        }
        self.answer(id, address.map(Value::String));
    }

    /// The address of the page that a command asks for.
    fn page(&mut self, command: &str, arguments: &[Value]) -> Reply<String> {
        let [Value::String(uri), Value::String(process)] = arguments else {
            let message = "expected the URI of a script and a process";
            return Err(RequestRefusal::parameters(message));
        };
        let uri = Uri(uri.clone());
        let document = self.documents.get(&uri).ok_or_else(|| not_open(&uri))?;
        let script = self.scripts.of(document);
        let (script, ..) = script.ok_or_else(|| not_open(&uri))?;
        let script = script.to_string();
        let refused = |message: String| RequestRefusal {
            code: ErrorCode::RequestFailed,
            message,
        };
        if !Path::new(&script).is_file() {
            let message = "save the script first: the page reads it from the disk";
            return Err(refused(message.to_string()));
        }
        let address = match self.explorers.addresses.get(&script) {
            Some(address) => address.clone(),
            None => {
                let Some(serve) = self.explorers.serve else {
                    let message = "pages are served in a conversation that goes on: `cspsym lsp`";
                    return Err(refused(message.to_string()));
                };
                let mut files = self.documents.files();
                // What a script does to its reader is no matter to the conversation.
                let served = caught(|| serve(&script, &mut files));
                let served = served.map_err(|problem| RequestRefusal::fault(&problem))?;
                let address = served
                    .map_err(|error| refused(format!("the page cannot be served: {error}")))?;
                self.explorers.addresses.insert(script, address.clone());
                address
            }
        };
        let tab = match command {
            GRAPH => "graph",
            STEP => "walk",
            _ => "checks",
        };
        Ok(format!("{address}#tab={tab}&process={}", encoded(process)))
    }

    /// Shows a page in the browser, or says where it is.
    fn show(&mut self, address: String) {
        if !self.settings.shows_documents {
            return self.say_where(&address);
        }
        let request = self.ask::<ShowDocumentRequest>(ShowDocumentParams {
            uri: Uri(address.clone()),
            external: Some(true),
            take_focus: Some(true),
            selection: None,
        });
        self.explorers.asked.push((request, address));
    }

    /// Tells the address of a page.
    fn say_where(&self, address: &str) {
        self.notify::<ShowMessageNotification>(ShowMessageParams {
            kind: MessageType::Info,
            message: format!("open {address}"),
        });
    }

    /// The client has answered a request to show a page, if it was one.
    pub(super) fn shown(&mut self, response: &Response) {
        let asked = &mut self.explorers.asked;
        let asked_for = asked.iter().position(|(id, _)| *id == response.id);
        let Some((_, address)) = asked_for.map(|at| asked.remove(at)) else {
            return;
        };
        let result = response.response_result.as_ref().ok();
        let is_shown = result.and_then(|result| result.get("success")?.as_bool());
        if is_shown != Some(true) {
            self.say_where(&address);
        }
    }
}

/// `text` as a value behind `#`.
fn encoded(text: &str) -> String {
    let each = text.bytes().map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'.' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    });
    each.collect()
}
