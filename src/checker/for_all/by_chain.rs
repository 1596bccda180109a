//! The induction over the links of a chain, which shows that an assertion holds for every number of
//! them.

use crate::additions;
use crate::checks::Checks;
use crate::options::{Options, Symmetries};
use base::diag::{Diagnostic, Result};
use report::assertion::Verdict;
use views::{Chain, chains};

use super::asked::{AskedForAll, FOR_ALL};
use super::{ForAllDecision, MethodEnd};

impl ForAllDecision<'_> {
    /// Decides the assertion by induction over the links of a chain; `None` if no chain ends in the
    /// process.
    pub(super) fn by_chain(&mut self, asked: &AskedForAll) -> Result<Option<MethodEnd>> {
        let chains = chains(&self.question(asked))?;
        let Some(last) = chains.last() else {
            return Ok(None);
        };
        let message = format!(
            "a part of the chain is not refined by one with a link more: `{}` is not by `{}`",
            last.smaller, last.larger
        );
        for chain in &chains {
            let size = chain.size.max(self.report.least);
            if let Some(answer) = self.instances(size, self.options)? {
                return Ok(Some(MethodEnd::Answered(answer)));
            }
            // The script may have names for fewer links.
            let has_all = self.report.next() > size;
            if has_all && self.is_refined(chain, asked)? {
                self.report.chain = Some(chain.part.clone());
                return Ok(Some(MethodEnd::Holds));
            }
        }
        let problem = Diagnostic::undecided(FOR_ALL, message).hint(
            "hide what links do among themselves, so that a part can only be seen at its ends",
        );
        Ok(Some(MethodEnd::Open(Box::new(problem))))
    }

    /// True if a link more makes no difference for the part with which `chain` begins.
    fn is_refined(&self, chain: &Chain, asked: &AskedForAll) -> Result<bool> {
        let mut instance = self.family.instance(chain.size)?;
        let (smaller, larger) = (&chain.smaller, &chain.larger);
        let added = additions::add_refinement(&mut instance.script, smaller, asked.model, larger);
        // A problem has its place in a text that stands in no file of the user.
        let id = added.map_err(|problem| {
            let message = format!("`{smaller}` is not compared with `{larger}`");
            Box::new(Diagnostic::undecided(FOR_ALL, message).note(problem.message.clone()))
        })?;
        let options = self.options_of_links(asked);
        let answer = Checks::new(&instance, &options).decide_instance(id, self.task);
        // A comparison that was cut short shows nothing.
        self.task.token().step()?;
        Ok(answer.report.verdict == Verdict::Pass)
    }

    /// The options for comparing parts of a chain: in the model of the question, and without
    /// choices that the user makes for instances, which may not apply to parts.
    fn options_of_links(&self, asked: &AskedForAll) -> Options {
        let symmetries = match self.options.symmetries {
            Symmetries::Off => Symmetries::Off,
            _ => Symmetries::Found,
        };
        Options {
            model: Some(asked.model),
            algorithm: None,
            representative: None,
            symmetries,
            ..self.options.clone()
        }
    }
}
