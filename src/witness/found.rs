//! The path of a search beside the machine in which it was found.

use machine::expand::{MachineRun, RunEnd, RunStep, expand};
use machine::{CompileOptions, Machine, ProcessView, Taus};
use process::term::Definitions;
use refine::path::{Path, PathRun, Violation};

use super::counterexample::WitnessStep;
use super::moves::LeafMoves;
use base::diag::Result;

/// A path that is to be replayed.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoundPath<'a> {
    pub(super) path: &'a Path,
    /// The machine whose parts are compressed, and its run.
    compressed: Option<(&'a Machine, &'a PathRun)>,
    /// The run of a machine whose parts are not compressed.
    pub(super) moves: Option<LeafMoves<'a>>,
}

impl<'a> FoundPath<'a> {
    /// The path that was found in `machine`, or without a machine.
    pub(super) fn new(machine: Option<&'a Machine>, path: &'a Path) -> Self {
        let found = machine.zip(path.run.as_ref());
        let compressed = found.filter(|(machine, _)| machine.taus() == Taus::Free);
        let exact = found.filter(|(machine, _)| machine.taus() == Taus::Exact);
        Self {
            path,
            compressed,
            moves: exact.map(|(machine, run)| LeafMoves { machine, run }),
        }
    }

    /// The τ of the path, compared with the process as it is written.
    pub(super) fn taus(&self) -> Taus {
        match self.compressed {
            Some(_) => Taus::Free,
            None => Taus::Exact,
        }
    }

    /// The steps of the path, including the one that is not allowed.
    pub(super) fn steps(&self) -> Vec<WitnessStep> {
        self.path.all_steps().copied().map(Into::into).collect()
    }

    /// A run without compressions that shows the events of the path, is at rest before each step
    /// for which `is_seen_at_rest`, and ends like the path. Returns `None` if there are no
    /// compressions, if the machines of the compressed parts have no such run, or if finding it
    /// would take too long.
    pub(super) fn expanded(
        &self,
        definitions: &mut dyn Definitions,
        view: ProcessView,
        is_seen_at_rest: impl Fn(usize) -> bool,
        options: &CompileOptions,
    ) -> Result<Option<Vec<RunStep>>> {
        let Some((machine, found)) = self.compressed else {
            return Ok(None);
        };
        let end = match &self.path.violation {
            Violation::Refusal(offers) => RunEnd::Rest(offers.clone()),
            Violation::Divergence => RunEnd::Diverging,
            Violation::Event(_) | Violation::Revival(..) => RunEnd::Anyhow,
        };
        let rests = (0..found.rules.len()).filter(|&place| is_seen_at_rest(place));
        let run = MachineRun {
            rules: found.rules.clone(),
            rests: rests
                .map(|place| (place, found.states[place].clone()))
                .collect(),
            states: found.states.last().cloned().unwrap_or_default(),
            cycle: Vec::new(),
        };
        expand(definitions, (machine, view), run, &end, options)
    }
}
