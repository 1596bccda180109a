//! The ways to find representatives.

use machine::packing::{PackedState, Packing};

use super::function::Representative;
use super::general::{GenRep, GeneralPlan};
use super::local::{LocalPlan, LocalRep};
use super::minimal::{MinimalPlan, MinimalRep};
use super::signature::{SignaturePlan, SignatureRep};
use super::sort::{SortPlan, SortRep};
use crate::pbisim::Symmetry;

/// A way to find representatives, before states are packed.
#[derive(Clone, Debug)]
pub enum Method {
    /// sortRep, perhaps with blocks of leaves swapped in step.
    Sort(SortPlan),
    /// genRep over the closure of the generators.
    General(GeneralPlan),
    /// Signature sort of ids that the group permutes like the nodes of a forest.
    Signature(SignaturePlan),
    /// The least image, by search down the stabiliser chain.
    Minimal(MinimalPlan),
    /// Hill climbing over the generators: some image from which no generator leads lower.
    Local(LocalPlan),
    /// Direct factors of the group, one after the other. They move different points, so the method
    /// of one factor commutes with the other factors, and the product is unique if each method is.
    Product(Vec<Method>),
}

/// The images of a state that are looked at, about, also where there are more: most are never
/// made.
const MOST_IMAGES: u64 = 1000;

/// The states of leaves that are permuted in the time in which a search finds a state.
const IMAGES_IN_THE_TIME: u64 = 100;

impl Method {
    /// The name: `sortRep`, `sortRep, simultaneous`, `genRep`, `signature sort`, `minimal image`,
    /// `local search` or `product`.
    pub fn name(&self) -> &'static str {
        match self {
            Method::Sort(plan) => plan.name(),
            Method::General(_) => "genRep",
            Method::Signature(_) => "signature sort",
            Method::Minimal(_) => "minimal image",
            Method::Local(_) => "local search",
            Method::Product(_) => "product",
        }
    }

    /// The representative function on states packed by `packing`.
    pub fn packed<S: PackedState>(&self, packing: &Packing) -> AnyRep<S> {
        match self {
            Method::Sort(plan) => AnyRep::Sort(plan.packed(packing)),
            Method::General(plan) => AnyRep::General(plan.packed(packing)),
            Method::Signature(plan) => AnyRep::Signature(plan.packed(packing)),
            Method::Minimal(plan) => AnyRep::Minimal(plan.packed(packing)),
            Method::Local(plan) => AnyRep::Local(plan.packed(packing)),
            Method::Product(factors) => {
                let factors = factors.iter().map(|factor| factor.packed(packing));
                AnyRep::Product(factors.collect())
            }
        }
    }

    /// The number of states that a search finds without symmetries in the time of finding one
    /// representative of a machine with this many leaves, about.
    pub fn cost(&self, leaves: u64) -> u64 {
        let images = match self {
            Method::General(plan) => (plan.elements.len() as u64).min(MOST_IMAGES),
            Method::Minimal(_) | Method::Local(_) => leaves,
            Method::Sort(_) | Method::Signature(_) => 1,
            Method::Product(factors) => {
                let costs = factors.iter().map(|factor| factor.cost(leaves));
                return costs.sum();
            }
        };
        1 + images.saturating_mul(leaves) / IMAGES_IN_THE_TIME
    }

    /// True if all states of an orbit have the same representative, whatever the state.
    pub fn is_unique(&self) -> bool {
        match self {
            Method::Sort(_) | Method::General(_) | Method::Minimal(_) => true,
            Method::Signature(plan) => plan.is_unique(),
            Method::Product(factors) => factors.iter().all(Method::is_unique),
            Method::Local(_) => false,
        }
    }
}

/// A [`Method`] on packed states. A search takes the same branch for every state, so the choice
/// costs it nothing.
#[derive(Clone, Debug)]
pub enum AnyRep<S> {
    /// sortRep.
    Sort(SortRep),
    /// genRep.
    General(GenRep<S>),
    /// Signature sort.
    Signature(SignatureRep<S>),
    /// Minimal image.
    Minimal(MinimalRep<S>),
    /// Local search.
    Local(LocalRep<S>),
    /// The product of methods, factor by factor.
    Product(Vec<AnyRep<S>>),
}

impl<S: PackedState> Representative<S> for AnyRep<S> {
    #[inline]
    fn represent(&mut self, state: &mut S) {
        match self {
            AnyRep::Sort(rep) => rep.represent(state),
            AnyRep::General(rep) => rep.represent(state),
            AnyRep::Signature(rep) => rep.represent(state),
            AnyRep::Minimal(rep) => rep.represent(state),
            AnyRep::Local(rep) => rep.represent(state),
            AnyRep::Product(factors) => factors.iter_mut().for_each(|rep| rep.represent(state)),
        }
    }

    #[inline]
    fn set_source(&mut self, source: &S) {
        match self {
            AnyRep::Sort(rep) => rep.set_source(source),
            AnyRep::Product(factors) => factors.iter_mut().for_each(|rep| rep.set_source(source)),
            _ => {}
        }
    }

    #[inline]
    fn represent_successor(&mut self, state: &mut S) {
        match self {
            AnyRep::Sort(rep) => rep.represent_successor(state),
            // Components that earlier factors have moved count as changed for the later ones.
            AnyRep::Product(factors) => {
                factors
                    .iter_mut()
                    .for_each(|rep| rep.represent_successor(state));
            }
            others => others.represent(state),
        }
    }

    fn is_dear(&self) -> bool {
        match self {
            AnyRep::Sort(_) => false,
            AnyRep::Product(factors) => factors.iter().any(Self::is_dear),
            _ => true,
        }
    }

    fn twist(&mut self, state: &S) -> Symmetry {
        match self {
            AnyRep::Sort(rep) => rep.twist(state),
            AnyRep::General(rep) => rep.twist(state),
            AnyRep::Signature(rep) => rep.twist(state),
            AnyRep::Minimal(rep) => rep.twist(state),
            AnyRep::Local(rep) => rep.twist(state),
            AnyRep::Product(factors) => {
                let mut state = state.clone();
                let twists = factors.iter_mut().map(|rep| {
                    // The twist is found before the factor moves the state.
                    let twist = rep.twist(&state);
                    rep.represent(&mut state);
                    twist
                });
                let twist = twists.reduce(|twist, next| twist.then(&next));
                twist.unwrap_or_else(|| unreachable!("a product has factors"))
            }
        }
    }

    fn is_unique(&self) -> bool {
        match self {
            AnyRep::Sort(_) | AnyRep::General(_) | AnyRep::Minimal(_) => true,
            AnyRep::Signature(rep) => Representative::<S>::is_unique(rep),
            AnyRep::Local(_) => false,
            AnyRep::Product(factors) => factors.iter().all(Self::is_unique),
        }
    }
}
