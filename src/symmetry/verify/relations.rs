//! Relations over the states of leaves, which rules are made of, and their images under a pbisim.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::pbisim::Pbisim;
use base::define_index;
use base::index::{IndexVec, TypedIndex};
use base::interner::Interner;
use machine::leaf::Action;
use machine::{LeafId, Machine};

define_index! {
    /// A relation over the states of a leaf.
    RelationId,
    /// A flag; flags further in have smaller numbers.
    FlagId,
}

/// A relation: (from, to) pairs, ascending.
pub(super) type Relation = Arc<[(u32, u32)]>;

/// The leaves that take part in a rule, and the flags that block it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct RuleBody {
    /// The leaves that take part, ascending. No relation is empty, and none is equality.
    pub(crate) participants: Vec<(LeafId, RelationId)>,
    /// The flags, ascending, any of which blocks the rule.
    pub(crate) blockers: Vec<FlagId>,
}

/// The relations that occur.
#[derive(Clone, Debug, Default)]
pub(super) struct Relations(Interner<RelationId, Relation>);

impl Relations {
    /// The (from, to) pairs of a relation, ascending.
    pub(super) fn pairs(&self, relation: RelationId) -> &[(u32, u32)] {
        &self.0[relation]
    }

    /// The body in which `participants` take part unless one of `blockers` is up; `None` if one of
    /// the relations is empty.
    pub(super) fn body(
        &mut self,
        participants: Vec<(LeafId, Relation)>,
        blockers: Vec<FlagId>,
    ) -> Option<RuleBody> {
        if participants.iter().any(|(_, pairs)| pairs.is_empty()) {
            return None;
        }
        let intern = |(leaf, pairs)| (leaf, self.0.intern::<Relation>(pairs));
        let mut participants: Vec<_> = participants.into_iter().map(intern).collect();
        participants.sort_unstable();
        Some(RuleBody {
            participants,
            blockers,
        })
    }

    /// The body in which one leaf acts alone, by these pairs, in any order and perhaps repeated. No
    /// leaf takes part if the relation is equality. `None` if the relation is empty.
    pub(super) fn union(
        &mut self,
        machine: &Machine,
        leaf: LeafId,
        mut union: Vec<(u32, u32)>,
        blockers: Vec<FlagId>,
    ) -> Option<RuleBody> {
        union.sort_unstable();
        union.dedup();
        let mut participants = vec![(leaf, union.into())];
        drop_equality(machine, &mut participants);
        self.body(participants, blockers)
    }

    /// The states in which each leaf can do its part, as pairs of a state with itself. Leaves that
    /// always can are left out.
    pub(super) fn domains(
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

/// Removes the leaves that stay in their state, whatever it is, because they take no part.
pub(super) fn drop_equality(machine: &Machine, participants: &mut Vec<(LeafId, Relation)>) {
    participants.retain(|(leaf, pairs)| {
        let count = machine.leaves[*leaf].state_count() as usize;
        // Each pair is there once: so if all pairs are equal states and there is one for each
        // state, the relation is equality.
        pairs.len() != count || pairs.iter().any(|(from, to)| from != to)
    });
}

/// The images of relations under a pbisim, each computed once, and those of flags.
pub(crate) struct RelationImages<'a> {
    relations: &'a Relations,
    pbisim: &'a Pbisim,
    /// By leaf, true if its states keep their numbers, as in a simple swap.
    keeps_numbers: IndexVec<LeafId, bool>,
    known: FxHashMap<(LeafId, RelationId), Option<RelationId>>,
    /// By flag, its image, if that is a flag. Different flags have different images.
    pub(super) flags: Vec<Option<FlagId>>,
}

impl<'a> RelationImages<'a> {
    /// The images before those of flags are added.
    pub(super) fn new(relations: &'a Relations, machine: &Machine, pbisim: &'a Pbisim) -> Self {
        let keeps_numbers = |leaf| {
            let numbers = 0..machine.leaves[leaf].state_count();
            pbisim.states(leaf).iter().copied().eq(numbers)
        };
        Self {
            relations,
            pbisim,
            keeps_numbers: machine.leaves.indices().map(keeps_numbers).collect(),
            known: FxHashMap::default(),
            flags: Vec::new(),
        }
    }

    /// The image of a relation of `leaf`, if it is a relation that occurs.
    pub(crate) fn of(&mut self, leaf: LeafId, relation: RelationId) -> Option<RelationId> {
        if self.keeps_numbers[leaf] {
            // Relations are numbered by their pairs alone, whatever leaf has them.
            return Some(relation);
        }
        *self.known.entry((leaf, relation)).or_insert_with(|| {
            let states = self.pbisim.states(leaf);
            let pairs = self.relations.pairs(relation).iter();
            let image = |&(from, to): &(u32, u32)| (states[from as usize], states[to as usize]);
            let mut pairs: Vec<(u32, u32)> = pairs.map(image).collect();
            pairs.sort_unstable();
            self.relations.0.find(&pairs[..])
        })
    }

    /// The image of a flag, if it is a flag.
    pub(crate) fn flag(&self, flag: FlagId) -> Option<FlagId> {
        self.flags[flag.index()]
    }

    /// The image of a rule's body, if its relations and flags have images.
    pub(crate) fn of_body(&mut self, body: &RuleBody) -> Option<RuleBody> {
        let image = |&(leaf, relation)| Some((self.pbisim.leaf(leaf), self.of(leaf, relation)?));
        let participants = body.participants.iter().map(image);
        let mut participants = participants.collect::<Option<Vec<_>>>()?;
        participants.sort_unstable();
        let blockers = body.blockers.iter().map(|&flag| self.flag(flag));
        let mut blockers = blockers.collect::<Option<Vec<_>>>()?;
        blockers.sort_unstable();
        Some(RuleBody {
            participants,
            blockers,
        })
    }
}
