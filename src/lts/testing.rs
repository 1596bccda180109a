//! For tests: small systems.

use process::event::EventId;

use crate::graph::{Lts, StateId};

/// The system with these transitions of each state.
pub fn lts(rows: &[&[(EventId, u32)]]) -> Lts {
    let row = |row: &&[(EventId, u32)]| row.iter().map(|&(e, s)| (e, StateId(s))).collect();
    Lts::from_rows(rows.iter().map(row).collect())
}
