//! Rules of the operators that hand over from one process to another: `;`, interrupts, `[>`, exception.

use super::goal::{Attempt, Goal, Place};
use super::prover::Prover;
use super::rule::{Rule, rule_of};
use super::sets::Applied;
use crate::process::event::EventSetId;
use crate::process::term::{Term, TermId};
use crate::symmetry::refusal::Why;

/// The role of the sets below.
const SYNCHRONISED: &str = "synchronisation set";

impl Prover<'_> {
    /// Rule 6 and its like: first operands with first ones, second with second ones, sets with sets. Two
    /// terms that have nothing in common are refused here too.
    pub(super) fn handing_over(
        &mut self,
        goal: Goal,
        at: Place,
        left: &Term,
        right: &Term,
    ) -> Attempt {
        let rule = rule_of(left);
        let then = at.waiting();
        match (left, right) {
            (&Term::Sequential(p, q), &Term::Sequential(p2, q2))
            | (&Term::SlidingChoice(p, q), &Term::SlidingChoice(p2, q2)) => {
                self.in_order(rule, goal, [(p, p2, at), (q, q2, then)])
            }
            (&Term::Interrupt(p, q), &Term::Interrupt(p2, q2)) => {
                self.in_order(rule, goal, [(p, p2, at), (q, q2, at)])
            }
            (&Term::Exception(p, set, q), &Term::Exception(p2, set2, q2)) => {
                let role = "exception set";
                self.applied(rule, role, goal, at, (set, &[p]), (set2, &[p2]))?;
                self.in_order(rule, goal, [(p, p2, at), (q, q2, then)])
            }
            (
                &Term::SynchronisingInterrupt(p, set, q),
                &Term::SynchronisingInterrupt(p2, set2, q2),
            ) => {
                self.applied(
                    rule,
                    SYNCHRONISED,
                    goal,
                    at,
                    (set, &[p, q]),
                    (set2, &[p2, q2]),
                )?;
                self.in_order(rule, goal, [(p, p2, at), (q, q2, at)])
            }
            _ => self.refuse(rule, goal, at, Why::Operators),
        }
    }

    fn applied(
        &mut self,
        rule: Rule,
        role: &'static str,
        goal: Goal,
        at: Place,
        (set, operands): (EventSetId, &[TermId]),
        (other, others): (EventSetId, &[TermId]),
    ) -> Attempt<()> {
        let left = Applied { set, operands };
        let right = Applied {
            set: other,
            operands: others,
        };
        self.sets_agree((rule, role), goal, at, left, right)
    }
}
