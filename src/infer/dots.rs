//! Dotted types: the meaning of `c.x.y` where a complete value is needed.
//!
//! A dotted type is a list. Where its head lacks a field (`t => u`), the next part is that field,
//! and the two together are a u: so a list is *evaluated* from the left. A variable at the end of a
//! list stands for all fields that are still missing (the *longest match*), any other variable for
//! one field (the *shortest*). FDR decides in this way where types do not, and so `f(c.x)` takes
//! all fields after c. Lists are kept as stacks, the next part on top, so that long ones take
//! linear time.

use super::kind::{Type, TypeKind, parts, with_parts};
use super::mismatch::{TypeMismatch, Unified};
use super::types::Types;
use base::stack::deep;

/// The fields that a variable at the end of a dotted list stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Match {
    /// All fields that are still missing.
    Longest,
    /// One field.
    Shortest,
}

/// The parts of a dotted type that are still to come, the next one last.
type Stack = Vec<Type>;

impl Types {
    /// `ty` with all dotted types in it evaluated by the longest match.
    pub(crate) fn with_evaluated_dots(&mut self, ty: Type) -> Unified<Type> {
        let head = self.head(ty);
        // A settled type has no dots in it.
        if self.settled.contains(&head) {
            return Ok(ty);
        }
        deep(|| self.evaluating(head, |types, kind| types.with_evaluated_parts(ty, kind)))
    }

    /// `ty`, whose kind is `kind`, with all dotted types in it evaluated by the longest match.
    fn with_evaluated_parts(&mut self, ty: Type, kind: &TypeKind) -> Unified<Type> {
        match kind {
            TypeKind::Dot(parts) => {
                let parts = self.evaluate(parts, Match::Longest)?;
                Ok(self.dot(&parts))
            }
            // The missing fields stay as they are.
            TypeKind::Dotable(..) | TypeKind::Extendable(..) => Ok(ty),
            kind => {
                let parts = parts(kind);
                let evaluated = parts.iter().map(|&part| self.with_evaluated_dots(part));
                let evaluated = evaluated.collect::<Unified<Vec<Type>>>()?;
                if evaluated == parts {
                    return Ok(ty);
                }
                Ok(self.make(with_parts(kind, &evaluated)))
            }
        }
    }

    /// The parts that are left when the list `parts` is evaluated; at least one.
    pub(super) fn evaluate(&mut self, parts: &[Type], how: Match) -> Unified<Vec<Type>> {
        let mut open: Stack = parts.iter().rev().copied().collect();
        let mut whole = Vec::new();
        while let Some(head) = self.next_part(&mut open) {
            if self.has_too_many(whole.len() + open.len()) {
                return Ok(vec![Types::UNKNOWN]);
            }
            let kind = self.kind(head);
            if !matches!(kind, TypeKind::Dotable(..) | TypeKind::Extendable(..)) {
                whole.push(head);
                continue;
            }
            let Some(next) = self.next_part(&mut open) else {
                whole.push(head);
                break;
            };
            match kind {
                TypeKind::Extendable(tail, result) => {
                    let mut fields = vec![next];
                    if how == Match::Longest {
                        fields.extend(open.drain(..).rev());
                        fields = deep(|| self.evaluate(&fields, how))?;
                    }
                    let mut tail = tail;
                    for field in fields {
                        let rest = self.tail();
                        self.extend_tail(tail, field, rest)?;
                        tail = rest;
                    }
                    // No field is missing any more: what the fields make is `result`.
                    self.end_tail(tail)?;
                    open.push(result);
                }
                // The variable at the end of the list stands for all fields that are missing.
                _ if open.is_empty() && how == Match::Longest && self.is_variable(next) => {
                    let (fields, result) = self.fields(head);
                    let fields = self.dot(&fields);
                    self.unify(next, fields)?;
                    open.push(result);
                }
                _ => {
                    let result = self.applied(head, next)?;
                    open.push(result);
                }
            }
        }
        Ok(whole)
    }

    /// The type of `head` with `next` to its right. `head` must lack a field; a variable counts as
    /// one field.
    fn applied(&mut self, head: Type, next: Type) -> Unified<Type> {
        let (field, result) = self.field(head);
        match self.kind(next) {
            TypeKind::Extendable(tail, whole) => {
                self.unify(field, whole)?;
                // The whole then lacks the fields that `next` still lacks.
                Ok(self.make(TypeKind::Extendable(tail, result)))
            }
            // The whole then lacks the fields that `next` lacks, unless the field itself has to
            // lack fields.
            TypeKind::Dotable(..) if !self.is_dotable(field) => {
                let (fields, whole) = self.fields(next);
                self.unify(field, whole)?;
                Ok(self.dotable(&fields, result))
            }
            _ => {
                self.unify(field, next)?;
                Ok(result)
            }
        }
    }

    /// Unifies two lists of dotted parts.
    pub(super) fn unify_dots(&mut self, expected: &[Type], actual: &[Type]) -> Unified {
        let mut expected: Stack = expected.iter().rev().copied().collect();
        let mut actual: Stack = actual.iter().rev().copied().collect();
        let mut count = 0;
        while let (Some(head), Some(other)) =
            (self.next_part(&mut expected), self.next_part(&mut actual))
        {
            count += 1;
            if self.has_too_many(count) {
                return Ok(());
            }
            // The rest of the one list is the whole of the other.
            if expected.is_empty() || actual.is_empty() {
                let expected = self.list(head, &expected);
                let actual = self.list(other, &actual);
                return self.unify(expected, actual);
            }
            let (mut one, mut two) = ((head, &mut expected), (other, &mut actual));
            if !self.is_dotable(head) {
                if !self.is_dotable(other) {
                    self.unify(head, other)?;
                    continue;
                }
                // `reduce` takes first the list whose head lacks a field. One of the two heads
                // does.
                std::mem::swap(&mut one, &mut two);
            }
            if self.reduce(one, two)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Gives a field to `head`, which lacks one and has another part to its right. Returns true if
    /// the lists are then unified.
    fn reduce(
        &mut self,
        (head, rest): (Type, &mut Stack),
        (other, other_rest): (Type, &mut Stack),
    ) -> Unified<bool> {
        let Some(next) = self.next_part(rest) else {
            return Err(TypeMismatch::Different(head, other));
        };
        let (field, result) = self.field(head);
        if self.is_dotable(field) {
            self.unify(field, next)?;
            rest.push(result);
        } else if rest.is_empty() && self.is_variable(next) {
            // The variable is all that the head lacks, and what the other list has after that.
            let other = self.list(other, other_rest);
            let others = self.evaluate(&[other], Match::Longest)?;
            let (fields, whole) = self.fields(head);
            self.unify(whole, others[0])?;
            let all = self.dot(&[&fields[..], &others[1..]].concat());
            self.unify(all, next)?;
            return Ok(true);
        } else if self.is_dotable(next) {
            let (fields, whole) = self.fields(next);
            self.unify(field, whole)?;
            rest.push(self.dotable(&fields, result));
        } else {
            self.unify(field, next)?;
            rest.push(result);
        }
        // `other` is not used up: it meets what `head` has become.
        other_rest.push(other);
        Ok(false)
    }

    /// Unifies two types that lack fields.
    pub(super) fn unify_dotables(&mut self, expected: Type, actual: Type) -> Unified {
        let (fields, whole) = self.fields(expected);
        let (other_fields, other_whole) = self.fields(actual);
        let is_open = matches!(self.kind(whole), TypeKind::Extendable(..));
        let other_is_open = matches!(self.kind(other_whole), TypeKind::Extendable(..));
        if !is_open && !other_is_open {
            self.unify(whole, other_whole)?;
            return self.unify_dots(&fields, &other_fields);
        }
        // The number of fields that the one lacks is open, so the fields of the other are more
        // precise. A field that itself lacks fields stands for the type it has with them.
        let fields = self.evaluate(&fields, Match::Longest)?;
        let other_fields = self.evaluate(&other_fields, Match::Longest)?;
        for (&field, &other) in fields.iter().zip(&other_fields) {
            let field = if is_open { self.fields(field).1 } else { field };
            let other = if other_is_open {
                self.fields(other).1
            } else {
                other
            };
            self.unify(field, other)?;
        }
        let common = fields.len().min(other_fields.len());
        let rest = self.dotable(&fields[common..], whole);
        let other_rest = self.dotable(&other_fields[common..], other_whole);
        self.unify(rest, other_rest)
    }

    /// The parts of a dotted type; for any other type, the type alone.
    pub(super) fn fields_of_dotted(&mut self, ty: Type) -> Vec<Type> {
        let mut open = vec![ty];
        let mut parts = Vec::new();
        while let Some(part) = self.next_part(&mut open) {
            parts.push(part);
            if self.has_too_many(parts.len()) {
                return vec![Types::UNKNOWN];
            }
        }
        parts
    }

    /// The next part of a list, which is not dotted itself; `None` at the end.
    fn next_part(&mut self, open: &mut Stack) -> Option<Type> {
        loop {
            let part = open.pop()?;
            match self.kind(part) {
                TypeKind::Dot(parts) => open.extend(parts.iter().rev()),
                _ => return Some(self.head(part)),
            }
        }
    }

    /// The dotted type of `head` and the parts in `rest`.
    fn list(&mut self, head: Type, rest: &Stack) -> Type {
        let parts: Vec<Type> = [head].iter().chain(rest.iter().rev()).copied().collect();
        self.dot(&parts)
    }

    fn is_variable(&mut self, ty: Type) -> bool {
        matches!(self.kind(ty), TypeKind::Variable(_))
    }

    /// True if `ty` is known to lack a field.
    fn is_dotable(&mut self, ty: Type) -> bool {
        matches!(self.kind(ty), TypeKind::Dotable(..))
    }

    /// The next field that `ty` lacks, which is not dotted, and the type of both together.
    fn field(&mut self, ty: Type) -> (Type, Type) {
        match self.kind(ty) {
            TypeKind::Dotable(field, result) => {
                let fields = self.fields_of_dotted(field);
                (fields[0], self.dotable(&fields[1..], result))
            }
            // Callers have made sure that `ty` lacks a field.
            _ => (Types::UNKNOWN, ty),
        }
    }

    /// All fields that `ty` is known to lack, none of them dotted, and the type with all of them.
    pub(super) fn fields(&mut self, ty: Type) -> (Vec<Type>, Type) {
        let mut fields = Vec::new();
        let mut ty = ty;
        while let TypeKind::Dotable(field, result) = self.kind(ty) {
            fields.extend(self.fields_of_dotted(field));
            ty = result;
            if self.has_too_many(fields.len()) {
                return (Vec::new(), Types::UNKNOWN);
            }
        }
        (fields, ty)
    }
}
