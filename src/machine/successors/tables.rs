//! Tables of the moves of some rules, by the states of the rules' triggers.

use super::columns::{Actions, BitPlace, Columns, DISABLED, Participant, SPECIAL, too_large};
use super::quiet::Quiet;
use crate::packing::{BitField, PackedState, Packing};
use crate::rules::Rule;
use crate::{LeafId, Machine, RuleId};
use base::diag::Result;
use base::index::{IndexVec, TypedIndex};
use process::event::EventId;

/// The moves of some rules under one packing.
#[derive(Clone, Debug)]
pub(super) struct MoveTables {
    /// The leaves that trigger some rule.
    triggers: Vec<Trigger>,
    /// The search for triggers that are not quiet, if there are many triggers.
    quiet: Option<Quiet>,
    /// `starts[r]..starts[r + 1]` are the moves of row `r`, a trigger leaf in one of its states.
    starts: Vec<u32>,
    moves: Vec<Move>,
    /// The partners of the moves that have several, list by list.
    partners: Vec<Participant>,
    /// The ranges of `partners` that are lists. List 0 is empty: it stands for no list.
    lists: Vec<(u32, u32)>,
    columns: Columns,
}

#[derive(Clone, Debug)]
struct Trigger {
    field: BitField,
    /// The row of state 0.
    rows: u32,
}

/// The effect of one rule when its trigger is in one state. It takes half a cache line.
#[derive(Clone, Debug)]
pub(super) struct Move {
    /// The bits of the trigger that flip.
    flip: u32,
    place: BitPlace,
    pub(super) rule: RuleId,
    pub(super) event: EventId,
    /// The first partner, which is mostly the only one.
    partner: Participant,
    /// The list of all partners, including the first, if there are several; otherwise 0.
    list: u32,
}

impl MoveTables {
    /// Calls `visit` with the number of each move that the trigger of its rule can do, and with the
    /// move. `marks` is memory to work in.
    #[inline]
    pub(super) fn for_each_move<S: PackedState>(
        &self,
        state: &S,
        marks: &mut Vec<u64>,
        visit: &mut impl FnMut(u32, &Move),
    ) {
        let mut at_trigger = |trigger: &Trigger| {
            let row = (trigger.rows + trigger.field.get(state)) as usize;
            let moves = self.starts[row] as usize..self.starts[row + 1] as usize;
            for (number, enabled) in (moves.start as u32..).zip(&self.moves[moves]) {
                visit(number, enabled);
            }
        };
        match &self.quiet {
            None => self.triggers.iter().for_each(at_trigger),
            Some(quiet) => quiet.for_each_awake(state, marks, |number| {
                at_trigger(&self.triggers[number]);
            }),
        }
    }

    /// The move of this number.
    pub(super) fn numbered(&self, number: u32) -> &Move {
        &self.moves[number as usize]
    }

    /// True if the partners of `enabled`, a move that its trigger can do, can do their part.
    #[inline]
    pub(super) fn is_possible<S: PackedState>(&self, enabled: &Move, state: &S) -> bool {
        let is_possible = |part: &Participant| self.columns.entry(part, state) != DISABLED;
        is_possible(&enabled.partner)
            && (enabled.list == 0 || self.partners(enabled)[1..].iter().all(is_possible))
    }

    /// All partners of a move; a move without partners has [`Participant::NOTHING`].
    #[inline]
    fn partners<'a>(&'a self, enabled: &'a Move) -> &'a [Participant] {
        if enabled.list == 0 {
            return std::slice::from_ref(&enabled.partner);
        }
        let (first, end) = self.lists[enabled.list as usize];
        &self.partners[first as usize..end as usize]
    }

    /// Calls `emit` with every result of a move that its trigger can do.
    #[inline]
    pub(super) fn follow<S: PackedState>(
        &self,
        enabled: &Move,
        state: &S,
        scratch: &mut S,
        emit: &mut impl FnMut(&S),
    ) {
        let flip = self.columns.entry(&enabled.partner, state);
        // Copying a long state costs more than asking all partners first.
        if flip == DISABLED || !S::IS_CHEAP && !self.is_possible(enabled, state) {
            return;
        }
        scratch.clone_from(state);
        enabled.place.flip(scratch, enabled.flip);
        // The trigger has flipped its bits already; all partners are still to come.
        if flip >= SPECIAL {
            return self
                .columns
                .follow_each(self.partners(enabled), state, scratch, emit);
        }
        enabled.partner.flip(scratch, flip);
        if enabled.list != 0 {
            let partners = self.partners(enabled);
            for (i, partner) in partners.iter().enumerate().skip(1) {
                let flip = self.columns.entry(partner, state);
                // `DISABLED` is above `SPECIAL` as well, so that the common case takes one
                // comparison.
                if flip >= SPECIAL {
                    if flip != DISABLED {
                        // The partners before this one have flipped their bits in `scratch`.
                        self.columns
                            .follow_each(&partners[i..], state, scratch, emit);
                    }
                    return;
                }
                partner.flip(scratch, flip);
            }
        }
        emit(scratch);
    }

    /// The tables of `rules` for states of `machine` packed by `packing`. Moves have the numbers
    /// that stand with the rules.
    pub(super) fn new<'r>(
        machine: &Machine,
        packing: &Packing,
        actions: Actions<'_>,
        rules: impl IntoIterator<Item = (RuleId, &'r Rule)>,
    ) -> Result<Self> {
        let mut builder = TableBuilder {
            machine,
            packing,
            actions,
            rows: machine.leaves.indices().map(|_| Vec::new()).collect(),
            partners: Vec::new(),
            lists: vec![(0, 0)],
        };
        for (id, rule) in rules {
            builder.rule(id, rule)?;
        }
        builder.finish()
    }
}

struct TableBuilder<'a> {
    machine: &'a Machine,
    packing: &'a Packing,
    actions: Actions<'a>,
    /// The moves triggered by leaf and state. A leaf that triggers none has no rows.
    rows: IndexVec<LeafId, Vec<Vec<Move>>>,
    partners: Vec<Participant>,
    lists: Vec<(u32, u32)>,
}

impl TableBuilder<'_> {
    fn rule(&mut self, id: RuleId, rule: &Rule) -> Result<()> {
        self.actions.look_at(rule)?;
        let trigger = self.actions.trigger(rule);
        let moves = self.actions.pairs(rule.participants[trigger]).len();
        self.actions.token.look(moves)?;
        // A move has the target of its trigger; other participants are looked up in columns.
        let mut partners = Vec::new();
        for (i, &participant) in rule.participants.iter().enumerate() {
            if i != trigger {
                partners.push(self.actions.part(participant)?);
            }
        }
        let mut list = 0;
        if partners.len() > 1 {
            list = self.lists.len() as u32;
            let first = self.partners.len() as u32;
            self.partners.extend_from_slice(&partners);
            self.lists.push((first, self.partners.len() as u32));
        }
        let (leaf, _) = rule.participants[trigger];
        let states = self.machine.leaves[leaf].state_count();
        if states > SPECIAL {
            return too_large().into();
        }
        let place = self.actions.place(leaf);
        let rows = &mut self.rows[leaf];
        rows.resize(states as usize, Vec::new());
        for &(from, to) in self.actions.pairs(rule.participants[trigger]) {
            rows[from as usize].push(Move {
                flip: from ^ to,
                place,
                rule: id,
                event: rule.result,
                partner: partners.first().copied().unwrap_or(Participant::NOTHING),
                list,
            });
        }
        Ok(())
    }

    fn finish(self) -> Result<MoveTables> {
        let mut triggers = Vec::new();
        let mut starts = vec![0];
        let mut moves = Vec::new();
        let mut quiet_states = Vec::new();
        for (leaf, rows) in self.rows.iter_enumerated() {
            if rows.is_empty() {
                continue;
            }
            let field = self.packing.fields()[leaf.index()];
            triggers.push(Trigger {
                field,
                rows: starts.len() as u32 - 1,
            });
            // One quiet state is enough, although a leaf may have several.
            let quiet = rows.iter().position(Vec::is_empty);
            quiet_states.push((field, quiet.map(|state| state as u32)));
            for row in rows {
                self.actions.token.look(1 + row.len())?;
                moves.extend_from_slice(row);
                starts.push(moves.len() as u32);
            }
        }
        Ok(MoveTables {
            triggers,
            quiet: Quiet::new(self.packing.words(), &quiet_states),
            starts,
            moves,
            partners: self.partners,
            lists: self.lists,
            columns: self.actions.into_columns(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::source::SourceMap;

    /// Such tables take gigabytes, too many for a script among the tests.
    #[test]
    fn what_is_said_of_tables_that_are_too_large() {
        pretty_assertions::assert_eq!(
            too_large().render(&SourceMap::new()),
            "error[too-many-rules]: the tables of the machine take too much memory\n \
             = help: make the components smaller\n\n"
        );
    }
}
