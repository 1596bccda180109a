//! The events that reach the server: messages, each behind a header with its length, and reports of
//! runs.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, BufRead, Read};
use std::sync::mpsc::Receiver;
use std::time::Duration;

use lsp_server::{Message, RequestId};
use serde::de::IgnoredAny;
use serde_json::Value;

use host::files::LARGEST;

use super::outcome::CheckOutcome;

/// An event that the server takes.
#[derive(Debug)]
pub(crate) enum Event {
    /// A message of the client.
    Message(Message),
    /// A request whose id is of no kind that ids have.
    Unidentified,
    /// Input that is no message, with the reason.
    Malformed(String),
    /// Input after which the beginning of the next message cannot be found, with the reason.
    Lost(String),
    /// The client is gone, perhaps in the midst of a message.
    Closed,
    /// The progress of the run with this number, in words.
    Progress(u64, String),
    /// The outcome of the run with this number.
    Decided(u64, Box<CheckOutcome>),
}

impl From<io::Error> for Event {
    fn from(_: io::Error) -> Self {
        Self::Closed
    }
}

/// The most bytes of a message: a document of the largest size, each of whose characters JSON
/// writes as two.
const LONGEST: u64 = 2 * LARGEST;

/// The most bytes of a line of a header. Those that the protocol knows have less than 100.
const LONGEST_LINE: u64 = 1 << 12;

/// The next event. It takes no more memory than has come in, whatever length the header gives.
pub(crate) fn next_event(input: &mut dyn BufRead) -> Event {
    message(input).map_or_else(|event| event, Event::Message)
}

fn message(input: &mut dyn BufRead) -> Result<Message, Event> {
    let length = length(input)?;
    let mut text = Vec::new();
    input.take(length).read_to_end(&mut text)?;
    if (text.len() as u64) < length {
        return Err(Event::Closed);
    }
    match serde_json::from_slice(&text) {
        // A request is read as a notification if its id cannot be read.
        Ok(Message::Notification(_)) if !has_no_id(&text) => Err(Event::Unidentified),
        Ok(message) => Ok(message),
        Err(error) => Err(Event::Malformed(error.to_string())),
    }
}

/// True if the message `text` is an object without an id, even one that is no id.
fn has_no_id(text: &[u8]) -> bool {
    let keys = serde_json::from_slice::<BTreeMap<String, IgnoredAny>>(text);
    keys.is_ok_and(|keys| !keys.contains_key("id"))
}

/// The length that the next header gives.
fn length(input: &mut dyn BufRead) -> Result<u64, Event> {
    let lost = |message: String| Err(Event::Lost(message));
    let mut length = None;
    loop {
        let mut line = Vec::new();
        input.take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Err(Event::Closed);
        }
        let text = String::from_utf8_lossy(&line);
        let Some(content) = text.strip_suffix('\n') else {
            let text = shown(&text);
            return lost(format!("a header has the line {text}, which does not end"));
        };
        let content = content.trim_end_matches('\r');
        if content.is_empty() {
            let missing = || lost("a header has no Content-Length".to_string());
            return length.map_or_else(missing, Ok);
        }
        let Some((name, value)) = content.split_once(':') else {
            return lost(format!("a header has the line {}", shown(content)));
        };
        if name.trim().eq_ignore_ascii_case("Content-Length") {
            let given = number(value.trim()).or_else(lost)?;
            if length.replace(given).is_some() {
                return lost("a header has more than one Content-Length".to_string());
            }
        }
    }
}

/// The length that a header writes as `value`, or the reason why it is none.
fn number(value: &str) -> Result<u64, String> {
    let given = format!("Content-Length is {}", shown(value));
    if value.is_empty() || !value.bytes().all(|sign| sign.is_ascii_digit()) {
        return Err(format!("{given}, which is no length"));
    }
    // Digits that are too many for a number give a length that is too large.
    let length = value.parse().ok().filter(|&length| length <= LONGEST);
    length.ok_or_else(|| format!("{given}, and a message has {LONGEST} bytes at most"))
}

/// The beginning of `text`, for a message, in quotes.
fn shown(text: &str) -> String {
    let begin: String = text.chars().take(40).collect();
    let more = if begin.len() < text.len() { "…" } else { "" };
    format!("{begin:?}{more}")
}

/// The events that have come in and wait, in order.
pub(crate) struct Inbox {
    received: Receiver<Event>,
    waiting: VecDeque<Event>,
}

impl Inbox {
    /// An inbox without events.
    pub(crate) fn new(received: Receiver<Event>) -> Self {
        Self {
            received,
            waiting: VecDeque::new(),
        }
    }

    /// The events that wait, with those that have come in by now.
    fn waiting(&mut self) -> &mut VecDeque<Event> {
        self.waiting.extend(self.received.try_iter());
        &mut self.waiting
    }

    /// Waits for the next event and returns it.
    pub(crate) fn next(&mut self) -> Event {
        let next = self.waiting().pop_front();
        // If no sender is left, the client is gone too.
        next.unwrap_or_else(|| self.received.recv().unwrap_or(Event::Closed))
    }

    /// Waits for the next event, at most for `patience`, and returns it. Returns `None` if there is
    /// none by then.
    pub(crate) fn next_within(&mut self, patience: Duration) -> Option<Event> {
        let next = self.waiting().pop_front();
        next.or_else(|| self.received.recv_timeout(patience).ok())
    }

    /// True if nothing waits.
    pub(crate) fn is_empty(&mut self) -> bool {
        self.waiting().is_empty()
    }

    /// True if one of the messages that wait cancels `request`.
    pub(crate) fn cancels(&self, request: &RequestId) -> bool {
        self.waiting.iter().any(|event| match event {
            Event::Message(Message::Notification(note)) if note.method == "$/cancelRequest" => {
                cancelled_id(&note.params).as_ref() == Some(request)
            }
            _ => false,
        })
    }
}

/// The id of the request that a `$/cancelRequest` with these parameters cancels.
pub(crate) fn cancelled_id(parameters: &Value) -> Option<RequestId> {
    serde_json::from_value(parameters.get("id")?.clone()).ok()
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use lsp_server::Notification;
    use serde_json::json;

    use super::*;

    const NOTE: &str = r#"{"jsonrpc":"2.0","method":"exit"}"#;

    fn read(text: &str) -> Event {
        next_event(&mut text.as_bytes())
    }

    #[test]
    fn headers_are_read_as_clients_write_them() {
        let length = NOTE.len();
        for header in [
            format!("Content-Length: {length}\r\n"),
            format!("content-length:{length}\n"),
            format!("Content-Length: {length}\r\nContent-Type: application/vscode-jsonrpc\r\n"),
        ] {
            let message = read(&format!("{header}\r\n{NOTE}"));
            assert!(
                matches!(message, Event::Message(Message::Notification(_))),
                "{header}"
            );
        }
        assert!(matches!(read(""), Event::Closed));
    }

    #[test]
    fn a_header_that_says_no_length_is_refused() {
        for (header, expected) in [
            (
                "Content-Length: -1\r\n",
                "Content-Length is \"-1\", which is no length",
            ),
            (
                "Content-Length: +1\r\n",
                "Content-Length is \"+1\", which is no length",
            ),
            (
                "Content-Length: many\r\n",
                "Content-Length is \"many\", which is no length",
            ),
            (
                "Content-Length:\r\n",
                "Content-Length is \"\", which is no length",
            ),
            (
                "Content-Length: 999999999999\r\n",
                "Content-Length is \"999999999999\", and a message has 536870912 bytes at most",
            ),
            (
                "Content-Length: 99999999999999999999999\r\n",
                "Content-Length is \"99999999999999999999999\", and a message has 536870912 bytes at most",
            ),
            (
                "Content-Length: 33\r\nContent-Type: none\r\ncontent-length: 34\r\n",
                "a header has more than one Content-Length",
            ),
            (
                "Content-Length: 33\r\nContent-Length: 33\r\n",
                "a header has more than one Content-Length",
            ),
            ("Content-Type: none\r\n", "a header has no Content-Length"),
            ("\r\n", "a header has no Content-Length"),
            ("what is this\r\n", "a header has the line \"what is this\""),
        ] {
            match read(&format!("{header}\r\n{NOTE}")) {
                Event::Lost(message) => assert_eq!(message, expected),
                other => panic!("{header}: {other:?}"),
            }
        }
        let endless = "x".repeat(5000);
        assert!(matches!(read(&endless), Event::Lost(_)));
    }

    #[test]
    fn a_request_without_a_proper_id_is_no_notification() {
        let framed = |id: &str| {
            let text = format!(r#"{{"jsonrpc":"2.0",{id}"method":"m","params":{{"id":1.5}}}}"#);
            read(&format!("Content-Length: {}\r\n\r\n{text}", text.len()))
        };
        for id in ["null", "1.5", "true", "99999999999", "[]", "{\"id\":1}"] {
            let found = framed(&format!("\"id\":{id},"));
            assert!(matches!(found, Event::Unidentified), "{id}: {found:?}");
        }
        for id in ["1", "-1", "\"one\""] {
            let found = framed(&format!("\"id\":{id},"));
            assert!(
                matches!(found, Event::Message(Message::Request(_))),
                "{id}: {found:?}"
            );
        }
        assert!(matches!(
            framed(""),
            Event::Message(Message::Notification(_))
        ));
    }

    #[test]
    fn what_ends_too_soon_is_a_broken_pipe_and_what_is_no_json_is_passed_over() {
        assert!(matches!(read("Content-Length: 9\r\n"), Event::Closed));
        assert!(matches!(read("Content-Length: 9\r\n\r\n{}"), Event::Closed));
        assert!(matches!(
            read("Content-Length: 2\r\n\r\n{}"),
            Event::Malformed(_)
        ));
    }

    #[test]
    fn what_is_cancelled_while_it_waits_is_known_before_it_is_done() {
        let (sender, received) = mpsc::channel();
        let mut inbox = Inbox::new(received);
        assert!(inbox.is_empty());
        let cancel = |id: Value| {
            let note = Notification::new("$/cancelRequest".to_string(), json!({ "id": id }));
            Event::Message(Message::Notification(note))
        };
        sender.send(Event::Malformed(String::new())).unwrap();
        sender.send(cancel(json!(7))).unwrap();
        sender.send(cancel(json!("seven"))).unwrap();
        assert!(matches!(inbox.next(), Event::Malformed(_)));
        assert!(inbox.cancels(&RequestId::from(7)));
        assert!(inbox.cancels(&RequestId::from("seven".to_string())));
        assert!(!inbox.cancels(&RequestId::from("7".to_string())));
        drop(sender);
        assert!(matches!(inbox.next(), Event::Message(_)));
        assert!(matches!(inbox.next(), Event::Message(_)));
        assert!(matches!(inbox.next(), Event::Closed));
    }
}
