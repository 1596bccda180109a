//! Values of the functional language, and the cells that hold them until they are needed.

use std::cell::{OnceCell, RefCell};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use super::atom::{TypedAtom, compared_across_kinds};
use super::environment::{Frame, Statements};
use super::sequence::Sequence;
use super::set::Set;
use base::define_index;
use base::diag::Diagnostic;
use process::term::TermId;
use syntax::ast::{DeclarationId, ExprId, PatternId};
use types::builtin::Builtin;

define_index! {
    /// A channel or datatype constructor, with which a dotted value starts.
    HeadId,
    /// A datatype.
    DatatypeId,
    /// Code with the values it captures.
    NameId,
}

/// A value. Compound values may hold parts that are not evaluated yet. Only values that
/// `Evaluator::force_deep` returned may be compared or hashed.
#[derive(Clone, Debug)]
pub enum Value {
    /// An integer.
    Int(i64),
    /// An integer that is only compared with its like (`atoms/`).
    Atom(TypedAtom),
    /// A truth value.
    Bool(bool),
    /// A character.
    Char(char),
    /// Two or more parts.
    Tuple(Rc<[Lazy]>),
    /// A sequence, perhaps infinite.
    Sequence(Sequence),
    /// A set, perhaps infinite.
    Set(Rc<Set>),
    /// A finite map; keys and values are fully evaluated.
    Map(Rc<im::OrdMap<Value, Value>>),
    /// A channel or constructor without a field: none was given yet, or it has none.
    Head(HeadId),
    /// Two or more parts. If the first is a [`Value::Head`] that has fields, the others are its
    /// fields, no more than it has; otherwise it is a bare dotted list. No part is itself a bare
    /// list.
    Dot(Rc<[Value]>),
    /// A process.
    Process(TermId),
    /// A function, perhaps with some of its groups of arguments.
    Function(Rc<Closure>),
    /// A built-in function, with the groups of arguments given so far.
    Builtin(Builtin, Rc<[Value]>),
    /// An instance of a module: its number and the frame of its declarations.
    Instance(u32, Rc<Frame>),
    /// A module with parameters, in the environment of its declaration.
    Module(DeclarationId, Rc<Frame>),
    /// The code that would find an argument without a value. It stands for that argument in the
    /// name of a call (`names.rs`).
    Code(NameId),
}

/// A part that is evaluated when it is first needed.
#[derive(Clone, Debug)]
pub enum Lazy {
    /// Evaluated.
    Value(Value),
    /// A computation, perhaps not done yet.
    Thunk(Thunk),
}

/// A shared computation with its result, once there is one.
#[derive(Clone)]
pub struct Thunk(Rc<RefCell<ThunkState>>);

/// A computation for a part that is not the value of an expression.
#[derive(Clone)]
pub(super) enum Computation {
    /// The values of the variables of the pattern when it is matched with the value of the
    /// expression: a tuple in the order of their slots.
    Match(PatternId, ExprId, Rc<Frame>),
    /// One part of the tuple that is the value of the thunk.
    Component(Thunk, usize),
    /// The concatenation of a sequence and the value of the part.
    Concatenation(Sequence, Lazy),
    /// The value of this operand of `^` before the rest, if there is one.
    Operand(ExprId, Lazy, Option<Lazy>),
    /// The integers from the first on, up to the second if there is one, as a sequence.
    Range(i64, Option<i64>),
    /// The items of all these sequences.
    Flattening(Sequence),
    /// The items of a comprehension from this position on.
    Comprehension(ExprId, Box<Statements>),
}

pub(super) enum ThunkState {
    Expression(ExprId, Rc<Frame>),
    Computation(Box<Computation>),
    /// Being evaluated; with its expression, if it has one.
    Running(Option<(ExprId, Rc<Frame>)>),
    Failed(Box<ThunkFailure>),
    Done(Value),
    /// There is a value, but some part of it has none, so that this code stands for it in names.
    Named(Box<(Value, NameId)>),
}

/// The reason why a thunk has no value.
#[derive(Clone)]
pub(super) struct ThunkFailure {
    pub(super) problem: Box<Diagnostic>,
    /// The expression that was evaluated, if it is one.
    pub(super) expression: Option<(ExprId, Rc<Frame>)>,
    /// The code that stands for the value in names, once it was asked for.
    pub(super) code: Option<NameId>,
}

/// The code of a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Code {
    /// The clauses of a function declaration.
    Function(DeclarationId),
    /// The body of a lambda.
    Lambda(ExprId),
}

/// A function value.
#[derive(Debug)]
pub struct Closure {
    pub(super) code: Code,
    /// The environment of the code; for a function, the frame that holds it.
    pub(super) environment: Rc<Frame>,
    /// Groups of arguments given so far, fewer than the function has.
    pub(super) groups: Vec<Vec<Lazy>>,
    /// The identity of a closure: its code, its free variables, and all given arguments. Filled by
    /// `Evaluator::force_deep`.
    pub(super) identity: OnceCell<NameId>,
}

impl Thunk {
    pub(super) fn of_expression(expression: ExprId, environment: &Rc<Frame>) -> Self {
        Self::new(ThunkState::Expression(expression, Rc::clone(environment)))
    }

    pub(super) fn of_computation(computation: Computation) -> Self {
        Self::new(ThunkState::Computation(Box::new(computation)))
    }

    fn new(state: ThunkState) -> Self {
        Self(Rc::new(RefCell::new(state)))
    }

    /// The value, if it was computed.
    pub(super) fn done(&self) -> Option<Value> {
        match &*self.0.borrow() {
            ThunkState::Done(value) => Some(value.clone()),
            ThunkState::Named(named) => Some(named.0.clone()),
            _ => None,
        }
    }

    /// The expression of which this is the value, as long as the value is not there.
    pub(super) fn expression(&self) -> Option<(ExprId, Rc<Frame>)> {
        match &*self.0.borrow() {
            ThunkState::Expression(expression, frame) => Some((*expression, Rc::clone(frame))),
            ThunkState::Running(expression) => expression.clone(),
            ThunkState::Failed(failure) => failure.expression.clone(),
            _ => None,
        }
    }

    /// The code that stands for the value in names; `None` if there is none.
    pub(super) fn code(&self) -> Option<NameId> {
        match &*self.0.borrow() {
            ThunkState::Named(named) => Some(named.1),
            ThunkState::Failed(failure) => failure.code,
            _ => None,
        }
    }

    /// Sets the code that stands for the value in names, unless it may have a value another time.
    pub(super) fn set_code(&self, code: NameId) {
        let state = &mut *self.0.borrow_mut();
        match state {
            ThunkState::Failed(failure) => failure.code = Some(code),
            ThunkState::Done(value) => {
                *state = ThunkState::Named(Box::new((value.clone(), code)));
            }
            _ => {}
        }
    }

    /// Takes the work out, leaving [`ThunkState::Running`]. Returns the state as it is for a thunk
    /// without work.
    pub(super) fn start(&self) -> ThunkState {
        let state = &mut *self.0.borrow_mut();
        // The running state keeps the expression and its frame: an argument that depends on itself
        // is named by them while it is being evaluated (`names.rs`, `calls.rs`).
        let running = match state {
            ThunkState::Expression(expression, frame) => Some((*expression, Rc::clone(frame))),
            ThunkState::Computation(_) => None,
            ThunkState::Running(running) => return ThunkState::Running(running.clone()),
            ThunkState::Failed(failure) => return ThunkState::Failed(failure.clone()),
            ThunkState::Done(value) => return ThunkState::Done(value.clone()),
            ThunkState::Named(named) => return ThunkState::Named(named.clone()),
        };
        std::mem::replace(state, ThunkState::Running(running))
    }

    pub(super) fn finish(&self, state: ThunkState) {
        self.0.replace(state);
    }
}

impl std::fmt::Debug for Thunk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.done() {
            Some(value) => write!(f, "{value:?}"),
            None => write!(f, "<unevaluated>"),
        }
    }
}

/// Drops a chain of thunks, each held by the one before, without recursion: the contents of a thunk
/// are queued, and the outermost drop empties the queue.
impl Drop for Thunk {
    fn drop(&mut self) {
        // Only the last owner takes the state out: the others may still ask for the value.
        if Rc::strong_count(&self.0) > 1 {
            return;
        }
        drop_later(Box::new(self.0.replace(ThunkState::Running(None))));
    }
}

thread_local! {
    static DROPPING: RefCell<Option<Vec<Box<dyn std::any::Any>>>> = const { RefCell::new(None) };
}

/// Drops `garbage`, whose own drop may call this again, in constant stack space.
pub(super) fn drop_later<T: 'static>(garbage: Box<T>) {
    // Nothing is dropped inside these closures: its drop may come back here, and the queue would
    // still be borrowed.
    let nested = DROPPING.with_borrow_mut(|queue| match queue {
        Some(queue) => {
            queue.push(garbage as Box<dyn std::any::Any>);
            None
        }
        None => {
            *queue = Some(Vec::new());
            Some(garbage)
        }
    });
    let Some(first) = nested else { return };
    drop(first);
    while let Some(next) = DROPPING.with_borrow_mut(|queue| queue.as_mut().and_then(Vec::pop)) {
        drop(next);
    }
    DROPPING.with_borrow_mut(|queue| *queue = None);
}

impl Lazy {
    /// The value of an evaluated part. The evaluator forces values before it compares them; an
    /// unevaluated part here would be its mistake.
    pub(super) fn known(&self) -> Value {
        match self {
            Lazy::Value(value) => value.clone(),
            Lazy::Thunk(thunk) => thunk.done().expect("compared values are evaluated first"),
        }
    }

    /// The value; `None` if it is not there yet.
    pub(super) fn ready(&self) -> Option<Value> {
        match self {
            Lazy::Value(value) => Some(value.clone()),
            Lazy::Thunk(thunk) => thunk.done(),
        }
    }
}

impl From<Value> for Lazy {
    fn from(value: Value) -> Self {
        Lazy::Value(value)
    }
}

impl Value {
    /// A tuple of evaluated parts.
    pub(super) fn tuple(parts: Vec<Value>) -> Self {
        Value::Tuple(parts.into_iter().map(Lazy::Value).collect())
    }

    /// A function that was given these groups of arguments.
    pub(super) fn function(code: Code, environment: &Rc<Frame>, groups: Vec<Vec<Lazy>>) -> Self {
        Value::Function(Rc::new(Closure {
            code,
            environment: Rc::clone(environment),
            groups,
            identity: OnceCell::new(),
        }))
    }

    /// A function of which no more is known than this name of its code and what that captures.
    pub(super) fn known_function(code: Code, environment: &Rc<Frame>, name: NameId) -> Self {
        Value::Function(Rc::new(Closure {
            code,
            environment: Rc::clone(environment),
            groups: Vec::new(),
            identity: OnceCell::from(name),
        }))
    }

    /// The parts of a dotted value; any other value is its own single part.
    pub(super) fn dotted_parts(&self) -> &[Value] {
        match self {
            Value::Dot(parts) => parts,
            single => std::slice::from_ref(single),
        }
    }

    /// A set.
    pub(super) fn set(set: Set) -> Self {
        Value::Set(Rc::new(set))
    }

    /// The kind of value as a noun with its article, for messages.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Value::Int(_) | Value::Atom(_) => "an integer",
            Value::Bool(_) => "a Boolean",
            Value::Char(_) => "a character",
            Value::Tuple(_) => "a tuple",
            Value::Sequence(_) => "a sequence",
            Value::Set(_) => "a set",
            Value::Map(_) => "a map",
            Value::Head(_) | Value::Dot(_) => "an event or a datatype value",
            Value::Process(_) => "a process",
            Value::Function(_) | Value::Builtin(..) => "a function",
            Value::Instance(..) | Value::Module(..) => "a module",
            Value::Code(_) => "an expression without a value",
        }
    }

    /// The position of the variant in the order of values.
    fn rank(&self) -> u8 {
        match self {
            Value::Int(_) => 0,
            Value::Bool(_) => 1,
            Value::Char(_) => 2,
            Value::Tuple(_) => 3,
            Value::Sequence(_) => 4,
            Value::Set(_) => 5,
            Value::Map(_) => 6,
            Value::Head(_) => 7,
            Value::Dot(_) => 8,
            Value::Process(_) => 9,
            Value::Function(_) => 10,
            Value::Builtin(..) => 11,
            Value::Instance(..) => 12,
            Value::Module(..) => 13,
            Value::Code(_) => 14,
            Value::Atom(_) => 15,
        }
    }
}

impl Closure {
    /// The name of the code with what it captures.
    pub(super) fn key(&self) -> NameId {
        let identity = self.identity.get();
        *identity.expect("compared values are evaluated first")
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Atom(a), Value::Atom(b)) => {
                if a.ty != b.ty {
                    compared_across_kinds(*a);
                }
                a.cmp(b)
            }
            (Value::Atom(atom), Value::Int(_)) => {
                compared_across_kinds(*atom);
                Ordering::Greater
            }
            (Value::Int(_), Value::Atom(atom)) => {
                compared_across_kinds(*atom);
                Ordering::Less
            }
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (Value::Char(a), Value::Char(b)) => a.cmp(b),
            (Value::Tuple(a), Value::Tuple(b)) => {
                a.iter().map(Lazy::known).cmp(b.iter().map(Lazy::known))
            }
            (Value::Sequence(a), Value::Sequence(b)) => a.known_items().cmp(b.known_items()),
            (Value::Set(a), Value::Set(b)) => a.cmp(b),
            (Value::Map(a), Value::Map(b)) => a.iter().cmp(b.iter()),
            (Value::Head(a), Value::Head(b)) => a.cmp(b),
            (Value::Dot(a), Value::Dot(b)) => a.cmp(b),
            (Value::Process(a), Value::Process(b)) => a.cmp(b),
            // Closures have numbers, so the order costs the same however much they capture.
            (Value::Function(a), Value::Function(b)) => a.key().cmp(&b.key()),
            (Value::Builtin(a, x), Value::Builtin(b, y)) => (a, x).cmp(&(b, y)),
            (Value::Instance(a, _), Value::Instance(b, _)) => a.cmp(b),
            // The declaration alone does not do: each instance of a module around it has its own
            // frame.
            (Value::Module(a, x), Value::Module(b, y)) => {
                a.cmp(b).then_with(|| Rc::as_ptr(x).cmp(&Rc::as_ptr(y)))
            }
            (Value::Code(a), Value::Code(b)) => a.cmp(b),
            // A constant constructor sorts among the dotted values of its type by its head.
            (Value::Head(a), Value::Dot(b)) => Value::Head(*a).cmp(&b[0]).then(Ordering::Less),
            (Value::Dot(a), Value::Head(b)) => a[0].cmp(&Value::Head(*b)).then(Ordering::Greater),
            (a, b) => a.rank().cmp(&b.rank()),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.rank().hash(state);
        match self {
            Value::Int(a) => a.hash(state),
            Value::Atom(a) => a.hash(state),
            Value::Bool(a) => a.hash(state),
            Value::Char(a) => a.hash(state),
            Value::Tuple(parts) => parts.iter().for_each(|part| part.known().hash(state)),
            Value::Sequence(a) => a.known_items().for_each(|item| item.hash(state)),
            Value::Set(a) => a.hash(state),
            Value::Map(a) => a.iter().for_each(|entry| entry.hash(state)),
            Value::Head(a) => a.hash(state),
            Value::Dot(a) => a.hash(state),
            Value::Process(a) => a.hash(state),
            Value::Function(a) => a.key().hash(state),
            Value::Builtin(a, x) => (a, x).hash(state),
            Value::Instance(a, _) => a.hash(state),
            // The frame is left out: equal modules have equal declarations, which is all that a
            // hash needs.
            Value::Module(a, _) => a.hash(state),
            Value::Code(a) => a.hash(state),
        }
    }
}
