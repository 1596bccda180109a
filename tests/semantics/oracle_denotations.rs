//! The denotational oracle itself: classical examples by value, the axioms of the models, and a
//! second opinion.

use crate::generate;
use crate::oracle;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::LazyLock;
use testkit::depth::cases;

use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

use crate::denotation::{Denotation, Denotations, TooLarge, minimal};
use crate::oracle::{Event, P, Set, TICK, Termination};
use crate::steps::{Graph, without_buffers};
use crate::verdicts::{Claim, Kind, Model, Violation, violation};

/// The number of cases, which is small in slow builds.
static CASES: LazyLock<u32> = LazyLock::new(|| cases(300, 2000));

const A: Event = 2;
const B: Event = 3;
const C: Event = 4;

/// Runs `test` on random processes, which are fixed.
fn run(cases: u32, test: impl Fn(&[P], &P) -> Result<(), Failure>) {
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 500,
        ..Config::default()
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let too_large = Cell::new(0);
    let outcome = TestRunner::new_with_rng(config, rng).run(&generate::system(), |(defs, p)| {
        match test(&defs, &p) {
            Ok(()) => Ok(()),
            Err(Failure::TooLarge) => {
                too_large.set(too_large.get() + 1);
                Ok(())
            }
            Err(Failure::Wrong(reason)) => Err(TestCaseError::fail(reason)),
        }
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
    println!("{} of {cases} cases are too large", too_large.get());
    assert!(too_large.get() < cases / 10);
}

enum Failure {
    TooLarge,
    Wrong(String),
}

impl From<TooLarge> for Failure {
    fn from(_: TooLarge) -> Self {
        Failure::TooLarge
    }
}

fn ensure(holds: bool, reason: impl FnOnce() -> String) -> Result<(), Failure> {
    if holds {
        Ok(())
    } else {
        Err(Failure::Wrong(reason()))
    }
}

#[test]
fn traces_are_those_of_the_oracle_for_traces() {
    const BOUND: usize = 4;
    // Listing traces is slow.
    run(*CASES / 10, |defs, p| {
        let expected = oracle::traces(defs, p, BOUND).ok_or(Failure::TooLarge)?;
        // Only refusals depend on the kind of termination.
        let mut denotations = Denotations::new(defs, Termination::Event);
        let mut found = BTreeSet::new();
        let mut open = vec![(Vec::new(), denotations.of(p))];
        while let Some((trace, number)) = open.pop() {
            if trace.len() < BOUND {
                let denotation = denotations.denotation(number)?;
                let longer = |e: Event| [trace.as_slice(), &[e]].concat();
                open.extend(
                    denotation
                        .after
                        .iter()
                        .map(|(&e, &after)| (longer(e), after)),
                );
            }
            found.insert(trace);
        }
        ensure(found == expected, || {
            let missing = expected.difference(&found).next();
            let extra = found.difference(&expected).next();
            format!("lacks {missing:?}, has too much {extra:?}")
        })
    });
}

/// The healthiness conditions of both models.
#[test]
fn axioms_of_the_models_hold() {
    for termination in Termination::BOTH {
        axioms_hold(termination);
    }
}

fn axioms_hold(termination: Termination) {
    run(*CASES, |defs, p| {
        let mut denotations = Denotations::new(defs, termination);
        for (trace, found) in reachable(&mut denotations, p)? {
            let at = |what: &str| format!("{what} after {trace:?}: {found:?}");
            let offered: Set = found.after.keys().copied().collect();
            let is_possible = found.acceptances.iter().all(|a| a.is_subset(&offered));
            ensure(is_possible, || at("what is impossible is not refused"))?;
            let settles = found.diverges || !found.acceptances.is_empty();
            ensure(settles, || at("neither stable nor divergent"))?;
            let refuses_else = |a: &Set| a.is_subset(&Set::from([TICK]));
            let signals = found.acceptances.iter().any(refuses_else);
            let has_to_signal = termination == Termination::Signal && offered.contains(&TICK);
            ensure(signals || !has_to_signal, || at("✓ is no signal"))?;
            let is_minimal = minimal(&found.acceptances) == found.acceptances;
            ensure(is_minimal, || at("not minimal"))?;
            if trace.last() == Some(&TICK) {
                let nothing = BTreeSet::from([Set::new()]);
                let is_over = !found.diverges && found.after.is_empty();
                ensure(is_over && found.acceptances == nothing, || at("not over"))?;
            }
        }
        Ok(())
    });
}

/// A trace and the process after it.
type AfterTrace = (Vec<Event>, Rc<Denotation>);

/// The process after each trace, each once, with a shortest such trace.
fn reachable(denotations: &mut Denotations<'_>, process: &P) -> Result<Vec<AfterTrace>, TooLarge> {
    let start = denotations.of(process);
    let mut seen = BTreeSet::from([start]);
    let mut found = vec![(Vec::new(), denotations.denotation(start)?)];
    let mut next = 0;
    while next < found.len() {
        let (trace, denotation) = found[next].clone();
        for (&event, &number) in &denotation.after {
            if seen.insert(number) {
                let longer = [trace.as_slice(), &[event]].concat();
                found.push((longer, denotations.denotation(number)?));
            }
        }
        next += 1;
    }
    Ok(found)
}

/// Denotations are the observations on the graph of the operational rules, after every trace.
#[test]
fn operational_rules_give_the_same() {
    for termination in Termination::BOTH {
        observed_on_graphs(termination, *CASES);
    }
}

/// This takes some minutes in a release build.
#[test]
#[ignore = "the same as above on many more cases"]
fn operational_rules_give_the_same_in_many_cases() {
    for termination in Termination::BOTH {
        observed_on_graphs(termination, 100_000);
    }
}

fn observed_on_graphs(termination: Termination, cases: u32) {
    run(cases, |defs, p| {
        let (defs, p) = (without_buffers_in(defs), without_buffers(p));
        let graph = Graph::of(&defs, &p, termination, 1000).ok_or(Failure::TooLarge)?;
        let mut denotations = Denotations::new(&defs, termination);
        let start = (denotations.of(&p), BTreeSet::from([0]));
        let mut known = BTreeSet::from([start.clone()]);
        let mut open = vec![(Vec::new(), start)];
        while let Some((trace, (number, states))) = open.pop() {
            if known.len() > 5000 {
                return Err(Failure::TooLarge);
            }
            let found = denotations.denotation(number)?;
            let seen = graph.seen(&states);
            let is_equal = found.acceptances == seen.acceptances
                && found.diverges == seen.diverges
                && found.after.keys().eq(seen.after.keys());
            ensure(is_equal, || {
                format!(
                    "after {trace:?}: {found:?}, but {:?}, diverges {}, then {:?}",
                    seen.acceptances,
                    seen.diverges,
                    seen.after.keys()
                )
            })?;
            for (event, states) in seen.after {
                let pair = (found.after[&event], states);
                if known.insert(pair.clone()) {
                    open.push(([trace.as_slice(), &[event]].concat(), pair));
                }
            }
        }
        Ok(())
    });
}

fn without_buffers_in(definitions: &[P]) -> Vec<P> {
    definitions.iter().map(without_buffers).collect()
}

fn prefix(event: Event, then: P) -> P {
    P::Prefix(vec![(event, then)])
}

fn hide(p: P, set: &[Event]) -> P {
    P::Hide(Box::new(p), set.iter().copied().collect())
}

/// The known facts about a process.
struct Example {
    definitions: Vec<P>,
    process: P,
    termination: Termination,
}

impl Example {
    fn of(process: P) -> Self {
        Self {
            definitions: Vec::new(),
            process,
            termination: Termination::Event,
        }
    }

    fn with(self, termination: Termination) -> Self {
        Self {
            termination,
            ..self
        }
    }

    /// The minimal acceptances before the first event.
    fn acceptances(&self) -> Vec<Vec<Event>> {
        let mut denotations = Denotations::new(&self.definitions, self.termination);
        let number = denotations.of(&self.process);
        let found = denotations.denotation(number).unwrap();
        let listed = |acceptance: &Set| acceptance.iter().copied().collect();
        found.acceptances.iter().map(listed).collect()
    }

    fn violates(&self, claim: Claim) -> Option<Violation> {
        self.contradicts(claim, &P::Stop)
    }

    fn contradicts(&self, claim: Claim, specification: &P) -> Option<Violation> {
        let mut denotations = Denotations::new(&self.definitions, self.termination);
        let [p, q] = [specification, &self.process].map(|p| denotations.of(p));
        violation(&mut denotations, claim, p, q).unwrap()
    }
}

fn after(trace: &[Event], kind: Kind) -> Option<Violation> {
    Some(Violation {
        trace: trace.to_vec(),
        kind,
    })
}

#[test]
fn refusals_of_classical_processes() {
    let (a, b) = (prefix(A, P::Stop), prefix(B, P::Stop));
    let both = vec![a.clone(), b.clone()];
    let a_or_end = P::External(vec![a.clone(), P::Skip]);
    let slides = P::Sliding(Box::new(a.clone()), Box::new(b.clone()));
    let interrupts = P::Interrupt(Box::new(a.clone()), Box::new(b.clone()));
    let beside = |set: &[Event]| {
        let set = set.iter().copied().collect();
        P::Parallel(set, vec![a_or_end.clone(), b.clone()])
    };
    for (process, acceptances) in [
        (P::External(both.clone()), vec![vec![A, B]]),
        (P::Internal(both.clone()), vec![vec![A], vec![B]]),
        (slides, vec![vec![B]]),
        (P::Div, vec![]),
        (P::External(vec![a.clone(), P::Div]), vec![]),
        (P::Internal(vec![a.clone(), P::Div]), vec![vec![A]]),
        (P::Chaos(Set::from([A, B])), vec![vec![]]),
        (P::Seq(vec![a_or_end.clone(), b.clone()]), vec![vec![B]]),
        (hide(P::External(both.clone()), &[A]), vec![vec![]]),
        (hide(P::External(both.clone()), &[C]), vec![vec![A, B]]),
        (interrupts, vec![vec![A, B]]),
        (P::SyncChoice(Set::from([A]), both), vec![vec![B]]),
    ] {
        for termination in Termination::BOTH {
            let example = Example::of(process.clone()).with(termination);
            assert_eq!(example.acceptances(), acceptances, "{process:?}");
        }
    }
    // ✓ as an event is offered beside the others, and waits in a parallel. As a signal, it is not
    // for others to choose.
    for (process, event, signal) in [
        (a_or_end.clone(), vec![vec![TICK, A]], vec![vec![TICK]]),
        (P::External(vec![P::Skip, P::Div]), vec![], vec![vec![TICK]]),
        (beside(&[]), vec![vec![A, B]], vec![vec![B]]),
        (beside(&[B]), vec![vec![A]], vec![vec![]]),
        (
            P::Parallel(Set::new(), vec![a_or_end.clone(), P::Skip]),
            vec![vec![TICK, A]],
            vec![vec![TICK]],
        ),
    ] {
        let of = |termination| Example::of(process.clone()).with(termination).acceptances();
        let found = Termination::BOTH.map(of);
        assert_eq!(found, [event, signal], "{process:?}");
    }
}

#[test]
fn hidden_recursion_diverges_and_long_hidden_runs_do_not() {
    let recursion = |body: &P, hidden: &[Event]| {
        let example = Example {
            definitions: vec![body.clone()],
            ..Example::of(hide(P::Call(0), hidden))
        };
        example.violates(Claim::DivergenceFree)
    };
    let at_once = after(&[], Kind::Divergence);
    let loops = prefix(A, P::Call(0));
    assert_eq!(recursion(&loops, &[A]), at_once);
    assert_eq!(recursion(&loops, &[B]), None);
    let both = prefix(B, prefix(A, P::Call(0)));
    assert_eq!(recursion(&both, &[A]), None);
    assert_eq!(recursion(&both, &[A, B]), at_once);
    let branching = P::Prefix(vec![(B, P::Call(0)), (A, P::Stop)]);
    assert_eq!(recursion(&branching, &[B]), at_once);
    let run = |then: P| (0..40).fold(then, |then, _| prefix(A, then));
    let ends_badly = Example::of(prefix(B, hide(run(P::Div), &[A])));
    let after_b = after(&[B], Kind::Divergence);
    assert_eq!(ends_badly.violates(Claim::DivergenceFree), after_b);
    let ends_well = Example::of(hide(run(prefix(B, P::Stop)), &[A]));
    assert_eq!(ends_well.violates(Claim::DivergenceFree), None);
    // The loop can always go on, whatever runs beside it.
    let beside = P::Parallel(Set::new(), vec![P::Call(0), prefix(B, P::Stop)]);
    let beside = Example {
        definitions: vec![loops],
        ..Example::of(hide(beside, &[A]))
    };
    assert!(beside.acceptances().is_empty());
}

#[test]
fn models_tell_apart_what_they_should() {
    let a = prefix(A, P::Stop);
    let maybe = P::Internal(vec![a.clone(), P::Stop]);
    let a_or_div = P::Internal(vec![a.clone(), P::Div]);
    let skip_or_a = P::External(vec![P::Skip, a.clone()]);
    let slides = P::Sliding(Box::new(a.clone()), Box::new(P::Skip));
    for (specification, process, expected) in [
        (&a, &maybe, [true, false, false]),
        (&maybe, &a, [true, true, true]),
        (&a, &P::Div, [true, true, false]),
        (&P::Div, &maybe, [false, false, true]),
        (&a, &a_or_div, [true, true, false]),
        (&slides, &skip_or_a, [true, true, true]),
    ] {
        for termination in Termination::BOTH {
            let found = holds(specification, process, termination);
            assert_eq!(found, expected, "{specification:?} against {process:?}");
        }
    }
    // These claims are those of Roscoe's example scripts.
    let event = holds(&skip_or_a, &P::Skip, Termination::Event);
    assert_eq!(event, [true, false, false]);
    let signal = holds(&skip_or_a, &P::Skip, Termination::Signal);
    assert_eq!(signal, [true; 3]);
    let decided = P::Seq(vec![skip_or_a, P::Skip]);
    let event = holds(&decided, &P::Skip, Termination::Event);
    assert_eq!(event, [true; 3]);
}

/// For each model, true if `process` refines `specification`.
fn holds(specification: &P, process: &P, termination: Termination) -> [bool; 3] {
    [Model::Traces, Model::Failures, Model::FailuresDivergences].map(|model| {
        let example = Example::of(process.clone()).with(termination);
        example
            .contradicts(Claim::Refines(model), specification)
            .is_none()
    })
}

#[test]
fn properties_of_classical_processes() {
    use Claim::{DeadlockFree, Deterministic};
    use Model::{Failures, FailuresDivergences};
    let a = prefix(A, P::Skip);
    let may_end = P::Internal(vec![prefix(A, P::Stop), a.clone()]);
    let signal = P::External(vec![P::Skip, prefix(A, P::Stop)]);
    let buffer = P::Buffer(2, vec![(A, B)], oracle::Full::Refuse);
    let divergence = after(&[], Kind::Divergence);
    for (process, claim, expected) in [
        (&may_end, DeadlockFree(Failures), after(&[A], Kind::Refusal)),
        (&P::Div, DeadlockFree(Failures), None),
        (
            &P::Div,
            DeadlockFree(FailuresDivergences),
            divergence.clone(),
        ),
        (&buffer, DeadlockFree(FailuresDivergences), None),
        (&a, Deterministic(FailuresDivergences), None),
        (
            &may_end,
            Deterministic(Failures),
            after(&[A], Kind::Nondeterminism(TICK)),
        ),
        (&P::Div, Deterministic(Failures), None),
        (&P::Div, Deterministic(FailuresDivergences), divergence),
        (&buffer, Deterministic(FailuresDivergences), None),
    ] {
        for termination in Termination::BOTH {
            let example = Example::of(process.clone()).with(termination);
            assert_eq!(
                example.violates(claim),
                expected,
                "{claim:?} of {process:?}"
            );
        }
    }
    for (process, claim, expected) in [
        (
            &a,
            DeadlockFree(Failures),
            [after(&[A, TICK], Kind::Refusal), None],
        ),
        (
            &signal,
            Deterministic(Failures),
            [None, after(&[], Kind::Nondeterminism(A))],
        ),
    ] {
        let of = |termination| {
            Example::of(process.clone())
                .with(termination)
                .violates(claim)
        };
        assert_eq!(
            Termination::BOTH.map(of),
            expected,
            "{claim:?} of {process:?}"
        );
    }
}
