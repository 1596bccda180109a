//! Merges the knowledge of two views about one state.

use std::rc::Rc;

use super::value::{Id, IdSet, Local, OutOfSight, PartialValue, SetValue};

/// The identities in sight of each of the two views, as masks.
#[derive(Clone, Copy)]
pub(super) struct Sights {
    pub(super) left: u32,
    pub(super) right: u32,
}

impl Sights {
    /// The state that looks like `left` and like `right`. Returns `None` if there is none.
    pub(super) fn local(self, left: &Local, right: &Local) -> Option<Local> {
        if left.code != right.code {
            return None;
        }
        Some(Local {
            code: left.code,
            values: self.all(&left.values, &right.values)?,
        })
    }

    fn all(self, left: &[PartialValue], right: &[PartialValue]) -> Option<Rc<[PartialValue]>> {
        if left.len() != right.len() {
            return None;
        }
        let pairs = left.iter().zip(right);
        pairs.map(|(a, b)| self.value(a, b)).collect()
    }

    fn value(self, left: &PartialValue, right: &PartialValue) -> Option<PartialValue> {
        Some(match (left, right) {
            (PartialValue::Id(a), PartialValue::Id(b)) => PartialValue::Id(self.id(*a, *b)?),
            (PartialValue::Dot(a), PartialValue::Dot(b)) => PartialValue::Dot(self.all(a, b)?),
            (PartialValue::Tuple(a), PartialValue::Tuple(b)) => {
                PartialValue::Tuple(self.all(a, b)?)
            }
            (PartialValue::Sequence(a), PartialValue::Sequence(b)) => {
                PartialValue::Sequence(self.all(a, b)?)
            }
            (PartialValue::Process(a), PartialValue::Process(b)) => {
                PartialValue::Process(self.local(a, b)?)
            }
            (PartialValue::Function(f, a), PartialValue::Function(g, b))
                if f == g && a.len() == b.len() =>
            {
                let groups = a.iter().zip(b.iter()).map(|(a, b)| self.all(a, b));
                PartialValue::Function(*f, groups.collect::<Option<_>>()?)
            }
            (PartialValue::Set(a), PartialValue::Set(b)) => match (&**a, &**b) {
                // States remember no sets of values that hold identities.
                (SetValue::Listed(x, items), SetValue::Listed(y, others)) if items == others => {
                    let set = SetValue::Listed(self.set(*x, *y)?, Rc::clone(items));
                    PartialValue::Set(Rc::new(set))
                }
                _ if a == b => left.clone(),
                _ => return None,
            },
            _ if left == right => left.clone(),
            _ => return None,
        })
    }

    fn id(self, left: Id, right: Id) -> Option<Id> {
        match (left, right) {
            (Id::Seen(a), Id::Seen(b)) => (a == b).then_some(left),
            // An identity in sight of one view may be out of sight of the other.
            (Id::Seen(a), Id::Other) => (self.right & (1 << a) == 0).then_some(left),
            (Id::Other, Id::Seen(b)) => (self.left & (1 << b) == 0).then_some(right),
            (Id::Other, Id::Other) => Some(Id::Other),
            _ => (left == right).then_some(left),
        }
    }

    fn set(self, left: IdSet, right: IdSet) -> Option<IdSet> {
        let both = self.left & self.right;
        let agree = left.seen & both == right.seen & both
            && is_possible(left.rest, right.seen & !self.left, self.right & !self.left)
            && is_possible(right.rest, left.seen & !self.right, self.left & !self.right);
        let rest = match (left.rest, right.rest) {
            (OutOfSight::Some, rest) | (rest, OutOfSight::Some) => rest,
            (a, b) if a == b => a,
            _ => return None,
        };
        agree.then_some(IdSet {
            seen: left.seen | right.seen,
            rest,
        })
    }
}

/// True if a view that knows `rest` about the identities out of its sight can belong to a state in
/// which `members` of these, as a mask, are in the set. `further` is the mask of the identities
/// that the state has in sight and the view has not.
fn is_possible(rest: OutOfSight, members: u32, further: u32) -> bool {
    match rest {
        OutOfSight::None => members == 0,
        OutOfSight::Some => true,
        OutOfSight::All => members == further,
    }
}
