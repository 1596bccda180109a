//! Tests of the fields of events.

use process::event::{TAU, TICK};

use super::with_script;

/// The fields of the events of `expression`, a sequence: their texts, those of datatypes in
/// brackets with the number of the datatype.
fn fields(script: &str, expression: &str) -> Vec<Vec<String>> {
    with_script(script, expression, |evaluator, id| {
        let trace = evaluator.trace_of(id).expect("a sequence of events");
        let events = trace.into_iter();
        let told = events.map(|event| {
            let fields = evaluator.event_fields(event).into_iter();
            let told = fields.map(|field| match field.datatype {
                Some(number) => format!("[{}: {number}]", field.text),
                None => field.text,
            });
            told.collect()
        });
        told.collect()
    })
}

#[test]
fn fields_are_those_that_are_declared() {
    let script = "
        datatype A = X | Y.{0..1}
        datatype B = Z
        channel none
        channel c : {0..3}.A.B
        channel pair : ({0..1}, A)
        channel either : {X, Y.0}
    ";
    let found = fields(
        script,
        "<none, c.3.Y.1.Z, c.0.X.Z, pair.(1, X), either.Y.0>",
    );
    let no_fields: [&str; 0] = [];
    assert_eq!(found[0], no_fields);
    assert_eq!(found[1], ["3", "[Y.1: 0]", "[Z: 1]"]);
    assert_eq!(found[2], ["0", "[X: 0]", "[Z: 1]"]);
    assert_eq!(found[3], ["(1, X)"]);
    assert_eq!(found[4], ["[Y.0: 0]"]);
}

#[test]
fn events_of_no_script_have_no_fields() {
    with_script("", "0", |evaluator, _| {
        assert_eq!(evaluator.event_fields(TAU), []);
        assert_eq!(evaluator.event_fields(TICK), []);
    });
}
