//! Forests of ids and their swaps, without machines.

use super::*;
use crate::symmetry::permutations::{Permutation, PermutationGroup};
use crate::symmetry::structure::swaps::swaps;
use crate::symmetry::structure::tree::{Siblings, Tree};

fn s(n: usize) -> Given {
    Given::symmetric(n)
}

/// The sizes of the families, parents first, with the number of the parent; after checking that the swaps generate
/// the group, and behave as a forest's do: involutions that fulfil the relations of its group.
fn sizes(given: &Given) -> Option<Vec<(usize, Option<usize>)>> {
    let tree = Tree::new(&given.form(), given.generators.len())?;
    let order = given.order();
    let swaps = swaps(&tree, given.points, &given.generators, &order)?;
    let images = swaps.iter().flatten().map(|swap| swap.images().to_vec());
    let generated = PermutationGroup::new(given.points, images.clone().collect());
    assert_eq!(*generated.order(), order);
    let group = PermutationGroup::new(given.points, given.generators.clone());
    assert!(images.into_iter().all(|swap| group.contains(&swap)));
    for (number, family) in tree.families.iter().enumerate() {
        assert_eq!(family.ids.len(), family.children.len());
        assert_eq!(family.ids.len(), swaps[number].len() + 1);
        if let Some((parent, at)) = family.parent {
            assert!(parent < number && tree.families[parent].children[at].contains(&number));
        }
        for swap in &swaps[number] {
            assert!(!swap.is_identity() && swap.then(swap).is_identity());
        }
        for (at, below) in family.children.iter().enumerate() {
            assert_eq!(below.len(), family.children[0].len());
            for (&first, &other) in family.children[0].iter().zip(below) {
                assert_eq!(tree.families[other].parent, Some((number, at)));
                // What moves the first member's children is carried along to the same of the other's.
                if at > 0 {
                    let by = &swaps[number][at - 1];
                    for (left, right) in swaps[first].iter().zip(&swaps[other]) {
                        assert_eq!(by.then(left).then(by), *right);
                    }
                }
            }
        }
    }
    independent(&tree, &swaps);
    let size = |family: &Siblings| (family.ids.len(), family.parent.map(|(parent, _)| parent));
    Some(tree.families.iter().map(size).collect())
}

/// Swaps of families of which none is above the other commute.
fn independent(tree: &Tree, swaps: &[Vec<Permutation>]) {
    let above = |upper: usize, mut family: usize| loop {
        if family == upper {
            return true;
        }
        match tree.families[family].parent {
            Some((parent, _)) => family = parent,
            None => return false,
        }
    };
    for left in 0..swaps.len() {
        for right in (0..swaps.len()).filter(|&right| !above(left, right) && !above(right, left)) {
            for (x, y) in swaps[left].iter().zip(&swaps[right]) {
                assert_eq!(x.then(y), y.then(x));
            }
        }
    }
}

#[test]
fn families_side_by_side_and_below_each_other() {
    assert_eq!(sizes(&s(5)), Some(vec![(5, None)]));
    assert_eq!(sizes(&s(3).beside(&s(2))), Some(vec![(3, None), (2, None)]));
    let below = |size| (size, Some(0));
    let three = Some(vec![(3, None), below(4), below(4), below(4)]);
    assert_eq!(sizes(&s(4).wr(&s(3))), three);
    assert_eq!(sizes(&s(4).wr(&s(3)).in_step(&s(4).wr(&s(3)))), three);
    let ring = Some(vec![(2, None), below(2), below(2)]);
    assert_eq!(sizes(&s(2).wr(&s(2))), ring, "D4");
    assert_eq!(
        sizes(&s(2).wr(&s(2)).regular()),
        ring,
        "on its own elements"
    );
    assert_eq!(sizes(&Given::turn(5)), None);
    assert_eq!(sizes(&s(3).wr(&Given::turn(5))), None);
    assert_eq!(sizes(&Given::turn(4).wr(&s(3))), None);
    // S3 on its own elements, with S2 below each: these are not what S3 permutes freely.
    assert_eq!(sizes(&s(2).wr(&s(3).regular())), None);
}

#[test]
fn ids_need_not_be_points() {
    assert_eq!(sizes(&s(5).on_pairs()), Some(vec![(5, None)]));
    assert_eq!(sizes(&s(4).regular()), Some(vec![(4, None)]));
    let axes = Some(vec![
        (4, None),
        (2, Some(0)),
        (2, Some(0)),
        (2, Some(0)),
        (2, Some(0)),
    ]);
    assert_eq!(sizes(&hypercube(4)), axes);
}

/// A family of a random forest.
#[derive(Clone, Debug)]
struct Node {
    size: usize,
    /// Whether the members are points too, and not only what is below them.
    is_visible: bool,
    /// Below each member.
    children: Vec<Node>,
}

impl Node {
    fn random(random: &mut impl FnMut(usize) -> usize, depth: usize) -> Self {
        let families = if depth == 0 { 0 } else { random(3) };
        let children: Vec<Self> = (0..families)
            .map(|_| Self::random(random, depth - 1))
            .collect();
        Self {
            size: 2 + random(3),
            is_visible: children.is_empty() || random(2) == 0,
            children,
        }
    }

    fn given(&self) -> Given {
        let members = s(self.size);
        let below = beside(&self.children).wr(&members);
        let stay = vec![(0..self.size as u32).collect(); below.generators.len() - 2];
        let members = Given::new(self.size, [stay, members.generators].concat());
        match (self.is_visible, self.children.is_empty()) {
            (_, true) => members,
            (true, _) => below.in_step(&members),
            (false, _) => below,
        }
    }

    fn sizes(&self) -> Vec<usize> {
        let children: Vec<usize> = self.children.iter().flat_map(Self::sizes).collect();
        [vec![self.size], children.repeat(self.size)].concat()
    }
}

fn beside(nodes: &[Node]) -> Given {
    let nothing = Given::new(0, Vec::new());
    nodes
        .iter()
        .fold(nothing, |all, node| all.beside(&node.given()))
}

#[test]
fn random_forests() {
    let mut state = 1u64;
    let mut random = |bound: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let mut done = 0;
    while done < 40 {
        let nodes: Vec<Node> = (0..1 + random(2))
            .map(|_| Node::random(&mut random, 2))
            .collect();
        let given = beside(&nodes);
        if given.points > 150 {
            continue;
        }
        done += 1;
        let mut expected: Vec<usize> = nodes.iter().flat_map(Node::sizes).collect();
        let found = sizes(&given).unwrap_or_else(|| panic!("{nodes:?}: {}", given.name()));
        let mut found: Vec<usize> = found.into_iter().map(|(size, _)| size).collect();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected, "{nodes:?}");
    }
}
