//! The abstract syntax of CSPm: flat arenas of nodes, each with its span.
//!
//! Nodes refer to each other by index, never by `Box`: a script nested a hundred thousand
//! deep is then dropped, cloned and compared without recursion.

use std::sync::Arc;

use super::aut::AutFile;
use base::define_index;
use base::index::IndexVec;
use base::interner::Interner;
use base::source::Span;

define_index! {
    /// An identifier's text, interned in [`Ast::symbols`].
    Symbol,
    /// An expression of [`Ast::expressions`].
    ExprId,
    /// A pattern of [`Ast::patterns`].
    PatternId,
    /// A declaration of [`Ast::declarations`].
    DeclarationId,
    /// A type expression of [`Ast::types`].
    TypeId,
}

/// A node and the text it was read from.
#[derive(Clone, Debug)]
pub struct Node<T> {
    /// The node itself.
    pub kind: T,
    /// Its place in the text.
    pub span: Span,
}

/// A whole script, includes expanded in place.
#[derive(Clone, Debug, Default)]
pub struct Ast {
    /// Identifier texts.
    pub symbols: Interner<Symbol, String>,
    /// All expressions.
    pub expressions: IndexVec<ExprId, Node<Expr>>,
    /// All patterns.
    pub patterns: IndexVec<PatternId, Node<Pattern>>,
    /// All declarations.
    pub declarations: IndexVec<DeclarationId, Node<Declaration>>,
    /// All type expressions (of annotations).
    pub types: IndexVec<TypeId, Node<TypeExpr>>,
    /// The top level, in order.
    pub script: Vec<DeclarationId>,
    /// The transition systems that are imported.
    pub imports: Vec<Arc<AutFile>>,
}

/// `aut("file")`, an imported transition system.
#[derive(Clone, Debug)]
pub struct Import {
    /// `aut`
    pub function: ExprId,
    /// The file, as it is written.
    pub path: String,
    /// The index of the system in [`Ast::imports`].
    pub system: u32,
    /// The name of a sequence at the top level: the events of the labels, in the order of the file.
    pub labels: ExprId,
}

/// A name where it is introduced or used.
#[derive(Clone, Copy, Debug)]
pub struct Identifier {
    /// Its text.
    pub symbol: Symbol,
    /// The place where it stands.
    pub span: Span,
}

/// A possibly qualified name, `M::N::x`: at least one segment.
#[derive(Clone, Debug)]
pub struct QualifiedName {
    /// Outermost module first, the name itself last.
    pub segments: Vec<Identifier>,
}

/// An expression; processes are expressions too.
#[derive(Clone, Debug)]
pub enum Expr {
    /// `42`
    Int(i64),
    /// `true`, `false`
    Bool(bool),
    /// `'c'`
    Char(char),
    /// `"text"`: a sequence of characters.
    String(String),
    /// `aut("file")`, after the file was read. The grammar makes an application of it.
    Imported(Box<Import>),
    /// `x`, `M::x`
    Name(QualifiedName),
    /// `(e)`: kept, because it stops the hiding fix-up and groups on the right of a dot.
    Parenthesised(ExprId),
    /// `(a, b)`: two or more.
    Tuple(Vec<ExprId>),
    /// `<a, b | x <- s>`
    Sequence(Collection),
    /// `{a, b | x <- s}`
    Set(Collection),
    /// `{| c, d | x <- s |}`
    Productions(Vec<ExprId>, Vec<Statement>),
    /// `(| k => v |)`
    Map(Vec<(ExprId, ExprId)>),
    /// `a.b.c`: two or more, never itself a dot unless parenthesised.
    Dot(Vec<ExprId>),
    /// `-e`, `not e`, `#e`
    Unary(UnaryOp, ExprId),
    /// `a + b` and other operators between values.
    Binary(BinaryOp, ExprId, ExprId),
    /// `if c then a else b`
    If(ExprId, ExprId, ExprId),
    /// `let ds within e`
    Let(Vec<DeclarationId>, ExprId),
    /// `\ p, q @ e`
    Lambda(Vec<PatternId>, ExprId),
    /// `f(a, b)`
    Apply(ExprId, Vec<ExprId>),
    /// `c?x!e -> P`, `e -> P` (no fields). The channel part holds the leading dots, `c.1.x`.
    Prefix(ExprId, Vec<Field>, ExprId),
    /// `b & P`
    Guard(ExprId, ExprId),
    /// `P op Q` for the operators without an argument.
    Process(ProcessOp, ExprId, ExprId),
    /// `P op Q` for the operators with a set: P, the set and Q.
    Over(SetOp, ExprId, ExprId, ExprId),
    /// `P [A || B] Q`
    AlphabetisedParallel {
        /// P
        left: ExprId,
        /// A
        left_alphabet: ExprId,
        /// B
        right_alphabet: ExprId,
        /// Q
        right: ExprId,
    },
    /// `P [a <-> b | stmts] Q`
    LinkedParallel {
        /// P
        left: ExprId,
        /// The ties.
        ties: Ties,
        /// Q
        right: ExprId,
    },
    /// `P \ A`
    Hide(ExprId, ExprId),
    /// `P |\ A`
    Project(ExprId, ExprId),
    /// `P [[ a <- b | stmts ]]`
    Rename(ExprId, Ties),
    /// `op stmts @ P`
    Replicated(ReplicatedOp, Vec<Statement>, ExprId),
}

/// The contents of a sequence or set display.
#[derive(Clone, Debug)]
pub struct Collection {
    /// The items.
    pub items: Items,
    /// The statements after `|`; empty if there is none.
    pub statements: Vec<Statement>,
}

/// The part of a display before `|`.
#[derive(Clone, Debug)]
pub enum Items {
    /// `a, b, c`, possibly none.
    List(Vec<ExprId>),
    /// `m..`
    From(ExprId),
    /// `m..n`
    Range(ExprId, ExprId),
}

/// A generator or a predicate of a comprehension or a replicated operator.
#[derive(Clone, Debug)]
pub enum Statement {
    /// `p <- e` or `p : e`, which have one meaning.
    Generator(PatternId, ExprId),
    /// A Boolean expression.
    Predicate(ExprId),
}

/// One field of a prefix, after the channel part.
#[derive(Clone, Debug)]
pub enum Field {
    /// `!e`
    Output(ExprId),
    /// `?p`, `?p:S`
    Input(PatternId, Option<ExprId>),
    /// `$p`, `$p:S`
    Nondeterministic(PatternId, Option<ExprId>),
}

/// Pairs of a renaming (`a <- b`) or a linked parallel (`a <-> b`), with statements.
#[derive(Clone, Debug)]
pub struct Ties {
    /// (left, right) pairs.
    pub pairs: Vec<(ExprId, ExprId)>,
    /// The statements after `|`.
    pub statements: Vec<Statement>,
}

/// Prefix operators on values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `not`
    Not,
    /// `#`
    Length,
}

/// Infix operators on values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Modulo,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `and`
    And,
    /// `or`
    Or,
    /// `^`
    Concat,
}

/// Infix operators on processes that take no argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProcessOp {
    /// `[]`
    ExternalChoice,
    /// `|~|`
    InternalChoice,
    /// `;`
    Sequential,
    /// `|||`
    Interleave,
    /// `/\`
    Interrupt,
    /// `[>`
    SlidingChoice,
}

/// Infix operators on processes that take a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetOp {
    /// `[| A |]`
    GeneralisedParallel,
    /// `[| A |>`
    Exception,
    /// `[+ A +]`
    SynchronisingChoice,
    /// `/+ A +\`
    SynchronisingInterrupt,
}

/// Replicated operators.
#[derive(Clone, Debug)]
pub enum ReplicatedOp {
    /// `[] x:S @ P`
    ExternalChoice,
    /// `|~| x:S @ P`
    InternalChoice,
    /// `; x:s @ P`, over a sequence
    Sequential,
    /// `||| x:S @ P`
    Interleave,
    /// `[| A |] x:S @ P`
    GeneralisedParallel(ExprId),
    /// `|| x:S @ [A] P`: the alphabet is in the scope of the statements.
    AlphabetisedParallel(ExprId),
    /// `[a <-> b] x:s @ P`, over a sequence
    LinkedParallel(Ties),
    /// `[+ A +] x:S @ P`
    SynchronisingChoice(ExprId),
}

/// A pattern.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// `x`: a variable, unless `x` is a constructor or channel in scope (name resolution decides).
    Name(QualifiedName),
    /// `_`
    Wildcard,
    /// `42`, `-1`
    Int(i64),
    /// `true`, `false`
    Bool(bool),
    /// `'c'`
    Char(char),
    /// `"text"`
    String(String),
    /// `(p, q)`
    Tuple(Vec<PatternId>),
    /// `<p, q>`
    Sequence(Vec<PatternId>),
    /// `p ^ q ^ r`: two or more, never itself a concatenation.
    Concat(Vec<PatternId>),
    /// `{}`
    EmptySet,
    /// `{p}`
    Singleton(PatternId),
    /// `p.q.r`: two or more, never itself a dot unless parenthesised.
    Dot(Vec<PatternId>),
    /// `p @@ q`
    Both(PatternId, PatternId),
    /// `(p)`
    Parenthesised(PatternId),
}

/// A declaration.
#[derive(Clone, Debug)]
pub enum Declaration {
    /// `p = e`, where `p` may be a plain name.
    Pattern(PatternId, ExprId),
    /// `f(p)(q) = e`: adjacent clauses of one name, joined.
    Function(Identifier, Vec<Clause>),
    /// `channel c, d : T`
    Channel(Vec<Identifier>, Option<ExprId>),
    /// `datatype T = A | B.S`
    Datatype(Identifier, Vec<Constructor>),
    /// `subtype T = A | B.S`
    Subtype(Identifier, Vec<Constructor>),
    /// `nametype N = S`
    Nametype(Identifier, ExprId),
    /// `external f, g`
    External(Vec<Identifier>),
    /// `transparent f, g`
    Transparent(Vec<Identifier>),
    /// `module M(p, q) ... exports ... endmodule`
    Module {
        /// M
        name: Identifier,
        /// p, q: empty for a module without arguments.
        parameters: Vec<PatternId>,
        /// The declarations before `exports`.
        private: Vec<DeclarationId>,
        /// The declarations after `exports`.
        exports: Vec<DeclarationId>,
    },
    /// `instance I = M(e)`
    Instance {
        /// I
        name: Identifier,
        /// M
        module: QualifiedName,
        /// e: empty for a module without arguments.
        arguments: Vec<ExprId>,
    },
    /// `include "path"`, with the declarations of the file.
    Include(String, Vec<DeclarationId>),
    /// `print e`
    Print(ExprId),
    /// `Timed (f) { ds }`
    Timed(Option<ExprId>, Vec<DeclarationId>),
    /// `f, g :: (Eq a) => T`
    Annotation(Vec<Identifier>, TypeScheme),
    /// `assert ...`
    Assert(Assertion),
}

/// One clause of a function. `groups[i]` has the patterns of pair `i` of parentheses.
#[derive(Clone, Debug)]
pub struct Clause {
    /// One or more groups; a group may be empty, `f()`.
    pub groups: Vec<Vec<PatternId>>,
    /// The right-hand side.
    pub body: ExprId,
    /// The whole clause.
    pub span: Span,
}

/// `A` or `B.S.T` in a datatype or subtype.
#[derive(Clone, Debug)]
pub struct Constructor {
    /// B
    pub name: Identifier,
    /// S.T as one type expression (a dot, a tuple or a set), absent for a constant.
    pub fields: Option<ExprId>,
}

/// `assert [not] ...`
#[derive(Clone, Debug)]
pub struct Assertion {
    /// `not`
    pub negated: bool,
    /// The claim.
    pub kind: AssertionKind,
    /// The options in the order written; each kind at most once.
    pub options: Vec<AssertionOption>,
}

/// A semantic model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ModelName {
    /// Traces.
    T,
    /// Stable failures.
    F,
    /// Failures and divergences.
    FD,
    /// Stable revivals.
    V,
    /// Revivals and divergences.
    VD,
    /// Stable refusal testing.
    R,
    /// Refusal testing and divergences.
    RD,
}

impl ModelName {
    /// All models.
    pub const ALL: [Self; 7] = [
        Self::T,
        Self::F,
        Self::FD,
        Self::V,
        Self::VD,
        Self::R,
        Self::RD,
    ];

    /// The name that a script writes between `[` and `=`.
    pub fn name(self) -> &'static str {
        match self {
            Self::T => "T",
            Self::F => "F",
            Self::FD => "FD",
            Self::V => "V",
            Self::VD => "VD",
            Self::R => "R",
            Self::RD => "RD",
        }
    }

    /// The model with this name, if there is one.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|model| model.name() == name)
    }
}

/// The claim of an assertion.
#[derive(Clone, Debug)]
pub enum AssertionKind {
    /// `Spec [T= Impl`
    Refinement {
        /// Spec
        specification: ExprId,
        /// T
        model: ModelName,
        /// Impl
        implementation: ExprId,
    },
    /// `P :[deadlock free [M]]` or another property.
    Property {
        /// P
        process: ExprId,
        /// The property that the process should have.
        property: Property,
        /// M, if given.
        model: Option<ModelName>,
    },
    /// `P :[has trace [M]]: t`
    HasTrace {
        /// P
        process: ExprId,
        /// M, if given.
        model: Option<ModelName>,
        /// t: a sequence of events.
        trace: ExprId,
    },
    /// `e :[symmetric [M]]: T1, diff(T2, {| c |})`
    Symmetric {
        /// e
        subject: ExprId,
        /// M, if given: the images of e are equal to it in this model, and need not be bisimilar.
        model: Option<ModelName>,
        /// The types; may be empty.
        types: Vec<SymmetricType>,
    },
    /// An assertion that could not be read, which has been reported: its text, so that it is named
    /// and counted like any other.
    Unread(String),
}

/// The property of an [`AssertionKind::Property`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Property {
    /// `deadlock free`
    DeadlockFree,
    /// `divergence free` or `livelock free`
    DivergenceFree,
    /// `deterministic`
    Deterministic,
}

/// Options behind an assertion.
#[derive(Clone, Debug)]
pub enum AssertionOption {
    /// `:[tau priority over]: S`
    TauPriority(ExprId),
    /// `:[partial order reduce [word]]`
    PartialOrderReduce(Option<String>),
    /// `:[symmetry reduce]: T1, diff(T2, {| c |})`; no types means every type.
    SymmetryReduce(Vec<SymmetricType>),
    /// `:[for all]: N` or `:[for all]: N >= 2`, with the expression behind the colon.
    ForAll(ExprId),
}

/// A type named in a symmetry option: `T` or `diff(T, {| c1, c2 |})`.
#[derive(Clone, Debug)]
pub struct SymmetricType {
    /// T
    pub name: QualifiedName,
    /// T as an expression.
    pub expression: ExprId,
    /// The constructors that stay fixed.
    pub fixed: Vec<ExprId>,
    /// The place of the whole type.
    pub span: Span,
}

/// A type with its constraints: `(Eq a, Set b) => t`.
#[derive(Clone, Debug)]
pub struct TypeScheme {
    /// (constraint, type variable) pairs.
    pub constraints: Vec<(Identifier, Identifier)>,
    /// The type.
    pub body: TypeId,
}

/// A type expression of an annotation.
#[derive(Clone, Debug)]
pub enum TypeExpr {
    /// `Int`, a datatype, or a type variable.
    Name(QualifiedName),
    /// `{t}`
    Set(TypeId),
    /// `<t>`
    Sequence(TypeId),
    /// `(t, u)`
    Tuple(Vec<TypeId>),
    /// `(| k => v |)`
    Map(TypeId, TypeId),
    /// `(t, u) -> v`, `() -> v`
    Function(Vec<TypeId>, TypeId),
    /// `t.u`
    Dot(TypeId, TypeId),
    /// `t => u`
    Dotable(TypeId, TypeId),
    /// `t =>* u`
    Extendable(TypeId, TypeId),
    /// `(t)`
    Parenthesised(TypeId),
}

impl Ast {
    /// The text of `symbol`.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.symbols[symbol]
    }

    /// The expression `id`.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.expressions[id].kind
    }

    /// All declarations of the top level in the order of the text. Those of includes and Timed
    /// sections stand where the include or the section does.
    pub fn top_level(&self) -> Vec<DeclarationId> {
        let mut all = Vec::new();
        // The declarations that are left, the next one last.
        let mut left: Vec<DeclarationId> = self.script.iter().rev().copied().collect();
        while let Some(id) = left.pop() {
            match self.declaration(id) {
                Declaration::Include(_, inner) | Declaration::Timed(_, inner) => {
                    left.extend(inner.iter().rev());
                }
                _ => all.push(id),
            }
        }
        all
    }

    /// The declaration of the constant `name` of the top level: a definition such as `N = 3`.
    pub fn constant(&self, name: &str) -> Option<DeclarationId> {
        let mut top = self.top_level().into_iter();
        top.find(|&id| match self.declaration(id) {
            Declaration::Pattern(pattern, _) => self.is_named(*pattern, name),
            _ => false,
        })
    }

    /// True if the pattern is the plain name `name`.
    pub fn is_named(&self, pattern: PatternId, name: &str) -> bool {
        match self.pattern(pattern) {
            Pattern::Name(path) => {
                path.segments.len() == 1 && self.name(path.last().symbol) == name
            }
            _ => false,
        }
    }

    /// True if the declaration `id` names the labels of an imported file, which no script does.
    pub(super) fn is_of_import(&self, id: DeclarationId) -> bool {
        let Declaration::Pattern(_, labels) = self.declaration(id) else {
            return false;
        };
        let file = self.expressions[*labels].span.file;
        self.imports.iter().any(|import| import.file == file)
    }

    /// The expression `id` without the brackets around it.
    pub fn unbracketed(&self, id: ExprId) -> ExprId {
        let mut id = id;
        while let Expr::Parenthesised(inner) = self.expr(id) {
            id = *inner;
        }
        id
    }

    /// The pattern `id` without the brackets around it.
    pub fn unbracketed_pattern(&self, id: PatternId) -> PatternId {
        let mut id = id;
        while let Pattern::Parenthesised(inner) = self.pattern(id) {
            id = *inner;
        }
        id
    }

    /// The pattern `id`.
    pub fn pattern(&self, id: PatternId) -> &Pattern {
        &self.patterns[id].kind
    }

    /// The declaration `id`.
    pub fn declaration(&self, id: DeclarationId) -> &Declaration {
        &self.declarations[id].kind
    }
}

impl QualifiedName {
    /// The last segment: the name itself.
    pub fn last(&self) -> Identifier {
        self.segments[self.segments.len() - 1]
    }

    /// The span from the first segment to the last.
    pub fn span(&self) -> Span {
        self.segments[0].span.to(self.last().span)
    }
}

impl BinaryOp {
    /// The operator as a script writes it.
    pub fn text(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Modulo => "%",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::And => "and",
            BinaryOp::Or => "or",
            BinaryOp::Concat => "^",
        }
    }
}

impl ProcessOp {
    /// The operator as a script writes it.
    pub fn text(self) -> &'static str {
        match self {
            ProcessOp::ExternalChoice => "[]",
            ProcessOp::InternalChoice => "|~|",
            ProcessOp::Sequential => ";",
            ProcessOp::Interleave => "|||",
            ProcessOp::Interrupt => "/\\",
            ProcessOp::SlidingChoice => "[>",
        }
    }
}

impl SetOp {
    /// The text of the operator before the set, and the text behind it.
    pub fn text(self) -> [&'static str; 2] {
        match self {
            SetOp::GeneralisedParallel => ["[|", "|]"],
            SetOp::Exception => ["[|", "|>"],
            SetOp::SynchronisingChoice => ["[+", "+]"],
            SetOp::SynchronisingInterrupt => ["/+", "+\\"],
        }
    }
}
