//! temp
use super::graph::*;
use crate::process::event::EventId;
/// temp
pub struct NormalForm { lts: Lts }
impl NormalForm {
    /// temp
    pub fn of(lts: &Lts) -> Self { Self { lts: lts.clone() } }
    /// temp
    pub fn state_count(&self) -> usize { self.lts.state_count() }
    /// temp
    pub fn successor(&self, s: StateId, e: EventId) -> Option<StateId> { self.lts.row(s).iter().find(|t| t.0 == e).map(|t| t.1) }
}
