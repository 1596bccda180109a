//! A cluster of threads in one process, for tests: the simplest exchange, which hands out parcels
//! in any order that may happen.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use base::cancel::Cancellation;
use base::diag::Diagnostic;
use base::mix::mix;
use cluster::{Exchange, Parcel, Received, ShareProgress, Until};

/// The exchange of one of the processes.
#[derive(Debug)]
pub(super) struct Seat {
    hub: Arc<Hub>,
    process: usize,
    /// The phase in which the process is ended, if it is.
    ends_in: Option<u64>,
}

impl Drop for Seat {
    /// Lets a process that was ended leave, and tells the others.
    fn drop(&mut self) {
        if self.ends_in.is_some() {
            self.hub.state.lock().unwrap().is_stopped = true;
            self.hub.changed.notify_all();
        }
    }
}

#[derive(Debug)]
struct Hub {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    desks: Vec<Desk>,
    seed: u64,
    /// True if one of the processes cannot go on.
    is_stopped: bool,
}

/// The state of one process.
#[derive(Debug)]
struct Desk {
    phase: u64,
    /// True if the process sends no more in its phase.
    has_ended: bool,
    /// By sender, the phase of each parcel, and the parcel.
    queues: Vec<VecDeque<(u64, Parcel)>>,
    /// Parcels that were received and not entered.
    held: usize,
    progress: ShareProgress,
}

/// Seats for this many processes. The first process is ended in phase `ends_in`, if there is one.
pub(super) fn seats(processes: usize, seed: u64, ends_in: Option<u64>) -> Vec<Arc<dyn Exchange>> {
    let desk = |_| Desk {
        phase: 0,
        has_ended: false,
        queues: vec![VecDeque::new(); processes],
        held: 0,
        progress: ShareProgress::default(),
    };
    let hub = Arc::new(Hub {
        state: Mutex::new(State {
            desks: (0..processes).map(desk).collect(),
            seed,
            is_stopped: false,
        }),
        changed: Condvar::new(),
    });
    let seat = |process| -> Arc<dyn Exchange> {
        Arc::new(Seat {
            hub: hub.clone(),
            process,
            ends_in: ends_in.filter(|_| process == 0),
        })
    };
    (0..processes).map(seat).collect()
}

impl State {
    fn random(&mut self, below: usize) -> usize {
        self.seed += 1;
        (mix(self.seed) % below as u64) as usize
    }

    /// True if a phase is over for all processes.
    fn is_over(&self, phase: u64) -> bool {
        self.desks.iter().all(|desk| {
            let mut fronts = desk.queues.iter().filter_map(VecDeque::front);
            desk.phase > phase
                || desk.has_ended && desk.held == 0 && fronts.all(|(other, _)| *other > phase)
        })
    }
}

impl Exchange for Seat {
    fn process(&self) -> usize {
        self.process
    }

    fn processes(&self) -> usize {
        self.hub.state.lock().unwrap().desks.len()
    }

    fn send(&self, target: usize, label: u32, words: Vec<u64>) {
        assert!(!words.is_empty() && words.len() <= cluster::MOST_WORDS);
        let mut state = self.hub.state.lock().unwrap();
        let own = &state.desks[self.process];
        assert!(!own.has_ended);
        let phase = own.phase;
        let from = self.process;
        let parcel = Parcel { from, label, words };
        state.desks[target].queues[from].push_back((phase, parcel));
        self.hub.changed.notify_all();
    }

    fn end_round(&self) {}

    fn end_phase(&self) {
        let mut state = self.hub.state.lock().unwrap();
        state.desks[self.process].has_ended = true;
        self.hub.changed.notify_all();
    }

    fn receive(&self, until: Until, token: &Cancellation) -> Received {
        let mut state = self.hub.state.lock().unwrap();
        if self.ends_in == Some(state.desks[self.process].phase) {
            token.cancel();
        }
        loop {
            if token.reason().is_some() || state.is_stopped {
                return Received::Ended;
            }
            let processes = state.desks.len();
            let first = state.random(processes);
            let is_lazy = until == Until::RoundMayBegin && state.random(3) == 0;
            let desk = &mut state.desks[self.process];
            let phase = desk.phase;
            for place in 0..processes {
                let queue = &mut desk.queues[(first + place) % processes];
                if queue.front().is_some_and(|(of, _)| *of == phase) && !is_lazy {
                    desk.held += 1;
                    return Received::Parcel(queue.pop_front().unwrap().1);
                }
            }
            if until == Until::RoundMayBegin {
                return Received::Nothing;
            }
            assert!(state.desks[self.process].has_ended);
            if state.is_over(phase) {
                let desk = &mut state.desks[self.process];
                (desk.phase, desk.has_ended) = (phase + 1, false);
                self.hub.changed.notify_all();
                return Received::Nothing;
            }
            let patience = Duration::from_millis(50);
            state = self.hub.changed.wait_timeout(state, patience).unwrap().0;
        }
    }

    fn entered(&self, count: usize) {
        let mut state = self.hub.state.lock().unwrap();
        state.desks[self.process].held -= count;
        self.hub.changed.notify_all();
    }

    fn stop(&self, _: &Diagnostic) {
        self.hub.state.lock().unwrap().is_stopped = true;
        self.hub.changed.notify_all();
    }

    fn tell(&self, now: ShareProgress) {
        self.hub.state.lock().unwrap().desks[self.process].progress = now;
    }

    fn told(&self) -> ShareProgress {
        let state = self.hub.state.lock().unwrap();
        let others = state.desks.iter().enumerate();
        let others = others.filter(|(process, _)| *process != self.process);
        others.fold(ShareProgress::default(), |sum, (_, desk)| ShareProgress {
            states: sum.states + desk.progress.states,
            ..sum
        })
    }
}
