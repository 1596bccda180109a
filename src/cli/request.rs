//! What the subcommands ask of a loaded script: the seam between the command line and the stages.

use std::time::Instant;

use crate::diag::{Diagnostic, Result};
use crate::report::assertion::AssertionReport;
use crate::report::machine::MachineDescription;
use crate::source::SourceMap;
use crate::syntax::ast::Model;

use super::files::Files;
use super::progress::Snapshot;

/// How a script is to be loaded, compiled and checked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    /// Top-level constants to replace, the last of a name counts.
    pub(crate) definitions: Vec<Definition>,
    /// The model to decide refinements in; absent: the one that is written.
    pub(crate) model: Option<Model>,
    /// When to give up.
    pub(crate) limits: Limits,
    /// Whether leaves are minimised.
    pub(crate) minimise: bool,
}

/// `-D NAME=EXPR`
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Definition {
    /// The constant.
    pub(crate) name: String,
    /// Its new value, as CSPm.
    pub(crate) text: String,
}

/// When to give up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Limits {
    /// When the whole call has to end.
    pub(crate) deadline: Option<Instant>,
    /// How many product states a search may store.
    pub(crate) states: Option<u64>,
    /// How many states a leaf may have.
    pub(crate) leaf_states: u64,
}

/// A loaded script.
pub(crate) trait Session {
    /// All text that was read, for rendering messages; expressions of the command line included.
    fn sources(&self) -> &SourceMap;
    /// What is worth knowing about the script.
    fn warnings(&self) -> &[Diagnostic];
    /// The values of the `print` declarations, in order.
    fn prints(&mut self) -> Vec<Result<String>>;
    /// The assertions as CSPm, without `assert` but with `not`, includes expanded in place.
    fn assertions(&self) -> Vec<String>;
    /// Decides the assertion at `index`; `progress` is called now and then.
    fn decide(&mut self, index: usize, progress: &mut dyn FnMut(Snapshot)) -> Decision;
    /// Decides whether `implementation` refines `specification`, both CSPm expressions.
    fn refine(
        &mut self,
        specification: &str,
        implementation: &str,
        progress: &mut dyn FnMut(Snapshot),
    ) -> Decision;
    /// The value of a CSPm expression as CSPm.
    fn evaluate(&mut self, expression: &str) -> Result<String>;
    /// The structured machine of a CSPm expression.
    fn machine(&mut self, expression: &str) -> Result<MachineDescription>;
}

/// The outcome of one assertion. Where there is a problem, the report carries its verdict and message
/// (see [`AssertionReport::stopped_by`]).
pub(crate) struct Decision {
    /// What is printed.
    pub(crate) report: AssertionReport,
    /// Why there is no verdict.
    pub(crate) problem: Option<Diagnostic>,
}

/// Why a script could not be loaded.
pub(crate) struct LoadFailure {
    /// What was read of it.
    pub(crate) sources: SourceMap,
    /// At least one message; warnings among them do no harm.
    pub(crate) problems: Vec<Diagnostic>,
}

/// How a script is loaded; the tests of the subcommands put scripted sessions here.
pub(crate) type Load =
    fn(&str, &mut Files, &Options) -> std::result::Result<Box<dyn Session>, LoadFailure>;

/// What is said when the time given with `--timeout` is over.
pub(crate) fn timeout_message() -> Diagnostic {
    Diagnostic::undecided("timeout", "the time given with --timeout is over")
        .hint("give it more seconds, or a smaller instance with -D")
}
