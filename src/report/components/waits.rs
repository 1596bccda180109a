//! The text on which component waits for which.

use super::cells::INDENT;
use super::{ComponentReport, CycleMember};

/// The most lines on which component waits for which.
const MOST_WAITS: usize = 12;

/// The lines on which component waits for which: the circle if there is one, or else all waits.
pub(crate) fn waits(components: &[ComponentReport], cycle: &[CycleMember]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for (i, member) in cycle.iter().enumerate() {
        let next = &cycle[(i + 1) % cycle.len()].component;
        lines.push(without(&member.component, &member.event, next));
    }
    if cycle.is_empty() {
        for component in components {
            for wait in &component.waits_for {
                let on = wait.components.join(", ");
                lines.push(without(&component.name, &wait.event, &on));
            }
        }
    }
    if lines.is_empty() {
        return String::new();
    }
    let head = if cycle.is_empty() {
        "Who waits for whom"
    } else {
        "They wait for each other in a circle"
    };
    let mut text = format!("  {head}:\n");
    for line in lines.iter().take(MOST_WAITS) {
        text.push_str(&format!("{INDENT}{line}\n"));
    }
    if lines.len() > MOST_WAITS {
        let more = lines.len() - MOST_WAITS;
        text.push_str(&format!("{INDENT}... and {more} more\n"));
    }
    text
}

fn without(who: &str, event: &str, whom: &str) -> String {
    if event == "✓" {
        return format!("{who} cannot terminate before {whom}");
    }
    format!("{who} cannot do {event} without {whom}")
}
