//! Determinism by pairs of states: a search that finds no wrong pair proves it.
//!
//! A pair (p, r) says that one trace leads to the state p and to the state r, which is at rest. The
//! first pair has the initial state and a rest that τ leads to from it. In each pair p must do
//! nothing that r does not offer, and if p is at rest, offer all that r offers. From (p, r) a τ of
//! p to p' leads to (p', r). If p does an event e, let y be the first state that r reaches by e,
//! and z a rest that τ leads to from y: then (x, z) is a pair for each x that p reaches by e, with
//! one z for all of them. With symmetry, only an image of each pair is kept; a symmetry moves both
//! states.
//!
//! *If no pair is wrong, the process is deterministic.* Let R hold all images of all pairs that
//! were kept, under all symmetries. Read along a run of the process, the search gives each state p
//! that a trace t leads to a partner: a rest r after t with (p, r) in R. For each e, all states
//! that p reaches by e, and those that τ leads to from them, have a common partner among the rests
//! after e of r. Let ≈ be the least equivalence on states at rest that contains R there.
//!
//! 1. If a ≈ b, then a and b offer the same: along each pair of R both do.
//! 2. If a ≈ b are reached, and y and z are rests after e of a and of b, then y ≈ z. If a = b, then
//!    a has a partner, so y and z have a common one. If (a, b) is in R, then y has a partner among
//!    the rests after e of b; this partner and z are rests after e of the one state b. Longer
//!    chains follow link by link.
//! 3. All rests after one trace, partners included, are in one class. After the empty trace all
//!    have the same partner. A rest q after te comes by e and τ from a state p after t with a
//!    partner r, so q ≈ z for a rest z after e of r; by 2 all such z are in one class, because all
//!    such r are.
//!
//! So if p does e after t, its partner offers e, and by 3 and 1 every rest after t does. In the
//! model of failures and divergences, moreover, no state diverges: a τ of p leaves the partner
//! where it is, so the search for divergence ([`crate::divergence`]) finds a cycle of τ from p as a
//! cycle of pairs, or of their images.
//!
//! *If a pair is wrong, or no rest is found, nothing is proved.* The plain search then finds a
//! shortest violation, and need not look beyond its length.
//!
//! If p is r, the rest z may be chosen when the next pair is looked at, also after a symmetry has
//! moved it: p reaches a single state by e then, or z is chosen at once. So where a deterministic
//! process does no τ, all pairs are of the form (p, p), and cost one row each.
//!
//! The pairs are the states of the one search of this crate, so they are in memory, on disk or
//! divided between processes, and any number of threads looks at them. A wrong pair does an event
//! that no process does, and that the specification beside the first state does not allow.

use std::hash::BuildHasher;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use machine::RuleId;
use machine::packing::PackedState;
use machine::successors::{Scratch, Successors};
use process::event::{EventId, TAU};

/// The most states among which a rest is looked for.
const MOST_BEFORE_REST: usize = 10_000;

/// There are too many pairs if there are more than this for each state, and [`FEW_PAIRS`] besides.
const PAIRS_PER_STATE: u64 = 4;

/// The number of pairs up to which there are never too many.
const FEW_PAIRS: u64 = 10_000;

/// One state in this many is a sample: it is noted down if it was the first of a pair.
const SAMPLE: u64 = 64;

/// The most words that known partners may take.
const MOST_KNOWN: usize = 1 << 20;

/// The steps of pairs of states of a machine: the words of the first state, then those of its
/// partner.
pub(crate) struct PairSteps {
    /// The event that says that a pair is wrong.
    wrong: EventId,
    /// The known partners, by the words of a state.
    partners: Mutex<KnownPartners>,
    /// The hashes of first states that are samples.
    firsts: Mutex<FxHashSet<u64>>,
}

#[derive(Default)]
struct KnownPartners {
    known: FxHashMap<Vec<u64>, Arc<Partner>>,
    words: usize,
}

/// The rest that a state comes to, and its offers.
struct Partner {
    rest: Vec<u64>,
    /// The events, ascending, each with the rest that it leads to.
    after: Vec<(EventId, Vec<u64>)>,
}

/// The transitions of a state of the machine: events ascending, those of one event in the order of
/// the rules.
struct Row {
    /// The event of each transition, the number of its target in `targets`, and its rule.
    steps: Vec<(EventId, u32, RuleId)>,
    /// The words of all targets.
    targets: Vec<u64>,
    /// The number of words of a target.
    width: usize,
}

impl Row {
    fn target(&self, step: &(EventId, u32, RuleId)) -> &[u64] {
        let start = step.1 as usize * self.width;
        &self.targets[start..start + self.width]
    }

    /// The steps of τ, and those of each visible event.
    fn by_event(&self) -> (&[RowStep], impl Iterator<Item = &[RowStep]>) {
        let taus = self.steps.partition_point(|step| step.0 == TAU);
        let (taus, visible) = self.steps.split_at(taus);
        (taus, visible.chunk_by(|one, other| one.0 == other.0))
    }

    fn is_at_rest(&self) -> bool {
        self.steps.first().is_none_or(|step| step.0 != TAU)
    }
}

type RowStep = (EventId, u32, RuleId);

impl PairSteps {
    /// The steps of pairs; the event `wrong`, which the machine does not do, says that a pair is
    /// wrong.
    pub(crate) fn new(wrong: EventId) -> Self {
        Self {
            wrong,
            partners: Mutex::default(),
            firsts: Mutex::default(),
        }
    }

    /// Calls `emit` with every step of `pair`, or with one that says that the pair is wrong.
    #[inline(never)]
    pub(crate) fn for_each<S: PackedState>(
        &self,
        machine: &Successors,
        pair: &S,
        scratch: &mut Scratch<S>,
        emit: &mut dyn FnMut(RuleId, EventId, &S),
    ) {
        let mut at = StatesOfMachine {
            machine,
            state: pair.clone(),
            scratch,
        };
        let (first, partner) = pair.words().split_at(pair.words().len() / 2);
        self.note(first);
        let row = at.row(first);
        let mut next = pair.clone();
        let mut lead = |step: &RowStep, partner: &[u64]| {
            let words = next.words_mut();
            let (first, second) = words.split_at_mut(partner.len());
            first.copy_from_slice(row.target(step));
            second.copy_from_slice(partner);
            emit(step.2, step.0, &next);
        };
        let is_right = match first == partner && row.is_at_rest() {
            true => self.lead_from_rest(&row, &mut at, &mut lead),
            false => self.lead_beside(&row, partner, &mut at, &mut lead),
        };
        if is_right.is_none() {
            emit(RuleId(0), self.wrong, pair);
        }
    }

    /// Lists the steps from a state at rest that is its own partner; `None` if that pair is wrong.
    fn lead_from_rest<S: PackedState>(
        &self,
        row: &Row,
        at: &mut StatesOfMachine<'_, S>,
        lead: &mut dyn FnMut(&RowStep, &[u64]),
    ) -> Option<()> {
        for steps in row.by_event().1 {
            let after = row.target(&steps[0]);
            if let [step] = steps {
                lead(step, after);
                continue;
            }
            let (rest, _) = at.rest(after)?;
            steps.iter().for_each(|step| lead(step, &rest));
        }
        Some(())
    }

    /// Lists the steps from a state with this row beside `partner`; `None` if that pair is wrong.
    fn lead_beside<S: PackedState>(
        &self,
        row: &Row,
        partner: &[u64],
        at: &mut StatesOfMachine<'_, S>,
        lead: &mut dyn FnMut(&RowStep, &[u64]),
    ) -> Option<()> {
        let partner = self.partner(partner, at)?;
        let (taus, visible) = row.by_event();
        taus.iter().for_each(|step| lead(step, &partner.rest));
        let mut offers = 0;
        for steps in visible {
            let event = steps[0].0;
            let offered = partner.after.binary_search_by_key(&event, |after| after.0);
            let rest = &partner.after[offered.ok()?].1;
            steps.iter().for_each(|step| lead(step, rest));
            offers += 1;
        }
        (!taus.is_empty() || offers == partner.after.len()).then_some(())
    }

    /// The rest that the partner `state` comes to, and its offers; `None` if no rest is found from
    /// it, or after some event.
    fn partner<S: PackedState>(
        &self,
        state: &[u64],
        at: &mut StatesOfMachine<'_, S>,
    ) -> Option<Arc<Partner>> {
        let partners = || self.partners.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = partners().known.get(state) {
            return Some(Arc::clone(known));
        }
        let (rest, row) = at.rest(state)?;
        let after = row.by_event().1.map(|steps| {
            let (rest, _) = at.rest(row.target(&steps[0]))?;
            Some((steps[0].0, rest))
        });
        let after: Vec<(EventId, Vec<u64>)> = after.collect::<Option<_>>()?;
        let words = (after.len() + 2) * state.len();
        let partner = Arc::new(Partner { rest, after });
        let mut partners = partners();
        if partners.words + words > MOST_KNOWN {
            *partners = KnownPartners::default();
        }
        partners.words += words;
        partners.known.insert(state.to_vec(), Arc::clone(&partner));
        Some(partner)
    }

    /// Notes down the first state of a pair, if it is a sample.
    fn note(&self, first: &[u64]) {
        let hash = FxBuildHasher.hash_one(first);
        if hash.is_multiple_of(SAMPLE) {
            let firsts = self.firsts.lock();
            firsts.unwrap_or_else(PoisonError::into_inner).insert(hash);
        }
    }

    /// True if `found` pairs are so many that the states had better be looked at one by one.
    pub(crate) fn are_too_many(&self, found: u64) -> bool {
        let firsts = self.firsts.lock().unwrap_or_else(PoisonError::into_inner);
        found > PAIRS_PER_STATE * SAMPLE * firsts.len() as u64 + FEW_PAIRS
    }
}

/// The states of the machine, one of which is looked at in the place of the first of a pair.
struct StatesOfMachine<'m, S> {
    machine: &'m Successors,
    state: S,
    scratch: &'m mut Scratch<S>,
}

impl<S: PackedState> StatesOfMachine<'_, S> {
    fn row(&mut self, state: &[u64]) -> Row {
        let width = state.len();
        self.state.words_mut()[..width].copy_from_slice(state);
        let mut row = Row {
            steps: Vec::new(),
            targets: Vec::new(),
            width,
        };
        let list = &mut |rule, event, next: &S| {
            row.steps.push((event, row.steps.len() as u32, rule));
            row.targets.extend_from_slice(&next.words()[..width]);
        };
        self.machine.for_each(&self.state, self.scratch, list);
        // Among steps of one event the number decides, so their order stays.
        row.steps.sort_unstable_by_key(|step| (step.0, step.1));
        row
    }

    /// A state at rest that τ leads to from `start`, always the same, and its row; `None` if none
    /// is found. Searches depth first.
    fn rest(&mut self, start: &[u64]) -> Option<(Vec<u64>, Row)> {
        let mut open = vec![start.to_vec()];
        let mut seen: FxHashSet<Vec<u64>> = FxHashSet::default();
        while let Some(state) = open.pop() {
            let row = self.row(&state);
            if row.is_at_rest() {
                return Some((state, row));
            }
            if seen.len() > MOST_BEFORE_REST {
                break;
            }
            seen.insert(state);
            let taus = row.by_event().0.iter().rev();
            let targets = taus.map(|step| row.target(step).to_vec());
            open.extend(targets.filter(|target| !seen.contains(target)));
        }
        None
    }
}
