//! What a piece of a script may do to a value: whether it only compares it for equality, so that
//! the value may be renamed. Roles are found by unification, as types are.

/// A role that is being found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ValueRole(usize);

/// Roles, equal ones linked.
#[derive(Default)]
pub(super) struct ValueRoles(Vec<Known>);

/// What is known of a role.
#[derive(Clone, Debug)]
enum Known {
    /// The same as another.
    Is(ValueRole),
    /// Nothing was asked of such values but whether they are equal.
    Nothing,
    /// Such values must stay as they are.
    Fixed,
    Set(ValueRole),
    Sequence(ValueRole),
    Tuple(Vec<ValueRole>),
}

/// A role when all is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// The value stays as it is.
    Fixed,
    /// A value of this class, all of which are renamed by one bijection.
    Renamed(usize),
    /// A set whose members are of this shape.
    Set(Box<Shape>),
    /// A sequence.
    Sequence(Box<Shape>),
    /// A tuple.
    Tuple(Vec<Shape>),
}

/// The same role cannot be made of values as different as a set and a tuple, or of itself.
#[derive(Debug)]
pub(super) struct Clash;

/// Roles are not nested deeper: one that holds itself would be.
const MOST_NESTED: usize = 32;

impl ValueRoles {
    /// Nothing known.
    pub(super) fn any(&mut self) -> ValueRole {
        self.add(Known::Nothing)
    }

    /// Values that stay.
    pub(super) fn fixed(&mut self) -> ValueRole {
        self.add(Known::Fixed)
    }

    pub(super) fn set(&mut self, member: ValueRole) -> ValueRole {
        self.add(Known::Set(member))
    }

    pub(super) fn sequence(&mut self, item: ValueRole) -> ValueRole {
        self.add(Known::Sequence(item))
    }

    pub(super) fn tuple(&mut self, parts: Vec<ValueRole>) -> ValueRole {
        self.add(Known::Tuple(parts))
    }

    /// Makes the two one.
    pub(super) fn unify(&mut self, a: ValueRole, b: ValueRole) -> Result<(), Clash> {
        self.unify_at(a, b, 0)
    }

    /// Such values must stay as they are.
    pub(super) fn fix(&mut self, role: ValueRole) -> Result<(), Clash> {
        let fixed = self.fixed();
        self.unify(role, fixed)
    }

    /// What `role` has become.
    pub(super) fn shape(&self, role: ValueRole) -> Result<Shape, Clash> {
        self.shape_at(role, 0)
    }

    fn add(&mut self, known: Known) -> ValueRole {
        self.0.push(known);
        ValueRole(self.0.len() - 1)
    }

    fn find(&self, role: ValueRole) -> ValueRole {
        let mut role = role;
        while let Known::Is(other) = self.0[role.0] {
            role = other;
        }
        role
    }

    /// [`ValueRoles::find`], after which the way from `role` to the result is shorter.
    fn find_shortening(&mut self, role: ValueRole) -> ValueRole {
        let root = self.find(role);
        let mut role = role;
        while let Known::Is(other) = self.0[role.0] {
            self.0[role.0] = Known::Is(root);
            role = other;
            if role == root {
                break;
            }
        }
        root
    }

    fn unify_at(&mut self, a: ValueRole, b: ValueRole, nested: usize) -> Result<(), Clash> {
        let (a, b) = (self.find_shortening(a), self.find_shortening(b));
        if a == b {
            return Ok(());
        }
        if nested > MOST_NESTED {
            return Err(Clash);
        }
        match (self.0[a.0].clone(), self.0[b.0].clone()) {
            (Known::Nothing, _) => self.0[a.0] = Known::Is(b),
            (_, Known::Nothing) => self.0[b.0] = Known::Is(a),
            // The structure is kept, and its parts are fixed: `shape_at` calls a whole of fixed
            // parts fixed.
            (Known::Fixed, _) => {
                self.0[a.0] = Known::Is(b);
                self.fix_parts(b, nested)?;
            }
            (_, Known::Fixed) => {
                self.0[b.0] = Known::Is(a);
                self.fix_parts(a, nested)?;
            }
            // Linked before the parts are: a role that holds itself then meets itself, and is done.
            (Known::Set(x), Known::Set(y)) | (Known::Sequence(x), Known::Sequence(y)) => {
                self.0[a.0] = Known::Is(b);
                self.unify_at(x, y, nested + 1)?;
            }
            (Known::Tuple(xs), Known::Tuple(ys)) if xs.len() == ys.len() => {
                self.0[a.0] = Known::Is(b);
                for (x, y) in xs.into_iter().zip(ys) {
                    self.unify_at(x, y, nested + 1)?;
                }
            }
            _ => return Err(Clash),
        }
        Ok(())
    }

    /// A value stays if its parts do.
    fn fix_parts(&mut self, role: ValueRole, nested: usize) -> Result<(), Clash> {
        let parts = match self.0[role.0].clone() {
            Known::Set(part) | Known::Sequence(part) => vec![part],
            Known::Tuple(parts) => parts,
            _ => Vec::new(),
        };
        for part in parts {
            let fixed = self.fixed();
            self.unify_at(part, fixed, nested + 1)?;
        }
        Ok(())
    }

    fn shape_at(&self, role: ValueRole, nested: usize) -> Result<Shape, Clash> {
        if nested > MOST_NESTED {
            return Err(Clash);
        }
        let role = self.find(role);
        let part = |part: &ValueRole| self.shape_at(*part, nested + 1);
        let shape = match &self.0[role.0] {
            Known::Is(_) | Known::Nothing => Shape::Renamed(role.0),
            Known::Fixed => Shape::Fixed,
            Known::Set(member) => Shape::Set(Box::new(part(member)?)),
            Known::Sequence(item) => Shape::Sequence(Box::new(part(item)?)),
            Known::Tuple(parts) => Shape::Tuple(parts.iter().map(part).collect::<Result<_, _>>()?),
        };
        Ok(if shape.is_fixed() {
            Shape::Fixed
        } else {
            shape
        })
    }
}

impl Shape {
    /// Whether such values stay.
    pub(super) fn is_fixed(&self) -> bool {
        !self.holds(&|_| true)
    }

    /// Whether a value of one of these classes may be in such a value.
    pub(super) fn holds(&self, is_meant: &dyn Fn(usize) -> bool) -> bool {
        match self {
            Shape::Fixed => false,
            Shape::Renamed(class) => is_meant(*class),
            Shape::Set(part) | Shape::Sequence(part) => part.holds(is_meant),
            Shape::Tuple(parts) => parts.iter().any(|part| part.holds(is_meant)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_compared_has_one_role_and_what_is_computed_with_is_fixed() {
        let mut roles = ValueRoles::default();
        let (one, other, number) = (roles.any(), roles.any(), roles.any());
        let (set, others) = (roles.set(one), roles.set(other));
        roles.unify(set, others).expect("both are sets");
        let pair = roles.tuple(vec![other, number]);
        roles.fix(number).expect("nothing is known of it");
        let class = roles.shape(one).expect("it is not nested");
        assert!(matches!(class, Shape::Renamed(_)));
        let shape = roles.shape(pair).expect("it is not nested");
        assert_eq!(shape, Shape::Tuple(vec![class, Shape::Fixed]));
        roles.fix(pair).expect("its parts can be fixed");
        assert!(roles.shape(set).expect("it is not nested").is_fixed());
        let infinite = roles.set(pair);
        assert!(roles.unify(infinite, pair).is_err());
    }
}
