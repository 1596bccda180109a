//! The choice of algorithms, and the reasons given for the others.

use super::*;
use crate::structure::recognise;
use crate::testing::CopiesCheck;
use base::cancel::at_leisure;
use testkit::copies::{Composition, CopyStep, Shape, SharedPart, Specification};

fn shape(shared: SharedPart, specification: Specification) -> Shape {
    Shape {
        copies: 3,
        points: 2,
        steps: vec![
            (0, CopyStep::A, 1),
            (1, CopyStep::B, 0),
            (1, CopyStep::Lock, 1),
            (1, CopyStep::Free, 1),
        ],
        remembers: false,
        token: false,
        composition: Composition::Interleaved,
        shared,
        partner: false,
        hidden: Vec::new(),
        specification,
    }
}

fn choice(shape: &Shape, algorithm: Option<Algorithm>) -> Result<Choice> {
    let representative = None;
    wanted(
        shape,
        WantedMethod {
            algorithm,
            representative,
        },
    )
}

fn of_kind(shape: &Shape, representative: RepresentativeKind) -> Result<Choice> {
    let (algorithm, representative) = (None, Some(representative));
    wanted(
        shape,
        WantedMethod {
            algorithm,
            representative,
        },
    )
}

fn wanted(shape: &Shape, wanted: WantedMethod) -> Result<Choice> {
    let model = CopiesCheck::of(shape).unwrap();
    let group = model.group();
    choose(
        &model.machine,
        &group,
        &at_leisure(|token| recognise(&group, token)),
        wanted,
    )
}

fn names(choice: &Choice) -> (Algorithm, Option<&'static str>, Vec<(Algorithm, &str)>) {
    let refused = choice
        .refused
        .iter()
        .map(|(a, reason)| (*a, reason.as_str()));
    let method = choice.method.as_ref().map(Method::name);
    (choice.algorithm, method, refused.collect())
}

const MOVED: &str = "the specification is not universally symmetric: generator 1 moves its states";
const LEAF: &str = "generator 1 changes states of leaf 4, FREE, without exchanging it";

#[test]
fn the_cheapest_that_applies_is_chosen() {
    use Algorithm::{Check, SymCheck1, SymCheck2, SymCheck3};
    let mutex = SharedPart::Mutex { held: false };
    let exclusive = Specification::Exclusive { inside: false };
    let first = choice(&shape(SharedPart::Nothing, Specification::All), None).unwrap();
    let cheaper = "SymCheck1 is cheaper";
    let refused = vec![
        (Check, "SymCheck1 visits fewer states"),
        (SymCheck2, cheaper),
        (SymCheck3, cheaper),
    ];
    assert_eq!(names(&first), (SymCheck1, Some("sortRep"), refused));
    let second = choice(&shape(mutex, Specification::All), None).unwrap();
    let refused = vec![
        (Check, "SymCheck2 visits fewer states"),
        (SymCheck1, LEAF),
        (SymCheck3, "SymCheck2 is cheaper"),
    ];
    assert_eq!(names(&second), (SymCheck2, Some("genRep"), refused));
    let third = choice(&shape(mutex, exclusive), None).unwrap();
    let refused = vec![
        (Check, "SymCheck3 visits fewer states"),
        (SymCheck1, MOVED),
        (SymCheck2, MOVED),
    ];
    assert_eq!(names(&third), (SymCheck3, Some("genRep"), refused));
}

#[test]
fn what_is_wanted_is_done_or_refused() {
    use Algorithm::{Check, SymCheck1, SymCheck2, SymCheck3};
    let all = shape(SharedPart::Nothing, Specification::All);
    let wanted = choice(&all, Some(SymCheck3)).unwrap();
    let other = "SymCheck3 was asked for";
    let refused = vec![(Check, other), (SymCheck1, other), (SymCheck2, other)];
    assert_eq!(names(&wanted), (SymCheck3, Some("genRep"), refused));
    let plain = choice(&all, Some(Check)).unwrap();
    assert_eq!((plain.algorithm, plain.method.is_none()), (Check, true));
    let refusal = |shape: &Shape, wanted: Algorithm| {
        let error = choice(shape, Some(wanted)).unwrap_err();
        assert_eq!(error.code, "algorithm-inapplicable");
        (error.message, error.notes.concat())
    };
    let mutex = shape(SharedPart::Mutex { held: false }, Specification::All);
    let expected = ("SymCheck1 does not apply".to_string(), LEAF.to_string());
    assert_eq!(refusal(&mutex, SymCheck1), expected);
    let inside = shape(
        SharedPart::Nothing,
        Specification::Exclusive { inside: true },
    );
    let expected = ("SymCheck2 does not apply".to_string(), MOVED.to_string());
    assert_eq!(refusal(&inside, SymCheck2), expected);
}

#[test]
fn ids_of_groups_of_more_than_a_few_elements_are_sorted() {
    let mut many = shape(SharedPart::Mutex { held: false }, Specification::All);
    let name = |shape: &Shape| {
        let choice = choice(shape, None).unwrap();
        assert_eq!(choice.algorithm, Algorithm::SymCheck2);
        choice.method.map(|method| method.name())
    };
    many.copies = 5;
    assert_eq!(name(&many), Some("genRep"));
    many.copies = 6;
    assert_eq!(name(&many), Some("signature sort"));
}

#[test]
fn representatives_can_be_asked_for() {
    use RepresentativeKind::{General, Local, Minimal, Signature, Sort};
    let mutex = shape(SharedPart::Mutex { held: false }, Specification::All);
    for kind in [General, Local, Minimal, Signature] {
        let choice = of_kind(&mutex, kind).unwrap();
        assert_eq!(choice.algorithm, Algorithm::SymCheck2);
        assert_eq!(choice.method.map(|method| method.name()), Some(kind.name()));
        assert_eq!(choice.exact.is_some(), kind == Local);
        let (other, reason) = &choice.refused[0];
        let asked = format!("{} was asked for", kind.name());
        assert_eq!((*other, reason), (Algorithm::Check, &asked));
    }
    let error = of_kind(&mutex, Sort).unwrap_err();
    assert_eq!(error.code, "representative-inapplicable");
    assert_eq!(error.notes, [LEAF]);
    let all = shape(SharedPart::Nothing, Specification::All);
    assert_eq!(of_kind(&all, Sort).unwrap().algorithm, Algorithm::SymCheck1);
    let both = WantedMethod {
        algorithm: Some(Algorithm::SymCheck1),
        representative: Some(General),
    };
    let error = wanted(&all, both).unwrap_err();
    assert_eq!(error.code, "algorithm-inapplicable");
    // Without symmetry there is nothing to represent, but a wanted representative function is no
    // error.
    let mut alone = shape(SharedPart::Nothing, Specification::NotZero);
    alone.copies = 2;
    assert_eq!(
        of_kind(&alone, Minimal).unwrap().algorithm,
        Algorithm::Check
    );
}

#[test]
fn without_symmetry_it_is_check() {
    let mut alone = shape(SharedPart::Nothing, Specification::NotZero);
    alone.copies = 2;
    let plain = choice(&alone, None).unwrap();
    assert_eq!(
        (plain.algorithm, plain.refused.len()),
        (Algorithm::Check, 3)
    );
    assert!(
        plain
            .refused
            .iter()
            .all(|(_, reason)| reason == NO_SYMMETRY)
    );
    let error = choice(&alone, Some(Algorithm::SymCheck3)).unwrap_err();
    assert_eq!(error.notes, [NO_SYMMETRY]);
}
