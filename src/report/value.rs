//! The report on one expression: its value, or its type.

use serde::Serialize;

/// The JSON object printed by `eval`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ValueReport {
    /// The script, as it was named.
    pub file: String,
    /// The expression, as it was given.
    pub expression: String,
    /// Its value as CSPm; absent if there is none.
    pub value: Option<String>,
    /// The elements of a finite set, ascending, or of a finite sequence, in their order; left out
    /// if the value is neither.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elements: Option<Vec<String>>,
    /// The reason why there is no value, in one line that begins with the code of the message.
    pub message: Option<String>,
}

/// The JSON object printed by `type`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct TypeReport {
    /// The script, as it was named.
    pub file: String,
    /// The expression, as it was given.
    pub expression: String,
    /// Its type in FDR's notation; absent if it has none.
    #[serde(rename = "type")]
    pub ty: Option<String>,
    /// The reason why there is no type, in one line that begins with the code of the message.
    pub message: Option<String>,
}
