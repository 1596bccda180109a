//! Rules of the parallel operators: generalised, alphabetised and linked.
//!
//! ✓ is done by all operands together, in one step. An operand's ✓ waits until all offer it; the
//! operand's other events stay possible until then.

use super::{Row, Step, Stepper, labelled};
use crate::event::{EventId, EventSetId, TAU, TICK};
use crate::term::{Term, TermId};
use base::diag::{Diagnostic, Result};

/// One way in which several operands do an event together.
pub(super) struct Joint {
    /// The origin at the leftmost operand that takes part.
    pub(super) origin: EventId,
    /// The terms after the event of the operands that take part, in their order.
    pub(super) targets: Vec<TermId>,
}

/// The largest number of ways to do one event together: with two choices for each of thirty
/// operands there would be a thousand million.
const MOST_JOINT_STEPS: usize = 1 << 20;

/// All ways in which the operands numbered `participants` do `event` together.
pub(super) fn joint_steps(
    rows: &[Row],
    participants: &[usize],
    event: EventId,
) -> Result<Vec<Joint>> {
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

/// The message about a term with more transitions than can be listed.
pub(super) fn too_many_steps() -> Diagnostic {
    Diagnostic::undecided("too-many-steps", "a single state has millions of transitions")
        .note("each operand of a parallel has several ways to do an event, and every combination is a transition")
        .hint("synchronise fewer nondeterministic processes, or give their events different names")
}

impl Stepper<'_> {
    /// The steps of `[| A |]`: all do events of `set` and ✓ together; one alone does any other.
    pub(super) fn parallel(
        &mut self,
        set: EventSetId,
        operands: &[TermId],
        rows: &[Row],
    ) -> Result<Vec<Step>> {
        let mut steps = Vec::new();
        for (i, row) in rows.iter().enumerate() {
            for &step in row.iter() {
                if step.label != TICK && !self.contains(set, step.label) {
                    let mut changed = operands.to_vec();
                    changed[i] = step.target;
                    let target = self.intern(Term::Parallel(set, changed.into()));
                    steps.push(Step { target, ..step });
                }
            }
        }
        let everyone: Vec<usize> = (0..operands.len()).collect();
        // All take part, so only events of the first operand can happen; the set may be far larger.
        for event in self.shared_labels(&rows[0], set) {
            for joint in joint_steps(rows, &everyone, event)? {
                let target = self.intern(Term::Parallel(set, joint.targets.into()));
                steps.push(Step {
                    label: event,
                    origin: joint.origin,
                    target,
                });
            }
        }
        steps.extend(self.joint_termination(rows)?);
        Ok(steps)
    }

    /// The steps of `||`: an event is done by all operands whose alphabet has it. An operand does
    /// nothing outside its alphabet.
    pub(super) fn alphabetised(
        &mut self,
        operands: &[(EventSetId, TermId)],
        rows: &[Row],
    ) -> Result<Vec<Step>> {
        let mut steps = Vec::new();
        for (i, row) in rows.iter().enumerate() {
            for &step in labelled(row, TAU) {
                let mut changed = operands.to_vec();
                changed[i].1 = step.target;
                let target = self.intern(Term::Alphabetised(changed.into()));
                steps.push(Step { target, ..step });
            }
        }
        for event in visible_labels(rows) {
            let participants: Vec<usize> = (0..operands.len())
                .filter(|&i| self.contains(operands[i].0, event))
                .collect();
            for joint in joint_steps(rows, &participants, event)? {
                let mut changed = operands.to_vec();
                for (&i, &target) in participants.iter().zip(&joint.targets) {
                    changed[i].1 = target;
                }
                let target = self.intern(Term::Alphabetised(changed.into()));
                steps.push(Step {
                    label: event,
                    origin: joint.origin,
                    target,
                });
            }
        }
        steps.extend(self.joint_termination(rows)?);
        Ok(steps)
    }

    /// The steps of a linked parallel: tied events happen together, hidden; others alone.
    pub(super) fn linked(
        &mut self,
        left: TermId,
        ties: &[(EventId, EventId)],
        right: TermId,
        rows: &[Row],
    ) -> Result<Vec<Step>> {
        let ties_of = |event: EventId| {
            let start = ties.partition_point(|&(from, _)| from < event);
            ties[start..]
                .iter()
                .take_while(move |&&(from, _)| from == event)
        };
        let link = |p: TermId, q: TermId| Term::Linked(p, ties.into(), q);
        let mut steps = Vec::new();
        for &step in rows[0].iter().filter(|step| step.label != TICK) {
            // τ is in no tie, so each side does it alone.
            for &(_, tied) in ties_of(step.label) {
                for partner in labelled(&rows[1], tied) {
                    let target = self.intern(link(step.target, partner.target));
                    steps.push(Step {
                        label: TAU,
                        origin: step.origin,
                        target,
                    });
                }
            }
            if ties_of(step.label).next().is_none() {
                let target = self.intern(link(step.target, right));
                steps.push(Step { target, ..step });
            }
        }
        for &step in rows[1].iter().filter(|step| step.label != TICK) {
            if !ties.iter().any(|&(_, to)| to == step.label) {
                let target = self.intern(link(left, step.target));
                steps.push(Step { target, ..step });
            }
        }
        steps.extend(self.joint_termination(rows)?);
        Ok(steps)
    }

    fn joint_termination(&mut self, rows: &[Row]) -> Result<Option<Step>> {
        let everyone: Vec<usize> = (0..rows.len()).collect();
        // Every ✓ has the origin ✓ and leads to Ω, so each row has at most one, and all rows
        // together have at most one.
        let first = joint_steps(rows, &everyone, TICK)?.into_iter().next();
        Ok(first.map(|joint| self.terminate(joint.origin)))
    }

    /// The labels of `row` that are in `set`.
    pub(super) fn shared_labels(&self, row: &Row, set: EventSetId) -> Vec<EventId> {
        let mut labels: Vec<EventId> = row.iter().map(|step| step.label).collect();
        labels.dedup();
        labels.retain(|&label| self.contains(set, label));
        labels
    }
}

fn visible_labels(rows: &[Row]) -> Vec<EventId> {
    let labels = rows
        .iter()
        .flat_map(|row| row.iter().map(|step| step.label));
    let mut labels: Vec<EventId> = labels.filter(|label| label.is_visible()).collect();
    labels.sort_unstable();
    labels.dedup();
    labels
}
