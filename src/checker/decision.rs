//! What all parts of deciding one question share.

use std::time::Instant;

use crate::diag::Result;
use crate::eval::{Evaluator, ResolvedScript};
use crate::machine::Machine;
use crate::machine::explicit::LazyLts;
use crate::process::term::{Definitions, TermId};
use crate::refine::check::{CheckOptions, Statistics};
use crate::report::assertion::{AssertionReport, Counterexample, Seconds, SpecificationReport};
use crate::witness::Refutation;

use super::counterexample::counterexample;
use super::options::Options;
use super::parts::CompiledParts;
use super::progress::count;
use super::task::Task;

/// One question that is being decided.
pub(super) struct Decision<'r, 's> {
    pub(super) script: &'r ResolvedScript,
    pub(super) evaluator: &'r mut Evaluator<'s>,
    pub(super) options: &'r Options,
    /// What was compiled of the evaluator's processes, and how.
    pub(super) parts: &'r mut CompiledParts,
    pub(super) task: &'r Task,
    /// The report, with all that is known by now.
    pub(super) report: &'r mut AssertionReport,
}

impl Decision<'_, '_> {
    /// Does `work` and notes in the report how long it took. The time of work that fails is noted
    /// by `attribute`.
    pub(super) fn timed<T>(
        &mut self,
        stage: fn(&mut Seconds) -> &mut f64,
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let started = Instant::now();
        // Work that fails leaves the seconds of its stage at 0: by that `attribute` recognises the
        // stage.
        let done = work(self)?;
        *stage(&mut self.report.seconds) += started.elapsed().as_secs_f64();
        self.task.publish(self.report);
        Ok(done)
    }

    /// The report of `witness`, a counterexample of `process` that was replayed.
    pub(super) fn reported(
        &mut self,
        process: TermId,
        witness: &Refutation,
    ) -> Result<Counterexample> {
        counterexample(
            self.evaluator,
            process,
            witness,
            self.options.explain,
            &self.parts.options,
        )
    }

    /// The options of a search in memory.
    pub(super) fn check_options(&self) -> CheckOptions {
        CheckOptions {
            max_states: self.options.max_states,
            keeps_twists: false,
            threads: self.options.threads.clone(),
            // Only `product::search` can keep its states on disk.
            spill: None,
            cancellation: self.evaluator.cancellation().clone(),
            progress: self.task.sink(),
        }
    }

    /// The transition system of `machine`, found as far as it is asked for.
    pub(super) fn unfolding<'m>(&mut self, machine: &'m Machine) -> Result<LazyLts<&'m Machine>> {
        let token = &self.evaluator.cancellation().clone();
        LazyLts::new(machine, token)
    }

    /// Notes the numbers of a search, and how many states it met of a specification that was not
    /// listed before.
    pub(super) fn count_all(&mut self, statistics: Statistics) {
        count(statistics, self.report);
        self.report.specification = Some(SpecificationReport {
            states: statistics.specification_states,
        });
    }
}
