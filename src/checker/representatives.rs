//! The track of representatives beside a real run: the states that a search with symmetries stores.
//!
//! A search takes each step from a representative, and stores a representative of what it leads to
//! (`src/symmetry/PROOFS.md`, section 3). With the real run x₀ –f₁→ x₁ … and the total twists τₖ,
//! its k-th state is sₖ = xₖτₖ, and its k-th step eₖ = fₖτₖ₋₁. Both runs are kept step by step, and
//! each step of either is taken by the rules of terms.

use base::diag::{Diagnostic, Result as Diagnosed};
use explore::allowed::Allowed;
use explore::walk::ProcessWalk;
use process::term::{Definitions, TermId};
use report::walk::{RepresentativesNow, WalkReport};
use symmetry::pbisim::Symmetry;
use witness::WitnessStep;

use super::error::Error;
use super::moved_walk::moved_step;
use super::walk_symmetry::{WalkSymmetry, fault, moved_offers, visible};
use super::walker::{MOST_CALLS, Walker, name_of, step_named};

/// The track of representatives.
pub(super) struct RepresentativeTrack {
    /// The steps of the track. After each the walk goes on from the representative.
    pub(super) walk: ProcessWalk,
    /// The twists τ₀, τ₁, …, which take the states of the real run to those of the track.
    twists: Vec<Symmetry>,
    /// The names of the twists.
    names: Vec<String>,
}

impl RepresentativeTrack {
    /// The twist that takes the present state of the real run to that of the track.
    pub(super) fn twist(&self) -> &Symmetry {
        &self.twists[self.twists.len() - 1]
    }

    /// Goes back to where `steps` steps were taken.
    pub(super) fn truncate(&mut self, steps: usize) {
        self.walk.truncate(steps);
        self.twists.truncate(steps + 1);
        self.names.truncate(steps + 1);
    }
}

impl Walker<'_> {
    /// Shows the track of representatives from now on, beside the real run up to here.
    pub fn show_representatives(&mut self) -> Result<(), Error> {
        let shown = self.with_symmetry(|walker, symmetry| {
            let start = walker.start.process;
            walker.track = Some(RepresentativeTrack {
                walk: ProcessWalk::start(&mut walker.evaluator, start, MOST_CALLS)?,
                twists: Vec::new(),
                names: Vec::new(),
            });
            let represented = walker.represent_all(symmetry);
            if represented.is_err() {
                walker.track = None;
            }
            represented
        });
        self.said(shown)
    }

    /// Shows the real run from now on, as at first.
    pub fn show_real(&mut self) {
        self.track = None;
    }

    /// True if the track of representatives is shown.
    pub fn shows_representatives(&self) -> bool {
        self.track.is_some()
    }

    fn represent_all(&mut self, symmetry: &mut WalkSymmetry) -> Diagnosed<()> {
        let identity = symmetry.reduction.group.identity().clone();
        self.represent(symmetry, 0, identity)?;
        (1..=self.walk.len()).try_for_each(|step| self.extend_track(symmetry, step))
    }

    /// Takes step number `step` of the real run on the track as well, if that is shown.
    pub(super) fn follow_on_track(&mut self) -> Diagnosed<()> {
        if self.track.is_none() {
            return Ok(());
        }
        let step = self.walk.len();
        self.with_symmetry(|walker, symmetry| walker.extend_track(symmetry, step))
    }

    fn extend_track(&mut self, symmetry: &mut WalkSymmetry, step: usize) -> Diagnosed<()> {
        let Some(track) = &mut self.track else {
            return Ok(());
        };
        let twist = track.twist().clone();
        let (Some(taken), Some(term)) =
            (self.walk.taken().nth(step - 1), self.walk.terms().nth(step))
        else {
            return fault("the real run has no such step").into();
        };
        let (_, located) = symmetry.located(&mut self.evaluator, term)?;
        let image = twist.pbisim.image(&located.state);
        let wanted = moved_step(taken.step, &twist.events);
        if !symmetry.take_to(&mut self.evaluator, &mut track.walk, wanted, &image)? {
            return fault("a step from a representative cannot be taken").into();
        }
        self.represent(symmetry, step, twist)
    }

    /// Makes the track go on from the representative. On both tracks `step` steps were taken, and
    /// `twist` takes the real state to that of the track.
    fn represent(
        &mut self,
        symmetry: &mut WalkSymmetry,
        step: usize,
        twist: Symmetry,
    ) -> Diagnosed<()> {
        let (Some(track), Some(real)) = (&mut self.track, self.walk.terms().nth(step)) else {
            return fault("the real run has no such step").into();
        };
        let labels = self.walk.taken().take(step).map(|taken| taken.step.label);
        let evaluator = &mut self.evaluator;
        let real = symmetry.standing(evaluator, real, &visible(labels))?;
        let (_, located) = symmetry.located(evaluator, track.walk.term())?;
        let twist = match symmetry.represented(&real.state.image(&twist))? {
            Some((state, last)) => {
                let term = symmetry.terms.term(evaluator, &state.leaves, &located)?;
                if state.leaves != located.state && !track.walk.go_on_from(evaluator, term)? {
                    return gone().into();
                }
                twist.then(&last)
            }
            // A search goes no further, so that there is nothing to represent.
            None => twist,
        };
        let (term, _) = symmetry.located(evaluator, track.walk.term())?;
        moved_offers(evaluator, real.term, &twist.events, term)?;
        track.names.push(symmetry.name(evaluator, &twist)?.text);
        track.twists.push(twist);
        Ok(())
    }

    /// Takes the step with this name from the representative, and the real step that belongs to it.
    pub(super) fn take_represented(&mut self, name: &str) -> Diagnosed<()> {
        let (step, target) = match &mut self.track {
            Some(track) => {
                let found = step_named(&mut self.evaluator, &mut track.walk, name)?;
                (found.taken.step, found.target())
            }
            None => return self.take_named(name),
        };
        self.with_symmetry(|walker, symmetry| walker.take_real(symmetry, step, target))?;
        self.follow_on_track()
    }

    /// Takes the step of the real run that belongs to `step` from the representative to `target`.
    fn take_real(
        &mut self,
        symmetry: &mut WalkSymmetry,
        step: WitnessStep,
        target: TermId,
    ) -> Diagnosed<()> {
        let Some(track) = &self.track else {
            return Ok(());
        };
        let back = track.twist().inverse();
        let (_, located) = symmetry.located(&mut self.evaluator, target)?;
        let image = back.pbisim.image(&located.state);
        let wanted = moved_step(step, &back.events);
        match symmetry.take_to(&mut self.evaluator, &mut self.walk, wanted, &image)? {
            true => Ok(()),
            false => fault("the real step that belongs to this one cannot be taken").into(),
        }
    }

    /// The report of the walk on the track that is shown.
    pub(super) fn described_track(&mut self) -> Diagnosed<WalkReport> {
        let allowed = self.allowed()?;
        let Some(track) = &mut self.track else {
            return self.told(allowed);
        };
        let real = self.walk.taken();
        let events = &self.evaluator.terms().events;
        let now = RepresentativesNow {
            permutation: track.names.last().cloned().unwrap_or_default(),
            real: real.map(|taken| name_of(taken, events)).collect(),
        };
        // The specification has followed the real run, and what it allows moves with the state.
        let twist = track.twist().events.clone();
        let allowed = allowed.map(|allowed: Allowed| allowed.moved(&|event| twist.apply(event)));
        Ok(WalkReport {
            representatives: Some(now),
            ..self.on_track(|walker| walker.told(allowed))?
        })
    }

    /// Looks at the track that is shown as if it were the real run.
    pub(super) fn on_track<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        self.exchange_track();
        let seen = look(self);
        self.exchange_track();
        seen
    }

    fn exchange_track(&mut self) {
        if let Some(track) = &mut self.track {
            std::mem::swap(&mut self.walk, &mut track.walk);
        }
    }
}

/// The message where a component that has terminated would have to run again.
fn gone() -> Diagnostic {
    Diagnostic::undecided(
        "unsupported",
        "the representative cannot be shown beside this walk",
    )
    .note("a component has terminated, and in the representative another one has")
}
