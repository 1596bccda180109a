//! A whole walk moved by a permutation, which has to be a symmetry of its check.

use base::diag::{Diagnostic, Result as Diagnosed};
use eval::Evaluator;
use explore::walk::ProcessWalk;
use lts::normal_form::NormalForm;
use process::event::EventId;
use process::term::{Definitions, TermId};
use process::values::{EventValues, UserPermutation};
use report::orbit::{AppliedPermutation, MovedStep};
use symmetry::ElementName;
use symmetry::events::events_of;
use symmetry::pbisim::Symmetry;
use symmetry::permutation::EventPermutation;
use witness::WitnessStep;

use super::additions::{self, WrittenPermutation};
use super::options::{Options, Symmetries};
use super::script::Script;
use super::walk_symmetry::{Standing, WalkSymmetry, fault};
use super::walker::{MOST_CALLS, Walker};

impl Walker<'_> {
    /// The walk moved by `permutation`, which is added to `scope`. The scope is that of the walk.
    /// It has an evaluator and a walk of its own, because an evaluator knows no text that is added
    /// later.
    pub(super) fn moved(
        &self,
        scope: &mut Script,
        permutation: &str,
    ) -> Diagnosed<AppliedPermutation> {
        let said = format!("`{permutation}`");
        let written = additions::add_permutations(&mut scope.script, permutation, &said)?;
        if written.len() != 1 {
            let message = format!("{said} is not one permutation");
            return Diagnostic::error("bad-permutation", message)
                .hint("write the cycles of one permutation without commas, such as `(B C)(D E)`")
                .into();
        }
        let options = Options {
            symmetries: Symmetries::Found,
            algorithm: None,
            representative: None,
            ..self.options.clone()
        };
        let mut walker = Walker::started(scope, self.part, &written, &options, self.task)?;
        for name in self.path() {
            walker.take_named(&name)?;
        }
        walker.with_symmetry(|walker, symmetry| walker.move_walk(symmetry, &written[0]))
    }

    /// Replaces the walk by the one that `written` moves it to, and tells of both.
    fn move_walk(
        &mut self,
        symmetry: &mut WalkSymmetry,
        written: &WrittenPermutation,
    ) -> Diagnosed<AppliedPermutation> {
        let element = self.claimed(symmetry, written)?;
        let before = self.path();
        let trace = self.walk.trace();
        let here = symmetry.standing(&mut self.evaluator, self.walk.term(), &trace)?;
        let walk = self.moved_walk(symmetry, &element)?;
        self.walk = walk;
        let after = self.path();
        let image = here.state.image(&element);
        let (term, located) = symmetry.located(&mut self.evaluator, self.walk.term())?;
        let there = Standing {
            state: image,
            term,
            located,
        };
        let moves_specification = element.specification(NormalForm::INITIAL) != NormalForm::INITIAL;
        if moves_specification {
            // The moved walk is one beside the moved specification, which has no text.
            self.start.specification = None;
        }
        let name = ElementName {
            text: written.text.clone(),
            is_plain: true,
        };
        let element = (name, &element);
        let image = self.told_image(symmetry, &here, &there, element, moves_specification)?;
        let steps = before.into_iter().zip(after);
        Ok(AppliedPermutation {
            permutation: written.text.clone(),
            moves_start: image.moves_start,
            moves_state: there.state != here.state,
            image,
            steps: steps
                .map(|(step, image)| MovedStep { step, image })
                .collect(),
            walk: self.described()?,
        })
    }

    /// The symmetry that was claimed and verified, with what it does to events.
    fn claimed(
        &mut self,
        symmetry: &WalkSymmetry,
        written: &WrittenPermutation,
    ) -> Diagnosed<Symmetry> {
        let found = symmetry.reduction.findings.generators.first();
        if let Some(found) = found {
            return Ok(found.symmetry.clone());
        }
        // The permutation is a symmetry, but moves no state, so that it is no generator.
        let events = lifted(&mut self.evaluator, symmetry, written)?;
        Ok(Symmetry {
            events,
            ..symmetry.reduction.group.identity().clone()
        })
    }

    /// The walk moved by `element`: each step is taken by the rules of terms, to where the symmetry
    /// says that it leads.
    fn moved_walk(
        &mut self,
        symmetry: &mut WalkSymmetry,
        element: &Symmetry,
    ) -> Diagnosed<ProcessWalk> {
        let evaluator = &mut self.evaluator;
        let places: Vec<TermId> = self.walk.terms().collect();
        let (_, first) = symmetry.located(evaluator, places[0])?;
        let image = element.pbisim.image(&first.state);
        let start = match image == first.state {
            true => self.start.process,
            false => symmetry.terms.term(evaluator, &image, &first)?,
        };
        let mut moved = ProcessWalk::start(evaluator, start, MOST_CALLS)?;
        let steps: Vec<WitnessStep> = self.walk.taken().map(|taken| taken.step).collect();
        for (step, &place) in steps.iter().zip(&places[1..]) {
            let (_, located) = symmetry.located(evaluator, place)?;
            let image = element.pbisim.image(&located.state);
            let wanted = moved_step(*step, &element.events);
            if !symmetry.take_to(evaluator, &mut moved, wanted, &image)? {
                return fault("a step of the moved walk cannot be taken").into();
            }
        }
        Ok(moved)
    }
}

/// The permutation of the check's events that `written` makes.
fn lifted(
    evaluator: &mut Evaluator<'_>,
    symmetry: &WalkSymmetry,
    written: &WrittenPermutation,
) -> Diagnosed<EventPermutation> {
    let token = &evaluator.cancellation().clone();
    let events = events_of(&symmetry.machine, &symmetry.form, token)?;
    let pairs: Vec<(EventId, EventId)> = match evaluator.permutation_of(&written.cycles, &events)? {
        UserPermutation::Events(pairs) => pairs,
        UserPermutation::Values(parts) => match EventValues::lift(evaluator, &parts, &events)? {
            Ok(pairs) => pairs,
            Err(_) => return fault("an event has no image").into(),
        },
    };
    match EventPermutation::from_pairs(pairs) {
        Ok(permutation) => Ok(permutation),
        Err(_) => fault("the images of events are no permutation").into(),
    }
}

/// `step` with its events moved.
pub(super) fn moved_step(step: WitnessStep, permutation: &EventPermutation) -> WitnessStep {
    WitnessStep {
        label: permutation.apply(step.label),
        origin: permutation.apply(step.origin),
    }
}
