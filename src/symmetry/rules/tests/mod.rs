//! Tests of the rules on terms made here; `tests/semantics/proofs/` has tests on scripts.

mod many;
mod random;
pub(crate) mod terms;

use super::Prover;
use crate::start::Start;
use lts::explore::LeafLimits;
use machine::CompileOptions;

pub(crate) const OPTIONS: CompileOptions = CompileOptions::new(LeafLimits::all(3000));
