//! The operands of a term, all of them and by whether they have started.

use std::sync::Arc;

use super::term::{Term, TermId};
use super::watchdog::Watchdog;
use base::diag::Result;

impl Term {
    /// All operands: those that have started, then those that wait. For an operator over processes
    /// that is the order in the script.
    pub fn operands(&self) -> Vec<TermId> {
        [self.started_operands(), self.waiting_operands()].concat()
    }

    /// The operands that take part in the next step.
    pub fn started_operands(&self) -> Vec<TermId> {
        match self {
            Term::Call(_)
            | Term::Stop
            | Term::Skip
            | Term::Omega
            | Term::Div
            | Term::Run(_)
            | Term::Chaos(_)
            | Term::Prefix(_)
            | Term::InternalChoice(_)
            | Term::Imported(..)
            | Term::Buffer(..) => Vec::new(),
            Term::ExternalChoice(operands)
            | Term::SynchronisingChoice(_, operands)
            | Term::Parallel(_, operands) => operands.to_vec(),
            Term::Alphabetised(operands) => operands.iter().map(|&(_, operand)| operand).collect(),
            Term::Sequential(p, _) | Term::SlidingChoice(p, _) | Term::Exception(p, _, _) => {
                vec![*p]
            }
            Term::Hide(p, _)
            | Term::Project(p, _)
            | Term::Rename(p, _)
            | Term::Prioritise(p, _)
            | Term::Compress(_, p) => vec![*p],
            Term::Watchdog(watchdog) => watchdog.members.clone(),
            Term::Interrupt(p, q)
            | Term::SynchronisingInterrupt(p, _, q)
            | Term::Linked(p, _, q) => vec![*p, *q],
        }
    }

    /// The operator with `image` applied to the operands that take part in the next step.
    pub fn with_started(&self, mut image: impl FnMut(TermId) -> Result<TermId>) -> Result<Self> {
        let mut all = |operands: &[TermId]| -> Result<Arc<[TermId]>> {
            operands.iter().map(|&operand| image(operand)).collect()
        };
        Ok(match self {
            Term::Call(_)
            | Term::Stop
            | Term::Skip
            | Term::Omega
            | Term::Div
            | Term::Run(_)
            | Term::Chaos(_)
            | Term::Prefix(_)
            | Term::InternalChoice(_)
            | Term::Imported(..)
            | Term::Buffer(..) => self.clone(),
            Term::ExternalChoice(operands) => Term::ExternalChoice(all(operands)?),
            Term::SynchronisingChoice(set, operands) => {
                Term::SynchronisingChoice(*set, all(operands)?)
            }
            Term::Parallel(set, operands) => Term::Parallel(*set, all(operands)?),
            Term::Alphabetised(operands) => {
                let images = operands.iter().map(|&(set, p)| Ok((set, image(p)?)));
                Term::Alphabetised(images.collect::<Result<_>>()?)
            }
            &Term::Sequential(p, q) => Term::Sequential(image(p)?, q),
            &Term::SlidingChoice(p, q) => Term::SlidingChoice(image(p)?, q),
            &Term::Exception(p, set, q) => Term::Exception(image(p)?, set, q),
            &Term::Hide(p, set) => Term::Hide(image(p)?, set),
            &Term::Project(p, set) => Term::Project(image(p)?, set),
            Term::Rename(p, pairs) => Term::Rename(image(*p)?, pairs.clone()),
            Term::Prioritise(p, priority) => Term::Prioritise(image(*p)?, priority.clone()),
            &Term::Compress(compression, p) => Term::Compress(compression, image(p)?),
            Term::Watchdog(watchdog) => Term::Watchdog(Arc::new(Watchdog {
                members: all(&watchdog.members)?.to_vec(),
                ..Watchdog::clone(watchdog)
            })),
            &Term::Interrupt(p, q) => Term::Interrupt(image(p)?, image(q)?),
            &Term::SynchronisingInterrupt(p, set, q) => {
                Term::SynchronisingInterrupt(image(p)?, set, image(q)?)
            }
            Term::Linked(p, ties, q) => Term::Linked(image(*p)?, ties.clone(), image(*q)?),
        })
    }

    /// The operands that start later, if at all.
    pub fn waiting_operands(&self) -> Vec<TermId> {
        match self {
            Term::Prefix(branches) => branches.iter().map(|&(_, p)| p).collect(),
            Term::InternalChoice(operands) => operands.to_vec(),
            Term::Sequential(_, q) | Term::SlidingChoice(_, q) | Term::Exception(_, _, q) => {
                vec![*q]
            }
            _ => Vec::new(),
        }
    }
}
