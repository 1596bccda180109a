//! Which states of a level can do τ for ever, where states are divided between processes.
//!
//! A depth-first search does not distribute: it would wait for another process at each step. So
//! what the internal states of a level lead to along τ is entered by its owners, breadth first,
//! each with the edges that lead to it. A state all of whose τ lead to states that do τ no more for
//! ever is one of these too, and is *left*; then those that lead to it are told (Kahn, *Topological
//! Sorting of Large Networks*, CACM 1962, backwards). What is not left when nobody has anything to
//! tell any more can do τ for ever.
//!
//! *Why that is so.* A state is left only if it has no τ, or all of its τ lead to states that were
//! left before: by induction it does τ no more than finitely often. Each state that is not left has
//! a τ to one that is not left, which was entered too; so τ goes on for ever. That representatives
//! suffice, and the τ of stubborn sets, is said in `divergence`.
//!
//! States that were left stay known, so that each is followed once in the whole search, as in the
//! search of one process. A state costs its words, 12 bytes, and 12 for each τ to it, as long as
//! the level lasts.

use super::agreement::ended;
use super::owner::owner;
use super::parcels::{OutgoingWords, gathered, received, say_to_all};
use crate::divergence::FollowedStates;
use crate::frontier::EachTau;
use crate::halt::Halt;
use crate::outcome::StopReason;
use crate::store::MOST_STATES;
use base::cancel::Cancellation;
use base::diag::Result;
use cluster::{Exchange, MOST_WORDS, Parcel, Until};
use machine::packing::PackedState;

/// What a process knows of the states of its share that τ leads from or to.
pub(super) struct DividedTau {
    /// Those that were left, and behind them, from `first` on, those of the present level. These
    /// are meant by *places*, counted from `first`.
    known: FollowedStates,
    first: usize,
    /// By state of the present level, of how many of its τ it is not known that they lead to states
    /// that were left; and one more until it was followed.
    open: Vec<u32>,
    /// By state of the present level, its last edge, or [`NONE`].
    last: Vec<u32>,
    edges: Vec<Edge>,
    /// Places of states that are to be followed.
    waiting: Vec<u32>,
    /// Places of states that were left, and of which those are to be told that lead to them.
    left: Vec<u32>,
    /// Places of internal states of the level itself.
    internal: Vec<u32>,
    /// What is to be sent: the words of messages to those that lead to states, and to those that
    /// they lead to.
    outgoing: OutgoingWords,
    /// Messages that were sent in the present phase.
    sent: u64,
    /// What is beyond a limit here, so that nothing more is followed.
    beyond: Option<StopReason>,
    /// What processes have said at the end of their work in the phase.
    sums: Vec<Parcel>,
    process: usize,
}

/// A τ that leads to a state: what it comes from.
#[derive(Clone, Copy, Debug)]
struct Edge {
    process: u32,
    place: u32,
    /// The edge before it, to the same state, or [`NONE`].
    before: u32,
}

const NONE: u32 = u32::MAX;

/// After so many states it is looked whether the search is to end.
const PATIENCE: usize = 4096;

/// What a parcel holds.
mod label {
    /// Places of states, each with the words of one that a τ leads to.
    pub(super) const TAU: usize = 0;
    /// Places of states of which one τ leads to a state that was left.
    pub(super) const LEFT: usize = 1;
    /// How many messages a process sent, and how many states it knows.
    pub(super) const SUM: u32 = 2;
}

impl DividedTau {
    /// Nothing known yet, of states of `words` words, in this `process` of several.
    pub(super) fn new(words: usize, process: usize, processes: usize) -> Self {
        Self {
            known: FollowedStates::new(words),
            first: 0,
            open: Vec::new(),
            last: Vec::new(),
            edges: Vec::new(),
            waiting: Vec::new(),
            left: Vec::new(),
            internal: Vec::new(),
            outgoing: OutgoingWords::new(processes, [1 + words, 1]),
            sent: 0,
            beyond: None,
            sums: Vec::new(),
            process,
        }
    }

    /// Notes an internal state of the level.
    pub(super) fn note(&mut self, words: &[u64]) {
        let (number, is_new) = self.enter(words);
        if is_new {
            self.internal.push((number - self.first) as u32);
        }
    }

    /// How many states were noted in the level, without those that are known to be left.
    pub(super) fn noted(&self) -> u64 {
        self.internal.len() as u64
    }

    /// Bytes of memory held.
    pub(super) fn memory_bytes(&self) -> usize {
        let edges = self.edges.capacity() * size_of::<Edge>();
        self.known.memory_bytes() + edges + 8 * self.open.capacity()
    }

    /// The words of the least of the noted states, of whichever process, that can do τ for ever.
    /// Fails if more than `most` states are known in all.
    pub(super) fn diverging<S: PackedState>(
        &mut self,
        exchange: &dyn Exchange,
        taus: EachTau<'_, S>,
        most: u64,
        token: &Cancellation,
    ) -> Result<Option<Vec<u64>>, Halt> {
        loop {
            self.work(exchange, taus, (most, token))?;
            self.send(exchange, 1);
            let is_out_of_numbers = self.beyond == Some(StopReason::Numbers);
            let here = [self.sent, self.known.len() as u64, is_out_of_numbers.into()];
            say_to_all(exchange, label::SUM, &here);
            self.sent = 0;
            exchange.end_phase();
            self.take_in(exchange, Until::PhaseIsOver, token)?;
            let sums = std::mem::take(&mut self.sums);
            if sums.len() < self.outgoing.processes() {
                return Err(ended(token));
            }
            let sum = |place: usize| sums.iter().map(|sum| sum.words[place]).sum::<u64>();
            if sum(1) > most {
                return Err(Halt::Stopped(StopReason::StateLimit));
            }
            if sum(2) > 0 {
                return Err(Halt::Stopped(StopReason::Numbers));
            }
            // What was not sent did not come: nobody has anything to do.
            if sum(0) == 0 {
                break;
            }
        }
        let internal = self.internal.iter().map(|&place| self.number(place));
        let diverging = internal.filter(|&number| !self.known.is_left(number));
        let least = diverging.map(|number| self.known.state(number)).min();
        let here = least.map_or_else(Vec::new, <[u64]>::to_vec);
        let said = gathered(exchange, &here, token)?;
        self.close();
        Ok(said.into_iter().filter(|words| !words.is_empty()).min())
    }

    /// The level is over: all states that are known were left, unless the search is over too.
    fn close(&mut self) {
        self.first = self.known.len();
        self.open.clear();
        self.last.clear();
        self.edges.clear();
        self.internal.clear();
    }

    /// Follows what is to be followed, and tells what is to be told, until there is no more of
    /// either here.
    fn work<S: PackedState>(
        &mut self,
        exchange: &dyn Exchange,
        taus: EachTau<'_, S>,
        (most, token): (u64, &Cancellation),
    ) -> Result<(), Halt> {
        let mut words = Vec::new();
        for step in 0_usize.. {
            if step.is_multiple_of(PATIENCE) {
                token.look_at_memory(0);
                Halt::check(token)?;
            }
            if self.is_beyond(most) {
                // The others are told at the end of the phase, and end as well.
                self.waiting.clear();
                self.left.clear();
            }
            if let Some(place) = self.left.pop() {
                self.tell(place);
            } else if let Some(place) = self.waiting.pop() {
                let from = self.known.state(self.number(place));
                let mut state = S::zero(from.len());
                state.load(from);
                words.clear();
                taus(&state, &mut |next| words.extend_from_slice(next));
                self.follow(place, &words, state.words().len());
            } else {
                break;
            }
            // So that no process is flooded.
            if self.send(exchange, MOST_WORDS / 2) {
                exchange.end_round();
                self.take_in(exchange, Until::RoundMayBegin, token)?;
            }
        }
        Ok(())
    }

    /// The number of the state at `place`.
    fn number(&self, place: u32) -> usize {
        self.first + place as usize
    }

    /// Whether more is known here than `most` allows in all, or more of the level than has places.
    fn is_beyond(&mut self, most: u64) -> bool {
        // Beyond `MOST_STATES` numbers are left for what comes before this is asked again.
        let numbers = (self.known.len() - self.first).max(self.edges.len());
        if self.known.len() as u64 > most {
            self.beyond = Some(StopReason::StateLimit);
        } else if numbers >= MOST_STATES {
            self.beyond = Some(StopReason::Numbers);
        }
        self.beyond.is_some()
    }

    /// Enters the states that the τ of the one at `place` lead to, of `width` words each, or lets
    /// their owners do that.
    fn follow(&mut self, place: u32, words: &[u64], width: usize) {
        self.open[place as usize] += (words.len() / width) as u32;
        for next in words.chunks_exact(width) {
            let owner = owner(next, self.outgoing.processes());
            if owner == self.process {
                self.lead(owner, place, next);
            } else {
                let outgoing = self.outgoing.words(owner, label::TAU);
                outgoing.push(u64::from(place));
                outgoing.extend_from_slice(next);
            }
        }
        // What was held until now.
        self.lose(place);
    }

    /// A τ leads from the state at `place` of `process` to the state with these words.
    fn lead(&mut self, process: usize, place: u32, words: &[u64]) {
        let (to, _) = self.enter(words);
        if self.known.is_left(to) {
            self.tell_one(process, place);
            return;
        }
        // States of other levels were left, so this one has a place.
        let last = &mut self.last[to - self.first];
        self.edges.push(Edge {
            process: process as u32,
            place,
            before: *last,
        });
        *last = (self.edges.len() - 1) as u32;
    }

    /// The number of the state with these words, which is to be followed if it is new.
    fn enter(&mut self, words: &[u64]) -> (usize, bool) {
        let (number, is_new) = self.known.enter(words);
        if is_new {
            self.open.push(1);
            self.last.push(NONE);
            self.waiting.push((number - self.first) as u32);
        }
        (number, is_new)
    }

    /// One τ fewer of the state at `place` may go on for ever.
    fn lose(&mut self, place: u32) {
        let open = &mut self.open[place as usize];
        *open -= 1;
        if *open == 0 {
            self.known.leave(self.number(place));
            self.left.push(place);
        }
    }

    /// Tells all that lead to the state at `place` that it was left.
    fn tell(&mut self, place: u32) {
        let mut edge = self.last[place as usize];
        while edge != NONE {
            let Edge {
                process,
                place,
                before,
            } = self.edges[edge as usize];
            self.tell_one(process as usize, place);
            edge = before;
        }
    }

    /// Tells the state at `place` of `process` that one of its τ leads to a state that was left.
    fn tell_one(&mut self, process: usize, place: u32) {
        if process == self.process {
            self.lose(place);
        } else {
            let outgoing = self.outgoing.words(process, label::LEFT);
            outgoing.push(u64::from(place));
        }
    }

    /// Sends what there is for a process, if that is at least so many words. Returns whether
    /// anything is.
    fn send(&mut self, exchange: &dyn Exchange, least: usize) -> bool {
        let sent = self.outgoing.send(exchange, least).iter().sum::<u64>();
        self.sent += sent;
        sent > 0
    }

    /// Takes in what comes, as long as `until` says.
    fn take_in(
        &mut self,
        exchange: &dyn Exchange,
        until: Until,
        token: &Cancellation,
    ) -> Result<(), Halt> {
        while let Some(parcel) = received(exchange, until, token)? {
            match parcel.label {
                label::SUM => self.sums.push(parcel),
                label if label == label::TAU as u32 => {
                    for message in parcel.words.chunks_exact(1 + self.known.width()) {
                        self.lead(parcel.from, message[0] as u32, &message[1..]);
                    }
                }
                _ => (parcel.words.iter()).for_each(|&place| self.lose(place as u32)),
            }
            exchange.entered(1);
        }
        Ok(())
    }
}
