//! The messages about mistakes.

use super::types::{Type, Types};
use base::diag::{Diagnostic, Result};

/// The messages so far, in the order in which the mistakes were found.
#[derive(Default)]
pub(super) struct Problems(Vec<Diagnostic>);

impl Problems {
    /// Reports a mistake that hides no other: the rest is typed as well.
    pub(super) fn report(&mut self, outcome: Result<()>) {
        if let Err(problem) = outcome {
            self.0.push(*problem);
        }
    }

    /// The type that was found; after reporting a mistake, one that fits everywhere.
    pub(super) fn typed(&mut self, found: Result<Type>) -> Type {
        found.unwrap_or_else(|problem| {
            self.0.push(*problem);
            Types::UNKNOWN
        })
    }

    /// Adds the message `problem`.
    pub(super) fn add(&mut self, problem: Diagnostic) {
        self.0.push(problem);
    }

    /// The number of messages.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// Takes all messages after the first `count` ones back.
    pub(super) fn truncate(&mut self, count: usize) {
        self.0.truncate(count);
    }

    /// Makes the messages after the first `before` ones a single one, the first of them, with a
    /// hint. `hint` is asked only if there is one; without a hint they stay.
    pub(super) fn explain(&mut self, before: usize, hint: impl FnOnce() -> Option<String>) {
        if self.0.len() > before
            && let Some(hint) = hint()
        {
            self.0.truncate(before + 1);
            self.0[before].set_hint(hint);
        }
    }

    /// All messages in the order of their places. If one type is too large, so are those made from
    /// it, and only the first is reported.
    pub(super) fn in_order(mut self) -> Vec<Diagnostic> {
        self.0
            .sort_by_key(|d| d.labels.first().map(|(span, _)| (span.file, span.start)));
        let mut too_large = 0;
        self.0.retain(|problem| {
            too_large += usize::from(problem.code == "type-too-large");
            problem.code != "type-too-large" || too_large == 1
        });
        self.0
    }
}
