//! The implementation of a search for observations, row by row; divergence is looked for on the
//! way.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::diag::Result;
use crate::lts::graph::{Lts, StateId};
use crate::machine::Machine;
use crate::machine::explicit::LazyLts;
use crate::process::event::{EventId, TAU};
use crate::refine::halt::Halt;

/// A transition system whose states have numbers by the time that they are met.
pub trait Rows {
    /// The transitions of `state`, in any order and with repetitions.
    fn row(&mut self, state: StateId) -> Result<Vec<(EventId, StateId)>>;
    /// How many states were met.
    fn met(&self) -> usize;
    /// Bytes that what was met takes.
    fn bytes(&self) -> usize;
}

impl Rows for &Lts {
    fn row(&mut self, state: StateId) -> Result<Vec<(EventId, StateId)>> {
        Ok(Lts::row(self, state).to_vec())
    }

    fn met(&self) -> usize {
        self.state_count()
    }

    fn bytes(&self) -> usize {
        self.transition_count() * size_of::<(EventId, StateId)>()
    }
}

impl Rows for LazyLts<&Machine> {
    fn row(&mut self, state: StateId) -> Result<Vec<(EventId, StateId)>> {
        LazyLts::row(self, state)
    }

    fn met(&self) -> usize {
        LazyLts::met(self)
    }

    fn bytes(&self) -> usize {
        LazyLts::bytes(self)
    }
}

/// Rows, and what is known of the divergence of states.
pub(super) struct Implementation<'a> {
    rows: &'a mut dyn Rows,
    /// By state, whether τ leads from it to a cycle of τ, as far as that is known.
    diverges: FxHashMap<StateId, bool>,
}

impl<'a> Implementation<'a> {
    pub(super) fn new(rows: &'a mut dyn Rows) -> Self {
        Self {
            rows,
            diverges: FxHashMap::default(),
        }
    }

    /// The transitions of `state`, ascending, each once.
    pub(super) fn row(&mut self, state: StateId) -> Result<Vec<(EventId, StateId)>> {
        let mut row = self.rows.row(state)?;
        row.sort_unstable();
        row.dedup();
        Ok(row)
    }

    /// What `state` offers, ascending, if it is at rest.
    pub(super) fn rest(&mut self, state: StateId) -> Result<Option<Vec<EventId>>> {
        Ok(at_rest(&self.row(state)?))
    }

    pub(super) fn met(&self) -> usize {
        self.rows.met()
    }

    pub(super) fn bytes(&self) -> usize {
        self.rows.bytes() + self.diverges.len() * (size_of::<(StateId, bool)>() + 1)
    }

    /// Whether τ leads from `state` to a cycle of τ, found depth first: each state is looked at
    /// once, whichever of them is asked about. `may_go_on` is asked before each, with how many
    /// states were met.
    pub(super) fn diverges(
        &mut self,
        state: StateId,
        may_go_on: &mut dyn FnMut(usize) -> Result<(), Halt>,
    ) -> Result<bool, Halt> {
        if let Some(&known) = self.diverges.get(&state) {
            return Ok(known);
        }
        let mut on_the_way = FxHashSet::from_iter([state]);
        let mut open = vec![(state, self.taus(state)?)];
        while let Some((current, waiting)) = open.last_mut() {
            let Some(target) = waiting.pop() else {
                self.diverges.insert(*current, false);
                on_the_way.remove(current);
                open.pop();
                continue;
            };
            if self.diverges.get(&target) == Some(&false) {
                continue;
            }
            // What is known not to diverge was left out above, so a known state here diverges.
            if self.diverges.contains_key(&target) || on_the_way.contains(&target) {
                let all = open.iter().map(|&(state, _)| (state, true));
                self.diverges.extend(all);
                return Ok(true);
            }
            may_go_on(self.met())?;
            on_the_way.insert(target);
            open.push((target, self.taus(target)?));
        }
        Ok(false)
    }

    fn taus(&mut self, state: StateId) -> Result<Vec<StateId>> {
        let row = self.row(state)?.into_iter();
        let taus = row.take_while(|step| step.0 == TAU);
        Ok(taus.map(|(_, target)| target).collect())
    }
}

/// What a state with this row offers, ascending, if it is at rest.
pub(super) fn at_rest(row: &[(EventId, StateId)]) -> Option<Vec<EventId>> {
    let mut events: Vec<EventId> = row.iter().map(|&(event, _)| event).collect();
    events.dedup();
    (events.first() != Some(&TAU)).then_some(events)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cancel::at_leisure;
    use crate::lts::graph::tests::lts;
    use crate::lts::tau::divergent_states;
    use crate::refine::outcome::StopReason;

    const A: EventId = EventId(2);

    /// A system that records which rows are asked for.
    struct Asked(Lts, Vec<u32>);

    impl Rows for Asked {
        fn row(&mut self, state: StateId) -> Result<Vec<(EventId, StateId)>> {
            self.1.push(state.0);
            Ok(self.0.row(state).to_vec())
        }
        fn met(&self) -> usize {
            self.0.state_count()
        }
        fn bytes(&self) -> usize {
            0
        }
    }

    fn diverges(rows: &mut Implementation<'_>, state: u32) -> bool {
        let found = rows.diverges(StateId(state), &mut |_| Ok(()));
        found.expect("rows are known, and nothing stops it")
    }

    /// All systems of three states and τ alone, each state asked about first.
    #[test]
    fn divergence_is_what_it_is_on_the_whole_system() {
        for edges in 0..1_u32 << 9 {
            let to = |state: u32| (0..3).filter(move |to| edges >> (3 * state + to) & 1 == 1);
            let row = |state| to(state).map(|to| (TAU, StateId(to))).collect();
            let system = Lts::from_rows((0..3).map(row).collect());
            let expected = at_leisure(|token| divergent_states(&system, token));
            for order in [[0, 1, 2], [1, 2, 0], [2, 1, 0]] {
                let mut rows = &system;
                let mut implementation = Implementation::new(&mut rows);
                for state in order {
                    let found = diverges(&mut implementation, state);
                    assert_eq!(found, expected[state as usize], "{system:?} {state}");
                }
            }
        }
    }

    #[test]
    fn each_state_is_looked_at_once() {
        let system = lts(&[
            &[(TAU, 1), (TAU, 3)],
            &[(TAU, 2)],
            &[(A, 0)],
            &[(TAU, 4)],
            &[(TAU, 3)],
            &[(TAU, 4)],
        ]);
        let mut rows = Asked(system, Vec::new());
        let mut implementation = Implementation::new(&mut rows);
        let found = [1, 0, 2, 4, 5].map(|state| diverges(&mut implementation, state));
        assert_eq!(found, [false, true, false, true, true]);
        let mut asked = rows.1;
        asked.sort_unstable();
        assert_eq!(asked, [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn it_can_be_stopped_on_the_way() {
        let system = lts(&[&[(TAU, 1)], &[(TAU, 2)], &[]]);
        let mut rows = &system;
        let mut implementation = Implementation::new(&mut rows);
        let mut met = 0;
        let mut may_go_on = |_| {
            met += 1;
            match met {
                2 => Err(Halt::Stopped(StopReason::Cancelled)),
                _ => Ok(()),
            }
        };
        let found = implementation.diverges(StateId(0), &mut may_go_on);
        assert!(matches!(found, Err(Halt::Stopped(StopReason::Cancelled))));
        assert!(!diverges(&mut implementation, 0));
    }
}
