//! The direct factors of a group of symmetries, each with elements that generate it.

use num_bigint::BigUint;
use rustc_hash::FxHashSet;

use crate::group::Group;
use crate::pbisim::Symmetry;
use crate::permutations::action::GroupAction;
use crate::permutations::element::is_identity;

use super::effort::Effort;
use super::supports::{self, SupportPart};

/// A direct factor.
pub(super) struct DirectFactor {
    /// On the points that count for it, by the generators below.
    pub(super) action: GroupAction,
    pub(super) order: BigUint,
    pub(super) generators: Vec<Symmetry>,
}

/// Faithful points of a group whose elements are taken apart: that needs a stabiliser chain.
const MOST_POINTS: usize = 1500;

/// The factors of `group`, in the order of their least points; one if it does not split, or is too
/// large to take its generators apart where they belong to several factors.
pub(super) fn split(group: &Group, effort: &mut Effort) -> Vec<DirectFactor> {
    let faithful = FactorPoints::new(group);
    let parts = supports::split(&faithful.action, group.order(), effort);
    let factors: Option<Vec<DirectFactor>> = match parts.len() {
        0 | 1 => None,
        _ => parts.iter().map(|part| faithful.factor(part)).collect(),
    };
    factors.unwrap_or_else(|| faithful.undivided())
}

struct FactorPoints<'a> {
    group: &'a Group,
    /// Ascending.
    points: Vec<u32>,
    /// By generator, on `points`.
    action: GroupAction,
}

impl<'a> FactorPoints<'a> {
    fn new(group: &'a Group) -> Self {
        let points = group.permutations().faithful_points();
        let images = group.generators().iter();
        let images = images.filter_map(|generator| group.images(generator));
        let all = GroupAction::new(group.permutations().points(), images);
        Self {
            group,
            action: all.restricted(&points),
            points,
        }
    }

    fn undivided(self) -> Vec<DirectFactor> {
        if self.points.is_empty() {
            return Vec::new();
        }
        vec![DirectFactor {
            action: self.action,
            order: self.group.order().clone(),
            generators: self.group.generators().to_vec(),
        }]
    }

    /// The factor that moves `part`: each generator's share in it.
    fn factor(&self, part: &SupportPart) -> Option<DirectFactor> {
        let mut seen: FxHashSet<Vec<u32>> = FxHashSet::default();
        let (mut generators, mut images) = (Vec::new(), Vec::new());
        for (generator, all) in self.group.generators().iter().zip(&self.action.images) {
            let mut share: Vec<u32> = (0..all.len() as u32).collect();
            for &point in &part.points {
                // In a direct product each element is the product of its shares, which are elements
                // too.
                share[point as usize] = all[point as usize];
            }
            if !is_identity(&share) && seen.insert(share.clone()) {
                // A generator of one factor is its own share: most are, and need no chain.
                generators.push(if share[..] == all[..] {
                    generator.clone()
                } else {
                    self.element(&share)?
                });
                images.push(share);
            }
        }
        Some(DirectFactor {
            action: GroupAction::new(self.points.len(), images).restricted(&part.points),
            order: part.order.clone(),
            generators,
        })
    }

    /// The element with these images of the faithful points.
    fn element(&self, images: &[u32]) -> Option<Symmetry> {
        if self.points.len() > MOST_POINTS {
            return None;
        }
        let to: Vec<u32> = images.iter().map(|&at| self.points[at as usize]).collect();
        let element = self.group.permutations().taking(&self.points, &to)?;
        Some(self.group.symmetry(&element))
    }
}
