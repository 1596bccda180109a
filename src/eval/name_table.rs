//! The table of names: calls, and code with the values it captures, by number.

use rustc_hash::FxHashMap;

use super::call_table::Calls;
use super::value::{Code, NameId, Value};
use base::interner::Interner;
use syntax::ast::ExprId;

/// The deepest nesting of expressions evaluated for a name. Deeper ones are named by code.
const MOST_NESTED: usize = 256;

/// The names of calls and of code.
#[derive(Default)]
pub(super) struct Names {
    pub(super) calls: Calls,
    pub(super) code: CodeNames,
}

/// All names of code, and those that are being found.
#[derive(Default)]
pub(super) struct CodeNames {
    keys: Interner<NameId, NameKey>,
    /// The expressions that are being evaluated for a name, each inside the one before.
    open: Vec<ExprId>,
    /// The values that stand for code that was met while its own expression was being evaluated for
    /// a name. Until the value is known, the code stands for itself.
    known: FxHashMap<NameId, Value>,
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

impl CodeNames {
    /// The name with this key.
    pub(super) fn intern(&mut self, key: NameKey) -> NameId {
        self.keys.intern(key)
    }

    /// The key of a name.
    pub(super) fn key(&self, name: NameId) -> &NameKey {
        &self.keys[name]
    }

    /// Notes that `expression` is being evaluated for a name.
    pub(super) fn open(&mut self, expression: ExprId) {
        self.open.push(expression);
    }

    /// Notes that the evaluation that was opened last has ended.
    pub(super) fn close(&mut self) {
        self.open.pop();
    }

    /// True if `expression` is being evaluated for a name.
    pub(super) fn is_open(&self, expression: ExprId) -> bool {
        self.open.contains(&expression)
    }

    /// True if no further expression may be evaluated for a name.
    pub(super) fn is_deep(&self) -> bool {
        self.open.len() >= MOST_NESTED
    }

    /// The value that stands for `code`, if there is one.
    pub(super) fn known(&self, code: NameId) -> Option<&Value> {
        self.known.get(&code)
    }

    /// Lets `value` stand for `code`; `None` if nothing stands for it.
    pub(super) fn set_known(&mut self, code: NameId, value: Option<Value>) {
        match value {
            Some(value) => self.known.insert(code, value),
            None => self.known.remove(&code),
        };
    }
}
