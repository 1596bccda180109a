//! Finds the states and steps that a term reaches within bounds, with the term of each state and
//! the origin of each step, which a plain transition system forgets.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::graph::{Lts, LtsBuilder, StateId};
use base::diag::Result;
use base::index::{IndexVec, TypedIndex};
use base::stack::deep;
use process::event::EventId;
use process::growth::GrowthWatch;
use process::semantics::{Semantics, Step};
use process::term::{Definitions, TermId};

/// The bounds within which a term is followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReachBounds {
    /// The largest number of states. The initial state is always listed.
    pub states: usize,
    /// True if a process that would grow for ever is an error, as soon as that is noticed. If a
    /// part of the process is enough, it is none.
    pub is_whole: bool,
    /// The largest number of steps from the initial state; `None` for any number.
    pub depth: Option<usize>,
}

/// The states that a term reaches within bounds.
#[derive(Clone, Debug)]
pub struct ReachedStates {
    /// The term of each state as it was first met, before its calls are unfolded; breadth first.
    pub terms: Vec<TermId>,
    /// The steps of each state to states within the bounds.
    pub rows: IndexVec<StateId, Vec<ReachedStep>>,
    /// The number of steps of each state that lead out of the bounds.
    pub omitted: IndexVec<StateId, usize>,
}

/// One step between states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReachedStep {
    /// The event that is seen.
    pub label: EventId,
    /// The state after it.
    pub target: StateId,
    /// The events that it can be before all hiding and renaming, ascending; see [`Step::origin`].
    pub origins: Vec<EventId>,
}

impl ReachedStates {
    /// True if no step leads out of the bounds.
    pub fn is_complete(&self) -> bool {
        self.omitted.iter().all(|&omitted| omitted == 0)
    }

    /// The steps without their origins. There must not be more of them than 32 bits can number.
    pub fn lts(&self) -> Lts {
        let mut rows = LtsBuilder::default();
        for row in self.rows.iter() {
            rows.push(row.iter().map(|step| (step.label, step.target)));
        }
        rows.finish()
    }
}

/// The states that `term` reaches, breadth first. A state is a term in which everything that has
/// started is unfolded: a call and its body are one state, and so they are as operands. The leaves
/// of a machine have such states too.
///
/// Every state within the bounds is listed in full, even at the border. So the steps that are left
/// out are known, at the cost of listing the states.
pub fn reach(
    definitions: &mut dyn Definitions,
    term: TermId,
    bounds: ReachBounds,
) -> Result<ReachedStates> {
    let mut found = Found::of(definitions, term, bounds.states)?;
    let mut watch = bounds.is_whole.then(|| GrowthWatch::early(bounds.states));
    let (mut depth, mut level_ends) = (0, 1);
    while !found.is_listed() {
        if found.rows.len() == level_ends {
            depth += 1;
            level_ends = found.met.terms.len();
        }
        definitions.cancellation().step()?;
        let may_grow = bounds.depth.is_none_or(|most| depth < most);
        found.list_next(definitions, may_grow)?;
        if let Some(watch) = &mut watch {
            watch.look(definitions, &found.met.terms)?;
        }
    }
    Ok(ReachedStates {
        terms: found.met.terms,
        rows: found.rows,
        omitted: found.omitted,
    })
}

/// A shortest way to one of the states that [`reach`] numbers.
pub struct ReachedWay {
    /// The steps, each with the state that it leads to.
    pub steps: Vec<ReachedStep>,
    found: Found,
}

impl ReachedWay {
    /// The way to the state with the number `wanted`; `None` if there are fewer states.
    pub fn to(
        definitions: &mut dyn Definitions,
        term: TermId,
        wanted: usize,
    ) -> Result<Option<Self>> {
        let mut found = Found::of(definitions, term, wanted.saturating_add(1))?;
        while found.met.terms.len() <= wanted {
            if found.is_listed() {
                return Ok(None);
            }
            definitions.cancellation().step()?;
            found.list_next(definitions, true)?;
        }
        let mut steps = Vec::new();
        let mut at = StateId::from_usize(wanted);
        // The numbers are breadth first, so the first state with a step here is the nearest one.
        while at.index() > 0 {
            let rows = found.rows.iter().enumerate();
            let step = rows.flat_map(|(from, row)| row.iter().map(move |step| (from, step)));
            let Some((from, step)) = step.into_iter().find(|(_, step)| step.target == at) else {
                return Ok(None);
            };
            steps.push(step.clone());
            at = StateId::from_usize(from);
        }
        steps.reverse();
        Ok(Some(Self { steps, found }))
    }

    /// True if `term` is the state with the number `state`.
    pub fn is_state(
        &mut self,
        definitions: &mut dyn Definitions,
        term: TermId,
        state: StateId,
    ) -> Result<bool> {
        Ok(self.found.met.number(definitions, term, 0)? == Some(state))
    }
}

/// The states found so far, and the rows of the first of them.
struct Found {
    met: StatesAsMet,
    most: usize,
    rows: IndexVec<StateId, Vec<ReachedStep>>,
    omitted: IndexVec<StateId, usize>,
}

impl Found {
    /// The state of `term` alone. Later there may be at most `most` states, but always one.
    fn of(definitions: &mut dyn Definitions, term: TermId, most: usize) -> Result<Self> {
        let mut met = StatesAsMet::default();
        met.number(definitions, term, 1)?;
        Ok(Self {
            met,
            most: most.max(1),
            rows: IndexVec::new(),
            omitted: IndexVec::new(),
        })
    }

    /// True if every state has a row.
    fn is_listed(&self) -> bool {
        self.rows.len() == self.met.terms.len()
    }

    /// Lists the steps of the first state that has no row yet.
    fn list_next(&mut self, definitions: &mut dyn Definitions, may_grow: bool) -> Result<()> {
        let term = self.met.terms[self.rows.len()];
        let room = if may_grow { self.most } else { 0 };
        let (row, omitted) = self.met.listed(definitions, term, room)?;
        self.omitted.push(omitted);
        self.rows.push(row);
        Ok(())
    }
}

/// States of terms, numbered as they are met.
#[derive(Default)]
pub(super) struct StatesAsMet {
    semantics: Semantics,
    /// The term of each state as it was first met, before its calls are unfolded.
    pub(super) terms: Vec<TermId>,
    /// The state of each unfolded term.
    states: HashMap<TermId, StateId, FxBuildHasher>,
    /// For each term and depth as an operand, the term with all that has started unfolded.
    unfolded: HashMap<TermId, TermId, FxBuildHasher>,
}

/// The deepest unfolding of terms. A term that unfolds for ever has no steps, which is reported
/// when these are asked for.
const DEEPEST: usize = 100_000;

impl StatesAsMet {
    /// `term` with everything in it unfolded that has started, `depth` operands deep in another.
    fn unfolded(
        &mut self,
        definitions: &mut dyn Definitions,
        term: TermId,
        depth: usize,
    ) -> Result<TermId> {
        if let Some(&known) = self.unfolded.get(&term) {
            return Ok(known);
        }
        if depth > DEEPEST {
            return Ok(term);
        }
        // Until it is known, a term that contains itself stays as it is there.
        self.unfolded.insert(term, term);
        let head = self.semantics.head(definitions, term)?;
        let operator = definitions.terms().get(head).clone();
        let image = operator
            .with_started(|operand| deep(|| self.unfolded(definitions, operand, depth + 1)))?;
        let image = definitions.terms_mut().intern(image);
        self.unfolded.insert(term, image);
        Ok(image)
    }

    /// The number of the state that `term` is. It is numbered if it is new and fewer than `room`
    /// states were met.
    pub(super) fn number(
        &mut self,
        definitions: &mut dyn Definitions,
        term: TermId,
        room: usize,
    ) -> Result<Option<StateId>> {
        let head = self.unfolded(definitions, term, 0)?;
        if let Some(&known) = self.states.get(&head) {
            return Ok(Some(known));
        }
        if self.terms.len() >= room {
            return Ok(None);
        }
        let state = StateId::from_usize(self.terms.len());
        self.terms.push(term);
        self.states.insert(head, state);
        Ok(Some(state))
    }

    /// The steps of `term` to states, and the number of its other steps. Targets are numbered as
    /// long as fewer than `room` states were met.
    pub(super) fn listed(
        &mut self,
        definitions: &mut dyn Definitions,
        term: TermId,
        room: usize,
    ) -> Result<(Vec<ReachedStep>, usize)> {
        let steps = self.semantics.steps(definitions, term)?;
        let mut row: Vec<ReachedStep> = Vec::with_capacity(steps.len());
        let mut omitted = Vec::new();
        for Step {
            label,
            origin,
            target,
        } in steps
        {
            let Some(target) = self.number(definitions, target, room)? else {
                // Terms that differ may be one state, which is seen only once it is unfolded.
                omitted.push((label, self.unfolded(definitions, target, 0)?));
                continue;
            };
            row.push(ReachedStep {
                label,
                target,
                origins: vec![origin],
            });
        }
        omitted.sort_unstable();
        omitted.dedup();
        Ok((joined(row), omitted.len()))
    }
}

/// The steps ascending by label and target. Steps that differ only in their origin become one.
fn joined(mut row: Vec<ReachedStep>) -> Vec<ReachedStep> {
    row.sort_by_key(|step| (step.label, step.target));
    row.dedup_by(|step, kept| {
        let same = (step.label, step.target) == (kept.label, kept.target);
        if same {
            kept.origins.append(&mut step.origins);
        }
        same
    });
    for step in &mut row {
        step.origins.sort_unstable();
        step.origins.dedup();
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::{LeafLimits, explore};
    use process::event::TAU;
    use process::table::DefinitionTable;

    /// Defines `P = a -> b -> P [] c -> P`, with `a` and `b` hidden.
    fn example(table: &mut DefinitionTable) -> (TermId, [EventId; 3]) {
        let names = ["a", "b", "c"];
        let [a, b, c] = names.map(|name| table.terms_mut().events.intern(name));
        let call = table.call("P");
        let terms = table.terms_mut();
        let then = terms.prefix(vec![(b, call)]);
        let body = terms.prefix(vec![(a, then), (c, call)]);
        table.define("P", body);
        let terms = table.terms_mut();
        let hidden = terms.events.intern_set(vec![a, b]);
        (terms.hide(call, hidden), [a, b, c])
    }

    #[test]
    fn what_is_reached_is_what_is_explored_with_origins() {
        let mut table = DefinitionTable::new();
        let (term, [a, b, _]) = example(&mut table);
        let bounds = ReachBounds {
            states: 10,
            is_whole: true,
            depth: None,
        };
        let reached = reach(&mut table, term, bounds).unwrap();
        let explored = explore(&mut table, term, &LeafLimits::all(10)).unwrap();
        assert_eq!(reached.lts(), explored.lts);
        assert!(reached.is_complete());
        let taus = reached.rows.iter().flatten();
        let taus = taus.filter(|step| step.label == TAU);
        let origins: Vec<EventId> = taus.flat_map(|step| step.origins.clone()).collect();
        assert_eq!(origins, [a, b]);
    }

    #[test]
    fn a_way_leads_to_each_state_that_is_reached() {
        let mut table = DefinitionTable::new();
        let (term, [a, ..]) = example(&mut table);
        let way = ReachedWay::to(&mut table, term, 1).unwrap().unwrap();
        let steps = way.steps.iter();
        let steps: Vec<_> = steps
            .map(|s| (s.label, s.target.index(), s.origins.clone()))
            .collect();
        assert_eq!(steps, [(TAU, 1, vec![a])]);
        assert!(ReachedWay::to(&mut table, term, 2).unwrap().is_none());
        let mut way = ReachedWay::to(&mut table, term, 0).unwrap().unwrap();
        assert!(way.steps.is_empty());
        assert!(
            way.is_state(&mut table, term, StateId::from_usize(0))
                .unwrap()
        );
    }

    #[test]
    fn what_leads_out_of_the_bounds_is_counted() {
        let mut table = DefinitionTable::new();
        let (term, _) = example(&mut table);
        for (states, depth) in [(1, None), (10, Some(0)), (0, None)] {
            let reached = {
                let is_whole = false;
                let bounds = ReachBounds {
                    states,
                    is_whole,
                    depth,
                };
                reach(&mut table, term, bounds).unwrap()
            };
            assert_eq!(reached.terms.len(), 1);
            assert_eq!(reached.omitted.iter().copied().collect::<Vec<_>>(), [1]);
            assert_eq!(reached.rows.iter().next().map(Vec::len), Some(1));
        }
    }
}
