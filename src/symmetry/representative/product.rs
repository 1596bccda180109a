//! Products: the representative by one direct factor of the group after the other.

use crate::machine::packing::{PackedState, Packing};
use crate::symmetry::pbisim::Symmetry;

use super::{AnyRep, Method, Representative};

/// One method for each direct factor.
///
/// That is unique if each method is, and commutes with the other factors: the representative by one of the image under
/// another is the image of the representative. Factors that move different points do.
#[derive(Clone, Debug)]
pub struct ProductPlan {
    factors: Vec<Method>,
    is_unique: bool,
}

impl ProductPlan {
    /// The plan for the direct product of the groups that `factors` were made from. `commute` says whether the methods
    /// commute with the other factors.
    pub fn new(factors: Vec<Method>, commute: bool) -> Self {
        let is_unique = commute && factors.iter().all(Method::is_unique);
        Self { factors, is_unique }
    }

    /// The methods, in the order in which they are applied.
    pub fn factors(&self) -> &[Method] {
        &self.factors
    }

    /// Whether all states of an orbit have the same representative, whatever the state.
    pub fn is_unique(&self) -> bool {
        self.is_unique
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

    fn twist(&mut self, state: &S) -> Symmetry {
        let mut state = state.clone();
        let mut twist: Option<Symmetry> = None;
        for factor in &mut self.factors {
            let next = factor.twist(&state);
            factor.represent(&mut state);
            twist = Some(twist.map_or_else(|| next.clone(), |twist| twist.then(&next)));
        }
        // There are two factors at least.
        twist.unwrap_or_else(|| unreachable!("a product has factors"))
    }
}
