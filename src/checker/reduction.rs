//! Which symmetries there are, and what to do with them: what was wished, what was found, what was chosen.

use crate::diag::Result;
use crate::eval::Evaluator;
use crate::process::term::Definitions;
use crate::process::work::Phase;
use crate::symmetry::choice::{Algorithm, Choice, Wanted, choose};
use crate::symmetry::find::{ClaimedPermutation, Subject, Wish, events_of, find};
use crate::symmetry::group::Group;
use crate::symmetry::structure::{Recognised, recognise};
use crate::symmetry::worth::may_pay;
use crate::symmetry::{Findings, Start};

use super::options::{Options, Symmetries};
use super::question::Claims;

/// What was found and chosen.
pub(super) struct Reduction {
    pub(super) findings: Findings,
    /// What all generators found generate.
    pub(super) group: Group,
    /// What the group is as an abstract group.
    pub(super) recognised: Recognised,
    pub(super) choice: Choice,
    /// Why no symmetries were looked for, where that is not what was asked for.
    pub(super) remark: Option<&'static str>,
}

/// Said where [`may_pay`] does not hold.
const NOT_WORTH_IT: &str = "symmetries were not looked for: so few states are searched sooner than symmetries are found (--algorithm symcheck2 looks all the same)";

/// What symmetries are looked for for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// To search less.
    Search,
    /// To be shown, with what broke the candidates that are none.
    Description,
}

/// The symmetries of `subject` and what to do with them.
pub(super) fn reduction(
    evaluator: &mut Evaluator<'_>,
    subject: &Subject<'_>,
    claims: &Claims<'_>,
    options: &Options,
    purpose: Purpose,
) -> Result<Reduction> {
    let explains = purpose == Purpose::Description;
    let is_off = options.symmetries == Symmetries::Off;
    let phase = if is_off {
        Phase::Machine
    } else {
        Phase::Symmetry
    };
    evaluator.enter(phase, "");
    let start = if options.fix_initial {
        Start::Fixed
    } else {
        Start::Any
    };
    // Plain search that was asked for needs no symmetries, but what is claimed is looked at all the same.
    let is_plain = options.algorithm == Some(Algorithm::Check) && !explains;
    let is_wanted = explains || options.algorithm.is_some() || options.representative.is_some();
    let mut remark = None;
    let findings = if is_off {
        Findings::default()
    } else {
        match wish(evaluator, subject, claims)? {
            Wish::Auto if is_plain => Findings::default(),
            Wish::Auto if !is_wanted && !may_pay(subject.machine, subject.specification) => {
                remark = Some(NOT_WORTH_IT);
                Findings::default()
            }
            wish => find(evaluator, subject, start, &wish, explains)?,
        }
    };
    let token = &evaluator.cancellation().clone();
    token.check()?;
    let generators = findings.generators.iter();
    let generators = generators.map(|generator| generator.symmetry.clone());
    let group = Group::new(
        subject.machine,
        subject.specification.state_count(),
        generators.collect(),
    );
    let names = findings.generators.iter();
    let group = group.named(names.map(|generator| generator.name.clone()).collect());
    token.check()?;
    let recognised = recognise(&group, token)?;
    let wanted = Wanted {
        algorithm: options.algorithm,
        representative: options.representative,
    };
    token.check()?;
    let choice = choose(subject.machine, &group, &recognised, wanted)?;
    evaluator.enter(Phase::Machine, "");
    Ok(Reduction {
        findings,
        group,
        recognised,
        choice,
        remark,
    })
}

fn wish(evaluator: &mut Evaluator<'_>, subject: &Subject<'_>, claims: &Claims<'_>) -> Result<Wish> {
    if claims.permutations.is_empty() && claims.types.is_empty() {
        return Ok(Wish::Auto);
    }
    let token = &evaluator.cancellation().clone();
    let events = events_of(subject, token)?;
    if !claims.permutations.is_empty() {
        let claimed = claims.permutations.iter().map(|written| {
            let permutation = evaluator.permutation_of(&written.cycles, &events)?;
            Ok(ClaimedPermutation {
                text: written.text.clone(),
                permutation,
                span: written.span,
            })
        });
        return Ok(Wish::Permutations(claimed.collect::<Result<_>>()?));
    }
    let claimed = claims.types.iter();
    let claimed: Vec<_> = claimed
        .map(|claim| Ok((evaluator.claimed_type(claim)?, claim.span)))
        .collect::<Result<_>>()?;
    let mut types = Vec::new();
    for (claim, span) in &claimed {
        let free = evaluator.claimed_free(claim, &events)?.into_iter();
        types.extend(free.map(|(ty, free)| (ty, free, *span)));
    }
    Ok(Wish::Types(types))
}
