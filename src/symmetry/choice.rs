//! The choice of an algorithm and a representative function, and the reasons why others do not
//! apply.

use rustc_hash::FxHashSet;

use base::diag::{Diagnostic, Result};
use machine::Machine;

use super::group::Group;
use super::representative::{
    GeneralPlan, LocalPlan, Method, MinimalPlan, NO_SYMMETRY, SignaturePlan, SortPlan,
    moved_specification,
};
use super::structure::{Factor, Recognised, forest};

/// The algorithms of the paper.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Algorithm {
    /// Plain search.
    Check,
    /// sortRep, with a universally symmetric specification.
    SymCheck1,
    /// Another representative function, with a universally symmetric specification.
    SymCheck2,
    /// Another representative function, with a specification whose states move along.
    SymCheck3,
}

impl Algorithm {
    /// The name that the paper gives it.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Check => "Check",
            Algorithm::SymCheck1 => "SymCheck1",
            Algorithm::SymCheck2 => "SymCheck2",
            Algorithm::SymCheck3 => "SymCheck3",
        }
    }
}

/// The representative functions that may be asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RepresentativeKind {
    /// Blocks of leaves are sorted.
    Sort,
    /// Ids are sorted by their signatures in the state.
    Signature,
    /// The least image under all elements, which are listed.
    General,
    /// The least image, by search down the stabiliser chain.
    Minimal,
    /// Hill climbing over the generators.
    Local,
}

impl RepresentativeKind {
    /// The name in results.
    pub fn name(self) -> &'static str {
        match self {
            RepresentativeKind::Sort => "sortRep",
            RepresentativeKind::Signature => "signature sort",
            RepresentativeKind::General => "genRep",
            RepresentativeKind::Minimal => "minimal image",
            RepresentativeKind::Local => "local search",
        }
    }
}

/// The user's wishes; a field that is `None` is chosen by the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WantedMethod {
    /// The algorithm.
    pub algorithm: Option<Algorithm>,
    /// The representative function.
    pub representative: Option<RepresentativeKind>,
}

/// The algorithm that was chosen, with its representative function.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The representative function; `None` for [`Algorithm::Check`].
    pub method: Option<Method>,
    /// A method with unique representatives, by which orbits are counted, if those of `method` need
    /// not be unique.
    pub exact: Option<Method>,
    /// The algorithms that do not apply, or were not wanted, each with the reason in one line.
    pub refused: Vec<(Algorithm, String)>,
}

/// The algorithms that use symmetry, the cheapest first.
const BY_COST: [Algorithm; 3] = [
    Algorithm::SymCheck1,
    Algorithm::SymCheck2,
    Algorithm::SymCheck3,
];

/// Groups of at most this many elements are listed, whatever their structure: no method is faster
/// for them.
const FEW_ELEMENTS: u32 = 120;

/// Returns the algorithm for `group`, whose structure is `recognised`: the wanted one, or the
/// cheapest that applies. Fails with `algorithm-inapplicable` or `representative-inapplicable` if
/// the wanted one does not apply.
pub fn choose(
    machine: &Machine,
    group: &Group,
    recognised: &Recognised,
    wanted: WantedMethod,
) -> Result<Choice> {
    let candidates: Vec<Algorithm> = match (wanted.algorithm, wanted.representative) {
        (Some(Algorithm::Check), _) => Vec::new(),
        (Some(algorithm), _) => vec![algorithm],
        (None, Some(RepresentativeKind::Sort)) => vec![Algorithm::SymCheck1],
        (None, Some(_)) => BY_COST[1..].to_vec(),
        (None, None) => BY_COST.to_vec(),
    };
    let applicability = Applicability {
        machine,
        group,
        recognised,
        wanted,
    };
    let mut refused = Vec::new();
    let mut chosen = (Algorithm::Check, None);
    for algorithm in candidates {
        match applicability.method(algorithm) {
            Ok(method) => {
                chosen = (algorithm, Some(method));
                break;
            }
            Err(reason) => refused.push((algorithm, reason)),
        }
    }
    let (algorithm, method) = chosen;
    if method.is_none()
        // The algorithm tried last has the fewest conditions on the group: its reason is the one to
        // show.
        && let Some((refused, reason)) = refused.last()
        && let Some(error) = inapplicable(wanted, group, *refused, reason)
    {
        return error.into();
    }
    // Results have a reason for each algorithm that was not chosen, even if it was never tried.
    let all = [Algorithm::Check].into_iter().chain(BY_COST);
    for other in all.filter(|&other| other != algorithm) {
        if !refused.iter().any(|&(refused, _)| refused == other) {
            refused.push((other, applicability.not_chosen(other, algorithm)));
        }
    }
    refused.sort_by_key(|&(algorithm, _)| algorithm);
    let is_unique = method.as_ref().is_none_or(Method::is_unique);
    let exact = (!is_unique).then(|| applicability.exact()).flatten();
    Ok(Choice {
        algorithm,
        method,
        exact,
        refused,
    })
}

/// A machine and a group, for which algorithms are tried.
struct Applicability<'a> {
    machine: &'a Machine,
    group: &'a Group,
    recognised: &'a Recognised,
    wanted: WantedMethod,
}

type ChosenMethod = std::result::Result<Method, String>;

impl Applicability<'_> {
    /// Returns the representative function that `algorithm` uses, or the reason why it does not
    /// apply.
    fn method(&self, algorithm: Algorithm) -> ChosenMethod {
        if self.group.generators().is_empty() {
            return Err(NO_SYMMETRY.to_string());
        }
        let universal = moved_specification(self.group);
        if let (Algorithm::SymCheck1 | Algorithm::SymCheck2, Some(reason)) = (algorithm, universal)
        {
            return Err(reason);
        }
        match (algorithm, self.wanted.representative) {
            (Algorithm::SymCheck1, None | Some(RepresentativeKind::Sort)) => {
                self.of_kind(RepresentativeKind::Sort)
            }
            (Algorithm::SymCheck1, Some(kind)) => Err(format!(
                "it sorts: {} belongs to SymCheck2 and SymCheck3",
                kind.name()
            )),
            (_, Some(RepresentativeKind::Sort)) => Err("sortRep belongs to SymCheck1".to_string()),
            (_, Some(kind)) => self.of_kind(kind),
            (_, None) => self.cheapest(),
        }
    }

    /// The representative function of one kind for the whole group.
    fn of_kind(&self, kind: RepresentativeKind) -> ChosenMethod {
        let (machine, group) = (self.machine, self.group);
        match kind {
            RepresentativeKind::Sort => {
                let forest = forest(self.recognised);
                SortPlan::recognise(machine, group, forest.as_ref()).map(Method::Sort)
            }
            RepresentativeKind::General => GeneralPlan::new(group).map(Method::General),
            RepresentativeKind::Minimal => MinimalPlan::new(group).map(Method::Minimal),
            RepresentativeKind::Local => LocalPlan::new(group).map(Method::Local),
            RepresentativeKind::Signature => {
                let Some(forest) = forest(self.recognised) else {
                    let structure = &self.recognised.structure;
                    return Err(format!(
                        "the group, {structure}, is no product of symmetric groups and their wreath products"
                    ));
                };
                SignaturePlan::new(machine, group, &forest).map(Method::Signature)
            }
        }
    }

    /// Returns the cheapest method, found top-down by the structure of the group: a few elements
    /// are listed; ids that are permuted freely are sorted; direct factors that move different
    /// points are dealt with one after the other; the rest is searched for least images, and where
    /// even that takes too much, for lower ones.
    fn cheapest(&self) -> ChosenMethod {
        let is_small = *self.group.order() <= FEW_ELEMENTS.into();
        let listed = is_small.then(|| self.of_kind(RepresentativeKind::General));
        let listed = listed.and_then(Result::ok);
        listed
            .or_else(|| self.of_kind(RepresentativeKind::Signature).ok())
            .or_else(|| self.product())
            .or_else(|| self.exact())
            .map_or_else(|| self.of_kind(RepresentativeKind::Local), Ok)
    }

    /// A method with least images, if that does not take too much.
    fn exact(&self) -> Option<Method> {
        // The search is faster than a list from some hundred elements up.
        let kinds = [RepresentativeKind::Minimal, RepresentativeKind::General];
        kinds.iter().find_map(|&kind| self.of_kind(kind).ok())
    }

    /// A method for each of several parts of the group, if no point is moved by two of them: the
    /// factors in which ids are sorted together, the others each alone.
    fn product(&self) -> Option<Method> {
        let factors = self.recognised.factors.iter().cloned();
        let (sorted, others): (Vec<Factor>, Vec<Factor>) =
            factors.partition(|factor| factor.forest.is_some());
        let mut parts: Vec<Recognised> = others.into_iter().map(Recognised::of).collect();
        if !sorted.is_empty() {
            parts.push(Recognised::product(sorted));
        }
        // A part is one factor without a forest, or only factors with one. So the choice for a part
        // finds no second part to divide it into, and the recursion ends.
        let groups: Vec<Group> = parts.iter().map(|part| self.generated(part)).collect();
        if groups.len() < 2 || !move_different_points(&groups) {
            return None;
        }
        let methods = groups.iter().zip(&parts).map(|(group, recognised)| {
            let part = Applicability {
                group,
                recognised,
                ..*self
            };
            part.cheapest().ok()
        });
        let methods: Vec<Method> = methods.collect::<Option<_>>()?;
        Some(Method::Product(methods))
    }

    /// The group that the factors of `part` generate.
    fn generated(&self, part: &Recognised) -> Group {
        let states = self.group.identity().specification.len();
        let factors = part.factors.iter();
        let generators = factors.flat_map(|factor| factor.generators.clone());
        Group::new(self.machine, states, generators.collect())
    }

    /// The reason why `other` was not chosen.
    fn not_chosen(&self, other: Algorithm, chosen: Algorithm) -> String {
        if self.group.generators().is_empty() {
            NO_SYMMETRY.to_string()
        } else if self.wanted.algorithm.is_some() {
            format!("{} was asked for", chosen.name())
        } else if let Some(kind) = self.wanted.representative {
            format!("{} was asked for", kind.name())
        } else if other == Algorithm::Check {
            format!("{} visits fewer states", chosen.name())
        } else {
            format!("{} is cheaper", chosen.name())
        }
    }
}

/// True if no point is moved by two of the groups.
fn move_different_points(groups: &[Group]) -> bool {
    let mut moved = FxHashSet::default();
    let mut points = groups.iter().flat_map(Group::moved_points);
    points.all(|point| moved.insert(point))
}

/// The error for a wanted algorithm or representative function that does not apply; `None` if it
/// was not wanted. Without any symmetry a wanted representative function has nothing to do, which
/// is no error.
fn inapplicable(
    wanted: WantedMethod,
    group: &Group,
    refused: Algorithm,
    reason: &str,
) -> Option<Diagnostic> {
    let message = |what: &str| format!("{what} does not apply");
    let (error, option) = match wanted.representative {
        _ if wanted.algorithm.is_some() => {
            let error = Diagnostic::error("algorithm-inapplicable", message(refused.name()));
            (error, "--algorithm auto")
        }
        Some(kind) if !group.generators().is_empty() => {
            let error = Diagnostic::error("representative-inapplicable", message(kind.name()));
            (error, "--representative auto")
        }
        _ => return None,
    };
    let hint = format!("leave the choice to the program with `{option}`");
    Some(error.note(reason).hint(hint))
}

#[cfg(test)]
mod tests;
