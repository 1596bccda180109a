//! What one thread expands states with.

use std::ops::Range;

use super::after_rests::SeenRest;
use super::kinds::{ViolationKind, offences};
use super::offence::Offence;
use super::product::{Allowance, Product};
use super::recent::Recent;
use super::refusals::Offer;
use super::selection::StepSelection;
use super::states::States;
use super::store::Batch;
use super::stubborn::{ChosenSteps, Sampling};
use machine::packing::PackedState;
use machine::successors::Scratch;
use symmetry::representative::Representative;

/// Expands one state after the other. Threads write to theirs all the time: no two are in one cache
/// line, or in a pair of lines, which processors fetch together.
#[repr(align(128))]
pub(super) struct Worker<'a, S, R> {
    product: &'a Product<'a>,
    pub(super) representative: R,
    /// Pairs whose representatives have been in a batch.
    recent: Recent,
    /// What the state that is expanded offers, where refusals count.
    offer: Option<Offer>,
    /// What the specification says where that state is at rest, if that counts.
    rest: SeenRest,
    /// Chooses the transitions that are followed, if not all are.
    selection: Option<StepSelection<'a>>,
    /// The state that is expanded.
    state: S,
    scratch: Scratch<S>,
    twisted: S,
    /// The stretch that is expanded.
    draft: Stretch,
    mode: ExpansionMode,
}

/// How states are expanded.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExpansionMode {
    /// What is done at a state with something wrong.
    pub(super) at_wrong: AtWrong,
    /// Whether pairs are put into the batch as they are, because the frontier represents them.
    pub(super) leaves_raw: bool,
}

/// What is done at a state with something wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AtWrong {
    /// Nothing after it is expanded.
    Stop,
    /// It is noted, and what it leads to is left out; the states after it are expanded.
    Skip,
    /// All that is wrong with it is noted, and it is expanded like any other.
    Collect,
}

/// Consecutive states of a level, and what they lead to. It is aligned like [`Worker`], because
/// threads write to their stretches all the time too.
#[repr(align(128))]
pub(super) struct Stretch {
    /// The states.
    pub(super) numbers: Range<u32>,
    /// Whether the states were expanded, or as many of them as there was room for.
    pub(super) is_expanded: bool,
    /// The representatives of their successors; the successors themselves, where the frontier
    /// represents them.
    pub(super) batch: Batch,
    /// Where states are divided, by process the words of successors that the process keeps; they
    /// are not in the batch.
    pub(super) away: Vec<Vec<u64>>,
    /// By expanded state, where its part of the batch and of the transitions ends.
    ends: Vec<End>,
    /// The states that can do τ but cannot come to rest, where divergences count.
    pub(super) internal: Vec<u32>,
    /// The first state with something wrong, and what that is: nothing after it was expanded.
    pub(super) wrong: Option<(u32, Offence)>,
    /// Where more than the first is wanted, all that is wrong in the stretch, one of each kind;
    /// then nothing counts as wrong above.
    pub(super) offences: Vec<(u32, Offence, ViolationKind)>,
    /// Where states with something wrong are skipped, those of the stretch; then nothing counts as
    /// wrong above.
    pub(super) skipped: Vec<u32>,
    /// Transitions followed, those of the wrong state included.
    pub(super) transitions: u64,
    /// The transitions at those pairs at which stubborn sets were chosen.
    pub(super) chosen: ChosenSteps,
}

/// What a round of stretches led to.
pub(super) struct Round<'r> {
    /// The stretches in order, up to the first with something wrong.
    pub(super) stretches: &'r mut [Stretch],
    /// The first state with something wrong, and what that is. It is in the last stretch.
    pub(super) wrong: Option<(u32, Offence)>,
}

/// How many candidates and transitions a stretch has up to the end of one state.
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

    /// Becomes a copy of `other`, in the memory that it has.
    fn copy(&mut self, other: &Self) {
        let Self {
            numbers,
            is_expanded,
            batch,
            away,
            ends,
            internal,
            wrong,
            offences,
            skipped,
            transitions,
            chosen,
        } = self;
        numbers.clone_from(&other.numbers);
        *is_expanded = other.is_expanded;
        batch.copy(&other.batch);
        away.resize_with(other.away.len(), Vec::new);
        for (words, other) in away.iter_mut().zip(&other.away) {
            words.clone_from(other);
        }
        ends.clone_from(&other.ends);
        internal.clone_from(&other.internal);
        *wrong = other.wrong;
        offences.clone_from(&other.offences);
        skipped.clone_from(&other.skipped);
        *transitions = other.transitions;
        *chosen = other.chosen;
    }

    /// Bytes of memory held.
    pub(super) fn memory_bytes(&self) -> usize {
        let internal = self.internal.capacity() * size_of::<u32>();
        let away = self.away.iter().map(|words| words.capacity());
        let away = away.sum::<usize>() * size_of::<u64>();
        self.batch.memory_bytes() + away + self.ends.capacity() * size_of::<End>() + internal
    }

    /// The states for which there was no room. There are none if the stretch was not expanded or a
    /// state was wrong: the search does not come back to it then.
    pub(super) fn rest(&self) -> Range<u32> {
        let is_over = self.wrong.is_some() || !self.is_expanded;
        let expanded = if is_over {
            self.numbers.len()
        } else {
            self.ends.len()
        };
        self.numbers.start + expanded as u32..self.numbers.end
    }

    /// How many transitions the states have before the one that leads to this candidate.
    pub(super) fn transitions_before(&self, candidate: usize) -> u64 {
        let state = self
            .ends
            .partition_point(|end| end.candidates as usize <= candidate);
        let before = state.checked_sub(1).map(|state| self.ends[state]);
        before.map_or(0, |end| u64::from(end.transitions))
    }
}

impl<'a, S: PackedState, R: Representative<S>> Worker<'a, S, R> {
    pub(super) fn new(product: &'a Product<'a>, representative: R, mode: ExpansionMode) -> Self {
        let words = product.packing.words();
        Self {
            product,
            representative,
            recent: Recent::new(words),
            offer: product.refusals.as_ref().map(Offer::new),
            rest: SeenRest::new(mode.at_wrong == AtWrong::Collect),
            selection: StepSelection::of(product),
            state: S::zero(words),
            scratch: Scratch::new(words),
            twisted: S::zero(words),
            draft: Stretch::new(words),
            mode,
        }
    }

    /// Forgets which pairs were reached lately.
    pub(super) fn forget(&mut self) {
        self.recent.clear();
    }

    /// Expands the states of `stretch` in order, up to the first with something wrong, or until
    /// there are `most` candidates, and does `after` to the stretch. Stubborn sets are chosen at
    /// the pairs that `sampling` takes.
    ///
    /// The states are expanded in memory of the thread's own, and the result is copied to
    /// `stretch`, where other threads read it. A cache line that another thread wrote last is
    /// fetched at once if many lines are written one after the other, but takes a tenth of a
    /// microsecond if there is other work between: written in place, a stretch of the Towers of
    /// Hanoi took a quarter longer on two threads than on one.
    pub(super) fn expand(
        &mut self,
        states: &dyn States<S>,
        stretch: &mut Stretch,
        (most, sampling): (usize, Sampling),
        after: impl Fn(&mut Stretch),
    ) {
        // The draft is taken out, because `expand_in` needs the rest of the worker. An empty
        // stretch takes no memory.
        let nothing = Stretch::new(self.product.packing.words());
        let mut draft = std::mem::replace(&mut self.draft, nothing);
        draft.reset(stretch.numbers.clone());
        self.expand_in(states, &mut draft, (most, sampling));
        after(&mut draft);
        stretch.copy(&draft);
        self.draft = draft;
    }

    fn expand_in(
        &mut self,
        states: &dyn States<S>,
        stretch: &mut Stretch,
        (most, sampling): (usize, Sampling),
    ) {
        stretch.is_expanded = true;
        for number in stretch.numbers.clone() {
            // Asked before each state, so that at least one state of each stretch is expanded.
            if stretch.batch.len() >= most {
                break;
            }
            states.load(number, &mut self.state);
            let candidates = stretch.batch.len();
            let wrong = match self.selection {
                Some(_) if sampling.takes(self.state.words()) => {
                    self.expand_selected(number, stretch)
                }
                _ => self.expand_state(number, stretch),
            };
            if let Some(wrong) = wrong {
                match self.mode.at_wrong {
                    AtWrong::Collect => self.note_offences(number, stretch),
                    AtWrong::Skip => {
                        stretch.skipped.push(number);
                        stretch.batch.truncate(candidates);
                    }
                    AtWrong::Stop => {
                        stretch.wrong = Some((number, wrong));
                        // The search ends at this state, so what it leads to is not entered.
                        stretch.batch.truncate(candidates);
                        break;
                    }
                }
            }
            stretch.ends.push(End {
                candidates: stretch.batch.len() as u32,
                transitions: stretch.transitions as u32,
            });
        }
    }

    /// Notes all that is wrong with the state that was expanded.
    #[cold]
    fn note_offences(&mut self, number: u32, stretch: &mut Stretch) {
        for (offence, kind) in offences(self.product, &self.state) {
            if !stretch.offences.iter().any(|(.., other)| *other == kind) {
                stretch.offences.push((number, offence, kind));
            }
        }
        // `expand_state` has not got so far.
        let has_tau = self.offer.as_ref().is_some_and(Offer::has_tau);
        if self.product.forbids_divergence && has_tau {
            stretch.internal.push(number);
        }
    }

    /// Puts the representatives of the state's successors into the batch. Returns what the
    /// specification does not allow, if there is anything.
    #[inline]
    fn expand_state(&mut self, number: u32, stretch: &mut Stretch) -> Option<Offence> {
        let Self {
            product,
            representative,
            recent,
            offer,
            rest,
            state,
            scratch,
            twisted,
            mode,
            ..
        } = self;
        let (batch, transitions) = (&mut stretch.batch, &mut stretch.transitions);
        let specification = product.specification_state(state);
        let mut offer = offer.as_mut().zip(product.refusals.as_ref());
        if let Some((offer, _)) = &mut offer {
            offer.clear();
        }
        let mut wrong = None;
        representative.set_source(state);
        rest.look(product, state, scratch);
        product
            .successors
            .for_each(state, scratch, &mut |rule, event, next: &S| {
                *transitions += 1;
                if let Some((offer, refusals)) = &mut offer {
                    offer.add(event, refusals, specification);
                }
                match rest.follow(product, state, event) {
                    Allowance::Allowed(word, flip) => {
                        twisted.clone_from(next);
                        twisted.flip(word, flip);
                        // A pair that `recent` knows has been in a batch, as its representative.
                        if recent.enter(twisted.words()) {
                            if !R::IS_IDENTITY && !mode.leaves_raw {
                                representative.represent_successor(twisted);
                            }
                            batch.push(twisted);
                        }
                    }
                    Allowance::Free => {}
                    // All transitions are listed in any case; of several wrong events the first
                    // counts.
                    Allowance::Refused => wrong = wrong.or(Some(Offence::Event(rule, event))),
                }
            });
        if wrong.is_some() {
            return wrong;
        }
        // In the traces model there is nothing else that could be wrong.
        let (offer, refusals) = offer?;
        if !offer.is_allowed(refusals, specification) {
            return first_offence(product, state);
        }
        if product.forbids_divergence && offer.has_tau() {
            stretch.internal.push(number);
        }
        None
    }

    /// As `expand_state`, where only the rules of a stubborn set are followed. What is wrong is
    /// looked for among all transitions, so that nothing is believed of those that are left out.
    #[inline(never)]
    fn expand_selected(&mut self, number: u32, stretch: &mut Stretch) -> Option<Offence> {
        let Self {
            product,
            representative,
            recent,
            offer,
            selection,
            state,
            scratch,
            twisted,
            mode,
            ..
        } = self;
        let selection = selection.as_mut()?;
        let wrong = selection.list(product, state, scratch, offer.as_mut());
        if wrong.is_some() {
            stretch.transitions += selection.listed;
            return wrong;
        }
        selection.choose(product, state);
        representative.set_source(state);
        stretch.chosen.possible += selection.listed;
        for (_, words) in selection.followed() {
            stretch.transitions += 1;
            stretch.chosen.followed += 1;
            let Some(words) = words else {
                continue;
            };
            twisted.load(words);
            if recent.enter(twisted.words()) {
                if !R::IS_IDENTITY && !mode.leaves_raw {
                    representative.represent_successor(twisted);
                }
                stretch.batch.push(twisted);
            }
        }
        let has_tau = offer.as_ref().is_some_and(Offer::has_tau);
        if product.forbids_divergence && has_tau {
            stretch.internal.push(number);
        }
        None
    }

    /// Whether `target` represents a successor of state `number`.
    pub(super) fn leads_to(&mut self, states: &dyn States<S>, number: u32, target: &S) -> bool {
        states.load(number, &mut self.state);
        let Self {
            product,
            representative,
            rest,
            state,
            scratch,
            twisted,
            ..
        } = self;
        let mut is_found = false;
        rest.look(product, state, scratch);
        product
            .successors
            .for_each(state, scratch, &mut |_, event, next: &S| {
                let Allowance::Allowed(word, flip) = rest.follow(product, state, event) else {
                    return;
                };
                if is_found {
                    return;
                }
                twisted.clone_from(next);
                twisted.flip(word, flip);
                representative.represent(twisted);
                is_found = twisted.words() == target.words();
            });
        is_found
    }
}

/// The first thing that the specification does not allow of `state`, divergence left out.
#[cold]
fn first_offence<S: PackedState>(product: &Product<'_>, state: &S) -> Option<Offence> {
    let first = offences(product, state).into_iter().next();
    first.map(|(offence, _)| offence)
}
