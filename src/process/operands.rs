//! The operands of a term, all of them and by whether they have started.

use super::term::{Term, TermId};

impl Term {
    /// All operands: those that have started, then those that wait. For an operator over processes
    /// that is the order in which they are written.
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
