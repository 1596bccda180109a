//! The ways in which an event could happen, and the components that would take part in each.
//!
//! The search goes down from the whole. An operator that makes operands do the event together needs
//! all of them; any other operator needs one of those that could ever do it. A hidden event is a τ
//! above its hiding, which every operator lets an operand do alone.

use std::sync::Arc;

use super::super::tree::{RunningKind, RunningNode};
use super::blockers::Abilities;
use super::climber::Climber;
use base::diag::Result;
use base::stack::deep;
use process::event::{EventId, TAU, TICK};
use process::operator::Operator;
use process::semantics::Semantics;
use process::term::Definitions;

/// A component that would take part in an event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Party {
    /// Its number in the cast.
    pub component: usize,
    /// The component's own event.
    pub event: EventId,
    /// Its ability to do the event.
    pub ability: Ability,
}

/// The ability of a component to do an event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Ability {
    /// It offers the event.
    Offered,
    /// It does not offer the event, but may do so later, as far as is known.
    Later,
    /// It can never do it.
    Never,
}

/// The ways in which an event could happen.
#[derive(Debug, Default)]
pub struct Ways {
    /// The components that would take part in each way, from left to right.
    pub all: Vec<Vec<Party>>,
    /// True if there are more ways than are listed.
    pub is_cut: bool,
    /// True if the event is hidden before an environment sees it.
    pub is_hidden: bool,
}

/// The largest number of ways that are listed: each operator that synchronises multiplies them.
pub(crate) const MOST_WAYS: usize = 32;

impl Ways {
    /// The ways in which `node` could do the event `label` visibly, or as a hidden event if that is
    /// nearer to happening.
    pub fn of(
        definitions: &mut dyn Definitions,
        node: &RunningNode,
        label: EventId,
    ) -> Result<Self> {
        let mut climber = Climber::new(definitions);
        let mut seen = Self::default();
        seen.all = climber.ways(node, label, &mut seen.is_cut)?;
        if seen.nearest() == Some(Ability::Offered) {
            return Ok(seen);
        }
        let mut hidden = Self {
            is_hidden: true,
            ..Self::default()
        };
        hidden.all = climber.hidden_ways(node, label, &mut hidden.is_cut)?;
        let is_nearer = match (hidden.nearest(), seen.nearest()) {
            (Some(hidden), Some(seen)) => hidden < seen,
            (hidden, _) => hidden.is_some(),
        };
        Ok(if is_nearer { hidden } else { seen })
    }

    /// The least ability in the way that is nearest to happening; `None` if there is no way.
    fn nearest(&self) -> Option<Ability> {
        let least = |way: &Vec<Party>| way.iter().map(|party| party.ability).max();
        self.all.iter().filter_map(least).min()
    }
}

/// For a hidden event, the origins of the τ of the ways in which all can take part: the event of
/// the leftmost component before any renaming, including its own.
pub fn origins(
    definitions: &mut dyn Definitions,
    node: &RunningNode,
    ways: &Ways,
) -> Result<Vec<EventId>> {
    let mut found = Vec::new();
    let running = node.running();
    let is_ready = |way: &&Vec<Party>| way.iter().all(|p| p.ability == Ability::Offered);
    for way in ways.all.iter().filter(is_ready).filter(|_| ways.is_hidden) {
        let leftmost = way[0];
        let mut terms = running.iter().filter(|&&(id, _)| id == leftmost.component);
        let Some(&(_, term)) = terms.next() else {
            continue;
        };
        for step in Semantics::new().steps(definitions, term)? {
            let is_own = step.label == TAU && step.origin == leftmost.event;
            if is_own || step.label == leftmost.event {
                found.push(step.origin);
            }
        }
    }
    Ok(found)
}

/// The components of `node` that offer `event` themselves, regardless of the operators above.
pub fn who_offers(
    definitions: &mut dyn Definitions,
    node: &RunningNode,
    event: EventId,
) -> Result<Vec<usize>> {
    let mut semantics = Semantics::new();
    let mut found = Vec::new();
    for (component, term) in node.running() {
        let steps = semantics.steps(definitions, term)?;
        if steps.iter().any(|step| step.label == event) {
            found.push(component);
        }
    }
    Ok(found)
}

/// Gives numbers to the events that the components of `node` can ever do. Returns true if these are
/// all: at most some thousand states of each component are listed.
pub fn meet_events(definitions: &mut dyn Definitions, node: &RunningNode) -> Result<bool> {
    let mut climber = Climber::new(definitions);
    let mut are_all = true;
    for (_, term) in node.running() {
        are_all &= climber.abilities(term)?.is_some();
    }
    Ok(are_all)
}

impl Climber<'_> {
    /// The ways in which `node` could do `label`. Notes if there are more than are listed.
    fn ways(
        &mut self,
        node: &RunningNode,
        label: EventId,
        is_cut: &mut bool,
    ) -> Result<Vec<Vec<Party>>> {
        if let Some(component) = node.component() {
            let party = Party {
                component,
                event: label,
                ability: self.ability(node, label)?,
            };
            return Ok(vec![vec![party]]);
        }
        let RunningKind::Operator(operator, _, operands) = &node.kind else {
            return Ok(Vec::new());
        };
        if let Some(partners) = self.together(operator, operands.len(), label) {
            let partners: Vec<_> = partners.iter().map(|&i| (&operands[i], label)).collect();
            return deep(|| self.ways_together(&partners, is_cut));
        }
        let mut ways = Vec::new();
        for (operand, label) in self.sources(operator, operands, label) {
            ways.append(&mut deep(|| self.ways(&operand, label, is_cut))?);
        }
        if label == TICK && *operator == Operator::Sequential {
            // The ✓ of the first process only hands over to the second.
            let parties = ways.iter_mut().flatten();
            parties.for_each(|party| party.ability = party.ability.max(Ability::Later));
        }
        Ok(cut(possible(ways), is_cut))
    }

    /// The ways in which `node` could do a τ that hides the event `label`.
    fn hidden_ways(
        &mut self,
        node: &RunningNode,
        label: EventId,
        is_cut: &mut bool,
    ) -> Result<Vec<Vec<Party>>> {
        if let Some(component) = node.component() {
            let party = Party {
                component,
                event: label,
                ability: self.hidden_ability(node, label)?,
            };
            let can = party.ability != Ability::Never;
            return Ok(Vec::from_iter(can.then(|| vec![party])));
        }
        let RunningKind::Operator(operator, _, operands) = &node.kind else {
            return Ok(Vec::new());
        };
        let mut ways = Vec::new();
        let above = operator.above(&self.definitions.terms().events, label);
        match operator {
            Operator::Hide(_) | Operator::Project(_) if above[0] == TAU => {
                ways = deep(|| self.ways(&operands[0], label, is_cut))?;
            }
            Operator::Linked(ties) => {
                for &(from, to) in ties.iter().filter(|tie| tie.0 == label || tie.1 == label) {
                    let partners = [(&operands[0], from), (&operands[1], to)];
                    ways.append(&mut deep(|| self.ways_together(&partners, is_cut))?);
                }
            }
            _ => {}
        }
        for operand in operands {
            ways.append(&mut deep(|| self.hidden_ways(operand, label, is_cut))?);
        }
        Ok(cut(possible(ways), is_cut))
    }

    /// Every combination of the ways of all `partners`, each with the label that it has to do.
    fn ways_together(
        &mut self,
        partners: &[(&Arc<RunningNode>, EventId)],
        is_cut: &mut bool,
    ) -> Result<Vec<Vec<Party>>> {
        let mut combined = vec![Vec::new()];
        for &(partner, label) in partners {
            let ways = self.ways(partner, label, is_cut)?;
            let pairs = combined.iter().flat_map(|before: &Vec<Party>| {
                ways.iter().map(|way| [&before[..], &way[..]].concat())
            });
            combined = cut(pairs.take(MOST_WAYS + 1).collect(), is_cut);
        }
        Ok(combined)
    }

    fn ability(&mut self, node: &RunningNode, label: EventId) -> Result<Ability> {
        if self.labels(node)?.binary_search(&label).is_ok() {
            return Ok(Ability::Offered);
        }
        self.later(node, |all| all.labels.contains(&label))
    }

    /// The ability of a component to do a τ that hides `label` inside the component.
    fn hidden_ability(&mut self, node: &RunningNode, label: EventId) -> Result<Ability> {
        let steps = self.semantics.steps(self.definitions, node.term)?;
        let mut hidden = steps.iter().filter(|step| step.label == TAU);
        if hidden.any(|step| step.origin == label) {
            return Ok(Ability::Offered);
        }
        self.later(node, |all| all.hidden.contains(&label))
    }

    /// An event that cannot be done now can be done later if it is among all events of the
    /// component; otherwise never.
    fn later(
        &mut self,
        node: &RunningNode,
        is_among: impl FnOnce(&Abilities) -> bool,
    ) -> Result<Ability> {
        let all = self.abilities(node.term)?;
        match all.is_none_or(|all| is_among(&all)) {
            true => Ok(Ability::Later),
            false => Ok(Ability::Never),
        }
    }
}

/// The ways that are still possible. If there are none, one example is enough.
fn possible(mut ways: Vec<Vec<Party>>) -> Vec<Vec<Party>> {
    let is_possible = |way: &Vec<Party>| way.iter().all(|p| p.ability != Ability::Never);
    if ways.iter().any(is_possible) {
        ways.retain(is_possible);
    } else {
        ways.truncate(1);
    }
    ways
}

fn cut(mut ways: Vec<Vec<Party>>, is_cut: &mut bool) -> Vec<Vec<Party>> {
    *is_cut |= ways.len() > MOST_WAYS;
    ways.truncate(MOST_WAYS);
    ways
}
