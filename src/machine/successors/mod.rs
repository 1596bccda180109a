//! Tables that give the successors of a packed state.
//!
//! There are two kinds of tables; each machine gets the kind that costs it less (`choice`). With
//! *triggers* (`tables`) each rule has one participant, its trigger: the one that enables the rule
//! in the smallest share of its own states. A state is expanded by going through the moves that its
//! leaf states trigger, and looking up each other participant of each move in a dense column. With
//! *bitsets* (`bitsets`) each group of leaves allows a set of rules, and a rule that is in all sets
//! is possible. Both kinds give equal transitions in one order.

mod bitsets;
mod chaser;
mod choice;
mod columns;
mod gated;
mod quiet;
mod tables;

use self::bitsets::{BitLayout, Bitsets};
use self::chaser::Chaser;
use self::columns::Actions;
use self::gated::{GateWork, Gated};
use self::tables::MoveTables;
use super::packing::{PackedState, Packing};
use super::{Machine, RuleId};
use base::cancel::Cancellation;
use base::diag::Result;
use process::event::EventId;

/// The successor tables of one machine under one packing.
#[derive(Clone, Debug)]
pub struct Successors {
    /// The rules without priorities.
    plain: Plain,
    /// The rules with priorities, if there are any.
    gated: Option<Box<Gated>>,
    /// The τ that are followed after every step, if there are any.
    chaser: Option<Box<Chaser>>,
}

/// The kind of tables for the rules without priorities.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// Moves by the states of triggers.
    Triggers,
    /// Sets of rules by the states of leaves.
    Bitsets,
}

#[derive(Clone, Debug)]
enum Plain {
    Triggers(MoveTables),
    Bitsets(Bitsets),
}

/// Memory for listing the transitions of one state at a time, so that no state allocates. Each
/// thread has its own.
#[derive(Clone, Debug)]
pub struct Scratch<S> {
    successor: S,
    work: GateWork,
    /// A successor while τ are followed from it, and the leaves that may have possible τ.
    chased: S,
    open: Vec<u32>,
}

impl<S: PackedState> Scratch<S> {
    /// Memory for states of `words` words.
    pub fn new(words: usize) -> Self {
        Self {
            successor: S::zero(words),
            work: GateWork::default(),
            chased: S::zero(words),
            open: Vec::new(),
        }
    }
}

impl Machine {
    /// The tables that give the successors of states packed by `packing`, of the variant that costs
    /// less.
    pub fn successors(&self, packing: &Packing, token: &Cancellation) -> Result<Successors> {
        Successors::build(self, packing, None, token)
    }
}

impl Successors {
    /// Calls `emit` with every transition of `state`, in a fixed order.
    #[inline]
    pub fn for_each<S: PackedState>(
        &self,
        state: &S,
        scratch: &mut Scratch<S>,
        emit: &mut impl FnMut(RuleId, EventId, &S),
    ) {
        match &self.chaser {
            None => self.for_each_step(state, &mut scratch.successor, &mut scratch.work, emit),
            Some(chaser) => self.for_each_chased(chaser, state, scratch, emit),
        }
    }

    /// The initial state of the machine in `words` words. A field that is packed beside it is 0.
    pub fn initial<S: PackedState>(&self, words: usize) -> S {
        let mut state = S::zero(words);
        if let Some(chaser) = &self.chaser {
            chaser.begin(&mut state);
        }
        state
    }

    /// Calls `emit` with every transition of `state`, with τ followed after each step. It is
    /// compiled separately, so that machines without chases are searched by faster code.
    #[inline(never)]
    fn for_each_chased<S: PackedState>(
        &self,
        chaser: &Chaser,
        state: &S,
        scratch: &mut Scratch<S>,
        emit: &mut dyn FnMut(RuleId, EventId, &S),
    ) {
        if chaser.is_lost() {
            return;
        }
        let Scratch {
            successor,
            work,
            chased,
            open,
        } = scratch;
        self.for_each_step(state, successor, work, &mut |rule, event, next: &S| {
            chaser.changed(state, next, open);
            if open.is_empty() {
                return emit(rule, event, next);
            }
            chased.clone_from(next);
            chaser.follow(chased, open);
            emit(rule, event, chased);
        });
    }

    #[inline]
    fn for_each_step<S: PackedState>(
        &self,
        state: &S,
        successor: &mut S,
        work: &mut GateWork,
        emit: &mut impl FnMut(RuleId, EventId, &S),
    ) {
        match &self.plain {
            Plain::Triggers(tables) => {
                tables.for_each_move(state, &mut work.marks, &mut |_, enabled| {
                    tables.follow(enabled, state, successor, &mut |next| {
                        emit(enabled.rule, enabled.event, next);
                    });
                });
            }
            Plain::Bitsets(sets) => sets.for_each(state, successor, &mut work.marks, emit),
        }
        if let Some(gated) = &self.gated {
            gated.for_each(state, successor, work, emit);
        }
    }

    /// The tables of `machine` with states packed by `packing`, of the given variant.
    pub fn of_variant(machine: &Machine, packing: &Packing, variant: Variant) -> Result<Self> {
        Self::build(machine, packing, Some(variant), Cancellation::never())
    }

    /// The variant of the tables of rules without priorities.
    pub fn variant(&self) -> Variant {
        match self.plain {
            Plain::Triggers(_) => Variant::Triggers,
            Plain::Bitsets(_) => Variant::Bitsets,
        }
    }

    fn build(
        machine: &Machine,
        packing: &Packing,
        variant: Option<Variant>,
        token: &Cancellation,
    ) -> Result<Self> {
        let has_gated = machine.rules.iter().any(|rule| !rule.passes.is_empty());
        let gated = has_gated.then(|| Gated::new(machine, packing, token));
        Ok(Self {
            gated: gated.transpose()?.map(Box::new),
            chaser: Chaser::new(machine, packing, token)?.map(Box::new),
            plain: Plain::new(machine, packing, variant, token)?,
        })
    }
}

impl Plain {
    fn new(
        machine: &Machine,
        packing: &Packing,
        variant: Option<Variant>,
        token: &Cancellation,
    ) -> Result<Self> {
        let rules = machine.rules.iter_enumerated();
        let plain: Vec<_> = rules.filter(|(_, rule)| rule.passes.is_empty()).collect();
        let mut actions = Actions::new(machine, packing, token);
        for (_, rule) in &plain {
            // Transitions are found here, where the token is asked; the later steps mostly look
            // them up.
            actions.look_at(rule)?;
        }
        let layout = BitLayout::new(machine, packing, &mut actions, &plain)?;
        let takes_bitsets = match variant {
            Some(variant) => variant == Variant::Bitsets,
            None => choice::prefers_bitsets(machine, &layout, &mut actions)?,
        };
        Ok(if takes_bitsets {
            Self::Bitsets(layout.build(machine, actions)?)
        } else {
            Self::Triggers(MoveTables::new(machine, packing, actions, plain)?)
        })
    }
}

#[cfg(test)]
mod tests;
