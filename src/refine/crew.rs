//! What a search has done to states: all of it that is compiled for each form of states and each
//! representative function.

use super::ancestors::SearchedStates;
use super::frontier::Frontier;
use super::path::Twists;
use super::stretch::Stretch;
use super::stubborn::Sampling;

/// Who works on the states of a search, on all of its threads.
pub(super) trait Crew: Twists {
    /// How states are expanded.
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

    /// Does `each` to the words of the representative of each pair that a τ of `pair` leads to: all
    /// τ, or if it `chooses` those of a stubborn set.
    fn each_tau(&mut self, pair: &[u64], chooses: bool, each: &mut dyn FnMut(&[u64]));

    /// Whether each pair that was represented got the only representative of its orbit.
    fn is_unique(&self) -> bool;
}

/// How states are expanded.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExpansionMode {
    /// What is done at a state with something wrong.
    pub(super) at_wrong: AtWrong,
    /// Whether pairs are put into the batch as they are, because they are represented elsewhere.
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

/// How the states of a stretch are expanded.
pub(super) struct Expansion<'e> {
    /// The stretch is cut short at this many candidates.
    pub(super) most: usize,
    /// At which pairs stubborn sets are chosen.
    pub(super) sampling: Sampling,
    /// Prepares what the stretch leads to.
    pub(super) route: &'e (dyn Fn(&mut Stretch) + Sync),
}
