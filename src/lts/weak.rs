//! Minimisation by delay and by weak bisimilarity that respect divergence.
//!
//! Write s ⇒ t if some τ, perhaps none, lead from s to t. *Delay* bisimilar states match a step s
//! –a→ t by ⇒–a→, *weakly* bisimilar states match it by ⇒–a→⇒, and both match s –τ→ t by ⇒. The
//! bisimilarities *respect divergence* if two related states can both do τ for ever, or neither
//! can. τ resolves no choice in CSP, and every operator but priorities keeps ⇒, so these are
//! congruences. They keep failures: let s be stable and t its partner. t does not diverge, so some
//! τ lead from t to a stable state. That is a partner of s as well, and offers the same events.
//!
//! τ-loops are factored first, so that the rest has no τ-cycles and ⇒ is computed from the ends.
//! Then both bisimilarities are strong bisimilarity of a *saturated* system, in which ⇒–a→ or ⇒–a→⇒
//! are single transitions (Milner, *Communication and Concurrency*, 1989) and a label of its own
//! says that a state diverges. The saturated system may be quadratically larger. To keep it small,
//! strong bisimilarity and confluence come first, and delay bisimilarity before weak bisimilarity,
//! as in Boulgakov, Gibson-Robinson and Roscoe, *Computing maximal weak and other bisimulations*
//! (2016). If it is still too large, the coarser bisimilarity is not computed. The result is then
//! that of the finer one, which is correct but larger than possible.

use super::bisimulation::minimise;
use super::confluence::{with_short_ways, without_detours};
use super::graph::{Lts, LtsBuilder, StateId};
use super::tau::{UnnumberedRow, internal, is_divergent, reachable, targets_first, visible};
use base::cancel::Cancellation;
use base::diag::Result;
use base::index::TypedIndex;
use process::event::{EventId, TAU};

/// The largest number of transitions of a saturated system. At about 30 bytes each they take 300
/// MB.
const MOST_SATURATED: usize = 10_000_000;

/// The label by which a saturated system says that a state diverges.
const DIVERGES: EventId = EventId(u32::MAX);

/// The steps that may follow a visible step that matches another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum MatchedStep {
    /// Nothing: delay bisimilarity.
    Nothing,
    /// Any number of τ: weak bisimilarity.
    Internal,
}

/// The quotient by delay bisimilarity that respects divergence.
pub fn delay_bisimulation(lts: &Lts, token: &Cancellation) -> Result<Lts> {
    let mut small = minimise(&with_short_ways(lts, token)?, token)?.lts;
    // Leaving states out makes more states bisimilar, and merging those makes more τ confluent.
    loop {
        let direct = without_detours(&small, token)?;
        let smaller = minimise(&direct, token)?.lts;
        if smaller.state_count() == small.state_count() {
            return quotient(small, MatchedStep::Nothing, token);
        }
        small = smaller;
    }
}

/// The quotient by weak bisimilarity that respects divergence.
pub fn weak_bisimulation(lts: &Lts, token: &Cancellation) -> Result<Lts> {
    quotient(
        delay_bisimulation(lts, token)?,
        MatchedStep::Internal,
        token,
    )
}

/// The quotient of `lts`, whose only τ-cycles lead from a state to itself; `lts` itself if the
/// saturated system would be too large.
fn quotient(lts: Lts, after: MatchedStep, token: &Cancellation) -> Result<Lts> {
    let Some(saturated) = saturated(&lts, after, MOST_SATURATED, token)? else {
        return Ok(lts);
    };
    let classes = minimise(&saturated, token)?.class_of;
    let count = classes.iter().map(|class| class.0 + 1).max().unwrap_or(0);
    let mut rows: Vec<UnnumberedRow> = vec![UnnumberedRow::new(); count as usize];
    for state in lts.states() {
        token.look(1 + lts.row(state).len())?;
        let class = classes[state];
        // The quotient has the transitions of `lts` itself. The saturated ones follow from them and
        // would only make it larger.
        for &(event, target) in lts.row(state) {
            // A τ inside a class changes nothing, unless it is the mark of a divergence.
            let inert = event == TAU && classes[target] == class && target != state;
            if !inert {
                rows[class.index()].push((event, classes[target].0));
            }
        }
    }
    reachable(&mut rows, classes[Lts::INITIAL].0, token)
}

/// The saturated system of `lts`: ⇒, and ⇒–a→ or ⇒–a→⇒, are single transitions, and a label marks
/// the states that diverge. Returns `None` if it has more transitions than there is `room` for.
fn saturated(
    lts: &Lts,
    after: MatchedStep,
    mut room: usize,
    token: &Cancellation,
) -> Result<Option<Lts>> {
    let order = targets_first(lts, token)?;
    let mut closures: Vec<Vec<StateId>> = vec![Vec::new(); lts.state_count()];
    let mut rows: Vec<Vec<(EventId, StateId)>> = vec![Vec::new(); lts.state_count()];
    for &state in &order {
        // ⇒ may be no τ at all. So each state gets a τ to itself in the saturated system, and may
        // match a τ by standing still.
        let mut closure = Gathered::new([state]);
        let mut row = Gathered::new(visible(lts, state).iter().copied());
        if is_divergent(lts, state) {
            // The target is the same for all states that diverge, so that only the label
            // distinguishes.
            row.extend([(DIVERGES, Lts::INITIAL)].into_iter(), room, token)?;
        }
        for target in internal(lts, state).filter(|&target| target != state) {
            closure.extend(closures[target.index()].iter().copied(), room, token)?;
            row.extend(rows[target.index()].iter().copied(), room, token)?;
        }
        let found = closure.finish(&mut room).zip(row.finish(&mut room));
        let Some((closure, row)) = found else {
            return Ok(None);
        };
        closures[state.index()] = closure;
        rows[state.index()] = row;
    }
    if after == MatchedStep::Internal {
        for row in &mut rows {
            match followed(row, &closures, &mut room, token)? {
                Some(longer) => *row = longer,
                None => return Ok(None),
            }
        }
    }
    let mut saturated = LtsBuilder::default();
    for (row, closure) in rows.into_iter().zip(closures) {
        token.look(1 + row.len() + closure.len())?;
        let internal = closure.into_iter().map(|target| (TAU, target));
        saturated.push(row.into_iter().chain(internal));
    }
    Ok(Some(saturated.finish()))
}

/// The transitions of `row`, each followed by any number of τ. Returns `None` if there is no room
/// for them.
fn followed(
    row: &[(EventId, StateId)],
    closures: &[Vec<StateId>],
    room: &mut usize,
    token: &Cancellation,
) -> Result<Option<Vec<(EventId, StateId)>>> {
    let mut longer = Gathered::new([]);
    for &(event, target) in row {
        if event == DIVERGES {
            longer.extend([(event, target)].into_iter(), *room, token)?;
        } else {
            let all = closures[target.index()].iter();
            longer.extend(all.map(|&target| (event, target)), *room, token)?;
        }
    }
    Ok(longer.finish(room))
}

/// A union of many sets that overlap. Repetitions are left out while it grows, so that it never
/// takes much more memory than the finished union.
struct Gathered<T> {
    items: Vec<T>,
    /// The number of items when repetitions were last left out.
    different: usize,
}

/// The number of items below which repetitions do no harm.
const SMALL: usize = 1000;

impl<T: Ord> Gathered<T> {
    fn new(items: impl IntoIterator<Item = T>) -> Self {
        Self {
            items: items.into_iter().collect(),
            different: 0,
        }
    }

    /// Adds `more`. Adds nothing if there are already more items than there is `room` for: then
    /// `finish` fails in any case.
    fn extend(
        &mut self,
        more: impl ExactSizeIterator<Item = T>,
        room: usize,
        token: &Cancellation,
    ) -> Result<()> {
        if self.different > room {
            return Ok(());
        }
        token.look(1 + more.len())?;
        self.items.extend(more);
        // Sorting only what has doubled costs as much as sorting once, up to a constant.
        if self.items.len() > SMALL.max(2 * self.different) {
            self.leave_out_repetitions();
            self.different = self.items.len();
        }
        Ok(())
    }

    /// The items in ascending order. Takes their number from `room`; returns `None` if that is too
    /// little.
    fn finish(mut self, room: &mut usize) -> Option<Vec<T>> {
        self.leave_out_repetitions();
        *room = room.checked_sub(self.items.len())?;
        self.items.shrink_to_fit();
        Some(self.items)
    }

    fn leave_out_repetitions(&mut self) {
        self.items.sort_unstable();
        self.items.dedup();
    }
}

#[cfg(test)]
mod tests;
