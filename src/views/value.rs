//! Values in which identities are in sight, or not.

use std::cell::RefCell;
use std::rc::Rc;

use crate::syntax::ast::{DeclarationId, ExprId};
use crate::types::builtin::Builtin;

/// An identity: one of the index set whose size is the parameter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Id {
    /// One in sight, by number.
    Seen(u8),
    /// One out of sight. Two of them may be the same identity, or not.
    Other,
    /// Each one out of sight: only in the members of sets and in what a process offers.
    Every,
}

/// What a set has of the identities out of sight.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Rest {
    /// None of them.
    None,
    /// Nobody knows which, none and all included.
    Some,
    /// All of them. There is at least one.
    All,
}

/// A set of identities.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct IdSet {
    /// One bit for each identity in sight.
    pub(super) seen: u32,
    /// Those out of sight.
    pub(super) rest: Rest,
}

/// A value of the script, fully evaluated.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Value {
    Int(i64),
    Bool(bool),
    Char(char),
    Id(Id),
    /// A channel or constructor: its declaration, and which of the names there it is.
    Head(DeclarationId, u32),
    /// A head with fields, or a list of fields; two parts or more, none a list itself.
    Dot(Rc<[Value]>),
    Tuple(Rc<[Value]>),
    Sequence(Rc<[Value]>),
    Set(Rc<SetValue>),
    /// A function of the top level, with the groups of arguments given so far.
    Function(DeclarationId, Rc<[Rc<[Value]>]>),
    Builtin(Builtin),
    /// A process that is an argument.
    Process(Local),
}

/// A set.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum SetValue {
    /// Identities and other members, ascending.
    Listed(IdSet, Rc<[Value]>),
    /// All events that begin with one of these.
    Productions(Rc<[Value]>),
    /// `Events`
    Events,
    Union(Rc<SetValue>, Rc<SetValue>),
    Inter(Rc<SetValue>, Rc<SetValue>),
    Diff(Rc<SetValue>, Rc<SetValue>),
}

/// A state of a sequential process: code of the script with the values on which it depends.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Local {
    pub(super) code: LocalCode,
    pub(super) values: Rc<[Value]>,
}

/// The code of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum LocalCode {
    /// A definition: the values are its free variables, then its arguments.
    Definition(DeclarationId),
    /// What follows a prefix: the values are its free variables.
    Continuation(ExprId),
    /// A built-in process with its argument.
    Builtin(Builtin),
}

/// One frame of variables and those around it, as `types::resolved` says.
pub(super) struct Frame {
    pub(super) slots: RefCell<Vec<Slot>>,
    pub(super) parent: Option<Rc<Frame>>,
}

/// What a slot of a frame holds.
#[derive(Clone, Debug)]
pub(super) enum Slot {
    /// Nothing that code in sight of the frame uses.
    Empty,
    Value(Value),
    /// A function or constant, evaluated where it is used.
    Definition(DeclarationId),
    /// A constant of the top level that is being evaluated.
    Running,
}

impl Frame {
    pub(super) fn new(slots: Vec<Slot>, parent: Option<&Rc<Frame>>) -> Rc<Self> {
        Rc::new(Self {
            slots: RefCell::new(slots),
            parent: parent.cloned(),
        })
    }

    /// The frame `up` steps outwards, if there is one.
    pub(super) fn ancestor(self: &Rc<Self>, up: u32) -> Option<Rc<Frame>> {
        let mut frame = Rc::clone(self);
        for _ in 0..up {
            frame = Rc::clone(frame.parent.as_ref()?);
        }
        Some(frame)
    }
}

impl IdSet {
    pub(super) const EMPTY: Self = Self {
        seen: 0,
        rest: Rest::None,
    };

    /// The set of this identity alone.
    pub(super) fn only(id: Id) -> Self {
        match id {
            Id::Seen(number) => Self {
                seen: 1 << number,
                rest: Rest::None,
            },
            Id::Other => Self {
                seen: 0,
                rest: Rest::Some,
            },
            Id::Every => Self {
                seen: 0,
                rest: Rest::All,
            },
        }
    }

    pub(super) fn union(self, other: Self) -> Self {
        Self {
            seen: self.seen | other.seen,
            rest: self.rest.max(other.rest),
        }
    }

    pub(super) fn inter(self, other: Self) -> Self {
        Self {
            seen: self.seen & other.seen,
            rest: self.rest.min(other.rest),
        }
    }

    pub(super) fn diff(self, other: Self) -> Self {
        let rest = match (self.rest, other.rest) {
            (Rest::None, _) | (_, Rest::All) => Rest::None,
            (rest, Rest::None) => rest,
            _ => Rest::Some,
        };
        Self {
            seen: self.seen & !other.seen,
            rest,
        }
    }

    /// Whether it is empty; `None` if nobody knows.
    pub(super) fn is_empty(self) -> Option<bool> {
        match (self.seen, self.rest) {
            (0, Rest::None) => Some(true),
            (0, Rest::Some) => None,
            _ => Some(false),
        }
    }

    /// Whether `id` is in it; `None` if nobody knows.
    pub(super) fn contains(self, id: Id) -> Option<bool> {
        match id {
            Id::Seen(number) => Some(self.seen & (1 << number) != 0),
            Id::Other | Id::Every => match self.rest {
                Rest::None => Some(false),
                Rest::Some => None,
                Rest::All => Some(true),
            },
        }
    }

    /// Whether the two are equal; `None` if nobody knows.
    pub(super) fn equals(self, other: Self) -> Option<bool> {
        match (self.seen == other.seen, self.rest, other.rest) {
            (false, ..) => Some(false),
            (true, Rest::Some, _) | (true, _, Rest::Some) => None,
            (true, a, b) => Some(a == b),
        }
    }

    /// The members in sight, ascending.
    pub(super) fn seen(self) -> impl Iterator<Item = Id> {
        let seen = self.seen;
        (0..32).filter(move |n| seen & (1 << n) != 0).map(Id::Seen)
    }
}

impl Value {
    /// The value of this truth.
    pub(super) fn set(ids: IdSet, mut items: Vec<Value>) -> Self {
        items.sort();
        items.dedup();
        Value::Set(Rc::new(SetValue::Listed(ids, items.into())))
    }
}

/// What happens to identities and to sets of them.
pub(super) trait IdMap {
    fn id(&self, id: Id) -> Id;
    fn set(&self, set: IdSet) -> IdSet;
}

/// Renames identities in sight.
pub(super) struct Renaming<'a>(pub(super) &'a [u8]);

impl IdMap for Renaming<'_> {
    fn id(&self, id: Id) -> Id {
        match id {
            Id::Seen(number) => Id::Seen(self.0[usize::from(number)]),
            other => other,
        }
    }

    fn set(&self, set: IdSet) -> IdSet {
        let seen = (0..self.0.len()).filter(|n| set.seen & (1 << n) != 0);
        IdSet {
            seen: seen.map(|n| 1 << self.0[n]).sum(),
            rest: set.rest,
        }
    }
}

/// Leaves only the identities of a mask in sight; all are numbered below `count` before.
pub(super) struct Restriction {
    pub(super) kept: u32,
    pub(super) count: u8,
}

impl IdMap for Restriction {
    fn id(&self, id: Id) -> Id {
        match id {
            Id::Seen(number) if self.kept & (1 << number) == 0 => Id::Other,
            id => id,
        }
    }

    /// Of those out of sight it is known that all or none are members only if the set is known to
    /// have all or no identities. More could be kept; then there would be many more views.
    fn set(&self, set: IdSet) -> IdSet {
        let all = (1 << self.count) - 1;
        let rest = match (set.rest, set.seen) {
            (Rest::None, 0) => Rest::None,
            (Rest::All, seen) if seen == all => Rest::All,
            _ => Rest::Some,
        };
        IdSet {
            seen: set.seen & self.kept,
            rest,
        }
    }
}

impl Value {
    /// The value with its identities mapped.
    pub(super) fn mapped(&self, map: &dyn IdMap) -> Value {
        let all = |parts: &Rc<[Value]>| -> Rc<[Value]> {
            parts.iter().map(|part| part.mapped(map)).collect()
        };
        match self {
            Value::Id(id) => Value::Id(map.id(*id)),
            Value::Dot(parts) => Value::Dot(all(parts)),
            Value::Tuple(parts) => Value::Tuple(all(parts)),
            Value::Sequence(parts) => Value::Sequence(all(parts)),
            Value::Set(set) => Value::Set(Rc::new(set.mapped(map))),
            Value::Function(id, groups) => Value::Function(*id, groups.iter().map(all).collect()),
            Value::Process(local) => Value::Process(local.mapped(map)),
            plain => plain.clone(),
        }
    }

    /// Whether it holds a set of values in which identities are, other than a set of identities.
    pub(super) fn hides_ids(&self) -> bool {
        let any = |parts: &Rc<[Value]>| parts.iter().any(Value::hides_ids);
        match self {
            Value::Dot(parts) | Value::Tuple(parts) | Value::Sequence(parts) => any(parts),
            Value::Set(set) => set.hides_ids(),
            Value::Function(_, groups) => groups.iter().any(any),
            Value::Process(local) => any(&local.values),
            _ => false,
        }
    }

    /// Whether some part of it is an identity, or may hold one.
    pub(super) fn holds_ids(&self) -> bool {
        let any = |parts: &Rc<[Value]>| parts.iter().any(Value::holds_ids);
        match self {
            Value::Id(_) => true,
            Value::Dot(parts) | Value::Tuple(parts) | Value::Sequence(parts) => any(parts),
            Value::Set(set) => match &**set {
                SetValue::Listed(ids, items) => *ids != IdSet::EMPTY || any(items),
                _ => true,
            },
            Value::Function(_, groups) => groups.iter().any(any),
            Value::Process(local) => any(&local.values),
            _ => false,
        }
    }
}

impl SetValue {
    fn hides_ids(&self) -> bool {
        match self {
            SetValue::Listed(_, items) | SetValue::Productions(items) => {
                items.iter().any(Value::holds_ids)
            }
            SetValue::Events => false,
            SetValue::Union(a, b) | SetValue::Inter(a, b) | SetValue::Diff(a, b) => {
                a.hides_ids() || b.hides_ids()
            }
        }
    }

    fn mapped(&self, map: &dyn IdMap) -> SetValue {
        let pair =
            |a: &Rc<SetValue>, b: &Rc<SetValue>| (Rc::new(a.mapped(map)), Rc::new(b.mapped(map)));
        match self {
            SetValue::Listed(ids, items) => {
                let mut items: Vec<Value> = items.iter().map(|item| item.mapped(map)).collect();
                items.sort();
                items.dedup();
                SetValue::Listed(map.set(*ids), items.into())
            }
            SetValue::Productions(items) => {
                SetValue::Productions(items.iter().map(|item| item.mapped(map)).collect())
            }
            SetValue::Events => SetValue::Events,
            SetValue::Union(a, b) => {
                let (a, b) = pair(a, b);
                SetValue::Union(a, b)
            }
            SetValue::Inter(a, b) => {
                let (a, b) = pair(a, b);
                SetValue::Inter(a, b)
            }
            SetValue::Diff(a, b) => {
                let (a, b) = pair(a, b);
                SetValue::Diff(a, b)
            }
        }
    }
}

impl Local {
    pub(super) fn mapped(&self, map: &dyn IdMap) -> Local {
        Local {
            code: self.code,
            values: self.values.iter().map(|value| value.mapped(map)).collect(),
        }
    }
}

/// Takes each identity out of sight for some identity out of sight.
pub(super) struct EveryIsOther;

impl IdMap for EveryIsOther {
    fn id(&self, id: Id) -> Id {
        match id {
            Id::Every => Id::Other,
            id => id,
        }
    }

    fn set(&self, set: IdSet) -> IdSet {
        set
    }
}
