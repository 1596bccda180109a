//! A machine as one explicit transition system: for specifications, which are determinised as a whole, and
//! for what is compressed.

use rustc_hash::FxHashMap;

use super::Machine;
use super::packing::PackedState;
use crate::base::number::plain;
use crate::diag::{Diagnostic, Result};
use crate::lts::graph::{Lts, StateId};

/// All reachable states of `machine`, at most `limit`.
///
/// Costs a hash entry and a row for each state; a system that is only searched should stay a machine.
pub fn explicit(machine: &Machine, limit: usize) -> Result<Lts> {
    listed(machine, limit)?.ok_or_else(|| Box::new(too_large(limit)))
}

/// The same; nothing if there are more than `limit`.
pub(crate) fn listed(machine: &Machine, limit: usize) -> Result<Option<Lts>> {
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
    Ok(Some(Lts::from_rows(rows)))
}

fn too_large(limit: usize) -> Diagnostic {
    Diagnostic::undecided(
        "large-specification",
        format!("the specification has more than {}", plain(limit, "state")),
    )
    .hint("write a smaller specification, or allow more with --max-leaf-states")
}
