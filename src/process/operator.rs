//! The table of the operators over processes that run: for each, its name and symbol, the operands
//! that wait, those that do an event together, the event that it becomes above, and the term that a
//! step leaves.
//!
//! All stages that only follow terms use this table: the operational semantics, explanations,
//! texts, the proofs of symmetries. The machines have their own rules (crate `machine`), so that
//! their results are replayed by other rules.

use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use super::compression::Compression;
use super::event::{EventId, EventSetId, EventTable, TAU, TICK};
use super::priority::Priority;

/// An operator over processes of which some run, without its operands.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Operator {
    /// `[]`, or `[+ A +]` with its set.
    Choice(Option<EventSetId>),
    /// `;`
    Sequential,
    /// `/\`, or `/+ A +\` with its set.
    Interrupt(Option<EventSetId>),
    /// `[>`
    SlidingChoice,
    /// `[| A |>`
    Exception(EventSetId),
    /// `[| A |]`; `|||` has the empty set. Events outside `A` interleave; events in `A` are done by
    /// all operands together, and so is ✓.
    Parallel(EventSetId),
    /// `||` with the alphabet of each operand: an event is done together by all operands whose
    /// alphabet has it.
    Alphabetised(Arc<[EventSetId]>),
    /// Linked parallel: (left event, right event) ties, ascending, are done together and hidden.
    Linked(Arc<[(EventId, EventId)]>),
    /// `\ A`
    Hide(EventSetId),
    /// `|\ A`: hides everything outside `A`.
    Project(EventSetId),
    /// Relational renaming: (from, to) pairs, ascending; events that are no `from` stay.
    Rename(Arc<[(EventId, EventId)]>),
    /// `prioritise(P, <...>)`, `prioritisepo`: an event does not happen while a higher one is
    /// possible.
    Prioritise(Arc<Priority>),
    /// `sbisim(P)` and its like.
    Compress(Compression),
}

/// The part of the operator that a step of an operand leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Remains {
    /// The operator, over the operands after the step.
    Operator,
    /// The operand that did the step.
    Operand,
    /// The operand that has waited.
    Waiting,
    /// Nothing: its operands have terminated together.
    Nothing,
}

/// Events; mostly there is one.
pub type FewEvents = SmallVec<[EventId; 1]>;

impl Operator {
    /// The name, and the symbols before and after the set, if there is one.
    pub fn name(&self) -> [&'static str; 3] {
        match self {
            Self::Choice(None) => ["external choice", "[]", ""],
            Self::Choice(Some(_)) => ["synchronising choice", "[+", "+]"],
            Self::Sequential => ["sequential composition", ";", ""],
            Self::Interrupt(None) => ["interrupt", "/\\", ""],
            Self::Interrupt(Some(_)) => ["synchronising interrupt", "/+", "+\\"],
            Self::SlidingChoice => ["sliding choice", "[>", ""],
            Self::Exception(_) => ["exception", "[|", "|>"],
            Self::Parallel(_) => ["parallel", "[|", "|]"],
            Self::Alphabetised(_) => ["alphabetised parallel", "||", ""],
            Self::Linked(_) => ["linked parallel", "[<->]", ""],
            Self::Hide(_) => ["hiding", "\\", ""],
            Self::Project(_) => ["projection", "|\\", ""],
            Self::Rename(_) => ["renaming", "[[", "]]"],
            Self::Prioritise(_) => ["priority", "prioritise", ""],
            Self::Compress(compression) => [compression.name(); 3],
        }
    }

    /// The set, if there is one.
    pub fn set(&self) -> Option<EventSetId> {
        match self {
            &Self::Choice(set) | &Self::Interrupt(set) => set,
            &Self::Exception(set)
            | &Self::Parallel(set)
            | &Self::Hide(set)
            | &Self::Project(set) => Some(set),
            _ => None,
        }
    }

    /// True if `other` is the same operator, perhaps over another set, alphabets, ties and so on.
    pub fn is_like(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
            && self.set().is_some() == other.set().is_some()
    }

    /// True if its operands run side by side and terminate together.
    pub fn is_parallel(&self) -> bool {
        matches!(
            self,
            Self::Parallel(_) | Self::Alphabetised(_) | Self::Linked(_)
        )
    }

    /// True if it stays over the same operands until it terminates.
    pub fn is_fixed(&self) -> bool {
        use Operator::{Compress, Hide, Prioritise, Project, Rename};
        self.is_parallel()
            || matches!(
                self,
                Hide(_) | Project(_) | Rename(_) | Prioritise(_) | Compress(_)
            )
    }

    /// The number of `operands` that take part in the next step. They come first; the others wait.
    pub fn started<T>(&self, operands: &[T]) -> usize {
        let waits = matches!(
            self,
            Self::Sequential | Self::SlidingChoice | Self::Exception(_)
        );
        operands.len() - usize::from(waits)
    }

    /// True if `event` of an operand is not done by it alone, but by several together. Ties do not
    /// count: see [`Self::tied`].
    pub fn joins(&self, events: &EventTable, event: EventId) -> bool {
        match self {
            _ if event == TICK => self.is_parallel(),
            Self::Choice(Some(set)) | Self::Interrupt(Some(set)) | Self::Parallel(set) => {
                events.contains(*set, event)
            }
            Self::Alphabetised(_) => event != TAU,
            _ => false,
        }
    }

    /// True if operand `i` is the leftmost of those that do `event` together.
    pub fn leads(&self, events: &EventTable, i: usize, event: EventId) -> bool {
        match self {
            Self::Alphabetised(alphabets) if event != TICK => {
                let mut before = alphabets[..i].iter();
                events.contains(alphabets[i], event) && !before.any(|&a| events.contains(a, event))
            }
            _ => i == 0,
        }
    }

    /// The events of the other operand with which `event` of operand `i` is tied: the two are done
    /// together and hidden.
    pub fn tied(&self, i: usize, event: EventId) -> Vec<EventId> {
        let Self::Linked(ties) = self else {
            return Vec::new();
        };
        if i == 0 {
            return images(ties, event).collect();
        }
        let to_event = ties.iter().filter(|&&(_, right)| right == event);
        to_event.map(|&(left, _)| left).collect()
    }

    /// The numbers, ascending, of the operands, out of `count`, that do `event` together, which the
    /// operator joins.
    pub fn together(&self, events: &EventTable, count: usize, event: EventId) -> Vec<usize> {
        match self {
            Self::Alphabetised(alphabets) if event != TICK => (0..count)
                .filter(|&i| events.contains(alphabets[i], event))
                .collect(),
            _ => (0..count).collect(),
        }
    }

    /// The events that `event` of an operand becomes above, if no other operand has to take part.
    pub fn above(&self, events: &EventTable, event: EventId) -> FewEvents {
        match self {
            Self::Sequential if event == TICK => smallvec![TAU],
            Self::Hide(set) if events.contains(*set, event) => smallvec![TAU],
            Self::Project(set) if event.is_visible() && !events.contains(*set, event) => {
                smallvec![TAU]
            }
            Self::Rename(pairs) => renamed(pairs, event),
            _ => smallvec![event],
        }
    }

    /// The events of operands that become `label` above, which is visible or ✓.
    pub fn below(&self, events: &EventTable, label: EventId) -> Vec<EventId> {
        match self {
            Self::Rename(pairs) => {
                let stays = !pairs.iter().any(|&(from, _)| from == label);
                let renamed = pairs.iter().filter(|&&(_, to)| to == label);
                let renamed = renamed.map(|&(from, _)| from);
                renamed.chain(stays.then_some(label)).collect()
            }
            _ if label == TICK || self.above(events, label).contains(&label) => vec![label],
            _ => Vec::new(),
        }
    }

    /// The part of the operator that is left when operand `i` does `event`, alone or together with
    /// others.
    pub fn remains(&self, events: &EventTable, i: usize, event: EventId) -> Remains {
        let is_in = |set: Option<EventSetId>| set.is_some_and(|set| events.contains(set, event));
        let stays = match self {
            _ if event == TICK => match self {
                Self::Sequential => return Remains::Waiting,
                _ if self.is_parallel() => return Remains::Nothing,
                _ => false,
            },
            Self::Choice(set) => event == TAU || is_in(*set),
            Self::SlidingChoice => event == TAU,
            Self::Interrupt(set) => event == TAU || i == 0 || is_in(*set),
            Self::Exception(set) if is_in(Some(*set)) => return Remains::Waiting,
            // By the rules of terms it steps as its operand does, and is left behind.
            Self::Compress(_) => false,
            _ => true,
        };
        match stays {
            true => Remains::Operator,
            false => Remains::Operand,
        }
    }

    /// The visible events of the whole if its operands can do these; all lists are ascending.
    pub fn alphabet(&self, events: &EventTable, operands: &[&[EventId]]) -> Vec<EventId> {
        let mut all: Vec<EventId> = Vec::new();
        for (i, operand) in operands.iter().enumerate() {
            let own = operand.iter().filter(|&&event| {
                // An event that a choice or an interrupt joins is done alone later.
                if self.is_parallel() && self.joins(events, event) {
                    let can = |party: usize| operands[party].binary_search(&event).is_ok();
                    let parties = || self.together(events, operands.len(), event).into_iter();
                    return self.leads(events, i, event) && parties().all(can);
                }
                self.tied(i, event).is_empty()
            });
            all.extend(own.flat_map(|&event| self.above(events, event)));
        }
        all.retain(|event| event.is_visible());
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// The events that a renaming turns `event` into, ascending: the event itself if no pair begins
/// with it.
pub fn renamed(pairs: &[(EventId, EventId)], event: EventId) -> FewEvents {
    let images: FewEvents = images(pairs, event).collect();
    match images.is_empty() {
        true => smallvec![event],
        false => images,
    }
}

/// The second events of the pairs that begin with `event`, ascending if the pairs are.
fn images(pairs: &[(EventId, EventId)], event: EventId) -> impl Iterator<Item = EventId> {
    let start = pairs.partition_point(|&(from, _)| from < event);
    let of_event = pairs[start..]
        .iter()
        .take_while(move |&&(from, _)| from == event);
    of_event.map(|&(_, to)| to)
}
