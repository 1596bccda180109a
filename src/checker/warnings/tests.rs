//! The warnings on random processes, compared with searches.

use super::*;
use base::cancel::Cancellation;
use lts::explore::LeafLimits;
use machine::explicit::explicit;
use machine::{CompileOptions, compile};
use process::term::Term;
use refine::check::{CheckOptions, Outcome, check};
use testkit::terms::Generator;

const OPTIONS: CompileOptions = CompileOptions::new(LeafLimits::all(1000));

/// The normal form of a machine; `None` if it is large.
fn form(machine: &Machine, model: Model) -> Option<NormalForm> {
    let token = Cancellation::never();
    let listed = explicit(machine, 1000, token).ok()?;
    NormalForm::of(&listed, model, 1000, token).ok()
}

#[test]
fn a_process_is_idle_exactly_if_it_has_no_trace() {
    let (mut idle, mut others) = (0, 0);
    for seed in 0..4000 {
        let mut generator = match seed % 2 {
            0 => Generator::new(seed),
            _ => Generator::with_priorities(seed),
        };
        let term = generator.term(3, true);
        let Ok(machine) = compile(&mut generator.table, term, &OPTIONS) else {
            continue;
        };
        let Some(form) = form(&machine, Model::Traces) else {
            continue;
        };
        let has_no_trace = form.row(NormalForm::INITIAL).is_empty();
        let found = is_idle(&machine, Cancellation::never()).unwrap();
        // There is no warning where only priorities keep events from happening.
        let has_priorities = !machine.gates.is_empty();
        let steps = process::semantics::steps(&mut generator.table, term).unwrap();
        let is_stuck = is_stuck(&machine);
        assert!(
            is_stuck == steps.is_empty() || has_priorities && !is_stuck,
            "seed {seed}"
        );
        assert!(
            found == has_no_trace || has_priorities && !found,
            "seed {seed}"
        );
        idle += usize::from(found);
        others += usize::from(!found);
    }
    assert!(idle > 100 && others > 1000, "{idle} and {others}");
}

#[test]
fn a_specification_allows_everything_exactly_if_chaos_refines_it() {
    let mut compared = [0, 0];
    for seed in 0..3000 {
        let mut generator = Generator::new(seed);
        let (specification, process) = (generator.term(2, true), generator.term(2, false));
        let table = &mut generator.table;
        let machines = [specification, process].map(|term| compile(table, term, &OPTIONS));
        let [Ok(specification), Ok(machine)] = machines else {
            continue;
        };
        let results = machine.rules.iter().map(|rule| rule.result);
        let events: Vec<EventId> = results.filter(|event| event.is_visible()).collect();
        // A process that may do all of that at any time, or nothing, and that may terminate if the
        // other one may.
        let terms = table.terms_mut();
        let set = terms.events.intern_set(events);
        let chaos = terms.intern(Term::Chaos(set));
        let ending = [Term::Skip, Term::Stop].map(|term| terms.intern(term));
        let ending = terms.intern(Term::InternalChoice(ending.into()));
        let ends = machine.rules.iter().any(|rule| rule.result == TICK);
        let most = match ends {
            true => terms.interrupt(chaos, ending),
            false => chaos,
        };
        let most = compile(table, most, &OPTIONS).unwrap();
        for model in [Model::Traces, Model::Failures] {
            let Some(form) = form(&specification, model) else {
                continue;
            };
            let found = allows(&form, model, &machine);
            let result = check(&form, &most, &CheckOptions::default()).unwrap();
            let refines = result.outcome == Outcome::Holds;
            assert_eq!(found, refines, "seed {seed}, {model:?}");
            compared[usize::from(found)] += 1;
        }
    }
    assert!(compared[0] > 1000 && compared[1] > 30, "{compared:?}");
}
