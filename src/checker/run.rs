//! One question that is being decided: what all parts of that share.

use std::time::Instant;

use crate::diag::Result;
use crate::eval::{Evaluator, ResolvedScript};
use crate::machine::Machine;
use crate::machine::explicit::Unfolding;
use crate::process::term::{Definitions, TermId};
use crate::refine::check::{CheckOptions, Statistics};
use crate::report::assertion::{AssertionReport, Counterexample, Seconds, SpecificationReport};
use crate::witness::Counterexample as Witness;

use super::counterexample::counterexample;
use super::options::Options;
use super::progress::count;
use super::task::Task;

/// One question that is being decided.
pub(super) struct Run<'r, 's> {
    pub(super) script: &'r ResolvedScript,
    pub(super) evaluator: &'r mut Evaluator<'s>,
    pub(super) options: &'r Options,
    pub(super) task: &'r Task,
    /// What is known by now.
    pub(super) report: &'r mut AssertionReport,
}

impl Run<'_, '_> {
    /// What `work` gives, whose time is noted once it is done. That of work which fails is noted by `attribute`.
    pub(super) fn timed<T>(
        &mut self,
        stage: fn(&mut Seconds) -> &mut f64,
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let started = Instant::now();
        let done = work(self)?;
        *stage(&mut self.report.seconds) = started.elapsed().as_secs_f64();
        self.task.publish(self.report);
        Ok(done)
    }

    /// A counterexample of `process` that was replayed, as it is reported.
    pub(super) fn reported(
        &mut self,
        process: TermId,
        witness: &Witness,
    ) -> Result<Counterexample> {
        counterexample(self.evaluator, process, witness, self.options.explain)
    }

    /// How a search in memory goes.
    pub(super) fn check_options(&self) -> CheckOptions {
        CheckOptions {
            max_states: self.options.max_states,
            threads: self.options.threads.clone(),
            spill: None,
            cancellation: self.evaluator.cancellation().clone(),
        }
    }

    /// `machine` state by state.
    pub(super) fn unfolding<'m>(&mut self, machine: &'m Machine) -> Result<Unfolding<'m>> {
        let token = &self.evaluator.cancellation().clone();
        Unfolding::new(machine, token)
    }

    /// Notes what a search took, with what it met of a specification that was not listed before.
    pub(super) fn count_all(&mut self, statistics: Statistics) {
        count(statistics, self.report);
        self.report.specification = Some(SpecificationReport {
            states: statistics.specification_states,
        });
    }
}
