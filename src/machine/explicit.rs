//! A machine as one explicit transition system: for specifications, which are determinised as a whole, and
//! for what is compressed.

use rustc_hash::FxHashMap;

use super::Machine;
use super::packing::PackedState;
use crate::base::index::TypedIndex;
use crate::base::number::plain;
use crate::diag::{Diagnostic, Result};
use crate::lts::graph::{Lts, StateId};
use crate::process::event::EventId;

/// All reachable states of `machine`, at most `limit`.
///
/// Costs a hash entry and a row for each state; a system that is only searched should stay a machine.
pub fn explicit(machine: &Machine, limit: usize) -> Result<Lts> {
    listed(machine, limit)?.ok_or_else(|| Box::new(too_large(limit)))
}

/// The same; nothing if there are more than `limit`.
pub(crate) fn listed(machine: &Machine, limit: usize) -> Result<Option<Lts>> {
    Ok(listing(machine, limit)?.map(|listing| listing.lts))
}

/// A machine listed state by state, with what its states are.
pub(crate) struct Listing {
    pub(crate) lts: Lts,
    /// By number.
    states: Vec<Vec<u64>>,
}

impl Listing {
    /// The labels and origins of the run with these labels through these states; the last need not be known. It may be a run of the
    /// system with ✓ as a signal (`lts::termination`): that decides by a τ what `machine` just does. Nothing if it is no run of `machine`.
    pub(crate) fn origins(
        &self,
        machine: &Machine,
        run: &[(EventId, Option<StateId>)],
    ) -> Result<Option<Vec<(EventId, EventId)>>> {
        let packing = machine.packing(1);
        let successors = machine.successors(&packing)?;
        let mut scratch: Vec<u64> = PackedState::zero(packing.words());
        let mut at = Lts::INITIAL;
        let mut origins = Vec::new();
        for &(label, target) in run {
            if target.is_some_and(|target| target.index() >= self.states.len()) {
                continue;
            }
            let mut origin = None;
            let from = &self.states[at.index()];
            successors.for_each(from, &mut scratch, &mut |rule, event, next| {
                let is_it = target.is_none_or(|target| self.states[target.index()] == *next);
                if event == label && is_it && origin.is_none() {
                    origin = Some(machine.rules[rule].origin);
                }
            });
            let Some(origin) = origin else {
                return Ok(None);
            };
            origins.push((label, origin));
            at = target.unwrap_or(at);
        }
        Ok(Some(origins))
    }
}

/// All reachable states of `machine`; nothing if there are more than `limit`.
pub(crate) fn listing(machine: &Machine, limit: usize) -> Result<Option<Listing>> {
    let packing = machine.packing(1);
    let successors = machine.successors(&packing)?;
    let initial: Vec<u64> = PackedState::zero(packing.words());
    let mut scratch = initial.clone();
    let mut numbers: FxHashMap<Vec<u64>, u32> = FxHashMap::from_iter([(initial.clone(), 0)]);
    let mut states = vec![initial];
    let mut rows = Vec::new();
    while let Some(state) = states.get(rows.len()).cloned() {
        if states.len() > limit {
            return Ok(None);
        }
        let mut row = Vec::new();
        successors.for_each(&state, &mut scratch, &mut |_, event, next| {
            let number = match numbers.get(next) {
                Some(&number) => number,
                None => {
                    let number = states.len() as u32;
                    numbers.insert(next.clone(), number);
                    states.push(next.clone());
                    number
                }
            };
            row.push((event, StateId(number)));
        });
        rows.push(row);
    }
    let lts = Lts::from_rows(rows);
    Ok(Some(Listing { lts, states }))
}

fn too_large(limit: usize) -> Diagnostic {
    Diagnostic::undecided(
        "large-specification",
        format!("the specification has more than {}", plain(limit, "state")),
    )
    .hint("write a smaller specification, or allow more with --max-leaf-states")
}
