//! Merging sorted lists on all threads, each in a range of its own.
//!
//! Every list is cut at the same states, which samples of them suggest. The states of a range are
//! written in order, and ranges are put one after the other, so all states are in order. So the
//! result depends on neither the number of ranges nor the places of the cuts.

use std::fs::File;
use std::io;

use super::cursor::Cursor;
use super::list::List;
use super::memory::Workspace;
use super::merge::Merge;
use super::records::{RecordLayout, RecordWriter, compare};
use crate::halt::Halt;
use crate::outcome::StopReason;
use base::cancel::Cancellation;
use base::diag::Result;
use base::threads::Threads;
use machine::packing::PackedState;

/// The most states of each list that are read to find where to cut.
const SAMPLES: u64 = 32;

/// The number of states of each range after which the token is asked again.
const PATIENCE: usize = 1 << 18;

/// The number of states below which a range of their own is not worth it.
pub(super) const SMALLEST: u64 = 1 << 13;

/// The states of one range that are in the lists and not known, on their way to a file.
pub(super) struct MergedRange<'f, S> {
    merge: Merge<'f, S>,
    known: Vec<Cursor<'f, S>>,
    pub(super) writer: RecordWriter<'f>,
    state: S,
    is_over: bool,
    failed: Option<io::Error>,
}

/// The bounds of a range of states: the first state, and the state before which it ends.
pub(super) type Bounds<S> = (Option<S>, Option<S>);

/// Up to `most` ranges with about as many states of the lists each, and at least `least` states.
pub(super) fn ranges<S: PackedState>(
    lists: &[List<'_>],
    layout: &RecordLayout,
    most: usize,
    least: u64,
) -> io::Result<Vec<Bounds<S>>> {
    let total = lists.iter().map(List::count).sum::<u64>();
    let count = (total / least.max(1)).min(most as u64).max(1);
    let mut samples: Vec<(S, u64)> = Vec::new();
    let mut bytes = Vec::new();
    // One range needs no cuts, and so nothing is read for it.
    for list in lists.iter().filter(|_| count > 1) {
        let taken = SAMPLES.min(list.count());
        for number in 0..taken {
            let mut state = S::zero(layout.words);
            let place = list.places.start + list.count() * number / taken;
            list.read(place, &mut bytes, &mut state)?;
            samples.push((state, list.count() / taken));
        }
    }
    samples.sort_unstable_by(|(one, _), (other, _)| compare(one.words(), other.words()));
    let mut cuts: Vec<S> = Vec::new();
    let mut before = 0;
    for (state, weight) in samples {
        // About `before` states are below this one: it is time to cut where they are the next part
        // of all.
        let is_due = before * count >= total * (cuts.len() as u64 + 1);
        let is_higher = cuts.last().is_none_or(|last| last.words() != state.words());
        if is_due && is_higher && (cuts.len() as u64) < count - 1 {
            cuts.push(state);
        }
        before += weight;
    }
    let from = std::iter::once(None).chain(cuts.iter().cloned().map(Some));
    let to = cuts.iter().cloned().map(Some).chain([None]);
    Ok(from.zip(to).collect())
}

impl<'f, S: PackedState> MergedRange<'f, S> {
    /// The states that `lists` have in a range and `known` have not, to be written after the first
    /// `before` states of `file`.
    pub(super) fn new(
        (lists, known): (&[List<'f>], &[List<'f>]),
        (from, to): &Bounds<S>,
        workspace: &'f mut Workspace,
        layout: &RecordLayout,
        (file, before): (&'f File, u64),
    ) -> io::Result<Self> {
        let all = lists.iter().chain(known);
        let states = all.map(List::count).sum();
        let files = lists.len() + known.len();
        let (mut buffers, written) = workspace.buffers(files, states, layout);
        let mut cursors = |lists: &[List<'f>]| -> io::Result<Vec<Cursor<'f, S>>> {
            let buffers = lists.iter().zip(&mut buffers);
            let cursors = buffers.map(|(list, buffer)| {
                let list = list.between(from.as_ref(), to.as_ref())?;
                Cursor::new(&list, buffer)
            });
            cursors.collect()
        };
        Ok(Self {
            merge: Merge::new(cursors(lists)?),
            known: cursors(known)?,
            writer: RecordWriter::new(file, layout, before, written),
            state: S::zero(layout.words),
            is_over: false,
            failed: None,
        })
    }

    /// Goes on for the next `states` states.
    fn go_on(&mut self, states: usize) -> io::Result<()> {
        for _ in 0..states {
            if !self.merge.next(&mut self.state)? {
                self.is_over = true;
                return self.writer.flush();
            }
            if !is_among(&self.state, &mut self.known)? {
                self.writer.push(&self.state)?;
            }
        }
        Ok(())
    }
}

/// True if one of the lists has the state. Each list is taken on to where the state would be.
#[inline]
fn is_among<S: PackedState>(state: &S, lists: &mut [Cursor<'_, S>]) -> io::Result<bool> {
    for list in lists {
        if list.finds(state)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Writes all parts, unless they have more than `most` states or `token` ends the work.
pub(super) fn write<S: PackedState>(
    parts: &mut [MergedRange<'_, S>],
    threads: &Threads,
    most: u64,
    token: &Cancellation,
) -> Result<(), Halt> {
    loop {
        threads.each(parts, |_, part| {
            if !part.is_over {
                part.failed = part.go_on(PATIENCE).err();
            }
        });
        let failed = parts.iter_mut().find_map(|part| part.failed.take());
        failed.map_or(Ok(()), Err)?;
        if parts.iter().map(|part| part.writer.count).sum::<u64>() > most {
            return Err(Halt::Stopped(StopReason::StateLimit));
        }
        if parts.iter().all(|part| part.is_over) {
            return Ok(());
        }
        // `PATIENCE` is so large that the token looks at the clock each time.
        let looked = token.look(PATIENCE);
        looked.map_err(|_| Halt::Stopped(StopReason::Cancelled))?;
    }
}
