//! The transitions of one pair, and the choice of those that are followed.

use super::offence::Offence;
use super::product::{Allowance, Product};
use super::refusals::Offer;
use super::stubborn::{Chooser, ExpandedPair};
use machine::RuleId;
use machine::packing::PackedState;
use machine::successors::Scratch;

/// Lists all transitions of a pair, and then chooses those that are followed.
pub(super) struct StepSelection<'a> {
    /// Chooses a stubborn set; `None` if all transitions are followed.
    chooser: Option<Chooser<'a>>,
    /// The transitions in order.
    transitions: Vec<ListedTransition>,
    /// The number of transitions, those included that are not allowed.
    pub(super) listed: u64,
    /// The pairs that the transitions lead to, one after the other.
    words: Vec<u64>,
    /// The number of words of a pair.
    width: usize,
    /// The rules, each once, ascending.
    possible: Vec<RuleId>,
    /// Those of them by which the pair changes.
    moving: Vec<RuleId>,
    /// By leaf, its state.
    leaves: Vec<u32>,
}

/// One transition of a pair.
#[derive(Clone, Copy)]
struct ListedTransition {
    rule: RuleId,
    /// True if the search goes on behind it.
    is_stored: bool,
    /// True if it leads to another pair.
    moves: bool,
}

impl<'a> StepSelection<'a> {
    /// A selection for the pairs of `product`, if not all transitions are followed.
    pub(super) fn of(product: &Product<'a>) -> Option<Self> {
        product.stubborn.map(|_| Self::new(product))
    }

    /// A selection for the pairs of `product`.
    pub(super) fn new(product: &Product<'a>) -> Self {
        let leaves = product.machine.leaves.len();
        Self {
            chooser: product.stubborn.map(|sets| Chooser::new(sets, leaves)),
            transitions: Vec::new(),
            listed: 0,
            words: Vec::new(),
            width: product.packing.words(),
            possible: Vec::new(),
            moving: Vec::new(),
            leaves: Vec::new(),
        }
    }

    /// Lists all transitions of `state`, and gathers its offers in `offer`. Returns the first
    /// offence, if there is one.
    pub(super) fn list<S: PackedState>(
        &mut self,
        product: &Product<'_>,
        state: &S,
        scratch: &mut Scratch<S>,
        offer: Option<&mut Offer>,
    ) -> Option<Offence> {
        self.transitions.clear();
        self.words.clear();
        self.listed = 0;
        let specification = product.specification_state(state);
        let mut offer = offer.zip(product.refusals.as_ref());
        if let Some((offer, _)) = &mut offer {
            offer.clear();
        }
        let mut wrong = None;
        product
            .successors
            .for_each(state, scratch, &mut |rule, event, next: &S| {
                self.listed += 1;
                if let Some((offer, refusals)) = &mut offer {
                    offer.add(event, refusals, specification);
                }
                match product.follow(state, event) {
                    Allowance::Allowed(word, flip) => {
                        self.words.extend_from_slice(next.words());
                        let start = self.words.len() - self.width;
                        self.words[start + word as usize] ^= flip;
                        let moves = self.words[start..] != *state.words();
                        self.add(rule, (true, moves));
                    }
                    Allowance::Free => {
                        self.words.resize(self.words.len() + self.width, 0);
                        self.add(rule, (false, true));
                    }
                    Allowance::Refused => wrong = wrong.or(Some(Offence::Event(rule, event))),
                }
            });
        let refuses =
            offer.is_some_and(|(offer, refusals)| !offer.is_allowed(refusals, specification));
        wrong.or(refuses.then_some(Offence::Refusal))
    }

    #[inline]
    fn add(&mut self, rule: RuleId, (is_stored, moves): (bool, bool)) {
        self.transitions.push(ListedTransition {
            rule,
            is_stored,
            moves,
        });
    }

    /// The transitions that were chosen: the rule, and the words of the pair that it leads to; the
    /// words are `None` if the search does not go on behind the transition.
    #[inline]
    pub(super) fn followed(&self) -> impl Iterator<Item = (RuleId, Option<&[u64]>)> {
        let words = self.words.chunks_exact(self.width);
        let listed = self.transitions.iter().zip(words);
        let is_chosen = |rule: RuleId| self.chooser.as_ref().is_none_or(|by| by.is_chosen(rule));
        let chosen = listed.filter(move |(listed, _)| is_chosen(listed.rule));
        chosen.map(|(listed, words)| (listed.rule, listed.is_stored.then_some(words)))
    }

    /// Chooses among the listed transitions of `state`; only those that are allowed count.
    pub(super) fn choose<S: PackedState>(&mut self, product: &Product<'_>, state: &S) {
        let Some(chooser) = &mut self.chooser else {
            return;
        };
        let rule = |listed: &ListedTransition| listed.rule;
        let listed = self.transitions.iter();
        put_ascending(&mut self.possible, listed.clone().map(rule));
        let moving = listed.filter(|listed| listed.moves);
        put_ascending(&mut self.moving, moving.map(rule));
        self.leaves.clear();
        let fields = &product.packing.fields()[..product.machine.leaves.len()];
        self.leaves
            .extend(fields.iter().map(|field| field.get(state)));
        let pair = ExpandedPair {
            specification: product.specification_state(state),
            leaves: &self.leaves,
        };
        chooser.choose(pair, (&self.possible, &self.moving));
    }
}

/// Replaces what is in `list` by `rules`, each once.
fn put_ascending(list: &mut Vec<RuleId>, rules: impl Iterator<Item = RuleId>) {
    list.clear();
    list.extend(rules);
    list.sort_unstable();
    list.dedup();
}
