//! TwistedCheck against plain search and brute force, on random systems whose symmetries are known.

use base::cancel::Cancellation;
use base::cancel::at_leisure;
use std::collections::{BTreeSet, HashMap};
use std::num::NonZeroUsize;

use super::check::{CheckOptions, CheckResult, Outcome, check, in_this_process, twisted_check};
use super::halt::Halt;
use super::in_memory::InMemory;
use super::path::{Path, Violation, participants};
use super::product::{Allowance, Product};
use super::search::{Search, initial};
use super::store::MOST_STATES;
use super::twisted_path::{PairStates, TwistedStep};
use base::diag::Result;
use base::index::TypedIndex;
use base::threads::Threads;
use lts::explore::{LeafLimits, explore};
use lts::model::Model::Traces;
use lts::normal_form::NormalForm;
use machine::packing::{PackedState, Packing};
use machine::successors::Scratch;
use machine::{CompileOptions, LeafId, compile};
use process::event::{EventId, TAU};
use process::table::DefinitionTable;
use process::term::{Definitions, Term};
use symmetry::group::Group;
use symmetry::pbisim::{Pbisim, Symmetry};
use symmetry::permutation::EventPermutation;
use symmetry::representative::{
    GeneralPlan, LocalPlan, Method, MinimalPlan, Representative, SignaturePlan, apply,
};
use symmetry::structure::{forest, recognise};
use symmetry::testing::CopiesCheck;
use symmetry::testing::sorted;
use symmetry::verify::Verifier;
use testkit::copies::{Composition, CopyStep, Shape, SharedPart, Specification};

fn plain(model: &CopiesCheck) -> CheckResult {
    check(&model.normal_form, &model.machine, &CheckOptions::default()).unwrap()
}

fn twisted(model: &CopiesCheck, method: &Method) -> CheckResult {
    counted(model, method, None)
}

/// A search by `method`, with orbits counted by `exact`.
fn counted(model: &CopiesCheck, method: &Method, exact: Option<&Method>) -> CheckResult {
    twisted_check(
        &model.normal_form,
        &model.machine,
        method,
        exact,
        &CheckOptions::default(),
    )
    .unwrap()
}

/// A search with any representative function, on states of as many words as are stored in a vector.
fn search<S: PackedState>(model: &CopiesCheck, by: impl Representative<S>) -> Result<CheckResult> {
    let product = Product::new(&model.normal_form, &model.machine, Cancellation::never())?;
    let search = in_this_process::<S, _>(&product, by, &CheckOptions::default())?;
    search.run().map_err(Halt::into_problem)
}

fn packing(model: &CopiesCheck) -> Packing {
    model
        .machine
        .packing(model.normal_form.point_count() as u32)
}

/// A representative function to some pair of the orbit: Theorem 1 allows any. It takes the element
/// that the bits of the pair name.
#[derive(Clone)]
struct Anywhere {
    packing: Packing,
    elements: Vec<Symmetry>,
}

impl Anywhere {
    fn element<S: PackedState>(&self, state: &S) -> &Symmetry {
        let mix = |hash: u64, &word: &u64| (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let hash = state.words().iter().fold(1, mix);
        &self.elements[(hash >> 40) as usize % self.elements.len()]
    }
}

impl<S: PackedState> Representative<S> for Anywhere {
    const IS_IDENTITY: bool = false;

    fn represent(&mut self, state: &mut S) {
        *state = apply(&self.packing, self.element(state), state);
    }

    fn twist(&mut self, state: &S) -> Symmetry {
        self.element(state).clone()
    }
}

/// The number of orbits of the reachable pairs, by the least image of each; panics if a pair is
/// bad.
fn orbits(model: &CopiesCheck, elements: &[Symmetry]) -> usize {
    let product = Product::new(&model.normal_form, &model.machine, Cancellation::never()).unwrap();
    let packing = &product.packing;
    let initial = Vec::<u64>::zero(packing.words());
    let mut seen: BTreeSet<Vec<u64>> = BTreeSet::from([initial.clone()]);
    let mut open = vec![initial];
    while let Some(state) = open.pop() {
        let mut scratch = Scratch::new(packing.words());
        let mut emit = |_, event: EventId, next: &Vec<u64>| {
            let Allowance::Allowed(word, flip) = product.follow(&state, event) else {
                panic!("no pair is bad")
            };
            let mut next = next.clone();
            next.flip(word, flip);
            if seen.insert(next.clone()) {
                open.push(next);
            }
        };
        product.successors.for_each(&state, &mut scratch, &mut emit);
    }
    let least = |state: &Vec<u64>| {
        let images = elements
            .iter()
            .map(|element| apply(packing, element, state));
        images.min().unwrap()
    };
    seen.iter().map(least).collect::<BTreeSet<_>>().len()
}

/// True if the machine has a run with these labels and origins, and the specification allows all
/// but the last label.
pub(super) fn is_counterexample(model: &CopiesCheck, path: &Path) -> bool {
    let packing = packing(model);
    let successors = model
        .machine
        .successors(&packing, Cancellation::never())
        .unwrap();
    let mut states = BTreeSet::from([Vec::<u64>::zero(packing.words())]);
    let mut allowed = Some(NormalForm::INITIAL);
    for step in path.all_steps() {
        let Some(now) = allowed else { return false };
        let mut after = BTreeSet::new();
        for state in &states {
            let mut scratch = Scratch::new(packing.words());
            successors.for_each(state, &mut scratch, &mut |rule, event, next: &Vec<u64>| {
                if event == step.label && model.machine.rules[rule].origin == step.origin {
                    after.insert(next.clone());
                }
            });
        }
        states = after;
        if step.label != TAU {
            allowed = model.normal_form.successor(now, step.label);
        }
    }
    !states.is_empty() && allowed.is_none()
}

/// Compares a result with that of plain search: the verdict and the length of the path. The path
/// must be a counterexample.
fn compare(model: &CopiesCheck, expected: &CheckResult, result: &CheckResult, what: &str) {
    match (&expected.outcome, &result.outcome) {
        (Outcome::Holds, Outcome::Holds) => {
            assert!(result.statistics.states <= expected.statistics.states || what == "anywhere");
        }
        (Outcome::Violated(expected), Outcome::Violated(path)) => {
            assert_eq!(
                expected.steps.len(),
                path.steps.len(),
                "{what} {:?}",
                model.shape
            );
            assert!(is_counterexample(model, path), "{what} {:?}", model.shape);
        }
        (expected, found) => panic!("{what} {:?}: {expected:?}, {found:?}", model.shape),
    }
}

/// A search by `method`, compared with one that keeps its twists: both find the same run, and the
/// pairs follow the equations at the head of `path.rs`.
fn twisted_as_kept(model: &CopiesCheck, method: &Method) -> CheckResult {
    let result = twisted(model, method);
    let options = CheckOptions {
        keeps_twists: true,
        ..CheckOptions::default()
    };
    let kept = twisted_check(&model.normal_form, &model.machine, method, None, &options);
    let (Outcome::Violated(path), Outcome::Violated(expected)) =
        (kept.unwrap().outcome, &result.outcome)
    else {
        assert_eq!(result.outcome, Outcome::Holds);
        return result;
    };
    let twisted = path.twisted.clone().expect("it was asked for");
    let plain = Path {
        twisted: None,
        ..path
    };
    assert_eq!(plain, *expected);
    let product = Product::new(&model.normal_form, &model.machine, Cancellation::never()).unwrap();
    let initial = Vec::<u64>::zero(product.packing.words());
    assert_eq!(twisted.start.real, PairStates::of(&product, &initial));
    assert_eq!(twisted.start.undo, twisted.start.twist.inverse());
    let mut before = &twisted.start;
    for (step, real) in twisted.steps.iter().zip(&plain.steps) {
        let TwistedStep { met, pair } = step;
        assert_eq!(before.undo.events.apply(met.label), real.label);
        assert_eq!(pair.undo, pair.twist.inverse().then(&before.undo));
        assert!(is_step(&product, &before.real, real.label, &pair.real));
        // The machine leads from the stored pair to one that the twist takes to the next.
        let met_pair = moved(&pair.twist.inverse(), &pair.stored);
        assert!(is_step(&product, &before.stored, met.label, &met_pair));
        before = pair;
    }
    assert_eq!(twisted.steps.len(), plain.steps.len());
    let pairs = twisted.steps.iter().map(|step| &step.pair);
    for pair in pairs.chain([&twisted.start]) {
        assert_eq!(moved(&pair.undo, &pair.stored), pair.real);
    }
    if let Violation::Event(real) = plain.violation {
        let met = twisted.wrong.expect("an event is wrong");
        assert_eq!(before.undo.events.apply(met.label), real.label);
    }
    result
}

fn moved(symmetry: &Symmetry, pair: &PairStates) -> PairStates {
    PairStates {
        leaves: symmetry.pbisim.image(&pair.leaves),
        specification: symmetry.specification(pair.specification),
    }
}

/// True if `label` leads from one pair to the other.
fn is_step(product: &Product<'_>, from: &PairStates, label: EventId, to: &PairStates) -> bool {
    let fields = product.packing.fields();
    let mut packed = Vec::<u64>::zero(product.packing.words());
    let states = from.leaves.iter().copied();
    for (field, state) in fields.iter().zip(states.chain([from.specification.0])) {
        packed.flip(field.word, field.flip(0, state));
    }
    let mut scratch = Scratch::new(product.packing.words());
    let mut is_there = false;
    let mut emit = |_, event: EventId, next: &Vec<u64>| {
        if let (true, Allowance::Allowed(word, flip)) =
            (event == label, product.follow(&packed, event))
        {
            let mut next = next.clone();
            next.flip(word, flip);
            is_there |= PairStates::of(product, &next) == *to;
        }
    };
    product
        .successors
        .for_each(&packed, &mut scratch, &mut emit);
    is_there
}

/// Compares searches by many threads in short rounds, and with few states in a store, with a search
/// by one thread: everything is the same, but for the memory.
fn compare_threads<S: PackedState>(
    model: &CopiesCheck,
    by: &impl Representative<S>,
    most: Option<u64>,
) {
    let product = Product::new(&model.normal_form, &model.machine, Cancellation::never()).unwrap();
    let run = |threads: usize, stretch, largest: usize| {
        let options = CheckOptions {
            max_states: most,
            threads: Threads::new(NonZeroUsize::new(threads).unwrap()),
            stubborn: None,
            spill: None,
            ..CheckOptions::default()
        };
        let mut by = by.clone();
        let initial = Some(initial::<S>(&product, &mut by));
        let initial = initial.filter(|_| !product.allows_all);
        let initial = initial.as_ref().map(S::words);
        let mut states = InMemory::new(&product, initial, &options.threads);
        states.narrow(largest);
        let search = Search::new::<S, _>(&product, by, &options, Box::new(states));
        let result = search.in_stretches_of(stretch).run();
        let CheckResult {
            outcome,
            mut statistics,
            ..
        } = result.unwrap();
        assert!(most.is_none_or(|most| statistics.states <= most));
        statistics.memory_bytes = 0;
        (outcome, statistics)
    };
    let alone = run(1, 2048, MOST_STATES);
    for (threads, stretch, largest) in [
        (1, 1, MOST_STATES),
        (2, 1, MOST_STATES),
        (2, 7, 20),
        (3, 4, 100),
        (1, 2048, 5),
    ] {
        assert_eq!(run(threads, stretch, largest), alone, "{threads} threads");
    }
}

/// The properties seen in one random system.
#[derive(PartialEq, Eq, Hash, Debug)]
struct Seen {
    holds: bool,
    method: &'static str,
    /// True if a symmetry moves the specification.
    moved_specification: bool,
    /// True if some symmetry moves the initial pair.
    moved_start: bool,
}

/// All methods with one representative for each orbit.
fn unique_methods(model: &CopiesCheck, group: &Group) -> Vec<Method> {
    let general = GeneralPlan::new(group).unwrap();
    let mut methods = vec![Method::General(general)];
    methods.extend(sorted(&model.machine, group).ok().map(Method::Sort));
    let minimal = MinimalPlan::new(group).unwrap();
    methods.push(Method::Minimal(minimal));
    if let Some(forest) = forest(&at_leisure(|token| recognise(group, token))) {
        let plan = SignaturePlan::new(&model.machine, group, &forest).unwrap();
        methods.push(Method::Signature(plan));
    }
    methods
}

fn check_random(seed: u64) -> Vec<Seen> {
    let Some(model) = CopiesCheck::of(&Shape::random(seed)) else {
        return Vec::new();
    };
    let group = model.group();
    let elements = group.closure(10_000).unwrap();
    if elements.len() == 1 {
        return Vec::new();
    }
    let expected = plain(&model);
    let holds = expected.outcome == Outcome::Holds;
    let methods = unique_methods(&model, &group);
    let count = holds.then(|| orbits(&model, &elements) as u64);
    let mut seen = Vec::new();
    for method in &methods {
        let result = twisted_as_kept(&model, method);
        compare(&model, &expected, &result, method.name());
        let several_words = search::<Vec<u64>>(&model, method.packed(&packing(&model)));
        assert_eq!(several_words.unwrap().outcome, result.outcome);
        if seed.is_multiple_of(10) {
            let packing = packing(&model);
            for most in [None, Some(seed % 50 + 1), Some(seed % 500 + 1)] {
                compare_threads::<u64>(&model, &method.packed(&packing), most);
                compare_threads::<Vec<u64>>(&model, &method.packed(&packing), most);
            }
        }
        if let Some(count) = count {
            assert_eq!(
                result.statistics.states,
                count,
                "seed {seed} {}",
                method.name()
            );
        }
        seen.push(Seen {
            holds,
            method: method.name(),
            moved_specification: !group.is_universal(),
            moved_start: !group.generators().iter().all(Symmetry::fixes_initial),
        });
    }
    let local = Method::Local(LocalPlan::new(&group).unwrap());
    if seed.is_multiple_of(20) {
        for most in [None, Some(seed % 100 + 1)] {
            compare_threads::<u64>(&model, &local.packed(&packing(&model)), most);
        }
    }
    let result = counted(&model, &local, Some(&methods[0]));
    compare(&model, &expected, &result, local.name());
    let extra = count.map(|count| result.statistics.states - count);
    assert_eq!(result.statistics.extra_states, extra, "seed {seed}");
    let packing = packing(&model);
    let anywhere = Anywhere { packing, elements };
    if seed.is_multiple_of(10) {
        compare_threads::<Vec<u64>>(&model, &anywhere, None);
    }
    let result = search::<Vec<u64>>(&model, anywhere).unwrap();
    compare(&model, &expected, &result, "anywhere");
    seen
}

#[test]
fn twisted_search_agrees_with_plain_search() {
    let mut seen: HashMap<Seen, usize> = HashMap::new();
    for kind in (0..1000).flat_map(check_random) {
        *seen.entry(kind).or_default() += 1;
    }
    for holds in [true, false] {
        for moved_start in [true, false] {
            for (method, moved_specification) in [
                ("genRep", true),
                ("genRep", false),
                ("sortRep", false),
                ("sortRep, simultaneous", false),
            ] {
                let kind = Seen {
                    holds,
                    method,
                    moved_specification,
                    moved_start,
                };
                assert!(seen.contains_key(&kind), "no {kind:?} in {seen:?}");
            }
        }
    }
}

/// A token that starts at station 0 of a ring, which does `a` once wherever it is.
fn token_ring(specification: Specification) -> CopiesCheck {
    let shape = Shape {
        copies: 4,
        points: 3,
        steps: vec![
            (1, CopyStep::A, 2),
            (2, CopyStep::Pass, 0),
            (0, CopyStep::Receive, 1),
        ],
        remembers: false,
        token: true,
        composition: Composition::Alphabetised,
        shared: SharedPart::Nothing,
        partner: false,
        hidden: Vec::new(),
        specification,
    };
    CopiesCheck::of(&shape).unwrap()
}

fn turn(model: &CopiesCheck) -> Group {
    let turn = model.symmetry(&[1, 2, 3, 0]).unwrap();
    Group::new(&model.machine, model.normal_form.point_count(), vec![turn])
}

fn labels(model: &CopiesCheck, result: &CheckResult) -> Vec<String> {
    let Outcome::Violated(path) = &result.outcome else {
        return Vec::new();
    };
    let name = |label| model.table.terms().events.name(label).to_string();
    path.labels().into_iter().map(name).collect()
}

const AROUND: [&str; 5] = ["a.0", "p.0.1", "a.1", "p.1.2", "a.2"];

#[test]
fn a_trace_is_untwisted_although_every_token_looks_the_same() {
    let model = token_ring(Specification::Few(2));
    let group = turn(&model);
    // Two orbits of the ring, before and after `a`: a trace left twisted would be at station 0 for
    // ever.
    let plan = GeneralPlan::new(&group).unwrap();
    let result = twisted(&model, &Method::General(plan.clone()));
    assert_eq!(labels(&model, &result), AROUND);
    let holds = token_ring(Specification::All);
    let result = twisted(&holds, &Method::General(plan));
    assert_eq!(result.outcome, Outcome::Holds);
    let states = |result: CheckResult| result.statistics.states;
    assert_eq!((states(result), states(plain(&holds))), (2, 8));
}

#[test]
fn a_trace_is_untwisted_where_the_search_starts_elsewhere() {
    // Each of these turns every pair, the initial one too, as Theorem 1 allows.
    let model = token_ring(Specification::Few(2));
    for element in turn(&model).closure(10).unwrap() {
        let turned = Anywhere {
            packing: packing(&model),
            elements: vec![element.clone()],
        };
        let start = apply(&turned.packing, &element, &0u64);
        assert_eq!(start == 0, element.is_identity());
        let result = search::<u64>(&model, turned).unwrap();
        assert_eq!(labels(&model, &result), AROUND);
    }
}

/// Represents by an element that moves nothing, and cancels the token after a number of calls.
#[derive(Clone)]
struct Impatient {
    calls: usize,
    token: Cancellation,
    element: Symmetry,
}

impl<S: PackedState> Representative<S> for Impatient {
    const IS_IDENTITY: bool = false;

    fn represent(&mut self, _: &mut S) {
        match self.calls.checked_sub(1) {
            Some(left) => self.calls = left,
            None => self.token.cancel(),
        }
    }

    fn twist(&mut self, _: &S) -> Symmetry {
        self.element.clone()
    }
}

#[test]
fn a_violation_is_known_before_the_path_to_it() {
    let model = token_ring(Specification::Few(2));
    let element = turn(&model).closure(10).unwrap()[0].clone();
    assert!(element.is_identity());
    let product = Product::new(&model.normal_form, &model.machine, Cancellation::never()).unwrap();
    let after = |calls: usize| {
        let token = Cancellation::new();
        let by = Impatient {
            calls,
            token: token.clone(),
            element: element.clone(),
        };
        let options = CheckOptions {
            cancellation: token,
            ..CheckOptions::default()
        };
        let search = in_this_process::<u64, _>(&product, by, &options).unwrap();
        let result = search.run().map_err(Halt::into_problem).unwrap();
        let is_stopped = matches!(result.outcome, Outcome::Stopped(_));
        (is_stopped, result.is_violated)
    };
    let mut met: Vec<(bool, bool)> = (0..100).map(after).collect();
    met.dedup();
    // It is ended before a violation is met, before the way back is known, or not at all.
    assert_eq!(met, [(true, false), (true, true), (false, true)]);
}

/// A representative function that twists by another element than it represents by.
#[derive(Clone)]
struct Liar {
    honest: Anywhere,
    wrong: Symmetry,
}

impl<S: PackedState> Representative<S> for Liar {
    const IS_IDENTITY: bool = false;

    fn represent(&mut self, state: &mut S) {
        self.honest.represent(state);
    }

    fn twist(&mut self, state: &S) -> Symmetry {
        Representative::<S>::twist(&mut self.honest, state).then(&self.wrong)
    }
}

#[test]
fn wrong_twists_end_in_a_message() {
    let model = token_ring(Specification::Few(2));
    let group = turn(&model);
    let elements = group.closure(10).unwrap();
    let liar = |wrong: Symmetry| Liar {
        honest: Anywhere {
            packing: packing(&model),
            elements: elements.clone(),
        },
        wrong,
    };
    let honest = search::<u64>(&model, liar(elements[0].clone())).unwrap();
    assert_eq!(labels(&model, &honest), AROUND);
    for wrong in &elements[1..] {
        let error = search::<u64>(&model, liar(wrong.clone())).unwrap_err();
        assert_eq!(error.code, "internal-replay");
    }
    // A permutation of events that the states do not follow.
    let mut wrong = elements[0].clone();
    wrong.events = elements[1].events.clone();
    let error = search::<u64>(&model, liar(wrong)).unwrap_err();
    assert_eq!(error.code, "internal-replay");
}

#[test]
fn states_of_several_words_are_represented() {
    // At most two of forty hold one of two locks: 0, 1 or 2 of them, each in one of two states.
    let mut shape = Shape {
        copies: 40,
        points: 3,
        steps: vec![
            (0, CopyStep::Lock, 1),
            (1, CopyStep::A, 2),
            (2, CopyStep::B, 1),
            (1, CopyStep::Free, 0),
        ],
        remembers: false,
        token: false,
        composition: Composition::Interleaved,
        shared: SharedPart::Counter,
        partner: false,
        hidden: vec!["lock", "free"],
        specification: Specification::All,
    };
    let model = CopiesCheck::of(&shape).unwrap();
    assert!(packing(&model).words() > 1);
    let ids = |image: &dyn Fn(usize) -> usize| (0..40).map(image).collect::<Vec<_>>();
    let swap = ids(&|id| if id < 2 { 1 - id } else { id });
    let turn = ids(&|id| (id + 1) % 40);
    let generators = [swap, turn.clone()].map(|ids| model.symmetry(&ids).unwrap());
    let states_of = model.normal_form.point_count();
    let group = Group::new(&model.machine, states_of, generators.to_vec());
    let plan = sorted(&model.machine, &group).unwrap();
    let states = |result: CheckResult| result.statistics.states;
    let sorted = twisted(&model, &Method::Sort(plan));
    assert_eq!((states(sorted), states(plain(&model))), (6, 3201));

    // A token goes around forty stations, and has done `a` at the present one or not.
    shape.steps = vec![
        (1, CopyStep::A, 2),
        (2, CopyStep::Pass, 0),
        (0, CopyStep::Receive, 1),
    ];
    (shape.token, shape.shared) = (true, SharedPart::Nothing);
    shape.composition = Composition::Alphabetised;
    let model = CopiesCheck::of(&shape).unwrap();
    assert!(packing(&model).words() > 1);
    let generators = vec![model.symmetry(&turn).unwrap()];
    let group = Group::new(&model.machine, model.normal_form.point_count(), generators);
    let plan = GeneralPlan::new(&group).unwrap();
    assert_eq!(plan.elements().len(), 40);
    let least = twisted(&model, &Method::General(plan));
    assert_eq!((states(least), states(plain(&model))), (2, 80));
}

#[test]
fn a_step_is_untwisted_that_other_leaves_do() {
    // The witness joins in `bad.0` and stays as it is. So exchanging 0 and 1 is a symmetry,
    // although no rule does `bad.1` by the witness, and none `bad.0` without it.
    let mut table = DefinitionTable::new();
    let terms = table.terms_mut();
    let bad = ["bad.0", "bad.1"].map(|name| terms.events.intern(name));
    let stop = terms.stop();
    let copies = bad.map(|event| terms.prefix(vec![(event, stop)]));
    let copies = terms.interleave(copies.to_vec());
    let seen = terms.events.intern_set(vec![bad[0]]);
    let witness = terms.intern(Term::Run(seen));
    let system = terms.parallel(seen, vec![copies, witness]);
    let limits = LeafLimits::all(10);
    let machine = compile(&mut table, system, &CompileOptions::new(limits)).unwrap();
    let nothing = explore(&mut table, stop, &limits).unwrap().lts;
    let token = Cancellation::never();
    let normal_form = NormalForm::of(&nothing, Traces, 10, token).unwrap();

    let leaves = [1, 0, 2].map(LeafId::from_usize);
    let states = machine
        .leaves
        .iter()
        .map(|leaf| (0..leaf.state_count()).collect());
    let swap = Symmetry {
        events: EventPermutation::from_pairs([(bad[0], bad[1]), (bad[1], bad[0])]).unwrap(),
        pbisim: Pbisim::new(leaves.to_vec(), states.collect()),
        specification: [0].into(),
    };
    let verifier = Verifier::new(&machine, &normal_form, token).unwrap();
    assert!(verifier.verify(&swap, token).unwrap().is_ok());
    let mut found: Vec<Vec<LeafId>> = machine
        .rules
        .indices()
        .map(|rule| participants(&machine, rule))
        .collect();
    found.sort();
    assert_eq!(found, [vec![leaves[1], leaves[2]], vec![leaves[0]]]);

    let product = Product::new(&normal_form, &machine, token).unwrap();
    let swapped = Anywhere {
        packing: machine.packing(1),
        elements: vec![swap],
    };
    let search = in_this_process::<u64, _>(&product, swapped, &CheckOptions::default());
    let result = search.unwrap().run().map_err(Halt::into_problem).unwrap();
    let Outcome::Violated(path) = result.outcome else {
        panic!("`bad` is not allowed")
    };
    let plain = check(&normal_form, &machine, &CheckOptions::default()).unwrap();
    let Outcome::Violated(met) = plain.outcome else {
        panic!("`bad` is not allowed")
    };
    let labels = [met.labels(), path.labels()].concat();
    assert!(labels == bad || labels == [bad[1], bad[0]], "{labels:?}");
}
