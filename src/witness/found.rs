//! The path of a search beside the machine in which it was found.

use machine::expand::{MachineRun, RunEnd, RunStep, expand};
use machine::{CompileOptions, Machine, ProcessView};
use process::term::Definitions;
use refine::path::{Path, Violation};

use super::counterexample::WitnessStep;
use base::diag::Result;

/// A path that is to be replayed.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoundPath<'a> {
    pub(super) machine: &'a Machine,
    pub(super) path: &'a Path,
}

impl FoundPath<'_> {
    /// The steps of the machine, including the one that is not allowed.
    pub(super) fn steps(&self) -> Vec<WitnessStep> {
        self.path.run().copied().map(Into::into).collect()
    }

    /// A run without compressions that shows the events of the path, is at rest before each step
    /// for which `is_seen_at_rest`, and ends like the path. Returns `None` if the machines of the
    /// compressed parts have none, or if finding it would take too long.
    pub(super) fn expanded(
        &self,
        definitions: &mut dyn Definitions,
        view: ProcessView,
        is_seen_at_rest: impl Fn(usize) -> bool,
        options: &CompileOptions,
    ) -> Result<Option<Vec<RunStep>>> {
        let Self { machine, path } = *self;
        let end = match &path.violation {
            Violation::Refusal(offers) => RunEnd::Rest(offers.clone()),
            Violation::Divergence => RunEnd::Diverging,
            Violation::Event(_) | Violation::Revival(..) => RunEnd::Anyhow,
        };
        let rules: Vec<_> = path.run().map(|step| step.rule).collect();
        let rests = (0..rules.len()).filter(|&place| is_seen_at_rest(place));
        let run = MachineRun {
            rests: rests
                .map(|place| (place, path.states[place].clone()))
                .collect(),
            rules,
            states: path.states.last().cloned().unwrap_or_default(),
            cycle: Vec::new(),
        };
        expand(definitions, (machine, view), run, &end, options)
    }
}
