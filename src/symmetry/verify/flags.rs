//! The flags that the gates of a machine look at, in canonical form, and their images under a
//! symmetry.
//!
//! A flag is up if an event of some class is possible below a gate. It is stored as the set of ways
//! in which that is possible: flags with the same ways are equal. A way is a product of sets of
//! states, those from which each leaf can do its part, unless a flag further in blocks it. So the
//! flags further in determine if a flag is up in a state vector, and a bijection of flags that
//! takes ways to ways takes the flags that are up in a state vector to those that are up in its
//! image.

use rustc_hash::FxHashMap;

use super::relations::{FlagId, RelationImages, Relations, RuleBody};
use base::interner::Interner;
use machine::priority::Pass;
use machine::{LeafId, Machine};

/// A class, a leaf that can do an event of this class alone, and the flags that block it.
type Alone = (u32, LeafId, Vec<FlagId>);

/// All flags, by the gates and classes that they come from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flags {
    flags: Interner<FlagId, Vec<RuleBody>>,
    /// By gate and class, the flag. Flags that are never up are left out.
    of_class: FxHashMap<Pass, FlagId>,
}

impl Flags {
    /// The flags of `machine`, with their relations added to `relations`.
    pub(super) fn of(machine: &Machine, relations: &mut Relations) -> Self {
        let mut flags = Self::default();
        for (id, gate) in machine.gates.iter_enumerated() {
            let mut by_class: FxHashMap<u32, Vec<RuleBody>> = FxHashMap::default();
            let mut alone: FxHashMap<Alone, Vec<(u32, u32)>> = FxHashMap::default();
            for (class, rule) in &gate.rules {
                // Gates are listed from the inside outwards, so all flags that can block here are
                // numbered.
                let blockers = flags.blockers(machine, rule.passes.as_slice());
                let participants = Relations::domains(machine, &rule.participants);
                match &participants[..] {
                    [(leaf, relation)] => {
                        let pairs = alone.entry((*class, *leaf, blockers)).or_default();
                        pairs.extend_from_slice(relation);
                    }
                    _ => {
                        let way = relations.body(participants, blockers);
                        by_class.entry(*class).or_default().extend(way);
                    }
                }
            }
            for ((class, leaf, blockers), relation) in alone {
                let way = relations.union(machine, leaf, relation, blockers);
                by_class.entry(class).or_default().extend(way);
            }
            let mut by_class: Vec<(u32, Vec<RuleBody>)> = by_class.into_iter().collect();
            // A class that is never possible has no flag.
            by_class.retain(|(_, ways)| !ways.is_empty());
            by_class.sort_unstable();
            for (class, mut ways) in by_class {
                ways.sort_unstable();
                ways.dedup();
                let flag = flags.flags.intern(ways);
                flags.of_class.insert(Pass { gate: id, class }, flag);
            }
        }
        flags
    }

    /// The flags, ascending, any of which blocks an event that passes these gates.
    pub(super) fn blockers(&self, machine: &Machine, passes: &[Pass]) -> Vec<FlagId> {
        let above = passes.iter().flat_map(|&pass| {
            let classes = machine.gates[pass.gate].priority.above(pass.class).iter();
            classes.map(move |&class| Pass { class, ..pass })
        });
        let mut blockers: Vec<FlagId> = above
            // A class without a flag is never possible below its gate, so it blocks nothing.
            .filter_map(|pass| self.of_class.get(&pass).copied())
            .collect();
        blockers.sort_unstable();
        blockers.dedup();
        blockers
    }

    /// The ways of all flags, in their order: relations of states with themselves.
    pub(crate) fn ways(&self) -> impl Iterator<Item = &[RuleBody]> {
        self.flags.iter().map(Vec::as_slice)
    }

    /// Adds the images of all flags to `images`.
    pub(super) fn add_images(&self, images: &mut RelationImages<'_>) {
        for ways in self.flags.iter() {
            // The blockers of a way are further in, so they have smaller numbers and their images
            // are known.
            let image = ways.iter().map(|way| images.of_body(way));
            let image = image.collect::<Option<Vec<RuleBody>>>();
            images.flags.push(image.and_then(|mut ways| {
                ways.sort_unstable();
                self.flags.find(&ways)
            }));
        }
    }
}
