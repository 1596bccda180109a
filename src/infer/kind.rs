//! The structure of types.

use std::rc::Rc;

use base::define_index;

define_index! {
    /// A type of [`Types`](super::types::Types).
    Type,
    /// A type that is not known, or was not known at first.
    Variable,
    /// An unknown list of missing fields: the left-hand side of `=>*`.
    Tail,
    /// A datatype; each instance of a module has its own.
    Datatype,
}

/// The structure of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypeKind {
    /// A type of which nothing is known, or which the variable was found to be.
    Variable(Variable),
    /// The type of an expression with a mistake. It fits everywhere, so that one mistake is
    /// reported once.
    Unknown,
    /// `Int`
    Int,
    /// `Bool`
    Bool,
    /// `Char`
    Char,
    /// `Proc`
    Process,
    /// `Event`
    Event,
    /// A datatype by its name.
    Datatype(Datatype),
    /// `{t}`
    Set(Type),
    /// `<t>`
    Sequence(Type),
    /// `(| k => v |)`
    Map(Type, Type),
    /// `(t, u)`
    Tuple(Rc<[Type]>),
    /// `(t, u) -> v`
    Function(Rc<[Type]>, Type),
    /// `t.u.v`: two parts or more, which form no complete value, or do not yet.
    Dot(Rc<[Type]>),
    /// `t => u`: becomes a u when a t is dotted to its right.
    Dotable(Type, Type),
    /// `x =>* u`: becomes a u when x is dotted to its right, however many fields x has.
    Extendable(Tail, Type),
}

/// The types that stand directly in a type of `kind`.
pub(super) fn parts(kind: &TypeKind) -> Vec<Type> {
    match kind {
        TypeKind::Set(part) | TypeKind::Sequence(part) | TypeKind::Extendable(_, part) => {
            vec![*part]
        }
        TypeKind::Map(one, other) | TypeKind::Dotable(one, other) => vec![*one, *other],
        TypeKind::Tuple(parts) | TypeKind::Dot(parts) => parts.to_vec(),
        TypeKind::Function(arguments, result) => [&arguments[..], &[*result]].concat(),
        _ => Vec::new(),
    }
}

/// `kind` with its direct parts replaced by `parts`, in the order of [`parts`].
pub(super) fn with_parts(kind: &TypeKind, parts: &[Type]) -> TypeKind {
    match kind {
        TypeKind::Set(_) => TypeKind::Set(parts[0]),
        TypeKind::Sequence(_) => TypeKind::Sequence(parts[0]),
        TypeKind::Extendable(tail, _) => TypeKind::Extendable(*tail, parts[0]),
        TypeKind::Map(..) => TypeKind::Map(parts[0], parts[1]),
        TypeKind::Dotable(..) => TypeKind::Dotable(parts[0], parts[1]),
        TypeKind::Tuple(_) => TypeKind::Tuple(parts.into()),
        TypeKind::Dot(_) => TypeKind::Dot(parts.into()),
        TypeKind::Function(arguments, _) => {
            let (arguments, result) = parts.split_at(arguments.len());
            TypeKind::Function(arguments.into(), result[0])
        }
        other => other.clone(),
    }
}
