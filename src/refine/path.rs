//! Turning a path of stored pairs into a run of the machine from its initial state, with its twists
//! undone.
//!
//! # Why the run is one, also when symmetries move the initial pair
//!
//! Let x₀ be the initial pair and G a group of automorphisms of the transitions between pairs of
//! specification and machine states: if x –e→ y and σ ∈ G then xσ –eσ→ yσ. (Each generator was
//! verified to be one; nothing is asked of x₀.) The stored path is r = ⟨s₀, e₁, σ₁, s₁, …, eₙ, σₙ,
//! sₙ⟩ with s₀ = x₀σ₀ and, for each k, a transition sₖ –eₖ₊₁→ yₖ₊₁ and sₖ₊₁ = yₖ₊₁σₖ₊₁. Put τₖ =
//! σ₀σ₁…σₖ and xₖ = sₖτₖ⁻¹; for k = 0 that is the initial pair.
//!
//! *Claim: ⟨x₀, e₁τ₀⁻¹, x₁, …, eₙτₙ₋₁⁻¹, xₙ⟩ is an untwisted path from the initial pair, and if e
//! is a bad event of sₙ then eτₙ⁻¹ is one of xₙ.* Proof: τₖ⁻¹ ∈ G carries the transition sₖ –eₖ₊₁→
//! yₖ₊₁ to xₖ –eₖ₊₁τₖ⁻¹→ yₖ₊₁τₖ⁻¹, and yₖ₊₁τₖ⁻¹ = sₖ₊₁σₖ₊₁⁻¹τₖ⁻¹ = sₖ₊₁τₖ₊₁⁻¹ = xₖ₊₁. Automorphisms
//! keep which events a pair can do, and which of them its specification refuses. ∎ This is Lemma 1
//! of the paper, read from right to left and for a path that begins at a twisted initial pair: its
//! recover2(r) = ⟨e₁σ₁…σₙ, …, eₙσₙ⟩ is this trace twisted by τₙ, since (eₖτₖ₋₁⁻¹)τₙ = eₖσₖ…σₙ. Only
//! if G fixes x₀, as Theorem 2 asks, is recover2(r) a counterexample as it stands.
//!
//! *Shortest.* A path of pairs x₀ … x gives one of representatives of the same length, and, by the
//! claim, the other way round; so the level at which an orbit is first found is the least distance
//! of its pairs from x₀, and the first bad pair of a breadth-first search ends a shortest
//! counterexample.
//!
//! *Believed only when walked.* Each xₖ is computed, and the machine must have the transition from
//! xₖ₋₁ to xₖ with the label that untwisting gave, else there is no verdict. That catches a
//! supposed symmetry that is none.

use super::after_rests::SeenRest;
use super::offence::Offence;
use super::product::{Allowance, Product, StateWords};
use super::twisted_path::{PairStates, TwistedPair, TwistedPath, TwistedStep};
use base::diag::{Diagnostic, Result};
use machine::packing::PackedState;
use machine::successors::Scratch;
use machine::{LeafId, Machine, RuleId};
use process::acceptance::acceptance;
use process::event::EventId;
use symmetry::pbisim::Symmetry;
use symmetry::representative::apply;

/// A run of the machine from its initial state to one where it does what the specification does not
/// allow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// The steps that the specification allows.
    pub steps: Vec<PathStep>,
    /// The run of the machine; `None` if the path was found without one.
    pub run: Option<PathRun>,
    /// For each of the steps the offers of the machine before it, ascending, if it was at rest
    /// there. Empty in models that do not remember rests.
    pub rests: Vec<Option<Vec<EventId>>>,
    /// The violation, which the specification does not allow.
    pub violation: Violation,
    /// The path as the search saw it, if it used symmetries and was asked to keep that.
    pub twisted: Option<Box<TwistedPath>>,
}

impl Path {
    /// The labels of all steps, including the step that is not allowed.
    pub fn labels(&self) -> Vec<EventId> {
        self.all_steps().map(|step| step.label).collect()
    }

    /// All steps, including the one that is not allowed.
    pub fn all_steps(&self) -> impl Iterator<Item = &PathStep> {
        let wrong = match &self.violation {
            Violation::Event(step) | Violation::Revival(_, step) => Some(step),
            Violation::Refusal(_) | Violation::Divergence => None,
        };
        self.steps.iter().chain(wrong)
    }
}

/// The behaviour of a machine that its specification does not allow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Violation {
    /// The machine does this step.
    Event(PathStep),
    /// The machine comes to rest offering only these events, ascending.
    Refusal(Vec<EventId>),
    /// The machine comes to rest offering only these events, ascending, and does this step from
    /// there.
    Revival(Vec<EventId>, PathStep),
    /// The machine can do τ for ever.
    Divergence,
}

/// A path whose twists were undone.
pub(super) struct Recovered {
    pub(super) path: Path,
    /// The pair at its end.
    pub(super) last: StateWords,
    /// The offence of that pair.
    pub(super) wrong: Offence,
}

/// Takes pairs to their representatives.
pub(super) trait Twists {
    /// Replaces a pair by its representative.
    fn represent(&mut self, pair: &mut StateWords);

    /// The symmetry by which a pair is moved to its representative; `None` where each pair
    /// represents itself.
    fn twist(&mut self, pair: &StateWords) -> Option<Symmetry>;
}

/// One transition of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PathStep {
    /// The event that the environment sees: τ, ✓ or a visible event.
    pub label: EventId,
    /// The event before all hiding and renaming above the leaves.
    pub origin: EventId,
}

/// The run of a machine along a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathRun {
    /// The rule of each step, including the one that is not allowed.
    pub rules: Vec<RuleId>,
    /// The states of the leaves at the start and after each step that is allowed. Costs 4 bytes for
    /// each step and leaf. Rules alone do not say which state a leaf goes to.
    pub states: Vec<Vec<u32>>,
}

/// Untwists the path through the stored pairs s₀, s₁, …, and the offence `wrong` of the last. If
/// `keeps_twists`, each step takes a [`TwistedPair`] of memory more.
pub(super) fn recover(
    product: &Product<'_>,
    twists: &mut dyn Twists,
    stored: &[StateWords],
    wrong: Offence,
    keeps_twists: bool,
) -> Result<Recovered> {
    let mut untwisting = Untwisting::new(product, twists, &stored[0])?;
    let mut steps = Vec::with_capacity(stored.len() - 1);
    let mut run = PathRun {
        rules: Vec::with_capacity(stored.len()),
        states: vec![leaf_states(product, &untwisting.at)],
    };
    let start = untwisting.pair(&stored[0]).filter(|_| keeps_twists);
    let mut twisted = start.map(|start| {
        Box::new(TwistedPath {
            start,
            steps: Vec::with_capacity(stored.len() - 1),
            wrong: match wrong {
                Offence::Event(rule, event) => Some(step(product, rule, event)),
                Offence::Revival(event) => {
                    let found = first_step(product, &stored[stored.len() - 1], event);
                    found.map(|(_, step)| step)
                }
                Offence::Refusal | Offence::Divergence => None,
            },
        })
    });
    let mut rests = Vec::new();
    for pair in stored.windows(2) {
        rests.extend(rest_that_counts(product, &untwisting.at));
        let (met, rule, real) = untwisting.step(&pair[0], &pair[1])?;
        run.rules.push(rule);
        steps.push(real);
        run.states.push(leaf_states(product, &untwisting.at));
        if let Some(twisted) = &mut twisted {
            let pair = untwisting.pair(&pair[1]);
            twisted
                .steps
                .extend(pair.map(|pair| TwistedStep { met, pair }));
        }
    }
    let (violation, rule, wrong) = untwisting.violation(wrong)?;
    run.rules.extend(rule);
    Ok(Recovered {
        path: Path {
            steps,
            run: Some(run),
            rests,
            violation,
            twisted,
        },
        last: untwisting.at,
        wrong,
    })
}

/// A step of a path that has no twists.
pub(super) struct StraightStep {
    /// The rule of the step.
    pub(super) by: RuleId,
    /// The pair after it.
    pub(super) to: StateWords,
}

/// The path of these steps from the initial pair, to a pair with the offence `wrong`, in a model
/// that does not remember rests.
pub(super) fn straight(
    product: &Product<'_>,
    steps: &[StraightStep],
    wrong: Offence,
) -> Result<Path> {
    let initial: StateWords = product.successors.initial(product.packing.words());
    let last = steps.last().map_or(&initial, |step| &step.to);
    let (violation, rule) = violation_of(product, last, wrong)?;
    let rules = steps.iter().map(|step| step.by);
    let pairs = [&initial]
        .into_iter()
        .chain(steps.iter().map(|step| &step.to));
    Ok(Path {
        steps: rules
            .clone()
            .map(|rule| step(product, rule, product.machine.rules[rule].result))
            .collect(),
        run: Some(PathRun {
            rules: rules.chain(rule).collect(),
            states: pairs.map(|pair| leaf_states(product, pair)).collect(),
        }),
        rests: Vec::new(),
        violation,
        twisted: None,
    })
}

/// The untwisted path, up to some stored pair sₖ.
struct Untwisting<'a> {
    product: &'a Product<'a>,
    twists: &'a mut dyn Twists,
    /// σₖ and τₖ⁻¹, where not each pair represents itself.
    moved: Option<(Symmetry, Symmetry)>,
    /// xₖ
    at: StateWords,
}

impl<'a> Untwisting<'a> {
    /// The untwisted path at `first`, the representative s₀ of the initial pair.
    fn new(
        product: &'a Product<'a>,
        twists: &'a mut dyn Twists,
        first: &StateWords,
    ) -> Result<Self> {
        let initial: StateWords = product.successors.initial(product.packing.words());
        let twist = twists.twist(&initial);
        let untwisting = Self {
            product,
            twists,
            moved: twist.map(|twist| (twist.clone(), twist.inverse())),
            at: initial,
        };
        if untwisting.untwisted(first) != untwisting.at {
            return not_recovered("the search did not start at the initial state").into();
        }
        Ok(untwisting)
    }

    /// The image of a stored pair under τₖ⁻¹.
    fn untwisted(&self, stored: &StateWords) -> StateWords {
        match &self.moved {
            Some((_, undo)) => apply(&self.product.packing, undo, stored),
            None => stored.clone(),
        }
    }

    /// The image of an event of a stored pair under τₖ⁻¹.
    fn untwisted_event(&self, event: EventId) -> EventId {
        let undo = self.moved.as_ref();
        undo.map_or(event, |(_, undo)| undo.events.apply(event))
    }

    /// The pair `stored` where the path is, with the pair of the run that it stands for; `None`
    /// where each pair represents itself.
    fn pair(&self, stored: &StateWords) -> Option<TwistedPair> {
        let (twist, undo) = self.moved.clone()?;
        Some(TwistedPair {
            twist,
            undo,
            stored: PairStates::of(self.product, stored),
            real: PairStates::of(self.product, &self.at),
        })
    }

    /// The step from the stored pair `from`, where the path is, to `to`: as the search met it, and
    /// untwisted with its rule.
    fn step(&mut self, from: &StateWords, to: &StateWords) -> Result<(PathStep, RuleId, PathStep)> {
        let twists = &mut *self.twists;
        let found = first_transition(self.product, from, |_, _, next| {
            next.is_some_and(|next| {
                let mut next = next.clone();
                twists.represent(&mut next);
                next == *to
            })
        });
        let Some((_, met, Some(next))) = found else {
            return not_recovered("a stored state represents no successor of its parent").into();
        };
        // By the claim at the head of the file, τₖ₋₁ untwists the label of step k, so `undo` of
        // `from` is still used.
        let label = self.untwisted_event(met.label);
        if let Some((twist, undo)) = &mut self.moved
            && let Some(next) = self.twists.twist(&next)
        {
            *twist = next;
            // τₖ = τₖ₋₁σₖ, so its inverse begins with that of σₖ.
            *undo = twist.inverse().then(undo);
        }
        let at = self.untwisted(to);
        let found = first_transition(self.product, &self.at, |_, step, next| {
            step.label == label && next == Some(&at)
        });
        let Some((rule, step, _)) = found else {
            return not_recovered("the machine has no step where untwisting gives one").into();
        };
        self.at = at;
        Ok((met, rule, step))
    }

    /// The violation and the offence of the last pair, untwisted, and the rule of the step that is
    /// not allowed, if that is the violation.
    fn violation(&self, wrong: Offence) -> Result<(Violation, Option<RuleId>, Offence)> {
        let wrong = match wrong {
            Offence::Event(rule, event) => {
                let (rule, step) = self.refused_step(rule, event)?;
                Offence::Event(rule, step.label)
            }
            Offence::Revival(event) => Offence::Revival(self.untwisted_event(event)),
            Offence::Refusal | Offence::Divergence => wrong,
        };
        let (violation, rule) = violation_of(self.product, &self.at, wrong)?;
        Ok((violation, rule, wrong))
    }

    /// The untwisted step that the specification does not allow: `event` from the last stored pair
    /// by `rule`, if possible done by the leaves to which those of the rule go. Perhaps no rule of
    /// those leaves does the event: a symmetry keeps which leaves change, and not which take part.
    fn refused_step(&self, rule: RuleId, event: EventId) -> Result<(RuleId, PathStep)> {
        let Some((_, undo)) = &self.moved else {
            return Ok((rule, step(self.product, rule, event)));
        };
        // The rule is one of the twisted pair; in the untwisted one another rule does the event.
        let label = undo.events.apply(event);
        let leaves = participants(self.product.machine, rule).into_iter();
        let mut leaves: Vec<LeafId> = leaves.map(|leaf| undo.pbisim.leaf(leaf)).collect();
        leaves.sort_unstable();
        let refused =
            |step: PathStep, next: Option<&StateWords>| step.label == label && next.is_none();
        let by_images = |rule: RuleId, step: PathStep, next: Option<&StateWords>| {
            refused(step, next) && participants(self.product.machine, rule) == leaves
        };
        let found = first_transition(self.product, &self.at, by_images).or_else(|| {
            first_transition(self.product, &self.at, |_, step, next| refused(step, next))
        });
        let Some((rule, step, _)) = found else {
            return not_recovered("the event that untwisting gives does not violate").into();
        };
        Ok((rule, step))
    }
}

/// The leaves that take part in `rule`, ascending.
pub(super) fn participants(machine: &Machine, rule: RuleId) -> Vec<LeafId> {
    let participants = machine.rules[rule].participants.iter();
    participants.map(|&(leaf, _)| leaf).collect()
}

/// The violation that `wrong` is of `pair`, and the rule of the step that is not allowed, if that
/// is the violation.
fn violation_of(
    product: &Product<'_>,
    pair: &StateWords,
    wrong: Offence,
) -> Result<(Violation, Option<RuleId>)> {
    match wrong {
        Offence::Event(rule, event) => {
            let step = step(product, rule, event);
            Ok((Violation::Event(step), Some(rule)))
        }
        Offence::Refusal | Offence::Revival(_) => at_rest(product, pair, wrong),
        Offence::Divergence => Ok((Violation::Divergence, None)),
    }
}

/// The violation of `pair` at rest, a refusal or a revival as `wrong` says, and the rule of the
/// step after the rest of a revival. Fails if the specification allows it.
fn at_rest(
    product: &Product<'_>,
    pair: &StateWords,
    wrong: Offence,
) -> Result<(Violation, Option<RuleId>)> {
    let specification = product.specification_state(pair);
    if let (Some(offers), Some(refusals)) = (rest_of(product, pair), &product.refusals)
        && refusals.offences(specification, &offers).contains(&wrong)
    {
        let Offence::Revival(event) = wrong else {
            return Ok((Violation::Refusal(offers), None));
        };
        if let Some((rule, step)) = first_step(product, pair, event) {
            return Ok((Violation::Revival(offers, step), Some(rule)));
        }
    }
    not_recovered("what the last state refuses is allowed").into()
}

/// The offers of the machine in `pair`, ascending, if it is at rest there.
fn rest_of(product: &Product<'_>, pair: &StateWords) -> Option<Vec<EventId>> {
    let mut labels: Vec<EventId> = Vec::new();
    let mut scratch = Scratch::new(product.packing.words());
    product
        .successors
        .for_each(pair, &mut scratch, &mut |_, event, _: &StateWords| {
            labels.push(event);
        });
    acceptance(labels)
}

/// The offers of the machine in `pair`, if it is at rest there; `None` in models that do not
/// remember rests.
fn rest_that_counts(product: &Product<'_>, pair: &StateWords) -> Option<Option<Vec<EventId>>> {
    let counts = product.model.remembers_refusals();
    counts.then(|| rest_of(product, pair))
}

/// The first step of the machine from `pair` that does `event`, with its rule.
fn first_step(
    product: &Product<'_>,
    pair: &StateWords,
    event: EventId,
) -> Option<(RuleId, PathStep)> {
    let mut found = None;
    let mut scratch = Scratch::new(product.packing.words());
    product
        .successors
        .for_each(pair, &mut scratch, &mut |rule, label, _: &StateWords| {
            if label == event {
                found = found.or(Some((rule, step(product, rule, event))));
            }
        });
    found
}

/// The first transition of the machine from `from` that is `wanted`. `wanted` is also given the
/// pair after the transition, or `None` if the specification refuses the event. Transitions after
/// which everything is allowed are left out.
fn first_transition(
    product: &Product<'_>,
    from: &StateWords,
    mut wanted: impl FnMut(RuleId, PathStep, Option<&StateWords>) -> bool,
) -> Option<(RuleId, PathStep, Option<StateWords>)> {
    let mut found = None;
    let mut scratch = Scratch::new(product.packing.words());
    let mut rest = SeenRest::new(true);
    rest.look(product, from, &mut scratch);
    product
        .successors
        .for_each(from, &mut scratch, &mut |rule, event, next: &StateWords| {
            if found.is_some() {
                return;
            }
            let next = match rest.follow(product, from, event) {
                Allowance::Refused => None,
                // The pair after it was not stored, and the event is nothing wrong.
                Allowance::Free => return,
                Allowance::Allowed(word, flip) => {
                    let mut next = next.clone();
                    next.flip(word, flip);
                    Some(next)
                }
            };
            let step = step(product, rule, event);
            if wanted(rule, step, next.as_ref()) {
                found = Some((rule, step, next));
            }
        });
    found
}

fn step(product: &Product<'_>, rule: RuleId, event: EventId) -> PathStep {
    PathStep {
        label: event,
        origin: product.machine.rules[rule].origin,
    }
}

/// The states of the leaves in `pair`.
pub(super) fn leaf_states(product: &Product<'_>, pair: &StateWords) -> Vec<u32> {
    let leaves = &product.packing.fields()[..product.machine.leaves.len()];
    leaves.iter().map(|field| field.get(pair)).collect()
}

/// The problem that is reported where the search found something that cannot be.
pub(super) fn not_recovered(note: &str) -> Diagnostic {
    Diagnostic::undecided(
        "internal-replay",
        "a counterexample was found, but recovering it failed",
    )
    .note(note)
    .note("this is a mistake in the checker, not in the script; there is no verdict")
}
