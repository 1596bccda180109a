//! The outcome of one assertion as text that a student can read.

use super::assertion::{AssertionReport, SymmetryReport, Verdict};
use super::profile::table;
use super::views::ViewTable;
use super::violation::{SideNames, violation};
use base::number::{
    all_counted_as, any_size, bytes, counted, counted_as, per_second, seconds, thousands,
};

/// The amount of detail in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Detail {
    /// One line, only for assertions that do not hold.
    Quiet,
    /// Verdict, counterexample, size.
    #[default]
    Normal,
    /// All numbers.
    Statistics,
}

/// The whole outcome, ending in a newline; empty if there is nothing to say.
pub fn render(report: &AssertionReport, detail: Detail) -> String {
    render_with(report, detail, &SideNames::of(report.kind))
}

/// The whole outcome, in sentences that give the two sides these names.
pub(super) fn render_with(report: &AssertionReport, detail: Detail, names: &SideNames) -> String {
    let text = format!("{}: {}\n", report.title(), verdict(report));
    let size = match detail {
        Detail::Quiet if report.verdict == Verdict::Pass => return String::new(),
        Detail::Quiet => return text,
        Detail::Normal => summary(report),
        Detail::Statistics => statistics(report),
    };
    let profile = report.profile.as_deref().map_or(String::new(), table);
    let for_all = report.of_all_values().map_or(String::new(), |for_all| {
        let views = for_all.view_table.as_ref().map(ViewTable::text);
        format!("  {}\n{}", for_all.sentence, views.unwrap_or_default())
    });
    text + &for_all + &explanation(report, names) + &size + &remarks(report) + &profile
}

/// The verdict in words: `holds`, `fails`, `error (unknown-name)`, `undecided (timeout)`.
pub fn verdict(report: &AssertionReport) -> String {
    let word = match report.verdict {
        Verdict::Pass => "holds",
        Verdict::Fail => "fails",
        Verdict::Error => "error",
        Verdict::Unknown => "undecided",
    };
    let is_undecided = matches!(report.verdict, Verdict::Error | Verdict::Unknown);
    let message = report.message.as_deref().filter(|_| is_undecided);
    // `one_line` puts the code of the message before the first colon.
    match message.and_then(|message| message.split(':').next()) {
        Some(code) => format!("{word} ({code})"),
        None => word.to_string(),
    }
}

/// The reason why the assertion holds or fails, where a sentence helps; its two sides have these
/// names.
pub(super) fn explanation(report: &AssertionReport, names: &SideNames) -> String {
    match (&report.counterexample, report.negated, report.verdict) {
        (Some(counterexample), negated, _) => {
            let mut text = String::new();
            if negated {
                text.push_str("  It holds because what stands after `not` fails:\n");
            }
            match report.counterexamples.as_deref() {
                Some(several @ [_, _, ..]) => {
                    for (index, counterexample) in several.iter().enumerate() {
                        let number = index + 1;
                        let count = several.len();
                        text.push_str(&format!("  Counterexample {number} of {count}:\n"));
                        text.push_str(&violation(report.kind, counterexample, names));
                    }
                }
                _ => text.push_str(&violation(report.kind, counterexample, names)),
            }
            text
        }
        // Beside a verdict the message says how far a trace goes, or what breaks a symmetry.
        (None, negated, Verdict::Pass | Verdict::Fail) if report.message.is_some() => {
            let because = if negated { "It holds because " } else { "" };
            let message = report.message.as_deref().unwrap_or_default();
            format!("  {because}{message}\n")
        }
        (None, true, Verdict::Fail) => "  What stands after `not` holds.\n".to_string(),
        (None, _, _) => String::new(),
    }
}

/// The remarks, a line each.
fn remarks(report: &AssertionReport) -> String {
    let lines = report.remarks.iter();
    lines.map(|remark| format!("  {remark}\n")).collect()
}

/// The line for a search for symmetries that did not come to its end.
const STOPPED: &str =
    "the search for symmetries stopped at its budget: there may be more than were used";

/// The size of the search in one line, if there was one; and a line if symmetries may have been
/// missed.
fn summary(report: &AssertionReport) -> String {
    if let Some(local) = &report.local {
        let time = seconds(report.seconds.total);
        if local.groups == 0 {
            return format!(
                "  no search: what each component does shows that nothing deadlocks, {time}\n"
            );
        }
        return format!(
            "  no search: {} of {} of components show that nothing deadlocks, {time}\n",
            counted(local.states, "state"),
            counted(local.groups, "group"),
        );
    }
    let (Some(states), Some(transitions)) = (report.states, report.transitions) else {
        return String::new();
    };
    let states = match &report.symmetry {
        Some(symmetry) if has_representatives(report) => format!(
            "{} under {}",
            counted(states, "representative state"),
            all_counted_as(&symmetry.order, "symmetry", "symmetries")
        ),
        _ => counted(states, "state"),
    };
    let reduced = match report.partial_order {
        Some(_) => " by partial order reduction",
        None => "",
    };
    let by_strategy = match report.strategy.as_deref() {
        Some("dive") => " in a dive",
        Some("orbits") => ", one of each orbit, with nothing compiled",
        Some("subsets") => " beside sets of the specification's states",
        Some(_) => " with nothing compiled",
        None => "",
    };
    let levels = report.levels;
    let levels = levels.map_or(String::new(), |levels| {
        format!("{}, ", counted(levels, "level"))
    });
    let stopped = match report.symmetry.as_ref().is_some_and(has_stopped) {
        true => format!("  {STOPPED}\n"),
        false => String::new(),
    };
    format!(
        "  {states}{reduced}{by_strategy}, {}, {levels}{}\n{stopped}",
        counted(transitions, "transition"),
        seconds(report.seconds.total)
    )
}

/// Every number of the report, one a line, those that are absent left out.
fn statistics(report: &AssertionReport) -> String {
    let mut rows = Vec::new();
    before_the_search(report, &mut rows);
    of_the_search(report, &mut rows);
    rows.push(("time", times(report)));
    if report.cached {
        rows.push((
            "cache",
            "decided by an earlier run, in this time".to_string(),
        ));
    }
    rows.iter()
        .map(|(name, value)| format!("  {name:<14} {value}\n"))
        .collect()
}

/// Adds what is known before the search begins, by name.
fn before_the_search(report: &AssertionReport, rows: &mut Vec<(&str, String)>) {
    if let Some(algorithm) = &report.algorithm {
        let with = report.representative.as_deref();
        let with = with.map_or(String::new(), |function| format!(" with {function}"));
        rows.push(("algorithm", format!("{algorithm}{with}")));
    }
    if let Some(effort) = &report.partial_order {
        rows.push(("reduction", format!("partial order, {effort}")));
    }
    if let Some(strategy) = report.strategy.as_deref() {
        let sense = match strategy {
            "dive" => "depth first along one order of the steps",
            "local" => "a few components at a time, and a solver for what they leave open",
            "orbits" => "one state of each orbit, and nothing was compiled",
            "subsets" => "the specification's sets of states were made as they were met",
            _ => "nothing was compiled",
        };
        rows.push(("strategy", format!("{strategy}, {sense}")));
    }
    if let Some(local) = &report.local {
        let cost = format!(
            "{} with {}, {}, {} derived",
            counted(local.groups, "group"),
            counted(local.states, "state"),
            counted(local.clauses, "clause"),
            thousands(local.derived)
        );
        rows.push(("components", cost));
    }
    for spent in &report.spent {
        let cost = format!(
            "{}: {}, {}",
            spent.strategy,
            counted(spent.states, "state"),
            counted(spent.transitions, "transition")
        );
        rows.push(("tried in vain", cost));
    }
    if let Some(symmetry) = &report.symmetry {
        rows.push(("symmetry", group(symmetry)));
        if has_stopped(symmetry) {
            rows.push(("", STOPPED.to_string()));
        }
    }
    if let Some(specification) = &report.specification {
        let moved = match &report.symmetry {
            None => "",
            Some(symmetry) if symmetry.universal => ", universally symmetric",
            Some(_) => ", moved by symmetries",
        };
        let states = counted(specification.states, "state");
        rows.push(("specification", format!("{states} in normal form{moved}")));
    }
    if let Some(machine) = &report.machine {
        let rules = counted(machine.rules, "rule");
        let leaves = leaves(&machine.leaf_states);
        rows.push(("machine", format!("{leaves} and {rules}")));
    }
}

/// Adds what the search counted and stored, by name.
fn of_the_search(report: &AssertionReport, rows: &mut Vec<(&str, String)>) {
    if let Some(states) = report.states {
        // States that were on disk before took this run no time.
        let before = report.disk.as_ref().and_then(|disk| disk.resumed_states);
        let found = states.saturating_sub(before.unwrap_or(0));
        let rate = per_second(found, report.seconds.explore).filter(|&rate| rate > 0);
        let rate = rate.map_or(String::new(), |rate| {
            format!(" ({} a second)", thousands(rate))
        });
        let states = match &report.symmetry {
            Some(symmetry) if has_representatives(report) => representatives(states, symmetry),
            _ => thousands(states),
        };
        rows.push(("states", format!("{states}{rate}")));
    }
    if let Some(transitions) = report.transitions {
        rows.push(("transitions", thousands(transitions)));
    }
    if let Some(levels) = report.levels {
        rows.push(("levels", thousands(levels)));
    }
    if let Some(memory) = report.memory_bytes {
        let each = report
            .states
            // The smallest tables are larger than a few states need.
            .filter(|&states| states >= 10_000)
            .map(|states| memory as f64 / states as f64);
        let each = each.map_or(String::new(), |each| format!(" ({each:.1} bytes a state)"));
        rows.push(("memory", format!("{}{each}", bytes(memory))));
    }
    if let Some(limit) = &report.memory_limit {
        let size = bytes(limit.bytes);
        rows.push(("memory limit", format!("{size}, {}", bound(&limit.from))));
    }
    if let Some(disk) = &report.disk {
        rows.push(("disk", bytes(disk.bytes)));
    }
}

/// True if the states are representatives. A report has a group also where the search for
/// symmetries was only cut short; then every state was searched.
fn has_representatives(report: &AssertionReport) -> bool {
    report.representative.is_some()
}

/// True if the search for symmetries did not come to its end.
fn has_stopped(symmetry: &SymmetryReport) -> bool {
    let detection = symmetry.detection.as_ref();
    detection.is_some_and(|found| !found.complete)
}

/// The source of the bound on the memory, in words.
fn bound(from: &str) -> String {
    match from {
        "machine" | "container" => format!("four fifths of the {from}'s memory"),
        "ulimit -v" | "ulimit -d" => format!("seven eighths of {from}"),
        _ => format!("from {from}"),
    }
}

/// The states and what is known of their number: `25,833 representatives, one of each orbit`.
fn representatives(states: u64, symmetry: &SymmetryReport) -> String {
    let counted = counted(states, "representative");
    match (symmetry.unique, symmetry.extra_states) {
        (true, _) | (false, Some(0)) => format!("{counted}, one of each orbit"),
        (false, Some(extra)) => format!("{counted}, {} more than orbits", thousands(extra)),
        (false, None) => format!("{counted}, perhaps several of an orbit"),
    }
}

/// The group: `order 24: S4, generated by (P1 P2) and (P1 P2 P3 P4)`; many generators are cut.
fn group(symmetry: &SymmetryReport) -> String {
    const SHOWN: usize = 4;
    let order = any_size(&symmetry.order);
    let generators = &symmetry.generators;
    let generated = match generators.as_slice() {
        [] => return format!("order {order}: {}", symmetry.structure),
        [only] => only.clone(),
        [others @ .., last] if generators.len() <= SHOWN => {
            format!("{} and {last}", others.join(", "))
        }
        _ => {
            let more = generators.len() - SHOWN;
            format!("{} and {more} more", generators[..SHOWN].join(", "))
        }
    };
    let structure = &symmetry.structure;
    format!("order {order}: {structure}, generated by {generated}")
}

/// The leaves: `3 leaves of 4, 5 and 6 states`; many leaves are summed up.
fn leaves(states: &[u64]) -> String {
    let count = counted_as(states.len() as u64, "leaf", "leaves");
    match states {
        [] => count,
        [only] => format!("{count} of {}", counted(*only, "state")),
        [others @ .., last] if states.len() <= 8 => {
            let inner: Vec<String> = others.iter().map(|&n| thousands(n)).collect();
            format!(
                "{count} of {} and {} states",
                inner.join(", "),
                thousands(*last)
            )
        }
        _ => format!(
            "{count} of {} in all",
            counted(states.iter().sum(), "state")
        ),
    }
}

/// The stages that took time.
fn times(report: &AssertionReport) -> String {
    let time = &report.seconds;
    let stages = [
        ("load", time.load),
        ("compile", time.compile),
        ("symmetry", time.symmetry),
        ("explore", time.explore),
    ];
    let spent = stages.iter().filter(|(_, seconds)| *seconds > 0.0);
    let mut parts: Vec<String> = spent
        .map(|(name, time)| format!("{name} {}", seconds(*time)))
        .collect();
    parts.push(format!("total {}", seconds(time.total)));
    parts.join(", ")
}

#[cfg(test)]
mod tests;
