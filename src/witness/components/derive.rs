//! The operational rules read backwards: from a step of a process to the steps of its components.
//!
//! Each rule looks for steps of the operands from which it makes the given step, target included. The steps of operands
//! are those of `process::semantics`, but what the operators make of them is written down here once more: a step that is
//! none by these rules is a mistake in one of the two.

use std::rc::Rc;

use super::super::{WitnessStep, not_reproduced};
use super::tree::{Cast, Kind, Node};
use crate::base::stack::deep;
use crate::diag::Result;
use crate::process::event::{EventId, EventSetId, TAU, TICK};
use crate::process::semantics::{Semantics, Step};
use crate::process::term::{Definitions, Term, TermId};

/// What one component does in a step of the whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Part {
    pub(super) component: usize,
    pub(super) step: WitnessStep,
}

/// Follows steps from the whole to the components.
pub(super) struct Follower<'a> {
    definitions: &'a mut dyn Definitions,
    cast: &'a mut Cast,
    semantics: Semantics,
    parts: Vec<Part>,
}

/// An operator, its operands, and the step that it has to do.
struct At<'n> {
    node: &'n Node,
    operands: &'n [Rc<Node>],
    step: Step,
}

/// What a rule finds: the process after the step, if it can make the step.
type Found = Result<Option<Rc<Node>>>;

impl<'a> Follower<'a> {
    pub(super) fn new(definitions: &'a mut dyn Definitions, cast: &'a mut Cast) -> Self {
        Self {
            definitions,
            cast,
            semantics: Semantics::new(),
            parts: Vec::new(),
        }
    }

    /// Who took part in what was followed since this was last asked, from left to right.
    pub(super) fn take_parts(&mut self) -> Vec<Part> {
        std::mem::take(&mut self.parts)
    }

    /// What `node` becomes by `step`. A step that it does not have is an `internal-replay` diagnostic.
    pub(super) fn follow(&mut self, node: &Node, step: Step) -> Result<Rc<Node>> {
        let after = match &node.kind {
            // Its ✓ was told when it decided on it.
            Kind::Done => (step.label == TICK).then(|| node.done(step.target)),
            &Kind::Component(component) => self.own(component, node, step)?.then(|| {
                if *self.definitions.terms().get(step.target) == Term::Omega {
                    node.done(step.target)
                } else {
                    node.changed(step.target, Vec::new())
                }
            }),
            &Kind::Stage(component) => match self.own(component, node, step)? {
                true => Some(self.cast.advance(self.definitions, step.target, node)?),
                false => None,
            },
            Kind::Operator(shape, operands) => {
                let at = At {
                    node,
                    operands,
                    step,
                };
                deep(|| self.rule(shape, &at))?
            }
        };
        match after {
            Some(after) => Ok(after),
            None => not_reproduced("a step cannot be told apart into steps of components").into(),
        }
    }

    /// Notes a step of a component, if it is one.
    fn own(&mut self, component: usize, node: &Node, step: Step) -> Result<bool> {
        let is_own = self.row(node)?.contains(&step);
        self.took_part(component, step);
        Ok(is_own)
    }

    fn took_part(&mut self, component: usize, step: Step) {
        let step = WitnessStep {
            label: step.label,
            origin: step.origin,
        };
        self.parts.push(Part { component, step });
    }

    fn row(&mut self, node: &Node) -> Result<Vec<Step>> {
        self.semantics.steps(self.definitions, node.term)
    }

    fn rule(&mut self, shape: &Term, at: &At<'_>) -> Found {
        match shape {
            &Term::Sequential(_, then) => self.sequential(at, then),
            &Term::SlidingChoice(_, then) => self.sliding_choice(at, then),
            &Term::Exception(_, set, handler) => self.exception(at, set, handler),
            Term::Interrupt(..) => self.interrupt(at, None),
            &Term::SynchronisingInterrupt(_, set, _) => self.interrupt(at, Some(set)),
            Term::ExternalChoice(_) => self.external_choice(at),
            &Term::SynchronisingChoice(set, _) => self.synchronising_choice(at, set),
            &Term::Parallel(set, _) => self.parallel(at, set),
            Term::Alphabetised(operands) => {
                let alphabets: Vec<EventSetId> = operands.iter().map(|&(set, _)| set).collect();
                self.alphabetised(at, &alphabets)
            }
            Term::Linked(_, ties, _) => self.linked(at, ties),
            &Term::Hide(_, set) => {
                let shows = |this: &Self, label: EventId| match this.contains(set, label) {
                    true => TAU,
                    false => label,
                };
                self.relabelled(
                    at,
                    |this, inner, label| shows(this, inner) == label,
                    |p| Term::Hide(p, set),
                )
            }
            &Term::Project(_, set) => self.relabelled(
                at,
                |this, inner, label| {
                    let stays = inner == TAU || this.contains(set, inner);
                    label == if stays { inner } else { TAU }
                },
                |p| Term::Project(p, set),
            ),
            Term::Rename(_, pairs) => self.relabelled(
                at,
                |_, inner, label| {
                    let is_renamed = pairs.iter().any(|&(from, _)| from == inner);
                    pairs.contains(&(inner, label)) || !is_renamed && inner == label
                },
                |p| Term::Rename(p, pairs.clone()),
            ),
            Term::Prioritise(_, priority) => self.relabelled(
                at,
                |_, inner, label| inner == label,
                |p| Term::Prioritise(p, Rc::clone(priority)),
            ),
            // To the semantics it is what it compresses, and is left behind.
            Term::Compress(..) => self.taken_over(at, 0),
            _ => Ok(None),
        }
    }

    /// The operators that change labels alone: `shows` says whether an inner label can be seen as an outer one.
    fn relabelled(
        &mut self,
        at: &At<'_>,
        shows: impl Fn(&Self, EventId, EventId) -> bool,
        wrapped: impl Fn(TermId) -> Term,
    ) -> Found {
        if at.step.label == TICK {
            return self.taken_over(at, 0);
        }
        for inner in self.row(&at.operands[0])? {
            if inner.label != TICK
                && inner.origin == at.step.origin
                && shows(self, inner.label, at.step.label)
                && self.is(at.step.target, &wrapped(inner.target))
            {
                return self.operand(at, 0, inner).map(Some);
            }
        }
        Ok(None)
    }

    /// The ✓ of the first operand is a τ to the other.
    fn sequential(&mut self, at: &At<'_>, then: TermId) -> Found {
        for inner in self.row(&at.operands[0])? {
            if inner.label == TICK {
                let handed_over = Step {
                    label: TAU,
                    origin: inner.origin,
                    target: then,
                };
                if handed_over == at.step {
                    self.follow(&at.operands[0], inner)?;
                    return self.start(at, then).map(Some);
                }
            } else if self.same(inner, at)
                && self.is(at.step.target, &Term::Sequential(inner.target, then))
            {
                return self.operand(at, 0, inner).map(Some);
            }
        }
        Ok(None)
    }

    /// The τ to what waits is nobody's but the operator's.
    fn sliding_choice(&mut self, at: &At<'_>, then: TermId) -> Found {
        for inner in self.row(&at.operands[0])? {
            if inner.label != TAU && inner == at.step {
                return self.follow(&at.operands[0], inner).map(Some);
            }
            if inner.label == TAU
                && self.same(inner, at)
                && self.is(at.step.target, &Term::SlidingChoice(inner.target, then))
            {
                return self.operand(at, 0, inner).map(Some);
            }
        }
        let slides = Step {
            label: TAU,
            origin: TAU,
            target: then,
        };
        if at.step != slides {
            return Ok(None);
        }
        let operator = self.cast.extra(self.definitions, at.node);
        self.took_part(operator, at.step);
        self.start(at, then).map(Some)
    }

    /// An event of `set` hands over to the handler.
    fn exception(&mut self, at: &At<'_>, set: EventSetId, handler: TermId) -> Found {
        for inner in self.row(&at.operands[0])? {
            if !self.same(inner, at) {
                continue;
            }
            if inner.label == TICK && inner == at.step {
                return self.follow(&at.operands[0], inner).map(Some);
            }
            if self.contains(set, inner.label) {
                if at.step.target == handler {
                    self.follow(&at.operands[0], inner)?;
                    return self.start(at, handler).map(Some);
                }
            } else if self.is(at.step.target, &Term::Exception(inner.target, set, handler)) {
                return self.operand(at, 0, inner).map(Some);
            }
        }
        Ok(None)
    }

    /// The second operand takes over with a visible event, unless that is in `set`, which both do together.
    fn interrupt(&mut self, at: &At<'_>, set: Option<EventSetId>) -> Found {
        let is_shared = set.is_some_and(|set| self.contains(set, at.step.label));
        let targets = match *self.definitions.terms().get(at.step.target) {
            Term::Interrupt(p, q) if set.is_none() => Some([p, q]),
            Term::SynchronisingInterrupt(p, of, q) if set == Some(of) => Some([p, q]),
            _ => None,
        };
        if is_shared {
            return self.all(at, targets.as_ref().map(<[_; 2]>::as_slice), &[0, 1]);
        }
        if at.step.label != TICK
            && let Some(targets) = targets
        {
            let takes_over = at.step.label != TAU;
            let found = self.alone(at, &targets, |i| i == 0 || !takes_over)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        if at.step.label == TICK && self.row(&at.operands[0])?.contains(&at.step) {
            return self.taken_over(at, 0);
        }
        if at.step.label == TAU {
            return Ok(None);
        }
        self.taken_over(at, 1)
    }

    /// τ changes one operand, any other event decides for one.
    fn external_choice(&mut self, at: &At<'_>) -> Found {
        let terms: Vec<TermId> = at.operands.iter().map(|operand| operand.term).collect();
        for (i, operand) in at.operands.iter().enumerate() {
            for inner in self.row(operand)? {
                if !self.same(inner, at) {
                    continue;
                }
                if inner.label != TAU {
                    if inner.target == at.step.target {
                        return self.follow(operand, inner).map(Some);
                    }
                    continue;
                }
                let mut changed = terms.clone();
                changed[i] = inner.target;
                let target = self.definitions.terms_mut().external_choice(changed);
                if target == at.step.target {
                    return self.operand(at, i, inner).map(Some);
                }
            }
        }
        Ok(None)
    }

    /// Events of `set` are done by all operands together and decide nothing.
    fn synchronising_choice(&mut self, at: &At<'_>, set: EventSetId) -> Found {
        let targets = match self.definitions.terms().get(at.step.target) {
            Term::SynchronisingChoice(of, targets) if *of == set => Some(targets.clone()),
            _ => None,
        };
        if self.contains(set, at.step.label) {
            let everyone: Vec<usize> = (0..at.operands.len()).collect();
            return self.all(at, targets.as_deref(), &everyone);
        }
        if at.step.label == TAU {
            return match targets {
                Some(targets) => self.alone(at, &targets, |_| true),
                None => Ok(None),
            };
        }
        for i in 0..at.operands.len() {
            let found = self.taken_over(at, i)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Events of `set` and ✓ are done by all together, all others by one operand alone.
    fn parallel(&mut self, at: &At<'_>, set: EventSetId) -> Found {
        if at.step.label == TICK {
            return self.termination(at);
        }
        let targets = match self.definitions.terms().get(at.step.target) {
            Term::Parallel(of, targets) if *of == set => targets.clone(),
            _ => return Ok(None),
        };
        if self.contains(set, at.step.label) {
            let everyone: Vec<usize> = (0..at.operands.len()).collect();
            return self.all(at, Some(&targets), &everyone);
        }
        self.one(at, &targets, |_| true)
    }

    /// An event is done by all whose alphabet has it.
    fn alphabetised(&mut self, at: &At<'_>, alphabets: &[EventSetId]) -> Found {
        if at.step.label == TICK {
            return self.termination(at);
        }
        let targets: Vec<TermId> = match self.definitions.terms().get(at.step.target) {
            Term::Alphabetised(targets) => targets.iter().map(|&(_, target)| target).collect(),
            _ => return Ok(None),
        };
        if at.step.label == TAU {
            return self.one(at, &targets, |_| true);
        }
        let takes_part = |&i: &usize| self.contains(alphabets[i], at.step.label);
        let participants: Vec<usize> = (0..at.operands.len()).filter(takes_part).collect();
        self.all(at, Some(&targets), &participants)
    }

    /// Tied events are done together and hidden, all others by one side alone.
    fn linked(&mut self, at: &At<'_>, ties: &[(EventId, EventId)]) -> Found {
        if at.step.label == TICK {
            return self.termination(at);
        }
        let targets = match *self.definitions.terms().get(at.step.target) {
            Term::Linked(left, _, right) => [left, right],
            _ => return Ok(None),
        };
        let label = at.step.label;
        let is_tied = [
            ties.iter().any(|&(from, _)| from == label),
            ties.iter().any(|&(_, to)| to == label),
        ];
        let found = self.one(at, &targets, |i| !is_tied[i])?;
        if found.is_some() || label != TAU {
            return Ok(found);
        }
        let rights = self.row(&at.operands[1])?;
        for left in self.row(&at.operands[0])? {
            if left.target != targets[0] || left.origin != at.step.origin {
                continue;
            }
            let partner = rights.iter().find(|right| {
                right.target == targets[1] && ties.contains(&(left.label, right.label))
            });
            if let Some(&right) = partner {
                let changes = vec![
                    (0, self.follow(&at.operands[0], left)?),
                    (1, self.follow(&at.operands[1], right)?),
                ];
                return Ok(Some(at.node.changed(at.step.target, changes)));
            }
        }
        Ok(None)
    }

    /// All `participants`, ascending, do the event together and become `targets`.
    fn all(&mut self, at: &At<'_>, targets: Option<&[TermId]>, participants: &[usize]) -> Found {
        let Some(targets) = targets.filter(|targets| targets.len() == at.operands.len()) else {
            return Ok(None);
        };
        let mut steps = Vec::with_capacity(participants.len());
        for (i, operand) in at.operands.iter().enumerate() {
            if participants.binary_search(&i).is_err() {
                if operand.term != targets[i] {
                    return Ok(None);
                }
                continue;
            }
            // The origin is that of the leftmost.
            let is_first = steps.is_empty();
            let fits = |step: &Step| {
                step.label == at.step.label
                    && step.target == targets[i]
                    && (!is_first || step.origin == at.step.origin)
            };
            match self.row(operand)?.into_iter().find(fits) {
                Some(step) => steps.push((i, step)),
                None => return Ok(None),
            }
        }
        if steps.is_empty() {
            return Ok(None);
        }
        let changes = steps
            .into_iter()
            .map(|(i, step)| Ok((i, self.follow(&at.operands[i], step)?)));
        let changes = changes.collect::<Result<_>>()?;
        Ok(Some(at.node.changed(at.step.target, changes)))
    }

    /// One operand that `may` does the step alone, and all become `targets`.
    fn alone(&mut self, at: &At<'_>, targets: &[TermId], may: impl Fn(usize) -> bool) -> Found {
        for i in changed(at, targets).into_iter().filter(|&i| may(i)) {
            for inner in self.row(&at.operands[i])? {
                if inner.label != TICK && self.same(inner, at) && inner.target == targets[i] {
                    return self.operand(at, i, inner).map(Some);
                }
            }
        }
        Ok(None)
    }

    /// One operand of a parallel that can do something else as well decides on ✓, and all become `targets`.
    fn decision(&mut self, at: &At<'_>, targets: &[TermId]) -> Found {
        if at.step.label != TAU {
            return Ok(None);
        }
        for i in changed(at, targets) {
            let operand = &at.operands[i];
            let row = self.row(operand)?;
            let is_mixed = row.iter().any(|step| step.label != TICK);
            let mut ticks = row.into_iter().filter(|step| step.label == TICK);
            let tick = ticks.find(|step| step.origin == at.step.origin);
            if let Some(tick) = tick
                && is_mixed
                && self.is(targets[i], &Term::Skip)
            {
                self.follow(operand, tick)?;
                let changes = vec![(i, operand.done(targets[i]))];
                return Ok(Some(at.node.changed(at.step.target, changes)));
            }
        }
        Ok(None)
    }

    /// One operand of a parallel alone: it does the step, or it decides on ✓.
    fn one(&mut self, at: &At<'_>, targets: &[TermId], may: impl Fn(usize) -> bool) -> Found {
        match self.alone(at, targets, may)? {
            Some(found) => Ok(Some(found)),
            None => self.decision(at, targets),
        }
    }

    /// All operands of a parallel terminate.
    fn termination(&mut self, at: &At<'_>) -> Found {
        for operand in at.operands {
            let row = self.row(operand)?;
            match row.first() {
                Some(&step) if row.iter().all(|step| step.label == TICK) => {
                    self.follow(operand, step)?;
                }
                _ => return Ok(None),
            }
        }
        Ok(self
            .is(at.step.target, &Term::Omega)
            .then(|| at.node.done(at.step.target)))
    }

    /// Operand `i` does the step itself, and the operator is gone.
    fn taken_over(&mut self, at: &At<'_>, i: usize) -> Found {
        let operand = &at.operands[i];
        if !self.row(operand)?.contains(&at.step) {
            return Ok(None);
        }
        self.follow(operand, at.step).map(Some)
    }

    /// Operand `i` does `inner`, and the operator stays.
    fn operand(&mut self, at: &At<'_>, i: usize, inner: Step) -> Result<Rc<Node>> {
        let after = self.follow(&at.operands[i], inner)?;
        Ok(at.node.changed(at.step.target, vec![(i, after)]))
    }

    /// What has waited takes over.
    fn start(&mut self, at: &At<'_>, term: TermId) -> Result<Rc<Node>> {
        self.cast.succeed(self.definitions, term, at.node)
    }

    /// Whether a step looks the same outside.
    fn same(&self, inner: Step, at: &At<'_>) -> bool {
        (inner.label, inner.origin) == (at.step.label, at.step.origin)
    }

    fn is(&self, term: TermId, wanted: &Term) -> bool {
        self.definitions.terms().get(term) == wanted
    }

    fn contains(&self, set: EventSetId, event: EventId) -> bool {
        self.definitions.terms().events.contains(set, event)
    }
}

/// The operands one of which has done the step, if they become `targets`: the one that changes, or any if none does.
fn changed(at: &At<'_>, targets: &[TermId]) -> Vec<usize> {
    if targets.len() != at.operands.len() {
        return Vec::new();
    }
    let pairs = at.operands.iter().zip(targets).enumerate();
    let changed = pairs.filter(|(_, (operand, target))| operand.term != **target);
    let changed: Vec<usize> = changed.map(|(i, _)| i).collect();
    match changed.len() {
        0 => (0..targets.len()).collect(),
        1 => changed,
        _ => Vec::new(),
    }
}
