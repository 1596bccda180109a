//! The outcome of one assertion as text that a student can read.

use super::assertion::{AssertionReport, SymmetryReport, Verdict};
use super::violation::violation;
use crate::base::number::{
    all_counted_as, bytes, counted, counted_as, grouped, per_second, seconds, thousands,
};

/// How much to say.
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
    let mut text = format!("{}: {}\n", report.title(), verdict(report));
    match detail {
        Detail::Quiet if report.verdict == Verdict::Pass => return String::new(),
        Detail::Quiet => return text,
        Detail::Normal => {
            text.push_str(&explanation(report));
            text.push_str(&summary(report));
            text.push_str(&remarks(report));
        }
        Detail::Statistics => {
            text.push_str(&explanation(report));
            text.push_str(&statistics(report));
            text.push_str(&remarks(report));
        }
    }
    text
}

/// `holds`, `fails`, `error (unknown-name)`, `undecided (timeout)`
pub fn verdict(report: &AssertionReport) -> String {
    let word = match report.verdict {
        Verdict::Pass => "holds",
        Verdict::Fail => "fails",
        Verdict::Error => "error",
        Verdict::Unknown => "undecided",
    };
    let is_undecided = matches!(report.verdict, Verdict::Error | Verdict::Unknown);
    let message = report.message.as_deref().filter(|_| is_undecided);
    match message.and_then(|message| message.split(':').next()) {
        Some(code) => format!("{word} ({code})"),
        None => word.to_string(),
    }
}

/// Why the assertion holds or fails, where a sentence helps.
fn explanation(report: &AssertionReport) -> String {
    match (&report.counterexample, report.negated, report.verdict) {
        (Some(counterexample), negated, _) => {
            let mut text = String::new();
            if negated {
                text.push_str("  It holds because what stands after `not` fails:\n");
            }
            text.push_str(&violation(report.kind, counterexample));
            text
        }
        (None, negated, Verdict::Pass | Verdict::Fail) if report.message.is_some() => {
            let because = if negated { "It holds because " } else { "" };
            format!(
                "  {because}{}\n",
                report.message.as_deref().unwrap_or_default()
            )
        }
        (None, true, Verdict::Fail) => "  What stands after `not` holds.\n".to_string(),
        (None, _, _) => String::new(),
    }
}

/// What else should be known, a line each.
fn remarks(report: &AssertionReport) -> String {
    let lines = report.remarks.iter();
    lines.map(|remark| format!("  {remark}\n")).collect()
}

/// What is said if the search for symmetries did not come to its end.
const STOPPED: &str =
    "the search for symmetries stopped at its budget: there may be more than were used";

/// The size of the search in one line, if there was one; and whether symmetries may have been missed.
fn summary(report: &AssertionReport) -> String {
    let (Some(states), Some(transitions)) = (report.states, report.transitions) else {
        return String::new();
    };
    let states = match &report.symmetry {
        Some(symmetry) if report.representative.is_some() => format!(
            "{} under {}",
            counted(states, "representative state"),
            all_counted_as(&symmetry.order, "symmetry", "symmetries")
        ),
        _ => counted(states, "state"),
    };
    let levels = report.levels;
    let levels = levels.map_or(String::new(), |levels| {
        format!("{}, ", counted(levels, "level"))
    });
    let detection = report.symmetry.as_ref().and_then(|s| s.detection.as_ref());
    let stopped = if detection.is_some_and(|found| !found.complete) {
        format!("  {STOPPED}\n")
    } else {
        String::new()
    };
    format!(
        "  {states}, {}, {levels}{}\n{stopped}",
        counted(transitions, "transition"),
        seconds(report.seconds.total)
    )
}

/// Every number of the report, one a line, those that are absent left out.
fn statistics(report: &AssertionReport) -> String {
    let mut rows: Vec<(&str, String)> = Vec::new();
    if let Some(algorithm) = report.algorithm {
        let with = report.representative;
        let with = with.map_or(String::new(), |function| format!(" with {function}"));
        rows.push(("algorithm", format!("{algorithm}{with}")));
    }
    if let Some(symmetry) = &report.symmetry {
        rows.push(("symmetry", group(symmetry)));
        if symmetry
            .detection
            .as_ref()
            .is_some_and(|found| !found.complete)
        {
            rows.push(("", STOPPED.to_string()));
        }
    }
    if let Some(specification) = &report.specification {
        let moved = report.symmetry.as_ref().map_or("", |symmetry| {
            if symmetry.universal {
                ", universally symmetric"
            } else {
                ", moved by symmetries"
            }
        });
        let states = counted(specification.states, "state");
        rows.push(("specification", format!("{states} in normal form{moved}")));
    }
    if let Some(machine) = &report.machine {
        rows.push((
            "machine",
            format!(
                "{} and {}",
                leaves(&machine.leaf_states),
                counted(machine.rules, "rule")
            ),
        ));
    }
    if let Some(states) = report.states {
        // Those that were on disk before took this run no time.
        let before = report.disk.as_ref().and_then(|disk| disk.resumed_states);
        let found = states.saturating_sub(before.unwrap_or(0));
        let rate = per_second(found, report.seconds.explore).filter(|&rate| rate > 0);
        let rate = rate.map_or(String::new(), |rate| {
            format!(" ({} a second)", thousands(rate))
        });
        let states = match &report.symmetry {
            Some(symmetry) => representatives(states, symmetry),
            None => thousands(states),
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
        rows.push(("memory limit", format!("{size}, {}", bound(limit.from))));
    }
    if let Some(disk) = &report.disk {
        rows.push(("disk", bytes(disk.bytes)));
    }
    rows.push(("time", times(report)));
    rows.iter()
        .map(|(name, value)| format!("  {name:<14} {value}\n"))
        .collect()
}

/// What bounds the memory.
fn bound(from: &str) -> String {
    match from {
        "machine" | "container" => format!("four fifths of the {from}'s memory"),
        "ulimit -v" | "ulimit -d" => format!("seven eighths of {from}"),
        _ => format!("from {from}"),
    }
}

/// `25,833 representatives, one of each orbit`: what is known of their number.
fn representatives(states: u64, symmetry: &SymmetryReport) -> String {
    let counted = counted(states, "representative");
    match (symmetry.unique, symmetry.extra_states) {
        (true, _) | (false, Some(0)) => format!("{counted}, one of each orbit"),
        (false, Some(extra)) => format!("{counted}, {} more than orbits", thousands(extra)),
        (false, None) => format!("{counted}, perhaps several of an orbit"),
    }
}

/// `order 24: S4, generated by (P1 P2) and (P1 P2 P3 P4)`; many generators are cut.
fn group(symmetry: &SymmetryReport) -> String {
    const SHOWN: usize = 4;
    let order = grouped(&symmetry.order);
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
    format!(
        "order {order}: {}, generated by {generated}",
        symmetry.structure
    )
}

/// `3 leaves of 4, 5 and 6 states`; many leaves are summed up.
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
mod tests {
    use pretty_assertions::assert_eq;

    use super::super::assertion::tests::{failing_report, reduced_report};
    use super::super::assertion::{DiskReport, MemoryLimitReport};
    use super::super::symmetry::DetectionDescription;
    use super::*;

    #[test]
    fn a_failing_refinement_shows_its_trace_and_why() {
        let expected = "\
assert SPEC [T= SYSTEM: fails
  After <enter.A> the implementation can do enter.B, which the specification does not allow.
    1  τ (set.A)
    2  enter.A
    3  τ
    4  enter.B   <- not allowed here
  579,733 states, 2,000,000 transitions, 61 levels, 2.25 s
";
        assert_eq!(render(&failing_report(), Detail::Normal), expected);
    }

    #[test]
    fn statistics_name_every_number() {
        let expected = "\
assert SPEC [T= SYSTEM: holds
  algorithm      Check
  specification  2 states in normal form
  machine        2 leaves of 3 and 4 states and 5 rules
  states         579,733 (386,488 a second)
  transitions    2,000,000
  levels         61
  memory         26.5 MiB (48.0 bytes a state)
  memory limit   3.0 GiB, four fifths of the container's memory
  time           load 0.50 s, compile 0.25 s, explore 1.50 s, total 2.25 s
";
        let report = AssertionReport {
            verdict: Verdict::Pass,
            counterexample: None,
            memory_limit: Some(MemoryLimitReport {
                bytes: 3 << 30,
                from: "container",
            }),
            ..failing_report()
        };
        assert_eq!(render(&report, Detail::Statistics), expected);
    }

    #[test]
    fn states_that_were_on_disk_are_not_found_anew() {
        let mut report = failing_report();
        let mut states = |resumed_states| {
            report.disk = Some(DiskReport {
                bytes: 1 << 22,
                resumed: Some(40),
                resumed_states: Some(resumed_states),
            });
            let text = render(&report, Detail::Statistics);
            let row = |name: &str| {
                text.lines()
                    .find(|line| line.starts_with(name))
                    .map(str::to_string)
            };
            assert_eq!(row("  disk").as_deref(), Some("  disk           4.0 MiB"));
            row("  states").unwrap_or_default()
        };
        assert_eq!(
            states(279_733),
            "  states         579,733 (200,000 a second)"
        );
        assert_eq!(states(579_733), "  states         579,733");
    }

    #[test]
    fn states_under_symmetry_are_called_representatives() {
        let expected = "\
assert SPEC [T= SYSTEM: holds
  25,833 representative states under 24 symmetries, 128,720 transitions, 61 levels, 1.00 s
";
        assert_eq!(render(&reduced_report(), Detail::Normal), expected);
        let expected = "\
assert SPEC [T= SYSTEM: holds
  algorithm      SymCheck3 with genRep
  symmetry       order 24: S4, generated by (P1 P2) and (P1 P2 P3 P4)
  specification  2 states in normal form, moved by symmetries
  machine        2 leaves of 3 and 4 states and 5 rules
  states         25,833 representatives, one of each orbit (206,664 a second)
  transitions    128,720
  levels         61
  memory         1.0 MiB (40.6 bytes a state)
  time           load 0.50 s, compile 0.25 s, symmetry 0.12 s, explore 0.12 s, total 1.00 s
";
        assert_eq!(render(&reduced_report(), Detail::Statistics), expected);
        let mut universal = reduced_report();
        let symmetry = universal.symmetry.as_mut().expect("it has one");
        symmetry.universal = true;
        symmetry.order = "1307674368000".to_string();
        symmetry.structure = "S15".to_string();
        symmetry.generators = ["(1 2)", "(2 3)", "(3 4)", "(4 5)", "(5 6)", "(6 7)"]
            .map(str::to_string)
            .to_vec();
        let text = render(&universal, Detail::Statistics);
        assert!(text.contains("2 states in normal form, universally symmetric\n"));
        let cut =
            "order 1,307,674,368,000: S15, generated by (1 2), (2 3), (3 4), (4 5) and 2 more\n";
        assert!(text.contains(cut), "{text}");
    }

    #[test]
    fn it_is_said_if_the_search_for_symmetries_stopped() {
        let mut report = reduced_report();
        let symmetry = report.symmetry.as_mut().expect("it has one");
        symmetry.detection = symmetry.detection.take().map(|found| DetectionDescription {
            complete: false,
            ..found
        });
        let stopped =
            "the search for symmetries stopped at its budget: there may be more than were used\n";
        for detail in [Detail::Normal, Detail::Statistics] {
            let text = render(&report, detail);
            assert!(text.contains(stopped), "{text}");
        }
        // The same if none were found by then.
        report.representative = None;
        let text = render(&report, Detail::Normal);
        assert!(text.contains("  25,833 states, 128,720"), "{text}");
        assert!(text.contains(stopped), "{text}");
    }

    #[test]
    fn statistics_say_how_many_representatives_an_orbit_has() {
        let states = |unique, extra_states| {
            let mut report = reduced_report();
            let symmetry = report.symmetry.as_mut().expect("it has one");
            (symmetry.unique, symmetry.extra_states) = (unique, extra_states);
            representatives(25_833, symmetry)
        };
        assert_eq!(
            states(true, None),
            "25,833 representatives, one of each orbit"
        );
        assert_eq!(
            states(false, None),
            "25,833 representatives, perhaps several of an orbit"
        );
        assert_eq!(
            states(false, Some(1200)),
            "25,833 representatives, 1,200 more than orbits"
        );
        assert_eq!(states(false, Some(0)), states(true, None));
    }

    #[test]
    fn quiet_shows_one_line_and_only_for_what_does_not_hold() {
        let failing = failing_report();
        assert_eq!(
            render(&failing, Detail::Quiet),
            "assert SPEC [T= SYSTEM: fails\n"
        );
        let holding = AssertionReport {
            verdict: Verdict::Pass,
            ..failing
        };
        assert_eq!(render(&holding, Detail::Quiet), "");
    }

    #[test]
    fn negation_says_which_side_fails() {
        let report = AssertionReport {
            negated: true,
            verdict: Verdict::Pass,
            ..failing_report()
        };
        let text = render(&report, Detail::Normal);
        assert!(text.starts_with(
            "assert not SPEC [T= SYSTEM: holds\n  It holds because what stands after `not` fails:\n  After <enter.A>"
        ));
        let report = AssertionReport {
            counterexample: None,
            verdict: Verdict::Fail,
            ..report
        };
        assert!(
            render(&report, Detail::Normal).contains("fails\n  What stands after `not` holds.\n")
        );
    }

    #[test]
    fn no_verdict_names_the_code() {
        let report = AssertionReport {
            message: Some("timeout: out of time".to_string()),
            assertion: Some("P [T= Q".to_string()),
            ..AssertionReport::new("a.csp")
        };
        assert_eq!(
            render(&report, Detail::Normal),
            "assert P [T= Q: undecided (timeout)\n"
        );
    }

    #[test]
    fn many_leaves_are_summed_up() {
        assert_eq!(leaves(&[3]), "1 leaf of 3 states");
        assert_eq!(leaves(&[2; 9]), "9 leaves of 18 states in all");
    }
}
