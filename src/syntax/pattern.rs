//! Converts expressions to patterns: the grammar reads patterns as expressions.

use super::assertion::plain_list;
use super::ast::{BinaryOp, Expr, ExprId, Node, Pattern, PatternId, UnaryOp};
use super::builder::{Placeholder, TreeBuilder, double_pattern_in_field};
use base::diag::Diagnostic;
use base::source::Span;
use base::stack::deep;

impl TreeBuilder<'_> {
    /// The pattern that `expr` stands for. Reports an expression that is no pattern.
    pub(crate) fn pattern(&mut self, expr: ExprId) -> PatternId {
        let span = self.ast.expressions[expr].span;
        let kind = deep(|| self.pattern_kind(expr, span));
        let fixed = match &kind {
            Pattern::Concat(parts) => parts.iter().all(|&part| self.has_known_length(part)),
            _ => false,
        };
        let id = self.ast.patterns.push(Node { kind, span });
        if fixed {
            self.fixed_concats.insert(id);
        }
        id
    }

    fn pattern_kind(&mut self, id: ExprId, span: Span) -> Pattern {
        match self.take_placeholder(id) {
            Some(Placeholder::Wildcard) => return Pattern::Wildcard,
            Some(Placeholder::Both(left, right)) => {
                if self.in_field {
                    self.report(double_pattern_in_field(span));
                }
                return Pattern::Both(self.pattern(left), self.pattern(right));
            }
            Some(Placeholder::Restricted(..) | Placeholder::Fields(..)) => {
                return self.no_pattern(span, "");
            }
            None => {}
        }
        // The arena is borrowed by the recursion, so the node is copied; patterns are small.
        match self.ast.expr(id).clone() {
            Expr::Int(value) => Pattern::Int(value),
            Expr::Bool(value) => Pattern::Bool(value),
            Expr::Char(value) => Pattern::Char(value),
            Expr::String(value) => Pattern::String(value),
            Expr::Name(path) => Pattern::Name(path),
            Expr::Parenthesised(inner) => Pattern::Parenthesised(self.pattern(inner)),
            Expr::Tuple(items) => Pattern::Tuple(self.patterns(items)),
            Expr::Dot(items) => Pattern::Dot(self.patterns(items)),
            Expr::Unary(UnaryOp::Negate, operand) => match self.ast.expr(operand) {
                // Literals have no sign, so that the value is not negative and `-value` fits.
                Expr::Int(value) => Pattern::Int(-value),
                _ => self.no_pattern(span, "only a number can be negated in a pattern"),
            },
            Expr::Sequence(sequence) => match plain_list(&sequence) {
                Some(items) => Pattern::Sequence(self.patterns(items.to_vec())),
                None => self.no_pattern(span, "a sequence pattern lists its items"),
            },
            Expr::Set(set) => match plain_list(&set) {
                Some([]) => Pattern::EmptySet,
                Some(&[item]) => Pattern::Singleton(self.pattern(item)),
                _ => self.no_pattern(
                    span,
                    "a set pattern is `{}` or has one element, since sets have no order",
                ),
            },
            Expr::Binary(BinaryOp::Concat, ..) => self.concatenation(id, span),
            _ => self.no_pattern(
                span,
                "patterns have names, literals, `_`, tuples, sequences, `^`, `.` and `@@`",
            ),
        }
    }

    /// The pattern `p ^ q ^ r`. Its parts are collected from the left edge of the tree.
    fn concatenation(&mut self, id: ExprId, span: Span) -> Pattern {
        let (mut at, mut parts) = (id, Vec::new());
        while let Expr::Binary(BinaryOp::Concat, left, right) = *self.ast.expr(at) {
            parts.push(right);
            at = left;
        }
        parts.push(at);
        parts.reverse();
        let parts = self.patterns(parts);
        let open: Vec<Span> = parts
            .iter()
            .filter(|&&part| !self.has_known_length(part))
            .map(|&part| self.ast.patterns[part].span)
            .collect();
        if let [first, second, ..] = open[..] {
            self.report(
                Diagnostic::error("ambiguous-pattern", "two parts of this pattern have no fixed length")
                    .at(second, "the second")
                    .at(first, "the first")
                    .at(span, "")
                    .hint("at most one part may stand for any number of items: `<x>^s`, `s^<x>`, `<x>^s^<y>`"),
            );
        }
        Pattern::Concat(parts)
    }

    fn has_known_length(&self, pattern: PatternId) -> bool {
        match self.ast.pattern(pattern) {
            Pattern::Sequence(_) | Pattern::String(_) => true,
            Pattern::Parenthesised(inner) => deep(|| self.has_known_length(*inner)),
            Pattern::Both(left, right) => {
                deep(|| self.has_known_length(*left) || self.has_known_length(*right))
            }
            Pattern::Concat(_) => self.fixed_concats.contains(&pattern),
            _ => false,
        }
    }

    fn no_pattern(&mut self, span: Span, note: &str) -> Pattern {
        let mut diagnostic =
            Diagnostic::error("not-a-pattern", "this cannot be used as a pattern").at(span, "");
        if !note.is_empty() {
            diagnostic = diagnostic.note(note);
        }
        self.report(diagnostic);
        Pattern::Wildcard
    }
}
