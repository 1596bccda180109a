//! The symmetries of a check as text that a student can read.

use super::{LeafRelation, PbisimDescription, SymmetryDescription, TypeSymmetry};
use base::excerpt::first_of;
use base::number::{all_counted_as, counted};

/// The most items of a list or an orbit that are shown; JSON has them all.
const SHOWN: usize = 12;

/// The most reasons that are given for one type; the other candidates that failed are only named.
const REASONS: usize = 3;

/// The column after which a list goes on in a new line.
const WIDTH: usize = 110;

/// Everything that is described, ending in a newline.
pub fn render(description: &SymmetryDescription) -> String {
    let mut page = Page::default();
    let (title, file) = (description.title(), &description.file);
    page.line(0, &format!("Symmetries of {title} in {file}"));
    page.heading(&size(description));
    for line in group(description) {
        page.line(1, line);
    }
    if !description.is_trivial() {
        page.heading(match moves_states(description) {
            true => "Generators: symmetries from which all others are made",
            false => "Renamings under which nothing changes",
        });
        generators(description, &mut page);
    }
    if !description.types.is_empty() {
        page.heading("Types: which values may be renamed into each other");
        for of_type in &description.types {
            page.line(1, &values(of_type));
        }
    }
    if !description.listed {
        not_listed(description, &mut page);
        return page.text;
    }
    if !description.is_trivial() {
        page.heading("Orbits: what symmetries take to each other");
        orbits(description, &mut page);
    }
    let with = description.representative;
    let with = with.map_or(String::new(), |representative| {
        format!(" with {representative}")
    });
    page.heading(&format!("Algorithm: {}{with}", description.algorithm));
    algorithm(description, &mut page);
    if !description.rejected.is_empty() {
        page.heading("No symmetries, although they were tried");
        rejected(description, &mut page);
    }
    if !description.near.is_empty() {
        page.heading("Nearly symmetric: if one component always allowed all of its events");
        for near in &description.near {
            let symmetries = all_counted_as(&near.order, "symmetry", "symmetries");
            let leaf = description.leaf(near.leaf);
            page.line(1, &format!("{leaf}: {symmetries}, {}", near.structure));
        }
    }
    if let Some(pbisims) = &description.pbisims {
        page.heading("Permutation bisimulations: which state of a leaf goes to which (0 is the initial state)");
        relations(description, pbisims, &mut page);
    }
    page.text
}

/// True if there is a symmetry that is counted beside the one that moves nothing.
fn moves_states(description: &SymmetryDescription) -> bool {
    let mut generators = description.generators.iter();
    generators.any(|generator| description.counts(generator))
}

/// The size of the group, as a heading.
fn size(description: &SymmetryDescription) -> String {
    if description.is_trivial() {
        return "No symmetry but the one that moves nothing".to_string();
    }
    if !moves_states(description) {
        // The order counts only symmetries that move states, so it is 1 here and would contradict
        // the generators.
        return "No symmetry that moves states, only renamings".to_string();
    }
    let symmetries = all_counted_as(&description.order, "symmetry", "symmetries");
    let structure = &description.structure;
    if !description.listed {
        let order = all_counted_as(&description.order, "permutation", "permutations");
        return format!("{order} of values change nothing: {structure}");
    }
    format!("{symmetries}, counting the one that moves nothing: {structure}")
}

/// The line for a search for symmetries that did not come to its end.
const STOPPED: &str = "The search for symmetries stopped at its budget: there may be more; those found until then are used.";

/// The lines for symmetries of which none moves a state.
const ONLY_RENAMINGS: [&str; 2] = [
    "Leaves of one state and their events may be renamed. A symmetry is counted by the states that it moves,",
    "so these count as the one that moves nothing, and the search visits no fewer states for them.",
];

/// The lines for symmetries that were found without a list of states.
const OF_DEFINITIONS: [&str; 3] = [
    "They are symmetries of the definitions, which do nothing with the values of these types but compare them.",
    "Components are too large to be listed at once, so there may be more, and some may move nothing that happens;",
    "--pbisims lists the components, however long it takes.",
];

/// The lines on what the symmetries do.
fn group(description: &SymmetryDescription) -> Vec<&'static str> {
    let mut lines = Vec::new();
    if description.start_fixed {
        lines.push("Only those were looked for that fix the initial states (--fix-initial).");
    }
    if description.detection.is_some_and(|search| !search.complete) {
        lines.push(STOPPED);
    }
    if description.is_trivial() {
        return lines;
    }
    if !moves_states(description) {
        lines.extend(ONLY_RENAMINGS);
        return lines;
    }
    lines.push("Each renames events, and moves states along, so that nothing else changes.");
    if !description.listed {
        lines.extend(OF_DEFINITIONS);
    }
    if description.normal_components {
        lines.push("Nondeterministic components are in normal form, as by `normal`: more values can be renamed then.");
    }
    let mut generators = description.generators.iter();
    if generators.any(|generator| generator.moves_initial) {
        lines.push("Some move the initial states, which --fix-initial would forbid.");
    }
    lines.push(match description.universal {
        // Terms are moved, which may be one state of the normal form.
        false if !description.listed => "Some may move states of the specification.",
        true => "None moves a state of the specification: it is universally symmetric.",
        false => "Some move states of the specification: it is not universally symmetric.",
    });
    lines
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
            // The first leaf is named again to close the cycle; no cycle is empty.
            leaves.push(format!("leaf {}", cycle[0] + 1));
            page.list(2, "moves ", &leaves, " -> ");
        }
        if cycles.len() > SHOWN {
            let more = counted((cycles.len() - SHOWN) as u64, "more such cycle");
            page.line(2, &format!("... {more}"));
        }
        if !within.is_empty() {
            let leaves = listed(within.iter().map(|(leaf, _)| description.leaf(*leaf)));
            page.list(2, "moves states within ", &leaves, ", ");
        }
        let moved = match (generator.moves_initial, generator.moves_specification) {
            (false, false) => continue,
            _ if !description.listed => "may move states of the specification",
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
    // `left` stays sorted, so the first one is the least leaf that is in no cycle yet. As the moves
    // are a permutation, the cycle ends where it comes back to that leaf, which was taken.
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

/// The remark on a type if not all permutations of its values were tried that there are reasons to
/// try.
const TOO_MANY: &str =
    " (there are too many to try all ways; the graph of machine and specification tells the rest)";

/// The values of a type in words: `PEG: B, C freely; A not at all`.
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
        let how = match of_type.complete {
            true => "not at all",
            false => "in no way that was tried",
        };
        parts.push(format!("{} {how}", list(&of_type.fixed)));
    }
    let stopped = if of_type.complete { "" } else { TOO_MANY };
    format!("{}: {}{stopped}", of_type.name, parts.join("; "))
}

/// Writes which types are left out, and what a check does.
fn not_listed(description: &SymmetryDescription, page: &mut Page) {
    if !description.looked_into.is_empty() {
        page.heading("Where the script looks into values of these types and of others");
    }
    for found in &description.looked_into {
        let place = found.place.as_ref();
        let place = place.map_or(String::new(), |place| format!("{place}: "));
        page.block(1, &format!("{place}{}", found.reason));
    }
    page.heading("Strategy: orbits");
    page.line(
        1,
        "A check that cannot list the components searches terms, one of each orbit.",
    );
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

/// Writes, by type, what keeps its values from being renamed.
fn rejected(description: &SymmetryDescription, page: &mut Page) {
    for (number, of_type) in description.types.iter().enumerate() {
        let rejected = description.rejected.iter();
        let rejected: Vec<_> = rejected.filter(|r| r.of_type == number).collect();
        if rejected.is_empty() {
            continue;
        }
        page.line(1, &odd_ones(of_type));
        // Rejections are in the order of how much they tell. If no value moves, the first one came
        // nearest to a symmetry, and the others add little; otherwise each value that stays may
        // have a reason of its own.
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

/// The heading of a type: `ID: why P2 stays, although P1, P3, P4 may be renamed`; if none may, `ID:
/// none may be renamed alone; what came nearest`.
fn odd_ones(of_type: &TypeSymmetry) -> String {
    let moving = [of_type.free.concat(), of_type.turning.concat()].concat();
    let list = |values: &[String]| listed(values.iter().cloned()).join(", ");
    let name = &of_type.name;
    match of_type.fixed.as_slice() {
        [] => format!("{name}: why its values may not be renamed in every way"),
        _ if moving.is_empty() => format!("{name}: none may be renamed alone; what came nearest"),
        fixed => {
            let stay = if fixed.len() == 1 { "stays" } else { "stay" };
            let (fixed, moving) = (list(fixed), list(&moving));
            format!("{name}: why {fixed} {stay}, although {moving} may be renamed")
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
            let (from, to) = (description.leaf(leaf.from), description.leaf(leaf.to));
            page.list(2, &format!("{from} -> {to}: "), &related(leaf), ", ");
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

/// The first of the items, and the number of the others in place of them.
fn listed(items: impl ExactSizeIterator<Item = String>) -> Vec<String> {
    first_of(items, SHOWN)
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

    /// Adds text of any number of lines.
    fn block(&mut self, level: usize, text: &str) {
        for line in text.lines() {
            self.line(level, line);
        }
    }

    /// Adds `head`, then the items. Where a line gets too long the list goes on below, one level
    /// deeper.
    fn list(&mut self, level: usize, head: &str, items: &[String], separator: &str) {
        let mut line = head.to_string();
        let mut indent = level;
        for (index, item) in items.iter().enumerate() {
            let is_last = index + 1 == items.len();
            let separator = if is_last { "" } else { separator };
            let length = line.chars().count() + item.chars().count() + separator.trim_end().len();
            // The first item stays with the head, however long it is.
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
mod tests;
