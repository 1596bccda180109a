//! Hints for common mistakes, recognised by the types that meet.

use super::inference::Inference;
use super::reason::{TypeReason, what};
use super::text::TypeNames;
use super::types::{Type, TypeKind};
use syntax::ast::{BinaryOp, Expr, ExprId};
use syntax::print::expression_text;

impl Inference<'_> {
    /// The hint for `culprit`, which should have type `expected` for `reason`, but has type
    /// `actual`.
    pub(super) fn trap(
        &mut self,
        culprit: ExprId,
        (expected, actual): (Type, Type),
        reason: TypeReason,
    ) -> Option<String> {
        // Asked first: where brackets are missing, the types that meet are those of the wrong
        // parts.
        if let Some(hint) = self.dotted_comparison(culprit) {
            return Some(hint);
        }
        let expected = self.types.with_evaluated_dots(expected).unwrap_or(expected);
        let actual = self.types.with_evaluated_dots(actual).unwrap_or(actual);
        let (wanted, given) = (self.types.kind(expected), self.types.kind(actual));
        // A type that an annotation lets be any fits nothing else, whatever the other type is.
        let rigid = self.types.rigid_name(expected);
        if let Some(name) = rigid.or(self.types.rigid_name(actual)) {
            let name = self.ast.name(name);
            return Some(format!(
                "by its annotation `{name}` stands for any type: write the type that is meant instead"
            ));
        }
        let too_soon = match (&wanted, &given) {
            (TypeKind::Tuple(_) | TypeKind::Dot(_), _) => None,
            (_, TypeKind::Dot(_)) => self.whole_too_soon(culprit),
            _ => None,
        };
        if too_soon.is_some() {
            return too_soon;
        }
        match (&wanted, &given) {
            (TypeKind::Bool, TypeKind::Event)
                if matches!(reason, TypeReason::Taken(what::GUARD)) =>
            {
                let text = expression_text(self.ast, culprit);
                Some(format!(
                    "`&` stands behind a condition; a process that does an event first is `{text} -> P`"
                ))
            }
            (TypeKind::Process, _) => self.no_process(culprit, &given),
            (TypeKind::Event, TypeKind::Process) if matches!(reason, TypeReason::Like(..)) => {
                Some("an event is no process: `a -> P` makes one of the event a".to_string())
            }
            (TypeKind::Event | TypeKind::Datatype(_), TypeKind::Dotable(..)) => {
                self.missing_fields(culprit, actual)
            }
            (TypeKind::Set(wanted), TypeKind::Set(given)) => self.set_of_channels(*wanted, *given),
            _ => self
                .other_fields(expected, actual, reason)
                .or_else(|| self.wrong_collection(culprit, &wanted, &given, reason)),
        }
    }

    /// The hint for a dotted expression whose first items are already complete.
    pub(super) fn whole_too_soon(&mut self, dotted: ExprId) -> Option<String> {
        let ast = self.ast;
        let Expr::Dot(items) = ast.expr(ast.unbracketed(dotted)) else {
            return None;
        };
        let types: Option<Vec<Type>> = items.iter().map(|&item| self.expressions[item]).collect();
        let types = types?;
        let whole = (1..items.len()).find(|&count| {
            let first = self.types.dot(&types[..count]);
            let first = self.types.with_evaluated_dots(first).unwrap_or(first);
            matches!(
                self.types.kind(first),
                TypeKind::Event | TypeKind::Datatype(_)
            )
        })?;
        let texts: Vec<String> = items[..whole]
            .iter()
            .map(|&item| expression_text(ast, item))
            .collect();
        Some(format!(
            "`{}` lacks no field: nothing may be dotted to its right",
            texts.join(".")
        ))
    }

    /// Adds the hint for `c.x == d.y` to the messages about `dotted` after the first `before` ones.
    /// They are one mistake, and only the first of them is reported.
    pub(super) fn explain_comparison(&mut self, dotted: ExprId, before: usize) {
        if self.diagnostics.len() == before {
            return;
        }
        if let Some(hint) = self.dotted_comparison(dotted) {
            self.diagnostics.truncate(before + 1);
            self.diagnostics[before].set_hint(hint);
        }
    }

    /// The hint for `c.x == d.y`, which is read as `c.(x == d).y`; `None` if `dotted` is not of
    /// this kind.
    pub(super) fn dotted_comparison(&self, dotted: ExprId) -> Option<String> {
        let Expr::Dot(items) = self.ast.expr(self.ast.unbracketed(dotted)) else {
            return None;
        };
        let operators: Vec<(usize, BinaryOp, [ExprId; 2])> = items
            .iter()
            .enumerate()
            .filter_map(|(at, &item)| self.operation(item).map(|(op, sides)| (at, op, sides)))
            .collect();
        let is_comparison = |&&(_, operator, _): &&(usize, BinaryOp, [ExprId; 2])| {
            matches!(operator, BinaryOp::Equal | BinaryOp::NotEqual)
        };
        let &(at, operator, sides) = operators.iter().find(is_comparison)?;
        let operator = operator.text();
        let is_alone = operators.len() == 1 && sides.iter().all(|&s| self.operation(s).is_none());
        let instead = if is_alone {
            let left = self.bracketed(items[..at].iter().copied().chain([sides[0]]));
            let right = self.bracketed(
                [sides[1]]
                    .into_iter()
                    .chain(items[at + 1..].iter().copied()),
            );
            format!("write `{left} {operator} {right}`")
        } else {
            "put each dotted value into brackets, as in `(c.x) == (d.y)`".to_string()
        };
        Some(format!("a dot binds looser than `{operator}`: {instead}"))
    }

    /// The operator and the operands of `id`; `None` if it stands in brackets or is no operation.
    fn operation(&self, id: ExprId) -> Option<(BinaryOp, [ExprId; 2])> {
        match *self.ast.expr(id) {
            Expr::Binary(operator, left, right) => Some((operator, [left, right])),
            _ => None,
        }
    }

    /// The text of the items with dots between, in brackets if there are several: `(c.x)`, `c`.
    fn bracketed(&self, items: impl Iterator<Item = ExprId>) -> String {
        let texts: Vec<String> = items.map(|item| expression_text(self.ast, item)).collect();
        match &texts[..] {
            [only] => only.clone(),
            _ => format!("({})", texts.join(".")),
        }
    }

    /// The hint for another value where a process must stand.
    fn no_process(&mut self, culprit: ExprId, given: &TypeKind) -> Option<String> {
        let text = expression_text(self.ast, culprit);
        match given {
            TypeKind::Event => Some(format!("an event is no process: write `{text} -> ...`")),
            TypeKind::Dotable(..) => Some(format!(
                "a channel is no process: give it its fields, `{text}?x -> ...` or `{text}!x -> ...`"
            )),
            TypeKind::Function(parameters, _) => {
                let some = vec!["..."; parameters.len()].join(", ");
                Some(format!(
                    "it is a function: give it its arguments, `{text}({some})`"
                ))
            }
            TypeKind::Bool => Some(format!("a condition guards a process: `{text} & P`")),
            _ => None,
        }
    }

    /// The hint for missing fields where a complete value must stand.
    fn missing_fields(&mut self, culprit: ExprId, actual: Type) -> Option<String> {
        let fields = self.types.fields(actual).0;
        let mut names = TypeNames::new(self.ast);
        let types: Vec<String> = fields
            .iter()
            .map(|&field| names.ty(&mut self.types, field))
            .collect();
        let text = expression_text(self.ast, culprit);
        let [last] = &types[..] else {
            let count = types.len();
            let all = types.join(", ");
            return Some(format!(
                "`{text}` still needs {count} fields to its right: {all}"
            ));
        };
        Some(format!(
            "`{text}` still needs a field to its right, of type {last}"
        ))
    }

    /// The numbers of fields that the two types lack, if these differ and both become one kind of
    /// value.
    fn lacking(&mut self, one: Type, other: Type) -> Option<(usize, usize)> {
        let mut ends = |ty: Type| {
            let (fields, end) = self.types.fields(ty);
            (fields.len(), self.types.kind(end))
        };
        let ((one_lacks, one), (other_lacks, other)) = (ends(one), ends(other));
        (one == other && one_lacks != other_lacks).then_some((one_lacks, other_lacks))
    }

    /// The hint for `{c}` instead of `{|c|}`.
    fn set_of_channels(&mut self, one: Type, other: Type) -> Option<String> {
        match self.lacking(one, other)? {
            (0, _) | (_, 0) => Some(all_events()),
            _ => None,
        }
    }

    /// The hint for two neighbours that lack different fields.
    pub(super) fn other_fields(
        &mut self,
        one: Type,
        other: Type,
        reason: TypeReason,
    ) -> Option<String> {
        match reason {
            TypeReason::Like(what::ITEM_OF_SET, _) => self.set_of_channels(one, other),
            TypeReason::Like(what::PARAMETER, _) => self.lacking(one, other).map(|_| {
                "a constructor stands with all its fields: `B.x`, or `B._` if they do not matter"
                    .to_string()
            }),
            TypeReason::Like(what::SIDE_OF_PAIR, _) => self
                .lacking(one, other)
                .map(|_| "both sides must be whole events, or lack the same fields".to_string()),
            _ => None,
        }
    }

    /// The hint for a wrong kind of collection: a set for a sequence, or one value for several.
    fn wrong_collection(
        &mut self,
        culprit: ExprId,
        wanted: &TypeKind,
        given: &TypeKind,
        reason: TypeReason,
    ) -> Option<String> {
        let text = expression_text(self.ast, culprit);
        if let Some(hint) = self.twin_function(wanted, given, reason) {
            return Some(hint);
        }
        match (wanted, given) {
            (TypeKind::Set(_), TypeKind::Sequence(_)) => Some(match self.ast.expr(culprit) {
                _ if matches!(reason, TypeReason::Taken(what::FIELD_VALUES)) => {
                    "the set of all sequences of elements of a set S is `Seq(S)`".to_string()
                }
                Expr::Sequence(_) => "a set is written `{...}`".to_string(),
                _ => format!("`set(s)` is the set of the items of a sequence: `set({text})`"),
            }),
            (TypeKind::Sequence(_), TypeKind::Set(_)) => Some(match self.ast.expr(culprit) {
                _ if matches!(reason, TypeReason::Taken(what::LENGTH_OPERAND)) => {
                    format!("the number of elements of a set is `card({text})`")
                }
                Expr::Set(_) => "a sequence is written `<...>`".to_string(),
                _ => format!("`seq(S)` is a sequence of the elements of a set: `seq({text})`"),
            }),
            (TypeKind::Set(element), TypeKind::Int)
                // A set of numbers is no help where events are wanted.
                if self.types.kind(*element) != TypeKind::Event =>
            {
                Some("a set of numbers is written `{0..3}`, or `{1, 5}`".to_string())
            }
            (TypeKind::Set(element), TypeKind::Dotable(..))
                if self.types.kind(*element) == TypeKind::Event =>
            {
                Some(format!(
                    "the set of all events of a channel is written `{{| {text} |}}`"
                ))
            }
            (TypeKind::Set(element), given) if self.types.kind(*element) == *given => {
                Some(format!("a set of one element is written `{{{text}}}`"))
            }
            (TypeKind::Sequence(item), given) if self.types.kind(*item) == *given => {
                Some(format!("a sequence of one item is written `<{text}>`"))
            }
            _ => self.wrong_dots(culprit, wanted, given),
        }
    }

    /// The hint for dots instead of commas, or for one name instead of several fields.
    fn wrong_dots(&self, culprit: ExprId, wanted: &TypeKind, given: &TypeKind) -> Option<String> {
        match (wanted, given) {
            (TypeKind::Tuple(wanted), TypeKind::Dot(given)) if wanted.len() == given.len() => {
                Some("dots make fields, commas make tuples: write `(x, y)` for a pair".to_string())
            }
            (TypeKind::Dot(wanted), TypeKind::Tuple(given)) if wanted.len() == given.len() => {
                Some("commas make tuples, dots make fields: write `x.y`".to_string())
            }
            (
                TypeKind::Int
                | TypeKind::Bool
                | TypeKind::Char
                | TypeKind::Datatype(_)
                | TypeKind::Event,
                TypeKind::Dot(parts),
            ) if matches!(self.ast.expr(culprit), Expr::Name(_)) => {
                let (text, count) = (expression_text(self.ast, culprit), parts.len());
                Some(format!(
                    "`{text}` stands for {count} fields at once: name each, as in `c?x?y` or `A.x.y`"
                ))
            }
            _ => None,
        }
    }

    /// The hint for a function of sequences that is given a set, or the reverse.
    fn twin_function(
        &self,
        wanted: &TypeKind,
        given: &TypeKind,
        reason: TypeReason,
    ) -> Option<String> {
        let TypeReason::Argument(function, _) = reason else {
            return None;
        };
        let twins = match (wanted, given) {
            (TypeKind::Set(_), TypeKind::Sequence(_)) => [("member", "elem"), ("card", "length")],
            (TypeKind::Sequence(_), TypeKind::Set(_)) => [("elem", "member"), ("length", "card")],
            _ => return None,
        };
        let name = expression_text(self.ast, function);
        let (_, twin) = twins.iter().find(|(one, _)| *one == name)?;
        let kind = if matches!(given, TypeKind::Set(_)) {
            "sets"
        } else {
            "sequences"
        };
        Some(format!("for {kind} the same is called `{twin}`"))
    }
}

fn all_events() -> String {
    "a channel that lacks fields is no event: for all its events write `{| c |}`, with bars"
        .to_string()
}
