//! The checks of a script's assertions, which share what they evaluate and compile.

use std::time::Instant;

use base::diag::Result;
use base::source::Span;
use eval::Evaluator;
use report::assertion::{Verdict, WorkStage};
use syntax::ast::{Assertion, AssertionKind, DeclarationId};

use super::additions::WrittenPermutation;
use super::asking::placed;
use super::decide::decide;
use super::decision::Decision;
use super::options::{Options, Symmetries};
use super::parts::CompiledParts;
use super::progress::attribute;
use super::question::{question, refinement_model, tau_priority};
use super::script::{Answer, Script};
use super::symmetric::{ClaimedSymmetry, decide_symmetric};
use super::task::Task;

/// Decides assertions of a script, one after the other. A process that several of them name is
/// compiled once, and a specification is normalised once.
///
/// No answer depends on what was decided before. Events and terms are numbered as they are first
/// met, and these numbers decide which of several counterexamples is found, and which τ a `chase`
/// follows. So an assertion that has a counterexample beside what is shared is decided once more by
/// itself, and nothing is shared in a script that chases.
#[derive(Debug)]
pub struct Checks<'s> {
    script: &'s Script,
    options: &'s Options,
    shared: Option<SharedParts<'s>>,
}

/// The evaluator and the compiled parts that one check leaves for the next.
#[derive(Debug)]
struct SharedParts<'s> {
    evaluator: Evaluator<'s>,
    parts: CompiledParts,
}

/// The remark on a counterexample that another order of assertions may change.
const BESIDE_OTHERS: &str = "a limit was reached while this was decided by itself: the counterexample is that found beside other assertions";

/// The shared parts are dropped if, at the end of a check, the program has more than one part in
/// this many of the memory that it may take. So an assertion has nearly as much room as if it were
/// asked alone.
const SHARE_OF_MEMORY: u64 = 8;

impl<'s> Checks<'s> {
    /// Checks that have decided nothing.
    pub(super) fn new(script: &'s Script, options: &'s Options) -> Self {
        Self {
            script,
            options,
            shared: None,
        }
    }

    /// Decides the assertion at `index`, which is counted from 0 in the order of
    /// [`Script::assertions`].
    ///
    /// # Panics
    ///
    /// If there is no assertion at `index`.
    pub fn check(&mut self, index: usize, task: &Task) -> Answer {
        self.decide(self.script.assertions[index], task)
    }

    pub(super) fn decide(&mut self, id: DeclarationId, task: &Task) -> Answer {
        let (script, options) = (self.script, self.options);
        let wishes = match script.wishes(id, options) {
            Ok(wishes) => wishes,
            Err(problem) => return script.unanswered(script.report_on(id, options), *problem),
        };
        let mut answer = match &wishes.wish {
            Some(wish) => script.decide_for_all(id, wish, options, task),
            None => self.decide_instance(id, task),
        };
        answer.report.remarks.extend(wishes.remarks);
        answer
    }

    /// Decides the assertion for the constants that the script has.
    pub(super) fn decide_instance(&mut self, id: DeclarationId, task: &Task) -> Answer {
        // Only permutations add texts to the script here. Other questions need no copy of it.
        if !matches!(self.options.symmetries, Symmetries::Permutations(_)) {
            return self.decide_with(id, &[], task);
        }
        let mut scope = self.script.scope();
        match scope.permutations(self.options) {
            Ok(permutations) => {
                Checks::new(&scope, self.options).decide_with(id, &permutations, task)
            }
            Err(problem) => scope.unanswered(self.script.report_on(id, self.options), *problem),
        }
    }

    /// Decides an assertion as if it was asked alone.
    fn decide_with(
        &mut self,
        id: DeclarationId,
        permutations: &[WrittenPermutation],
        task: &Task,
    ) -> Answer {
        if self.options.profile {
            task.begin_profile();
        }
        let is_beside_others = self.shared.is_some();
        let mut answer = self.decide_once(id, permutations, task);
        let found = answer.report.counterexample.as_ref();
        // Where a limit has cut the replay short, a second one would be cut short as well.
        if is_beside_others && found.is_some_and(|found| found.replayed.is_none()) {
            // The parts that other assertions share stay for those that follow.
            let shared = self.shared.take();
            let alone = self.decide_once(id, permutations, task);
            self.shared = shared;
            // A verdict that is known is not lost where a limit ends the second run.
            if alone.problem.is_some() {
                answer.report.remarks.push(BESIDE_OTHERS.to_string());
            } else {
                let before = std::mem::replace(&mut answer, alone).report.seconds;
                answer.report.seconds.add(&before);
            }
        }
        if self.options.profile {
            answer.report.profile = task.end_profile();
        }
        answer
    }

    /// Decides an assertion beside what is shared, if anything is.
    fn decide_once(
        &mut self,
        id: DeclarationId,
        permutations: &[WrittenPermutation],
        task: &Task,
    ) -> Answer {
        let started = Instant::now();
        let (script, options) = (self.script, self.options);
        let mut report = script.report_on(id, options);
        if let Err(mistake) = script.unless_mistaken(id) {
            return script.unanswered(report, *mistake);
        }
        report.seconds.load = script.load_seconds;
        // From now on code that ends the run from outside has this report to print.
        task.publish(&report);
        let span = script.span(id);
        let mut shared = self.shared(task);
        let mut warnings = Vec::new();
        let run = &mut Decision {
            script: &script.script,
            evaluator: &mut shared.evaluator,
            parts: &mut shared.parts,
            options,
            task,
            report: &mut report,
            warnings: &mut warnings,
            was_cut_short: false,
        };
        let outcome = verdict(run, script.assertion(id), span, permutations);
        let was_cut_short = run.was_cut_short;
        // After a success `attribute` only adds up.
        let unfinished = outcome.is_err().then(|| started.elapsed().as_secs_f64());
        attribute(unfinished.unwrap_or(0.0), &mut report);
        let answer = match outcome {
            Ok(()) => {
                // A search that is resumed has to number events as it did when it was begun,
                // whatever was asked before it then. The processes of a cluster have to number them
                // alike too, however much room each has.
                let is_alone = options.storage.is_none() && options.cluster.is_none();
                let is_whole = is_alone && !was_cut_short;
                let may_share = is_whole && !script.chases() && leaves_room(task);
                self.shared = may_share.then_some(shared);
                script.answered(report)
            }
            // Work that was cut short leaves half-finished values behind: nothing of it is shared.
            Err(problem) => script.unanswered(report, placed(task.explained(*problem), span)),
        };
        Answer { warnings, ..answer }
    }

    /// The parts that the checks so far have left, for work under the token of `task`.
    fn shared(&mut self, task: &Task) -> SharedParts<'s> {
        let shared = self
            .shared
            .take()
            .map(|shared| (shared.evaluator, shared.parts));
        let (evaluator, parts) = shared.unzip();
        SharedParts {
            evaluator: self.script.evaluator_after(evaluator, self.options, task),
            parts: parts.unwrap_or_else(|| CompiledParts::new(self.options.compile_options())),
        }
    }
}

/// Decides `assertion`, which stands at `span`, and fills the report in as far as that gets.
fn verdict(
    run: &mut Decision<'_, '_>,
    assertion: &Assertion,
    span: Span,
    permutations: &[WrittenPermutation],
) -> Result<()> {
    match &assertion.kind {
        AssertionKind::Symmetric {
            subject,
            model,
            types,
        } => {
            // The machines that are compiled for such an assertion serve its symmetry alone, so
            // that all of its time is time for symmetry.
            let holds = run.timed(WorkStage::Symmetry, |run| {
                let model = model.map(|model| refinement_model(Some(model), span));
                let claim = ClaimedSymmetry {
                    subject: *subject,
                    model: model.transpose()?,
                    types,
                    tau_priority: tau_priority(assertion),
                };
                decide_symmetric(run, &claim)
            })?;
            run.report.verdict = Verdict::of(holds != assertion.negated);
            Ok(())
        }
        _ => decide(run, &question(assertion, span, run.options, permutations)?),
    }
}

/// True if little enough memory is in use for the next check to begin with the shared parts.
fn leaves_room(task: &Task) -> bool {
    let memory = task.cancellation.memory();
    let tightest = memory.and_then(|memory| memory.tightest());
    tightest.is_none_or(|(most, now)| now <= most / SHARE_OF_MEMORY)
}
