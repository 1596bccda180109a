//! `cspsym lsp`: a language server on standard input and output.

#![doc = include_str!("README.md")]

mod analysis;
mod answer;
mod commands;
mod comments;
mod completion;
pub mod conversation;
mod definition;
mod diagnostics;
mod documents;
mod event;
mod explorer;
mod fixes;
mod formatting;
mod frames;
mod hover;
mod inbox;
mod included;
mod incoming;
mod lens;
mod outcome;
mod outgoing;
mod positions;
mod protocol;
mod questions;
mod references;
mod rename;
mod runs;
mod scripts;
mod semantic;
mod server;
mod settings;
mod signature;
mod symbols;
mod unfinished;

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use host::fault;
use host::status::Status;

use event::Event;
use explorer::ServePage;
use frames::{FrameError, next_message};
use inbox::Inbox;
use outgoing::Outgoing;
use server::Server;

/// Serves an editor until it sends `exit` or is gone. Pages are served by `serve_page`.
pub fn run(serve_page: ServePage) -> io::Result<Status> {
    fault::survive_panics();
    let (events, received) = mpsc::channel();
    let (sent, outgoing) = mpsc::channel();
    let incoming = events.clone();
    thread::Builder::new().spawn(move || read(&mut io::stdin().lock(), &incoming))?;
    let writer = thread::Builder::new().spawn(move || write(&outgoing))?;
    let status = serve(
        Inbox::new(received),
        Server::new(sent, events, Some(serve_page)),
    );
    // The writer ends once the last sender is gone, with the server.
    match writer.join() {
        Ok(written) => written.map(|()| status),
        Err(_) => Ok(Status::Error),
    }
}

fn serve(mut inbox: Inbox, mut server: Server) -> Status {
    loop {
        settle(&mut inbox, &mut server);
        if let Some(status) = server.take(inbox.next(), &inbox) {
            return status;
        }
    }
}

/// Reads again what has changed, if no message waits.
fn settle(inbox: &mut Inbox, server: &mut Server) {
    if server.is_stale() && inbox.is_empty() {
        server.refresh();
    }
}

/// Reads messages up to the last.
fn read(input: &mut dyn BufRead, events: &Sender<Event>) {
    loop {
        let event = match next_message(input) {
            Ok(Some(message)) => Event::Message(message),
            Err(FrameError::Id) => Event::Unidentified,
            Err(FrameError::Text(reason)) => Event::Malformed(reason),
            Err(FrameError::Header(reason)) => Event::Lost(reason),
            Ok(None) | Err(FrameError::Pipe) => Event::Closed,
        };
        let is_last = matches!(event, Event::Closed | Event::Lost(_));
        // The receiver is gone only if the program is already ending.
        if events.send(event).is_err() || is_last {
            return;
        }
    }
}

/// Writes messages as long as there is somebody to send them.
fn write(messages: &Receiver<Outgoing>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for message in messages {
        message.write(&mut out)?;
    }
    out.flush()
}
