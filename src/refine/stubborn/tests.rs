//! Stubborn sets against their definition in terms of paths, and reduced searches against others,
//! on random symmetric systems.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use testkit::depth::{cases, seeds};

use super::*;
use crate::check::{CheckOptions, Outcome, check, twisted_check};
use base::components::strong_components;
use lts::explore::{LeafLimits, explore};
use lts::graph::StateId;
use lts::model::Model as SemanticModel;
use lts::normal_form::NormalState;
use machine::successors::Scratch;
use process::event::EventId;
use process::termination::Termination;
use symmetry::representative::{GeneralPlan, Method};
use symmetry::testing::CopiesCheck;
use testkit::copies::Shape;

const EFFORTS: [StubbornEffort; 3] = [
    StubbornEffort::Fast,
    StubbornEffort::Hybrid,
    StubbornEffort::Precise,
];

const AIMS: [Aim; 5] = [
    Aim::Deadlock,
    Aim::Divergence,
    Aim::Traces,
    Aim::Failures,
    Aim::FailuresDivergences,
];

/// A specification state beside the states of the leaves. What the specification does not allow
/// leads to [`BAD`].
type Pair = (u32, Vec<u32>);

const BAD: u32 = u32::MAX;

/// All pairs of a model, with their steps.
struct PairGraph {
    pairs: Vec<Pair>,
    steps: Vec<Vec<(RuleId, usize)>>,
}

impl PairGraph {
    /// The graph of a model's pairs; `None` if there are many pairs.
    fn new(model: &CopiesCheck) -> Option<Self> {
        let CopiesCheck {
            machine,
            normal_form,
            ..
        } = model;
        let packing = machine.packing(1);
        let successors = machine.successors(&packing, Cancellation::never()).unwrap();
        let fields = &packing.fields()[..machine.leaves.len()];
        let leaves = |state: &Vec<u64>| fields.iter().map(|field| field.get(state)).collect();
        let initial: Vec<u64> = successors.initial(packing.words());
        let mut numbers = HashMap::from([((0, initial.clone()), 0)]);
        let mut graph = Self {
            pairs: vec![(0, leaves(&initial))],
            steps: Vec::new(),
        };
        let mut open = vec![(0, initial)];
        let mut scratch = Scratch::new(packing.words());
        while let Some((specification, state)) = open.get(graph.steps.len()).cloned() {
            if graph.pairs.len() > 2000 {
                return None;
            }
            let mut steps = Vec::new();
            successors.for_each(&state, &mut scratch, &mut |rule, event, next: &Vec<u64>| {
                let after = match specification {
                    _ if event == TAU => specification,
                    BAD => BAD,
                    state => (normal_form.successor(StateId(state), event)).map_or(BAD, |s| s.0),
                };
                let count = numbers.len();
                let number = *numbers.entry((after, next.clone())).or_insert(count);
                if number == count {
                    graph.pairs.push((after, leaves(next)));
                    open.push((after, next.clone()));
                }
                steps.push((rule, number));
            });
            graph.steps.push(steps);
        }
        Some(graph)
    }

    fn possible(&self, pair: usize) -> Vec<RuleId> {
        let rules: BTreeSet<RuleId> = self.steps[pair].iter().map(|&(rule, _)| rule).collect();
        rules.into_iter().collect()
    }

    /// The rules by which `pair` changes.
    fn moving(&self, pair: usize) -> Vec<RuleId> {
        let moving = self.steps[pair].iter().filter(|(_, to)| *to != pair);
        let rules: BTreeSet<RuleId> = moving.map(|&(rule, _)| rule).collect();
        rules.into_iter().collect()
    }

    /// The pairs to which one of `pairs` leads by `rule`.
    fn after(&self, pairs: &BTreeSet<usize>, rule: RuleId) -> BTreeSet<usize> {
        let steps = pairs.iter().flat_map(|&pair| &self.steps[pair]);
        steps.filter(|step| step.0 == rule).map(|s| s.1).collect()
    }
}

pub(crate) fn sets(
    model: &CopiesCheck,
    aim: Aim,
    effort: StubbornEffort,
    generators: &[Symmetry],
) -> StubbornSets {
    let sides = (&model.normal_form, &model.machine);
    StubbornSets::new(sides, aim, effort, generators, Cancellation::never())
        .unwrap()
        .unwrap()
}

/// Checks Lemma 1 of `README.md`, for all paths of at most three steps: rules outside of a set
/// neither forbid nor enable a rule of it, and the rule has the same results before and after them.
#[test]
fn sets_are_stubborn() {
    let mut smaller = 0;
    for seed in seeds(37, 150) {
        let Some(mut model) = CopiesCheck::of(&Shape::random(seed)) else {
            continue;
        };
        if seed % 2 == 1 {
            model.normal_form = forbidden_later(&model, seed as usize);
        }
        let Some(graph) = PairGraph::new(&model) else {
            continue;
        };
        for (number, aim) in AIMS.into_iter().enumerate() {
            let effort = EFFORTS[(seed as usize + number) % 3];
            let sets = sets(&model, aim, effort, &[]);
            let mut chooser = Chooser::new(&sets, model.machine.leaves.len());
            for (pair, (specification, leaves)) in graph.pairs.iter().enumerate().take(200) {
                let possible = graph.possible(pair);
                if *specification == BAD || possible.is_empty() {
                    continue;
                }
                let specification = StateId(*specification);
                let at = ExpandedPair {
                    specification,
                    leaves,
                };
                let moving = graph.moving(pair);
                chooser.choose(at, (&possible, &moving));
                let followed = possible.iter().filter(|rule| chooser.is_chosen(**rule));
                if followed.count() < possible.len() {
                    smaller += 1;
                    let sees = sets.dependence.is_some();
                    let in_set = |rule: RuleId| chooser.is_chosen(rule);
                    check_paths(&graph, (pair, &possible), &in_set, sees);
                }
            }
        }
    }
    assert!(smaller > cases(937, 5000), "{smaller}");
}

/// A specification in which some event leads to a state that no longer allows another event. So the
/// other event moves it in that state, and not in the state before.
fn forbidden_later(model: &CopiesCheck, seed: usize) -> NormalForm {
    let events = visible_events(model);
    let count = events.len().max(1);
    let (first, later) = (events.get(seed % count), events.get(seed / 7 % count));
    let state = |number: u32| NormalState {
        row: events
            .iter()
            .filter(|event| number == 0 || Some(*event) != later)
            .map(|event| match Some(event) == first {
                true => (*event, StateId(1)),
                false => (*event, StateId(number)),
            })
            .collect(),
        acceptances: Vec::new(),
        after_rests: Vec::new(),
        is_divergent: false,
    };
    NormalForm::new(SemanticModel::Traces, vec![state(0), state(1)])
}

fn visible_events(model: &CopiesCheck) -> Vec<EventId> {
    let results = model.machine.rules.iter().map(|rule| rule.result);
    let events: BTreeSet<EventId> = results.filter(|&event| event > TICK).collect();
    events.into_iter().collect()
}

/// Checks all paths from a pair; `sees` is true if the specification takes part.
fn check_paths(
    graph: &PairGraph,
    (pair, possible): (usize, &[RuleId]),
    in_set: &dyn Fn(RuleId) -> bool,
    sees: bool,
) {
    let shown = |pairs: BTreeSet<usize>| -> BTreeSet<(u32, &Vec<u32>)> {
        let pairs = pairs.into_iter().map(|pair| &graph.pairs[pair]);
        pairs.map(|(u, v)| (if sees { *u } else { 0 }, v)).collect()
    };
    let start = BTreeSet::from([pair]);
    let mut paths: Vec<(Vec<RuleId>, BTreeSet<usize>)> = vec![(Vec::new(), start.clone())];
    while let Some((path, ends)) = paths.pop() {
        for &end in &ends {
            let is_one_of = |rule: &RuleId| in_set(*rule);
            let now: Vec<RuleId> = graph.possible(end).into_iter().filter(is_one_of).collect();
            let before: Vec<RuleId> = possible.iter().copied().filter(is_one_of).collect();
            assert_eq!(now, before, "after {path:?}");
        }
        for &rule in possible.iter().filter(|rule| in_set(**rule)) {
            let last = graph.after(&ends, rule);
            let first = graph.after(&start, rule);
            let first = path.iter().fold(first, |pairs, &b| graph.after(&pairs, b));
            assert_eq!(shown(last), shown(first), "{rule:?} and {path:?}");
        }
        if path.len() < 3 {
            let others: BTreeSet<RuleId> = ends.iter().flat_map(|&e| graph.possible(e)).collect();
            for rule in others.into_iter().filter(|rule| !in_set(*rule)) {
                let longer = [&path[..], &[rule]].concat();
                paths.push((longer, graph.after(&ends, rule)));
            }
        }
    }
}

/// Checks Lemma 2 of `README.md`: steps that are not sticky form no circle, nor do their images.
#[test]
fn every_circle_has_a_sticky_step() {
    let mut steps = 0;
    for seed in 0..300 {
        let Some(model) = CopiesCheck::of(&Shape::random(seed)) else {
            continue;
        };
        let Some(graph) = PairGraph::new(&model) else {
            continue;
        };
        let group = model.group();
        let elements = group.closure(1000).unwrap();
        for aim in [Aim::Traces, Aim::Failures] {
            let sets = sets(&model, aim, StubbornEffort::Precise, group.generators());
            let Some(sticky) = &sets.sticky else {
                continue;
            };
            let first = |leaves: &Vec<u32>| {
                let images = elements.iter().map(|element| element.pbisim.image(leaves));
                images.min().unwrap()
            };
            let mut numbers: HashMap<Vec<u32>, usize> = HashMap::new();
            let mut number = |leaves: &Vec<u32>| {
                let count = numbers.len();
                *numbers.entry(first(leaves)).or_insert(count)
            };
            let mut edges: Vec<(usize, usize)> = Vec::new();
            for (from, leaving) in graph.pairs.iter().zip(&graph.steps) {
                for &(rule, to) in leaving {
                    if sticky.goes_on(&sets.interference, rule, &from.1) {
                        edges.push((number(&from.1), number(&graph.pairs[to].1)));
                    }
                }
            }
            steps += edges.len();
            let mut rows: Vec<Vec<u32>> = vec![Vec::new(); numbers.len()];
            edges.iter().for_each(|&(a, b)| rows[a].push(b as u32));
            let component = strong_components::<()>(&rows[..], &mut |_| Ok(())).unwrap();
            for (from, to) in edges {
                assert!(from != to && component[from] != component[to], "{seed}");
            }
        }
    }
    assert!(steps > 10_000, "{steps}");
}

/// Searches of random systems by their groups and without, in which sets are chosen everywhere or,
/// because levels of few transitions count in tests, at samples.
#[test]
fn reduced_searches_have_the_same_answers() {
    let mut answers = [0, 0];
    for seed in 0..600 {
        let Some(mut model) = CopiesCheck::of(&Shape::random(seed)) else {
            continue;
        };
        let group = model.group();
        let traces = model.normal_form.clone();
        let questions = questions(&mut model, seed);
        for (number, (aim, form)) in questions.into_iter().enumerate() {
            model.normal_form = form;
            let effort = EFFORTS[(seed as usize + number) % 3];
            let holds = answer(&model, None, None);
            let reduced = answer(&model, None, Some(sets(&model, aim, effort, &[])));
            assert_eq!(reduced, holds, "seed {seed}, {aim:?}, {effort:?}");
            answers[usize::from(holds)] += 1;
        }
        model.normal_form = traces;
        let holds = answer(&model, None, None);
        let sets = sets(
            &model,
            Aim::Traces,
            StubbornEffort::Precise,
            group.generators(),
        );
        let general = Method::General(GeneralPlan::new(&group).unwrap());
        assert_eq!(answer(&model, Some(&general), Some(sets)), holds, "{seed}");
    }
    assert!(answers.iter().all(|&count| count > 500), "{answers:?}");
}

/// Specifications for searches of `model`, with the violations that are looked for.
pub(crate) fn questions(model: &mut CopiesCheck, seed: u64) -> Vec<(Aim, NormalForm)> {
    let traces = model.normal_form.clone();
    let events = visible_events(model);
    let limits = LeafLimits::all(500);
    let itself = explore(&mut model.table, model.implementation, &limits);
    let mut questions = vec![
        (Aim::Traces, traces),
        (Aim::Traces, forbidden_later(model, seed as usize)),
        (Aim::Divergence, NormalForm::divergence_free(&events)),
    ];
    for (aim, semantic) in [
        (Aim::Deadlock, SemanticModel::Failures),
        (Aim::Divergence, SemanticModel::FailuresDivergences),
    ] {
        let form = NormalForm::deadlock_free(&events, semantic, Termination::Event);
        questions.push((aim, form));
    }
    for (aim, semantic) in [
        (Aim::Failures, SemanticModel::Failures),
        (Aim::FailuresDivergences, SemanticModel::FailuresDivergences),
    ] {
        let lts = itself.as_ref().ok().map(|explored| &explored.lts);
        let form = lts.map(|lts| NormalForm::of(lts, semantic, 2000, Cancellation::never()));
        questions.extend(form.and_then(|form| Some((aim, form.ok()?))));
    }
    questions
}

/// True if the refinement holds.
pub(crate) fn answer(
    model: &CopiesCheck,
    method: Option<&Method>,
    stubborn: Option<StubbornSets>,
) -> bool {
    let options = CheckOptions {
        stubborn: stubborn.map(Arc::new),
        ..CheckOptions::default()
    };
    let (form, machine) = (&model.normal_form, &model.machine);
    let result = match method {
        None => check(form, machine, &options),
        Some(method) => twisted_check(form, machine, method, None, &options),
    };
    match result.unwrap().outcome {
        Outcome::Holds => true,
        Outcome::Violated(_) => false,
        Outcome::Stopped(reason) => panic!("{reason:?}"),
    }
}
