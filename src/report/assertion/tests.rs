//! The JSON object of an assertion, and reports that other tests render.

use pretty_assertions::assert_eq;

use super::*;

pub(crate) fn failing_report() -> AssertionReport {
    AssertionReport {
        assertion: Some("SPEC [T= SYSTEM".to_string()),
        kind: Some(Kind::Refinement),
        model: Some("T".into()),
        verdict: Verdict::Fail,
        algorithm: Some("Check".into()),
        states: Some(579_733),
        transitions: Some(2_000_000),
        levels: Some(61),
        specification: Some(SpecificationReport { states: 2 }),
        machine: Some(MachineReport {
            leaves: 2,
            leaf_states: vec![3, 4],
            rules: 5,
        }),
        counterexample: Some(Counterexample {
            kind: CounterexampleKind::Trace,
            trace: vec!["enter.A".to_string()],
            event: Some("enter.B".to_string()),
            trace_with_taus: vec![
                TraceStep::Hidden("set.A".to_string()),
                TraceStep::Visible("enter.A".to_string()),
                TraceStep::Internal,
            ],
            sentence: "After <enter.A> the implementation can do enter.B, which the specification does not allow.".to_string(),
            ..Counterexample::default()
        }),
        seconds: Seconds {
            load: 0.5,
            compile: 0.25,
            symmetry: 0.0,
            explore: 1.5,
            total: 2.25,
            ..Seconds::default()
        },
        memory_bytes: Some(27_827_184),
        ..AssertionReport::new("mutex.csp")
    }
}

pub(crate) fn reduced_report() -> AssertionReport {
    let strings = |words: &[&str]| words.iter().map(|word| word.to_string()).collect();
    AssertionReport {
        verdict: Verdict::Pass,
        algorithm: Some("SymCheck3".into()),
        representative: Some("genRep".into()),
        states: Some(25_833),
        transitions: Some(128_720),
        symmetry: Some(SymmetryReport {
            order: "24".to_string(),
            structure: "S4".to_string(),
            generators: strings(&["(P1 P2)", "(P1 P2 P3 P4)"]),
            universal: false,
            types: vec![TypeSymmetry {
                name: "ID".to_string(),
                free: vec![strings(&["P1", "P2", "P3", "P4"])],
                turning: Vec::new(),
                fixed: strings(&["P5"]),
                complete: true,
            }],
            detection: Some(DetectionDescription {
                complete: true,
                steps: 17,
            }),
            unique: true,
            extra_states: None,
        }),
        counterexample: None,
        seconds: Seconds {
            load: 0.5,
            compile: 0.25,
            symmetry: 0.125,
            explore: 0.125,
            total: 1.0,
            ..Seconds::default()
        },
        memory_bytes: Some(1_048_576),
        ..failing_report()
    }
}

#[test]
fn json_has_the_documented_keys_in_the_documented_order() {
    let expected = concat!(
        r#"{"schema":1,"file":"mutex.csp","assertion":"SPEC [T= SYSTEM","kind":"refinement","model":"T","#,
        r#""negated":false,"verdict":"fail","algorithm":"Check","representative":null,"#,
        r#""states":579733,"transitions":2000000,"levels":61,"specification":{"states":2},"#,
        r#""machine":{"leaves":2,"leaf_states":[3,4],"rules":5},"symmetry":null,"#,
        r#""counterexample":{"kind":"trace","trace":["enter.A"],"event":"enter.B","#,
        r#""trace_with_taus":["τ (set.A)","enter.A","τ"],"offers":null,"acceptances":null,"#,
        r#""cycle":null,"other_trace_with_taus":null,"components":null,"other_components":null,"#,
        r#""waiting_circle":null,"rests":null,"terminated":null,"specification":null,"#,
        r#""sentence":"After <enter.A> the implementation can do enter.B, which the specification does not allow.","#,
        r#""last_step_by":null},"#,
        r#""seconds":{"load":0.5,"compile":0.25,"symmetry":0.0,"explore":1.5,"total":2.25},"#,
        r#""memory_bytes":27827184,"message":null,"remarks":[]}"#
    );
    assert_eq!(failing_report().json(), expected);
}

#[test]
fn symmetry_is_an_object_where_it_was_used() {
    let json = reduced_report().json();
    let algorithm = r#""algorithm":"SymCheck3","representative":"genRep","states":25833,"#;
    assert!(json.contains(algorithm), "{json}");
    let symmetry = concat!(
        r#""symmetry":{"order":"24","structure":"S4","generators":["(P1 P2)","(P1 P2 P3 P4)"],"universal":false,"#,
        r#""types":[{"name":"ID","free":[["P1","P2","P3","P4"]],"turning":[],"fixed":["P5"],"complete":true}],"detection":{"complete":true,"steps":17},"#,
        r#""unique":true,"extra_states":null},"#
    );
    assert!(json.contains(symmetry), "{json}");
}

#[test]
fn a_problem_gives_the_verdict_of_its_severity_and_a_message_with_its_code() {
    let sources = SourceMap::new();
    let error = Diagnostic::error("unknown-name", "nothing is called `P`");
    let report = AssertionReport::new("a.csp").stopped_by(&error, &sources);
    assert_eq!(report.verdict, Verdict::Error);
    assert_eq!(
        report.message.as_deref(),
        Some("unknown-name: nothing is called `P`")
    );
    let limit = Diagnostic::undecided("timeout", "out of time");
    let report = AssertionReport::new("a.csp").stopped_by(&limit, &sources);
    assert_eq!(report.verdict, Verdict::Unknown);
    assert!(report.json().contains(r#""states":null"#));
}
