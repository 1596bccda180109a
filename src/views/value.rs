//! Values with identities in sight or out of sight.

use std::cell::RefCell;
use std::rc::Rc;

use base::order::ascending;
use eval::ResolvedScript;
use syntax::ast::{DeclarationId, ExprId};
use types::builtin::Builtin;
use types::resolved::Place;

/// An identity: one of the index set whose size is the parameter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Id {
    /// An identity in sight, by number.
    Seen(u8),
    /// An identity out of sight. Two of them may be the same identity, or not.
    Other,
    /// Each identity out of sight. It occurs only in members of sets and in offers.
    Every,
}

/// The members of a set among the identities out of sight.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum OutOfSight {
    /// None of them.
    None,
    /// Some of them: it is not known which, and may be none or all.
    Some,
    /// All of them. There is at least one.
    All,
}

/// A set of identities.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct IdSet {
    /// One bit for each identity in sight.
    pub(super) seen: u32,
    /// The members out of sight.
    pub(super) rest: OutOfSight,
}

/// A value of the script, fully evaluated.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum PartialValue {
    Int(i64),
    Bool(bool),
    Char(char),
    Id(Id),
    /// A channel or constructor: its declaration, and its position among the names declared there.
    Head(DeclarationId, u32),
    /// A head with fields, or a list of fields: two parts or more, none of them a list.
    Dot(Rc<[PartialValue]>),
    Tuple(Rc<[PartialValue]>),
    Sequence(Rc<[PartialValue]>),
    Set(Rc<SetValue>),
    /// A function of the top level, with the groups of arguments given so far.
    Function(DeclarationId, Rc<[Rc<[PartialValue]>]>),
    Builtin(Builtin),
    /// A process that is an argument.
    Process(Local),
}

/// A set.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum SetValue {
    /// Identities and other members, ascending.
    Listed(IdSet, Rc<[PartialValue]>),
    /// All events that begin with one of these values.
    Productions(Rc<[PartialValue]>),
    /// `Events`
    Events,
    /// The union, difference or intersection of two sets, if the members are not known.
    Joined(SetOperator, Rc<SetValue>, Rc<SetValue>),
}

/// An operator on two sets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum SetOperator {
    Union,
    Inter,
    Diff,
}

/// A state of a sequential process: code of the script with the values on which it depends.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Local {
    pub(super) code: LocalCode,
    pub(super) values: Rc<[PartialValue]>,
}

/// The code of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum LocalCode {
    /// A definition: the values are its free variables, then its arguments.
    Definition(DeclarationId),
    /// The continuation of a prefix: the values are its free variables.
    Continuation(ExprId),
    /// A built-in process with its argument.
    Builtin(Builtin),
    /// No code: the values are the neighbours of an identity in a ring, which never change. There
    /// are none without a ring.
    Neighbours,
    /// No code: the values of one member of this parallel composition, the specification.
    Member(ExprId),
}

impl LocalCode {
    /// The places of the variables on which the code depends, except arguments.
    pub(super) fn places(self, script: &ResolvedScript) -> &[Place] {
        let resolved = &script.resolved;
        let places = match self {
            LocalCode::Definition(id) => resolved.free_of_definition.get(&id),
            LocalCode::Continuation(body) => {
                let free = resolved.free.get(&body);
                free.or_else(|| resolved.free_of_argument.get(&body))
            }
            LocalCode::Builtin(_) | LocalCode::Neighbours | LocalCode::Member(_) => None,
        };
        places.map_or(&[], Vec::as_slice)
    }
}

/// A frame of variables and the frames around it, as in `types::resolved`.
pub(super) struct PartialFrame {
    pub(super) slots: RefCell<Vec<PartialSlot>>,
    pub(super) parent: Option<Frames>,
}

/// A frame with the frames around it, which inner frames share.
pub(super) type Frames = Rc<PartialFrame>;

/// The content of a slot of a frame.
#[derive(Clone, Debug)]
pub(super) enum PartialSlot {
    /// A value that no code in sight of the frame uses.
    Empty,
    Value(PartialValue),
    /// A function or constant, evaluated where it is used.
    Definition(DeclarationId),
    /// A constant of the top level that is being evaluated.
    Running,
}

impl PartialFrame {
    pub(super) fn new(slots: Vec<PartialSlot>, parent: Option<&Frames>) -> Rc<Self> {
        Rc::new(Self {
            slots: RefCell::new(slots),
            parent: parent.cloned(),
        })
    }

    /// The frame `up` steps outwards, if there is one.
    pub(super) fn ancestor(self: &Rc<Self>, up: u32) -> Option<Frames> {
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
        rest: OutOfSight::None,
    };

    /// The set of this identity alone.
    pub(super) fn only(id: Id) -> Self {
        match id {
            Id::Seen(number) => Self {
                seen: 1 << number,
                rest: OutOfSight::None,
            },
            Id::Other => Self {
                seen: 0,
                rest: OutOfSight::Some,
            },
            Id::Every => Self {
                seen: 0,
                rest: OutOfSight::All,
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
            (OutOfSight::None, _) | (_, OutOfSight::All) => OutOfSight::None,
            (rest, OutOfSight::None) => rest,
            _ => OutOfSight::Some,
        };
        Self {
            seen: self.seen & !other.seen,
            rest,
        }
    }

    /// True if the set is empty; `None` if that is not known.
    pub(super) fn is_empty(self) -> Option<bool> {
        match (self.seen, self.rest) {
            (0, OutOfSight::None) => Some(true),
            (0, OutOfSight::Some) => None,
            _ => Some(false),
        }
    }

    /// True if `id` is in the set; `None` if that is not known.
    pub(super) fn contains(self, id: Id) -> Option<bool> {
        match id {
            Id::Seen(number) => Some(self.seen & (1 << number) != 0),
            Id::Other | Id::Every => match self.rest {
                OutOfSight::None => Some(false),
                OutOfSight::Some => None,
                OutOfSight::All => Some(true),
            },
        }
    }

    /// True if the two sets are equal; `None` if that is not known.
    pub(super) fn equals(self, other: Self) -> Option<bool> {
        match (self.seen == other.seen, self.rest, other.rest) {
            (false, ..) => Some(false),
            (true, OutOfSight::Some, _) | (true, _, OutOfSight::Some) => None,
            (true, a, b) => Some(a == b),
        }
    }

    /// The members in sight, ascending.
    pub(super) fn seen(self) -> impl Iterator<Item = Id> {
        let seen = self.seen;
        (0..32).filter(move |n| seen & (1 << n) != 0).map(Id::Seen)
    }
}

impl PartialValue {
    /// The set of these identities and other members.
    pub(super) fn set(ids: IdSet, items: Vec<PartialValue>) -> Self {
        PartialValue::Set(Rc::new(SetValue::Listed(ids, ascending(items).into())))
    }
}

/// A map of identities and of sets of them. By default nothing changes.
pub(super) trait IdMap {
    fn id(&self, id: Id) -> Id {
        id
    }

    fn set(&self, set: IdSet) -> IdSet {
        set
    }
}

/// Renames identities in sight.
pub(super) struct IdRenaming<'a>(pub(super) &'a [u8]);

impl IdMap for IdRenaming<'_> {
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

/// Leaves only identities of a mask in sight; all those in sight are below `count`.
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

    /// The restricted set. It is known to have all or none of the identities out of sight only if
    /// it is known to have all or none of all identities. Keeping more would give many more views.
    fn set(&self, set: IdSet) -> IdSet {
        let all = (1 << self.count) - 1;
        let rest = match (set.rest, set.seen) {
            (OutOfSight::None, 0) => OutOfSight::None,
            (OutOfSight::All, seen) if seen == all => OutOfSight::All,
            _ => OutOfSight::Some,
        };
        IdSet {
            seen: set.seen & self.kept,
            rest,
        }
    }
}

impl PartialValue {
    /// The value with its identities mapped.
    pub(super) fn mapped(&self, map: &dyn IdMap) -> PartialValue {
        let all = |parts: &Rc<[PartialValue]>| -> Rc<[PartialValue]> {
            parts.iter().map(|part| part.mapped(map)).collect()
        };
        match self {
            PartialValue::Id(id) => PartialValue::Id(map.id(*id)),
            PartialValue::Dot(parts) => PartialValue::Dot(all(parts)),
            PartialValue::Tuple(parts) => PartialValue::Tuple(all(parts)),
            PartialValue::Sequence(parts) => PartialValue::Sequence(all(parts)),
            PartialValue::Set(set) => PartialValue::Set(Rc::new(set.mapped(map))),
            PartialValue::Function(id, groups) => {
                PartialValue::Function(*id, groups.iter().map(all).collect())
            }
            PartialValue::Process(local) => PartialValue::Process(local.mapped(map)),
            plain => plain.clone(),
        }
    }

    /// The value with these parts: one part alone, or several joined by dots.
    pub(super) fn dotted(mut parts: Vec<PartialValue>) -> PartialValue {
        match parts.len() {
            1 => parts.swap_remove(0),
            _ => PartialValue::Dot(parts.into()),
        }
    }

    /// The head that the value begins with, if there is one, and the number of parts that follow.
    pub(super) fn head(&self) -> Option<(DeclarationId, u32, usize)> {
        match self {
            PartialValue::Head(id, number) => Some((*id, *number, 0)),
            PartialValue::Dot(parts) => match parts[0] {
                PartialValue::Head(id, number) => Some((id, number, parts.len() - 1)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The parts of a value that consists of others in an order; none for any other value.
    pub(super) fn parts(&self) -> &[PartialValue] {
        match self {
            PartialValue::Dot(parts)
            | PartialValue::Tuple(parts)
            | PartialValue::Sequence(parts) => parts,
            _ => &[],
        }
    }

    /// The identities that the value names, in order and with repetitions. Sets name none.
    pub(super) fn named(&self) -> Vec<Id> {
        match self {
            PartialValue::Id(id) => vec![*id],
            value => value.parts().iter().flat_map(PartialValue::named).collect(),
        }
    }

    /// The number of times that it names an identity out of sight.
    pub(super) fn others(&self) -> usize {
        let named = self.named().into_iter();
        named.filter(|id| !matches!(id, Id::Seen(_))).count()
    }

    /// True if it holds a set of values with identities in them, other than a set of identities.
    pub(super) fn hides_ids(&self) -> bool {
        let any = |parts: &[PartialValue]| parts.iter().any(PartialValue::hides_ids);
        match self {
            PartialValue::Set(set) => set.hides_ids(),
            PartialValue::Function(_, groups) => groups.iter().any(|group| any(group)),
            PartialValue::Process(local) => any(&local.values),
            value => any(value.parts()),
        }
    }

    /// True if some part of it is a set with identities in it.
    pub(super) fn holds_sets_of_ids(&self) -> bool {
        match self {
            PartialValue::Set(_) => self.holds_ids(),
            value => value.parts().iter().any(PartialValue::holds_sets_of_ids),
        }
    }

    /// True if some part of it is an identity, or may hold one.
    pub(super) fn holds_ids(&self) -> bool {
        let any = |parts: &[PartialValue]| parts.iter().any(PartialValue::holds_ids);
        match self {
            PartialValue::Id(_) => true,
            PartialValue::Set(set) => match &**set {
                SetValue::Listed(ids, items) => *ids != IdSet::EMPTY || any(items),
                _ => true,
            },
            PartialValue::Function(_, groups) => groups.iter().any(|group| any(group)),
            PartialValue::Process(local) => any(&local.values),
            value => any(value.parts()),
        }
    }
}

impl SetValue {
    /// True if it is a set of values with identities in them, other than a set of identities.
    pub(super) fn hides_ids(&self) -> bool {
        match self {
            SetValue::Listed(_, items) | SetValue::Productions(items) => {
                items.iter().any(PartialValue::holds_ids)
            }
            SetValue::Events => false,
            SetValue::Joined(_, a, b) => a.hides_ids() || b.hides_ids(),
        }
    }

    fn mapped(&self, map: &dyn IdMap) -> SetValue {
        let set = |set: &SetValue| Rc::new(set.mapped(map));
        match self {
            SetValue::Listed(ids, items) => {
                let items = ascending(items.iter().map(|item| item.mapped(map)));
                SetValue::Listed(map.set(*ids), items.into())
            }
            SetValue::Productions(items) => {
                SetValue::Productions(items.iter().map(|item| item.mapped(map)).collect())
            }
            SetValue::Events => SetValue::Events,
            SetValue::Joined(operator, a, b) => SetValue::Joined(*operator, set(a), set(b)),
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

    /// The list of values, with `value` at `place`.
    pub(super) fn with(&self, place: usize, value: PartialValue) -> Rc<[PartialValue]> {
        let mut values = self.values.to_vec();
        values[place] = value;
        values.into()
    }
}

/// Turns [`Id::Every`] into [`Id::Other`]: some identity out of sight.
pub(super) struct EveryIsOther;

impl IdMap for EveryIsOther {
    fn id(&self, id: Id) -> Id {
        match id {
            Id::Every => Id::Other,
            id => id,
        }
    }
}

/// Forgets which identities out of sight are members of sets.
pub(super) struct Loose;

impl IdMap for Loose {
    fn set(&self, set: IdSet) -> IdSet {
        IdSet {
            seen: set.seen,
            rest: OutOfSight::Some,
        }
    }
}
