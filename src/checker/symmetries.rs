//! The symmetries that the check of an assertion can use, for `cspsym symmetry`: described and not
//! used.

use base::diag::{Diagnostic, Result};
use base::source::Span;
use report::symmetry::SymmetryDescription;

use super::compiled::{Compiled, compile};
use super::decision::Decision;
use super::describe_symmetry::describe_symmetry;
use super::error::Error;
use super::options::Options;
use super::question::Question;
use super::reduction::{Purpose, reduction};
use super::script::{Script, Subject};
use super::task::Task;

impl Script {
    /// The symmetries that a check can use, as relations, and what broke the candidates that are
    /// not symmetries.
    pub fn symmetry(
        &self,
        subject: Subject<'_>,
        options: &Options,
        task: &Task,
    ) -> std::result::Result<SymmetryDescription, Error> {
        self.ask(|scope| {
            let permutations = scope.permutations(options)?;
            let id = scope.checked(subject, options)?;
            scope.ask_of_check(id, &permutations, options, task, |run, question| {
                let compiled = compiled_for_symmetry(run, question, scope.span(id))?;
                let reduction = reduction(run, &compiled, &question.claims, Purpose::Description)?;
                let found = (&*compiled.machine, &reduction);
                Ok(describe_symmetry(run, scope.assertion(id), question, found))
            })
        })
    }
}

/// Both sides of `question`, compiled so that symmetries of its check can be found.
pub(super) fn compiled_for_symmetry(
    run: &mut Decision<'_, '_>,
    question: &Question<'_>,
    span: Span,
) -> Result<Compiled> {
    run.parts.options.chases_are_leaves = true;
    compile(run, question)?.ok_or_else(|| {
        let problem = Diagnostic::undecided("unsupported", "every process has the empty trace");
        Box::new(problem.at(span, "nothing is searched for this assertion"))
    })
}
