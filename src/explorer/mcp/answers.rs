//! The way of answers to the client: each is a line, but those to a batch are one line together.

use std::io::{self, Write};
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

/// The way of an answer.
#[derive(Clone)]
pub(super) enum AnswerWay {
    Alone,
    /// The line is written when the last of these ways is dropped: no more answers can come.
    Together(Arc<AnswerBatch>),
}

/// The answers to a batch so far.
#[derive(Default)]
pub(super) struct AnswerBatch(Mutex<Vec<Value>>);

impl AnswerWay {
    pub(super) fn answer(&self, answer: Value) -> io::Result<()> {
        match self {
            Self::Alone => say(&answer),
            Self::Together(batch) => {
                let mut answers = batch.0.lock().unwrap_or_else(PoisonError::into_inner);
                answers.push(answer);
                Ok(())
            }
        }
    }
}

impl Drop for AnswerBatch {
    fn drop(&mut self) {
        let answers = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        let answers = mem::take(answers);
        // Notifications have no answers, and what was cancelled has none.
        if !answers.is_empty() {
            // If it cannot be written, the next line cannot either, and that ends the program.
            let _ = say(&Value::Array(answers));
        }
    }
}

/// Writes a message. It is one line, whatever other threads write.
pub(super) fn say(message: &Value) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(format!("{message}\n").as_bytes())?;
    out.flush()
}
