//! Products: the representative by one direct factor of the group after the other.

use crate::pbisim::Symmetry;
use machine::packing::{PackedState, Packing};

use super::{AnyRep, Method, Representative};

/// One method for each direct factor.
///
/// The factors move different points, so a method commutes with the other factors, and the product
/// is unique if each is.
#[derive(Clone, Debug)]
pub struct ProductPlan {
    factors: Vec<Method>,
}

impl ProductPlan {
    /// The plan for the direct product of the groups that `factors` were made from, two or more,
    /// which move different points.
    pub fn new(factors: Vec<Method>) -> Self {
        Self { factors }
    }

    /// Whether all states of an orbit have the same representative, whatever the state.
    pub fn is_unique(&self) -> bool {
        self.factors.iter().all(Method::is_unique)
    }

    /// The representative function on states packed by `packing`.
    pub fn packed<S: PackedState>(&self, packing: &Packing) -> ProductRep<S> {
        let factors = self.factors.iter().map(|factor| factor.packed(packing));
        ProductRep {
            factors: factors.collect(),
        }
    }
}

/// One method after the other on packed states.
#[derive(Clone, Debug)]
pub struct ProductRep<S> {
    factors: Vec<AnyRep<S>>,
}

impl<S: PackedState> Representative<S> for ProductRep<S> {
    const IS_IDENTITY: bool = false;

    fn represent(&mut self, state: &mut S) {
        for factor in &mut self.factors {
            factor.represent(state);
        }
    }

    fn set_source(&mut self, source: &S) {
        for factor in &mut self.factors {
            factor.set_source(source);
        }
    }

    // What earlier factors have moved are changes to the later ones.
    fn represent_successor(&mut self, state: &mut S) {
        for factor in &mut self.factors {
            factor.represent_successor(state);
        }
    }

    fn is_dear(&self) -> bool {
        self.factors.iter().any(Representative::is_dear)
    }

    fn is_unique(&self) -> bool {
        self.factors.iter().all(Representative::is_unique)
    }

    fn twist(&mut self, state: &S) -> Symmetry {
        let mut state = state.clone();
        let mut twist: Option<Symmetry> = None;
        for factor in &mut self.factors {
            // Asked before the factor moves the state.
            let next = factor.twist(&state);
            factor.represent(&mut state);
            twist = Some(twist.map_or_else(|| next.clone(), |twist| twist.then(&next)));
        }
        // There are two factors at least.
        twist.unwrap_or_else(|| unreachable!("a product has factors"))
    }
}
