//! Finds all symmetries of one check: the main function of this stage.

pub(crate) mod attempt;
pub mod claims;

use rustc_hash::FxHashMap;

use base::diag::Result;
use base::source::Span;
use lts::normal_form::NormalForm;
use machine::leaf::{Behaviour, Leaf};
use machine::skeleton::Skeleton;
use machine::{CompileOptions, Machine};
use process::event::EventId;
use process::term::TermId;
use process::values::{EventValues, ValueType};

use self::claims::ClaimedPermutation;
use super::candidates::search;
use super::derive::equal_operands;
use super::detect::detect;
use super::detect::weights::keeping_weights;
use super::events::events_of;
use super::findings::{
    DetectionFinding, Findings, NamedSymmetry, Rejection, SymmetrySource, TypeFinding,
};
use super::frequencies::Frequencies;
use super::naming::SymmetryNames;
use super::nearest::{Rejected, most_telling_first};
use super::notation::cycles_text;
use super::pbisim::Symmetry;
use super::proof_rule::ProofRule;
use super::refusal::Why;
use super::start::Start;
use super::verify::Verifier;

/// A check: an implementation and its specification.
#[derive(Clone, Copy, Debug)]
pub struct CheckedSystem<'a> {
    /// The implementation.
    pub term: TermId,
    /// The machine that the implementation was compiled to.
    pub machine: &'a Machine,
    /// The specification.
    pub specification: &'a NormalForm,
    /// The options that processes are compiled with.
    pub options: &'a CompileOptions,
}

/// The symmetries that are wanted.
#[derive(Clone, Debug)]
pub enum SoughtSymmetries {
    /// All that the rules and the search in the graph find.
    Auto,
    /// For each of these types, the values with these indices (ascending) are claimed, at the span,
    /// to be fully symmetric.
    Types(Vec<(ValueType, Vec<usize>, Span)>),
    /// These permutations are claimed to be symmetries.
    Permutations(Vec<ClaimedPermutation>),
}

/// Tells if the search also looks for what breaks a candidate that does not hold, which takes most
/// of its time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reasons {
    /// Each rejection says what breaks the candidate.
    Sought,
    /// Rejections need not say it.
    LeftOut,
}

/// The verified symmetries of `subject`. A claim that does not hold is a `false-symmetry`
/// diagnostic that names what breaks the claim, whatever `reasons` says. A candidate that does not
/// hold is only noted.
pub fn find(
    values: &mut dyn EventValues,
    subject: &CheckedSystem<'_>,
    start: Start,
    wish: &SoughtSymmetries,
    reasons: Reasons,
) -> Result<Findings> {
    let reasons = match (wish, reasons) {
        (SoughtSymmetries::Auto, Reasons::Sought) => most_reasons(subject.machine),
        (SoughtSymmetries::Auto, Reasons::LeftOut) => 0,
        _ => u32::MAX,
    };
    let (machine, specification) = (subject.machine, subject.specification);
    // The token is a clone, because the finder borrows `values` for as long as it lives.
    let token = &values.cancellation().clone();
    let mut verifier = Verifier::new(machine, specification, token)?;
    let events = events_of(machine, specification, token)?;
    if reasons > 0 {
        verifier = verifier.named(&values.terms().events);
    }
    let mut finder = Finder {
        values,
        subject,
        start,
        events,
        verifier,
        skeleton: None,
        reasons,
        most_reasons: reasons,
        findings: Findings::default(),
    };
    match wish {
        SoughtSymmetries::Auto => {
            finder.equal_operands()?;
            finder.all_types()?;
            // The graph comes last: its search is given all symmetries found so far, and adds only
            // those that they do not generate.
            finder.graph()?;
        }
        SoughtSymmetries::Types(types) => {
            for (ty, free, span) in types {
                finder.claimed_type(ty, free, *span)?;
            }
        }
        SoughtSymmetries::Permutations(permutations) => {
            for claimed in permutations {
                finder.claimed_permutation(claimed)?;
            }
        }
    }
    Ok(without_points(finder.findings, subject.specification))
}

/// `findings` as the search for a counterexample uses them: the symmetries map the states of the
/// normal form but not its other points, and a symmetry that then moves no state is dropped. That
/// search meets states only, and the images of events determine those of acceptances.
fn without_points(mut findings: Findings, specification: &NormalForm) -> Findings {
    for generator in &mut findings.generators {
        // States have the first numbers in a normal form, other points follow, and a symmetry takes
        // states to states: so the cut leaves a permutation of the states.
        let states = &generator.symmetry.specification[..specification.state_count()];
        generator.symmetry.specification = states.into();
    }
    let generators = &mut findings.generators;
    generators.retain(|generator| generator.symmetry.moves_states());
    findings
}

/// The most attempts in all. Each takes time linear in the transitions of the leaves; most fail
/// early.
const MOST_ATTEMPTS: usize = 200;
/// The most leaf transitions that are looked at in all attempts together.
const MOST_WORK: usize = 100_000_000;

/// The most leaf transitions that reasons are looked for in. A reason takes about ten times as long
/// as an attempt: a shortest trace is searched for.
const MOST_WORK_OF_REASONS: usize = 4_000_000;

/// The number of candidates that may be tried on `machine`.
fn budget(machine: &Machine) -> u32 {
    (MOST_WORK / size(machine)).clamp(8, MOST_ATTEMPTS) as u32
}

/// The number of rejected candidates of which it is said what breaks them.
fn most_reasons(machine: &Machine) -> u32 {
    (MOST_WORK_OF_REASONS / size(machine)).clamp(8, MOST_ATTEMPTS) as u32
}

/// The transitions and the rules that an attempt looks at, at least one.
fn size(machine: &Machine) -> usize {
    let transitions = machine.leaves.iter().map(|leaf| leaf.transition_count());
    transitions.sum::<usize>() + machine.rules.len() + 1
}

/// The reason given for a permutation under which the process as a whole is symmetric although its
/// leaves are not.
const HIDDEN: &str = "from outside nothing changes, but the components are not symmetric: what tells them apart is hidden";

/// The most steps of the search for automorphisms: they take some seconds.
const MOST_STEPS: u64 = 200_000_000;

struct Finder<'f> {
    values: &'f mut dyn EventValues,
    subject: &'f CheckedSystem<'f>,
    start: Start,
    events: Vec<EventId>,
    verifier: Verifier<'f>,
    /// The skeleton of the implementation, kept from the first proof on, because making it takes as
    /// long as the rest of a proof.
    skeleton: Option<Skeleton>,
    /// The number of rejections that are still to say what breaks the candidate.
    reasons: u32,
    /// The number of rejections of each type that are to say it.
    most_reasons: u32,
    findings: Findings,
}

impl Finder<'_> {
    /// Adds the exchanges of operands that are the same process. Their σ is the identity.
    fn equal_operands(&mut self) -> Result<()> {
        // Until `without_points`, symmetries map the other points of the normal form too.
        let specification_states = self.subject.specification.point_count();
        for (name, pbisim) in equal_operands(self.subject.machine) {
            let symmetry = Symmetry {
                pbisim,
                ..Symmetry::identity(self.subject.machine, specification_states)
            };
            if self.verify(&symmetry)?.is_ok() {
                self.add(symmetry, name, SymmetrySource::EqualOperands);
            }
        }
        Ok(())
    }

    fn verify(&mut self, symmetry: &Symmetry) -> Result<std::result::Result<(), Why>> {
        let token = &self.values.cancellation().clone();
        self.verifier.verify(symmetry, token)
    }

    fn all_types(&mut self) -> Result<()> {
        let (machine, specification) = (self.subject.machine, self.subject.specification);
        let mut budget = budget(machine);
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

    /// Adds the symmetries that the rules miss: automorphisms of the graph that the symmetries
    /// found so far do not generate.
    fn graph(&mut self) -> Result<()> {
        let machine = self.subject.machine;
        let known = self.findings.generators.iter();
        let known: Vec<Symmetry> = known.map(|generator| generator.symmetry.clone()).collect();
        let token = &self.values.cancellation().clone();
        let detection = detect(&self.verifier, self.start, &known, MOST_STEPS, token)?;
        let mut is_complete = detection.is_complete;
        let generators = keeping_weights(&self.verifier, &known, detection.generators, token)?;
        if !generators.is_empty() {
            let specification = self.subject.specification;
            let names = SymmetryNames::new(self.values, machine, specification)?;
            for symmetry in generators {
                if self.verify(&symmetry)?.is_ok() {
                    let name = names.name(self.values, machine, &symmetry)?;
                    self.add(symmetry, name, SymmetrySource::Graph);
                } else {
                    // Graph and verifier should agree. Where they do not, the automorphisms of the
                    // graph are not known to be all symmetries.
                    is_complete = false;
                }
            }
        }
        self.findings.detection = Some(DetectionFinding {
            is_complete,
            steps: detection.steps,
        });
        Ok(())
    }

    /// Finds the values of `ty` that can be permuted, and adds them and their symmetries; `profile`
    /// is as in [`search`].
    fn candidates(&mut self, ty: &ValueType, profile: &[u64], budget: &mut u32) -> Result<()> {
        let values = &ty.values;
        // The index that the type gets when it is pushed at the end; symmetries found before then
        // refer to it.
        let number = self.findings.types.len();
        let mut found: FxHashMap<Vec<usize>, Symmetry> = FxHashMap::default();
        let mut rejected: Vec<Rejected> = Vec::new();
        // A candidate that is refused by its profile is never looked at, so there would be no
        // reason to show.
        self.reasons = self.most_reasons;
        let profile = if self.reasons > 0 {
            &vec![0; values.len()]
        } else {
            profile
        };
        let outcome = search(profile, budget, &mut |images| {
            // A process may be symmetric although its leaves do not follow: such a symmetry saves
            // nothing, and is shown as rejected with a reason of its own.
            let why = match self.attempt(ty, images)? {
                Ok(symmetry) if self.follows(&symmetry) => {
                    found.insert(images.to_vec(), symmetry);
                    return Ok(true);
                }
                Ok(_) => {
                    let why = Why::Machine(HIDDEN.to_string());
                    self.refusal(ProofRule::Operational, why)
                }
                Err(why) => why,
            };
            rejected.push((images.to_vec(), why));
            self.reasons = self.reasons.saturating_sub(1);
            Ok(false)
        })?;
        for (images, why) in most_telling_first(&outcome, rejected) {
            self.findings.rejected.push(Rejection {
                name: cycles_text(values, &images),
                why,
                of_type: number,
            });
        }
        for images in &outcome.generators {
            // Each generator of the outcome was attempted above and held, so all are in `found`.
            if let Some(symmetry) = found.get(images) {
                let name = cycles_text(values, images);
                self.add(symmetry.clone(), name, SymmetrySource::Type(number));
            }
        }
        self.findings.types.push(TypeFinding {
            name: ty.name.clone(),
            values: values.clone(),
            permutable: outcome,
        });
        Ok(())
    }

    /// True if the leaves follow the permutation of events. Where the events that it moves are
    /// hidden, or renamed to the same events, a process may be symmetric although its leaves are
    /// not: then no leaf moves, and the symmetry saves nothing.
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

    /// Adds a symmetry unless it moves no state. Here all points of the normal form count as
    /// states, because the search in the graph uses the symmetries found: only `without_points`
    /// drops a symmetry that moves nothing but other points.
    fn add(&mut self, symmetry: Symmetry, name: String, source: SymmetrySource) {
        if symmetry.moves_states() {
            self.findings.generators.push(NamedSymmetry {
                symmetry,
                name,
                source,
            });
        }
    }
}
