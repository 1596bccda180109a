//! The rules of watchdogs, which are deterministic automata over sets of terms, made as they are needed.
//!
//! After Goldsmith, Moffat, Roscoe, Whitworth and Zakiuddin, *Watchdog transformations for property-oriented
//! model-checking* (2003). To test for refusals a watchdog may at any time insist, by a τ, on some events that hit every
//! set with which the specification may come to rest: an implementation that refuses all of them deadlocks with it. Where
//! the specification may refuse everything there is nothing to insist on, and a τ back to itself keeps it from resting.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::{Row, Step, Stepper, plain};
use crate::diag::{Diagnostic, Result};
use crate::process::acceptance::acceptance;
use crate::process::event::{EventId, TAU, TICK};
use crate::process::term::{Term, TermId};
use crate::process::watchdog::Watchdog;

/// More sets of events to insist on than this are not tried.
const MOST_DEMANDS: usize = 1 << 14;

impl Stepper<'_> {
    pub(super) fn watchdog(&mut self, term: TermId, watchdog: &Watchdog) -> Result<Vec<Step>> {
        let members = self.internal_closure(watchdog, &watchdog.members)?;
        let rows = self.operands(&members)?;
        let mut targets: BTreeMap<EventId, Vec<TermId>> = BTreeMap::new();
        for step in rows.iter().flat_map(|row| row.iter()) {
            if step.label == TICK || self.contains(watchdog.alphabet, step.label) {
                targets.entry(step.label).or_default().push(step.target);
            }
        }
        let is_wanted = |event: EventId| {
            let demand = watchdog.demand.as_ref();
            demand.is_none_or(|demand| demand.contains(&event))
        };
        let mut steps = Vec::new();
        if targets.contains_key(&TICK) && is_wanted(TICK) {
            steps.push(self.terminate(TICK));
        }
        for event in self
            .definitions
            .terms()
            .events
            .set(watchdog.alphabet)
            .to_vec()
        {
            let target = match targets.get(&event) {
                Some(members) if is_wanted(event) => self.watching(watchdog, members)?,
                None if watchdog.demand.is_none() => self.barking(watchdog.bark),
                _ => continue,
            };
            steps.push(plain(event, target));
        }
        if watchdog.tests_refusals && watchdog.demand.is_none() {
            let demands = demands(&self.acceptances(watchdog, &rows))?;
            if demands.is_empty() {
                steps.push(plain(TAU, term));
            }
            for demand in demands {
                let insisting = Watchdog {
                    members: members.clone(),
                    demand: Some(demand),
                    ..watchdog.clone()
                };
                let target = self.intern(Term::Watchdog(Rc::new(insisting)));
                steps.push(plain(TAU, target));
            }
        }
        Ok(steps)
    }

    /// The watchdog once the specification has become one of `members`.
    fn watching(&mut self, watchdog: &Watchdog, members: &[TermId]) -> Result<TermId> {
        let after = Watchdog {
            members: self.internal_closure(watchdog, members)?,
            demand: None,
            ..watchdog.clone()
        };
        Ok(self.intern(Term::Watchdog(Rc::new(after))))
    }

    fn barking(&mut self, bark: EventId) -> TermId {
        let terms = self.definitions.terms_mut();
        let stop = terms.stop();
        terms.prefix(vec![(bark, stop)])
    }

    /// All that `start` leads to by events that are not watched, ascending, with calls unfolded.
    fn internal_closure(&mut self, watchdog: &Watchdog, start: &[TermId]) -> Result<Vec<TermId>> {
        let mut found: FxHashSet<TermId> = FxHashSet::default();
        let mut open = start.to_vec();
        while let Some(term) = open.pop() {
            let depth = self.semantics.unfolding.depth();
            let head = self.semantics.unfolding.enter(self.definitions, term)?;
            self.semantics.unfolding.leave(depth);
            if !found.insert(head) {
                continue;
            }
            let row = self.operand(head)?;
            let internal = row
                .iter()
                .filter(|step| self.is_unwatched(watchdog, step.label));
            open.extend(internal.map(|step| step.target));
        }
        let mut members: Vec<TermId> = found.into_iter().collect();
        members.sort_unstable();
        Ok(members)
    }

    fn is_unwatched(&self, watchdog: &Watchdog, event: EventId) -> bool {
        event != TICK && (event == TAU || !self.contains(watchdog.alphabet, event))
    }

    /// The sets of events with which the specification may come to rest; ✓ alone where it can terminate.
    fn acceptances(&self, watchdog: &Watchdog, rows: &[Row]) -> Vec<Vec<EventId>> {
        // What is not watched is internal.
        let seen = |step: &Step| match step.label {
            TICK => TICK,
            label if self.is_unwatched(watchdog, label) => TAU,
            label => label,
        };
        let sets = rows
            .iter()
            .filter_map(|row| acceptance(row.iter().map(seen)));
        sets.collect()
    }
}

/// The smallest sets that have an event of each acceptance: none if one of these is empty, the empty one if there are none.
fn demands(acceptances: &[Vec<EventId>]) -> Result<Vec<Vec<EventId>>> {
    let mut demands: Vec<Vec<EventId>> = vec![Vec::new()];
    for acceptance in acceptances {
        let (mut hit, missed): (Vec<_>, Vec<_>) = demands
            .into_iter()
            .partition(|demand| demand.iter().any(|event| acceptance.contains(event)));
        for demand in missed {
            for &event in acceptance {
                let mut longer = demand.clone();
                longer.push(event);
                longer.sort_unstable();
                let is_in = |other: &Vec<EventId>| other.iter().all(|e| longer.contains(e));
                if !hit.iter().any(is_in) {
                    hit.push(longer);
                }
            }
        }
        if hit.len() > MOST_DEMANDS {
            return too_many_demands().into();
        }
        demands = hit;
    }
    Ok(demands)
}

fn too_many_demands() -> Diagnostic {
    Diagnostic::undecided(
        "too-many-steps",
        "a watchdog has too many ways to test for refusals",
    )
    .note("it insists on one event of each set that the specification may come to rest with")
}
