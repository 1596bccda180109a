//! Mistakes in one assertion or one `print`. They refuse no script, and are reported when the
//! assertion is checked or the `print` is evaluated.

use std::collections::BTreeMap;

use base::diag::{Diagnostic, Severity};
use base::source::FileId;
use syntax::ast::{Ast, Declaration, DeclarationId};

/// At most this many messages are shown of one script: a thousand would not be read, and rendering
/// them takes long.
const MOST_MESSAGES: usize = 50;

/// The places of the assertions and the `print` declarations of a script.
pub struct Separate {
    /// By file and first byte of each: one past its last byte, and the declaration. Declarations do
    /// not overlap.
    places: BTreeMap<(FileId, u32), (u32, DeclarationId)>,
}

impl Separate {
    /// The places in `ast`.
    pub fn of(ast: &Ast) -> Self {
        let is_separate = |id: &DeclarationId| {
            let declaration = ast.declaration(*id);
            matches!(declaration, Declaration::Assert(_) | Declaration::Print(_))
        };
        let places = ast.top_level().into_iter().filter(is_separate).map(|id| {
            let span = ast.declarations[id].span;
            ((span.file, span.start), (span.end, id))
        });
        Self {
            places: places.collect(),
        }
    }

    /// The assertion or `print` declaration in which `problem` is.
    fn declaration(&self, problem: &Diagnostic) -> Option<DeclarationId> {
        let &(span, _) = problem.labels.first()?;
        // As declarations do not overlap, only the last one that begins no later than the problem
        // can contain it.
        let mut before = self.places.range(..=(span.file, span.start));
        let (&(file, _), &(end, id)) = before.next_back()?;
        (file == span.file && span.end <= end).then_some(id)
    }

    /// Makes each error of `problems` latent that is in an assertion or a `print` declaration.
    pub fn make_latent(&self, problems: &mut [Diagnostic]) {
        for problem in problems {
            if self.declaration(problem).is_some() {
                problem.make_latent();
            }
        }
    }

    /// The first latent mistake of each declaration that has one, made an error.
    pub(super) fn first_mistakes(
        &self,
        problems: &[Diagnostic],
    ) -> BTreeMap<DeclarationId, Diagnostic> {
        let mut first = BTreeMap::new();
        for problem in problems {
            if is_latent(problem)
                && let Some(id) = self.declaration(problem)
            {
                let mistake = || problem.clone().no_longer_latent();
                first.entry(id).or_insert_with(mistake);
            }
        }
        first
    }
}

/// The messages about `problems` where a whole script is looked at: no mistake is latent.
pub fn of_all(problems: &[Diagnostic]) -> Vec<Diagnostic> {
    let (latent, mut all): (Vec<_>, Vec<_>) = problems.iter().cloned().partition(is_latent);
    // Errors that refuse the script come first: mistakes in assertions may be too many to be shown.
    all.extend(latent.into_iter().map(Diagnostic::no_longer_latent));
    let mut shown = the_first(all);
    // Messages without a place go last, and so does `more-errors`, because the sort is stable.
    shown.sort_by_key(|problem| {
        let first = problem.labels.first();
        (
            first.is_none(),
            first.map(|(span, _)| (span.file, span.start)),
        )
    });
    shown
}

/// The messages about `problems` without those that are latent, for use before a single assertion
/// or `print` declaration is looked at.
pub fn of_the_rest(problems: &[Diagnostic]) -> Vec<Diagnostic> {
    let problems = problems.iter();
    let problems = problems.filter(|problem| !is_latent(problem));
    the_first(problems.cloned().collect())
}

fn is_latent(problem: &Diagnostic) -> bool {
    problem.severity == Severity::Latent
}

/// The first [`MOST_MESSAGES`] of `problems`, and how many more there are, if one is an error. Mere
/// warnings are all shown.
fn the_first(mut problems: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let more = problems.len().saturating_sub(MOST_MESSAGES);
    if more > 0 && problems.iter().any(Diagnostic::is_error) {
        problems.truncate(MOST_MESSAGES);
        let message = match more {
            1 => "1 more error is not shown".to_string(),
            _ => format!("{more} more errors are not shown"),
        };
        problems.push(Diagnostic::error("more-errors", message));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn many(count: usize, severity: Severity) -> Vec<Diagnostic> {
        let mut problem = Diagnostic::error("syntax", "something is wrong");
        problem.severity = severity;
        vec![problem; count]
    }

    #[test]
    fn many_errors_end_in_one_message() {
        for (count, last) in [
            (51, "1 more error is not shown"),
            (1050, "1000 more errors are not shown"),
        ] {
            for severity in [Severity::Error, Severity::Latent] {
                let shown = of_all(&many(count, severity));
                assert_eq!(shown.len(), 51);
                assert!(
                    shown[..50]
                        .iter()
                        .all(|problem| problem.severity == Severity::Error)
                );
                assert_eq!(shown[50].message, last);
            }
        }
        assert_eq!(of_all(&many(50, Severity::Error)).len(), 50);
    }

    #[test]
    fn warnings_are_all_shown_and_latent_mistakes_not_at_all() {
        let mut problems = many(60, Severity::Warning);
        problems.extend(many(3, Severity::Latent));
        assert_eq!(of_the_rest(&problems), many(60, Severity::Warning));
    }
}
