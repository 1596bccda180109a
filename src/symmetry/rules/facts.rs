//! The facts of a proof that rest on no goal; kept from one goal to the next.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::goal::{Application, Attempt, Goal, GoalPlace, RefusedGoal, Sigmas, Unproved};
use super::memory::{Alphabets, ExploredTerms, View};
use super::proof::Derivation;
use super::rule::rule_of;
use super::subject::ProofSubject;
use crate::proof_rule::ProofRule;
use crate::refusal::Why;
use crate::start::Start;
use machine::text;
use machine::tree::Around;
use process::semantics::Semantics;
use process::term::TermId;

/// The facts about terms and permutations, found without a look at goals that are being settled.
pub(crate) struct ProofFacts<'a> {
    pub(crate) subject: ProofSubject<'a>,
    pub(super) start: Start,
    /// True if refusals by transition systems name events: looking for the events takes most of the
    /// time. If false, they give no reason ([`Why::NotAsked`](crate::refusal::Why::NotAsked)).
    pub(crate) explains: bool,
    pub(super) semantics: Semantics,
    pub(super) sigmas: Sigmas,
    pub(super) graphs: ExploredTerms,
    pub(super) alphabets: Alphabets,
    /// The signatures computed so far.
    pub(super) signatures: FxHashMap<(TermId, Around, View), u64>,
}

/// The longest chain of calls. A longer one, none behind an event, is taken to go on for ever.
const NESTED_CALLS: usize = 100_000;

impl<'a> ProofFacts<'a> {
    /// No facts yet about `subject`.
    pub(super) fn new(subject: ProofSubject<'a>) -> Self {
        Self {
            start: Start::Fixed,
            explains: true,
            semantics: Semantics::within(subject.limits.states),
            sigmas: Sigmas::new(),
            graphs: ExploredTerms::default(),
            alphabets: Alphabets::default(),
            signatures: FxHashMap::default(),
            subject,
        }
    }

    /// The proof of `here` from these premises.
    pub(super) fn proof(
        &self,
        here: Application,
        partners: Vec<usize>,
        premises: Vec<Arc<Derivation>>,
    ) -> Arc<Derivation> {
        Arc::new(Derivation {
            rule: here.rule,
            left: here.goal.left,
            sigma: self.sigmas[here.goal.sigma].clone(),
            right: here.goal.right,
            partners,
            premises,
            states: None,
        })
    }

    /// `term` without its outermost calls, and the place inside them.
    pub(super) fn body(
        &mut self,
        term: TermId,
        at: GoalPlace,
        goal: Goal,
    ) -> Attempt<(TermId, GoalPlace)> {
        let here = goal.by(ProofRule::Unfold, at);
        let (mut term, mut inside) = (term, at);
        while let Some(call) = self.subject.call(term) {
            inside.calls += 1;
            if inside.calls > NESTED_CALLS {
                let message = format!("more than {NESTED_CALLS} named processes inside each other");
                return self.refuse(here, Why::Limit(message));
            }
            inside.span = self.subject.definitions.call_span(call).or(inside.span);
            term = match self.subject.definitions.body(call) {
                Ok(body) => body,
                // The body may never be reached. If it is, exploring it reports the error.
                Err(error) => return self.refuse(here, Why::Limit(error.message)),
            };
        }
        Ok((term, inside))
    }

    /// The refusal of two terms with different outermost operators.
    pub(super) fn different_operators(&mut self, goal: Goal, at: GoalPlace) -> Attempt {
        let (left, _) = self.body(goal.left, at, goal)?;
        let rule = rule_of(self.subject.definitions.terms().get(left));
        self.refuse(goal.by(rule, at), Why::Operators)
    }

    pub(super) fn refuse<T>(&self, here: Application, why: Why) -> Attempt<T> {
        let Goal { left, right, .. } = here.goal;
        let own = self.subject.call(left);
        let own = own.and_then(|call| self.subject.definitions.call_span(call));
        Err(Unproved::Refused(Arc::new(RefusedGoal {
            rule: here.rule,
            left,
            right,
            span: own.or(here.at.span),
            why,
        })))
    }

    pub(super) fn no_partner(&self, here: Application, operand: TermId) -> Attempt {
        let operand = text::expression(self.subject.definitions, operand);
        self.refuse(here, Why::NoPartner(operand))
    }
}
