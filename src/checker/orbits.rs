//! The orbit, the stabiliser and the representative of the state of a walk, by the symmetries of
//! its check.

use base::diag::{Diagnostic, Result as Diagnosed};
use base::natural::natural_order;
use explore::orbit::{CheckedState, StateOrbit};
use process::term::Definitions;
use report::orbit::{OrbitImage, OrbitReport, RepresentativeReport, StabiliserReport};
use symmetry::ElementName;
use symmetry::pbisim::Symmetry;
use symmetry::representative::Method;

use super::counterexample::{sorted_names, unique_names};
use super::error::Error;
use super::walk_symmetry::{Standing, WalkSymmetry, moved_offers};
use super::walker::Walker;

/// The largest number of images that are reported.
const MOST_IMAGES: usize = 200;

/// The most states of an orbit that are counted.
pub(super) const LARGEST_ORBIT: usize = 20_000;

/// The largest order of a group whose elements are listed, to find those with the shortest names.
const SMALL_GROUP: usize = 1_000;

impl Walker<'_> {
    /// The orbit of the state where the walk is, on the track that is shown.
    pub fn orbit(&mut self) -> Result<OrbitReport, Error> {
        let told = self.with_symmetry(|walker, symmetry| {
            let here = walker.standing(symmetry)?;
            walker.told_orbit(symmetry, &here)
        });
        self.said(told)
    }

    /// The orbit that [`Walker::orbit`] gives, and the walk moved by `permutation`: cycles of
    /// values or events such as `(B C)`. It has to be a symmetry.
    pub fn orbit_moved(&mut self, permutation: &str) -> Result<OrbitReport, Error> {
        let mut report = self.orbit()?;
        let mut scope = self.scope.scope();
        let applied = self.moved(&mut scope, permutation);
        report.applied = Some(Box::new(applied.map_err(|problem| {
            let problem = self.task.explained(*problem);
            scope.error(self.placed(problem))
        })?));
        Ok(report)
    }

    /// Does `work` with the symmetries of the walk's check, which are found when they are first
    /// needed.
    pub(super) fn with_symmetry<T>(
        &mut self,
        work: impl FnOnce(&mut Self, &mut WalkSymmetry) -> Diagnosed<T>,
    ) -> Diagnosed<T> {
        let found = match self.symmetry.take() {
            Some(found) => Ok(found),
            None => WalkSymmetry::find(
                self.scope,
                &mut self.evaluator,
                self.part,
                self.permutations,
                self.options,
                self.task,
            ),
        };
        let done = found.and_then(|mut symmetry| {
            let done = work(self, &mut symmetry);
            self.symmetry = Some(symmetry);
            done
        });
        done.map_err(|problem| Box::new(self.placed(*problem)))
    }

    /// `problem`; if it has no place of its own, at the assertion whose process is walked.
    fn placed(&self, problem: Diagnostic) -> Diagnostic {
        match problem.labels.is_empty() && problem.code == "unsupported" {
            true => problem.at(self.scope.span(self.part.id), ""),
            false => problem,
        }
    }

    /// The state of the check at which the walk is, on the track that is shown.
    fn standing(&mut self, symmetry: &mut WalkSymmetry) -> Diagnosed<Standing> {
        let trace = self.walk.trace();
        let Some(track) = &self.track else {
            return symmetry.standing(&mut self.evaluator, self.walk.term(), &trace);
        };
        let term = track.walk.term();
        let mut here = symmetry.standing(&mut self.evaluator, term, &trace)?;
        // The specification has followed the real run, and moves with its state.
        let twist = track.twist();
        let real = here.state.specification;
        here.state.specification = real.map(|state| twist.specification(state));
        Ok(here)
    }

    fn told_orbit(
        &mut self,
        symmetry: &mut WalkSymmetry,
        here: &Standing,
    ) -> Diagnosed<OrbitReport> {
        let token = &self.evaluator.cancellation().clone();
        let group = symmetry.reduction.group.clone();
        let orbit = StateOrbit::of(&group, here.state.clone(), LARGEST_ORBIT, token)?;
        let named = self.small_group(symmetry)?;
        let mut images = Vec::new();
        for (number, state) in orbit.states().iter().enumerate().take(MOST_IMAGES) {
            let element = named.iter().find(|(_, e)| here.state.image(e) == *state);
            let (name, element) = match element {
                Some(named) => named.clone(),
                None => {
                    let element = orbit.element(number);
                    let name = symmetry.name(&mut self.evaluator, &element)?;
                    (name, element)
                }
            };
            images.push(self.image(symmetry, here, state, (name, &element))?);
        }
        // The state itself is moved by nothing, and stays first.
        images[1..].sort_by(|a, b| by_name(&a.permutation, &b.permutation));
        let stabiliser = match orbit.is_complete() {
            true => Some(self.stabiliser(symmetry, &orbit, &named)?),
            false => None,
        };
        let representative = self.representative(symmetry, here, &named)?;
        let order = group.order().to_string();
        Ok(OrbitReport {
            file: self.scope.name().to_string(),
            process: self.start.text.clone(),
            assertion: self.start.assertion.clone(),
            check: self.start.check.clone(),
            start_fixed: self.options.fix_initial,
            order,
            structure: symmetry.reduction.recognised.structure.to_string(),
            steps: self.walk.len(),
            components: unique_names(&symmetry.components()),
            size: orbit.is_complete().then(|| orbit.states().len()),
            images,
            stabiliser,
            representative,
            applied: None,
        })
    }

    /// The elements of a small group with their names, the shortest first; empty of a large one.
    fn small_group(&mut self, symmetry: &WalkSymmetry) -> Diagnosed<Vec<(ElementName, Symmetry)>> {
        let elements = symmetry.reduction.group.closure(SMALL_GROUP);
        let mut named = Vec::new();
        for element in elements.into_iter().flatten() {
            self.evaluator.cancellation().step()?;
            named.push((symmetry.name(&mut self.evaluator, &element)?, element));
        }
        named.sort_by(|(a, _), (b, _)| by_name(&a.text, &b.text));
        Ok(named)
    }

    /// The image `state` of the state of `here` by a permutation.
    fn image(
        &mut self,
        symmetry: &mut WalkSymmetry,
        here: &Standing,
        state: &CheckedState,
        element: (ElementName, &Symmetry),
    ) -> Diagnosed<OrbitImage> {
        let (leaves, located) = (&state.leaves, here.located.clone());
        let there = Standing {
            state: state.clone(),
            term: symmetry.terms.term(&mut self.evaluator, leaves, &located)?,
            located,
        };
        let moves_specification = !symmetry.is_universal();
        self.told_image(symmetry, here, &there, element, moves_specification)
    }

    /// The image `there`, to which a permutation takes `here`, with what the specification allows
    /// if that is moved.
    pub(super) fn told_image(
        &mut self,
        symmetry: &mut WalkSymmetry,
        here: &Standing,
        there: &Standing,
        (name, element): (ElementName, &Symmetry),
        moves_specification: bool,
    ) -> Diagnosed<OrbitImage> {
        let evaluator = &mut self.evaluator;
        let offers = moved_offers(evaluator, here.term, &element.events, there.term)?;
        let (leaves, located) = (&there.state.leaves, &there.located);
        let states = symmetry.terms.texts(evaluator, leaves, located)?;
        let allowed = there.state.specification.filter(|_| moves_specification);
        let events = &self.evaluator.terms().events;
        Ok(OrbitImage {
            permutation: name.text,
            plain: name.is_plain,
            moves_start: !element.fixes_initial(),
            states,
            offers: sorted_names(&offers, events),
            allows: allowed.map(|state| sorted_names(&symmetry.allowed(state), events)),
        })
    }

    fn stabiliser(
        &mut self,
        symmetry: &WalkSymmetry,
        orbit: &StateOrbit<'_>,
        named: &[(ElementName, Symmetry)],
    ) -> Diagnosed<StabiliserReport> {
        let token = &self.evaluator.cancellation().clone();
        let here = &orbit.states()[0];
        let elements: Vec<&(ElementName, Symmetry)> = named
            .iter()
            .filter(|(_, element)| here.image(element) == *here)
            .collect();
        let candidates: Vec<&Symmetry> = elements.iter().map(|(_, element)| element).collect();
        let states = symmetry.form.state_count();
        let generators = orbit.stabiliser(&symmetry.machine, states, &candidates, token)?;
        let mut names = Vec::with_capacity(generators.len());
        for generator in &generators {
            names.push(symmetry.name(&mut self.evaluator, generator)?.text);
        }
        let order = symmetry.reduction.group.order() / orbit.states().len();
        Ok(StabiliserReport {
            order: order.to_string(),
            generators: names,
            elements: (!named.is_empty())
                .then(|| elements.iter().map(|(name, _)| name.text.clone()).collect()),
        })
    }

    fn representative(
        &mut self,
        symmetry: &mut WalkSymmetry,
        here: &Standing,
        named: &[(ElementName, Symmetry)],
    ) -> Diagnosed<Option<RepresentativeReport>> {
        let Some((state, twist)) = symmetry.represented(&here.state)? else {
            return Ok(None);
        };
        let element = named.iter().find(|(_, e)| here.state.image(e) == state);
        let (name, element) = match element {
            Some(named) => named.clone(),
            None => (symmetry.name(&mut self.evaluator, &twist)?, twist),
        };
        let method = symmetry.reduction.choice.method.as_ref();
        let (method, unique) = (
            method.map(Method::name),
            method.is_none_or(Method::is_unique),
        );
        Ok(Some(RepresentativeReport {
            method,
            unique,
            itself: state == here.state,
            image: self.image(symmetry, here, &state, (name, &element))?,
        }))
    }
}

/// The order of names: the shortest first, and `()` before all.
fn by_name(a: &str, b: &str) -> std::cmp::Ordering {
    let length = |name: &str| name.chars().count();
    length(a).cmp(&length(b)).then_with(|| natural_order(a, b))
}
