//! The search of a machine breadth first, and what is tried in its pauses: local analysis, dives,
//! and whether partial order reduction pays.
//!
//! The search pauses after so many expanded states, and again after [`FACTOR`] times as many. What
//! is done in a pause takes a part of the time up to it. So a question costs at most a few times
//! what it costs in the best of these ways, and one that is decided before the first pause costs
//! nothing more. What is followed along τ to find divergence is not counted. All is counted in
//! states: the answer is the same on every machine and for every number of threads.
//!
//! A violation that a dive finds is kept while the search goes on for a while. If the search finds
//! one too, that is a shortest one.

use std::sync::Arc;

use base::diag::Result;
use machine::Machine;
use refine::check::{CheckOptions, CheckResult, Outcome, Statistics, StopReason, pausing_check};
use refine::local::LocalCost;
use refine::pauses::Pauses;
use refine::stubborn::StubbornSets;
use symmetry::group::Group;
use symmetry::pbisim::Symmetry;
use symmetry::representative::Method;

use super::beside::BesideSearch;
use super::found_by::{FoundBy, NOT_SHORTEST, PLAIN, note, spend};
use super::partial_order;
use crate::compiled::Compiled;
use crate::decision::Decision;
use crate::options::PartialOrder;

/// The representation of states by a symmetry group; the default is none.
#[derive(Clone, Copy, Default)]
pub(crate) struct Representation<'r> {
    /// The method by which states are represented, if they are.
    pub(crate) method: Option<&'r Method>,
    /// The method by which orbits are counted, if they are.
    pub(crate) exact: Option<&'r Method>,
    /// The group, if states are represented.
    pub(crate) group: Option<&'r Group>,
}

impl<'r> Representation<'r> {
    /// Generators of the group; none if each state represents itself.
    pub(crate) fn generators(&self) -> &'r [Symmetry] {
        self.group.map_or(&[], Group::generators)
    }

    /// The number of states that a search finds without symmetries in the time of finding one
    /// representative of `machine`, about.
    fn cost(&self, machine: &Machine) -> u64 {
        let leaves = machine.leaves.len() as u64;
        self.method.map_or(1, |method| method.cost(leaves))
    }
}

/// The result of a breadth-first search of `compiled`, with what is tried `beside` it in its
/// pauses. It is reduced by the stubborn sets of `wanted`, or if there are none and it pays, by
/// those that are [`possible`].
///
/// [`possible`]: partial_order::possible
pub(crate) fn searched(
    run: &mut Decision<'_, '_>,
    (compiled, beside): (&Compiled, &mut BesideSearch),
    by: Representation<'_>,
    wanted: &CheckOptions,
) -> Result<CheckResult> {
    let mut pauses = SearchPauses {
        compiled,
        by,
        tries_reduction: compiled.partial_order == Some(PartialOrder::IfItPays),
        beside,
        sets: wanted.stubborn.clone(),
        knows_sets: wanted.stubborn.is_some(),
        wanted,
        next: compiled.dives.then(|| first_pause(&compiled.machine, &by)),
        count: 0,
        sooner: None,
        spent: Vec::new(),
    };
    let found = match pauses.dive_first()? {
        Some(found) => found,
        None => pauses.search()?,
    };
    note(run, found.by);
    if found.is_reduced {
        partial_order::note_used(run, pauses.sets.as_deref());
    }
    let leaves_out = found.is_reduced && wanted.stubborn.is_none() || found.by == FoundBy::Dive;
    let is_violated = matches!(found.result.outcome, Outcome::Violated(_));
    if is_violated && leaves_out && !compiled.asks_for_trace() {
        run.report.remarks.push(NOT_SHORTEST.to_string());
    }
    for (strategy, statistics) in pauses.spent {
        spend(run.report, strategy, statistics);
    }
    spend(run.report, "dive", beside.dives.take_in_vain());
    Ok(found.result)
}

/// The number of expanded states before the first pause. Each leads to some states for each leaf,
/// which are moved to their representatives if there are symmetries. So the time up to the pause
/// depends little on the machine: it is some hundredths of a second.
fn first_pause(machine: &Machine, by: &Representation<'_>) -> u64 {
    let leaves = machine.leaves.len().max(1) as u64;
    let found = FOUND / by.cost(machine);
    (found / leaves).clamp(4, 4096)
}

const FOUND: u64 = 1 << 15;

/// The cost of a representative from which on there is a dive before the search.
const MANY_STATES: u64 = 48;

/// The factor from one pause to the next.
const FACTOR: u64 = 2;

/// The factor from the first pause to the end of the search for a shorter violation, if a dive has
/// found one there: less for states of many words. The search takes some tenths of a second. After
/// later pauses it goes on to the next.
fn for_shorter(compiled: &Compiled) -> u64 {
    let states = compiled.form().state_count() as u32;
    let words = compiled.machine.packing(states).words() as u64;
    (FOR_SHORTER / words).max(4)
}

const FOR_SHORTER: u64 = 32;

/// The number of pauses before it is tried whether reduction pays.
const BEFORE_REDUCTION: u64 = 2;

/// A reduced search pays if it gets as deep with one in this many of the states. A state at which a
/// stubborn set is chosen takes up to six times as long (Dijkstra's algorithm for four, which has
/// 105 rules), but what is saved grows with the depth.
const WORTHWHILE: u64 = 4;

/// The word for a reduced search in reports.
const REDUCED: &str = "reduced breadth first";

/// A result that counts.
struct Found {
    result: CheckResult,
    by: FoundBy,
    /// True if stubborn sets were used.
    is_reduced: bool,
}

impl Found {
    /// The result of a local analysis, which meets no states of the machine.
    fn by_local(cost: LocalCost) -> Self {
        Self {
            result: CheckResult::holding(),
            by: FoundBy::Local(cost),
            is_reduced: false,
        }
    }
}

/// The answer of something that was tried in a pause.
enum Sooner {
    /// It has decided the question.
    Decided(Box<Found>),
    /// The search is to begin anew, with reduction.
    ReductionPays,
}

/// The work in the pauses of a search.
struct SearchPauses<'b> {
    compiled: &'b Compiled,
    by: Representation<'b>,
    /// The stubborn sets, as far as they are known and the question can be reduced.
    sets: Option<Arc<StubbornSets>>,
    /// True if they were looked for.
    knows_sets: bool,
    /// True if it is still to be found out whether reduction pays.
    tries_reduction: bool,
    wanted: &'b CheckOptions,
    beside: &'b mut BesideSearch,
    /// The number of pauses so far.
    count: u64,
    /// The number of expanded states at which the search pauses next; `None`: it never pauses.
    next: Option<u64>,
    sooner: Option<Sooner>,
    /// The searches that have not decided.
    spent: Vec<(&'static str, Statistics)>,
}

impl Pauses for SearchPauses<'_> {
    fn next(&self) -> Option<u64> {
        self.next
    }

    fn pause(&mut self, so_far: &Statistics) -> Result<bool> {
        if self.sooner.is_some() {
            // A shorter violation would have been found by now, if it were near.
            return Ok(false);
        }
        let here = self.next.unwrap_or(0);
        self.next = here.checked_mul(FACTOR);
        self.count += 1;
        if let Some(cost) = self.analyse()? {
            self.sooner = Some(Sooner::Decided(Found::by_local(cost).into()));
            return Ok(false);
        }
        self.know_sets()?;
        if let Some(found) = self.dive(here)? {
            self.sooner = Some(Sooner::Decided(self.found(found, FoundBy::Dive).into()));
            if self.count == 1 {
                self.next = here.checked_mul(for_shorter(self.compiled));
            }
            return Ok(true);
        }
        if self.count > BEFORE_REDUCTION
            && std::mem::take(&mut self.tries_reduction)
            && self.beside.dives.promise_much()
        {
            self.sooner = self.reduced(so_far)?;
        }
        Ok(self.sooner.is_none())
    }
}

impl SearchPauses<'_> {
    /// The violation that a dive finds, or a shorter one that is found beside it, where the search
    /// would take long to begin.
    fn dive_first(&mut self) -> Result<Option<Found>> {
        let (form, machine) = (self.compiled.form(), &self.compiled.machine);
        if !self.compiled.dives || self.by.cost(machine) < MANY_STATES {
            return Ok(None);
        }
        if let Some(cost) = self.analyse()? {
            return Ok(Some(Found::by_local(cost)));
        }
        self.know_sets()?;
        let Some(dive) = self.dive(0)? else {
            return Ok(None);
        };
        let states = FOUND * for_shorter(self.compiled) / 4;
        let options = CheckOptions {
            max_states: Some(
                self.wanted
                    .max_states
                    .map_or(states, |most| most.min(states)),
            ),
            ..self.wanted.clone()
        };
        let shorter = pausing_check(form, machine, (None, None), &options, None)?;
        if matches!(shorter.outcome, Outcome::Violated(_)) {
            return Ok(Some(Found {
                result: shorter,
                by: FoundBy::Beside,
                is_reduced: false,
            }));
        }
        self.spent.push((PLAIN, shorter.statistics));
        Ok(Some(self.found(dive, FoundBy::Dive)))
    }

    /// Searches breadth first, and begins anew if it turns out that reduction pays.
    fn search(&mut self) -> Result<Found> {
        let mut stubborn = self.wanted.stubborn.clone();
        loop {
            let options = CheckOptions {
                stubborn: stubborn.clone(),
                ..self.wanted.clone()
            };
            let (compiled, methods) = (self.compiled, (self.by.method, self.by.exact));
            let (form, machine) = (compiled.form(), &compiled.machine);
            let result = pausing_check(form, machine, methods, &options, Some(&mut *self))?;
            let is_open = matches!(result.outcome, Outcome::Stopped(_));
            let Some(sooner) = self.sooner.take().filter(|_| is_open) else {
                return Ok(Found {
                    result,
                    by: FoundBy::Search,
                    is_reduced: stubborn.is_some(),
                });
            };
            let word = stubborn.as_ref().map_or(PLAIN, |_| REDUCED);
            self.spent.push((word, result.statistics));
            match sooner {
                Sooner::Decided(found) => return Ok(*found),
                Sooner::ReductionPays => stubborn = self.sets.clone(),
            }
        }
    }

    /// The cost of a proof that nothing deadlocks, if a local analysis finds one.
    fn analyse(&mut self) -> Result<Option<LocalCost>> {
        let token = &self.wanted.cancellation;
        self.beside.local.next(self.compiled, token)
    }

    /// The violation that a dive finds, where so many states are expanded.
    fn dive(&mut self, expanded: u64) -> Result<Option<CheckResult>> {
        let search = (self.wanted, expanded);
        let dives = &mut self.beside.dives;
        dives.next(self.compiled, self.sets.as_ref(), search)
    }

    /// A `result` that used the stubborn sets, if there are any.
    fn found(&self, result: CheckResult, by: FoundBy) -> Found {
        Found {
            result,
            by,
            is_reduced: self.sets.is_some(),
        }
    }

    /// Finds the stubborn sets, if that was not done.
    fn know_sets(&mut self) -> Result<()> {
        if !self.knows_sets {
            let (generators, token) = (self.by.generators(), &self.wanted.cancellation);
            self.sets = self.beside.sets(self.compiled, generators, token)?;
            self.knows_sets = true;
            self.tries_reduction &= self.sets.is_some();
        }
        Ok(())
    }

    /// Searches with reduction through a part of the states of `so_far`: the answer, if these
    /// suffice, or if they are as deep.
    fn reduced(&mut self, so_far: &Statistics) -> Result<Option<Sooner>> {
        let options = CheckOptions {
            max_states: Some(so_far.states / WORTHWHILE),
            stubborn: self.sets.clone(),
            ..self.wanted.clone()
        };
        let (form, machine) = (self.compiled.form(), &self.compiled.machine);
        let reduced = pausing_check(
            form,
            machine,
            (self.by.method, self.by.exact),
            &options,
            None,
        )?;
        let statistics = reduced.statistics;
        Ok(match reduced.outcome {
            Outcome::Stopped(StopReason::StateLimit) if statistics.levels < so_far.levels => {
                self.spent.push((REDUCED, statistics));
                None
            }
            Outcome::Stopped(StopReason::StateLimit) => Some(Sooner::ReductionPays),
            Outcome::Stopped(_) => None,
            Outcome::Holds | Outcome::Violated(_) => {
                Some(Sooner::Decided(self.found(reduced, FoundBy::Search).into()))
            }
        })
    }
}
