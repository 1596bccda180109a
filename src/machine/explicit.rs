//! Lists a machine as one explicit transition system: for specifications, which are made
//! deterministic as a whole, and for operands of compressions.

use std::borrow::Borrow;

use super::chase::lost;
use super::copies::Copies;
use super::met::MetStates;
use super::one_leaf::{is_one_leaf, rows_of_one_leaf};
use super::packing::{PackedState, Packing};
use super::successors::{Scratch, Successors};
use super::{Machine, RuleId};
use base::cancel::Cancellation;
use base::diag::{Diagnostic, Result};
use base::index::TypedIndex;
use base::number::plain;
use lts::graph::{Lts, LtsBuilder, StateId};
use process::event::EventId;

/// A system bisimilar to the specification `machine`, in at most `limit` states. States that differ
/// only in the places of copies are one.
///
/// Costs a hash entry and a row for each state. A system that is only searched should stay a
/// machine.
pub fn explicit(machine: &Machine, limit: usize, token: &Cancellation) -> Result<Lts> {
    listed(machine, limit, token)?.ok_or_else(|| Box::new(too_large(limit)))
}

/// All reachable states of `machine`, the machine of a process that is asked about.
pub fn explicit_process(machine: &Machine, limit: usize, token: &Cancellation) -> Result<Lts> {
    rows(LazyLts::new(machine, token)?, limit, token)?.ok_or_else(|| {
        let hint = "check a smaller instance with -D, or allow more with --max-leaf-states";
        Box::new(large_process(limit).hint(hint))
    })
}

/// The largest number of transitions of a listed system. One more state may exceed it: transitions
/// are numbered with 32 bits.
const MOST_TRANSITIONS: usize = 1 << 31;

/// A system bisimilar to `machine`. States that differ only in the places of copies are one. `None`
/// if there are more than `limit` states.
pub fn listed(machine: &Machine, limit: usize, token: &Cancellation) -> Result<Option<Lts>> {
    match is_one_leaf(machine) {
        true => rows_of_one_leaf(machine, limit, token),
        false => unfolded_rows(machine, limit, token),
    }
}

/// [`listed`], by the rules alone.
pub(super) fn unfolded_rows(
    machine: &Machine,
    limit: usize,
    token: &Cancellation,
) -> Result<Option<Lts>> {
    rows(LazyLts::up_to_copies(machine, token)?, limit, token)
}

/// The states of a machine on its first levels.
pub(super) struct FirstStates {
    /// The system of these states. Steps that lead further lead to one more state, the last, which
    /// does nothing.
    pub(super) lts: Lts,
    /// The number of states on the innermost levels, which come first: at most a fiftieth of all.
    /// It is 0 if there are too few states to tell the levels apart.
    pub(super) innermost: usize,
}

/// The states of `machine` on the levels that are complete when at most `most` states have been
/// met; `None` if these are all states. A level has the states at one distance from the initial
/// one, so the states do not depend on the order of the rules.
pub(super) fn first_states(
    machine: &Machine,
    most: usize,
    token: &Cancellation,
) -> Result<Option<FirstStates>> {
    let mut unfolding = LazyLts::new(machine, token)?;
    let mut rows = Vec::new();
    // The numbers of states on the first level, on the first two, and so on.
    let mut levels = vec![1];
    let mut end = 1;
    while unfolding.met() <= most {
        if rows.len() == end {
            if rows.len() == unfolding.met() {
                return Ok(None);
            }
            end = unfolding.met();
            levels.push(end);
        }
        token.step()?;
        rows.push(unfolding.row(StateId::from_usize(rows.len()))?);
    }
    // The last level was cut short.
    levels.pop();
    rows.truncate(levels.last().copied().unwrap_or(0));
    let few = (rows.len() / 50).max(1);
    let inner = levels.iter().take_while(|&&states| states <= few);
    let innermost = match rows.len() * 100 < most {
        true => 0,
        false => inner.last().copied().unwrap_or(0),
    };
    let last = StateId::from_usize(rows.len());
    for (_, target) in rows.iter_mut().flatten() {
        *target = last.min(*target);
    }
    rows.push(Vec::new());
    let lts = Lts::from_rows(rows);
    Ok(Some(FirstStates { lts, innermost }))
}

/// All states of `unfolding`; `None` if there are more than `limit`.
fn rows(
    mut unfolding: LazyLts<&Machine>,
    limit: usize,
    token: &Cancellation,
) -> Result<Option<Lts>> {
    let mut rows = LtsBuilder::default();
    while rows.state_count() < unfolding.met() {
        if unfolding.met() > limit {
            return Ok(None);
        }
        if rows.transition_count() > MOST_TRANSITIONS {
            return too_many_transitions().into();
        }
        token.step()?;
        rows.push(unfolding.row(StateId::from_usize(rows.state_count()))?);
    }
    Ok(Some(rows.finish()))
}

/// The transition system of a machine, which it owns or borrows, found as far as it is needed. A
/// state is numbered when it is first met. A row is computed anew each time.
pub struct LazyLts<M> {
    machine: M,
    successors: Successors,
    met: MetStates,
    /// The copies that are kept in order.
    copies: Copies,
    from: Vec<u64>,
    sorted: Vec<u64>,
    scratch: Scratch<Vec<u64>>,
}

impl<M: Borrow<Machine>> LazyLts<M> {
    /// The largest number of states that are numbered.
    pub const MOST: usize = 1 << 31;

    /// The system of `machine`, with only its initial state met.
    pub fn new(machine: M, token: &Cancellation) -> Result<Self> {
        Self::with_copies(machine, |_, _| Copies::none(), token)
    }

    /// The system of `machine` in which copies are always in order.
    fn up_to_copies(machine: M, token: &Cancellation) -> Result<Self> {
        Self::with_copies(machine, Copies::of, token)
    }

    fn with_copies(
        machine: M,
        copies: impl FnOnce(&Machine, &Packing) -> Copies,
        token: &Cancellation,
    ) -> Result<Self> {
        let packing = machine.borrow().packing(1);
        let successors = machine.borrow().successors(&packing, token)?;
        let initial: Vec<u64> = successors.initial(packing.words());
        let mut met = MetStates::new(packing.words());
        met.number(&initial);
        Ok(Self {
            copies: copies(machine.borrow(), &packing),
            machine,
            successors,
            met,
            sorted: initial.clone(),
            from: initial,
            scratch: Scratch::new(packing.words()),
        })
    }

    /// The number of states that were met.
    pub fn met(&self) -> usize {
        self.met.count()
    }

    /// The transitions of `state`, in the order of the rules.
    pub fn row(&mut self, state: StateId) -> Result<Vec<(EventId, StateId)>> {
        let (met, copies, sorted) = (&mut self.met, &self.copies, &mut self.sorted);
        self.from.load(met.state(state.0));
        let mut row = Vec::new();
        self.successors
            .for_each(&self.from, &mut self.scratch, &mut |_, event, next| {
                let next = if copies.are_none() {
                    next
                } else {
                    sorted.copy_from_slice(next);
                    copies.sort(sorted);
                    &*sorted
                };
                row.push((event, StateId(met.number(next))));
            });
        // If a chase was lost, no state has successors, so the row means nothing.
        if self.machine.borrow().has_lost_a_chase() {
            return lost().into();
        }
        // The limit is checked after the whole row, whose numbers still fit: `MOST` is half of what
        // 32 bits hold.
        if self.met() > Self::MOST {
            return too_many(self.met()).into();
        }
        Ok(row)
    }

    /// The rules of the run with these labels through these states, of which the last may be
    /// unknown. Returns `None` if there is no such run.
    pub fn rules(&mut self, run: &[(EventId, Option<StateId>)]) -> Option<Vec<RuleId>> {
        let mut at = Lts::INITIAL;
        let mut rules = Vec::with_capacity(run.len());
        for &(label, target) in run {
            let mut first = None;
            let met = &self.met;
            self.from.load(met.state(at.0));
            self.successors
                .for_each(&self.from, &mut self.scratch, &mut |rule, event, next| {
                    let is_it = target.is_none_or(|target| met.state(target.0) == &next[..]);
                    if event == label && is_it && first.is_none() {
                        first = Some(rule);
                    }
                });
            rules.push(first?);
            at = target.unwrap_or(at);
        }
        Some(rules)
    }

    /// The states of the leaves in `state`.
    pub fn leaf_states(&mut self, state: StateId) -> Vec<u32> {
        self.from.load(self.met.state(state.0));
        self.machine.borrow().packing(1).unpack(&self.from)
    }

    /// The number of bytes of the states that were met.
    pub fn bytes(&self) -> usize {
        self.met.bytes()
    }
}

fn too_many(met: usize) -> Diagnostic {
    let message = format!("more states than can be numbered; {met} were visited");
    Diagnostic::undecided("state-limit", message).hint("check a smaller instance with -D")
}

fn too_many_transitions() -> Diagnostic {
    let message = "a process that has to be listed has more transitions than can be numbered";
    Diagnostic::undecided("state-limit", message).hint("check a smaller instance with -D")
}

/// The message for a process with more than `limit` states to list.
pub fn large_process(limit: usize) -> Diagnostic {
    let message = format!("the process has more than {}", plain(limit, "state"));
    Diagnostic::undecided("large-process", message)
}

fn too_large(limit: usize) -> Diagnostic {
    Diagnostic::undecided(
        "large-specification",
        format!("the specification has more than {}", plain(limit, "state")),
    )
    .hint("write a smaller specification, or allow more with --max-leaf-states")
}
