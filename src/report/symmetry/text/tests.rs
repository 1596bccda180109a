//! Symmetries as text.

use pretty_assertions::assert_eq;

use super::super::tests::example::{hanoi, nothing, turns, unlisted};
use super::super::{DetectionDescription, NearSymmetry, RejectionDescription};
use super::*;

#[test]
fn hanoi_swaps_two_poles() {
    let expected = "\
Symmetries of RUN(Events) [T= HANOI in hanoi.csp

2 symmetries, counting the one that moves nothing: S2
  Only those were looked for that fix the initial states (--fix-initial).
  Each renames events, and moves states along, so that nothing else changes.
  None moves a state of the specification: it is universally symmetric.

Generators: symmetries from which all others are made
  (B C), type PEG
    moves leaf 2 POLE(B) -> leaf 3 POLE(C) -> leaf 2

Types: which values may be renamed into each other
  PEG: B, C freely; A not at all

Orbits: what symmetries take to each other
  leaf 2 POLE(B), leaf 3 POLE(C)
  move.1.A.B, move.1.A.C
  move.1.B.A, move.1.C.A
  move.1.B.C, move.1.C.B
  move.2.A.B, move.2.A.C
  move.2.B.A, move.2.C.A
  move.2.B.C, move.2.C.B

Algorithm: SymCheck1 with sortRep
  Of all states that symmetries take to each other it searches exactly one, their representative.
  not SymCheck2: SymCheck1 applies and is cheaper
  not SymCheck3: no symmetry moves the specification

No symmetries, although they were tried
  PEG: why A stays, although B, C may be renamed
    (A B) breaks at hanoi.csp:81:9
      it moves the initial states

Permutation bisimulations: which state of a leaf goes to which (0 is the initial state)
  (B C)
    events: (move.1.A.B move.1.A.C) (move.1.B.A move.1.C.A) (move.1.B.C move.1.C.B) (move.2.A.B move.2.A.C)
      (move.2.B.A move.2.C.A) (move.2.B.C move.2.C.B)
    leaf 2 POLE(B) -> leaf 3 POLE(C): each state to the one of the same number
    leaf 3 POLE(C) -> leaf 2 POLE(B): each state to the one of the same number
";
    assert_eq!(render(&hanoi()), expected);
}

#[test]
fn a_turn_is_moved_onto_itself() {
    let turns = SymmetryDescription {
        pbisims: None,
        ..turns()
    };
    let expected = "\
Symmetries of SpecME [T= TURNS in turns.csp

6 symmetries, counting the one that moves nothing: S3
  Each renames events, and moves states along, so that nothing else changes.
  Some move states of the specification: it is not universally symmetric.

Generators: symmetries from which all others are made
  (P1 P2), type ID
    moves leaf 1 PARTICIPANT(P1) -> leaf 2 PARTICIPANT(P2) -> leaf 1
    moves states within leaf 4 TURN
    moves states of the specification
  (P1 P2 P3), type ID
    moves leaf 1 PARTICIPANT(P1) -> leaf 2 PARTICIPANT(P2) -> leaf 3 PARTICIPANT(P3) -> leaf 1
    moves states within leaf 4 TURN
    moves states of the specification

Types: which values may be renamed into each other
  ID: P1, P2, P3 freely
  {0..3}: (0 1 2) only in turn; 3 not at all

Orbits: what symmetries take to each other
  leaf 1 PARTICIPANT(P1), leaf 2 PARTICIPANT(P2), leaf 3 PARTICIPANT(P3)
  enter.P1, enter.P2, enter.P3
  leave.P1, leave.P2, leave.P3

Algorithm: SymCheck3 with genRep
  Of all states that symmetries take to each other it searches exactly one, their representative.
  not SymCheck1: leaf 4 TURN is moved onto itself
  not SymCheck2: the specification moves: (P1 P2) takes state 1 to 2
";
    assert_eq!(render(&turns), expected);
}

#[test]
fn relations_between_other_numbers_are_listed() {
    let text = render(&turns());
    let (_, relations) = text.split_once("\nPermutation ").expect("they are shown");
    let expected = "\
bisimulations: which state of a leaf goes to which (0 is the initial state)
  (P1 P2)
    events: (enter.P1 enter.P2) (leave.P1 leave.P2)
    leaf 1 PARTICIPANT(P1) -> leaf 2 PARTICIPANT(P2): each state to the one of the same number
    leaf 2 PARTICIPANT(P2) -> leaf 1 PARTICIPANT(P1): each state to the one of the same number
    leaf 4 TURN -> leaf 4 TURN: 1 -> 2, 2 -> 1, every other state to the one of the same number
    specification: 1 -> 2, 2 -> 1
  (P1 P2 P3)
    events: (enter.P1 enter.P2 enter.P3) (leave.P1 leave.P2 leave.P3)
    leaf 1 PARTICIPANT(P1) -> leaf 2 PARTICIPANT(P2): each state to the one of the same number
    leaf 2 PARTICIPANT(P2) -> leaf 3 PARTICIPANT(P3): each state to the one of the same number
    leaf 3 PARTICIPANT(P3) -> leaf 1 PARTICIPANT(P1): each state to the one of the same number
    leaf 4 TURN -> leaf 4 TURN: 1 -> 2, 2 -> 3, 3 -> 1, every other state to the one of the same number
    specification: 1 -> 2, 2 -> 3, 3 -> 1
";
    assert_eq!(relations, expected);
}

#[test]
fn without_symmetry_it_says_why_not() {
    let expected = "\
Symmetries of P :[deadlock free [F]] in a.csp

No symmetry but the one that moves nothing

Types: which values may be renamed into each other
  {1..2}: 1, 2 not at all

Algorithm: Check
  It searches every state.
  not SymCheck1: there is no symmetry
  not SymCheck2: there is no symmetry
  not SymCheck3: there is no symmetry

No symmetries, although they were tried
  {1..2}: none may be renamed alone; what came nearest
    (1 2)
      the operands differ:
      `P(1)` and `Q(2)`
";
    assert_eq!(render(&nothing()), expected);
}

#[test]
fn what_is_not_certain_is_said() {
    let stopped = DetectionDescription {
        complete: false,
        steps: 1000,
    };
    let budget = "  The search for symmetries stopped at its budget: there may be more; those found until then are used.";
    let several = "  Of all states that symmetries take to each other it searches few, but perhaps more than one.";
    let mut turns = turns();
    let has = |description: &SymmetryDescription, line: &str| {
        render(description).lines().any(|other| other == line)
    };
    assert!(!has(&turns, budget) && !has(&turns, several));
    turns.detection = Some(stopped);
    turns.unique = Some(false);
    assert!(has(&turns, budget) && has(&turns, several));
    // The remark is there also where no symmetry was found.
    let mut nothing = nothing();
    nothing.detection = Some(stopped);
    assert!(has(&nothing, budget));
}

#[test]
fn of_many_candidates_the_first_are_explained_and_the_others_named() {
    let mut turns = turns();
    turns.pbisims = None;
    turns.types[0].free = vec![vec!["P1".to_string(), "P3".to_string()]];
    turns.types[0].fixed = vec!["P2".to_string()];
    let rejection = |name: &str, of_type| RejectionDescription {
        name: name.to_string(),
        reason: format!("because of {name}"),
        place: None,
        of_type,
    };
    turns.rejected = vec![
        rejection("(P1 P2)", 0),
        rejection("(P1 P2 P3)", 0),
        rejection("(0 1)", 1),
        rejection("(0 2)", 1),
    ];
    let text = render(&turns);
    let (_, rejected) = text.split_once("\nNo symmetries").expect("they are shown");
    let expected = "\
, although they were tried
  ID: why P2 stays, although P1, P3 may be renamed
    (P1 P2)
      because of (P1 P2)
    nor (P1 P2 P3)
  {0..3}: why 3 stays, although 0, 1, 2 may be renamed
    (0 1)
      because of (0 1)
    nor (0 2)
";
    assert_eq!(rejected, expected);
}

#[test]
fn long_lists_are_cut_and_say_how_much_is_missing() {
    let mut turns = turns();
    let numbers = |count: u32| -> Vec<String> { (0..count).map(|n| n.to_string()).collect() };
    turns.order = "1307674368000".to_string();
    turns.structure = "S15".to_string();
    turns.types[0].free = vec![numbers(13)];
    turns.event_orbits = vec![numbers(15); 14];
    turns.leaf_orbits = vec![vec![0, 1]; 13];
    turns.generators[0].moves_initial = true;
    let moves = |from: usize| [(from, from + 1), (from + 1, from)];
    turns.generators[0].leaves = (0..13).flat_map(|pair| moves(2 * pair)).collect();
    turns.generators[1].leaves = (0..14).map(|leaf| (leaf, leaf)).collect();
    let text = render(&turns);
    for line in [
        "1,307,674,368,000 symmetries, counting the one that moves nothing: S15",
        "  Some move the initial states, which --fix-initial would forbid.",
        "    moves leaf 23 -> leaf 24 -> leaf 23",
        "    ... 1 more such cycle",
        "    moves the initial states, and states of the specification",
        "  ID: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, ... 1 more freely",
        "  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, ... 3 more",
        "  ... 3 more orbits",
    ] {
        assert!(text.lines().any(|other| other == line), "{line}\n{text}");
    }
    assert!(
        text.contains(", ... 2 more\n    moves states of the specification\n"),
        "{text}"
    );
    assert!(!text.contains("leaf 25 ->"));
    assert!(text.lines().all(|line| line.chars().count() <= WIDTH));
}

#[test]
fn symmetries_of_definitions_are_told_without_leaves() {
    let expected = "\
Symmetries of SPEC [T= BRIDGE in railway.csp

6 permutations of values change nothing: S3
  Each renames events, and moves states along, so that nothing else changes.
  They are symmetries of the definitions, which do nothing with the values of these types but compare them.
  Components are too large to be listed at once, so there may be more, and some may move nothing that happens;
  --pbisims lists the components, however long it takes.
  Some may move states of the specification.

Generators: symmetries from which all others are made
  (T1 T2), type TRAIN
  (T1 T2 T3), type TRAIN
    may move states of the specification

Types: which values may be renamed into each other
  TRAIN: T1, T2, T3 freely

Where the script looks into values of these types and of others
  railway.csp:8:3: arithmetic tells 1 from the other values of its type

Strategy: orbits
  A check that cannot list the components searches terms, one of each orbit.
";
    assert_eq!(render(&unlisted()), expected);
}

#[test]
fn what_stands_in_the_way_is_named() {
    let nearly = SymmetryDescription {
        near: vec![NearSymmetry {
            leaf: 0,
            order: "6".to_string(),
            structure: "S3".to_string(),
        }],
        pbisims: None,
        ..hanoi()
    };
    let expected = "
Nearly symmetric: if one component always allowed all of its events
  leaf 1 POLE(A): 6 symmetries, S3
";
    assert!(render(&nearly).ends_with(expected));
}
