//! Hints for common mistakes, recognised by the types that meet.

use super::check::TypeCheck;
use super::comparison::dotted_comparison;
use super::reason::{TypeReason, what};
use super::text::TypeNames;
use super::types::{Type, TypeKind, Types};
use syntax::ast::{Ast, Expr, ExprId};
use syntax::print::expression_text;

impl TypeCheck<'_, '_> {
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
        if let Some(hint) = dotted_comparison(self.script.ast, culprit) {
            return Some(hint);
        }
        let expected = self.types.with_evaluated_dots(expected).unwrap_or(expected);
        let actual = self.types.with_evaluated_dots(actual).unwrap_or(actual);
        let (wanted, given) = (self.types.kind(expected), self.types.kind(actual));
        // A type that an annotation lets be any fits nothing else, whatever the other type is.
        let rigid = self.types.rigid_name(expected);
        if let Some(name) = rigid.or(self.types.rigid_name(actual)) {
            let name = self.script.ast.name(name);
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
                let text = expression_text(self.script.ast, culprit);
                Some(format!(
                    "`&` stands behind a condition; a process that does an event first is `{text} -> P`"
                ))
            }
            (TypeKind::Process, _) => no_process(self.script.ast, culprit, &given),
            (TypeKind::Event, TypeKind::Process) if matches!(reason, TypeReason::Like(..)) => {
                Some("an event is no process: `a -> P` makes one of the event a".to_string())
            }
            (TypeKind::Event | TypeKind::Datatype(_), TypeKind::Dotable(..)) => {
                self.missing_fields(culprit, actual)
            }
            (TypeKind::Set(wanted), TypeKind::Set(given)) => {
                set_of_channels(self.types, *wanted, *given)
            }
            _ => other_fields(self.types, expected, actual, reason)
                .or_else(|| self.wrong_collection(culprit, &wanted, &given, reason)),
        }
    }

    /// The hint for a dotted expression whose first items are already complete.
    pub(super) fn whole_too_soon(&mut self, dotted: ExprId) -> Option<String> {
        let ast = self.script.ast;
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

    /// The hint for missing fields where a complete value must stand.
    fn missing_fields(&mut self, culprit: ExprId, actual: Type) -> Option<String> {
        let fields = self.types.fields(actual).0;
        let mut names = TypeNames::new(self.script.ast);
        let types: Vec<String> = fields
            .iter()
            .map(|&field| names.ty(self.types, field))
            .collect();
        let text = expression_text(self.script.ast, culprit);
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

    /// The hint for a wrong kind of collection: a set for a sequence, or one value for several.
    fn wrong_collection(
        &mut self,
        culprit: ExprId,
        wanted: &TypeKind,
        given: &TypeKind,
        reason: TypeReason,
    ) -> Option<String> {
        let ast = self.script.ast;
        let text = expression_text(ast, culprit);
        if let Some(hint) = twin_function(ast, wanted, given, reason) {
            return Some(hint);
        }
        match (wanted, given) {
            (TypeKind::Set(_), TypeKind::Sequence(_)) => Some(match ast.expr(culprit) {
                _ if matches!(reason, TypeReason::Taken(what::FIELD_VALUES)) => {
                    "the set of all sequences of elements of a set S is `Seq(S)`".to_string()
                }
                Expr::Sequence(_) => "a set is written `{...}`".to_string(),
                _ => format!("`set(s)` is the set of the items of a sequence: `set({text})`"),
            }),
            (TypeKind::Sequence(_), TypeKind::Set(_)) => Some(match ast.expr(culprit) {
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
            _ => wrong_dots(ast, culprit, wanted, given),
        }
    }
}

/// The hint for another value where a process must stand.
fn no_process(ast: &Ast, culprit: ExprId, given: &TypeKind) -> Option<String> {
    let text = expression_text(ast, culprit);
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

/// The numbers of fields that the two types lack, if these differ and both become one kind of
/// value.
fn lacking(types: &mut Types, one: Type, other: Type) -> Option<(usize, usize)> {
    let mut ends = |ty: Type| {
        let (fields, end) = types.fields(ty);
        (fields.len(), types.kind(end))
    };
    let ((one_lacks, one), (other_lacks, other)) = (ends(one), ends(other));
    (one == other && one_lacks != other_lacks).then_some((one_lacks, other_lacks))
}

/// The hint for `{c}` instead of `{|c|}`.
fn set_of_channels(types: &mut Types, one: Type, other: Type) -> Option<String> {
    match lacking(types, one, other)? {
        (0, _) | (_, 0) => Some(all_events()),
        _ => None,
    }
}

/// The hint for two neighbours that lack different fields.
pub(super) fn other_fields(
    types: &mut Types,
    one: Type,
    other: Type,
    reason: TypeReason,
) -> Option<String> {
    match reason {
        TypeReason::Like(what::ITEM_OF_SET, _) => set_of_channels(types, one, other),
        TypeReason::Like(what::PARAMETER, _) => lacking(types, one, other).map(|_| {
            "a constructor stands with all its fields: `B.x`, or `B._` if they do not matter"
                .to_string()
        }),
        TypeReason::Like(what::SIDE_OF_PAIR, _) => lacking(types, one, other)
            .map(|_| "both sides must be whole events, or lack the same fields".to_string()),
        _ => None,
    }
}

/// The hint for dots instead of commas, or for one name instead of several fields.
fn wrong_dots(ast: &Ast, culprit: ExprId, wanted: &TypeKind, given: &TypeKind) -> Option<String> {
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
        ) if matches!(ast.expr(culprit), Expr::Name(_)) => {
            let (text, count) = (expression_text(ast, culprit), parts.len());
            Some(format!(
                "`{text}` stands for {count} fields at once: name each, as in `c?x?y` or `A.x.y`"
            ))
        }
        _ => None,
    }
}

/// The hint for a function of sequences that is given a set, or the reverse.
fn twin_function(
    ast: &Ast,
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
    let name = expression_text(ast, function);
    let (_, twin) = twins.iter().find(|(one, _)| *one == name)?;
    let kind = if matches!(given, TypeKind::Set(_)) {
        "sets"
    } else {
        "sequences"
    };
    Some(format!("for {kind} the same is called `{twin}`"))
}

fn all_events() -> String {
    "a channel that lacks fields is no event: for all its events write `{| c |}`, with bars"
        .to_string()
}
