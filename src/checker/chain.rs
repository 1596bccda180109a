//! Whether a refinement holds for every number of links of a chain: the induction over them.

use crate::diag::{Diagnostic, Result};
use crate::report::assertion::Verdict;
use crate::views::{Chain, chains};

use super::additions;
use super::checks::Checks;
use super::for_all::{FOR_ALL, ForAllDecision};
use super::script::Answer;

/// What an induction says.
pub(super) enum Induction {
    /// It holds for all.
    Holds,
    /// The answer of an instance that does not hold.
    Answered(Box<Answer>),
    /// The process is no end of a chain.
    NoChain,
}

impl ForAllDecision<'_> {
    /// Decides it by induction over the links of a chain. Fails with the code `for-all` if that
    /// does not show whether it holds.
    pub(super) fn by_chain(&mut self) -> Result<Induction> {
        let chains = chains(&self.question())?;
        let Some(last) = chains.last() else {
            return Ok(Induction::NoChain);
        };
        let message = format!(
            "a part of the chain is not refined by one with a link more: `{}` is not by `{}`",
            last.smaller, last.larger
        );
        for chain in &chains {
            let size = chain.size.max(self.report.least);
            if let Some(answer) = self.instances(size, self.options)? {
                return Ok(Induction::Answered(answer));
            }
            if self.is_refined(chain)? {
                self.report.chain = Some(chain.part.clone());
                return Ok(Induction::Holds);
            }
        }
        Err(Box::new(Diagnostic::undecided(FOR_ALL, message).hint(
            "hide what links do among themselves, so that a part can only be seen at its ends",
        )))
    }

    /// Whether a link more makes no difference for the part with which `chain` begins.
    fn is_refined(&self, chain: &Chain) -> Result<bool> {
        let mut instance = self.family.instance(chain.size)?;
        let (smaller, larger) = (&chain.smaller, &chain.larger);
        let model = self.asked.model;
        let added = additions::add_refinement(&mut instance.script, smaller, model, larger);
        // A problem has its place in a text that stands in no file of the user.
        let id = added.map_err(|problem| {
            let message = format!("`{smaller}` is not compared with `{larger}`");
            Box::new(Diagnostic::undecided(FOR_ALL, message).note(problem.message.clone()))
        })?;
        let answer = Checks::new(&instance, self.options).decide_instance(id, self.task);
        // What was broken off shows nothing.
        self.task.token().step()?;
        Ok(answer.report.verdict == Verdict::Pass)
    }
}
