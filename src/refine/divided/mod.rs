//! The states of a search, divided between the processes of a cluster: each keeps those that a hash
//! gives to it, in memory or on disk.
//!
//! A thread that expands states divides their successors by owner. Successors that belong to other
//! processes go to them in parcels, while the search goes on; parcels from other processes are
//! entered between rounds. A level is over when all processes have expanded their states and
//! entered all parcels. Then every process reports the sum of its share, and all add these up: so
//! all know the same of the whole, and decide the same.
//!
//! States, transitions and levels are those of a search in one process, because a level is a set of
//! states, over which the numbers of states and transitions are sums. The order of parcels has an
//! effect on the numbers of states alone, and nothing that is reported depends on these: of several
//! wrong states the least in the order of their words is reported, and on the way to it the least
//! that leads to each next one.

mod agreement;
mod moving;
pub(super) mod owner;
pub(super) mod parcels;
mod raw;
mod shares;
mod tau;
#[cfg(test)]
pub(crate) mod tests;

use std::sync::Arc;

use self::agreement::{agreed, ended};
use self::owner::owner;
use self::parcels::{OutgoingWords, alone, gathered, received, say_to_all};
use self::raw::{RawHands, RawPairs};
use self::shares::open_share;
use self::tau::DividedTau;
use super::divergence::EachTau;
use super::external::DiskPlan;
use super::frontier::{Beside, EntryLimits, Expanded, Frontier};
use super::halt::Halt;
use super::in_memory::InMemory;
use super::outcome::{CheckOptions, SearchProgress, Spilled, Statistics, StopReason};
use super::product::{Product, StateWords};
use super::shared_search::SharedSearch;
use super::store::Batch;
use super::stretch::{Round, Stretch};
use super::stubborn::ChosenSteps;
use base::diag::Result;
use cluster::{Exchange, MOST_WORDS, Parcel, ShareProgress, Until};
use machine::packing::PackedState;
use symmetry::representative::Representative;

/// The part that this process needs to search together with others. The frontier of the search is
/// its share of the states.
pub(super) struct Divided {
    /// The representation of pairs that come raw, where representing is dear.
    raw: Option<Box<dyn RawPairs>>,
    exchange: Arc<dyn Exchange>,
    limits: EntryLimits,
    /// The words of states and of raw pairs that are not sent yet.
    outgoing: OutgoingWords,
    /// The number of words that were sent in the present round.
    sent: u64,
    /// The number of words of raw pairs that were sent in the present phase.
    raw_sent: u64,
    /// The states of a parcel, while they are entered.
    incoming: Stretch,
    /// The reports of processes on the level. A faster process sends its report before this one has
    /// expanded its share.
    sums: Vec<Parcel>,
    /// True if there are more states here than there may be in all. Then no more are entered.
    is_full: bool,
    /// The findings about τ, where divergences count.
    tau: DividedTau,
    whole: Whole,
}

/// The numbers of the whole search, as far as they are settled.
#[derive(Clone, Copy, Debug, Default)]
struct Whole {
    states: u64,
    transitions: u64,
    /// Bytes of memory of all shares.
    memory_bytes: u64,
    /// Bytes of all shares on disk, and the number of states that were there before.
    disk_bytes: u64,
    resumed_states: u64,
    /// States in the last level.
    last_level: u64,
}

/// The sum of a level's expansion, of one process or of all.
#[derive(Clone, Debug, Default)]
pub(super) struct LevelSum {
    /// Transitions followed in the whole search up to this level.
    pub(super) transitions: u64,
    /// Transitions at the pairs at which stubborn sets were chosen.
    pub(super) chosen: ChosenSteps,
    /// The least of the states with something wrong.
    pub(super) wrong: Option<StateWords>,
    /// True if the offence of that state is divergence.
    pub(super) diverges: bool,
}

/// The number of words after which a round of the exchange ends: some times as many bytes as
/// everything else that is sent about the round. A few rounds of each process wait to be entered.
const ROUND_WORDS: u64 = if cfg!(test) { 16 } else { 1 << 17 };

/// The kinds of parcels.
mod label {
    /// States for their owner.
    pub(super) const STATES: usize = 0;
    /// Pairs that are to be represented.
    pub(super) const RAW: usize = 1;
    /// The sum of a level in the process that sends it.
    pub(super) const SUM: usize = 2;
}

impl Divided {
    /// Begins a search together with all other processes, or goes on with one, once it is known
    /// that they do the same search. Returns the share of this process too.
    pub(super) fn begin<S: PackedState, R: Representative<S>>(
        product: &Product<'_>,
        (initial, representative): (&S, &R),
        search: &SharedSearch,
        options: &CheckOptions,
    ) -> Result<(Box<dyn Frontier>, Self), Halt> {
        agreed(search, options)?;
        let exchange = &search.exchange;
        let (process, processes) = (exchange.process(), exchange.processes());
        let own = Some(initial).filter(|state| owner(state.words(), processes) == process);
        let words = initial.words().len();
        let mut divided = Self {
            raw: None,
            limits: EntryLimits {
                most_states: u64::MAX,
                ..EntryLimits::of(options)
            },
            outgoing: OutgoingWords::new(processes, [words; 2]),
            sent: 0,
            raw_sent: 0,
            incoming: Stretch::new(words),
            sums: Vec::new(),
            is_full: false,
            tau: DividedTau::new(words, process, processes),
            whole: Whole::default(),
            exchange: exchange.clone(),
        };
        let share: Box<dyn Frontier> = match &options.spill {
            None => {
                let own = own.map(S::words);
                Box::new(InMemory::new(product, own, &options.threads))
            }
            Some(spill) => {
                let plan = DiskPlan::new(product, &options.threads, spill);
                let (mut share, old) = open_share(&plan, search, options, own)?;
                if let Some(old) = old {
                    divided.move_in(&mut share, old, &options.progress)?;
                }
                Box::new(share)
            }
        };
        if !R::IS_IDENTITY && representative.is_dear() && processes > 1 {
            let raw = RawHands::new(representative, initial, &options.threads);
            divided.raw = Some(Box::new(raw));
        }
        divided.limits = EntryLimits::of(options);
        divided.count(&*share)?;
        Ok((share, divided))
    }

    /// Counts the states of all processes, before the search begins or goes on.
    fn count(&mut self, share: &dyn Frontier) -> Result<(), Halt> {
        let last = share.last_level();
        let spilled = share.taken(Beside::default()).spilled.unwrap_or_default();
        let here = [
            share.found(),
            last.end - last.start,
            share.followed_before().transitions,
            spilled.disk_bytes,
            spilled.resumed_states,
        ];
        let said = gathered(&*self.exchange, &here, &self.limits.token)?;
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

    /// Sends the words of each kind to each process, where there are at least `least`.
    fn send(&mut self, least: usize) {
        let [states, raw] = self.outgoing.send(&*self.exchange, least);
        self.sent += states + raw;
        self.raw_sent += raw;
    }

    /// Sends the words that are enough for a parcel, and enters the parcels that come.
    fn pass_on(&mut self, share: &mut dyn Frontier) -> Result<(), Halt> {
        self.send(MOST_WORDS);
        if self.sent >= ROUND_WORDS {
            self.sent = 0;
            self.exchange.end_round();
        }
        self.take_in(share, Until::RoundMayBegin)
    }

    /// Takes the states that belong to other processes out of the batch of a stretch.
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

    /// Enters the states of stretches, which are routed, into this share, and keeps those of other
    /// processes to be sent.
    fn enter_own(
        &mut self,
        share: &mut dyn Frontier,
        stretches: &mut [Stretch],
    ) -> Result<(), Halt> {
        self.collect_away(stretches, label::STATES);
        if self.is_full {
            return Ok(());
        }
        Halt::check(&self.limits.token)?;
        let wrong = None;
        let excess = share.enter(&mut Round { stretches, wrong }, &self.limits);
        self.is_full = alone(&*self.exchange, excess)?.is_some();
        Ok(())
    }

    /// Keeps the words that stretches have for other processes, to be sent.
    fn collect_away(&mut self, stretches: &mut [Stretch], label: usize) {
        for stretch in stretches {
            for (process, away) in stretch.away.iter_mut().enumerate() {
                self.outgoing.words(process, label).append(away);
            }
        }
    }

    /// Represents the raw pairs of batches, and enters the representatives that belong here.
    fn enter_raw(&mut self, share: &mut dyn Frontier, batches: &[&Batch]) -> Result<(), Halt> {
        // `raw` is taken out, because entering needs the rest of `self`.
        let Some(mut raw) = self.raw.take() else {
            return Ok(());
        };
        let place = (self.exchange.process(), self.exchange.processes());
        let made = raw.represent(batches, place, share, &self.limits.threads);
        let entered = self.enter_own(share, made);
        self.raw = Some(raw);
        entered
    }

    /// Enters the parcels that come, as long as `until` says.
    fn take_in(&mut self, share: &mut dyn Frontier, until: Until) -> Result<(), Halt> {
        while let Some(parcel) = received(&*self.exchange, until, &self.limits.token)? {
            match parcel.label as usize {
                label::SUM => self.sums.push(parcel),
                label::RAW => {
                    let words = self.incoming.batch.word_count();
                    let states = parcel.words.len() / words;
                    let part = states.div_ceil(self.limits.threads.count()) * words;
                    let parts = parcel.words.chunks(part);
                    let batches: Vec<Batch> = parts.map(|part| Batch::of(words, part)).collect();
                    self.enter_raw(share, &batches.iter().collect::<Vec<_>>())?;
                }
                _ => {
                    let mut incoming = std::mem::replace(&mut self.incoming, Stretch::new(1));
                    incoming.reset(0..0);
                    incoming.batch.extend(&parcel.words);
                    share.route(&mut incoming);
                    let entered = self.enter_own(share, std::slice::from_mut(&mut incoming));
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
    fn finish_exchange(
        &mut self,
        share: &mut dyn Frontier,
        sum: &[u64],
    ) -> Result<Vec<Parcel>, Halt> {
        loop {
            self.send(1);
            let mut said = vec![std::mem::take(&mut self.raw_sent)];
            said.extend_from_slice(sum);
            say_to_all(&*self.exchange, label::SUM as u32, &said);
            self.exchange.end_phase();
            self.take_in(share, Until::PhaseIsOver)?;
            let sums = std::mem::take(&mut self.sums);
            if sums.len() < self.outgoing.processes() {
                return Err(ended(&self.limits.token));
            }
            if sums.iter().all(|said| said.words[0] == 0) {
                return Ok(sums);
            }
        }
    }

    /// True if there are no states in the last level, of whichever process.
    pub(super) fn is_over(&self) -> bool {
        self.whole.last_level == 0
    }

    /// Prepares the candidates of a stretch for being entered or sent, on the thread that expanded
    /// it.
    pub(super) fn route(&self, share: &dyn Frontier, stretch: &mut Stretch) {
        self.divide(stretch);
        if self.raw.is_none() {
            share.route(stretch);
        }
    }

    /// Enters the candidates of a round's stretches, or sends them to their owners. All processes
    /// know at the end of the level if a state did not fit.
    pub(super) fn enter(
        &mut self,
        share: &mut dyn Frontier,
        round: &mut Round<'_>,
    ) -> Result<(), Halt> {
        if self.raw.is_some() {
            self.collect_away(round.stretches, label::RAW);
            let batches: Vec<&Batch> = round.stretches.iter().map(|own| &own.batch).collect();
            self.enter_raw(share, &batches)?;
        } else {
            self.enter_own(share, round.stretches)?;
        }
        self.pass_on(share)
    }

    /// True if this process represents the pairs that come to it.
    pub(super) fn represents(&self) -> bool {
        self.raw.is_some()
    }

    /// True if each pair that this process has represented here got the only representative of its
    /// orbit.
    pub(super) fn is_unique(&self) -> bool {
        self.raw.as_ref().is_none_or(|raw| raw.is_unique())
    }

    /// Notes the states of the present piece that can do τ, so that they are not at rest.
    pub(super) fn note_internal(&mut self, share: &dyn Frontier, numbers: &[u32]) {
        let mut state = vec![0; self.incoming.batch.word_count()];
        for &number in numbers {
            share.load(number, &mut state);
            self.tau.note(&state);
        }
    }

    /// Tells all processes the sum `here` of the last level, once it was expanded in this process.
    /// Returns the sum of all processes. Where no state has anything else wrong, the states that
    /// were noted as internal are looked at, by the `taus` of states.
    pub(super) fn settle(
        &mut self,
        share: &mut dyn Frontier,
        here: LevelSum,
        taus: EachTau<'_>,
    ) -> Result<LevelSum, Halt> {
        let ChosenSteps { possible, followed } = here.chosen;
        let spilled = share.taken(Beside::default()).spilled;
        let on_disk = spilled.map_or(0, |spilled| spilled.disk_bytes);
        let noted = self.tau.noted();
        let mut sum = vec![here.transitions, possible, followed, noted, on_disk];
        sum.extend(here.wrong.unwrap_or_default());
        let sums = self.finish_exchange(share, &sum)?;
        let mut all = LevelSum::default();
        let (mut internal, mut disk_bytes) = (0, 0);
        for parcel in sums {
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
            if !wrong.is_empty() && all.wrong.as_ref().is_none_or(|least| wrong < &least[..]) {
                all.wrong = Some(wrong.to_vec());
            }
        }
        (self.whole.transitions, self.whole.disk_bytes) = (all.transitions, disk_bytes);
        // In most levels, the states that internal states lead to are known.
        if all.wrong.is_none() && internal > 0 {
            let (exchange, most) = (&*self.exchange, self.limits.most_states);
            all.wrong = self
                .tau
                .diverging(exchange, taus, most, &self.limits.token)?;
            all.diverges = all.wrong.is_some();
        }
        Ok(all)
    }

    /// The words of every process, by process; those of this one are `here`.
    pub(super) fn gather(&self, here: &[u64]) -> Result<Vec<Vec<u64>>, Halt> {
        gathered(&*self.exchange, here, &self.limits.token)
    }

    /// The result `done` of what this process did without the others. If it failed, they are told
    /// why, and stop too.
    pub(super) fn alone<T>(&self, done: Result<T, Halt>) -> Result<T, Halt> {
        alone(&*self.exchange, done)
    }

    /// The cost of the search in all processes, as far as that is settled; in this process it is
    /// `here`.
    pub(super) fn whole(&self, here: Statistics) -> Statistics {
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

    /// The progress of all processes together, where that of this one is `here`.
    pub(super) fn progress(&self, here: SearchProgress) -> SearchProgress {
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

    /// Makes the new states the next level. No share finishes a level before all shares have found
    /// their new states, and all processes know that there are not too many.
    pub(super) fn finish_level(
        &mut self,
        share: &mut dyn Frontier,
        expanded: &Expanded<'_>,
    ) -> Result<(), Halt> {
        let new = match share.find_new(expanded) {
            Err(Halt::Stopped(StopReason::StateLimit)) => {
                self.is_full = true;
                0
            }
            new => self.alone(new)?,
        };
        let memory = share.taken(expanded.beside).memory_bytes as u64;
        let said = self.gather(&[new, memory, share.found(), u64::from(self.is_full)])?;
        let sum = |place: usize| said.iter().map(|words| words[place]).sum::<u64>();
        let whole = &mut self.whole;
        whole.memory_bytes = sum(1);
        if sum(3) > 0 || sum(0) > self.limits.most_states.saturating_sub(whole.states) {
            whole.states = sum(2).min(self.limits.most_states);
            return Err(Halt::Stopped(StopReason::StateLimit));
        }
        whole.last_level = sum(0);
        whole.states += sum(0);
        self.alone(share.finish_level(expanded))
    }

    /// Bytes of memory held for findings about τ.
    pub(super) fn memory_bytes(&self) -> usize {
        self.tau.memory_bytes()
    }
}
