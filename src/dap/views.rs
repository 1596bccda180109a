//! A state of a walk as a debugger shows it: components as threads, what they are in as frames, and
//! what is known of them as variables.
//!
//! The numbers of frames and of lists of variables follow from the state alone: thread 1 is the
//! whole process, and thread n + 2 the component at position n.

use serde_json::{Value, json};

use host::files::without_dots;
use report::walk::{ChoiceReport, ComponentView, WalkReport};

/// The thread of the whole process.
pub(super) const PROCESS: u64 = 1;

/// The number of the first component's thread.
const FIRST_COMPONENT: u64 = 2;

/// The numbers of frames, and of lists of variables, that a thread may have.
const NUMBERS: u64 = 1000;

/// A list of variables of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum VariableList {
    Component = 1,
    Process = 2,
    Steps = 3,
}

/// The component that a thread is, by its position; `None` for the whole process.
pub(super) fn component_of(thread: u64) -> Option<usize> {
    let position = thread.checked_sub(FIRST_COMPONENT)?;
    usize::try_from(position).ok()
}

/// The thread of the component with this name.
pub(super) fn thread_of(now: &WalkReport, name: &str) -> Option<u64> {
    let position = now.components.iter().position(|one| one.name == name)?;
    Some(FIRST_COMPONENT + position as u64)
}

/// The process and its components.
pub(super) fn threads(now: &WalkReport) -> Value {
    let mut threads = vec![json!({ "id": PROCESS, "name": now.process })];
    let components = (FIRST_COMPONENT..).zip(&now.components);
    // A process that is one component is its own.
    if now.components.len() > 1 {
        threads.extend(components.map(|(id, one)| json!({ "id": id, "name": one.name })));
    }
    json!({ "threads": threads })
}

/// The frames of a thread: what the component is now, then the operators around it.
pub(super) fn frames(now: &WalkReport, thread: u64) -> Value {
    let component = component_of(thread).and_then(|position| now.components.get(position));
    // The process that is one component stands where that stands.
    let alone = now.components.first().filter(|_| now.components.len() == 1);
    let shown = component.or(alone);
    let mut frames = vec![match shown {
        Some(one) => frame(
            thread,
            0,
            one.now.as_deref().unwrap_or("no longer runs"),
            Some(one),
        ),
        None => frame(thread, 0, &now.process, None),
    }];
    let mut around = shown.and_then(|one| one.operator);
    while let Some(operator) = around.and_then(|position| now.operators.get(position)) {
        frames.push(frame(thread, frames.len() as u64, &operator.text, None));
        around = operator.around;
    }
    json!({ "totalFrames": frames.len(), "stackFrames": frames })
}

fn frame(thread: u64, level: u64, name: &str, component: Option<&ComponentView>) -> Value {
    let place = component.and_then(|one| one.place.as_ref());
    let mut frame = json!({
        "id": thread * NUMBERS + level,
        "name": name,
        "line": place.map_or(0, |place| place.line),
        "column": place.map_or(0, |place| place.column),
    });
    match place {
        Some(place) => {
            // Not the real path: on Windows that has a form which few editors know.
            let path = std::path::absolute(&place.file);
            let path = without_dots(&path.unwrap_or_else(|_| place.file.clone().into()));
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            frame["source"] = json!({ "name": name, "path": path });
            frame["endLine"] = json!(place.end_line);
            frame["endColumn"] = json!(place.end_column);
        }
        None => frame["presentationHint"] = json!("label"),
    }
    frame
}

/// The lists of variables of a frame.
pub(super) fn scopes(now: &WalkReport, frame: u64) -> Value {
    let thread = frame / NUMBERS;
    let scope = |name: &str, scope: VariableList| {
        json!({
            "name": name,
            "variablesReference": thread * NUMBERS + scope as u64,
            "expensive": false,
        })
    };
    let mut scopes = Vec::new();
    if shown_component(now, thread).is_some() {
        scopes.push(scope("Component", VariableList::Component));
    }
    scopes.push(scope("Next steps", VariableList::Steps));
    scopes.push(scope("Process", VariableList::Process));
    json!({ "scopes": scopes })
}

fn shown_component(now: &WalkReport, thread: u64) -> Option<&ComponentView> {
    let alone = now.components.first().filter(|_| now.components.len() == 1);
    let component = component_of(thread).and_then(|position| now.components.get(position));
    component.or(alone)
}

/// The variables of the list with this number.
pub(super) fn variables(now: &WalkReport, reference: u64) -> Value {
    let component = shown_component(now, reference / NUMBERS);
    let found = match (reference % NUMBERS, component) {
        (1, Some(component)) => of_component(component),
        (2, _) => of_process(now),
        (3, _) => now.choices.iter().map(step).collect(),
        _ => Vec::new(),
    };
    let variable = |(name, value): (String, String)| json!({ "name": name, "value": value, "variablesReference": 0 });
    json!({ "variables": found.into_iter().map(variable).collect::<Vec<_>>() })
}

fn of_component(component: &ComponentView) -> Vec<(String, String)> {
    let now = component.now.as_deref().unwrap_or("no longer runs");
    let mut found = vec![
        ("now".to_string(), now.to_string()),
        ("offers".to_string(), set(&component.offers)),
    ];
    for wait in &component.waits_for {
        let others = wait.components.join(", ");
        found.push((
            format!("waits to do {}", wait.event),
            format!("for {others}"),
        ));
    }
    if !component.within.is_empty() {
        found.push(("within".to_string(), component.within.join(", ")));
    }
    found
}

fn of_process(now: &WalkReport) -> Vec<(String, String)> {
    let yes = |is_so| if is_so { "yes" } else { "no" };
    let mut found = vec![
        ("process".to_string(), now.process.clone()),
        ("trace".to_string(), format!("<{}>", now.trace.join(", "))),
        ("steps".to_string(), now.steps.len().to_string()),
        ("at rest".to_string(), yes(now.stable).to_string()),
    ];
    if let Some(assertion) = &now.assertion {
        found.push(("assertion".to_string(), assertion.clone()));
    }
    if let Some(instance) = &now.instance {
        found.push(("instance".to_string(), instance.clone()));
    }
    if let Some(specification) = &now.specification {
        let allowed = specification.allowed.text(&specification.process);
        found.push(("specification".to_string(), allowed));
    }
    if let Some(diverges) = now.diverges {
        found.push(("can diverge".to_string(), yes(diverges).to_string()));
    }
    let members = now.waiting_circle.iter().flatten();
    for member in members {
        let waits = format!("waits to do {}", member.event);
        found.push((member.component.clone(), waits));
    }
    found
}

/// A step that can be taken: its name, and who takes part.
fn step(choice: &ChoiceReport) -> (String, String) {
    let parts = choice.parts.iter().map(|part| match &part.becomes {
        Some(becomes) => format!("{} becomes {becomes}", part.component),
        None => format!("{} ends", part.component),
    });
    let mut text = parts.collect::<Vec<_>>().join("; ");
    if choice.allowed == Some(false) {
        text += " (not allowed by the specification)";
    }
    (choice.name.clone(), text)
}

fn set(events: &[String]) -> String {
    format!("{{{}}}", events.join(", "))
}
