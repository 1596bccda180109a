//! The rules of operators over processes that run, by the table of operators.
//!
//! An event is done by one operand alone, or by several together if the operator joins it. ✓ of a
//! parallel is done by all operands together, in one step: until all offer ✓, that of an operand
//! waits, and its other events stay possible.

use super::{Row, Step, Stepper, labelled, plain};
use crate::event::{EventId, TAU, TICK};
use crate::operator::{Operator, Remains};
use crate::priority::Priority;
use crate::term::{Operands, Term, TermId};
use base::diag::{Diagnostic, Result};

impl Stepper<'_> {
    /// The steps of `operator` over `operands`. The operands that have started have the transitions
    /// `rows`.
    pub(super) fn over(
        &mut self,
        operator: &Operator,
        operands: &[TermId],
        rows: &[Row],
    ) -> Result<Vec<Step>> {
        match operator {
            // By the rules of terms, any other compression steps as its operand does. Only the
            // leaves of machines are compressed.
            &Operator::Compress(compression) if !compression.keeps_meaning() => {
                self.choose(compression, operands[0])
            }
            Operator::Prioritise(priority) => {
                let possible = [unblocked(&rows[0], priority)];
                self.side_by_side(operator, operands, &possible)
            }
            // A τ may drop the first operand as long as the choice is unresolved.
            Operator::SlidingChoice => {
                let mut steps = self.side_by_side(operator, operands, rows)?;
                steps.push(plain(TAU, operands[1]));
                Ok(steps)
            }
            _ => self.side_by_side(operator, operands, rows),
        }
    }

    /// The steps that operands do alone, and those that they do together.
    fn side_by_side(
        &mut self,
        operator: &Operator,
        operands: &[TermId],
        rows: &[Row],
    ) -> Result<Vec<Step>> {
        let mut steps = Vec::new();
        let mut joined = Vec::new();
        for (i, row) in rows.iter().enumerate() {
            for &step in row.iter() {
                let tied = operator.tied(i, step.label);
                // Ties are handled once, at the left operand.
                for &tied in tied.iter().filter(|_| i == 0) {
                    for partner in labelled(&rows[1], tied) {
                        let changes = [(0, step.target), (1, partner.target)];
                        steps.push(Step {
                            label: TAU,
                            target: self.after(operator, operands, step.label, &changes),
                            ..step
                        });
                    }
                }
                let events = &self.definitions.terms().events;
                if !tied.is_empty() {
                    continue;
                }
                if operator.joins(events, step.label) {
                    if operator.leads(events, i, step.label) {
                        joined.push(step.label);
                    }
                    continue;
                }
                let labels = operator.above(events, step.label);
                let target = self.after(operator, operands, step.label, &[(i, step.target)]);
                steps.extend(labels.into_iter().map(|label| Step {
                    label,
                    target,
                    ..step
                }));
            }
        }
        joined.sort_unstable_by_key(|&event| (event == TICK, event));
        joined.dedup();
        for event in joined {
            let events = &self.definitions.terms().events;
            let together = operator.together(events, operands.len(), event);
            for joint in joint_steps(rows, &together, event)? {
                let changes: Vec<_> = together.iter().copied().zip(joint.targets).collect();
                let target = self.after(operator, operands, event, &changes);
                steps.push(Step {
                    label: event,
                    origin: joint.origin,
                    target,
                });
            }
        }
        Ok(steps)
    }

    /// The term after the operands in `changes` of `operator` over `operands` have done `event`,
    /// with the terms that they become.
    fn after(
        &mut self,
        operator: &Operator,
        operands: &[TermId],
        event: EventId,
        changes: &[(usize, TermId)],
    ) -> TermId {
        let (first, target) = changes[0];
        let terms = self.definitions.terms_mut();
        match operator.remains(&terms.events, first, event) {
            Remains::Operand => target,
            Remains::Waiting => operands[operands.len() - 1],
            Remains::Nothing => terms.omega(),
            Remains::Operator => {
                let mut operands = Operands::from_slice(operands);
                changes.iter().for_each(|&(i, after)| operands[i] = after);
                match operator {
                    // The constructor leaves out an operand that became `STOP`, so that more states
                    // are equal.
                    Operator::Choice(None) => terms.external_choice(operands.into_vec()),
                    _ => terms.intern(Term::Over(operator.clone(), operands)),
                }
            }
        }
    }
}

/// The steps in `row` for which no event with a higher priority is in `row`.
fn unblocked(row: &Row, priority: &Priority) -> Row {
    let mut is_possible = vec![false; priority.class_count()];
    for class in row.iter().filter_map(|step| priority.class(step.label)) {
        is_possible[class as usize] = true;
    }
    let is_blocked = |step: &&Step| {
        let above = priority
            .class(step.label)
            .map(|class| priority.above(class));
        let mut above = above.into_iter().flatten();
        above.any(|&class| is_possible[class as usize])
    };
    row.iter()
        .filter(|step| !is_blocked(step))
        .copied()
        .collect()
}

/// A way in which several operands do an event together.
struct Joint {
    /// The origin at the leftmost operand that takes part.
    origin: EventId,
    /// The terms that the participants become, in their order.
    targets: Vec<TermId>,
}

/// The most ways to do one event together that are listed. With two choices for each of thirty
/// operands there would be a thousand million.
const MOST_JOINT_STEPS: usize = 1 << 20;

/// All ways in which the operands numbered `participants` do `event` together.
fn joint_steps(rows: &[Row], participants: &[usize], event: EventId) -> Result<Vec<Joint>> {
    // An event in no alphabet has no participants, so it is done in no way.
    let mut partial: Vec<Joint> = Vec::new();
    for (nth, &participant) in participants.iter().enumerate() {
        let steps = labelled(&rows[participant], event);
        if partial.len().saturating_mul(steps.len()) > MOST_JOINT_STEPS {
            return too_many_steps().into();
        }
        partial = if nth == 0 {
            let alone = |s: &Step| Joint {
                origin: s.origin,
                targets: vec![s.target],
            };
            steps.iter().map(alone).collect()
        } else {
            let extended = |joint: &Joint| {
                let origin = joint.origin;
                let so_far = joint.targets.clone();
                steps.iter().map(move |s| {
                    let mut targets = so_far.clone();
                    targets.push(s.target);
                    Joint { origin, targets }
                })
            };
            partial.iter().flat_map(extended).collect()
        };
        if partial.is_empty() {
            break;
        }
    }
    Ok(partial)
}

/// The error for a term with more transitions than can be listed.
pub(super) fn too_many_steps() -> Diagnostic {
    Diagnostic::undecided("too-many-steps", "a single state has millions of transitions")
        .note("each operand of a parallel has several ways to do an event, and every combination is a transition")
        .hint("synchronise fewer nondeterministic processes, or give their events different names")
}
