//! The transitions of one pair, and the choice of those that are followed.

use super::offence::Offence;
use super::product::{Allowance, Product};
use super::refusals::Offer;
use super::stubborn::{Chooser, ExpandedPair};
use machine::RuleId;
use machine::packing::PackedState;
use machine::successors::Scratch;

/// Lists all transitions of a pair, and then chooses a stubborn set.
pub(super) struct StepSelection<'a> {
    chooser: Chooser<'a>,
    /// The transitions in order: the rule, and whether the search goes on behind it.
    rules: Vec<(RuleId, bool)>,
    /// The number of transitions, those included that are not allowed.
    pub(super) listed: u64,
    /// The pairs that the transitions lead to, one after the other.
    words: Vec<u64>,
    /// The number of words of a pair.
    width: usize,
    /// The rules, each once.
    possible: Vec<RuleId>,
    /// By leaf, its state.
    leaves: Vec<u32>,
}

impl<'a> StepSelection<'a> {
    /// A selection for the pairs of `product`, if not all transitions are followed.
    pub(super) fn of(product: &Product<'a>) -> Option<Self> {
        let sets = product.stubborn?;
        Some(Self {
            chooser: Chooser::new(sets, product.machine.leaves.len()),
            rules: Vec::new(),
            listed: 0,
            words: Vec::new(),
            width: product.packing.words(),
            possible: Vec::new(),
            leaves: Vec::new(),
        })
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
        self.rules.clear();
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
                        self.add(rule, Some((next.words(), word, flip)));
                    }
                    Allowance::Free => self.add(rule, None),
                    Allowance::Refused => wrong = wrong.or(Some(Offence::Event(rule, event))),
                }
            });
        let refuses =
            offer.is_some_and(|(offer, refusals)| !offer.is_allowed(refusals, specification));
        wrong.or(refuses.then_some(Offence::Refusal))
    }

    /// Lists a transition by `rule`: to the words of the machine's next state, in which these bits
    /// of this word flip for the specification; `next` is `None` if everything is allowed behind
    /// the transition.
    #[inline]
    fn add(&mut self, rule: RuleId, next: Option<(&[u64], u32, u64)>) {
        self.rules.push((rule, next.is_some()));
        let start = self.words.len();
        match next {
            Some((words, word, flip)) => {
                self.words.extend_from_slice(words);
                self.words[start + word as usize] ^= flip;
            }
            None => self.words.resize(start + self.width, 0),
        }
    }

    /// The transitions that were chosen: the rule, and the words of the pair that it leads to; the
    /// words are `None` if the search does not go on behind the transition.
    #[inline]
    pub(super) fn followed(&self) -> impl Iterator<Item = (RuleId, Option<&[u64]>)> {
        let listed = self.rules.iter().zip(self.words.chunks_exact(self.width));
        let chosen = listed.filter(|((rule, _), _)| self.chooser.is_chosen(*rule));
        chosen.map(|(&(rule, is_stored), words)| (rule, is_stored.then_some(words)))
    }

    /// Chooses among the listed transitions of `state`; only those that are allowed count.
    pub(super) fn choose<S: PackedState>(&mut self, product: &Product<'_>, state: &S) {
        self.possible.clear();
        self.possible
            .extend(self.rules.iter().map(|&(rule, _)| rule));
        self.possible.sort_unstable();
        self.possible.dedup();
        self.leaves.clear();
        let fields = &product.packing.fields()[..product.machine.leaves.len()];
        self.leaves
            .extend(fields.iter().map(|field| field.get(state)));
        let pair = ExpandedPair {
            specification: product.specification_state(state),
            leaves: &self.leaves,
        };
        self.chooser.choose(pair, &self.possible);
    }
}
