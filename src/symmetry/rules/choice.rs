//! Rules of prefix and the choices that are commutative.

use rustc_hash::FxHashMap;

use super::goal::{Attempt, Goal, Place};
use super::operands::Operands;
use super::prover::Prover;
use super::rule::Rule;
use super::sets::Applied;
use crate::process::event::{EventId, EventSetId};
use crate::process::term::TermId;
use crate::symmetry::refusal::Why;

/// Branches of a prefix, ascending by event.
type Branches = [(EventId, TermId)];

impl Prover<'_> {
    /// Rule 2: P and Q offer the same events up to σ, and what follows e goes to what follows eσ. An event that
    /// may be followed by several things is a choice between them, which are matched.
    pub(super) fn prefix(
        &mut self,
        goal: Goal,
        at: Place,
        left: &Branches,
        right: &Branches,
    ) -> Attempt {
        self.same_first_events(goal, at, left, right)?;
        let inside = at.waiting();
        let mut partners = Vec::with_capacity(left.len());
        let mut premises = Vec::with_capacity(left.len());
        for branches in left.chunk_by(|a, b| a.0 == b.0) {
            let image = self.sigma(goal.sigma).apply(branches[0].0);
            let first = right.partition_point(|&(event, _)| event < image);
            let targets: Vec<TermId> = branches.iter().map(|&(_, then)| then).collect();
            let images: Vec<TermId> = after(right, image).map(|&(_, then)| then).collect();
            let operands = Operands::new(&targets, &images);
            let matched = self.matched(Rule::Prefix, goal, inside, &operands)?;
            partners.extend(matched.partners.iter().map(|partner| first + partner));
            premises.extend(matched.premises.iter().cloned());
        }
        Ok(self.proof(Rule::Prefix, goal, partners, premises))
    }

    fn same_first_events(
        &self,
        goal: Goal,
        at: Place,
        left: &Branches,
        right: &Branches,
    ) -> Attempt<()> {
        let sigma = self.sigma(goal.sigma);
        let refuse = |event, image, on_left| {
            let why = Why::Behaviour {
                trace: Vec::new(),
                image_trace: Vec::new(),
                event,
                image,
                on_left,
            };
            self.refuse(Rule::Prefix, goal, at, why)
        };
        for &(event, _) in left {
            let image = sigma.apply(event);
            if after(right, image).next().is_none() {
                return refuse(event, image, true);
            }
        }
        let back = sigma.inverse();
        for &(image, _) in right {
            let event = back.apply(image);
            if after(left, event).next().is_none() {
                return refuse(event, image, false);
            }
        }
        Ok(())
    }

    /// Rules 3 and 12.
    pub(super) fn external_choice(
        &mut self,
        goal: Goal,
        at: Place,
        left: &[TermId],
        right: &[TermId],
    ) -> Attempt {
        let operands = Operands::new(left, right);
        self.matched(Rule::ExternalChoice, goal, at, &operands)
    }

    /// Rule 13. An operand that is repeated adds nothing.
    pub(super) fn internal_choice(
        &mut self,
        goal: Goal,
        at: Place,
        left: &[TermId],
        right: &[TermId],
    ) -> Attempt {
        let [lefts, rights] = [Distinct::of(left), Distinct::of(right)];
        let operands = Operands::new(&lefts.terms, &rights.terms);
        let matched = self.matched(Rule::InternalChoice, goal, at.waiting(), &operands)?;
        if (lefts.terms.len(), rights.terms.len()) == (left.len(), right.len()) {
            return Ok(matched);
        }
        let numbers = lefts.numbers.iter();
        let partners = numbers.map(|&number| rights.positions[matched.partners[number]]);
        let premises = lefts
            .numbers
            .iter()
            .map(|&number| matched.premises[number].clone());
        Ok(self.proof(
            Rule::InternalChoice,
            goal,
            partners.collect(),
            premises.collect(),
        ))
    }

    /// The events that all do together are the same up to σ.
    pub(super) fn synchronising_choice(
        &mut self,
        goal: Goal,
        at: Place,
        (set, left): (EventSetId, &[TermId]),
        (other, right): (EventSetId, &[TermId]),
    ) -> Attempt {
        let rule = Rule::SynchronisingChoice;
        let applied = |set, operands| Applied { set, operands };
        let sets = (applied(set, left), applied(other, right));
        self.sets_agree((rule, "synchronisation set"), goal, at, sets.0, sets.1)?;
        self.matched(rule, goal, at, &Operands::new(left, right))
    }
}

/// Operands without repetitions.
struct Distinct {
    terms: Vec<TermId>,
    /// By distinct term, where it stands first among the operands.
    positions: Vec<usize>,
    /// By operand, its number among the distinct terms.
    numbers: Vec<usize>,
}

impl Distinct {
    fn of(operands: &[TermId]) -> Self {
        let mut distinct = Self {
            terms: Vec::new(),
            positions: Vec::new(),
            numbers: Vec::new(),
        };
        let mut known: FxHashMap<TermId, usize> = FxHashMap::default();
        for (position, &term) in operands.iter().enumerate() {
            let number = *known.entry(term).or_insert(distinct.terms.len());
            if number == distinct.terms.len() {
                distinct.terms.push(term);
                distinct.positions.push(position);
            }
            distinct.numbers.push(number);
        }
        distinct
    }
}

/// The branches that begin with `event`.
fn after(branches: &Branches, event: EventId) -> impl Iterator<Item = &(EventId, TermId)> {
    let start = branches.partition_point(|&(other, _)| other < event);
    branches[start..]
        .iter()
        .take_while(move |&&(other, _)| other == event)
}
