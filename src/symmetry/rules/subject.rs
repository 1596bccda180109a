//! The subject of goals: terms, how they are taken apart, and refusals of goals about them.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::goal::{Attempt, GoalPlace, RefusedGoal};
use super::memory::ExploredTerm;
use crate::refusal::Refusal;
use base::diag;
use base::threads::Threads;
use lts::bisimulation::minimise;
use lts::explore::{LeafLimits, list};
use machine::leaf::ProcessGraph;
use machine::skeleton::{MachinePart, Skeleton};
use machine::text;
use process::event::{EventId, EventSetId};
use process::operator::Operator;
use process::semantics::head;
use process::term::{CallId, Definitions, Term, TermId};

/// The terms that goals are about.
pub(crate) struct ProofSubject<'a> {
    pub(super) definitions: &'a mut dyn Definitions,
    pub(super) limits: LeafLimits,
    pub(super) minimise: bool,
    pub(super) mode: Mode,
    /// The known facts about the calls of the processes. Finding them takes as long as everything
    /// else together, so they can be handed to another prover.
    pub(crate) skeleton: Skeleton,
    /// By term, true if there is a parallel anywhere in it or in a process that it calls.
    pub(super) reaches_parallel: FxHashMap<TermId, bool>,
}

/// The subject of the goals, which decides how processes are taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// Any two terms, which may be bisimilar.
    Terms,
    /// The operator tree of a machine: a leaf of the machine is a leaf of the proof.
    Machine,
}

impl<'a> ProofSubject<'a> {
    /// Any two terms.
    pub(super) fn of_terms(definitions: &'a mut dyn Definitions, limits: LeafLimits) -> Self {
        Self {
            definitions,
            limits,
            minimise: true,
            mode: Mode::Terms,
            skeleton: Skeleton::new(&limits),
            reaches_parallel: FxHashMap::default(),
        }
    }

    /// Adds the facts about the calls of `term`.
    pub(super) fn add(&mut self, term: TermId) -> diag::Result<()> {
        self.skeleton.add(self.definitions, term)
    }

    pub(super) fn term(&self, term: TermId) -> Term {
        self.definitions.terms().get(term).clone()
    }

    /// The operands of `term`, or the body if it is a call and has no error.
    pub(super) fn parts(&mut self, term: TermId) -> Vec<TermId> {
        match self.call(term) {
            Some(call) => self.definitions.body(call).into_iter().collect(),
            None => self.definitions.terms().get(term).operands(),
        }
    }

    /// The place of the operands of `term`, which is no call and has the place `at`.
    pub(super) fn inside(&self, at: GoalPlace, term: &Term) -> GoalPlace {
        let around = match self.mode {
            Mode::Machine => at.around.of_operands(term),
            Mode::Terms => at.around,
        };
        GoalPlace { around, ..at }
    }

    pub(super) fn call(&self, term: TermId) -> Option<CallId> {
        match self.definitions.terms().get(term) {
            &Term::Call(call) => Some(call),
            _ => None,
        }
    }

    /// True if there is a parallel above all recursion of `term`. Between any two terms the rules
    /// look for parallels inside compressions too; in a machine, compressions are leaves.
    pub(super) fn has_parallel(&mut self, term: TermId) -> Attempt<bool> {
        let part = self.skeleton.part(self.definitions, term)?;
        Ok(part == MachinePart::Inner
            || part == MachinePart::Compressed && self.mode == Mode::Terms)
    }

    /// The operands of `parallel` over `set`, and of those operands that are such parallels too.
    pub(super) fn side_by_side(&mut self, parallel: TermId, set: EventSetId) -> Vec<TermId> {
        let mut operands = Vec::new();
        let mut open = vec![parallel];
        while let Some(term) = open.pop() {
            match self.unfolded_unless_recursive(term) {
                Some(Term::Over(Operator::Parallel(same), inner)) if same == set => {
                    open.extend(inner.iter().rev());
                }
                _ => operands.push(term),
            }
        }
        operands
    }

    /// `term` without its outermost calls; `None` if one of these is recursive or wrong.
    fn unfolded_unless_recursive(&mut self, mut term: TermId) -> Option<Term> {
        while let Some(call) = self.call(term) {
            // Unfolding a recursive call might never come to an end.
            if self.skeleton.is_recursive(call) {
                return None;
            }
            term = self.definitions.body(call).ok()?;
        }
        Some(self.term(term))
    }

    pub(super) fn is_recursive(&self, term: TermId) -> bool {
        self.call(term)
            .is_some_and(|call| self.skeleton.is_recursive(call))
    }

    /// True if there is a parallel anywhere in `term` or in a process that it calls.
    pub(super) fn reaches_parallel(&mut self, start: TermId) -> bool {
        if let Some(&known) = self.reaches_parallel.get(&start) {
            return known;
        }
        let mut seen = FxHashSet::from_iter([start]);
        let mut open = vec![start];
        let mut found = false;
        // A process that calls ever new processes has no finite transition system. It is proved by
        // the rules, as parallels are.
        let mut grows = false;
        while let Some(term) = open.pop() {
            grows = seen.len() > self.limits.states;
            found = match self.definitions.terms().get(term) {
                Term::Over(operator, _) if operator.is_parallel() => true,
                _ => self.reaches_parallel.get(&term) == Some(&true),
            };
            if found || grows {
                break;
            }
            let operands = self.parts(term);
            open.extend(operands.into_iter().filter(|&operand| seen.insert(operand)));
        }
        let known = &mut self.reaches_parallel;
        // A parallel below `start` need not be below the other terms seen.
        if found && !grows {
            known.insert(start, true);
        } else {
            known.extend(seen.into_iter().map(|term| (term, grows)));
        }
        found || grows
    }

    /// All events that exist by now. This is not remembered as an alphabet, because later events
    /// may be missing.
    pub(super) fn all_events(&self) -> Arc<[EventId]> {
        let all = 0..self.definitions.terms().events.len() as u32;
        let all = all.map(EventId).filter(|event| event.is_visible());
        all.collect()
    }

    /// The transition system of `term`, minimised like the leaves of a machine.
    pub(super) fn graph(&mut self, term: TermId) -> ExploredTerm {
        let token = &self.definitions.cancellation().clone();
        let mut lts = list(
            self.definitions,
            term,
            &self.limits,
            &Threads::one(),
            &mut None,
        )?;
        let states = lts.state_count();
        if self.minimise {
            lts = minimise(&lts, token)?.lts;
        }
        Ok(Arc::new(ProcessGraph::new(term, lts, states, token)?))
    }

    /// The refusal that says why this goal was refused.
    pub(super) fn refusal(&mut self, failure: &RefusedGoal) -> Refusal {
        let mut terms = [failure.left, failure.right];
        let mut texts = terms.map(|term| text::expression(self.definitions, term));
        // Parts of one definition for different values have the same name: then the terms
        // themselves are shown.
        if texts[0] == texts[1] && terms[0] != terms[1] {
            for term in &mut terms {
                *term = head(self.definitions, *term).unwrap_or(*term);
            }
            texts = terms.map(|term| text::expression(self.definitions, term));
        }
        let [left, right] = texts;
        Refusal {
            rule: failure.rule,
            left,
            right,
            span: failure.span,
            why: failure.why.clone(),
        }
    }
}
