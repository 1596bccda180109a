//! The structure of a page, and names that would like to be code.

use pretty_assertions::assert_eq;

use super::*;
use crate::allowed::{AllowedKind, AllowedNext};
use crate::assertion::{CounterexampleKind, TraceStep};
use crate::components::{
    ComponentEnd, ComponentReport, ComponentState, ComponentStep, SpecificationRow,
    SpecificationState,
};

/// A name that would be code if it was not escaped.
const HOSTILE: &str = "</script><script>alert(1)</script><img src=x onerror='alert(2)'>\"&<!--";

fn allowed(events: &[&str]) -> AllowedNext {
    AllowedNext {
        allows: AllowedKind::Events,
        after: None,
        events: events.iter().map(|event| event.to_string()).collect(),
        acceptances: Vec::new(),
    }
}

/// A component that did `event` in step 2 and has become `state` by it.
fn component(name: &str, event: &str, state: &str) -> ComponentReport {
    ComponentReport {
        name: name.to_string(),
        within: Vec::new(),
        steps: vec![ComponentStep {
            step: 2,
            event: event.to_string(),
        }],
        end: ComponentEnd::Runs,
        offers: Some(Vec::new()),
        waits_for: Vec::new(),
        states: vec![
            ComponentState {
                step: 0,
                state: Some(name.to_string()),
            },
            ComponentState {
                step: 2,
                state: Some(state.to_string()),
            },
        ],
    }
}

/// A failed refinement in which everything that can be named is called `name`.
fn page(name: &str) -> ReportPage {
    let counterexample = Counterexample {
        kind: CounterexampleKind::Trace,
        trace: vec![],
        event: Some(name.to_string()),
        trace_with_taus: vec![TraceStep::Hidden(name.to_string())],
        components: Some(vec![
            component(name, name, "STOP"),
            component("Q", name, name),
        ]),
        specification: Some(SpecificationRow {
            process: name.to_string(),
            model: "T".into(),
            states: vec![SpecificationState {
                step: 0,
                allowed: allowed(&[name]),
            }],
            at_end: allowed(&[name]),
        }),
        ..Counterexample::default()
    };
    let report = AssertionReport {
        assertion: Some(format!("{name} [T= Q")),
        kind: Some(Kind::Refinement),
        verdict: Verdict::Fail,
        counterexample: Some(counterexample),
        message: Some(name.to_string()),
        remarks: vec![name.to_string()],
        ..AssertionReport::new(name)
    };
    ReportPage {
        call: format!("cspsym check {name}"),
        made: "Sun, 06 Nov 1994 08:49:37 GMT".to_string(),
        assertions: vec![PageAssertion {
            report,
            drawing: Some("<svg><style>p{}</style><text>a</text></svg>".to_string()),
        }],
    }
}

/// The text between the first `start` and the next `end`.
fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let rest = text.split_once(start).expect("it begins").1;
    rest.split_once(end).expect("it ends").0
}

#[test]
fn lanes_have_a_row_for_each_component_and_a_column_for_each_step() {
    let html = page("a").html();
    let head = between(&html, "<thead>", "</thead>");
    assert_eq!(head.matches("data-step=").count(), 3, "{head}");
    let wrong = between(head, "data-step=\"2\"", "</g>");
    assert!(
        wrong.contains("class=\"wrong\"") && wrong.contains(">✗ 2<"),
        "{wrong}"
    );
    let body = between(&html, "<tbody>\n", "</tbody>");
    let (start, end) = (body.find("<td rowspan"), body.find("</svg></td>"));
    let (start, end) = (
        start.expect("a drawing"),
        end.expect("its end") + "</svg></td>".len(),
    );
    let expected = "\
<tr data-row=\"0\"><th scope=\"row\" title=\"a\">a</th>\
<td class=\"now\" title=\"STOP\">STOP</td></tr>\n\
<tr data-row=\"1\"><th scope=\"row\" title=\"Q\">Q</th>\
<td class=\"now\" title=\"a\">a</td></tr>\n\
<tr class=\"specification\" data-specification><th scope=\"row\" title=\"a allows\">a allows</th>\
<td class=\"now\" title=\"{a}\">{a}</td></tr>\n";
    assert_eq!(format!("{}{}", &body[..start], &body[end..]), expected);
    let drawing = &body[start..end];
    let last = between(drawing, "data-step=\"2\"", "</g>");
    // Both components take part, and what they become by that can be read.
    for part in [
        "class=\"link\"",
        "a: a\nbecomes STOP",
        "Q: a\nbecomes a",
        ">STOP<title>",
    ] {
        assert!(last.contains(part), "{part} is missing in {last}");
    }
    assert!(html.contains("<svg><text>a</text></svg>"), "{html}");
}

#[test]
fn lanes_that_stand_alone_have_names_steps_and_no_code() {
    let page = page(HOSTILE);
    let found = page.assertions[0].report.counterexample.as_ref();
    let found = found.expect("the page has one");
    let svg = lanes_alone(found, false).expect("it has components");
    // The start, a hidden step and the one that is not allowed: above, and in the rows.
    assert_eq!(svg.matches("data-step=").count(), 2 * 3, "{svg}");
    assert_eq!(svg.matches("<text class=\"name").count(), 3, "{svg}");
    assert!(!svg.contains("<script") && !svg.contains("<img"), "{svg}");
    assert_eq!(lanes_alone(found, true), None);
}

#[test]
fn a_page_says_what_was_called_when_and_by_which_version() {
    let html = page("a.csp").html();
    let header = between(&html, "<header>", "</header>");
    let version = env!("CARGO_PKG_VERSION");
    for part in [
        "<h1>a.csp</h1>",
        "1 assertion: 0 hold, 1 fail",
        "<code>cspsym check a.csp</code>",
        "Sun, 06 Nov 1994 08:49:37 GMT",
        version,
    ] {
        assert!(header.contains(part), "{part} is missing in {header}");
    }
}

#[test]
fn loops_are_marked_and_so_is_what_is_wrong_at_the_end() {
    let head = |kind, cycle: Option<Vec<TraceStep>>| {
        let mut page = page("a");
        let found = page.assertions[0].report.counterexample.as_mut();
        let found = found.expect("there is one");
        (found.kind, found.cycle, found.event) = (kind, cycle, None);
        between(&page.html(), "<thead>", "</thead>").to_string()
    };
    let steps = vec![TraceStep::Internal; 2];
    let again = head(CounterexampleKind::Divergence, Some(steps));
    assert_eq!(again.matches("class=\"again\"").count(), 2, "{again}");
    assert!(
        again.contains(">↻ 2<") && again.contains(">↻ 3<"),
        "{again}"
    );
    let stuck = head(CounterexampleKind::Deadlock, None);
    assert!(
        stuck.contains("deadlock</text>") && stuck.contains(">✗<"),
        "{stuck}"
    );
}

#[test]
fn a_page_says_how_many_hold_and_has_the_reports_as_they_are() {
    let mut page = page("a");
    let report = page.assertions[0].report.clone();
    page.assertions.push(PageAssertion {
        report: AssertionReport {
            verdict: Verdict::Unknown,
            ..AssertionReport::new("b.csp")
        },
        drawing: None,
    });
    let html = page.html();
    let title = between(&html, "<title>", "</title>");
    assert_eq!(title, "a, b.csp: 2 assertions: 0 hold, 1 fail, 1 undecided");
    let json = between(&html, "id=\"reports\">", "</script>");
    let reports: Vec<serde_json::Value> = serde_json::from_str(json).expect("it is JSON");
    let expected: serde_json::Value = serde_json::from_str(&report.json()).expect("it is JSON");
    assert_eq!((reports.len(), &reports[0]), (2, &expected));
}

#[test]
fn no_name_becomes_code() {
    let (harmless, hostile) = (page("a").html(), page(HOSTILE).html());
    let count = |html: &str, what: &str| html.matches(what).count();
    // All elements but those of the lanes' titles are there as often as with a harmless name.
    for what in [
        "<script", "</script", "<img", "<!--", "<p", "<td", "<span", "<li", "<style",
    ] {
        assert_eq!(count(&hostile, what), count(&harmless, what), "{what}");
    }
    let json = between(&hostile, "id=\"reports\">", "</script>");
    let reports: Vec<serde_json::Value> = serde_json::from_str(json).expect("it is JSON");
    assert_eq!(reports[0]["file"], HOSTILE);
}

#[test]
fn a_long_run_is_whole_and_what_does_not_happen_takes_no_room() {
    let mut page = page("a");
    let found = page.assertions[0].report.counterexample.as_mut();
    let found = found.expect("there is one");
    found.trace_with_taus = vec![TraceStep::Internal; 5_000];
    let components = found.components.as_mut().expect("there are some");
    *components = vec![components[0].clone(); 200];
    let html = page.html();
    let head = between(&html, "<thead>", "</thead>");
    assert_eq!(head.matches("data-step=").count(), 5_002);
    // A table of so many cells would have ten times this.
    assert!(html.len() < 5 << 20, "{}", html.len());
}
