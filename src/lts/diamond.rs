//! Diamond compression: the states between one visible event and the next are left out.
//!
//! After leaving out τ-loops and detours (`confluence.rs`), these states are kept: the initial
//! state, the targets of visible events and, among the stable states that τ leads to from one of
//! these, one for each minimal set of events offered. A kept state s does
//! - all visible events, and ✓, that can be done after τ from s, with the same targets;
//! - a τ to a stable state for each minimal set of events that a stable state after s offers,
//!   unless there is only one such set and it has all that s does: then s is stable;
//! - a τ to itself if τ can go on for ever from s.
//!
//! Every trace of s begins with such an event; s refuses what some stable state after it refuses,
//! and a larger set offered refuses less; and it diverges as before. So traces, failures and
//! divergences stay, ✓ being an event like others: where it is a signal, `; SKIP` around the
//! process has made it one. Bisimilarity does not stay. There are never more states than before,
//! but there may be more transitions (Roscoe et al., *Hierarchical compression for model-checking
//! CSP*, 1995).

use rustc_hash::FxHashMap;

use super::confluence::with_short_ways;
use super::graph::{Lts, StateId};
use super::tau::{UnnumberedRow, internal, is_divergent, is_stable, reachable, visible};
use base::cancel::Cancellation;
use base::diag::Result;
use base::index::TypedIndex;
use process::acceptance::minimal_first;
use process::event::{EventId, TAU};

/// The number of transitions looked at for each transition of the system before the work is given
/// up.
const WORK_PER_TRANSITION: usize = 200;
/// The number of transitions that may be looked at in any case.
const LEAST_WORK: usize = 50_000_000;

/// `lts` without intermediate states. If that would take too long, only τ-loops and detours are
/// left out.
pub(super) fn diamond(lts: &Lts, token: &Cancellation) -> Result<Lts> {
    let short = with_short_ways(lts, token)?;
    let work = short.transition_count() * WORK_PER_TRANSITION;
    let mut diamonds = Diamonds {
        lts: &short,
        // Each kept state is looked at once, so its number marks its closure and nothing is
        // cleared.
        seen_by: vec![u32::MAX; short.state_count()],
        rows: vec![UnnumberedRow::new(); short.state_count()],
        kept: vec![false; short.state_count()],
        open: Vec::new(),
        work: work.max(LEAST_WORK),
    };
    diamonds.keep(Lts::INITIAL);
    while let Some(state) = diamonds.open.pop() {
        if !diamonds.state(state, token)? {
            return Ok(short);
        }
    }
    reachable(&mut diamonds.rows, Lts::INITIAL.0, token)
}

struct Diamonds<'a> {
    lts: &'a Lts,
    /// The kept state from which each state was last seen.
    seen_by: Vec<u32>,
    rows: Vec<UnnumberedRow>,
    kept: Vec<bool>,
    /// Kept states without a row.
    open: Vec<StateId>,
    work: usize,
}

impl Diamonds<'_> {
    fn keep(&mut self, state: StateId) {
        if !std::mem::replace(&mut self.kept[state.index()], true) {
            self.open.push(state);
        }
    }

    /// Finds the row of `state`. Returns false if too little work is left for that.
    fn state(&mut self, state: StateId, token: &Cancellation) -> Result<bool> {
        let Some(closure) = self.closure(state, token)? else {
            return Ok(false);
        };
        let lts = self.lts;
        let mut row: UnnumberedRow = Vec::new();
        for &after in &closure {
            row.extend(
                visible(lts, after)
                    .iter()
                    .map(|&(event, target)| (event, target.0)),
            );
        }
        token.sort(&mut row)?;
        row.dedup();
        let diverges = closure.iter().any(|&after| is_divergent(lts, after));
        // A stable state refuses what it does not offer: its visible events say that.
        if !is_stable(lts, state) {
            let offers = self.minimal_offers(&closure, token)?;
            // `row` has no τ yet: these are all events that can be done after τ.
            let mut all: Vec<EventId> = row.iter().map(|&(event, _)| event).collect();
            all.dedup();
            let is_stable = !diverges && matches!(&offers[..], [(only, _)] if *only == all);
            if !is_stable {
                row.extend(offers.into_iter().map(|(_, stable)| (TAU, stable.0)));
            }
        }
        if diverges {
            row.push((TAU, state.0));
        }
        for &(_, target) in &row {
            self.keep(StateId(target));
        }
        self.rows[state.index()] = row;
        Ok(true)
    }

    /// All states that τ lead to from `state`, including `state`, ascending. Returns `None` if no
    /// work is left.
    fn closure(&mut self, state: StateId, token: &Cancellation) -> Result<Option<Vec<StateId>>> {
        let mut closure = vec![state];
        self.seen_by[state.index()] = state.0;
        let mut next = 0;
        while let Some(&after) = closure.get(next) {
            next += 1;
            let cost = 1 + self.lts.row(after).len();
            token.look(cost)?;
            let Some(work) = self.work.checked_sub(cost) else {
                return Ok(None);
            };
            self.work = work;
            for target in internal(self.lts, after) {
                if std::mem::replace(&mut self.seen_by[target.index()], state.0) != state.0 {
                    closure.push(target);
                }
            }
        }
        token.sort(&mut closure)?;
        Ok(Some(closure))
    }

    /// The minimal sets of events that stable states among `states` offer, each with the first
    /// state that offers it.
    fn minimal_offers(
        &self,
        states: &[StateId],
        token: &Cancellation,
    ) -> Result<Vec<(Vec<EventId>, StateId)>> {
        // `minimal_first` sorts the sets, of which none occurs twice, so the order of the map has
        // no effect. States come ascending, so the first of each set is fixed too.
        let mut first: FxHashMap<Vec<EventId>, StateId> = FxHashMap::default();
        for &state in states {
            if let Some(offer) = self.lts.acceptance(state) {
                first.entry(offer).or_insert(state);
            }
        }
        minimal_first(first.into_iter().collect(), token)
    }
}
