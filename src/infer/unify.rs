//! Unification: makes two types one by deciding variables, or reports the difference.
//!
//! The dot is special to CSPm. `c.x` has the type of c dotted with that of x. It becomes an event,
//! a value of a datatype or a type that lacks fields only when it is compared with such a type: see
//! `dots.rs`.

use rustc_hash::FxHashSet;

use super::dots::Match;
use super::kind::{Tail, Type, TypeKind, Variable, parts};
use super::mismatch::{TypeMismatch, Unified};
use super::sharing::has_several_parts;
use super::types::{TailState, Types};
use base::source::Span;
use base::stack::deep;

impl Types {
    /// Unifies two types because of the text at `span`.
    pub(super) fn unify_at(&mut self, span: Span, expected: Type, actual: Type) -> Unified {
        self.cause = Some(span);
        self.unify(expected, actual)
    }

    /// Unifies two types where patterns are bound: both have evaluated dots, and a dotted type must
    /// not meet a complete one.
    pub(super) fn unify_evaluated(&mut self, span: Span, expected: Type, actual: Type) -> Unified {
        self.cause = Some(span);
        let expected = self.with_evaluated_dots(expected)?;
        let actual = self.with_evaluated_dots(actual)?;
        let around = std::mem::replace(&mut self.is_symmetric, false);
        let unified = self.unify(expected, actual);
        self.is_symmetric = around;
        unified
    }

    /// Unifies `expected` and `actual`.
    pub(crate) fn unify(&mut self, expected: Type, actual: Type) -> Unified {
        self.unifying(|types| deep(|| types.unify_heads(expected, actual)))
    }

    fn unify_heads(&mut self, expected: Type, actual: Type) -> Unified {
        let (expected, actual) = (self.head(expected), self.head(actual));
        if expected == actual {
            return Ok(());
        }
        let kinds = (self.kind(expected), self.kind(actual));
        if let (TypeKind::Tuple(_) | TypeKind::Map(..) | TypeKind::Function(..), _) = &kinds
            && self.is_unified(expected, &kinds.0, actual)
        {
            return Ok(());
        }
        match kinds {
            // Before variables: what is unknown because of a mistake decides nothing.
            (TypeKind::Unknown, _) | (_, TypeKind::Unknown) => Ok(()),
            (TypeKind::Variable(one), TypeKind::Variable(other)) if one == other => Ok(()),
            (TypeKind::Variable(one), TypeKind::Variable(other)) => {
                self.unify_variables(one, other)
            }
            (TypeKind::Variable(variable), _) => self.substitute(variable, expected, actual),
            (_, TypeKind::Variable(variable)) => self.substitute(variable, actual, expected),
            (TypeKind::Set(one), TypeKind::Set(other))
            | (TypeKind::Sequence(one), TypeKind::Sequence(other)) => self.unify(one, other),
            (TypeKind::Map(key, value), TypeKind::Map(other_key, other_value)) => {
                self.unify(key, other_key)?;
                self.unify(value, other_value)
            }
            (TypeKind::Tuple(parts), TypeKind::Tuple(others)) if parts.len() == others.len() => {
                self.unify_all(&parts, &others)
            }
            (TypeKind::Function(arguments, result), TypeKind::Function(others, other_result))
                if arguments.len() == others.len() =>
            {
                self.unify_all(&arguments, &others)?;
                self.unify(result, other_result)
            }
            (TypeKind::Dot(parts), TypeKind::Dot(others)) => self.unify_dots(&parts, &others),
            (TypeKind::Dotable(..), TypeKind::Dotable(..)) => self.unify_dotables(expected, actual),
            // Before `complete`, which would take a dotted type for something whole.
            (one, other) if is_dot(&one) || is_dot(&other) => {
                self.unify_with_dot((expected, one), (actual, other))
            }
            (TypeKind::Extendable(..), _) => self.complete(expected, actual),
            (_, TypeKind::Extendable(..)) => self.complete(actual, expected),
            (one, other) if one == other => Ok(()),
            _ => Err(TypeMismatch::Different(expected, actual)),
        }
    }

    /// Unifies two types of which one is dotted, by turning it into the form of the other.
    fn unify_with_dot(
        &mut self,
        (expected, expected_kind): (Type, TypeKind),
        (actual, actual_kind): (Type, TypeKind),
    ) -> Unified {
        // `a.b.c` is whole if `a` is something that lacks `b` and `c`: so the first part alone is
        // made one with what lacks the others.
        match (expected_kind, actual_kind) {
            (
                TypeKind::Event | TypeKind::Datatype(_) | TypeKind::Dotable(..),
                TypeKind::Dot(parts),
            ) => {
                let lacking = self.dotable(&parts[1..], expected);
                self.unify(lacking, parts[0])
            }
            (TypeKind::Extendable(..), TypeKind::Dot(parts)) => {
                let parts = self.evaluate(&parts, Match::Shortest)?;
                let lacking = self.dotable(&parts[1..], expected);
                self.unify(lacking, parts[0])
            }
            (
                TypeKind::Dot(parts),
                TypeKind::Event | TypeKind::Datatype(_) | TypeKind::Extendable(..),
            ) if self.is_symmetric => {
                let lacking = self.dotable(&parts[1..], actual);
                self.unify(lacking, parts[0])
            }
            (TypeKind::Dot(parts), TypeKind::Dotable(..)) if self.is_symmetric => {
                let lacking = self.dotable(&parts[1..], actual);
                self.unify(parts[0], lacking)
            }
            _ => Err(TypeMismatch::Different(expected, actual)),
        }
    }

    pub(super) fn unify_all(&mut self, expected: &[Type], actual: &[Type]) -> Unified {
        let mut pairs = expected.iter().zip(actual);
        pairs.try_for_each(|(&expected, &actual)| self.unify(expected, actual))
    }

    fn unify_variables(&mut self, one: Variable, other: Variable) -> Unified {
        let (asked, name) = self.free(one);
        let (asked_too, other_name) = self.free(other);
        let ty = |types: &mut Self, variable| types.make(TypeKind::Variable(variable));
        match (name, other_name) {
            (Some(_), Some(_)) => {
                let (one, other) = (ty(self, one), ty(self, other));
                Err(TypeMismatch::Different(one, other))
            }
            // A rigid variable stays.
            (Some(_), None) => {
                let rigid = ty(self, one);
                self.require(asked_too, rigid)?;
                self.bind(other, rigid);
                Ok(())
            }
            (None, _) => {
                let stays = ty(self, other);
                self.require(asked, stays)?;
                self.bind(one, stays);
                Ok(())
            }
        }
    }

    /// Binds the open `variable`, whose type is `itself`, to `ty`.
    fn substitute(&mut self, variable: Variable, itself: Type, ty: Type) -> Unified {
        let (asked, name) = self.free(variable);
        let mut ty = ty;
        if self.occurs(variable, ty) {
            // Evaluating dots may remove it from `ty`.
            ty = self.with_evaluated_dots(ty)?;
            if self.kind(ty) == TypeKind::Variable(variable) {
                return Ok(());
            }
            if name.is_none() && self.occurs(variable, ty) {
                return Err(TypeMismatch::Infinite(itself, ty));
            }
        }
        if name.is_some() {
            return Err(TypeMismatch::Different(itself, ty));
        }
        self.require(asked, ty)?;
        self.bind(variable, ty);
        Ok(())
    }

    /// Unifies `lacking`, which lacks an open number of fields, with `other`, which is no variable.
    fn complete(&mut self, lacking: Type, other: Type) -> Unified {
        let TypeKind::Extendable(tail, result) = self.kind(lacking) else {
            return self.unify(lacking, other);
        };
        match self.kind(other) {
            TypeKind::Extendable(_, other_result) => {
                self.unify(result, other_result)?;
                self.join_tails(lacking, other)
            }
            TypeKind::Dotable(field, rest) => {
                // The open tail begins with this field; what follows the field stays open.
                let after = self.tail();
                let shorter = self.make(TypeKind::Extendable(after, result));
                self.unify(shorter, rest)?;
                self.extend_tail(tail, field, after)
            }
            _ => {
                self.unify(result, other)?;
                self.end_tail(tail)
            }
        }
    }

    /// Decides that the open `tail` is empty, if it may be decided.
    pub(super) fn end_tail(&mut self, tail: Tail) -> Unified {
        self.may_decide(tail)?;
        self.decide_tail(tail, TailState::Nothing);
        Ok(())
    }

    /// Decides that the open `tail` is `field` and then `rest`, if it may be decided and is no part
    /// of them.
    pub(super) fn extend_tail(&mut self, tail: Tail, field: Type, rest: Tail) -> Unified {
        self.may_decide(tail)?;
        // `mentions` goes through types, so the tail is put into one. The result does not matter.
        let after = self.make(TypeKind::Extendable(rest, Types::UNKNOWN));
        let given = self.dotable(&[field], after);
        if self.mentions(Part::Tail(tail), given) {
            let itself = self.make(TypeKind::Extendable(tail, Types::UNKNOWN));
            return Err(TypeMismatch::Infinite(itself, given));
        }
        self.decide_tail(tail, TailState::Field(field, rest));
        Ok(())
    }

    fn may_decide(&mut self, tail: Tail) -> Unified {
        if self.tail_name(tail).is_none() {
            return Ok(());
        }
        let itself = self.make(TypeKind::Extendable(tail, Types::UNKNOWN));
        Err(TypeMismatch::Different(itself, Types::UNKNOWN))
    }

    fn join_tails(&mut self, one: Type, two: Type) -> Unified {
        // The fields that they lack may have become known with their results.
        let (one, two) = (self.head(one), self.head(two));
        let (TypeKind::Extendable(now, _), TypeKind::Extendable(other_now, _)) =
            (self.kind(one), self.kind(two))
        else {
            return self.unify(one, two);
        };
        if now == other_now {
            return Ok(());
        }
        // A tail that an annotation has named stays, and the other becomes it, as with variables.
        if self.tail_name(now).is_none() {
            self.decide_tail(now, TailState::Same(other_now));
        } else if self.tail_name(other_now).is_none() {
            self.decide_tail(other_now, TailState::Same(now));
        } else {
            return Err(TypeMismatch::Different(one, two));
        }
        Ok(())
    }

    /// True if the open `variable` is a part of `ty`.
    fn occurs(&mut self, variable: Variable, ty: Type) -> bool {
        self.mentions(Part::Variable(variable), ty)
    }

    fn mentions(&mut self, part: Part, ty: Type) -> bool {
        self.mentions_beside(part, ty, &mut FxHashSet::default())
    }

    /// True if `ty` mentions `part`. The types in `seen` are known not to.
    fn mentions_beside(&mut self, part: Part, ty: Type, seen: &mut FxHashSet<Type>) -> bool {
        let head = self.head(ty);
        if self.settled.contains(&head) {
            return false;
        }
        deep(|| match self.kind(head) {
            TypeKind::Variable(other) => part == Part::Variable(other),
            TypeKind::Extendable(tail, _) if part == Part::Tail(tail) => true,
            kind if has_several_parts(&kind) && !seen.insert(head) => false,
            kind => parts(&kind)
                .into_iter()
                .any(|inner| self.mentions_beside(part, inner, seen)),
        })
    }
}

fn is_dot(kind: &TypeKind) -> bool {
    matches!(kind, TypeKind::Dot(_))
}

/// An open part of a type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Variable(Variable),
    Tail(Tail),
}
