//! The things that the script and the instances of its modules declare: channels, datatypes,
//! instances.

use std::rc::Rc;

use super::atoms::table::Atoms;
use super::environment::Frame;
use super::script::ResolvedScript;
use super::set::Set;
use super::value::{DatatypeId, HeadId, Value};
use base::index::IndexVec;
use syntax::ast::ExprId;

/// All declared things so far. Each instance of a module has its own.
pub(super) struct ScriptDeclarations {
    /// The frame of the script's top level.
    top: Rc<Frame>,
    pub(super) heads: IndexVec<HeadId, Head>,
    pub(super) datatypes: IndexVec<DatatypeId, Datatype>,
    /// Declared instances: frame, slot, and the prefix of their names.
    instances: Vec<(Rc<Frame>, u32, String)>,
    /// The number of instances that were made.
    made: u32,
    /// The values that are only compared.
    pub(super) atoms: Atoms,
}

/// One channel or constructor.
#[derive(Debug)]
pub(super) struct Head {
    /// The name as the user writes it, `I::c`.
    pub(super) name: String,
    pub(super) kind: HeadKind,
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

impl ScriptDeclarations {
    /// The declarations at the top level of `script`.
    pub(super) fn of_script(script: &ResolvedScript) -> Self {
        let top = Frame::new(script.resolved.script_frame, None);
        let mut declared = Self {
            top: Rc::clone(&top),
            heads: IndexVec::default(),
            datatypes: IndexVec::default(),
            instances: Vec::new(),
            made: 0,
            atoms: Atoms::default(),
        };
        declared.declare(script, &script.ast.script, &top, "");
        declared
    }

    /// The frame of the script's top level.
    pub(super) fn top(&self) -> &Rc<Frame> {
        &self.top
    }

    /// Adds a channel or constructor, with the type expression of its fields.
    pub(super) fn add_head(
        &mut self,
        name: String,
        kind: HeadKind,
        declared: Option<ExprId>,
        environment: &Rc<Frame>,
    ) -> HeadId {
        let fields = match declared {
            Some(_) => FieldSets::Unknown,
            None => FieldSets::Known(Rc::new([])),
        };
        self.heads.push(Head {
            name,
            kind,
            declared,
            environment: Rc::clone(environment),
            fields,
        })
    }

    /// All channels.
    pub(super) fn channels(&self) -> Vec<HeadId> {
        let heads = self.heads.indices();
        heads
            .filter(|&head| self.heads[head].kind == HeadKind::Channel)
            .collect()
    }

    /// The channel or constructor that a value begins with; `None` for other values.
    pub(super) fn head_of(&self, value: &Value) -> Option<HeadId> {
        match value {
            Value::Head(head) => Some(*head),
            Value::Dot(parts) => self.leading_head(parts),
            _ => None,
        }
    }

    /// The channel or constructor that has the later parts as fields. One without fields that
    /// starts a dotted list is a part like the others.
    pub(super) fn leading_head(&self, parts: &[Value]) -> Option<HeadId> {
        match parts[0] {
            Value::Head(head) if self.heads[head].declared.is_some() => Some(head),
            _ => None,
        }
    }

    /// The parts of a dotted list; `None` for other values.
    pub(super) fn bare_parts<'v>(&self, value: &'v Value) -> Option<&'v [Value]> {
        match value {
            Value::Dot(parts) if self.leading_head(parts).is_none() => Some(parts),
            _ => None,
        }
    }

    /// The datatype of which `value` is a constant.
    pub(super) fn constant_of(&self, value: &Value) -> Option<DatatypeId> {
        let Value::Head(head) = value else {
            return None;
        };
        let head = &self.heads[*head];
        match head.kind {
            HeadKind::Constructor(datatype) if head.declared.is_none() => Some(datatype),
            _ => None,
        }
    }

    /// Notes that `slot` of `frame` declares an instance, with the prefix of its name.
    pub(super) fn add_instance(&mut self, frame: &Rc<Frame>, slot: u32, prefix: &str) {
        let instance = (Rc::clone(frame), slot, prefix.to_string());
        self.instances.push(instance);
    }

    /// The frame and the slot of the declared instance with this number.
    pub(super) fn instance(&self, number: usize) -> Option<(Rc<Frame>, u32)> {
        let (frame, slot, _) = self.instances.get(number)?;
        Some((Rc::clone(frame), *slot))
    }

    /// The prefix of the name of the instance in `slot` of `frame`.
    pub(super) fn instance_prefix(&self, frame: &Rc<Frame>, slot: u32) -> String {
        let mut instances = self.instances.iter();
        let declared = instances.find(|(f, s, _)| Rc::ptr_eq(f, frame) && *s == slot);
        declared
            .map(|(_, _, prefix)| prefix.clone())
            .unwrap_or_default()
    }

    /// The number of a new instance.
    pub(super) fn number_instance(&mut self) -> u32 {
        self.made += 1;
        self.made - 1
    }
}
