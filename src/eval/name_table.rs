//! The table of names: code with the values it captures, by number.

use rustc_hash::FxHashMap;

use super::value::{Code, NameId, Value};
use base::interner::Interner;
use syntax::ast::ExprId;

/// All names of code, and those that are being found.
#[derive(Default)]
pub(super) struct CodeNames {
    pub(super) keys: Interner<NameId, NameKey>,
    /// The expressions that are being evaluated for a name, each inside the one before.
    pub(super) open: Vec<ExprId>,
    /// The values that stand for code that was met while its own expression was being evaluated for
    /// a name. Until the value is known, the code stands for itself.
    pub(super) known: FxHashMap<NameId, Value>,
}

/// The key of a name. Equal keys have one number.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum NameKey {
    /// A function: the values of its free variables, then all given arguments.
    Function(Code, Box<[Value]>),
    /// An expression: the values of its free variables.
    Expression(ExprId, Box<[Value]>),
    /// A tuple, or a sequence, by its parts.
    Parts(Box<[Value]>),
}
