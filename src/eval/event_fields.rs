//! The fields of events, for those who tell who says what to whom.

use process::event::EventId;

use super::declared::HeadKind;
use super::evaluator::Evaluator;
use super::value::Value;

/// A field of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventField {
    /// The value as CSPm.
    pub text: String,
    /// The number of the datatype that the value belongs to; `None` for other values.
    pub datatype: Option<u32>,
}

impl Evaluator<'_> {
    /// The fields of `event`, in the order of the declaration of its channel. There are none of
    /// events that no script made (τ, ✓).
    pub fn event_fields(&self, event: EventId) -> Vec<EventField> {
        let parts = self.events.value(event).map(Value::dotted_parts);
        let fields = parts.unwrap_or_default().iter().skip(1);
        let datatype = |field: &Value| match self.declared.heads[self.declared.head_of(field)?].kind
        {
            HeadKind::Constructor(datatype) => Some(datatype.0),
            HeadKind::Channel => None,
        };
        let field = |field: &Value| EventField {
            text: self.show(field),
            datatype: datatype(field),
        };
        fields.map(field).collect()
    }
}
