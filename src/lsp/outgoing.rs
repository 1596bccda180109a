//! Messages as they go out over the pipe.

use std::io::{self, Write};

use lsp_server::Message;
use serde_json::{Value, json};

use super::answer::RequestRefusal;

/// What is sent to the client.
pub(super) enum Outgoing {
    Message(Message),
    /// The answer to a request whose id nobody can repeat: it has the id null.
    Unidentified(RequestRefusal),
}

impl Outgoing {
    /// Writes it with its header.
    pub(super) fn write(self, out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Message(message) => message.write(out),
            Self::Unidentified(refusal) => {
                let text = unidentified(refusal).to_string();
                write!(out, "Content-Length: {}\r\n\r\n{text}", text.len())?;
                out.flush()
            }
        }
    }

    /// What the protocol has of it behind the header.
    pub(super) fn json(self) -> serde_json::Result<Value> {
        let message = match self {
            Self::Message(message) => message,
            Self::Unidentified(refusal) => return Ok(unidentified(refusal)),
        };
        let mut value = serde_json::to_value(message)?;
        if let Value::Object(keys) = &mut value {
            keys.insert("jsonrpc".to_string(), json!("2.0"));
        }
        Ok(value)
    }
}

fn unidentified(refusal: RequestRefusal) -> Value {
    let error = json!({ "code": refusal.code as i32, "message": refusal.message });
    json!({ "jsonrpc": "2.0", "id": Value::Null, "error": error })
}

#[cfg(test)]
mod tests {
    use lsp_server::ErrorCode;

    use super::*;

    #[test]
    fn an_answer_to_nobody_is_framed_like_any_message() {
        let mut out = Vec::new();
        let refusal = RequestRefusal {
            code: ErrorCode::InvalidRequest,
            message: "é".to_string(),
        };
        Outgoing::Unidentified(refusal).write(&mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        let (header, text) = out.split_once("\r\n\r\n").unwrap();
        assert_eq!(header, format!("Content-Length: {}", text.len()));
        let answer: Value = serde_json::from_str(text).unwrap();
        let error = json!({ "code": -32600, "message": "é" });
        assert_eq!(
            answer,
            json!({ "jsonrpc": "2.0", "id": null, "error": error })
        );
    }
}
