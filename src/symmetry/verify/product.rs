//! The rules of a machine in canonical form, and their images under a symmetry.
//!
//! A rule is a product of relations: one over the states of each leaf that takes part, and equality
//! over those of the others. The action or hidden event that a relation comes from does not matter.
//! Each step towards the canonical form depends on relations only, never on an order of leaves or
//! rules: so it commutes with symmetries, and none is lost.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::flags::Flags;
use super::relations::{Relation, RelationId, RelationImages, Relations, RuleBody, drop_equality};
use crate::pbisim::{Pbisim, Symmetry};
use base::cancel::Cancellation;
use base::define_index;
use base::diag::Result;
use base::interner::Interner;
use machine::leaf::Action;
use machine::{LeafId, Machine};
use process::event::EventId;

define_index! {
    /// A product.
    ProductId,
}

/// A rule in canonical form: an event, and a product of relations.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct RelationProduct {
    /// The event of the machine.
    pub(crate) result: EventId,
    pub(crate) body: RuleBody,
}

/// All products of a machine; their union, for each event, is its transitions from all state
/// vectors.
#[derive(Clone, Debug, Default)]
pub(crate) struct Products {
    relations: Relations,
    products: Interner<ProductId, RelationProduct>,
    /// The flags that block products.
    pub(crate) flags: Flags,
}

impl Products {
    /// The products of `machine`. All actions of one leaf alone for one event, with the same
    /// blockers, are one product.
    pub(crate) fn of(machine: &Machine, token: &Cancellation) -> Result<Self> {
        let mut products = Self::default();
        products.flags = Flags::of(machine, &mut products.relations);
        let mut actions: FxHashMap<(LeafId, Action), Relation> = FxHashMap::default();
        let mut alone = BTreeMap::new();
        for rule in machine.rules.iter() {
            let blockers = products.flags.blockers(machine, rule.passes.as_slice());
            let mut participants: Vec<(LeafId, Relation)> = Vec::new();
            for &(leaf, action) in &rule.participants {
                let transitions = || machine.leaves[leaf].transitions(action).into();
                let relation = actions.entry((leaf, action)).or_insert_with(transitions);
                participants.push((leaf, relation.clone()));
                token.look(1 + relation.len())?;
            }
            drop_equality(machine, &mut participants);
            // The actions of one leaf alone are collected and united below. They may be divided in
            // another way in the image, but their union stays the same.
            match &participants[..] {
                [(leaf, relation)] => {
                    let relations: &mut Vec<Relation> =
                        alone.entry((rule.result, *leaf, blockers)).or_default();
                    relations.push(relation.clone());
                }
                // The union of several products is no product in general, so these stay apart.
                _ => {
                    let body = products.relations.body(participants, blockers);
                    products.add(rule.result, body);
                }
            }
        }
        for ((result, leaf, blockers), relations) in alone {
            token.look(relations.iter().map(|relation| relation.len()).sum())?;
            let union = relations.concat();
            let body = products.relations.union(machine, leaf, union, blockers);
            products.add(result, body);
        }
        Ok(products)
    }

    /// Adds a product, unless it can never happen.
    fn add(&mut self, result: EventId, body: Option<RuleBody>) {
        if let Some(body) = body {
            self.products.intern(RelationProduct { result, body });
        }
    }

    /// All products.
    pub(crate) fn all(&self) -> impl Iterator<Item = &RelationProduct> {
        self.products.iter()
    }

    /// The (from, to) pairs of a relation, ascending.
    pub(crate) fn pairs(&self, relation: RelationId) -> &[(u32, u32)] {
        self.relations.pairs(relation)
    }

    /// The images of the relations and flags under `pbisim`, which must permute leaves and states.
    pub(crate) fn images<'a>(
        &'a self,
        machine: &Machine,
        pbisim: &'a Pbisim,
    ) -> RelationImages<'a> {
        let mut images = RelationImages::new(&self.relations, machine, pbisim);
        self.flags.add_images(&mut images);
        images
    }

    /// A product whose image under `symmetry` is no product of the machine, if there is one. If
    /// there is none, all products are images of products too, because different products have
    /// different images. The symmetry must permute leaves, states and events.
    pub(crate) fn without_image(
        &self,
        machine: &Machine,
        symmetry: &Symmetry,
        token: &Cancellation,
    ) -> Result<Option<&RelationProduct>> {
        let mut images = self.images(machine, &symmetry.pbisim);
        for product in self.products.iter() {
            let relations = product.body.participants.iter();
            let pairs = relations.map(|&(_, relation)| self.pairs(relation).len());
            token.look(1 + pairs.sum::<usize>())?;
            let result = symmetry.events.apply(product.result);
            let image = images.of_body(&product.body);
            let image = image.map(|body| RelationProduct { result, body });
            if image.is_none_or(|image| self.products.find(&image).is_none()) {
                return Ok(Some(product));
            }
        }
        Ok(None)
    }
}
