//! Sets of events of one channel, written with the identity of a component and the one that it
//! holds.

use super::alphabet::{Alphabet, CHANNELS, Channel, Event};

/// The values that may stand in one field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Field {
    /// Every identity.
    Any,
    /// The component's own.
    Me,
    /// Every one but the component's own.
    Other,
    /// The one it holds.
    Held,
    /// Every one but the one it holds.
    Strange,
    /// The next one after the component's own, in a ring.
    Next,
    /// The one before.
    Previous,
}

use Field::{Any, Held, Me, Next, Other, Previous, Strange};

/// A channel with the values that may stand in each field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Pattern {
    pub(crate) channel: Channel,
    pub(crate) fields: Vec<Field>,
}

/// The component that patterns belong to.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Scope {
    /// The identity of the component.
    pub(crate) me: Option<usize>,
    /// The identity that it holds.
    pub(crate) held: Option<usize>,
}

impl Scope {
    fn me(self) -> usize {
        self.me
            .expect("the pattern stands in a component with an identity")
    }

    fn held(self) -> usize {
        self.held
            .expect("the pattern stands in a state that holds an identity")
    }
}

impl Field {
    fn allows(self, id: usize, alphabet: &Alphabet, scope: Scope) -> bool {
        match self {
            Any => true,
            Me => id == scope.me(),
            Other => id != scope.me(),
            Held => id == scope.held(),
            Strange => id != scope.held(),
            Next => id == (scope.me() + 1) % alphabet.ids,
            Previous => scope.me() == (id + 1) % alphabet.ids,
        }
    }

    fn is_variable(self) -> bool {
        matches!(self, Any | Other | Strange)
    }

    /// The set a variable ranges over.
    fn range(self, me: &str) -> String {
        match self {
            Other => format!("diff(ID, {{{me}}})"),
            Strange => "diff(ID, {x})".to_string(),
            _ => "ID".to_string(),
        }
    }
}

impl Pattern {
    /// Every event of `channel`.
    pub(crate) fn all(channel: Channel) -> Self {
        Self::new(channel, &vec![Any; CHANNELS[channel].1])
    }

    pub(crate) fn new(channel: Channel, fields: &[Field]) -> Self {
        assert_eq!(fields.len(), CHANNELS[channel].1);
        Self {
            channel,
            fields: fields.to_vec(),
        }
    }

    /// The events, each with its fields.
    pub(crate) fn events(&self, alphabet: &Alphabet, scope: Scope) -> Vec<(Event, Vec<usize>)> {
        let mut events = alphabet.events_of(self.channel);
        events.retain(|(_, ids)| {
            let mut fields = self.fields.iter().zip(ids);
            fields.all(|(field, &id)| field.allows(id, alphabet, scope))
        });
        events
    }

    /// The field at `place` as CSPm, for a component called `me` that holds `x`.
    pub(crate) fn field_text(&self, place: usize, me: &str) -> String {
        match self.fields[place] {
            Me => me.to_string(),
            Held => "x".to_string(),
            Next => format!("next({me})"),
            Previous => format!("previous({me})"),
            Any | Other | Strange => ["y", "z"][place].to_string(),
        }
    }

    fn variables(&self) -> Vec<usize> {
        let places = 0..self.fields.len();
        places.filter(|&at| self.fields[at].is_variable()).collect()
    }

    /// `c.x.y`
    fn event_text(&self, me: &str) -> String {
        let fields = (0..self.fields.len()).map(|at| self.field_text(at, me));
        let parts = [CHANNELS[self.channel].0.to_string()]
            .into_iter()
            .chain(fields);
        parts.collect::<Vec<_>>().join(".")
    }

    /// `y : ID, z : diff(ID, {x})`, with `arrow` for the colon.
    fn statements(&self, arrow: &str, me: &str) -> String {
        let statement = |at: usize| {
            let range = self.fields[at].range(me);
            format!("{} {arrow} {range}", self.field_text(at, me))
        };
        let statements: Vec<String> = self.variables().into_iter().map(statement).collect();
        statements.join(", ")
    }

    /// The events as a set.
    pub(crate) fn set_text(&self, me: &str) -> String {
        if self.fields.iter().all(|field| *field == Any) {
            format!("{{| {} |}}", CHANNELS[self.channel].0)
        } else if self.variables().is_empty() {
            format!("{{{}}}", self.event_text(me))
        } else {
            let event = self.event_text(me);
            format!("{{{event} | {}}}", self.statements("<-", me))
        }
    }

    /// A choice of all the events, followed by `then`: with inputs if the variable fields are the
    /// last ones, else replicated.
    pub(crate) fn prefix_text(&self, then: &str) -> String {
        let variables = self.variables();
        let first = variables.first().copied().unwrap_or(self.fields.len());
        if variables.len() < self.fields.len() - first {
            let statements = self.statements(":", "i");
            return format!("([] {statements} @ {} -> {then})", self.event_text("i"));
        }
        let mut text = CHANNELS[self.channel].0.to_string();
        for (at, field) in self.fields.iter().enumerate() {
            let value = self.field_text(at, "i");
            text += &match field {
                Any => format!("?{value}"),
                Other | Strange => format!("?{value}:{}", field.range("i")),
                _ => format!(".{value}"),
            };
        }
        format!("{text} -> {then}")
    }
}

/// Some patterns as one set of events.
pub(crate) fn set_text(patterns: &[Pattern], me: &str) -> String {
    let sets: Vec<String> = patterns
        .iter()
        .map(|pattern| pattern.set_text(me))
        .collect();
    format!("Union({{{}}})", sets.join(", "))
}
