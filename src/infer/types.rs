//! Types, with the variables that inference has not decided yet.

use rustc_hash::{FxHashMap, FxHashSet};

use super::constraint::{Constraint, Constraints};
pub use super::kind::{Datatype, Tail, Type, TypeKind, Variable};
use super::walks::Walks;
use base::index::IndexVec;
use base::source::Span;
use syntax::ast::Symbol;

/// The knowledge about a variable.
#[derive(Clone, Debug)]
pub(super) enum VariableState {
    /// The variable has to satisfy these constraints. If an annotation named it, it stands for any
    /// type, and is no other type.
    Free(Constraints, Option<Symbol>),
    Bound(Type),
}

/// The knowledge about a tail.
#[derive(Clone, Copy, Debug)]
pub(super) enum TailState {
    /// The number of missing fields is open. If an annotation named the tail, it stands for any
    /// fields, and is no other tail.
    Free(Option<Symbol>),
    /// No field is missing.
    Nothing,
    /// This field is missing, and then those of the tail.
    Field(Type, Tail),
    Same(Tail),
}

/// A decision with the state before it; while it is taken back, with the state after it.
#[derive(Clone, Debug)]
pub(super) enum Change {
    Variable(Variable, VariableState),
    Tail(Tail, TailState),
}

/// All types of a script.
#[derive(Clone, Debug)]
pub struct Types {
    kinds: IndexVec<Type, TypeKind>,
    pub(super) variables: IndexVec<Variable, VariableState>,
    pub(super) tails: IndexVec<Tail, TailState>,
    /// The decisions about variables and tails, the latest last.
    pub(super) trail: Vec<Change>,
    /// The constraints that types satisfy, as long as no datatype is found that cannot be compared.
    pub(super) satisfied: FxHashSet<(Constraint, Type)>,
    /// Types without variables, tails and dots.
    pub(super) settled: FxHashSet<Type>,
    /// The walks through types at present.
    pub(super) walks: Walks,
    pub(super) datatypes: IndexVec<Datatype, DatatypeInfo>,
    /// True if a dotted type may be expected where a complete one stands. It is false where
    /// patterns are bound, because `x.y = B` would take apart values that have no such parts.
    pub(super) is_symmetric: bool,
    /// The place being typed, which becomes the cause of new decisions.
    pub(super) cause: Option<Span>,
    /// The cause of each bound variable.
    causes: FxHashMap<Variable, Span>,
}

/// The facts about a datatype.
#[derive(Clone, Debug)]
pub struct DatatypeInfo {
    /// The name as a script writes it, `T` or `I::T`.
    pub name: String,
    /// True if its values can be compared: all fields of all its constructors can be.
    pub is_comparable: bool,
}

impl Types {
    /// No types but the predefined ones.
    pub fn new() -> Self {
        let mut types = Self {
            kinds: IndexVec::new(),
            variables: IndexVec::new(),
            tails: IndexVec::new(),
            trail: Vec::new(),
            satisfied: FxHashSet::default(),
            settled: FxHashSet::default(),
            walks: Walks::default(),
            datatypes: IndexVec::new(),
            is_symmetric: true,
            cause: None,
            causes: FxHashMap::default(),
        };
        // The kinds of `Self::INT` and the other predefined types.
        for kind in [
            TypeKind::Int,
            TypeKind::Bool,
            TypeKind::Char,
            TypeKind::Process,
            TypeKind::Event,
            TypeKind::Unknown,
        ] {
            types.kinds.push(kind);
        }
        types
    }

    /// `Int`
    pub const INT: Type = Type(0);
    /// `Bool`
    pub(crate) const BOOL: Type = Type(1);
    /// `Char`
    pub(crate) const CHAR: Type = Type(2);
    /// `Proc`
    pub const PROCESS: Type = Type(3);
    /// `Event`
    pub const EVENT: Type = Type(4);
    /// The type of expressions with a mistake; it fits everywhere.
    pub const UNKNOWN: Type = Type(5);

    /// The type of this kind.
    pub fn make(&mut self, kind: TypeKind) -> Type {
        self.kinds.push(kind)
    }

    /// `{element}`
    pub fn set(&mut self, element: Type) -> Type {
        self.make(TypeKind::Set(element))
    }

    /// `<element>`
    pub fn sequence(&mut self, element: Type) -> Type {
        self.make(TypeKind::Sequence(element))
    }

    /// `(parts)`
    pub fn tuple(&mut self, parts: &[Type]) -> Type {
        self.make(TypeKind::Tuple(parts.into()))
    }

    /// `(arguments) -> result`
    pub fn function(&mut self, arguments: &[Type], result: Type) -> Type {
        self.make(TypeKind::Function(arguments.into(), result))
    }

    /// `parts[0].parts[1]...`; a single part is returned as it is. `parts` must not be empty. If a
    /// part is unknown because of a mistake, so is the result.
    pub fn dot(&mut self, parts: &[Type]) -> Type {
        if let [only] = parts {
            return *only;
        }
        let is_unknown = |types: &mut Self, part| types.head(part) == Self::UNKNOWN;
        if parts.iter().any(|&part| is_unknown(self, part)) {
            return Self::UNKNOWN;
        }
        self.make(TypeKind::Dot(parts.into()))
    }

    /// `fields[0] => fields[1] => ... => result`
    pub(crate) fn dotable(&mut self, fields: &[Type], result: Type) -> Type {
        let fields = fields.iter().rev();
        fields.fold(result, |result, &field| {
            self.make(TypeKind::Dotable(field, result))
        })
    }

    /// A variable that has to satisfy `constraints`.
    pub fn variable(&mut self, constraints: Constraints) -> Type {
        let variable = self.variables.push(VariableState::Free(constraints, None));
        self.make(TypeKind::Variable(variable))
    }

    /// A type of which nothing is known.
    pub(super) fn unknown_yet(&mut self) -> Type {
        self.variable(Constraints::NONE)
    }

    /// The type variable `name` of an annotation. Nothing but `constraints` may be assumed of it.
    pub(crate) fn rigid(&mut self, name: Symbol, constraints: Constraints) -> Type {
        let variable = self
            .variables
            .push(VariableState::Free(constraints, Some(name)));
        self.make(TypeKind::Variable(variable))
    }

    /// A type that becomes `result` with an open number of fields.
    pub(crate) fn extendable(&mut self, result: Type) -> Type {
        let tail = self.tail();
        self.make(TypeKind::Extendable(tail, result))
    }

    /// A tail of which nothing is known.
    pub fn tail(&mut self) -> Tail {
        self.tails.push(TailState::Free(None))
    }

    /// The fields that an annotation calls `name`. Nothing may be assumed of them.
    pub(crate) fn rigid_tail(&mut self, name: Symbol) -> Tail {
        self.tails.push(TailState::Free(Some(name)))
    }

    /// A datatype that does not exist yet, with values that can be compared.
    pub fn datatype(&mut self, name: String) -> Datatype {
        self.datatypes.push(DatatypeInfo {
            name,
            is_comparable: true,
        })
    }

    /// The structure of `ty`, as far as it is known. It is a variable or a tail only if that is
    /// open.
    pub fn kind(&mut self, ty: Type) -> TypeKind {
        let head = self.head(ty);
        self.kinds[head].clone()
    }

    /// The type without bound variables on top: an open variable, or a type with its structure. It
    /// can be a new type, where a tail has been decided.
    pub fn head(&mut self, ty: Type) -> Type {
        let mut ty = ty;
        loop {
            match self.kinds[ty] {
                TypeKind::Variable(variable) => match self.variables[variable] {
                    VariableState::Bound(other) => ty = other,
                    VariableState::Free(..) => return ty,
                },
                TypeKind::Extendable(tail, result) => match self.tails[tail] {
                    TailState::Free(_) => return ty,
                    TailState::Nothing => ty = result,
                    // The result is kept: only the fields that are missing are those of the other
                    // tail.
                    TailState::Same(other) => ty = self.make(TypeKind::Extendable(other, result)),
                    TailState::Field(field, rest) => {
                        let rest = self.make(TypeKind::Extendable(rest, result));
                        return self.make(TypeKind::Dotable(field, rest));
                    }
                },
                _ => return ty,
            }
        }
    }

    /// The constraints on the open `variable`, and its name if it stands for any type.
    pub(super) fn free(&self, variable: Variable) -> (Constraints, Option<Symbol>) {
        match &self.variables[variable] {
            VariableState::Free(constraints, name) => (*constraints, *name),
            VariableState::Bound(_) => (Constraints::NONE, None),
        }
    }

    /// The name of `ty` in an annotation that lets it stand for any type; `None` for other types.
    pub(super) fn rigid_name(&mut self, ty: Type) -> Option<Symbol> {
        match self.kind(ty) {
            TypeKind::Variable(variable) => self.free(variable).1,
            _ => None,
        }
    }

    /// Adds constraints on the open `variable`.
    pub(super) fn constrain(&mut self, variable: Variable, more: Constraints) {
        // Only a change is noted in the trail.
        if let VariableState::Free(constraints, name) = self.variables[variable]
            && constraints.and(more) != constraints
        {
            self.decide(variable, VariableState::Free(constraints.and(more), name));
        }
    }

    /// Binds the open `variable` to `ty`.
    pub(super) fn bind(&mut self, variable: Variable, ty: Type) {
        self.decide(variable, VariableState::Bound(ty));
        if let Some(cause) = self.cause {
            self.causes.insert(variable, cause);
        }
    }

    /// The place from which the type was found, if it was not known at first.
    pub(super) fn cause_of(&self, ty: Type) -> Option<Span> {
        let mut cause = None;
        let mut ty = ty;
        while let TypeKind::Variable(variable) = self.kinds[ty]
            && let VariableState::Bound(other) = self.variables[variable]
        {
            // The last variable of the chain counts: with it the type itself came in.
            cause = self.causes.get(&variable).copied().or(cause);
            ty = other;
        }
        cause
    }

    /// The name of the open `tail` if an annotation lets it stand for any fields.
    pub(super) fn tail_name(&self, tail: Tail) -> Option<Symbol> {
        match self.tails[tail] {
            TailState::Free(name) => name,
            _ => None,
        }
    }
}

impl Default for Types {
    fn default() -> Self {
        Self::new()
    }
}
