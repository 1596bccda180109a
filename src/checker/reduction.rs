//! The symmetries of a check, and the choice of what to do with them.

use base::cancel::Phase;
use base::diag::Result;
use eval::Evaluator;
use process::term::Definitions;
use symmetry::choice::{Algorithm, Choice, WantedMethod, choose};
use symmetry::events::events_of;
use symmetry::find::claims::ClaimedPermutation;
use symmetry::find::{CheckedSystem, Reasons, SoughtSymmetries, find};
use symmetry::group::Group;
use symmetry::structure::{Recognised, recognise};
use symmetry::worth::bytes_to_look;
use symmetry::{Findings, Start};

use super::compiled::Compiled;
use super::decision::Decision;
use super::options::{Options, Symmetries};
use super::question::Claims;

/// The symmetries that were found, and the algorithm that was chosen.
pub(super) struct Reduction {
    pub(super) findings: Findings,
    /// The group that all generators generate.
    pub(super) group: Group,
    /// The structure of the group.
    pub(super) recognised: Recognised,
    pub(super) choice: Choice,
    /// The reason why no symmetries were looked for, where that is not what was asked for.
    pub(super) remark: Option<&'static str>,
}

/// The remark where looking for symmetries would take more than half of the memory that is left.
const TAKES_MEMORY: &str = "symmetries were not looked for: that would take too much memory (--algorithm symcheck2 looks all the same)";

/// The remark where a machine follows a `chase`: the order in which it follows τ need have no
/// symmetries.
const CHASES: &str = "symmetries were not looked for: components are too large to list each `chase` as one of them, and a chase that is followed has an order of its own (--algorithm symcheck2 looks all the same)";

/// The purpose for which symmetries are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// A search that visits fewer states.
    Search,
    /// A description, with what broke the candidates that are no symmetries.
    Description,
}

/// Finds the symmetries of the check of `compiled`, and chooses what to do with them.
pub(super) fn reduction(
    run: &mut Decision<'_, '_>,
    compiled: &Compiled,
    claims: &Claims<'_>,
    purpose: Purpose,
) -> Result<Reduction> {
    let (evaluator, options) = (&mut *run.evaluator, run.options);
    let subject = &compiled.subject(&run.parts.options);
    let (findings, remark) = findings(evaluator, subject, claims, options, purpose)?;
    let token = &evaluator.cancellation().clone();
    token.check()?;
    let generators = findings.generators.iter();
    // Making a group does not ask the token, so the token is asked before and after.
    let group = Group::new(
        subject.machine,
        subject.specification.state_count(),
        generators.clone().map(|g| g.symmetry.clone()).collect(),
    );
    let group = group.named(generators.map(|g| g.name.clone()).collect());
    token.check()?;
    let recognised = recognise(&group, token)?;
    let wanted = WantedMethod {
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

/// The symmetries of `subject` that are found, and the reason why none were looked for, where that
/// is not what was asked for.
fn findings(
    evaluator: &mut Evaluator<'_>,
    subject: &CheckedSystem<'_>,
    claims: &Claims<'_>,
    options: &Options,
    purpose: Purpose,
) -> Result<(Findings, Option<&'static str>)> {
    if options.symmetries == Symmetries::Off {
        evaluator.enter(Phase::Machine, "");
        return Ok((Findings::default(), None));
    }
    evaluator.enter(Phase::Symmetry, "");
    let start = if options.fix_initial {
        Start::Fixed
    } else {
        Start::Any
    };
    let explains = purpose == Purpose::Description;
    // A plain search that was asked for needs no symmetries, but claims are checked all the same.
    let is_plain = options.algorithm == Some(Algorithm::Check) && !explains;
    // All processes of a cluster have to use the same symmetries, however much memory each has.
    let is_wanted = explains
        || options.algorithm.is_some()
        || options.representative.is_some()
        || options.cluster.is_some();
    let reasons = if explains {
        Reasons::Sought
    } else {
        Reasons::LeftOut
    };
    match wish(evaluator, subject, claims)? {
        SoughtSymmetries::Auto if is_plain => Ok((Findings::default(), None)),
        _ if subject.machine.follows_chases() => Ok((Findings::default(), Some(CHASES))),
        SoughtSymmetries::Auto if !is_wanted && !has_room(evaluator, subject) => {
            Ok((Findings::default(), Some(TAKES_MEMORY)))
        }
        wish => Ok((find(evaluator, subject, start, &wish, reasons)?, None)),
    }
}

/// True if looking for symmetries of `subject` leaves half of the memory that is left.
fn has_room(evaluator: &Evaluator<'_>, subject: &CheckedSystem<'_>) -> bool {
    let memory = evaluator.cancellation().memory();
    let tightest = memory.and_then(|memory| memory.tightest());
    let bytes = bytes_to_look(subject.machine, subject.specification);
    tightest.is_none_or(|(most, now)| bytes <= most.saturating_sub(now) / 2)
}

fn wish(
    evaluator: &mut Evaluator<'_>,
    subject: &CheckedSystem<'_>,
    claims: &Claims<'_>,
) -> Result<SoughtSymmetries> {
    // The claims are looked at first, because listing the events goes through the rules and the
    // specification.
    if claims.permutations.is_empty() && claims.types.is_empty() {
        return Ok(SoughtSymmetries::Auto);
    }
    let token = &evaluator.cancellation().clone();
    let events = events_of(subject.machine, subject.specification, token)?;
    if !claims.permutations.is_empty() {
        let claimed = claims.permutations.iter().map(|written| {
            let permutation = evaluator.permutation_of(&written.cycles, &events)?;
            Ok(ClaimedPermutation {
                text: written.text.clone(),
                permutation,
                span: written.span,
            })
        });
        return Ok(SoughtSymmetries::Permutations(
            claimed.collect::<Result<_>>()?,
        ));
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
    Ok(SoughtSymmetries::Types(types))
}
