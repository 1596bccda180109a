//! A whole conversation at once: what an editor says, and all that the server answers.

use std::collections::BTreeMap;
use std::sync::mpsc;
use std::time::Duration;

use lsp_server::{Request, RequestId};
use serde_json::{Value, json};

use base::cancel::Cancellation;
use base::diag::{Diagnostic, Result};
use host::files::Readable;

use super::event::Event;
use super::inbox::Inbox;
use super::outgoing::Outgoing;
use super::server::Server;
use super::settle;

/// Between two looks at the clock while a check runs.
const INTERVAL: Duration = Duration::from_millis(20);

/// What the server says to `messages`, in its order. A conversation that does not begin with
/// `initialize` is begun for the editor, and that answer is left out. At the end the server is shut
/// down, after all checks that were asked for. Only files that are `readable` are read, and `texts`
/// instead of files on the disk. Fails if `token` ends the work.
pub fn converse(
    messages: &[Value],
    texts: &BTreeMap<String, String>,
    readable: &Readable,
    token: &Cancellation,
) -> Result<Vec<Value>> {
    let (events, received) = mpsc::channel();
    let (sent, outgoing) = mpsc::channel();
    let mut server = Server::new(sent, events.clone(), None);
    server.documents.read_from(readable.clone(), texts.clone());
    let mut inbox = Inbox::new(received);
    let first = messages.first().and_then(|first| first.get("method"));
    let is_begun = first.and_then(Value::as_str) == Some("initialize");
    let opening = (!is_begun).then(|| Event::Message(opening().into()));
    for event in opening.into_iter().chain(messages.iter().map(event)) {
        // The receiver is above, so that this cannot fail.
        let _ = events.send(event);
    }
    let talked = talk(&mut inbox, &mut server, token);
    // Also if the time is over: no thread goes on for nobody.
    server.cancel_all();
    talked?;
    // Nothing is sent any more once the server, which holds the sender, is gone.
    drop(server);
    let skipped = usize::from(!is_begun);
    outgoing.into_iter().skip(skipped).map(said).collect()
}

/// Takes all messages, and waits for the checks that they ask for.
fn talk(inbox: &mut Inbox, server: &mut Server, token: &Cancellation) -> Result<()> {
    loop {
        token.check()?;
        settle(inbox, server);
        if inbox.is_empty() && server.runs.iter().next().is_none() {
            return Ok(());
        }
        if let Some(event) = inbox.next_within(INTERVAL)
            && server.take(event, inbox).is_some()
        {
            return Ok(());
        }
    }
}

/// The request with which an editor begins that has nothing to say of itself.
fn opening() -> Request {
    let id = RequestId::from("initialize".to_string());
    Request::new(id, "initialize".to_string(), json!({ "capabilities": {} }))
}

fn event(message: &Value) -> Event {
    match serde_json::from_value(message.clone()) {
        Ok(message) => Event::Message(message),
        Err(error) => Event::Malformed(error.to_string()),
    }
}

/// A message as the protocol has it.
fn said(message: Outgoing) -> Result<Value> {
    message
        .json()
        .map_err(|error| Box::new(Diagnostic::error("internal-error", error.to_string())))
}
