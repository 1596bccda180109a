//! The state that all parts of deciding one question share.

use std::time::Instant;

use base::diag::{Diagnostic, Result};
use eval::{Evaluator, ResolvedScript};
use machine::Machine;
use machine::explicit::LazyLts;
use process::semantics::Step;
use process::term::Definitions;
use refine::check::{CheckOptions, Statistics};
use report::assertion::{AssertionReport, Counterexample, SpecificationReport, WorkStage};
use witness::Refutation;

use super::compiled::Sides;
use super::counterexample::{counterexample, explained};
use super::options::Options;
use super::parts::CompiledParts;
use super::progress::count;
use super::task::Task;

/// One question that is being decided.
pub(super) struct Decision<'r, 's> {
    pub(super) script: &'r ResolvedScript,
    pub(super) evaluator: &'r mut Evaluator<'s>,
    pub(super) options: &'r Options,
    /// The machines and normal forms of the evaluator's processes, and how they are compiled.
    pub(super) parts: &'r mut CompiledParts,
    pub(super) task: &'r Task,
    /// The report, with all that is known by now.
    pub(super) report: &'r mut AssertionReport,
    /// The warnings about the question, whatever the verdict.
    pub(super) warnings: &'r mut Vec<Diagnostic>,
    /// True if a limit has cut work short after the verdict was known. The evaluator may then hold
    /// values that are half finished.
    pub(super) was_cut_short: bool,
}

impl Decision<'_, '_> {
    /// Does `work` of this stage and notes in the report how long it took, also if it fails.
    pub(super) fn timed<T>(
        &mut self,
        stage: WorkStage,
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let started = Instant::now();
        // Code that ends the run from outside gives the time of this work to its stage.
        self.report.seconds.under_way = stage;
        self.task.publish(self.report);
        let done = work(self);
        *self.report.seconds.of(stage) += started.elapsed().as_secs_f64();
        self.task.publish(self.report);
        done
    }

    /// The report of `witness`, a counterexample that was replayed.
    pub(super) fn reported(
        &mut self,
        sides: &Sides,
        witness: &Refutation,
    ) -> Result<Counterexample> {
        self.reported_along(sides, witness, None)
    }

    /// The report of `witness`, a counterexample whose steps are those of `run`, if there is one.
    pub(super) fn reported_along(
        &mut self,
        sides: &Sides,
        witness: &Refutation,
        run: Option<&[Step]>,
    ) -> Result<Counterexample> {
        let found = counterexample(witness, &self.evaluator.terms().events);
        if !self.options.explain {
            return Ok(found);
        }
        // This walks the whole run again on the terms, so it is done only for `--explain`.
        let explained = self.explained(sides, (witness, run), found.clone());
        let explained = self.unless_limit("what the components did is not shown", explained)?;
        Ok(explained.unwrap_or(found))
    }

    /// `found`, the report of `witness`, with what the components and the specification did.
    fn explained(
        &mut self,
        sides: &Sides,
        (witness, run): (&Refutation, Option<&[Step]>),
        found: Counterexample,
    ) -> Result<Counterexample> {
        let (process, options) = (sides.implementation, &self.parts.options);
        let found = explained(self.evaluator, process, (witness, run), found, options)?;
        let specification = sides.specification.as_ref();
        let row =
            specification.map(|specification| specification.row(self.evaluator, witness, options));
        Ok(Counterexample {
            specification: row.transpose()?,
            ..found
        })
    }

    /// The number of counterexamples that are wanted beyond the first.
    pub(super) fn further(&self) -> usize {
        self.options.counterexamples.saturating_sub(1)
    }

    /// The options of a search in memory for one counterexample.
    pub(super) fn check_options(&self) -> CheckOptions {
        CheckOptions {
            max_states: self.options.max_states,
            keeps_twists: false,
            threads: self.options.threads.clone(),
            further: 0,
            // Only `product` searches by normal forms.
            stubborn: None,
            // `product::placed` says where states are kept.
            spill: None,
            shared: None,
            cancellation: self.evaluator.cancellation().clone(),
            progress: self.task.sink(),
        }
    }

    /// The options of a search in memory of at most `most` states for one counterexample.
    pub(super) fn check_options_within(&self, most: u64) -> CheckOptions {
        CheckOptions {
            max_states: Some(most),
            ..self.check_options()
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
