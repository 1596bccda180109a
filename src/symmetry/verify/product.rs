//! The rules of a machine in canonical form, and their images under a symmetry.
//!
//! A rule is a product of relations: one over the states of each leaf that takes part, and equality over those
//! of the others. Which action or hidden event a relation comes from does not matter. Each step towards the
//! canonical form depends on relations only, never on an order of leaves or rules: it takes the image of a
//! rule to the image of what it takes the rule to, so that no symmetry is lost.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::base::index::IndexVec;
use crate::base::interner::Interner;
use crate::define_index;
use crate::machine::leaf::Action;
use crate::machine::{LeafId, Machine};
use crate::process::event::EventId;
use crate::symmetry::pbisim::{Pbisim, Symmetry};

define_index! {
    /// A relation over the states of a leaf.
    RelationId,
    /// A product.
    ProductId,
}

/// (from, to) pairs, ascending.
type Relation = Rc<[(u32, u32)]>;

/// What a rule does.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(in crate::symmetry) struct Product {
    /// The event of the machine.
    pub(in crate::symmetry) result: EventId,
    /// Ascending by leaf. No relation is empty, and none is equality.
    pub(in crate::symmetry) participants: Vec<(LeafId, RelationId)>,
}

/// All products of a machine; their union, for each event, is its transitions from all state vectors.
#[derive(Clone, Debug, Default)]
pub(in crate::symmetry) struct Products {
    relations: Interner<RelationId, Relation>,
    products: Interner<ProductId, Product>,
}

impl Products {
    /// Those of `machine`. What one leaf does alone, by several actions of one event, is one product.
    pub(in crate::symmetry) fn of(machine: &Machine) -> Self {
        let mut products = Self::default();
        let mut actions: FxHashMap<(LeafId, Action), Relation> = FxHashMap::default();
        let mut alone: BTreeMap<(EventId, LeafId), Vec<Relation>> = BTreeMap::new();
        for rule in machine.rules.iter() {
            let mut participants: Vec<(LeafId, Relation)> = Vec::new();
            for &(leaf, action) in &rule.participants {
                let transitions = || machine.leaves[leaf].transitions(action).into();
                let relation = actions.entry((leaf, action)).or_insert_with(transitions);
                participants.push((leaf, relation.clone()));
            }
            drop_equality(machine, &mut participants);
            match &participants[..] {
                [(leaf, relation)] => {
                    let relations = alone.entry((rule.result, *leaf)).or_default();
                    relations.push(relation.clone());
                }
                _ => products.add(rule.result, participants),
            }
        }
        for ((result, leaf), relations) in alone {
            let mut union = relations.concat();
            union.sort_unstable();
            union.dedup();
            let mut participants = vec![(leaf, union.into())];
            drop_equality(machine, &mut participants);
            products.add(result, participants);
        }
        products
    }

    /// Adds a product, unless it can never happen.
    fn add(&mut self, result: EventId, participants: Vec<(LeafId, Relation)>) {
        if participants.iter().any(|(_, pairs)| pairs.is_empty()) {
            return;
        }
        let intern = |(leaf, pairs)| (leaf, self.relations.intern::<Relation>(pairs));
        let mut participants: Vec<_> = participants.into_iter().map(intern).collect();
        participants.sort_unstable();
        self.products.intern(Product {
            result,
            participants,
        });
    }

    /// The events that the machine may do, with repetitions.
    pub(in crate::symmetry) fn results(&self) -> impl Iterator<Item = EventId> {
        self.products.iter().map(|product| product.result)
    }

    /// All products.
    pub(in crate::symmetry) fn all(&self) -> impl Iterator<Item = &Product> {
        self.products.iter()
    }

    /// The (from, to) pairs of a relation, ascending.
    pub(in crate::symmetry) fn pairs(&self, relation: RelationId) -> &[(u32, u32)] {
        &self.relations[relation]
    }

    /// The images of the relations under `pbisim`, which must permute leaves and states.
    pub(in crate::symmetry) fn images<'a>(
        &'a self,
        machine: &Machine,
        pbisim: &'a Pbisim,
    ) -> RelationImages<'a> {
        RelationImages::new(&self.relations, machine, pbisim)
    }

    /// A product whose image under `symmetry` is none. If there is none, then all products are images too,
    /// because different ones have different images. The symmetry must permute leaves, states and events.
    pub(in crate::symmetry) fn without_image(
        &self,
        machine: &Machine,
        symmetry: &Symmetry,
    ) -> Option<&Product> {
        let mut images = self.images(machine, &symmetry.pbisim);
        let mut image = Product {
            result: EventId(0),
            participants: Vec::new(),
        };
        self.products.iter().find(|product| {
            image.result = symmetry.events.apply(product.result);
            image.participants.clear();
            for &(leaf, relation) in &product.participants {
                let Some(relation) = images.of(leaf, relation) else {
                    return true;
                };
                let leaf = symmetry.pbisim.leaf(leaf);
                image.participants.push((leaf, relation));
            }
            image.participants.sort_unstable();
            self.products.find(&image).is_none()
        })
    }
}

/// A leaf that stays where it is, in whatever state, takes no part.
fn drop_equality(machine: &Machine, participants: &mut Vec<(LeafId, Relation)>) {
    participants.retain(|(leaf, pairs)| {
        let count = machine.leaves[*leaf].state_count() as usize;
        pairs.len() != count || pairs.iter().any(|(from, to)| from != to)
    });
}

/// The images of relations under a pbisim, each found once.
pub(in crate::symmetry) struct RelationImages<'a> {
    relations: &'a Interner<RelationId, Relation>,
    pbisim: &'a Pbisim,
    /// Whether the states of each leaf keep their numbers, as in a simple swap.
    keeps_numbers: IndexVec<LeafId, bool>,
    known: FxHashMap<(LeafId, RelationId), Option<RelationId>>,
}

impl<'a> RelationImages<'a> {
    fn new(
        relations: &'a Interner<RelationId, Relation>,
        machine: &Machine,
        pbisim: &'a Pbisim,
    ) -> Self {
        let keeps_numbers = |leaf| {
            let numbers = 0..machine.leaves[leaf].state_count();
            pbisim.states(leaf).iter().copied().eq(numbers)
        };
        Self {
            relations,
            pbisim,
            keeps_numbers: machine.leaves.indices().map(keeps_numbers).collect(),
            known: FxHashMap::default(),
        }
    }

    /// The image of a relation of `leaf`, if it is a relation that occurs.
    pub(in crate::symmetry) fn of(
        &mut self,
        leaf: LeafId,
        relation: RelationId,
    ) -> Option<RelationId> {
        if self.keeps_numbers[leaf] {
            return Some(relation);
        }
        *self.known.entry((leaf, relation)).or_insert_with(|| {
            let states = self.pbisim.states(leaf);
            let pairs = self.relations[relation].iter();
            let image = |&(from, to): &(u32, u32)| (states[from as usize], states[to as usize]);
            let mut pairs: Vec<(u32, u32)> = pairs.map(image).collect();
            pairs.sort_unstable();
            self.relations.find(&pairs[..])
        })
    }
}
