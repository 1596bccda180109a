//! The search itself: levels are expanded from disk, and what they lead to becomes the next level there.

use std::io;
use std::ops::Range;

use super::candidates::Collector;
use super::disk::{Disk, Found, Merging};
use super::failure::failed;
use super::memory::{LEAST, Shares, Workspace, divided};
use super::records::{Block, Layout};
use super::{Spill, resume};
use crate::diag::Result;
use crate::machine::packing::PackedState;
use crate::refine::ancestors;
use crate::refine::divergence::Answer;
use crate::refine::outcome::{
    CheckOptions, CheckResult, Control, Outcome, SearchProgress, Spilled, Statistics, StopReason,
};
use crate::refine::path::Wrong;
use crate::refine::product::Product;
use crate::refine::search::Observer;
use crate::refine::states::States;
use crate::refine::team::Team;
use crate::symmetry::representative::{Method, Representative};

/// A search for a pair that does what its specification does not allow, on disk.
pub(in crate::refine) struct External<'a, S, R> {
    team: Team<'a, S, R>,
    disk: Disk,
    hands: Vec<Hand>,
    budget: usize,
    /// It never gets less than this.
    least: usize,
    shares: Shares,
    max_states: Option<u64>,
    /// Of the levels before, and of the present one so far.
    transitions: u64,
    /// Where divergences count, which states of the piece that is expanded can do τ.
    internal: Vec<u32>,
    /// How many states were expanded before.
    expanded_before: u64,
    /// How many levels were on disk before.
    resumed: Option<u64>,
    /// And how many states.
    resumed_states: u64,
    /// The most bytes of memory that were held at the end of a level.
    most_held: usize,
    block: Block,
}

/// What each thread collects, and what it reads and writes files through.
struct Hand {
    collector: Collector,
    workspace: Workspace,
}

/// States of a level, in memory.
struct Piece<'b>(&'b [u64]);

impl States for Piece<'_> {
    #[inline]
    fn load<S: PackedState>(&self, number: u32, state: &mut S) {
        let words = state.words().len();
        state.load(&self.0[number as usize * words..][..words]);
    }
}

impl<'a, S: PackedState, R: Representative<S>> External<'a, S, R> {
    /// Begins a search, or finds out where it was stopped.
    pub(in crate::refine) fn open(
        product: &'a Product<'a>,
        representative: R,
        options: &CheckOptions,
        spill: &Spill,
    ) -> Result<Self> {
        let layout = Layout::new(&product.packing);
        let mut team = Team::new(product, representative, options);
        let threads = team.threads.count();
        let (budget, divergence) = divided(spill.budget, team.follows());
        let shares = Shares::of(budget, threads);
        team.bound(shares.round);
        team.bound_divergence(divergence);
        let initial = team.initial();
        let (disk, resumed) = resume::disk(spill, &layout, &initial, shares.young)?;
        let hand = |number| Hand {
            collector: Collector::new(number, &layout, &shares, threads),
            workspace: Workspace::new(&shares, &layout),
        };
        Ok(Self {
            hands: (0..threads).map(hand).collect(),
            budget: spill.budget,
            least: LEAST.min(spill.budget),
            shares,
            max_states: options.max_states,
            transitions: disk.transitions,
            internal: Vec::new(),
            expanded_before: disk.level().start,
            most_held: 0,
            block: Block::default(),
            team,
            // The initial state is one that a search begins with.
            resumed_states: match resumed {
                None | Some(0) => 0,
                Some(_) => disk.level().end,
            },
            disk,
            resumed,
        })
    }

    /// Lets orbits be counted by `exact` at the end.
    pub(in crate::refine) fn counting(mut self, exact: Option<&Method>) -> Self {
        self.team.count_by(exact);
        self
    }

    /// Makes rounds so short that small systems have many.
    #[cfg(test)]
    pub(in crate::refine) fn in_stretches_of(mut self, successors: u64) -> Self {
        self.team.shorten(successors);
        self.disk.divide_all();
        self.disk.sync_always(false);
        self.least = 0;
        self
    }

    /// Has each level on the disk itself.
    #[cfg(test)]
    pub(in crate::refine) fn syncing(mut self) -> Self {
        self.disk.sync_always(true);
        self
    }

    /// Breadth first, level by level.
    pub(in crate::refine) fn run(mut self, observer: Observer<'_>) -> Result<CheckResult> {
        let path = self.disk.folder.path().to_path_buf();
        let result = self.search(observer);
        result.unwrap_or_else(|error| failed(&path, &error).into())
    }

    /// The same; the outer error is one of the disk.
    fn search(&mut self, observer: Observer<'_>) -> io::Result<Result<CheckResult>> {
        let outcome = loop {
            if self.disk.level().is_empty() {
                break Outcome::Holds;
            }
            if let Some((place, wrong)) = self.expand(observer)? {
                match wrong {
                    Ended::Wrong(wrong) => match self.violated(place, wrong, observer)? {
                        Ok(outcome) => break outcome,
                        Err(problem) => return Ok(Err(problem)),
                    },
                    Ended::Stopped(reason) => break Outcome::Stopped(reason),
                }
            }
            if let Some(reason) = self.finish_level(observer)? {
                break Outcome::Stopped(reason);
            }
        };
        for hand in &mut self.hands {
            // What is left is removed when the search goes on.
            let _ = hand.collector.clear(&self.disk.folder);
        }
        let mut statistics = self.statistics_so_far();
        if outcome == Outcome::Holds {
            statistics.extra_states = self.extra_states(observer)?;
        }
        Ok(Ok(CheckResult {
            outcome,
            statistics,
        }))
    }

    /// Expands the last level, and looks for divergence from its states. Gives the place where that ends before all was looked at, and why.
    /// What is wrong with any state of the level counts before divergence.
    fn expand(&mut self, observer: Observer<'_>) -> io::Result<Option<(u64, Ended)>> {
        let mut left = self.disk.level();
        let mut diverged = None;
        while !left.is_empty() {
            let places = self.next_piece(&mut left);
            let mut block = std::mem::take(&mut self.block);
            self.disk.read(&mut block, places.clone())?;
            let mut ended = self.expand_piece(&block, places, observer)?;
            if ended.is_none() && diverged.is_none() {
                diverged = self.diverge(&block, observer)?;
                let given_up = |&(_, ended): &(u64, Ended)| {
                    matches!(ended, Ended::Stopped(StopReason::Observer))
                };
                ended = diverged.filter(given_up);
            }
            self.block = block;
            if ended.is_some() {
                return Ok(ended);
            }
        }
        Ok(diverged)
    }

    /// Takes the next of the places that are left.
    fn next_piece(&self, left: &mut Range<u64>) -> Range<u64> {
        // States are there as they were read as well, and with the number of each.
        let size = self.disk.layout.states_in(self.shares.piece / 3) as u64;
        let piece = left.start..left.end.min(left.start + size);
        left.start = piece.end;
        piece
    }

    fn expand_piece(
        &mut self,
        block: &Block,
        places: Range<u64>,
        observer: Observer<'_>,
    ) -> io::Result<Option<(u64, Ended)>> {
        self.internal.clear();
        self.team.begin(0..(places.end - places.start) as u32);
        loop {
            let expanded = places.end - u64::from(self.team.left());
            let successors = self.transitions / expanded.max(1);
            let states = Piece(&block.states);
            let Some(count) = self.team.round(&states, successors, |_| {}) else {
                return Ok(None);
            };
            let wrong = self.team.wrong(count);
            let count = wrong.map_or(count, |(place, ..)| place + 1);
            for stretch in &mut self.team.stretches[..count] {
                self.transitions += stretch.transitions;
                self.internal.append(&mut stretch.internal);
            }
            if let Some((_, number, wrong)) = wrong {
                let place = places.start + u64::from(number);
                return Ok(Some((place, Ended::Wrong(wrong))));
            }
            self.collect(count)?;
            let waiting = u64::from(self.team.left()) + self.disk.level().end - places.end;
            let mut progress = self.progress(waiting);
            progress.spare = self.spare();
            match observer(&progress) {
                Control::Continue => {}
                Control::Less => self.hold_less()?,
                Control::Stop => {
                    let reason = StopReason::Observer;
                    return Ok(Some((places.start, Ended::Stopped(reason))));
                }
            }
        }
    }

    /// Bytes of memory that it would do without, between two searches for divergence.
    fn spare(&self) -> u64 {
        (self.budget - self.least + self.team.memory_bytes()) as u64
    }

    /// Takes half of the memory from now on; where that would be too little, forgets what is known about divergence.
    fn hold_less(&mut self) -> io::Result<()> {
        let budget = (self.budget / 2).max(self.least);
        if budget == self.budget {
            self.team.forget_divergence();
            return Ok(());
        }
        self.budget = budget;
        let (budget, divergence) = divided(budget, self.team.follows());
        self.shares = Shares::of(budget, self.hands.len());
        self.team.bound(self.shares.round);
        self.team.bound_divergence(divergence);
        resize::<S>(&mut self.hands, &self.shares, &self.disk)
    }

    /// Collects what the first `count` stretches lead to.
    fn collect(&mut self, count: usize) -> io::Result<()> {
        let Self {
            team, hands, disk, ..
        } = self;
        let round = &mut team.stretches[..count];
        // Taken here, where what is given back is used again: threads that work together have memory of their own.
        let hands = &mut hands[..];
        for hand in hands.iter_mut().take(count) {
            hand.collector.prepare();
        }
        team.threads.share(hands, round, |hand, _, stretch| {
            let Hand {
                collector,
                workspace,
            } = hand;
            collector.take::<S>(stretch.batch.words(), &disk.folder, workspace);
        });
        hands.iter_mut().try_for_each(|hand| hand.collector.check())
    }

    /// Looks for a state of the piece that can do τ for ever.
    ///
    /// What is known about divergence is kept in memory, because the search for it is depth first. When that is short, all else
    /// makes room, and what is known from following other states is forgotten, to be found out again if need be.
    fn diverge(
        &mut self,
        block: &Block,
        observer: Observer<'_>,
    ) -> io::Result<Option<(u64, Ended)>> {
        let expanded = block.start + self.disk.layout.count(&block.states) as u64;
        let progress = self.progress(self.disk.level().end - expanded);
        let Self {
            team,
            hands,
            budget,
            least,
            shares,
            disk,
            internal,
            ..
        } = self;
        let held = team.memory_bytes() as u64;
        let mut failed = None;
        let mut ask = |followed, bytes: u64, own: u64| {
            let mut progress = progress;
            progress.statistics.memory_bytes += bytes - held.min(bytes);
            // So that it is known what did not fit, also where the search is ended from outside.
            let spilled = &mut progress.statistics.spilled;
            spilled
                .iter_mut()
                .for_each(|now| now.divergence_bytes = own);
            progress.followed = followed;
            progress.spare = bytes.saturating_sub(own) + (*budget - *least) as u64;
            let control = observer(&progress);
            if control == Control::Less && *budget > *least {
                *budget = *least;
                *shares = Shares::of(divided(*budget, true).0, hands.len());
                failed = resize::<S>(hands, shares, disk).err();
            }
            if failed.is_some() {
                return Control::Stop;
            }
            control
        };
        let mut state = S::zero(disk.layout.words);
        let mut found = None;
        for number in internal.drain(..) {
            let place = block.start + u64::from(number);
            Piece(&block.states).load(number, &mut state);
            match team.diverges(&state, &mut ask) {
                None | Some(Answer::Rests) => {}
                Some(Answer::Stopped(reason)) => {
                    // So that it is known how far it was.
                    let (bytes, own) = (team.memory_bytes(), team.followed_bytes());
                    ask(team.followed(), bytes as u64, own as u64);
                    found = Some((place, Ended::Stopped(reason)));
                    break;
                }
                Some(Answer::Diverges) => {
                    found = Some((place, Ended::Wrong(Wrong::Divergence)));
                    break;
                }
            }
        }
        team.bound(shares.round);
        failed.map_or(Ok(found), Err)
    }

    /// Makes the next level of what was collected; says so if that is too much or was given up.
    fn finish_level(&mut self, observer: Observer<'_>) -> io::Result<Option<StopReason>> {
        self.most_held = self.most_held.max(self.held());
        let progress = self.progress(0);
        let mut is_stopped = || observer(&progress) == Control::Stop;
        let Self {
            team, hands, disk, ..
        } = self;
        team.threads.each(hands, |_, hand| hand.collector.sort());
        let (mut lists, mut workspaces) = (Vec::new(), Vec::new());
        for hand in hands.iter_mut() {
            lists.extend(hand.collector.lists());
            workspaces.push(&mut hand.workspace);
        }
        let found = Found {
            lists,
            transitions: self.transitions,
        };
        let mut merging = Merging {
            threads: &team.threads,
            workspaces,
            is_stopped: &mut is_stopped,
        };
        let most = self.max_states.unwrap_or(u64::MAX);
        let stopped = disk.add_level::<S>(&found, most, &mut merging)?;
        for hand in hands {
            hand.collector.clear(&disk.folder)?;
        }
        self.most_held = self.most_held.max(self.held());
        Ok(stopped)
    }

    /// What to say about the state of the last level at `place`, with which something is wrong.
    fn violated(
        &mut self,
        place: u64,
        wrong: Wrong,
        observer: Observer<'_>,
    ) -> io::Result<Result<Outcome>> {
        let progress = self.progress(0);
        let mut is_stopped = || observer(&progress) == Control::Stop;
        let mut last = S::zero(self.disk.layout.words);
        let mut block = Block::default();
        self.disk.read(&mut block, place..place + 1)?;
        last.load(&block.states);
        let stored = ancestors::path(self.disk.level_count() - 1, last, |level, target| {
            self.parent(level, target, &mut is_stopped)
        })?;
        Ok(match stored {
            Some(stored) => self.team.violated(&stored, wrong),
            None if is_stopped() => Ok(Outcome::Stopped(StopReason::Observer)),
            None => ancestors::no_parent().into(),
        })
    }

    /// The first state of this level that leads to `target`.
    fn parent(
        &mut self,
        level: usize,
        target: &S,
        is_stopped: &mut dyn FnMut() -> bool,
    ) -> io::Result<Option<S>> {
        let mut left = self.disk.level_at(level);
        let mut block = Block::default();
        while !left.is_empty() && !is_stopped() {
            let places = self.next_piece(&mut left);
            self.disk.read(&mut block, places.clone())?;
            let (states, count) = (Piece(&block.states), (places.end - places.start) as u32);
            let found = self
                .team
                .first_parent(&states, 0..count, target, is_stopped);
            if let Some(number) = found {
                let mut parent = target.clone();
                states.load(number, &mut parent);
                return Ok(Some(parent));
            }
        }
        Ok(None)
    }

    /// How many states more than orbits were stored, unless whoever watches says to stop.
    fn extra_states(&mut self, observer: Observer<'_>) -> io::Result<Option<u64>> {
        let progress = self.progress(0);
        let (disk, layout) = (&self.disk, &self.disk.layout);
        let count = disk.level().end;
        let size = layout.states_in(self.shares.piece / 3) as u64;
        let mut block = Block::default();
        let mut problem = None;
        let states = (0..count).map_while(|place| {
            if block.get(layout, place).is_none() {
                let places = place..count.min(place + size);
                problem = disk.read(&mut block, places).err();
            }
            let mut state = S::zero(layout.words);
            state.load(block.get(layout, place).filter(|_| problem.is_none())?);
            Some(state)
        });
        let mut is_stopped = || observer(&progress) == Control::Stop;
        let extra = self.team.extra_states(count, states, &mut is_stopped);
        problem.map_or(Ok(extra), Err)
    }

    /// How far it is if so many states of the level are not expanded yet.
    fn progress(&self, waiting: u64) -> SearchProgress {
        let expanded = self.disk.level().end - waiting;
        SearchProgress {
            statistics: self.statistics_so_far(),
            waiting,
            expanded: expanded - self.expanded_before,
            growth: 0,
            spare: 0,
            followed: self.team.followed(),
        }
    }

    /// Bytes of memory that are held.
    fn held(&self) -> usize {
        let hands = self.hands.iter().map(Hand::memory_bytes).sum::<usize>();
        let team = self.team.memory_bytes() + self.team.round_bytes();
        hands + team + self.disk.memory_bytes() + self.block.memory_bytes()
    }

    fn statistics_so_far(&self) -> Statistics {
        let levels = self.disk.level_count() as u64;
        Statistics {
            states: self.disk.level().end,
            transitions: self.transitions,
            levels: levels - u64::from(self.disk.level().is_empty()),
            specification_states: self.team.product.specification_states,
            memory_bytes: self.most_held.max(self.held()) as u64,
            extra_states: None,
            spilled: Some(Spilled {
                disk_bytes: self.disk.disk_bytes(),
                resumed: self.resumed,
                resumed_states: self.resumed_states,
                divergence_bytes: self.team.followed_bytes() as u64,
            }),
        }
    }
}

impl Hand {
    /// Bytes of memory held.
    fn memory_bytes(&self) -> usize {
        self.collector.memory_bytes() + self.workspace.memory_bytes()
    }
}

/// Gives back the memory of what was collected, to take as much as these shares say when more is.
fn resize<S: PackedState>(hands: &mut [Hand], shares: &Shares, disk: &Disk) -> io::Result<()> {
    let threads = hands.len();
    for hand in hands {
        let workspace = &mut hand.workspace;
        hand.collector
            .release::<S>(shares, threads, &disk.folder, workspace)?;
        *workspace = Workspace::new(shares, &disk.layout);
    }
    Ok(())
}

/// Why a level was not expanded to its end.
#[derive(Clone, Copy)]
enum Ended {
    Wrong(Wrong),
    Stopped(StopReason),
}
