//! The outcome of evaluating one expression.

use serde::Serialize;

use super::assertion::json;

/// The JSON object printed by `eval`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ValueReport {
    /// The script, as it was named.
    pub file: String,
    /// The expression, as it was given.
    pub expression: String,
    /// Its value as CSPm; absent if there is none.
    pub value: Option<String>,
    /// Why there is no value, in one line that begins with the code of the message.
    pub message: Option<String>,
}

impl ValueReport {
    /// One line of JSON, without the newline.
    pub fn json(&self) -> String {
        json(self)
    }
}
