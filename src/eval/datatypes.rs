//! The table of datatypes.

use std::rc::Rc;

use super::value::{DatatypeId, HeadId, Value};
use base::index::IndexVec;

/// The datatypes of a script and of the instances of its modules.
#[derive(Default, Debug)]
pub(super) struct Datatypes(pub(super) IndexVec<DatatypeId, Datatype>);

/// One datatype.
#[derive(Debug)]
pub(super) struct Datatype {
    pub(super) name: String,
    pub(super) constructors: Vec<HeadId>,
    /// All values of the datatype, found when first needed.
    pub(super) members: Option<Rc<[Value]>>,
    /// True if there are finitely many values; found when first needed.
    pub(super) finite: Option<bool>,
}
