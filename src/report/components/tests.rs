//! Tables and circles, as text.

use pretty_assertions::assert_eq;

use super::cells::length;
use super::table::WIDTH;
use super::*;

fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| word.to_string()).collect()
}

fn component(name: &str, steps: &[(u64, &str)], offers: &[&str]) -> ComponentReport {
    let step = |&(step, event): &(u64, &str)| ComponentStep {
        step,
        event: event.to_string(),
    };
    ComponentReport {
        name: name.to_string(),
        within: Vec::new(),
        steps: steps.iter().map(step).collect(),
        end: ComponentEnd::Runs,
        offers: Some(strings(offers)),
        waits_for: Vec::new(),
    }
}

#[test]
fn short_runs_have_a_column_a_step() {
    let mut inner = component("CELL(1)", &[(2, "in.1")], &[]);
    inner.within = strings(&["sbisim(CELLS)"]);
    let mut ended = component("Q", &[(2, "✓")], &[]);
    (ended.end, ended.offers) = (ComponentEnd::Terminated, None);
    let rows = [
        component("P", &[(1, "a"), (2, "in.1")], &["b", "τ"]),
        inner,
        ended,
    ];
    let expected = "  Title:\n\
                    \x20   component  1  2     at the end\n\
                    \x20   P          a  in.1  b, τ\n\
                    \x20   sbisim(CELLS):\n\
                    \x20     CELL(1)     in.1  nothing\n\
                    \x20   Q             ✓     has terminated\n";
    assert_eq!(table("Title", &rows, 2), expected);
}

#[test]
fn events_keep_their_braces() {
    let sets = [
        component("P", &[], &["c.{}"]),
        component("Q", &[], &["c.{0}", "c.{1}"]),
    ];
    let text = table("Title", &sets, 0);
    let ends: Vec<&str> = text.lines().skip(2).map(str::trim).collect();
    assert_eq!(ends, ["P          c.{}", "Q          c.{0}, c.{1}"]);
}

#[test]
fn long_runs_have_one_column_for_all_steps() {
    let events: Vec<(u64, &str)> = (1..=12).map(|step| (step, "channel.value")).collect();
    let rows = [
        component("P", &events, &["a"]),
        component(
            "Q",
            &[],
            &["channel.of.many.values.1", "channel.of.many.values.2"],
        ),
    ];
    let text = table("Title", &rows, 12);
    assert!(text.lines().all(|line| length(line) <= WIDTH), "{text}");
    let at_end = |line: &str| line.ends_with("  channel.of.many.values.1,");
    assert!(text.lines().any(at_end), "{text}");
    assert!(
        text.contains("    P          1 channel.value, 2 channel.value,"),
        "{text}"
    );
}

#[test]
fn of_many_components_those_that_did_nothing_are_counted() {
    let mut rows = vec![component("P", &[(1, "a")], &[])];
    rows.extend((0..30).map(|i| component(&format!("Q({i})"), &[], &["b"])));
    let text = table("Title", &rows, 1);
    assert!(text.ends_with("    30 more did nothing\n"), "{text}");
    assert!(!text.contains("Q(0)"), "{text}");
    let busy: Vec<ComponentReport> = (0..70)
        .map(|i| component(&format!("Q({i})"), &[(1, "b")], &[]))
        .collect();
    let text = table("Title", &busy, 1);
    assert!(text.ends_with("    and 20 more did something\n"), "{text}");
    // Who waits, and for whom, is shown before them.
    let mut waiting = busy;
    waiting[68].waits_for.push(ComponentWait {
        event: "a".to_string(),
        components: strings(&["Q(69)"]),
    });
    let text = table("Title", &waiting, 1);
    assert!(text.contains("Q(68)") && text.contains("Q(69)"), "{text}");
    assert!(text.contains("Q(47)") && !text.contains("Q(48)"), "{text}");
}

#[test]
fn a_circle_is_told_in_order() {
    let member = |component: &str, event: &str| CycleMember {
        component: component.to_string(),
        event: event.to_string(),
    };
    let cycle = [member("P", "a"), member("Q", "b")];
    let expected = "  They wait for each other in a circle:\n\
                    \x20   P cannot do a without Q\n    Q cannot do b without P\n";
    assert_eq!(waits(&[], &cycle), expected);
    let mut alone = component("P", &[], &["✓"]);
    alone.waits_for.push(ComponentWait {
        event: "✓".to_string(),
        components: strings(&["Q", "R"]),
    });
    let expected = "  Who waits for whom:\n    P cannot terminate before Q, R\n";
    assert_eq!(waits(&[alone], &[]), expected);
    assert_eq!(waits(&[], &[]), "");
}
