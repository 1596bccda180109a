//! What types are made of.

use std::rc::Rc;

use crate::define_index;

define_index! {
    /// A type of [`Types`](super::types::Types).
    Type,
    /// A type that is not known, or was not.
    Variable,
    /// The fields that something lacks, if it is not known how many: the left-hand side of `=>*`.
    Tail,
    /// A datatype; each instance of a module has its own.
    Datatype,
}

/// What a type is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Nothing is known yet, or it is what the variable was found to be.
    Variable(Variable),
    /// What stands in for a type after a mistake: it fits everywhere, so that one mistake is reported once.
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
    /// `t.u.v`: two or more; what is dotted together but not, or not yet, something whole.
    Dot(Rc<[Type]>),
    /// `t => u`: what becomes a u when a t is dotted to its right.
    Dotable(Type, Type),
    /// `x =>* u`: what becomes a u when x is dotted to its right, however many fields that are.
    Extendable(Tail, Type),
}

/// What a type of `kind` is directly made of.
pub(super) fn parts(kind: &Kind) -> Vec<Type> {
    match kind {
        Kind::Set(part) | Kind::Sequence(part) | Kind::Extendable(_, part) => vec![*part],
        Kind::Map(one, other) | Kind::Dotable(one, other) => vec![*one, *other],
        Kind::Tuple(parts) | Kind::Dot(parts) => parts.to_vec(),
        Kind::Function(arguments, result) => [&arguments[..], &[*result]].concat(),
        _ => Vec::new(),
    }
}
