//! Sets of events in sentences.

use base::excerpt::first_of;

/// More events than this are not listed in a sentence.
const SHOWN: usize = 8;

/// `{a, b}`; many events are cut.
pub(super) fn set(events: &[String]) -> String {
    let shown = first_of(events.iter().cloned(), SHOWN);
    format!("{{{}}}", shown.join(", "))
}
