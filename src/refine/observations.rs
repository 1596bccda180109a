//! Refinement in the models that see what a process does after it was seen at rest: revivals and
//! refusal testing (Roscoe, *Understanding Concurrent Systems*, chapters 11 and 12; *Revivals,
//! stuckness and the hierarchy of CSP models*, 2009).
//!
//! *What is seen.* A run shows a history X₀ a₁ X₁ … aₙ Xₙ: its events, and before each as well as
//! at the end either •, which is nothing, or a set of events that the state refuses in which the
//! run is at rest. In the model of refusal testing all histories count. In that of revivals all
//! sets before the last event but one are •: what counts are traces, those that end in a deadlock,
//! and those X a with which a trace goes on from rest. Where divergences count, a history after
//! which the process diverges stands for all that begin with it. ✓ is an event like the others
//! here.
//!
//! *Largest refusals suffice.* A state at rest that offers A refuses the sets beside A. Call a
//! history weaker than another if some of its sets are smaller or •. What shows a history shows all
//! weaker ones, by the same run; and one that goes on after a divergence is weaker than one that
//! does too. So a process refines another if that shows the strongest histories of each run: with
//! all but A where the run rests offering A, with • where it does not rest. And the other shows a
//! set that is all but A exactly in those states at rest that offer no more than A.
//!
//! *So the search* goes through pairs of a state of the implementation and the set of those of the
//! specification after the strongest history, closed under τ. An unstable state takes a set by an
//! event to what that event leads to from all of it, because nothing has been refused; so does
//! every state in the model of revivals, which forgets. A stable one that offers A does so from
//! those at rest in the set that offer no more than A. What is missing at a pair is: an event; for
//! a state at rest, for each of its events, a state of the set at rest that offers that and no more
//! than A, or if A is empty, one that offers nothing; and divergence. With these, the strongest
//! histories of no run are missing, by induction on its length.
//!
//! The specification is listed state by state; states of the implementation are found as the search
//! asks for them. There are no normal forms, whose acceptances are minimal and do not say which
//! event goes with which, and no symmetries, which would have to keep the sets as well.
//! Sets may be exponentially many; they are built as they are met.

mod implementation;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

pub use self::implementation::Rows;
use self::implementation::{Implementation, at_rest};
use super::halt::Halt;
use super::outcome::{CheckOptions, SearchProgress, Statistics, StopReason};
use super::watch::SearchWatch;
use crate::base::index::TypedIndex;
use crate::cancel::Cancellation;
use crate::diag::Result;
use crate::lts::bisimulation::minimise;
use crate::lts::graph::{Lts, StateId};
use crate::lts::model::FinerModel;
use crate::lts::normal_form::too_large;
use crate::lts::subsets::Subsets;
use crate::lts::tau::{UnnumberedRow, divergent_states, is_stable};
use crate::process::acceptance::is_subset;
use crate::process::event::{EventId, TAU};
pub use crate::process::observation::ObservedStep;

/// The answer of [`check_observations`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Observed {
    /// The refinement holds.
    Holds,
    /// It does not; the history is one of a shortest run, τ counted, and the same every time. The
    /// steps of that run come with it, each with the state that it leads to. If more than the first
    /// are wanted, others follow that are missing something else.
    Violated(Vec<ShownRun>),
    /// The search ended early.
    Stopped(StopReason),
}

/// A history with the steps of a run that shows it, each with the state that it leads to.
pub type ShownRun = (History, Vec<(EventId, StateId)>);

/// What the implementation shows, and the specification does not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct History {
    /// What both show.
    pub steps: Vec<ObservedStep>,
    /// What the implementation alone shows then.
    pub missing: Missing,
}

/// What a specification does not show after a history.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Missing {
    /// An event.
    Event(EventId),
    /// Coming to rest with these offers at most, ascending.
    Refusal(Vec<EventId>),
    /// Coming to rest with these offers at most, `event` among them.
    Revival {
        /// Ascending.
        offers: Vec<EventId>,
        /// What is then done.
        event: EventId,
    },
    /// τ for ever.
    Divergence,
}

/// Whether `implementation` refines `specification` in `model`, where the latter can be in no more
/// than `most_sets` sets of states.
pub fn check_observations(
    specification: &Lts,
    implementation: &mut dyn Rows,
    model: FinerModel,
    most_sets: usize,
    options: &CheckOptions,
) -> Result<(Observed, Statistics)> {
    let token = &options.cancellation;
    // Strong bisimilarity keeps every history, and sets of fewer states are fewer.
    let specification = minimise(specification, token)?.lts;
    let sets = SpecificationSets::new(&specification, most_sets, token)?;
    ObservationSearch::new(sets, implementation, model, options).run()
}

/// One set of states of a specification.
struct SpecificationSet {
    /// Closed under τ, ascending.
    members: Arc<[StateId]>,
    /// With which sets of events its states come to rest, each once.
    rests: Vec<Arc<[EventId]>>,
    diverges: bool,
}

/// The sets of states that a specification can be in after a history, as far as they were met.
struct SpecificationSets<'a> {
    lts: &'a Lts,
    subsets: Subsets<'a>,
    divergent: Vec<bool>,
    known: Vec<Arc<SpecificationSet>>,
    /// By set, and by the number of what the implementation offered at rest, if it was seen at rest
    /// and that counts.
    rows: FxHashMap<(u32, Option<u32>), Arc<UnnumberedRow>>,
    most: usize,
    /// Bytes that sets and rows take.
    bytes: usize,
}

impl<'a> SpecificationSets<'a> {
    /// The first set alone, of not more than `most`.
    fn new(lts: &'a Lts, most: usize, token: &'a Cancellation) -> Result<Self> {
        Ok(Self {
            lts,
            divergent: divergent_states(lts, token)?,
            subsets: Subsets::new(lts, token)?,
            known: Vec::new(),
            rows: FxHashMap::default(),
            most,
            bytes: 0,
        })
    }

    /// Set `number`.
    fn set(&mut self, number: u32) -> Result<Arc<SpecificationSet>> {
        // Sets are numbered when a row first meets them, so sets before this one may not be known
        // yet.
        while self.known.len() <= number as usize {
            let members = self.subsets.members(self.known.len());
            let token = self.subsets.token();
            let mut rests = Vec::new();
            for &state in members.iter().filter(|&&state| is_stable(self.lts, state)) {
                token.look(1 + self.lts.row(state).len())?;
                rests.push(offers(self.lts, state));
            }
            token.sort(&mut rests)?;
            rests.dedup();
            self.bytes += size_of_val(&*members);
            let diverges = members.iter().any(|state| self.divergent[state.index()]);
            self.known.push(Arc::new(SpecificationSet {
                members,
                rests: rests.into_iter().map(Into::into).collect(),
                diverges,
            }));
        }
        Ok(self.known[number as usize].clone())
    }

    /// By event, the set after set `number`; if `rest` says with its number what the implementation
    /// offered at rest, from those states alone that can have been seen at rest with no more.
    fn row(&mut self, number: u32, rest: Option<(u32, &[EventId])>) -> Result<Arc<UnnumberedRow>> {
        let key = (number, rest.map(|(rest, _)| rest));
        if let Some(row) = self.rows.get(&key) {
            return Ok(row.clone());
        }
        let set = self.set(number)?;
        let row = match rest {
            None => self.subsets.row(&set.members)?,
            Some((_, most)) => {
                let lts = self.lts;
                let can_rest = |&state: &StateId| {
                    let mut events = lts.row(state).iter().map(|&(event, _)| event);
                    is_stable(lts, state) && events.all(|event| most.binary_search(&event).is_ok())
                };
                let members = set.members.iter().copied();
                self.subsets
                    .row(&members.filter(can_rest).collect::<Vec<_>>())?
            }
        };
        if self.subsets.len() > self.most {
            return too_large(self.most).into();
        }
        self.bytes += size_of_val(&row[..]);
        let row = Arc::new(row);
        self.rows.insert(key, row.clone());
        Ok(row)
    }
}

/// What `state`, which is stable, offers, ascending.
fn offers(lts: &Lts, state: StateId) -> Vec<EventId> {
    let mut events: Vec<EventId> = lts.row(state).iter().map(|&(event, _)| event).collect();
    events.dedup();
    events
}

/// What an implementation that comes to rest with `offers` shows, and `specification` does not:
/// events that cannot be done at all are not looked for.
fn missing_at_rest(specification: &SpecificationSet, offers: &[EventId]) -> Vec<Missing> {
    let allowed = specification.rests.iter();
    let allowed: Vec<_> = allowed.filter(|rest| is_subset(rest, offers)).collect();
    if allowed.is_empty() {
        return vec![Missing::Refusal(offers.to_vec())];
    }
    let is_missing = |event: &&EventId| {
        let goes_on = |rest: &&Arc<[EventId]>| rest.binary_search(event).is_ok();
        !allowed.iter().any(goes_on)
    };
    let missing = offers.iter().filter(is_missing);
    let revival = |&event: &EventId| Missing::Revival {
        offers: offers.to_vec(),
        event,
    };
    missing.map(revival).collect()
}

/// The watch is asked each time that this many pairs were looked at.
const INTERVAL: usize = 1 << 12;

/// A pair of a state of the implementation and a set of states of the specification.
type Pair = (StateId, u32);

/// A breadth-first search through pairs.
struct ObservationSearch<'a> {
    sets: SpecificationSets<'a>,
    implementation: Implementation<'a>,
    model: FinerModel,
    /// The numbers of what states of the implementation offer at rest, as far as that counts.
    offers: FxHashMap<Vec<EventId>, u32>,
    pairs: Vec<Pair>,
    /// By pair, the number of the one it was found from, and by which event.
    from: Vec<(u32, EventId)>,
    found: FxHashSet<Pair>,
    /// What is missing at which pair, each once, in the order in which it was met.
    missing: Vec<(usize, Missing)>,
    /// As many of these are wanted.
    wanted: usize,
    most: Option<u64>,
    watch: SearchWatch,
    statistics: Statistics,
}

impl<'a> ObservationSearch<'a> {
    /// Before the initial pair has been looked at.
    fn new(
        sets: SpecificationSets<'a>,
        implementation: &'a mut dyn Rows,
        model: FinerModel,
        options: &CheckOptions,
    ) -> Self {
        let initial = (Lts::INITIAL, 0);
        Self {
            sets,
            implementation: Implementation::new(implementation),
            model,
            offers: FxHashMap::default(),
            pairs: vec![initial],
            from: vec![(0, TAU)],
            found: FxHashSet::from_iter([initial]),
            missing: Vec::new(),
            wanted: options.further.saturating_add(1),
            most: options.max_states,
            watch: SearchWatch::new(options),
            statistics: Statistics::default(),
        }
    }

    /// Searches, and says what came of it.
    fn run(mut self) -> Result<(Observed, Statistics)> {
        let halted = match self.search() {
            Ok(()) => None,
            // What was found is right, whatever ends the search for more; if work is to end, it
            // cannot be looked at any more.
            Err(Halt::Stopped(reason)) if self.missing.is_empty() => Some(reason),
            Err(Halt::Stopped(StopReason::Cancelled)) => Some(StopReason::Cancelled),
            Err(Halt::Stopped(_)) => None,
            Err(halt) => return Err(halt.into_problem()),
        };
        let found = std::mem::take(&mut self.missing).into_iter();
        let outcome = match halted {
            Some(reason) => Observed::Stopped(reason),
            None if found.len() == 0 => Observed::Holds,
            None => {
                let found = found.map(|(pair, missing)| self.history(pair, missing));
                Observed::Violated(found.collect::<Result<_>>()?)
            }
        };
        Ok((outcome, self.statistics_so_far()))
    }

    /// Level by level, until enough was found that the specification lacks.
    fn search(&mut self) -> Result<(), Halt> {
        let mut next = 0;
        let mut level_end = 0;
        while next < self.pairs.len() {
            if next == level_end {
                level_end = self.pairs.len();
                self.statistics.levels += 1;
            }
            if next % INTERVAL == 0 {
                self.watch.may_go_on(&self.progress(next))?;
            }
            self.expand(next)?;
            if self.missing.len() >= self.wanted {
                return Ok(());
            }
            if self.most.is_some_and(|most| self.pairs.len() as u64 > most) {
                return Err(Halt::Stopped(StopReason::StateLimit));
            }
            // `from` has 32 bits for the number of a pair.
            if self.pairs.len() >= u32::MAX as usize {
                return Err(Halt::Stopped(StopReason::Numbers));
            }
            next += 1;
        }
        Ok(())
    }

    /// Notes that the specification lacks this at pair `number`. Returns whether enough was found.
    fn lacks(&mut self, number: usize, missing: Missing) -> bool {
        let is_new = !self.missing.iter().any(|(_, before)| *before == missing);
        if is_new && self.missing.len() < self.wanted {
            self.missing.push((number, missing));
        }
        self.missing.len() >= self.wanted
    }

    /// Finds the pairs after pair `number`, and notes what the specification does not show there.
    fn expand(&mut self, number: usize) -> Result<(), Halt> {
        let (state, set_number) = self.pairs[number];
        let set = self.sets.set(set_number)?;
        if self.model.has_divergences() {
            // The specification allows everything from here on.
            if set.diverges {
                return Ok(());
            }
            // What diverges shows everything then, so that nothing else is looked for after it.
            if self.diverges(number)? {
                self.lacks(number, Missing::Divergence);
                return Ok(());
            }
        }
        let all = self.sets.row(set_number, None)?;
        let steps = self.implementation.row(state)?;
        // Events come first: `missing_at_rest` takes for granted that each event is possible.
        let is_allowed = |event| event == TAU || after(&all, event).is_some();
        for &(event, _) in &steps {
            if !is_allowed(event) && self.lacks(number, Missing::Event(event)) {
                return Ok(());
            }
        }
        let mut row = Arc::clone(&all);
        if let Some(offers) = at_rest(&steps) {
            self.sets.subsets.token().look(set.rests.len())?;
            for missing in missing_at_rest(&set, &offers) {
                // An event that is not allowed at all was noted above.
                if matches!(missing, Missing::Revival { event, .. } if !is_allowed(event)) {
                    continue;
                }
                if self.lacks(number, missing) {
                    return Ok(());
                }
            }
            if self.model.remembers_refusals() {
                let rest = self.number_of(&offers);
                row = self.sets.row(set_number, Some((rest, &offers)))?;
            }
        }
        for (event, target) in steps {
            let set = match event {
                TAU => Some(set_number),
                _ => after(&row, event),
            };
            self.statistics.transitions += 1;
            // What is at rest has just been seen to be allowed each of its events from there.
            let Some(set) = set else { continue };
            if self.found.insert((target, set)) {
                self.pairs.push((target, set));
                self.from.push((number as u32, event));
            }
        }
        Ok(())
    }

    /// Whether the state of pair `number` can do τ for ever.
    fn diverges(&mut self, number: usize) -> Result<bool, Halt> {
        let progress = self.progress(number);
        let most = self.most;
        let watch = &self.watch;
        let mut work = 0;
        let mut may_go_on = |met: usize| {
            work += 1;
            if most.is_some_and(|most| met as u64 > most) {
                return Err(Halt::Stopped(StopReason::StateLimit));
            }
            match work % INTERVAL {
                0 => watch.may_go_on(&progress),
                _ => Ok(()),
            }
        };
        let state = self.pairs[number].0;
        let found = self.implementation.diverges(state, &mut may_go_on);
        if found.is_err() {
            // They were met on the way to where it stopped.
            self.statistics.states = self.implementation.met() as u64;
        }
        found
    }

    /// The number of `offers`.
    fn number_of(&mut self, offers: &[EventId]) -> u32 {
        if let Some(&number) = self.offers.get(offers) {
            return number;
        }
        let number = self.offers.len() as u32;
        self.offers.insert(offers.to_vec(), number);
        number
    }

    /// What the run to pair `last` shows, with what is missing then, and the run.
    fn history(
        &mut self,
        last: usize,
        missing: Missing,
    ) -> Result<(History, Vec<(EventId, StateId)>)> {
        let mut steps = Vec::new();
        let mut run = Vec::new();
        let mut number = last;
        while number != 0 {
            let (before, event) = self.from[number];
            run.push((event, self.pairs[number].0));
            number = before as usize;
            if event != TAU {
                let rest = match self.model.remembers_refusals() {
                    // `number` is the pair before the event by now.
                    true => self.implementation.rest(self.pairs[number].0)?,
                    false => None,
                };
                steps.push(ObservedStep { rest, event });
            }
        }
        steps.reverse();
        run.reverse();
        Ok((History { steps, missing }, run))
    }

    /// How far the search is before pair `next`.
    fn progress(&self, next: usize) -> SearchProgress {
        SearchProgress {
            statistics: self.statistics_so_far(),
            waiting: (self.pairs.len() - next) as u64,
            expanded: next as u64,
            followed: 0,
        }
    }

    fn statistics_so_far(&self) -> Statistics {
        const ENTRY: usize = size_of::<Pair>() + 1;
        let bytes = self.pairs.capacity() * size_of::<Pair>()
            + self.from.capacity() * size_of::<(u32, EventId)>()
            + self.found.capacity() * ENTRY
            + self.implementation.bytes()
            + self.sets.bytes;
        Statistics {
            states: self.statistics.states.max(self.pairs.len() as u64),
            specification_states: self.sets.subsets.len() as u64,
            memory_bytes: bytes as u64,
            ..self.statistics
        }
    }
}

/// The set after `event` in `row`.
fn after(row: &UnnumberedRow, event: EventId) -> Option<u32> {
    let at = row.binary_search_by_key(&event, |&(event, _)| event).ok()?;
    Some(row[at].1)
}

#[cfg(test)]
mod tests;
