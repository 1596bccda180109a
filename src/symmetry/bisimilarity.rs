//! Bisimilarity up to a permutation of events, between explicit transition systems.
//!
//! States p and q are σ-bisimilar if some relation relates them such that whenever p does x and becomes p',
//! q does xσ and becomes a related q', and conversely (section 3.2 of the paper). Here the states of one
//! system are given their partners in another: where neither has two bisimilar states there is one way at
//! most, and it preserves every transition.

pub mod difference;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use self::difference::{apart, behaviour};
use super::Start;
use super::permutation::EventPermutation;
use crate::base::index::TypedIndex;
use crate::diag::Result;
use crate::lts::bisimulation::minimise_while;
use crate::lts::graph::{Lts, LtsBuilder, StateId};
use crate::process::event::{EventId, TAU};
use crate::process::work::Pace;

pub use self::difference::Difference;

/// By state of `left`, the state of `right` that it is σ-bisimilar to: a bijection that preserves every transition.
///
/// All states must be reachable from the initial ones. If a system has bisimilar states of its own (it was not
/// minimised), such a bijection may be missed, but nothing else is returned. Takes O(m log n); where the
/// systems differ in how often they do some event, that is found in O(m).
pub fn matching(
    left: &Lts,
    sigma: &EventPermutation,
    right: &Lts,
    start: Start,
    pace: &mut Pace<'_>,
) -> Result<Option<Arc<[u32]>>> {
    let states = any_matching(left, sigma, right, pace)?;
    Ok(states.filter(|states| start == Start::Any || states[0] == 0))
}

/// What tells systems apart that have no [`matching`]. Costs more than finding that out: it looks for a trace.
pub fn difference(
    left: &Lts,
    sigma: &EventPermutation,
    right: &Lts,
    start: Start,
    pace: &mut Pace<'_>,
) -> Result<Difference> {
    if start == Start::Fixed && any_matching(left, sigma, right, pace)?.is_some() {
        return Ok(Difference::Initial);
    }
    let left = renamed(left, sigma, pace)?;
    let difference = match behaviour(&left, right, start) {
        Some(difference) => difference,
        None => Classes::of(&left, right, pace)?.unpaired(),
    };
    Ok(difference.translated(sigma))
}

fn any_matching(
    left: &Lts,
    sigma: &EventPermutation,
    right: &Lts,
    pace: &mut Pace<'_>,
) -> Result<Option<Arc<[u32]>>> {
    pace.look(left.transition_count() + right.transition_count())?;
    if !counts_agree(left, sigma, right) {
        return Ok(None);
    }
    let identity = EventPermutation::identity();
    let ours = Steps::renamed(left, sigma, None, pace)?;
    let theirs = Steps::renamed(right, &identity, None, pace)?;
    // Where events determine targets, there is no need to know classes: a partner of the initial state determines all others.
    if ours.is_deterministic() && theirs.is_deterministic() {
        let mut candidates = theirs.like(ours.of(Lts::INITIAL));
        for partner in candidates.by_ref().take(MOST_TRIED) {
            if let Some(found) = walk(&ours, &theirs, partner, pace)? {
                return Ok(Some(found));
            }
        }
        if candidates.next().is_none() {
            return Ok(None);
        }
    }
    let classes = Classes::of(&renamed(left, sigma, pace)?, right, pace)?;
    let Some(partner) = classes.partner_of_initial() else {
        return Ok(None);
    };
    let ours = Steps::renamed(left, sigma, Some(&classes.left), pace)?;
    let theirs = Steps::renamed(right, &identity, Some(&classes.right), pace)?;
    walk(&ours, &theirs, partner, pace)
}

/// So many partners of the initial state are tried before classes are looked for, which says who it is.
const MOST_TRIED: usize = 16;

/// The shortest trace that tells a state of `right` from a state of `left`, up to σ, if one was found.
pub(super) fn difference_from(
    left: (&Lts, StateId),
    sigma: &EventPermutation,
    right: (&Lts, StateId),
) -> Option<Difference> {
    let renamed = renamed(left.0, sigma, &mut Pace::new(&mut || Ok(()))).ok()?;
    Some(apart((&renamed, left.1), right)?.translated(sigma))
}

/// `lts` with every event replaced by its image.
fn renamed(lts: &Lts, sigma: &EventPermutation, pace: &mut Pace<'_>) -> Result<Lts> {
    let step = |&(event, target): &(EventId, StateId)| (sigma.apply(event), target);
    let mut renamed = LtsBuilder::new();
    for state in lts.states() {
        pace.look(1 + lts.row(state).len())?;
        renamed.push(lts.row(state).iter().map(step));
    }
    Ok(renamed.finish())
}

/// Whether both have equally many states, and equally many transitions of each event up to σ.
fn counts_agree(left: &Lts, sigma: &EventPermutation, right: &Lts) -> bool {
    if (left.state_count(), left.transition_count())
        != (right.state_count(), right.transition_count())
    {
        return false;
    }
    let mut excess: FxHashMap<EventId, i64> = FxHashMap::default();
    for (state, other) in left.states().zip(right.states()) {
        for &(event, _) in left.row(state) {
            *excess.entry(sigma.apply(event)).or_default() += 1;
        }
        for &(event, _) in right.row(other) {
            *excess.entry(event).or_default() -= 1;
        }
    }
    excess.values().all(|&excess| excess == 0)
}

/// The steps of a system with the classes of their targets.
struct Steps {
    /// By state, where its steps begin; one more entry than states.
    starts: Vec<usize>,
    /// State by state, each ascending by (event, class of the target, target).
    steps: Vec<(EventId, StateId, StateId)>,
}

impl Steps {
    /// Those of `lts` with every event replaced by its image. Without `classes`, all states are in one.
    fn renamed(
        lts: &Lts,
        sigma: &EventPermutation,
        classes: Option<&[StateId]>,
        pace: &mut Pace<'_>,
    ) -> Result<Self> {
        let mut starts = Vec::with_capacity(lts.state_count() + 1);
        let mut steps = Vec::with_capacity(lts.transition_count());
        starts.push(0);
        for state in lts.states() {
            let from = steps.len();
            pace.look(1 + lts.row(state).len())?;
            steps.extend(lts.row(state).iter().map(|&(event, to)| {
                let class = classes.map_or(Lts::INITIAL, |classes| classes[to.index()]);
                (sigma.apply(event), class, to)
            }));
            steps[from..].sort_unstable();
            starts.push(steps.len());
        }
        Ok(Self { starts, steps })
    }

    fn of(&self, state: StateId) -> &[(EventId, StateId, StateId)] {
        &self.steps[self.starts[state.index()]..self.starts[state.index() + 1]]
    }

    fn state_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether no state has two steps with one event.
    fn is_deterministic(&self) -> bool {
        (0..self.state_count()).all(|state| {
            let steps = self.of(StateId::from_usize(state));
            steps.is_sorted_by(|a, b| a.0 < b.0)
        })
    }

    /// The states with the same events as `steps`, ascending: the initial one comes first if it has them.
    fn like(&self, steps: &[(EventId, StateId, StateId)]) -> impl Iterator<Item = StateId> {
        let wanted: Vec<EventId> = steps.iter().map(|&(event, ..)| event).collect();
        let states = (0..self.state_count()).map(StateId::from_usize);
        states.filter(move |&state| {
            let own = self.of(state).iter().map(|&(event, ..)| event);
            own.eq(wanted.iter().copied())
        })
    }
}

/// Bisimilarity on the disjoint union of two systems.
struct Classes {
    /// By state of the left system.
    left: Vec<StateId>,
    /// By state of the right system.
    right: Vec<StateId>,
}

impl Classes {
    /// Minimises both systems under a common root.
    fn of(left: &Lts, right: &Lts, pace: &mut Pace<'_>) -> Result<Self> {
        let first_right = left.state_count() as u32 + 1;
        let mut union = LtsBuilder::new();
        union.push([(TAU, StateId(1)), (TAU, StateId(first_right))]);
        for (lts, by) in [(left, 1), (right, first_right)] {
            for state in lts.states() {
                let row = lts.row(state).iter();
                pace.look(1 + row.len())?;
                union.push(row.map(|&(event, target)| (event, StateId(target.0 + by))));
            }
        }
        let class_of = minimise_while(&union.finish(), pace)?.class_of;
        let mut classes = class_of.iter().copied().skip(1);
        Ok(Self {
            left: classes.by_ref().take(left.state_count()).collect(),
            right: classes.collect(),
        })
    }

    /// A state of the right system that the left initial state is bisimilar to, the initial one if that is.
    fn partner_of_initial(&self) -> Option<StateId> {
        let position = self.right.iter().position(|&class| class == self.left[0]);
        position.map(StateId::from_usize)
    }

    /// How many states have no partner when the states of each class are paired off; if none, how many could
    /// be paired off in several ways.
    fn unpaired(&self) -> Difference {
        let mut sizes: FxHashMap<StateId, (usize, usize)> = FxHashMap::default();
        for class in &self.left {
            sizes.entry(*class).or_default().0 += 1;
        }
        for class in &self.right {
            sizes.entry(*class).or_default().1 += 1;
        }
        let left = sizes.values().map(|&(l, r)| l.saturating_sub(r)).sum();
        let right = sizes.values().map(|&(l, r)| r.saturating_sub(l)).sum();
        if (left, right) != (0, 0) {
            return Difference::States(left, right);
        }
        let several = sizes.values().filter(|&&(l, _)| l > 1);
        let several = several.map(|&(l, _)| l).sum();
        Difference::States(several, several)
    }
}

const NONE: u32 = u32::MAX;

/// Follows both systems from the left initial state and `partner`, pairing the targets of equal event and class.
/// Systems without bisimilar states have one such target at most; else the first of one goes to the first of
/// the other, and there is no answer if that leads to a contradiction. As many transitions leave the states
/// of each pair, and they lead to pairs: so what is returned preserves all transitions in both directions.
fn walk(
    left: &Steps,
    right: &Steps,
    partner: StateId,
    pace: &mut Pace<'_>,
) -> Result<Option<Arc<[u32]>>> {
    let mut partners = vec![NONE; left.state_count()];
    let mut taken = vec![false; right.state_count()];
    let mut open = vec![(Lts::INITIAL, partner)];
    partners[0] = partner.0;
    taken[partner.index()] = true;
    while let Some((p, q)) = open.pop() {
        let (ours, theirs) = (left.of(p), right.of(q));
        pace.look(1 + ours.len())?;
        if ours.len() != theirs.len() {
            return Ok(None);
        }
        for (&(event, class, target), &(other_event, other_class, image)) in ours.iter().zip(theirs)
        {
            let known = partners[target.index()];
            if (event, class) != (other_event, other_class) || ![NONE, image.0].contains(&known) {
                return Ok(None);
            }
            if known == NONE {
                partners[target.index()] = image.0;
                open.push((target, image));
                if std::mem::replace(&mut taken[image.index()], true) {
                    return Ok(None);
                }
            }
        }
    }
    let is_bijection = !partners.contains(&NONE) && !taken.contains(&false);
    Ok(is_bijection.then(|| partners.into()))
}

#[cfg(test)]
mod tests;
