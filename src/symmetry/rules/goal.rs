//! Goals, and the recursion over them: which rule is asked, and what is remembered.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Mode, Proof, Prover, Rule, SigmaId};
use crate::base::stack::deep;
use crate::diag::Diagnostic;
use crate::machine::graphs::Around;
use crate::machine::skeleton::Part;
use crate::process::term::{CallId, Term, TermId};
use crate::source::Span;
use crate::symmetry::refusal::Why;

/// Is `leftσ = right`?
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Goal {
    pub(super) left: TermId,
    pub(super) sigma: SigmaId,
    pub(super) right: TermId,
}

/// Where in the proof a goal stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    /// Whether an operand that starts later was entered since the goal that is being settled.
    pub(super) guarded: bool,
    /// Whether the goals are about parts of a process that will be compared as a whole if they are refused.
    pub(super) in_leaf: bool,
    /// How many calls were unfolded on the way.
    pub(super) calls: usize,
    /// Where the innermost named process around P stands.
    pub(super) span: Option<Span>,
    /// Of goals about parts of a machine: what stands above them there.
    pub(super) around: Around,
}

impl Place {
    /// The place of an operand that starts later.
    pub(super) fn waiting(self) -> Self {
        let guarded = true;
        Self { guarded, ..self }
    }
}

/// A refusal before it is written out.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    pub(super) rule: Rule,
    pub(super) left: TermId,
    pub(super) right: TermId,
    pub(super) span: Option<Span>,
    pub(super) why: Why,
}

/// Why a goal has no proof.
#[derive(Clone, Debug)]
pub(super) enum Stop {
    /// It does not hold, or no rule shows it.
    Refused(Arc<Failure>),
    /// A process is wrong.
    Broken(Box<Diagnostic>),
}

impl From<Box<Diagnostic>> for Stop {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        Stop::Broken(diagnostic)
    }
}

impl Stop {
    /// A refusal of the goal `bodies` becomes one of the goal `names`, which reads better.
    fn named(self, bodies: Goal, names: Goal) -> Self {
        match self {
            Stop::Refused(failure)
                if (failure.left, failure.right) == (bodies.left, bodies.right) =>
            {
                let Goal { left, right, .. } = names;
                let failure = Arc::unwrap_or_clone(failure);
                Stop::Refused(Arc::new(Failure {
                    left,
                    right,
                    ..failure
                }))
            }
            other => other,
        }
    }
}

/// A proof, or what stops it.
pub(super) type Attempt<T = Arc<Proof>> = std::result::Result<T, Stop>;

/// What is known of goals, as long as one is being settled.
#[derive(Debug, Default)]
pub(super) struct Memo {
    /// By goal, what stands above it, and whether it was met behind a guard: then the proof may assume the goal that is being settled.
    proofs: FxHashMap<(Goal, Around, bool), Arc<Proof>>,
    /// By goal, what stands above it, and whether it stands in a leaf, where not everything is tried.
    failures: FxHashMap<(Goal, Around, bool), Arc<Failure>>,
}

impl Memo {
    fn get(&self, goal: Goal, at: Place) -> Option<Attempt> {
        let key = |flag: bool| (goal, at.around, flag);
        let proof = self.proofs.get(&key(false));
        let proof = proof.or_else(|| self.proofs.get(&key(true)).filter(|_| at.guarded));
        if let Some(proof) = proof {
            return Some(Ok(proof.clone()));
        }
        let failure = self.failures.get(&key(false));
        let failure = failure.or_else(|| self.failures.get(&key(true)).filter(|_| at.in_leaf));
        failure.map(|failure| Err(Stop::Refused(failure.clone())))
    }

    fn remember(&mut self, goal: Goal, at: Place, result: &Attempt) {
        let key = |flag: bool| (goal, at.around, flag);
        match result {
            Ok(proof) => drop(self.proofs.insert(key(at.guarded), proof.clone())),
            Err(Stop::Refused(failure)) => {
                self.failures.insert(key(at.in_leaf), failure.clone());
            }
            Err(Stop::Broken(_)) => {}
        }
    }

    /// How many goals were settled.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.proofs.len() + self.failures.len()
    }

    /// Proofs rest on what is assumed; refusals do not, because everything was assumed that could help.
    pub(super) fn forget_proofs(&mut self) {
        self.proofs.clear();
    }
}

/// A chain of calls longer than this, none behind an event, is taken to go on for ever.
const NESTED_CALLS: usize = 100_000;

impl Prover<'_> {
    /// Proves `goal`, or finds the innermost place where that fails.
    pub(super) fn goal(&mut self, goal: Goal, at: Place) -> Attempt {
        if let Some(known) = self.memo.get(goal, at) {
            return known;
        }
        let result = deep(|| self.fresh_goal(goal, at));
        self.memo.remember(goal, at, &result);
        result
    }

    fn fresh_goal(&mut self, goal: Goal, at: Place) -> Attempt {
        self.definitions.proceed().map_err(Stop::Broken)?;
        let left = self.has_parallel(goal.left)?;
        let right = self.has_parallel(goal.right)?;
        match (self.mode, left, right) {
            (Mode::Machine, false, false) => self.operational(goal, at),
            (Mode::Machine, _, _) if left != right => self.different_operators(goal, at),
            (Mode::Terms, false, false) if !at.in_leaf => self.leaf(goal, at),
            _ => self.by_rules(goal, at),
        }
    }

    /// Proves `goal` by unfolding calls and the rule of the operator.
    pub(super) fn by_rules(&mut self, goal: Goal, at: Place) -> Attempt {
        if self.call(goal.left).is_none() && self.call(goal.right).is_none() {
            return self.operator(goal, at);
        }
        if self.mode == Mode::Terms {
            return self.named(goal, at);
        }
        self.unfold(goal, at)
    }

    /// Proves `goal` from the bodies of its calls.
    pub(super) fn unfold(&mut self, goal: Goal, at: Place) -> Attempt {
        let (right, _) = self.body(goal.right, at, goal)?;
        let (left, inside) = self.body(goal.left, at, goal)?;
        let bodies = Goal {
            left,
            right,
            ..goal
        };
        let premise = self.operator(bodies, inside);
        let premise = premise.map_err(|stop| stop.named(bodies, goal))?;
        Ok(self.proof(Rule::Unfold, goal, vec![0], vec![premise]))
    }

    /// `term` without its outermost calls, and the place inside them.
    fn body(&mut self, term: TermId, at: Place, goal: Goal) -> Attempt<(TermId, Place)> {
        let (mut term, mut inside) = (term, at);
        while let Some(call) = self.call(term) {
            inside.calls += 1;
            if inside.calls > NESTED_CALLS {
                let message = format!("more than {NESTED_CALLS} named processes inside each other");
                return self.refuse(Rule::Unfold, goal, at, Why::Limit(message));
            }
            inside.span = self.definitions.call_span(call).or(inside.span);
            term = match self.definitions.body(call) {
                Ok(body) => body,
                // Perhaps it is never reached. If it is, exploring it says so.
                Err(error) => {
                    return self.refuse(Rule::Unfold, goal, at, Why::Limit(error.message));
                }
            };
        }
        Ok((term, inside))
    }

    /// The rule of the outermost operator, which is no call on either side.
    fn operator(&mut self, goal: Goal, at: Place) -> Attempt {
        let (left, right) = (self.term(goal.left), self.term(goal.right));
        let at = self.inside(at, &left);
        match (left, right) {
            (Term::Stop, Term::Stop)
            | (Term::Skip, Term::Skip)
            | (Term::Omega, Term::Omega)
            | (Term::Div, Term::Div) => Ok(self.proof(Rule::Constant, goal, vec![], vec![])),
            (Term::Run(a), Term::Run(b)) | (Term::Chaos(a), Term::Chaos(b)) => {
                self.universal(goal, at, a, b)
            }
            (Term::Buffer(shape, held), Term::Buffer(other, others)) => {
                self.buffer(goal, at, (&shape, &held), (&other, &others))
            }
            (Term::Prefix(left), Term::Prefix(right)) => self.prefix(goal, at, &left, &right),
            (Term::ExternalChoice(left), Term::ExternalChoice(right)) => {
                self.external_choice(goal, at, &left, &right)
            }
            (Term::InternalChoice(left), Term::InternalChoice(right)) => {
                self.internal_choice(goal, at, &left, &right)
            }
            (Term::SynchronisingChoice(a, left), Term::SynchronisingChoice(b, right)) => {
                self.synchronising_choice(goal, at, (a, &left), (b, &right))
            }
            (Term::Parallel(a, _), Term::Parallel(b, _)) => self.parallel(goal, at, a, b),
            (Term::Alphabetised(left), Term::Alphabetised(right)) => {
                self.alphabetised(goal, at, &left, &right)
            }
            (Term::Linked(p, ties, q), Term::Linked(p2, ties2, q2)) => {
                self.linked(goal, at, (p, &ties, q), (p2, &ties2, q2))
            }
            (Term::Hide(p, a), Term::Hide(q, b)) => self.hide(goal, at, (p, a), (q, b)),
            (Term::Project(p, a), Term::Project(q, b)) => self.project(goal, at, (p, a), (q, b)),
            (Term::Rename(p, a), Term::Rename(q, b)) => self.rename(goal, at, (p, &a), (q, &b)),
            (Term::Prioritise(p, a), Term::Prioritise(q, b)) => {
                self.prioritise(goal, at, (p, &a), (q, &b))
            }
            (Term::Compress(c, p), Term::Compress(d, q))
                if c.keeps_meaning() && d.keeps_meaning() =>
            {
                self.compress(goal, at, p, q)
            }
            (left, right) => self.handing_over(goal, at, &left, &right),
        }
    }

    /// The place of the operands of `term`, which is no call, in the same place.
    fn inside(&self, at: Place, term: &Term) -> Place {
        let around = match self.mode {
            Mode::Machine => at.around.of_operands(term),
            Mode::Terms => at.around,
        };
        Place { around, ..at }
    }

    /// The refusal of two terms that are not alike.
    pub(super) fn different_operators<T>(&mut self, goal: Goal, at: Place) -> Attempt<T> {
        let (left, _) = self.body(goal.left, at, goal)?;
        let rule = rule_of(self.definitions.terms().get(left));
        self.refuse(rule, goal, at, Why::Operators)
    }

    pub(super) fn refuse<T>(&self, rule: Rule, goal: Goal, at: Place, why: Why) -> Attempt<T> {
        let Goal { left, right, .. } = goal;
        let own = self
            .call(left)
            .and_then(|call| self.definitions.call_span(call));
        Err(Stop::Refused(Arc::new(Failure {
            rule,
            left,
            right,
            span: own.or(at.span),
            why,
        })))
    }

    pub(super) fn proof(
        &self,
        rule: Rule,
        goal: Goal,
        partners: Vec<usize>,
        premises: Vec<Arc<Proof>>,
    ) -> Arc<Proof> {
        Arc::new(Proof {
            rule,
            left: goal.left,
            sigma: self.sigma(goal.sigma).clone(),
            right: goal.right,
            partners,
            premises,
            states: None,
        })
    }

    pub(super) fn call(&self, term: TermId) -> Option<CallId> {
        match self.definitions.terms().get(term) {
            &Term::Call(call) => Some(call),
            _ => None,
        }
    }

    /// Whether there is a parallel above all recursion of `term`. Of any two terms the rules look for them
    /// inside compressions too; to a machine these are leaves.
    pub(super) fn has_parallel(&mut self, term: TermId) -> Attempt<bool> {
        let part = self.skeleton.part(self.definitions, term)?;
        Ok(part == Part::Inner || part == Part::Compressed && self.mode == Mode::Terms)
    }
}

/// The rule of the outermost operator of a term.
pub(super) fn rule_of(term: &Term) -> Rule {
    match term {
        Term::Call(_) => Rule::Unfold,
        Term::Stop | Term::Skip | Term::Omega | Term::Div => Rule::Constant,
        Term::Run(_) | Term::Chaos(_) => Rule::Universal,
        Term::Prefix(_) => Rule::Prefix,
        Term::ExternalChoice(_) => Rule::ExternalChoice,
        Term::InternalChoice(_) => Rule::InternalChoice,
        Term::Sequential(..) => Rule::Sequential,
        Term::Interrupt(..) => Rule::Interrupt,
        Term::SlidingChoice(..) => Rule::SlidingChoice,
        Term::Exception(..) => Rule::Exception,
        Term::SynchronisingChoice(..) => Rule::SynchronisingChoice,
        Term::SynchronisingInterrupt(..) => Rule::SynchronisingInterrupt,
        Term::Parallel(..) => Rule::Parallel,
        Term::Alphabetised(_) => Rule::Alphabetised,
        Term::Linked(..) => Rule::Linked,
        Term::Hide(..) | Term::Project(..) => Rule::Hide,
        Term::Rename(..) => Rule::Rename,
        Term::Prioritise(..) => Rule::Prioritise,
        Term::Watchdog(_) => Rule::Operational,
        Term::Compress(..) => Rule::Compress,
        Term::Buffer(..) => Rule::Buffer,
    }
}
