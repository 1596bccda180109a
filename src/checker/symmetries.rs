//! The symmetries that the check of an assertion can use, for `cspsym symmetry`: described and not
//! used.

use base::diag::{Diagnostic, Result};
use base::source::Span;
use report::symmetry::SymmetryDescription;
use syntax::ast::Assertion;

use super::compiled::{Compiled, compile};
use super::decision::Decision;
use super::describe_symmetry::{describe_definitions, describe_symmetry};
use super::error::Error;
use super::options::Options;
use super::orbit_types::OrbitTypes;
use super::portfolio::turns::{FACTOR, FIRST, is_of_size};
use super::portfolio::{orbits, unlisted};
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
                let asked = (scope.assertion(id), question);
                let compiled = match compiled_or_described(run, asked, scope.span(id))? {
                    Sooner::Compiled(compiled) => compiled,
                    Sooner::Described(description) => return Ok(*description),
                };
                let reduction = reduction(run, &compiled, &question.claims, Purpose::Description)?;
                let found = (&*compiled.machine, &reduction);
                Ok(describe_symmetry(run, scope.assertion(id), question, found))
            })
        })
    }
}

/// The sides of a question, or the symmetries of their definitions, if these are found sooner.
enum Sooner {
    Compiled(Compiled),
    Described(Box<SymmetryDescription>),
}

/// The number of terms, parts of them and values that are looked at in about the time in which a
/// state of a component is listed.
const LOOKS_OF_STATE: usize = 64;

/// The states of a system that are listed before definitions are looked at, which takes some tenths
/// of a second: what is listed tells more.
const FIRST_OF_SYMMETRY: usize = FACTOR * FIRST;

/// Compiles both sides of the question `asked`, by turns with a look at their definitions.
fn compiled_or_described(
    run: &mut Decision<'_, '_>,
    asked: (&Assertion, &Question<'_>),
    span: Span,
) -> Result<Sooner> {
    let limits = run.parts.options.limits;
    let most = run.options.max_leaf_states;
    let mut states = match may_be_described(run, asked.1) {
        true => FIRST_OF_SYMMETRY,
        false => usize::MAX,
    };
    let mut types = OrbitTypes::default();
    loop {
        let is_last = states == usize::MAX || most.is_some_and(|most| states as u64 >= most);
        run.parts.options.limits = match is_last {
            true => limits,
            false => limits.trying(states),
        };
        let compiled = compiled_for_symmetry(run, asked.1, span);
        run.parts.options.limits = limits;
        match compiled {
            Err(problem) if is_of_size(&problem) && !is_last => {}
            compiled => return compiled.map(Sooner::Compiled),
        }
        let looks = states.saturating_mul(LOOKS_OF_STATE);
        if let Some(found) = describe_definitions(run, asked, &mut types, looks)? {
            return Ok(Sooner::Described(Box::new(found)));
        }
        states = states.saturating_mul(FACTOR);
    }
}

/// True if symmetries of definitions answer what is asked of `question`.
fn may_be_described(run: &Decision<'_, '_>, question: &Question<'_>) -> bool {
    run.options.strategy.is_none()
        && question.claims.leave_free(run.options)
        && unlisted::hindrance(run, question).is_none()
        && orbits::hindrance(run, question).is_none()
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
