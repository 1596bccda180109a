//! Pbisims derived from proofs about scripts, against the transitions of the machine; and equal
//! operands.

use std::collections::{BTreeSet, HashSet};

use base::index::TypedIndex;
use machine::{CompileOptions, LeafId, Machine, compile};
use process::event::EventId;
use process::term::{Definitions, TermId};
use symmetry::Start;
use symmetry::derive::{equal_operands, pbisim};
use symmetry::pbisim::Pbisim;
use symmetry::permutation::EventPermutation;
use symmetry::refusal::Why;
use symmetry::rules::Prover;

use super::{OPTIONS, permutation, with_processes};

type State = Vec<u32>;

/// The transitions of `state`, straight from the rules of the machine.
fn successors(machine: &Machine, state: &[u32]) -> BTreeSet<(EventId, State)> {
    let mut all = BTreeSet::new();
    for rule in machine.rules.iter() {
        let mut reached = vec![state.to_vec()];
        for &(leaf, action) in &rule.participants {
            let pairs = machine.leaves[leaf].transitions(action);
            let from = state[leaf.index()];
            let targets: Vec<u32> = pairs
                .iter()
                .filter(|pair| pair.0 == from)
                .map(|pair| pair.1)
                .collect();
            let moved = |reached: &State| -> Vec<State> {
                let to = targets.iter().map(|&to| {
                    let mut next = reached.clone();
                    next[leaf.index()] = to;
                    next
                });
                to.collect()
            };
            reached = reached.iter().flat_map(moved).collect();
        }
        all.extend(reached.into_iter().map(|next| (rule.result, next)));
    }
    all
}

/// The states that the machine can reach, if they are not too many.
fn reachable(machine: &Machine, limit: usize) -> Option<Vec<State>> {
    let mut states = vec![vec![0; machine.leaves.len()]];
    let mut seen: HashSet<State> = states.iter().cloned().collect();
    let mut next = 0;
    while let Some(state) = states.get(next).cloned() {
        if states.len() > limit {
            return None;
        }
        for (_, target) in successors(machine, &state) {
            if seen.insert(target.clone()) {
                states.push(target);
            }
        }
        next += 1;
    }
    Some(states)
}

/// True if each of `states` and its image have transitions that are images of each other.
fn preserves(
    machine: &Machine,
    states: &[State],
    pbisim: &Pbisim,
    sigma: &EventPermutation,
) -> bool {
    states.iter().all(|state| {
        let there = successors(machine, state).into_iter();
        let images = there.map(|(event, next)| (sigma.apply(event), pbisim.image(&next)));
        images.collect::<BTreeSet<_>>() == successors(machine, &pbisim.image(state))
    })
}

fn machine_of<R>(
    script: &str,
    process: &str,
    ask: impl FnOnce(&mut dyn Definitions, TermId, Machine) -> R,
) -> R {
    with_processes(script, process, process, |evaluator, term, _| {
        let machine = compile(evaluator, term, &OPTIONS).unwrap();
        ask(evaluator, term, machine)
    })
}

fn leaves_moved(script: &str, process: &str, cycles: &str) -> Vec<u32> {
    machine_of(script, process, |definitions, term, machine| {
        let sigma = permutation(definitions, cycles);
        let mut prover = Prover::for_machine(definitions, &OPTIONS, &machine, Start::Any);
        let proof = prover.prove(term, &sigma, term).unwrap().unwrap();
        let pbisim = pbisim(&machine, &proof).unwrap();
        let states = reachable(&machine, 100_000).unwrap();
        assert!(preserves(&machine, &states, &pbisim, &sigma));
        machine
            .leaves
            .indices()
            .map(|leaf| pbisim.leaf(leaf).0)
            .collect()
    })
}

#[test]
fn leaves_go_where_their_operands_go() {
    let script = "
        P(i) = e.i -> f.i -> P(i)
        DEEP = (P(A) ||| P(B)) ||| P(C)
        TWO(i) = P(i) ||| g.i -> STOP
        BLOCKS = (||| i : ID @ TWO(i)) [| {| e |} |] RUN({| e |})
        CHOICE = [] i : ID @ (P(i) ||| P(i))
        STAGES = [] i : ID @ g.i -> (P(i) ||| h.i -> STOP)
        STAGE = g?i -> (P(i) ||| h.i -> STOP)
    ";
    let turn = "(e.A e.B e.C)(f.A f.B f.C)(g.A g.B g.C)(h.A h.B h.C)";
    assert_eq!(leaves_moved(script, "DEEP", turn), [1, 2, 0]);
    assert_eq!(leaves_moved(script, "BLOCKS", turn), [2, 3, 4, 5, 0, 1, 6]);
    assert_eq!(leaves_moved(script, "CHOICE", turn), [0, 3, 4, 5, 6, 1, 2]);
    let stages = [0, 4, 5, 6, 7, 8, 9, 1, 2, 3];
    assert_eq!(leaves_moved(script, "STAGES", turn), stages);
    assert_eq!(leaves_moved(script, "STAGE", turn), [0, 3, 4, 5, 6, 1, 2]);
}

#[test]
fn one_term_can_be_several_leaves() {
    // The process is compressed once as the script says, and once in a way that keeps priorities.
    let script = "
        transparent diamond
        external prioritise
        P(i) = SKIP [] e.i -> P(i)
        TERMINATING = ||| i : ID @ (P(i) ; (P(i) ||| h.i -> STOP))
        V(i) = e.i -> f.i -> V(i)
        W(i) = V(i) \\ {| f |}
        BELOW(i) = prioritise(diamond(W(i)) ||| h.i -> STOP, <{| e |}, {| h |}>)
        PRIORITIES = ||| i : ID @ (BELOW(i) ||| diamond(W(i)))
    ";
    let turn = "(e.A e.B e.C)(f.A f.B f.C)(h.A h.B h.C)";
    let turned = [4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3];
    assert_eq!(leaves_moved(script, "TERMINATING", turn), turned);
    let turned = [3, 4, 5, 6, 7, 8, 0, 1, 2];
    assert_eq!(leaves_moved(script, "PRIORITIES", turn), turned);
}

#[test]
fn controllers_follow_the_operands() {
    let script = "
        P(i) = e.i -> f.i -> P(i)
        CHOICE = [] i : ID @ (P(i) ||| P(i))
    ";
    machine_of(script, "CHOICE", |definitions, term, machine| {
        let sigma = permutation(definitions, "(e.A e.B)(f.A f.B)");
        let mut prover = Prover::for_machine(definitions, &OPTIONS, &machine, Start::Fixed);
        let proof = prover.prove(term, &sigma, term).unwrap().unwrap();
        let pbisim = pbisim(&machine, &proof).unwrap();
        assert_eq!(pbisim.states(LeafId(0))[..4], [0, 2, 1, 3]);
    });
}

#[test]
fn a_proof_about_something_else_is_not_taken() {
    let script = "
        P(i) = e.i -> f.i -> P(i)
        ONE = P(A) ||| P(B)
        TWO = P(A) ||| P(C)
    ";
    with_processes(script, "ONE", "TWO", |evaluator, one, two| {
        let machine = compile(evaluator, two, &OPTIONS).unwrap();
        let sigma = EventPermutation::identity();
        let mut prover = Prover::for_machine(evaluator, &OPTIONS, &machine, Start::Any);
        let proof = prover.prove(one, &sigma, one).unwrap().unwrap();
        let text = "`TWO`: the proof is about another process".to_string();
        assert_eq!(
            symmetry::derive::pbisim(&machine, &proof),
            Err(Why::Machine(text))
        );
    });
}

#[test]
fn equal_operands_are_named() {
    let script = "
        P = e.A -> f.A -> P
        ALIAS = P
        Q = e.B -> Q
        SYSTEM = (P ||| Q ||| ALIAS ||| P) [| {x} |] ((P ||| Q) [] (P ||| Q))
    ";
    machine_of(script, "SYSTEM", |_, _, machine| {
        let names: Vec<String> = equal_operands(&machine)
            .into_iter()
            .map(|(n, _)| n)
            .collect();
        assert_eq!(
            names,
            [
                "P and ALIAS: operands 1 and 3 of ((P ||| Q) ||| ALIAS) ||| P",
                "ALIAS and P: operands 3 and 4 of ((P ||| Q) ||| ALIAS) ||| P",
                "P ||| Q and P ||| Q: operands 1 and 2 of (P ||| Q) [] (P ||| Q)",
            ]
        );
    });
}

#[test]
fn equal_leaves_are_equal_where_they_stand() {
    // Below priorities both compressions are one.
    let script = "
        transparent diamond, sbisim
        external prioritise
        V = e.A -> f.A -> V
        W = V \\ {| f |}
        BELOW = prioritise(diamond(W) ||| sbisim(W), <{e.A}, {g.A}>)
        SYSTEM = diamond(W) ||| BELOW
    ";
    machine_of(script, "SYSTEM", |_, _, machine| {
        let all = equal_operands(&machine).into_iter();
        let names: Vec<String> = all.map(|(name, _)| name).collect();
        let name = "diamond(W) and sbisim(W): operands 1 and 2 of diamond(W) ||| sbisim(W)";
        assert_eq!(names, [name]);
    });
}

#[test]
fn exchanging_what_never_changes_is_no_symmetry() {
    let script = "
        Q = e.B -> Q
        SYSTEM = (Q ||| Q ||| Q) [| {x} |] ((Q ||| Q) /\\ f.A -> STOP)
    ";
    machine_of(script, "SYSTEM", |_, _, machine| {
        let all = equal_operands(&machine);
        // Processes that can be interrupted can be switched off, which is another state.
        let names = all.iter().map(|(name, _)| name.as_str());
        let wholes: Vec<&str> = names.filter_map(|name| name.split(" of ").nth(1)).collect();
        assert_eq!(wholes, ["Q ||| Q"]);
    });
}

/// The derived leaves are those of the machine, minimised or not.
#[test]
fn leaves_need_not_be_minimised() {
    let script = "P(i) = e.i -> (f.i -> P(i) [] f.i -> P(i))";
    with_processes(script, "P(A) ||| P(B)", "STOP", |evaluator, term, _| {
        let options = CompileOptions {
            minimise: false,
            chases_are_leaves: false,
            ..OPTIONS
        };
        let machine = compile(evaluator, term, &options).unwrap();
        let sigma = permutation(evaluator, "(e.A e.B)(f.A f.B)");
        let mut prover = Prover::for_machine(evaluator, &options, &machine, Start::Fixed);
        if let Ok(proof) = prover.prove(term, &sigma, term).unwrap() {
            let pbisim = pbisim(&machine, &proof).unwrap();
            let states = reachable(&machine, 1000).unwrap();
            assert!(preserves(&machine, &states, &pbisim, &sigma));
        }
    });
}
