//! The frontier on disk: levels are read from there, and their successors are collected to become
//! the next level.

use std::marker::PhantomData;
use std::ops::Range;

use super::candidates::CandidateCollector;
use super::disk::{Collected, Disk, Merging};
use super::division::ShareStamp;
use super::history::KnownLevel;
use super::memory::{LEAST, Shares, Workspace, divided};
use super::records::{Block, RecordLayout};
use super::resume;
use super::shares::{OldShare, SeenShare, SeenShares};
use crate::frontier::{
    Beside, EntryLimits, Excess, Expanded, FollowedSteps, Frontier, Less, Piece, Shared, Taken,
};
use crate::halt::Halt;
use crate::outcome::Spilled;
use crate::product::Product;
use crate::spill::Spill;
use crate::stretch::{Round, Stretch};
use base::cancel::Cancellation;
use base::diag::Result;
use base::threads::Threads;
use machine::packing::PackedState;

/// The states of a search on disk.
pub(crate) struct OnDisk<S> {
    disk: Disk,
    hands: Vec<Hand>,
    /// Bytes of memory that the search may take.
    budget: usize,
    /// The bytes below which the budget never falls.
    least: usize,
    /// True if findings about divergence have a part of the budget.
    follows: bool,
    shares: Shares,
    /// The number of levels that were on disk before.
    resumed: Option<u64>,
    /// The number of states that were on disk before.
    resumed_states: u64,
    /// The most bytes of memory that were held at the end of a level.
    most_held: usize,
    /// The states of the present piece.
    block: Block,
    /// The form in which states are sorted and merged.
    form: PhantomData<S>,
}

/// The collector of a thread, and the memory through which it reads and writes files.
struct Hand {
    collector: CandidateCollector,
    workspace: Workspace,
}

/// The plan of a search on disk.
pub(crate) struct DiskPlan<'p> {
    pub(crate) spill: &'p Spill,
    layout: RecordLayout,
    threads: usize,
    follows: bool,
    shares: Shares,
}

impl<'p> DiskPlan<'p> {
    /// A plan for a search on these `threads`, in the folder that `spill` says.
    pub(crate) fn new(product: &Product<'_>, threads: &Threads, spill: &'p Spill) -> Self {
        let (threads, follows) = (threads.count(), product.forbids_divergence);
        Self {
            spill,
            layout: RecordLayout::new(&product.packing),
            threads,
            follows,
            shares: Shares::of(divided(spill.budget, follows).0, threads),
        }
    }

    fn form(&self) -> (&RecordLayout, usize) {
        (&self.layout, self.shares.young)
    }

    /// Begins a search at the state `initial`, or goes on where it was stopped.
    pub(crate) fn open<S: PackedState>(&self, initial: &S) -> Result<OnDisk<S>> {
        let (disk, resumed) = resume::disk(self.spill, self.form(), initial)?;
        let mut opened = self.of(disk);
        opened.is_resumed(resumed);
        Ok(opened)
    }

    /// Begins a share, with the state `initial` if that is its own. The share does not count until
    /// it is published.
    pub(crate) fn begin_share<S: PackedState>(
        &self,
        seen: &mut SeenShares<'_>,
        share: ShareStamp,
        initial: Option<&S>,
    ) -> Result<OnDisk<S>> {
        Ok(self.of(seen.begin(share, initial, self.form())?))
    }

    /// Goes on with a share, as far as it came. Returns the known levels too.
    pub(crate) fn resume_share<S: PackedState>(
        &self,
        seen: SeenShare,
    ) -> Result<(OnDisk<S>, Vec<KnownLevel>)> {
        let (disk, known) = seen.resume(self.form())?;
        Ok((self.of(disk), known))
    }

    /// Opens a share that is to be divided anew.
    pub(crate) fn open_old(&self, seen: SeenShare) -> Result<OldShare> {
        seen.open(&self.layout)
    }

    fn of<S: PackedState>(&self, disk: Disk) -> OnDisk<S> {
        let &Self {
            ref layout,
            spill,
            threads,
            follows,
            shares,
        } = self;
        let hand = |number| Hand {
            collector: CandidateCollector::new(number, layout, &shares, threads),
            workspace: Workspace::new(&shares, layout),
        };
        OnDisk {
            hands: (0..threads).map(hand).collect(),
            budget: spill.budget,
            least: LEAST.min(spill.budget),
            follows,
            shares,
            most_held: 0,
            block: Block::default(),
            resumed: None,
            resumed_states: 0,
            disk,
            form: PhantomData,
        }
    }
}

impl<S: PackedState> OnDisk<S> {
    /// Notes that `levels` levels were there before, if the search was gone on with.
    pub(crate) fn is_resumed(&mut self, levels: Option<u64>) {
        self.resumed = levels;
        // A search that begins has its initial state, which does not count as there before.
        self.resumed_states = match levels {
            None | Some(0) => 0,
            Some(_) => self.disk.level().end,
        };
    }

    /// Drops the levels of a share that come after the `known` ones.
    pub(crate) fn cut(
        &mut self,
        known: &[KnownLevel],
        threads: &Threads,
        token: &Cancellation,
    ) -> Result<(), Halt> {
        let cut = self.merging(threads, token, |disk, merging| {
            disk.cut::<S>(known, merging)
        });
        self.named(cut)
    }

    /// Syncs all data to the disk itself, so that the share can be published.
    pub(crate) fn prepare(&mut self) -> Result<(), Halt> {
        let prepared = self.disk.prepare();
        self.named(prepared)
    }

    /// Makes this the share that counts, because all processes have prepared theirs. `resumed` is
    /// the number of levels that there were before, if an earlier search is gone on with.
    pub(crate) fn publish(&mut self, resumed: Option<u64>) -> Result<(), Halt> {
        let published = self.disk.publish();
        self.named(published)?;
        self.is_resumed(resumed);
        Ok(())
    }

    /// The number of states that are looked at together. Beside the unpacked states, memory holds
    /// them as they were read, and the number of each.
    pub(crate) fn piece_states(&self) -> u64 {
        let size = self.disk.layout.states_in(self.shares.piece / 3) as u64;
        size.min(u64::from(u32::MAX))
    }

    /// Divides even small levels between threads, and syncs each level to the disk itself, or none.
    #[cfg(test)]
    pub(crate) fn hurry(&mut self, syncs: bool) {
        self.disk.divide_all();
        self.disk.sync_always(syncs);
        self.least = 0;
    }

    /// The result `done`, with an error of the disk as a problem that names the folder.
    fn named<T>(&self, done: std::result::Result<T, impl Into<Halt>>) -> Result<T, Halt> {
        done.map_err(|error| error.into().in_folder(self.disk.folder.path()))
    }

    /// Collects the candidates of these stretches.
    fn collect(&mut self, round: &mut [Stretch], threads: &Threads) -> Result<(), Halt> {
        let Self { hands, disk, .. } = self;
        // Parcels from other processes come one at a time: all threads get their turn.
        let others = hands.len().saturating_sub(round.len());
        hands.rotate_left(others.min(round.len()));
        // Memory is taken on this thread, where freed memory is used again: threads that work
        // together have memory of their own.
        for hand in hands.iter_mut().take(round.len()) {
            hand.collector.prepare();
        }
        threads.share(hands, round, |hand, _, stretch| {
            let Hand {
                collector,
                workspace,
            } = hand;
            collector.take::<S>(stretch.batch.words(), &disk.folder, workspace);
        });
        let mut collectors = hands.iter_mut().map(|hand| &mut hand.collector);
        Ok(collectors.try_for_each(CandidateCollector::check)?)
    }

    /// Finds the new states among the candidates that were collected. Returns their number.
    fn merge(&mut self, expanded: &Expanded<'_>) -> Result<u64, Halt> {
        let Self { hands, disk, .. } = self;
        let EntryLimits {
            most_states,
            threads,
            token,
        } = expanded.limits;
        threads.each(hands, |_, hand| hand.collector.sort());
        let (mut lists, mut workspaces) = (Vec::new(), Vec::new());
        for hand in hands.iter_mut() {
            lists.extend(hand.collector.lists());
            workspaces.push(&mut hand.workspace);
        }
        let found = Collected {
            lists,
            followed: expanded.followed,
        };
        let mut merging = Merging {
            threads,
            workspaces,
            token,
        };
        let new = disk.find_new::<S>(&found, *most_states, &mut merging)?;
        for hand in hands {
            hand.collector.clear(&disk.folder)?;
        }
        Ok(new)
    }

    /// Does some `work` on the states on disk, by all threads.
    fn merging(
        &mut self,
        threads: &Threads,
        token: &Cancellation,
        work: impl FnOnce(&mut Disk, &mut Merging<'_>) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let workspaces = self.hands.iter_mut().map(|hand| &mut hand.workspace);
        let mut merging = Merging {
            threads,
            workspaces: workspaces.collect(),
            token,
        };
        work(&mut self.disk, &mut merging)
    }

    /// Gives back the memory of the candidates. They take as much as `budget` says when there are
    /// more.
    fn resize(&mut self, budget: usize) -> Result<(), Halt> {
        let threads = self.hands.len();
        self.budget = budget;
        self.shares = Shares::of(divided(budget, self.follows).0, threads);
        for Hand {
            collector,
            workspace,
        } in &mut self.hands
        {
            collector.release::<S>(&self.shares, threads, &self.disk.folder, workspace)?;
            *workspace = Workspace::new(&self.shares, &self.disk.layout);
        }
        Ok(())
    }

    /// Bytes of memory that are held, those `beside` the states included.
    fn held(&self, beside: Beside) -> usize {
        let hands = self.hands.iter().map(Hand::memory_bytes).sum::<usize>();
        let own = hands + self.disk.memory_bytes() + self.block.memory_bytes();
        own + beside.round + beside.divergence
    }
}

impl<S: PackedState> Frontier for OnDisk<S> {
    fn load(&self, number: u32, words: &mut [u64]) {
        let start = number as usize * words.len();
        words.copy_from_slice(&self.block.states[start..start + words.len()]);
    }

    fn ends(&self) -> &[u64] {
        self.disk.ends()
    }

    fn found(&self) -> u64 {
        self.disk.level().end
    }

    fn followed_before(&self) -> FollowedSteps {
        self.disk.followed
    }

    /// Takes as many places as the share of a piece has room for. A state's number is its place in
    /// the block that was read.
    fn piece(&mut self, places: &mut Range<u64>) -> Result<Piece, Halt> {
        let piece = places.start..places.end.min(places.start + self.piece_states());
        places.start = piece.end;
        let read = self.disk.read(&mut self.block, piece.clone());
        self.named(read)?;
        Ok(Piece {
            numbers: 0..(piece.end - piece.start) as u32,
            start: piece.start,
        })
    }

    fn route(&self, _: &mut Stretch) {}

    fn enter(
        &mut self,
        round: &mut Round<'_>,
        limits: &EntryLimits,
    ) -> Result<Option<Excess>, Halt> {
        // A full disk must not hide a wrong state that was found.
        if round.wrong.is_some() {
            return Ok(None);
        }
        let collected = self.collect(round.stretches, &limits.threads);
        self.named(collected)?;
        // The number of new ones is known at the end of the level.
        Ok(None)
    }

    fn find_new(&mut self, expanded: &Expanded<'_>) -> Result<u64, Halt> {
        self.most_held = self.most_held.max(self.held(expanded.beside));
        let found = self.merge(expanded);
        self.named(found)
    }

    fn finish_level(&mut self, expanded: &Expanded<'_>) -> Result<(), Halt> {
        let EntryLimits { threads, token, .. } = expanded.limits;
        let added = self.merging(threads, token, Disk::add_level::<S>);
        self.most_held = self.most_held.max(self.held(expanded.beside));
        self.named(added)
    }

    fn taken(&self, beside: Beside) -> Taken {
        Taken {
            memory_bytes: self.most_held.max(self.held(beside)),
            shared: Some(Shared {
                round: self.shares.round,
                divergence: divided(self.budget, self.follows).1,
                spare: self.budget - self.least,
            }),
            spilled: Some(Spilled {
                disk_bytes: self.disk.disk_bytes(),
                resumed: self.resumed,
                resumed_states: self.resumed_states,
                divergence_bytes: 0,
            }),
        }
    }

    fn hold_less(&mut self, wanted: Less) -> Result<bool, Halt> {
        let budget = match wanted {
            Less::Half => (self.budget / 2).max(self.least),
            Less::Least => self.least,
        };
        if budget == self.budget {
            return Ok(false);
        }
        let resized = self.resize(budget);
        self.named(resized)?;
        Ok(true)
    }

    fn close(&mut self) {
        for hand in &mut self.hands {
            // Files that are left are removed when the search goes on.
            let _ = hand.collector.clear(&self.disk.folder);
        }
    }
}

impl Hand {
    /// Bytes of memory held.
    fn memory_bytes(&self) -> usize {
        self.collector.memory_bytes() + self.workspace.memory_bytes()
    }
}
