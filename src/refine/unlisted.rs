//! Searches a process of which nothing is listed beforehand, beside a requirement whose states are
//! made as they are met.
//!
//! Components, compressions and normal forms can be much larger than the part of them that a search
//! meets. Here the states are those of a machine or, where compiling that is dear, the terms that
//! the process becomes, by the operational rules alone; those of a specification are sets of its
//! states ([`requirement`]). In terms a transparent compression is its operand. A step of terms
//! costs ten to a hundred times what it costs a machine, so they are for systems of which few
//! states are met.
//!
//! *Holds* is right: if no violation is among the pairs met, and no pair is left, then each run of
//! the process is one of the pairs (by induction on its length), or leads on from one that decides
//! it (`unlisted/antichain.rs`), and each of its rests was compared with the requirement. It
//! diverges within the requirement only if infinitely many τ follow each other there; as there are
//! finitely many states, two of these are one, so a cycle of τ goes through it, and cycles are
//! looked for among all τ met. *A violation* is a run of the terms, which is replayed like that of
//! any other search.

mod antichain;
mod cycles;
mod orbits;
pub mod requirement;
mod sets;
mod side;

use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

use self::antichain::Antichains;
use self::cycles::leading_to_cycles;
use self::orbits::{PairOrbits, StatePair};
use self::requirement::{RequiredNext, Requirement, RequirementStates};
use self::side::{MetRow, SideRows, WORK};
pub use self::side::{UnlistedProcess, UnlistedSide};
use super::check::CheckOptions;
use super::outcome::{Outcome, SearchProgress, SearchWay, Statistics, StopReason};
use super::path::{Path, Violation, not_recovered};
use base::diag::Result;
use lts::explore::STEP_OF_TERMS;
use lts::graph::{Lts, StateId};
use process::acceptance::acceptance;
use process::event::{EventId, TAU};
use process::term::Definitions;
use process::trial::LARGER;

/// Searches `process` for what does not meet `requirement`, through at most as many pairs of states
/// as `options` allow, with at most as much work on each side as `pairs` pairs of states of
/// machines take. Returns the outcome and the cost.
pub fn check_unlisted(
    definitions: &mut dyn Definitions,
    process: UnlistedSide<'_>,
    requirement: &Requirement<'_>,
    pairs: u64,
    options: &CheckOptions,
) -> Result<(Outcome, Statistics)> {
    let work = pairs.saturating_mul(WORK);
    // An event of a choice takes about as long to make as a step of terms.
    let events = work / STEP_OF_TERMS as u64;
    definitions.limit_choices(usize::try_from(events).unwrap_or(usize::MAX));
    let found = searched(definitions, process, requirement, work, options);
    definitions.limit_choices(usize::MAX);
    match found {
        // Already the initial states are too large.
        Err(problem) if problem.code == LARGER => Ok((
            Outcome::Stopped(StopReason::StateLimit),
            Statistics::default(),
        )),
        found => found,
    }
}

/// The outcome of a search with at most so much work on each side, and the cost.
fn searched(
    definitions: &mut dyn Definitions,
    process: UnlistedSide<'_>,
    requirement: &Requirement<'_>,
    work: u64,
    options: &CheckOptions,
) -> Result<(Outcome, Statistics)> {
    let way = match process {
        UnlistedSide::Machine(_) => SearchWay::Subsets,
        UnlistedSide::Terms(_) if definitions.has_orbits() => SearchWay::Orbits,
        UnlistedSide::Terms(_) => SearchWay::Terms,
    };
    let orbits = (way == SearchWay::Orbits).then(PairOrbits::default);
    let mut search = UnlistedSearch {
        process: SideRows::new(definitions, process, work)?,
        beside: RequirementStates::new(definitions, requirement, work)?,
        definitions,
        // The states of other requirements are no sets: none of them is within another.
        least: matches!(requirement, Requirement::Refines(..)).then(Antichains::default),
        orbits,
        pairs: Vec::new(),
        met: HashSet::default(),
        statistics: Statistics::default(),
        way,
        options,
    };
    let outcome = match search.run() {
        Err(problem) if problem.code == LARGER => search.stopped(StopReason::StateLimit)?,
        outcome => outcome?,
    };
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

/// The reason why a run is not recovered from those of representatives.
const TWO_REPRESENTATIVES: &str = "some pair of states has two representatives";

/// Steps: the event of each, and the state that follows it if that is known.
type LabelledRun = Vec<(EventId, Option<StateId>)>;

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
    process: SideRows<'d>,
    beside: RequirementStates<'d>,
    /// The pairs that decide others, if the requirement is a specification.
    least: Option<Antichains>,
    /// The representatives of pairs, if only these are looked at.
    orbits: Option<PairOrbits>,
    /// The pairs, in the order in which they were met.
    pairs: Vec<MetPair>,
    /// All pairs that were met, also those that others decide.
    met: HashSet<(u32, StateId), FxBuildHasher>,
    statistics: Statistics,
    way: SearchWay,
    options: &'d CheckOptions,
}

impl UnlistedSearch<'_> {
    /// Searches breadth first.
    fn run(&mut self) -> Result<Outcome> {
        let requirement = match self.beside.initial(self.definitions)? {
            RequiredNext::Allowed(requirement) => requirement,
            RequiredNext::TooMuch => return Ok(Outcome::Stopped(StopReason::StateLimit)),
            RequiredNext::Refused | RequiredNext::Free => return Ok(Outcome::Holds),
        };
        let Some((requirement, initial)) = self.representative((requirement, Lts::INITIAL))? else {
            return Ok(Outcome::Stopped(StopReason::StateLimit));
        };
        self.meet(requirement, initial, (0, TAU));
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
        self.statistics.memory_bytes = (self.process.bytes() + self.beside.size() * 4) as u64;
        self.options.progress.hear(&SearchProgress {
            way: self.way,
            statistics: self.statistics,
            waiting: states - expanded as u64,
            expanded: expanded as u64,
            followed: 0,
        });
    }

    /// The pair that is looked at in the place of `pair`; `None` if finding it takes more work than
    /// may be done.
    fn representative(&mut self, pair: StatePair) -> Result<Option<StatePair>> {
        let sides = (&mut self.process, &mut self.beside);
        match &mut self.orbits {
            Some(orbits) => orbits.representative(self.definitions, sides, pair),
            None => Ok(Some(pair)),
        }
    }

    /// Notes the pair, unless it was met before or a pair that was met decides it.
    fn meet(&mut self, requirement: u32, process: StateId, (from, event): (u32, EventId)) {
        let (least, beside) = (&mut self.least, &self.beside);
        if self.met.insert((requirement, process))
            && least
                .as_mut()
                .is_none_or(|least| least.add(beside, requirement, process))
        {
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
        let Some(row) = self.process.row(self.definitions, pair.process)? else {
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
                    let Some(met) = self.representative((requirement, target))? else {
                        return Ok(PairExpansion::Partly);
                    };
                    if let (Some(orbits), TAU) = (&mut self.orbits, event) {
                        orbits.add_tau(pair.process, met.1);
                    }
                    self.meet(met.0, met.1, (number as u32, event));
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
        let diverging = match &self.orbits {
            Some(orbits) => leading_to_cycles(&orbits.tau_rows()),
            None => leading_to_cycles(self.process.known()),
        };
        let diverges = |pair: &MetPair| diverging.get(pair.process.0 as usize) == Some(&true);
        self.pairs.iter().position(diverges)
    }

    /// A run of the process itself through pairs that `pairs` represent, and what is wrong at its
    /// end; `None` if it was not found, because some pair has two representatives.
    fn untwisted(
        &mut self,
        pairs: &[MetPair],
        wrong: PairViolation,
    ) -> Result<Option<(LabelledRun, PairViolation)>> {
        // What was found is not lost because little work is left: this is as long as the run.
        self.process.allow_all();
        self.beside.allow_all();
        let RequiredNext::Allowed(initial) = self.beside.initial(self.definitions)? else {
            return Ok(None);
        };
        let mut at = (initial, Lts::INITIAL);
        let mut run = LabelledRun::new();
        for pair in &pairs[1..] {
            let Some((event, next)) = self.step_to(at, (pair.requirement, pair.process))? else {
                return Ok(None);
            };
            run.push((event, Some(next.1)));
            at = next;
        }
        let Some(row) = self.process.row(self.definitions, at.1)? else {
            return Ok(None);
        };
        let wrong = match wrong {
            PairViolation::Event(_) => {
                let Some(event) = self.refused(at.0, &row)? else {
                    return Ok(None);
                };
                run.push((event, None));
                PairViolation::Event(event)
            }
            PairViolation::Refusal(_) => {
                let offers = acceptance(row.iter().map(|&(event, _)| event));
                PairViolation::Refusal(offers.unwrap_or_default())
            }
            PairViolation::Divergence => PairViolation::Divergence,
        };
        Ok(Some((run, wrong)))
    }

    /// A step from the pair `at` to one that `representative` stands for, and this pair.
    fn step_to(
        &mut self,
        at: StatePair,
        representative: StatePair,
    ) -> Result<Option<(EventId, StatePair)>> {
        let row = self.process.row(self.definitions, at.1)?;
        for &(event, target) in row.iter().flat_map(|row| row.iter()) {
            let after = match event {
                TAU => RequiredNext::Allowed(at.0),
                _ => self.beside.after(self.definitions, at.0, event)?,
            };
            let RequiredNext::Allowed(requirement) = after else {
                continue;
            };
            let next = (requirement, target);
            if self.representative(next)? == Some(representative) {
                return Ok(Some((event, next)));
            }
        }
        Ok(None)
    }

    /// The first event of `row` that `requirement` does not allow.
    fn refused(&mut self, requirement: u32, row: &MetRow) -> Result<Option<EventId>> {
        for &(event, _) in row.iter().filter(|&&(event, _)| event != TAU) {
            let after = self.beside.after(self.definitions, requirement, event)?;
            if after == RequiredNext::Refused {
                return Ok(Some(event));
            }
        }
        Ok(None)
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
        let pairs = way.iter().map(|&number| self.pairs[number]);
        let pairs: Vec<MetPair> = pairs.collect();
        let (run, wrong) = match self.orbits {
            Some(_) => match self.untwisted(&pairs, wrong)? {
                Some(untwisted) => untwisted,
                None => return not_recovered(TWO_REPRESENTATIVES).into(),
            },
            None => {
                let steps = pairs[1..].iter();
                let run = steps.map(|pair| (pair.event, Some(pair.process)));
                let last = match wrong {
                    PairViolation::Event(event) => Some((event, None)),
                    _ => None,
                };
                (run.chain(last).collect(), wrong)
            }
        };
        let (mut steps, run) = self.process.path(self.definitions, &run)?;
        let violation = match wrong {
            PairViolation::Event(_) => Violation::Event(steps.remove(steps.len() - 1)),
            PairViolation::Refusal(offers) => Violation::Refusal(offers),
            PairViolation::Divergence => Violation::Divergence,
        };
        Ok(Outcome::Violated(Path {
            steps,
            run,
            rests: Vec::new(),
            violation,
            twisted: None,
        }))
    }
}

#[cfg(test)]
mod tests;
