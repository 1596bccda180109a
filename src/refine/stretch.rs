//! Consecutive states of a level on their way through a round: their successors, and their
//! offences.

use std::ops::Range;

use super::kinds::ViolationKind;
use super::offence::Offence;
use super::store::Batch;
use super::stubborn::ChosenSteps;

/// Consecutive states of a level, and their successors. Each thread writes to its stretch all the
/// time: no two are in one cache line, or in a pair of lines, which processors fetch together.
#[repr(align(128))]
pub(super) struct Stretch {
    /// The states.
    pub(super) numbers: Range<u32>,
    /// True if the states were expanded, or as many of them as there was room for.
    pub(super) is_expanded: bool,
    /// The representatives of their successors; the successors themselves, where the frontier
    /// represents them.
    pub(super) batch: Batch,
    /// By process, the words of successors that the process keeps, where states are divided; they
    /// are not in the batch.
    pub(super) away: Vec<Vec<u64>>,
    /// By expanded state, the ends of its parts of the batch and of the transitions.
    ends: Vec<End>,
    /// The states that can do τ but cannot come to rest, where divergences count.
    pub(super) internal: Vec<u32>,
    /// The first state with something wrong, and its offence: nothing after the state was expanded.
    pub(super) wrong: Option<(u32, Offence)>,
    /// All that is wrong in the stretch, one of each kind, where more than the first violation is
    /// wanted; then `wrong` is `None`.
    pub(super) offences: Vec<(u32, Offence, ViolationKind)>,
    /// The states of the stretch with something wrong, where such states are skipped; then `wrong`
    /// is `None`.
    pub(super) skipped: Vec<u32>,
    /// Transitions followed, those of the wrong state included.
    pub(super) transitions: u64,
    /// The transitions at those pairs at which stubborn sets were chosen.
    pub(super) chosen: ChosenSteps,
}

/// The result of a round of stretches.
pub(super) struct Round<'r> {
    /// The stretches in order, up to the first with something wrong.
    pub(super) stretches: &'r mut [Stretch],
    /// The first state with something wrong, and its offence. The state is in the last stretch.
    pub(super) wrong: Option<(u32, Offence)>,
}

/// The numbers of candidates and transitions of a stretch up to the end of one state.
#[derive(Clone, Copy, Debug)]
struct End {
    candidates: u32,
    transitions: u32,
}

impl Stretch {
    /// An empty stretch, for states of `words` words.
    pub(super) fn new(words: usize) -> Self {
        Self {
            numbers: 0..0,
            is_expanded: false,
            batch: Batch::new(words),
            away: Vec::new(),
            ends: Vec::new(),
            internal: Vec::new(),
            wrong: None,
            offences: Vec::new(),
            skipped: Vec::new(),
            transitions: 0,
            chosen: ChosenSteps::default(),
        }
    }

    /// Makes this the stretch of the states with these numbers, not expanded yet.
    pub(super) fn reset(&mut self, numbers: Range<u32>) {
        self.numbers = numbers;
        self.is_expanded = false;
        self.batch.clear();
        self.away.iter_mut().for_each(Vec::clear);
        self.ends.clear();
        self.internal.clear();
        self.wrong = None;
        self.offences.clear();
        self.skipped.clear();
        self.transitions = 0;
        self.chosen = ChosenSteps::default();
    }

    /// Becomes a copy of `other`, in the memory that this stretch has.
    pub(super) fn copy(&mut self, other: &Self) {
        self.numbers = other.numbers.clone();
        self.is_expanded = other.is_expanded;
        self.batch.copy(&other.batch);
        self.away.clone_from(&other.away);
        self.ends.clone_from(&other.ends);
        self.internal.clone_from(&other.internal);
        self.wrong = other.wrong;
        self.offences.clone_from(&other.offences);
        self.skipped.clone_from(&other.skipped);
        self.transitions = other.transitions;
        self.chosen = other.chosen;
    }

    /// Notes that one more state was expanded.
    pub(super) fn end_state(&mut self) {
        self.ends.push(End {
            candidates: self.batch.len() as u32,
            transitions: self.transitions as u32,
        });
    }

    /// Bytes of memory held.
    pub(super) fn memory_bytes(&self) -> usize {
        let internal = self.internal.capacity() * size_of::<u32>();
        let away = self.away.iter().map(|words| words.capacity());
        let away = away.sum::<usize>() * size_of::<u64>();
        self.batch.memory_bytes() + away + self.ends.capacity() * size_of::<End>() + internal
    }

    /// The states for which there was no room. There are none if the stretch was not expanded or a
    /// state was wrong: then the search does not come back to the stretch.
    pub(super) fn rest(&self) -> Range<u32> {
        let is_over = self.wrong.is_some() || !self.is_expanded;
        let expanded = if is_over {
            self.numbers.len()
        } else {
            self.ends.len()
        };
        self.numbers.start + expanded as u32..self.numbers.end
    }

    /// The number of transitions of the states before the one that leads to this candidate.
    pub(super) fn transitions_before(&self, candidate: usize) -> u64 {
        let state = self
            .ends
            .partition_point(|end| end.candidates as usize <= candidate);
        let before = state.checked_sub(1).map(|state| self.ends[state]);
        before.map_or(0, |end| u64::from(end.transitions))
    }
}
