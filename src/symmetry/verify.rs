//! Checks a symmetry against the rules of a machine and the transitions of its specification.
//!
//! Whatever found a symmetry, it is used only if it passes here. The check is that it maps the
//! products that make up the machine's transitions onto themselves, and the transitions of the
//! specification: so it is an automorphism of both from all states, reached or not, which is what
//! Lemma 1 of the paper asks for.

mod flags;
pub(crate) mod product;
pub(crate) mod relations;

use rustc_hash::FxHashMap;

use self::product::{Products, RelationProduct};
use super::bisimilarity::{Difference, difference_from};
use super::pbisim::{Pbisim, Symmetry};
use super::permutation::EventPermutation;
use super::permutations::element::is_bijection;
use super::refusal::Why;
use base::cancel::Cancellation;
use base::diag::Result;
use lts::graph::StateId;
use lts::normal_form::NormalForm;
use machine::{LeafId, Machine};
use process::event::{EventId, EventTable};

/// A machine and a specification, prepared for checking symmetries.
#[derive(Clone, Debug)]
pub struct Verifier<'a> {
    pub(crate) machine: &'a Machine,
    pub(crate) specification: &'a NormalForm,
    pub(crate) products: Products,
    /// The names of the machine's events; empty if messages do without them.
    names: FxHashMap<EventId, String>,
}

type Verification = std::result::Result<(), Why>;

impl<'a> Verifier<'a> {
    /// Takes time and space linear in the rules and the transitions of the leaves.
    pub fn new(
        machine: &'a Machine,
        specification: &'a NormalForm,
        token: &Cancellation,
    ) -> Result<Self> {
        Ok(Self {
            machine,
            specification,
            products: Products::of(machine, token)?,
            names: FxHashMap::default(),
        })
    }

    /// This verifier, with messages that call events by their names.
    #[must_use]
    pub fn named(mut self, events: &EventTable) -> Self {
        let name = |event| (event, events.name(event).to_string());
        self.names = self
            .products
            .all()
            .map(|product| name(product.result))
            .collect();
        self
    }

    /// Checks that `symmetry` maps the transitions of the machine, from all state vectors, and
    /// those of the specification onto themselves. Takes time linear in the rules, the states, and
    /// the transitions of the specification and of those leaves whose states get other numbers.
    pub fn verify(&self, symmetry: &Symmetry, token: &Cancellation) -> Result<Verification> {
        // This comes first: the images of products are found by these maps, and different products
        // have different images only if the maps are permutations.
        let permutes = permutes_events(&symmetry.events)
            .and_then(|()| self.permutes_leaf_states(&symmetry.pbisim));
        if permutes.is_err() {
            return Ok(permutes);
        }
        let products = &self.products;
        Ok(
            match products.without_image(self.machine, symmetry, token)? {
                Some(product) => refuse(self.rule_breaks(product, symmetry)),
                None => self.keeps_specification(symmetry),
            },
        )
    }

    /// Checks that the pbisim is uniform: the states of each leaf go one to one to the states of
    /// one leaf, and different leaves go to different leaves.
    fn permutes_leaf_states(&self, pbisim: &Pbisim) -> Verification {
        let leaves = &self.machine.leaves;
        if pbisim.leaf_count() != leaves.len() {
            return refuse("the permutation bisimulation is one of another machine");
        }
        let images: Vec<u32> = leaves.indices().map(|leaf| pbisim.leaf(leaf).0).collect();
        if !is_permutation(&images, leaves.len()) {
            return refuse("the leaves are not permuted");
        }
        for leaf in leaves.indices() {
            let image = pbisim.leaf(leaf);
            let [ours, theirs] = [leaf, image].map(|leaf| leaves[leaf].state_count());
            if ours != theirs || !is_permutation(pbisim.states(leaf), ours as usize) {
                let [leaf, image] = [leaf, image].map(|leaf| self.leaf_name(leaf));
                return refuse(format!(
                    "the states of {leaf} ({ours}) do not go one to one to those of {image} ({theirs})"
                ));
            }
        }
        Ok(())
    }

    /// Checks that the row of each state of the specification goes to the row of its image.
    fn keeps_specification(&self, symmetry: &Symmetry) -> Verification {
        let specification = self.specification;
        if !is_permutation(&symmetry.specification, specification.point_count()) {
            return refuse("the states of the specification are not permuted");
        }
        for state in specification.lts().states() {
            let row = specification.lts().row(state).iter();
            let mut image: Vec<(EventId, StateId)> = row
                .map(|&(e, to)| (symmetry.events.apply(e), symmetry.specification(to)))
                .collect();
            // Rows ascend, so the sorted image is compared as a whole: no transition may be
            // missing, and there may be no other.
            image.sort_unstable();
            if image != specification.lts().row(symmetry.specification(state)) {
                return Err(self.specification_breaks(symmetry));
            }
        }
        Ok(())
    }

    /// The reason why the specification is not kept: a trace that distinguishes its initial state
    /// from the image of that state.
    fn specification_breaks(&self, symmetry: &Symmetry) -> Why {
        let lts = self.specification.lts();
        let initial = (lts, NormalForm::INITIAL);
        let image = (lts, symmetry.specification(NormalForm::INITIAL));
        match difference_from(initial, &symmetry.events, image) {
            Some(Difference::Behaviour(found)) => Why::Specification(found),
            // The two may do the same where only the images of other states are wrong.
            _ => Why::Machine("the states of the specification go to the wrong ones".to_string()),
        }
    }

    fn rule_breaks(&self, product: &RelationProduct, symmetry: &Symmetry) -> String {
        let leaves: Vec<LeafId> = product.body.participants.iter().map(|p| p.0).collect();
        let images: Vec<LeafId> = leaves.iter().map(|&l| symmetry.pbisim.leaf(l)).collect();
        let name = |event| self.names.get(&event).map(|name| format!("`{name}`"));
        let event = name(product.result).unwrap_or("some event".to_string());
        let image = name(symmetry.events.apply(product.result)).unwrap_or("its image".to_string());
        let (leaves, images) = (self.leaf_names(&leaves), self.leaf_names(&images));
        format!(
            "a way in which {leaves} can do {event} does not go to one in which {images} can do {image}"
        )
    }

    fn leaf_names(&self, leaves: &[LeafId]) -> String {
        const MOST: usize = 4;
        let shown = leaves.iter().take(MOST).map(|&leaf| self.leaf_name(leaf));
        let names: Vec<String> = shown.collect();
        match names.split_last() {
            None => "the machine".to_string(),
            Some((only, [])) => only.clone(),
            Some(_) if leaves.len() > MOST => {
                let others = leaves.len() - MOST;
                format!("{} and {others} more together", names.join(", "))
            }
            Some((last, rest)) => format!("{} and {last} together", rest.join(", ")),
        }
    }

    /// The name of a leaf in messages, where leaves are counted from 1.
    fn leaf_name(&self, leaf: LeafId) -> String {
        format!(
            "leaf {} `{}`",
            leaf.0 + 1,
            self.machine.leaves[leaf].expression
        )
    }
}

fn permutes_events(events: &EventPermutation) -> Verification {
    let from = events.moved().iter().map(|&(from, _)| from);
    let mut to: Vec<EventId> = events.moved().iter().map(|&(_, to)| to).collect();
    // Moved events ascend, so their images are a permutation of them if they are the same list when
    // sorted.
    to.sort_unstable();
    if from.eq(to.iter().copied()) && to.iter().all(|event| event.is_visible()) {
        return Ok(());
    }
    refuse("the visible events are not permuted")
}

/// True if `images` has each of 0..count once.
fn is_permutation(images: &[u32], count: usize) -> bool {
    images.len() == count && is_bijection(images)
}

fn refuse(message: impl Into<String>) -> Verification {
    Err(Why::Machine(message.into()))
}

#[cfg(test)]
mod tests;
