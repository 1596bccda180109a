//! What the gates of a machine look at, in canonical form, and its images under a symmetry.
//!
//! A flag says that something is possible below a gate that is above something else. It is the set
//! of the ways in which that may be possible: flags with the same ways are one. A way is a product
//! of sets of states, those from which each leaf can do its part, unless a flag further in blocks
//! it. So whether a flag is up in a state vector is determined by the flags further in, and a
//! bijection of flags that takes ways to ways takes the flags that are up in a state vector to
//! those that are up in its image.

use rustc_hash::FxHashMap;

use super::product::{Products, RelationId, RelationImages, RelationProduct, Relations};
use crate::pbisim::Pbisim;
use base::define_index;
use base::interner::Interner;
use machine::priority::Pass;
use machine::{LeafId, Machine};
use process::event::EventId;

define_index! {
    /// A flag; those further in have smaller numbers.
    FlagId,
}

/// One way in which what a flag says may be possible.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Way {
    /// Ascending by leaf. Relations of states with themselves, none of them empty or equality.
    pub(crate) participants: Vec<(LeafId, RelationId)>,
    /// Flags that block it, ascending.
    pub(crate) blockers: Vec<FlagId>,
}

/// A class, a leaf that does something of this class alone, and the flags that block it.
type Alone = (u32, LeafId, Vec<FlagId>);

/// All flags, and where they come from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flags {
    flags: Interner<FlagId, Vec<Way>>,
    /// By gate and class; flags that are never up are left out.
    of_class: FxHashMap<Pass, FlagId>,
}

impl Flags {
    /// The flags of `machine`, with their relations added to `relations`.
    pub(super) fn of(machine: &Machine, relations: &mut Relations) -> Self {
        let mut flags = Self::default();
        for (id, gate) in machine.gates.iter_enumerated() {
            let mut by_class: FxHashMap<u32, Vec<Way>> = FxHashMap::default();
            let mut alone: FxHashMap<Alone, Vec<(u32, u32)>> = FxHashMap::default();
            for (class, rule) in &gate.rules {
                // Gates are listed from the inside outwards, so all flags that can block here are
                // numbered.
                let blockers = flags.blockers(machine, rule.passes.as_slice());
                let participants = relations.domains(machine, &rule.participants);
                match &participants[..] {
                    [(leaf, relation)] => {
                        let pairs = alone.entry((*class, *leaf, blockers)).or_default();
                        pairs.extend_from_slice(relation);
                    }
                    _ => {
                        if let Some(participants) = relations.intern(participants) {
                            by_class.entry(*class).or_default().push(Way {
                                participants,
                                blockers,
                            });
                        }
                    }
                }
            }
            for ((class, leaf, blockers), relation) in alone {
                if let Some(participants) = relations.intern_union(machine, leaf, relation) {
                    by_class.entry(class).or_default().push(Way {
                        participants,
                        blockers,
                    });
                }
            }
            let mut by_class: Vec<(u32, Vec<Way>)> = by_class.into_iter().collect();
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

    /// The flags any of which blocks what passes these gates, ascending.
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

    /// The ways of all flags, in their order.
    pub(crate) fn ways(&self) -> impl Iterator<Item = &[Way]> {
        self.flags.iter().map(Vec::as_slice)
    }

    /// By flag, its image under `pbisim`, if it is a flag. Different ones have different images.
    pub(crate) fn images(
        &self,
        relations: &mut RelationImages<'_>,
        pbisim: &Pbisim,
    ) -> Vec<Option<FlagId>> {
        let mut images: Vec<Option<FlagId>> = Vec::with_capacity(self.flags.len());
        for ways in self.flags.iter() {
            let image = |way: &Way| {
                Some(Way {
                    participants: relations.of_participants(pbisim, &way.participants)?,
                    // The blockers of a way are further in, so they have smaller numbers and their
                    // images are known.
                    blockers: images_of(&images, &way.blockers)?,
                })
            };
            let image = ways.iter().map(image).collect::<Option<Vec<Way>>>();
            images.push(image.and_then(|mut ways| {
                ways.sort_unstable();
                self.flags.find(&ways)
            }));
        }
        images
    }
}

/// The images of some flags, ascending, if all have one.
pub(crate) fn images_of(images: &[Option<FlagId>], flags: &[FlagId]) -> Option<Vec<FlagId>> {
    let mut all = flags
        .iter()
        .map(|flag| images[flag.0 as usize])
        .collect::<Option<Vec<FlagId>>>()?;
    all.sort_unstable();
    Some(all)
}

impl Products {
    /// What the gates look at.
    pub(crate) fn flags(&self) -> &Flags {
        &self.flags
    }

    /// The image of `product`, whose event goes to `result`, if its relations and flags have
    /// images.
    pub(super) fn image(
        product: &RelationProduct,
        result: EventId,
        relations: &mut RelationImages<'_>,
        flags: &[Option<FlagId>],
        pbisim: &Pbisim,
    ) -> Option<RelationProduct> {
        Some(RelationProduct {
            result,
            participants: relations.of_participants(pbisim, &product.participants)?,
            blockers: images_of(flags, &product.blockers)?,
        })
    }
}
