//! The beginnings of a parameterised process, and the participants in its events.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

use super::arrangement::Arrangement;
use super::model::{Partial, PartialModel};
use super::scene::LocalId;
use super::tree::{ProcessPlace, StructureNode, is_member, is_run};
use super::value::{Id, IdMap, Local, PartialValue};
use base::diag::Result;
use base::order::ascending;

/// The largest number of states of a process that is followed. Larger ones count as unbounded.
const MOST_STATES: usize = 50_000;

/// The processes that may take part in events, in any state.
pub(super) struct EventParticipants {
    /// The participants by event; the event stands without its identities.
    channels: FxHashMap<PartialValue, Takers>,
    /// True if the specification has processes of identities: each of them may refuse.
    may_refuse: bool,
}

/// The naming of identity 0 by an event: a field, and the identity in it (0 or a neighbour).
type Naming = (usize, Id);

/// The participants in events that differ only in the identities that they name.
#[derive(Default)]
struct Takers {
    /// The fields that name an identity whose process takes part, or a neighbour of it. Fields are
    /// counted among those of identities.
    fields: BTreeSet<Naming>,
    /// The fields of an event that name such an identity more than once, all together.
    repeated: BTreeSet<Vec<Naming>>,
    /// The processes that take part in events that name neither their identity nor a neighbour of
    /// it. Events that all other identities take part in too do not count.
    unnamed: BTreeSet<usize>,
    /// True if a server takes part, or a process that must although the event does not name it.
    has_bystander: bool,
}

impl PartialModel<'_> {
    /// The states in which the process may begin, in all arrangements of `count` in sight.
    pub(super) fn initial(&mut self, count: usize) -> Result<Vec<Partial>> {
        let mut all = Vec::new();
        for arrangement in Arrangement::all(count as u8, self.is_ring) {
            let scene = self.scene(arrangement.clone())?;
            let built = Rc::clone(&self.scenes[scene].built);
            for beginning in &built.beginnings {
                let mut processes = beginning.servers.clone();
                for (id, own) in (0..).zip(&beginning.own) {
                    processes.extend(own.iter().cloned());
                    if self.has_marks {
                        processes.push(vec![arrangement.remembered(id)]);
                    }
                }
                all.extend(self.combined(processes)?);
            }
        }
        Ok(ascending(all))
    }

    /// All states in which each process is in one of its local states.
    fn combined(&mut self, processes: Vec<Vec<Local>>) -> Result<Vec<Partial>> {
        let mut all = vec![Vec::new()];
        for choices in processes {
            let choices = choices.into_iter().map(|local| self.locals.intern(local));
            let choices: Vec<LocalId> = choices.collect();
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

    /// The participants in all events.
    pub(super) fn participants(&mut self) -> Result<EventParticipants> {
        // In a ring, the neighbours of identity 0 are in sight.
        let around = match self.is_ring {
            true => Arrangement::around(),
            false => Arrangement::apart(3, false),
        };
        let scene = self.scene(around)?;
        let built = Rc::clone(&self.scenes[scene].built);
        let mut channels: FxHashMap<PartialValue, Takers> = FxHashMap::default();
        for server in 0..self.servers {
            let begins = built.beginnings.iter().map(|begin| &begin.servers[server]);
            for event in self.alone(scene, begins.flatten())? {
                channels
                    .entry(event.mapped(&Nameless))
                    .or_default()
                    .has_bystander = true;
            }
        }
        let shared = shared_by_all(&built.implementation, self.own);
        for number in 0..built.beginnings[0].own[0].len() {
            let begins = built.beginnings.iter().map(|begin| &begin.own[0][number]);
            for event in self.alone(scene, begins.flatten())? {
                let is_of_all = match shared.get(number) {
                    Some(Joining::Always) => true,
                    Some(Joining::In(set)) => {
                        let event = self.events.intern(event.clone());
                        self.is_member(scene, *set, event)?
                    }
                    // A process of the specification.
                    None => false,
                };
                let takers = channels.entry(event.mapped(&Nameless)).or_default();
                takers.note(&event, number, is_of_all, self.is_ring);
            }
        }
        Ok(EventParticipants {
            channels,
            may_refuse: built.beginnings[0].own[0].len() > shared.len(),
        })
    }

    /// All offers of a process in all states that it can reach if nothing hinders it.
    fn alone<'l>(
        &mut self,
        scene: usize,
        begins: impl Iterator<Item = &'l Local>,
    ) -> Result<BTreeSet<PartialValue>> {
        let begins = begins.filter(|local| !is_run(local) && !is_member(local));
        let mut open = ascending(begins.map(|local| self.locals.intern(local.clone())));
        let mut known: BTreeSet<LocalId> = open.iter().copied().collect();
        let mut offers = BTreeSet::new();
        while let Some(local) = open.pop() {
            for &(event, next) in self.offers(scene, local)?.iter() {
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

impl EventParticipants {
    /// The largest number of identities that may take part in an event beside those of a view that
    /// the event changes, at least one: all identities that it names, if a server takes part;
    /// otherwise all but one.
    pub(super) fn most_outside(&self) -> usize {
        let most = self.channels.values().map(|takers| {
            // A process of the specification may refuse what others do.
            takers.most_outside(takers.has_bystander || self.may_refuse)
        });
        most.max().unwrap_or(0).max(1)
    }

    /// The largest number of identities that an event like `event` names, asks, or has refusing it.
    /// Returns `None` if no process was seen to offer it.
    pub(super) fn most_concerned(&self, event: &PartialValue) -> Option<usize> {
        let takers = self.channels.get(&event.mapped(&Nameless))?;
        let named = event.named().len() + takers.most_beside_named();
        Some(named + usize::from(self.may_refuse))
    }
}

impl Takers {
    /// Notes that process `number` of identity 0 takes part in `event`. If `is_of_all`, so do the
    /// processes of all other identities that have the event too.
    fn note(&mut self, event: &PartialValue, number: usize, is_of_all: bool, is_ring: bool) {
        let named: Vec<Naming> = event.named().into_iter().enumerate().collect();
        let of = |ids: &[Id]| -> Vec<Naming> {
            let named = named.iter().filter(|(_, id)| ids.contains(id));
            named.copied().collect()
        };
        let mut fields = of(&[Id::Seen(0)]);
        if fields.is_empty() && is_ring {
            fields = of(&[Id::Seen(1), Id::Seen(2)]);
        }
        match &fields[..] {
            // The process may be in a view without any of the named identities. Otherwise a process
            // of its kind has to be in sight, or no process in the view would do the event.
            [] if is_of_all => {
                self.has_bystander = true;
                self.unnamed.insert(number);
            }
            [] => {
                self.unnamed.insert(number);
            }
            [field] => {
                self.fields.insert(*field);
            }
            _ => {
                self.repeated.insert(fields);
            }
        }
    }

    /// The largest number of identities that may take part beside those of a view that the event
    /// changes. If a server takes part, the view need not have any of them.
    fn most_outside(&self, has_bystander: bool) -> usize {
        // An identity in several fields is counted by one of them, if that counts alone.
        let repeated = self.repeated.iter();
        let repeated = repeated.filter(|fields| !fields.iter().any(|at| self.fields.contains(at)));
        let all = self.fields.len() + repeated.count() + self.unnamed.len();
        match has_bystander {
            true => all,
            false => all.saturating_sub(1),
        }
    }

    /// The largest number of identities that may have to take part although the event does not name
    /// them: those of unnamed processes, and neighbours.
    fn most_beside_named(&self) -> usize {
        let is_beside = |&(_, id): &Naming| id != Id::Seen(0);
        let fields = self.fields.iter().filter(|field| is_beside(field));
        let repeated = self.repeated.iter();
        let repeated = repeated.filter(|fields| fields.iter().any(is_beside));
        fields.count() + repeated.count() + self.unnamed.len()
    }
}

/// The events that a process of one identity does together with those of all others.
#[derive(Clone, Copy)]
enum Joining {
    /// Every event in their alphabets.
    Always,
    /// The events in the set with this number.
    In(usize),
}

/// The way in which each process of an identity joins those of others; at most `count`.
fn shared_by_all(node: &StructureNode, count: usize) -> Vec<Joining> {
    let mut found = Vec::with_capacity(count);
    collect(node, None, &mut found);
    found
}

fn collect(node: &StructureNode, joining: Option<Joining>, found: &mut Vec<Joining>) {
    if let StructureNode::Leaf(ProcessPlace::Own(..)) = node {
        found.extend(joining);
    }
    let (joining, most) = match node {
        // The operand of one identity stands for all.
        StructureNode::SyncOfAll(set, _) => (Some(Joining::In(*set)), 1),
        StructureNode::AlphabetisedOfAll(..) => (Some(Joining::Always), 1),
        _ => (joining, usize::MAX),
    };
    for operand in node.operands().into_iter().take(most) {
        collect(operand, joining, found);
    }
}

/// Removes from an event the identities that it names.
struct Nameless;

impl IdMap for Nameless {
    fn id(&self, _: Id) -> Id {
        Id::Other
    }
}
