//! Going on with another number of processes: the states of old shares are sent to the processes to
//! which they belong now.
//!
//! Level by level the states take the way of successors, as if the search had just found them: each
//! process reads old shares, keeps its own states, and sends the others to their owners. Until all
//! states are there, the old shares count; from then on the new ones do, and the old ones are
//! removed.

use super::Divided;
use super::parcels::alone;
use super::shares::OldShares;
use crate::external::OnDisk;
use crate::frontier::{Beside, Expanded, FollowedSteps, Frontier};
use crate::halt::Halt;
use crate::outcome::{ProgressSink, SearchProgress, Statistics};
use crate::stretch::{Round, Stretch};
use crate::stubborn::Sampling;
use base::diag::Result;
use machine::packing::PackedState;

impl Divided {
    /// Moves the states of `old` shares to the shares of the present processes; that of this one is
    /// `share`. After each level `progress` hears how many states were moved. No limit of states
    /// counts here.
    pub(super) fn move_in<S: PackedState>(
        &mut self,
        share: &mut OnDisk<S>,
        old: OldShares,
        progress: &ProgressSink,
    ) -> Result<(), Halt> {
        for level in 1..old.levels {
            for from in &old.shares {
                let mut places = from.level(level);
                while !places.is_empty() {
                    let end = places.end.min(places.start + share.piece_states());
                    let states = alone(&*self.exchange, from.read(places.start..end))?;
                    places.start = end;
                    self.move_states(share, &states)?;
                }
            }
            self.finish_moved(share, &old, level)?;
            progress.hear(&self.moved(share));
        }
        self.alone(share.prepare())?;
        self.gather(&[])?;
        self.alone(share.publish(old.resumed))?;
        self.gather(&[])?;
        let removed = old.shares.into_iter().map(|share| share.remove());
        let mut removed = removed.chain(old.rest.into_iter().map(|share| share.remove()));
        alone(&*self.exchange, removed.try_for_each(|removed| removed))
    }

    /// The progress of the moving, counted over all processes.
    fn moved(&self, share: &dyn Frontier) -> SearchProgress {
        let last = share.last_level();
        self.progress(SearchProgress {
            statistics: Statistics {
                states: last.end,
                transitions: share.followed_before().transitions,
                levels: share.ends().len() as u64,
                spilled: share.taken(Beside::default()).spilled,
                ..Statistics::default()
            },
            waiting: last.end - last.start,
            expanded: last.start,
            ..SearchProgress::default()
        })
    }

    /// Enters some states, or sends them to their owners.
    fn move_states(&mut self, share: &mut dyn Frontier, states: &[u64]) -> Result<(), Halt> {
        let words = self.incoming.batch.word_count();
        let part = (states.len() / words).div_ceil(self.limits.threads.count()) * words;
        let stretches = states.chunks(part).map(|states| {
            let mut stretch = Stretch::new(words);
            stretch.batch.extend(states);
            self.route(share, &mut stretch);
            stretch
        });
        let (mut stretches, wrong) = (stretches.collect::<Vec<_>>(), None);
        let stretches = &mut stretches[..];
        self.enter(share, &mut Round { stretches, wrong })
    }

    /// Makes a level of the states that were moved.
    fn finish_moved(
        &mut self,
        share: &mut dyn Frontier,
        old: &OldShares,
        level: usize,
    ) -> Result<(), Halt> {
        // Transitions count in the process that reads the share. The sampling is the same in all
        // shares, but a process need not have read any.
        let here = old.shares.iter().map(|share| share.followed(level));
        let transitions = here.clone().map(|one| one.transitions).sum();
        let sampling = here.map(|one| one.sampling).max().unwrap_or_default();
        let said = self.finish_exchange(share, &[sampling.number()])?;
        let sampling = said.iter().map(|said| Sampling::from_number(said.words[1]));
        let limits = self.limits.clone();
        let expanded = Expanded {
            followed: FollowedSteps {
                transitions,
                sampling: sampling.max().unwrap_or_default(),
            },
            beside: Beside::default(),
            limits: &limits,
        };
        self.finish_level(share, &expanded)
    }
}
