//! `cspsym lsp`: a language server on standard input and output.

#![doc = include_str!("README.md")]

mod actions;
mod analysis;
mod commands;
mod completion;
mod diagnostics;
mod documents;
mod formatting;
mod incoming;
mod names;
mod open_call;
mod outcome;
mod positions;
mod protocol;
mod questions;
mod rename;
mod runs;
mod scripts;
mod semantic;
mod server;
mod settings;
mod signature;
mod symbols;
mod unfinished;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use lsp_server::{Message, Request, RequestId};
use serde_json::{Value, json};

use base::cancel::Cancellation;
use base::diag::{Diagnostic, Result};
use host::fault;
use host::files::Readable;
use host::status::Status;

use incoming::{Event, Inbox, next_event};
use protocol::Outgoing;
use server::{ServePage, Server};

/// The time between two looks at the clock while a check runs.
const INTERVAL: Duration = Duration::from_millis(20);

/// Serves an editor until it sends `exit` or is gone. Pages are served by `serve_page`.
pub fn run(serve_page: ServePage) -> io::Result<Status> {
    fault::survive_panics();
    let (events, received) = mpsc::channel();
    let (client, sent) = mpsc::channel();
    let incoming = events.clone();
    thread::Builder::new().spawn(move || read(&incoming))?;
    let writer = thread::Builder::new().spawn(move || write(&sent))?;
    let mut inbox = Inbox::new(received);
    let mut server = Server::new(client, events, Some(serve_page));
    let status = loop {
        settle(&mut inbox, &mut server);
        if let Some(status) = server.take(inbox.next(), &inbox) {
            break status;
        }
    };
    // The writer ends once the last sender is gone, with the server.
    drop(server);
    match writer.join() {
        Ok(written) => written.map(|()| status),
        Err(_) => Ok(Status::Error),
    }
}

/// Reads changed scripts again, if no message waits.
fn settle(inbox: &mut Inbox, server: &mut Server) {
    if inbox.is_empty() {
        server.refresh();
    }
}

/// Reads messages up to the last.
fn read(events: &Sender<Event>) {
    let mut input = io::stdin().lock();
    loop {
        let event = next_event(&mut input);
        let is_last = matches!(event, Event::Closed | Event::Lost(_));
        // The receiver is gone only if the program is already ending.
        if events.send(event).is_err() || is_last {
            return;
        }
    }
}

/// Writes messages as long as there is a sender.
fn write(messages: &Receiver<Outgoing>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for message in messages {
        let text = serde_json::to_string(&message)?;
        write!(out, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        out.flush()?;
    }
    Ok(())
}

/// A whole conversation at once: returns the messages of the server to `messages`, in its order. If
/// `messages` do not begin with `initialize`, it is sent for the editor, and its answer is left
/// out. At the end the server is shut down, after all checks that were asked for. Only files that
/// are `readable` are read, and `texts` instead of files on the disk. Fails if `token` ends the
/// work.
pub fn converse(
    messages: &[Value],
    texts: &BTreeMap<String, String>,
    readable: &Readable,
    token: &Cancellation,
) -> Result<Vec<Value>> {
    let (events, received) = mpsc::channel();
    let (client, sent) = mpsc::channel();
    let mut server = Server::new(client, events.clone(), None);
    server.scripts.documents.readable = readable.clone();
    server.scripts.documents.texts = texts.clone();
    let is_begun = messages
        .first()
        .is_some_and(|first| first["method"] == "initialize");
    let opening = (!is_begun).then(|| {
        let id = RequestId::from("initialize".to_string());
        let parameters = json!({ "capabilities": {} });
        Event::Message(Request::new(id, "initialize".to_string(), parameters).into())
    });
    let events_of = messages.iter().map(|message| {
        let message = serde_json::from_value::<Message>(message.clone());
        message.map_or_else(|error| Event::Malformed(error.to_string()), Event::Message)
    });
    for event in opening.into_iter().chain(events_of) {
        // The receiver lives in this function, so that this cannot fail.
        let _ = events.send(event);
    }
    let talked = talk(Inbox::new(received), &mut server, token);
    // Checks end even if the time is over, so that no thread goes on for nobody.
    server.cancel_all();
    talked?;
    // Nothing is sent any more once the server, which holds the sender, is gone.
    drop(server);
    let said = sent.into_iter().skip(usize::from(!is_begun));
    let said: serde_json::Result<Vec<Value>> = said.map(serde_json::to_value).collect();
    said.map_err(|error| Box::new(Diagnostic::error("internal-error", error.to_string())))
}

/// Takes all messages, and waits for the checks that they ask for.
fn talk(mut inbox: Inbox, server: &mut Server, token: &Cancellation) -> Result<()> {
    loop {
        token.check()?;
        settle(&mut inbox, server);
        if inbox.is_empty() && server.runs.is_empty() {
            return Ok(());
        }
        if let Some(event) = inbox.next_within(INTERVAL)
            && server.take(event, &inbox).is_some()
        {
            return Ok(());
        }
    }
}
