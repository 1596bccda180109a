//! The table of channels and constructors.

use std::rc::Rc;

use super::environment::Frame;
use super::set::Set;
use super::value::{DatatypeId, HeadId};
use base::index::IndexVec;
use syntax::ast::ExprId;

/// All channels and constructors. Each instance of a module has its own.
#[derive(Default, Debug)]
pub(super) struct Heads {
    pub(super) heads: IndexVec<HeadId, Head>,
}

/// One channel or constructor.
#[derive(Debug)]
pub(super) struct Head {
    /// The name as the user writes it, `I::c`.
    pub(super) name: String,
    kind: HeadKind,
    pub(super) declared: Option<ExprId>,
    pub(super) environment: Rc<Frame>,
    pub(super) fields: FieldSets,
}

/// The kind of a head: a channel, or a constructor of a datatype.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum HeadKind {
    Channel,
    Constructor(DatatypeId),
}

/// The knowledge about the fields of a head.
#[derive(Clone, Debug)]
pub(super) enum FieldSets {
    Unknown,
    Running,
    Known(Rc<[Set]>),
}

impl Heads {
    pub(super) fn add(
        &mut self,
        name: String,
        kind: HeadKind,
        declared: Option<ExprId>,
        environment: &Rc<Frame>,
    ) -> HeadId {
        let fields = if declared.is_some() {
            FieldSets::Unknown
        } else {
            FieldSets::Known(Rc::new([]))
        };
        self.heads.push(Head {
            name,
            kind,
            declared,
            environment: Rc::clone(environment),
            fields,
        })
    }

    pub(super) fn name(&self, head: HeadId) -> &str {
        &self.heads[head].name
    }

    pub(super) fn kind(&self, head: HeadId) -> HeadKind {
        self.heads[head].kind
    }

    /// True if it has no field, whatever its environment is.
    pub(super) fn is_constant(&self, head: HeadId) -> bool {
        self.heads[head].declared.is_none()
    }

    pub(super) fn channels(&self) -> Vec<HeadId> {
        self.heads
            .indices()
            .filter(|&head| self.kind(head) == HeadKind::Channel)
            .collect()
    }
}
