//! Messages as they come in over the pipe: a header that says how long each is, and its text.

use std::io::{self, BufRead, Read};

use lsp_server::Message;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

use host::files::LARGEST;

/// How many bytes a message may have: a document of the largest size, of which every second
/// character is written as two.
const LONGEST: u64 = 2 * LARGEST;

/// How many bytes a line of a header may have. Those that the protocol knows have less than 100.
const LONGEST_LINE: u64 = 1 << 12;

/// Why a message was not read.
#[derive(Debug)]
pub(super) enum FrameError {
    /// Its text is no message, but the next one can be read.
    Text(String),
    /// It is a request with an id that is none, but the next one can be read.
    Id,
    /// Nobody knows where the next message begins.
    Header(String),
    /// The pipe is broken, or ends in the midst of a message.
    Pipe,
}

impl From<io::Error> for FrameError {
    fn from(_: io::Error) -> Self {
        Self::Pipe
    }
}

/// The next message. Returns `None` if there are no more. No more memory is taken than has come
/// in, whatever length the header gives.
pub(super) fn next_message(input: &mut dyn BufRead) -> Result<Option<Message>, FrameError> {
    let Some(length) = length(input)? else {
        return Ok(None);
    };
    let mut text = Vec::new();
    input.take(length).read_to_end(&mut text)?;
    if (text.len() as u64) < length {
        return Err(FrameError::Pipe);
    }
    match serde_json::from_slice(&text) {
        // Read without its id, a request is a notification.
        Ok(Message::Notification(_)) if has_id(&text) => Err(FrameError::Id),
        Ok(message) => Ok(Some(message)),
        Err(error) => Err(FrameError::Text(error.to_string())),
    }
}

/// Whether the message `text` has an id, whatever that is.
fn has_id(text: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Identified {
        #[serde(default, rename = "id", deserialize_with = "is_there")]
        has_id: bool,
    }
    fn is_there<'de, D: Deserializer<'de>>(id: D) -> Result<bool, D::Error> {
        IgnoredAny::deserialize(id).map(|_| true)
    }
    serde_json::from_slice::<Identified>(text).is_ok_and(|message| message.has_id)
}

/// The length that the next header gives. Returns `None` if there is no further header.
fn length(input: &mut dyn BufRead) -> Result<Option<u64>, FrameError> {
    let mut length = None;
    let mut is_first = true;
    loop {
        let mut line = Vec::new();
        input.take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return match is_first {
                true => Ok(None),
                false => Err(FrameError::Pipe),
            };
        }
        is_first = false;
        let text = String::from_utf8_lossy(&line);
        let Some(content) = text.strip_suffix('\n') else {
            return Err(header(format!(
                "a header has the line {}, which does not end",
                shown(&text)
            )));
        };
        let content = content.trim_end_matches('\r');
        if content.is_empty() {
            let missing = || header("a header has no Content-Length".to_string());
            return length.ok_or_else(missing).map(Some);
        }
        let Some((name, value)) = content.split_once(':') else {
            return Err(header(format!("a header has the line {}", shown(content))));
        };
        if name.trim().eq_ignore_ascii_case("Content-Length") {
            let given = number(value.trim())?;
            if length.replace(given).is_some() {
                let message = "a header has more than one Content-Length";
                return Err(header(message.to_string()));
            }
        }
    }
}

/// The length that a header writes as `value`.
fn number(value: &str) -> Result<u64, FrameError> {
    let is_number = !value.is_empty() && value.bytes().all(|sign| sign.is_ascii_digit());
    if !is_number {
        return Err(header(format!(
            "Content-Length is {}, which is no length",
            shown(value)
        )));
    }
    // Digits that are no number are too many.
    match value.parse::<u64>() {
        Ok(length) if length <= LONGEST => Ok(length),
        _ => Err(header(format!(
            "Content-Length is {}, and a message has {LONGEST} bytes at most",
            shown(value)
        ))),
    }
}

fn header(message: String) -> FrameError {
    FrameError::Header(message)
}

/// The beginning of `text`, in quotes.
fn shown(text: &str) -> String {
    let begin: String = text.chars().take(40).collect();
    match begin.len() < text.len() {
        true => format!("{begin:?}…"),
        false => format!("{begin:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTE: &str = r#"{"jsonrpc":"2.0","method":"exit"}"#;

    fn read(text: &str) -> Result<Option<Message>, FrameError> {
        next_message(&mut text.as_bytes())
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
                matches!(message, Ok(Some(Message::Notification(_)))),
                "{header}"
            );
        }
        assert!(matches!(read(""), Ok(None)));
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
                Err(FrameError::Header(message)) => assert_eq!(message, expected),
                other => panic!("{header}: {other:?}"),
            }
        }
        let endless = "x".repeat(5000);
        assert!(matches!(read(&endless), Err(FrameError::Header(_))));
    }

    #[test]
    fn a_request_without_a_proper_id_is_no_notification() {
        let framed = |id: &str| {
            let text = format!(r#"{{"jsonrpc":"2.0",{id}"method":"m","params":{{"id":1.5}}}}"#);
            read(&format!("Content-Length: {}\r\n\r\n{text}", text.len()))
        };
        for id in ["null", "1.5", "true", "99999999999", "[]", "{\"id\":1}"] {
            let found = framed(&format!("\"id\":{id},"));
            assert!(matches!(found, Err(FrameError::Id)), "{id}: {found:?}");
        }
        for id in ["1", "-1", "\"one\""] {
            let found = framed(&format!("\"id\":{id},"));
            assert!(
                matches!(found, Ok(Some(Message::Request(_)))),
                "{id}: {found:?}"
            );
        }
        assert!(matches!(framed(""), Ok(Some(Message::Notification(_)))));
    }

    #[test]
    fn what_ends_too_soon_is_a_broken_pipe_and_what_is_no_json_is_passed_over() {
        assert!(matches!(
            read("Content-Length: 9\r\n"),
            Err(FrameError::Pipe)
        ));
        assert!(matches!(
            read("Content-Length: 9\r\n\r\n{}"),
            Err(FrameError::Pipe)
        ));
        assert!(matches!(
            read("Content-Length: 2\r\n\r\n{}"),
            Err(FrameError::Text(_))
        ));
    }
}
