//! The states of a search, divided between the processes of a cluster: each keeps those that a hash
//! gives to it, in memory.
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

mod owner;
mod tau;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use self::owner::owner;
use self::tau::DividedTau;
use super::frontier::{
    Beside, EachTau, Excess, Expanded, FollowedSteps, Frontier, Less, LevelSum, Piece, Shared,
};
use super::halt::Halt;
use super::outcome::{CheckOptions, SearchProgress, Spilled, Statistics, StopReason};
use super::shared_search::SharedSearch;
use super::states::States;
use super::stubborn::ChosenSteps;
use super::worker::{Round, Stretch};
use crate::base::threads::Threads;
use crate::cancel::Cancellation;
use crate::cluster::{Exchange, MOST_WORDS, Parcel, Received, ShareProgress, Until, agree, gather};
use crate::diag::{Diagnostic, Result};
use crate::machine::packing::PackedState;

/// A share of the states, which `F` keeps.
pub(super) struct Divided<F> {
    share: F,
    exchange: Arc<dyn Exchange>,
    token: Cancellation,
    threads: Threads,
    most_states: u64,
    /// By process, words of states that are not sent yet.
    outgoing: Vec<Vec<u64>>,
    /// Words that were sent in the present round.
    sent: usize,
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
#[derive(Clone, Copy, Debug)]
struct Whole {
    states: u64,
    transitions: u64,
    /// Of all shares.
    memory_bytes: u64,
    /// States in the last level.
    last_level: u64,
    /// Whether there are more states than there may be.
    is_beyond: bool,
}

/// A round of the exchange ends when so many words were sent, which are some times as many bytes as
/// all that has to be said of the round. A few rounds of each process wait to be entered.
const ROUND_WORDS: usize = if cfg!(test) { 16 } else { 1 << 17 };

/// What a parcel holds.
mod label {
    /// States for their owner.
    pub(super) const STATES: u32 = 0;
    /// What a level came to in the process that sends it.
    pub(super) const SUM: u32 = 1;
}

impl<F> Divided<F> {
    /// Begins a search together with all others, once it is known that they do the same. `keep`
    /// makes the share of this process, which has the state `initial` if that is its own.
    pub(super) fn begin<S: PackedState>(
        search: &SharedSearch,
        options: &CheckOptions,
        initial: &S,
        keep: impl FnOnce(Option<&S>) -> Result<F>,
    ) -> Result<Self, Halt> {
        let exchange = search.exchange.clone();
        let token = options.cancellation.clone();
        agreed(search, options.max_states, &token)?;
        let (process, processes) = (exchange.process(), exchange.processes());
        let own = Some(initial).filter(|state| owner(state.words(), processes) == process);
        let words = initial.words().len();
        Ok(Self {
            share: keep(own)?,
            token,
            threads: options.threads.clone(),
            most_states: options.max_states.unwrap_or(u64::MAX),
            outgoing: vec![Vec::new(); processes],
            sent: 0,
            incoming: Stretch::new(words),
            sums: Vec::new(),
            is_full: false,
            tau: DividedTau::new(words, process, processes),
            whole: Whole {
                states: 1,
                transitions: 0,
                memory_bytes: 0,
                last_level: 1,
                is_beyond: false,
            },
            exchange,
        })
    }

    /// Sends what fills parcels, of whole states; all that there is if `rest`.
    fn send(&mut self, words: usize, rest: bool) {
        let most = MOST_WORDS / words * words;
        for (process, outgoing) in self.outgoing.iter_mut().enumerate() {
            let full = outgoing.len() / most * most;
            let end = if rest { outgoing.len() } else { full };
            for parcel in outgoing[..end].chunks(most) {
                self.exchange.send(process, label::STATES, parcel.to_vec());
                self.sent += parcel.len();
            }
            outgoing.drain(..end);
        }
    }

    /// Enters what a round leads to in this share.
    fn enter_own<S: PackedState>(&mut self, round: &mut Round<'_>) -> Result<(), Halt>
    where
        F: Frontier<S>,
    {
        if self.is_full {
            return Ok(());
        }
        let share = &mut self.share;
        let excess = share.enter(round, self.most_states, &self.threads)?;
        self.is_full = excess.is_some();
        Ok(())
    }

    /// Enters what comes, as long as `until` says.
    fn take_in<S: PackedState>(&mut self, until: Until) -> Result<(), Halt>
    where
        F: Frontier<S>,
    {
        loop {
            let parcel = match self.exchange.receive(until, &self.token) {
                Received::Parcel(parcel) => parcel,
                Received::Nothing => return Ok(()),
                Received::Ended => return Err(Halt::Stopped(StopReason::Cancelled)),
            };
            if parcel.label == label::SUM {
                self.sums.push(parcel);
            } else {
                let mut incoming = std::mem::replace(&mut self.incoming, Stretch::new(1));
                incoming.reset(0..0);
                incoming.batch.extend(&parcel.words);
                self.share.route(&mut incoming);
                let stretches = std::slice::from_mut(&mut incoming);
                // All that the tables grow by is taken in one step.
                self.token.look_at_memory(self.share.growth(stretches));
                Halt::check(&self.token)?;
                let wrong = None;
                self.enter_own(&mut Round { stretches, wrong })?;
                self.incoming = incoming;
            }
            self.exchange.entered(1);
        }
    }
}

/// Whether all processes are about to do the same search.
fn agreed(search: &SharedSearch, most: Option<u64>, token: &Cancellation) -> Result<(), Halt> {
    let identity = &search.identity;
    let fact = |name: &str, value: String| (name.to_string(), value);
    let mut facts = vec![
        fact("the script", identity.script.clone()),
        fact("the question", identity.question.clone()),
        fact("the most states", format!("{most:?}")),
    ];
    let others = identity.facts.iter();
    facts.extend(others.map(|other| fact(&other.name, other.value.clone())));
    match agree(&*search.exchange, &facts, token) {
        None => Err(Halt::Stopped(StopReason::Cancelled)),
        Some(None) => Ok(()),
        Some(Some((process, name))) => Err(Halt::Failed(Box::new(differs(process, name)))),
    }
}

/// What is said where a process does something else than process 0.
fn differs(process: usize, name: &str) -> Diagnostic {
    let message =
        format!("process {process} is about to do another search than process 0: {name} differs");
    Diagnostic::error("cluster-differs", message)
        .hint("start all processes with the same program, scripts and options")
}

impl<F: States> States for Divided<F> {
    #[inline]
    fn load<S: PackedState>(&self, number: u32, state: &mut S) {
        self.share.load(number, state);
    }
}

impl<S: PackedState, F: Frontier<S>> Frontier<S> for Divided<F> {
    const IS_DIVIDED: bool = true;

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
        self.share.piece(places)
    }

    fn route(&self, stretch: &mut Stretch) {
        let process = self.exchange.process();
        stretch.away.resize_with(self.outgoing.len(), Vec::new);
        let away = &mut stretch.away;
        let count = away.len();
        stretch.batch.divide(|words| {
            let owner = owner(words, count);
            if owner == process {
                return true;
            }
            away[owner].extend_from_slice(words);
            false
        });
        self.share.route(stretch);
    }

    fn growth(&self, round: &[Stretch]) -> u64 {
        self.share.growth(round)
    }

    /// Whatever does not fit is known to all at the end of the level.
    fn enter(
        &mut self,
        round: &mut Round<'_>,
        _most: u64,
        _threads: &Threads,
    ) -> Result<Option<Excess>, Halt> {
        let words = self.incoming.batch.word_count();
        for stretch in &mut *round.stretches {
            let parts = self.outgoing.iter_mut().zip(&mut stretch.away);
            parts.for_each(|(outgoing, away)| outgoing.append(away));
        }
        self.send(words, false);
        self.enter_own(round)?;
        if self.sent >= ROUND_WORDS {
            self.sent = 0;
            self.exchange.end_round();
        }
        self.take_in::<S>(Until::RoundMayBegin)?;
        Ok(None)
    }

    fn note_internal(&mut self, numbers: &[u32]) {
        let mut state = S::zero(self.incoming.batch.word_count());
        for &number in numbers {
            self.share.load(number, &mut state);
            self.tau.note(state.words());
        }
    }

    fn settle(&mut self, here: LevelSum<S>, taus: EachTau<'_, S>) -> Result<LevelSum<S>, Halt> {
        self.send(self.incoming.batch.word_count(), true);
        let ChosenSteps { possible, followed } = here.chosen;
        let mut sum = vec![here.transitions, possible, followed, self.tau.noted()];
        sum.extend(here.wrong.iter().flat_map(S::words));
        for process in 0..self.outgoing.len() {
            self.exchange.send(process, label::SUM, sum.clone());
        }
        self.exchange.end_phase();
        self.take_in::<S>(Until::PhaseIsOver)?;
        let mut all = LevelSum {
            transitions: 0,
            chosen: ChosenSteps::default(),
            wrong: None,
            diverges: false,
        };
        let mut least: Option<&[u64]> = None;
        let mut internal = 0;
        let sums = std::mem::take(&mut self.sums);
        for parcel in &sums {
            let [transitions, possible, followed, noted, wrong @ ..] = &parcel.words[..] else {
                continue;
            };
            internal += noted;
            all.transitions += transitions;
            all.chosen += ChosenSteps {
                possible: *possible,
                followed: *followed,
            };
            if !wrong.is_empty() && least.is_none_or(|least| wrong < least) {
                least = Some(wrong);
            }
        }
        self.whole.transitions = all.transitions;
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
        let said = gather(&*self.exchange, &here, &self.token);
        said.ok_or(Halt::Stopped(StopReason::Cancelled))
    }

    fn whole(&self, here: Statistics) -> Statistics {
        let Whole {
            states,
            transitions,
            memory_bytes,
            is_beyond,
            ..
        } = self.whole;
        Statistics {
            states,
            transitions,
            memory_bytes: memory_bytes.max(here.memory_bytes),
            levels: here.levels - u64::from(is_beyond),
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

    fn finish_level(&mut self, expanded: &Expanded<'_>) -> Result<(), Halt> {
        self.share.finish_level(expanded)?;
        let last = self.share.level(self.share.level_count() - 1);
        let memory = self.share.memory_bytes(expanded.beside) as u64;
        let here = vec![last.end - last.start, memory, u64::from(self.is_full)];
        let said = self.gather(here)?;
        let sum = |place: usize| said.iter().map(|words| words[place]).sum::<u64>();
        let whole = &mut self.whole;
        whole.last_level = sum(0);
        whole.states += sum(0);
        whole.memory_bytes = sum(1);
        if sum(2) > 0 || whole.states > self.most_states {
            whole.states = self.most_states;
            whole.is_beyond = true;
            return Err(Halt::Stopped(StopReason::StateLimit));
        }
        Ok(())
    }

    fn memory_bytes(&self, beside: Beside) -> usize {
        self.share.memory_bytes(beside) + self.tau.memory_bytes()
    }

    fn shared(&self) -> Option<Shared> {
        self.share.shared()
    }

    fn hold_less(&mut self, wanted: Less) -> Result<bool, Halt> {
        self.share.hold_less(wanted)
    }

    fn spilled(&self) -> Option<Spilled> {
        self.share.spilled()
    }

    fn close(&mut self) {
        self.share.close();
    }
}

impl<F> fmt::Debug for Divided<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<a share: {:?}>", self.whole)
    }
}
