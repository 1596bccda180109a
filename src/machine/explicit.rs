//! A machine as one explicit transition system: for specifications, which are determinised as a
//! whole, and for what is compressed.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::Machine;
use super::packing::PackedState;
use super::successors::{Scratch, Successors};
use crate::base::index::TypedIndex;
use crate::base::number::plain;
use crate::cancel::Cancellation;
use crate::diag::{Diagnostic, Result};
use crate::lts::graph::{Lts, LtsBuilder, StateId};
use crate::process::event::EventId;

/// All reachable states of `machine`, which is a specification, at most `limit`.
///
/// Costs a hash entry and a row for each state; a system that is only searched should stay a
/// machine.
pub fn explicit(machine: &Machine, limit: usize, token: &Cancellation) -> Result<Lts> {
    listed(machine, limit, token)?.ok_or_else(|| Box::new(too_large(limit)))
}

/// The same where `machine` is a process of which something is asked.
pub(crate) fn explicit_process(
    machine: &Machine,
    limit: usize,
    token: &Cancellation,
) -> Result<Lts> {
    listed(machine, limit, token)?.ok_or_else(|| {
        let hint = "check a smaller instance with -D, or allow more with --max-leaf-states";
        Box::new(large_process(limit).hint(hint))
    })
}

/// All reachable states of `machine`; `None` if there are more than `limit`.
pub(crate) fn listed(machine: &Machine, limit: usize, token: &Cancellation) -> Result<Option<Lts>> {
    let mut unfolding = LazyLts::new(machine, token)?;
    let mut rows = LtsBuilder::new();
    while rows.len() < unfolding.met() {
        if unfolding.met() > limit {
            return Ok(None);
        }
        token.step()?;
        rows.push(unfolding.row(StateId::from_usize(rows.len()))?);
    }
    Ok(Some(rows.finish()))
}

/// The transition system of a machine, found as far as it is asked for. A state is numbered when it
/// is first met. A row is computed anew each time that it is asked for.
pub struct LazyLts<'m> {
    machine: &'m Machine,
    successors: Successors,
    met: Met,
    from: Vec<u64>,
    scratch: Scratch<Vec<u64>>,
}

/// The packed states that were met, by number.
struct Met {
    words: usize,
    /// The words of all states, one state after the other.
    states: Vec<u64>,
    numbers: HashTable<u32>,
}

impl Met {
    fn len(&self) -> usize {
        self.numbers.len()
    }

    fn state(&self, number: u32) -> &[u64] {
        let start = number as usize * self.words;
        &self.states[start..start + self.words]
    }

    /// The number of the state with these words, which is a new one if the state was not met
    /// before.
    fn number(&mut self, words: &[u64]) -> u32 {
        let hash = |words: &[u64]| FxBuildHasher.hash_one(words);
        let same = |&number: &u32| self.state(number) == words;
        if let Some(&number) = self.numbers.find(hash(words), same) {
            return number;
        }
        let number = self.len() as u32;
        self.states.extend_from_slice(words);
        let (states, length) = (&self.states, self.words);
        let rehash = |&number: &u32| {
            let start = number as usize * length;
            hash(&states[start..start + length])
        };
        self.numbers.insert_unique(hash(words), number, rehash);
        number
    }
}

impl<'m> LazyLts<'m> {
    /// At most this many states are numbered.
    pub const MOST: usize = 1 << 31;

    /// The system of `machine`, of which only the initial state was met.
    pub fn new(machine: &'m Machine, token: &Cancellation) -> Result<Self> {
        let packing = machine.packing(1);
        let successors = machine.successors(&packing, token)?;
        let initial: Vec<u64> = PackedState::zero(packing.words());
        let mut met = Met {
            words: packing.words(),
            states: Vec::new(),
            numbers: HashTable::new(),
        };
        met.number(&initial);
        Ok(Self {
            machine,
            successors,
            met,
            from: initial,
            scratch: Scratch::new(packing.words()),
        })
    }

    /// How many states were met.
    pub fn met(&self) -> usize {
        self.met.len()
    }

    /// The transitions of `state`, in the order of the rules.
    pub fn row(&mut self, state: StateId) -> Result<Vec<(EventId, StateId)>> {
        let met = &mut self.met;
        self.from.load(met.state(state.0));
        let mut row = Vec::new();
        self.successors
            .for_each(&self.from, &mut self.scratch, &mut |_, event, next| {
                row.push((event, StateId(met.number(next))));
            });
        // Looked at after the whole row, whose numbers still fit: `MOST` is half of what 32 bits
        // hold.
        if self.met() > Self::MOST {
            return too_many(self.met()).into();
        }
        Ok(row)
    }

    /// The labels and origins of the run with these labels through these states, of which the last
    /// may be unknown. Returns `None` if there is no such run.
    pub fn origins(
        &mut self,
        run: &[(EventId, Option<StateId>)],
    ) -> Option<Vec<(EventId, EventId)>> {
        let mut at = Lts::INITIAL;
        let mut origins = Vec::new();
        for &(label, target) in run {
            let mut origin = None;
            let (met, machine) = (&self.met, self.machine);
            self.from.load(met.state(at.0));
            self.successors
                .for_each(&self.from, &mut self.scratch, &mut |rule, event, next| {
                    let is_it = target.is_none_or(|target| met.state(target.0) == &next[..]);
                    if event == label && is_it && origin.is_none() {
                        origin = Some(machine.rules[rule].origin);
                    }
                });
            origins.push((label, origin?));
            at = target.unwrap_or(at);
        }
        Some(origins)
    }

    /// How many bytes the states that were met take.
    pub fn bytes(&self) -> usize {
        // A number and a control byte of the hash table.
        const SLOT: usize = 5;
        self.met.states.capacity() * size_of::<u64>() + self.met.numbers.capacity() * SLOT
    }
}

fn too_many(met: usize) -> Diagnostic {
    let message = format!("more states than can be numbered; {met} were visited");
    Diagnostic::undecided("state-limit", message).hint("check a smaller instance with -D")
}

/// The message for a process of which more than `limit` states would have to be listed.
pub(crate) fn large_process(limit: usize) -> Diagnostic {
    let message = format!("the process has more than {}", plain(limit, "state"));
    Diagnostic::undecided("large-process", message)
}

fn too_large(limit: usize) -> Diagnostic {
    Diagnostic::undecided(
        "large-specification",
        format!("the specification has more than {}", plain(limit, "state")),
    )
    .hint("write a smaller specification, or allow more with --max-leaf-states")
}
