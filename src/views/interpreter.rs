//! Evaluates a script with some identities in sight and all others out of sight.
//!
//! Nothing is known of the index set but the identities in sight, and that there are others. A test
//! whose outcome depends on more is answered both ways (`oracle.rs`). A construct without meaning
//! for an unknown number of identities is refused with its place. `PROOFS.md` says why each
//! evaluation of an instance is among those made here.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::comparison::Comparison;
use super::evaluation_place::EvaluationPlace;
use super::expression::builtin_constant;
use super::frames::{frame_of, top_frame};
use super::identities::IdentitiesInSight;
use super::met::MetByScript;
use super::oracle::Oracle;
use super::value::{Frames, IdSet, Local, LocalCode, PartialSlot, PartialValue};
use base::diag::{Diagnostic, Result};
use base::stack::deep;
use eval::ResolvedScript;
use syntax::ast::{Ast, Declaration, DeclarationId, ExprId};
use types::resolved::{Place, Reference};

/// The evaluation of one script.
pub(super) struct Interpreter<'s> {
    pub(super) script: &'s ResolvedScript,
    pub(super) identities: IdentitiesInSight<'s>,
    /// The frame of the top level.
    pub(super) top: Frames,
    pub(super) oracle: Oracle,
    pub(super) met: Rc<MetByScript>,
    /// For each constructor, true if its values are identities.
    pub(super) wrappers: FxHashMap<(DeclarationId, u32), bool>,
    /// True if a process's own choice is answered like a test.
    pub(super) resolves: bool,
    /// The definition whose calls stay closed: they are components that are not looked into.
    pub(super) closed: Option<DeclarationId>,
    pub(super) place: EvaluationPlace,
}

impl<'s> Interpreter<'s> {
    /// The evaluation of `script` with these identities in sight.
    pub(super) fn new(
        script: &'s ResolvedScript,
        identities: IdentitiesInSight<'s>,
        met: &Rc<MetByScript>,
    ) -> Self {
        let parameter = identities.parameter.constant;
        Self {
            script,
            identities,
            top: top_frame(script),
            oracle: Oracle::default(),
            met: Rc::clone(met),
            wrappers: FxHashMap::default(),
            resolves: false,
            closed: None,
            place: EvaluationPlace::new(script.ast.declarations[parameter].span),
        }
    }

    /// The parts that compare values.
    pub(super) fn comparison(&mut self) -> Comparison<'_, 's> {
        Comparison {
            identities: &mut self.identities,
            oracle: &mut self.oracle,
            place: &self.place,
        }
    }

    /// The message that the question cannot be decided for an unknown number of identities.
    pub(super) fn refused(&self, message: impl Into<String>) -> Box<Diagnostic> {
        self.place.refused(message)
    }

    pub(super) fn ast(&self) -> &'s Ast {
        &self.script.ast
    }

    /// True if `local` is a call that stays closed.
    pub(super) fn is_closed(&self, local: &Local) -> bool {
        matches!(local.code, LocalCode::Definition(id) if self.closed == Some(id))
    }

    /// Fails in a Timed section, where time passes by events that are not in the text.
    pub(super) fn untimed(&self, expression: ExprId) -> Result<()> {
        match self.script.resolved.timed.contains_key(&expression) {
            true => Err(self.refused("Timed sections are not followed for all sizes")),
            false => Ok(()),
        }
    }

    /// The value of a name.
    pub(super) fn name(&mut self, name: ExprId, environment: &Frames) -> Result<PartialValue> {
        match &self.script.resolved.names[name] {
            Some(Reference::Local { place, .. }) => self.at(*place, environment),
            Some(Reference::Builtin(builtin)) => builtin_constant(*builtin, &self.place),
            _ => Err(self.refused("members of modules are not looked into for all sizes")),
        }
    }

    /// The value at `place`, as it is seen from `environment`.
    pub(super) fn at(&mut self, place: Place, environment: &Frames) -> Result<PartialValue> {
        let frame = frame_of(place, environment, &self.place)?;
        self.slot(&frame, place.slot)
    }

    /// The value of the content of a slot.
    pub(super) fn slot(&mut self, frame: &Frames, slot: u32) -> Result<PartialValue> {
        let content = frame.slots.borrow().get(slot as usize).cloned();
        let id = match content {
            Some(PartialSlot::Value(PartialValue::Head(id, _)))
                if self.identities.parameter.is_of_identities(id) =>
            {
                return Err(self.place.named_identity());
            }
            Some(PartialSlot::Value(value)) => return Ok(value),
            Some(PartialSlot::Definition(id)) => id,
            Some(PartialSlot::Running) => {
                return Err(self.refused("this is defined in terms of itself"));
            }
            Some(PartialSlot::Empty) | None => {
                return Err(self.refused("this definition is not looked into for all sizes"));
            }
        };
        let parameter = &self.identities.parameter;
        if parameter.index_set.is_some_and(|set| set.constant == id) {
            return Ok(PartialValue::set(self.identities.everybody(), Vec::new()));
        }
        if id == parameter.constant {
            let name = parameter.name();
            return Err(self.place.refused_with(
                format!("{name} is not only the number of identities, but used as a number here"),
                "what holds for all sizes may use the parameter only as the end of the range of identities",
            ));
        }
        self.definition(frame, slot, id)
    }

    fn definition(&mut self, frame: &Frames, slot: u32, id: DeclarationId) -> Result<PartialValue> {
        if self.script.resolved.processes.contains(&id)
            && !matches!(self.ast().declaration(id), Declaration::Function(..))
        {
            return Ok(PartialValue::Process(self.call(id, frame, &[])?));
        }
        let is_top = Rc::ptr_eq(frame, &self.top);
        let value = match self.ast().declaration(id) {
            Declaration::Function(..) if is_top => {
                return Ok(PartialValue::Function(id, Rc::new([])));
            }
            Declaration::Function(..) => {
                return Err(
                    self.refused("a function of a `let` that is used as a value is not followed")
                );
            }
            Declaration::Pattern(_, body) => {
                frame.slots.borrow_mut()[slot as usize] = PartialSlot::Running;
                let value = self.evaluate(*body, frame);
                frame.slots.borrow_mut()[slot as usize] = PartialSlot::Definition(id);
                value?
            }
            Declaration::Nametype(_, body) => self.evaluate(*body, frame)?,
            Declaration::Datatype(..) => self.datatype(id)?,
            _ => return Err(self.refused("this definition is not looked into for all sizes")),
        };
        // A value that depends on answers of the oracle may differ the next time.
        if is_top && self.oracle.given() == 0 {
            frame.slots.borrow_mut()[slot as usize] = PartialSlot::Value(value.clone());
        }
        Ok(value)
    }

    /// The index set, if the range from `first` to `last` is it: its end is the parameter, or the
    /// parameter with a number added or subtracted.
    pub(super) fn index_range(
        &mut self,
        first: ExprId,
        last: ExprId,
        environment: &Frames,
    ) -> Result<Option<IdSet>> {
        let Some(offset) = self.identities.parameter.offset(last) else {
            return Ok(None);
        };
        let PartialValue::Int(first) = self.evaluate(first, environment)? else {
            return Err(self.refused("this range begins with no number"));
        };
        let parameter = &self.identities.parameter;
        if !parameter.meet((first, offset)) {
            let name = parameter.name();
            return Err(self.place.refused_with(
                format!("{name} determines another set beside that of the identities"),
                "what holds for all sizes may use the parameter for one set of identities only",
            ));
        }
        Ok(Some(self.identities.everybody()))
    }

    /// Runs `f` one level deeper.
    pub(super) fn deeper<R>(&mut self, f: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        let place = self.place.enter()?;
        let result = deep(|| f(self));
        self.place.leave(place);
        result
    }
}
