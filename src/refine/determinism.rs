//! Determinism: whether a process can ever refuse what it can also do.

use std::collections::VecDeque;

use crate::base::index::TypedIndex;
use crate::lts::graph::StateId;
use crate::lts::normal_form::NormalForm;
use crate::process::event::EventId;

/// Where a process is not deterministic: a shortest trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nondeterminism {
    /// Its visible events.
    pub trace: Vec<EventId>,
    /// What it can both do and refuse then; nothing if it can diverge.
    pub event: Option<EventId>,
}

/// A shortest trace after which the process with this normal form can refuse an event that it can do as well, or
/// diverge, where divergences count; in the failures or failures–divergences model (*Understanding Concurrent Systems*,
/// section 10.5). The normal form has one state for each trace, with all that it can do and refuse: nothing else need be compared.
pub fn nondeterminism(process: &NormalForm) -> Option<Nondeterminism> {
    let mut from: Vec<Option<(StateId, EventId)>> = vec![None; process.state_count()];
    let mut is_found = vec![false; process.state_count()];
    is_found[NormalForm::INITIAL.index()] = true;
    let mut open = VecDeque::from([NormalForm::INITIAL]);
    while let Some(state) = open.pop_front() {
        if process.is_divergent(state) {
            return Some(at(&from, state, None));
        }
        if let Some(event) = refusable(process, state) {
            return Some(at(&from, state, Some(event)));
        }
        for &(event, target) in process.row(state) {
            if !std::mem::replace(&mut is_found[target.index()], true) {
                from[target.index()] = Some((state, event));
                open.push_back(target);
            }
        }
    }
    None
}

/// The first event that is possible in `state` and can be refused there.
fn refusable(process: &NormalForm, state: StateId) -> Option<EventId> {
    let mut events = process.row(state).iter().map(|&(event, _)| event);
    match process.acceptances(state) {
        None => events.next(),
        Some(sets) => events.find(|event| sets.iter().any(|set| !set.contains(event))),
    }
}

fn at(
    from: &[Option<(StateId, EventId)>],
    mut state: StateId,
    event: Option<EventId>,
) -> Nondeterminism {
    let mut trace = Vec::new();
    while let Some((before, event)) = from[state.index()] {
        trace.push(event);
        state = before;
    }
    trace.reverse();
    Nondeterminism { trace, event }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lts::graph::tests::lts;
    use crate::lts::model::Model;
    use crate::process::event::{TAU, TICK};

    const A: EventId = EventId(2);
    const B: EventId = EventId(3);

    fn found(rows: &[&[(EventId, u32)]], model: Model) -> Option<(Vec<EventId>, Option<EventId>)> {
        let process = NormalForm::of(&lts(rows), model, 100).expect("it is small");
        let found = nondeterminism(&process)?;
        Some((found.trace, found.event))
    }

    #[test]
    fn a_process_that_can_refuse_what_it_can_do_is_not_deterministic() {
        let failures = |rows| found(rows, Model::Failures);
        assert_eq!(failures(&[&[(A, 1)], &[(B, 0)]]), None);
        // a -> (b -> STOP |~| STOP)
        let choice: &[&[(EventId, u32)]] = &[&[(A, 1)], &[(TAU, 2), (TAU, 3)], &[(B, 3)], &[]];
        assert_eq!(failures(choice), Some((vec![A], Some(B))));
        // a -> a -> STOP [] a -> b -> STOP
        let forks: &[&[(EventId, u32)]] = &[&[(A, 1), (A, 2)], &[(A, 3)], &[(B, 3)], &[]];
        assert_eq!(failures(forks), Some((vec![A], Some(A))));
        // a -> STOP [] SKIP
        assert_eq!(
            failures(&[&[(TICK, 1), (A, 1)], &[]]),
            Some((vec![], Some(A)))
        );
        assert_eq!(failures(&[&[(TICK, 1)], &[]]), None);
    }

    #[test]
    fn divergence_counts_where_it_is_seen() {
        let diverging: &[&[(EventId, u32)]] = &[&[(A, 1)], &[(TAU, 1), (B, 0)]];
        assert_eq!(found(diverging, Model::Failures), None);
        let expected = Some((vec![A], None));
        assert_eq!(found(diverging, Model::FailuresDivergences), expected);
    }
}
