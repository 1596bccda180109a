//! One side of the search as a system whose states are numbered as they are met: the terms that a
//! process becomes, or the states of its machine.

use std::rc::Rc;

use base::diag::Result;
use lts::explore::{MetTerms, PAIR_OF_TERMS};
use lts::graph::{Lts, StateId};
use machine::Machine;
use machine::explicit::LazyLts;
use process::event::EventId;
use process::semantics::Step;
use process::term::{Definitions, TermId};
use process::trial::larger;

use crate::determinism::Rows;
use crate::path::{PathRun, PathStep, not_recovered};

/// A process that is searched, or that is to be refined.
#[derive(Clone, Copy, Debug)]
pub enum UnlistedSide<'m> {
    /// This term, by the operational rules alone.
    Terms(TermId),
    /// The process of this machine, which must not follow a chase. A step costs a tenth of what it
    /// costs terms, or less.
    Machine(&'m Machine),
}

/// The transitions of a state.
pub(super) type MetRow = Rc<[(EventId, StateId)]>;

/// The states of a side that were met, and the transitions of those that were looked at.
pub(super) struct SideRows<'m> {
    states: NumberedStates<'m>,
    rows: Vec<Option<MetRow>>,
    /// The work done so far. A step of a machine counts one. Of terms counts what the rules look at
    /// ([`MetTerms::looked_at`]), and [`PAIR_OF_TERMS`] for each operand of the calls that are
    /// evaluated.
    work: u64,
    /// The most work that may be done.
    most: u64,
}

/// The states by number; the initial one is state 0.
enum NumberedStates<'m> {
    Terms(Box<MetTerms>),
    Machine(&'m Machine, Box<LazyLts<&'m Machine>>),
}

/// The work for each pair of states of machines that may be done, on average. A unit is a step that
/// is looked at: some states have thousands.
pub(super) const WORK: u64 = 8;

/// Bytes that a term with its row takes, about.
const BYTES: usize = 256;

impl<'m> SideRows<'m> {
    /// The system of `side` with its initial state, on which at most `most` work may be done.
    pub(super) fn new(
        definitions: &mut dyn Definitions,
        side: UnlistedSide<'m>,
        most: u64,
    ) -> Result<Self> {
        let states = match side {
            UnlistedSide::Terms(term) => {
                let mut met = MetTerms::new(usize::try_from(most).unwrap_or(usize::MAX));
                met.visit(definitions, term)?;
                NumberedStates::Terms(Box::new(met))
            }
            UnlistedSide::Machine(machine) => {
                let token = &definitions.cancellation().clone();
                NumberedStates::Machine(machine, Box::new(LazyLts::new(machine, token)?))
            }
        };
        Ok(Self {
            states,
            rows: Vec::new(),
            work: 0,
            most,
        })
    }

    /// Counts `work` that was done for states of this side. Returns false if that is more than may
    /// be done.
    pub(super) fn charge(&mut self, work: u64) -> bool {
        self.work += work;
        self.work <= self.most
    }

    /// The transitions of `state`; `None` if they take more work than may be done.
    pub(super) fn row(
        &mut self,
        definitions: &mut dyn Definitions,
        state: StateId,
    ) -> Result<Option<MetRow>> {
        let index = state.0 as usize;
        if self.rows.len() <= index {
            self.rows.resize(index + 1, None);
        }
        if let Some(row) = &self.rows[index] {
            return Ok(Some(Rc::clone(row)));
        }
        definitions.cancellation().step()?;
        let row: MetRow = match &mut self.states {
            NumberedStates::Terms(met) => {
                let mut row = Vec::new();
                let before = met.looked_at();
                let steps = met.steps(definitions, state)?;
                self.work += met.looked_at() - before;
                for step in steps {
                    let target = met.visit(definitions, step.target)?;
                    let evaluated = met.evaluated(definitions)? * PAIR_OF_TERMS;
                    self.work += evaluated as u64;
                    // Looked at within the row: some terms have thousands of steps.
                    if self.work > self.most {
                        return Ok(None);
                    }
                    row.push((step.label, target));
                }
                row.into()
            }
            NumberedStates::Machine(_, unfolding) => {
                let row = unfolding.row(state)?;
                self.work += row.len() as u64;
                row.into()
            }
        };
        if self.work > self.most {
            return Ok(None);
        }
        self.rows[index] = Some(Rc::clone(&row));
        Ok(Some(row))
    }

    /// The steps of the run with these labels through these states, of which the last may be
    /// unknown, and the run of the machine if there is one.
    pub(super) fn path(
        &mut self,
        definitions: &mut dyn Definitions,
        run: &[(EventId, Option<StateId>)],
    ) -> Result<(Vec<PathStep>, Option<PathRun>)> {
        match &mut self.states {
            NumberedStates::Terms(met) => {
                let mut steps = Vec::with_capacity(run.len());
                let mut at = Lts::INITIAL;
                for &(label, target) in run {
                    let Some(step) = term_step(met, definitions, at, label, target)? else {
                        return not_recovered("a term has no step that it had before").into();
                    };
                    steps.push(PathStep {
                        label: step.label,
                        origin: step.origin,
                    });
                    at = target.unwrap_or(at);
                }
                Ok((steps, None))
            }
            NumberedStates::Machine(machine, unfolding) => {
                let Some(rules) = unfolding.rules(run) else {
                    return not_recovered("a machine has no step that it had before").into();
                };
                let steps = rules.iter().map(|&rule| PathStep {
                    label: machine.rules[rule].result,
                    origin: machine.rules[rule].origin,
                });
                let targets = run.iter().filter_map(|&(_, target)| target);
                let states = [Lts::INITIAL].into_iter().chain(targets);
                let run = PathRun {
                    states: states.map(|state| unfolding.leaf_states(state)).collect(),
                    rules: rules.clone(),
                };
                Ok((steps.collect(), Some(run)))
            }
        }
    }

    /// Allows any work from now on: for what is as long as one run.
    pub(super) fn allow_all(&mut self) {
        self.most = u64::MAX;
    }

    /// The term of `state`; `None` if states are no terms.
    pub(super) fn term(&self, state: StateId) -> Option<TermId> {
        match &self.states {
            NumberedStates::Terms(met) => Some(met.term(state)),
            NumberedStates::Machine(..) => None,
        }
    }

    /// The state of `term`, where states are terms.
    pub(super) fn state_of(
        &mut self,
        definitions: &mut dyn Definitions,
        term: TermId,
    ) -> Result<StateId> {
        match &mut self.states {
            NumberedStates::Terms(met) => met.visit(definitions, term),
            NumberedStates::Machine(..) => not_recovered("a machine has no term for it").into(),
        }
    }

    /// The transitions of each state, as far as they are known.
    pub(super) fn known(&self) -> &[Option<MetRow>] {
        &self.rows
    }

    /// The number of states that were met.
    pub(super) fn met(&self) -> usize {
        match &self.states {
            NumberedStates::Terms(met) => met.met(),
            NumberedStates::Machine(_, unfolding) => unfolding.met(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match &self.states {
            NumberedStates::Terms(met) => met.met() * BYTES,
            NumberedStates::Machine(_, unfolding) => {
                let steps = self.work as usize * size_of::<(EventId, StateId)>();
                unfolding.bytes() + self.rows.len() * size_of::<MetRow>() + steps
            }
        }
    }
}

/// The first step of `state` with this label, to `target` if that is given.
fn term_step(
    met: &mut MetTerms,
    definitions: &mut dyn Definitions,
    state: StateId,
    label: EventId,
    target: Option<StateId>,
) -> Result<Option<Step>> {
    let mut steps = met.steps(definitions, state)?;
    steps.retain(|step| step.label == label);
    let Some(target) = target else {
        return Ok(steps.first().copied());
    };
    for step in steps {
        if met.visit(definitions, step.target)? == target {
            return Ok(Some(step));
        }
    }
    Ok(None)
}

/// A process as a system of terms, for finding out whether it is deterministic.
pub struct UnlistedProcess<'d> {
    definitions: &'d mut dyn Definitions,
    rows: SideRows<'static>,
}

impl<'d> UnlistedProcess<'d> {
    /// The process `term`, on which at most as much work is done as `pairs` pairs of states of
    /// machines take. Then asking for a row is an error with the code
    /// [`LARGER`](process::trial::LARGER).
    pub fn new(definitions: &'d mut dyn Definitions, term: TermId, pairs: u64) -> Result<Self> {
        let rows = SideRows::new(
            definitions,
            UnlistedSide::Terms(term),
            pairs.saturating_mul(WORK),
        )?;
        Ok(Self { definitions, rows })
    }
}

impl Rows for UnlistedProcess<'_> {
    fn row(&mut self, state: StateId) -> Result<Vec<(EventId, StateId)>> {
        match self.rows.row(self.definitions, state)? {
            Some(row) => Ok(row.to_vec()),
            None => larger().into(),
        }
    }

    fn met(&self) -> usize {
        self.rows.met()
    }

    fn bytes(&self) -> usize {
        self.rows.bytes()
    }
}
