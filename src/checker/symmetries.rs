//! The symmetries that the check of an assertion can use, for `cspsym symmetry`: described and not
//! used.

use base::diag::{Diagnostic, Result};
use base::source::Span;
use report::symmetry::SymmetryDescription;
use syntax::ast::Assertion;

use super::compiled::{Compiled, compile};
use super::decision::Decision;
use super::describe_symmetry::{describe_definitions, describe_symmetry, near_symmetries};
use super::error::Error;
use super::options::Options;
use super::orbit_types::OrbitTypes;
use super::portfolio::normal::{MoreSymmetric, more_symmetric};
use super::portfolio::turns::{FACTOR, FIRST, GROWING, is_of_size};
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
                described(run, asked, compiled)
            })
        })
    }
}

/// The symmetries of `compiled`, or of `compiled` with components in normal form if a check uses
/// these.
fn described(
    run: &mut Decision<'_, '_>,
    (assertion, question): (&Assertion, &Question<'_>),
    compiled: Compiled,
) -> Result<SymmetryDescription> {
    let written = reduction(run, &compiled, &question.claims, Purpose::Description)?;
    let (compiled, reduction, normal_components) =
        match more_symmetric(run, question, &compiled, written)? {
            MoreSymmetric::AsWritten(written) => (compiled, written, false),
            MoreSymmetric::Normal(normal, _) => {
                let claims = &question.claims;
                let described = reduction(run, &normal, claims, Purpose::Description)?;
                (*normal, described, true)
            }
        };
    let near = near_symmetries(run, question, (&compiled, &reduction))?;
    let found = (&*compiled.machine, &reduction);
    Ok(SymmetryDescription {
        normal_components,
        near,
        ..describe_symmetry(run, assertion, question, found)
    })
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
    let mut states = match may_be_described(run, asked.1) {
        true => FIRST_OF_SYMMETRY,
        false => usize::MAX,
    };
    let mut types = OrbitTypes::default();
    loop {
        let is_last = states >= limits.states;
        run.parts.options.limits = match is_last {
            true => limits,
            false => limits.trying(states),
        };
        let compiled = compiled_for_symmetry(run, asked.1, span);
        run.parts.options.limits = limits;
        let problem = match compiled {
            Err(problem) if is_of_size(&problem) && !is_last => problem,
            compiled => return compiled.map(Sooner::Compiled),
        };
        let looks = states.saturating_mul(LOOKS_OF_STATE);
        if let Some(found) = describe_definitions(run, asked, &mut types, looks)? {
            return Ok(Sooner::Described(Box::new(found)));
        }
        if problem.code == GROWING {
            return Err(problem);
        }
        // Without a type whose values are only compared, another look would find none.
        states = match types.are_exhausted() {
            true => usize::MAX,
            false => states.saturating_mul(FACTOR),
        };
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
