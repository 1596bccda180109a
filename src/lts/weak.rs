//! Minimisation by delay and by weak bisimilarity that respect divergence.
//!
//! Write s ⇒ t if some τ, perhaps none, lead from s to t. *Delay* bisimilar states match a step s –a→ t by ⇒–a→, *weakly*
//! bisimilar ones by ⇒–a→⇒, and both match s –τ→ t by ⇒. That they *respect divergence* means in addition that both can do τ
//! for ever, or neither can. τ resolves no choice in CSP and ⇒ is kept by every operator (not by priorities), so these are
//! congruences. They keep failures: a stable state has τ-successors of its partner, which does not diverge, as
//! partners, among them a stable one, and that offers the same.
//!
//! τ-loops are factored first, so that the rest has no τ-cycles and ⇒ is computed from the ends. Then bisimilarity is
//! the strong one of the *saturated* system, in which ⇒–a→ or ⇒–a→⇒ are single transitions (Milner, *Communication and
//! Concurrency*, 1989); a label of its own says that a state diverges. That system may be quadratically larger. To keep
//! it small, strong bisimilarity and confluence come first, and delay before weak bisimilarity, as in Boulgakov, Gibson-Robinson and Roscoe,
//! *Computing maximal weak and other bisimulations* (2016); and beyond a bound the coarser of them is not computed:
//! the result then is that of the finer one, larger than it could be but as correct.

use super::bisimulation::minimise;
use super::confluence::without_detours;
use super::graph::{Lts, StateId};
use super::tau::{Row, internal, is_divergent, reachable, targets_first, visible};
use super::tau_loops::tau_loop_factor;
use crate::base::index::TypedIndex;
use crate::process::event::{EventId, TAU};

/// Saturated systems with more transitions than this are not made. At about 30 bytes each they take 300 MB.
const MOST_SATURATED: usize = 10_000_000;

/// In a saturated system, the label of states that diverge.
const DIVERGES: EventId = EventId(u32::MAX);

/// What follows a visible step that matches one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum After {
    /// Nothing: delay bisimilarity.
    Nothing,
    /// Any number of τ: weak bisimilarity.
    Internal,
}

/// The quotient by delay bisimilarity that respects divergence.
pub fn delay_bisimulation(lts: &Lts) -> Lts {
    let mut small = minimise(&tau_loop_factor(lts)).lts;
    // What is left out makes more states alike, and that more τ confluent.
    loop {
        let smaller = minimise(&without_detours(&small)).lts;
        if smaller.state_count() == small.state_count() {
            return quotient(small, After::Nothing);
        }
        small = smaller;
    }
}

/// The quotient by weak bisimilarity that respects divergence.
pub fn weak_bisimulation(lts: &Lts) -> Lts {
    quotient(delay_bisimulation(lts), After::Internal)
}

/// The quotient of a system whose only τ-cycles lead from a state to itself; itself if it saturates to too much.
fn quotient(lts: Lts, after: After) -> Lts {
    let Some(saturated) = saturated(&lts, after) else {
        return lts;
    };
    let classes = minimise(&saturated).class_of;
    let count = classes.iter().map(|class| class.0 + 1).max().unwrap_or(0);
    let mut rows: Vec<Row> = vec![Row::new(); count as usize];
    for state in lts.states() {
        let class = classes[state];
        for &(event, target) in lts.row(state) {
            // A τ inside a class changes nothing, unless it is the mark of a divergence.
            let inert = event == TAU && classes[target] == class && target != state;
            if !inert {
                rows[class.index()].push((event, classes[target].0));
            }
        }
    }
    reachable(&mut rows, classes[Lts::INITIAL].0)
}

/// ⇒, ⇒–a→ or ⇒–a→⇒, and which states diverge, as single transitions; none if there are too many.
fn saturated(lts: &Lts, after: After) -> Option<Lts> {
    let order = targets_first(lts);
    let mut total = 0;
    let mut closures: Vec<Vec<StateId>> = vec![Vec::new(); lts.state_count()];
    let mut rows: Vec<Vec<(EventId, StateId)>> = vec![Vec::new(); lts.state_count()];
    for &state in &order {
        let mut closure = vec![state];
        let mut row = visible(lts, state).to_vec();
        if is_divergent(lts, state) {
            row.push((DIVERGES, Lts::INITIAL));
        }
        for target in internal(lts, state).filter(|&target| target != state) {
            closure.extend_from_slice(&closures[target.index()]);
            row.extend_from_slice(&rows[target.index()]);
        }
        closure.sort_unstable();
        closure.dedup();
        row.sort_unstable();
        row.dedup();
        total += closure.len() + row.len();
        if total > MOST_SATURATED {
            return None;
        }
        closures[state.index()] = closure;
        rows[state.index()] = row;
    }
    if after == After::Internal {
        for row in &mut rows {
            *row = followed(row, &closures);
            total += row.len();
            if total > MOST_SATURATED {
                return None;
            }
        }
    }
    for (row, closure) in rows.iter_mut().zip(closures) {
        row.extend(closure.into_iter().map(|target| (TAU, target)));
    }
    Some(Lts::from_rows(rows))
}

/// The transitions of `row`, each followed by any number of τ.
fn followed(row: &[(EventId, StateId)], closures: &[Vec<StateId>]) -> Vec<(EventId, StateId)> {
    let mut longer: Vec<(EventId, StateId)> = row
        .iter()
        .flat_map(|(event, target)| {
            let all = if *event == DIVERGES {
                std::slice::from_ref(target)
            } else {
                &closures[target.index()][..]
            };
            all.iter().map(move |&target| (*event, target))
        })
        .collect();
    longer.sort_unstable();
    longer.dedup();
    longer
}

#[cfg(test)]
mod tests;
