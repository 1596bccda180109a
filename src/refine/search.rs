//! The breadth-first search of Check and TwistedCheck, Figure 3 of the paper.
//!
//! Four things differ from the figure. The search starts at the representative of the initial pair,
//! because symmetries may move that pair. A pair is recorded alone: how it was reached, by which
//! event and with which twist, is found again when it is wanted, see [`ancestors`] and [`path`].
//! Compatibility is decided for all events of a pair at once, while its successors are listed; of
//! several things that are wrong with a pair an event counts first, then a refusal. Divergence is
//! looked for when all pairs of a piece of a level were found to be compatible, because τ may lead
//! to pairs far beyond the level.
//!
//! A level is explored in rounds. In each, all threads expand stretches of its states, and then the
//! frontier enters the successors. The frontier keeps them in an order that depends on neither the
//! number of threads nor the size of rounds, so that everything that is found is the same for all
//! of them. Where the states are, in memory or on disk, only the frontier knows.
//!
//! Where states are divided between processes, their order depends on which parcel comes first. So
//! the whole level is expanded there, and of several wrong states, or parents, the least counts, in
//! the order of their words.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::ancestors;
use super::divergence::{Divergence, MemoryLeft, TauProgress};
use super::frontier::{Beside, Expanded, FollowedSteps, Frontier, Less, LevelSum, Piece};
use super::halt::Halt;
use super::kinds::{ViolationCollection, kind_of, offences};
use super::offence::Offence;
use super::outcome::{
    CheckOptions, CheckResult, Outcome, Proof, SearchProgress, Spilled, Statistics, StopReason,
};
use super::path::{self, Recovered};
use super::product::Product;
use super::stubborn::ChosenSteps;
use super::team::Team;
use super::watch::SearchWatch;
use super::worker::AtWrong;
use base::diag::Result;
use base::threads::Threads;
use machine::packing::PackedState;
use machine::successors::Scratch;
use symmetry::representative::{AnyRep, Method, Representative, orbits_of};

/// Orbits of more states are not counted.
const MOST_COUNTED: u64 = 1_000_000;

/// A search for a pair that does what its specification does not allow.
pub(super) struct Search<'a, S: PackedState, R> {
    product: &'a Product<'a>,
    threads: Threads,
    team: Team<'a, S, R>,
    frontier: Box<dyn Frontier<S>>,
    watch: SearchWatch,
    /// What all threads start with.
    representative: R,
    /// What orbits are counted by, if the representatives turn out not to be unique.
    exact: Option<AnyRep<S>>,
    /// How many states there may be.
    most_states: u64,
    /// Where divergences count, what is known about them.
    divergence: Option<Divergence<'a>>,
    /// Where divergences count, the states of the present piece that can do τ and nothing that lets
    /// them rest.
    internal: Vec<u32>,
    /// Whether a counterexample comes with what the search saw of it.
    keeps_twists: bool,
    /// Where more than the first violation is wanted, those that were found.
    collection: Option<ViolationCollection>,
    /// Where states are divided, the least of those of the level with something wrong.
    least_wrong: Option<S>,
    /// What was followed in all levels so far.
    followed: FollowedSteps,
    /// Transitions of the present level at the pairs at which stubborn sets were chosen.
    chosen: ChosenSteps,
    /// How many states were expanded by the search that this one goes on with.
    expanded_before: u64,
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

impl<'a, S: PackedState, R: Representative<S>> Search<'a, S, R> {
    /// A search that goes on from `frontier`.
    pub(super) fn new(
        product: &'a Product<'a>,
        representative: R,
        options: &CheckOptions,
        frontier: impl Frontier<S> + 'static,
    ) -> Self {
        let divergence = product.forbids_divergence;
        let mut search = Self {
            product,
            threads: options.threads.clone(),
            team: Team::new(product, representative.clone(), &options.threads),
            watch: SearchWatch::new(options),
            representative,
            exact: None,
            most_states: options.max_states.unwrap_or(u64::MAX),
            divergence: divergence.then(|| Divergence::new(product, options.max_states)),
            internal: Vec::new(),
            keeps_twists: options.keeps_twists,
            collection: None,
            least_wrong: None,
            followed: frontier.followed_before(),
            chosen: ChosenSteps::default(),
            expanded_before: frontier.level(frontier.level_count() - 1).start,
            frontier: Box::new(frontier),
        };
        if search.frontier.is_divided() {
            search.team.go_on_by(AtWrong::Skip);
        }
        if search.frontier.represents() {
            search.team.leave_raw();
        }
        search.share_memory();
        search
    }

    /// Lets orbits be counted by `exact` at the end.
    pub(super) fn counting(mut self, exact: Option<&Method>) -> Self {
        self.exact = exact.map(|method| method.packed(&self.product.packing));
        self
    }

    /// Looks for this many different violations beyond the first.
    pub(super) fn collecting(mut self, further: usize) -> Self {
        if further > 0 {
            self.collection = Some(ViolationCollection::new(further.saturating_add(1)));
            self.team.go_on_by(AtWrong::Collect);
        }
        self
    }

    /// Makes rounds so short that small systems have many.
    #[cfg(test)]
    pub(super) fn in_stretches_of(mut self, successors: u64) -> Self {
        self.team.shorten(successors);
        self
    }

    /// Searches, and says what came of it.
    pub(super) fn run(mut self) -> Result<CheckResult, Halt> {
        let (mut further, mut cut) = (Vec::new(), None);
        let outcome = match self.search() {
            Err(Halt::Stopped(mut reason)) => {
                // What was found is right, whatever ends the search; if work is to end, it cannot
                // be looked at any more.
                if reason != StopReason::Cancelled && unless_stopped(self.collect(None))?.is_none()
                {
                    reason = StopReason::Cancelled;
                }
                cut = Some(reason);
                Outcome::Stopped(reason)
            }
            decided => decided?,
        };
        let outcome = match self.collection.take() {
            Some(found) if !found.paths.is_empty() && cut != Some(StopReason::Cancelled) => {
                further = found.paths;
                Outcome::Violated(further.remove(0))
            }
            _ => outcome,
        };
        cut = cut.filter(|_| matches!(outcome, Outcome::Violated(_)));
        self.frontier.close();
        let mut statistics = self.frontier.whole(self.statistics());
        if outcome == Outcome::Holds {
            // What ends the search now does not change that everything was found.
            statistics.extra_states = unless_stopped(self.extra_states())?.flatten();
        }
        Ok(CheckResult {
            outcome,
            statistics,
            further,
            cut,
        })
    }

    /// Searches pairs of states ([`pairs`](super::determinism::pairs)) for a wrong one, and says
    /// whether there is none.
    pub(super) fn prove(mut self) -> Result<(Proof, Statistics), Halt> {
        let proof = match self.has_no_wrong_pair() {
            Ok(true) => Proof::Deterministic,
            Ok(false) => Proof::Unknown,
            Err(Halt::Stopped(reason)) => Proof::Stopped(reason),
            Err(halt) => return Err(halt),
        };
        self.frontier.close();
        Ok((proof, self.frontier.whole(self.statistics())))
    }

    /// Whether all pairs were looked at, and none is wrong.
    fn has_no_wrong_pair(&mut self) -> Result<bool, Halt> {
        while !self.frontier.is_over() {
            let level = self.frontier.level(self.frontier.level_count() - 1);
            let wrong = self.expand(level)?;
            if self.settle(wrong)?.is_some() {
                return Ok(false);
            }
            // What is on disk was asked to be there, and a process that shares pairs with others
            // does not know their states.
            let is_in_memory = self.frontier.spilled().is_none() && !self.frontier.is_divided();
            let found = self.frontier.found();
            if is_in_memory && self.product.successors.has_too_many_pairs(found) {
                return Ok(false);
            }
            self.finish_level()?;
        }
        Ok(true)
    }

    /// Breadth first, level by level.
    fn search(&mut self) -> Result<Outcome, Halt> {
        loop {
            if self.frontier.is_over() {
                return Ok(Outcome::Holds);
            }
            let level = self.frontier.level(self.frontier.level_count() - 1);
            let wrong = self.expand(level)?;
            if self.collection.is_some() {
                if self.collect(wrong)? {
                    // What is said then is said by `run`.
                    return Ok(Outcome::Holds);
                }
            } else if let Some((state, wrong)) = self.settle(wrong)? {
                return Ok(Outcome::Violated(self.recovered(state, wrong)?.path));
            }
            self.finish_level()?;
        }
    }

    /// Makes the next level of what is new, once a level was expanded.
    fn finish_level(&mut self) -> Result<(), Halt> {
        let chosen = std::mem::take(&mut self.chosen);
        self.followed.sampling = self.followed.sampling.after(chosen);
        let expanded = Expanded {
            followed: self.followed,
            most_states: self.most_states,
            beside: self.beside(),
            threads: &self.threads,
            token: &self.watch.token,
        };
        self.frontier.find_new(&expanded)?;
        self.frontier.finish_level(&expanded)
    }

    /// Expands a level. Returns the place of the first state with something wrong, and what that
    /// is, if there is one. What the specification does not allow at any state of the level counts
    /// before divergence.
    fn expand(&mut self, mut level: Range<u64>) -> Result<Option<(u64, Offence)>, Halt> {
        self.team.sample(self.followed.sampling);
        if let Some(divergence) = &mut self.divergence {
            divergence.steps().sample(self.followed.sampling);
        }
        let mut diverging = Ok(None);
        while !level.is_empty() {
            let piece = self.frontier.piece(&mut level)?;
            if let Some(wrong) = self.expand_piece(&piece)? {
                return Ok(Some(wrong));
            }
            if self.frontier.is_divided() {
                self.frontier.note_internal(&self.internal);
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

    /// Expands a piece of a level in rounds.
    fn expand_piece(&mut self, piece: &Piece) -> Result<Option<(u64, Offence)>, Halt> {
        self.internal.clear();
        self.team.begin(piece.numbers.clone());
        loop {
            let expanded = piece.end() - u64::from(self.team.left());
            let successors = self.followed.transitions / expanded.max(1);
            let Some(mut round) = self.team.round(&*self.frontier, successors) else {
                return Ok(None);
            };
            // Memory is looked at before, because all that the tables grow by is taken in one step.
            match self.frontier.growth(round.stretches) {
                0 => {}
                growth => self.watch.may_take(growth)?,
            }
            let excess = self
                .frontier
                .enter(&mut round, self.most_states, &self.threads)?;
            let whole = excess.map_or(round.stretches.len(), |excess| excess.stretch);
            for stretch in &mut round.stretches[..whole] {
                self.followed.transitions += stretch.transitions;
                self.chosen += stretch.chosen;
                self.internal.append(&mut stretch.internal);
                if let Some(collection) = &mut self.collection {
                    collection.meet(piece, &mut stretch.offences);
                }
                for number in stretch.skipped.drain(..) {
                    let mut wrong = S::zero(self.product.packing.words());
                    self.frontier.load(number, &mut wrong);
                    keep_least(&mut self.least_wrong, wrong);
                }
            }
            // Room ran out before anything wrong: the batch ends before the candidates of a wrong
            // state.
            if let Some(excess) = excess {
                let last = &round.stretches[excess.stretch];
                self.followed.transitions += last.transitions_before(excess.candidate);
                return Err(Halt::Stopped(excess.reason));
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
    /// What is known about divergence is kept in memory, because the search for it is depth first.
    /// When memory is short, all else makes room, and what is known from following other states is
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
        if let Some(shared) = self.frontier.shared() {
            self.team.bound(shared.round);
        }
        // Its memory is used again.
        self.internal = internal;
        found
    }

    /// Whether the state of this number can do τ for ever.
    fn diverges(&mut self, number: u32, before: &PieceStart) -> Result<bool, Halt> {
        let Some(divergence) = &mut self.divergence else {
            return Ok(false);
        };
        let mut state = S::zero(self.product.packing.words());
        self.frontier.load(number, &mut state);
        let (frontier, watch) = (&mut self.frontier, &mut self.watch);
        let mut ask = |now: TauProgress| {
            watch.may_go_on(&before.with(now))?;
            let spare = frontier
                .shared()
                .map(|shared| shared.spare as u64 + (now.bytes.saturating_sub(now.own_bytes)));
            if spare.is_none_or(|spare| spare == 0) || !watch.is_memory_short() {
                return Ok(MemoryLeft::Enough);
            }
            frontier.hold_less(Less::Least)?;
            Ok(MemoryLeft::Short)
        };
        let (product, representative) = (self.product, &mut self.representative);
        let answer = divergence.diverges(product, representative, &state, &mut ask);
        if answer.is_err() {
            // So that it is known how far it was.
            self.watch.hear(&before.with(divergence.so_far()));
        }
        answer
    }

    /// Takes less memory if hardly any is left.
    fn make_room(&mut self) -> Result<(), Halt> {
        let known = self.divergence.as_ref().map_or(0, Divergence::memory_bytes);
        let spare = self.frontier.shared().map(|shared| shared.spare + known);
        if spare.is_none_or(|spare| spare == 0) || !self.watch.is_memory_short() {
            return Ok(());
        }
        if self.frontier.hold_less(Less::Half)? {
            self.share_memory();
        } else if let Some(divergence) = &mut self.divergence {
            divergence.forget();
        }
        Ok(())
    }

    /// Bounds what is held beside the states, if the frontier has a budget.
    fn share_memory(&mut self) {
        if let Some(shared) = self.frontier.shared() {
            self.team.bound(shared.round);
            let divergence = self.divergence.iter_mut();
            divergence.for_each(|known| known.bound(shared.divergence));
        }
    }

    /// Adds to the collection what is wrong with states of the last level, and `divergence` behind
    /// that. Returns whether enough was found.
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

    /// The state of the last level of which something `wrong` is reported, and what that is: if
    /// states are divided, of whichever process, else what is at the place that is given.
    fn settle(&mut self, wrong: Option<(u64, Offence)>) -> Result<Option<(S, Offence)>, Halt> {
        if !self.frontier.is_divided() {
            let Some((place, wrong)) = wrong else {
                return Ok(None);
            };
            return Ok(Some((self.state_at(place)?, wrong)));
        }
        let here = LevelSum {
            transitions: self.followed.transitions,
            chosen: self.chosen,
            wrong: self.least_wrong.take(),
            diverges: false,
        };
        let (product, representative) = (self.product, &mut self.representative);
        let mut scratch = Scratch::new(product.packing.words());
        let divergence = &mut self.divergence;
        let sum = self.frontier.settle(here, &mut |state: &S, each| {
            if let Some(divergence) = divergence {
                let steps = divergence.steps();
                steps.for_each(product, representative, (state, &mut scratch), each);
            }
        })?;
        self.chosen = sum.chosen;
        let Some(state) = sum.wrong else {
            return Ok(None);
        };
        if sum.diverges {
            return Ok(Some((state, Offence::Divergence)));
        }
        // The first is what the process that expanded the state has found.
        let first = offences(self.product, &state).into_iter().next();
        let (first, _) = first.ok_or_else(ancestors::no_parent)?;
        Ok(Some((state, first)))
    }

    /// The state at `place` of the last level.
    fn state_at(&mut self, place: u64) -> Result<S, Halt> {
        let mut state = S::zero(self.product.packing.words());
        let piece = self.frontier.piece(&mut (place..place + 1))?;
        self.frontier.load(piece.numbers.start, &mut state);
        Ok(state)
    }

    /// The path to the state `last` of the last level.
    fn recovered(&mut self, last: S, wrong: Offence) -> Result<Recovered<S>, Halt> {
        let level = self.frontier.level_count() - 1;
        let stored = ancestors::path(level, last, |level, target| self.parent(level, target))?;
        // What the threads have may remember what they met, and so twist in other ways.
        let mut representative = self.representative.clone();
        let keeps = self.keeps_twists;
        let (product, representative) = (self.product, &mut representative);
        Ok(path::recover(
            product,
            representative,
            &stored,
            wrong,
            keeps,
        )?)
    }

    /// The first state of this level that leads to `target`; the least one if states are divided.
    fn parent(&mut self, level: usize, target: &S) -> Result<S, Halt> {
        let mut places = self.frontier.level(level);
        let mut least = None;
        while !places.is_empty() {
            let mut numbers = self.frontier.piece(&mut places)?.numbers;
            let (frontier, token) = (&*self.frontier, &self.watch.token);
            while let Some(number) =
                (self.team).first_parent(frontier, numbers.clone(), target, token)?
            {
                let mut parent = target.clone();
                frontier.load(number, &mut parent);
                if !self.frontier.is_divided() {
                    return Ok(parent);
                }
                keep_least(&mut least, parent);
                numbers.start = number + 1;
            }
        }
        let here = least
            .as_ref()
            .map_or_else(Vec::new, |least: &S| least.words().to_vec());
        let said = self.frontier.gather(here)?;
        let least = said.into_iter().filter(|words| !words.is_empty()).min();
        let mut parent = target.clone();
        parent.load(&least.ok_or_else(ancestors::no_parent)?);
        Ok(parent)
    }

    /// How many states more than orbits were found. `None` if nobody asks for that, if there are
    /// too many to be counted, or if another process was ended while it counted.
    fn extra_states(&mut self) -> Result<Option<u64>, Halt> {
        let is_unique =
            self.team.is_unique() && self.frontier.is_unique() && self.representative.is_unique();
        // Who was ended while it counted has gone on: everything was found all the same.
        let Ok(said) = self.frontier.gather(vec![u64::from(is_unique)]) else {
            return Ok(None);
        };
        if said.iter().all(|words| *words == [1]) {
            return Ok(Some(0));
        }
        let count = self.frontier.whole(self.statistics()).states;
        let Some(exact) = self.exact.as_mut().filter(|_| count <= MOST_COUNTED) else {
            return Ok(None);
        };
        let (frontier, token) = (&mut self.frontier, &self.watch.token);
        let (mut places, mut numbers) = (0..frontier.found(), 0..0);
        let mut halt = None;
        let mut state = S::zero(self.product.packing.words());
        let states = std::iter::from_fn(|| {
            if numbers.is_empty() && !places.is_empty() {
                match frontier.piece(&mut places) {
                    Ok(piece) => numbers = piece.numbers,
                    Err(problem) => halt = Some(problem),
                }
            }
            let number: u32 = numbers.next()?;
            // A least image may take a millisecond.
            if number.is_multiple_of(256) && halt.is_none() {
                halt = Halt::check(token).err();
            }
            frontier.load(number, &mut state);
            halt.is_none().then(|| state.clone())
        });
        let orbits = orbits_of(states, exact);
        if let Some(halt) = halt {
            return Err(halt);
        }
        if !self.frontier.is_divided() {
            return Ok(Some(count - orbits.len() as u64));
        }
        // States of one orbit may be with several processes.
        let words = self.product.packing.words();
        let orbits = orbits.into_iter().flatten().collect();
        let Ok(said) = self.frontier.gather(orbits) else {
            return Ok(None);
        };
        let orbits: FxHashSet<&[u64]> = said.iter().flat_map(|all| all.chunks(words)).collect();
        Ok(Some(count - orbits.len() as u64))
    }

    /// How far the search is in a piece of the last level.
    fn progress(&self, piece: &Piece) -> SearchProgress {
        let expanded = piece.end() - u64::from(self.team.left());
        self.frontier.progress(SearchProgress {
            statistics: self.statistics(),
            waiting: self.frontier.found() - expanded,
            expanded: expanded - self.expanded_before,
            followed: self.divergence.as_ref().map_or(0, Divergence::followed),
        })
    }

    fn statistics(&self) -> Statistics {
        let levels = self.frontier.level_count();
        let is_over = self.frontier.is_over();
        let own = self.divergence.as_ref().map_or(0, Divergence::own_bytes) as u64;
        let spilled = self.frontier.spilled();
        Statistics {
            states: self.frontier.found(),
            transitions: self.followed.transitions,
            levels: levels as u64 - u64::from(is_over),
            specification_states: self.product.specification_states,
            memory_bytes: self.frontier.memory_bytes(self.beside()) as u64,
            extra_states: None,
            spilled: spilled.map(|spilled| Spilled {
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

/// `done`, or `None` if the search was ended meanwhile.
fn unless_stopped<T>(done: Result<T, Halt>) -> Result<Option<T>, Halt> {
    match done {
        Err(Halt::Stopped(_)) => Ok(None),
        done => done.map(Some),
    }
}

/// Keeps the least state.
fn keep_least<S: PackedState>(least: &mut Option<S>, other: S) {
    let is_less = |least: &S| other.words() < least.words();
    if least.as_ref().is_none_or(is_less) {
        *least = Some(other);
    }
}

/// How far a search was when a piece was expanded, before divergence was looked for.
struct PieceStart {
    progress: SearchProgress,
    /// Bytes of memory that were held for what is known about divergence.
    held: u64,
}

impl PieceStart {
    /// How far the search is now that so much was followed along τ.
    fn with(&self, now: TauProgress) -> SearchProgress {
        let mut progress = self.progress;
        progress.followed = now.states;
        progress.statistics.memory_bytes += now.bytes.saturating_sub(self.held);
        // So that it is known what did not fit, also where the search is ended from outside.
        if let Some(spilled) = &mut progress.statistics.spilled {
            spilled.divergence_bytes = now.own_bytes;
        }
        progress
    }
}
