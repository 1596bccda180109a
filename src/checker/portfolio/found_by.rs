//! The strategy that has decided a question, and the cost of those that have not, in reports.

use refine::check::Statistics;
use report::assertion::{AssertionReport, SpentReport};
use symmetry::choice::Algorithm;

use crate::decision::Decision;
use crate::options::Strategy;

/// The work that has decided a question.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FoundBy {
    /// The search that was to be done.
    Search,
    Dive,
    /// A local analysis.
    Local,
    /// A search without symmetries beside a dive.
    Beside,
}

/// Notes in the report by what the question was decided.
pub(super) fn note(run: &mut Decision<'_, '_>, by: FoundBy) {
    if by == FoundBy::Search {
        return;
    }
    run.report.algorithm = Some(Algorithm::Check.name());
    run.report.representative = None;
    run.report.symmetry = None;
    run.report.strategy = match by {
        FoundBy::Dive => Some(Strategy::Dive.word()),
        FoundBy::Local => Some(Strategy::Local.word()),
        FoundBy::Search | FoundBy::Beside => None,
    };
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
            strategy,
            states: spent.states,
            transitions: spent.transitions,
            levels: spent.levels,
        });
    }
}
