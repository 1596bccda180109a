//! Verification, compared with all transitions from all state vectors, on random machines.

use std::collections::BTreeSet;
use std::sync::Arc;

use pretty_assertions::assert_eq;

use super::Verifier;
use crate::bisimilarity::DistinguishingTrace;
use crate::bisimilarity::matching;
use crate::pbisim::{Pbisim, Symmetry};
use crate::permutation::EventPermutation;
use crate::refusal::Why;
use crate::start::Start;
use base::cancel::Cancellation;
use base::cancel::at_leisure;
use base::index::TypedIndex;
use lts::explore::LeafLimits;
use lts::graph::{Lts, StateId};
use lts::model::Model;
use lts::normal_form::NormalForm;
use machine::leaf::{Behaviour, Leaf};
use machine::packing::PackedState;
use machine::successors::Scratch;
use machine::tree::{Control, NodeKind};
use machine::{CompileOptions, LeafId, Machine, compile};
use process::event::{EventId, EventSetId, EventTable};
use process::operator::Operator;
use process::priority::Priority;
use process::table::DefinitionTable;
use process::term::{Definitions, Term, TermId};
use testkit::terms::Generator;

const OPTIONS: CompileOptions = CompileOptions::new(LeafLimits::all(300));

/// The most state vectors of a machine: larger ones take too long to go through.
const MOST_VECTORS: u64 = 250;

/// Transitions: from a state vector, by an event, to another.
type Transitions = BTreeSet<(Vec<u32>, EventId, Vec<u32>)>;

/// All transitions of `machine` from all state vectors, found as a search finds them.
fn all_transitions(machine: &Machine) -> Option<Transitions> {
    let counts: Vec<u32> = machine.leaves.iter().map(Leaf::state_count).collect();
    let vectors = counts.iter().try_fold(1_u64, |n, &count| {
        Some(n * u64::from(count)).filter(|&n| n <= MOST_VECTORS)
    })?;
    let packing = machine.packing(1);
    let successors = machine.successors(&packing, Cancellation::never()).ok()?;
    let mut transitions = Transitions::new();
    for number in 0..vectors {
        let mut state: Vec<u64> = PackedState::zero(packing.words());
        let mut rest = number;
        for (field, &count) in packing.fields().iter().zip(&counts) {
            let value = (rest % u64::from(count)) as u32;
            state.flip(field.word, field.flip(0, value));
            rest /= u64::from(count);
        }
        let from = packing.unpack(&state)[..counts.len()].to_vec();
        let mut scratch = Scratch::new(packing.words());
        successors.for_each(&state, &mut scratch, &mut |_, event, next| {
            let to = packing.unpack(next)[..counts.len()].to_vec();
            transitions.insert((from.clone(), event, to));
        });
    }
    Some(transitions)
}

fn are_kept(transitions: &Transitions, symmetry: &Symmetry) -> bool {
    let pbisim = &symmetry.pbisim;
    transitions.iter().all(|(from, event, to)| {
        let image = (
            pbisim.image(from),
            symmetry.events.apply(*event),
            pbisim.image(to),
        );
        transitions.contains(&image)
    })
}

/// A specification that allows everything.
fn anything() -> NormalForm {
    let loops = (1..6).map(|event| (EventId(event), StateId(0)));
    NormalForm::of(
        &Lts::from_rows(vec![loops.collect()]),
        Model::Traces,
        10,
        Cancellation::never(),
    )
    .unwrap()
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

fn event(table: &DefinitionTable, name: &str) -> EventId {
    table.terms().events.find(name).unwrap()
}

fn set(table: &mut DefinitionTable, names: &[&str]) -> EventSetId {
    let events = names.iter().map(|name| event(table, name)).collect();
    table.terms_mut().events.intern_set(events)
}

/// The permutation (a b).
fn swap(table: &DefinitionTable) -> EventPermutation {
    EventPermutation::from_pairs([(event(table, "a"), event(table, "b"))]).unwrap()
}

/// `process` and its image under (a b).
fn renamed(table: &mut DefinitionTable, process: TermId) -> TermId {
    let [a, b] = ["a", "b"].map(|name| event(table, name));
    table.terms_mut().rename(process, vec![(a, b), (b, a)])
}

/// Two operands under a random operator that treats them alike, and this process under an operator
/// that treats a and b alike.
fn symmetric(
    table: &mut DefinitionTable,
    random: &mut Random,
    operands: [TermId; 2],
    has_priorities: bool,
) -> (TermId, TermId) {
    let sets: [&[&str]; 4] = [&[], &["a", "b"], &["c"], &["a", "b", "c"]];
    let shared = set(table, sets[random.below(4)]);
    let alphabets: [[&[&str]; 2]; 4] = [
        [&["a", "c"], &["b", "c"]],
        [&["a"], &["b"]],
        [&["a", "b"], &["a", "b"]],
        [&["b", "c"], &["a", "c"]],
    ];
    let mut alphabets = alphabets[random.below(4)].map(|names| set(table, names));
    if operands[0] == operands[1] {
        alphabets[1] = alphabets[0];
    }
    let terms = table.terms_mut();
    let composed = match random.below(5) {
        0 => terms.interleave(operands.to_vec()),
        1 => terms.alphabetised(vec![
            (alphabets[0], operands[0]),
            (alphabets[1], operands[1]),
        ]),
        2 => terms.external_choice(operands.to_vec()),
        3 => terms.synchronising_choice(shared, operands.to_vec()),
        _ => terms.parallel(shared, operands.to_vec()),
    };
    let hidden = set(table, sets[random.below(3)]);
    let (a, b, c) = (event(table, "a"), event(table, "b"), event(table, "c"));
    let terms = table.terms_mut();
    let prioritised = if has_priorities {
        let priority = match random.below(6) {
            0 => Priority::levels(&[vec![], vec![a, b]]),
            1 => Priority::levels(&[vec![], vec![c]]),
            2 => Priority::levels(&[vec![c], vec![a, b]]),
            3 => Priority::levels(&[vec![a, b], vec![c]]),
            4 => Priority::partial(&[a, b, c], &[(a, c), (b, c)], &[]).unwrap(),
            _ => Priority::partial(&[a, b, c], &[(c, a), (c, b)], &[c]).unwrap(),
        };
        terms.prioritise(composed, &Arc::new(priority))
    } else {
        composed
    };
    let whole = match random.below(4) {
        0 => terms.hide(prioritised, hidden),
        1 => terms.rename(prioritised, vec![(c, a), (c, b)]),
        2 => terms.rename(prioritised, vec![(a, c), (b, c)]),
        _ => prioritised,
    };
    (composed, whole)
}

/// `process`, in which leaves exchange places and no event moves, in parallel with others.
fn in_context(
    table: &mut DefinitionTable,
    random: &mut Random,
    process: TermId,
    other: TermId,
) -> TermId {
    let (events, c) = (set(table, &["a", "c"]), event(table, "c"));
    let terms = table.terms_mut();
    match random.below(9) {
        0 => terms.sequential(vec![process, other]),
        1 => terms.sequential(vec![other, process]),
        2 => terms.interrupt(process, other),
        3 => terms.sliding_choice(process, other),
        4 => terms.exception(process, events, other),
        5 => terms.parallel(events, vec![process, other]),
        6 => terms.prefix(vec![(c, process)]),
        7 => terms.internal_choice(vec![other, process]).unwrap(),
        _ => process,
    }
}

/// The σ-bisimulation of two leaves: dead states to dead states, and controllers by number. If two
/// leaves share a graph, any renaming is above them.
fn leaf_states(
    machine: &Machine,
    from: LeafId,
    sigma: &EventPermutation,
    to: LeafId,
) -> Arc<[u32]> {
    let [left, right] = [from, to].map(|leaf| &machine.leaves[leaf]);
    let numbers = (0..left.state_count()).collect();
    let (Behaviour::Process(p), Behaviour::Process(q)) = (&left.behaviour, &right.behaviour) else {
        return numbers;
    };
    if from != to && Arc::ptr_eq(p, q) {
        return numbers;
    }
    let states = at_leisure(|token| matching(&p.lts, sigma, &q.lts, Start::Fixed, token)).unwrap();
    let dead = p.lts.state_count() as u32..left.state_count();
    states.iter().copied().chain(dead).collect()
}

/// The symmetry that exchanges the operands of `binary`, if that is a node of the machine.
fn exchange(machine: &Machine, sigma: &EventPermutation, binary: TermId) -> Symmetry {
    let node = machine.nodes.iter().find(|node| node.term == binary);
    let mut leaves: Vec<LeafId> = machine.leaves.indices().collect();
    let operands = node.map_or(Default::default(), |node| node.operands.clone());
    if let [left, right] = operands[..] {
        let [left, right] = [left, right].map(|operand| machine.nodes[operand].leaves.clone());
        assert_eq!(left.len(), right.len());
        for (l, r) in left.zip(right) {
            leaves.swap(l as usize, r as usize);
        }
    }
    let images = machine.leaves.indices().zip(&leaves);
    let mut states: Vec<Arc<[u32]>> = images
        .map(|(leaf, &image)| leaf_states(machine, leaf, sigma, image))
        .collect();
    if let Some(NodeKind::Controlled(controller, control)) = node.map(|node| &node.kind) {
        assert!(matches!(control, Control::Operator(Operator::Choice(_))));
        let mut numbers = states[controller.index()].to_vec();
        numbers.swap(1, 2);
        states[controller.index()] = numbers.into();
    }
    Symmetry {
        events: sigma.clone(),
        pbisim: Pbisim::new(leaves, states),
        specification: Arc::from([0]),
    }
}

/// A random machine with a symmetry that it has by construction.
fn symmetric_machine(seed: u64, has_priorities: bool) -> Option<(Machine, Symmetry)> {
    let mut random = Random(seed);
    let mut generator = if has_priorities {
        Generator::with_priorities(seed)
    } else {
        Generator::new(seed)
    };
    let depth = 1 + random.below(2);
    let process = generator.term(depth, seed.is_multiple_of(3));
    let other = generator.term(1, false);
    let table = &mut generator.table;
    let is_copy = random.below(2) == 0;
    let partner = if is_copy {
        process
    } else {
        renamed(table, process)
    };
    let (binary, mut whole) = symmetric(table, &mut random, [process, partner], has_priorities);
    let sigma = if is_copy {
        whole = in_context(table, &mut random, whole, other);
        EventPermutation::identity()
    } else {
        swap(table)
    };
    let machine = compile(table, whole, &OPTIONS).ok()?;
    let symmetry = exchange(&machine, &sigma, binary);
    Some((machine, symmetry))
}

/// `symmetry` with two images exchanged: of states of a leaf, of leaves, or of events.
fn mutated(machine: &Machine, symmetry: &Symmetry, random: &mut Random) -> Symmetry {
    let pbisim = &symmetry.pbisim;
    let mut leaves: Vec<LeafId> = machine.leaves.indices().map(|l| pbisim.leaf(l)).collect();
    let mut states: Vec<Arc<[u32]>> = machine
        .leaves
        .indices()
        .map(|leaf| pbisim.states(leaf).clone())
        .collect();
    let mut events = symmetry.events.clone();
    let leaf = random.below(leaves.len());
    match random.below(6) {
        0 => {
            let other = random.below(leaves.len());
            leaves.swap(leaf, other);
        }
        1 => {
            let [x, y] = [0, 1].map(|_| EventId(2 + random.below(3) as u32));
            let transposition = EventPermutation::from_pairs([(x, y)]).unwrap();
            events = events.then(&transposition);
        }
        _ => {
            let mut images = states[leaf].to_vec();
            let [x, y] = [0, 1].map(|_| random.below(images.len()));
            images.swap(x, y);
            states[leaf] = images.into();
        }
    }
    Symmetry {
        events,
        pbisim: Pbisim::new(leaves, states),
        specification: symmetry.specification.clone(),
    }
}

/// True if leaves go to leaves with equally many states; otherwise state vectors have no images.
fn is_uniform(machine: &Machine, symmetry: &Symmetry) -> bool {
    let count = |leaf| machine.leaves[leaf].state_count();
    let mut leaves = machine.leaves.indices();
    leaves.all(|leaf| count(leaf) == count(symmetry.pbisim.leaf(leaf)))
}

#[test]
fn symmetries_that_operators_make_pass_and_what_passes_keeps_all_transitions() {
    let [moving, refused, kept, missed] = verified(1000, false);
    let counts = format!("{moving} move, {refused} refused, {kept} kept, {missed} missed");
    assert!(moving > 500 && refused > 1500 && kept > 250, "{counts}");
    // Canonical forms are not unique: pairs of states are superfluous if a step that always stays
    // gives the same transitions.
    assert!(missed * 100 < kept, "{counts}");
}

#[test]
fn symmetries_of_machines_with_priorities_pass_and_what_passes_keeps_all_transitions() {
    let [moving, refused, kept, missed] = verified(3000, true);
    let counts = format!("{moving} move, {refused} refused, {kept} kept, {missed} missed");
    assert!(moving > 1000 && refused > 3000 && kept > 500, "{counts}");
    // An event that is never possible together with a higher one counts as blocked by it all the
    // same.
    assert!(missed * 4 < kept, "{counts}");
}

/// The number of symmetries that moved something, and of mutated ones that were refused, that
/// passed, and that were refused although they keep all transitions; of machines for so many seeds.
fn verified(seeds: u64, has_priorities: bool) -> [usize; 4] {
    let specification = anything();
    let (mut moving, mut refused, mut kept, mut missed) = (0, 0, 0, 0);
    for seed in 0..seeds {
        let Some((machine, symmetry)) = symmetric_machine(seed, has_priorities) else {
            continue;
        };
        let Some(transitions) = all_transitions(&machine) else {
            continue;
        };
        let verifier = at_leisure(|token| Verifier::new(&machine, &specification, token));
        assert!(are_kept(&transitions, &symmetry), "seed {seed}");
        assert_eq!(
            at_leisure(|token| verifier.verify(&symmetry, token)),
            Ok(()),
            "seed {seed}"
        );
        moving += usize::from(!symmetry.is_identity());
        let mut random = Random(seed);
        for _ in 0..5 {
            let mutated = mutated(&machine, &symmetry, &mut random);
            let is_kept = is_uniform(&machine, &mutated) && are_kept(&transitions, &mutated);
            match (
                is_kept,
                at_leisure(|token| verifier.verify(&mutated, token)).is_ok(),
            ) {
                (false, passes) => {
                    assert!(!passes, "seed {seed}: {mutated:?}");
                    refused += 1;
                }
                (true, true) => kept += usize::from(mutated != symmetry),
                (true, false) => missed += 1,
            }
        }
    }
    [moving, refused, kept, missed]
}

/// The machine of the term that `make` makes, and the names of events.
fn machine(
    make: impl FnOnce(&mut DefinitionTable, [EventId; 3]) -> TermId,
) -> (Machine, EventTable) {
    let mut table = DefinitionTable::new();
    let events = ["a", "b", "c"].map(|name| table.terms_mut().events.intern(name));
    let term = make(&mut table, events);
    let machine = compile(&mut table, term, &OPTIONS).unwrap();
    (machine, table.terms().events.clone())
}

/// P = a -> b -> P
fn turn(table: &mut DefinitionTable, [a, b, _]: [EventId; 3]) -> TermId {
    let again = table.call("P");
    let then = table.terms_mut().prefix(vec![(b, again)]);
    let body = table.terms_mut().prefix(vec![(a, then)]);
    table.define("P", body);
    again
}

/// The symmetry that takes events, leaves and their states to these images.
fn symmetry(events: &[(u32, u32)], leaves: &[u32], states: &[&[u32]]) -> Symmetry {
    let pairs = events.iter().map(|&(x, y)| (EventId(x), EventId(y)));
    Symmetry {
        events: EventPermutation::from_pairs(pairs).unwrap(),
        pbisim: Pbisim::new(
            leaves.iter().copied().map(LeafId).collect(),
            states.iter().map(|&states| Arc::from(states)).collect(),
        ),
        specification: Arc::from([0]),
    }
}

fn message(why: std::result::Result<(), Why>) -> String {
    let Err(Why::Machine(message)) = why else {
        panic!("{why:?} is no message");
    };
    message
}

#[test]
fn what_does_not_fit_the_machine_is_refused() {
    let (machine, _) = machine(|table, events| {
        let turn = turn(table, events);
        let stop = table.terms_mut().stop();
        table.terms_mut().interleave(vec![turn, turn, stop])
    });
    let specification = anything();
    let verifier = at_leisure(|token| Verifier::new(&machine, &specification, token));
    let verify = |leaves: &[u32], states: &[&[u32]]| {
        message(at_leisure(|token| {
            verifier.verify(&symmetry(&[], leaves, states), token)
        }))
    };
    let two: &[u32] = &[0, 1];
    assert_eq!(
        verify(&[0, 1], &[two, two]),
        "the permutation bisimulation is one of another machine"
    );
    assert_eq!(
        verify(&[0, 0, 2], &[two, two, &[0]]),
        "the leaves are not permuted"
    );
    assert_eq!(
        verify(&[0, 2, 1], &[two, two, &[0]]),
        "the states of leaf 2 `P` (2) do not go one to one to those of leaf 3 `STOP` (1)"
    );
    for states in [&[1, 1][..], &[0, 7], &[0, 1, 2], &[]] {
        assert_eq!(
            verify(&[1, 0, 2], &[states, two, &[0]]),
            "the states of leaf 1 `P` (2) do not go one to one to those of leaf 2 `P` (2)"
        );
    }
    let mut moved = symmetry(&[], &[1, 0, 2], &[two, two, &[0]]);
    assert_eq!(at_leisure(|token| verifier.verify(&moved, token)), Ok(()));
    moved.specification = Arc::from([0, 1]);
    assert_eq!(
        message(at_leisure(|token| verifier.verify(&moved, token))),
        "the states of the specification are not permuted"
    );
}

#[test]
fn a_broken_rule_is_named_by_its_leaves_and_events() {
    let (machine, events) = machine(|table, events| {
        let turn = turn(table, events);
        let shared = table.terms_mut().events.intern_set(vec![events[0]]);
        table.terms_mut().parallel(shared, vec![turn, turn])
    });
    let specification = anything();
    let verifier = at_leisure(|token| Verifier::new(&machine, &specification, token));
    let turned = symmetry(&[(2, 3)], &[1, 0], &[&[1, 0], &[1, 0]]);
    assert_eq!(
        message(at_leisure(|token| verifier.verify(&turned, token))),
        "a way in which leaf 1 `P` and leaf 2 `P` together can do some event does not go to one in which \
         leaf 2 `P` and leaf 1 `P` together can do its image"
    );
    assert_eq!(
        message(at_leisure(|token| verifier
            .named(&events)
            .verify(&turned, token))),
        "a way in which leaf 1 `P` and leaf 2 `P` together can do `a` does not go to one in which \
         leaf 2 `P` and leaf 1 `P` together can do `b`"
    );
}

#[test]
fn actions_that_look_the_same_from_outside_are_one() {
    // The events a and b are hidden, so they are the same; and RUN takes part in a without making a
    // difference.
    let (machine, _) = machine(|table, events| {
        let [a, b, _] = events;
        let turn = turn(table, events);
        let terms = table.terms_mut();
        let [one, both] = [vec![a], vec![a, b]].map(|events| terms.events.intern_set(events));
        let run = terms.intern(Term::Run(one));
        let parallel = terms.parallel(one, vec![run, turn]);
        terms.hide(parallel, both)
    });
    let turned = symmetry(&[], &[0, 1], &[&[0], &[1, 0]]);
    assert!(are_kept(&all_transitions(&machine).unwrap(), &turned));
    assert_eq!(
        at_leisure(|token| Verifier::new(&machine, &anything(), token)?.verify(&turned, token)),
        Ok(())
    );
}

/// The verdict of `verifier` on `symmetry`.
fn ask(verifier: &Verifier<'_>, symmetry: &Symmetry) -> Result<(), Why> {
    at_leisure(|token| verifier.verify(symmetry, token))
}

#[test]
fn the_specification_must_be_kept_in_all_its_states() {
    let (machine, _) = machine(|table, _| table.terms_mut().stop());
    let rows = |rows: &[&[(u32, u32)]]| {
        let step = |&(event, to): &(u32, u32)| (EventId(event), StateId(to));
        let rows = rows.iter().map(|row| row.iter().map(step).collect());
        NormalForm::of(
            &Lts::from_rows(rows.collect()),
            Model::Traces,
            10,
            Cancellation::never(),
        )
        .unwrap()
    };
    // The specification allows a and b in turns, and c at any time.
    let turns = rows(&[&[(2, 1), (4, 0)], &[(3, 0), (4, 1)]]);
    let moved = |events, specification: &[u32]| Symmetry {
        specification: Arc::from(specification),
        ..symmetry(events, &[0], &[&[0]])
    };
    let verifier = at_leisure(|token| Verifier::new(&machine, &turns, token));
    assert_eq!(ask(&verifier, &moved(&[(2, 3)], &[1, 0])), Ok(()));
    // Events that neither machine nor specification has may be permuted freely.
    assert_eq!(ask(&verifier, &moved(&[(2, 3), (7, 8)], &[1, 0])), Ok(()));
    let ids = |trace: &[u32]| trace.iter().map(|&event| EventId(event)).collect();
    let breaks = |[trace, image_trace]: [&[u32]; 2], event, image| {
        Err(Why::Specification(DistinguishingTrace {
            trace: ids(trace),
            image_trace: ids(image_trace),
            event: EventId(event),
            image: EventId(image),
            on_left: true,
        }))
    };
    assert_eq!(
        ask(&verifier, &moved(&[(2, 3)], &[0, 1])),
        breaks([&[], &[]], 2, 3)
    );
    assert_eq!(
        ask(&verifier, &moved(&[(4, 5)], &[0, 1])),
        breaks([&[], &[]], 4, 5)
    );
    assert_eq!(
        message(ask(&verifier, &moved(&[], &[0, 0]))),
        "the states of the specification are not permuted"
    );
    // A second a leads back, and a second b leads to a state without a third.
    let deep = rows(&[&[(2, 1), (3, 1)], &[(2, 0), (3, 2)], &[(2, 0)]]);
    let verifier = at_leisure(|token| Verifier::new(&machine, &deep, token));
    assert_eq!(
        ask(&verifier, &moved(&[(2, 3)], &[0, 1, 2])),
        breaks([&[3, 2], &[2, 3]], 2, 3)
    );
}
