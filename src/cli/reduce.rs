//! Which symmetries a check uses: what was wished, what was found, what was chosen.

use crate::diag::Result;
use crate::eval::Evaluator;
use crate::process::term::Definitions;
use crate::process::work::{Pace, Phase};
use crate::source::Span;
use crate::symmetry::choice::{Algorithm, Choice, Wanted, choose};
use crate::symmetry::find::{ClaimedPermutation, Subject, Wish, events_of, find};
use crate::symmetry::group::Group;
use crate::symmetry::structure::{Recognised, recognise};
use crate::symmetry::worth::may_pay;
use crate::symmetry::{Findings, Start};
use crate::syntax::ast::{ExprId, SymmetricType};

use super::request::{Options, SymmetryWish};

/// A permutation of the command line, as expressions at the top level of the script.
#[derive(Clone, Debug)]
pub(super) struct WrittenPermutation {
    pub(super) text: String,
    /// The elements of each cycle, in order.
    pub(super) cycles: Vec<Vec<ExprId>>,
    /// Its first element.
    pub(super) span: Span,
}

/// What is said about symmetry, by an assertion or on the command line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Claims<'a> {
    /// The types of `:[symmetry reduce]:`.
    pub(super) types: &'a [SymmetricType],
    /// The permutations of `--symmetry`; they go before the types.
    pub(super) permutations: &'a [WrittenPermutation],
}

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

/// The symmetries of `subject` and what to do with them. Where it `explains`, it also says what broke the candidates that
/// are none.
pub(super) fn reduction(
    evaluator: &mut Evaluator<'_>,
    subject: &Subject<'_>,
    claims: &Claims<'_>,
    options: &Options,
    explains: bool,
) -> Result<Reduction> {
    let is_off = options.symmetry == SymmetryWish::Off;
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
    let mut proceed = || evaluator.proceed();
    let pace = &mut Pace::new(&mut proceed);
    pace.ask_now()?;
    let generators = findings.generators.iter();
    let generators = generators.map(|generator| generator.symmetry.clone());
    let group = Group::new(
        subject.machine,
        subject.specification.state_count(),
        generators.collect(),
    );
    let names = findings.generators.iter();
    let group = group.named(names.map(|generator| generator.name.clone()).collect());
    pace.ask_now()?;
    let recognised = recognise(&group, pace)?;
    let wanted = Wanted {
        algorithm: options.algorithm,
        representative: options.representative,
    };
    pace.ask_now()?;
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
    if !claims.permutations.is_empty() {
        let mut proceed = || evaluator.proceed();
        let events = events_of(subject, &mut Pace::new(&mut proceed))?;
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
    if claims.types.is_empty() {
        return Ok(Wish::Auto);
    }
    let types = claims.types.iter();
    let types = types.map(|claim| Ok((evaluator.claimed_type(claim)?, claim.span)));
    Ok(Wish::Types(types.collect::<Result<_>>()?))
}
