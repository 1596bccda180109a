//! Normal forms as transition systems: the rests that a state allows are kept in *points*.
//!
//! So a permutation of states, points and events that keeps the transitions keeps the whole normal
//! form. The points follow the states.
//!
//! - *The point of a set of events*: each event of the set leads back to it. τ leads to it from
//!   each state that may come to rest with the set. In the models of failures these sets are the
//!   minimal acceptances; if the empty set is one, everything may be refused, and no τ is needed;
//!   and from a state without acceptances, which only diverges, τ leads to the point of the empty
//!   set. In the finer models the point of the empty set means what it says.
//! - *The point of what comes after a rest*: τ leads to it from the state, and from it to the point
//!   of the offers; events lead to the states after them.
//! - *One point more*, to which τ leads from all others: it can terminate again and again, unlike
//!   any state. Without it a point could be bisimilar to a state, such as `RUN(A)` that offers the
//!   same events for ever.
//!
//! From a divergent state τ leads to that state, and nothing else does.

use std::collections::BTreeMap;

use super::{AfterRest, NormalState};
use crate::graph::{Lts, LtsBuilder, StateId};
use crate::model::Model;
use crate::tau::{internal, visible};
use base::cancel::Cancellation;
use base::diag::Result;
use base::index::TypedIndex;
use process::acceptance::{is_subset, minimal};
use process::event::{EventId, TAU, TICK};

/// The transition system of `states` and their points.
pub(super) fn with_points(
    states: Vec<NormalState>,
    model: Model,
    token: &Cancellation,
) -> Result<Lts> {
    let mut points = Points::behind(states.len());
    let mut rows = Vec::with_capacity(states.len());
    for (number, state) in states.into_iter().enumerate() {
        token.look(1 + state.row.len() + state.acceptances.len())?;
        if state.is_divergent {
            rows.push(vec![(TAU, StateId::from_usize(number))]);
            continue;
        }
        let sets = match model.sees_revivals() {
            true => without_unions(state.acceptances, token)?,
            false => match minimal(state.acceptances, token)? {
                sets if sets.is_empty() => vec![Vec::new()],
                sets if sets == [[]] => Vec::new(),
                sets => sets,
            },
        };
        let mut row = state.row;
        row.extend(sets.into_iter().map(|set| (TAU, points.of_set(set))));
        for after in state.after_rests {
            token.look(1 + after.offers.len())?;
            row.push((TAU, points.after(after)));
        }
        rows.push(row);
    }
    rows.extend(points.rows());
    built(rows.into_iter(), token)
}

/// The points that were needed so far.
struct Points {
    /// The point to which τ leads from all other points.
    ticking: StateId,
    sets: BTreeMap<Vec<EventId>, StateId>,
    after: BTreeMap<AfterRest, StateId>,
    /// The rows of the points, by number.
    rows: Vec<Vec<(EventId, StateId)>>,
}

impl Points {
    /// No points, whose numbers will follow those of `states` states.
    fn behind(states: usize) -> Self {
        Self {
            ticking: StateId::from_usize(states),
            sets: BTreeMap::new(),
            after: BTreeMap::new(),
            rows: Vec::new(),
        }
    }

    fn next(&self) -> StateId {
        StateId::from_usize(self.ticking.index() + 1 + self.rows.len())
    }

    fn of_set(&mut self, set: Vec<EventId>) -> StateId {
        if let Some(&point) = self.sets.get(&set) {
            return point;
        }
        let point = self.next();
        let events = set.iter().map(|&event| (event, point));
        let row = [(TAU, self.ticking)].into_iter().chain(events).collect();
        self.rows.push(row);
        self.sets.insert(set, point);
        point
    }

    fn after(&mut self, rest: AfterRest) -> StateId {
        if let Some(&point) = self.after.get(&rest) {
            return point;
        }
        let offers = self.of_set(rest.offers.clone());
        let point = self.next();
        let mut row = vec![(TAU, self.ticking), (TAU, offers)];
        row.extend(&rest.row);
        self.rows.push(row);
        self.after.insert(rest, point);
        point
    }

    /// The rows of all points. If there is no other point, the last kind of point is left out,
    /// because nothing leads to it and every state of a system has to be reachable.
    fn rows(self) -> impl Iterator<Item = Vec<(EventId, StateId)>> {
        let ticking = vec![(TICK, self.ticking)];
        let has_others = !self.rows.is_empty();
        let ticking = has_others.then_some(ticking);
        ticking.into_iter().chain(self.rows)
    }
}

/// The sets that are no union of others, each once, the smallest first. Each set is compared with
/// those kept before.
fn without_unions(mut sets: Vec<Vec<EventId>>, token: &Cancellation) -> Result<Vec<Vec<EventId>>> {
    token.sort_by(&mut sets, &|a, b| {
        a.len().cmp(&b.len()).then_with(|| a.cmp(b))
    })?;
    sets.dedup();
    let mut kept: Vec<Vec<EventId>> = Vec::new();
    let mut united: Vec<EventId> = Vec::new();
    for set in sets {
        // Nothing but the empty set is inside a set of one event.
        if set.len() > 1 {
            token.look(1 + kept.len())?;
            united.clear();
            let inside = kept.iter().filter(|smaller| is_subset(smaller, &set));
            united.extend(inside.flatten());
            united.sort_unstable();
            united.dedup();
        }
        if set.len() <= 1 || united != set {
            kept.push(set);
        }
    }
    Ok(kept)
}

/// True if `point` is that of a set: τ leads from it to one point alone, which has no τ.
pub(super) fn is_rest(lts: &Lts, point: StateId) -> bool {
    let mut next = internal(lts, point);
    match (next.next(), next.next()) {
        (Some(ticking), None) => internal(lts, ticking).next().is_none(),
        _ => false,
    }
}

/// The entry for the rest with the point `point`; `None` if it is another point.
pub(super) fn after_rest_at(lts: &Lts, point: StateId) -> Option<AfterRest> {
    let offers = internal(lts, point).find(|&next| is_rest(lts, next))?;
    let offers = visible(lts, offers).iter().map(|&(event, _)| event);
    Some(AfterRest {
        offers: offers.collect(),
        row: visible(lts, point).to_vec(),
    })
}

/// For each state of a system with points, true if it is a point: τ leads to it from another state.
pub(super) fn points(lts: &Lts, token: &Cancellation) -> Result<Vec<bool>> {
    let mut is_point = vec![false; lts.state_count()];
    for state in lts.states() {
        token.look(1)?;
        for point in internal(lts, state).filter(|&point| point != state) {
            is_point[point.index()] = true;
        }
    }
    Ok(is_point)
}

/// The system of these rows.
fn built(rows: impl Iterator<Item = Vec<(EventId, StateId)>>, token: &Cancellation) -> Result<Lts> {
    let mut lts = LtsBuilder::default();
    for row in rows {
        token.look(1 + row.len())?;
        lts.push(row);
    }
    Ok(lts.finish())
}

/// `lts` with state `order[i]` as state i.
pub(super) fn renumbered(lts: &Lts, order: &[StateId], token: &Cancellation) -> Result<Lts> {
    let mut numbers = vec![StateId(0); order.len()];
    for (number, &state) in order.iter().enumerate() {
        numbers[state.index()] = StateId::from_usize(number);
    }
    let row = |&state| {
        let row = lts.row(state).iter();
        row.map(|&(event, target)| (event, numbers[target.index()]))
            .collect()
    };
    built(order.iter().map(row), token)
}
