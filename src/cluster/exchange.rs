//! The interface of a cluster for a search: parcels of words that processes hand over to each
//! other, in phases that end for all of them at once.

use std::fmt;

use serde::{Deserialize, Serialize};

use base::cancel::Cancellation;
use base::diag::Diagnostic;

/// The exchange of a process with the others of its cluster.
///
/// Everything that decides anything happens in *phases*, which all processes go through in one
/// order. A phase is over when no process sends any more in it, and each has entered the parcels
/// that came to it. To keep faster processes from flooding others, a phase has *rounds*: a process
/// that is far ahead of the slowest waits.
///
/// One thread of each process makes all calls but [`Exchange::tell`] and [`Exchange::told`].
pub trait Exchange: fmt::Debug + Send + Sync {
    /// The number of this process, from 0.
    fn process(&self) -> usize;

    /// The number of processes.
    fn processes(&self) -> usize;

    /// Hands `words`, at least one and at most [`MOST_WORDS`], over to process `target`, which may
    /// be this one, in the present phase. `label` tells the receiver what they are.
    fn send(&self, target: usize, label: u32, words: Vec<u64>);

    /// Ends a round of the present phase.
    fn end_round(&self);

    /// Says that this process sends no more in the present phase. It then has to
    /// [`Exchange::receive`] until the end of the phase.
    fn end_phase(&self);

    /// Receives one parcel that came to this process in the present phase. Waits for it as long as
    /// `until` allows.
    fn receive(&self, until: Until, token: &Cancellation) -> Received;

    /// Says that the oldest `count` received parcels are entered. Only then can the phase be over.
    fn entered(&self, count: usize);

    /// Tells the others why this process cannot go on with the present question, so that they stop
    /// too.
    fn stop(&self, why: &Diagnostic);

    /// Tells the others the progress of this process.
    fn tell(&self, now: ShareProgress);

    /// The progress of all others together, as far as this process has heard.
    fn told(&self) -> ShareProgress;
}

/// The largest number of words in a parcel.
pub const MOST_WORDS: usize = 1 << 13;

/// The condition that ends waiting for parcels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Until {
    /// This process is no longer too far ahead of others.
    RoundMayBegin,
    /// The phase is over for all, and then the next one begins.
    PhaseIsOver,
}

/// The result of waiting.
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
    /// The kind of the words.
    pub label: u32,
    /// The words.
    pub words: Vec<u64>,
}

/// The progress of a process in its share of a search.
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

/// The words of all processes, by process; all call this at once. It takes a phase of its own.
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
            // The process has answered the question without coming to this phase, and has gone on.
            return None;
        }
        words.remove(0);
    }
    Some(said)
}

/// The process that differs from process 0 in one of `facts`, each a name and a value, and the
/// name. All call this at once. The inner `None` means that all agree. The outer `None` means that
/// the work is to end, or that a process has gone on to the next question without it.
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
