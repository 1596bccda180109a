//! Partial order reduction: at each pair of specification state and machine state only the rules of
//! a stubborn set are followed (`README.md`).
//!
//! The unit is the rule of the machine; the specification takes part as one more leaf. The pair
//! alone decides which rules are followed, not what the search has met. So levels, threads and disk
//! do not matter, and representatives may be chosen as ever.

mod chooser;
mod closure;
mod dependence;
mod gain;
mod specification;
mod sticky;
#[cfg(test)]
pub(crate) mod tests;

use base::cancel::Cancellation;
use base::diag::Result;
use base::index::TypedIndex;
use lts::normal_form::NormalForm;
use machine::interference::Interference;
use machine::rule_sets::RuleSet;
use machine::{Machine, RuleId};
use process::event::{TAU, TICK};
use symmetry::pbisim::Symmetry;

use self::dependence::Dependence;
use self::sticky::StickySteps;

pub(super) use self::chooser::{Chooser, ExpandedPair};
pub(super) use self::gain::{ChosenSteps, Sampling};

/// The violations that a search is to find, if there are any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// A state in which nothing is possible.
    Deadlock,
    /// A deadlock, or τ for ever.
    Divergence,
    /// An event that the specification refuses.
    Traces,
    /// A refused event, or a rest with refusals that the specification does not allow.
    Failures,
    /// A refused event, a rest with refusals that are not allowed, or τ for ever where the
    /// specification does not diverge.
    FailuresDivergences,
}

/// The effort to find a small stubborn set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StubbornEffort {
    /// Takes the first set.
    Fast,
    /// Takes the smallest of a few sets.
    Hybrid,
    /// Takes the smallest of the sets that each possible rule leads to.
    #[default]
    Precise,
}

impl StubbornEffort {
    /// The name: `fast`, `hybrid` or `precise`.
    pub fn name(self) -> &'static str {
        match self {
            StubbornEffort::Fast => "fast",
            StubbornEffort::Hybrid => "hybrid",
            StubbornEffort::Precise => "precise",
        }
    }
}

/// The tables by which stubborn sets are found.
#[derive(Debug)]
pub struct StubbornSets {
    interference: Interference,
    /// The specification, where the order of visible events matters.
    dependence: Option<Dependence>,
    /// True if a set must have a possible τ if there is one, and all possible rules if there is
    /// none.
    observes_rests: bool,
    /// The steps that keep events from being put off for ever, where nothing else does.
    sticky: Option<StickySteps>,
    effort: StubbornEffort,
    rule_count: usize,
    /// The rules with τ.
    taus: RuleSet,
    /// The rules that move a specification that does not take part: none.
    none: RuleSet,
    /// True if the machine can never do τ for ever.
    never_diverges: bool,
}

/// The reason why a search is not reduced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotReduced {
    /// A step may depend on leaves that do not take part.
    Priorities,
    /// A step moves leaves that do not take part.
    Chase,
    /// The tables would be too large.
    TooLarge,
}

impl NotReduced {
    /// The reason in one line.
    pub fn text(self) -> &'static str {
        match self {
            NotReduced::Priorities => {
                "a priority makes steps depend on components that do not take part"
            }
            NotReduced::Chase => "a `chase` moves components that do not take part in a step",
            NotReduced::TooLarge => "its tables would take too much memory",
        }
    }
}

impl StubbornSets {
    /// The effort by which small sets are looked for.
    pub fn effort(&self) -> StubbornEffort {
        self.effort
    }

    /// The rules by the leaves that take part in them.
    pub(super) fn interference(&self) -> &Interference {
        &self.interference
    }

    /// The sets for searches of `machine` beside `specification` with this aim. `generators`
    /// generate the group by which states are represented; there are none if each represents
    /// itself.
    pub fn new(
        (specification, machine): (&NormalForm, &Machine),
        aim: Aim,
        effort: StubbornEffort,
        generators: &[Symmetry],
        token: &Cancellation,
    ) -> Result<std::result::Result<Self, NotReduced>> {
        if !machine.gates.is_empty() {
            return Ok(Err(NotReduced::Priorities));
        }
        if machine.follows_chases() {
            return Ok(Err(NotReduced::Chase));
        }
        let Some(interference) = Interference::new(machine, token)? else {
            return Ok(Err(NotReduced::TooLarge));
        };
        let is_tau = |&rule: &RuleId| machine.rules[rule].result == TAU;
        let taus: Vec<(RuleId, usize)> = rules(machine).filter(is_tau).map(|r| (r, 0)).collect();
        let sticky_taus = StickySteps::new(machine, &interference, &taus, generators, token)?;
        let mut sets = Self {
            dependence: None,
            observes_rests: false,
            sticky: None,
            effort,
            rule_count: machine.rules.len(),
            taus: RuleSet::of(taus.iter().map(|&(rule, _)| rule)),
            none: RuleSet::default(),
            never_diverges: sticky_taus.has_no_cycle,
            interference,
        };
        let aim = sets.simplest(aim, machine);
        sets.observes_rests = !matches!(aim, Aim::Deadlock | Aim::Traces);
        if matches!(aim, Aim::Deadlock | Aim::Divergence) {
            return Ok(Ok(sets));
        }
        let Some(dependence) = Dependence::new(specification, machine, token)? else {
            return Ok(Err(NotReduced::TooLarge));
        };
        sets.sticky = match aim {
            Aim::Traces => {
                let loose = sets.loose_for_traces(&dependence, machine);
                let interference = &sets.interference;
                let sticky = StickySteps::new(machine, interference, &loose, generators, token)?;
                Some(sticky)
            }
            Aim::Failures => Some(sticky_taus),
            _ => None,
        };
        sets.dependence = Some(dependence);
        Ok(Ok(sets))
    }

    /// The rules that a search for refused events might put others off by for ever; each with its
    /// cost, the number of rules that depend on it: a rule with few is followed alone more often.
    fn loose_for_traces(&self, dependence: &Dependence, machine: &Machine) -> Vec<(RuleId, usize)> {
        let loose = rules(machine)
            .filter(|&rule| self.taus.contains(rule) || !dependence.meets_all_movers(rule));
        let cost = |rule| match dependence.event(rule) {
            Some(event) => dependence.dependents(event).count(),
            None => 0,
        };
        loose.map(|rule| (rule, cost(rule))).collect()
    }

    /// True if the machine can never do τ for ever, whatever the specification.
    pub(crate) fn never_diverges(&self) -> bool {
        self.never_diverges
    }

    /// The aim by whose conditions `aim` is reached in this machine (`README.md`, section 4).
    fn simplest(&self, aim: Aim, machine: &Machine) -> Aim {
        match aim {
            Aim::Divergence if self.never_diverges => self.simplest(Aim::Deadlock, machine),
            Aim::Deadlock if !self.ends_with_tick(machine) => Aim::FailuresDivergences,
            Aim::Failures if self.never_diverges => Aim::FailuresDivergences,
            aim => aim,
        }
    }

    /// True if nothing is possible after ✓: each rule has a leaf that takes part in ✓ and does not
    /// let the rule afterwards.
    fn ends_with_tick(&self, machine: &Machine) -> bool {
        let ends = |tick: RuleId, rule: RuleId| {
            self.interference.participants(rule).iter().any(|of_rule| {
                let of_tick = self.interference.participants(tick).iter();
                let mut same = of_tick.filter(|of_tick| of_tick.leaf == of_rule.leaf);
                same.any(|of_tick| {
                    let action = &self.interference.actions[of_tick.action as usize];
                    let mut targets = action.transitions.iter().map(|&(_, to)| to);
                    targets.all(|to| !self.interference.lets(*of_rule, to))
                })
            })
        };
        let mut ticks = rules(machine).filter(|&rule| machine.rules[rule].result == TICK);
        ticks.all(|tick| rules(machine).all(|rule| ends(tick, rule)))
    }
}

/// The rules of a machine.
fn rules(machine: &Machine) -> impl Iterator<Item = RuleId> {
    (0..machine.rules.len()).map(RuleId::from_usize)
}
