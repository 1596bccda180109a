//! All that a search sees of a cluster: parcels of words that processes hand over to each other,
//! in phases that are over for all of them at once.

use std::fmt;

use serde::{Deserialize, Serialize};

use base::cancel::Cancellation;
use base::diag::Diagnostic;

/// What a process does together with the others of its cluster.
///
/// Everything that decides anything goes in *phases*, which all processes go through in the same
/// order. A phase is over when no process sends any more in it, and each has entered what came to
/// it. So that no process is flooded by others that are faster, a phase has *rounds*: who is far
/// ahead of the slowest waits.
///
/// One thread of each process makes all calls but [`Exchange::tell`] and [`Exchange::told`].
pub trait Exchange: fmt::Debug + Send + Sync {
    /// The number of this process, from 0.
    fn process(&self) -> usize;

    /// How many processes there are.
    fn processes(&self) -> usize;

    /// Hands `words`, at least one and at most [`MOST_WORDS`], over to process `target`, which may
    /// be this one, in the present phase. `label` says to the receiver what they are.
    fn send(&self, target: usize, label: u32, words: Vec<u64>);

    /// Ends a round of the present phase.
    fn end_round(&self);

    /// Says that this process sends no more in the present phase. What is left to do in it is to
    /// [`Exchange::receive`] until its end.
    fn end_phase(&self);

    /// What came to this process in the present phase, a parcel at a time; waits for it as long as
    /// `until` says.
    fn receive(&self, until: Until, token: &Cancellation) -> Received;

    /// Says that the oldest `count` parcels that were received are entered: only then the phase can
    /// be over.
    fn entered(&self, count: usize);

    /// Says to the others why this process cannot go on with the present question, so that they
    /// stop too.
    fn stop(&self, why: &Diagnostic);

    /// Says to the others how far this process is.
    fn tell(&self, now: ShareProgress);

    /// How far the others are, all together, as far as this process has heard.
    fn told(&self) -> ShareProgress;
}

/// A parcel with more words is not sent.
pub const MOST_WORDS: usize = 1 << 13;

/// How long to wait for parcels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Until {
    /// As long as this process is too far ahead of others.
    RoundMayBegin,
    /// Until the phase is over for all, and then the next one begins.
    PhaseIsOver,
}

/// What came of waiting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Received {
    /// A parcel.
    Parcel(Parcel),
    /// There is nothing to wait for any more.
    Nothing,
    /// The work is to end: its token says why.
    Ended,
}

/// Words from a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parcel {
    /// The process that sent them.
    pub from: usize,
    /// What they are.
    pub label: u32,
    /// The words.
    pub words: Vec<u64>,
}

/// How far a process is in its share of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ShareProgress {
    /// States found.
    pub states: u64,
    /// Transitions followed.
    pub transitions: u64,
    /// States found but not yet expanded.
    pub waiting: u64,
    /// States that were expanded.
    pub expanded: u64,
    /// Bytes of memory that its share takes.
    pub memory_bytes: u64,
}

/// What every process says, by process; all of them say something at once. A phase of its own.
/// `None` if the work is to end, or if a process has gone on to the next question without it.
pub fn gather(
    exchange: &dyn Exchange,
    words: &[u64],
    token: &Cancellation,
) -> Option<Vec<Vec<u64>>> {
    let mut said = vec![Vec::new(); exchange.processes()];
    for target in 0..exchange.processes() {
        // The first word says how many follow in all, so that nothing at all can be said too.
        let mut all = vec![words.len() as u64];
        all.extend_from_slice(words);
        for part in all.chunks(MOST_WORDS) {
            exchange.send(target, 0, part.to_vec());
        }
    }
    exchange.end_phase();
    loop {
        match exchange.receive(Until::PhaseIsOver, token) {
            // Parcels of one process come in the order in which they were sent.
            Received::Parcel(parcel) => said[parcel.from].extend(parcel.words),
            Received::Nothing => break,
            Received::Ended => return None,
        }
        exchange.entered(1);
    }
    for words in &mut said {
        if words.is_empty() {
            // It has answered the question without coming to this phase, and has gone on.
            return None;
        }
        words.remove(0);
    }
    Some(said)
}

/// Which process says something else than process 0 about one of `facts`, each of which has a name
/// and a value; all say theirs at once. The inner `None`: all say the same. The outer `None`: as
/// [`gather`].
pub fn agree<'f>(
    exchange: &dyn Exchange,
    facts: &'f [(String, String)],
    token: &Cancellation,
) -> Option<Option<(usize, &'f str)>> {
    let digests: Vec<u64> = facts
        .iter()
        .flat_map(|fact| {
            let digest = base::digest::fingerprint(fact);
            let halves = [&digest[..16], &digest[16..]];
            halves.map(|half| u64::from_str_radix(half, 16).unwrap_or_default())
        })
        .collect();
    let said = gather(exchange, &digests, token)?;
    let first = &said[0];
    let another = said.iter().enumerate().find(|(_, words)| *words != first);
    Some(another.map(|(process, words)| {
        // A fact that only one of them has is as different as one that has another value.
        let place = words.iter().zip(first).take_while(|(a, b)| a == b).count() / 2;
        let name = facts.get(place).map_or("", |(name, _)| name);
        (process, name)
    }))
}
