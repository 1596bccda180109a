//! Revivals and refusal testing by their definitions: sets of observations of transition systems,
//! compared one by one.
//!
//! An observation is a history with any refusal sets, not only the largest, and both sides are
//! followed as sets of states. There are finitely many pairs of such sets, so that inclusion is
//! decided without a bound on length. If ✓ is a signal, a state that can do it is never at rest.
//! Nothing here is shared with the engine.

use std::collections::BTreeSet;

use crate::oracle::{Event, Set, TICK, Termination};

pub(crate) const TAU: Event = 0;

/// The steps of each state, the initial one first, and the meaning of ✓ in them.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a>(pub(crate) &'a [Vec<(Event, usize)>], pub(crate) Termination);

type States = BTreeSet<usize>;

/// A model, by its observations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Model {
    Revivals,
    RevivalsDivergences,
    RefusalTesting,
    RefusalTestingDivergences,
}

impl Model {
    pub(crate) const ALL: [Model; 4] = [
        Model::Revivals,
        Model::RevivalsDivergences,
        Model::RefusalTesting,
        Model::RefusalTestingDivergences,
    ];

    fn has_divergences(self) -> bool {
        matches!(
            self,
            Model::RevivalsDivergences | Model::RefusalTestingDivergences
        )
    }

    fn remembers(self) -> bool {
        matches!(
            self,
            Model::RefusalTesting | Model::RefusalTestingDivergences
        )
    }
}

/// The largest number of pairs that are looked at.
const MOST_PAIRS: usize = 3000;

/// True if all observations of `q` are observations of `p`; `None` if that takes too long.
pub(crate) fn refines(model: Model, p: Rows<'_>, q: Rows<'_>) -> Option<bool> {
    let labels = p.0.iter().chain(q.0).flatten().map(|&(event, _)| event);
    let visible: Vec<Event> = labels
        .filter(|&e| e != TAU)
        .collect::<Set>()
        .into_iter()
        .collect();
    let refusals = subsets(&visible);
    let start = (closed(p, [0].into()), closed(q, [0].into()));
    let mut seen = BTreeSet::from([start.clone()]);
    let mut open = vec![start];
    while let Some((ps, qs)) = open.pop() {
        if model.has_divergences() {
            if diverges(p, &ps) {
                continue;
            }
            if diverges(q, &qs) {
                return Some(false);
            }
        }
        // The loop begins without an observation, and goes on with each refusal.
        for refusal in [None].into_iter().chain(refusals.iter().map(Some)) {
            let (from_p, from_q) = (observed(p, &ps, refusal), observed(q, &qs, refusal));
            if from_q.is_empty() {
                continue;
            }
            // In the model of revivals a refusal ends the observation. A refusal without an event
            // after it only counts in a deadlock.
            let is_last = refusal.is_some() && !model.remembers();
            let is_seen = !is_last || from_q.iter().any(|&state| q.0[state].is_empty());
            let is_dead = |state: &usize| p.0[*state].is_empty();
            let is_matched = match is_last {
                true => from_p.iter().any(is_dead),
                false => !from_p.is_empty(),
            };
            if is_seen && !is_matched {
                return Some(false);
            }
            for &event in &visible {
                let next = (step(p, &from_p, event), step(q, &from_q, event));
                if next.1.is_empty() {
                    continue;
                }
                if next.0.is_empty() {
                    return Some(false);
                }
                if !is_last && seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        if seen.len() > MOST_PAIRS {
            return None;
        }
    }
    Some(true)
}

/// One event of a history, with the offers of the state at rest in which it was done.
pub(crate) type Step = (Option<Set>, Event);

/// The states of `rows` after `history`, at rest with exactly the offers in it; if `no_more`, with
/// at most these.
pub(crate) fn after(rows: Rows<'_>, history: &[Step], no_more: bool) -> States {
    let mut states = closed(rows, [0].into());
    for (rest, event) in history {
        if let Some(rest) = rest {
            states.retain(|&state| rows.rests(state, rest, no_more));
        }
        states = step(rows, &states, *event);
    }
    states
}

/// True if `rows` can diverge after a prefix of `history`, or after all of it.
pub(crate) fn diverges_on(rows: Rows<'_>, history: &[Step]) -> bool {
    (0..=history.len()).any(|n| diverges(rows, &after(rows, &history[..n], true)))
}

/// The offers of the members of `states` that are at rest.
pub(crate) fn offers(rows: Rows<'_>, states: &States) -> BTreeSet<Set> {
    let at_rest = states.iter().filter(|&&state| rows.is_at_rest(state));
    at_rest.map(|&state| rows.labels(state)).collect()
}

/// True if a member of `states` can do `event`.
pub(crate) fn can_do(rows: Rows<'_>, states: &States, event: Event) -> bool {
    !step(rows, states, event).is_empty()
}

/// True if a member of `states` can do τ for ever.
pub(crate) fn diverges(rows: Rows<'_>, states: &States) -> bool {
    let mut left: States = (0..rows.0.len()).collect();
    loop {
        let before = left.clone();
        left.retain(|&state| {
            let mut steps = rows.0[state].iter();
            steps.any(|(event, target)| *event == TAU && before.contains(target))
        });
        if left == before {
            return states.iter().any(|state| left.contains(state));
        }
    }
}

impl Rows<'_> {
    fn rests(self, state: usize, offers: &Set, no_more: bool) -> bool {
        let own = self.labels(state);
        self.is_at_rest(state) && (own == *offers || no_more && own.is_subset(offers))
    }

    fn is_at_rest(self, state: usize) -> bool {
        let signals = |event| event == TICK && self.1 == Termination::Signal;
        let mut row = self.0[state].iter();
        row.all(|&(event, _)| event != TAU && !signals(event))
    }

    fn labels(self, state: usize) -> Set {
        self.0[state].iter().map(|step| step.0).collect()
    }
}

/// The members of `states` that show `refusal`, if that is one; otherwise all.
fn observed(rows: Rows<'_>, states: &States, refusal: Option<&Set>) -> States {
    let shows = |state: &&usize| {
        refusal.is_none_or(|refusal| {
            rows.is_at_rest(**state) && rows.labels(**state).is_disjoint(refusal)
        })
    };
    states.iter().filter(shows).copied().collect()
}

fn step(rows: Rows<'_>, states: &States, event: Event) -> States {
    let steps = states.iter().flat_map(|&state| &rows.0[state]);
    let targets = steps.filter(|step| step.0 == event).map(|step| step.1);
    closed(rows, targets.collect())
}

fn closed(rows: Rows<'_>, mut states: States) -> States {
    let mut open: Vec<usize> = states.iter().copied().collect();
    while let Some(state) = open.pop() {
        let steps = rows.0[state].iter().filter(|step| step.0 == TAU);
        open.extend(
            steps
                .map(|step| step.1)
                .filter(|&target| states.insert(target)),
        );
    }
    states
}

fn subsets(events: &[Event]) -> Vec<Set> {
    let each = (0..1_usize << events.len()).map(|bits| {
        let chosen = events.iter().enumerate();
        chosen
            .filter(|(i, _)| bits >> i & 1 == 1)
            .map(|(_, &e)| e)
            .collect()
    });
    each.collect()
}
