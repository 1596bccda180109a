//! The requests of an editor, each a header with its length and a JSON object. They are read ahead,
//! so that the end of the input ends what is worked on.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

use serde_json::Value;

use base::cancel::Cancellation;

/// The most bytes of a message. A longer one would fill the memory.
const LONGEST: usize = 64 << 20;

/// The most bytes of a line of a header.
const LONGEST_LINE: u64 = 1 << 10;

/// The most requests that are read ahead. The end of the input is seen if fewer wait before it.
const AHEAD: usize = 100;

/// A request of the editor.
#[derive(Clone, Debug)]
pub(super) struct EditorRequest {
    pub(super) sequence: Value,
    pub(super) command: String,
    pub(super) arguments: Value,
}

/// The requests, in their order.
pub(super) struct EditorRequests {
    received: Receiver<io::Result<EditorRequest>>,
    gone: Cancellation,
}

impl EditorRequests {
    /// Begins to read standard input.
    pub(super) fn start() -> io::Result<Self> {
        let (requests, received) = mpsc::sync_channel(AHEAD);
        let gone = Cancellation::new();
        let is_gone = gone.clone();
        thread::Builder::new().spawn(move || {
            read(&mut BufReader::new(io::stdin().lock()), &requests);
            // Nobody waits for what is worked on.
            is_gone.cancel();
        })?;
        Ok(Self { received, gone })
    }

    /// The next request; `None` at the end of the input.
    pub(super) fn next(&self) -> io::Result<Option<EditorRequest>> {
        self.received.recv().ok().transpose()
    }

    /// The token that ends all work once the editor is gone.
    pub(super) fn gone(&self) -> &Cancellation {
        &self.gone
    }

    /// The requests in `text`, after which the input has ended.
    #[cfg(test)]
    pub(super) fn of(text: &str) -> Self {
        let (requests, received) = mpsc::sync_channel(AHEAD);
        read(&mut text.as_bytes(), &requests);
        let gone = Cancellation::new();
        Self { received, gone }
    }
}

/// Reads requests until the input ends. Other messages are left out.
fn read(input: &mut dyn BufRead, requests: &SyncSender<io::Result<EditorRequest>>) {
    while let Some(message) = message(input).transpose() {
        let is_last = message.is_err();
        let request = match message {
            Ok(message) if message["type"] != "request" => continue,
            message => message.map(|message| EditorRequest {
                sequence: message["seq"].clone(),
                command: message["command"].as_str().unwrap_or_default().to_string(),
                arguments: message["arguments"].clone(),
            }),
        };
        // Without a receiver the program is about to end.
        if requests.send(request).is_err() || is_last {
            break;
        }
    }
}

/// The next message; `None` at the end of the input.
fn message(input: &mut dyn BufRead) -> io::Result<Option<Value>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        let mut limited = Read::take(&mut *input, LONGEST_LINE);
        if limited.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim();
        if line.is_empty() && length.is_some() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let length = length.filter(|length| *length <= LONGEST);
    let length = length.ok_or_else(|| broken("a message has no length that can be"))?;
    let mut bytes = vec![0; length];
    input.read_exact(&mut bytes)?;
    let message = serde_json::from_slice(&bytes);
    message
        .map(Some)
        .map_err(|error| broken(&format!("a message is no JSON: {error}")))
}

fn broken(why: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requests(text: &str) -> io::Result<Vec<String>> {
        let requests = EditorRequests::of(text);
        let mut commands = Vec::new();
        while let Some(request) = requests.next()? {
            commands.push(request.command);
        }
        Ok(commands)
    }

    fn framed(text: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{text}", text.len())
    }

    #[test]
    fn messages_have_a_length_before_them() {
        let first = framed(r#"{"seq":1,"type":"request","command":"é"}"#);
        let note = framed(r#"{"seq":2,"type":"response"}"#);
        let other = "X-Other: 1\r\ncontent-length:  39\r\n\r\n{\"type\":\"request\",\"command\":\"second\"}  ";
        let found = requests(&(first + &note + other)).expect("they are messages");
        assert_eq!(found, ["é", "second"]);
    }

    #[test]
    fn what_is_no_message_is_an_error() {
        for broken in [
            framed("{"),
            "Content-Length: 99999999999\r\n\r\n{}".to_string(),
            "Content-Length: 10\r\n\r\n{}".to_string(),
            "Content-Length: -1\r\n\r\nContent-Length: 2\r\n\r\n[".to_string(),
        ] {
            assert!(requests(&broken).is_err(), "{broken}");
        }
        assert_eq!(requests("").expect("the end is none"), Vec::<String>::new());
    }
}
