//! Words and reports about strategies: the one that has decided a question, the cost of the others,
//! and one that was asked for in vain.

use base::diag::Diagnostic;
use refine::check::Statistics;
use refine::local::LocalCost;
use report::assertion::{AssertionReport, LocalReport, SpentReport};
use symmetry::choice::Algorithm;

use crate::decision::Decision;
use crate::options::Strategy;

/// The work that has decided a question.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FoundBy {
    /// The search that was to be done.
    Search,
    Dive,
    /// A local analysis of this cost, which has shown that nothing deadlocks.
    Local(LocalCost),
    /// A search without symmetries beside a dive.
    Beside,
}

/// Notes in the report by what the question was decided.
pub(super) fn note(run: &mut Decision<'_, '_>, by: FoundBy) {
    if by == FoundBy::Search {
        return;
    }
    run.report.algorithm = Some(Algorithm::Check.name().into());
    run.report.representative = None;
    run.report.symmetry = None;
    run.report.strategy = match by {
        FoundBy::Dive => Some(Strategy::Dive.word().into()),
        FoundBy::Local(_) => Some(Strategy::Local.word().into()),
        FoundBy::Search | FoundBy::Beside => None,
    };
    if let FoundBy::Local(cost) = by {
        run.report.local = Some(LocalReport {
            groups: cost.groups,
            states: cost.states,
            clauses: cost.clauses,
            derived: cost.derived,
        });
    }
}

/// The message that a strategy that was asked for does not apply, and why.
pub(super) fn inapplicable(message: &str, why: &str) -> Diagnostic {
    undecided("strategy-inapplicable", message, why)
}

/// The message that a strategy that was asked for has come to its end without a verdict, and why.
pub(super) fn in_vain(message: &str, why: &str) -> Diagnostic {
    undecided("strategy-in-vain", message, why)
}

fn undecided(code: &'static str, message: &str, why: &str) -> Diagnostic {
    Diagnostic::undecided(code, message)
        .note(why)
        .hint("leave --strategy out, or say --strategy machine")
}

/// The remark on a counterexample that was found along some orders of steps, which nobody asked
/// for.
pub(super) const NOT_SHORTEST: &str =
    "a shorter counterexample may exist: not all orders of steps were followed (--shortest)";

/// The word for breadth-first searches that are not reduced.
pub(crate) const PLAIN: &str = "breadth first";

/// The word for those of the machine without compressions.
pub(crate) const UNCOMPRESSED: &str = "without compressions";

/// Notes what was spent in a way that has not decided, if that is anything.
pub(crate) fn spend(report: &mut AssertionReport, strategy: &'static str, spent: Statistics) {
    if spent.states > 0 {
        report.spend(SpentReport {
            strategy: strategy.into(),
            states: spent.states,
            transitions: spent.transitions,
            levels: spent.levels,
        });
    }
}
