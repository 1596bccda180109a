//! Names of symmetries that nobody named: cycles over the script's own names.

use crate::diag::Result;
use crate::eval::Evaluator;
use crate::machine::Machine;
use crate::process::event::EventId;

use super::pbisim::Symmetry;

pub(super) fn name_of(
    _evaluator: &mut Evaluator<'_>,
    _machine: &Machine,
    _events: &[EventId],
    _symmetry: &Symmetry,
) -> Result<String> {
    Ok("graph".to_string())
}
