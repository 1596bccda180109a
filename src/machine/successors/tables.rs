//! Dense tables of the moves of some rules, by the states of their triggers.

use rustc_hash::FxHashMap;

use crate::base::index::{IndexVec, TypedIndex};
use crate::diag::{Diagnostic, Result};
use crate::machine::leaf::Action;
use crate::machine::packing::{Field, PackedState, Packing};
use crate::machine::rules::Rule;
use crate::machine::{LeafId, Machine, RuleId};
use crate::process::event::EventId;

/// The moves of some rules under one packing.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    /// The leaves that trigger some rule.
    triggers: Vec<Trigger>,
    /// `starts[r]..starts[r + 1]` are the moves of row `r`, a trigger leaf in one of its states.
    starts: Vec<u32>,
    moves: Vec<Move>,
    partners: Vec<Partner>,
    /// For each (partner leaf, action), by leaf state: the bits to flip, or a value from [`DISABLED`] down.
    columns: Vec<u64>,
    /// The alternatives of nondeterministic partners, each list with its length in front.
    alternatives: Vec<u64>,
}

#[derive(Clone, Debug)]
struct Trigger {
    field: Field,
    /// The row of state 0.
    rows: u32,
}

/// What one rule does when its trigger is in one state.
#[derive(Clone, Debug)]
pub(super) struct Move {
    /// How the trigger itself changes.
    flip: u64,
    word: u32,
    pub(super) rule: RuleId,
    pub(super) event: EventId,
    partners: (u32, u32),
}

#[derive(Clone, Debug)]
struct Partner {
    field: Field,
    column: u32,
}

/// The column entry of a state in which the action is impossible. No flip has these values: a
/// field has at most 32 bits.
const DISABLED: u64 = u64::MAX;
/// From here to [`DISABLED`], `DISABLED - 1 - i` is a nondeterministic entry, with its list at `alternatives[i]`.
const SPECIAL: u64 = DISABLED - (1 << 30);

impl Tables {
    /// Calls `visit` with every move that the trigger of its rule can do, and its number.
    #[inline]
    pub(super) fn for_each_move<S: PackedState>(
        &self,
        state: &S,
        visit: &mut impl FnMut(u32, &Move),
    ) {
        for trigger in &self.triggers {
            let row = (trigger.rows + trigger.field.get(state)) as usize;
            let moves = self.starts[row] as usize..self.starts[row + 1] as usize;
            for (number, enabled) in (moves.start as u32..).zip(&self.moves[moves]) {
                visit(number, enabled);
            }
        }
    }

    /// The move of this number.
    pub(super) fn numbered(&self, number: u32) -> &Move {
        &self.moves[number as usize]
    }

    /// Whether the partners can do their part of a move that its trigger can do.
    #[inline]
    pub(super) fn is_possible<S: PackedState>(&self, enabled: &Move, state: &S) -> bool {
        let mut partners = self.partners(enabled).iter();
        partners.all(|partner| self.entry(partner, state) != DISABLED)
    }

    #[inline]
    fn partners(&self, enabled: &Move) -> &[Partner] {
        &self.partners[enabled.partners.0 as usize..enabled.partners.1 as usize]
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
        let partners = self.partners(enabled);
        if !S::IS_CHEAP && !self.is_possible(enabled, state) {
            return;
        }
        scratch.clone_from(state);
        scratch.flip(enabled.word, enabled.flip);
        for (i, partner) in partners.iter().enumerate() {
            let flip = self.entry(partner, state);
            if flip >= SPECIAL {
                if flip != DISABLED {
                    self.follow_each(&partners[i..], state, scratch, emit);
                }
                return;
            }
            scratch.flip(partner.field.word, flip);
        }
        emit(scratch);
    }

    /// All combinations of what `partners` may do.
    fn follow_each<S: PackedState>(
        &self,
        partners: &[Partner],
        state: &S,
        scratch: &mut S,
        emit: &mut dyn FnMut(&S),
    ) {
        let Some((partner, rest)) = partners.split_first() else {
            return emit(scratch);
        };
        let entry = self.entry(partner, state);
        if entry == DISABLED {
            return;
        }
        let flips = if entry >= SPECIAL {
            let list = (DISABLED - 1 - entry) as usize;
            &self.alternatives[list + 1..][..self.alternatives[list] as usize]
        } else {
            std::slice::from_ref(&entry)
        };
        for &flip in flips {
            scratch.flip(partner.field.word, flip);
            self.follow_each(rest, state, scratch, emit);
            scratch.flip(partner.field.word, flip);
        }
    }

    #[inline]
    fn entry<S: PackedState>(&self, partner: &Partner, state: &S) -> u64 {
        self.columns[(partner.column + partner.field.get(state)) as usize]
    }

    /// The moves of `rules`, which go by these numbers, with states of `machine` packed by `packing`.
    pub(super) fn new<'r>(
        machine: &Machine,
        packing: &Packing,
        rules: impl IntoIterator<Item = (RuleId, &'r Rule)>,
    ) -> Result<Self> {
        let mut builder = Builder {
            machine,
            packing,
            actions: FxHashMap::default(),
            rows: machine.leaves.indices().map(|_| Vec::new()).collect(),
            tables: Self {
                triggers: Vec::new(),
                starts: vec![0],
                moves: Vec::new(),
                partners: Vec::new(),
                columns: Vec::new(),
                alternatives: Vec::new(),
            },
        };
        for (id, rule) in rules {
            builder.rule(id, rule)?;
        }
        builder.finish()
    }
}

struct Builder<'a> {
    machine: &'a Machine,
    packing: &'a Packing,
    actions: FxHashMap<(LeafId, Action), ActionTable>,
    /// For each leaf, the moves that each of its states triggers; empty if none does.
    rows: IndexVec<LeafId, Vec<Vec<Move>>>,
    tables: Tables,
}

struct ActionTable {
    pairs: Vec<(u32, u32)>,
    /// In what share of the leaf's states it is possible.
    share: f64,
    column: Option<u32>,
}

/// Columns of more entries than this in all take too much memory.
const COLUMN_ENTRIES: usize = 1 << 29;

impl Builder<'_> {
    fn rule(&mut self, id: RuleId, rule: &Rule) -> Result<()> {
        let shares: Vec<f64> = rule
            .participants
            .iter()
            .map(|&p| self.action(p).share)
            .collect();
        // The earliest of equals, so that the order of transitions is the same on every run.
        let trigger =
            (1..shares.len()).fold(0, |best, i| if shares[i] < shares[best] { i } else { best });
        let first_partner = self.tables.partners.len() as u32;
        for (i, &participant) in rule.participants.iter().enumerate() {
            if i != trigger {
                let column = self.column(participant)?;
                let field = self.field(participant.0);
                self.tables.partners.push(Partner { field, column });
            }
        }
        let partners = (first_partner, self.tables.partners.len() as u32);
        let (leaf, _) = rule.participants[trigger];
        let field = self.field(leaf);
        let rows = &mut self.rows[leaf];
        rows.resize(self.machine.leaves[leaf].state_count() as usize, Vec::new());
        for &(from, to) in &self.actions[&rule.participants[trigger]].pairs {
            let flip = field.flip(from, to);
            let event = rule.result;
            rows[from as usize].push(Move {
                flip,
                word: field.word,
                rule: id,
                event,
                partners,
            });
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Tables> {
        let tables = &mut self.tables;
        for (leaf, rows) in self.rows.iter_enumerated() {
            if rows.is_empty() {
                continue;
            }
            let field = self.packing.fields()[leaf.index()];
            tables.triggers.push(Trigger {
                field,
                rows: tables.starts.len() as u32 - 1,
            });
            for row in rows {
                tables.moves.extend_from_slice(row);
                tables.starts.push(tables.moves.len() as u32);
            }
        }
        Ok(self.tables)
    }

    fn field(&self, leaf: LeafId) -> Field {
        self.packing.fields()[leaf.index()]
    }

    fn action(&mut self, participant: (LeafId, Action)) -> &mut ActionTable {
        self.actions.entry(participant).or_insert_with(|| {
            let leaf = &self.machine.leaves[participant.0];
            let pairs = leaf.transitions(participant.1);
            let enabled = pairs.chunk_by(|a, b| a.0 == b.0).count();
            let share = enabled as f64 / f64::from(leaf.state_count());
            ActionTable {
                pairs,
                share,
                column: None,
            }
        })
    }

    /// The column of an action that some rule asks a partner for.
    fn column(&mut self, participant: (LeafId, Action)) -> Result<u32> {
        if let Some(column) = self.action(participant).column {
            return Ok(column);
        }
        let states = self.machine.leaves[participant.0].state_count() as usize;
        let column = self.tables.columns.len();
        if column + states > COLUMN_ENTRIES {
            return too_large().into();
        }
        self.tables.columns.resize(column + states, DISABLED);
        let field = self.field(participant.0);
        let table = &self.actions[&participant];
        for group in table.pairs.chunk_by(|a, b| a.0 == b.0) {
            let flip = |&(from, to): &(u32, u32)| field.flip(from, to);
            let entry = if let [only] = group {
                flip(only)
            } else {
                let list = self.tables.alternatives.len() as u64;
                self.tables.alternatives.push(group.len() as u64);
                self.tables.alternatives.extend(group.iter().map(flip));
                DISABLED - 1 - list
            };
            self.tables.columns[column + group[0].0 as usize] = entry;
        }
        if self.tables.alternatives.len() >= 1 << 30 {
            return too_large().into();
        }
        self.action(participant).column = Some(column as u32);
        Ok(column as u32)
    }
}

fn too_large() -> Diagnostic {
    Diagnostic::undecided(
        "too-many-rules",
        "the tables of the machine take too much memory",
    )
    .hint("make the components smaller")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;

    /// It takes gigabytes, too many for a script among the tests.
    #[test]
    fn what_is_said_of_tables_that_are_too_large() {
        pretty_assertions::assert_eq!(
            too_large().render(&SourceMap::new()),
            "error[too-many-rules]: the tables of the machine take too much memory\n \
             = help: make the components smaller\n\n"
        );
    }
}
