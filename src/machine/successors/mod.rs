//! Tables that give the successors of a packed state.
//!
//! Each rule has one trigger: the participant that enables it in the smallest share of its
//! states. A state is expanded by going through the moves that its leaf states trigger, and
//! asking the other participants of each by one look-up in a dense column.

mod gated;
mod tables;

use self::gated::{Gated, Work};
use self::tables::Tables;
use super::packing::{PackedState, Packing};
use super::{Machine, RuleId};
use crate::diag::Result;
use crate::process::event::EventId;

/// The successor tables of one machine under one packing.
#[derive(Clone, Debug)]
pub struct Successors {
    /// The rules without priorities.
    plain: Tables,
    /// The others, if there are any.
    gated: Option<Box<Gated>>,
}

/// Memory for listing the transitions of one state at a time, so that no state allocates. Each thread has its own.
#[derive(Clone, Debug)]
pub struct Scratch<S> {
    successor: S,
    work: Work,
}

impl<S: PackedState> Scratch<S> {
    /// For states of so many words.
    pub fn new(words: usize) -> Self {
        Self {
            successor: S::zero(words),
            work: Work::default(),
        }
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
        let plain = &self.plain;
        let Scratch { successor, work } = scratch;
        plain.for_each_move(state, &mut |_, enabled| {
            plain.follow(enabled, state, successor, &mut |next| {
                emit(enabled.rule, enabled.event, next);
            });
        });
        if let Some(gated) = &self.gated {
            gated.for_each(state, successor, work, emit);
        }
    }

    /// The tables of `machine` with states packed by `packing`.
    pub(super) fn new(machine: &Machine, packing: &Packing) -> Result<Self> {
        let rules = machine.rules.iter_enumerated();
        let plain = rules.filter(|(_, rule)| rule.passes.is_empty());
        let has_gated = machine.rules.iter().any(|rule| !rule.passes.is_empty());
        let gated = has_gated.then(|| Gated::new(machine, packing));
        Ok(Self {
            plain: Tables::new(machine, packing, plain)?,
            gated: gated.transpose()?.map(Box::new),
        })
    }
}
