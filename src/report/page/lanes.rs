//! The lanes of a counterexample: a row for each component, a column for each step.
//!
//! The columns are a drawing, in which only what happens has elements, so that thousands of steps
//! of hundreds of components are still opened at once. Names, and what components are now, stand in
//! the table beside it.

use super::super::assertion::{Counterexample, CounterexampleKind, TraceStep};
use super::super::components::{ComponentReport, SpecificationRow};
use super::super::drawing::escape;

/// A step, or the start, with all that happens in it.
#[derive(Default)]
pub(super) struct Column {
    pub(super) event: String,
    pub(super) mark: Mark,
    /// By row, in their order, the events of the components.
    pub(super) does: Vec<(usize, String)>,
    /// By row, the state that it comes to by that.
    pub(super) becomes: Vec<(usize, String)>,
}

/// The judgement on a step.
#[derive(Clone, Copy, PartialEq, Default)]
pub(super) enum Mark {
    #[default]
    Nothing,
    Wrong,
    Again,
}

/// The lanes of one run.
pub(super) struct Lanes<'c> {
    pub(super) columns: Vec<Column>,
    pub(super) components: &'c [ComponentReport],
    pub(super) specification: Option<&'c SpecificationRow>,
    /// A word for the violation at the end, if that is no step.
    pub(super) end: Option<&'static str>,
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
    let Some(lanes) = Lanes::of(found, other) else {
        return String::new();
    };
    let (run, name) = match other {
        false => ("first", name.to_string()),
        true => ("other", format!("{name}, the other run")),
    };
    let (assertion, number) = place;
    format!(
        "<div class=\"counterexample\" data-assertion=\"{assertion}\" data-number=\"{number}\" \
         data-run=\"{run}\">\n{}\
         <div class=\"lanes drawn\" tabindex=\"0\" role=\"region\" aria-label=\"Lanes: {name}\">\n\
         {}</div>\n</div>\n",
        toolbar(&name),
        lanes.table(),
    )
}

/// The buttons that step through the lanes, shown by the script of the page.
fn toolbar(name: &str) -> String {
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
    format!(
        "<div class=\"row\" role=\"toolbar\" aria-label=\"Steps: {name}\" hidden>{}\
         <output aria-live=\"polite\"></output></div>\n",
        buttons.join("")
    )
}

impl<'c> Lanes<'c> {
    /// The lanes of one run of `found`; `None` if there is no such run.
    pub(super) fn of(found: &'c Counterexample, other: bool) -> Option<Self> {
        let components = match other {
            false => found.components.as_deref(),
            true => found.other_components.as_deref(),
        };
        let components = components?;
        let mut columns = columns(found, other);
        for (row, component) in components.iter().enumerate() {
            for step in &component.steps {
                let column = columns.get_mut(step.step as usize);
                let Some(column) = column else { continue };
                match column.does.last_mut() {
                    // Below a `chase` a component may have done several events in one step.
                    Some((last, events)) if *last == row => *events += &format!(", {}", step.event),
                    _ => column.does.push((row, step.event.clone())),
                }
            }
            for state in &component.states {
                if let Some(column) = columns.get_mut(state.step as usize) {
                    let text = state.state.as_deref().unwrap_or("no longer runs");
                    column.becomes.push((row, text.to_string()));
                }
            }
        }
        let specification = found.specification.as_ref().filter(|_| !other);
        let row = components.len();
        for state in specification.iter().flat_map(|row| &row.states) {
            if let Some(column) = columns.get_mut(state.step as usize) {
                column.becomes.push((row, state.allowed.short()));
            }
        }
        let is_shown = columns.iter().any(|column| column.mark != Mark::Nothing);
        Some(Self {
            columns,
            components,
            specification,
            end: (!is_shown && !other).then(|| wrong_end(found)).flatten(),
        })
    }

    /// The number of rows.
    pub(super) fn rows(&self) -> usize {
        self.components.len() + usize::from(self.specification.is_some())
    }

    /// The table: names on the left, the drawing, and what components are now.
    fn table(&self) -> String {
        let sizes = self.sizes();
        let width = self.width(&sizes);
        let height = self.rows() * sizes.row;
        let svg = |height: usize, rest: &str| {
            format!(
                "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" {rest}>"
            )
        };
        let steps = self.columns.len() - 1;
        let label = format!(
            "role=\"img\" aria-label=\"{steps} steps of {} components; they stand as text below\"",
            self.components.len()
        );
        let mut html = format!(
            "<table class=\"{}\">\n<thead><tr><th scope=\"col\">component</th><td>{}{}</svg></td>\
             <th scope=\"col\" class=\"now\">now</th></tr></thead>\n<tbody>\n",
            if self.has_states() { "tall" } else { "low" },
            svg(sizes.head, "aria-hidden=\"true\""),
            self.heads(&sizes),
        );
        let mut body = format!(
            "<td rowspan=\"{}\">{}{}</svg></td>",
            self.rows(),
            svg(height, &label),
            self.body(&sizes)
        );
        for (row, component) in self.components.iter().enumerate() {
            let within = component.within.iter().chain([&component.name]);
            let within: Vec<&str> = within.map(String::as_str).collect();
            let states = component.states.last();
            let now = states.map_or("", |last| last.state.as_deref().unwrap_or("no longer runs"));
            html.push_str(&format!(
                "<tr data-row=\"{row}\"><th scope=\"row\" title=\"{}\">{}</th>{body}\
                 <td class=\"now\" title=\"{now}\">{now}</td></tr>\n",
                escape(&within.join(" › ")),
                escape(&component.name),
                now = escape(now),
            ));
            // The drawing stands in the first row, and reaches over all.
            body.clear();
        }
        if let Some(specification) = self.specification {
            html.push_str(&format!(
                "<tr class=\"specification\" data-specification><th scope=\"row\" \
                 title=\"{0} allows\">{0} allows</th>{body}<td class=\"now\" title=\"{1}\">{1}</td></tr>\n",
                escape(&specification.process),
                escape(&specification.at_end.short()),
            ));
        }
        html.push_str("</tbody>\n</table>\n");
        html
    }
}

/// The columns of a run, the start first, with what is wrong if that is steps.
fn columns(found: &Counterexample, other: bool) -> Vec<Column> {
    let column = |event: String, mark| Column {
        event,
        mark,
        ..Column::default()
    };
    let plain = |step: &TraceStep| column(step.text(), Mark::Nothing);
    let mut columns = vec![column("start".to_string(), Mark::Nothing)];
    if other {
        let steps = found.other_trace_with_taus.iter().flatten();
        columns.extend(steps.map(plain));
        return columns;
    }
    columns.extend(found.trace_with_taus.iter().map(plain));
    if found.kind == CounterexampleKind::Trace {
        let event = found.event.clone();
        columns.extend(event.map(|event| column(event, Mark::Wrong)));
    }
    let cycle = found.cycle.iter().flatten();
    columns.extend(cycle.map(|step| column(step.text(), Mark::Again)));
    columns
}

/// A word for the violation at the end of the run, where it is no step.
fn wrong_end(found: &Counterexample) -> Option<&'static str> {
    match found.kind {
        CounterexampleKind::Deadlock => Some("deadlock"),
        CounterexampleKind::Divergence => Some("τ for ever"),
        CounterexampleKind::Refusal
        | CounterexampleKind::Revival
        | CounterexampleKind::Nondeterminism => Some("refuses"),
        CounterexampleKind::Trace => None,
    }
}
