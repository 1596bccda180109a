//! Types that share parts. Of `x1 = (x0, x0)`, `x2 = (x1, x1)` and so on, the last type is a tree
//! of exponentially many nodes; so is that of `let y1 = (x, x) ...`. Functions that go through
//! types go through each shared part once.
//!
//! Functions that are applied to their own results, `f1(x) = f0(f0(x))` and so on, have types of
//! exponentially many *different* parts: that is inherent in inference (Kfoury, Tiuryn and
//! Urzyczyn, "ML typability is DEXPTIME-complete", 1990). So the size of types is bounded. A type
//! that would be larger fits everywhere, and is noted, so that it is reported at its place.

use rustc_hash::{FxHashMap, FxHashSet};

use super::constraint::Constraint;
use super::kind::{Type, TypeKind};
use super::types::Types;
use base::diag::Diagnostic;
use base::source::Span;

/// The largest number of parts that a use of a polymorphic name copies.
pub(super) const MOST_PARTS: usize = 10_000;

/// The largest number of parts that all large copies have together.
const MOST_COPIED: usize = 500_000;

/// A copy of at most this number of parts is not counted among the large ones.
const LARGE: usize = 100;

/// The largest number of fields of a dotted type.
const MOST_FIELDS: usize = 100_000;

impl Types {
    /// Runs `unify`, beside or within other unifications.
    pub(super) fn unifying<T>(&mut self, unify: impl FnOnce(&mut Self) -> T) -> T {
        self.walks.unifying += 1;
        let unified = unify(self);
        self.walks.unifying -= 1;
        if self.walks.unifying == 0 && !self.walks.unified.is_empty() {
            self.walks.unified = FxHashSet::default();
        }
        unified
    }

    /// True if the present unification already made `one` and `other` one. Notes the pair.
    pub(super) fn is_unified(&mut self, one: Type, kind: &TypeKind, other: Type) -> bool {
        has_several_parts(kind) && !self.walks.unified.insert((one, other))
    }

    /// Runs `evaluate` to evaluate dots. Remembers the result for `ty` as long as an evaluation
    /// around it goes on.
    pub(super) fn evaluating<E>(
        &mut self,
        ty: Type,
        evaluate: impl FnOnce(&mut Self, &TypeKind) -> Result<Type, E>,
    ) -> Result<Type, E> {
        if let Some(&known) = self.walks.evaluated.get(&ty) {
            return Ok(known);
        }
        let kind = self.kind(ty);
        self.walks.evaluating += 1;
        let evaluated = evaluate(self, &kind);
        self.walks.evaluating -= 1;
        if self.walks.evaluating > 0 {
            // Dots are not remembered: what they become can depend on what was decided in between.
            let is_dotted = matches!(kind, TypeKind::Dot(_) | TypeKind::Dotable(..));
            if let (Ok(evaluated), true) = (&evaluated, has_several_parts(&kind) && !is_dotted) {
                self.walks.evaluated.insert(ty, *evaluated);
            }
        } else if !self.walks.evaluated.is_empty() {
            self.walks.evaluated = FxHashMap::default();
        }
        evaluated
    }

    /// Runs `require` to ask for a constraint, beside or within other such questions.
    pub(super) fn requiring<T>(&mut self, require: impl FnOnce(&mut Self) -> T) -> T {
        self.walks.requiring += 1;
        let required = require(self);
        self.walks.requiring -= 1;
        if self.walks.requiring == 0 && !self.walks.required.is_empty() {
            self.walks.required = FxHashSet::default();
        }
        required
    }

    /// True if this constraint is already being asked of this type.
    pub(super) fn is_required(
        &mut self,
        constraint: Constraint,
        ty: Type,
        kind: &TypeKind,
    ) -> bool {
        has_several_parts(kind) && !self.walks.required.insert((constraint, ty))
    }

    /// Counts a copy of `parts` parts. Returns true if there is room for it; otherwise notes that a
    /// type is too large.
    pub(super) fn has_room_for(&mut self, parts: usize) -> bool {
        if parts > LARGE {
            self.walks.copied += parts;
        }
        let has_room = parts <= LARGE || parts <= MOST_PARTS && self.walks.copied <= MOST_COPIED;
        self.walks.is_too_large |= !has_room;
        has_room
    }

    /// True if a dotted type of `fields` fields is too large, which is then noted.
    pub(super) fn has_too_many(&mut self, fields: usize) -> bool {
        let has_too_many = fields > MOST_FIELDS;
        self.walks.is_too_large |= has_too_many;
        has_too_many
    }

    /// Returns `ty`, unless a type became too large while the expression at `span` was typed.
    pub(super) fn of_bearable_size<T>(&mut self, ty: T, span: Span) -> base::diag::Result<T> {
        if !std::mem::take(&mut self.walks.is_too_large) {
            return Ok(ty);
        }
        let message = "the type of this is too large";
        Diagnostic::undecided("type-too-large", message)
            .at(
                span,
                "its parts multiply with each definition that it depends on",
            )
            .into()
    }
}

/// True if a type of this kind can have more parts than it is deep.
pub(super) fn has_several_parts(kind: &TypeKind) -> bool {
    match kind {
        TypeKind::Tuple(_) | TypeKind::Map(..) | TypeKind::Dot(_) | TypeKind::Dotable(..) => true,
        TypeKind::Function(arguments, _) => !arguments.is_empty(),
        _ => false,
    }
}
