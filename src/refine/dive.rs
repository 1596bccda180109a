//! A search that goes ahead: depth first, as far as a bounded table reaches.
//!
//! Some violations lie deep beneath very many states: the deadlock of N philosophers comes after 2N
//! steps, and 4.8ᴺ states are as near. A breadth-first search never gets there; one that goes down
//! along one order of the steps needs some N pairs, above all where stubborn sets leave out the
//! other orders. The price is that it proves nothing, and that the path is not a shortest one.
//!
//! So a dive only looks for violations. It looks at all transitions of the pairs that it meets,
//! also where it follows a few of them, and so what it finds is real. When its table is full it may
//! be begun anew with another [`ChoiceOrder`], because what leads to a violation in one order of
//! choices may lead astray in another.
//!
//! Divergence is noticed if τ alone leads back to a pair of the present path.

mod order;
mod shorten;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use self::shorten::shortened;
use super::offence::Offence;
use super::outcome::{ProgressSink, SearchProgress, SearchWay, Statistics};
use super::path::{Path, StraightStep, straight};
use super::product::{Product, StateWords};
use super::refusals::Offer;
use super::selection::StepSelection;
use super::stubborn::{ChosenSteps, StubbornSets};
use super::watch::SearchWatch;
use base::cancel::Cancellation;
use base::diag::Result;
use lts::normal_form::NormalForm;
use machine::successors::Scratch;
use machine::{Machine, RuleId};
use process::event::TAU;

pub use self::order::ChoiceOrder;

/// The plan of a dive.
#[derive(Clone, Debug)]
pub struct DivePlan {
    /// The stubborn sets by which a part of the transitions is followed; `None`: all are.
    pub stubborn: Option<Arc<StubbornSets>>,
    /// The order in which steps are tried.
    pub order: ChoiceOrder,
    /// The most pairs that are met.
    pub most: u64,
    /// The token that ends the dive.
    pub cancellation: Cancellation,
    /// The listener to the progress of the dive.
    pub progress: ProgressSink,
}

/// The result of a dive.
#[derive(Clone, Debug)]
pub struct DiveResult {
    /// The end of the dive.
    pub end: DiveEnd,
    /// The cost: pairs met and transitions followed; the levels are those of the longest path.
    pub statistics: Statistics,
    /// True if stubborn sets have left out a quarter of the transitions, or more.
    pub leaves_out_many: bool,
}

/// The end of a dive.
#[derive(Clone, Debug)]
pub enum DiveEnd {
    /// A violation was found on this path.
    Found(Path),
    /// As many pairs were met as the plan allows.
    Full,
    /// There is nothing more to be met, in whichever order.
    Exhausted,
    /// The token has ended the dive.
    Cancelled,
}

/// Goes down through `machine` beside `specification`, and looks for a violation. The model must be
/// one that does not remember rests.
pub fn dive(specification: &NormalForm, machine: &Machine, plan: &DivePlan) -> Result<DiveResult> {
    let product = Product::new(specification, machine, &plan.cancellation)?;
    let product = product.reduced(plan.stubborn.as_deref());
    let mut diver = Diver::new(&product, plan);
    let stop = match product.allows_all {
        true => Stop::Exhausted,
        false => diver.go_down(),
    };
    let statistics = diver.statistics();
    let end = match stop {
        Stop::Wrong(offence) => {
            let steps = diver.steps();
            let (steps, offence) = match &plan.stubborn {
                Some(sets) => shortened((specification, &product), sets, steps, offence, plan),
                None => (steps, offence),
            };
            DiveEnd::Found(straight(&product, &steps, offence)?)
        }
        Stop::Full => DiveEnd::Full,
        Stop::Exhausted => DiveEnd::Exhausted,
        Stop::Cancelled => DiveEnd::Cancelled,
    };
    let ChosenSteps { possible, followed } = diver.chosen;
    Ok(DiveResult {
        end,
        statistics,
        leaves_out_many: 4 * followed <= 3 * possible && possible > 0,
    })
}

/// The reason why a dive goes no further.
enum Stop {
    /// The last pair of the path has this offence.
    Wrong(Offence),
    Full,
    Exhausted,
    Cancelled,
}

/// A pair of the present path.
struct PathPair {
    pair: StateWords,
    /// The rule by which the path leads to the pair; of the first pair it means nothing.
    by: RuleId,
    /// The number of its successors that were gone to, in the order of choices.
    tried: usize,
    /// The place of the first pair on the path from which τ alone leads here.
    silent_since: usize,
}

struct Diver<'a> {
    product: &'a Product<'a>,
    plan: &'a DivePlan,
    watch: SearchWatch,
    selection: StepSelection<'a>,
    offer: Option<Offer>,
    scratch: Scratch<StateWords>,
    /// The pairs that were met.
    met: FxHashSet<StateWords>,
    path: Vec<PathPair>,
    /// The place of each pair of `path`, where divergence counts.
    places: FxHashMap<StateWords, usize>,
    transitions: u64,
    deepest: usize,
    chosen: ChosenSteps,
}

impl<'a> Diver<'a> {
    fn new(product: &'a Product<'a>, plan: &'a DivePlan) -> Self {
        let words = product.packing.words();
        Self {
            watch: SearchWatch::new(&plan.cancellation, &plan.progress),
            selection: StepSelection::new(product),
            offer: product.refusals.as_ref().map(Offer::new),
            scratch: Scratch::new(words),
            met: FxHashSet::default(),
            path: Vec::new(),
            places: FxHashMap::default(),
            transitions: 0,
            deepest: 0,
            chosen: ChosenSteps::default(),
            product,
            plan,
        }
    }

    /// Goes down until a violation is found or the table is full.
    ///
    /// A pair that is come back to is expanded again: to keep what is still to be tried of each
    /// pair of a long path would take more memory than all pairs that were met.
    fn go_down(&mut self) -> Stop {
        let words = self.product.packing.words();
        let initial: StateWords = self.product.successors.initial(words);
        self.met.insert(initial.clone());
        if let Some(offence) = self.enter(initial, RuleId(0), false) {
            return Stop::Wrong(offence);
        }
        loop {
            if self.met.len() as u64 >= self.plan.most {
                return Stop::Full;
            }
            match self.next_step() {
                NextStep::To(by, next) => {
                    let is_silent = self.product.machine.rules[by].result == TAU;
                    if let Some(offence) = self.enter(next, by, is_silent) {
                        return Stop::Wrong(offence);
                    }
                }
                NextStep::Round => return Stop::Wrong(Offence::Divergence),
                NextStep::None if self.path.len() <= 1 => return Stop::Exhausted,
                NextStep::None => self.leave(),
            }
            let looked_at = 1 + self.selection.listed as usize;
            if self.plan.cancellation.look(looked_at).is_err() {
                return Stop::Cancelled;
            }
        }
    }

    /// Puts a new pair at the end of the path, and returns what is wrong with it.
    fn enter(&mut self, pair: StateWords, by: RuleId, is_silent: bool) -> Option<Offence> {
        let place = self.path.len();
        let wrong = self.expand(&pair);
        if wrong.is_none() {
            let followed = self.selection.followed().count() as u64;
            self.chosen += ChosenSteps {
                possible: self.selection.listed,
                followed,
            };
        }
        if self.product.forbids_divergence {
            self.places.insert(pair.clone(), place);
        }
        let last = self.path.last().filter(|_| is_silent);
        self.path.push(PathPair {
            pair,
            by,
            tried: 0,
            silent_since: last.map_or(place, |last| last.silent_since),
        });
        self.deepest = self.deepest.max(place + 1);
        self.watch.hear(&SearchProgress {
            way: SearchWay::Dive,
            statistics: self.statistics(),
            ..SearchProgress::default()
        });
        wrong
    }

    /// Lists the steps of `pair` and chooses those that are followed. Returns what is wrong with
    /// the pair.
    fn expand(&mut self, pair: &StateWords) -> Option<Offence> {
        let (product, scratch) = (self.product, &mut self.scratch);
        let wrong = self
            .selection
            .list(product, pair, scratch, self.offer.as_mut());
        if wrong.is_none() {
            self.selection.choose(product, pair);
        }
        wrong
    }

    /// The next step of the last pair of the path to a pair that was not met before.
    fn next_step(&mut self) -> NextStep {
        let Some(place) = self.path.len().checked_sub(1) else {
            return NextStep::None;
        };
        if self.path[place].tried > 0 {
            let pair = self.path[place].pair.clone();
            self.expand(&pair);
        }
        let followed = self.selection.followed();
        let stored = followed.filter_map(|(rule, words)| Some((rule, words?)));
        let steps = self.plan.order.ordered(stored);
        let last = &mut self.path[place];
        for &(rule, next) in &steps[last.tried..] {
            last.tried += 1;
            self.transitions += 1;
            if !self.met.contains(next) {
                self.met.insert(next.to_vec());
                return NextStep::To(rule, next.to_vec());
            }
            let is_silent = self.product.machine.rules[rule].result == TAU;
            let before = self.places.get(next).filter(|_| is_silent);
            if before.is_some_and(|&before| before >= last.silent_since) {
                return NextStep::Round;
            }
        }
        NextStep::None
    }

    /// Takes the last pair off the path.
    fn leave(&mut self) {
        if let Some(last) = self.path.pop() {
            self.places.remove(&last.pair);
        }
    }

    /// The steps of the path.
    fn steps(&self) -> Vec<StraightStep> {
        let step = |at: &PathPair| StraightStep {
            by: at.by,
            to: at.pair.clone(),
        };
        self.path[1..].iter().map(step).collect()
    }

    fn statistics(&self) -> Statistics {
        let words = self.product.packing.words();
        Statistics {
            states: self.met.len() as u64,
            transitions: self.transitions,
            levels: self.deepest as u64,
            specification_states: self.product.specification_states,
            memory_bytes: (self.met.len() * BYTES_OF_A_PAIR + self.met.len() * words * 8) as u64,
            extra_states: None,
            spilled: None,
        }
    }
}

/// The bytes that a pair takes beside its words.
const BYTES_OF_A_PAIR: usize = 40;

/// The next step of a path.
enum NextStep {
    /// By this rule to this pair, which is new.
    To(RuleId, StateWords),
    /// By τ to a pair from which τ alone has led here.
    Round,
    /// All steps were tried.
    None,
}
