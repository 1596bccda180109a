//! Signature sort against brute force, on systems whose states are terms over ids.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::*;
use crate::forest::Family;
use crate::pbisim::Pbisim;
use crate::permutation::EventPermutation;
use crate::representative::apply;
use crate::representative::tests::{self as common, image, pack};
use crate::testing::CopiesCheck;
use base::index::TypedIndex;
use machine::LeafId;
use testkit::copies::Shape;
use testkit::random::RandomNumbers;

/// The name of a component, or a value that it holds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Term {
    Id(usize),
    Tag(u32),
    List(Vec<Term>),
    Set(BTreeSet<Term>),
}

use Term::{Id, List, Tag};

impl Term {
    fn set(terms: impl IntoIterator<Item = Term>) -> Self {
        Term::Set(terms.into_iter().collect())
    }

    fn renamed(&self, images: &[usize]) -> Self {
        match self {
            Id(id) => Id(images[*id]),
            Tag(tag) => Tag(*tag),
            List(terms) => List(terms.iter().map(|term| term.renamed(images)).collect()),
            Term::Set(terms) => Term::set(terms.iter().map(|term| term.renamed(images))),
        }
    }
}

/// Families, each by its parent (family and member) and size.
type Families = [(Option<(usize, usize)>, usize)];

/// Components, each with its name and the terms that it may hold, the specification last.
struct System {
    components: Vec<(Term, Vec<Term>)>,
    forest: Forest,
}

impl System {
    fn new(families: &Families, mut components: Vec<(Term, Vec<Term>)>) -> Self {
        // States are numbered differently in each component.
        let mut random = RandomNumbers(11);
        for (_, states) in &mut components {
            for last in (1..states.len()).rev() {
                states.swap(last, random.below(last + 1));
            }
        }
        let mut system = Self {
            components,
            forest: Forest {
                families: Vec::new(),
            },
        };
        let children = |family: usize, member: usize| -> Vec<usize> {
            let below = |&child: &usize| families[child].0 == Some((family, member));
            (0..families.len()).filter(below).collect()
        };
        let firsts: Vec<usize> = (0..families.len())
            .map(|family| families[..family].iter().map(|(_, size)| size).sum())
            .collect();
        let ids = firsts.last().unwrap() + families.last().unwrap().1;
        for (family, &(parent, size)) in families.iter().enumerate() {
            let swap = |member: usize| {
                let mut images: Vec<usize> = (0..ids).collect();
                let mut open = vec![(firsts[family], firsts[family] + member)];
                while let Some((left, right)) = open.pop() {
                    images.swap(left, right);
                    let families_below = |id: usize| {
                        let family = firsts.partition_point(|&first| first <= id) - 1;
                        children(family, id - firsts[family])
                    };
                    for (l, r) in families_below(left).into_iter().zip(families_below(right)) {
                        open.extend((0..families[l].1).map(|m| (firsts[l] + m, firsts[r] + m)));
                    }
                }
                system.symmetry(&images)
            };
            let swaps = (1..size).map(swap).collect();
            system.forest.families.push(Family {
                parent,
                swaps,
                children: (0..size).map(|member| children(family, member)).collect(),
            });
        }
        system
    }

    fn symmetry(&self, images: &[usize]) -> Symmetry {
        let (specification, leaves) = self.components.split_last().unwrap();
        let map = |from: &[Term], to: &[Term]| -> Arc<[u32]> {
            let places: HashMap<&Term, u32> = to.iter().zip(0..).collect();
            let place = |term: &Term| places[&term.renamed(images)];
            from.iter().map(place).collect()
        };
        let mut pbisim = (Vec::new(), Vec::new());
        for (name, states) in leaves {
            let name = name.renamed(images);
            let to = leaves.iter().position(|(other, _)| *other == name).unwrap();
            pbisim.0.push(LeafId::from_usize(to));
            pbisim.1.push(map(states, &leaves[to].1));
        }
        Symmetry {
            events: EventPermutation::identity(),
            pbisim: Pbisim::new(pbisim.0, pbisim.1),
            specification: map(&specification.1, &specification.1),
        }
    }

    fn counts(&self) -> Vec<u32> {
        let counts = self
            .components
            .iter()
            .map(|(_, states)| states.len() as u32);
        counts.collect()
    }

    fn plan(&self, limits: Limits) -> SignaturePlan {
        let ids: usize = self.forest.families.iter().map(Family::size).sum();
        let identity = self.symmetry(&(0..ids).collect::<Vec<_>>());
        SignaturePlan::on(&self.counts(), identity, &self.forest, limits).unwrap()
    }

    fn elements(&self) -> Vec<Symmetry> {
        let swaps: Vec<&Symmetry> = self.forest.families.iter().flat_map(|f| &f.swaps).collect();
        let mut elements = vec![swaps[0].then(swaps[0])];
        let mut known: HashSet<Symmetry> = elements.iter().cloned().collect();
        let mut done = 0;
        while done < elements.len() {
            for swap in &swaps {
                let next = elements[done].then(swap);
                if known.insert(next.clone()) {
                    elements.push(next);
                }
            }
            done += 1;
        }
        elements
    }

    fn random_states(&self, number: usize) -> Vec<Vec<u32>> {
        let mut random = RandomNumbers(5);
        let counts = self.counts();
        let mut state = || {
            counts
                .iter()
                .map(|&n| random.below(n as usize) as u32)
                .collect()
        };
        (0..number).map(|_| state()).collect()
    }

    /// The state in which the components, in their order, hold these terms.
    fn state(&self, terms: &[Term]) -> Vec<u32> {
        let components = self.components.iter().zip(terms);
        let value = |(component, term): (&(Term, Vec<Term>), &Term)| {
            component.1.iter().position(|other| other == term).unwrap() as u32
        };
        components.map(value).collect()
    }

    /// Compares each representative with the whole orbit. Returns the number of orbits among the
    /// states, and the number of ambiguous representatives.
    fn check<S: PackedState>(&self, plan: &SignaturePlan, states: &[Vec<u32>]) -> (usize, u64) {
        let packing = Packing::new(&self.counts());
        let elements = self.elements();
        assert_eq!(self.forest.order(), BigUint::from(elements.len()));
        let all: HashSet<&Symmetry> = elements.iter().collect();
        let mut rep = plan.packed::<S>(&packing);
        let mut orbits: HashSet<Vec<u64>> = HashSet::new();
        for values in states {
            let state: S = pack(&packing, values);
            let twist = rep.twist(&state);
            assert!(all.contains(&twist));
            let mut found = state.clone();
            rep.represent(&mut found);
            assert_eq!(apply(&packing, &twist, &state).words(), found.words());
            for element in &elements {
                let mut other: S = pack(&packing, &image(element, values));
                rep.represent(&mut other);
                assert_eq!(packing.unpack(&other), packing.unpack(&found), "{values:?}");
            }
            orbits.insert(found.words().to_vec());
        }
        (orbits.len(), rep.ambiguous)
    }

    /// Checks random states in all ways of working. Returns true if uniqueness was certain.
    fn check_random(&self, number: usize) -> bool {
        let states = self.random_states(number);
        let plan = self.plan(Limits::default());
        let (orbits, ambiguous) = self.check::<Vec<u64>>(&plan, &states);
        assert_eq!(ambiguous, 0);
        assert!(orbits > 1);
        let spare = self.plan(Limits {
            pairs: 0,
            steps: 0,
            images: 0,
        });
        assert_eq!(self.check::<Vec<u64>>(&spare, &states), (orbits, 0));
        if Packing::new(&self.counts()).words() == 1 {
            assert_eq!(self.check::<u64>(&plan, &states), (orbits, 0));
        }
        plan.is_unique()
    }
}

fn tags(count: u32) -> Vec<Term> {
    (0..count).map(Tag).collect()
}

fn ids(ids: std::ops::Range<usize>) -> Vec<Term> {
    ids.map(Id).collect()
}

fn subsets(of: &[usize]) -> Vec<Term> {
    let subset = |bits: usize| {
        let members = of.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
        Term::set(members.map(|(_, &id)| Id(id)))
    };
    (0..1 << of.len()).map(subset).collect()
}

/// The component of id i of this kind.
fn own(kind: u32, id: usize) -> Term {
    List(vec![Tag(kind), Id(id)])
}

/// A system in which each id has a component that holds an id or nobody, beside a specification of
/// one state.
fn pointers(count: usize) -> System {
    let held = || [ids(0..count), tags(1)].concat();
    let mut components: Vec<_> = (0..count).map(|id| (own(0, id), held())).collect();
    components.push((Tag(9), tags(1)));
    System::new(&[(None, count)], components)
}

#[test]
fn participants_that_hold_ids_as_in_the_readme() {
    let system = pointers(3);
    let held = |ids: [Option<usize>; 3]| {
        let held = ids.map(|id| id.map_or(Tag(0), Id));
        system.state(&held.into_iter().chain([Tag(0)]).collect::<Vec<_>>())
    };
    let choices = [None, Some(0), Some(1), Some(2)];
    let states = choices.iter().flat_map(|&a| {
        let pairs = choices
            .iter()
            .flat_map(move |&b| choices.map(|c| [a, b, c]));
        pairs.map(held)
    });
    let states: Vec<Vec<u32>> = states.collect();
    let plan = system.plan(Limits::default());
    assert_eq!(system.elements().len(), 6);
    assert_eq!(
        (states.len(), system.check::<u64>(&plan, &states)),
        (64, (16, 0))
    );
    let packing = Packing::new(&system.counts());
    let sorter = Sorter::new(&plan.tables, &packing);
    let different_keys = |state: &[u32]| {
        let mut signed = Signed {
            keys: vec![0; 3],
            ..Signed::default()
        };
        sorter.read(&pack::<u64>(&packing, state), &mut signed);
        signed.keys.iter().collect::<HashSet<_>>().len()
    };
    let ring = held([Some(1), Some(2), Some(0)]);
    assert_eq!(different_keys(&held([Some(1), None, None])), 3);
    assert_eq!(different_keys(&held([None; 3])), 1);
    assert_eq!(different_keys(&ring), 1);
    // The ring in the other direction is in the same orbit.
    let both = [ring, held([Some(2), Some(0), Some(1)])];
    assert_eq!(system.check::<u64>(&plan, &both), (1, 0));
}

#[test]
fn participants_beside_a_variable_that_holds_an_id() {
    let mut components: Vec<_> = (0..5).map(|id| (own(0, id), tags(3))).collect();
    components.push((Tag(7), [ids(0..5), tags(2)].concat()));
    components.push((Tag(8), tags(4)));
    components.push((Tag(9), [ids(0..5), tags(1)].concat()));
    let system = System::new(&[(None, 5)], components);
    assert!(system.check_random(40));
    assert!(system.plan(Limits::default()).tables.linking.is_empty());
}

#[test]
fn shared_components_that_hold_sets_of_ids() {
    let all = [0, 1, 2, 3, 4];
    let mut components: Vec<_> = (0..5).map(|id| (own(0, id), tags(2))).collect();
    components.push((Tag(7), subsets(&all)));
    components.push((Tag(8), subsets(&all)));
    components.push((Tag(9), subsets(&all)));
    let system = System::new(&[(None, 5)], components);
    assert!(system.check_random(60), "120 orders can be tried");
    assert!(!system.plan(Limits::default()).tables.linking.is_empty());
}

#[test]
fn two_families() {
    let mut components: Vec<_> = (0..5).map(|id| (own(0, id), tags(2))).collect();
    let pairs = (0..3).flat_map(|a| (3..5).map(move |b| List(vec![Id(a), Id(b)])));
    components.push((Tag(7), pairs.chain(tags(1)).collect()));
    components.push((Tag(8), [ids(0..5), subsets(&[0, 1, 2])].concat()));
    components.push((
        Tag(9),
        [subsets(&[3, 4]), subsets(&[0, 1, 2])[1..].to_vec()].concat(),
    ));
    let families = [(None, 3), (None, 2)];
    System::new(&families, components).check_random(100);
}

/// Three servers 0 to 2, and two clients below each.
const CLIENTS: [(Option<(usize, usize)>, usize); 4] = [
    (None, 3),
    (Some((0, 0)), 2),
    (Some((0, 1)), 2),
    (Some((0, 2)), 2),
];

#[test]
fn clients_of_servers() {
    let mut components = Vec::new();
    for server in 0..3 {
        let clients = 3 + 2 * server..5 + 2 * server;
        components.push((own(0, server), [ids(clients.clone()), tags(2)].concat()));
        components.extend(clients.map(|client| (own(1, client), tags(2))));
    }
    components.push((Tag(9), [ids(0..9), tags(1)].concat()));
    let system = System::new(&CLIENTS, components.clone());
    assert!(system.check_random(60));
    let plan = system.plan(Limits::default());
    assert_eq!(
        (plan.tables.ids.count(), plan.tables.ids.families.len()),
        (9, 4)
    );

    // Now clients speak to each other, a component has one client of each server, and the
    // specification two clients.
    for client in 3..9 {
        components.push((own(2, client), ids(3..9)));
    }
    let sections = (0..8).map(|bits: usize| {
        Term::set((0..3).map(|server| Id(3 + 2 * server + (bits >> server & 1))))
    });
    components.insert(0, (Tag(7), sections.collect()));
    let specification = components
        .iter_mut()
        .find(|(name, _)| *name == Tag(9))
        .unwrap();
    let pairs = (3..9).flat_map(|a| (3..a).map(move |b| Term::set([Id(a), Id(b)])));
    specification.1.extend(pairs);
    let at = components
        .iter()
        .position(|(name, _)| *name == Tag(9))
        .unwrap();
    let specification = components.remove(at);
    components.push(specification);
    System::new(&CLIENTS, components).check_random(60);
}

#[test]
fn sections_of_families_alone() {
    let sections = || {
        let section =
            |bits: usize| Term::set((0..3).map(|server| Id(3 + 2 * server + (bits >> server & 1))));
        (0..8).map(section).collect::<Vec<_>>()
    };
    let components = vec![
        (Tag(6), sections()),
        (Tag(7), sections()),
        (Tag(9), sections()),
    ];
    System::new(&CLIENTS, components).check_random(100);
}

#[test]
fn families_nested_twice() {
    let mut families = vec![(None, 2), (Some((0, 0)), 2), (Some((0, 1)), 2)];
    families.extend([(1, 0), (1, 1), (2, 0), (2, 1)].map(|above| (Some(above), 2)));
    let mut components: Vec<_> = (0..14).map(|id| (own(0, id), tags(2))).collect();
    components.push((Tag(7), [ids(0..14), tags(1)].concat()));
    let leaves = (6..14).flat_map(|a| (6..14).map(move |b| List(vec![Id(a), Id(b)])));
    components.push((Tag(8), leaves.collect()));
    components.push((Tag(9), ids(2..14)));
    let system = System::new(&families, components);
    assert!(system.check_random(30), "128 elements");
}

#[test]
fn nodes_that_hold_the_next_one() {
    let system = pointers(5);
    system.check_random(60);
    // A list with its last node, and one node that is free.
    let list = |order: [usize; 4]| {
        let mut held = vec![Tag(0); 6];
        order
            .windows(2)
            .for_each(|pair| held[pair[0]] = Id(pair[1]));
        system.state(&held)
    };
    let states = [list([0, 1, 2, 3]), list([4, 2, 0, 1]), list([3, 1, 4, 0])];
    let plan = system.plan(Limits::default());
    assert_eq!(system.check::<Vec<u64>>(&plan, &states), (1, 0));
}

#[test]
fn cycles_of_equal_length_need_trying() {
    let system = pointers(6);
    let held = |next: [usize; 6]| {
        let held = next.into_iter().map(Id).chain([Tag(0)]);
        system.state(&held.collect::<Vec<_>>())
    };
    let two = held([1, 2, 0, 4, 5, 3]);
    let states = [
        two.clone(),
        held([3, 4, 5, 1, 2, 0]),
        held([1, 2, 3, 4, 5, 0]),
        held([1, 0, 3, 2, 5, 4]),
        held([2, 5, 4, 0, 1, 3]),
    ];
    let mut plan = system.plan(Limits::default());
    assert!(plan.is_unique(), "720 orders can be tried");
    assert_eq!(system.check::<Vec<u64>>(&plan, &states), (3, 0));
    let spare = system.plan(Limits {
        pairs: 0,
        steps: 0,
        images: 0,
    });
    assert_eq!(system.check::<Vec<u64>>(&spare, &states), (3, 0));

    // If only one image may be made, there is nothing to compare it with: this is reported as
    // ambiguous, and the image is in the orbit all the same.
    plan.most_images = 1;
    let packing = Packing::new(&system.counts());
    let mut rep = plan.packed::<Vec<u64>>(&packing);
    let mut state: Vec<u64> = pack(&packing, &two);
    let twist = rep.twist(&state);
    assert_eq!(rep.ambiguous, 0, "only representatives are counted");
    let moved = apply(&packing, &twist, &state);
    rep.represent(&mut state);
    assert_eq!(state, moved);
    assert_eq!(rep.ambiguous, 1);
}

#[test]
fn components_that_say_the_same_of_all_ids() {
    let matching = |a: usize| {
        let others: Vec<usize> = (1..4).filter(|&b| b != a).collect();
        let pair = |a: usize, b: usize| Term::set([Id(a), Id(b)]);
        Term::set([pair(0, a), pair(others[0], others[1])])
    };
    let matchings: Vec<Term> = (1..4).map(matching).collect();
    let mut components: Vec<_> = (0..4).map(|id| (own(0, id), tags(2))).collect();
    components.push((Tag(7), matchings.clone()));
    components.push((Tag(9), [matchings, ids(0..4)].concat()));
    System::new(&[(None, 4)], components).check_random(80);
}

#[test]
fn a_component_that_holds_a_permutation() {
    let cycle = |order: [usize; 5]| {
        let next = (0..5).map(|at| List(vec![Id(order[at]), Id(order[(at + 1) % 5])]));
        Term::set(next)
    };
    let mut cycles = BTreeSet::new();
    for code in 0..625usize {
        let order = [
            0,
            1 + code % 5 % 4,
            1 + code / 5 % 4,
            1 + code / 25 % 4,
            1 + code / 125 % 4,
        ];
        if order.iter().collect::<BTreeSet<_>>().len() == 5 {
            cycles.insert(cycle(order));
        }
    }
    assert_eq!(cycles.len(), 24);
    let mut components: Vec<_> = (0..5).map(|id| (own(0, id), tags(2))).collect();
    components.push((Tag(7), cycles.iter().cloned().collect()));
    components.push((Tag(9), [cycles.into_iter().collect(), ids(0..5)].concat()));
    System::new(&[(None, 5)], components).check_random(60);
}

#[test]
fn forests_that_are_none_are_refused() {
    let system = pointers(3);
    let refuse = |forest: Forest, why: &str| {
        let plan = SignaturePlan::on(
            &system.counts(),
            system.symmetry(&[0, 1, 2]),
            &forest,
            Limits::default(),
        );
        assert_eq!(plan.unwrap_err(), why);
    };
    let mut forest = system.forest.clone();
    forest.families[0].swaps.pop();
    refuse(forest, "family 0 of ids has too few exchanges");
    let mut forest = system.forest.clone();
    forest.families[0].parent = Some((3, 0));
    refuse(forest, "family 0 of ids is not below an earlier one");
    // An exchange of ids that moves no points, beside one that does.
    let mut components: Vec<_> = (0..3).map(|id| (own(0, id), tags(2))).collect();
    components.push((Tag(9), tags(1)));
    let participants = System::new(&[(None, 3)], components);
    let mut forest = participants.forest.clone();
    forest.families[0].swaps[1] = participants.symmetry(&[0, 1, 2]);
    let identity = participants.symmetry(&[0, 1, 2]);
    let plan = SignaturePlan::on(&participants.counts(), identity, &forest, Limits::default());
    let why = "the exchanges of ids do not move states as they move ids";
    assert_eq!(plan.unwrap_err(), why);
}

/// A system like Dijkstra's algorithm: participants that scan the others in any order, two flags
/// for each, and a turn.
fn dijkstra(count: usize) -> System {
    let mut components = Vec::new();
    for id in 0..count {
        let others: Vec<usize> = (0..count).filter(|&other| other != id).collect();
        let scans = subsets(&others).into_iter();
        let scans = scans.map(|left| List(vec![Tag(0), left]));
        let reads = ids(0..count).into_iter();
        components.push((
            own(0, id),
            tags(8).into_iter().chain(reads).chain(scans).collect(),
        ));
        components.push((own(1, id), tags(2)));
        components.push((own(2, id), tags(2)));
    }
    components.push((Tag(7), ids(0..count)));
    components.push((Tag(9), tags(1)));
    System::new(&[(None, count)], components)
}

/// States of `dijkstra`: one participant in `scanning` scans the others.
fn mixed_states(system: &System, scanning: usize, number: usize) -> Vec<Vec<u32>> {
    let mut random = RandomNumbers(3);
    let plain = |(_, states): &(Term, Vec<Term>)| -> Vec<u32> {
        let is_scan = |term: &Term| matches!(term, List(parts) if parts[0] == Tag(0));
        let states = (0..).zip(states).filter(|(_, term)| !is_scan(term));
        states.map(|(state, _)| state).collect()
    };
    let plain: Vec<Vec<u32>> = system.components.iter().map(plain).collect();
    let counts = system.counts();
    let mut value = |component: usize| {
        if random.below(scanning) == 0 {
            random.below(counts[component] as usize) as u32
        } else {
            plain[component][random.below(plain[component].len())]
        }
    };
    let mut state = || (0..counts.len()).map(&mut value).collect();
    (0..number).map(|_| state()).collect()
}

/// Prints the time that a representative takes, of random states and of successors: `cargo test
/// --release -p cspsym-symmetry nanoseconds -- --ignored --nocapture`
#[allow(clippy::print_stdout, reason = "figures are what it is for")]
fn measure<S: PackedState>(system: &System, scanning: usize, case: &str) {
    let plan = system.plan(Limits::default());
    let packing = Packing::new(&system.counts());
    let mut rep = plan.packed::<S>(&packing);
    let states = mixed_states(system, scanning, 4000);
    let scattered: Vec<S> = states.iter().map(|values| pack(&packing, values)).collect();
    // A search asks for the representatives of successors of representatives, in which one
    // component has changed.
    let mut random = RandomNumbers(4);
    let mut successor = |values: &Vec<u32>, other: &Vec<u32>| {
        let mut state: S = pack(&packing, values);
        rep.represent(&mut state);
        let mut values = packing.unpack(&state);
        let component = random.below(values.len());
        values[component] = other[component];
        pack(&packing, &values)
    };
    let others = states.iter().skip(1).chain(&states[..1]);
    let next: Vec<S> = states
        .iter()
        .zip(others)
        .map(|(a, b)| successor(a, b))
        .collect();
    for (name, states) in [("scattered", &scattered), ("successors", &next)] {
        let mut sum = 0;
        let mut copies = states.clone();
        let mut least = f64::INFINITY;
        for _ in 0..20 {
            copies.clone_from(states);
            let start = std::time::Instant::now();
            copies.iter_mut().for_each(|state| rep.represent(state));
            let time = start.elapsed().as_secs_f64() * 1e9 / states.len() as f64;
            least = least.min(time);
            sum += copies.iter().filter(|state| state.word(0) & 1 == 1).count();
        }
        assert!(sum > 0);
        let words = packing.words();
        println!(
            "{case} {name}: {least:.0} ns, {words} words, cut {}",
            rep.ambiguous
        );
    }
}

#[test]
#[ignore = "measures; says something in a release build only"]
fn nanoseconds_for_each_state() {
    for count in [5, 8, 12] {
        let system = dijkstra(count);
        for scanning in [1000, 3] {
            measure::<Vec<u64>>(
                &system,
                scanning,
                &format!("dijkstra {count}, 1 in {scanning} scans"),
            );
            if Packing::new(&system.counts()).words() == 1 {
                measure::<u64>(
                    &system,
                    scanning,
                    &format!("dijkstra {count} u64, 1 in {scanning} scans"),
                );
            }
        }
        measure::<Vec<u64>>(&pointers(count), 1, &format!("pointers {count}"));
    }
}

#[test]
fn random_systems_of_copies() {
    let (mut moved, mut linked) = (0, 0);
    for seed in 0..300 {
        let shape = Shape::random(seed);
        let Some(model) = CopiesCheck::of(&shape) else {
            continue;
        };
        let swap = |member: usize| {
            let mut ids: Vec<usize> = (0..shape.copies).collect();
            ids.swap(0, member);
            model.symmetry(&ids)
        };
        let Some(swaps) = (1..shape.copies).map(swap).collect::<Option<Vec<_>>>() else {
            continue;
        };
        let specification = model.normal_form.point_count();
        let group = Group::new(&model.machine, specification, swaps.clone());
        let family = Family {
            parent: None,
            swaps,
            children: vec![Vec::new(); shape.copies],
        };
        let forest = Forest {
            families: vec![family],
        };
        let plan = SignaturePlan::new(&model.machine, &group, &forest).unwrap();
        assert!(plan.is_unique(), "at most 24 orders");
        let packing = model.machine.packing(specification as u32);
        let states = common::states(&model, &mut RandomNumbers(seed));
        linked += usize::from(!plan.tables.linking.is_empty());
        let mut rep = plan.packed::<Vec<u64>>(&packing);
        moved += usize::from(common::check(&packing, &group, &states, &mut rep) > 0);
        assert_eq!(rep.ambiguous, 0);
        if packing.words() == 1 {
            let mut rep = plan.packed::<u64>(&packing);
            common::check::<u64>(&packing, &group, &states, &mut rep);
        }
    }
    assert!(moved > 100 && linked > 0, "{moved} moved, {linked} linked");
}
