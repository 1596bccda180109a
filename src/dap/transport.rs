//! The messages of the Debug Adapter Protocol: each a header with its length, and a JSON object.

use std::io::{self, BufRead, ErrorKind, Read, Write};

use serde_json::{Value, json};

/// The most bytes of a message. A longer one would fill the memory.
const LONGEST: usize = 64 << 20;

/// The most bytes of a line of a header.
const LONGEST_LINE: u64 = 1 << 10;

/// An editor, with the streams that lead to it.
pub(super) struct DebugClient<'c> {
    input: Box<dyn BufRead + 'c>,
    output: Box<dyn Write + 'c>,
    /// The number of the last message that was sent.
    sent: u64,
}

/// A request of the editor.
#[derive(Clone, Debug)]
pub(super) struct EditorRequest {
    sequence: Value,
    pub(super) command: String,
    pub(super) arguments: Value,
}

impl<'c> DebugClient<'c> {
    pub(super) fn new(input: impl BufRead + 'c, output: impl Write + 'c) -> Self {
        Self {
            input: Box::new(input),
            output: Box::new(output),
            sent: 0,
        }
    }

    /// The next request; `None` at the end of the input. Other messages are left out.
    pub(super) fn next(&mut self) -> io::Result<Option<EditorRequest>> {
        while let Some(message) = self.message()? {
            if message["type"] == "request" {
                return Ok(Some(EditorRequest {
                    sequence: message["seq"].clone(),
                    command: message["command"].as_str().unwrap_or_default().to_string(),
                    arguments: message["arguments"].clone(),
                }));
            }
        }
        Ok(None)
    }

    /// Answers `request`; `body` is null if the answer has none.
    pub(super) fn answer(&mut self, request: &EditorRequest, body: Value) -> io::Result<()> {
        let mut answer = json!({ "success": true });
        if !body.is_null() {
            answer["body"] = body;
        }
        self.respond(request, answer)
    }

    /// Answers `request` with the reason why it cannot be done.
    pub(super) fn refuse(&mut self, request: &EditorRequest, why: &str) -> io::Result<()> {
        // Braces in a format stand for variables, so that the text is one.
        let error = json!({ "id": 1, "format": "{why}", "variables": { "why": why } });
        let body = json!({ "error": error });
        self.respond(
            request,
            json!({ "success": false, "message": why, "body": body }),
        )
    }

    /// Tells the editor of an event.
    pub(super) fn event(&mut self, event: &str, body: Value) -> io::Result<()> {
        self.send(json!({ "type": "event", "event": event, "body": body }))
    }

    fn respond(&mut self, request: &EditorRequest, mut answer: Value) -> io::Result<()> {
        answer["type"] = json!("response");
        answer["request_seq"] = request.sequence.clone();
        answer["command"] = json!(request.command);
        self.send(answer)
    }

    fn send(&mut self, mut message: Value) -> io::Result<()> {
        self.sent += 1;
        message["seq"] = json!(self.sent);
        let text = message.to_string();
        write!(self.output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        self.output.flush()
    }

    fn message(&mut self) -> io::Result<Option<Value>> {
        let mut length = None;
        loop {
            let mut line = String::new();
            let mut limited = Read::take(&mut self.input, LONGEST_LINE);
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
        self.input.read_exact(&mut bytes)?;
        let message = serde_json::from_slice(&bytes);
        message
            .map(Some)
            .map_err(|error| broken(&format!("a message is no JSON: {error}")))
    }
}

fn broken(why: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requests(text: &str) -> io::Result<Vec<String>> {
        let mut client = DebugClient::new(text.as_bytes(), io::sink());
        let mut commands = Vec::new();
        while let Some(request) = client.next()? {
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

    #[test]
    fn answers_are_numbered_and_name_their_requests() {
        let mut sent = Vec::new();
        let input = framed(r#"{"seq":7,"type":"request","command":"next"}"#);
        {
            let mut client = DebugClient::new(input.as_bytes(), &mut sent);
            let request = client.next().expect("it is read").expect("it is there");
            client.answer(&request, json!({})).expect("it is written");
            client.refuse(&request, "{no}").expect("it is written");
        }
        let text = String::from_utf8(sent).expect("it is text");
        let bodies: Vec<Value> = text
            .split("Content-Length: ")
            .filter_map(|part| part.split_once("\r\n\r\n"))
            .map(|(length, body)| {
                assert_eq!(length.parse::<usize>().ok(), Some(body.len()));
                serde_json::from_str(body).expect("it is JSON")
            })
            .collect();
        assert_eq!(bodies[0]["request_seq"], 7);
        assert_eq!(
            (&bodies[0]["seq"], &bodies[1]["seq"]),
            (&json!(1), &json!(2))
        );
        assert_eq!(bodies[1]["body"]["error"]["variables"]["why"], "{no}");
    }
}
