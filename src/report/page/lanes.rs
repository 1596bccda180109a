//! The lanes of a counterexample: a row for each component, a column for each step.

use super::super::assertion::{Counterexample, CounterexampleKind, TraceStep};
use super::super::components::{ComponentReport, SpecificationRow, TableRow, component_rows};
use super::super::drawing::escape;

/// The most steps that have columns: of a longer run the last ones.
const MOST_COLUMNS: usize = 300;

/// A column of the lanes.
struct Column {
    /// The step, counted from 1; 0 for the start.
    step: usize,
    event: String,
}

/// The lanes of one run of `found`: the one that leads to what is wrong, or the `other` one of
/// nondeterminism. `place` is the position of the assertion, and that of the counterexample; `name`
/// is what the counterexample is called. Empty if there is no such run.
pub(super) fn lanes(
    found: &Counterexample,
    other: bool,
    place: (usize, usize),
    name: &str,
) -> String {
    let (components, run) = match other {
        false => (&found.components, "first"),
        true => (&found.other_components, "other"),
    };
    let Some(components) = components else {
        return String::new();
    };
    let steps = steps(found, other);
    let specification = found.specification.as_ref().filter(|_| !other);
    let left_out = steps.len().saturating_sub(MOST_COLUMNS);
    let start = (left_out == 0).then(|| Column {
        step: 0,
        event: "start".to_string(),
    });
    let shown = steps.iter().enumerate().skip(left_out);
    let shown = shown.map(|(index, event)| Column {
        step: index + 1,
        event: event.clone(),
    });
    let columns: Vec<Column> = start.into_iter().chain(shown).collect();
    let name = match other {
        false => name.to_string(),
        true => format!("{name}, the other run"),
    };
    let (assertion, number) = place;
    let mut html = format!(
        "<div class=\"counterexample\" data-assertion=\"{assertion}\" data-number=\"{number}\" \
         data-run=\"{run}\">\n"
    );
    if left_out > 0 {
        html.push_str(&format!(
            "<p class=\"soft\">The first {left_out} steps have no columns.</p>\n"
        ));
    }
    html.push_str(&toolbar(&name, &columns));
    html.push_str(&format!(
        "<div class=\"lanes\" tabindex=\"0\" role=\"region\" aria-label=\"Lanes: {name}\">\n<table>\n"
    ));
    write_head(&columns, &mut html);
    html.push_str("<tbody>\n");
    let rows = component_rows(components);
    for (row, component) in components.iter().enumerate() {
        write_row(component, (&rows, row), &columns, &mut html);
    }
    if let Some(specification) = specification {
        write_specification(specification, &columns, &mut html);
    }
    html.push_str("</tbody>\n</table>\n</div>\n</div>\n");
    html
}

/// The steps of a run, with what is wrong if that is steps.
fn steps(found: &Counterexample, other: bool) -> Vec<String> {
    let text = |steps: &[TraceStep]| steps.iter().map(TraceStep::text).collect::<Vec<_>>();
    if other {
        return text(found.other_trace_with_taus.as_deref().unwrap_or_default());
    }
    let mut steps = text(&found.trace_with_taus);
    if found.kind == CounterexampleKind::Trace {
        steps.extend(found.event.clone());
    }
    steps.extend(text(found.cycle.as_deref().unwrap_or_default()));
    steps
}

/// The buttons that step through the lanes, shown by the script of the page.
fn toolbar(name: &str, columns: &[Column]) -> String {
    let buttons = [
        ("first", "First", "⇤"),
        ("back", "Back", "◀"),
        ("forward", "Forward", "▶"),
        ("last", "Last", "⇥"),
    ];
    let buttons = buttons.map(|(to, label, sign)| {
        format!(
            "<button type=\"button\" data-go=\"{to}\"><span aria-hidden=\"true\">{sign}</span> \
             {label}</button>"
        )
    });
    let last = columns.last().map_or(0, |column| column.step);
    format!(
        "<div class=\"row\" role=\"toolbar\" aria-label=\"Steps: {name}\" data-last=\"{last}\" hidden>\
         {}<output aria-live=\"polite\"></output></div>\n",
        buttons.join("")
    )
}

fn write_head(columns: &[Column], html: &mut String) {
    html.push_str("<thead><tr><th scope=\"col\">component</th>");
    for column in columns {
        let class = match column.event.starts_with('τ') {
            true => " class=\"internal\"",
            false => "",
        };
        html.push_str(&format!(
            "<th scope=\"col\" data-step=\"{}\"><button type=\"button\"{class}>{}</button></th>",
            column.step,
            escape(&column.event)
        ));
    }
    html.push_str("<th scope=\"col\" class=\"now\">now</th></tr></thead>\n");
}

/// Writes the row of `component`, the one with this number among `rows`.
fn write_row(
    component: &ComponentReport,
    (rows, row): (&[TableRow], usize),
    columns: &[Column],
    html: &mut String,
) {
    let within = component.within.iter().chain([&component.name]);
    let within: Vec<&str> = within.map(String::as_str).collect();
    html.push_str(&format!(
        "<tr data-row=\"{row}\"><th scope=\"row\" title=\"{}\">{}</th>",
        escape(&within.join(" › ")),
        escape(&component.name)
    ));
    for column in columns {
        let step = column.step;
        let class = class(rows, row, step);
        html.push_str(&format!("<td data-step=\"{step}\" class=\"{class}\">"));
        if let Some(did) = rows[row].did_in(step) {
            let event = escape(did);
            html.push_str(&match hidden(&column.event) == hidden(did) {
                true => format!(
                    "<span class=\"dot\" title=\"{event}\"><span class=\"hidden\">{event}</span></span>"
                ),
                false => format!("<span class=\"dot own\">{event}</span>"),
            });
        }
        if let Some(state) = rows[row].became_in(step) {
            let state = escape(state);
            html.push_str(&format!(
                "<span class=\"state\" title=\"{state}\">{state}</span>"
            ));
        }
        html.push_str("</td>");
    }
    let now = rows[row].became.last().map_or("", |(_, state)| state);
    html.push_str(&format!("<td class=\"now\">{}</td></tr>\n", escape(now)));
}

/// The class of a cell: whether the component takes part in the step, and where it stands between
/// those who do.
fn class(rows: &[TableRow], row: usize, step: usize) -> &'static str {
    let takes_part = |row: &TableRow| row.did_in(step).is_some();
    let above = rows[..row].iter().any(takes_part);
    let below = rows[row + 1..].iter().any(takes_part);
    match (takes_part(&rows[row]), above, below) {
        (true, false, false) => "part only",
        (true, false, true) => "part first",
        (true, true, false) => "part last",
        (true, true, true) => "part",
        (false, true, true) => "between",
        _ => "",
    }
}

fn write_specification(specification: &SpecificationRow, columns: &[Column], html: &mut String) {
    html.push_str(&format!(
        "<tr class=\"specification\" data-specification><th scope=\"row\" title=\"{0}\">{0} allows</th>",
        escape(&specification.process)
    ));
    for column in columns {
        let mut states = specification.states.iter();
        let state = states.find(|state| state.step == column.step as u64);
        let text = state.map_or(String::new(), |state| escape(&state.allowed.short()));
        html.push_str(&format!(
            "<td data-step=\"{}\"><span class=\"state\" title=\"{text}\">{text}</span></td>",
            column.step
        ));
    }
    let now = escape(&specification.at_end.short());
    html.push_str(&format!("<td class=\"now\">{now}</td></tr>\n"));
}

/// The event behind a hidden one, or the event itself.
fn hidden(event: &str) -> &str {
    let inside = event.strip_prefix("τ (");
    inside
        .and_then(|event| event.strip_suffix(')'))
        .unwrap_or(event)
}
