//! Breakpoints, at which a walk stops by itself: events, and lines that a component comes to.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use report::walk::{ComponentView, WalkStep};

use super::incoming::EditorRequest;

/// The breakpoints that the editor has set.
#[derive(Default)]
pub(super) struct Breakpoints {
    /// The lines, counted from 1, by file.
    lines: BTreeMap<PathBuf, Vec<u64>>,
    /// Events, or channels whose events are meant.
    events: Vec<String>,
}

impl Breakpoints {
    /// Replaces the lines of one file. Returns the body of the answer.
    pub(super) fn set_lines(&mut self, request: &EditorRequest) -> Value {
        let given = &request.arguments;
        let path = Path::new(given["source"]["path"].as_str().unwrap_or_default());
        let set = given["breakpoints"].as_array().into_iter().flatten();
        let lines: Vec<u64> = set.filter_map(|one| one["line"].as_u64()).collect();
        let answers = lines
            .iter()
            .map(|line| json!({ "verified": true, "line": line }));
        let body = json!({ "breakpoints": answers.collect::<Vec<_>>() });
        self.lines.insert(real(path), lines);
        body
    }

    /// Replaces the events. Returns the body of the answer.
    pub(super) fn set_events(&mut self, request: &EditorRequest) -> Value {
        let set = request.arguments["breakpoints"]
            .as_array()
            .into_iter()
            .flatten();
        let names = set.map(|one| one["name"].as_str().unwrap_or_default().trim());
        self.events = names.map(str::to_string).collect();
        let answers = self
            .events
            .iter()
            .map(|name| json!({ "verified": !name.is_empty() }));
        json!({ "breakpoints": answers.collect::<Vec<_>>() })
    }

    /// The reason, as the protocol names it, why a walk stops after `step`, if it does.
    pub(super) fn stops(
        &self,
        step: &WalkStep,
        components: &[ComponentView],
    ) -> Option<&'static str> {
        // A hidden event is `τ (event)`.
        let inside = step
            .event
            .strip_prefix("τ (")
            .and_then(|rest| rest.strip_suffix(')'));
        let event = inside.unwrap_or(&step.event);
        let is_meant = |name: &String| {
            let rest = event.strip_prefix(name.as_str());
            !name.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        if self.events.iter().any(is_meant) {
            return Some("function breakpoint");
        }
        let took_part = |component: &&ComponentView| {
            let mut parts = step.parts.iter();
            parts.any(|part| part.component == component.name)
        };
        let mut places = components
            .iter()
            .filter(took_part)
            .filter_map(|one| one.place.as_ref());
        let is_there = places.any(|place| {
            let lines = self.lines.get(&real(Path::new(&place.file)));
            lines.is_some_and(|lines| lines.contains(&(place.line as u64)))
        });
        is_there.then_some("breakpoint")
    }
}

/// The path without links; as it is, if there is no such file.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}
