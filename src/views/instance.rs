//! Compares a local state with a state of an instance, value by value (`PROOFS.md`, section 1).

use super::value::{Id, IdSet, Local, LocalCode, OutOfSight, PartialValue, SetValue};
use eval::{PlainCall, PlainCode, PlainMember, PlainValue};
use syntax::ast::{Ast, Declaration};

/// An instance with some of its identities in sight.
#[derive(Clone, Copy)]
pub(super) struct InSight<'i> {
    pub(super) ast: &'i Ast,
    /// All identities of the instance.
    pub(super) all: &'i [PlainValue],
    /// The identities in sight, in their order: positions in `all`.
    pub(super) seen: &'i [usize],
}

impl InSight<'_> {
    /// True if `local` covers the state of `call`.
    pub(super) fn covers(self, local: &Local, call: &PlainCall) -> bool {
        let is_same_code = match (local.code, call.code) {
            (LocalCode::Definition(a), PlainCode::Definition(b)) => a == b,
            (LocalCode::Continuation(a), PlainCode::Expression(b)) => a == b,
            _ => false,
        };
        is_same_code && self.all_cover(&local.values, &call.values)
    }

    /// True if the followed member of `local` is `member`.
    pub(super) fn covers_member(self, local: &Local, member: &PlainMember) -> bool {
        matches!(local.code, LocalCode::Member(_)) && self.all_cover(&local.values, &member.values)
    }

    fn all_cover(self, partial: &[PartialValue], plain: &[PlainValue]) -> bool {
        partial.len() == plain.len()
            && partial
                .iter()
                .zip(plain)
                .all(|(partial, plain)| self.value_covers(partial, plain))
    }

    fn value_covers(self, partial: &PartialValue, plain: &PlainValue) -> bool {
        match (partial, plain) {
            (PartialValue::Id(id), plain) => match (id, self.identity(plain)) {
                (Id::Seen(number), Some(place)) => self.seen[usize::from(*number)] == place,
                (Id::Other, Some(place)) => !self.seen.contains(&place),
                _ => false,
            },
            (PartialValue::Int(a), PlainValue::Int(b)) => a == b,
            (PartialValue::Bool(a), PlainValue::Bool(b)) => a == b,
            (PartialValue::Char(a), PlainValue::Char(b)) => a == b,
            (PartialValue::Head(id, number), PlainValue::Head(name)) => {
                let declared = match self.ast.declaration(*id) {
                    Declaration::Channel(names, _) => names[*number as usize],
                    Declaration::Datatype(_, constructors) => constructors[*number as usize].name,
                    _ => return false,
                };
                self.ast.name(declared.symbol) == name
            }
            (PartialValue::Dot(a), PlainValue::Dot(b))
            | (PartialValue::Tuple(a), PlainValue::Tuple(b))
            | (PartialValue::Sequence(a), PlainValue::Sequence(b)) => self.all_cover(a, b),
            (PartialValue::Set(set), PlainValue::Set(members)) => match &**set {
                SetValue::Listed(ids, items) => self.set_covers(*ids, items, members),
                // These are sets of events, which do not change.
                _ => true,
            },
            // These are infinite sets of events, which do not change either.
            (PartialValue::Set(_), PlainValue::Opaque) => true,
            (PartialValue::Function(a, groups), PlainValue::Function(b, given)) => {
                a == b
                    && groups.len() == given.len()
                    && groups
                        .iter()
                        .zip(given)
                        .all(|(group, given)| self.all_cover(group, given))
            }
            (PartialValue::Builtin(a), PlainValue::Builtin(b, given)) => a == b && given.is_empty(),
            (PartialValue::Process(local), PlainValue::Process(call)) => match call {
                Some(call) => self.covers(local, call),
                // The arguments of built-in processes are sets of events.
                None => matches!(local.code, LocalCode::Builtin(_)),
            },
            _ => false,
        }
    }

    /// True if a set of the identities `ids` and other items covers the set of `members`.
    fn set_covers(self, ids: IdSet, items: &[PartialValue], members: &[PlainValue]) -> bool {
        let (listed, others): (Vec<&PlainValue>, Vec<&PlainValue>) = members
            .iter()
            .partition(|member| items.iter().any(|item| self.value_covers(item, member)));
        if listed.len() < items.len() {
            return false;
        }
        let places: Option<Vec<usize>> = others.iter().map(|other| self.identity(other)).collect();
        let Some(places) = places else {
            return false;
        };
        let is_seen = |place: &&usize| self.seen.contains(place);
        let outside = places.iter().filter(|place| !is_seen(place)).count();
        let seen = (0u32..)
            .zip(self.seen)
            .filter(|(_, place)| places.contains(place));
        ids.seen == seen.map(|(number, _)| 1u32 << number).sum::<u32>()
            && match ids.rest {
                OutOfSight::None => outside == 0,
                OutOfSight::Some => true,
                OutOfSight::All => outside == self.all.len() - self.seen.len(),
            }
    }

    /// The position of an identity. A constructor with an identity as its only field is one too.
    fn identity(self, value: &PlainValue) -> Option<usize> {
        let value = match value {
            PlainValue::Dot(parts) => match &parts[..] {
                [PlainValue::Head(_), id] => id,
                _ => return None,
            },
            value => value,
        };
        self.all.iter().position(|id| id == value)
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::super::value::Local;
    use super::*;
    use syntax::ast::DeclarationId;
    use types::builtin::Builtin;

    const OTHER: PartialValue = PartialValue::Id(Id::Other);

    fn seen(number: u8) -> PartialValue {
        PartialValue::Id(Id::Seen(number))
    }

    fn function(name: u32, argument: PartialValue) -> PartialValue {
        PartialValue::Function(DeclarationId(name), Rc::new([Rc::new([argument])]))
    }

    fn applied(name: u32, argument: i64) -> PlainValue {
        PlainValue::Function(DeclarationId(name), vec![vec![PlainValue::Int(argument)]])
    }

    fn local(name: u32, value: PartialValue) -> Local {
        Local {
            code: LocalCode::Definition(DeclarationId(name)),
            values: Rc::new([value]),
        }
    }

    fn call(name: u32, value: PlainValue) -> PlainCall {
        PlainCall {
            code: PlainCode::Definition(DeclarationId(name)),
            values: vec![value],
        }
    }

    /// True if `partial` covers `plain` among the identities 0 to 3, of which 2 and 0 are in sight,
    /// in this order.
    fn covers(partial: &PartialValue, plain: &PlainValue) -> bool {
        let all: Vec<PlainValue> = (0..4).map(PlainValue::Int).collect();
        let in_sight = InSight {
            ast: &Ast::default(),
            all: &all,
            seen: &[2, 0],
        };
        in_sight.value_covers(partial, plain)
    }

    #[test]
    fn a_function_covers_what_its_arguments_cover() {
        assert!(covers(&function(7, seen(0)), &applied(7, 2)));
        assert!(covers(&function(7, seen(1)), &applied(7, 0)));
        assert!(covers(&function(7, OTHER), &applied(7, 3)));
        assert!(!covers(&function(7, seen(0)), &applied(7, 0)));
        assert!(!covers(&function(7, seen(0)), &applied(7, 3)));
        assert!(!covers(&function(7, OTHER), &applied(7, 2)));
        assert!(!covers(&function(7, seen(0)), &applied(8, 2)));
        // Functions with other arguments, or none.
        let none = PlainValue::Function(DeclarationId(7), Vec::new());
        assert!(!covers(&function(7, seen(0)), &none));
        let builtin = |given| PlainValue::Builtin(Builtin::Head, given);
        let head = PartialValue::Builtin(Builtin::Head);
        assert!(covers(&head, &builtin(Vec::new())));
        assert!(!covers(&head, &builtin(vec![PlainValue::Int(1)])));
    }

    #[test]
    fn a_process_covers_the_call_whose_values_it_covers() {
        let partial = PartialValue::Process(local(5, function(7, seen(0))));
        let plain = |argument| PlainValue::Process(Some(Box::new(call(5, applied(7, argument)))));
        assert!(covers(&partial, &plain(2)));
        assert!(!covers(&partial, &plain(3)));
        let another = PlainValue::Process(Some(Box::new(call(6, applied(7, 2)))));
        assert!(!covers(&partial, &another));
        assert!(!covers(&partial, &PlainValue::Process(None)));
        // A value that has no data is covered by none.
        assert!(!covers(&partial, &PlainValue::Opaque));
    }
}
