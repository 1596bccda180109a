//! The symmetries of the check that belongs to a walk, and where the walk stands in that check.

use std::sync::Arc;

use base::cancel::Cancellation;
use base::diag::{Diagnostic, Result};
use base::index::TypedIndex;
use eval::Evaluator;
use explore::orbit::CheckedState;
use explore::terms::{LocatedState, MachineTerms};
use explore::walk::ProcessWalk;
use lts::graph::StateId;
use lts::normal_form::NormalForm;
use machine::packing::{PackedState, Packing};
use machine::successors::{Scratch, Successors};
use machine::{LeafId, Machine};
use process::event::{EventId, TAU};
use process::outermost::without_outer_compressions;
use process::semantics::steps;
use process::term::TermId;
use symmetry::ElementName;
use symmetry::naming::SymmetryNames;
use symmetry::pbisim::Symmetry;
use symmetry::permutation::EventPermutation;
use symmetry::representative::{AnyRep, Representative};
use witness::WitnessStep;

use super::additions::WrittenPermutation;
use super::options::Options;
use super::reduction::{Purpose, Reduction, reduction};
use super::script::Script;
use super::symmetries::compiled_for_symmetry;
use super::task::Task;
use super::walk_start::WalkedPart;

/// The symmetries of a check, and its states as terms.
pub(super) struct WalkSymmetry {
    pub(super) machine: Arc<Machine>,
    pub(super) form: Arc<NormalForm>,
    pub(super) reduction: Reduction,
    pub(super) terms: MachineTerms,
    names: SymmetryNames,
    packing: Packing,
    /// Finds representatives; `None` in plain search.
    representative: Option<AnyRep<Vec<u64>>>,
}

/// The place of a walk in a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Standing {
    pub(super) state: CheckedState,
    /// The process as it has become, without compressions around it.
    pub(super) term: TermId,
    pub(super) located: LocatedState,
}

impl WalkSymmetry {
    /// The symmetries that the check of `part` uses. Compiles both sides of it.
    pub(super) fn find(
        scope: &Script,
        evaluator: &mut Evaluator<'_>,
        part: WalkedPart,
        permutations: &[WrittenPermutation],
        options: &Options,
        task: &Task,
    ) -> Result<Self> {
        let check = (part.id, permutations);
        let (compiled, form, reduction) =
            scope.look_at_check(check, evaluator, options, task, |run, question| {
                let compiled = compiled_for_symmetry(run, question, scope.span(part.id))?;
                let form = Arc::clone(compiled.form());
                let found = reduction(run, &compiled, &question.claims, Purpose::Search)?;
                Ok((compiled, form, found))
            })?;
        if let Some(remark) = reduction.remark {
            let message = "there are no symmetries to show";
            return Diagnostic::undecided("unsupported", message)
                .note(remark)
                .into();
        }
        let machine = compiled.machine;
        let packing = machine.packing(form.state_count() as u32);
        let method = reduction.choice.method.as_ref();
        Ok(Self {
            names: SymmetryNames::new(evaluator, &machine, &form)?,
            terms: MachineTerms::new(Arc::clone(&machine)),
            representative: method.map(|method| method.packed(&packing)),
            packing,
            reduction,
            form,
            machine,
        })
    }

    /// The place of `term`, which was reached by the visible events `trace`.
    pub(super) fn standing(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        term: TermId,
        trace: &[EventId],
    ) -> Result<Standing> {
        let (term, located) = self.located(evaluator, term)?;
        Ok(Standing {
            state: CheckedState {
                specification: self.specification_after(trace),
                leaves: located.state.clone(),
            },
            term,
            located,
        })
    }

    /// `term` without compressions around it, and its place in the machine.
    pub(super) fn located(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        term: TermId,
    ) -> Result<(TermId, LocatedState)> {
        let term = without_outer_compressions(evaluator, term)?;
        Ok((term, self.terms.locate(evaluator, term)?))
    }

    /// Takes a step like `wanted` that leads to where the leaves are in these `states`. Returns
    /// true if there is one.
    pub(super) fn take_to(
        &mut self,
        evaluator: &mut Evaluator<'_>,
        walk: &mut ProcessWalk,
        wanted: WitnessStep,
        states: &[u32],
    ) -> Result<bool> {
        let terms = &mut self.terms;
        walk.take_to(evaluator, wanted, &mut |definitions, target| {
            let target = without_outer_compressions(definitions, target)?;
            Ok(terms.locate(definitions, target)?.state == states)
        })
    }

    /// The state of the specification after `trace`; `None` if a search goes no further, because
    /// the specification forbids an event or allows everything.
    fn specification_after(&self, trace: &[EventId]) -> Option<StateId> {
        let start = Some(NormalForm::INITIAL).filter(|&state| !self.form.is_divergent(state));
        let mut events = trace.iter();
        start.and_then(|start| events.try_fold(start, |state, &event| self.followed(state, event)))
    }

    /// The state of the specification after `event`, if a search goes on there.
    pub(super) fn followed(&self, state: StateId, event: EventId) -> Option<StateId> {
        if event == TAU {
            return Some(state);
        }
        let next = self.form.successor(state, event);
        next.filter(|&next| !self.form.is_divergent(next))
    }

    /// The state that a search stores for `state`, and the symmetry that leads to it; `None` if it
    /// stores nothing.
    pub(super) fn represented(
        &mut self,
        state: &CheckedState,
    ) -> Result<Option<(CheckedState, Symmetry)>> {
        let Some(mut packed) = self.packed(state) else {
            return Ok(None);
        };
        let Some(representative) = &mut self.representative else {
            let identity = self.reduction.group.identity().clone();
            return Ok(Some((state.clone(), identity)));
        };
        let twist = representative.twist(&packed);
        representative.represent(&mut packed);
        let image = state.image(&twist);
        if image != self.unpacked(&packed) {
            return fault(
                "a representative is no image of its state by the permutation that belongs to it",
            )
            .into();
        }
        Ok(Some((image, twist)))
    }

    /// `state` as a search packs it; `None` if a search does not come there.
    pub(super) fn packed(&self, state: &CheckedState) -> Option<Vec<u64>> {
        let mut packed = Vec::zero(self.packing.words());
        let values = state.leaves.iter().copied().chain([state.specification?.0]);
        for (field, value) in self.packing.fields().iter().zip(values) {
            packed.flip(field.word, field.flip(0, value));
        }
        Some(packed)
    }

    /// The state that `packed` stands for.
    pub(super) fn unpacked(&self, packed: &Vec<u64>) -> CheckedState {
        let mut values = self.packing.unpack(packed);
        // The field of the specification stands behind those of the leaves.
        let specification = values.pop().map(StateId);
        CheckedState {
            specification,
            leaves: values,
        }
    }

    /// The successors of states as a search packs them.
    pub(super) fn successors(
        &self,
        token: &Cancellation,
    ) -> Result<(Successors, Scratch<Vec<u64>>)> {
        let successors = self.machine.successors(&self.packing, token)?;
        Ok((successors, Scratch::new(self.packing.words())))
    }

    /// The name of `symmetry`.
    pub(super) fn name(
        &self,
        evaluator: &mut Evaluator<'_>,
        symmetry: &Symmetry,
    ) -> Result<ElementName> {
        self.names.element(evaluator, &self.machine, symmetry)
    }

    /// True if no symmetry moves the specification.
    pub(super) fn is_universal(&self) -> bool {
        self.reduction.group.is_universal()
    }

    /// The components, as they started.
    pub(super) fn components(&self) -> Vec<&str> {
        let leaves = (0..self.machine.leaves.len()).map(LeafId::from_usize);
        leaves
            .map(|leaf| self.machine.leaves[leaf].expression.as_str())
            .collect()
    }

    /// The events that the specification allows in `state`.
    pub(super) fn allowed(&self, state: StateId) -> Vec<EventId> {
        let row = self.form.row(state).iter();
        row.map(|&(event, _)| event).collect()
    }
}

/// The events that `to` offers. Fails unless they are the events that `from` offers, moved by
/// `permutation`. Goes by the rules of terms alone, which know nothing of machines and symmetries.
pub(super) fn moved_offers(
    evaluator: &mut Evaluator<'_>,
    from: TermId,
    permutation: &EventPermutation,
    to: TermId,
) -> Result<Vec<EventId>> {
    let expected = offers(evaluator, from)?.into_iter();
    let mut expected: Vec<EventId> = expected.map(|event| permutation.apply(event)).collect();
    expected.sort_unstable();
    let found = offers(evaluator, to)?;
    match found == expected {
        true => Ok(found),
        false => fault("an image of a state offers other events than the permutation says").into(),
    }
}

/// The events that `term` offers, τ and ✓ among them, ascending.
pub(super) fn offers(evaluator: &mut Evaluator<'_>, term: TermId) -> Result<Vec<EventId>> {
    let mut labels: Vec<EventId> = steps(evaluator, term)?
        .iter()
        .map(|step| step.label)
        .collect();
    labels.sort_unstable();
    labels.dedup();
    Ok(labels)
}

/// The message where the engines of symmetry and of terms do not agree.
pub(super) fn fault(note: &str) -> Diagnostic {
    let message = "what a symmetry does to a walk was found, but the walk does not do it";
    Diagnostic::undecided("internal-replay", message)
        .note(note.to_string())
        .note("this is a mistake in the checker, not in the script; nothing is shown")
}

/// The visible events among `labels`, ✓ included.
pub(super) fn visible(labels: impl Iterator<Item = EventId>) -> Vec<EventId> {
    labels.filter(|&label| label != TAU).collect()
}
