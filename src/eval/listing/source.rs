//! The sources from which running code gets its code, its words and the values of its parts.

use std::ops::Deref;
use std::sync::Arc;

use super::code::{Body, EvaluatedPart, PartId, Unit, UnitId};
use super::code_table::CodeTable;
use super::memory::Remembered;
use super::part::evaluate;
use super::unit::body;
use super::word::{ValueWord, ValueWords};
use super::word_table::{WordKind, WordSource, WordTable};
use crate::environment::{Frame, Slot};
use crate::evaluator::Evaluator;
use crate::set::Set;
use crate::value::Value;
use base::index::IndexVec;

/// A source of code, words and values of parts.
pub(super) trait CodeSource {
    type UnitBody: Deref<Target = Body>;
    type OwnWords<'w>: WordSource
    where
        Self: 'w;

    /// The code of `unit`. Returns `None` if there is none.
    fn body(&mut self, unit: UnitId) -> Option<Self::UnitBody>;
    /// The number of values by which calls of `unit` are equal.
    fn width(&self, unit: UnitId) -> usize;
    fn words(&mut self) -> Self::OwnWords<'_>;
    /// Appends the value of `part`, with these registers, to `results`. Returns `None` if it is not
    /// found.
    fn add_value(
        &mut self,
        part: PartId,
        registers: &[ValueWord],
        results: &mut Vec<ValueWord>,
    ) -> Option<()>;
}

/// Compiles and evaluates on demand.
pub(super) struct Evaluation<'r, 's> {
    pub(super) evaluator: &'r mut Evaluator<'s>,
    pub(super) code_table: &'r mut CodeTable,
}

impl Evaluation<'_, '_> {
    /// The code and results that are known by now.
    pub(super) fn known(&self) -> KnownCode<'_> {
        let CodeTable {
            units,
            parts,
            memory,
            words,
            ..
        } = &*self.code_table;
        KnownCode {
            units,
            parts,
            memory,
            words: &words.table,
        }
    }
}

impl CodeSource for Evaluation<'_, '_> {
    type UnitBody = Arc<Body>;
    type OwnWords<'w>
        = ScriptWords<'w>
    where
        Self: 'w;

    fn body(&mut self, unit: UnitId) -> Option<Arc<Body>> {
        body(self.evaluator.script, self.code_table, unit)
    }

    fn width(&self, unit: UnitId) -> usize {
        self.code_table.units[unit].width as usize
    }

    fn words(&mut self) -> ScriptWords<'_> {
        ScriptWords {
            words: &mut self.code_table.words,
            script: self.evaluator.declared.top(),
        }
    }

    fn add_value(
        &mut self,
        part: PartId,
        registers: &[ValueWord],
        results: &mut Vec<ValueWord>,
    ) -> Option<()> {
        if self.known().add_value(part, registers, results).is_some() {
            return Some(());
        }
        let mut found = Vec::new();
        self.code_table.evaluated += 1;
        evaluate(self.evaluator, self.code_table, part, registers, &mut found)?;
        let CodeTable { parts, memory, .. } = &mut *self.code_table;
        let key = parts[part].free.iter().map(|&r| registers[r as usize]);
        memory.insert(part, key, &found);
        results.extend(found);
        Some(())
    }
}

/// The words of a script, which gives values numbers as they are met.
pub(super) struct ScriptWords<'w> {
    words: &'w mut ValueWords,
    /// The script's frame.
    script: &'w Frame,
}

impl WordSource for ScriptWords<'_> {
    fn table(&self) -> &WordTable {
        &self.words.table
    }

    fn number(&mut self, kind: WordKind, items: &[ValueWord]) -> Option<ValueWord> {
        self.words.table.number(kind, items)
    }

    /// The word of the constant in `slot`; `None` if it has parts that were not evaluated.
    fn constant(&mut self, slot: u32) -> Option<ValueWord> {
        let Slot::Lazy(lazy) = self.script.get(slot) else {
            return None;
        };
        let value = lazy.ready()?;
        let is_plain = match &value {
            Value::Int(_) | Value::Bool(_) | Value::Char(_) | Value::Head(_) | Value::Dot(_) => {
                true
            }
            Value::Set(set) => matches!(**set, Set::Finite(_)),
            _ => false,
        };
        is_plain.then(|| self.words.word(&value)).flatten()
    }
}

/// The known code and results of a script. Threads read it side by side. It finds nothing new.
#[derive(Clone, Copy)]
pub(super) struct KnownCode<'c> {
    units: &'c IndexVec<UnitId, Unit>,
    parts: &'c IndexVec<PartId, EvaluatedPart>,
    memory: &'c Remembered,
    words: &'c WordTable,
}

impl<'c> CodeSource for KnownCode<'c> {
    type UnitBody = &'c Body;
    type OwnWords<'w>
        = &'c WordTable
    where
        Self: 'w;

    fn body(&mut self, unit: UnitId) -> Option<&'c Body> {
        self.units[unit].body.as_deref()
    }

    fn width(&self, unit: UnitId) -> usize {
        self.units[unit].width as usize
    }

    fn words(&mut self) -> &'c WordTable {
        self.words
    }

    fn add_value(
        &mut self,
        part: PartId,
        registers: &[ValueWord],
        results: &mut Vec<ValueWord>,
    ) -> Option<()> {
        let key = self.parts[part].free.iter();
        let range = self
            .memory
            .find(part, key.map(|&register| registers[register as usize]))?;
        results.extend_from_slice(self.memory.words(range));
        Some(())
    }
}
