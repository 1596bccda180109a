//! The rule of prioritised processes: `prioritise(P, <)σ = prioritise(Q, <')` if `Pσ = Q` and σ
//! takes < to <'.

use rustc_hash::FxHashMap;

use super::goal::{Application, Attempt};
use super::prover::Prover;
use crate::permutation::EventPermutation;
use crate::refusal::Why;
use process::event::{EventId, TAU, TICK};
use process::priority::Priority;
use process::term::TermId;

impl Prover<'_> {
    /// The rule of `prioritise`. Orders are compared modulo events that do not matter, like the
    /// sets of other operators.
    pub(super) fn prioritise(
        &mut self,
        here: Application,
        (left, order): (TermId, &Priority),
        (right, other): (TermId, &Priority),
    ) -> Attempt {
        let sigma = self.facts.sigmas[here.goal.sigma].clone();
        if order.renamed(|event| sigma.apply(event)) != *other {
            // Alphabets are computed only where the orders differ.
            let (events, images) = (self.facts.alphabet(left), self.facts.alphabet(right));
            let matters = |event: EventId| {
                let image = sigma.apply(event);
                events.binary_search(&event).is_ok() && images.binary_search(&image).is_ok()
            };
            let back = sigma.inverse();
            let order = order.restricted(matters);
            let other = other.renamed(|event| back.apply(event));
            let other = other.restricted(matters);
            if order != other {
                let why = difference(&order, &other, &sigma);
                return self.facts.refuse(here, why);
            }
        }
        self.each(here, &[here.now(left, right)])
    }
}

/// Two events of which the first is above the second in just one of two different orders.
fn difference(left: &Priority, right: &Priority, sigma: &EventPermutation) -> Why {
    let both = left.events().iter().chain(right.events());
    let events = both.map(|&(event, _)| event).chain([TAU, TICK]);
    // Events of the same class on both sides are alike, so one of each kind is enough.
    let mut kinds: FxHashMap<[Option<u32>; 2], EventId> = FxHashMap::default();
    for event in events {
        let kind = [left.class(event), right.class(event)];
        let known = kinds.entry(kind).or_insert(event);
        *known = event.min(*known);
    }
    let mut events: Vec<EventId> = kinds.into_values().collect();
    events.sort_unstable();
    let is_above = |order: &Priority, higher: EventId, lower: EventId| {
        let classes = order.class(higher).zip(order.class(lower));
        classes.is_some_and(|(higher, lower)| order.above(lower).contains(&higher))
    };
    for &higher in &events {
        for &lower in &events {
            let on_left = is_above(left, higher, lower);
            if on_left != is_above(right, higher, lower) {
                return Why::Priority {
                    events: [higher, lower],
                    images: [higher, lower].map(|event| sigma.apply(event)),
                    on_left,
                };
            }
        }
    }
    Why::Operators
}
