//! Where a parameterised process begins, and how many identities take part in an event.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

use super::model::{LocalId, Partial, PartialModel};
use super::tree::is_run;
use super::value::{Id, PartialValue};
use crate::diag::Result;

/// Processes with more states than this are taken for unbounded.
const MOST_STATES: usize = 50_000;

/// What takes part in the events of a channel.
#[derive(Default)]
struct Takers {
    /// The fields that name an identity whose process takes part.
    fields: BTreeSet<usize>,
    /// Fields of events that name such an identity more than once.
    doubtful: BTreeSet<usize>,
    /// Whether processes of an identity take part in events that do not name it.
    is_unnamed: bool,
    has_server: bool,
}

impl PartialModel<'_> {
    /// The states in which the process may begin, everybody in sight.
    pub(super) fn initial(&mut self) -> Result<Vec<Partial>> {
        let servers = self.structure.servers.clone();
        let own: Vec<_> = self.structure.own.concat();
        let mut all = vec![Vec::new()];
        for choices in servers.into_iter().chain(own) {
            let choices: Vec<LocalId> = choices
                .into_iter()
                .map(|local| self.locals.intern(local))
                .collect();
            let longer = all.iter().flat_map(|locals: &Vec<LocalId>| {
                choices
                    .iter()
                    .map(|&choice| [&locals[..], &[choice]].concat())
            });
            all = longer.collect();
            if all.len() > MOST_STATES {
                return Err(self.refused("there are too many states in which it may begin"));
            }
        }
        Ok(all.into_iter().map(Into::into).collect())
    }

    /// The state `state` of `other`, a model of the same process.
    pub(super) fn taken_from(&mut self, other: &PartialModel<'_>, state: &Partial) -> Partial {
        let locals = state.iter().map(|&local| {
            let local = other.locals[local].clone();
            if let Some(skeleton) = other.interpreter.skeletons.get(&local.code) {
                let skeletons = &mut self.interpreter.skeletons;
                skeletons
                    .entry(local.code)
                    .or_insert_with(|| Rc::clone(skeleton));
            }
            self.locals.intern(local)
        });
        locals.collect()
    }

    /// How many identities may take part in an event beside those of a view that the event changes,
    /// at least one: all that it names, if a server takes part, else all but one.
    pub(super) fn most_outside(&mut self) -> Result<usize> {
        let mut channels: FxHashMap<PartialValue, Takers> = FxHashMap::default();
        for choices in self.structure.servers.clone() {
            for event in self.alone(choices)? {
                channels.entry(channel(&event)).or_default().has_server = true;
            }
        }
        for choices in self.structure.own[0].clone() {
            for event in self.alone(choices)? {
                let takers = channels.entry(channel(&event)).or_default();
                takers.note(&event);
            }
        }
        let most = channels.values().map(Takers::most_outside).max();
        Ok(most.unwrap_or(0).max(1))
    }

    /// All that a process offers in all states that it can reach if nobody hinders it.
    fn alone(&mut self, choices: Vec<super::value::Local>) -> Result<BTreeSet<PartialValue>> {
        let mut open: Vec<LocalId> = Vec::new();
        for local in choices {
            if !is_run(&local) {
                open.push(self.locals.intern(local));
            }
        }
        let mut known: BTreeSet<LocalId> = open.iter().copied().collect();
        let mut offers = BTreeSet::new();
        while let Some(local) = open.pop() {
            for &(event, next) in self.offers(local)?.iter() {
                offers.insert(self.events[event].clone());
                if known.insert(next) {
                    open.push(next);
                }
            }
            if known.len() > MOST_STATES {
                return Err(self.refused(
                    "a component has no end of states for an unknown number of identities",
                ));
            }
        }
        Ok(offers)
    }
}

impl Takers {
    /// The process of identity 0 takes part in `event`.
    fn note(&mut self, event: &PartialValue) {
        let own = PartialValue::Id(Id::Seen(0));
        let fields: Vec<usize> = match event {
            PartialValue::Dot(parts) => (0..parts.len())
                .filter(|&at| super::closure::mentions(&parts[at], Id::Seen(0)))
                .collect(),
            event if *event == own => vec![0],
            _ => Vec::new(),
        };
        match &fields[..] {
            [] => self.is_unnamed = true,
            [field] => {
                self.fields.insert(*field);
            }
            fields => self.doubtful.extend(fields),
        }
    }

    fn most_outside(&self) -> usize {
        // What takes part only where it is named twice is one identity; where each of the fields is
        // known to name one, nothing is added by those.
        let fields = match self.fields.is_empty() {
            true => self.doubtful.len(),
            false => self
                .fields
                .union(&self.doubtful)
                .filter(|field| self.fields.contains(field))
                .count(),
        };
        let all = fields + usize::from(self.is_unnamed && fields == 0);
        match self.has_server {
            true => all,
            false => all.saturating_sub(1),
        }
    }
}

/// The channel of an event.
fn channel(event: &PartialValue) -> PartialValue {
    match event {
        PartialValue::Dot(parts) => parts[0].clone(),
        head => head.clone(),
    }
}
