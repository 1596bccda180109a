//! The breadth-first search of Check and TwistedCheck, Figure 3 of the paper.
//!
//! Four things differ from the figure. The search starts at the representative of the initial pair,
//! because symmetries may move that pair. A pair is recorded alone: its parent, the event and the
//! twist are found again when they are wanted, see [`ancestors`] and [`path`]. Compatibility is
//! decided for all events of a pair at once, while its successors are listed; of several offences
//! of a pair an event counts first, then a refusal. Divergence is looked for when all pairs of a
//! piece of a level were found to be compatible, because τ may lead to pairs far beyond the level.
//!
//! A level is explored in rounds. In each, all threads expand stretches of its states, and then the
//! frontier enters the successors. The frontier keeps them in an order that depends on neither the
//! number of threads nor the size of rounds, so that everything that is found is the same for all
//! of them. Only the frontier knows if the states are in memory or on disk.
//!
//! Where states are divided between processes, their order depends on which parcel comes first. So
//! the whole level is expanded there. Of several wrong states, or parents, the one with the least
//! words counts.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::ancestors;
use super::crew::AtWrong;
use super::divergence::{Divergence, MemoryLeft, TauProgress};
use super::divided::{Divided, LevelSum};
use super::frontier::{Beside, EntryLimits, Expanded, FollowedSteps, Frontier, Less, Piece};
use super::halt::Halt;
use super::kinds::{ViolationCollection, kind_of, offences};
use super::offence::Offence;
use super::outcome::{
    CheckOptions, CheckResult, Outcome, Proof, SearchProgress, SearchWay, Spilled, Statistics,
    StopReason,
};
use super::path::{self, Recovered};
use super::pauses::Pauses;
use super::product::{Product, StateWords};
use super::stretch::Stretch;
use super::stubborn::ChosenSteps;
use super::team::Team;
use super::watch::SearchWatch;
use super::workers::SearchWorkers;
use base::diag::Result;
use machine::packing::PackedState;
use symmetry::representative::{AnyRep, Method, Representative, orbits_of};

/// The most states whose orbits are counted.
const MOST_COUNTED: u64 = 1_000_000;

/// A search for a pair that does what its specification does not allow.
pub(super) struct Search<'a> {
    product: &'a Product<'a>,
    limits: EntryLimits,
    team: Team<'a>,
    frontier: Box<dyn Frontier>,
    /// The division of the states, if several processes search together. Levels, places and numbers
    /// are then those of the share of this process.
    divided: Option<Divided>,
    watch: SearchWatch,
    /// The exact method by which orbits are counted, if the representatives turn out not to be
    /// unique.
    exact: Option<AnyRep<StateWords>>,
    /// The findings about divergence, where that counts.
    divergence: Option<Divergence>,
    /// The states of the present piece that can do τ, so that they are not at rest, where
    /// divergence counts.
    internal: Vec<u32>,
    /// True if a counterexample comes with what the search saw of it.
    keeps_twists: bool,
    /// The violations that were found, where more than the first is wanted.
    collection: Option<ViolationCollection>,
    /// The least state of the level with something wrong, where states are divided.
    least_wrong: Option<StateWords>,
    /// True if a violation was found, even if the path to it is not known yet.
    is_violated: bool,
    /// The steps that were followed in all levels so far.
    followed: FollowedSteps,
    /// Transitions of the present level at the pairs at which stubborn sets were chosen.
    chosen: ChosenSteps,
    /// The number of states that were expanded by the search that this one goes on with.
    expanded_before: u64,
    /// The work that is done while the search pauses, if it does.
    pauses: Option<&'a mut (dyn Pauses + 'a)>,
}

/// The representative of the initial pair.
pub(super) fn initial<S: PackedState>(
    product: &Product<'_>,
    representative: &mut impl Representative<S>,
) -> S {
    let mut initial: S = product.successors.initial(product.packing.words());
    representative.represent(&mut initial);
    initial
}

impl<'a> Search<'a> {
    /// A search that goes on from `frontier`.
    pub(super) fn new<S: PackedState, R: Representative<S>>(
        product: &'a Product<'a>,
        representative: R,
        options: &CheckOptions,
        frontier: Box<dyn Frontier>,
    ) -> Self {
        let words = product.packing.words();
        let crew = SearchWorkers::<S, R>::new(product, representative, &options.threads);
        let divergence = product.forbids_divergence;
        let mut search = Self {
            product,
            limits: EntryLimits::of(options),
            team: Team::new(Box::new(crew), words, options.threads.count()),
            divided: None,
            watch: SearchWatch::new(&options.cancellation, &options.progress),
            exact: None,
            divergence: divergence.then(|| Divergence::new(words, options.max_states)),
            internal: Vec::new(),
            keeps_twists: options.keeps_twists,
            collection: None,
            least_wrong: None,
            is_violated: false,
            followed: frontier.followed_before(),
            chosen: ChosenSteps::default(),
            expanded_before: frontier.last_level().start,
            pauses: None,
            frontier,
        };
        search.share_memory();
        search
    }

    /// Searches together with other processes, between which the states are `divided`.
    pub(super) fn together(mut self, divided: Divided) -> Self {
        let mode = self.team.crew.mode();
        (mode.at_wrong, mode.leaves_raw) = (AtWrong::Skip, divided.represents());
        self.divided = Some(divided);
        self
    }

    /// Lets orbits be counted by `exact` at the end.
    pub(super) fn counting(mut self, exact: Option<&Method>) -> Self {
        self.exact = exact.map(|method| method.packed(&self.product.packing));
        self
    }

    /// Looks for `further` different violations beyond the first.
    pub(super) fn collecting(mut self, further: usize) -> Self {
        if further > 0 {
            self.collection = Some(ViolationCollection::new(further.saturating_add(1)));
            self.team.crew.mode().at_wrong = AtWrong::Collect;
        }
        self
    }

    /// Pauses where `pauses` says. The states must be in memory, and not divided.
    pub(super) fn pausing(mut self, pauses: Option<&'a mut (dyn Pauses + 'a)>) -> Self {
        self.pauses = pauses;
        self
    }

    /// Makes rounds so short that small systems have many.
    #[cfg(test)]
    pub(super) fn in_stretches_of(mut self, successors: u64) -> Self {
        self.team.shorten(successors);
        self
    }

    /// Searches, and returns the result.
    pub(super) fn run(mut self) -> Result<CheckResult, Halt> {
        let (mut further, mut cut) = (Vec::new(), None);
        let outcome = match self.search() {
            Err(Halt::Stopped(mut reason)) => {
                // Violations found are right, whatever ends the search. If work is to end, there is
                // no time to recover their paths.
                let is_over = matches!(reason, StopReason::Cancelled | StopReason::Sooner);
                if !is_over && unless_stopped(self.collect(None))?.is_none() {
                    reason = StopReason::Cancelled;
                }
                cut = Some(reason);
                Outcome::Stopped(reason)
            }
            decided => decided?,
        };
        let collection = self.collection.take();
        let is_violated = self.is_violated
            || collection
                .as_ref()
                .is_some_and(ViolationCollection::has_met);
        let outcome = match collection {
            Some(found) if !found.paths.is_empty() && cut != Some(StopReason::Cancelled) => {
                further = found.paths;
                Outcome::Violated(further.remove(0))
            }
            _ => outcome,
        };
        cut = cut.filter(|_| matches!(outcome, Outcome::Violated(_)));
        self.frontier.close();
        let mut statistics = self.whole();
        if outcome == Outcome::Holds {
            // The search has met all states, whatever ends it now.
            statistics.extra_states = unless_stopped(self.extra_states())?.flatten();
        }
        Ok(CheckResult {
            outcome,
            statistics,
            further,
            cut,
            is_violated,
        })
    }

    /// Searches pairs of states ([`pairs`](super::determinism::pairs)) for a wrong one. Proves that
    /// the process is deterministic if there is none.
    pub(super) fn prove(mut self) -> Result<(Proof, Statistics), Halt> {
        let proof = match self.has_no_wrong_pair() {
            Ok(true) => Proof::Deterministic,
            Ok(false) => Proof::Unknown,
            Err(Halt::Stopped(reason)) => Proof::Stopped(reason),
            Err(halt) => return Err(halt),
        };
        self.frontier.close();
        Ok((proof, self.whole()))
    }

    /// True if all pairs were looked at, and none is wrong.
    fn has_no_wrong_pair(&mut self) -> Result<bool, Halt> {
        while !self.is_over() {
            let wrong = self.expand(self.frontier.last_level())?;
            if self.settle(wrong)?.is_some() {
                return Ok(false);
            }
            // Too many pairs are no reason to give up where the user asked for states on disk, or
            // where they are divided: a process does not know the states in the pairs of other
            // processes.
            let spilled = self.frontier.taken(Beside::default()).spilled;
            let is_in_memory = spilled.is_none() && self.divided.is_none();
            let found = self.frontier.found();
            if is_in_memory && self.product.successors.has_too_many_pairs(found) {
                return Ok(false);
            }
            self.finish_level()?;
        }
        Ok(true)
    }

    /// Searches breadth first, level by level.
    fn search(&mut self) -> Result<Outcome, Halt> {
        while !self.is_over() {
            let wrong = self.expand(self.frontier.last_level())?;
            if self.collection.is_some() {
                if self.collect(wrong)? {
                    // The result is not used: `run` reports the violations of the collection.
                    return Ok(Outcome::Holds);
                }
            } else if let Some((state, wrong)) = self.settle(wrong)? {
                // The way back to the state may take as long as the search, and be stopped.
                self.is_violated = true;
                return Ok(Outcome::Violated(self.recovered(state, wrong)?.path));
            }
            self.finish_level()?;
        }
        Ok(Outcome::Holds)
    }

    /// True if there are no states in the last level, of whichever process.
    fn is_over(&self) -> bool {
        match &self.divided {
            Some(divided) => divided.is_over(),
            None => self.frontier.last_level().is_empty(),
        }
    }

    /// Takes the next piece of these places.
    fn piece(&mut self, places: &mut Range<u64>) -> Result<Piece, Halt> {
        alone(self.divided.as_ref(), self.frontier.piece(places))
    }

    /// Makes the new states the next level, once a level was expanded.
    fn finish_level(&mut self) -> Result<(), Halt> {
        let chosen = std::mem::take(&mut self.chosen);
        self.followed.sampling = self.followed.sampling.after(chosen);
        let expanded = Expanded {
            followed: self.followed,
            beside: self.beside(),
            limits: &self.limits,
        };
        match &mut self.divided {
            Some(divided) => divided.finish_level(&mut *self.frontier, &expanded),
            None => {
                self.frontier.find_new(&expanded)?;
                self.frontier.finish_level(&expanded)
            }
        }
    }

    /// Expands a level. Returns the place and the offence of the first state with something wrong,
    /// if there is one. An offence other than divergence, at any state of the level, counts before
    /// divergence.
    fn expand(&mut self, mut level: Range<u64>) -> Result<Option<(u64, Offence)>, Halt> {
        self.team.sampling = self.followed.sampling;
        let mut diverging = Ok(None);
        while !level.is_empty() {
            if matches!(diverging, Ok(None)) {
                self.pause_at(level.start)?;
            }
            let piece = self.piece_to_pause(&mut level)?;
            if let Some(wrong) = self.expand_piece(&piece)? {
                return Ok(Some(wrong));
            }
            if let Some(divided) = &mut self.divided {
                divided.note_internal(&*self.frontier, &self.internal);
                continue;
            }
            // All divergences are of one kind, so that after the first no more are looked for.
            let wants_divergence = self
                .collection
                .as_ref()
                .is_none_or(|collection| !collection.has_divergence());
            if let Ok(None) = diverging
                && wants_divergence
            {
                diverging = self.diverging(&piece);
            }
            // A limit of states ends the search only after the whole level was expanded, as a
            // divergence does.
            match diverging {
                Err(Halt::Stopped(reason)) if reason != StopReason::Cancelled => {}
                Err(halt) => return Err(halt),
                Ok(_) => {}
            }
        }
        Ok(diverging?.map(|place| (place, Offence::Divergence)))
    }

    /// Pauses if `expanded` states are as many as the next pause waits for.
    fn pause_at(&mut self, expanded: u64) -> Result<(), Halt> {
        let is_due = self.next_pause().is_some_and(|next| next <= expanded);
        let so_far = self.statistics();
        let Some(pauses) = self.pauses.as_mut().filter(|_| is_due) else {
            return Ok(());
        };
        match pauses.pause(&so_far)? {
            true => Ok(()),
            false => Err(Halt::Stopped(StopReason::Sooner)),
        }
    }

    fn next_pause(&self) -> Option<u64> {
        self.pauses.as_ref().and_then(|pauses| pauses.next())
    }

    /// Takes the next piece of these places, which ends at the next pause if that comes sooner.
    fn piece_to_pause(&mut self, places: &mut Range<u64>) -> Result<Piece, Halt> {
        let pause = self
            .next_pause()
            .filter(|next| places.contains(next) && *next > places.start);
        let mut part = places.start..pause.unwrap_or(places.end);
        let piece = self.piece(&mut part)?;
        places.start = part.start;
        Ok(piece)
    }

    /// Expands a piece of a level in rounds.
    fn expand_piece(&mut self, piece: &Piece) -> Result<Option<(u64, Offence)>, Halt> {
        self.internal.clear();
        self.team.begin(piece.numbers.clone());
        loop {
            let expanded = piece.end() - u64::from(self.team.left());
            let successors = self.followed.transitions / expanded.max(1);
            let (frontier, divided) = (&mut *self.frontier, &mut self.divided);
            let route = |stretch: &mut Stretch| match &*divided {
                Some(divided) => divided.route(frontier, stretch),
                None => frontier.route(stretch),
            };
            let Some(mut round) = self.team.round(frontier, successors, &route) else {
                return Ok(None);
            };
            let excess = match divided {
                Some(divided) => divided.enter(frontier, &mut round).map(|()| None),
                None => frontier.enter(&mut round, &self.limits),
            }?;
            let whole = excess.map_or(round.stretches.len(), |excess| excess.stretch);
            for stretch in &mut round.stretches[..whole] {
                self.followed.transitions += stretch.transitions;
                self.chosen += stretch.chosen;
                self.internal.append(&mut stretch.internal);
                if let Some(collection) = &mut self.collection {
                    collection.meet(piece, &mut stretch.offences);
                }
                for number in stretch.skipped.drain(..) {
                    let wrong = loaded(frontier, number, self.product);
                    keep_least(&mut self.least_wrong, wrong);
                }
            }
            // The room ran out before anything wrong: the batch ends before the candidates of a
            // wrong state.
            if let Some(excess) = excess {
                let last = &round.stretches[excess.stretch];
                self.followed.transitions += last.transitions_before(excess.candidate);
                return Err(Halt::Stopped(StopReason::StateLimit));
            }
            if let Some((number, wrong)) = round.wrong {
                return Ok(Some((piece.place(number), wrong)));
            }
            self.watch.may_go_on(&self.progress(piece))?;
            self.make_room()?;
        }
    }

    /// Looks for a state of the piece that can do τ for ever, and returns the place of the first.
    ///
    /// The findings about divergence are kept in memory, because the search for it is depth first.
    /// When memory is short, all else makes room, and findings from following other states are
    /// forgotten, to be found out again if need be.
    fn diverging(&mut self, piece: &Piece) -> Result<Option<u64>, Halt> {
        let before = PieceStart {
            progress: self.progress(piece),
            held: self.beside().divergence as u64,
        };
        let internal = std::mem::take(&mut self.internal);
        let mut found = Ok(None);
        for &number in &internal {
            match self.diverges(number, &before) {
                Ok(false) => continue,
                Ok(true) => found = Ok(Some(piece.place(number))),
                Err(halt) => found = Err(halt),
            }
            break;
        }
        // The states may have less memory now, and the rest of the level is expanded in any case.
        if let Some(shared) = self.frontier.taken(Beside::default()).shared {
            self.team.bound(shared.round);
        }
        // The memory of the list is used again.
        self.internal = internal;
        found
    }

    /// True if the state of this number can do τ for ever.
    fn diverges(&mut self, number: u32, before: &PieceStart) -> Result<bool, Halt> {
        let Some(divergence) = &mut self.divergence else {
            return Ok(false);
        };
        let state = loaded(&*self.frontier, number, self.product);
        let (frontier, watch) = (&mut self.frontier, &mut self.watch);
        let mut ask = |now: TauProgress| {
            watch.may_go_on(&before.with(now))?;
            let shared = frontier.taken(Beside::default()).shared;
            let spare = shared
                .map(|shared| shared.spare as u64 + (now.bytes.saturating_sub(now.own_bytes)));
            if spare.is_none_or(|spare| spare == 0) || !watch.is_memory_short() {
                return Ok(MemoryLeft::Enough);
            }
            frontier.hold_less(Less::Least)?;
            Ok(MemoryLeft::Short)
        };
        let team = &mut self.team;
        let taus = &mut |pair: &[u64], each: &mut dyn FnMut(&[u64])| team.each_tau(pair, each);
        let answer = divergence.diverges(&state, taus, &mut ask);
        if answer.is_err() {
            // The listener hears how far the search was.
            self.watch.hear(&before.with(divergence.so_far()));
        }
        answer
    }

    /// Takes less memory if hardly any is left.
    fn make_room(&mut self) -> Result<(), Halt> {
        let known = self.divergence.as_ref().map_or(0, Divergence::memory_bytes);
        let shared = self.frontier.taken(Beside::default()).shared;
        let spare = shared.map(|shared| shared.spare + known);
        if spare.is_none_or(|spare| spare == 0) || !self.watch.is_memory_short() {
            return Ok(());
        }
        let less = self.frontier.hold_less(Less::Half);
        if alone(self.divided.as_ref(), less)? {
            self.share_memory();
        } else if let Some(divergence) = &mut self.divergence {
            divergence.forget();
        }
        Ok(())
    }

    /// Bounds what is held beside the states, if the frontier has a budget.
    fn share_memory(&mut self) {
        if let Some(shared) = self.frontier.taken(Beside::default()).shared {
            self.team.bound(shared.round);
            let divergence = self.divergence.iter_mut();
            divergence.for_each(|known| known.bound(shared.divergence));
        }
    }

    /// Adds the violations of the last level to the collection, and `divergence` behind them.
    /// Returns true if enough were found.
    fn collect(&mut self, divergence: Option<(u64, Offence)>) -> Result<bool, Halt> {
        let Some(collection) = &mut self.collection else {
            return Ok(false);
        };
        let level = collection.level(divergence);
        for (place, wrong) in level {
            let last = self.state_at(place)?;
            let found = self.recovered(last, wrong)?;
            let kind = kind_of(self.product, &found.last, found.wrong);
            let Some(collection) = &mut self.collection else {
                continue;
            };
            if let Some(kind) = kind {
                collection.add(found.path, kind);
            }
            if collection.is_full() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The state of the last level that is reported as wrong, with its offence. If states are
    /// divided, it is the least of all processes; otherwise the one at the place in `wrong`.
    fn settle(
        &mut self,
        wrong: Option<(u64, Offence)>,
    ) -> Result<Option<(StateWords, Offence)>, Halt> {
        let Some(divided) = &mut self.divided else {
            let Some((place, wrong)) = wrong else {
                return Ok(None);
            };
            return Ok(Some((self.state_at(place)?, wrong)));
        };
        let here = LevelSum {
            transitions: self.followed.transitions,
            chosen: self.chosen,
            wrong: self.least_wrong.take(),
            diverges: false,
        };
        let team = &mut self.team;
        let taus = &mut |pair: &[u64], each: &mut dyn FnMut(&[u64])| team.each_tau(pair, each);
        let sum = divided.settle(&mut *self.frontier, here, taus)?;
        self.chosen = sum.chosen;
        let Some(state) = sum.wrong else {
            return Ok(None);
        };
        if sum.diverges {
            return Ok(Some((state, Offence::Divergence)));
        }
        // The first offence is the one that the process that expanded the state has found.
        let first = offences(self.product, &state).into_iter().next();
        let (first, _) = first.ok_or_else(ancestors::no_parent)?;
        Ok(Some((state, first)))
    }

    /// The state at `place` of the last level.
    fn state_at(&mut self, place: u64) -> Result<StateWords, Halt> {
        let piece = self.piece(&mut (place..place + 1))?;
        Ok(loaded(&*self.frontier, piece.numbers.start, self.product))
    }

    /// The path to `last`, a state of the last level, untwisted.
    fn recovered(&mut self, last: StateWords, wrong: Offence) -> Result<Recovered, Halt> {
        let level = self.frontier.ends().len() - 1;
        let stored = ancestors::path(level, last, |level, state| self.parent(level, state))?;
        let (crew, keeps) = (&mut *self.team.crew, self.keeps_twists);
        Ok(path::recover(self.product, crew, &stored, wrong, keeps)?)
    }

    /// The first state of this level that leads to `target`; the least such state if states are
    /// divided.
    fn parent(&mut self, level: usize, target: &StateWords) -> Result<StateWords, Halt> {
        let mut places = self.frontier.level(level);
        let mut least = None;
        while !places.is_empty() {
            let mut numbers = self.piece(&mut places)?.numbers;
            let (frontier, token) = (&*self.frontier, &self.watch.token);
            while let Some(number) =
                (self.team).first_parent(frontier, numbers.clone(), target, token)?
            {
                let parent = loaded(frontier, number, self.product);
                if self.divided.is_none() {
                    return Ok(parent);
                }
                keep_least(&mut least, parent);
                numbers.start = number + 1;
            }
        }
        if let Some(divided) = &self.divided {
            let said = divided.gather(&least.unwrap_or_default())?;
            least = said.into_iter().filter(|words| !words.is_empty()).min();
        }
        least.ok_or_else(ancestors::no_parent)
    }

    /// The number of states found beyond one for each orbit. `None` if it was not asked for, if
    /// there are too many states to be counted, or if another process was ended while it counted.
    fn extra_states(&mut self) -> Result<Option<u64>, Halt> {
        let is_divided_unique = self.divided.as_ref().is_none_or(Divided::is_unique);
        let is_unique = self.team.crew.is_unique() && is_divided_unique;
        // If a process is ended while it counts, everything was found all the same: only the count
        // is missing.
        let Ok(said) = self.gather(vec![u64::from(is_unique)]) else {
            return Ok(None);
        };
        if said.iter().all(|words| *words == [1]) {
            return Ok(Some(0));
        }
        let count = self.whole().states;
        let Some(exact) = self.exact.as_mut().filter(|_| count <= MOST_COUNTED) else {
            return Ok(None);
        };
        let (divided, token) = (self.divided.as_ref(), &self.watch.token);
        let frontier = &mut self.frontier;
        let (mut places, mut numbers) = (0..frontier.found(), 0..0);
        let mut halt = None;
        let states = std::iter::from_fn(|| {
            if numbers.is_empty() && !places.is_empty() {
                match alone(divided, frontier.piece(&mut places)) {
                    Ok(piece) => numbers = piece.numbers,
                    Err(problem) => halt = Some(problem),
                }
            }
            let number: u32 = numbers.next()?;
            // A least image may take a millisecond.
            if number.is_multiple_of(256) && halt.is_none() {
                halt = Halt::check(token).err();
            }
            let state = loaded(&**frontier, number, self.product);
            halt.is_none().then_some(state)
        });
        let orbits = orbits_of(states, exact);
        if let Some(halt) = halt {
            return Err(halt);
        }
        if self.divided.is_none() {
            return Ok(Some(count - orbits.len() as u64));
        }
        // States of one orbit may be with several processes.
        let words = self.product.packing.words();
        let orbits = orbits.into_iter().flatten().collect();
        let Ok(said) = self.gather(orbits) else {
            return Ok(None);
        };
        let orbits: FxHashSet<&[u64]> = said.iter().flat_map(|all| all.chunks(words)).collect();
        Ok(Some(count - orbits.len() as u64))
    }

    /// The words that every process says, where this one says `here`.
    fn gather(&self, here: Vec<u64>) -> Result<Vec<Vec<u64>>, Halt> {
        match &self.divided {
            Some(divided) => divided.gather(&here),
            None => Ok(vec![here]),
        }
    }

    /// The progress of the search, in a piece of the last level.
    fn progress(&self, piece: &Piece) -> SearchProgress {
        let expanded = piece.end() - u64::from(self.team.left());
        let here = SearchProgress {
            way: SearchWay::Machine,
            statistics: self.statistics(),
            waiting: self.frontier.found() - expanded,
            expanded: expanded - self.expanded_before,
            followed: self.divergence.as_ref().map_or(0, Divergence::followed),
        };
        match &self.divided {
            Some(divided) => divided.progress(here),
            None => here,
        }
    }

    /// The cost of the search in all processes, as far as that is settled.
    fn whole(&self) -> Statistics {
        let here = self.statistics();
        match &self.divided {
            Some(divided) => divided.whole(here),
            None => here,
        }
    }

    fn statistics(&self) -> Statistics {
        let levels = self.frontier.ends().len();
        let own = self.divergence.as_ref().map_or(0, Divergence::own_bytes) as u64;
        let taken = self.frontier.taken(self.beside());
        let divided = self.divided.as_ref().map_or(0, Divided::memory_bytes);
        Statistics {
            states: self.frontier.found(),
            transitions: self.followed.transitions,
            levels: levels as u64 - u64::from(self.is_over()),
            specification_states: self.product.specification_states,
            memory_bytes: (taken.memory_bytes + divided) as u64,
            extra_states: None,
            spilled: taken.spilled.map(|spilled| Spilled {
                divergence_bytes: own,
                ..spilled
            }),
        }
    }

    fn beside(&self) -> Beside {
        Beside {
            round: self.team.round_bytes(),
            divergence: self.divergence.as_ref().map_or(0, Divergence::memory_bytes),
        }
    }
}

/// The result `done` of what this process did by itself. If it failed, the other processes are told
/// why.
fn alone<T>(divided: Option<&Divided>, done: Result<T, Halt>) -> Result<T, Halt> {
    match divided {
        Some(divided) => divided.alone(done),
        None => done,
    }
}

/// The words of the state of this number.
fn loaded(frontier: &dyn Frontier, number: u32, product: &Product<'_>) -> StateWords {
    let mut state = vec![0; product.packing.words()];
    frontier.load(number, &mut state);
    state
}

/// `done`, or `None` if the search was ended meanwhile.
fn unless_stopped<T>(done: Result<T, Halt>) -> Result<Option<T>, Halt> {
    match done {
        Err(Halt::Stopped(_)) => Ok(None),
        done => done.map(Some),
    }
}

/// Keeps the least state.
fn keep_least(least: &mut Option<StateWords>, other: StateWords) {
    if least.as_ref().is_none_or(|least| other < *least) {
        *least = Some(other);
    }
}

/// The progress when a piece was expanded, before divergence was looked for.
struct PieceStart {
    progress: SearchProgress,
    /// Bytes of memory that were held for findings about divergence.
    held: u64,
}

impl PieceStart {
    /// The progress of the search now that so much was followed along τ.
    fn with(&self, now: TauProgress) -> SearchProgress {
        let mut progress = self.progress;
        progress.followed = now.states;
        progress.statistics.memory_bytes += now.bytes.saturating_sub(self.held);
        // This says what did not fit, also where the search is ended from outside.
        if let Some(spilled) = &mut progress.statistics.spilled {
            spilled.divergence_bytes = now.own_bytes;
        }
        progress
    }
}
