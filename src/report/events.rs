//! Sets of events in sentences.

use base::excerpt::first_of;

/// The most events that are listed in a sentence.
const SHOWN: usize = 8;

/// The set as text: `{a, b}`; many events are cut.
pub(super) fn set(events: &[String]) -> String {
    let shown = first_of(events.iter().cloned(), SHOWN);
    format!("{{{}}}", shown.join(", "))
}
