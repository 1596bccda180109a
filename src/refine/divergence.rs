//! Divergence: which states of the search can do τ for ever.
//!
//! Depth first along τ from each state of a level that the search has expanded, remembering for all
//! searches which states were left for good: so each state is left once, and all of them together
//! cost as much as the search itself at most. With symmetry it runs on representatives. A cycle of
//! those is a divergence too: going round it takes a state to its image under a symmetry, which has
//! a finite order, so going round as often comes back to the state itself.
//!
//! Where the search follows a part of the transitions, so does this one: if τ is possible for ever,
//! it is for ever among the τ that are followed (`stubborn/README.md`, section 4).
//!
//! What was found out about states can be forgotten where memory is short: only what the present
//! state leads to cannot. A limit of states is one of those that are known at a time: a search that
//! forgot some comes further, and never to another verdict.

mod known;
mod segments;
mod steps;

pub(super) use self::known::FollowedStates;
use self::segments::Segments;
pub(super) use self::steps::TauSteps;
use super::halt::Halt;
use super::outcome::StopReason;
use super::product::Product;
use base::diag::Result;
use machine::packing::PackedState;
use machine::successors::Scratch;
use symmetry::representative::Representative;

/// What is known about divergence so far.
pub(super) struct Divergence<'a> {
    steps: TauSteps<'a>,
    /// States that τ leads from or to.
    known: FollowedStates,
    /// States still to be entered, those of each open state together.
    waiting: Segments<u64>,
    open: Segments<Entered>,
    /// More bytes are not held to know what others led to, unless one state alone led to as much.
    budget: usize,
    /// The most bytes that one state took, since memory was short.
    largest: usize,
    /// More states are not known at a time.
    limit: usize,
    words: usize,
    /// States that were entered.
    entered: usize,
    /// The first number of the present search.
    first: usize,
    /// How many states were forgotten.
    forgotten: u64,
}

/// How much was followed along τ so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct TauProgress {
    /// How many states.
    pub(super) states: u64,
    /// Bytes of memory that are held.
    pub(super) bytes: u64,
    /// Bytes of them that are needed for what the present state leads to.
    pub(super) own_bytes: u64,
}

/// Whether there is memory to go on with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MemoryLeft {
    Enough,
    /// What can be forgotten is to be forgotten.
    Short,
}

/// Asked now and then how to go on; fails if the search is to end.
pub(super) type Ask<'a> = &'a mut dyn FnMut(TauProgress) -> Result<MemoryLeft, Halt>;

/// [`Ask`] is called again when this many states more were entered.
const PATIENCE: usize = if cfg!(test) { 16 } else { 4096 };

/// It may hold this many bytes however short memory is.
const LEAST: usize = 1 << 18;

/// A state that the depth-first search has entered and not left.
#[derive(Clone, Copy, Default)]
struct Entered {
    number: usize,
    /// Where what it leads to starts among the waiting states.
    waiting: usize,
}

impl<'a> Divergence<'a> {
    /// Nothing known yet of this product, and not more than `limit` states are known at a time.
    pub(super) fn new(product: &'a Product<'a>, limit: Option<u64>) -> Self {
        let words = product.packing.words();
        let limit = limit.and_then(|limit| usize::try_from(limit).ok());
        Self {
            steps: TauSteps::new(product),
            known: FollowedStates::new(words),
            waiting: Segments::new(words),
            open: Segments::new(1),
            budget: usize::MAX,
            largest: 0,
            limit: limit.unwrap_or(usize::MAX),
            words,
            entered: 0,
            first: 0,
            forgotten: 0,
        }
    }

    /// The τ that it follows.
    pub(super) fn steps(&mut self) -> &mut TauSteps<'a> {
        &mut self.steps
    }

    /// Lets it hold at most `bytes` bytes, and more only where a single state leads to more.
    pub(super) fn bound(&mut self, bytes: usize) {
        self.budget = bytes;
    }

    /// Forgets all, between two searches, and gives its memory back. What was found out is still
    /// so: forgetting costs time only.
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

    /// Forgets what was found out before the present search. None of its own states, so that it
    /// ends as soon as it would else.
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

    /// States that were followed along τ; those that were forgotten and followed again count again.
    pub(super) fn followed(&self) -> u64 {
        self.forgotten + self.known.len() as u64
    }

    /// Bytes of memory held.
    pub(super) fn memory_bytes(&self) -> usize {
        self.known.memory_bytes() + self.waiting.memory_bytes() + self.open.memory_bytes()
    }

    /// Bytes of them that the last search cannot do without.
    pub(super) fn own_bytes(&self) -> usize {
        let stacks =
            self.waiting.bytes_of(self.waiting.len()) + self.open.bytes_of(self.open.len());
        self.known.bytes_of(self.own()) + stacks
    }

    /// Whether `state`, a representative, can do τ for ever. Once this says that it can, or fails,
    /// no other state can be asked about.
    pub(super) fn diverges<S: PackedState, R: Representative<S>>(
        &mut self,
        product: &Product<'_>,
        representative: &mut R,
        state: &S,
        ask: Ask<'_>,
    ) -> Result<bool, Halt> {
        // Of what one state led to, many of the next level are: that is not forgotten for their
        // sake.
        if self.known.has(state.words()) {
            return Ok(false);
        }
        if self.memory_bytes() > self.allowed() {
            self.forget();
        }
        let answer = self.follow(product, representative, state, ask);
        self.largest = self.largest.max(self.own_bytes());
        answer
    }

    /// Bytes that may be held to know what others led to. What one state took there was room for:
    /// with as much again the next ones need not be followed anew each time.
    fn allowed(&self) -> usize {
        self.budget.max(self.largest.saturating_mul(2))
    }

    /// States that the present search entered.
    fn own(&self) -> usize {
        self.known.len() - self.first
    }

    /// Whether a state that is not known yet can do τ for ever.
    fn follow<S: PackedState, R: Representative<S>>(
        &mut self,
        product: &Product<'_>,
        representative: &mut R,
        state: &S,
        ask: Ask<'_>,
    ) -> Result<bool, Halt> {
        self.first = self.known.len();
        let (number, _) = self.known.enter(state.words());
        let mut current = state.clone();
        let mut scratch = Scratch::new(self.words);
        self.enter(product, representative, number, &current, &mut scratch);
        while let Some(&[open]) = self.open.last() {
            let Some(last) = self.waiting.len().checked_sub(1) else {
                self.leave(open);
                continue;
            };
            if last < open.waiting {
                self.leave(open);
                continue;
            }
            current.load(self.waiting.get(last));
            self.waiting.truncate(last);
            if self.known.is_full() {
                self.ask_before_growing(ask)?;
            }
            match self.known.enter(current.words()) {
                (number, true) => {
                    self.enter(product, representative, number, &current, &mut scratch);
                }
                (number, false) if self.known.is_left(number) => {}
                // It was entered and not left, so it is on the way to the present state: a cycle.
                (_, false) => return Ok(true),
            }
            if self.known.len() > self.limit {
                return Err(Halt::Stopped(StopReason::StateLimit));
            }
            self.entered += 1;
            if self.entered.is_multiple_of(PATIENCE) {
                self.ask(ask)?;
            }
        }
        Ok(false)
    }

    /// Asks before memory is taken, unless enough of what is held is for what others led to, and
    /// can be forgotten instead.
    fn ask_before_growing(&mut self, ask: Ask<'_>) -> Result<(), Halt> {
        // What is kept is moved, so that there has to be more to forget.
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

    /// How much was followed so far.
    pub(super) fn so_far(&self) -> TauProgress {
        TauProgress {
            states: self.followed(),
            bytes: self.memory_bytes() as u64,
            own_bytes: self.own_bytes() as u64,
        }
    }

    fn leave(&mut self, open: Entered) {
        self.known.leave(open.number);
        self.open.truncate(self.open.len() - 1);
    }

    fn enter<S: PackedState, R: Representative<S>>(
        &mut self,
        product: &Product<'_>,
        representative: &mut R,
        number: usize,
        state: &S,
        scratch: &mut Scratch<S>,
    ) {
        let Self {
            steps,
            waiting,
            open,
            ..
        } = self;
        open.push(&[Entered {
            number,
            waiting: waiting.len(),
        }]);
        let wait = &mut |words: &[u64]| waiting.push(words);
        steps.for_each(product, representative, (state, scratch), wait);
    }
}
