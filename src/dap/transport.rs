//! The answers and events of the Debug Adapter Protocol, and the requests that they are about.

use std::io::{self, Write};

use serde_json::{Value, json};

use base::cancel::Cancellation;

use super::incoming::{EditorRequest, EditorRequests};

/// An editor: what it asks, and the stream that leads to it.
pub(super) struct DebugClient<'c> {
    requests: EditorRequests,
    output: Box<dyn Write + 'c>,
    /// The number of the last message that was sent.
    sent: u64,
}

impl<'c> DebugClient<'c> {
    pub(super) fn new(requests: EditorRequests, output: impl Write + 'c) -> Self {
        Self {
            requests,
            output: Box::new(output),
            sent: 0,
        }
    }

    /// The next request; `None` at the end of the input.
    pub(super) fn next(&mut self) -> io::Result<Option<EditorRequest>> {
        self.requests.next()
    }

    /// The token that ends all work once the editor is gone.
    pub(super) fn gone(&self) -> &Cancellation {
        self.requests.gone()
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_numbered_and_name_their_requests() {
        let mut sent = Vec::new();
        let text = r#"{"seq":7,"type":"request","command":"next"}"#;
        let input = format!("Content-Length: {}\r\n\r\n{text}", text.len());
        {
            let mut client = DebugClient::new(EditorRequests::of(&input), &mut sent);
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
