//! Priorities: the events of a process that prevent others.
//!
//! A priority is a partial order on some events, τ and ✓ included. It is stored by classes: a class
//! holds the events with equal events above and below, because orders come as a few levels of many
//! events.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::event::{EventId, TAU, TICK};

/// A partial order of events. The form is canonical: priorities that block the same events are
/// equal.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Priority {
    /// The pairs (event, class), ascending. Events with none above or below are left out.
    classes: Vec<(EventId, u32)>,
    /// For each class, the classes above it, ascending. They have smaller numbers.
    above: Vec<Vec<u32>>,
}

/// The reason why pairs of events are no order for [`Priority::partial`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotAnOrder {
    /// Each of these events is above the next, and the last above the first.
    Cycle(Vec<EventId>),
    /// This event is not one of those to be ordered.
    Stranger(EventId),
    /// The first event is said to be maximal, and the second is above it.
    NotMaximal(EventId, EventId),
}

impl Priority {
    /// The order of these levels of events, the highest level first. τ and ✓ are in the first
    /// level. If an event is in several levels, the highest of them counts.
    pub fn levels(levels: &[Vec<EventId>]) -> Self {
        let mut members: Vec<Vec<EventId>> = Vec::with_capacity(levels.len());
        let mut seen: FxHashSet<EventId> = FxHashSet::default();
        for (i, level) in levels.iter().enumerate() {
            let internal: &[EventId] = if i == 0 { &[TAU, TICK] } else { &[] };
            let all = internal.iter().chain(level).copied();
            members.push(all.filter(|&e| seen.insert(e)).collect());
        }
        members.retain(|level| !level.is_empty());
        let above = (0..members.len()).map(|level| {
            let mut above = FixedBitSet::with_capacity(members.len());
            above.insert_range(0..level);
            above
        });
        let above = above.collect();
        Self::canonical(members, above)
    }

    /// The order in which τ and ✓ are above the events `over`.
    pub fn of_internal_events(over: &[EventId]) -> Self {
        Self::levels(&[Vec::new(), over.to_vec()])
    }

    /// The order of `events` that follows from `pairs`, which are (higher, lower). τ and ✓ are
    /// above all events but the `maximal` ones, above which nothing may be.
    pub fn partial(
        events: &[EventId],
        pairs: &[(EventId, EventId)],
        maximal: &[EventId],
    ) -> Result<Self, NotAnOrder> {
        let mut members = vec![vec![TAU, TICK]];
        let mut number: BTreeMap<EventId, usize> = BTreeMap::new();
        for &event in events {
            number.entry(event).or_insert_with(|| {
                members.push(vec![event]);
                members.len() - 1
            });
        }
        let find = |event: EventId| number.get(&event).copied();
        let find = |event| find(event).ok_or(NotAnOrder::Stranger(event));
        let mut below = vec![Vec::new(); members.len()];
        let mut is_maximal = vec![false; members.len()];
        // Node 0 is τ and ✓: nothing may be above them, and `below[0]` must not contain node 0.
        is_maximal[0] = true;
        for &event in maximal {
            is_maximal[find(event)?] = true;
        }
        for &(higher, lower) in pairs {
            let (from, to) = (find(higher)?, find(lower)?);
            // An event above itself is no matter of maximality: `descending` reports it as a cycle.
            if is_maximal[to] && from != to {
                return Err(NotAnOrder::NotMaximal(lower, higher));
            }
            below[from].push(to);
        }
        below[0].extend((1..members.len()).filter(|&node| !is_maximal[node]));
        let order = descending(&below).map_err(|cycle| {
            let events = cycle.into_iter().map(|node| members[node][0]);
            NotAnOrder::Cycle(events.collect())
        })?;
        let mut above = vec![FixedBitSet::with_capacity(members.len()); members.len()];
        // Each node comes after all above it, so one pass closes the relation.
        for node in order {
            let mut through = above[node].clone();
            through.insert(node);
            for &lower in &below[node] {
                above[lower].union_with(&through);
            }
        }
        Ok(Self::canonical(members, above))
    }

    /// True if no event is above another.
    pub fn is_trivial(&self) -> bool {
        self.above.is_empty()
    }

    /// The class of `event`; `None` if no event is above or below it.
    pub fn class(&self, event: EventId) -> Option<u32> {
        let at = self.classes.binary_search_by_key(&event, |&(e, _)| e);
        at.ok().map(|at| self.classes[at].1)
    }

    /// The classes above `class`, ascending.
    pub fn above(&self, class: u32) -> &[u32] {
        &self.above[class as usize]
    }

    /// The number of classes.
    pub fn class_count(&self) -> usize {
        self.above.len()
    }

    /// All events that are above or below another, ascending, each with its class.
    pub fn events(&self) -> &[(EventId, u32)] {
        &self.classes
    }

    /// This order with every event replaced by its image. Different events have different images; τ
    /// and ✓ have themselves as images.
    #[must_use]
    pub fn renamed(&self, image: impl Fn(EventId) -> EventId) -> Self {
        self.rebuilt(|event| Some(image(event)))
    }

    /// This order among the events for which `keep` is true, and τ and ✓.
    #[must_use]
    pub fn restricted(&self, keep: impl Fn(EventId) -> bool) -> Self {
        self.rebuilt(|event| (!event.is_visible() || keep(event)).then_some(event))
    }

    fn rebuilt(&self, image: impl Fn(EventId) -> Option<EventId>) -> Self {
        let count = self.class_count();
        let mut members = vec![Vec::new(); count];
        for &(event, class) in &self.classes {
            members[class as usize].extend(image(event));
        }
        // A node whose events are all left out disappears. The relation among the others stays
        // transitively closed.
        let filled: FixedBitSet = (0..count).filter(|&c| !members[c].is_empty()).collect();
        let above = self.above.iter().map(|above| {
            let mut set: FixedBitSet = above.iter().map(|&c| c as usize).collect();
            set.grow(count);
            set.intersect_with(&filled);
            set
        });
        let above = above.collect();
        Self::canonical(members, above)
    }

    /// The order of nodes, which are sets of events, by the transitively closed relation between
    /// them. Nodes with equal nodes above and below make one class. The classes are numbered from
    /// the top.
    fn canonical(members: Vec<Vec<EventId>>, above: Vec<FixedBitSet>) -> Self {
        let count = members.len();
        let mut below = vec![FixedBitSet::with_capacity(count); count];
        for (node, above) in above.iter().enumerate() {
            // A node that `rebuilt` has emptied must not make the nodes above it look different.
            if !members[node].is_empty() {
                above.ones().for_each(|higher| below[higher].insert(node));
            }
        }
        let mut alike: FxHashMap<(&FixedBitSet, &FixedBitSet), Vec<usize>> = FxHashMap::default();
        for node in 0..count {
            let matters = !above[node].is_clear() || !below[node].is_clear();
            if matters && !members[node].is_empty() {
                alike
                    .entry((&above[node], &below[node]))
                    .or_default()
                    .push(node);
            }
        }
        let mut groups: Vec<(usize, EventId, Vec<usize>)> = alike
            .into_iter()
            .map(|((above, _), nodes)| {
                let events = nodes.iter().flat_map(|&node| &members[node]);
                let least = events.min().copied().unwrap_or(TAU);
                (above.count_ones(..), least, nodes)
            })
            .collect();
        // A class has fewer classes above it than those below it, so it comes before them.
        groups.sort_unstable();
        let mut class_of = vec![None; count];
        for (class, (_, _, nodes)) in groups.iter().enumerate() {
            nodes.iter().for_each(|&n| class_of[n] = Some(class as u32));
        }
        let mut classes = Vec::new();
        let mut above_of = Vec::with_capacity(groups.len());
        for (class, (_, _, nodes)) in groups.iter().enumerate() {
            let events = nodes.iter().flat_map(|&node| &members[node]);
            classes.extend(events.map(|&event| (event, class as u32)));
            let higher = above[nodes[0]].ones().filter_map(|node| class_of[node]);
            let mut higher: Vec<u32> = higher.collect();
            higher.sort_unstable();
            higher.dedup();
            above_of.push(higher);
        }
        classes.sort_unstable();
        Self {
            classes,
            above: above_of,
        }
    }
}

/// The nodes in an order in which each comes before all below it, or a cycle.
fn descending(below: &[Vec<usize>]) -> Result<Vec<usize>, Vec<usize>> {
    let mut missing = vec![0_usize; below.len()];
    below.iter().flatten().for_each(|&node| missing[node] += 1);
    let mut order: Vec<usize> = (0..below.len()).filter(|&n| missing[n] == 0).collect();
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        next += 1;
        for &lower in &below[node] {
            missing[lower] -= 1;
            if missing[lower] == 0 {
                order.push(lower);
            }
        }
    }
    if order.len() == below.len() {
        return Ok(order);
    }
    Err(cycle(below, &missing))
}

/// A cycle among the nodes that have a node of `missing` above them. From each of these the way up
/// never ends, so it leads round a cycle.
fn cycle(below: &[Vec<usize>], missing: &[usize]) -> Vec<usize> {
    let mut higher = vec![None; below.len()];
    for (node, below) in below.iter().enumerate() {
        if missing[node] > 0 {
            below.iter().for_each(|&lower| higher[lower] = Some(node));
        }
    }
    // Each of these nodes has one of them above it, so `higher` is known all the way and
    // `unwrap_or` is never needed.
    let mut seen = vec![false; below.len()];
    let mut node = missing.iter().position(|&m| m > 0).unwrap_or(0);
    while !std::mem::replace(&mut seen[node], true) {
        node = higher[node].unwrap_or(node);
    }
    let mut cycle = vec![node];
    let mut next = higher[node].unwrap_or(node);
    while next != node {
        cycle.push(next);
        next = higher[next].unwrap_or(node);
    }
    cycle.reverse();
    cycle
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn e(n: u32) -> EventId {
        EventId(n + 2)
    }

    /// True if the first event blocks the second.
    fn blocks(priority: &Priority, higher: EventId, lower: EventId) -> bool {
        match (priority.class(higher), priority.class(lower)) {
            (Some(higher), Some(lower)) => priority.above(lower).contains(&higher),
            _ => false,
        }
    }

    /// All pairs in which the first event blocks the second.
    fn pairs(priority: &Priority) -> Vec<(u32, u32)> {
        let all = (0..8).flat_map(|a| (0..8).map(move |b| (a, b)));
        all.filter(|&(a, b)| blocks(priority, EventId(a), EventId(b)))
            .collect()
    }

    #[test]
    fn levels_are_a_chain_with_internal_events_on_top() {
        let priority = Priority::levels(&[vec![e(0)], vec![], vec![e(1), e(0)], vec![e(2), e(3)]]);
        assert_eq!(priority.class_count(), 3);
        let expected = [(0, 3), (0, 4), (0, 5), (1, 3), (1, 4), (1, 5)];
        let rest = [(2, 3), (2, 4), (2, 5), (3, 4), (3, 5)];
        assert_eq!(pairs(&priority), [&expected[..], &rest[..]].concat());
        assert!(Priority::levels(&[vec![e(0), e(1)]]).is_trivial());
        assert!(Priority::levels(&[vec![e(0)], vec![e(0)]]).is_trivial());
    }

    #[test]
    fn partial_orders_are_closed() {
        let all = [e(0), e(1), e(2), e(3)];
        let priority = Priority::partial(&all, &[(e(1), e(2)), (e(0), e(1))], &[e(0)]).unwrap();
        assert!(blocks(&priority, e(0), e(2)) && blocks(&priority, TICK, e(1)));
        assert!(blocks(&priority, TAU, e(3)) && !blocks(&priority, TAU, e(0)));
        assert!(!blocks(&priority, e(0), e(3)) && !blocks(&priority, e(2), e(1)));
    }

    #[test]
    fn what_is_no_order_is_told() {
        let all = [e(0), e(1), e(2)];
        let cycle = Priority::partial(&all, &[(e(0), e(1)), (e(1), e(2)), (e(2), e(1))], &[]);
        let Err(NotAnOrder::Cycle(mut events)) = cycle else {
            panic!("{cycle:?}");
        };
        events.sort_unstable();
        assert_eq!(events, [e(1), e(2)]);
        let loops = Priority::partial(&all, &[(e(0), e(0))], &[]);
        assert_eq!(loops, Err(NotAnOrder::Cycle(vec![e(0)])));
        let stranger = Priority::partial(&all, &[(e(0), e(5))], &[]);
        assert_eq!(stranger, Err(NotAnOrder::Stranger(e(5))));
        let maximal = Priority::partial(&all, &[(e(0), e(1))], &[e(1)]);
        assert_eq!(maximal, Err(NotAnOrder::NotMaximal(e(1), e(0))));
    }

    #[test]
    fn equal_orders_are_equal_however_written() {
        let levels = Priority::levels(&[vec![], vec![e(0), e(1)], vec![e(2)]]);
        let all = [e(2), e(1), e(0), e(4)];
        let pairs = [(e(1), e(2)), (e(0), e(2))];
        assert_eq!(Priority::partial(&all, &pairs, &[e(4)]), Ok(levels.clone()));
        let swap = |event: EventId| match event {
            event if event == e(0) => e(2),
            event if event == e(2) => e(0),
            event => event,
        };
        let swapped = Priority::levels(&[vec![], vec![e(2), e(1)], vec![e(0)]]);
        assert_eq!(levels.renamed(swap), swapped);
        let without = Priority::levels(&[vec![], vec![e(2)]]);
        assert_eq!(
            levels.restricted(|event| event == e(2)).class_count(),
            without.class_count()
        );
        assert_eq!(levels.restricted(|event| event == e(2)), without);
    }
}
