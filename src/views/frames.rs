//! Frames of variables: of the top level, of a `let`, of a state, and for one of the identities.

use std::rc::Rc;

use super::evaluation_place::EvaluationPlace;
use super::value::{EveryIsOther, Frames, PartialFrame, PartialSlot, PartialValue};
use base::diag::Result;
use eval::ResolvedScript;
use syntax::ast::{Declaration, DeclarationId, ExprId, PatternId};
use types::resolved::{PatternName, Place};

/// The frame of the top level of `script`.
pub(super) fn top_frame(script: &ResolvedScript) -> Frames {
    let slots = vec![PartialSlot::Empty; script.resolved.script_frame as usize];
    let top = PartialFrame::new(slots, None);
    declare(script, &script.ast.script, &top);
    top
}

/// The frame of a `let`.
pub(super) fn let_frame(
    script: &ResolvedScript,
    expression: ExprId,
    declarations: &[DeclarationId],
    environment: &Frames,
) -> Frames {
    let size = script.resolved.let_frames.get(&expression);
    let slots = vec![PartialSlot::Empty; size.copied().unwrap_or(0) as usize];
    let frame = PartialFrame::new(slots, Some(environment));
    declare(script, declarations, &frame);
    frame
}

/// Fills the slots of `frame` for `declarations`.
fn declare(script: &ResolvedScript, declarations: &[DeclarationId], frame: &Frames) {
    for &id in declarations {
        let slots = script
            .resolved
            .slots
            .get(&id)
            .map_or(&[][..], Vec::as_slice);
        let set = |slot: u32, content| frame.slots.borrow_mut()[slot as usize] = content;
        match script.ast.declaration(id) {
            Declaration::Pattern(pattern, _) => {
                if let Some(slot) = variable(script, *pattern) {
                    set(slot, PartialSlot::Definition(id));
                }
            }
            Declaration::Channel(names, _) => {
                for (number, &slot) in (0..names.len() as u32).zip(slots) {
                    set(slot, PartialSlot::Value(PartialValue::Head(id, number)));
                }
            }
            Declaration::Datatype(_, constructors) => {
                set(slots[0], PartialSlot::Definition(id));
                for (number, &slot) in (0..constructors.len() as u32).zip(&slots[1..]) {
                    set(slot, PartialSlot::Value(PartialValue::Head(id, number)));
                }
            }
            Declaration::Function(..) | Declaration::Subtype(..) | Declaration::Nametype(..) => {
                set(slots[0], PartialSlot::Definition(id))
            }
            Declaration::Include(_, inner) | Declaration::Timed(_, inner) => {
                declare(script, inner, frame);
            }
            _ => {}
        }
    }
}

/// The slot of a pattern that is a variable.
fn variable(script: &ResolvedScript, pattern: PatternId) -> Option<u32> {
    let pattern = script.ast.unbracketed_pattern(pattern);
    match script.resolved.patterns[pattern] {
        Some(PatternName::Variable(slot)) => Some(slot),
        _ => None,
    }
}

/// The frame of `place`.
pub(super) fn frame_of(place: Place, environment: &Frames, at: &EvaluationPlace) -> Result<Frames> {
    let frame = environment.ancestor(place.up);
    frame.ok_or_else(|| at.refused("a name outside of its frames"))
}

/// The frames from `frame` outwards with these values at these places, and otherwise only
/// definitions. `frame` is `up` steps outwards from the first; `top` is the frame of the top level.
pub(super) fn rebuilt(
    frame: &Frames,
    up: u32,
    top: &Frames,
    values: (&[Place], &[PartialValue]),
) -> Frames {
    let Some(parent) = &frame.parent else {
        // The frame of the top level; that of the skeleton may have others in sight.
        return Rc::clone(top);
    };
    let parent = rebuilt(parent, up + 1, top, values);
    let slots = frame.slots.borrow();
    let slots = (0..slots.len()).map(|slot| {
        let at = Place {
            up,
            slot: slot as u32,
        };
        match (values.0.iter().position(|place| *place == at), &slots[slot]) {
            (Some(number), _) => PartialSlot::Value(values.1[number].clone()),
            (None, PartialSlot::Definition(id)) => PartialSlot::Definition(*id),
            _ => PartialSlot::Empty,
        }
    });
    PartialFrame::new(slots.collect(), Some(&parent))
}

/// The frames from `frame` up to `end`, in which every value for all identities out of sight
/// becomes one for some of them.
pub(super) fn some_of(frame: &Frames, end: &Frames) -> Frames {
    if Rc::ptr_eq(frame, end) {
        return Rc::clone(frame);
    }
    let slots = frame.slots.borrow();
    let slots = slots.iter().map(|slot| match slot {
        PartialSlot::Value(value) => PartialSlot::Value(value.mapped(&EveryIsOther)),
        other => other.clone(),
    });
    let parent = frame.parent.as_ref().map(|parent| some_of(parent, end));
    let slots: Vec<PartialSlot> = slots.collect();
    PartialFrame::new(slots, parent.as_ref())
}
