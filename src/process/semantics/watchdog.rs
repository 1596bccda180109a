//! The rules of watchdogs, which are deterministic automata over sets of terms, made as they are
//! needed.
//!
//! After Goldsmith, Moffat, Roscoe, Whitworth and Zakiuddin, *Watchdog transformations for
//! property-oriented model-checking* (2003). To test for refusals a watchdog may at any time
//! insist, by a τ, on some events that hit every set with which the specification may come to rest:
//! an implementation that refuses all of them deadlocks with it. If the specification may refuse
//! everything, there is nothing to insist on, and a τ back to itself keeps the watchdog from
//! resting.
//!
//! Unlike any other operator a watchdog looks beyond the first steps of its operand, until it sees
//! a watched event. So it needs bounds of its own: the steps before that event may grow without
//! end, or lead back to the watchdog.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::{Row, Step, Stepper, plain};
use crate::acceptance::acceptance;
use crate::event::{EventId, TAU, TICK};
use crate::growth::{self, GrowthWatch};
use crate::term::{Term, TermId};
use crate::watchdog::Watchdog;
use base::diag::{Diagnostic, Result};

/// The largest number of sets of events to insist on that are tried.
const MOST_DEMANDS: usize = 1 << 14;

/// The number of comparisons after which the search for sets of events to insist on is given up.
const MOST_COMPARISONS: usize = 1 << 28;

/// The number of watchdogs that need each other's steps above which they count as endless.
const MOST_NESTED: usize = 10_000;

/// The bounds on the watchdogs of a process.
#[derive(Debug)]
pub(super) struct Watching {
    /// The largest number of terms of which one watchdog keeps track.
    limit: usize,
    /// True if many terms are searched for growth.
    probes: bool,
    /// The number of terms of which all watchdogs so far kept track together.
    members: usize,
    /// The watchdogs whose steps are being computed.
    active: FxHashSet<TermId>,
}

impl Watching {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit,
            probes: true,
            members: 0,
            active: FxHashSet::default(),
        }
    }

    /// Bounds for the search for growth, which does not look for growth again.
    pub(super) fn of_a_probe(limit: usize) -> Self {
        Self {
            probes: false,
            ..Self::new(limit)
        }
    }

    /// Ends the computation of all steps.
    pub(super) fn restart(&mut self) {
        self.active.clear();
    }

    /// The largest number of terms of which all watchdogs together keep track: some for each of as
    /// many states as are allowed.
    fn most_members(&self) -> usize {
        self.limit.saturating_mul(64).saturating_add(1_000_000)
    }
}

impl Stepper<'_> {
    pub(super) fn watchdog(&mut self, term: TermId, watchdog: &Watchdog) -> Result<Vec<Step>> {
        let is_new = self.semantics.watching.active.insert(term);
        if !is_new || self.semantics.watching.active.len() > MOST_NESTED {
            return self.unguarded_watchdog(watchdog, is_new).into();
        }
        let steps = self.watched_steps(term, watchdog)?;
        self.semantics.watching.active.remove(&term);
        Ok(steps)
    }

    fn watched_steps(&mut self, term: TermId, watchdog: &Watchdog) -> Result<Vec<Step>> {
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
                Some(members) if is_wanted(event) => self.watching(watchdog, members),
                // While the watchdog insists, it offers only the events that it insists on, so it
                // does not bark.
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
                let target = self.intern(Term::Watchdog(Arc::new(insisting)));
                steps.push(plain(TAU, target));
            }
        }
        Ok(steps)
    }

    /// The watchdog once the specification has become one of `members`. Their internal steps are
    /// found when the steps of that watchdog are needed: they may lead back to the watchdog whose
    /// steps are being computed.
    fn watching(&mut self, watchdog: &Watchdog, members: &[TermId]) -> TermId {
        let mut members = members.to_vec();
        members.sort_unstable();
        members.dedup();
        let after = Watchdog {
            members,
            demand: None,
            ..watchdog.clone()
        };
        self.intern(Term::Watchdog(Arc::new(after)))
    }

    fn barking(&mut self, bark: EventId) -> TermId {
        let terms = self.definitions.terms_mut();
        let stop = terms.stop();
        terms.prefix(vec![(bark, stop)])
    }

    /// All terms that `start` leads to by unwatched events, ascending, with calls unfolded.
    fn internal_closure(&mut self, watchdog: &Watchdog, start: &[TermId]) -> Result<Vec<TermId>> {
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut found = Vec::new();
        let mut growth = GrowthWatch::new(self.semantics.watching.limit);
        // A process that grows grows more slowly in breadth than in depth.
        let mut open: VecDeque<TermId> = start.iter().copied().collect();
        while let Some(term) = open.pop_front() {
            let depth = self.semantics.unfolding.depth();
            let head = self.semantics.unfolding.enter(self.definitions, term)?;
            if seen.insert(head) {
                self.definitions.cancellation().step()?;
                found.push(head);
                self.check_growth(&mut growth, &found)?;
                // The calls stay active meanwhile: their steps are those of the watchdog.
                let row = self.operand(head)?;
                let internal = row
                    .iter()
                    .filter(|step| self.is_unwatched(watchdog, step.label));
                open.extend(internal.map(|step| step.target));
            }
            self.semantics.unfolding.leave(depth);
        }
        found.sort_unstable();
        Ok(found)
    }

    /// Fails if a watchdog that keeps track of `found` keeps track of too many terms.
    fn check_growth(&mut self, growth: &mut GrowthWatch, found: &[TermId]) -> Result<()> {
        let watching = &mut self.semantics.watching;
        let limit = watching.limit;
        watching.members += 1;
        if found.len() > limit {
            let calls = self.semantics.unfolded_calls();
            return growth::too_many_states(self.definitions, calls, limit)
                .note("a watchdog keeps track of what its specification may have become")
                .into();
        }
        if watching.members > watching.most_members() {
            let most = watching.most_members();
            let much = format!("watchdogs that keep track of more than {most} states together");
            let calls = self.semantics.unfolded_calls();
            return growth::too_much(self.definitions, calls, &much, limit).into();
        }
        if watching.probes {
            growth.look(self.definitions, found)?;
        }
        Ok(())
    }

    /// The message about a watchdog whose steps depend on themselves, or on ever more others.
    fn unguarded_watchdog(&self, watchdog: &Watchdog, is_new: bool) -> Diagnostic {
        let call = watchdog.members.iter().find_map(|&p| self.first_call(p));
        let call = call.or_else(|| self.semantics.unfolding.innermost());
        let subject = match call {
            Some(call) => format!("the watchdog over `{}`", self.definitions.call_name(call)),
            None => "a watchdog".to_string(),
        };
        let diagnostic = if is_new {
            let message = format!("{subject} has more than {MOST_NESTED} others inside each other");
            Diagnostic::undecided("growing-process", message)
                .note("a recursive call below a watchdog adds one more of it each time round")
        } else {
            let message =
                format!("{subject} leads back to itself before any event that is watched");
            Diagnostic::error("unguarded-recursion", message)
                .hint("put a prefix with a watched event before the recursive call")
        };
        match call.and_then(|call| self.definitions.call_span(call)) {
            Some(span) => diagnostic.at(span, ""),
            None => diagnostic,
        }
    }

    fn is_unwatched(&self, watchdog: &Watchdog, event: EventId) -> bool {
        event != TICK && (event == TAU || !self.contains(watchdog.alphabet, event))
    }

    /// The sets of events with which the specification may come to rest.
    fn acceptances(&self, watchdog: &Watchdog, rows: &[Row]) -> BTreeSet<Vec<EventId>> {
        // Events that are not watched are internal.
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

/// The smallest sets that have an event of each acceptance. There are none if an acceptance is
/// empty, and there is the empty set alone if there are no acceptances.
fn demands(acceptances: &BTreeSet<Vec<EventId>>) -> Result<Vec<Vec<EventId>>> {
    let mut demands: Vec<Vec<EventId>> = vec![Vec::new()];
    let mut comparisons = 0;
    for acceptance in acceptances {
        // One step of Berge's algorithm: sets that have an event of the acceptance stay, the others
        // get each of its events in turn.
        let (mut hit, missed): (Vec<_>, Vec<_>) = demands
            .into_iter()
            .partition(|demand| demand.iter().any(|event| acceptance.contains(event)));
        for demand in missed {
            for &event in acceptance {
                comparisons += hit.len();
                if hit.len() > MOST_DEMANDS || comparisons > MOST_COMPARISONS {
                    return too_many_demands().into();
                }
                let mut longer = demand.clone();
                longer.push(event);
                longer.sort_unstable();
                let is_in = |other: &Vec<EventId>| other.iter().all(|e| longer.contains(e));
                // `longer` is never inside a set of `hit`: no demand is inside another, and the
                // sets in `missed` have no event of the acceptance before they get one.
                if !hit.iter().any(is_in) {
                    hit.push(longer);
                }
            }
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
