//! The version with which each printed JSON object begins.

#[cfg(feature = "cli")]
use schemars::JsonSchema;
use serde::Serialize;

/// The version of the schema. It changes when a key goes, or means something else; not when one is
/// added.
const VERSION: u32 = 1;

// The schema describes a printed object by the documentation of the report inside: a doc comment
// here would stand in the schema instead of it.
#[allow(missing_docs)]
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(JsonSchema), schemars(rename = "{T}"))]
pub struct Printed<T> {
    /// The version of this schema.
    #[cfg_attr(feature = "cli", schemars(extend("const" = VERSION)))]
    schema: u32,
    #[serde(flatten)]
    report: T,
}

impl<T: Serialize> Printed<T> {
    /// `report` with the version before its own keys.
    pub fn of(report: T) -> Self {
        Self {
            schema: VERSION,
            report,
        }
    }
}

/// `report` as one line of JSON, without the newline.
pub fn json<T: Serialize>(report: &T) -> String {
    // Strings, numbers and lists under fixed keys: there is nothing in the reports that JSON cannot
    // hold.
    serde_json::to_string(&Printed::of(report)).unwrap_or_else(|_| "null".to_string())
}
