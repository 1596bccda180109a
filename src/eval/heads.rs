//! The table of channels and constructors.

use std::rc::Rc;

use super::environment::Frame;
use super::set::Set;
use super::value::{DatatypeId, HeadId};
use base::index::IndexVec;
use syntax::ast::ExprId;

/// All channels and constructors, those of every instance of a module apart.
#[derive(Default, Debug)]
pub(super) struct Heads {
    pub(super) heads: IndexVec<HeadId, Head>,
}

/// One channel or constructor.
#[derive(Debug)]
pub(super) struct Head {
    /// As the user writes it, `I::c`.
    pub(super) name: String,
    kind: HeadKind,
    pub(super) declared: Option<ExprId>,
    pub(super) environment: Rc<Frame>,
    pub(super) fields: FieldSets,
}

/// Whether it is a channel, or of which datatype it is a constructor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum HeadKind {
    Channel,
    Constructor(DatatypeId),
}

/// What is known of its fields.
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

    /// Whether it has no field, whatever its environment.
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
