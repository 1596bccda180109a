//! The symmetries of a check as text that a student can read.

use super::{LeafRelation, PbisimDescription, SymmetryDescription, TypeSymmetry};
use crate::base::number::{all_counted_as, counted};

/// Lists and orbits are cut after this many; JSON has them all.
const SHOWN: usize = 12;

/// Reasons given for one type; the other candidates that failed are only named.
const REASONS: usize = 3;

/// Columns after which a list goes on in a new line.
const WIDTH: usize = 110;

/// Everything that is described, ending in a newline.
pub fn render(description: &SymmetryDescription) -> String {
    let mut page = Page::default();
    page.line(
        0,
        &format!(
            "Symmetries of {} in {}",
            description.title(),
            description.file
        ),
    );
    page.heading(&size(description));
    group(description, &mut page);
    if !description.is_trivial() {
        page.heading(if moves_states(description) {
            "Generators: symmetries from which all others are made"
        } else {
            "Renamings under which nothing changes"
        });
        generators(description, &mut page);
    }
    if !description.types.is_empty() {
        page.heading("Types: which values may be renamed into each other");
        for of_type in &description.types {
            page.line(1, &values(of_type));
        }
    }
    if !description.is_trivial() {
        page.heading("Orbits: what symmetries take to each other");
        orbits(description, &mut page);
    }
    page.heading(&match description.representative {
        Some(representative) => {
            format!("Algorithm: {} with {representative}", description.algorithm)
        }
        None => format!("Algorithm: {}", description.algorithm),
    });
    algorithm(description, &mut page);
    if !description.rejected.is_empty() {
        page.heading("No symmetries, although they were tried");
        rejected(description, &mut page);
    }
    if let Some(pbisims) = &description.pbisims {
        page.heading("Permutation bisimulations: which state of a leaf goes to which (0 is the initial state)");
        relations(description, pbisims, &mut page);
    }
    page.text
}

/// Whether there is a symmetry that is counted beside the one that moves nothing.
fn moves_states(description: &SymmetryDescription) -> bool {
    let mut generators = description.generators.iter();
    generators.any(|generator| description.counts(generator))
}

/// How large the group is, as a heading.
fn size(description: &SymmetryDescription) -> String {
    if description.is_trivial() {
        return "No symmetry but the one that moves nothing".to_string();
    }
    if !moves_states(description) {
        return "No symmetry that moves states, only renamings".to_string();
    }
    let symmetries = all_counted_as(&description.order, "symmetry", "symmetries");
    let structure = &description.structure;
    format!("{symmetries}, counting the one that moves nothing: {structure}")
}

fn group(description: &SymmetryDescription, page: &mut Page) {
    if description.start_fixed {
        page.line(
            1,
            "Only those were looked for that fix the initial states (--fix-initial).",
        );
    }
    if description.detection.is_some_and(|search| !search.complete) {
        page.line(
            1,
            "The search for symmetries stopped at its budget: there may be more; those found until then are used.",
        );
    }
    if description.is_trivial() {
        return;
    }
    if !moves_states(description) {
        page.line(
            1,
            "Leaves of one state and their events may be renamed. A symmetry is counted by the states that it moves,",
        );
        page.line(
            1,
            "so these count as the one that moves nothing, and the search visits no fewer states for them.",
        );
        return;
    }
    page.line(
        1,
        "Each renames events, and moves states along, so that nothing else changes.",
    );
    if description
        .generators
        .iter()
        .any(|generator| generator.moves_initial)
    {
        page.line(
            1,
            "Some move the initial states, which --fix-initial would forbid.",
        );
    }
    page.line(
        1,
        if description.universal {
            "None moves a state of the specification: it is universally symmetric."
        } else {
            "Some move states of the specification: it is not universally symmetric."
        },
    );
}

fn generators(description: &SymmetryDescription, page: &mut Page) {
    let some_count = moves_states(description);
    for generator in &description.generators {
        page.line(1, &format!("{}, {}", generator.name, generator.source));
        if some_count && !description.counts(generator) {
            page.line(
                2,
                "moves no states, only leaves that have one, so that it is not counted",
            );
        }
        let (within, between): (Vec<_>, Vec<_>) =
            generator.leaves.iter().partition(|(from, to)| from == to);
        let cycles = cycles(&between);
        for cycle in cycles.iter().take(SHOWN) {
            let mut leaves = listed(cycle.iter().map(|&leaf| description.leaf(leaf)));
            leaves.push(format!("leaf {}", cycle[0] + 1));
            page.list(2, "moves ", &leaves, " -> ");
        }
        if cycles.len() > SHOWN {
            page.line(
                2,
                &format!(
                    "... {}",
                    counted((cycles.len() - SHOWN) as u64, "more such cycle")
                ),
            );
        }
        if !within.is_empty() {
            let leaves = listed(within.iter().map(|(leaf, _)| description.leaf(*leaf)));
            page.list(2, "moves states within ", &leaves, ", ");
        }
        let moved = match (generator.moves_initial, generator.moves_specification) {
            (false, false) => continue,
            (true, false) => "moves the initial states",
            (false, true) => "moves states of the specification",
            (true, true) => "moves the initial states, and states of the specification",
        };
        page.line(2, moved);
    }
}

/// The leaves that a generator moves to others, in cycles: the least leaf of each first.
fn cycles(moves: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut left = moves.to_vec();
    left.sort_unstable();
    let mut cycles = Vec::new();
    while let Some(&(start, _)) = left.first() {
        let mut cycle = Vec::new();
        let mut leaf = start;
        while let Ok(at) = left.binary_search_by_key(&leaf, |&(from, _)| from) {
            cycle.push(leaf);
            leaf = left.remove(at).1;
        }
        cycles.push(cycle);
    }
    cycles
}

/// What is said if not all permutations of values were tried that there are reasons to try.
const TOO_MANY: &str =
    " (there are too many to try all ways; the graph of machine and specification tells the rest)";

/// `PEG: B, C freely; A not at all`
fn values(of_type: &TypeSymmetry) -> String {
    let list = |values: &[String]| listed(values.iter().cloned()).join(", ");
    let free = of_type.free.iter();
    let mut parts: Vec<String> = free.map(|set| format!("{} freely", list(set))).collect();
    let turning = of_type.turning.iter();
    parts.extend(turning.map(|cycle| {
        let cycle = listed(cycle.iter().cloned());
        format!("({}) only in turn", cycle.join(" "))
    }));
    if !of_type.fixed.is_empty() {
        let how = if of_type.complete {
            "not at all"
        } else {
            "in no way that was tried"
        };
        parts.push(format!("{} {how}", list(&of_type.fixed)));
    }
    let stopped = if of_type.complete { "" } else { TOO_MANY };
    format!("{}: {}{stopped}", of_type.name, parts.join("; "))
}

fn orbits(description: &SymmetryDescription, page: &mut Page) {
    for orbit in description.leaf_orbits.iter().take(SHOWN) {
        let leaves = listed(orbit.iter().map(|&leaf| description.leaf(leaf)));
        page.list(1, "", &leaves, ", ");
    }
    let events = &description.event_orbits;
    for orbit in events.iter().take(SHOWN) {
        page.list(1, "", &listed(orbit.iter().cloned()), ", ");
    }
    let hidden =
        description.leaf_orbits.len().saturating_sub(SHOWN) + events.len().saturating_sub(SHOWN);
    if hidden > 0 {
        page.line(1, &format!("... {}", counted(hidden as u64, "more orbit")));
    }
}

fn algorithm(description: &SymmetryDescription, page: &mut Page) {
    page.line(
        1,
        match description.unique {
            None => "It searches every state.",
            Some(true) => {
                "Of all states that symmetries take to each other it searches exactly one, their representative."
            }
            Some(false) => {
                "Of all states that symmetries take to each other it searches few, but perhaps more than one."
            }
        },
    );
    for refusal in &description.refused {
        page.block(1, &format!("not {}: {}", refusal.algorithm, refusal.reason));
    }
}

/// By type, what keeps its values from being renamed.
fn rejected(description: &SymmetryDescription, page: &mut Page) {
    for (number, of_type) in description.types.iter().enumerate() {
        let rejected = description.rejected.iter();
        let rejected: Vec<_> = rejected.filter(|r| r.of_type == number).collect();
        if rejected.is_empty() {
            continue;
        }
        page.line(1, &odd_ones(of_type));
        let shown = match of_type.free.len() + of_type.turning.len() {
            0 => 1,
            _ => of_type.fixed.len().clamp(1, REASONS),
        };
        for rejection in rejected.iter().take(shown) {
            match &rejection.place {
                Some(place) => page.line(2, &format!("{} breaks at {place}", rejection.name)),
                None => page.line(2, &rejection.name),
            }
            page.block(3, &rejection.reason);
        }
        if let Some(rest) = rejected.get(shown..).filter(|rest| !rest.is_empty()) {
            let names = listed(rest.iter().map(|rejection| rejection.name.clone()));
            page.list(2, "nor ", &names, ", ");
        }
    }
}

/// `ID: why P2 stays, although P1, P3, P4 may be renamed`; if none may, `ID: none may be renamed alone; what came nearest`.
fn odd_ones(of_type: &TypeSymmetry) -> String {
    let moving = [of_type.free.concat(), of_type.turning.concat()].concat();
    let list = |values: &[String]| listed(values.iter().cloned()).join(", ");
    let name = &of_type.name;
    match of_type.fixed.as_slice() {
        [] => format!("{name}: why its values may not be renamed in every way"),
        _ if moving.is_empty() => format!("{name}: none may be renamed alone; what came nearest"),
        fixed => {
            let stay = if fixed.len() == 1 { "stays" } else { "stay" };
            format!(
                "{name}: why {} {stay}, although {} may be renamed",
                list(fixed),
                list(&moving)
            )
        }
    }
}

fn relations(description: &SymmetryDescription, pbisims: &PbisimDescription, page: &mut Page) {
    for (generator, relation) in description.generators.iter().zip(&pbisims.relations) {
        page.line(1, &generator.name);
        let cycle = |cycle: &Vec<String>| format!("({})", listed(cycle.iter().cloned()).join(" "));
        let mut cycles = listed(relation.events.iter().map(cycle));
        if cycles.is_empty() {
            cycles.push("none moves".to_string());
        }
        page.list(2, "events: ", &cycles, " ");
        for leaf in &relation.leaves {
            let head = format!(
                "{} -> {}: ",
                description.leaf(leaf.from),
                description.leaf(leaf.to)
            );
            page.list(2, &head, &related(leaf), ", ");
        }
        if !relation.specification.is_empty() {
            let moved = relation.specification.iter();
            let moved: Vec<String> = moved.map(|(from, to)| format!("{from} -> {to}")).collect();
            page.list(2, "specification: ", &moved, ", ");
        }
    }
}

/// The pairs of a relation; those between equal numbers are summed up.
fn related(relation: &LeafRelation) -> Vec<String> {
    let pairs = relation.states.iter().enumerate();
    let (same, others): (Vec<_>, Vec<_>) = pairs.partition(|(from, to)| *from == **to as usize);
    let mut text: Vec<String> = others
        .iter()
        .map(|(from, to)| format!("{from} -> {to}"))
        .collect();
    match (same.len(), text.is_empty()) {
        (0, _) => {}
        (_, true) => text.push("each state to the one of the same number".to_string()),
        (_, false) => text.push("every other state to the one of the same number".to_string()),
    }
    text
}

/// The first of the items; how many more there are in place of the rest.
fn listed(items: impl ExactSizeIterator<Item = String>) -> Vec<String> {
    let count = items.len();
    let mut shown: Vec<String> = items.take(SHOWN).collect();
    if count > SHOWN {
        shown.push(format!("... {} more", count - SHOWN));
    }
    shown
}

/// Text that is being written, two columns for each level of indentation.
#[derive(Default)]
struct Page {
    text: String,
}

impl Page {
    fn line(&mut self, level: usize, line: &str) {
        self.text
            .push_str(&format!("{:indent$}{line}\n", "", indent = 2 * level));
    }

    fn heading(&mut self, heading: &str) {
        self.text.push('\n');
        self.line(0, heading);
    }

    /// Text of any number of lines.
    fn block(&mut self, level: usize, text: &str) {
        for line in text.lines() {
            self.line(level, line);
        }
    }

    /// `head`, then the items; where a line gets too long the list goes on below, one level deeper.
    fn list(&mut self, level: usize, head: &str, items: &[String], separator: &str) {
        let mut line = head.to_string();
        let mut indent = level;
        for (index, item) in items.iter().enumerate() {
            let separator = if index + 1 < items.len() {
                separator
            } else {
                ""
            };
            let length = line.chars().count() + item.chars().count() + separator.trim_end().len();
            if index > 0 && 2 * indent + length > WIDTH {
                self.line(indent, line.trim_end());
                line.clear();
                indent = level + 1;
            }
            line.push_str(item);
            line.push_str(separator);
        }
        self.line(indent, line.trim_end());
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::super::example::{hanoi, nothing, turns};
    use super::super::{DetectionDescription, RejectionDescription};
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
        // Also where nothing was found at all.
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
}
