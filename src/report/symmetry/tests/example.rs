//! Symmetries of two systems, written down by hand: for the tests of the renderers.

use crate::machine::LeafDescription;
use crate::symmetry::*;

fn strings(words: &str) -> Vec<String> {
    words.split_whitespace().map(str::to_string).collect()
}

fn leaf(expression: &str, states: u64, transitions: u64) -> LeafDescription {
    LeafDescription {
        expression: expression.to_string(),
        states,
        transitions,
    }
}

fn refusal(algorithm: &'static str, reason: &str) -> AlgorithmRefusal {
    AlgorithmRefusal {
        algorithm,
        reason: reason.to_string(),
    }
}

/// The finding on a type of which all permutations of these values were tried.
fn type_symmetry(name: &str, free: &[&str], turning: &[&str], fixed: &str) -> TypeSymmetry {
    TypeSymmetry {
        name: name.to_string(),
        free: free.iter().map(|values| strings(values)).collect(),
        turning: turning.iter().map(|values| strings(values)).collect(),
        fixed: strings(fixed),
        complete: true,
    }
}

/// The events of a pole, each with the discs that have to be on it before (bit 1 is disc 1), and
/// those that are on it then.
fn pole_moves(pole: &str, others: [&str; 2]) -> Vec<(String, [(u32, u32); 2])> {
    let mut moves = Vec::new();
    for (disc, given) in [(1, [(3, 2), (1, 0)]), (2, [(2, 0), (2, 0)])] {
        for other in others {
            moves.push((format!("move.{disc}.{pole}.{other}"), given));
            let taken = given.map(|(before, after)| (after, before));
            moves.push((format!("move.{disc}.{other}.{pole}"), taken));
        }
    }
    moves
}

/// The graphs of the poles, with their transitions by `events`.
fn hanoi_graphs(events: &[String]) -> [LeafGraph; 3] {
    let poles = [("A", ["B", "C"]), ("B", ["A", "C"]), ("C", ["A", "B"])];
    poles.map(|(pole, others)| {
        // Numbered so that the pole at the start of the game is in state 0.
        let state = |on: u32| if pole == "A" { 3 - on } else { on };
        let mut transitions = Vec::new();
        for (event, steps) in pole_moves(pole, others) {
            let event = events.iter().position(|e| *e == event).expect("it occurs") as u32;
            transitions.extend(steps.map(|(from, to)| (state(from), event, state(to))));
        }
        transitions.sort_unstable();
        transitions.dedup();
        LeafGraph {
            transitions,
            off: None,
        }
    })
}

/// The moves of each disc that swapping the poles B and C takes to each other.
fn hanoi_orbits() -> Vec<Vec<String>> {
    let discs = ["1", "2"];
    let pairs = ["A.B A.C", "B.A C.A", "B.C C.B"];
    let orbit = |disc: &str, pair: &str| -> Vec<String> {
        let moved = pair.split(' ').map(|pair| format!("move.{disc}.{pair}"));
        moved.collect()
    };
    discs
        .iter()
        .flat_map(|disc| pairs.iter().map(|pair| orbit(disc, pair)))
        .collect()
}

/// The states of the pole `from`, each taken to the one of the same number.
fn same_states(from: usize, to: usize) -> LeafRelation {
    LeafRelation {
        from,
        to,
        states: vec![0, 1, 2, 3],
    }
}

/// Figure 2 of the paper: three poles and two discs, all of them on pole A, which stays.
pub(in crate::symmetry) fn hanoi() -> SymmetryDescription {
    let orbits = hanoi_orbits();
    let events = orbits.concat();
    let graphs = hanoi_graphs(&events);
    let transitions = |pole: usize| graphs[pole].transitions.len() as u64;
    let poles = ["POLE(A)", "POLE(B)", "POLE(C)"].iter().zip(0..);
    let leaves = poles.map(|(pole, i)| leaf(pole, 4, transitions(i)));
    SymmetryDescription {
        assertion: "assert RUN(Events) [T= HANOI".to_string(),
        file: "hanoi.csp".to_string(),
        specification: Some("RUN(Events)".to_string()),
        implementation: "HANOI".to_string(),
        start_fixed: true,
        listed: true,
        order: "2".to_string(),
        structure: "S2".to_string(),
        universal: true,
        algorithm: "SymCheck1",
        representative: Some("sortRep"),
        unique: Some(true),
        detection: Some(DetectionDescription {
            complete: true,
            steps: 17,
        }),
        refused: vec![
            refusal("SymCheck2", "SymCheck1 applies and is cheaper"),
            refusal("SymCheck3", "no symmetry moves the specification"),
        ],
        types: vec![type_symmetry("PEG", &["B C"], &[], "A")],
        generators: vec![GeneratorDescription {
            name: "(B C)".to_string(),
            source: "type PEG".to_string(),
            moves_initial: false,
            moves_specification: false,
            leaves: vec![(1, 2), (2, 1)],
        }],
        leaves: leaves.collect(),
        leaf_orbits: vec![vec![1, 2]],
        event_orbits: orbits.clone(),
        rejected: vec![RejectionDescription {
            name: "(A B)".to_string(),
            reason: "it moves the initial states".to_string(),
            place: Some("hanoi.csp:81:9".to_string()),
            of_type: 0,
        }],
        pbisims: Some(PbisimDescription {
            events,
            graphs: graphs.to_vec(),
            relations: vec![RelationDescription {
                events: orbits,
                specification: Vec::new(),
                leaves: vec![same_states(1, 2), same_states(2, 1)],
            }],
        }),
        ..SymmetryDescription::default()
    }
}

/// Mutual exclusion of three participants with a turn, which names one of them: its leaf is moved
/// onto itself, and so are the states of the specification.
pub(in crate::symmetry) fn turns() -> SymmetryDescription {
    let participants: Vec<String> = (1..=3).map(|i| format!("PARTICIPANT(P{i})")).collect();
    let mut leaves: Vec<LeafDescription> = participants.iter().map(|p| leaf(p, 2, 2)).collect();
    leaves.push(leaf("TURN", 4, 3));
    let generator = |name: &str, leaves: &[(usize, usize)]| GeneratorDescription {
        name: name.to_string(),
        source: "type ID".to_string(),
        moves_initial: false,
        moves_specification: true,
        leaves: leaves.to_vec(),
    };
    SymmetryDescription {
        assertion: "assert SpecME [T= TURNS".to_string(),
        file: "turns.csp".to_string(),
        specification: Some("SpecME".to_string()),
        implementation: "TURNS".to_string(),
        start_fixed: false,
        listed: true,
        normal_components: false,
        order: "6".to_string(),
        structure: "S3".to_string(),
        universal: false,
        algorithm: "SymCheck3",
        representative: Some("genRep"),
        unique: Some(true),
        detection: None,
        refused: vec![
            refusal("SymCheck1", "leaf 4 TURN is moved onto itself"),
            refusal(
                "SymCheck2",
                "the specification moves: (P1 P2) takes state 1 to 2",
            ),
        ],
        types: vec![
            type_symmetry("ID", &["P1 P2 P3"], &[], ""),
            type_symmetry("{0..3}", &[], &["0 1 2"], "3"),
        ],
        looked_into: Vec::new(),
        generators: vec![
            generator("(P1 P2)", &[(0, 1), (1, 0), (3, 3)]),
            generator("(P1 P2 P3)", &[(0, 1), (1, 2), (2, 0), (3, 3)]),
        ],
        leaves,
        leaf_orbits: vec![vec![0, 1, 2]],
        event_orbits: vec![
            strings("enter.P1 enter.P2 enter.P3"),
            strings("leave.P1 leave.P2 leave.P3"),
        ],
        rejected: Vec::new(),
        near: Vec::new(),
        pbisims: Some(turns_pbisims()),
    }
}

/// The relations of [`turns`].
fn turns_pbisims() -> PbisimDescription {
    let relation = |from, to, states: &[u32]| LeafRelation {
        from,
        to,
        states: states.to_vec(),
    };
    let graph = |transitions: &[(u32, u32, u32)]| LeafGraph {
        transitions: transitions.to_vec(),
        off: None,
    };
    PbisimDescription {
        events: strings("τ enter.P1 enter.P2 enter.P3 leave.P1 leave.P2 leave.P3"),
        graphs: vec![
            graph(&[(0, 1, 1), (1, 4, 0)]),
            graph(&[(0, 2, 1), (1, 5, 0)]),
            graph(&[(0, 3, 1), (1, 6, 0)]),
            graph(&[(0, 0, 1), (0, 0, 2), (0, 0, 3)]),
        ],
        relations: vec![
            RelationDescription {
                events: vec![strings("enter.P1 enter.P2"), strings("leave.P1 leave.P2")],
                specification: vec![(1, 2), (2, 1)],
                leaves: vec![
                    relation(0, 1, &[0, 1]),
                    relation(1, 0, &[0, 1]),
                    relation(3, 3, &[0, 2, 1, 3]),
                ],
            },
            RelationDescription {
                events: vec![
                    strings("enter.P1 enter.P2 enter.P3"),
                    strings("leave.P1 leave.P2 leave.P3"),
                ],
                specification: vec![(1, 2), (2, 3), (3, 1)],
                leaves: vec![
                    relation(0, 1, &[0, 1]),
                    relation(1, 2, &[0, 1]),
                    relation(2, 0, &[0, 1]),
                    relation(3, 3, &[0, 2, 3, 1]),
                ],
            },
        ],
    }
}

/// A check without any symmetry.
pub(in crate::symmetry) fn nothing() -> SymmetryDescription {
    let reason = "there is no symmetry";
    SymmetryDescription {
        assertion: "assert P :[deadlock free [F]]".to_string(),
        file: "a.csp".to_string(),
        specification: None,
        implementation: "P".to_string(),
        start_fixed: false,
        listed: true,
        normal_components: false,
        order: "1".to_string(),
        structure: "trivial".to_string(),
        universal: true,
        algorithm: "Check",
        representative: None,
        unique: None,
        detection: None,
        refused: ["SymCheck1", "SymCheck2", "SymCheck3"]
            .map(|algorithm| refusal(algorithm, reason))
            .to_vec(),
        types: vec![type_symmetry("{1..2}", &[], &[], "1 2")],
        looked_into: Vec::new(),
        generators: Vec::new(),
        leaves: vec![leaf("P", 1, 1)],
        leaf_orbits: Vec::new(),
        event_orbits: Vec::new(),
        rejected: vec![RejectionDescription {
            name: "(1 2)".to_string(),
            reason: "the operands differ:\n`P(1)` and `Q(2)`".to_string(),
            place: None,
            of_type: 0,
        }],
        near: Vec::new(),
        pbisims: None,
    }
}

/// A check whose components are too large to be listed at once.
pub(in crate::symmetry) fn unlisted() -> SymmetryDescription {
    let generator = |name: &str, moves_specification| GeneratorDescription {
        name: name.to_string(),
        source: "type TRAIN".to_string(),
        moves_initial: false,
        moves_specification,
        leaves: Vec::new(),
    };
    SymmetryDescription {
        assertion: "assert SPEC [T= BRIDGE".to_string(),
        file: "railway.csp".to_string(),
        specification: Some("SPEC".to_string()),
        implementation: "BRIDGE".to_string(),
        listed: false,
        order: "6".to_string(),
        structure: "S3".to_string(),
        algorithm: "Check",
        types: vec![type_symmetry("TRAIN", &["T1 T2 T3"], &[], "")],
        looked_into: vec![LookedIntoDescription {
            reason: "arithmetic tells 1 from the other values of its type".to_string(),
            place: Some("railway.csp:8:3".to_string()),
        }],
        generators: vec![generator("(T1 T2)", false), generator("(T1 T2 T3)", true)],
        ..SymmetryDescription::default()
    }
}
