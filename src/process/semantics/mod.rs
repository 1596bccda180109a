//! The transitions of a term: the operational rules of every operator.
//!
//! The rules are those of Roscoe, *Understanding Concurrent Systems*, chapter 9, with one
//! difference: the ✓ of a parallel composition is done by all operands together, in one step. They
//! do not depend on whether ✓ is an event or a signal: that only decides which processes get `;
//! SKIP` around them (`process::termination`).

mod buffer;
mod choose;
pub mod focus;
mod over;
mod unfold;
mod watchdog;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use self::unfold::Unfolding;
pub use self::unfold::head;
use self::watchdog::Watching;
use super::event::{EventId, EventSetId, TAU, TICK};
use super::imported::ImportedSystem;
use super::term::{CallId, Definitions, Operands, Term, TermId};
use base::diag::Result;
use base::stack::deep;

/// One transition of a term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Step {
    /// The event that the environment sees: τ, ✓ or a visible event.
    pub label: EventId,
    /// The event before all hiding and renaming, of the leftmost operand that takes part. The τ
    /// that `;` makes of a ✓ has origin ✓.
    pub origin: EventId,
    /// The term after the step.
    pub target: TermId,
}

/// The transitions of `term`, ascending and without repetition.
pub fn steps(definitions: &mut dyn Definitions, term: TermId) -> Result<Vec<Step>> {
    Semantics::new().steps(definitions, term)
}

/// Computes transitions and remembers those of operands, which many terms share.
#[derive(Debug)]
pub struct Semantics {
    /// The rows that were computed or used lately. The rows from before are kept apart, so that
    /// memory stays bounded and a row that is still in use is never forgotten.
    rows: FxHashMap<TermId, Row>,
    earlier_rows: FxHashMap<TermId, Row>,
    unfolding: Unfolding,
    /// The number of transitions computed for the present term and its operands.
    work: usize,
    /// The work for all terms so far: see [`Self::looked_at`].
    looked_at: u64,
    watching: Watching,
}

/// The largest number of transitions of a term. With more it is not a state but an explosion:
/// nested operators can double the transitions at each level.
const MOST_STEPS: usize = 1 << 22;

/// The largest number of transitions of all operands of one term together: a chain of a hundred
/// thousand operators, each of which can be left by τ, has a transition for each pair of them.
const MOST_WORK: usize = 1 << 26;

/// The number of recent rows at which they become earlier ones.
const RECENT_ROWS: usize = 1 << 17;

impl Semantics {
    /// A `Semantics` that remembers nothing yet, for terms that were already listed within limits.
    pub fn new() -> Self {
        Self::within(usize::MAX)
    }

    /// A `Semantics` that remembers nothing yet. It fails at a watchdog whose specification can
    /// become more than `limit` terms before the next event that is watched.
    pub fn within(limit: usize) -> Self {
        Self {
            rows: FxHashMap::default(),
            earlier_rows: FxHashMap::default(),
            unfolding: Unfolding::default(),
            work: 0,
            looked_at: 0,
            watching: Watching::new(limit),
        }
    }

    /// A `Semantics` for the search for growth, which does not look for growth again.
    pub(super) fn of_a_probe(limit: usize) -> Self {
        Self {
            watching: Watching::of_a_probe(limit),
            ..Self::within(limit)
        }
    }

    /// The transitions of `term`, ascending and without repetition.
    pub fn steps(&mut self, definitions: &mut dyn Definitions, term: TermId) -> Result<Vec<Step>> {
        self.restart();
        Stepper {
            semantics: self,
            definitions,
        }
        .compute(term)
    }

    /// Ends the work on all terms: after an error, calls and watchdogs of the last term may still
    /// count as active. Known rows stay.
    fn restart(&mut self) {
        self.unfolding.restart();
        self.watching.restart();
        self.work = 0;
    }

    /// `term` with its outermost calls unfolded.
    pub fn head(&mut self, definitions: &mut dyn Definitions, term: TermId) -> Result<TermId> {
        self.unfolding.restart();
        self.unfolding.enter(definitions, term)
    }

    /// The work that was done for all terms so far: of each operator the steps of its operands, and
    /// for each step that it makes of them the operands of the term that the step leads to.
    pub fn looked_at(&self) -> u64 {
        self.looked_at
    }

    fn remember(&mut self, term: TermId, row: Row) {
        if self.rows.len() >= RECENT_ROWS {
            self.earlier_rows = std::mem::take(&mut self.rows);
        }
        self.rows.insert(term, row);
    }

    /// All calls unfolded so far, in the order in which that first happened.
    pub fn unfolded_calls(&self) -> &[CallId] {
        self.unfolding.calls()
    }
}

impl Default for Semantics {
    fn default() -> Self {
        Self::new()
    }
}

/// The rules at work on one term: `Semantics` together with the definitions.
struct Stepper<'a> {
    semantics: &'a mut Semantics,
    definitions: &'a mut dyn Definitions,
}

/// Transitions of an operand, ascending.
type Row = Arc<[Step]>;

impl Stepper<'_> {
    /// The transitions of an operand.
    fn operand(&mut self, term: TermId) -> Result<Row> {
        if let Some(row) = self.semantics.rows.get(&term) {
            return Ok(row.clone());
        }
        let row = match self.semantics.earlier_rows.remove(&term) {
            Some(row) => row,
            None => deep(|| self.compute(term))?.into(),
        };
        self.semantics.remember(term, row.clone());
        Ok(row)
    }

    fn operands(&mut self, terms: &[TermId]) -> Result<Vec<Row>> {
        terms.iter().map(|&term| self.operand(term)).collect()
    }

    fn compute(&mut self, term: TermId) -> Result<Vec<Step>> {
        // The calls stay active until the rows of the operands are known. So a call that needs its
        // own row is noticed, and does not recurse for ever.
        let depth = self.semantics.unfolding.depth();
        let head = self.semantics.unfolding.enter(self.definitions, term)?;
        let rows = match self.definitions.terms().get(head) {
            // A watchdog computes rows itself, as far as unwatched events lead.
            Term::Watchdog(_) => Vec::new(),
            found => {
                let operands = Operands::from_slice(found.started_operands());
                self.operands(&operands)?
            }
        };
        let mut steps = self.rule(head, &rows)?;
        let of_operands: usize = rows.iter().map(|row| row.len()).sum();
        let made = steps.len() * (1 + rows.len());
        self.semantics.looked_at += (of_operands + made) as u64;
        // Repetitions are counted too: they take time and memory before they are left out.
        self.semantics.work += steps.len();
        if steps.len() > MOST_STEPS || self.semantics.work > MOST_WORK {
            return over::too_many_steps().into();
        }
        self.semantics.unfolding.leave(depth);
        steps.sort_unstable();
        steps.dedup();
        Ok(steps)
    }

    /// The rule of the outermost operator of `term`, which is not a call, for started operands with
    /// the transitions `rows`. With fewer transitions in `rows` an operator has fewer itself,
    /// except below priorities. So a rule can be used to find the transitions of operands that lead
    /// to one of its own.
    fn rule(&mut self, term: TermId, rows: &[Row]) -> Result<Vec<Step>> {
        Ok(match self.definitions.terms().get(term).clone() {
            Term::Call(_) | Term::Stop | Term::Omega => Vec::new(),
            Term::Skip => vec![self.terminate(TICK)],
            Term::Div => vec![plain(TAU, term)],
            Term::Run(set) => self.loops(set, term),
            Term::Chaos(set) => {
                let loops = self.loops(set, term);
                let offer = loops.iter().map(|step| (step.label, step.target));
                let terms = self.definitions.terms_mut();
                let decisions = [terms.stop(), terms.prefix(offer.collect())];
                decisions.map(|target| plain(TAU, target)).to_vec()
            }
            Term::Prefix(branches) => branches.iter().map(|&(e, p)| plain(e, p)).collect(),
            Term::InternalChoice(operands) => operands.iter().map(|&p| plain(TAU, p)).collect(),
            Term::Over(operator, operands) => self.over(&operator, &operands, rows)?,
            Term::Watchdog(watchdog) => self.watchdog(term, &watchdog)?,
            Term::Imported(system, state) => self.imported(&system, state),
            Term::Buffer(shape, held) => self.buffer(term, &shape, &held),
        })
    }

    fn loops(&self, set: EventSetId, term: TermId) -> Vec<Step> {
        // The evaluator lists the sets of `RUN` and `CHAOS`: no event joins them later, as it may
        // join a set of channels.
        self.definitions
            .terms()
            .events
            .set(set)
            .iter()
            .map(|&e| plain(e, term))
            .collect()
    }

    fn imported(&mut self, system: &Arc<ImportedSystem>, state: u32) -> Vec<Step> {
        let steps = system.row(state).iter();
        let steps = steps.map(|&(event, to)| match event {
            TICK => self.terminate(TICK),
            _ => plain(event, self.intern(Term::Imported(Arc::clone(system), to))),
        });
        steps.collect()
    }

    /// The ✓ of the whole term.
    fn terminate(&mut self, origin: EventId) -> Step {
        Step {
            label: TICK,
            origin,
            target: self.definitions.terms_mut().omega(),
        }
    }

    fn contains(&self, set: EventSetId, event: EventId) -> bool {
        self.definitions.terms().events.contains(set, event)
    }

    fn intern(&mut self, term: Term) -> TermId {
        self.definitions.terms_mut().intern(term)
    }
}

/// A step whose label is its origin.
fn plain(event: EventId, target: TermId) -> Step {
    Step {
        label: event,
        origin: event,
        target,
    }
}

/// The part of an ascending row that has the label `label`.
fn labelled(row: &[Step], label: EventId) -> &[Step] {
    let start = row.partition_point(|step| step.label < label);
    let end = row.partition_point(|step| step.label <= label);
    &row[start..end]
}

#[cfg(test)]
mod tests;
