//! The rules on random terms: an image is always recognised, and every goal that is proved holds.

use super::terms::{EVENTS, Images, ORDERS, Random, are_bisimilar, permutation_to};
use super::{Prover, Start};
use crate::bisimilarity::DistinguishingTrace;
use crate::derive::pbisim;
use crate::events::machine_events;
use crate::frequencies::Frequencies;
use crate::permutation::EventPermutation;
use crate::refusal::Why;
use base::cancel::Cancellation;
use base::cancel::at_leisure;
use lts::explore::{LeafLimits, explore};
use lts::graph::Lts;
use lts::model::Model;
use lts::normal_form::NormalForm;
use machine::{CompileOptions, compile, text};
use process::event::EventId;
use process::term::{Definitions, TermId};
use testkit::terms::Generator;

/// The options; the limit is small, because some of the terms grow without end.
const OPTIONS: CompileOptions = CompileOptions::new(LeafLimits::all(300));

/// `count` generators, and as many with priorities.
fn generators(count: u64) -> impl Iterator<Item = (u64, Generator)> {
    let plain = (0..count).map(|seed| (seed, Generator::new(seed)));
    plain.chain((0..count).map(|seed| (seed, Generator::with_priorities(seed))))
}

/// A permutation of a, b and c.
fn some_permutation(random: &mut Random) -> EventPermutation {
    permutation_to(ORDERS[random.below(6)])
}

/// The verdict on `leftσ = right`; `None` if a process calls itself before any event.
fn verdict(
    definitions: &mut dyn Definitions,
    left: TermId,
    sigma: &EventPermutation,
    right: TermId,
) -> Option<Result<(), Why>> {
    let proved = Prover::new(definitions, &OPTIONS)
        .prove(left, sigma, right)
        .ok()?;
    Some(proved.map(|_| ()).map_err(|refusal| refusal.why.clone()))
}

fn lts(definitions: &mut dyn Definitions, term: TermId) -> Option<Lts> {
    Some(explore(definitions, term, &OPTIONS.limits).ok()?.lts)
}

/// Checks that `Pσ = Q` is proved where Q is P with its events renamed and its commutative operands
/// in another order: by the rules alone, whatever the operators.
#[test]
fn images_are_recognised() {
    let mut decided = 0;
    for (seed, mut generator) in generators(1000) {
        let term = generator.term(3, true);
        let mut random = Random(seed);
        let sigma = some_permutation(&mut random);
        let mut images = Images::new(&mut generator.table, &sigma);
        images.shuffle = Some(random);
        let image = images.of(term);
        let table = &mut generator.table;
        let Some(verdict) = verdict(table, term, &sigma, image) else {
            continue;
        };
        decided += 1;
        let shown = text::expression(table, term);
        let image = text::expression(table, image);
        assert_eq!(verdict, Ok(()), "seed {seed}: {shown} | {image}");
    }
    assert!(decided > 1900, "{decided}");
}

/// A process that differs little from the image of `term` under `sigma`, and may be it.
fn near_image(
    generator: &mut Generator,
    random: &mut Random,
    term: TermId,
    sigma: &EventPermutation,
) -> TermId {
    let other = match random.below(3) {
        0 => some_permutation(random),
        1 => EventPermutation::identity(),
        _ => sigma.clone(),
    };
    let shuffle = Random(random.below(1000) as u64);
    let mut images = Images::new(&mut generator.table, &other);
    images.shuffle = Some(shuffle);
    let image = images.of(term);
    let terms = generator.table.terms_mut();
    match random.below(6) {
        0 => {
            let pair = (EVENTS[random.below(3)], EVENTS[random.below(3)]);
            terms.rename(image, vec![pair])
        }
        1 => {
            let set = terms.events.intern_set(vec![EVENTS[random.below(3)]]);
            terms.hide(image, set)
        }
        _ => image,
    }
}

/// Checks by brute force that every goal that is proved holds, and that every refused goal about
/// terms without parallels does not.
#[test]
fn verdicts_hold() {
    let (mut proved, mut refuted) = (0, 0);
    for (seed, mut generator) in generators(2000) {
        let parallels = seed % 3 != 0;
        let mut random = Random(seed + 77);
        let depth = 1 + random.below(3);
        let term = generator.term(depth, parallels);
        let sigma = some_permutation(&mut random);
        let other = near_image(&mut generator, &mut random, term, &sigma);
        let table = &mut generator.table;
        let Some(verdict) = verdict(table, term, &sigma, other) else {
            continue;
        };
        let (Some(left), Some(right)) = (lts(table, term), lts(table, other)) else {
            continue;
        };
        let holds = are_bisimilar(&left, &sigma, &right);
        let shown = text::expression(table, term);
        let other = text::expression(table, other);
        match verdict {
            Ok(()) => {
                assert!(holds, "seed {seed}: {shown} | {sigma:?} | {other}");
                proved += 1;
            }
            Err(why) if !parallels => {
                assert!(
                    !holds,
                    "seed {seed}: {shown} | {sigma:?} | {other}: {why:?}"
                );
                refuted += 1;
            }
            Err(_) => {}
        }
    }
    assert!(
        proved > 500 && refuted > 130,
        "{proved} proved, {refuted} refuted"
    );
}

/// Checks that the trace that a refusal reports is one of P, and its image, with the last event, is
/// none of Q; or the other way round.
#[test]
fn refusals_report_the_truth() {
    let mut told = 0;
    for (seed, mut generator) in generators(1500) {
        let mut random = Random(seed + 5);
        let term = generator.term(2, false);
        let sigma = some_permutation(&mut random);
        let other = near_image(&mut generator, &mut random, term, &sigma);
        let table = &mut generator.table;
        let refused = Prover::new(table, &OPTIONS).prove(term, &sigma, other);
        let Ok(Err(refusal)) = refused else {
            continue;
        };
        let Why::Behaviour(DistinguishingTrace {
            trace,
            image_trace,
            event,
            image,
            on_left,
        }) = &refusal.why
        else {
            continue;
        };
        assert_eq!(sigma.apply(*event), *image);
        let (whole, whole_other) = (
            text::expression(table, term),
            text::expression(table, other),
        );
        if (&refusal.left, &refusal.right) != (&whole, &whole_other) {
            continue;
        }
        let (Some(left), Some(right)) = (lts(table, term), lts(table, other)) else {
            continue;
        };
        let mut events = trace.clone();
        events.push(*event);
        let images: Vec<EventId> = events.iter().map(|&event| sigma.apply(event)).collect();
        assert_eq!(images[..trace.len()], image_trace[..]);
        let found = (does(&left, &events), does(&right, &images));
        assert_eq!(found, (*on_left, !*on_left), "seed {seed}: {refusal:?}");
        told += 1;
    }
    assert!(told > 150, "{told}");
}

/// True if `lts` can do these events, τ included, one after the other.
fn does(lts: &Lts, events: &[EventId]) -> bool {
    let mut states = vec![Lts::INITIAL];
    for event in events {
        let steps = states.iter().flat_map(|&state| lts.row(state));
        let mut next: Vec<_> = steps
            .filter(|(e, _)| e == event)
            .map(|&(_, to)| to)
            .collect();
        next.sort_unstable();
        next.dedup();
        states = next;
    }
    !states.is_empty()
}

/// Checks verdicts about machines: every goal that is proved with the start fixed holds of the
/// processes.
#[test]
fn verdicts_about_machines_hold() {
    let (mut proved, mut moving) = (0, 0);
    for (seed, mut generator) in generators(500) {
        let term = generator.term(2, true);
        let image = Images::new(&mut generator.table, &permutation_to([1, 0, 2])).of(term);
        let both = generator.table.terms_mut().interleave(vec![term, image]);
        let table = &mut generator.table;
        let (Some(graph), Ok(machine)) = (lts(table, both), compile(table, both, &OPTIONS)) else {
            continue;
        };
        // A specification that allows nothing does not tell any events apart.
        let nothing = NormalForm::of(
            &Lts::from_rows(vec![Vec::new()]),
            Model::Traces,
            1,
            Cancellation::never(),
        )
        .unwrap();
        let frequencies =
            at_leisure(|token| Frequencies::of(&machine, &nothing, Start::Fixed, token));
        for order in ORDERS {
            let sigma = permutation_to(order);
            let mut prover = Prover::for_machine(table, &OPTIONS, &machine, Start::Fixed);
            let verdict = prover.prove(both, &sigma, both).unwrap();
            if order == [1, 0, 2] {
                assert!(verdict.is_ok(), "seed {seed}");
            }
            let Ok(proof) = verdict else {
                continue;
            };
            proved += 1;
            assert!(
                are_bisimilar(&graph, &sigma, &graph),
                "seed {seed}: {sigma:?}"
            );
            if pbisim(&machine, &proof).is_ok() {
                moving += 1;
                let of = |event| frequencies.of_event(event);
                let mut events = at_leisure(|token| machine_events(&machine, token)).into_iter();
                assert!(
                    events.all(|event| of(event) == of(sigma.apply(event))),
                    "seed {seed}: {sigma:?} would have been refused unseen"
                );
            }
        }
    }
    assert!(proved > 1000 && moving > 500, "{proved} {moving}");
}
