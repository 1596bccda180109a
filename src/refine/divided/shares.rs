//! The shares of a search on disk with which its processes go on: as they are, or divided anew.
//!
//! Each process reports the shares that it can see, so all know the same. The last division of
//! which every share is seen counts. If each process has the share of its own number at home, they
//! go on with these. Else every share has a reader, the first process that sees it, and its states
//! go to the processes to which they belong now (`moving`).
//!
//! A process that was killed may have finished a level that another has not, and a machine without
//! power may have lost several levels. So all go back to the last level that all have. *Why that is
//! right.* The states of a level depend only on those of the level before, and the owner of a state
//! only on the state and on the number of processes. So the states of a share up to a level do not
//! depend on whether later levels were found; and all shares together, up to that level, are the
//! states that the search had found when it had finished the level.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher, RandomState};

use super::agreement::ended;
use super::parcels::{alone, gathered};
use crate::external::failure::missing;
use crate::external::{DiskPlan, Division, OldShare, OnDisk, SeenShare, SeenShares, ShareStamp};
use crate::halt::Halt;
use crate::outcome::CheckOptions;
use crate::shared_search::SharedSearch;
use base::diag::Result;
use cluster::Exchange;
use machine::packing::PackedState;

/// The states to be moved to a share before it counts.
pub(super) struct OldShares {
    /// The shares that this process reads.
    pub(super) shares: Vec<OldShare>,
    /// The number of levels that all of them have.
    pub(super) levels: usize,
    /// The number of levels before, to be reported.
    pub(super) resumed: Option<u64>,
    /// Other shares of the search that are left, and that this process removes.
    pub(super) rest: Vec<SeenShare>,
}

/// Opens the share of this process, which has the state `initial` if that is its own. Returns also
/// the shares whose states are to be moved to it.
pub(super) fn open_share<S: PackedState>(
    plan: &DiskPlan<'_>,
    shared: &SharedSearch,
    options: &CheckOptions,
    initial: Option<&S>,
) -> Result<(OnDisk<S>, Option<OldShares>), Halt> {
    let exchange = &*shared.exchange;
    let mut seen = alone(exchange, SeenShares::look(plan.spill, exchange.process()))?;
    let mut said = vec![RandomState::new().build_hasher().finish()];
    said.extend(seen.shares.iter().flat_map(words));
    let said = gathered(exchange, &said, &options.cancellation)?;
    let all = SharesOfAll::of(&said);
    let chosen = all.last_division();
    if let (None, Some(problem)) = (chosen, seen.problem()) {
        return alone(exchange, Err(Box::new(problem)));
    }
    // All processes find this out for themselves, so none is told.
    if let Some(lost) = chosen.and_then(|division| all.missing(division)) {
        return Err(Box::new(missing(&plan.spill.directory, lost)).into());
    }
    let processes = exchange.processes();
    let opening = ShareOpening {
        plan,
        exchange,
        options,
        all,
    };
    match chosen {
        Some(division) if opening.all.are_at_home(division, processes) => {
            let share = opening.resumed::<S>(seen, division)?;
            Ok((share, None))
        }
        _ => {
            let (share, old) = opening.begun(seen, chosen, said[0][0], initial)?;
            Ok((share, Some(old)))
        }
    }
}

/// All that the opening of a share needs.
struct ShareOpening<'o> {
    plan: &'o DiskPlan<'o>,
    exchange: &'o dyn Exchange,
    options: &'o CheckOptions,
    all: SharesOfAll,
}

impl ShareOpening<'_> {
    /// Goes on with the share of this process, up to the last level that all processes have.
    fn resumed<S: PackedState>(
        &self,
        mut seen: SeenShares<'_>,
        division: Division,
    ) -> Result<OnDisk<S>, Halt> {
        let exchange = self.exchange;
        let CheckOptions {
            cancellation: token,
            threads,
            ..
        } = self.options;
        let own = stamp(division, exchange.process());
        let Some(own) = seen.take(own) else {
            // This process has reported that it sees the share, so it cannot be missing.
            return Err(ended(token));
        };
        let (mut share, known) = alone(exchange, self.plan.resume_share::<S>(own))?;
        let levels = self.common(Some(known.len()))?;
        if levels < known.len() {
            alone(exchange, share.cut(&known[..levels], threads, token))?;
        }
        share.is_resumed(Some(levels as u64));
        for other in self.removed(seen) {
            alone(exchange, other.remove())?;
        }
        Ok(share)
    }

    /// Begins a new share of this process in a new division, named `run`. Returns also the shares
    /// of the `chosen` division, if there is one, whose states this process is to move.
    fn begun<S: PackedState>(
        &self,
        mut seen: SeenShares<'_>,
        chosen: Option<Division>,
        run: u64,
        initial: Option<&S>,
    ) -> Result<(OnDisk<S>, OldShares), Halt> {
        let (plan, exchange) = (self.plan, self.exchange);
        let mut shares = Vec::new();
        let old = chosen.into_iter().flat_map(shares_of);
        for old in old.filter(|stamp| self.is_read_here(stamp)) {
            let opened = seen.take(old).map(|share| plan.open_old(share));
            shares.extend(alone(exchange, opened.transpose())?);
        }
        let division = Division {
            generation: self.all.next_generation(),
            run,
            processes: exchange.processes() as u64,
        };
        let own = stamp(division, exchange.process());
        let share = alone(exchange, plan.begin_share(&mut seen, own, initial))?;
        let levels = match chosen {
            Some(_) => self.common(shares.iter().map(OldShare::level_count).min())?,
            None => 1,
        };
        let before = chosen.map_or(0, |_| levels as u64);
        let old = OldShares {
            shares,
            levels,
            resumed: plan.spill.resumes.then_some(before),
            rest: self.removed(seen),
        };
        Ok((share, old))
    }

    /// The number of levels that all shares have, where those that this process reads have
    /// `levels`.
    fn common(&self, levels: Option<usize>) -> Result<usize, Halt> {
        let here: Vec<u64> = levels.map(|levels| levels as u64).into_iter().collect();
        let said = gathered(self.exchange, &here, &self.options.cancellation)?;
        let least = said.iter().flatten().min();
        Ok(least.map_or(1, |&levels| levels as usize))
    }

    fn is_read_here(&self, stamp: &ShareStamp) -> bool {
        self.all.reader(stamp) == Some(self.exchange.process())
    }

    /// The shares that this process removes, of those that are left.
    fn removed(&self, seen: SeenShares<'_>) -> Vec<SeenShare> {
        let mut left = seen.shares;
        left.retain(|share| self.is_read_here(&share.stamp));
        left
    }
}

/// The words by which a process reports a share that it can see.
fn words(share: &SeenShare) -> [u64; 5] {
    let ShareStamp { division, process } = share.stamp;
    let flags = u64::from(share.is_published) + 2 * u64::from(share.is_home);
    let Division {
        generation,
        run,
        processes,
    } = division;
    [generation, run, processes, process, flags]
}

/// The places where a share was seen.
#[derive(Clone, Copy, Debug)]
struct SharePlace {
    reader: usize,
    is_published: bool,
    /// True if the process of the same number has it at home.
    is_at_home: bool,
}

/// The shares that all processes can see.
#[derive(Default)]
struct SharesOfAll(BTreeMap<ShareStamp, SharePlace>);

impl SharesOfAll {
    /// The shares that the processes have reported.
    fn of(said: &[Vec<u64>]) -> Self {
        let mut all = Self::default();
        for (process, words) in said.iter().enumerate() {
            for share in words[1..].as_chunks::<5>().0 {
                let [generation, run, processes, number, flags] = *share;
                let division = Division {
                    generation,
                    run,
                    processes,
                };
                let is_own = flags & 2 > 0 && number == process as u64;
                let place = all.0.entry(ShareStamp {
                    division,
                    process: number,
                });
                let place = place.or_insert(SharePlace {
                    reader: process,
                    is_published: false,
                    is_at_home: false,
                });
                place.is_published |= flags & 1 > 0;
                if is_own {
                    // A share that is near is read faster.
                    (place.reader, place.is_at_home) = (process, true);
                }
            }
        }
        all
    }

    /// The process that reads a share.
    fn reader(&self, stamp: &ShareStamp) -> Option<usize> {
        self.0.get(stamp).map(|place| place.reader)
    }

    /// The last division that counts: one all of whose shares are seen, if there is one.
    fn last_division(&self) -> Option<Division> {
        let published = self.0.iter().filter(|(_, place)| place.is_published);
        let divisions = published.map(|(stamp, _)| stamp.division);
        divisions.max_by_key(|&division| (self.missing(division).is_none(), division))
    }

    /// The first share of a division that no process sees.
    fn missing(&self, division: Division) -> Option<ShareStamp> {
        shares_of(division).find(|stamp| !self.0.contains_key(stamp))
    }

    /// True if each of `processes` processes has the share of its number at home.
    fn are_at_home(&self, division: Division, processes: usize) -> bool {
        let is_at_home = |stamp| self.0.get(&stamp).is_some_and(|place| place.is_at_home);
        division.processes == processes as u64 && shares_of(division).all(is_at_home)
    }

    fn next_generation(&self) -> u64 {
        let generations = self.0.keys().map(|stamp| stamp.division.generation + 1);
        generations.max().unwrap_or(0)
    }
}

fn shares_of(division: Division) -> impl Iterator<Item = ShareStamp> {
    (0..division.processes).map(move |process| ShareStamp { division, process })
}

fn stamp(division: Division, process: usize) -> ShareStamp {
    ShareStamp {
        division,
        process: process as u64,
    }
}
