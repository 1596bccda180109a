//! Refinement and properties by their definitions, on denotations: violations of claims, and where
//! they are.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::denotation::{Denotation, Denotations, Number, TooLarge};
use crate::oracle::{Event, TICK, Termination};

/// A semantic model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Model {
    Traces,
    Failures,
    FailuresDivergences,
}

/// A claim about a process, or about a specification and a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Claim {
    /// It has no behaviour that the specification lacks.
    Refines(Model),
    /// It can always do something and, if ✓ is an event, never ends; in a model with divergences,
    /// it has none.
    DeadlockFree(Model),
    DivergenceFree,
    /// It never refuses what it can do, ✓ included; in a model with divergences, it has none.
    Deterministic(Model),
}

/// A violation of a claim, after a shortest trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Violation {
    pub(crate) trace: Vec<Event>,
    pub(crate) kind: Kind,
}

/// The violation after the trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Event(Event),
    Refusal,
    Divergence,
    Nondeterminism(Event),
}

impl Claim {
    /// The model it is decided in.
    pub(crate) fn model(self) -> Model {
        match self {
            Claim::Refines(model) | Claim::DeadlockFree(model) | Claim::Deterministic(model) => {
                model
            }
            Claim::DivergenceFree => Model::FailuresDivergences,
        }
    }

    /// True if all further behaviour is allowed, because the specification diverges.
    fn allows_all(self, specification: &Denotation) -> bool {
        self == Claim::Refines(Model::FailuresDivergences) && specification.diverges
    }

    /// The way in which `q` contradicts the claim before any event; `None` if it does not.
    fn contradiction(
        self,
        p: &Denotation,
        q: &Denotation,
        trace: &[Event],
        termination: Termination,
    ) -> Option<Kind> {
        if self.model() == Model::FailuresDivergences && q.diverges {
            return Some(Kind::Divergence);
        }
        match self {
            Claim::Refines(model) => unspecified(model, p, q),
            Claim::DeadlockFree(_) => {
                let is_dead = q.acceptances.iter().any(BTreeSet::is_empty);
                let may_end = termination == Termination::Signal && trace.last() == Some(&TICK);
                (is_dead && !may_end).then_some(Kind::Refusal)
            }
            Claim::DivergenceFree => None,
            Claim::Deterministic(_) => {
                let refused = |e: &&Event| q.acceptances.iter().any(|a| !a.contains(e));
                let event = q.after.keys().find(refused)?;
                Some(Kind::Nondeterminism(*event))
            }
        }
    }
}

/// The behaviour of `q`, an event or a refusal, that `p` lacks.
fn unspecified(model: Model, p: &Denotation, q: &Denotation) -> Option<Kind> {
    if let Some(&event) = q.after.keys().find(|event| !p.after.contains_key(event)) {
        return Some(Kind::Event(event));
    }
    let allowed = |accepted: &BTreeSet<Event>| p.acceptances.iter().any(|a| a.is_subset(accepted));
    let refuses = model != Model::Traces && !q.acceptances.iter().all(allowed);
    refuses.then_some(Kind::Refusal)
}

/// The place where `process` contradicts the claim, if there is one. Claims without a specification
/// ignore `specification`.
pub(crate) fn violation(
    oracle: &mut Denotations<'_>,
    claim: Claim,
    specification: Number,
    process: Number,
) -> Result<Option<Violation>, TooLarge> {
    let specification = subject(claim, specification, process);
    let start = (specification, process);
    let mut seen = BTreeSet::from([start]);
    let mut open = vec![(Vec::new(), start)];
    let mut next = 0;
    while next < open.len() {
        let (trace, (p, q)) = open[next].clone();
        next += 1;
        let (p, q) = (oracle.denotation(p)?, oracle.denotation(q)?);
        if claim.allows_all(&p) {
            continue;
        }
        if let Some(kind) = claim.contradiction(&p, &q, &trace, oracle.termination) {
            return Ok(Some(Violation { trace, kind }));
        }
        for (event, after) in &q.after {
            let pair = (p.after[event], *after);
            if seen.insert(pair) {
                open.push(([trace.as_slice(), &[*event]].concat(), pair));
            }
        }
    }
    Ok(None)
}

/// Both processes after `trace`; `None` if one of them cannot do it, or if everything is allowed at
/// its end or before.
pub(crate) fn both_after(
    oracle: &mut Denotations<'_>,
    claim: Claim,
    specification: Number,
    process: Number,
    trace: &[Event],
) -> Result<Option<[Rc<Denotation>; 2]>, TooLarge> {
    let mut p = oracle.denotation(subject(claim, specification, process))?;
    let mut q = oracle.denotation(process)?;
    for event in trace {
        let (Some(&next), Some(&after)) = (p.after.get(event), q.after.get(event)) else {
            return Ok(None);
        };
        if claim.allows_all(&p) {
            return Ok(None);
        }
        (p, q) = (oracle.denotation(next)?, oracle.denotation(after)?);
    }
    Ok((!claim.allows_all(&p)).then_some([p, q]))
}

/// The process beside which `process` is run.
fn subject(claim: Claim, specification: Number, process: Number) -> Number {
    match claim {
        Claim::Refines(_) => specification,
        _ => process,
    }
}
