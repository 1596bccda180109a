//! The JSON Schema of all objects that are printed.

use schemars::generate::SchemaSettings;
use serde_json::json;

use super::api::{ApiAnswer, ApiNews};
use super::assertion::AssertionReport;
use super::channels::ChannelGraph;
use super::graph::{GraphFailure, StateGraph};
use super::json::Printed;
use super::lab::{GradeReport, LabReport, TaskReport};
use super::machine::{MachineDescription, MachineFailure};
use super::message::MessageReport;
use super::symmetry::{SymmetryDescription, SymmetryFailure};
use super::value::{TypeReport, ValueReport};
use super::walk::SavedWalk;

/// The JSON Schema of all objects, in several lines.
pub fn schema() -> String {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut generator = settings.into_generator();
    // An object that is printed by itself comes before those of which it is a part: so it has the
    // plain name.
    let objects = [
        generator.subschema_for::<Printed<MessageReport>>(),
        generator.subschema_for::<Printed<AssertionReport>>(),
        generator.subschema_for::<Printed<ValueReport>>(),
        generator.subschema_for::<Printed<TypeReport>>(),
        generator.subschema_for::<Printed<MachineDescription>>(),
        generator.subschema_for::<Printed<ChannelGraph>>(),
        generator.subschema_for::<Printed<MachineFailure>>(),
        generator.subschema_for::<Printed<StateGraph>>(),
        generator.subschema_for::<Printed<GraphFailure>>(),
        generator.subschema_for::<Printed<SymmetryDescription>>(),
        generator.subschema_for::<Printed<SymmetryFailure>>(),
        generator.subschema_for::<Printed<SavedWalk>>(),
        generator.subschema_for::<Printed<ApiAnswer>>(),
        generator.subschema_for::<Printed<ApiNews>>(),
        generator.subschema_for::<Printed<LabReport>>(),
        generator.subschema_for::<Printed<TaskReport>>(),
        generator.subschema_for::<Printed<GradeReport>>(),
    ];
    // The definitions are complete only now: the calls above have collected them.
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "cspsym --format json",
        "description": "One object, printed on one line. Where a description says that something is absent, it is null.",
        "anyOf": objects,
        "$defs": generator.take_definitions(true),
    });
    format!("{schema:#}\n")
}
