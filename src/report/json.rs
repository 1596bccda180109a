//! The JSON objects that are printed: what each begins with, and the JSON Schema of all of them.

#[cfg(feature = "cli")]
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::Serialize;
#[cfg(feature = "cli")]
use serde_json::json;

#[cfg(feature = "cli")]
use super::{
    assertion::AssertionReport,
    machine::{MachineDescription, MachineFailure},
    message::MessageReport,
    symmetry::{SymmetryDescription, SymmetryFailure},
    value::{TypeReport, ValueReport},
};

/// The version of the schema. It changes when a key goes, or means something else; not when one is added.
const VERSION: u32 = 1;

// A report as it is printed. This is no documentation, because the schema describes the report by its own.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(JsonSchema), schemars(rename = "{T}"))]
pub(crate) struct Printed<T> {
    /// The version of this schema.
    #[cfg_attr(feature = "cli", schemars(extend("const" = VERSION)))]
    schema: u32,
    #[serde(flatten)]
    report: T,
}

impl<T: Serialize> Printed<T> {
    /// `report` with the version before its own keys.
    pub(crate) fn of(report: T) -> Self {
        Self {
            schema: VERSION,
            report,
        }
    }
}

/// `report` as one line of JSON.
pub(super) fn json<T: Serialize>(report: &T) -> String {
    // Strings, numbers and lists under fixed keys: there is nothing in the reports that JSON cannot hold.
    serde_json::to_string(&Printed::of(report)).unwrap_or_else(|_| "null".to_string())
}

/// The JSON Schema of all objects, in several lines.
#[cfg(feature = "cli")]
pub(crate) fn schema() -> String {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut generator = settings.into_generator();
    let objects = [
        generator.subschema_for::<Printed<AssertionReport>>(),
        generator.subschema_for::<Printed<ValueReport>>(),
        generator.subschema_for::<Printed<TypeReport>>(),
        generator.subschema_for::<Printed<MachineDescription>>(),
        generator.subschema_for::<Printed<MachineFailure>>(),
        generator.subschema_for::<Printed<SymmetryDescription>>(),
        generator.subschema_for::<Printed<SymmetryFailure>>(),
        generator.subschema_for::<Printed<MessageReport>>(),
    ];
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "cspsym --format json",
        "description": "One object, printed on one line. Where a description says that something is absent, it is null.",
        "anyOf": objects,
        "$defs": generator.take_definitions(true),
    });
    format!("{schema:#}\n")
}
