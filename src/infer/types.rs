//! Types, with the variables that inference has not decided yet.

use rustc_hash::{FxHashMap, FxHashSet};

use super::constraint::{Constraint, Constraints};
pub use super::kind::{Datatype, Tail, Type, TypeKind, Variable};
use super::walks::Walks;
use base::index::IndexVec;
use base::source::Span;
use syntax::ast::Symbol;

/// What is known of a variable.
#[derive(Clone, Debug)]
pub(super) enum VariableState {
    /// It has to satisfy these. What an annotation calls by a name stands for any type, and is no
    /// other.
    Free(Constraints, Option<Symbol>),
    Bound(Type),
}

/// What is known of a tail.
#[derive(Clone, Copy, Debug)]
pub(super) enum TailState {
    /// How many is open. What an annotation calls by a name stands for any fields, and for no
    /// others.
    Free(Option<Symbol>),
    /// No field is missing.
    Nothing,
    /// This one is missing, and then those.
    Field(Type, Tail),
    Same(Tail),
}

/// A decision, and what was known before; while it is taken back, what is known with it.
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
    /// What was decided of them, the latest last.
    pub(super) trail: Vec<Change>,
    /// Which types satisfy what, as long as no datatype is found that cannot be compared.
    pub(super) satisfied: FxHashSet<(Constraint, Type)>,
    /// Types without variables, tails and dots.
    pub(super) settled: FxHashSet<Type>,
    /// What is being gone through.
    pub(super) walks: Walks,
    pub(super) datatypes: IndexVec<Datatype, DatatypeInfo>,
    /// Whether something dotted may be expected where something whole is: not where patterns are
    /// bound, because `x.y = B` would take values apart that have no such parts.
    pub(super) is_symmetric: bool,
    /// What is being typed: what variables are bound to now comes from there.
    pub(super) cause: Option<Span>,
    /// By bound variable, what it comes from.
    causes: FxHashMap<Variable, Span>,
}

/// What has to be known of a datatype.
#[derive(Clone, Debug)]
pub struct DatatypeInfo {
    /// As one writes it, `T` or `I::T`.
    pub name: String,
    /// Whether its values can be compared: all fields of all its constructors can be.
    pub is_comparable: bool,
}

impl Types {
    /// None yet.
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
        // Those of `Self::INT` and the others.
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
    /// See [`TypeKind::Unknown`].
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

    /// `parts[0].parts[1]...`; the only part if there is but one. There is one at least. If a part
    /// is unknown because of a mistake, all of it is.
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

    /// A type that is called `name` in an annotation and of which no more than `constraints` may be
    /// supposed.
    pub(crate) fn rigid(&mut self, name: Symbol, constraints: Constraints) -> Type {
        let variable = self
            .variables
            .push(VariableState::Free(constraints, Some(name)));
        self.make(TypeKind::Variable(variable))
    }

    /// What lacks some fields of a `result`, and how many is open.
    pub(crate) fn extendable(&mut self, result: Type) -> Type {
        let tail = self.tail();
        self.make(TypeKind::Extendable(tail, result))
    }

    /// A tail of which nothing is known.
    pub fn tail(&mut self) -> Tail {
        self.tails.push(TailState::Free(None))
    }

    /// Fields that are called `name` in an annotation and of which nothing may be supposed.
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

    /// What `ty` is made of, as far as it is known: a variable or a tail only if it is open.
    pub fn kind(&mut self, ty: Type) -> TypeKind {
        let head = self.head(ty);
        self.kinds[head].clone()
    }

    /// The number at which the kind of `ty` stands: that of an open variable, or of what `ty` is
    /// made of. It can be new, where a tail has been decided.
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

    /// What the open `variable` has to satisfy, and what it is called if it stands for any type.
    pub(super) fn free(&self, variable: Variable) -> (Constraints, Option<Symbol>) {
        match &self.variables[variable] {
            VariableState::Free(constraints, name) => (*constraints, *name),
            VariableState::Bound(_) => (Constraints::NONE, None),
        }
    }

    /// What an annotation calls `ty`, if it stands for any type there.
    pub(super) fn rigid_name(&mut self, ty: Type) -> Option<Symbol> {
        match self.kind(ty) {
            TypeKind::Variable(variable) => self.free(variable).1,
            _ => None,
        }
    }

    /// Lets the open `variable` have to satisfy these as well.
    pub(super) fn constrain(&mut self, variable: Variable, more: Constraints) {
        // Only a change is noted in the trail.
        if let VariableState::Free(constraints, name) = self.variables[variable]
            && constraints.and(more) != constraints
        {
            self.decide(variable, VariableState::Free(constraints.and(more), name));
        }
    }

    /// Lets the open `variable` be `ty`.
    pub(super) fn bind(&mut self, variable: Variable, ty: Type) {
        self.decide(variable, VariableState::Bound(ty));
        if let Some(cause) = self.cause {
            self.causes.insert(variable, cause);
        }
    }

    /// What the type was found by, if it was not known at first.
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

    /// What the open `tail` is called if it stands for any fields.
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
