//! The work of a search on states, as far as it is compiled for each form of states and each
//! representative function.

use super::ancestors::SearchedStates;
use super::frontier::Frontier;
use super::path::Twists;
use super::stretch::Stretch;
use super::stubborn::Sampling;

/// The workers on the states of a search, on all of its threads.
pub(super) trait Crew: Twists {
    /// The mode in which states are expanded.
    fn mode(&mut self) -> &mut ExpansionMode;

    /// Expands the states of the stretches that are not expanded yet.
    fn expand(&mut self, frontier: &dyn Frontier, stretches: &mut [Stretch], how: &Expansion<'_>);

    /// Forgets which pairs were reached lately.
    fn forget(&mut self);

    /// Finds in each of the stretches the first state of which `target` represents a successor.
    fn find_parents(
        &mut self,
        frontier: &dyn Frontier,
        stretches: &mut [SearchedStates],
        target: &[u64],
    );

    /// Calls `each` with the words of the representative of each pair that a τ of `pair` leads to.
    /// All τ are followed or, if `chooses` is true, those of a stubborn set.
    fn each_tau(&mut self, pair: &[u64], chooses: bool, each: &mut dyn FnMut(&[u64]));

    /// True if each pair that was represented got the only representative of its orbit.
    fn is_unique(&self) -> bool;
}

/// The mode in which states are expanded.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExpansionMode {
    /// The treatment of a state with something wrong.
    pub(super) at_wrong: AtWrong,
    /// True if pairs are put into the batch as they are, because they are represented elsewhere.
    pub(super) leaves_raw: bool,
}

/// The treatment of a state with something wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AtWrong {
    /// Nothing after the state is expanded.
    Stop,
    /// The state is noted, and its successors are left out; the states after it are expanded.
    Skip,
    /// All that is wrong with the state is noted, and it is expanded like any other.
    Collect,
}

/// Instructions for expanding the states of a stretch.
pub(super) struct Expansion<'e> {
    /// The number of candidates at which the stretch is cut short.
    pub(super) most: usize,
    /// The pairs at which stubborn sets are chosen.
    pub(super) sampling: Sampling,
    /// Prepares the candidates of the stretch for being entered.
    pub(super) route: &'e (dyn Fn(&mut Stretch) + Sync),
}
