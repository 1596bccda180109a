//! Connections that have not shown the token yet: at most a few, the oldest of which gives way to a
//! new one.
//!
//! Anybody on this machine can open connections and send nothing. People who know the token must
//! not have to wait for such connections. So connections are always accepted, and one that has
//! shown the token is never closed for another.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::task::AbortHandle;

/// The connections that have not shown the token, the oldest first.
#[derive(Clone, Default)]
pub(super) struct Strangers {
    waiting: Arc<Mutex<Waiting>>,
}

#[derive(Default)]
struct Waiting {
    last_number: u64,
    connections: VecDeque<(u64, AbortHandle)>,
}

/// A connection that may be closed for a newer one until it is [`Self::known`].
#[derive(Clone)]
pub(super) struct Stranger {
    number: u64,
    strangers: Strangers,
}

impl Strangers {
    /// A new connection.
    pub(super) fn arrive(&self) -> Stranger {
        let mut waiting = self.waiting();
        waiting.last_number += 1;
        Stranger {
            number: waiting.last_number,
            strangers: self.clone(),
        }
    }

    /// Lets `stranger` wait. Its work is ended by `handle`. Where `most` wait already, the oldest
    /// is closed.
    pub(super) fn let_wait(&self, stranger: &Stranger, handle: AbortHandle, most: usize) {
        let mut waiting = self.waiting();
        while waiting.connections.len() >= most.max(1) {
            if let Some((_, oldest)) = waiting.connections.pop_front() {
                oldest.abort();
            }
        }
        waiting.connections.push_back((stranger.number, handle));
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stranger {
    /// Notes that the connection has shown the token, or has ended: it gives way to no other.
    pub(super) fn known(&self) {
        let mut waiting = self.strangers.waiting();
        waiting
            .connections
            .retain(|(number, _)| *number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_gives_way_unless_it_is_known() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .expect("there is a runtime");
        runtime.block_on(async {
            let strangers = Strangers::default();
            let arrive = || {
                let stranger = strangers.arrive();
                let work = tokio::spawn(std::future::pending::<()>());
                strangers.let_wait(&stranger, work.abort_handle(), 2);
                (stranger, work)
            };
            let (first, known) = arrive();
            first.known();
            let (_, second) = arrive();
            let (_, third) = arrive();
            let (_, fourth) = arrive();
            assert!(second.await.is_err_and(|error| error.is_cancelled()));
            let is_there = [known, third, fourth].map(|work| !work.is_finished());
            assert_eq!(is_there, [true; 3]);
        });
    }
}
