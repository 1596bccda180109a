//! The worker that expands states on one thread.

use super::after_rests::SeenRest;
use super::crew::{AtWrong, Expansion, ExpansionMode};
use super::frontier::Frontier;
use super::kinds::offences;
use super::offence::Offence;
use super::product::{Allowance, Product};
use super::recent::Recent;
use super::refusals::Offer;
use super::selection::StepSelection;
use super::stretch::Stretch;
use machine::packing::PackedState;
use machine::successors::Scratch;
use symmetry::representative::Representative;

/// Expands one state after the other. Each thread writes to its worker all the time: no two are in
/// one cache line, or in a pair of lines, which processors fetch together.
#[repr(align(128))]
pub(super) struct Worker<'a, S, R> {
    product: &'a Product<'a>,
    pub(super) representative: R,
    /// Pairs whose representatives have been in a batch.
    recent: Recent,
    /// The offers of the state that is expanded, where refusals count.
    offer: Option<Offer>,
    /// The answers of the specification where that state is at rest, if rests count.
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

    /// Forgets the pairs that were reached lately.
    pub(super) fn forget(&mut self) {
        self.recent.clear();
    }

    /// Expands the states of `stretch` in order, up to the first with something wrong, or until
    /// there are as many candidates as `how` allows.
    ///
    /// The states are expanded in memory of the thread's own, and the result is copied to
    /// `stretch`, where other threads read it. A cache line that another thread wrote last is
    /// fetched at once if many lines are written one after the other, but takes a tenth of a
    /// microsecond if there is other work between: written in place, a stretch of the Towers of
    /// Hanoi took a quarter longer on two threads than on one.
    pub(super) fn expand(
        &mut self,
        frontier: &dyn Frontier,
        stretch: &mut Stretch,
        how: &Expansion<'_>,
    ) {
        // The draft is taken out, because `expand_in` needs the rest of the worker. An empty
        // stretch takes no memory.
        let nothing = Stretch::new(self.product.packing.words());
        let mut draft = std::mem::replace(&mut self.draft, nothing);
        draft.reset(stretch.numbers.clone());
        self.expand_in(frontier, &mut draft, how);
        (how.route)(&mut draft);
        stretch.copy(&draft);
        self.draft = draft;
    }

    fn expand_in(&mut self, frontier: &dyn Frontier, stretch: &mut Stretch, how: &Expansion<'_>) {
        stretch.is_expanded = true;
        for number in stretch.numbers.clone() {
            // Asked before each state, so that at least one state of each stretch is expanded.
            if stretch.batch.len() >= how.most {
                break;
            }
            frontier.load(number, self.state.words_mut());
            let candidates = stretch.batch.len();
            let wrong = match self.selection {
                Some(_) if how.sampling.takes(self.state.words()) => {
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
                        // The search ends at this state, so its successors are not entered.
                        stretch.batch.truncate(candidates);
                        break;
                    }
                }
            }
            stretch.end_state();
        }
    }

    /// Notes all that is wrong with the state that was expanded.
    #[cold]
    fn note_offences(&mut self, number: u32, stretch: &mut Stretch) {
        for (offence, kind) in offences(self.product, &self.state.words().to_vec()) {
            if !stretch.offences.iter().any(|(.., other)| *other == kind) {
                stretch.offences.push((number, offence, kind));
            }
        }
        // `expand_state` has returned before it noted this.
        let has_tau = self.offer.as_ref().is_some_and(Offer::has_tau);
        if self.product.forbids_divergence && has_tau {
            stretch.internal.push(number);
        }
    }

    /// Puts the representatives of the state's successors into the batch. Returns the first
    /// offence, if there is one.
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

    /// Puts the representatives of the successors by the rules of a stubborn set into the batch.
    /// Returns the first offence, which is looked for among all transitions, so that nothing is
    /// believed of those that are left out.
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

    /// True if `target` represents a successor of state `number`.
    pub(super) fn leads_to(
        &mut self,
        frontier: &dyn Frontier,
        number: u32,
        target: &[u64],
    ) -> bool {
        frontier.load(number, self.state.words_mut());
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
                is_found = twisted.words() == target;
            });
        is_found
    }
}

/// The first offence of `state`, divergence left out.
#[cold]
fn first_offence<S: PackedState>(product: &Product<'_>, state: &S) -> Option<Offence> {
    let first = offences(product, &state.words().to_vec())
        .into_iter()
        .next();
    first.map(|(offence, _)| offence)
}
