//! Which algorithm applies, and why the others do not.

mod part;

use crate::diag::{Diagnostic, Result};
use crate::machine::Machine;

use self::part::part;
use super::group::Group;
use super::representative::{GeneralPlan, Method, NO_SYMMETRY, SortPlan, moved_specification};

/// The algorithms of the paper.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Algorithm {
    /// Plain search.
    Check,
    /// sortRep, and a universally symmetric specification.
    SymCheck1,
    /// genRep, and a universally symmetric specification.
    SymCheck2,
    /// genRep, and a specification that moves along.
    SymCheck3,
}

impl Algorithm {
    /// As the paper calls it.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Check => "Check",
            Algorithm::SymCheck1 => "SymCheck1",
            Algorithm::SymCheck2 => "SymCheck2",
            Algorithm::SymCheck3 => "SymCheck3",
        }
    }
}

/// Kinds of representative functions, as they can be asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RepresentativeKind {
    /// Sorts leaves that may be exchanged freely.
    Sort,
    /// Sorts ids that the group permutes like the nodes of a forest.
    Signature,
    /// Tries every element of the group.
    General,
    /// Searches the least image down the stabiliser chain.
    Minimal,
    /// Hill climbing over the generators.
    Local,
}

impl RepresentativeKind {
    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            RepresentativeKind::Sort => "sort",
            RepresentativeKind::Signature => "signature",
            RepresentativeKind::General => "general",
            RepresentativeKind::Minimal => "minimal",
            RepresentativeKind::Local => "local",
        }
    }
}

/// What was chosen.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// How it finds representatives; nothing for [`Algorithm::Check`].
    pub method: Option<Method>,
    /// The group whose orbits are searched; that of nothing but the identity for [`Algorithm::Check`].
    pub group: Group,
    /// If that is not all of the group that was asked for: why, in one line.
    pub restriction: Option<String>,
    /// The algorithms that do not apply, or were not wanted, each with the reason in one line.
    pub refused: Vec<(Algorithm, String)>,
}

/// The algorithms that use symmetry, the cheapest first.
const BY_COST: [Algorithm; 3] = [
    Algorithm::SymCheck1,
    Algorithm::SymCheck2,
    Algorithm::SymCheck3,
];

/// The algorithm for `group`: `wanted`, or the cheapest that applies. Fails with `algorithm-inapplicable` if the
/// wanted one does not apply, and with `representative-inapplicable` if the representative function does not.
pub fn choose(
    machine: &Machine,
    group: &Group,
    wanted: Option<Algorithm>,
    representative: Option<RepresentativeKind>,
) -> Result<Choice> {
    let candidates: Vec<Algorithm> = match (wanted, representative) {
        (Some(Algorithm::Check), _) => Vec::new(),
        (Some(algorithm), _) => vec![algorithm],
        (None, Some(RepresentativeKind::Sort)) => vec![Algorithm::SymCheck1],
        (None, Some(RepresentativeKind::General)) => BY_COST[1..].to_vec(),
        (None, Some(kind)) => {
            let name = kind.name();
            let message = format!("the representative function `{name}` does not apply");
            return Diagnostic::error("representative-inapplicable", message)
                .hint("leave the choice to the program with `--representative auto`")
                .into();
        }
        (None, None) => BY_COST.to_vec(),
    };
    let mut applicability = Applicability {
        machine,
        group,
        unlisted: None,
    };
    let mut refused = Vec::new();
    let mut chosen = Plan::check(machine, group);
    for algorithm in candidates {
        match applicability.plan(algorithm) {
            Ok(plan) => {
                chosen = plan;
                break;
            }
            Err(reason) if wanted.is_some() => return inapplicable(algorithm, reason).into(),
            Err(reason) => refused.push((algorithm, reason)),
        }
    }
    let all = [Algorithm::Check].into_iter().chain(BY_COST);
    for other in all.filter(|&other| other != chosen.algorithm) {
        if !refused.iter().any(|&(refused, _)| refused == other) {
            refused.push((
                other,
                applicability.not_chosen(other, chosen.algorithm, wanted),
            ));
        }
    }
    refused.sort_by_key(|&(algorithm, _)| algorithm);
    Ok(Choice {
        algorithm: chosen.algorithm,
        method: chosen.method,
        group: chosen.group,
        restriction: chosen.restriction,
        refused,
    })
}

/// An algorithm with what it needs.
struct Plan {
    algorithm: Algorithm,
    method: Option<Method>,
    group: Group,
    restriction: Option<String>,
}

impl Plan {
    fn check(machine: &Machine, group: &Group) -> Self {
        let specification_states = group.generators().first().map(|g| g.specification.len());
        Self {
            algorithm: Algorithm::Check,
            method: None,
            group: match specification_states {
                Some(states) => Group::new(machine, states, Vec::new()),
                None => group.clone(),
            },
            restriction: None,
        }
    }
}

/// What applies to a machine and a group.
struct Applicability<'a> {
    machine: &'a Machine,
    group: &'a Group,
    /// Why least images cannot be taken, once that is known.
    unlisted: Option<String>,
}

impl Applicability<'_> {
    /// The plan for `algorithm`, or why it does not apply.
    fn plan(&mut self, algorithm: Algorithm) -> std::result::Result<Plan, String> {
        if self.group.generators().is_empty() {
            return Err(NO_SYMMETRY.to_string());
        }
        let universal = moved_specification(self.group);
        if let (Algorithm::SymCheck1 | Algorithm::SymCheck2, Some(reason)) = (algorithm, universal)
        {
            return Err(reason);
        }
        let (method, group, restriction) = if algorithm == Algorithm::SymCheck1 {
            let plan = SortPlan::recognise(self.machine, self.group)?;
            (Method::Sort(plan), self.group.clone(), None)
        } else {
            let (plan, group, restriction) = self.general()?;
            (Method::General(plan), group, restriction)
        };
        Ok(Plan {
            algorithm,
            method: Some(method),
            group,
            restriction,
        })
    }

    /// Least images over the group, or over as much of it as can be listed.
    fn general(&mut self) -> std::result::Result<(GeneralPlan, Group, Option<String>), String> {
        if let Some(reason) = &self.unlisted {
            return Err(reason.clone());
        }
        let reason = match GeneralPlan::new(self.machine, self.group) {
            Ok(plan) => return Ok((plan, self.group.clone(), None)),
            Err(reason) => reason,
        };
        let part = part(self.machine, self.group);
        if part.generators().is_empty() {
            self.unlisted = Some(reason.clone());
            return Err(reason);
        }
        let plan = GeneralPlan::new(self.machine, &part)?;
        let order = part.order();
        let restriction = format!("{reason}: a subgroup of {order} elements is used");
        Ok((plan, part, Some(restriction)))
    }

    /// Why `other` is not the one.
    fn not_chosen(&self, other: Algorithm, chosen: Algorithm, wanted: Option<Algorithm>) -> String {
        if self.group.generators().is_empty() {
            NO_SYMMETRY.to_string()
        } else if wanted.is_some() {
            format!("{} was asked for", chosen.name())
        } else if other == Algorithm::Check {
            format!("{} visits fewer states", chosen.name())
        } else {
            format!("{} is cheaper", chosen.name())
        }
    }
}

fn inapplicable(algorithm: Algorithm, reason: String) -> Diagnostic {
    let name = algorithm.name();
    Diagnostic::error("algorithm-inapplicable", format!("{name} does not apply"))
        .note(reason)
        .hint("leave the choice to the program with `--algorithm auto`")
}

#[cfg(test)]
mod tests {
    use super::super::representative::tests::models::{
        Composition, Kind, Shape, Shared, Specification,
    };
    use super::*;

    fn shape(shared: Shared, specification: Specification) -> Shape {
        Shape {
            copies: 3,
            points: 2,
            steps: vec![
                (0, Kind::A, 1),
                (1, Kind::B, 0),
                (1, Kind::Lock, 1),
                (1, Kind::Free, 1),
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

    fn choice(shape: &Shape, wanted: Option<Algorithm>) -> Result<Choice> {
        let model = shape.build().unwrap();
        choose(&model.machine, &model.group(), wanted, None)
    }

    fn names(choice: &Choice) -> (Algorithm, Option<&'static str>, Vec<(Algorithm, &str)>) {
        let refused = choice
            .refused
            .iter()
            .map(|(a, reason)| (*a, reason.as_str()));
        let method = choice.method.as_ref().map(Method::name);
        (choice.algorithm, method, refused.collect())
    }

    const MOVED: &str =
        "the specification is not universally symmetric: generator 1 moves its states";
    const LEAF: &str = "generator 1 changes states of leaf 4, FREE, without exchanging it";

    #[test]
    fn the_cheapest_that_applies_is_chosen() {
        use Algorithm::{Check, SymCheck1, SymCheck2, SymCheck3};
        let mutex = Shared::Mutex { held: false };
        let exclusive = Specification::Exclusive { inside: false };
        let first = choice(&shape(Shared::Nothing, Specification::All), None).unwrap();
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
        assert_eq!(third.group.order().to_string(), "6");
        assert_eq!(third.restriction, None);
    }

    #[test]
    fn what_is_wanted_is_done_or_refused() {
        use Algorithm::{Check, SymCheck1, SymCheck2, SymCheck3};
        let all = shape(Shared::Nothing, Specification::All);
        let wanted = choice(&all, Some(SymCheck3)).unwrap();
        let other = "SymCheck3 was asked for";
        let refused = vec![(Check, other), (SymCheck1, other), (SymCheck2, other)];
        assert_eq!(names(&wanted), (SymCheck3, Some("genRep"), refused));
        let plain = choice(&all, Some(Check)).unwrap();
        assert_eq!((plain.algorithm, plain.method.is_none()), (Check, true));
        assert_eq!(plain.group.order().to_string(), "1");
        let refusal = |shape: &Shape, wanted: Algorithm| {
            let error = choice(shape, Some(wanted)).unwrap_err();
            assert_eq!(error.code, "algorithm-inapplicable");
            (error.message, error.notes.concat())
        };
        let mutex = shape(Shared::Mutex { held: false }, Specification::All);
        let expected = ("SymCheck1 does not apply".to_string(), LEAF.to_string());
        assert_eq!(refusal(&mutex, SymCheck1), expected);
        let inside = shape(Shared::Nothing, Specification::Exclusive { inside: true });
        let expected = ("SymCheck2 does not apply".to_string(), MOVED.to_string());
        assert_eq!(refusal(&inside, SymCheck2), expected);
    }

    #[test]
    fn of_a_group_too_large_to_list_a_part_is_used() {
        let mut many = shape(Shared::Mutex { held: false }, Specification::All);
        many.copies = 9;
        let model = many.build().unwrap();
        let turn: Vec<usize> = (0..9).map(|id| (id + 1) % 9).collect();
        let generators = [vec![1, 0, 2, 3, 4, 5, 6, 7, 8], turn];
        let generators = generators.map(|ids| model.symmetry(&ids).unwrap());
        let states = model.normal_form.state_count();
        let group = Group::new(&model.machine, states, generators.to_vec());
        let part = choose(&model.machine, &group, None, None).unwrap();
        assert_eq!(part.algorithm, Algorithm::SymCheck2);
        assert_eq!(part.group.order().to_string(), "40320");
        let restriction = "the group has 362880 elements, and least images are taken over 50000 at \
            most: a subgroup of 40320 elements is used";
        assert_eq!(part.restriction.as_deref(), Some(restriction));
        let generators = part.group.generators();
        assert!(generators.iter().all(|generator| group.contains(generator)));
    }

    #[test]
    fn without_symmetry_it_is_check() {
        let mut alone = shape(Shared::Nothing, Specification::NotZero);
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
}
