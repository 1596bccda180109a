//! Sets of events in sentences.

/// More events than this are not listed in a sentence.
const SHOWN: usize = 8;

/// `{a, b}`; many events are cut.
pub(super) fn set(events: &[String]) -> String {
    if events.len() <= SHOWN {
        return format!("{{{}}}", events.join(", "));
    }
    let more = events.len() - SHOWN;
    format!("{{{}, ... {more} more}}", events[..SHOWN].join(", "))
}
