//! The knowledge of all threads of this process about the cluster: processes that have failed or
//! ended, and the progress of the others.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::arrivals::{Arrivals, locked};
use crate::exchange::ShareProgress;
use base::diag::Diagnostic;
use base::number;

/// News of the other processes.
#[derive(Clone, Debug)]
pub enum News {
    /// The run cannot go on. It is told once.
    Lost(Diagnostic),
    /// Another process has left a question before its end, so no process can answer it.
    Stopped {
        /// The question.
        question: u64,
        /// The process that has left it, and the reason.
        why: Diagnostic,
    },
}

/// A listener to the news, on any thread. It must not wait for the searching thread.
pub type NewsListener = Box<dyn Fn(News) + Send + Sync>;

/// The knowledge about the cluster.
pub(super) struct Health {
    addresses: Vec<String>,
    /// The number of this process.
    process: usize,
    listener: NewsListener,
    /// The parcels for which the searching thread waits.
    arrivals: Arc<Arrivals>,
    state: Mutex<HealthState>,
    changed: Condvar,
    /// Set after the listener was told: a thread that sees it finds that the work is to end.
    failed: AtomicBool,
    ending: AtomicBool,
    /// The number of bytes that were sent on data connections.
    pub(super) sent_bytes: AtomicU64,
}

struct HealthState {
    failure: Option<Diagnostic>,
    question: u64,
    /// The reasons why the present question and later ones cannot be answered, by question. Only
    /// the first reason for each counts.
    stops: BTreeMap<u64, Diagnostic>,
    /// The progress of this process.
    own: ShareProgress,
    peers: Vec<PeerState>,
}

/// The knowledge about another process.
#[derive(Clone)]
struct PeerState {
    said_bye: bool,
    /// The time when the process was last heard; absent before the first time.
    heard: Option<Instant>,
    share: ShareProgress,
}

impl Health {
    pub(super) fn new(
        addresses: Vec<String>,
        process: usize,
        arrivals: Arc<Arrivals>,
        listener: NewsListener,
    ) -> Self {
        let peer = PeerState {
            said_bye: false,
            heard: None,
            share: ShareProgress::default(),
        };
        let state = HealthState {
            failure: None,
            question: 0,
            stops: BTreeMap::new(),
            own: ShareProgress::default(),
            peers: vec![peer; addresses.len()],
        };
        Self {
            addresses,
            process,
            listener,
            arrivals,
            state: Mutex::new(state),
            changed: Condvar::new(),
            failed: AtomicBool::new(false),
            ending: AtomicBool::new(false),
            sent_bytes: AtomicU64::new(0),
        }
    }

    /// Notes that the run cannot go on. Only the first reason counts. It has no effect while this
    /// process ends, because the others are not needed any more.
    pub(super) fn fail(&self, why: Diagnostic) {
        if self.is_ending() {
            return;
        }
        let mut state = locked(&self.state);
        if state.failure.is_some() {
            return;
        }
        state.failure = Some(why.clone());
        drop(state);
        (self.listener)(News::Lost(why));
        self.failed.store(true, Ordering::SeqCst);
        self.arrivals.wake();
        self.changed.notify_all();
    }

    /// Notes that process `peer` is gone; `how` tells how that was seen.
    pub(super) fn lose(&self, peer: usize, how: &str) {
        let (mut states, mut transitions) = (0, 0);
        {
            let state = locked(&self.state);
            for share in state.shares().chain([&state.own]) {
                states += share.states;
                transitions += share.transitions;
            }
        }
        let name = name(&self.addresses, peer);
        let message = format!("{name} was lost: {how}");
        let states = number::counted(states, "state");
        let transitions = number::counted(transitions, "transition");
        self.fail(Diagnostic::undecided("cluster-lost", message).note(format!(
            "all were at {states} and {transitions} when last heard"
        )));
    }

    /// Notes that process `peer` does something that no process of this version does.
    pub(super) fn distrust(&self, peer: usize, what: &str) {
        let name = name(&self.addresses, peer);
        self.fail(Diagnostic::undecided(
            "cluster-failed",
            format!("{name} {what}"),
        ));
    }

    /// Notes that process `peer` ends the run for all.
    pub(super) fn end_came(&self, peer: usize, message: &str) {
        let name = name(&self.addresses, peer);
        let message = format!("{name} ended the run: {message}");
        self.fail(Diagnostic::undecided("cluster-ended", message));
    }

    /// Notes that process `peer` has found, before this process, that the run cannot go on.
    pub(super) fn failure_came(&self, peer: usize, message: &str) {
        let finder = name(&self.addresses, peer);
        let why = Diagnostic::undecided("cluster-lost", message);
        self.fail(why.note(format!("{finder} has found it")));
    }

    /// Notes that process `peer` has left a question. If this process has not come to the question,
    /// the listener is told when it does.
    pub(super) fn stop_came(&self, peer: usize, question: u64, message: &str) {
        let message = format!("{}: {message}", name(&self.addresses, peer));
        let why = Diagnostic::undecided("cluster-stopped", message);
        let mut state = locked(&self.state);
        if question < state.question || state.stops.contains_key(&question) {
            return;
        }
        state.stops.insert(question, why.clone());
        let is_present = question == state.question;
        drop(state);
        if is_present {
            (self.listener)(News::Stopped { question, why });
        }
    }

    /// Begins a question in this process.
    pub(super) fn begin(&self, question: u64) {
        let mut state = locked(&self.state);
        state.question = question;
        state.stops = state.stops.split_off(&question);
        let why = state.stops.get(&question).cloned();
        drop(state);
        if let Some(why) = why {
            (self.listener)(News::Stopped { question, why });
        }
    }

    /// Notes that process `peer` is alive, with its progress.
    pub(super) fn beat_came(&self, peer: usize, share: ShareProgress) {
        let now = Instant::now();
        if let Some(peer) = locked(&self.state).peers.get_mut(peer) {
            (peer.heard, peer.share) = (Some(now), share);
        }
    }

    /// Notes that process `peer` needs the others no more.
    pub(super) fn bye_came(&self, peer: usize) {
        if let Some(peer) = locked(&self.state).peers.get_mut(peer) {
            peer.said_bye = true;
        }
        self.changed.notify_all();
    }

    /// Loses the first process that was silent for longer than `patience`, or was never heard in
    /// the time `first` since `start`.
    pub(super) fn look_for_silence(&self, patience: Duration, first: Duration, start: Instant) {
        let silent = |peer: &PeerState| match peer.heard {
            Some(heard) => heard.elapsed() > patience,
            None => start.elapsed() > first,
        };
        let state = locked(&self.state);
        let mut others = state.peers.iter().enumerate();
        let found =
            others.find(|(number, peer)| *number != self.process && !peer.said_bye && silent(peer));
        let found = found.map(|(number, peer)| (number, peer.heard.map_or(first, |_| patience)));
        drop(state);
        if let Some((peer, time)) = found {
            self.lose(peer, &format!("silent for {} s", seconds(time)));
        }
    }

    /// Forgives all silence so far, because this process itself stood still.
    pub(super) fn forgive_silence(&self) {
        let now = Instant::now();
        for peer in &mut locked(&self.state).peers {
            peer.heard = peer.heard.map(|_| now);
        }
    }

    /// Sets the progress of this process.
    pub(super) fn set_own(&self, share: ShareProgress) {
        locked(&self.state).own = share;
    }

    /// The progress of this process.
    pub(super) fn own(&self) -> ShareProgress {
        locked(&self.state).own
    }

    /// The progress of all others together.
    pub(super) fn others(&self) -> ShareProgress {
        let state = locked(&self.state);
        let mut sum = ShareProgress::default();
        for share in state.shares() {
            sum.states += share.states;
            sum.transitions += share.transitions;
            sum.waiting += share.waiting;
            sum.expanded += share.expanded;
            sum.memory_bytes += share.memory_bytes;
        }
        sum
    }

    /// The reason why the run cannot go on; `None` if it can.
    pub(super) fn failure(&self) -> Option<Diagnostic> {
        locked(&self.state).failure.clone()
    }

    /// True if the run cannot go on, and the listener knows.
    pub(super) fn has_failed(&self) -> bool {
        self.failed.load(Ordering::SeqCst)
    }

    /// Notes that no other process is needed from now on.
    pub(super) fn set_ending(&self) {
        self.ending.store(true, Ordering::SeqCst);
        self.changed.notify_all();
    }

    /// True if no other process is needed any more.
    pub(super) fn is_ending(&self) -> bool {
        self.ending.load(Ordering::SeqCst)
    }

    /// True if a connection to `peer` may be closed, because one of the two has said good-bye. The
    /// good-bye may still be under way on another connection.
    pub(super) fn is_over_with(&self, peer: usize) -> bool {
        const UNDER_WAY: Duration = Duration::from_millis(500);
        let until = Instant::now() + UNDER_WAY;
        let mut state = locked(&self.state);
        loop {
            if self.is_ending() || state.peers.get(peer).is_some_and(|peer| peer.said_bye) {
                return true;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || self.has_failed() {
                return false;
            }
            state = self.waited(state, left);
        }
    }

    /// True if all others have said good-bye.
    pub(super) fn all_said_bye(&self) -> bool {
        let state = locked(&self.state);
        let mut peers = state.peers.iter().enumerate();
        peers.all(|(number, peer)| peer.said_bye || number == self.process)
    }

    /// Waits for `time`, or until something has changed.
    pub(super) fn wait(&self, time: Duration) {
        let state = locked(&self.state);
        // Otherwise a change that came before this call would be missed.
        if !self.is_ending() && !self.has_failed() {
            drop(self.waited(state, time));
        }
    }

    fn waited<'h>(
        &self,
        state: std::sync::MutexGuard<'h, HealthState>,
        time: Duration,
    ) -> std::sync::MutexGuard<'h, HealthState> {
        let waited = self.changed.wait_timeout(state, time);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

impl HealthState {
    /// The progress of each process; empty for this process, which sends itself no beats.
    fn shares(&self) -> impl Iterator<Item = &ShareProgress> {
        self.peers.iter().map(|peer| &peer.share)
    }
}

/// The name of a process in messages: `process 2 (10.0.0.3:7000)`.
pub(super) fn name(addresses: &[String], process: usize) -> String {
    match addresses.get(process) {
        Some(address) => format!("process {process} ({address})"),
        None => format!("process {process}"),
    }
}

/// A time in seconds: `5`, `0.3`.
pub(super) fn seconds(time: Duration) -> String {
    let tenths = (time.as_secs_f64() * 10.0).round() / 10.0;
    tenths.to_string()
}
