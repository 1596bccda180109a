//! Shorter paths to a violation, by leaving steps out.
//!
//! A dive goes where its order of choices leads, so its path has steps that the violation does not
//! need: a philosopher eats before the last one comes to the table. Each step in turn is left out,
//! and with it all later steps that are not possible then; if something is still wrong in the end,
//! the path is that much shorter. The path is one of leaf states, of which a step changes a few, so
//! trying takes far less than expanding pairs.

use super::super::offence::Offence;
use super::super::path::StraightStep;
use super::super::product::{Product, StateWords};
use super::super::refusals::Offer;
use super::super::selection::StepSelection;
use super::super::stubborn::StubbornSets;
use super::DivePlan;
use base::index::TypedIndex;
use lts::graph::StateId;
use lts::normal_form::NormalForm;
use machine::RuleId;
use machine::interference::RuleParticipant;
use machine::packing::Packing;
use machine::successors::Scratch;
use process::event::TAU;

/// The most steps that are tried again in all. That takes about a second.
const MOST_TRIED: usize = 1 << 24;

/// A step of a path by its leaves.
#[derive(Clone)]
struct LeafStep {
    by: RuleId,
    /// The states to which the leaves that take part go, in the order of the rule.
    to: Vec<u32>,
}

/// The steps of a shorter path to something wrong, and what that is; `steps` and `offence` if none
/// is found.
pub(super) fn shortened(
    (specification, product): (&NormalForm, &Product<'_>),
    sets: &StubbornSets,
    steps: Vec<StraightStep>,
    offence: Offence,
    plan: &DivePlan,
) -> (Vec<StraightStep>, Offence) {
    if offence == Offence::Divergence {
        return (steps, offence);
    }
    let mut shortening = Shortening {
        specification,
        product,
        sets,
        selection: StepSelection::new(product),
        left: MOST_TRIED,
    };
    let mut best = (shortening.leaf_steps(&steps), offence);
    let mut place = 0;
    let mut is_shorter = false;
    while place < best.0.len() {
        // The violation is known: what ends the work ends the shortening alone.
        if plan.cancellation.look(best.0.len()).is_err() {
            break;
        }
        let Some(left) = shortening.left.checked_sub(best.0.len()) else {
            break;
        };
        shortening.left = left;
        match shortening.without(&best.0, place) {
            Some(shorter) => {
                best = shorter;
                is_shorter = true;
            }
            None => place += 1,
        }
    }
    match is_shorter {
        true => (shortening.straight_steps(&best.0), best.1),
        false => (steps, offence),
    }
}

struct Shortening<'a> {
    specification: &'a NormalForm,
    product: &'a Product<'a>,
    sets: &'a StubbornSets,
    selection: StepSelection<'a>,
    /// The number of steps that may still be tried.
    left: usize,
}

impl Shortening<'_> {
    fn leaf_steps(&self, steps: &[StraightStep]) -> Vec<LeafStep> {
        let to = |step: &StraightStep| {
            let states = self.product.packing.unpack(&step.to);
            let participants = self.sets.interference().participants(step.by).iter();
            participants.map(|p| states[p.leaf.index()]).collect()
        };
        let steps = steps.iter();
        steps
            .map(|step| LeafStep {
                by: step.by,
                to: to(step),
            })
            .collect()
    }

    /// The steps of `steps` that are left if the one at `place` is left out, and all that are not
    /// possible then; and what is wrong after them. Returns `None` if nothing is.
    fn without(&mut self, steps: &[LeafStep], place: usize) -> Option<(Vec<LeafStep>, Offence)> {
        let mut walk = LeafWalk::new(self.product);
        let mut kept = Vec::new();
        let rest = steps.iter().enumerate().filter(|&(at, _)| at != place);
        for (_, step) in rest {
            match walk.step(step, self.specification, self.sets, self.product) {
                Stepped::Done => kept.push(step.clone()),
                Stepped::Not => {}
                Stepped::Wrong => break,
                Stepped::Free => return None,
            }
        }
        let pair = walk.pair();
        let mut scratch = Scratch::new(pair.len());
        let mut offer = self.product.refusals.as_ref().map(Offer::new);
        let selection = &mut self.selection;
        let wrong = selection.list(self.product, &pair, &mut scratch, offer.as_mut())?;
        Some((kept, wrong))
    }

    fn straight_steps(&self, steps: &[LeafStep]) -> Vec<StraightStep> {
        let mut walk = LeafWalk::new(self.product);
        let straight = |step: &LeafStep| {
            walk.step(step, self.specification, self.sets, self.product);
            StraightStep {
                by: step.by,
                to: walk.pair(),
            }
        };
        steps.iter().map(straight).collect()
    }
}

/// A pair, by the states of its leaves and of the specification.
struct LeafWalk<'a> {
    packing: &'a Packing,
    initial: StateWords,
    /// By leaf, its state; that of the specification comes last.
    states: Vec<u32>,
}

/// The effect of a step.
enum Stepped {
    Done,
    /// The step is not possible.
    Not,
    /// The step is possible, and the specification does not allow it.
    Wrong,
    /// The specification allows everything after the step.
    Free,
}

impl<'a> LeafWalk<'a> {
    fn new(product: &'a Product<'a>) -> Self {
        let packing = &product.packing;
        let initial: StateWords = product.successors.initial(packing.words());
        Self {
            packing,
            states: packing.unpack(&initial),
            initial,
        }
    }

    fn step(
        &mut self,
        step: &LeafStep,
        specification: &NormalForm,
        sets: &StubbornSets,
        product: &Product<'_>,
    ) -> Stepped {
        let interference = sets.interference();
        let participants = interference.participants(step.by);
        let goes = |(participant, to): (&RuleParticipant, &u32)| {
            let action = &interference.actions[participant.action as usize];
            let wanted = (self.states[participant.leaf.index()], *to);
            action.transitions.binary_search(&wanted).is_ok()
        };
        if !participants.iter().zip(&step.to).all(goes) {
            return Stepped::Not;
        }
        let beside = product.machine.leaves.len();
        let event = product.machine.rules[step.by].result;
        if event != TAU {
            match specification.successor(StateId(self.states[beside]), event) {
                None => return Stepped::Wrong,
                Some(next) if specification.is_divergent(next) => return Stepped::Free,
                Some(next) => self.states[beside] = next.0,
            }
        }
        for (participant, to) in participants.iter().zip(&step.to) {
            self.states[participant.leaf.index()] = *to;
        }
        Stepped::Done
    }

    fn pair(&self) -> StateWords {
        let mut pair = self.initial.clone();
        self.packing.put(&mut pair, &self.states);
        pair
    }
}
