//! Leaves out states from which a confluent τ leads on.
//!
//! A set of τ is *confluent* if each of them, from s to t, takes nothing away: whatever else s can
//! do, –x→ u, t can do too, –x→ v, so that u is v or a τ of the set leads from u to v. Then s and t
//! are branching bisimilar, and one diverges if the other does (Groote and van de Pol, *State space
//! reduction using partial τ-confluence*, 2000), so s is left out. Hidden events of components that
//! do not depend on each other are confluent; without this they would make ever longer sequences of
//! τ, and saturating those is quadratic.

use rustc_hash::FxHashSet;

use super::graph::{Lts, StateId};
use super::tau::{UnnumberedRow, internal, reachable, targets_first};
use crate::base::index::TypedIndex;
use crate::cancel::Cancellation;
use crate::diag::Result;
use crate::process::event::{EventId, TAU};

/// The work is given up when it has compared this many transitions for each transition of the
/// system.
const WORK_PER_TRANSITION: usize = 100;
/// But comparing this many transitions is always allowed.
const LEAST_WORK: usize = 10_000_000;

/// `lts`, whose only τ-cycles lead from a state to itself, without the states from which a
/// confluent τ leads on.
pub(super) fn without_detours(lts: &Lts, token: &Cancellation) -> Result<Lts> {
    let confluent = confluent(lts, token)?;
    let mut end: Vec<u32> = (0..lts.state_count() as u32).collect();
    // Targets come first, so that the end of a chain of confluent τ is known before its start.
    for state in targets_first(lts, token)? {
        token.look(1)?;
        // All confluent τ lead to states bisimilar to this one, so any will do; the first makes
        // results repeatable.
        let onward = internal(lts, state).find(|&target| confluent.contains(&(state, target)));
        if let Some(target) = onward {
            end[state.index()] = end[target.index()];
        }
    }
    let row = |state| -> Result<UnnumberedRow> {
        let row = lts.row(state).iter();
        token.look(1 + row.len())?;
        let ends = row.map(|&(event, target)| (event, end[target.index()]));
        Ok(ends.collect())
    };
    let mut rows: Vec<UnnumberedRow> = lts.states().map(row).collect::<Result<_>>()?;
    reachable(&mut rows, end[Lts::INITIAL.index()], token)
}

/// The greatest confluent set of τ. Starts with all τ, and takes out those that are not confluent
/// until all are. Where that takes too long, only the τ of states that can do nothing else.
fn confluent(lts: &Lts, token: &Cancellation) -> Result<FxHashSet<(StateId, StateId)>> {
    let all = lts.states().flat_map(|state| {
        let onward = internal(lts, state).filter(move |&target| target != state);
        onward.map(move |target| (state, target))
    });
    let mut confluent: FxHashSet<(StateId, StateId)> = all.collect();
    let mut work = LEAST_WORK.max(lts.transition_count() * WORK_PER_TRANSITION);
    loop {
        let mut lost: Vec<(StateId, StateId)> = Vec::new();
        for &(from, to) in &confluent {
            let cost = lts.row(from).len() + lts.row(to).len();
            if cost > work {
                // A τ that is all that a state does takes nothing away, whatever other τ are
                // confluent.
                confluent.retain(|&(from, _)| lts.row(from).len() == 1);
                return Ok(confluent);
            }
            work -= cost;
            token.look(cost)?;
            if !keeps_all(lts, &confluent, from, to) {
                lost.push((from, to));
            }
        }
        // A round takes pairs out only at its end, so the order in which the set lists them has no
        // effect.
        if lost.is_empty() {
            return Ok(confluent);
        }
        for pair in lost {
            confluent.remove(&pair);
        }
    }
}

/// Whether `to` can do all that `from` can do, except the τ between them, to the same end.
fn keeps_all(
    lts: &Lts,
    confluent: &FxHashSet<(StateId, StateId)>,
    from: StateId,
    to: StateId,
) -> bool {
    lts.row(from).iter().all(|&(event, target)| {
        let is_this = event == TAU && target == to;
        let joins = |&end: &StateId| end == target || confluent.contains(&(target, end));
        is_this || labelled(lts, to, event).any(|end| joins(&end))
    })
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
