//! Scopes: the registers of variables while a process is listed.

use std::sync::Arc;

use syntax::ast::ExprId;
use types::resolved::Place;

/// The register of a variable: an index into the registers of its unit.
pub(super) type Register = u32;

/// The frames that stand inside the script's frame at a place of the script, innermost first.
#[derive(Clone, Default)]
pub(super) struct Scope(Option<Arc<Inner>>);

struct Inner {
    around: Scope,
    frame: ScopedFrame,
}

/// A frame that a construct of the script pushes.
pub(super) enum ScopedFrame {
    /// The frame of parameters, inputs or generators: the register of each slot. A variable on
    /// which nothing in the unit depends has none.
    Variables(Vec<Option<Register>>),
    /// The frame of this `let`.
    Let(ExprId),
}

impl Scope {
    /// This scope with one frame more.
    pub(super) fn with(&self, frame: ScopedFrame) -> Self {
        let around = self.clone();
        Self(Some(Arc::new(Inner { around, frame })))
    }

    /// The scope whose innermost frame is `up` frames further out. Returns `None` beyond the
    /// script's frame, which is the last.
    pub(super) fn outwards(&self, up: u32) -> Option<Self> {
        let mut scope = self;
        for _ in 0..up {
            scope = &scope.0.as_ref()?.around;
        }
        Some(scope.clone())
    }

    /// True if only the script's frame is left.
    pub(super) fn is_script(&self) -> bool {
        self.0.is_none()
    }

    /// The register of a variable. Returns `None` if `place` is not that of a variable with a
    /// register.
    pub(super) fn register(&self, place: Place) -> Option<Register> {
        match &self.outwards(place.up)?.0.as_ref()?.frame {
            ScopedFrame::Variables(slots) => slots.get(place.slot as usize).copied()?,
            ScopedFrame::Let(_) => None,
        }
    }

    /// The registers of these variables; `None` if one has none.
    pub(super) fn registers(&self, places: &[Place]) -> Option<Vec<Register>> {
        places.iter().map(|&place| self.register(place)).collect()
    }

    /// These frames for another unit, which has the variables at `places` in its first registers,
    /// in this order, and no others.
    pub(super) fn captured(&self, places: &[Place]) -> Self {
        self.captured_from(places, 0)
    }

    fn captured_from(&self, places: &[Place], up: u32) -> Self {
        let Some(inner) = &self.0 else {
            return Self(None);
        };
        let around = inner.around.captured_from(places, up + 1);
        around.with(match &inner.frame {
            ScopedFrame::Let(expression) => ScopedFrame::Let(*expression),
            ScopedFrame::Variables(slots) => {
                let register = |slot: usize| {
                    let is_it = |place: &Place| place.up == up && place.slot as usize == slot;
                    places.iter().position(is_it).map(|i| i as Register)
                };
                ScopedFrame::Variables((0..slots.len()).map(register).collect())
            }
        })
    }

    /// The innermost frame, and the scope around it. Returns `None` if only the script's frame is
    /// left.
    pub(super) fn innermost(&self) -> Option<(&ScopedFrame, &Self)> {
        self.0.as_ref().map(|inner| (&inner.frame, &inner.around))
    }
}
