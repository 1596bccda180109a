//! The reasons why a type is expected, and the message if the type is another.

use super::check::TypeCheck;
use super::constraint::Constraint;
use super::mismatch::TypeMismatch;
use super::text::{TypeNames, elided};
use super::traps::other_fields;
use super::types::{Type, TypeKind};
use base::diag::Diagnostic;
use base::source::Span;
use syntax::ast::ExprId;
use syntax::print::expression_text;

/// The reason why an expression must have a type.
#[derive(Clone, Copy, Debug)]
pub(super) enum TypeReason {
    /// The expression is in this place, which takes the type: `an operand of +`.
    Taken(&'static str),
    /// The expression is an argument of this function, counted from 1.
    Argument(ExprId, usize),
    /// Something alike, described by the text, stands at this place: `another item of the set`.
    Like(&'static str, Span),
}

/// The words for the reasons on which a hint depends.
pub(super) mod what {
    /// The expression before `&`.
    pub(crate) const GUARD: &str = "the guard before `&`";
    /// An item of a set with several items.
    pub(crate) const ITEM_OF_SET: &str = "another item of the set";
    /// A parameter of a clause after the first.
    pub(crate) const PARAMETER: &str = "this parameter of the first clause";
    /// The right side of a pair of a renaming or a link.
    pub(crate) const SIDE_OF_PAIR: &str = "the other side of the pair";
    /// The sets after `channel c :` or a constructor.
    pub(crate) const FIELD_VALUES: &str = "what says which values a field has";
    /// The items of `{| |}`.
    pub(crate) const COMPLETED: &str = "what `{| |}` completes";
    /// The operand of `#`.
    pub(crate) const LENGTH_OPERAND: &str = "the operand of `#`";
}

impl<'a> TypeCheck<'_, 'a> {
    /// The message that the expression at `span` has type `actual`, but should have type `expected`
    /// for `reason`.
    pub(super) fn mismatch(
        &mut self,
        span: Span,
        (expected, actual): (Type, Type),
        mismatch: TypeMismatch,
        reason: TypeReason,
    ) -> Diagnostic {
        // Asked first: what evaluating dots makes below is new, and has no cause.
        let causes = [self.types.cause_of(expected), self.types.cause_of(actual)];
        if let Some(error) = self.unfit_field(span, (expected, actual), reason) {
            return error;
        }
        let mut names = TypeNames::new(self.script.ast);
        // Dots are evaluated for the reader only.
        let expected = self.types.with_evaluated_dots(expected).unwrap_or(expected);
        let actual = self.types.with_evaluated_dots(actual).unwrap_or(actual);
        let expected_text = elided(names.ty(self.types, expected));
        let actual_text = elided(names.ty(self.types, actual));
        let texts = [&expected_text, &actual_text];
        let error = self.problem(&mut names, span, mismatch, texts, reason);
        let error = match reason {
            TypeReason::Like(_, place) => error.at(place, format!("this has type {expected_text}")),
            TypeReason::Argument(function, _) => match self.script.defined_at(function) {
                Some(place) => error.at(place, "defined here"),
                None => error,
            },
            TypeReason::Taken(_) => error,
        };
        let hint = self.rigid_fields(mismatch);
        let error = match hint.or_else(|| other_fields(self.types, expected, actual, reason)) {
            Some(hint) => error.hint(hint),
            None => error,
        };
        // The places from which the types come, if uses of names decided them.
        let texts = [expected_text, actual_text];
        causes
            .into_iter()
            .zip(texts)
            .fold(error, |error, (cause, text)| match cause {
                Some(place) if error.labels.iter().all(|(known, _)| *known != place) => {
                    error.at(place, format!("the type {text} comes from here"))
                }
                _ => error,
            })
    }

    /// The message about the types written as `expected` and `actual`.
    fn problem(
        &mut self,
        names: &mut TypeNames<'a>,
        span: Span,
        mismatch: TypeMismatch,
        [expected, actual]: [&String; 2],
        reason: TypeReason,
    ) -> Diagnostic {
        match mismatch {
            TypeMismatch::Constraint(constraint, culprit) => {
                let culprit_text = elided(names.ty(self.types, culprit));
                let error = constraint_error(constraint, &culprit_text);
                let error = error.at(span, format!("this has type {actual}"));
                let error = match self.types.rigid_name(culprit) {
                    Some(_) => error.hint(format!(
                        "ask for it in the annotation, with `{} {culprit_text} =>` before the type",
                        constraint.name()
                    )),
                    None => error,
                };
                if culprit_text == *actual {
                    error
                } else {
                    error.note(format!("{culprit_text} is a part of {actual}"))
                }
            }
            TypeMismatch::Infinite(variable, ty) => {
                let variable = elided(names.ty(self.types, variable));
                let ty = elided(names.ty(self.types, ty));
                let message = "this would need a type that contains itself".to_string();
                Diagnostic::error("infinite-type", message)
                    .at(span, format!("{variable} would have to be {ty}"))
            }
            TypeMismatch::Different(..) => {
                let message = match reason {
                    TypeReason::Taken(what) => {
                        format!("{what} must have type {expected}, but this has type {actual}")
                    }
                    TypeReason::Argument(function, number) => {
                        let function = expression_text(self.script.ast, function);
                        format!(
                            "argument {number} of `{function}` must have type {expected}, but this has type {actual}"
                        )
                    }
                    TypeReason::Like(what, _) => {
                        format!("{what} has type {expected}, but this has type {actual}")
                    }
                };
                Diagnostic::error("type-mismatch", message)
                    .at(span, format!("this has type {actual}"))
            }
        }
    }

    /// The message that the parts of a dotted expression do not fit each other, if they do not,
    /// whatever type was expected of it.
    fn unfit_field(
        &mut self,
        span: Span,
        (expected, actual): (Type, Type),
        reason: TypeReason,
    ) -> Option<Diagnostic> {
        let mut sides = vec![(actual, span)];
        if let TypeReason::Like(_, place) = reason {
            sides.push((expected, place));
        }
        sides.into_iter().find_map(|(ty, place)| {
            let mismatch = self.types.with_evaluated_dots(ty).err()?;
            let TypeMismatch::Different(field, given) = mismatch else {
                return None;
            };
            if self.rigid_fields(mismatch).is_some() {
                return None;
            }
            let mut names = TypeNames::new(self.script.ast);
            let whole = elided(names.ty(self.types, ty));
            let field = elided(names.ty(self.types, field));
            let given = elided(names.ty(self.types, given));
            let message = format!("a field must have type {field}, but here has type {given}");
            let error = Diagnostic::error("type-mismatch", message);
            Some(error.at(place, format!("this has type {whole}")))
        })
    }

    /// The message about the expression `culprit`, which has another type than it should. A hint is
    /// added if it looks like a common mistake.
    pub(super) fn mismatch_of(
        &mut self,
        culprit: ExprId,
        (expected, actual): (Type, Type),
        mismatch: TypeMismatch,
        reason: TypeReason,
    ) -> Diagnostic {
        let span = self.script.span(culprit);
        let error = self.mismatch(span, (expected, actual), mismatch, reason);
        if self.rigid_fields(mismatch).is_some() {
            return error;
        }
        let hint = match self.single_type(culprit, (expected, actual), reason) {
            Some(hint) => Some(hint),
            None => self.trap(culprit, (expected, actual), reason),
        };
        match hint {
            Some(hint) => error.hint(hint),
            None => error,
        }
    }

    /// The message that the fields of the channel or constructor `name` could have any type.
    pub(super) fn ambiguous(&mut self, name: &str, span: Span, ty: Type) -> Diagnostic {
        let text = TypeNames::new(self.script.ast).ty(self.types, ty);
        let message = format!("the fields of `{name}` could be of any type");
        Diagnostic::error("ambiguous-type", message)
            .at(span, format!("this has type {text}"))
            .note("what a channel carries and a constructor holds must be of one known type")
    }

    /// The hint for `mismatch` if an annotation lets the fields of one type be any.
    fn rigid_fields(&mut self, mismatch: TypeMismatch) -> Option<String> {
        let TypeMismatch::Different(one, other) = mismatch else {
            return None;
        };
        let name = [one, other].into_iter().find_map(|ty| {
            let TypeKind::Extendable(tail, _) = self.types.kind(ty) else {
                return None;
            };
            self.types.tail_name(tail)
        })?;
        let name = self.script.ast.name(name);
        Some(format!(
            "by its annotation `{name}` stands for any fields, however many: write those that are meant instead"
        ))
    }
}

/// The message that `ty` does not satisfy `constraint`.
fn constraint_error(constraint: Constraint, ty: &str) -> Diagnostic {
    let values = |end: &str| format!("values of type {ty} {end}");
    let error = match constraint {
        Constraint::Eq => Diagnostic::error("not-comparable", values("cannot be compared")),
        Constraint::Ord => {
            Diagnostic::error("not-ordered", values("have no order for `<` and its like"))
        }
        Constraint::Set => Diagnostic::error("not-in-sets", values("cannot be put into sets")),
        Constraint::Complete => Diagnostic::error(
            "not-complete",
            values("cannot be communicated, nor be fields of something"),
        ),
        Constraint::Yieldable => Diagnostic::error(
            "not-yieldable",
            values("cannot be completed: only events and values of datatypes can"),
        ),
    };
    match constraint {
        Constraint::Ord => error.note("Int and Char have an order, and sequences, sets and tuples of what has one or can be compared"),
        Constraint::Eq => error.note("processes and functions cannot be compared, nor what contains them"),
        Constraint::Complete => error.note("fields of such a value are missing, or it is a function"),
        _ => error,
    }
}
