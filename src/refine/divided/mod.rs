//! The states of a search, divided between the processes of a cluster: each keeps those that a hash
//! gives to it, in memory or on disk.
//!
//! A thread that expands states divides what they lead to by owner. What belongs to others goes to
//! them in parcels, while the search goes on; what comes from them is entered between rounds. A
//! level is over when all have expanded theirs and entered all that came. Then every process says
//! what its share came to, and all add that up: so all know the same of the whole, and decide the
//! same.
//!
//! States, transitions and levels are those of a search in one process, because a level is a set of
//! states, and both are sums over it. In which order parcels come has an effect on numbers alone,
//! and nothing that is reported depends on those: of several wrong states the least in the order of
//! their words is reported, and on the way to it the least that leads to each next one.

mod agreement;
mod moving;
mod owner;
mod parcels;
mod raw;
mod shares;
mod tau;
#[cfg(test)]
pub(crate) mod tests;

use std::ops::Range;
use std::sync::Arc;

use self::agreement::{agreed, ended};
use self::owner::owner;
use self::parcels::{OutgoingWords, alone, gathered, received, say_to_all};
use self::raw::RawPairs;
use self::shares::open_share;
use self::tau::DividedTau;
use super::external::DiskPlan;
use super::frontier::{
    Beside, EachTau, Excess, Expanded, FollowedSteps, Frontier, Less, LevelSum, Piece, Shared,
};
use super::halt::Halt;
use super::in_memory::InMemory;
use super::outcome::{CheckOptions, SearchProgress, Spilled, Statistics, StopReason};
use super::product::Product;
use super::shared_search::SharedSearch;
use super::states::States;
use super::store::Batch;
use super::stubborn::ChosenSteps;
use super::worker::{Round, Stretch};
use base::cancel::Cancellation;
use base::diag::Result;
use base::threads::Threads;
use cluster::{Exchange, MOST_WORDS, Parcel, ShareProgress, Until};
use machine::packing::PackedState;
use symmetry::representative::Representative;

/// A share of the states, each an `S`; `R` represents them.
pub(super) struct Divided<S, R> {
    share: Box<dyn Frontier<S>>,
    /// Where representing is dear, what represents the pairs that come as they are.
    raw: Option<RawPairs<R>>,
    exchange: Arc<dyn Exchange>,
    token: Cancellation,
    threads: Threads,
    most_states: u64,
    /// Words of states and of raw pairs that are not sent yet.
    outgoing: OutgoingWords,
    /// Words that were sent in the present round.
    sent: u64,
    /// Words of raw pairs that were sent in the present phase.
    raw_sent: u64,
    /// What came, while it is entered.
    incoming: Stretch,
    /// What processes have said of the level. Who is faster says it before this one has expanded
    /// its share.
    sums: Vec<Parcel>,
    /// Whether there are more states here than there may be in all. Then no more are entered.
    is_full: bool,
    /// What is known of τ, where divergences count.
    tau: DividedTau,
    whole: Whole,
}

/// What is settled of the whole.
#[derive(Clone, Copy, Debug, Default)]
struct Whole {
    states: u64,
    transitions: u64,
    /// Of all shares.
    memory_bytes: u64,
    /// Of all shares, what is on disk and was before.
    disk_bytes: u64,
    resumed_states: u64,
    /// States in the last level.
    last_level: u64,
}

/// A round of the exchange ends when so many words were sent, which are some times as many bytes as
/// all that has to be said of the round. A few rounds of each process wait to be entered.
const ROUND_WORDS: u64 = if cfg!(test) { 16 } else { 1 << 17 };

/// What a parcel holds.
mod label {
    /// States for their owner.
    pub(super) const STATES: usize = 0;
    /// Pairs that are to be represented.
    pub(super) const RAW: usize = 1;
    /// What a level came to in the process that sends it.
    pub(super) const SUM: usize = 2;
}

impl<S: PackedState, R: Representative<S>> Divided<S, R> {
    /// Begins a search together with all others, or goes on with one, once it is known that they
    /// do the same.
    pub(super) fn begin(
        product: &Product<'_>,
        (initial, representative): (&S, &R),
        search: &SharedSearch,
        options: &CheckOptions,
    ) -> Result<Self, Halt> {
        let exchange = search.exchange.clone();
        let token = options.cancellation.clone();
        agreed(search, options)?;
        let (process, processes) = (exchange.process(), exchange.processes());
        let own = Some(initial).filter(|state| owner(state.words(), processes) == process);
        let words = initial.words().len();
        let is_dear = !R::IS_IDENTITY && representative.is_dear() && processes > 1;
        let raw = is_dear.then(|| RawPairs::new(representative, words, &options.threads));
        let (share, old): (Box<dyn Frontier<S>>, _) = match &options.spill {
            None => (
                Box::new(InMemory::new(product, own, &options.threads)),
                None,
            ),
            Some(spill) => {
                let plan = DiskPlan::new(product, &options.threads, spill);
                let (share, old) = open_share(&plan, search, options, own)?;
                (Box::new(share), old)
            }
        };
        let mut divided = Self {
            share,
            raw,
            token,
            threads: options.threads.clone(),
            most_states: options.max_states.unwrap_or(u64::MAX),
            outgoing: OutgoingWords::new(processes, [words; 2]),
            sent: 0,
            raw_sent: 0,
            incoming: Stretch::new(words),
            sums: Vec::new(),
            is_full: false,
            tau: DividedTau::new(words, process, processes),
            whole: Whole::default(),
            exchange,
        };
        if let Some(old) = old {
            divided.move_in(old, &options.progress)?;
        }
        divided.count()?;
        Ok(divided)
    }

    /// Finds out how much all processes have, before the search begins or goes on.
    fn count(&mut self) -> Result<(), Halt> {
        let share = &self.share;
        let last = share.level(share.level_count() - 1);
        let spilled = share.spilled().unwrap_or_default();
        let here = [
            share.found(),
            last.end - last.start,
            share.followed_before().transitions,
            spilled.disk_bytes,
            spilled.resumed_states,
        ];
        let said = gathered(&*self.exchange, &here, &self.token)?;
        let sum = |place: usize| said.iter().map(|words| words[place]).sum::<u64>();
        self.whole = Whole {
            states: sum(0),
            last_level: sum(1),
            transitions: sum(2),
            memory_bytes: 0,
            disk_bytes: sum(3),
            resumed_states: sum(4),
        };
        Ok(())
    }

    /// Sends what is at least so many words.
    fn send(&mut self, least: usize) {
        let [states, raw] = self.outgoing.send(&*self.exchange, least);
        self.sent += states + raw;
        self.raw_sent += raw;
    }

    /// Sends what is to be sent by now, and enters what comes.
    fn pass_on(&mut self) -> Result<(), Halt> {
        self.send(MOST_WORDS);
        if self.sent >= ROUND_WORDS {
            self.sent = 0;
            self.exchange.end_round();
        }
        self.take_in(Until::RoundMayBegin)
    }

    /// Takes out of the batch of a stretch what belongs to other processes.
    fn divide(&self, stretch: &mut Stretch) {
        let (process, count) = (self.exchange.process(), self.outgoing.processes());
        stretch.away.resize_with(count, Vec::new);
        let away = &mut stretch.away;
        stretch.batch.divide(|words| {
            let owner = owner(words, count);
            if owner == process {
                return true;
            }
            away[owner].extend_from_slice(words);
            false
        });
    }

    /// Enters what stretches lead to in this share, where it is routed, and keeps what belongs to
    /// others to be sent.
    fn enter_own(&mut self, stretches: &mut [Stretch]) -> Result<(), Halt> {
        self.collect_away(stretches, label::STATES);
        if self.is_full {
            return Ok(());
        }
        // All that the tables grow by is taken in one step. Where they do not grow, memory is not
        // looked at, which would take longer than to enter some stretches.
        match self.share.growth(stretches) {
            0 => {}
            growth => self.token.look_at_memory(growth),
        }
        Halt::check(&self.token)?;
        let (share, wrong) = (&mut self.share, None);
        let round = &mut Round { stretches, wrong };
        let excess = share.enter(round, self.most_states, &self.threads);
        self.is_full = alone(&*self.exchange, excess)?.is_some();
        Ok(())
    }

    /// Keeps what stretches have for others, to be sent.
    fn collect_away(&mut self, stretches: &mut [Stretch], label: usize) {
        for stretch in stretches {
            for (process, away) in stretch.away.iter_mut().enumerate() {
                self.outgoing.words(process, label).append(away);
            }
        }
    }

    /// Represents the raw pairs of batches, and enters what belongs here.
    fn enter_raw(&mut self, batches: &[&Batch]) -> Result<(), Halt> {
        // Taken out, because entering needs the rest.
        let Some(mut raw) = self.raw.take() else {
            return Ok(());
        };
        let place = (self.exchange.process(), self.exchange.processes());
        let made = raw.represent(batches, place, &*self.share, &self.threads);
        let entered = self.enter_own(made);
        self.raw = Some(raw);
        entered
    }

    /// Enters what comes, as long as `until` says.
    fn take_in(&mut self, until: Until) -> Result<(), Halt> {
        while let Some(parcel) = received(&*self.exchange, until, &self.token)? {
            match parcel.label as usize {
                label::SUM => self.sums.push(parcel),
                label::RAW => {
                    let words = self.incoming.batch.word_count();
                    let states = parcel.words.len() / words;
                    let part = states.div_ceil(self.threads.count()) * words;
                    let parts = parcel.words.chunks(part);
                    let batches: Vec<Batch> = parts.map(|part| Batch::of(words, part)).collect();
                    self.enter_raw(&batches.iter().collect::<Vec<_>>())?;
                }
                _ => {
                    let mut incoming = std::mem::replace(&mut self.incoming, Stretch::new(1));
                    incoming.reset(0..0);
                    incoming.batch.extend(&parcel.words);
                    self.share.route(&mut incoming);
                    let entered = self.enter_own(std::slice::from_mut(&mut incoming));
                    self.incoming = incoming;
                    entered?;
                }
            }
            self.exchange.entered(1);
        }
        Ok(())
    }

    /// Goes through phases until all states are entered that the level leads to. Representatives
    /// are known only when raw pairs have come, which may be after this process has ended the
    /// phase: so there is another phase after each in which raw pairs were sent.
    fn finish_exchange(&mut self, sum: &[u64]) -> Result<Vec<Parcel>, Halt> {
        loop {
            self.send(1);
            let mut said = vec![std::mem::take(&mut self.raw_sent)];
            said.extend_from_slice(sum);
            say_to_all(&*self.exchange, label::SUM as u32, &said);
            self.exchange.end_phase();
            self.take_in(Until::PhaseIsOver)?;
            let sums = std::mem::take(&mut self.sums);
            if sums.len() < self.outgoing.processes() {
                return Err(ended(&self.token));
            }
            if sums.iter().all(|said| said.words[0] == 0) {
                return Ok(sums);
            }
        }
    }
}

impl<S: PackedState, R: Representative<S>> States<S> for Divided<S, R> {
    fn load(&self, number: u32, state: &mut S) {
        self.share.load(number, state);
    }
}

impl<S: PackedState, R: Representative<S>> Frontier<S> for Divided<S, R> {
    fn is_divided(&self) -> bool {
        true
    }

    fn level_count(&self) -> usize {
        self.share.level_count()
    }

    fn is_over(&self) -> bool {
        self.whole.last_level == 0
    }

    fn level(&self, level: usize) -> Range<u64> {
        self.share.level(level)
    }

    fn found(&self) -> u64 {
        self.share.found()
    }

    fn followed_before(&self) -> FollowedSteps {
        self.share.followed_before()
    }

    fn piece(&mut self, places: &mut Range<u64>) -> Result<Piece, Halt> {
        alone(&*self.exchange, self.share.piece(places))
    }

    fn route(&self, stretch: &mut Stretch) {
        self.divide(stretch);
        if self.raw.is_none() {
            self.share.route(stretch);
        }
    }

    /// Whatever does not fit is known to all at the end of the level.
    fn enter(
        &mut self,
        round: &mut Round<'_>,
        _most: u64,
        _threads: &Threads,
    ) -> Result<Option<Excess>, Halt> {
        if self.raw.is_some() {
            self.collect_away(round.stretches, label::RAW);
            let batches: Vec<&Batch> = round.stretches.iter().map(|own| &own.batch).collect();
            self.enter_raw(&batches)?;
        } else {
            self.enter_own(round.stretches)?;
        }
        self.pass_on()?;
        Ok(None)
    }

    fn represents(&self) -> bool {
        self.raw.is_some()
    }

    fn is_unique(&self) -> bool {
        self.raw.as_ref().is_none_or(RawPairs::is_unique::<S>)
    }

    fn note_internal(&mut self, numbers: &[u32]) {
        let mut state = S::zero(self.incoming.batch.word_count());
        for &number in numbers {
            self.share.load(number, &mut state);
            self.tau.note(state.words());
        }
    }

    fn settle(&mut self, here: LevelSum<S>, taus: EachTau<'_, S>) -> Result<LevelSum<S>, Halt> {
        let ChosenSteps { possible, followed } = here.chosen;
        let on_disk = self.share.spilled().map_or(0, |spilled| spilled.disk_bytes);
        let noted = self.tau.noted();
        let mut sum = vec![here.transitions, possible, followed, noted, on_disk];
        sum.extend(here.wrong.iter().flat_map(S::words));
        let sums = self.finish_exchange(&sum)?;
        let mut all = LevelSum {
            transitions: 0,
            chosen: ChosenSteps::default(),
            wrong: None,
            diverges: false,
        };
        let mut least: Option<&[u64]> = None;
        let (mut internal, mut disk_bytes) = (0, 0);
        for parcel in &sums {
            let [
                _,
                transitions,
                possible,
                followed,
                noted,
                on_disk,
                wrong @ ..,
            ] = &parcel.words[..]
            else {
                continue;
            };
            internal += noted;
            disk_bytes += on_disk;
            all.transitions += transitions;
            all.chosen += ChosenSteps {
                possible: *possible,
                followed: *followed,
            };
            if !wrong.is_empty() && least.is_none_or(|least| wrong < least) {
                least = Some(wrong);
            }
        }
        (self.whole.transitions, self.whole.disk_bytes) = (all.transitions, disk_bytes);
        let mut least = least.map(<[u64]>::to_vec);
        // In most levels, what internal states lead to is known.
        if least.is_none() && internal > 0 {
            let Self {
                tau,
                exchange,
                token,
                most_states,
                ..
            } = self;
            least = tau.diverging(&**exchange, taus, *most_states, token)?;
            all.diverges = least.is_some();
        }
        all.wrong = least.map(|words| {
            let mut state = S::zero(words.len());
            state.load(&words);
            state
        });
        Ok(all)
    }

    fn gather(&mut self, here: Vec<u64>) -> Result<Vec<Vec<u64>>, Halt> {
        gathered(&*self.exchange, &here, &self.token)
    }

    fn whole(&self, here: Statistics) -> Statistics {
        let Whole {
            states,
            transitions,
            memory_bytes,
            disk_bytes,
            resumed_states,
            ..
        } = self.whole;
        Statistics {
            states,
            transitions,
            memory_bytes: memory_bytes.max(here.memory_bytes),
            spilled: here.spilled.map(|own| Spilled {
                disk_bytes,
                resumed_states,
                ..own
            }),
            ..here
        }
    }

    fn progress(&self, here: SearchProgress) -> SearchProgress {
        let own = here.statistics;
        self.exchange.tell(ShareProgress {
            states: own.states,
            transitions: own.transitions,
            waiting: here.waiting,
            expanded: here.expanded,
            memory_bytes: own.memory_bytes,
        });
        let others = self.exchange.told();
        SearchProgress {
            statistics: Statistics {
                states: own.states + others.states,
                transitions: own.transitions + others.transitions,
                memory_bytes: own.memory_bytes + others.memory_bytes,
                ..own
            },
            waiting: here.waiting + others.waiting,
            expanded: here.expanded + others.expanded,
            ..here
        }
    }

    /// No share finishes a level before all have theirs and know that it may be.
    fn find_new(&mut self, expanded: &Expanded<'_>) -> Result<u64, Halt> {
        let new = match self.share.find_new(expanded) {
            Err(Halt::Stopped(StopReason::StateLimit)) => {
                self.is_full = true;
                0
            }
            new => alone(&*self.exchange, new)?,
        };
        let memory = self.share.memory_bytes(expanded.beside) as u64;
        let here = vec![new, memory, self.share.found(), u64::from(self.is_full)];
        let said = gathered(&*self.exchange, &here, &self.token)?;
        let sum = |place: usize| said.iter().map(|words| words[place]).sum::<u64>();
        let whole = &mut self.whole;
        whole.memory_bytes = sum(1);
        if sum(3) > 0 || sum(0) > self.most_states.saturating_sub(whole.states) {
            whole.states = sum(2).min(self.most_states);
            return Err(Halt::Stopped(StopReason::StateLimit));
        }
        whole.last_level = sum(0);
        whole.states += sum(0);
        Ok(new)
    }

    fn finish_level(&mut self, expanded: &Expanded<'_>) -> Result<(), Halt> {
        alone(&*self.exchange, self.share.finish_level(expanded))
    }

    fn memory_bytes(&self, beside: Beside) -> usize {
        self.share.memory_bytes(beside) + self.tau.memory_bytes()
    }

    fn shared(&self) -> Option<Shared> {
        self.share.shared()
    }

    fn hold_less(&mut self, wanted: Less) -> Result<bool, Halt> {
        alone(&*self.exchange, self.share.hold_less(wanted))
    }

    fn spilled(&self) -> Option<Spilled> {
        self.share.spilled()
    }

    fn close(&mut self) {
        self.share.close();
    }
}
