//! Binding strengths: a row of operators and operands becomes a tree as it is read.
//!
//! This follows what a precedence-driven LR parser does: before an infix operator is
//! stacked, everything that binds more strongly is reduced. A prefix operator reduces
//! nothing, so that a weak one may stand to the right of a strong infix one (`x == not y`,
//! `a -> if b then P else Q`) and then reaches as far as its own strength lets it.

use super::ast::{
    BinaryOp, DeclarationId, Expr, ExprId, PatternId, ProcessOp, ReplicatedOp, SetOp, Statement,
    Ties, UnaryOp,
};
use super::builder::{Placeholder, TreeBuilder};
use super::fixup::{self, Hiding};
use base::diag::Diagnostic;
use base::source::Span;

/// A row that ends in an operand; most consist of nothing else.
pub(crate) enum OperatorRow {
    Single(ExprId),
    Many(Box<Yard>),
}

impl OperatorRow {
    pub(crate) fn into_yard(self) -> Box<Yard> {
        match self {
            OperatorRow::Single(operand) => Box::new(Yard {
                operands: vec![operand],
                operators: Vec::new(),
            }),
            OperatorRow::Many(yard) => yard,
        }
    }
}

/// An operator before its operand.
pub(crate) enum PrefixOp {
    Unary(UnaryOp),
    If(ExprId, ExprId),
    Let(Vec<DeclarationId>),
    Lambda(Vec<PatternId>),
    Replicated(Box<(ReplicatedOp, Vec<Statement>)>),
}

impl PrefixOp {
    pub(crate) fn replicated(op: ReplicatedOp, statements: Vec<Statement>) -> Self {
        PrefixOp::Replicated(Box::new((op, statements)))
    }

    /// The binding strength of the whole prefix form against an infix operator on its right.
    fn strength(&self) -> (u8, Associativity) {
        use Associativity::{Left, None};
        match self {
            PrefixOp::Unary(UnaryOp::Not) => (18, Left),
            PrefixOp::Unary(UnaryOp::Negate) => (20, Left),
            PrefixOp::Unary(UnaryOp::Length) => (22, Left),
            PrefixOp::Replicated(replicated)
                if matches!(replicated.0, ReplicatedOp::AlphabetisedParallel(_)) =>
            {
                (PARALLEL, None)
            }
            PrefixOp::If(..) | PrefixOp::Let(_) | PrefixOp::Lambda(_) | PrefixOp::Replicated(_) => {
                (1, Left)
            }
        }
    }
}

/// An operator between two operands.
pub(crate) enum InfixOp {
    Binary(BinaryOp),
    Process(ProcessOp),
    Over(SetOp, ExprId),
    AlphabetisedParallel(ExprId, ExprId),
    LinkedParallel(Box<Ties>),
    Hide,
    Project,
    Arrow,
    Guard,
    Output,
    Input,
    Nondeterministic,
    Dot,
    /// The colon of `?x:S` and of a generator `x : S`.
    Restriction,
    Both,
}

const PARALLEL: u8 = 5;
const COMPARISON: u8 = 19;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Associativity {
    Left,
    Right,
    None,
}

impl InfixOp {
    /// The binding strength, and how the operator associates. Higher binds more strongly.
    fn strength(&self) -> (u8, Associativity) {
        use Associativity::{Left, None, Right};
        use BinaryOp as B;
        use ProcessOp as P;
        match self {
            InfixOp::Both => (2, None),
            InfixOp::Hide | InfixOp::Project => (3, Left),
            InfixOp::Process(P::Interleave) => (4, Left),
            InfixOp::Over(SetOp::GeneralisedParallel | SetOp::Exception, _)
            | InfixOp::AlphabetisedParallel(..)
            | InfixOp::LinkedParallel(_) => (PARALLEL, None),
            InfixOp::Process(P::InternalChoice) => (6, Left),
            InfixOp::Process(P::ExternalChoice) | InfixOp::Over(SetOp::SynchronisingChoice, _) => {
                (7, Left)
            }
            InfixOp::Process(P::Interrupt) | InfixOp::Over(SetOp::SynchronisingInterrupt, _) => {
                (8, Left)
            }
            InfixOp::Process(P::SlidingChoice) => (9, Left),
            InfixOp::Process(P::Sequential) => (10, Left),
            InfixOp::Arrow | InfixOp::Guard => (11, Right),
            InfixOp::Output | InfixOp::Input | InfixOp::Nondeterministic => (12, Left),
            InfixOp::Restriction => (13, None),
            InfixOp::Dot => (14, Right),
            InfixOp::Binary(B::Or) => (16, Left),
            InfixOp::Binary(B::And) => (17, Left),
            InfixOp::Binary(
                B::Equal | B::NotEqual | B::Less | B::LessEqual | B::Greater | B::GreaterEqual,
            ) => (COMPARISON, None),
            InfixOp::Binary(B::Add | B::Subtract) => (20, Left),
            InfixOp::Binary(B::Multiply | B::Divide | B::Modulo) => (21, Left),
            InfixOp::Binary(B::Concat) => (23, Left),
        }
    }
}

enum ChainOperator {
    Prefix(PrefixOp),
    Infix(InfixOp),
}

struct Stacked {
    operator: ChainOperator,
    strength: (u8, Associativity),
    place: (u32, u32),
}

/// The operators and operands not yet combined.
#[derive(Default)]
pub(crate) struct Yard {
    operands: Vec<ExprId>,
    operators: Vec<Stacked>,
}

impl Yard {
    pub(crate) fn operand(&mut self, operand: ExprId) {
        self.operands.push(operand);
    }

    pub(crate) fn prefix(&mut self, prefix: PrefixOp, place: (u32, u32)) {
        let strength = prefix.strength();
        self.operators.push(Stacked {
            operator: ChainOperator::Prefix(prefix),
            strength,
            place,
        });
    }

    pub(crate) fn infix(&mut self, build: &mut TreeBuilder<'_>, infix: InfixOp, place: (u32, u32)) {
        let strength = infix.strength();
        while let Some(top) = self.operators.last() {
            let same = top.strength.0 == strength.0;
            if same && strength.1 == Associativity::None {
                // Reading goes on as if the operator associated to the left.
                build.report(not_associative(build, strength.0, top.place, place));
            }
            // The operator on the stack binds less strongly, or as strongly and to the right: what
            // comes now is in its right operand.
            if top.strength.0 < strength.0 || same && strength.1 == Associativity::Right {
                break;
            }
            self.reduce(build);
        }
        self.operators.push(Stacked {
            operator: ChainOperator::Infix(infix),
            strength,
            place,
        });
    }

    /// Combines all operators that are left. Returns the whole expression.
    pub(crate) fn finish(mut self, build: &mut TreeBuilder<'_>) -> ExprId {
        while !self.operators.is_empty() {
            self.reduce(build);
        }
        self.pop()
    }

    fn pop(&mut self) -> ExprId {
        self.operands
            .pop()
            .expect("the grammar gives each operator its operands")
    }

    /// Combines the topmost operator with its operands.
    fn reduce(&mut self, build: &mut TreeBuilder<'_>) {
        let Some(Stacked {
            operator, place, ..
        }) = self.operators.pop()
        else {
            return;
        };
        let result = match operator {
            ChainOperator::Prefix(prefix) => {
                let body = self.pop();
                reduce_prefix(build, prefix, place, body)
            }
            ChainOperator::Infix(InfixOp::Dot) => self.reduce_dots(build),
            ChainOperator::Infix(infix) => {
                let right = self.pop();
                let left = self.pop();
                reduce_infix(build, infix, left, right)
            }
        };
        self.operands.push(result);
    }

    /// Combines a whole run of dots at once, since it is one node. Parentheses around a
    /// dotted expression count only at the end of the run.
    fn reduce_dots(&mut self, build: &mut TreeBuilder<'_>) -> ExprId {
        // The caller has popped one dot, which has two operands.
        let mut count = 2;
        while matches!(
            self.operators.last(),
            Some(Stacked {
                operator: ChainOperator::Infix(InfixOp::Dot),
                ..
            })
        ) {
            self.operators.pop();
            count += 1;
        }
        let items = self.operands.split_off(self.operands.len() - count);
        let span = build.ast.expressions[items[0]]
            .span
            .to(build.ast.expressions[items[count - 1]].span);
        let mut flat = Vec::with_capacity(count);
        for &item in &items[..count - 1] {
            fixup::flatten_dot(build.ast, item, &mut flat);
        }
        flat.push(items[count - 1]);
        build.expr_at(Expr::Dot(flat), span)
    }
}

fn reduce_prefix(
    build: &mut TreeBuilder<'_>,
    prefix: PrefixOp,
    place: (u32, u32),
    body: ExprId,
) -> ExprId {
    let span = build
        .span(place.0, place.1)
        .to(build.ast.expressions[body].span);
    let kind = match prefix {
        PrefixOp::Unary(op) => Expr::Unary(op, body),
        PrefixOp::If(condition, then) => Expr::If(condition, then, body),
        PrefixOp::Let(members) => Expr::Let(members, body),
        PrefixOp::Lambda(parameters) => Expr::Lambda(parameters, body),
        PrefixOp::Replicated(replicated) => {
            let (op, statements) = *replicated;
            Expr::Replicated(op, statements, body)
        }
    };
    build.expr_at(kind, span)
}

/// Makes a part of a prefix that is complete only when the whole chain is known: a field, a
/// restriction, or patterns that both have to match. A placeholder stands for it until then.
fn hold(
    build: &mut TreeBuilder<'_>,
    infix: &InfixOp,
    left: ExprId,
    right: ExprId,
    span: Span,
) -> ExprId {
    match infix {
        InfixOp::Restriction => {
            build.check_restriction(right);
            // Two restrictions in a row have been reported. The second one counts.
            let restricted = build.take_restricted(left);
            let left = restricted.map_or(left, |(pattern, _)| pattern);
            build.placeholder(Placeholder::Restricted(left, right), span)
        }
        InfixOp::Both => build.placeholder(Placeholder::Both(left, right), span),
        InfixOp::Output | InfixOp::Input | InfixOp::Nondeterministic => {
            build.field(infix, left, right, span)
        }
        _ => unreachable!("the others are reduced at once, and dots in runs"),
    }
}

fn reduce_infix(
    build: &mut TreeBuilder<'_>,
    infix: InfixOp,
    left: ExprId,
    right: ExprId,
) -> ExprId {
    let (first, last) = (&build.ast.expressions[left], &build.ast.expressions[right]);
    let span = first.span.to(last.span);
    let kind = match infix {
        InfixOp::Binary(op) => Expr::Binary(op, left, right),
        InfixOp::Process(op) => Expr::Process(op, left, right),
        InfixOp::Over(op, events) => Expr::Over(op, left, events, right),
        InfixOp::AlphabetisedParallel(left_alphabet, right_alphabet) => {
            Expr::AlphabetisedParallel {
                left,
                left_alphabet,
                right_alphabet,
                right,
            }
        }
        InfixOp::LinkedParallel(ties) => Expr::LinkedParallel {
            left,
            ties: *ties,
            right,
        },
        InfixOp::Hide => return fixup::hide(build.ast, Hiding::Hide, left, right),
        InfixOp::Project => return fixup::hide(build.ast, Hiding::Project, left, right),
        InfixOp::Arrow => {
            let (channel, fields) = build.take_fields(left);
            Expr::Prefix(channel, fields, right)
        }
        InfixOp::Guard => Expr::Guard(left, right),
        unfinished => return hold(build, &unfinished, left, right, span),
    };
    build.expr_at(kind, span)
}

fn not_associative(
    build: &TreeBuilder<'_>,
    level: u8,
    first: (u32, u32),
    second: (u32, u32),
) -> Diagnostic {
    let (first, second) = (build.span(first.0, first.1), build.span(second.0, second.1));
    let diagnostic = match level {
        COMPARISON => Diagnostic::error("chained-comparison", "comparisons cannot be chained")
            .hint("write `a < b and b < c`"),
        PARALLEL => Diagnostic::error(
            "ambiguous-parallel",
            "two parallel operators in a row need brackets",
        )
        .hint("write `(P [| A |] Q) [| B |] R` or `P [| A |] (Q [| B |] R)`: the two differ"),
        2 => Diagnostic::error("chained-double-pattern", "`@@` joins two patterns only")
            .hint("write `(p @@ q) @@ r`"),
        _ => Diagnostic::error("chained-restriction", "two `:` in a row need brackets"),
    };
    diagnostic.at(second, "the second").at(first, "the first")
}
