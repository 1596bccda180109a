//! The rules of a machine in canonical form, and their images under a symmetry.
//!
//! A rule is a product of relations: one over the states of each leaf that takes part, and equality
//! over those of the others. Which action or hidden event a relation comes from does not matter.
//! Each step towards the canonical form depends on relations only, never on an order of leaves or
//! rules: it takes the image of a rule to the image of what it takes the rule to, so that no
//! symmetry is lost.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::flags::{FlagId, Flags};
use crate::pbisim::{Pbisim, Symmetry};
use base::cancel::Cancellation;
use base::define_index;
use base::diag::Result;
use base::index::IndexVec;
use base::interner::Interner;
use machine::leaf::Action;
use machine::{LeafId, Machine};
use process::event::EventId;

define_index! {
    /// A relation over the states of a leaf.
    RelationId,
    /// A product.
    ProductId,
}

/// (from, to) pairs, ascending.
pub(super) type Relation = Arc<[(u32, u32)]>;

/// What a rule does.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct RelationProduct {
    /// The event of the machine.
    pub(crate) result: EventId,
    /// Ascending by leaf. No relation is empty, and none is equality.
    pub(crate) participants: Vec<(LeafId, RelationId)>,
    /// Flags any of which keeps it from happening, ascending.
    pub(crate) blockers: Vec<FlagId>,
}

/// All products of a machine; their union, for each event, is its transitions from all state
/// vectors.
#[derive(Clone, Debug, Default)]
pub(crate) struct Products {
    relations: Relations,
    products: Interner<ProductId, RelationProduct>,
    pub(super) flags: Flags,
}

impl Products {
    /// The products of `machine`. What one leaf does alone, by several actions of one event, is one
    /// product.
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
            // What one leaf does alone is collected and united below. Several actions may be
            // divided in another way in the image; their union is not.
            match &participants[..] {
                [(leaf, relation)] => {
                    let relations: &mut Vec<Relation> =
                        alone.entry((rule.result, *leaf, blockers)).or_default();
                    relations.push(relation.clone());
                }
                // The union of several products is no product in general, so these stay apart.
                _ => {
                    let participants = products.relations.intern(participants);
                    products.add(rule.result, participants, blockers);
                }
            }
        }
        for ((result, leaf, blockers), relations) in alone {
            token.look(relations.iter().map(|relation| relation.len()).sum())?;
            let participants = products
                .relations
                .intern_union(machine, leaf, relations.concat());
            products.add(result, participants, blockers);
        }
        Ok(products)
    }

    /// Adds a product, unless it can never happen.
    fn add(
        &mut self,
        result: EventId,
        participants: Option<Vec<(LeafId, RelationId)>>,
        blockers: Vec<FlagId>,
    ) {
        if let Some(participants) = participants {
            self.products.intern(RelationProduct {
                result,
                participants,
                blockers,
            });
        }
    }

    /// The events that the machine may do, with repetitions.
    pub(crate) fn results(&self) -> impl Iterator<Item = EventId> {
        self.products.iter().map(|product| product.result)
    }

    /// All products.
    pub(crate) fn all(&self) -> impl Iterator<Item = &RelationProduct> {
        self.products.iter()
    }

    /// The (from, to) pairs of a relation, ascending.
    pub(crate) fn pairs(&self, relation: RelationId) -> &[(u32, u32)] {
        &self.relations.0[relation]
    }

    /// The images of the relations under `pbisim`, which must permute leaves and states.
    pub(crate) fn images<'a>(
        &'a self,
        machine: &Machine,
        pbisim: &'a Pbisim,
    ) -> RelationImages<'a> {
        RelationImages::new(&self.relations.0, machine, pbisim)
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
        let pbisim = &symmetry.pbisim;
        let mut images = self.images(machine, pbisim);
        let flags = self.flags.images(&mut images, pbisim);
        for product in self.products.iter() {
            let relations = product.participants.iter();
            let pairs = relations.map(|&(_, relation)| self.pairs(relation).len());
            token.look(1 + pairs.sum::<usize>())?;
            let result = symmetry.events.apply(product.result);
            let image = Self::image(product, result, &mut images, &flags, pbisim);
            if image.is_none_or(|image| self.products.find(&image).is_none()) {
                return Ok(Some(product));
            }
        }
        Ok(None)
    }
}

/// The relations that occur.
#[derive(Clone, Debug, Default)]
pub(super) struct Relations(Interner<RelationId, Relation>);

impl Relations {
    /// Leaves with the numbers of their relations, ascending; `None` if one of the relations is
    /// empty.
    pub(super) fn intern(
        &mut self,
        participants: Vec<(LeafId, Relation)>,
    ) -> Option<Vec<(LeafId, RelationId)>> {
        if participants.iter().any(|(_, pairs)| pairs.is_empty()) {
            return None;
        }
        let intern = |(leaf, pairs)| (leaf, self.0.intern::<Relation>(pairs));
        let mut participants: Vec<_> = participants.into_iter().map(intern).collect();
        participants.sort_unstable();
        Some(participants)
    }

    /// One leaf with the number of its relation, of which the pairs are given in any order, perhaps
    /// repeated: no leaf if the relation is equality, and `None` if it is empty.
    pub(super) fn intern_union(
        &mut self,
        machine: &Machine,
        leaf: LeafId,
        mut union: Vec<(u32, u32)>,
    ) -> Option<Vec<(LeafId, RelationId)>> {
        union.sort_unstable();
        union.dedup();
        let mut participants = vec![(leaf, union.into())];
        drop_equality(machine, &mut participants);
        self.intern(participants)
    }

    /// The states in which each leaf can do its part, as pairs of a state with itself. Leaves that
    /// always can are left out.
    pub(super) fn domains(
        &self,
        machine: &Machine,
        participants: &[(LeafId, Action)],
    ) -> Vec<(LeafId, Relation)> {
        let domain = |&(leaf, action): &(LeafId, Action)| {
            let transitions = machine.leaves[leaf].transitions(action);
            let mut pairs: Vec<(u32, u32)> = transitions.iter().map(|&(s, _)| (s, s)).collect();
            // Transitions ascend, so the pairs of one state are neighbours.
            pairs.dedup();
            (leaf, pairs.into())
        };
        let mut participants: Vec<_> = participants.iter().map(domain).collect();
        drop_equality(machine, &mut participants);
        participants
    }
}

/// A leaf that stays where it is, in whatever state, takes no part.
fn drop_equality(machine: &Machine, participants: &mut Vec<(LeafId, Relation)>) {
    participants.retain(|(leaf, pairs)| {
        let count = machine.leaves[*leaf].state_count() as usize;
        // Each pair is there once: as many pairs of a state with itself as there are states are all
        // of them.
        pairs.len() != count || pairs.iter().any(|(from, to)| from != to)
    });
}

/// The images of relations under a pbisim, each found once.
pub(crate) struct RelationImages<'a> {
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
    pub(crate) fn of(&mut self, leaf: LeafId, relation: RelationId) -> Option<RelationId> {
        if self.keeps_numbers[leaf] {
            // Relations are numbered by their pairs alone, whichever leaf has them.
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

    /// The images of leaves with their relations, ascending, if these are relations that occur.
    pub(crate) fn of_participants(
        &mut self,
        pbisim: &Pbisim,
        participants: &[(LeafId, RelationId)],
    ) -> Option<Vec<(LeafId, RelationId)>> {
        let image = |&(leaf, relation)| Some((pbisim.leaf(leaf), self.of(leaf, relation)?));
        let mut images = participants.iter().map(image).collect::<Option<Vec<_>>>()?;
        images.sort_unstable();
        Some(images)
    }
}
