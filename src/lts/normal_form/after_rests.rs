//! The targets of the events of a set of states after rests, in the models of refusal testing.
//!
//! A process that was at rest offering A goes on from those states of the set that are at rest and
//! offer no more than A. These states depend on the offered sets inside A, and for one event on
//! those that have the event. So there is one entry for each union of such sets. `README.md` shows
//! which sets need not be united.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use smallvec::SmallVec;

use super::{AfterRest, Offerable, too_many_rests};
use crate::graph::{Lts, StateId};
use crate::subsets::Subsets;
use crate::tau::targets;
use base::cancel::Cancellation;
use base::diag::Result;
use process::acceptance::is_subset;
use process::event::EventId;

/// States at rest with equal offers.
struct RestGroup<'a> {
    /// The offers, ascending.
    offers: &'a [EventId],
    states: &'a [(Vec<EventId>, StateId)],
    /// The places of the groups, including this one, whose offers a process may make together with
    /// those of this group, as far as pairs of events show.
    beside: FixedBitSet,
}

/// For each union of offers of groups, ascending, the places of groups that are beside all of them.
type Unions = BTreeMap<Vec<EventId>, FixedBitSet>;

/// The entries for rests of the set `members`, whose row is `row`. Events whose target after a rest
/// is that in the row have none, and neither have offers that are not `offerable`. Takes the number
/// of entries from `room`, where large ones count several times; fails if none is left.
pub(super) fn after_rests(
    subsets: &mut Subsets<'_>,
    members: &[StateId],
    row: &[(EventId, StateId)],
    offerable: &mut dyn Offerable,
    room: &mut usize,
) -> Result<Vec<AfterRest>> {
    let (lts, token) = (subsets.lts(), subsets.token());
    let resting = resting(lts, members, token)?;
    let groups = groups(&resting, offerable, token)?;
    let mut found: BTreeMap<Vec<EventId>, Vec<(EventId, StateId)>> = BTreeMap::new();
    for &(event, after_any) in row {
        let has_event = |group: &RestGroup<'_>| group.offers.binary_search(&event).is_ok();
        let able: Vec<usize> = (0..groups.len())
            .filter(|&at| has_event(&groups[at]))
            .collect();
        let led_to = led_to(lts, &groups, &able, event, token)?;
        let needed = needed(&groups, &able, &led_to, token)?;
        let mut steps = Vec::new();
        for (offers, beside) in unions(&groups, &needed, offerable, *room, token)? {
            let inside = able
                .iter()
                .zip(&led_to)
                .filter(|&(&at, _)| beside.contains(at) && is_subset(groups[at].offers, &offers));
            let targets = inside.flat_map(|(_, targets)| targets).copied();
            let next = subsets.closed(targets.collect())?;
            steps.push((offers, StateId(next)));
        }
        if steps.iter().any(|&(_, next)| next != after_any) {
            for (offers, next) in steps {
                found.entry(offers).or_default().push((event, next));
            }
        }
        if found.len() > *room {
            return too_many_rests().into();
        }
    }
    let after = found.into_iter();
    let after = after.map(|(offers, row)| AfterRest { offers, row });
    let after: Vec<AfterRest> = after.collect();
    let weights = after.iter().map(|after| weight(after.offers.len())).sum();
    *room = room.checked_sub(weights).ok_or_else(too_many_rests)?;
    Ok(after)
}

/// The number of entries for which one with `offers` offers counts.
fn weight(offers: usize) -> usize {
    1 + offers / 16
}

/// The `members` that are at rest, with their offers. Fewer offers come first.
fn resting(
    lts: &Lts,
    members: &[StateId],
    token: &Cancellation,
) -> Result<Vec<(Vec<EventId>, StateId)>> {
    let mut resting: Vec<(Vec<EventId>, StateId)> = Vec::new();
    for &state in members {
        token.look(1 + lts.row(state).len())?;
        resting.extend(lts.acceptance(state).map(|offers| (offers, state)));
    }
    token.sort_by(&mut resting, &|one, other| {
        let by_size = one.0.len().cmp(&other.0.len());
        by_size.then_with(|| one.cmp(other))
    })?;
    Ok(resting)
}

/// `resting` in groups, without those with offers that no process makes at once: no rest of a
/// process has these inside.
fn groups<'a>(
    resting: &'a [(Vec<EventId>, StateId)],
    offerable: &mut dyn Offerable,
    token: &Cancellation,
) -> Result<Vec<RestGroup<'a>>> {
    let mut groups: Vec<RestGroup<'a>> = Vec::new();
    for states in resting.chunk_by(|a, b| a.0 == b.0) {
        token.look(states.len() + groups.len())?;
        let offers = &states[0].0[..];
        if !are_pairs_offerable(offers, offers, offerable) || !offerable.all(offers) {
            continue;
        }
        let place = groups.len();
        let mut beside = FixedBitSet::with_capacity(place + 1);
        beside.insert(place);
        for (at, group) in groups.iter_mut().enumerate() {
            // Unions are looked at as a whole; this only saves making most of them.
            if place > MOST_COMPARED || are_pairs_offerable(offers, group.offers, offerable) {
                beside.insert(at);
                group.beside.grow_and_insert(place);
            }
        }
        groups.push(RestGroup {
            offers,
            states,
            beside,
        });
    }
    Ok(groups)
}

/// The largest number of groups that are compared with each other.
const MOST_COMPARED: usize = 1000;

/// The largest number of pairs of events that are looked at: they take a thousandth of a second.
const MOST_PAIRS: usize = 1 << 16;

/// True if a process may offer any two events of which one is in the first set, and the other in
/// the second. Two events of one set were asked about before, unless the sets are equal.
fn are_pairs_offerable(one: &[EventId], other: &[EventId], offerable: &mut dyn Offerable) -> bool {
    let is_same = one == other;
    let is_alone = |event, other: &[EventId]| is_same || other.binary_search(&event).is_err();
    let alone = |set: &[EventId], other: &[EventId]| -> SmallVec<[EventId; 32]> {
        let events = set.iter().copied();
        events.filter(|&event| is_alone(event, other)).collect()
    };
    let (firsts, seconds) = (alone(one, other), alone(other, one));
    if firsts.len() * seconds.len() > MOST_PAIRS {
        return true;
    }
    let mut pairs = firsts
        .iter()
        .flat_map(|&a| seconds.iter().map(move |&b| (a, b)));
    pairs.all(|(a, b)| a == b || offerable.both(a, b))
}

/// For each of the groups at the places `able`, the targets of `event` from its states, ascending.
fn led_to(
    lts: &Lts,
    groups: &[RestGroup<'_>],
    able: &[usize],
    event: EventId,
    token: &Cancellation,
) -> Result<Vec<Vec<StateId>>> {
    let led_to = |&at: &usize| {
        let states = groups[at].states;
        token.look(1 + states.len())?;
        let from = states.iter();
        let to = from.flat_map(|&(_, state)| targets(lts, state, event));
        let mut targets: Vec<StateId> = to.collect();
        targets.sort_unstable();
        targets.dedup();
        Ok(targets)
    };
    able.iter().map(led_to).collect()
}

/// The places of the groups that matter for an event, among `able`, the places of all groups that
/// offer it. A group does not matter if a group with fewer offers has all its targets of the event,
/// because that group counts wherever this one does. `led_to` has the targets from each of `able`.
fn needed(
    groups: &[RestGroup<'_>],
    able: &[usize],
    led_to: &[Vec<StateId>],
    token: &Cancellation,
) -> Result<Vec<usize>> {
    let mut matter = Vec::new();
    for (&at, led) in able.iter().zip(led_to) {
        token.look(able.len())?;
        let offers = groups[at].offers;
        let leads_to_all = |(&other, more): (&usize, &Vec<StateId>)| {
            let less = groups[other].offers;
            less.len() < offers.len()
                && led.iter().all(|target| more.binary_search(target).is_ok())
                && is_subset(less, offers)
        };
        if !able.iter().zip(led_to).any(leads_to_all) {
            matter.push(at);
        }
    }
    Ok(matter)
}

/// All unions of the offers of some of the groups at `places`, at least one, that a process may
/// make. Fails if there are more than `most`.
fn unions(
    groups: &[RestGroup<'_>],
    places: &[usize],
    offerable: &mut dyn Offerable,
    most: usize,
    token: &Cancellation,
) -> Result<Unions> {
    let mut found = Unions::new();
    let mut left = most;
    let mut take = |events: &[EventId]| -> Result<()> {
        left = (left.checked_sub(weight(events.len()))).ok_or_else(too_many_rests)?;
        Ok(())
    };
    for &place in places {
        let RestGroup { offers, beside, .. } = &groups[place];
        // Its unions with others are unions without it then.
        if found.contains_key(*offers) {
            continue;
        }
        take(offers)?;
        let mut with_it = Unions::from([(offers.to_vec(), beside.clone())]);
        for (union, others) in &found {
            token.look(1)?;
            if !others.contains(place) {
                continue;
            }
            token.look(offers.len() + union.len())?;
            let mut both = [&union[..], offers].concat();
            both.sort_unstable();
            both.dedup();
            let is_known = found.contains_key(&both) || with_it.contains_key(&both);
            if !is_known && offerable.all(&both) {
                take(&both)?;
                let mut others = others.clone();
                others.intersect_with(beside);
                with_it.insert(both, others);
            }
        }
        found.extend(with_it);
    }
    Ok(found)
}
