//! Figures 1 and 2: the Towers of Hanoi with three poles and two discs, and the counterexample that
//! is untwisted by hand. The relations are computed here by brute force and looked up in
//! `PROOFS.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::cancel::Cancellation;
use base::index::TypedIndex;
use lts::explore::LeafLimits;
use lts::graph::{Lts, StateId};
use machine::explicit::explicit;
use machine::leaf::Behaviour;
use machine::{CompileOptions, LeafId, Machine, compile};
use process::event::EventId;
use process::term::Definitions;
use symmetry::pbisim::Pbisim;
use symmetry::permutation::EventPermutation;

use super::with_last;

const PROOFS: &str = include_str!("../../../src/symmetry/PROOFS.md");
const MODEL: &str = include_str!("../../../cspm/hanoi/hanoi.csp");

/// The shipped model with two discs.
struct Hanoi {
    machine: Machine,
    /// The names of the events, by event number.
    names: Vec<String>,
}

/// A disc, the pole it leaves and the pole it goes to.
type Move = (char, char, char);

impl Hanoi {
    fn new() -> Self {
        let text = MODEL.replace("DISCS = 3", "DISCS = 2") + "\nSUBJECT = HANOI\n";
        with_last(&text, |evaluator, term| {
            let options = CompileOptions::new(LeafLimits::default());
            let machine = compile(evaluator, term, &options).unwrap();
            let events = &evaluator.terms().events;
            let name = |number| events.name(EventId(number)).to_string();
            let names = (0..events.len() as u32).map(name).collect();
            Self { machine, names }
        })
    }

    fn event(&self, name: &str) -> EventId {
        EventId::from_usize(self.names.iter().position(|other| other == name).unwrap())
    }

    /// `move.1.A.B` is disc 1 from A to B.
    fn step(&self, event: EventId) -> Move {
        let name = &self.names[event.index()];
        let parts: Vec<char> = name.split('.').skip(1).map(first).collect();
        (parts[0], parts[1], parts[2])
    }

    /// The lifting of an exchange of two poles.
    fn swap(&self, one: char, other: char) -> EventPermutation {
        let image = |c| match c {
            c if c == one => other,
            c if c == other => one,
            c => c,
        };
        let moves = self.names.iter().filter(|name| name.starts_with("move."));
        let pairs = moves.map(|name| {
            let to: String = "move"
                .chars()
                .chain(name["move".len()..].chars().map(image))
                .collect();
            (self.event(name), self.event(&to))
        });
        EventPermutation::from_pairs(pairs).unwrap()
    }

    fn leaf(&self, pole: char) -> (LeafId, &Lts) {
        let leaf = LeafId(pole as u32 - 'A' as u32);
        match &self.machine.leaves[leaf].behaviour {
            Behaviour::Process(graph) => (leaf, &graph.lts),
            Behaviour::Controller { .. } => panic!("a pole is a process"),
        }
    }

    /// For each state of a pole's leaf, the discs on the pole: `12`, `∅`...
    fn leaf_names(&self, pole: char) -> Vec<String> {
        let start = if pole == 'A' { "12" } else { "∅" };
        let after = |discs: &String, (disc, from, to): Move| {
            let mut discs: BTreeSet<char> = discs.chars().filter(|c| *c != '∅').collect();
            if from == pole {
                assert!(discs.remove(&disc));
            } else {
                assert!(to == pole && discs.insert(disc));
            }
            let text: String = discs.into_iter().collect();
            if text.is_empty() {
                "∅".to_string()
            } else {
                text
            }
        };
        self.named(self.leaf(pole).1, start, after)
    }

    /// For each state, a name that follows from the moves that lead to it.
    fn named(
        &self,
        lts: &Lts,
        start: &str,
        after: impl Fn(&String, Move) -> String,
    ) -> Vec<String> {
        let mut names: Vec<Option<String>> = vec![None; lts.state_count()];
        names[0] = Some(start.to_string());
        for state in lts.states() {
            let here = names[state.index()].clone().unwrap();
            for &(event, to) in lts.row(state) {
                let name = after(&here, self.step(event));
                let known = names[to.index()].get_or_insert_with(|| name.clone());
                assert_eq!(*known, name);
            }
        }
        names.into_iter().map(Option::unwrap).collect()
    }

    /// The whole system as one transition system, with the poles of discs 1 and 2 as the names of
    /// its states.
    fn explicit(&self) -> (Lts, Vec<String>) {
        let lts = explicit(&self.machine, 100, Cancellation::never()).unwrap();
        let after = |poles: &String, (disc, from, to): Move| {
            let mut poles: Vec<char> = poles.chars().collect();
            let disc = disc as usize - '1' as usize;
            assert_eq!(poles[disc], from);
            poles[disc] = to;
            poles.into_iter().collect()
        };
        let names = self.named(&lts, "AA", after);
        (lts, names)
    }

    /// The state vector in which the discs are on these poles.
    fn vector(&self, poles: &str) -> Vec<u32> {
        let state = |pole: char| {
            let discs = ['1', '2'].into_iter().zip(poles.chars());
            let on: String = discs.filter(|(_, p)| *p == pole).map(|(d, _)| d).collect();
            let on = if on.is_empty() { "∅" } else { on.as_str() };
            position(&self.leaf_names(pole), on)
        };
        ['A', 'B', 'C'].map(state).to_vec()
    }

    /// The pbisim that a permutation of poles gives, over the leaves, by brute force.
    fn pbisim(&self, sigma: &EventPermutation, poles: [char; 3]) -> Pbisim {
        let leaves: Vec<LeafId> = poles.iter().map(|&pole| self.leaf(pole).0).collect();
        let states = ['A', 'B', 'C'].into_iter().zip(poles).map(|(from, to)| {
            let related = bisimulation(self.leaf(from).1, self.leaf(to).1, sigma);
            let images: Vec<u32> = related.into_iter().map(|(_, image)| image).collect();
            Arc::from(images)
        });
        Pbisim::new(leaves, states.collect())
    }
}

fn first(text: &str) -> char {
    text.chars().next().unwrap()
}

fn position(names: &[String], name: &str) -> u32 {
    names.iter().position(|other| other == name).unwrap() as u32
}

/// The largest σ-bisimulation between two transition systems, as pairs in ascending order: all
/// pairs at first, without those in which one side has a step that the other one lacks.
fn bisimulation(left: &Lts, right: &Lts, sigma: &EventPermutation) -> Vec<(u32, u32)> {
    let all = |state: StateId| right.states().map(move |image| (state.0, image.0));
    let mut related: BTreeSet<(u32, u32)> = left.states().flat_map(all).collect();
    loop {
        let answers = |&(p, q): &(u32, u32)| {
            let (left, right) = (left.row(StateId(p)), right.row(StateId(q)));
            let step = |e: EventId, s: StateId, f: EventId, t: StateId| {
                sigma.apply(e) == f && related.contains(&(s.0, t.0))
            };
            let forth = left
                .iter()
                .all(|&(e, s)| right.iter().any(|&(f, t)| step(e, s, f, t)));
            forth
                && right
                    .iter()
                    .all(|&(f, t)| left.iter().any(|&(e, s)| step(e, s, f, t)))
        };
        let kept: BTreeSet<(u32, u32)> = related.iter().copied().filter(answers).collect();
        if kept.len() == related.len() {
            return kept.into_iter().collect();
        }
        related = kept;
    }
}

/// Asserts that `line` stands in the proofs, whatever the white space.
fn assert_in_readme(line: &str) {
    let words = |text: &str| {
        text.split_whitespace()
            .map(str::to_string)
            .collect::<Vec<_>>()
    };
    let found = PROOFS.lines().any(|other| words(other) == words(line));
    assert!(found, "PROOFS.md lacks the line: {line}");
}

#[test]
fn figure_1_is_in_the_readme() {
    let hanoi = Hanoi::new();
    let (lts, names) = hanoi.explicit();
    assert_eq!((lts.state_count(), lts.transition_count()), (9, 24));
    let mut lines = BTreeMap::new();
    for state in lts.states() {
        let step = |&(event, to): &(EventId, StateId)| {
            let (disc, _, pole) = hanoi.step(event);
            format!("{disc}→{pole} {}", names[to.index()])
        };
        let mut steps: Vec<String> = lts.row(state).iter().map(step).collect();
        steps.sort();
        lines.insert(names[state.index()].clone(), steps.join("  "));
    }
    for (state, steps) in lines {
        assert_in_readme(&format!("{state}  {steps}"));
    }
    let related = bisimulation(&lts, &lts, &hanoi.swap('B', 'C'));
    let name = |state: u32| names[state as usize].as_str();
    let mut pairs: Vec<String> = related
        .iter()
        .map(|&(p, q)| format!("{}–{}", name(p), name(q)))
        .collect();
    pairs.sort();
    assert_in_readme(&pairs.join("  "));
}

#[test]
fn figure_2_is_in_the_readme_and_agrees_with_figure_1() {
    let hanoi = Hanoi::new();
    let sizes = hanoi.machine.leaves.iter().map(|leaf| leaf.state_count());
    assert_eq!(sizes.collect::<Vec<u32>>(), [4, 4, 4]);
    let pbisim = hanoi.pbisim(&hanoi.swap('B', 'C'), ['A', 'C', 'B']);
    for (from, to) in [('A', 'A'), ('B', 'C'), ('C', 'B')] {
        let (names, images) = (hanoi.leaf_names(from), hanoi.leaf_names(to));
        let states = pbisim.states(hanoi.leaf(from).0);
        let pair = |discs: &str| {
            let image = &images[states[position(&names, discs) as usize] as usize];
            format!("{from}:{discs}–{to}:{image}")
        };
        let pairs = ["12", "2", "1", "∅"].map(pair);
        assert_in_readme(&pairs.join("  "));
    }
    // Applied to state vectors it is the relation of Figure 1.
    let (_, names) = hanoi.explicit();
    for name in &names {
        let image: String = name
            .chars()
            .map(|pole| match pole {
                'B' => 'C',
                'C' => 'B',
                other => other,
            })
            .collect();
        assert_eq!(pbisim.image(&hanoi.vector(name)), hanoi.vector(&image));
    }
}

/// "Disc 2 never goes to C" is symmetric under (A B), which moves the start. The search goes from
/// the representative of `BA`, which is `AB`, and there finds the event that is not allowed.
#[test]
fn the_counterexample_of_the_readme_is_untwisted() {
    let hanoi = Hanoi::new();
    let (lts, names) = hanoi.explicit();
    let sigma = hanoi.swap('A', 'B');
    let path = ["move.1.A.B", "move.2.B.C"].map(|name| hanoi.event(name));
    let twists = [EventPermutation::identity(), sigma.clone()];
    let recovered = [twists[1].apply(path[0]), path[1]];
    let total = &twists[1];
    let untwisted = recovered.map(|event| total.inverse().apply(event));
    let by_step: Vec<EventId> = path
        .iter()
        .zip(&twists)
        .map(|(&event, twist)| twist.inverse().apply(event))
        .collect();
    assert_eq!(untwisted.to_vec(), by_step);
    let text = |trace: &[EventId]| {
        let names = trace
            .iter()
            .map(|event| hanoi.names[event.index()].as_str());
        format!("<{}>", names.collect::<Vec<_>>().join(", "))
    };
    let is_trace = |trace: &[EventId], start: &str| {
        let start = StateId(position(&names, start));
        let after = |state: Option<StateId>, event: &EventId| {
            let mut row = lts.row(state?).iter();
            row.find(|(e, _)| e == event).map(|&(_, to)| to)
        };
        trace.iter().fold(Some(start), after).is_some()
    };
    for (what, trace, from_a, from_b) in [
        ("followed", &path, false, false),
        ("recover2", &recovered, false, true),
        ("untwisted", &untwisted, true, false),
    ] {
        assert_in_readme(&format!("{what} {}", text(trace)));
        assert_eq!(is_trace(trace, "AA"), from_a, "{what}");
        assert_eq!(is_trace(trace, "BB"), from_b, "{what}");
    }
}
