//! Dives through random systems against searches of all their states.

use std::sync::Arc;

use super::*;
use crate::path::Violation;
use crate::stubborn::StubbornEffort;
use crate::stubborn::tests::{answer, questions, sets};
use lts::graph::StateId;
use machine::packing::PackedState;
use process::acceptance::{acceptance, is_subset};
use process::event::EventId;
use symmetry::testing::CopiesCheck;
use testkit::copies::Shape;
use testkit::depth::{cases, seeds};

type Steps = Vec<(RuleId, EventId, Vec<u32>)>;

/// A machine, walked by the states of its leaves.
struct LeafSteps<'m> {
    model: &'m CopiesCheck,
}

impl LeafSteps<'_> {
    fn of(&self, states: &[u32]) -> Steps {
        let packing = self.model.machine.packing(1);
        let token = Cancellation::never();
        let successors = self.model.machine.successors(&packing, token).unwrap();
        let mut state: Vec<u64> = successors.initial(packing.words());
        for (field, (from, to)) in packing
            .fields()
            .iter()
            .zip(packing.unpack(&state).into_iter().zip(states))
        {
            state.flip(field.word, field.flip(from, *to));
        }
        let mut steps = Vec::new();
        let leaves = self.model.machine.leaves.len();
        let mut scratch = Scratch::new(packing.words());
        successors.for_each(&state, &mut scratch, &mut |rule, event, next: &Vec<u64>| {
            steps.push((rule, event, packing.unpack(next)[..leaves].to_vec()));
        });
        steps
    }

    /// True if some τ lead from `states` to a cycle of τ.
    fn diverges(&self, states: &[u32]) -> bool {
        let mut met: Vec<Vec<u32>> = vec![states.to_vec()];
        let mut after: Vec<Vec<usize>> = Vec::new();
        while after.len() < met.len() {
            let mut row = Vec::new();
            for (_, event, to) in self.of(&met[after.len()].clone()) {
                if event != TAU {
                    continue;
                }
                let known = met.iter().position(|other| *other == to);
                row.push(known.unwrap_or(met.len()));
                if known.is_none() {
                    met.push(to);
                }
            }
            after.push(row);
        }
        // States without a τ to one that is left are taken away, until all that are left have one.
        let mut left: Vec<bool> = vec![true; met.len()];
        loop {
            let goes_on = |at: usize| after[at].iter().any(|&to| left[to]);
            let Some(over) = (0..met.len()).find(|&at| left[at] && !goes_on(at)) else {
                return left.contains(&true);
            };
            left[over] = false;
        }
    }
}

/// Fails if `path` is no run of the machine of `model`, or its end is allowed.
fn assert_is_violation(model: &CopiesCheck, path: &Path, seed: u64) {
    let (machine, form) = (LeafSteps { model }, &model.normal_form);
    let run = path.run.as_ref().unwrap();
    let mut allowed = StateId(0);
    for (place, step) in path.steps.iter().enumerate() {
        let wanted = (run.rules[place], step.label, run.states[place + 1].clone());
        assert!(machine.of(&run.states[place]).contains(&wanted), "{seed}");
        if step.label != TAU {
            allowed = form.successor(allowed, step.label).unwrap();
        }
        assert!(!form.is_divergent(allowed), "{seed}");
    }
    let last = run.states.last().unwrap();
    let steps = machine.of(last);
    match &path.violation {
        Violation::Event(step) => {
            let rule = run.rules[path.steps.len()];
            let does =
                |(by, event, _): &(RuleId, EventId, Vec<u32>)| (*by, *event) == (rule, step.label);
            assert!(steps.iter().any(does), "{seed}");
            assert_eq!(form.successor(allowed, step.label), None, "{seed}");
        }
        Violation::Refusal(offers) => {
            let labels = steps.iter().map(|step| step.1);
            assert_eq!(acceptance(labels).as_ref(), Some(offers), "{seed}");
            let acceptances = form.acceptances(allowed).unwrap();
            let allows = |set: &Vec<EventId>| is_subset(set, offers);
            assert!(!acceptances.iter().any(allows), "{seed}");
        }
        Violation::Divergence => assert!(machine.diverges(last), "{seed}"),
        Violation::Revival(..) => panic!("{seed}"),
    }
}

/// Each dive in each order, with stubborn sets and without, through as many pairs as there are or
/// through a few.
#[test]
fn what_a_dive_finds_is_a_violation_and_what_it_exhausts_has_none() {
    let (mut found, mut exhausted, mut full) = (0, 0, 0);
    for seed in seeds(150, 2000) {
        let Some(mut model) = CopiesCheck::of(&Shape::random(seed)) else {
            continue;
        };
        for (aim, form) in questions(&mut model, seed) {
            model.normal_form = form;
            let holds = answer(&model, None, None);
            let reduces = seed % 2 == 0;
            let stubborn = sets(&model, aim, StubbornEffort::default(), &[]);
            let plan = DivePlan {
                stubborn: reduces.then(|| Arc::new(stubborn)),
                order: ChoiceOrder::of_dive(seed % 5),
                most: if seed % 3 == 0 { 20 } else { u64::MAX },
                cancellation: Cancellation::default(),
                progress: ProgressSink::default(),
            };
            let result = dive(&model.normal_form, &model.machine, &plan).unwrap();
            match result.end {
                DiveEnd::Found(path) => {
                    assert!(!holds, "{seed}");
                    assert_is_violation(&model, &path, seed);
                    found += 1;
                }
                DiveEnd::Exhausted => {
                    // A cycle of τ may be closed by a pair that is on no path any more.
                    let sees_all = !model.normal_form.model().has_divergences();
                    assert!(holds || !sees_all, "{seed}");
                    exhausted += 1;
                }
                DiveEnd::Full => full += 1,
                DiveEnd::Cancelled => panic!("{seed}"),
            }
        }
    }
    assert!(found > cases(250, 2500), "{found}");
    assert!(exhausted > cases(150, 1500), "{exhausted}");
    assert!(full > cases(15, 150), "{full}");
}

#[test]
fn a_dive_ends_when_it_is_told() {
    let model = (0..).find_map(|seed| CopiesCheck::of(&Shape::random(seed)));
    let model = model.unwrap();
    let plan = DivePlan {
        stubborn: None,
        order: ChoiceOrder::Ascending,
        most: u64::MAX,
        cancellation: Cancellation::new(),
        progress: ProgressSink::default(),
    };
    plan.cancellation.cancel();
    let result = dive(&model.normal_form, &model.machine, &plan);
    assert!(result.is_err() || matches!(result.unwrap().end, DiveEnd::Cancelled));
}
