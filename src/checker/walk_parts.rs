//! The steps of a walk as plain data: who takes part, down to the components.

use explore::walk::{ProcessWalk, TakenStep};
use process::event::EventTable;
use report::walk::{ChasedReport, OperatorPart, OperatorView, PartReport, WalkStep};
use witness::components::derive::{ChasedStep, OperatorStep};

use super::counterexample::named;
use super::walker::name_of;

/// The steps of `walk` but for the first `from`. Its components have these `names`.
pub(super) fn step_reports(
    walk: &ProcessWalk,
    from: usize,
    names: &[String],
    events: &EventTable,
) -> Vec<WalkStep> {
    // What was chased at the start comes before the first step.
    let steps = walk.taken().zip(walk.chased().skip(1)).skip(from);
    let steps = steps.map(|(taken, chased)| WalkStep {
        name: name_of(taken, events),
        event: named(&taken.step, events).text(),
        parts: part_reports(taken, names, events, false),
        operators: operator_parts(&taken.operators, events),
        chased: chased_reports(chased, names, events),
    });
    steps.collect()
}

/// The steps that each `chase` of `walk` has followed at the start.
pub(super) fn start_chased(
    walk: &ProcessWalk,
    names: &[String],
    events: &EventTable,
) -> Vec<ChasedReport> {
    let chased = walk.chased().next().unwrap_or_default();
    chased_reports(chased, names, events)
}

/// The operators of `walk`.
pub(super) fn operator_views(walk: &ProcessWalk) -> Vec<OperatorView> {
    let operators = walk.operators().iter();
    let views = operators.map(|operator| OperatorView {
        text: operator.text.clone(),
        symbol: operator.symbol.clone(),
        around: operator.around,
    });
    views.collect()
}

/// The components that take part in a step, and what each `becomes` if that is wanted.
pub(super) fn part_reports(
    taken: &TakenStep,
    names: &[String],
    events: &EventTable,
    becomes: bool,
) -> Vec<PartReport> {
    let parts = taken.parts.iter().map(|part| PartReport {
        // A component that starts by this step has no number yet.
        component: names.get(part.component).unwrap_or(&part.name).clone(),
        event: named(&part.step, events).text(),
        becomes: part.becomes.clone().filter(|_| becomes),
    });
    parts.collect()
}

fn operator_parts(steps: &[OperatorStep], events: &EventTable) -> Vec<OperatorPart> {
    let parts = steps.iter().map(|part| OperatorPart {
        operator: part.operator,
        event: named(&part.step, events).text(),
    });
    parts.collect()
}

fn chased_reports(
    chased: &[ChasedStep],
    names: &[String],
    events: &EventTable,
) -> Vec<ChasedReport> {
    let reports = chased.iter().map(|chased| ChasedReport {
        event: named(&chased.step, events).text(),
        parts: chased
            .parts
            .iter()
            .map(|part| PartReport {
                component: names[part.component].clone(),
                event: named(&part.step, events).text(),
                becomes: None,
            })
            .collect(),
        operators: operator_parts(&chased.operators, events),
    });
    reports.collect()
}
