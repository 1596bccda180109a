//! Lists a machine of one leaf. Its states are those of the leaf, so that none is packed or looked
//! up, and rules do not have to be found by what is possible: a leaf may have a million events.

use super::Machine;
use base::cancel::Cancellation;
use base::diag::Result;
use lts::graph::{Lts, LtsBuilder, StateId};
use process::event::EventId;

/// True if `machine` has one leaf, and each rule is possible wherever the leaf can do its action.
pub(super) fn is_one_leaf(machine: &Machine) -> bool {
    let mut rules = machine.rules.iter();
    machine.leaves.len() == 1
        && machine.gates.is_empty()
        && !machine.follows_chases()
        && rules.all(|rule| rule.participants.len() == 1)
}

/// All states that `machine`, which [`is_one_leaf`], reaches, numbered breadth first by rules in
/// their order. Returns `None` if there are more than `limit` states.
pub(super) fn rows_of_one_leaf(
    machine: &Machine,
    limit: usize,
    token: &Cancellation,
) -> Result<Option<Lts>> {
    let leaf_rows = leaf_rows(machine, token)?;
    let mut numbers: Vec<Option<StateId>> = vec![None; leaf_rows.len()];
    let mut met = vec![0];
    numbers[0] = Some(Lts::INITIAL);
    let mut rows = LtsBuilder::default();
    while rows.state_count() < met.len() {
        if met.len() > limit {
            return Ok(None);
        }
        let row = &leaf_rows[met[rows.state_count()]];
        token.look(1 + row.len())?;
        let mut numbered = Vec::with_capacity(row.len());
        for &(event, target) in row {
            let number = *numbers[target as usize].get_or_insert_with(|| {
                met.push(target as usize);
                StateId(met.len() as u32 - 1)
            });
            numbered.push((event, number));
        }
        rows.push(numbered);
    }
    Ok(Some(rows.finish()))
}

/// For each state of the leaf the events and targets of the rules that are possible, in their
/// order.
fn leaf_rows(machine: &Machine, token: &Cancellation) -> Result<Vec<Vec<(EventId, u32)>>> {
    let states = machine
        .leaves
        .iter()
        .map(|leaf| leaf.state_count() as usize);
    let mut rows = vec![Vec::new(); states.sum()];
    for rule in machine.rules.iter() {
        for &(leaf, action) in &rule.participants {
            let transitions = machine.leaves[leaf].transitions(action);
            token.look(1 + transitions.len())?;
            for (from, to) in transitions {
                rows[from as usize].push((rule.result, to));
            }
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explicit::unfolded_rows;
    use crate::{CompileOptions, compile};
    use lts::explore::LeafLimits;
    use testkit::depth::seeds;
    use testkit::terms::Generator;

    #[test]
    fn a_leaf_is_listed_as_its_machine_is() {
        let mut looked_at = 0;
        for seed in seeds(2000, 40_000) {
            let mut generator = Generator::new(seed);
            let process = generator.term(3, true);
            let options = CompileOptions::unminimised(LeafLimits::all(150));
            let Ok(machine) = compile(&mut generator.table, process, &options) else {
                continue;
            };
            if !is_one_leaf(&machine) {
                continue;
            }
            looked_at += 1;
            let token = Cancellation::never();
            for limit in [0, 1, 3, 1000] {
                let listed = rows_of_one_leaf(&machine, limit, token).unwrap();
                assert_eq!(
                    listed,
                    unfolded_rows(&machine, limit, token).unwrap(),
                    "seed {seed}, limit {limit}"
                );
            }
        }
        assert!(looked_at > 100, "{looked_at}");
    }
}
