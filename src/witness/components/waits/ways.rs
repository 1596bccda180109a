//! In which ways an event could happen, and who would take part in each.
//!
//! From the whole it is looked down: an operator that makes operands do the event together needs
//! all of them, any other operator needs one of those that could ever do it.

use std::sync::Arc;

use super::super::tree::{RunningKind, RunningNode};
use super::climber::{Climber, is_parallel};
use crate::base::stack::deep;
use crate::diag::Result;
use crate::process::event::{EventId, TICK};
use crate::process::term::{Definitions, Term};

/// A component that would take part in an event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Party {
    pub component: usize,
    /// What it would do itself.
    pub event: EventId,
    pub ability: Ability,
}

/// Whether a component can do an event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Ability {
    /// It offers the event.
    Offered,
    /// It does not, but may later, as far as is known.
    Later,
    /// It can never do it.
    Never,
}

/// The ways in which an event could happen.
#[derive(Debug, Default)]
pub struct Ways {
    /// For each way those who would take part, from left to right.
    pub all: Vec<Vec<Party>>,
    /// Whether there are more than are listed.
    pub is_cut: bool,
    /// Whether the event is hidden before anybody outside sees it.
    pub is_hidden: bool,
}

/// More ways than this are not listed: each operator that synchronises multiplies their number.
pub(crate) const MOST_WAYS: usize = 32;

impl Ways {
    /// How `node` could do the event that is `label` outside, or inside all hiding if it is hidden.
    pub(crate) fn of(
        definitions: &mut dyn Definitions,
        node: &RunningNode,
        label: EventId,
    ) -> Result<Self> {
        let mut ways = Self::default();
        let mut climber = Climber::new(definitions);
        ways.all = climber.ways(node, label, &mut ways.is_cut)?;
        if ways.all.is_empty() {
            climber.sees_hidden = true;
            ways.all = climber.ways(node, label, &mut ways.is_cut)?;
            ways.is_hidden = !ways.all.is_empty();
        }
        Ok(ways)
    }
}

impl Climber<'_> {
    /// The ways in which `node` could do `label`; notes whether there are more than are listed.
    fn ways(
        &mut self,
        node: &RunningNode,
        label: EventId,
        is_cut: &mut bool,
    ) -> Result<Vec<Vec<Party>>> {
        let (shape, operands) = match &node.kind {
            RunningKind::Done => return Ok(Vec::new()),
            &RunningKind::Component(component) | &RunningKind::Stage(component) => {
                let party = Party {
                    component,
                    event: label,
                    ability: self.ability(node, label)?,
                };
                return Ok(vec![vec![party]]);
            }
            RunningKind::Operator(shape, operands) => (shape, operands),
        };
        if let Some(partners) = self.together(shape, operands.len(), label) {
            return deep(|| self.ways_together(operands, &partners, label, is_cut));
        }
        let mut ways = Vec::new();
        for (operand, label) in self.sources(shape, operands, label) {
            ways.append(&mut deep(|| self.ways(&operand, label, is_cut))?);
        }
        if label == TICK && matches!(shape, Term::Sequential(..)) {
            // The ✓ of the first process only hands over to the second.
            let parties = ways.iter_mut().flatten();
            parties.for_each(|party| party.ability = party.ability.max(Ability::Later));
        }
        let is_possible = |way: &Vec<Party>| way.iter().all(|p| p.ability != Ability::Never);
        if ways.iter().any(is_possible) {
            ways.retain(is_possible);
        } else {
            // It will never happen, and one example says that as well as all.
            ways.truncate(1);
        }
        Ok(cut(ways, is_cut))
    }

    /// The operands that all have to do `label` if one does. Returns `None` if any one does it
    /// alone.
    fn together(&self, shape: &Term, count: usize, label: EventId) -> Option<Vec<usize>> {
        if label == TICK && !is_parallel(shape) {
            return None;
        }
        // An operand without partners may be one that does not do the event at all.
        let partners = (0..count).filter_map(|i| self.partners(shape, count, i, label));
        partners.into_iter().find(|partners| partners.len() > 1)
    }

    /// Every combination of the ways of all `partners`.
    fn ways_together(
        &mut self,
        operands: &[Arc<RunningNode>],
        partners: &[usize],
        label: EventId,
        is_cut: &mut bool,
    ) -> Result<Vec<Vec<Party>>> {
        let mut combined = vec![Vec::new()];
        for &partner in partners {
            let ways = self.ways(&operands[partner], label, is_cut)?;
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
        let never = match self.abilities(node.term)? {
            Some(abilities) => !abilities.contains(&label),
            None => false,
        };
        Ok(if never {
            Ability::Never
        } else {
            Ability::Later
        })
    }
}

fn cut(mut ways: Vec<Vec<Party>>, is_cut: &mut bool) -> Vec<Vec<Party>> {
    *is_cut |= ways.len() > MOST_WAYS;
    ways.truncate(MOST_WAYS);
    ways
}
