//! Dotted types: what becomes of `c.x.y` where something whole is needed.
//!
//! A dotted type is a list. Where its head lacks a field (`t => u`), the next part is that field, and both together are a u: so
//! a list is *evaluated* from the left. A variable at the end of a list stands for all the fields that are still
//! missing (the *longest match*), any other for one (the *shortest*); that is how FDR decides what cannot be known, and what makes
//! `f(c.x)` take all fields after c.

use super::constraint::Constraints;
use super::types::{Kind, Type, Types};
use super::unify::{Mismatch, Unified};
use crate::base::stack::deep;

impl Types {
    /// The parts of the dotted type `ty`, evaluated; itself alone if it is none, or is something whole then.
    pub(super) fn evaluated(&mut self, ty: Type) -> Result<Vec<Type>, Mismatch> {
        let parts = self.flat(&[ty]);
        self.evaluate(parts)
    }

    /// `ty` with all dotted types in it evaluated, but those in functions.
    pub fn with_evaluated_dots(&mut self, ty: Type) -> Result<Type, Mismatch> {
        deep(|| {
            Ok(match self.kind(ty) {
                Kind::Set(part) => {
                    let part = self.with_evaluated_dots(part)?;
                    self.set(part)
                }
                Kind::Sequence(part) => {
                    let part = self.with_evaluated_dots(part)?;
                    self.sequence(part)
                }
                Kind::Map(key, value) => {
                    let key = self.with_evaluated_dots(key)?;
                    let value = self.with_evaluated_dots(value)?;
                    self.make(Kind::Map(key, value))
                }
                Kind::Tuple(parts) => {
                    let parts = parts.iter().map(|&part| self.with_evaluated_dots(part));
                    let parts: Vec<Type> = parts.collect::<Result<_, _>>()?;
                    self.tuple(&parts)
                }
                Kind::Dot(_) => {
                    let parts = self.evaluated(ty)?;
                    self.dot(&parts)
                }
                _ => ty,
            })
        })
    }

    /// Makes two lists of dotted parts one.
    pub(super) fn unify_dots(&mut self, expected: &[Type], actual: &[Type]) -> Unified {
        let mut expected = self.flat(expected);
        let mut actual = self.flat(actual);
        loop {
            // What is left of the one is all of the other.
            if let [only] = expected[..] {
                let actual = self.dot(&actual);
                return self.unify(only, actual);
            }
            if let [only] = actual[..] {
                let expected = self.dot(&expected);
                return self.unify(only, expected);
            }
            let (head, other) = (expected[0], actual[0]);
            if self.lacks_field(head) {
                if self.reduce(&mut expected, &mut actual)? {
                    return Ok(());
                }
            } else if self.lacks_field(other) {
                if self.reduce(&mut actual, &mut expected)? {
                    return Ok(());
                }
            } else {
                self.unify(head, other)?;
                expected.remove(0);
                actual.remove(0);
            }
        }
    }

    /// Takes a field to the head of `list`, which lacks one and has a part more. Whether the lists are one then.
    fn reduce(&mut self, list: &mut Vec<Type>, other: &mut [Type]) -> Result<bool, Mismatch> {
        let (field, result) = self.field(list[0]);
        let next = list[1];
        if self.lacks_field(next) {
            let (fields, whole) = self.fields(next);
            self.unify(field, whole)?;
            let head = self.dotable(&fields, result);
            list.splice(..2, [head]);
            return Ok(false);
        }
        if list.len() > 2 || !matches!(self.kind(next), Kind::Variable(_)) {
            self.unify(field, next)?;
            list.splice(..2, [result]);
            let flat = self.flat(list);
            *list = flat;
            return Ok(false);
        }
        // The variable is all that the head lacks, and what the other list has after that.
        let (fields, whole) = self.fields(list[0]);
        let other = self.evaluate(other.to_vec())?;
        self.unify(whole, other[0])?;
        let all = [&fields[..], &other[1..]].concat();
        let all = self.dot(&all);
        self.unify(next, all)?;
        Ok(true)
    }

    /// The parts of dotted types one after the other, none of them dotted.
    fn flat(&mut self, parts: &[Type]) -> Vec<Type> {
        let mut flat = Vec::new();
        let mut open: Vec<Type> = parts.iter().rev().copied().collect();
        while let Some(part) = open.pop() {
            match self.kind(part) {
                Kind::Dot(parts) => open.extend(parts.iter().rev()),
                _ => flat.push(self.head(part)),
            }
        }
        flat
    }

    fn evaluate(&mut self, mut parts: Vec<Type>) -> Result<Vec<Type>, Mismatch> {
        let mut whole = Vec::new();
        while parts.len() > 1 {
            if !self.lacks_field(parts[0]) {
                whole.push(parts.remove(0));
                continue;
            }
            let next = parts[1];
            let is_last = parts.len() == 2;
            if self.lacks_field(next) {
                let (field, result) = self.field(parts[0]);
                let (fields, inner) = self.fields(next);
                self.unify(field, inner)?;
                let head = self.dotable(&fields, result);
                parts.splice(..2, [head]);
            } else if is_last
                && matches!(self.kind(next), Kind::Variable(_))
                && matches!(self.kind(parts[0]), Kind::Dotable(..))
            {
                let (fields, result) = self.fields(parts[0]);
                let all = self.dot(&fields);
                self.unify(next, all)?;
                parts = vec![result];
            } else {
                let (field, result) = self.field(parts[0]);
                self.unify(field, next)?;
                parts.splice(..2, [result]);
            }
            parts = self.flat(&parts);
        }
        whole.extend(parts);
        Ok(whole)
    }

    /// Makes two types that lack fields one.
    pub(super) fn unify_dotables(&mut self, expected: Type, actual: Type) -> Unified {
        let (fields, whole) = self.fields(expected);
        let (other_fields, other_whole) = self.fields(actual);
        let is_open = |types: &mut Self, whole| matches!(types.kind(whole), Kind::Extendable(..));
        if !is_open(self, whole) && !is_open(self, other_whole) {
            self.unify(whole, other_whole)?;
            return self.unify_dots(&fields, &other_fields);
        }
        // How many fields the one lacks is open: those of the other are the more precise ones.
        let fields = self.evaluate(fields)?;
        let other_fields = self.evaluate(other_fields)?;
        let common = fields.len().min(other_fields.len());
        for (&field, &other) in fields.iter().zip(&other_fields) {
            let (_, field) = self.fields(field);
            let (_, other) = self.fields(other);
            self.unify(field, other)?;
        }
        let rest = self.dotable(&fields[common..], whole);
        let other_rest = self.dotable(&other_fields[common..], other_whole);
        self.unify(rest, other_rest)
    }

    /// The parts of a dotted type; itself alone if it is none.
    pub(super) fn fields_of_dotted(&mut self, ty: Type) -> Vec<Type> {
        self.flat(&[ty])
    }

    /// Whether something can be dotted to the right of `ty`.
    fn lacks_field(&mut self, ty: Type) -> bool {
        matches!(self.kind(ty), Kind::Dotable(..) | Kind::Extendable(..))
    }

    /// The next field that `ty` lacks, and what it is with that.
    fn field(&mut self, ty: Type) -> (Type, Type) {
        match self.kind(ty) {
            Kind::Dotable(field, result) => {
                let fields = self.flat(&[field]);
                (fields[0], self.dotable(&fields[1..], result))
            }
            Kind::Extendable(tail, result) => {
                let field = self.variable(Constraints::NONE);
                let rest = self.begin(tail, field);
                (field, self.make(Kind::Extendable(rest, result)))
            }
            _ => (Types::UNKNOWN, ty),
        }
    }

    /// All fields that `ty` is known to lack, none of them dotted, and what it is with those.
    pub(super) fn fields(&mut self, ty: Type) -> (Vec<Type>, Type) {
        let mut fields = Vec::new();
        let mut ty = ty;
        while let Kind::Dotable(field, result) = self.kind(ty) {
            fields.push(field);
            ty = result;
        }
        (self.flat(&fields), ty)
    }
}
