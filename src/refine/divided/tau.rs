//! The states of a level that can do τ for ever, where states are divided between processes: the
//! messages that these send each other, while each follows τ among its own states (`divergence`).

use super::agreement::ended;
use super::parcels::{gathered, received, say_to_all};
use crate::divergence::{Divergence, EachTau, LEFT, MemoryLeft, TAU, TauProgress};
use crate::halt::Halt;
use crate::outcome::StopReason;
use crate::store::MOST_STATES;
use base::cancel::Cancellation;
use base::diag::Result;
use cluster::{Exchange, MOST_WORDS, Parcel, Until};

/// The knowledge of a process about the states of its share that τ leads from or to.
pub(super) struct DividedTau {
    known: Divergence,
    /// Internal states of the level itself, by number.
    internal: Vec<usize>,
    /// Words of messages that were sent in the present phase.
    sent: u64,
    /// The limit that was passed here, so that nothing more is followed.
    beyond: Option<StopReason>,
    /// The reports of processes at the end of their work in the phase: the number of words sent,
    /// the number of states known, and 1 if numbers ran out.
    sums: Vec<Parcel>,
}

/// The label of a parcel with the report of a process at the end of its work.
const SUM: usize = 2;

impl DividedTau {
    /// Knows nothing yet of states of `words` words, in this `process` of several.
    pub(super) fn new(words: usize, process: usize, processes: usize) -> Self {
        Self {
            known: Divergence::divided(words, process, processes),
            internal: Vec::new(),
            sent: 0,
            beyond: None,
            sums: Vec::new(),
        }
    }

    /// Notes an internal state of the level.
    pub(super) fn note(&mut self, words: &[u64]) {
        let (number, is_new) = self.known.add_root(words);
        self.internal.extend(is_new.then_some(number));
    }

    /// The number of states that were noted in the level, without those that are known to be left.
    pub(super) fn noted(&self) -> u64 {
        self.internal.len() as u64
    }

    /// Bytes of memory held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.known.memory_bytes()
    }

    /// The words of the least of the noted states, of whichever process, that can do τ for ever.
    /// Fails if more than `most` states are known in all.
    pub(super) fn diverging(
        &mut self,
        exchange: &dyn Exchange,
        taus: EachTau<'_>,
        most: u64,
        token: &Cancellation,
    ) -> Result<Option<Vec<u64>>, Halt> {
        loop {
            self.work(exchange, taus, (most, token))?;
            self.send(exchange, 1);
            let is_out_of_numbers = self.beyond == Some(StopReason::Numbers);
            let here = [self.sent, self.known.followed(), is_out_of_numbers.into()];
            say_to_all(exchange, SUM as u32, &here);
            self.sent = 0;
            exchange.end_phase();
            self.take_in(exchange, Until::PhaseIsOver, token)?;
            let sums = std::mem::take(&mut self.sums);
            if sums.len() < exchange.processes() {
                return Err(ended(token));
            }
            let sum = |place: usize| sums.iter().map(|sum| sum.words[place]).sum::<u64>();
            if sum(1) > most {
                return Err(Halt::Stopped(StopReason::StateLimit));
            }
            if sum(2) > 0 {
                return Err(Halt::Stopped(StopReason::Numbers));
            }
            // Nothing was sent, so nothing comes: no process has anything to do.
            if sum(0) == 0 {
                break;
            }
        }
        let internal = std::mem::take(&mut self.internal);
        let least = self.known.least_waiting(&internal);
        let said = gathered(exchange, &least.unwrap_or_default(), token)?;
        // All states that are known were left, unless the search is over.
        self.known.close();
        Ok(said.into_iter().filter(|words| !words.is_empty()).min())
    }

    /// Follows states and tells those that wait, until there is nothing more of either to do here.
    fn work(
        &mut self,
        exchange: &dyn Exchange,
        taus: EachTau<'_>,
        (most, token): (u64, &Cancellation),
    ) -> Result<(), Halt> {
        let ask = &mut |_: TauProgress| {
            token.look_at_memory(0);
            Halt::check(token)?;
            Ok(MemoryLeft::Enough)
        };
        token.look_at_memory(0);
        Halt::check(token)?;
        while !self.is_beyond(most) && self.known.works(taus, ask)? {
            // Rounds keep a process from being flooded.
            if self.send(exchange, MOST_WORDS / 2) {
                exchange.end_round();
                self.take_in(exchange, Until::RoundMayBegin, token)?;
            }
        }
        Ok(())
    }

    /// True if more states are known here than `most` allows in all, or more of the level than can
    /// be numbered. The other processes are told at the end of the phase, and end as well.
    fn is_beyond(&mut self, most: u64) -> bool {
        // Beyond `MOST_STATES` enough numbers are left for the states that come before this is
        // asked again.
        if self.known.followed() > most {
            self.beyond = Some(StopReason::StateLimit);
        } else if self.known.waiters().numbers() >= MOST_STATES {
            self.beyond = Some(StopReason::Numbers);
        }
        self.beyond.is_some()
    }

    /// Sends the messages for each process, if they are at least `least` words. Returns true if
    /// anything was sent.
    fn send(&mut self, exchange: &dyn Exchange, least: usize) -> bool {
        let outgoing = &mut self.known.waiters().outgoing;
        let sent = outgoing.send(exchange, least).iter().sum::<u64>();
        self.sent += sent;
        sent > 0
    }

    /// Takes in the parcels that come, as long as `until` says.
    fn take_in(
        &mut self,
        exchange: &dyn Exchange,
        until: Until,
        token: &Cancellation,
    ) -> Result<(), Halt> {
        while let Some(parcel) = received(exchange, until, token)? {
            match parcel.label as usize {
                TAU => self.known.lead(parcel.from, &parcel.words),
                LEFT => self.known.lose(&parcel.words),
                _ => self.sums.push(parcel),
            }
            exchange.entered(1);
        }
        Ok(())
    }
}
