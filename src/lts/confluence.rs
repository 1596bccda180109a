//! Leaves out states from which a confluent τ leads on.
//!
//! A set of τ is *confluent* if each of them, from s to t, takes nothing away: for any other step s
//! –x→ u there is t –x→ v, so that u is v or a τ of the set leads from u to v. Then s and t are
//! branching bisimilar, and one diverges if the other does (Groote and van de Pol, *State space
//! reduction using partial τ-confluence*, 2000), so s is left out. Hidden events of independent
//! components are confluent. Without this step they would make ever longer sequences of τ, and
//! saturating those is quadratic.

use super::graph::{Lts, StateId};
use super::tau::{internal, reachable_by, targets_first};
use super::tau_loops::tau_loop_factor;
use base::cancel::Cancellation;
use base::diag::Result;
use base::index::TypedIndex;
use process::event::{EventId, TAU};

/// The number of transitions compared for each transition of the system before the work is given
/// up.
const WORK_PER_TRANSITION: usize = 100;
/// The number of transitions that may be compared in any case.
const LEAST_WORK: usize = 10_000_000;

/// `lts` with each τ-loop as one state, and without the states from which a confluent τ leads on.
///
/// This comes before everything that takes more than linear time: most τ of a large composition are
/// confluent, and the rest of the system has the same failures and divergences.
pub(super) fn with_short_ways(lts: &Lts, token: &Cancellation) -> Result<Lts> {
    without_detours(&*tau_loop_factor(lts, token)?, token)
}

/// `lts`, whose only τ-cycles lead from a state to itself, without the states from which a
/// confluent τ leads on.
pub(super) fn without_detours(lts: &Lts, token: &Cancellation) -> Result<Lts> {
    let confluent = ConfluentTaus::greatest(lts, token)?;
    let mut end: Vec<u32> = (0..lts.state_count() as u32).collect();
    // Targets come first, so that the end of a chain of confluent τ is known before its start.
    for state in targets_first(lts, token)? {
        token.look(1)?;
        // All confluent τ lead to states bisimilar to this one, so any will do; the first makes
        // results repeatable.
        if let Some(target) = confluent.of(state).next() {
            end[state.index()] = end[target.index()];
        }
    }
    let initial = end[Lts::INITIAL.index()];
    reachable_by(lts.state_count(), initial, |state, row| {
        let steps = lts.row(StateId(state)).iter();
        token.look(1 + steps.len())?;
        row.extend(steps.map(|&(event, target)| (event, end[target.index()])));
        Ok(())
    })
}

/// A set of τ of a system.
struct ConfluentTaus<'a> {
    lts: &'a Lts,
    /// For each state, the start of its τ in `kept`, in the order of its row.
    starts: Vec<u32>,
    /// For each τ, true if the set has it.
    kept: Vec<bool>,
}

impl<'a> ConfluentTaus<'a> {
    /// The greatest confluent set of τ. Starts with all τ, and takes out those that are not
    /// confluent until all are. If that takes too long, the set has only the τ of states that can
    /// do nothing else.
    fn greatest(lts: &'a Lts, token: &Cancellation) -> Result<Self> {
        let mut taus = Self::all(lts, token)?;
        let mut work = LEAST_WORK.max(lts.transition_count() * WORK_PER_TRANSITION);
        // By state, in which round it last lost a τ: what depends on that is looked at again.
        let mut lost_in = vec![0_u32; lts.state_count()];
        for round in 1.. {
            let mut is_final = true;
            // Backwards, because what a τ depends on stands at later states, mostly.
            for state in lts.states().rev() {
                let row = lts.row(state);
                token.look(1 + row.len())?;
                let depends = |&(_, target): &(_, StateId)| lost_in[target.index()] + 1 >= round;
                if !row.iter().any(depends) {
                    continue;
                }
                for (number, target) in (taus.starts[state.index()]..).zip(internal(lts, state)) {
                    if !taus.kept[number as usize] {
                        continue;
                    }
                    let Some(keeps_all) = taus.keeps_all(state, target, &mut work, token)? else {
                        taus.keep_only_steps();
                        return Ok(taus);
                    };
                    if !keeps_all {
                        taus.kept[number as usize] = false;
                        lost_in[state.index()] = round;
                        is_final = false;
                    }
                }
            }
            if is_final {
                break;
            }
        }
        Ok(taus)
    }

    /// All τ but those that lead from a state to itself.
    fn all(lts: &'a Lts, token: &Cancellation) -> Result<Self> {
        let (mut starts, mut kept) = (vec![0], Vec::new());
        for state in lts.states() {
            token.look(1)?;
            kept.extend(internal(lts, state).map(|target| target != state));
            starts.push(kept.len() as u32);
        }
        Ok(Self { lts, starts, kept })
    }

    /// Takes out all τ except those of states that do nothing else: these take nothing away,
    /// whatever other τ are confluent.
    fn keep_only_steps(&mut self) {
        for state in self.lts.states() {
            let [start, end] = [state.index(), state.index() + 1].map(|i| self.starts[i] as usize);
            if self.lts.row(state).len() > 1 {
                self.kept[start..end].fill(false);
            }
        }
    }

    /// The targets of the set's τ from `state`.
    fn of(&self, state: StateId) -> impl Iterator<Item = StateId> + '_ {
        let kept = &self.kept[self.starts[state.index()] as usize..];
        let taus = internal(self.lts, state).zip(kept);
        taus.filter_map(|(target, &is_kept)| is_kept.then_some(target))
    }

    /// True if the set has the τ from `from` to `to`.
    fn has(&self, from: StateId, to: StateId) -> bool {
        let [start, end] = [from.index(), from.index() + 1].map(|i| self.starts[i] as usize);
        let taus = &self.lts.row(from)[..end - start];
        let found = taus.binary_search(&(TAU, to));
        found.is_ok_and(|number| self.kept[start + number])
    }

    /// True if `to` can do all that `from` can do, except the τ between them, to the same end.
    /// Returns `None` if no `work` is left to find out.
    fn keeps_all(
        &self,
        from: StateId,
        to: StateId,
        work: &mut usize,
        token: &Cancellation,
    ) -> Result<Option<bool>> {
        for &(event, target) in self.lts.row(from) {
            if event == TAU && target == to {
                continue;
            }
            let mut joins = false;
            for end in labelled(self.lts, to, event) {
                token.look(1)?;
                let Some(left) = work.checked_sub(1) else {
                    return Ok(None);
                };
                *work = left;
                joins = end == target || self.has(target, end);
                if joins {
                    break;
                }
            }
            if !joins {
                return Ok(Some(false));
            }
        }
        Ok(Some(true))
    }
}

/// The states to which `event` leads from `state`.
fn labelled(lts: &Lts, state: StateId, event: EventId) -> impl Iterator<Item = StateId> + '_ {
    let row = lts.row(state);
    let start = row.partition_point(|step| step.0 < event);
    let steps = row[start..].iter();
    steps
        .take_while(move |step| step.0 == event)
        .map(|step| step.1)
}
