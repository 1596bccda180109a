//! Moving the states of a search to shares of another number of processes.
//!
//! Level by level they are entered as what a level leads to is: each process reads old shares,
//! keeps what is its own, and sends the others theirs. So everything is as if the search had found
//! them so. Until all of them are there, the old shares count; from then on the new ones do, and
//! the old ones are removed.

use super::Divided;
use super::parcels::{alone, gathered};
use super::shares::OldShares;
use crate::frontier::{Beside, Expanded, FollowedSteps, Frontier};
use crate::halt::Halt;
use crate::outcome::{ProgressSink, SearchProgress, Statistics};
use crate::stubborn::Sampling;
use crate::worker::Stretch;
use base::diag::Result;
use machine::packing::PackedState;
use symmetry::representative::Representative;

impl<S: PackedState, R: Representative<S>> Divided<S, R> {
    /// Moves the states of `old` shares to those of the processes that are there now, which count
    /// from then on. After each level `progress` hears how many are there.
    pub(super) fn move_in(&mut self, old: OldShares, progress: &ProgressSink) -> Result<(), Halt> {
        for level in 1..old.levels {
            for share in &old.shares {
                let mut places = share.level(level);
                while !places.is_empty() {
                    let end = places.end.min(places.start + old.piece_states);
                    let states = alone(&*self.exchange, share.read(places.start..end))?;
                    places.start = end;
                    self.move_states(&states)?;
                }
            }
            self.move_level(&old, level)?;
            progress.hear(&self.moved());
        }
        let exchange = self.exchange.clone();
        alone(&*exchange, self.share.prepare())?;
        gathered(&*exchange, &[], &self.token)?;
        alone(&*exchange, self.share.publish(old.resumed))?;
        gathered(&*exchange, &[], &self.token)?;
        let removed = old.shares.into_iter().map(|share| share.remove());
        let mut removed = removed.chain(old.rest.into_iter().map(|share| share.remove()));
        alone(&*exchange, removed.try_for_each(|removed| removed))
    }

    /// How far the moving is, counted over all processes.
    fn moved(&self) -> SearchProgress {
        let levels = self.share.level_count();
        let last = self.share.level(levels - 1);
        self.progress(SearchProgress {
            statistics: Statistics {
                states: last.end,
                transitions: self.share.followed_before().transitions,
                levels: levels as u64,
                spilled: self.share.spilled(),
                ..Statistics::default()
            },
            waiting: last.end - last.start,
            expanded: last.start,
            ..SearchProgress::default()
        })
    }

    /// Enters some states, or sends them to those to which they belong.
    fn move_states(&mut self, states: &[u64]) -> Result<(), Halt> {
        let words = self.incoming.batch.word_count();
        let part = (states.len() / words).div_ceil(self.threads.count()) * words;
        let stretches = states.chunks(part).map(|states| {
            let mut stretch = Stretch::new(words);
            stretch.batch.extend(states);
            self.divide(&mut stretch);
            stretch
        });
        let mut stretches: Vec<Stretch> = stretches.collect();
        self.enter_own(&mut stretches)?;
        self.pass_on()
    }

    /// Makes a level of the states that were moved.
    fn move_level(&mut self, old: &OldShares, level: usize) -> Result<(), Halt> {
        // What was followed counts where it is read. Where sets are chosen is the same in all
        // shares, but a process need not have read any.
        let followed = old.shares.iter().map(|share| share.followed(level));
        let here = followed.fold(FollowedSteps::default(), |all, one| FollowedSteps {
            transitions: all.transitions + one.transitions,
            sampling: all.sampling.max(one.sampling),
        });
        let said = self.finish_exchange(&[here.sampling.number()])?;
        let sampling = said.iter().map(|said| Sampling::from_number(said.words[1]));
        let (threads, token) = (self.threads.clone(), self.token.clone());
        let expanded = Expanded {
            followed: FollowedSteps {
                sampling: sampling.max().unwrap_or_default(),
                ..here
            },
            most_states: u64::MAX,
            beside: Beside {
                round: 0,
                divergence: 0,
            },
            threads: &threads,
            token: &token,
        };
        alone(&*self.exchange, self.share.find_new(&expanded))?;
        alone(&*self.exchange, self.share.finish_level(&expanded))
    }
}
