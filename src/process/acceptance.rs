//! Acceptances: the sets of events with which a process comes to rest. Sets are ascending lists.

use super::event::{EventId, TAU};
use base::cancel::Cancellation;
use base::diag::Result;

/// The acceptance of a state that can do `labels`, which are in any order: all of them, ✓ included.
/// Returns `None` if one of them is τ.
pub fn acceptance(labels: impl IntoIterator<Item = EventId>) -> Option<Vec<EventId>> {
    let mut labels: Vec<EventId> = labels.into_iter().collect();
    labels.sort_unstable();
    labels.dedup();
    (labels.first() != Some(&TAU)).then_some(labels)
}

/// True if all of `small` is in `large`.
pub fn is_subset(small: &[EventId], large: &[EventId]) -> bool {
    small.len() <= large.len() && small.iter().all(|event| large.binary_search(event).is_ok())
}

/// The sets that contain no other set, each once, the smallest first.
pub fn minimal(sets: Vec<Vec<EventId>>, token: &Cancellation) -> Result<Vec<Vec<EventId>>> {
    let sets = sets.into_iter().map(|set| (set, ()));
    let minimal = minimal_first(sets.collect(), token)?.into_iter();
    Ok(minimal.map(|(set, ())| set).collect())
}

/// The sets that contain no other set, each once with its companion, the smallest first. Each set
/// is compared with all smaller ones that were kept, so the time is quadratic in their number.
pub fn minimal_first<T>(
    mut sets: Vec<(Vec<EventId>, T)>,
    token: &Cancellation,
) -> Result<Vec<(Vec<EventId>, T)>> {
    token.sort_by(&mut sets, &|(a, _), (b, _)| {
        a.len().cmp(&b.len()).then_with(|| a.cmp(b))
    })?;
    sets.dedup_by(|(later, _), (first, _)| later == first);
    let mut minimal: Vec<(Vec<EventId>, T)> = Vec::new();
    for (set, with) in sets {
        token.look(if set.len() == 1 { 1 } else { 1 + minimal.len() })?;
        // Deadlock freedom has a set of one event for each event, none of which contains another.
        // Only the empty set is inside a set of one event, and the empty set comes first.
        let has_smaller = match minimal.first() {
            Some((first, _)) if set.len() == 1 => first.is_empty(),
            _ => minimal.iter().any(|(smaller, _)| is_subset(smaller, &set)),
        };
        if !has_smaller {
            minimal.push((set, with));
        }
    }
    Ok(minimal)
}

#[cfg(test)]
mod tests {
    use super::super::event::TICK;
    use super::*;
    use base::cancel::at_leisure;
    use base::cancel::testing::asked;

    const A: EventId = EventId(2);
    const B: EventId = EventId(3);

    #[test]
    fn termination_is_offered_like_any_event() {
        assert_eq!(acceptance([TAU, TICK]), None);
        assert_eq!(acceptance([A, TICK]), Some(vec![TICK, A]));
        assert_eq!(acceptance([A, TAU]), None);
        assert_eq!(acceptance([B, A, B]), Some(vec![A, B]));
        assert_eq!(acceptance([]), Some(Vec::new()));
    }

    #[test]
    fn minimal_sets_have_no_other_inside() {
        let sets = vec![vec![A, B], vec![B], vec![A], vec![B]];
        let of = |sets| at_leisure(|token| minimal(sets, token));
        assert_eq!(of(sets.clone()), [vec![A], vec![B]]);
        assert_eq!(of([sets, vec![Vec::new()]].concat()), [Vec::new()]);
    }

    #[test]
    fn many_sets_are_compared_as_long_as_there_is_time() {
        // No set contains another, so each is compared with all.
        let pairs = (2..202).map(|n| vec![EventId(n), EventId(n + 1)]);
        let sets: Vec<Vec<EventId>> = pairs.collect();
        assert!(asked(|token| minimal(sets.clone(), token)) > 200 * 199 / 2 / 64);
    }
}
