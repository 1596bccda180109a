//! The search itself: levels are expanded from disk, and what they lead to becomes the next level there.

use std::io;
use std::ops::Range;

use super::candidates::Collector;
use super::disk::Disk;
use super::failure::failed;
use super::records::{Block, Layout};
use super::{Spill, resume};
use crate::diag::Result;
use crate::machine::packing::PackedState;
use crate::refine::ancestors;
use crate::refine::check::{
    CheckOptions, CheckResult, Control, Outcome, Progress, Spilled, Statistics, StopReason,
};
use crate::refine::divergence::Answer;
use crate::refine::path::Wrong;
use crate::refine::product::Product;
use crate::refine::search::Observer;
use crate::refine::team::{States, Team};
use crate::symmetry::representative::{Method, Representative};

/// At most so many bytes of states are expanded at a time.
const PIECE: usize = 1 << 20;

/// So many bytes of each file are read at a time, if memory allows.
const READ: usize = 1 << 18;

/// As much of the budget is for states that were lately candidates, for candidates, for the last levels, and for what is expanded.
const FILTER_SHARE: usize = 4;
const BUFFER_SHARE: usize = 2;
const YOUNG_SHARE: usize = 16;
const PIECE_SHARE: usize = 8;

/// More bytes of the last levels are not kept in memory: a level of ten states should not cost much more than that.
const YOUNG: usize = 1 << 19;

/// A search for a pair that does what its specification does not allow, on disk.
pub(in crate::refine) struct External<'a, S, R> {
    team: Team<'a, S, R>,
    disk: Disk,
    /// What each thread collects.
    collectors: Vec<Collector>,
    budget: usize,
    max_states: Option<u64>,
    /// Of the levels before, and of the present one so far.
    transitions: u64,
    /// Where divergences count, the places of the states of the level that can do τ.
    internal: Vec<u64>,
    /// How many levels were on disk before.
    resumed: Option<u64>,
    /// And how many states.
    resumed_states: u64,
    /// The most bytes of memory that were held at the end of a level.
    most_held: usize,
    block: Block,
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
        let young = YOUNG.min(spill.budget / YOUNG_SHARE);
        let initial = team.initial();
        let (disk, resumed) = resume::disk(spill, &layout, initial.words(), young)?;
        let threads = team.threads.count();
        let share = |part: usize| spill.budget / part / threads;
        let (filter, buffer) = (share(FILTER_SHARE), share(BUFFER_SHARE));
        Ok(Self {
            collectors: Collector::all(threads, &layout, filter, buffer),
            budget: spill.budget,
            max_states: options.max_states,
            transitions: disk.transitions,
            internal: Vec::new(),
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
        for collector in &mut self.collectors {
            // What is left is removed when the search goes on.
            let _ = collector.clear(&self.disk.folder);
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
    fn expand(&mut self, observer: Observer<'_>) -> io::Result<Option<(u64, Ended)>> {
        self.internal.clear();
        let mut left = self.disk.level();
        while !left.is_empty() {
            let places = self.next_piece(&mut left);
            let mut block = std::mem::take(&mut self.block);
            self.disk.read(&mut block, places.clone())?;
            let ended = self.expand_piece(&block, places, observer)?;
            self.block = block;
            if ended.is_some() {
                return Ok(ended);
            }
        }
        self.diverge(observer)
    }

    /// Takes the next of the places that are left.
    fn next_piece(&self, left: &mut Range<u64>) -> Range<u64> {
        let size = self
            .disk
            .layout
            .states_in(PIECE.min(self.budget / PIECE_SHARE)) as u64;
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
                let internal = stretch.internal.drain(..);
                let internal = internal.map(|number| places.start + u64::from(number));
                self.internal.extend(internal);
            }
            if let Some((_, number, wrong)) = wrong {
                let place = places.start + u64::from(number);
                return Ok(Some((place, Ended::Wrong(wrong))));
            }
            self.collect(count)?;
            let mut progress = self.progress();
            progress.waiting = u64::from(self.team.left());
            progress.waiting += self.disk.level().end - places.end;
            if observer(&progress) == Control::Stop {
                let reason = StopReason::Observer;
                return Ok(Some((places.start, Ended::Stopped(reason))));
            }
        }
    }

    /// Collects what the first `count` stretches lead to.
    fn collect(&mut self, count: usize) -> io::Result<()> {
        let Self {
            team,
            collectors,
            disk,
            ..
        } = self;
        let round = &mut team.stretches[..count];
        team.threads
            .share(collectors, round, |collector, _, stretch| {
                collector.take(stretch.batch.words(), &disk.folder);
            });
        collectors.iter_mut().try_for_each(Collector::check)
    }

    /// Looks for a state of the level that can do τ for ever.
    fn diverge(&mut self, observer: Observer<'_>) -> io::Result<Option<(u64, Ended)>> {
        let (progress, held) = (self.progress(), self.team.memory_bytes() as u64);
        let mut is_stopped = |followed, bytes: u64| {
            let mut progress = progress;
            progress.statistics.memory_bytes += bytes - held;
            progress.followed = followed;
            observer(&progress) == Control::Stop
        };
        let mut state = S::zero(self.disk.layout.words);
        let mut block = Block::default();
        let mut left = self.disk.level();
        for place in std::mem::take(&mut self.internal) {
            if block.get(&self.disk.layout, place).is_none() {
                left.start = place;
                let places = self.next_piece(&mut left);
                self.disk.read(&mut block, places)?;
            }
            if let Some(words) = block.get(&self.disk.layout, place) {
                state.load(words);
            }
            match self.team.diverges(&state, &mut is_stopped) {
                None | Some(Answer::Rests) => {}
                Some(Answer::Stopped(reason)) => {
                    // So that it is known how far it was.
                    is_stopped(self.team.followed(), self.team.memory_bytes() as u64);
                    return Ok(Some((place, Ended::Stopped(reason))));
                }
                Some(Answer::Diverges) => {
                    return Ok(Some((place, Ended::Wrong(Wrong::Divergence))));
                }
            }
        }
        Ok(None)
    }

    /// Makes the next level of what was collected; says so if that is too much or was given up.
    fn finish_level(&mut self, observer: Observer<'_>) -> io::Result<Option<StopReason>> {
        self.most_held = self.most_held.max(self.held());
        let progress = self.progress();
        let mut is_stopped = || observer(&progress) == Control::Stop;
        let Self {
            collectors, disk, ..
        } = self;
        self.team
            .threads
            .each(collectors, |_, collector| collector.sort());
        let mut files = disk.run_count() + 1;
        for collector in collectors.iter() {
            files += collector.file_count();
        }
        let read = READ.min(self.budget / BUFFER_SHARE / files);
        let size = disk.layout.states_in(read);
        let mut lists = Vec::new();
        for collector in collectors.iter_mut() {
            lists.append(&mut collector.lists(size)?);
        }
        let most = self.max_states.unwrap_or(u64::MAX);
        let stopped = disk.add_level(lists, self.transitions, most, size, &mut is_stopped)?;
        for collector in collectors {
            collector.clear(&disk.folder)?;
        }
        Ok(stopped)
    }

    /// What to say about the state of the last level at `place`, with which something is wrong.
    fn violated(
        &mut self,
        place: u64,
        wrong: Wrong,
        observer: Observer<'_>,
    ) -> io::Result<Result<Outcome>> {
        let progress = self.progress();
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
        let progress = self.progress();
        let (disk, layout) = (&self.disk, &self.disk.layout);
        let count = disk.level().end;
        let size = layout.states_in(PIECE) as u64;
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

    fn progress(&self) -> Progress {
        Progress {
            statistics: self.statistics_so_far(),
            waiting: 0,
            growth: 0,
            followed: self.team.followed(),
        }
    }

    /// Bytes of memory that are held.
    fn held(&self) -> usize {
        let collected = self.collectors.iter().map(Collector::memory_bytes);
        let block = self.block.states.capacity() * size_of::<u64>();
        let others = self.team.memory_bytes() + self.disk.memory_bytes() + block;
        collected.sum::<usize>() + others
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
            }),
        }
    }
}

/// Why a level was not expanded to its end.
enum Ended {
    Wrong(Wrong),
    Stopped(StopReason),
}
