//! The operators of random systems: as CSPm, and over explicit components.

use std::collections::BTreeSet;

use super::alphabet::{Alphabet, CHANNELS, Channel, Event};
use super::pattern::{Field, Pattern, Scope, set_text};
use super::tree::Operator;

/// An operator over all identities.
#[derive(Clone, Debug)]
pub(crate) enum Each {
    Interleave,
    Parallel(Vec<Pattern>),
    /// `||`, with the alphabet of each operand.
    Alphabetised(Vec<Pattern>),
    ExternalChoice,
    InternalChoice,
    /// Prefixes: each operand after its event of this channel.
    Input(Channel),
}

/// An operator over two operands.
#[derive(Clone, Debug)]
pub(crate) enum Two {
    Parallel(Vec<Pattern>),
    /// The left channel of each pair with the right one.
    Linked(Vec<(Channel, Channel)>),
    Sequential,
    ExternalChoice,
    Interrupt,
    SlidingChoice,
    Exception(Vec<Pattern>),
}

/// A renaming.
#[derive(Clone, Debug)]
pub(crate) enum Renaming {
    /// One channel to another with equally many fields.
    Channel(Channel, Channel),
    /// One channel to another, for events with the own identity only.
    Mine(Channel, Channel),
    /// A channel of identities to one without fields.
    Forget(Channel, Channel),
    /// A channel without fields to all events of another one.
    Spread(Channel, Channel),
    /// The two fields exchanged.
    Flip(Channel),
}

impl Each {
    /// The text before the operand, in which the identity is called `i`.
    pub(super) fn text(&self, me: &str) -> String {
        match self {
            Each::Interleave => "||| i : ID @".to_string(),
            Each::Parallel(set) => format!("[| {} |] i : ID @", set_text(set, me)),
            Each::Alphabetised(set) => format!("|| i : ID @ [{}]", set_text(set, "i")),
            Each::ExternalChoice => "[] i : ID @".to_string(),
            Each::InternalChoice => "|~| i : ID @".to_string(),
            Each::Input(channel) => format!("{}?i ->", CHANNELS[*channel].0),
        }
    }

    pub(super) fn operator(&self, alphabet: &Alphabet) -> Operator {
        match self {
            Each::Interleave => Operator::Parallel(BTreeSet::new()),
            Each::Parallel(set) => Operator::Parallel(events(set, alphabet, None)),
            Each::Alphabetised(set) => {
                let of = |id| events(set, alphabet, Some(id));
                Operator::Alphabetised((0..alphabet.ids).map(of).collect())
            }
            Each::ExternalChoice => Operator::ExternalChoice,
            Each::InternalChoice => Operator::InternalChoice,
            Each::Input(channel) => {
                let event = |id| alphabet.event(*channel, &[id]);
                Operator::Prefix((0..alphabet.ids).map(event).collect())
            }
        }
    }
}

impl Two {
    pub(super) fn text(&self, me: &str) -> String {
        match self {
            Two::Parallel(set) => format!("[| {} |]", set_text(set, me)),
            Two::Linked(pairs) => {
                let name = |channel: Channel| CHANNELS[channel].0;
                let tie = |&(left, right): &(Channel, Channel)| match CHANNELS[left].1 {
                    0 => format!("{} <-> {}", name(left), name(right)),
                    _ => format!("{}.y <-> {}.y", name(left), name(right)),
                };
                let ties: Vec<String> = pairs.iter().map(tie).collect();
                let fields = pairs.iter().any(|&(left, _)| CHANNELS[left].1 > 0);
                let statements = if fields { " | y <- ID" } else { "" };
                format!("[{}{statements}]", ties.join(", "))
            }
            Two::Sequential => ";".to_string(),
            Two::ExternalChoice => "[]".to_string(),
            Two::Interrupt => r"/\".to_string(),
            Two::SlidingChoice => "[>".to_string(),
            Two::Exception(set) => format!("[| {} |>", set_text(set, me)),
        }
    }

    pub(super) fn operator(&self, alphabet: &Alphabet, me: Option<usize>) -> Operator {
        match self {
            Two::Parallel(set) => Operator::Parallel(events(set, alphabet, me)),
            Two::Linked(pairs) => Operator::Linked(
                pairs
                    .iter()
                    .flat_map(|&(left, right)| same_fields(alphabet, left, right))
                    .collect(),
            ),
            Two::Sequential => Operator::Sequential,
            Two::ExternalChoice => Operator::ExternalChoice,
            Two::Interrupt => Operator::Interrupt,
            Two::SlidingChoice => Operator::SlidingChoice,
            Two::Exception(set) => Operator::Exception(events(set, alphabet, me)),
        }
    }
}

/// The pairs of events of two channels of one type that have equal fields.
fn same_fields(alphabet: &Alphabet, left: Channel, right: Channel) -> Vec<(Event, Event)> {
    let events = alphabet.events_of(left).into_iter();
    events
        .map(|(event, fields)| (event, alphabet.event(right, &fields)))
        .collect()
}

impl Renaming {
    pub(super) fn text(&self, me: &str) -> String {
        let name = |channel: &Channel| CHANNELS[*channel].0;
        match self {
            Renaming::Channel(from, to) => format!("{} <- {}", name(from), name(to)),
            Renaming::Mine(from, to) => format!("{}.{me} <- {}.{me}", name(from), name(to)),
            Renaming::Forget(from, to) => format!("{}.y <- {} | y <- ID", name(from), name(to)),
            Renaming::Spread(from, to) => format!("{} <- {}.y | y <- ID", name(from), name(to)),
            Renaming::Flip(channel) => {
                let name = name(channel);
                format!("{name}.y.z <- {name}.z.y | y <- ID, z <- ID")
            }
        }
    }

    pub(super) fn pairs(&self, alphabet: &Alphabet, me: Option<usize>) -> Vec<(Event, Event)> {
        let events = |channel: &Channel| alphabet.events_of(*channel).into_iter();
        match self {
            Renaming::Channel(from, to) => same_fields(alphabet, *from, *to),
            Renaming::Mine(from, to) => {
                let scope = Scope { me, held: None };
                let mine = Pattern::new(*from, &[Field::Me]).events(alphabet, scope);
                let pair =
                    |(event, fields): (Event, Vec<usize>)| (event, alphabet.event(*to, &fields));
                mine.into_iter().map(pair).collect()
            }
            Renaming::Forget(from, to) => events(from)
                .map(|(event, _)| (event, alphabet.event(*to, &[])))
                .collect(),
            Renaming::Spread(from, to) => events(to)
                .map(|(event, _)| (alphabet.event(*from, &[]), event))
                .collect(),
            Renaming::Flip(channel) => events(channel)
                .map(|(event, fields)| (event, alphabet.event(*channel, &[fields[1], fields[0]])))
                .collect(),
        }
    }
}

/// The events of some patterns, for a component with this identity.
pub(super) fn events(
    patterns: &[Pattern],
    alphabet: &Alphabet,
    me: Option<usize>,
) -> BTreeSet<Event> {
    let scope = Scope { me, held: None };
    let of = |pattern: &Pattern| pattern.events(alphabet, scope);
    let events = patterns.iter().flat_map(of);
    events.map(|(event, _)| event).collect()
}
