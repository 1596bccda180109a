//! Texts about a walk.

use super::*;

fn part(component: &str, event: &str) -> PartReport {
    PartReport {
        component: component.to_string(),
        event: event.to_string(),
        becomes: None,
    }
}

fn party(component: &str, ability: PartyAbility) -> PartyReport {
    PartyReport {
        component: component.to_string(),
        event: "b".to_string(),
        ability,
        now: None,
        offers: vec!["c".to_string()],
    }
}

#[test]
fn choices_that_look_alike_have_numbers() {
    let names: Vec<String> = (0..3).map(|n| step_name("τ (a.1)", n)).collect();
    assert_eq!(names, ["τ (a.1)", "τ (a.1) #2", "τ (a.1) #3"]);
}

#[test]
fn an_event_that_cannot_happen_is_explained_by_those_who_do_not_offer_it() {
    let report = WhyReport {
        event: "a".to_string(),
        verdict: WhyVerdict::Blocked,
        hidden: true,
        shut_in: Vec::new(),
        ways: vec![WayReport {
            ready: false,
            parties: vec![
                party("P", PartyAbility::Offered),
                party("Q", PartyAbility::Later),
                party("R", PartyAbility::Never),
            ],
        }],
        more: true,
    };
    assert_eq!(
        report.text(),
        "\
a cannot happen now.
  it is hidden: who looks from outside sees τ
  P offers it as b
  Q does not offer it as b: it offers c
  R can never do it as b: it offers c
  and more ways
"
    );
}

#[test]
fn the_trace_of_a_walk_is_an_assertion() {
    let step = WalkStep {
        name: "a".to_string(),
        event: "a".to_string(),
        parts: vec![part("P", "a")],
        operators: Vec::new(),
        chased: Vec::new(),
    };
    let report = WalkReport {
        file: "p.csp".to_string(),
        process: "P ||| Q".to_string(),
        assertion: None,
        instance: None,
        from: 0,
        steps: vec![step],
        chased: Vec::new(),
        operators: Vec::new(),
        trace: vec!["a".to_string(), "✓".to_string()],
        components: Vec::new(),
        choices: Vec::new(),
        stable: true,
        acceptances: None,
        diverges: None,
        waiting_circle: None,
        specification: None,
        counterexample: None,
        representatives: None,
    };
    assert_eq!(
        report.trace_assertion(),
        "assert P ||| Q :[has trace [T]]: <a>"
    );
    assert_eq!(report.text(), "step 1: a  [P]\nit has terminated\n");
}
