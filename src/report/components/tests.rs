//! Tables and circles, as text.

use pretty_assertions::assert_eq;

use super::cells::{WIDTH, length};
use super::*;
use crate::allowed::AllowedKind;

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
        states: Vec::new(),
    }
}

/// States that a component becomes, each with the step after which it does.
fn states(states: &[(u64, Option<&str>)]) -> Vec<ComponentState> {
    let state = |&(step, state): &(u64, Option<&str>)| ComponentState {
        step,
        state: state.map(str::to_string),
    };
    states.iter().map(state).collect()
}

/// A specification that allows these events after these steps, and the last of them at the end.
fn specification(allowed: &[(u64, &[&str])]) -> SpecificationRow {
    let next = |events: &[&str]| AllowedNext {
        allows: AllowedKind::Events,
        after: None,
        events: strings(events),
        acceptances: Vec::new(),
    };
    let state = |&(step, events): &(u64, &[&str])| SpecificationState {
        step,
        allowed: next(events),
    };
    SpecificationRow {
        process: "SPEC".to_string(),
        model: "T".into(),
        states: allowed.iter().map(state).collect(),
        at_end: next(allowed.last().map_or(&[], |&(_, events)| events)),
    }
}

#[test]
fn short_runs_have_a_column_a_step() {
    let mut first = component("P", &[(1, "a"), (2, "in.1")], &["b", "τ"]);
    first.states = states(&[(0, Some("P")), (1, Some("in.1 -> P")), (2, Some("b -> P"))]);
    let mut inner = component("CELL(1)", &[(2, "in.1")], &[]);
    inner.within = strings(&["sbisim(CELLS)"]);
    inner.states = states(&[(0, Some("CELL(1)"))]);
    let mut ended = component("Q", &[(2, "✓")], &[]);
    (ended.end, ended.offers) = (ComponentEnd::Terminated, None);
    ended.states = states(&[(0, Some("Q")), (2, None)]);
    let rows = [first, inner, ended];
    let allowed = specification(&[(0, &["a"]), (2, &["b", "c"])]);
    let expected = "  Title (= as before):
    component  start    1          2               at the end
    P          P        a          in.1            b, τ
                        in.1 -> P  b -> P
    sbisim(CELLS):
      CELL(1)  CELL(1)  =          in.1            nothing
                                   =
    Q          Q        =          ✓               has terminated
                                   no longer runs
    the specification allows:
      SPEC     {a}      =          {b, c}          {b, c}
";
    assert_eq!(table("Title", &rows, Some(&allowed), 2), expected);
}

#[test]
fn events_keep_their_braces() {
    let sets = [
        component("P", &[], &["c.{}"]),
        component("Q", &[], &["c.{0}", "c.{1}"]),
    ];
    let text = table("Title", &sets, None, 0);
    let ends: Vec<Vec<&str>> = text
        .lines()
        .skip(2)
        .map(|line| line.splitn(2, "  ").map(str::trim).collect())
        .collect();
    let ends: Vec<&str> = ends.iter().map(|parts| parts[parts.len() - 1]).collect();
    assert!(
        ends[0].ends_with(" c.{}") && ends[1].ends_with(" c.{0}, c.{1}"),
        "{text}"
    );
}

#[test]
fn states_are_cut_where_columns_have_little_room() {
    let long = "choose.1 -> choose.2 -> choose.3 -> choose.4 -> LONG";
    let run: Vec<(u64, Option<&str>)> = (0..=4).map(|step| (step, Some(long))).collect();
    let mut row = component("P", &[(1, "a"), (4, "b")], &["b"]);
    row.states = states(&run);
    let text = table("Title", &[row], None, 4);
    assert!(text.lines().all(|line| length(line) <= WIDTH), "{text}");
    assert!(text.contains("choose.1 -...  choose.1 -..."), "{text}");
}

#[test]
fn long_runs_have_a_line_a_step() {
    let steps = |count| {
        (1..=count)
            .map(|step| (step, "channel.value"))
            .collect::<Vec<_>>()
    };
    let mut short = component("P", &steps(12), &["a"]);
    short.states = states(&[(0, Some("P")), (3, Some("Q"))]);
    let offers = ["channel.of.many.values.1", "channel.of.many.values.2"];
    let long = component("Q", &steps(30), &offers);
    let text = table("Title", &[short, long], None, 30);
    assert!(text.lines().all(|line| length(line) <= WIDTH), "{text}");
    let expected = "
    component  step   does           and is then
    P          start                 P
               1      channel.value  as before
               2      channel.value  as before
               3      channel.value  Q
";
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("... 18 steps that are not shown\n"), "{text}");
    let end = "end    channel.of.many.values.1, channel.of.many.values.2\n";
    assert!(text.contains(end), "{text}");
}

#[test]
fn of_many_components_those_that_did_nothing_are_counted() {
    let mut rows = vec![component("P", &[(1, "a")], &[])];
    rows.extend((0..30).map(|i| component(&format!("Q({i})"), &[], &["b"])));
    let text = table("Title", &rows, None, 1);
    assert!(text.ends_with("    30 more did nothing\n"), "{text}");
    assert!(!text.contains("Q(0)"), "{text}");
    let busy: Vec<ComponentReport> = (0..70)
        .map(|i| component(&format!("Q({i})"), &[(1, "b")], &[]))
        .collect();
    let text = table("Title", &busy, None, 1);
    assert!(text.ends_with("    and 20 more did something\n"), "{text}");
    // Components that wait, and those that they wait for, are shown before others.
    let mut waiting = busy;
    waiting[68].waits_for.push(ComponentWait {
        event: "a".to_string(),
        components: strings(&["Q(69)"]),
    });
    let text = table("Title", &waiting, None, 1);
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
