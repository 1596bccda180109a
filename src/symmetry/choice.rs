//! Which algorithm applies, and why the others do not.

use crate::diag::Result;
use crate::machine::Machine;

use super::group::Group;
use super::representative::Method;

/// The algorithms of the paper.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Algorithm {
    /// Plain search.
    Check,
    /// sortRep, and a universally symmetric specification.
    SymCheck1,
    /// genRep, and a universally symmetric specification.
    SymCheck2,
    /// genRep, and a specification that moves along.
    SymCheck3,
}

/// What was chosen.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// How it finds representatives; nothing for [`Algorithm::Check`].
    pub method: Option<Method>,
    /// The algorithms that do not apply, or were not wanted, each with the reason in one line.
    pub refused: Vec<(Algorithm, String)>,
}

/// The algorithm for `group`: `wanted`, or the cheapest that applies. Fails with `algorithm-inapplicable` if the
/// wanted one does not apply.
pub fn choose(machine: &Machine, group: &Group, wanted: Option<Algorithm>) -> Result<Choice> {
    let _ = (machine, group, wanted);
    Ok(Choice{algorithm: Algorithm::Check, method: None, refused: vec![]})
}
