//! Searches a process of which nothing is listed beforehand, beside a requirement whose states are
//! made as they are met.
//!
//! Components, compressions and normal forms can be much larger than the part of them that a search
//! meets. Here the states are the terms that the process becomes, by the operational rules alone,
//! and those of a specification are sets of its terms ([`requirement`]). A transparent compression
//! is its operand. A step costs ten to a hundred times what it costs a machine, so this is for
//! systems of which few states are met.
//!
//! *Holds* is right: if no violation is among the pairs met, and no pair is left, then each run
//! of the process is one of the pairs (by induction on its length), and each of its rests was
//! compared with the requirement. It diverges within the requirement only if infinitely many τ
//! follow each other there; as there are finitely many states, two of these are one, so a cycle
//! of τ goes through it, and cycles are looked for among all τ met. *A violation* is a run of the
//! terms, which is replayed like that of any other search.

mod cycles;
pub mod requirement;
mod rows;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use self::cycles::leading_to_cycles;
use self::requirement::{RequiredNext, Requirement, RequirementStates};
use self::rows::TermRows;
pub use self::rows::UnlistedProcess;
use super::check::CheckOptions;
use super::outcome::{Outcome, SearchProgress, Statistics, StopReason};
use super::path::{Path, PathStep, Violation, not_recovered};
use base::diag::Result;
use lts::graph::StateId;
use process::acceptance::acceptance;
use process::event::{EventId, TAU};
use process::term::{Definitions, TermId};

/// The work for each pair that may be done, on average. A unit is a step that is looked at, or an
/// operand of the term that it leads to: some states have thousands of steps.
pub const WORK: u64 = 8;

/// Searches `process` for what does not meet `requirement`, through at most as many pairs of states
/// as `options` allow. Returns the outcome and the cost.
pub fn check_unlisted(
    definitions: &mut dyn Definitions,
    process: TermId,
    requirement: &Requirement,
    options: &CheckOptions,
) -> Result<(Outcome, Statistics)> {
    let most = options.max_states.unwrap_or(u64::MAX);
    let work = most.saturating_mul(WORK);
    let mut search = UnlistedSearch {
        definitions,
        terms: TermRows::within(work),
        beside: RequirementStates::new(requirement, work),
        pairs: Vec::new(),
        numbers: HashMap::default(),
        statistics: Statistics::default(),
        options,
    };
    let outcome = search.run(process)?;
    search.hear(search.pairs.len());
    Ok((outcome, search.statistics))
}

/// A pair of states, with the way to it.
#[derive(Clone, Copy)]
struct MetPair {
    requirement: u32,
    process: StateId,
    /// The pair before it, and the event that leads from there; the first pair has itself.
    from: u32,
    event: EventId,
}

/// The place where a pair violates the requirement.
enum PairViolation {
    /// It does this event.
    Event(EventId),
    /// It comes to rest with these offers, ascending.
    Refusal(Vec<EventId>),
    /// It can do τ for ever.
    Divergence,
}

/// The result of looking at a pair.
enum PairExpansion {
    /// Nothing is wrong with it.
    Rightly,
    /// This is wrong.
    Wrongly(PairViolation),
    /// The requirement has grown too large on the way.
    Partly,
}

struct UnlistedSearch<'d> {
    definitions: &'d mut dyn Definitions,
    terms: TermRows,
    beside: RequirementStates<'d>,
    /// The pairs, in the order in which they were met.
    pairs: Vec<MetPair>,
    numbers: HashMap<(u32, StateId), u32, FxBuildHasher>,
    statistics: Statistics,
    options: &'d CheckOptions,
}

impl UnlistedSearch<'_> {
    /// Searches breadth first.
    fn run(&mut self, process: TermId) -> Result<Outcome> {
        let requirement = match self.beside.initial(self.definitions)? {
            RequiredNext::Allowed(requirement) => requirement,
            RequiredNext::TooMuch => return Ok(Outcome::Stopped(StopReason::StateLimit)),
            RequiredNext::Refused | RequiredNext::Free => return Ok(Outcome::Holds),
        };
        let process = self.terms.visit(self.definitions, process)?;
        self.meet(requirement, process, (0, TAU));
        let (mut next, mut end_of_level) = (0, 1);
        self.statistics.levels = 1;
        while next < self.pairs.len() {
            if next == end_of_level {
                end_of_level = self.pairs.len();
                self.statistics.levels += 1;
            }
            if let Some(reason) = self.is_to_stop(next) {
                return self.stopped(reason);
            }
            let wrong = match self.expand(next)? {
                PairExpansion::Rightly => None,
                PairExpansion::Wrongly(wrong) => Some(wrong),
                PairExpansion::Partly => return self.stopped(StopReason::StateLimit),
            };
            if let Some(wrong) = wrong {
                // A divergence may be nearer.
                let diverging = self.first_diverging().filter(|&pair| pair <= next);
                return match diverging {
                    Some(pair) => self.violated(pair, PairViolation::Divergence),
                    None => self.violated(next, wrong),
                };
            }
            next += 1;
        }
        match self.first_diverging() {
            Some(pair) => self.violated(pair, PairViolation::Divergence),
            None => Ok(Outcome::Holds),
        }
    }

    /// The outcome of a search that `reason` ends. The cycles of τ among what was met are real all
    /// the same.
    fn stopped(&mut self, reason: StopReason) -> Result<Outcome> {
        match self.first_diverging() {
            Some(pair) => self.violated(pair, PairViolation::Divergence),
            None => Ok(Outcome::Stopped(reason)),
        }
    }

    /// The reason to stop before the pair `next` is expanded, if there is one.
    fn is_to_stop(&mut self, next: usize) -> Option<StopReason> {
        self.hear(next);
        let most = self.options.max_states.unwrap_or(u64::MAX);
        if self.options.cancellation.reason().is_some() {
            Some(StopReason::Cancelled)
        } else if self.pairs.len() as u64 > most {
            Some(StopReason::StateLimit)
        } else {
            None
        }
    }

    fn hear(&mut self, expanded: usize) {
        let states = self.pairs.len() as u64;
        self.statistics.states = states;
        self.statistics.specification_states = self.beside.met() as u64;
        self.statistics.memory_bytes = (self.terms.bytes() + self.beside.size() * 4) as u64;
        self.options.progress.hear(&SearchProgress {
            statistics: self.statistics,
            waiting: states - expanded as u64,
            expanded: expanded as u64,
            followed: 0,
        });
    }

    /// Notes the pair, if it is new.
    fn meet(&mut self, requirement: u32, process: StateId, (from, event): (u32, EventId)) {
        let fresh = self.pairs.len() as u32;
        let number = *self.numbers.entry((requirement, process)).or_insert(fresh);
        if number == fresh {
            self.pairs.push(MetPair {
                requirement,
                process,
                from,
                event,
            });
        }
    }

    /// Meets what the pair `number` leads to.
    fn expand(&mut self, number: usize) -> Result<PairExpansion> {
        let pair = self.pairs[number];
        let Some(row) = self.terms.row(self.definitions, pair.process)? else {
            return Ok(PairExpansion::Partly);
        };
        self.statistics.transitions += row.len() as u64;
        for &(event, target) in &*row {
            let met = match event {
                TAU => RequiredNext::Allowed(pair.requirement),
                _ => self
                    .beside
                    .after(self.definitions, pair.requirement, event)?,
            };
            match met {
                RequiredNext::Refused => {
                    return Ok(PairExpansion::Wrongly(PairViolation::Event(event)));
                }
                RequiredNext::TooMuch => return Ok(PairExpansion::Partly),
                RequiredNext::Free => {}
                RequiredNext::Allowed(requirement) => {
                    self.meet(requirement, target, (number as u32, event));
                }
            }
        }
        if self.beside.sees_rests()
            && let Some(offers) = acceptance(row.iter().map(|&(event, _)| event))
            && !self
                .beside
                .allows_rest(self.definitions, pair.requirement, &offers)?
        {
            return Ok(PairExpansion::Wrongly(PairViolation::Refusal(offers)));
        }
        Ok(PairExpansion::Rightly)
    }

    /// The first pair from which τ lead to a cycle of τ, if the requirement forbids that.
    fn first_diverging(&self) -> Option<usize> {
        if !self.beside.forbids_divergence() {
            return None;
        }
        let diverging = leading_to_cycles(self.terms.known());
        let diverges = |pair: &MetPair| diverging.get(pair.process.0 as usize) == Some(&true);
        self.pairs.iter().position(diverges)
    }

    /// The outcome that the pair `number` is `wrong`.
    fn violated(&mut self, number: usize, wrong: PairViolation) -> Result<Outcome> {
        let mut way = vec![number];
        let mut at = number;
        while at != 0 {
            at = self.pairs[at].from as usize;
            way.push(at);
        }
        way.reverse();
        let mut steps = Vec::with_capacity(way.len());
        for step in way.windows(2) {
            let [from, to] = [step[0], step[1]].map(|number| self.pairs[number]);
            steps.push(self.step(from.process, to.event, Some(to.process))?);
        }
        let violation = match wrong {
            PairViolation::Event(event) => {
                Violation::Event(self.step(self.pairs[number].process, event, None)?)
            }
            PairViolation::Refusal(offers) => Violation::Refusal(offers),
            PairViolation::Divergence => Violation::Divergence,
        };
        Ok(Outcome::Violated(Path {
            steps,
            run: None,
            rests: Vec::new(),
            violation,
            twisted: None,
        }))
    }

    /// The first step of `state` by `event`, to this target if there is one.
    fn step(&mut self, state: StateId, event: EventId, to: Option<StateId>) -> Result<PathStep> {
        match self.terms.step(self.definitions, state, event, to)? {
            Some(step) => Ok(PathStep {
                label: step.label,
                origin: step.origin,
            }),
            None => not_recovered("a term has no step that it had before").into(),
        }
    }
}

#[cfg(test)]
mod tests;
