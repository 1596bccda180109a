//! All symmetries of one check: the main function of this stage.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::cancel::Cancellation;
use crate::diag::{Diagnostic, Result};
use crate::lts::graph::Lts;
use crate::lts::normal_form::NormalForm;
use crate::machine::leaf::{Behaviour, Leaf};
use crate::machine::skeleton::Skeleton;
use crate::machine::tree::Operator;
use crate::machine::{CompileOptions, Machine};
use crate::process::event::EventId;
use crate::process::term::TermId;
use crate::process::values::{EventValues, Part, Permutation, ValueType};
use crate::source::Span;

use super::bisimilarity::{Difference, difference, matching};
use super::candidates::{generating, search};
use super::derive::{equal_operands, pbisim};
use super::detect::detect;
use super::detect::weights::keeping_weights;
use super::frequencies::Frequencies;
use super::naming::name_of;
use super::nearest::most_telling_first;
use super::notation::cycles_text;
use super::pbisim::Symmetry;
use super::permutation::{EventPermutation, NotABijection};
use super::refusal::{Refusal, Why};
use super::rules::{Prover, Rule};
use super::verify::Verifier;
use super::{DetectionFinding, Findings, Generator, Rejection, Source, Start, TypeFinding};

/// What is checked.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The implementation.
    pub term: TermId,
    /// What it was compiled to.
    pub machine: &'a Machine,
    /// The specification.
    pub specification: &'a NormalForm,
    /// How processes are compiled.
    pub options: &'a CompileOptions,
}

/// Which symmetries are wanted.
#[derive(Clone, Debug)]
pub enum Wish {
    /// All that the rules find.
    Auto,
    /// Of these types the values with these indices (ascending) are claimed to be fully symmetric, each where its span says.
    Types(Vec<(ValueType, Vec<usize>, Span)>),
    /// These permutations are claimed to be symmetries.
    Permutations(Vec<ClaimedPermutation>),
}

/// A permutation that is claimed to be a symmetry.
#[derive(Clone, Debug)]
pub struct ClaimedPermutation {
    /// As it was written.
    pub text: String,
    /// What it permutes.
    pub permutation: Permutation,
    /// Where the claim stands.
    pub span: Span,
}

/// The verified symmetries of `subject`. A claim that does not hold is a `false-symmetry` diagnostic that names
/// what breaks it; a candidate that does not hold is only noted, with the reason if `explains`.
pub fn find(
    values: &mut dyn EventValues,
    subject: &Subject<'_>,
    start: Start,
    wish: &Wish,
    explains: bool,
) -> Result<Findings> {
    let explains = explains || !matches!(wish, Wish::Auto);
    let (machine, specification) = (subject.machine, subject.specification);
    let token = &values.cancellation().clone();
    let mut verifier = Verifier::new(machine, specification, token)?;
    let events = events_of(subject, token)?;
    if explains {
        verifier = verifier.named(&values.terms().events);
    }
    let mut finder = Finder {
        values,
        subject,
        start,
        events,
        verifier,
        skeleton: None,
        explains,
        findings: Findings::default(),
    };
    match wish {
        Wish::Auto => {
            finder.equal_operands()?;
            finder.all_types()?;
            finder.graph()?;
        }
        Wish::Types(types) => {
            for (ty, free, span) in types {
                finder.claimed_type(ty, free, *span)?;
            }
        }
        Wish::Permutations(permutations) => {
            for claimed in permutations {
                finder.claimed_permutation(claimed)?;
            }
        }
    }
    Ok(without_points(finder.findings, subject.specification))
}

/// The same symmetries without what they do to the points of the normal form, and only those that move a state: the search
/// meets states only, and where an event goes says where the acceptances go.
fn without_points(mut findings: Findings, specification: &NormalForm) -> Findings {
    for generator in &mut findings.generators {
        let states = &generator.symmetry.specification[..specification.state_count()];
        generator.symmetry.specification = states.into();
    }
    findings.generators.retain(|generator| {
        let symmetry = &generator.symmetry;
        !symmetry.pbisim.is_identity() || !symmetry.fixes_specification()
    });
    findings
}

/// All visible events of the check, ascending.
pub fn events_of(subject: &Subject<'_>, token: &Cancellation) -> Result<Vec<EventId>> {
    let mut events = machine_events(subject.machine, token)?;
    let lts = subject.specification.lts();
    for state in lts.states() {
        token.look(1 + lts.row(state).len())?;
        events.extend(lts.row(state).iter().map(|&(event, _)| event));
    }
    Ok(events.into_iter().filter(|e| e.is_visible()).collect())
}

/// All visible events that some part of `machine` can do, before or after any renaming.
pub(super) fn machine_events(machine: &Machine, token: &Cancellation) -> Result<BTreeSet<EventId>> {
    let mut events: BTreeSet<EventId> = BTreeSet::new();
    for leaf in machine.leaves.iter() {
        if let Behaviour::Process(graph) = &leaf.behaviour {
            events.extend(graph.events());
        }
    }
    for rule in machine.rules.iter() {
        token.look(1)?;
        events.extend([rule.result, rule.origin]);
    }
    for node in machine.nodes.iter() {
        if let Operator::Rename(pairs) | Operator::Linked(pairs) = &node.operator {
            events.extend(pairs.iter().flat_map(|&(from, to)| [from, to]));
        }
    }
    events.retain(|event| event.is_visible());
    Ok(events)
}

/// Attempts in all; each costs time linear in the transitions of the leaves, and most fail early.
const MOST_ATTEMPTS: usize = 200;
/// Leaf transitions looked at in all attempts together.
const MOST_WORK: usize = 100_000_000;

/// How many candidates may be tried on `machine`.
fn budget(machine: &Machine) -> u32 {
    let transitions = machine.leaves.iter().map(|leaf| leaf.transition_count());
    let work = transitions.sum::<usize>() + machine.rules.len() + 1;
    (MOST_WORK / work).clamp(8, MOST_ATTEMPTS) as u32
}

/// Why a permutation is of no use that changes nothing outside and does not hold inside.
const HIDDEN: &str = "from outside nothing changes, but the components are not symmetric: what tells them apart is hidden";

/// Steps of the search for automorphisms: some seconds.
const MOST_STEPS: u64 = 200_000_000;

type Attempt = std::result::Result<Symmetry, Arc<Refusal>>;

struct Finder<'f> {
    values: &'f mut dyn EventValues,
    subject: &'f Subject<'f>,
    start: Start,
    events: Vec<EventId>,
    verifier: Verifier<'f>,
    /// That of the implementation, from the first proof on.
    skeleton: Option<Skeleton>,
    /// Whether rejections are to say what breaks the candidate.
    explains: bool,
    findings: Findings,
}

impl Finder<'_> {
    /// Exchanges of operands that are the same process: σ is the identity.
    fn equal_operands(&mut self) -> Result<()> {
        let specification_states = self.subject.specification.point_count();
        for (name, pbisim) in equal_operands(self.subject.machine) {
            let symmetry = Symmetry {
                pbisim,
                ..Symmetry::identity(self.subject.machine, specification_states)
            };
            if self.verify(&symmetry)?.is_ok() {
                self.add(symmetry, name, Source::EqualOperands);
            }
        }
        Ok(())
    }

    fn verify(&mut self, symmetry: &Symmetry) -> Result<std::result::Result<(), Why>> {
        let token = &self.values.cancellation().clone();
        self.verifier.verify(symmetry, token)
    }

    fn all_types(&mut self) -> Result<()> {
        let mut budget = budget(self.subject.machine);
        let Subject {
            machine,
            specification,
            ..
        } = *self.subject;
        let token = &self.values.cancellation().clone();
        let frequencies = Frequencies::of(machine, specification, self.start, token)?;
        let weight = |event| frequencies.of_event(event);
        for (ty, profile) in self.values.value_types(&self.events, &weight)? {
            if ty.values.len() >= 2 {
                self.candidates(&ty, &profile, &mut budget)?;
            }
        }
        Ok(())
    }

    /// What the rules miss: automorphisms of the graph that the symmetries found so far do not generate.
    fn graph(&mut self) -> Result<()> {
        let machine = self.subject.machine;
        let known = self.findings.generators.iter();
        let known: Vec<Symmetry> = known.map(|generator| generator.symmetry.clone()).collect();
        let token = &self.values.cancellation().clone();
        let detection = detect(&self.verifier, self.start, &known, MOST_STEPS, token)?;
        let mut is_complete = detection.is_complete;
        let generators = keeping_weights(&self.verifier, &known, detection.generators, token)?;
        let types = if generators.is_empty() {
            Vec::new()
        } else {
            let types = self.values.value_types(&self.events, &|_| 0)?;
            types.into_iter().map(|(ty, _)| ty).collect()
        };
        for symmetry in generators {
            if self.verify(&symmetry)?.is_ok() {
                let name = name_of(self.values, machine, &self.events, &types, &symmetry)?;
                self.add(symmetry, name, Source::Graph);
            } else {
                // Graph and verifier should agree; what the graph should have had instead is not known.
                is_complete = false;
            }
        }
        self.findings.detection = Some(DetectionFinding {
            is_complete,
            steps: detection.steps,
        });
        Ok(())
    }

    /// Which values of `ty` can be permuted; `profile` is as in [`search`].
    fn candidates(&mut self, ty: &ValueType, profile: &[u64], budget: &mut u32) -> Result<()> {
        let values = &ty.values;
        let number = self.findings.types.len();
        let mut found: Vec<(Vec<usize>, Symmetry)> = Vec::new();
        let mut rejected: Vec<(Vec<usize>, Arc<Refusal>)> = Vec::new();
        // What is refused unseen has no reason to tell.
        let profile = if self.explains {
            &vec![0; values.len()]
        } else {
            profile
        };
        let outcome = search(profile, budget, &mut |images| {
            Ok(match self.attempt(ty, images)? {
                Ok(symmetry) if self.follows(&symmetry) => {
                    found.push((images.to_vec(), symmetry));
                    true
                }
                Ok(_) => {
                    let why = self.refusal(Rule::Operational, Why::Machine(HIDDEN.to_string()));
                    rejected.push((images.to_vec(), why));
                    false
                }
                Err(why) => {
                    rejected.push((images.to_vec(), why));
                    false
                }
            })
        })?;
        for (images, why) in most_telling_first(&outcome, rejected) {
            self.findings.rejected.push(Rejection {
                name: cycles_text(values, &images),
                why,
                of_type: number,
            });
        }
        for images in &outcome.generators {
            if let Some((_, symmetry)) = found.iter().find(|(tried, _)| tried == images) {
                let name = cycles_text(values, images);
                self.add(symmetry.clone(), name, Source::Type(number));
            }
        }
        self.findings.types.push(TypeFinding {
            name: ty.name.clone(),
            values: values.clone(),
            free: outcome.free,
            turning: outcome.turning,
            fixed: outcome.fixed,
            is_cut_short: outcome.is_cut_short,
        });
        Ok(())
    }

    /// Whether the leaves follow the permutation of events, inside as well. Where the events that it moves are hidden or
    /// renamed to the same ones, a process may be symmetric without its leaves being so: then nothing moves.
    fn follows(&self, symmetry: &Symmetry) -> bool {
        let stays = |leaf: &Leaf| match &leaf.behaviour {
            Behaviour::Controller { .. } => true,
            Behaviour::Process(graph) => graph.events().all(|event| {
                let image = symmetry.events.apply(event);
                graph.transitions(event) == graph.transitions(image)
            }),
        };
        !symmetry.pbisim.is_identity() || self.subject.machine.leaves.iter().all(stays)
    }

    /// The `free` values of `ty` must be fully symmetric.
    fn claimed_type(&mut self, ty: &ValueType, free: &[usize], span: Span) -> Result<()> {
        let values = &ty.values;
        for images in generating(values.len(), free) {
            let name = cycles_text(values, &images);
            match self.attempt(ty, &images)? {
                Ok(symmetry) => self.add(symmetry, name, Source::Claim),
                Err(why) => return self.false_claim(&name, &why, span).into(),
            }
        }
        let fixed = (0..values.len()).filter(|value| !free.contains(value));
        self.findings.types.push(TypeFinding {
            name: ty.name.clone(),
            fixed: fixed.collect(),
            values: values.clone(),
            free: Vec::from_iter((free.len() >= 2).then(|| free.to_vec())),
            turning: Vec::new(),
            is_cut_short: false,
        });
        Ok(())
    }

    fn claimed_permutation(&mut self, claimed: &ClaimedPermutation) -> Result<()> {
        let attempt = match &claimed.permutation {
            Permutation::Events(pairs) => {
                self.attempt_events(pairs.iter().copied(), &claimed.text)?
            }
            Permutation::Values(parts) => self.attempt_values(parts)?,
        };
        match attempt {
            Ok(symmetry) => self.add(symmetry, claimed.text.clone(), Source::Claim),
            Err(why) => return self.false_claim(&claimed.text, &why, claimed.span).into(),
        }
        Ok(())
    }

    /// Adds a symmetry unless it moves no state.
    fn add(&mut self, symmetry: Symmetry, name: String, source: Source) {
        if !symmetry.pbisim.is_identity() || !symmetry.fixes_specification() {
            self.findings.generators.push(Generator {
                symmetry,
                name,
                source,
            });
        }
    }

    fn attempt(&mut self, ty: &ValueType, images: &[usize]) -> Result<Attempt> {
        self.attempt_values(&[(ty.clone(), images.to_vec())])
    }

    /// All parts together: they move disjoint kinds of values.
    fn attempt_values(&mut self, parts: &[Part]) -> Result<Attempt> {
        match lifted(self.values, parts, &self.events)? {
            Ok(sigma) => self.attempt_permutation(&sigma),
            Err(why) => Ok(Err(self.refusal(Rule::Lifting, why))),
        }
    }

    fn attempt_events(
        &mut self,
        pairs: impl IntoIterator<Item = (EventId, EventId)>,
        text: &str,
    ) -> Result<Attempt> {
        match EventPermutation::from_pairs(pairs) {
            Ok(sigma) => self.attempt_permutation(&sigma),
            Err(problem) => {
                let why = no_bijection(self.values, problem, text);
                Ok(Err(self.refusal(Rule::Lifting, why)))
            }
        }
    }

    /// Whether `sigma` is a symmetry of machine and specification; the machine first, because what breaks
    /// there says more.
    fn attempt_permutation(&mut self, sigma: &EventPermutation) -> Result<Attempt> {
        let Subject {
            term,
            machine,
            specification,
            options,
        } = *self.subject;
        let mut prover = Prover::for_machine(self.values, options, machine, self.start);
        if let Some(skeleton) = self.skeleton.take() {
            prover = prover.with_skeleton(skeleton);
        }
        if !self.explains {
            prover = prover.without_reasons();
        }
        let verdict = prover.prove(term, sigma, term)?;
        self.skeleton = Some(prover.into_skeleton());
        let proof = match verdict {
            Ok(proof) => proof,
            Err(why) => return Ok(Err(why)),
        };
        let pbisim = match pbisim(machine, &proof) {
            Ok(pbisim) => pbisim,
            Err(why) => return Ok(Err(self.refusal(Rule::Operational, why))),
        };
        let lts = specification.lts();
        let token = &self.values.cancellation().clone();
        let Some(specification) = matching(lts, sigma, lts, self.start, token)? else {
            let why = if self.explains {
                specification_difference(lts, sigma, self.start, token)?
            } else {
                Why::NotAsked
            };
            return Ok(Err(self.refusal(Rule::Specification, why)));
        };
        let symmetry = Symmetry {
            events: sigma.clone(),
            pbisim,
            specification,
        };
        if self.start == Start::Fixed && !symmetry.fixes_initial() {
            return Ok(Err(self.refusal(Rule::Operational, Why::Initial)));
        }
        Ok(match self.verify(&symmetry)? {
            Ok(()) => Ok(symmetry),
            Err(why) => Err(self.refusal(Rule::Operational, why)),
        })
    }

    /// A refusal about the implementation as a whole.
    fn refusal(&self, rule: Rule, why: Why) -> Arc<Refusal> {
        Arc::new(Refusal::of_machine(self.subject.machine, rule, why))
    }

    fn false_claim(&self, name: &str, why: &Refusal, span: Span) -> Diagnostic {
        let events = &self.values.terms().events;
        let message = format!("{name} is claimed to be a symmetry, but it is none");
        let mut diagnostic = Diagnostic::error("false-symmetry", message)
            .at(span, "claimed here")
            .note(why.text(events));
        if let Some(place) = why.span {
            diagnostic = diagnostic.at(place, "what breaks it");
        }
        diagnostic.hint("leave the claim out: the symmetries that hold are found without it")
    }
}

/// The canonical lifting of permutations of the values of different types to `events` (section 3.1), or why there is
/// none.
pub(super) fn lifted(
    values: &mut dyn EventValues,
    parts: &[Part],
    events: &[EventId],
) -> Result<std::result::Result<EventPermutation, Why>> {
    Ok(match values.lift(parts, events)? {
        Ok(pairs) => EventPermutation::from_pairs(pairs).map_err(|problem| {
            let names: Vec<&str> = parts.iter().map(|(ty, _)| ty.name.as_str()).collect();
            no_bijection(values, problem, &names.join(", "))
        }),
        Err((event, image)) => Err(Why::NoSuchEvent(event, image)),
    })
}

fn no_bijection(values: &dyn EventValues, problem: NotABijection, text: &str) -> Why {
    let name = |event| values.terms().events.name(event);
    Why::Machine(match problem {
        NotABijection::TwoImages(event) => {
            format!("{text} takes {} to two different events", name(event))
        }
        NotABijection::TwoOrigins(event) => {
            format!("{text} takes two different events to {}", name(event))
        }
        NotABijection::Invisible(event) => {
            format!("{text} moves {}, which is not visible", name(event))
        }
    })
}

/// Why σ does not take the specification to itself. Where no event tells it from its image whatever the states they start
/// in, one tells them apart from the initial states on: these are not partners, because no state has one.
fn specification_difference(
    lts: &Lts,
    sigma: &EventPermutation,
    start: Start,
    token: &Cancellation,
) -> Result<Why> {
    let difference = match difference(lts, sigma, lts, start, token)? {
        Difference::States(..) => difference(lts, sigma, lts, Start::Fixed, token)?,
        other => other,
    };
    Ok(match difference {
        Difference::Behaviour {
            trace,
            image_trace,
            event,
            image,
            on_left,
        } => Why::Specification {
            trace,
            image_trace,
            event,
            image,
            on_left,
        },
        Difference::States(left, right) => Why::States(left, right),
        Difference::Initial => Why::Initial,
    })
}
