//! A token that goes between places: the number of places that hold it never changes.

use super::*;
use crate::detect::detect;
use crate::start::Start;
use base::cancel::at_leisure;
use lts::explore::LeafLimits;
use lts::model::Model;
use lts::normal_form::NormalForm;
use machine::explicit::explicit;
use machine::{CompileOptions, compile};
use process::event::EventId;
use process::table::DefinitionTable;
use process::term::{Definitions, Term};

/// A machine of three places and a token that goes from each to any other, by `go.i.j`; and a
/// machine that allows all of these.
fn places(table: &mut DefinitionTable) -> [Machine; 2] {
    let events: Vec<Vec<EventId>> = (0..3)
        .map(|i| {
            let names = (0..3).map(|j| format!("go.{i}.{j}"));
            let terms = table.terms_mut();
            names.map(|name| terms.events.intern(&name)).collect()
        })
        .collect();
    let mut operands = Vec::new();
    for (i, out) in events.iter().enumerate() {
        let [with, without] = ["WITH", "WITHOUT"].map(|name| format!("{name}({i})"));
        let [has, has_not] = [&with, &without].map(|name| table.call(name));
        let others = (0..3).filter(|&j| j != i);
        let leaves = others.clone().map(|j| (out[j], has_not)).collect();
        let enters = others.clone().map(|j| (events[j][i], has)).collect();
        let [leaves, enters] = [leaves, enters].map(|steps| table.terms_mut().prefix(steps));
        table.define(&with, leaves);
        table.define(&without, enters);
        let concerned = others.flat_map(|j| [out[j], events[j][i]]);
        let concerned = table.terms_mut().events.intern_set(concerned.collect());
        operands.push((concerned, if i == 0 { has } else { has_not }));
    }
    let terms = table.terms_mut();
    let system = terms.alphabetised(operands);
    let all = terms.events.intern_set(events.concat());
    let run = terms.intern(Term::Run(all));
    let limits = LeafLimits::all(100);
    let minimise = true;
    let options = CompileOptions {
        minimise,
        ..CompileOptions::new(limits)
    };
    [system, run].map(|term| compile(table, term, &options).unwrap())
}

#[test]
fn a_token_on_all_places_but_one_is_never_reached() {
    let mut table = DefinitionTable::new();
    let [machine, run] = places(&mut table);
    let products = at_leisure(|token| Products::of(&machine, token));
    let weights = at_leisure(|token| Weights::new(&machine, &products, token));
    let mut weights = weights.unwrap();
    // By leaf, true if it has the token; the first leaf begins with it.
    let class = |weights: &mut Weights, with: [bool; 3]| {
        let states = with.iter().zip([true, false, false]);
        let states: Vec<u32> = states
            .map(|(has, begins)| u32::from(*has != begins))
            .collect();
        weights.class(&states).unwrap()
    };
    let home = class(&mut weights, [true, false, false]);
    assert_eq!(class(&mut weights, [false, true, false]), home);
    assert_eq!(class(&mut weights, [false, false, true]), home);
    assert_ne!(class(&mut weights, [true, true, false]), home);
    assert_ne!(class(&mut weights, [false, false, false]), home);
    // Having and not having the token can be exchanged if all steps go backwards, but not in the
    // reachable states.
    let normal_form = NormalForm::of(
        &explicit(&run, 100, Cancellation::never()).unwrap(),
        Model::Traces,
        100,
        Cancellation::never(),
    )
    .unwrap();
    let verifier = at_leisure(|token| Verifier::new(&machine, &normal_form, token));
    let all = at_leisure(|token| detect(&verifier, Start::Any, &[], u64::MAX, token)).generators;
    let states = normal_form.state_count();
    let keeping = |known: &[Symmetry]| {
        at_leisure(|token| keeping_weights(&verifier, known, all.clone(), token))
    };
    let kept = keeping(&[]);
    let order = |generators: &[Symmetry]| {
        let group = Group::new(&machine, states, generators.to_vec());
        group.order().to_string()
    };
    assert!(
        kept.iter()
            .all(|symmetry| at_leisure(|token| verifier.verify(symmetry, token)).is_ok())
    );
    assert_eq!(
        (order(&all), order(&kept)),
        ("12".to_string(), "6".to_string())
    );
    // Symmetries that are known and kept already are not returned again.
    assert!(keeping(&kept).is_empty());
}
