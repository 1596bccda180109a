//! The table of names: code with what it captures, by number.

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
    /// What stands for code that was met while the same expression was being evaluated for a name.
    /// Until it is known the code stands for itself.
    pub(super) known: FxHashMap<NameId, Value>,
}

/// What has a number; equal keys have the same one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum NameKey {
    /// A function: the values of its free variables, then all given arguments.
    Function(Code, Box<[Value]>),
    /// An expression: the values of its free variables.
    Expression(ExprId, Box<[Value]>),
    /// A tuple, or a sequence, by its parts.
    Parts(Box<[Value]>),
}
