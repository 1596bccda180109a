//! Bisimilarity up to a permutation of events, between explicit transition systems.
//!
//! States p and q are σ-bisimilar if some relation relates them such that whenever p does x and
//! becomes p', q does xσ and becomes a related q', and conversely (section 3.2 of the paper). Here
//! the states of one system are given their partners in another: where neither has two bisimilar
//! states there is one way at most, and it preserves every transition.

pub mod difference;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use self::difference::{apart, behaviour};
use super::permutation::EventPermutation;
use super::start::Start;
use base::cancel::Cancellation;
use base::cancel::at_leisure;
use base::diag::Result;
use base::index::TypedIndex;
use lts::bisimulation::minimise;
use lts::graph::{Lts, LtsBuilder, StateId};
use process::event::{EventId, TAU};

pub use self::difference::{Difference, DistinguishingTrace};

/// Returns, by state of `left`, the state of `right` that it is σ-bisimilar to: a bijection that
/// preserves every transition. Returns `None` if none is found.
///
/// All states must be reachable from the initial ones. If a system has bisimilar states of its own
/// (it was not minimised), such a bijection may be missed, but nothing else is returned. Takes O(m
/// log n), or O(m) where the systems differ in how often they do some event.
pub fn matching(
    left: &Lts,
    sigma: &EventPermutation,
    right: &Lts,
    start: Start,
    token: &Cancellation,
) -> Result<Option<Arc<[u32]>>> {
    let sizes = |lts: &Lts| (lts.state_count(), lts.transition_count());
    if sizes(left) != sizes(right) {
        return Ok(None);
    }
    let pair = SystemPair {
        left,
        sigma,
        right,
        start,
        token,
    };
    // Where events determine targets, there is no need to know classes: a partner of the initial
    // state determines all others.
    let mut candidates = pair.like_initial();
    for (tried, partner) in candidates.by_ref().take(MOST_TRIED).enumerate() {
        // Counting costs as much as walking both systems, and mostly the first candidate decides:
        // so counting comes after it.
        if tried == 1 && !pair.counts_agree() {
            return Ok(None);
        }
        match pair.walk(None, partner)? {
            Walk::Found(partners) => return Ok(Some(partners)),
            Walk::Contradiction => {}
            Walk::Ambiguous => return pair.by_classes(),
        }
    }
    // Each possible partner led to a contradiction: classes would find no other one.
    if candidates.next().is_none() {
        return Ok(None);
    }
    pair.by_classes()
}

/// The most partners of the initial state that are tried. After them classes are computed, which
/// tell the partner.
const MOST_TRIED: usize = 8;

/// Returns a difference between two systems that have no [`matching`]. Costs more than `matching`,
/// because it looks for a trace.
pub fn difference(
    left: &Lts,
    sigma: &EventPermutation,
    right: &Lts,
    start: Start,
    token: &Cancellation,
) -> Result<Difference> {
    if start == Start::Fixed && matching(left, sigma, right, Start::Any, token)?.is_some() {
        return Ok(Difference::Initial);
    }
    let left = left.renamed(|event| sigma.apply(event), token)?;
    // From here on events are images: `translated` puts those of the left system back.
    let difference = match behaviour(&left, right, start) {
        Some(difference) => difference,
        None => Classes::of(&left, right, token)?.unpaired(),
    };
    Ok(difference.translated(sigma))
}

/// The shortest trace that distinguishes a state of `left` from a state of `right`, up to σ, if one
/// was found.
pub(super) fn difference_from(
    left: (&Lts, StateId),
    sigma: &EventPermutation,
    right: (&Lts, StateId),
) -> Option<Difference> {
    let renamed = at_leisure(|token| left.0.renamed(|event| sigma.apply(event), token));
    Some(apart((&renamed, left.1), right)?.translated(sigma))
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
    fn of(left: &Lts, right: &Lts, token: &Cancellation) -> Result<Self> {
        let first_right = left.state_count() as u32 + 1;
        let mut union = LtsBuilder::default();
        union.push([(TAU, StateId(1)), (TAU, StateId(first_right))]);
        for (lts, by) in [(left, 1), (right, first_right)] {
            for state in lts.states() {
                let row = lts.row(state).iter();
                token.look(1 + row.len())?;
                union.push(row.map(|&(event, target)| (event, StateId(target.0 + by))));
            }
        }
        // State 0 is the root, then come the left states, then the right ones. The root makes all
        // states reachable.
        let class_of = minimise(&union.finish(), token)?.class_of;
        let mut classes = class_of.iter().copied().skip(1);
        Ok(Self {
            left: classes.by_ref().take(left.state_count()).collect(),
            right: classes.collect(),
        })
    }

    /// A state of the right system to which the left initial state is bisimilar: the initial one if
    /// it is among them.
    fn partner_of_initial(&self) -> Option<StateId> {
        let position = self.right.iter().position(|&class| class == self.left[0]);
        position.map(StateId::from_usize)
    }

    /// The numbers of states of each system that have no partner when the states of each class are
    /// paired off. If all have one: the number of states that could be paired off in several ways.
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

/// The outcome of following two systems from a pair of states.
enum Walk {
    /// By left state, its partner.
    Found(Arc<[u32]>),
    /// The pair, or a pair that follows from it, has no bijection.
    Contradiction,
    /// Some event leads from one state to several, and there are no classes to pair these by.
    Ambiguous,
}

/// An event, the class of the target, and the target.
type ClassStep = (EventId, StateId, StateId);

/// Two systems, and the permutation `sigma` that takes the events of the left one to those of the
/// right one.
struct SystemPair<'a> {
    left: &'a Lts,
    sigma: &'a EventPermutation,
    right: &'a Lts,
    start: Start,
    token: &'a Cancellation,
}

impl SystemPair<'_> {
    /// The states that may be partners of the left initial state, ascending: those with the images
    /// of its events.
    fn like_initial(&self) -> impl Iterator<Item = StateId> {
        let row = self.left.row(Lts::INITIAL).iter();
        let mut wanted: Vec<EventId> = row.map(|&(event, _)| self.sigma.apply(event)).collect();
        wanted.sort_unstable();
        let count = match self.start {
            Start::Fixed => 1,
            Start::Any => self.right.state_count(),
        };
        self.right.states().take(count).filter(move |&state| {
            let events = self.right.row(state).iter().map(|&(event, _)| event);
            events.eq(wanted.iter().copied())
        })
    }

    /// True if the left system has as many transitions of each event as the right one has of its
    /// image.
    fn counts_agree(&self) -> bool {
        let mut excess: FxHashMap<EventId, i64> = FxHashMap::default();
        for &(event, _) in self.left.states().flat_map(|state| self.left.row(state)) {
            *excess.entry(self.sigma.apply(event)).or_default() += 1;
        }
        for &(event, _) in self.right.states().flat_map(|state| self.right.row(state)) {
            *excess.entry(event).or_default() -= 1;
        }
        excess.values().all(|&excess| excess == 0)
    }

    /// The [`matching`] of systems in which some event leads from one state to several, or in which
    /// many states may be the partner of the initial state.
    fn by_classes(&self) -> Result<Option<Arc<[u32]>>> {
        let (left, right, token) = (self.left, self.right, self.token);
        token.look(left.transition_count() + right.transition_count())?;
        if !self.counts_agree() {
            return Ok(None);
        }
        let classes = Classes::of(
            &left.renamed(|event| self.sigma.apply(event), token)?,
            right,
            token,
        )?;
        // The initial state is the first state: it would have been found before any other of its
        // class.
        let partner = classes.partner_of_initial();
        let allowed = |partner: &StateId| self.start == Start::Any || *partner == Lts::INITIAL;
        let Some(partner) = partner.filter(allowed) else {
            return Ok(None);
        };
        Ok(match self.walk(Some(&classes), partner)? {
            Walk::Found(partners) => Some(partners),
            Walk::Contradiction | Walk::Ambiguous => None,
        })
    }

    /// Follows both systems from the left initial state and `partner`, pairing the targets of equal
    /// event and class. Systems without bisimilar states have one such target at most; otherwise
    /// the first target on the left goes to the first on the right, and there is no answer if that
    /// leads to a contradiction. The states of each pair have equally many transitions, and these
    /// lead to pairs: so the bijection preserves all transitions in both directions.
    fn walk(&self, classes: Option<&Classes>, partner: StateId) -> Result<Walk> {
        let mut partners = vec![NONE; self.left.state_count()];
        let mut taken = vec![false; self.right.state_count()];
        let mut open = vec![(Lts::INITIAL, partner)];
        let (mut ours, mut theirs): (Vec<ClassStep>, Vec<ClassStep>) = (Vec::new(), Vec::new());
        partners[0] = partner.0;
        taken[partner.index()] = true;
        while let Some((p, q)) = open.pop() {
            let [of_left, of_right] = [classes.map(|c| &c.left), classes.map(|c| &c.right)];
            self.token.look(1 + self.left.row(p).len())?;
            put_steps(
                &mut ours,
                self.left.row(p),
                |event| self.sigma.apply(event),
                of_left,
            );
            put_steps(&mut theirs, self.right.row(q), |event| event, of_right);
            let mut pairs = ours.iter().zip(&theirs);
            if ours.len() != theirs.len() || !pairs.all(|(a, b)| (a.0, a.1) == (b.0, b.1)) {
                return Ok(Walk::Contradiction);
            }
            // Without classes an event must have one target: the order of several targets does not
            // pair them off.
            if classes.is_none() && !ours.is_sorted_by(|a, b| a.0 < b.0) {
                return Ok(Walk::Ambiguous);
            }
            for (&(.., target), &(.., image)) in ours.iter().zip(&theirs) {
                let known = &mut partners[target.index()];
                if *known == NONE && !taken[image.index()] {
                    *known = image.0;
                    taken[image.index()] = true;
                    open.push((target, image));
                } else if *known != image.0 {
                    return Ok(Walk::Contradiction);
                }
            }
        }
        // Both systems have equally many states, and partners differ: if all left states have
        // partners, so have all right states.
        if partners.contains(&NONE) {
            return Ok(Walk::Contradiction);
        }
        Ok(Walk::Found(partners.into()))
    }
}

/// Fills `steps` with the transitions of `row`, their events replaced by `image`; ascending.
/// Without classes all targets are in one class.
fn put_steps(
    steps: &mut Vec<ClassStep>,
    row: &[(EventId, StateId)],
    image: impl Fn(EventId) -> EventId,
    classes: Option<&Vec<StateId>>,
) {
    steps.clear();
    steps.extend(row.iter().map(|&(event, to)| {
        let class = classes.map_or(Lts::INITIAL, |classes| classes[to.index()]);
        (image(event), class, to)
    }));
    steps.sort_unstable();
}

#[cfg(test)]
mod tests;
