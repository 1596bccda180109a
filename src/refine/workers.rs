//! The crew of a search: a worker for each thread.

use super::ancestors::SearchedStates;
use super::crew::{AtWrong, Crew, Expansion, ExpansionMode};
use super::frontier::Frontier;
use super::path::Twists;
use super::product::{Product, StateWords};
use super::selection::StepSelection;
use super::stretch::Stretch;
use super::worker::Worker;
use base::threads::Threads;
use machine::packing::PackedState;
use machine::successors::Scratch;
use process::event::TAU;
use symmetry::pbisim::Symmetry;
use symmetry::representative::Representative;

/// Workers on states that are each an `S`, and represented by an `R`.
pub(super) struct SearchWorkers<'a, S, R> {
    product: &'a Product<'a>,
    threads: Threads,
    /// The workers, one for each thread that was needed so far.
    workers: Vec<Worker<'a, S, R>>,
    /// The representative function that each worker gets a copy of.
    representative: R,
    mode: ExpansionMode,
    /// Chooses the τ that are followed, if not all are.
    selection: Option<StepSelection<'a>>,
    /// The state whose τ are followed, or that is represented.
    state: S,
    scratch: Scratch<S>,
}

impl<'a, S: PackedState, R: Representative<S>> SearchWorkers<'a, S, R> {
    /// A crew without workers. It will have at most one for each of `threads`.
    pub(super) fn new(product: &'a Product<'a>, representative: R, threads: &Threads) -> Self {
        let words = product.packing.words();
        Self {
            product,
            threads: threads.clone(),
            workers: Vec::new(),
            representative,
            mode: ExpansionMode {
                at_wrong: AtWrong::Stop,
                leaves_raw: false,
            },
            selection: StepSelection::of(product),
            state: S::zero(words),
            scratch: Scratch::new(words),
        }
    }

    /// Has at least `count` workers from now on, as far as there are threads for them.
    fn hire(&mut self, count: usize) {
        while self.workers.len() < count.min(self.threads.count()) {
            let representative = self.representative.clone();
            self.workers
                .push(Worker::new(self.product, representative, self.mode));
        }
    }
}

impl<S: PackedState, R: Representative<S>> Twists for SearchWorkers<'_, S, R> {
    fn represent(&mut self, pair: &mut StateWords) {
        self.state.load(pair);
        self.representative.represent(&mut self.state);
        pair.copy_from_slice(self.state.words());
    }

    fn twist(&mut self, pair: &StateWords) -> Option<Symmetry> {
        self.state.load(pair);
        (!R::IS_IDENTITY).then(|| self.representative.twist(&self.state))
    }
}

impl<S: PackedState, R: Representative<S>> Crew for SearchWorkers<'_, S, R> {
    fn mode(&mut self) -> &mut ExpansionMode {
        &mut self.mode
    }

    fn expand(&mut self, frontier: &dyn Frontier, stretches: &mut [Stretch], how: &Expansion<'_>) {
        self.hire(stretches.len());
        self.threads
            .share(&mut self.workers, stretches, |worker, _, stretch| {
                if !stretch.is_expanded {
                    worker.expand(frontier, stretch, how);
                }
            });
    }

    fn forget(&mut self) {
        self.workers.iter_mut().for_each(Worker::forget);
    }

    fn find_parents(
        &mut self,
        frontier: &dyn Frontier,
        stretches: &mut [SearchedStates],
        target: &[u64],
    ) {
        // A process that had no states to expand has no worker yet.
        self.hire(1);
        self.threads.share(
            &mut self.workers,
            stretches,
            |worker, _, (numbers, found)| {
                let mut numbers = numbers.clone();
                *found = numbers.find(|&number| worker.leads_to(frontier, number, target));
            },
        );
    }

    fn each_tau(&mut self, pair: &[u64], chooses: bool, each: &mut dyn FnMut(&[u64])) {
        let Self {
            product,
            representative,
            selection,
            state,
            scratch,
            ..
        } = self;
        state.load(pair);
        let mut follow = |words: &[u64]| {
            if R::IS_IDENTITY {
                each(words);
            } else {
                let mut next = S::zero(words.len());
                next.load(words);
                representative.represent(&mut next);
                each(next.words());
            }
        };
        let Some(selection) = selection.as_mut().filter(|_| chooses) else {
            let all = &mut |_, event, next: &S| {
                if event == TAU {
                    follow(next.words());
                }
            };
            product.successors.for_each(state, scratch, all);
            return;
        };
        // An offence of the state is reported by the search, when it gets to the state.
        selection.list(product, state, scratch, None);
        selection.choose(product, state);
        for (rule, words) in selection.followed() {
            if product.machine.rules[rule].result == TAU {
                words.into_iter().for_each(&mut follow);
            }
        }
    }

    fn is_unique(&self) -> bool {
        let mut workers = self.workers.iter();
        let is_unique = workers.all(|worker| worker.representative.is_unique());
        is_unique && self.representative.is_unique()
    }
}
