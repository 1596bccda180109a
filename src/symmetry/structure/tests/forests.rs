//! Forests of ids and their swaps, without machines.

use super::*;
use crate::permutations::PermutationGroup;
use crate::permutations::blocks::systems;
use crate::permutations::element::PointPermutation;
use crate::structure::moved::Moved;
use crate::structure::stars::Stars;
use crate::structure::swaps::{on_points, swaps};
use crate::structure::tree::{IdTree, Siblings, order};

fn s(n: usize) -> Given {
    Given::symmetric(n)
}

/// The sizes of the families, parents first, each with the number of its parent. Checks that the
/// swaps generate the group, and that they are involutions that fulfil the relations of a forest's
/// group.
fn sizes(given: &Given) -> Option<Vec<(usize, Option<usize>)>> {
    let tree = IdTree::new(&given.form(), given.generators.len())?;
    let order = given.order();
    let stars = swaps(&tree, &given.action(), &order)?;
    let ids = tree.ids.points;
    let of_family = |swaps: &Vec<Moved>| {
        let swaps = swaps.iter();
        swaps
            .map(|swap| on_points(swap, ids as u32, given.points))
            .collect()
    };
    let swaps: Vec<Vec<PointPermutation>> = stars.swaps.iter().map(of_family).collect();
    let images = swaps.iter().flatten().map(|swap| swap.images().to_vec());
    let generated = PermutationGroup::new(given.points, images.clone().collect());
    assert_eq!(*generated.order(), order);
    let group = PermutationGroup::new(given.points, given.generators.clone());
    assert!(images.into_iter().all(|swap| group.contains(&swap)));
    are_swaps(&stars, &swaps);
    on_ids(&stars, ids);
    independent(&stars, &swaps);
    let size = |family: &Siblings| (family.ids.len(), family.parent.map(|(parent, _)| parent));
    Some(stars.families.iter().map(size).collect())
}

#[test]
fn clients_of_servers_as_in_the_readme() {
    let given = Given::new(
        6,
        vec![
            vec![1, 0, 2, 3, 4, 5],
            vec![2, 3, 0, 1, 4, 5],
            vec![2, 3, 4, 5, 0, 1],
        ],
    );
    assert_eq!(given.order(), 48u32.into());
    let action = given.action();
    let systems = systems(&action, 60, &mut |_| Some(())).unwrap();
    let blocks: Vec<&[u32]> = systems.iter().map(|system| &*system.of).collect();
    assert_eq!(blocks, [[0, 0, 1, 1, 2, 2]]);
    let on_blocks = action.on_blocks(&systems[0]);
    assert_eq!(on_blocks.points, 3);
    assert_eq!(given.name(), "S2 wr S3");
    let families = [(3, None), (2, Some(0)), (2, Some(0)), (2, Some(0))];
    assert_eq!(sizes(&given).unwrap(), families);
}

/// On ids, each swap exchanges two members and the ids below them, place by place, and moves no
/// other.
fn on_ids(stars: &Stars, ids: usize) {
    fn pairs(
        stars: &Stars,
        left: (usize, usize),
        right: (usize, usize),
        all: &mut Vec<(u32, u32)>,
    ) {
        let at = |(family, member): (usize, usize)| &stars.families[family].ids[member];
        all.extend([(*at(left), *at(right)), (*at(right), *at(left))]);
        let below = |(family, member): (usize, usize)| &stars.families[family].children[member];
        for (&l, &r) in below(left).iter().zip(below(right)) {
            (0..stars.families[l].ids.len()).for_each(|at| pairs(stars, (l, at), (r, at), all));
        }
    }
    let mut members: Vec<u32> = stars.families.iter().flat_map(|f| f.ids.clone()).collect();
    members.sort_unstable();
    assert!(members.into_iter().eq(0..ids as u32));
    for (family, swaps) in stars.swaps.iter().enumerate() {
        for (member, swap) in (1..).zip(swaps) {
            let mut expected = Vec::new();
            pairs(stars, (family, 0), (family, member), &mut expected);
            expected.sort_unstable();
            let moved = swap.pairs().iter().filter(|(id, _)| (*id as usize) < ids);
            assert!(moved.eq(&expected));
        }
    }
}

fn are_swaps(stars: &Stars, swaps: &[Vec<PointPermutation>]) {
    for (number, family) in stars.families.iter().enumerate() {
        assert_eq!(family.ids.len(), family.children.len());
        assert_eq!(family.ids.len(), swaps[number].len() + 1);
        if let Some((parent, at)) = family.parent {
            assert!(parent < number && stars.families[parent].children[at].contains(&number));
        }
        for swap in &swaps[number] {
            assert!(!swap.is_identity() && swap.then(swap).is_identity());
        }
        for (at, below) in family.children.iter().enumerate() {
            assert_eq!(below.len(), family.children[0].len());
            for (&first, &other) in family.children[0].iter().zip(below) {
                assert_eq!(stars.families[other].parent, Some((number, at)));
                // The swaps below the first member, conjugated by the exchange, are those below the
                // other member.
                if at > 0 {
                    let by = &swaps[number][at - 1];
                    for (left, right) in swaps[first].iter().zip(&swaps[other]) {
                        assert_eq!(by.then(left).then(by), *right);
                    }
                }
            }
        }
    }
}

/// Checks that swaps of two families commute if neither family is above the other.
fn independent(stars: &Stars, swaps: &[Vec<PointPermutation>]) {
    let above = |upper: usize, mut family: usize| loop {
        if family == upper {
            return true;
        }
        match stars.families[family].parent {
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
    // S3 on its own elements, with S2 below each: S3 does not permute these freely.
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
struct TreeNode {
    size: usize,
    /// True if the members are points too, and not only the ids below them.
    is_visible: bool,
    /// The families below each member.
    children: Vec<TreeNode>,
}

impl TreeNode {
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

fn beside(nodes: &[TreeNode]) -> Given {
    let nothing = Given::new(0, Vec::new());
    nodes
        .iter()
        .fold(nothing, |all, node| all.beside(&node.given()))
}

#[test]
fn random_forests() {
    let mut random = numbers(1);
    let mut done = 0;
    while done < 40 {
        let nodes: Vec<TreeNode> = (0..1 + random(2))
            .map(|_| TreeNode::random(&mut random, 2))
            .collect();
        let given = beside(&nodes);
        if given.points > 150 {
            continue;
        }
        done += 1;
        let mut expected: Vec<usize> = nodes.iter().flat_map(TreeNode::sizes).collect();
        let found = sizes(&given).unwrap_or_else(|| panic!("{nodes:?}: {}", given.name()));
        let mut found: Vec<usize> = found.into_iter().map(|(size, _)| size).collect();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected, "{nodes:?}");
    }
}

/// A generator of pseudo-random numbers below a bound.
fn numbers(mut state: u64) -> impl FnMut(usize) -> usize {
    move |bound| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    }
}

/// The same group, generated by random products of its generators, as many as are needed. None of
/// them is merely an exchange of two siblings.
fn scrambled(given: &Given, seed: u64) -> Given {
    let mut random = numbers(seed);
    let order = given.order();
    let mut generators = Vec::new();
    loop {
        let mut product: Vec<u32> = (0..given.points as u32).collect();
        for _ in 0..20 + random(20) {
            let next = &given.generators[random(given.generators.len())];
            product
                .iter_mut()
                .for_each(|image| *image = next[*image as usize]);
        }
        generators.push(product);
        let scrambled = Given::new(given.points, generators.clone());
        if scrambled.order() == order {
            return scrambled;
        }
    }
}

#[test]
fn no_generator_need_be_an_exchange() {
    let groups = [
        s(2).wr(&s(3)),
        s(3).wr(&s(2)),
        s(2).wr(&s(2)).wr(&s(3)),
        s(3).wr(&s(3)).wr(&s(3)),
        s(2).beside(&s(2)).wr(&s(2)),
        s(3).beside(&s(2)).wr(&s(4)),
        s(5).beside(&s(4)).beside(&s(2).wr(&s(5))),
        s(6).wr(&s(7)),
        s(2).wr(&s(40)),
        s(4).on_pairs().wr(&s(3)),
        hypercube(4),
    ];
    for (number, given) in groups.iter().enumerate() {
        let mut expected = sizes(given).unwrap();
        expected.sort_unstable();
        for seed in 0..3 {
            let mut found = sizes(&scrambled(given, seed)).unwrap();
            found.sort_unstable();
            assert_eq!(found, expected, "group {number}, {seed}");
        }
    }
    // Two cycles, one of them odd: neither has a power that is a transposition.
    let cycle = |points: &[u32]| {
        let mut images: Vec<u32> = (0..8).collect();
        for (at, &point) in points.iter().enumerate() {
            images[point as usize] = points[(at + 1) % points.len()];
        }
        images
    };
    let cycles = [
        cycle(&[0, 1, 2, 3, 4, 5, 6, 7]),
        cycle(&[0, 2, 1, 5, 3, 4, 6]),
    ];
    let given = Given::new(8, cycles.to_vec());
    assert_eq!(sizes(&given), Some(vec![(8, None)]));
}

/// In a group whose order is a power of two, only few elements are exchanges, and no other element
/// has a power that is one.
#[test]
fn binary_trees() {
    let two = s(2);
    let tree = (0..5).fold(two.clone(), |tree, _| tree.wr(&two));
    assert_eq!(tree.points, 64);
    let sizes = sizes(&scrambled(&tree, 1)).unwrap();
    assert_eq!(sizes.len(), 63);
    assert!(sizes.iter().all(|&(size, _)| size == 2));
}

#[test]
fn thousands_of_ids() {
    let start = std::time::Instant::now();
    let given = s(2).wr(&s(1000));
    let form = given.form();
    let tree = IdTree::new(&form, given.generators.len()).unwrap();
    let stars = swaps(&tree, &given.action(), &order(&tree.families)).unwrap();
    assert_eq!((tree.ids.points, stars.families.len()), (3000, 1001));
    on_ids(&stars, 3000);
    let seconds = start.elapsed().as_secs_f64();
    // Even a build without optimisation takes less time on a machine that does other things too.
    assert!(seconds < 10.0, "{seconds} s");
}
