//! Groups of symmetries of small machines.

use std::sync::Arc;

use super::*;
use lts::explore::LeafLimits;
use machine::{CompileOptions, compile};
use process::event::EventSetId;
use process::table::DefinitionTable;
use process::term::Definitions;

/// `||| i : {0..n-1} @ P(i)` with `P(i) = in.i -> out.i -> P(i)`, and its events in.i, out.i.
struct Clients {
    machine: Machine,
    events: Vec<[EventId; 2]>,
}

impl Clients {
    fn new(n: usize) -> Self {
        let mut table = DefinitionTable::new();
        let mut clients = Vec::new();
        let mut events = Vec::new();
        for client in 0..n {
            let name = format!("P({client})");
            let again = table.call(&name);
            let terms = table.terms_mut();
            let pair = ["in", "out"].map(|c| terms.events.intern(&format!("{c}.{client}")));
            let then = terms.prefix(vec![(pair[1], again)]);
            let body = terms.prefix(vec![(pair[0], then)]);
            table.define(&name, body);
            clients.push(again);
            events.push(pair);
        }
        let nothing: EventSetId = table.terms_mut().events.intern_set(Vec::new());
        let system = table.terms_mut().parallel(nothing, clients);
        let limits = LeafLimits::all(100);
        let minimise = true;
        let options = CompileOptions {
            minimise,
            ..CompileOptions::new(limits)
        };
        let machine = compile(&mut table, system, &options).unwrap();
        assert_eq!(machine.leaves.len(), n);
        Self { machine, events }
    }

    /// The symmetry that takes client i to client `images[i]` and permutes the specification by
    /// `specification`.
    fn symmetry(&self, images: &[usize], specification: &[u32]) -> Symmetry {
        let pairs = images.iter().enumerate().flat_map(|(from, &to)| {
            let pairs = self.events[from].into_iter().zip(self.events[to]);
            pairs.collect::<Vec<_>>()
        });
        Symmetry {
            events: EventPermutation::from_pairs(pairs).unwrap(),
            pbisim: Pbisim::new(
                images.iter().map(|&to| LeafId::from_usize(to)).collect(),
                vec![Arc::from([0, 1]); images.len()],
            ),
            specification: specification.into(),
        }
    }

    /// The symmetry that exchanges the states of one client, and its events.
    fn flip(&self, client: usize, specification: &[u32]) -> Symmetry {
        let n = self.events.len();
        let mut states = vec![Arc::from([0, 1]); n];
        states[client] = Arc::from([1, 0]);
        let [from, to] = self.events[client];
        Symmetry {
            events: EventPermutation::from_pairs([(from, to)]).unwrap(),
            pbisim: Pbisim::new((0..n).map(LeafId::from_usize).collect(), states),
            specification: specification.into(),
        }
    }
}

#[test]
fn clients_that_are_alike() {
    let clients = Clients::new(4);
    let swap = clients.symmetry(&[1, 0, 2, 3], &[0]);
    let turn = clients.symmetry(&[1, 2, 3, 0], &[0]);
    let group = Group::new(&clients.machine, 1, vec![swap.clone(), turn]);
    assert_eq!(*group.order(), 24u32.into());
    assert!(group.is_universal());
    assert_eq!(group.leaf_orbits(), [[0, 1, 2, 3].map(LeafId)]);
    let events = |which: usize| clients.events.iter().map(|pair| pair[which]).collect();
    let orbits: [Vec<EventId>; 2] = [events(0), events(1)];
    assert_eq!(group.event_orbits(), orbits);
    assert_eq!(group.closure(23), None);
    let elements = group.closure(24).unwrap();
    assert_eq!(elements.len(), 24);
    assert!(elements[0].is_identity());
    assert_eq!(elements[1], swap);
    let different: FxHashSet<&Symmetry> = elements.iter().collect();
    assert_eq!(different.len(), 24);
    assert!(elements.iter().all(|element| group.contains(element)));
    for element in &elements {
        assert!(different.contains(&element.inverse()));
        let product = element.then(&elements[23]);
        assert!(different.contains(&product));
    }
    assert!(!group.contains(&clients.flip(2, &[0])));
    assert_eq!(group.closure(1000), Some(elements), "the same every time");
}

#[test]
fn states_and_the_specification_are_points_too() {
    let clients = Clients::new(3);
    // Exchanging two states of the specification is combined with exchanging those of the first
    // client, or of no client at all.
    let flip = clients.flip(0, &[1, 0]);
    let group = Group::new(&clients.machine, 2, vec![flip.clone()]);
    assert_eq!(*group.order(), 2u32.into());
    assert!(!group.is_universal());
    assert!(group.leaf_orbits().is_empty());
    assert_eq!(group.event_orbits(), [clients.events[0]]);
    assert_eq!(group.permutations().orbits(), [[0, 1], [6, 7], [8, 9]]);
    assert_eq!(group.starts(), [0, 2, 4, 6, 8]);
    assert!(!group.contains(&clients.flip(0, &[0, 1])));
    let alone = clients.symmetry(&[0, 1, 2], &[1, 0]);
    let both = Group::new(&clients.machine, 2, vec![flip, alone]);
    assert_eq!(*both.order(), 4u32.into());
    assert!(both.contains(&clients.flip(0, &[0, 1])));
    assert_eq!(both.closure(4).map(|elements| elements.len()), Some(4));
}

#[test]
fn no_generators_make_the_group_of_one() {
    let clients = Clients::new(2);
    let group = Group::new(&clients.machine, 3, Vec::new());
    assert_eq!(*group.order(), 1u32.into());
    let elements = group.closure(1).unwrap();
    assert!(elements.len() == 1 && elements[0].is_identity());
    assert_eq!(&elements[0], group.identity());
    assert!(group.event_orbits().is_empty() && group.leaf_orbits().is_empty());
    assert!(!group.contains(&clients.symmetry(&[1, 0], &[0, 1, 2])));
}
