//! Divergence: finding states of the search that can do τ for ever.
//!
//! A search depth first goes along τ from each state of a level that was expanded. All these
//! searches share which states were left for good: so each state is left once, and all of them
//! together cost at most as much as the search breadth first. With symmetry they run on
//! representatives. A cycle of representatives is a divergence too: going round it takes a state to
//! its image under a symmetry, which has a finite order, so going round as often comes back to the
//! state itself.
//!
//! Where the search breadth first follows a part of the transitions, so does the search along τ: if
//! τ is possible for ever, it is for ever among the τ that are followed (`stubborn/README.md`,
//! section 4).
//!
//! Where states are divided between processes, a search depth first would wait for another process
//! at each step. So each process follows τ among its own states, and sends each τ to a state of
//! another process to that process. A state all of whose τ lead to states that were left is left
//! too, and the states that wait for it are told (Kahn, *Topological Sorting of Large Networks*,
//! CACM 1962, backwards): in one process that is how a search depth first goes back. The states
//! that are not left when no process has anything to tell any more can do τ for ever. *Proof.* A
//! state is left only if it has no τ, or all of its τ lead to states that were left before: by
//! induction it does τ only finitely often. Each state that is not left has a τ to another such
//! state, which was entered too; so τ goes on for ever. In one process, a state that is met before
//! it is left is on the way to the present one, so that nothing else need be followed.
//!
//! Findings about states can be forgotten where memory is short, except those about states that the
//! present one leads to. A limit of states limits those that are known at a time: a search that
//! forgot some comes further, and never to another verdict.

mod known;
mod segments;
mod waiters;

use self::known::FollowedStates;
use self::segments::Segments;
use self::waiters::Waiters;
pub(super) use self::waiters::{LEFT, TAU};
use super::halt::Halt;
use super::outcome::StopReason;
use base::diag::Result;

/// The findings about divergence so far.
pub(super) struct Divergence {
    /// States that τ leads from or to.
    known: FollowedStates,
    /// States still to be entered, those of each open state together.
    waiting: Segments<u64>,
    open: Segments<Entered>,
    /// The states that wait for others to be left, where states are divided between processes.
    waiters: Option<Waiters>,
    /// The words of the state that is entered.
    current: Vec<u64>,
    /// The most bytes that are held for states that earlier searches followed, unless one state
    /// alone led to as much.
    budget: usize,
    /// The most bytes that the search from one state took, since memory was short.
    largest: usize,
    /// The most states that are known at a time.
    limit: usize,
    /// The number of times that a state was entered, known or not.
    entered: usize,
    /// The number of the first state of the present search.
    first: usize,
    /// The number of states that were forgotten.
    forgotten: u64,
}

/// The progress along τ so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct TauProgress {
    /// The number of states that were followed.
    pub(super) states: u64,
    /// Bytes of memory that are held.
    pub(super) bytes: u64,
    /// Bytes of memory that are needed for the states to which the present one leads.
    pub(super) own_bytes: u64,
}

/// The answer to how much memory is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MemoryLeft {
    Enough,
    /// Everything that can be forgotten is to be forgotten.
    Short,
}

/// The function that is asked now and then how to go on; it fails if the search is to end.
pub(super) type Ask<'a> = &'a mut dyn FnMut(TauProgress) -> Result<MemoryLeft, Halt>;

/// A function that is given the words of a pair and another function. It calls the other with the
/// words of the representative of each pair that a τ leads to.
pub(super) type EachTau<'t> = &'t mut dyn FnMut(&[u64], &mut dyn FnMut(&[u64]));

/// The number of states that are entered between two calls of [`Ask`].
const PATIENCE: usize = if cfg!(test) { 16 } else { 4096 };

/// The number of bytes that may be held however short memory is.
const LEAST: usize = 1 << 18;

/// A state that the depth-first search has entered and not left.
#[derive(Clone, Copy, Default)]
struct Entered {
    number: usize,
    /// The place among the waiting states where those that it leads to start.
    waiting: usize,
}

/// The result of one step.
enum TauStep {
    Done,
    /// A cycle of τ was found.
    Cycle,
    /// There is nothing to be followed.
    Over,
}

impl Divergence {
    /// Knows nothing yet about states of `words` words, and at most `limit` of them at a time.
    pub(super) fn new(words: usize, limit: Option<u64>) -> Self {
        let limit = limit.and_then(|limit| usize::try_from(limit).ok());
        Self {
            known: FollowedStates::new(words),
            waiting: Segments::new(words),
            open: Segments::new(1),
            waiters: None,
            current: vec![0; words],
            budget: usize::MAX,
            largest: 0,
            limit: limit.unwrap_or(usize::MAX),
            entered: 0,
            first: 0,
            forgotten: 0,
        }
    }

    /// Knows nothing yet about the states of this `process` of several.
    pub(super) fn divided(words: usize, process: usize, processes: usize) -> Self {
        let mut divided = Self::new(words, None);
        divided.waiters = Some(Waiters::new(words, process, processes));
        divided
    }

    /// Bounds the memory to `bytes` bytes; more is held only where a single state leads to more.
    pub(super) fn bound(&mut self, bytes: usize) {
        self.budget = bytes;
    }

    /// Forgets all states, between two searches, and gives the memory back. Forgetting costs time
    /// only: no answer changes.
    pub(super) fn forget(&mut self) {
        self.open.truncate(0);
        self.waiting.truncate(0);
        // All states count as those of earlier searches then.
        self.first = self.known.len();
        self.forget_others();
        self.release();
    }

    /// Gives back the memory that is not used.
    fn release(&mut self) {
        self.known.release();
        self.waiting.release();
        self.open.release();
    }

    /// Forgets the states of earlier searches. Those of the present search are kept, so that it
    /// ends as soon as it would otherwise.
    fn forget_others(&mut self) {
        let first = std::mem::take(&mut self.first);
        if first == 0 {
            return;
        }
        self.forgotten += first as u64;
        self.known.forget(first);
        // The states that are kept have lower numbers now.
        for place in 0..self.open.len() {
            self.open.get_mut(place)[0].number -= first;
        }
    }

    /// The number of states that were followed along τ; those that were forgotten and followed
    /// again count again.
    pub(super) fn followed(&self) -> u64 {
        self.forgotten + self.known.len() as u64
    }

    /// Bytes of memory held.
    pub(super) fn memory_bytes(&self) -> usize {
        let waiters = self.waiters.as_ref().map_or(0, Waiters::memory_bytes);
        let stacks = self.waiting.memory_bytes() + self.open.memory_bytes();
        self.known.memory_bytes() + stacks + waiters
    }

    /// Bytes of memory that the last search cannot do without.
    pub(super) fn own_bytes(&self) -> usize {
        let stacks =
            self.waiting.bytes_of(self.waiting.len()) + self.open.bytes_of(self.open.len());
        self.known.bytes_of(self.own()) + stacks
    }

    /// True if `state`, a representative, can do τ for ever. After that answer, or an error, no
    /// other state can be asked about.
    pub(super) fn diverges(
        &mut self,
        state: &[u64],
        taus: EachTau<'_>,
        ask: Ask<'_>,
    ) -> Result<bool, Halt> {
        // Many states of a level were met by a search from the level before. Their answer comes
        // before anything is forgotten.
        if self.known.has(state) {
            return Ok(false);
        }
        if self.memory_bytes() > self.allowed() {
            self.forget();
        }
        let answer = self.follow(state, taus, ask);
        self.largest = self.largest.max(self.own_bytes());
        answer
    }

    /// The most bytes that may be held for states that earlier searches followed. There was room
    /// for what one state led to: with as much again, the states after it need not be followed anew
    /// each time.
    fn allowed(&self) -> usize {
        self.budget.max(self.largest.saturating_mul(2))
    }

    /// The number of states that the present search entered.
    fn own(&self) -> usize {
        self.known.len() - self.first
    }

    /// True if `state`, which is not known yet, can do τ for ever.
    fn follow(&mut self, state: &[u64], taus: EachTau<'_>, ask: Ask<'_>) -> Result<bool, Halt> {
        self.first = self.known.len();
        let (number, _) = self.known.enter(state);
        self.begin(number, taus);
        loop {
            match self.step(taus, ask)? {
                TauStep::Done => {}
                TauStep::Cycle => return Ok(true),
                TauStep::Over => return Ok(false),
            }
        }
    }

    /// Enters a state, or leaves one.
    #[inline]
    fn step(&mut self, taus: EachTau<'_>, ask: Ask<'_>) -> Result<TauStep, Halt> {
        let Some(&[open]) = self.open.last() else {
            return Ok(TauStep::Over);
        };
        let last = self.waiting.len().checked_sub(1);
        let Some(last) = last.filter(|&last| last >= open.waiting) else {
            self.leave(open);
            return Ok(TauStep::Done);
        };
        self.current.copy_from_slice(self.waiting.get(last));
        self.waiting.truncate(last);
        let from = open.number - self.first;
        if let Some(waiters) = &mut self.waiters
            && waiters.sends(from as u32, &self.current)
        {
            return Ok(TauStep::Done);
        }
        if self.known.is_full() {
            self.ask_before_growing(ask)?;
        }
        let (number, is_new) = self.known.enter(&self.current);
        if !is_new && self.known.is_left(number) {
            return self.count_entered(ask);
        }
        match &mut self.waiters {
            Some(waiters) => {
                if is_new {
                    waiters.add();
                }
                waiters.wait(from as u32, (number - self.first) as u32);
            }
            // It was entered and not left, so it is on the way to the present state: a cycle.
            None if !is_new => return Ok(TauStep::Cycle),
            None => {}
        }
        if is_new {
            self.begin(number, taus);
        }
        self.count_entered(ask)
    }

    /// Counts a state that was entered, known before or not. Asks from time to time how to go on.
    fn count_entered(&mut self, ask: Ask<'_>) -> Result<TauStep, Halt> {
        if self.known.len() > self.limit {
            return Err(Halt::Stopped(StopReason::StateLimit));
        }
        self.entered += 1;
        if self.entered.is_multiple_of(PATIENCE) {
            self.ask(ask)?;
        }
        Ok(TauStep::Done)
    }

    /// Asks before memory is taken, unless enough of what is held belongs to earlier searches,
    /// which can be forgotten instead.
    fn ask_before_growing(&mut self, ask: Ask<'_>) -> Result<(), Halt> {
        // The states that are kept are moved, so there have to be enough others to forget.
        if self.memory_bytes() >= self.allowed() && self.first > self.own() / 2 {
            self.forget_others();
            return Ok(());
        }
        self.ask(ask)
    }

    /// Asks whether to go on, and forgets and gives back as much as it can where memory is short.
    fn ask(&mut self, ask: Ask<'_>) -> Result<(), Halt> {
        if ask(self.so_far())? == MemoryLeft::Short {
            self.budget = self.budget.min((self.memory_bytes() / 2).max(LEAST));
            self.largest = 0;
            self.forget_others();
            self.release();
            ask(self.so_far())?;
        }
        Ok(())
    }

    /// The progress so far.
    pub(super) fn so_far(&self) -> TauProgress {
        TauProgress {
            states: self.followed(),
            bytes: self.memory_bytes() as u64,
            own_bytes: self.own_bytes() as u64,
        }
    }

    /// Leaves a state, all τ of which were followed.
    fn leave(&mut self, open: Entered) {
        self.open.truncate(self.open.len() - 1);
        match &mut self.waiters {
            Some(waiters) => waiters.lose((open.number - self.first) as u32),
            None => self.known.leave(open.number),
        }
    }

    /// Begins to follow a state.
    fn begin(&mut self, number: usize, taus: EachTau<'_>) {
        let Self {
            known,
            waiting,
            open,
            ..
        } = self;
        open.push(&[Entered {
            number,
            waiting: waiting.len(),
        }]);
        taus(known.state(number), &mut |words| waiting.push(words));
    }
}

/// The part that only a search divided between processes needs.
impl Divergence {
    /// Does a part of the work of this process. Returns false if there is none.
    pub(super) fn works(&mut self, taus: EachTau<'_>, ask: Ask<'_>) -> Result<bool, Halt> {
        let first = self.first;
        let waiters = self.waiters();
        if let Some(place) = waiters.left.pop() {
            waiters.tell(place);
            self.known.leave(first + place as usize);
        } else if let TauStep::Over = self.step(taus, ask)? {
            let Some(place) = self.waiters().roots.pop() else {
                return Ok(false);
            };
            self.begin(first + place as usize, taus);
        }
        Ok(true)
    }

    /// The states that wait for others to be left.
    pub(super) fn waiters(&mut self) -> &mut Waiters {
        let words = self.current.len();
        self.waiters
            .get_or_insert_with(|| Waiters::new(words, 0, 1))
    }

    /// Adds a state to be followed. Returns its number, and true if it was not known.
    pub(super) fn add_root(&mut self, words: &[u64]) -> (usize, bool) {
        let (number, is_new) = self.known.enter(words);
        if is_new {
            let place = (number - self.first) as u32;
            let waiters = self.waiters();
            waiters.add();
            waiters.roots.push(place);
        }
        (number, is_new)
    }

    /// Enters τ that lead from states of `process`, each given by its place, to the states whose
    /// words follow.
    pub(super) fn lead(&mut self, process: usize, said: &[u64]) {
        for message in said.chunks_exact(1 + self.current.len()) {
            let from = message[0] as u32;
            let (number, _) = self.add_root(&message[1..]);
            if self.known.is_left(number) {
                self.waiters().tell_one(process, from);
            } else {
                // All states of earlier levels were left, so this state is one of the present level
                // and has a place.
                let place = (number - self.first) as u32;
                self.waiters().add_edge(process, from, place);
            }
        }
    }

    /// Notes that the states at these places wait for one thing less.
    pub(super) fn lose(&mut self, places: &[u64]) {
        let waiters = self.waiters();
        places.iter().for_each(|&place| waiters.lose(place as u32));
    }

    /// The words of the least of these states that still waits; `None` if none does.
    pub(super) fn least_waiting(&self, numbers: &[usize]) -> Option<Vec<u64>> {
        let waiting = numbers
            .iter()
            .filter(|&&number| !self.known.is_left(number));
        let least = waiting.map(|&number| self.known.state(number)).min();
        least.map(<[u64]>::to_vec)
    }

    /// Makes all that is known count as found in earlier levels.
    pub(super) fn close(&mut self) {
        self.first = self.known.len();
        self.waiters().clear();
    }
}
