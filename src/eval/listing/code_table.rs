//! All units and parts that were met, with the results that are kept from one process to the next.

use rustc_hash::{FxHashMap, FxHashSet};

use super::code::{EvaluatedPart, PartId, Unit, UnitId};
use super::memory::Remembered;
use super::word::ValueWords;
use crate::call_table::CalledCode;
use base::index::IndexVec;
use syntax::ast::DeclarationId;

/// The code of a script, as far as it was needed.
#[derive(Default)]
pub(crate) struct CodeTable {
    pub(super) units: IndexVec<UnitId, Unit>,
    numbers: FxHashMap<CalledCode, UnitId>,
    pub(super) parts: IndexVec<PartId, EvaluatedPart>,
    /// The values of parts.
    pub(super) memory: Remembered,
    /// The values of registers.
    pub(super) words: ValueWords,
    /// Units that have no code.
    pub(super) hopeless: FxHashSet<UnitId>,
    /// The known answers of `is_complete_loop`.
    pub(super) loops: FxHashMap<UnitId, bool>,
    /// The definitions of the script's top level, once they were asked for.
    pub(super) top_level: Option<FxHashSet<DeclarationId>>,
    /// The number of times that a part was evaluated.
    pub(super) evaluated: usize,
}

impl CodeTable {
    /// The unit of `callee`, made by `make` if it is new.
    pub(super) fn unit(&mut self, callee: CalledCode, make: impl FnOnce() -> Unit) -> UnitId {
        let units = &mut self.units;
        *self
            .numbers
            .entry(callee)
            .or_insert_with(|| units.push(make()))
    }

    /// Adds a part.
    pub(super) fn part(&mut self, part: EvaluatedPart) -> PartId {
        self.parts.push(part)
    }
}
