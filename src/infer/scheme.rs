//! Type schemes: types with variables that stand for any type.

use rustc_hash::{FxHashMap, FxHashSet};

use super::kind::{Datatype, Tail, Type, TypeKind, Variable, parts, with_parts};
use super::sharing::{MOST_PARTS, has_several_parts};
use super::types::Types;
use base::stack::deep;

/// The generality of the type that a definition without an annotation gets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Generality {
    /// The most general type: at the top level and in modules.
    MostGeneral,
    /// A single type: in a `let`, as in FDR.
    OneType,
}

/// A type and its variables that stand for any type. Each use of a name has its own.
#[derive(Clone, Debug)]
pub struct Scheme {
    /// The variables. `Types` knows their constraints.
    pub variables: Vec<Variable>,
    /// Tails that stand for any number of fields.
    pub tails: Vec<Tail>,
    /// The type.
    pub ty: Type,
}

impl Scheme {
    /// The scheme of one type, without variables.
    pub fn of(ty: Type) -> Self {
        Self {
            variables: Vec::new(),
            tails: Vec::new(),
            ty,
        }
    }
}

/// The open variables and tails of a type, in the order in which they are met.
#[derive(Clone, Default, Debug)]
pub struct OpenVariables {
    /// The variables, rigid ones included.
    pub variables: Vec<Variable>,
    /// The tails.
    pub tails: Vec<Tail>,
    /// The types that were met and need not be gone through again.
    seen: FxHashSet<Type>,
    seen_variables: FxHashSet<Variable>,
}

/// The replacements for variables, tails and datatypes.
#[derive(Default)]
pub(super) struct Substitution {
    pub(super) variables: FxHashMap<Variable, Type>,
    pub(super) tails: FxHashMap<Tail, Tail>,
    pub(super) datatypes: FxHashMap<Datatype, Datatype>,
    /// The results so far: for each type, the type with the replacements.
    made: FxHashMap<Type, Type>,
    /// The number of parts that were made.
    count: usize,
    /// True if no more than `MOST_PARTS` parts may be made.
    is_bounded: bool,
}

impl Substitution {
    /// The replacement for `datatype`.
    pub(super) fn datatype(&self, datatype: Datatype) -> Datatype {
        self.datatypes.get(&datatype).copied().unwrap_or(datatype)
    }
}

impl Types {
    /// The scheme of `ty` for all values of its open variables that are not open in `around`.
    pub fn generalised(&mut self, ty: Type, around: &OpenVariables) -> Scheme {
        let mut open = OpenVariables::default();
        self.open(ty, &mut open);
        let OpenVariables {
            mut variables,
            mut tails,
            ..
        } = open;
        variables.retain(|variable| !around.seen_variables.contains(variable));
        tails.retain(|tail| !around.tails.contains(tail));
        Scheme {
            variables,
            tails,
            ty,
        }
    }

    /// The type of one use of a name with this scheme. It is the unknown type if it would be too
    /// large.
    pub fn instance(&mut self, scheme: &Scheme) -> Type {
        if scheme.variables.is_empty() && scheme.tails.is_empty() {
            return scheme.ty;
        }
        let mut substitution = self.fresh(&scheme.variables, &scheme.tails);
        substitution.is_bounded = true;
        let ty = self.substituted(&mut substitution, scheme.ty);
        // Counted while copying: shared parts are copied once, so the type alone does not tell.
        match self.has_room_for(substitution.count) {
            true => ty,
            false => Self::UNKNOWN,
        }
    }

    /// Fresh variables for those in `parameters`, the types of the parameters of a module.
    pub(super) fn fresh_for(&mut self, parameters: &[Type]) -> Substitution {
        let mut open = OpenVariables::default();
        for &parameter in parameters {
            self.open(parameter, &mut open);
        }
        self.fresh(&open.variables, &open.tails)
    }

    /// A substitution of new variables, with the constraints of the old ones, and of new tails.
    fn fresh(&mut self, variables: &[Variable], tails: &[Tail]) -> Substitution {
        let mut substitution = Substitution::default();
        for &variable in variables {
            let (constraints, _) = self.free(variable);
            let fresh = self.variable(constraints);
            substitution.variables.insert(variable, fresh);
        }
        for &tail in tails {
            substitution.tails.insert(tail, self.tail());
        }
        substitution
    }

    /// `ty` with the replacements of `substitution`. Parts that occur several times are replaced
    /// once.
    pub(super) fn substituted(&mut self, substitution: &mut Substitution, ty: Type) -> Type {
        let ty = self.head(ty);
        // A settled type has neither variables nor tails, but it may have datatypes.
        if substitution.datatypes.is_empty() && self.settled.contains(&ty) {
            return ty;
        }
        if let Some(&made) = substitution.made.get(&ty) {
            return made;
        }
        if substitution.is_bounded && substitution.count > MOST_PARTS {
            return Self::UNKNOWN;
        }
        deep(|| {
            let kind = self.kind(ty);
            let is_shared = has_several_parts(&kind);
            let made = match kind {
                TypeKind::Variable(variable) => {
                    substitution.variables.get(&variable).copied().unwrap_or(ty)
                }
                TypeKind::Datatype(datatype) => {
                    let other = substitution.datatype(datatype);
                    self.make(TypeKind::Datatype(other))
                }
                TypeKind::Extendable(tail, result) => {
                    let tail = substitution.tails.get(&tail).copied().unwrap_or(tail);
                    let result = self.substituted(substitution, result);
                    self.make(TypeKind::Extendable(tail, result))
                }
                kind => {
                    let parts = parts(&kind);
                    if parts.is_empty() {
                        return ty;
                    }
                    substitution.count += 1;
                    let parts = parts.into_iter();
                    let parts: Vec<Type> = parts
                        .map(|part| self.substituted(substitution, part))
                        .collect();
                    self.make(with_parts(&kind, &parts))
                }
            };
            if is_shared {
                substitution.made.insert(ty, made);
            }
            made
        })
    }

    /// True if some open variable of `ty` is in `found`.
    pub(super) fn has_any(&mut self, ty: Type, found: &OpenVariables) -> bool {
        if found.variables.is_empty() {
            return false;
        }
        let mut own = OpenVariables::default();
        self.open(ty, &mut own);
        let mut own = own.variables.iter();
        own.any(|variable| found.seen_variables.contains(variable))
    }

    /// Adds the open variables and tails of `ty` to `found`.
    pub fn open(&mut self, ty: Type, found: &mut OpenVariables) {
        self.open_and_tell(ty, found);
    }

    /// Adds the open variables and tails of `ty` to `found`. Returns true if `ty` has none of them,
    /// nor dots to evaluate. This is remembered, because types share parts: of `x1 = (x0, x0)`, `x2
    /// = (x1, x1)` and so on, the last one is a tree of exponentially many nodes.
    fn open_and_tell(&mut self, ty: Type, found: &mut OpenVariables) -> bool {
        let head = self.head(ty);
        if self.settled.contains(&head) {
            return true;
        }
        deep(|| match self.kind(head) {
            TypeKind::Variable(variable) => {
                if found.seen_variables.insert(variable) {
                    found.variables.push(variable);
                }
                false
            }
            // Gone through already; whether it is settled was noted then.
            kind if has_several_parts(&kind) && !found.seen.insert(head) => false,
            kind => {
                let mut is_settled = !matches!(kind, TypeKind::Extendable(..) | TypeKind::Dot(_));
                if let TypeKind::Extendable(tail, _) = kind
                    && !found.tails.contains(&tail)
                {
                    found.tails.push(tail);
                }
                for part in parts(&kind) {
                    is_settled &= self.open_and_tell(part, found);
                }
                if is_settled {
                    self.settled.insert(head);
                }
                is_settled
            }
        })
    }
}
