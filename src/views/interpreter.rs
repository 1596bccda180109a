//! Evaluates a script with some identities in sight and all others out of sight.
//!
//! Nothing is known of the index set but the identities in sight, and that there are others. A test
//! whose outcome depends on more is answered both ways (`oracle.rs`). A construct without meaning
//! for an unknown number of identities is refused with its place. `PROOFS.md` says why each
//! evaluation of an instance is among those made here.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::arrangement::Arrangement;
use super::oracle::Oracle;
use super::value::{
    Frames, Id, IdSet, Local, LocalCode, OutOfSight, PartialFrame, PartialSlot, PartialValue,
};
use base::diag::{Diagnostic, Result};
use base::source::Span;
use base::stack::deep;
use eval::ResolvedScript;
use syntax::ast::{Ast, BinaryOp, Declaration, DeclarationId, Expr, ExprId, PatternId};
use types::resolved::{PatternName, Place, Reference};

/// A constant that is the set of all identities.
#[derive(Clone, Copy, Debug)]
pub struct IndexSet {
    /// The constant.
    pub constant: DeclarationId,
    /// The kind of its members.
    pub members: IndexSetMembers,
}

/// The identities, if the set of them is not a range whose end is the parameter.
#[derive(Clone, Copy, Debug)]
pub enum IndexSetMembers {
    /// Numbers from this one on.
    Numbers(i64),
    /// The first constants of this datatype.
    Constants(DeclarationId),
}

/// The results of evaluating a script that do not depend on the identities in sight.
#[derive(Default)]
pub(super) struct MetByScript {
    /// By code of a state, the frame in which it stands, as it was met first. Only its definitions
    /// matter.
    pub(super) skeletons: RefCell<FxHashMap<LocalCode, Frames>>,
    /// The range that is the index set: its first number, and the number added to the parameter for
    /// its last.
    range: Cell<Option<(i64, i64)>>,
}

/// The evaluation of one script.
pub(super) struct Interpreter<'s> {
    pub(super) script: &'s ResolvedScript,
    /// The constant that is the number of identities, or the set of them.
    parameter: DeclarationId,
    /// A constant that is known to be the index set, though it is not a range.
    index_set: Option<IndexSet>,
    /// The identities in sight.
    pub(super) arrangement: Arrangement,
    /// The value of the first number of the range, while the beginnings of processes are found.
    /// Later no identity can be told from another.
    pub(super) first: Option<Id>,
    /// True if the first number was asked for.
    pub(super) names_first: bool,
    pub(super) top: Frames,
    pub(super) oracle: Oracle,
    pub(super) met: Rc<MetByScript>,
    /// For each constructor, true if its values are identities.
    pub(super) wrappers: FxHashMap<(DeclarationId, u32), bool>,
    /// True if a test had one answer for all identities out of sight that may differ in it.
    pub(super) is_mixed: bool,
    /// True if a process's own choice is answered like a test.
    pub(super) resolves: bool,
    /// True if identities are numbers that are counted from both ends: `line.rs`.
    pub(super) counts: bool,
    /// True if the process stands below a priority, where it matters which events are internal.
    pub(super) is_below_priority: bool,
    /// The definition whose calls stay closed: they are components that are not looked into.
    pub(super) closed: Option<DeclarationId>,
    /// The place of evaluation.
    pub(super) place: Span,
    depth: u32,
}

/// The deepest nesting of calls. A deeper one is refused as a recursion with no end in sight.
const MOST_NESTED: u32 = 5_000;

impl<'s> Interpreter<'s> {
    /// The evaluation of `script` with these identities in sight. `parameter` is the number of
    /// identities, or the set of them. `index_set` is a constant that is this set, unless the set
    /// is written as a range.
    pub(super) fn new(
        script: &'s ResolvedScript,
        parameter: DeclarationId,
        index_set: Option<IndexSet>,
        arrangement: Arrangement,
        met: &Rc<MetByScript>,
    ) -> Self {
        let slots = vec![PartialSlot::Empty; script.resolved.script_frame as usize];
        let top = PartialFrame::new(slots, None);
        if let Some(IndexSetMembers::Numbers(first)) = index_set.map(|set| set.members) {
            met.range.set(Some((first, first - 1)));
        }
        let mut interpreter = Self {
            script,
            parameter,
            index_set,
            arrangement,
            first: None,
            names_first: false,
            top: Rc::clone(&top),
            oracle: Oracle::default(),
            met: Rc::clone(met),
            wrappers: FxHashMap::default(),
            is_mixed: false,
            resolves: false,
            counts: false,
            is_below_priority: false,
            closed: None,
            place: script.ast.declarations[parameter].span,
            depth: 0,
        };
        interpreter.declare(&script.ast.script, &top);
        interpreter
    }

    /// The set of all identities.
    pub(super) fn everybody(&self) -> IdSet {
        IdSet {
            seen: (1 << self.arrangement.count()) - 1,
            rest: OutOfSight::All,
        }
    }

    pub(super) fn ast(&self) -> &'s Ast {
        &self.script.ast
    }

    /// The message that the question cannot be decided for an unknown number of identities.
    pub(super) fn refused(&self, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic::undecided("for-all", message).at(self.place, ""))
    }

    /// The message of [`Self::refused`], with a hint.
    pub(super) fn refused_with(
        &self,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Box<Diagnostic> {
        Box::new(self.refused(message).hint(hint))
    }

    /// True if the constants of this datatype are the identities.
    pub(super) fn is_of_identities(&self, datatype: DeclarationId) -> bool {
        self.index_set.is_some_and(
            |set| matches!(set.members, IndexSetMembers::Constants(of) if of == datatype),
        )
    }

    /// True if `local` is a call that stays closed.
    pub(super) fn is_closed(&self, local: &Local) -> bool {
        matches!(local.code, LocalCode::Definition(id) if self.closed == Some(id))
    }

    /// True if some part of `value` is a constant of the datatype of the identities.
    pub(super) fn holds_constant(&self, value: &PartialValue) -> bool {
        match value {
            PartialValue::Head(id, _) => self.is_of_identities(*id),
            value => value.parts().iter().any(|part| self.holds_constant(part)),
        }
    }

    /// The message that the script names an identity, so that they are not all alike.
    pub(super) fn named_identity(&self) -> Box<Diagnostic> {
        self.refused_with(
            "an identity is named here",
            "for all sizes identities have to be alike: only the first number may be named, to say how processes begin",
        )
    }

    /// The identity with this number. Only the first one may be named, and only where processes
    /// begin.
    pub(super) fn numbered(&mut self, number: i64) -> Result<Id> {
        match (self.first, self.met.range.get()) {
            (Some(first), Some((least, _))) if least == number => {
                self.names_first = true;
                Ok(first)
            }
            (Some(Id::Seen(first)), Some((least, _))) if self.counts && least < number => {
                self.moved(first, number.saturating_sub(least))
            }
            // A link of a chain refers to neither of the first two identities.
            (Some(Id::Other), Some((least, _))) if self.counts && number == least + 1 => {
                Ok(Id::Other)
            }
            _ => Err(self.named_identity()),
        }
    }

    /// The first number of the range that is the index set, once it was met.
    pub(super) fn first_number(&self) -> Option<i64> {
        self.met.range.get().map(|(least, _)| least)
    }

    /// The number added to the parameter for the last number of the range.
    pub(super) fn last_offset(&self) -> Option<i64> {
        self.met.range.get().map(|(_, offset)| offset)
    }

    /// The index set, if it is not written as a range.
    pub(super) fn index_set(&self) -> Option<IndexSet> {
        self.index_set
    }

    /// True if the identities are the numbers from 0 to the parameter less 1.
    pub(super) fn counts_from_0(&self) -> bool {
        self.met.range.get() == Some((0, -1))
    }

    /// Fills the slots of `frame` for `declarations`.
    fn declare(&mut self, declarations: &[DeclarationId], frame: &Frames) {
        let script = self.script;
        for &id in declarations {
            let slots = script
                .resolved
                .slots
                .get(&id)
                .map_or(&[][..], Vec::as_slice);
            let set = |slot: u32, content| frame.slots.borrow_mut()[slot as usize] = content;
            match script.ast.declaration(id) {
                Declaration::Pattern(pattern, _) => {
                    if let Some(slot) = self.variable(*pattern) {
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
                Declaration::Function(..)
                | Declaration::Subtype(..)
                | Declaration::Nametype(..) => set(slots[0], PartialSlot::Definition(id)),
                Declaration::Include(_, inner) | Declaration::Timed(_, inner) => {
                    self.declare(inner, frame);
                }
                _ => {}
            }
        }
    }

    /// The slot of a pattern that is a variable.
    pub(super) fn variable(&self, pattern: PatternId) -> Option<u32> {
        let pattern = self.ast().unbracketed_pattern(pattern);
        match self.script.resolved.patterns[pattern] {
            Some(PatternName::Variable(slot)) => Some(slot),
            _ => None,
        }
    }

    /// Fails in a Timed section, where time passes by events that are not in the text.
    pub(super) fn untimed(&self, expression: ExprId) -> Result<()> {
        match self.script.resolved.timed.contains_key(&expression) {
            true => Err(self.refused("Timed sections are not followed for all sizes")),
            false => Ok(()),
        }
    }

    /// The frame of a `let`.
    pub(super) fn let_frame(
        &mut self,
        expression: ExprId,
        declarations: &[DeclarationId],
        environment: &Frames,
    ) -> Frames {
        let size = self.script.resolved.let_frames.get(&expression);
        let slots = vec![PartialSlot::Empty; size.copied().unwrap_or(0) as usize];
        let frame = PartialFrame::new(slots, Some(environment));
        self.declare(declarations, &frame);
        frame
    }

    /// The value of a name.
    pub(super) fn name(&mut self, name: ExprId, environment: &Frames) -> Result<PartialValue> {
        match &self.script.resolved.names[name] {
            Some(Reference::Local { place, .. }) => self.at(*place, environment),
            Some(Reference::Builtin(builtin)) => self.builtin_constant(*builtin),
            _ => Err(self.refused("members of modules are not looked into for all sizes")),
        }
    }

    /// The value at `place`, as it is seen from `environment`.
    pub(super) fn at(&mut self, place: Place, environment: &Frames) -> Result<PartialValue> {
        let frame = self.frame(place, environment)?;
        self.slot(&frame, place.slot)
    }

    /// The frame of `place`.
    pub(super) fn frame(&self, place: Place, environment: &Frames) -> Result<Frames> {
        let frame = environment.ancestor(place.up);
        frame.ok_or_else(|| self.refused("a name outside of its frames"))
    }

    /// The value of the content of a slot.
    pub(super) fn slot(&mut self, frame: &Frames, slot: u32) -> Result<PartialValue> {
        let content = frame.slots.borrow().get(slot as usize).cloned();
        let id = match content {
            Some(PartialSlot::Value(PartialValue::Head(id, _))) if self.is_of_identities(id) => {
                return Err(self.named_identity());
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
        if self.index_set.is_some_and(|set| set.constant == id) {
            return Ok(PartialValue::set(self.everybody(), Vec::new()));
        }
        if id == self.parameter {
            let name = self.parameter_name();
            return Err(self.refused_with(
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

    /// The name of the parameter.
    pub(super) fn parameter_name(&self) -> &'s str {
        match self.ast().declaration(self.parameter) {
            Declaration::Pattern(pattern, _) => match self.ast().pattern(*pattern) {
                syntax::ast::Pattern::Name(path) => self.ast().name(path.last().symbol),
                _ => "",
            },
            _ => "",
        }
    }

    /// The index set, if the range from `first` to `last` is it: its end is the parameter, or the
    /// parameter with a number added or subtracted.
    pub(super) fn index_range(
        &mut self,
        first: ExprId,
        last: ExprId,
        environment: &Frames,
    ) -> Result<Option<IdSet>> {
        let Some(offset) = self.offset_from_parameter(last) else {
            return Ok(None);
        };
        let PartialValue::Int(first) = self.evaluate(first, environment)? else {
            return Err(self.refused("this range begins with no number"));
        };
        let range = self.met.range.get().unwrap_or((first, offset));
        self.met.range.set(Some(range));
        if range != (first, offset) || self.index_set.is_some() {
            let name = self.parameter_name();
            return Err(self.refused_with(
                format!("{name} determines another set beside that of the identities"),
                "what holds for all sizes may use the parameter for one set of identities only",
            ));
        }
        Ok(Some(self.everybody()))
    }

    /// The number added to the parameter in `N`, `N - 1`, `N + 1` and the like; `None` for others.
    pub(super) fn offset_from_parameter(&self, expression: ExprId) -> Option<i64> {
        let expression = self.ast().unbracketed(expression);
        match self.ast().expr(expression) {
            Expr::Name(_) if self.is_parameter(expression) => Some(0),
            Expr::Binary(op, left, right) if self.is_parameter(*left) => {
                match (op, self.ast().expr(*right)) {
                    (BinaryOp::Add, Expr::Int(n)) => Some(*n),
                    (BinaryOp::Subtract, Expr::Int(n)) => Some(-*n),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// True if an expression is the name of the parameter.
    pub(super) fn is_parameter(&self, expression: ExprId) -> bool {
        is_name_of(self.script, expression, self.parameter)
    }

    /// The parameter less the size of the index set: 0 for `{1..N}` and `{0..N - 1}`. `None` if no
    /// such set was met.
    pub(super) fn missing(&self) -> Option<i64> {
        match (self.met.range.get(), self.index_set) {
            (Some((first, offset)), _) => Some(first - offset - 1),
            (None, Some(_)) => Some(0),
            (None, None) => None,
        }
    }

    /// Runs `f` one level deeper.
    pub(super) fn deeper<R>(&mut self, f: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        if self.depth >= MOST_NESTED {
            return Err(self.refused("this is nested too deep to be followed for all sizes"));
        }
        self.depth += 1;
        let place = self.place;
        let result = deep(|| f(self));
        self.place = place;
        self.depth -= 1;
        result
    }
}

/// True if `expression` is a name of the constant.
fn is_name_of(script: &ResolvedScript, expression: ExprId, constant: DeclarationId) -> bool {
    match &script.resolved.names[script.ast.unbracketed(expression)] {
        Some(Reference::Local { definition, .. }) => *definition == Some(constant),
        _ => false,
    }
}

/// True if the script computes modulo the constant: its identities then stand in a ring.
pub(super) fn has_ring(script: &ResolvedScript, parameter: DeclarationId) -> bool {
    script
        .ast
        .expressions
        .indices()
        .any(|id| match script.ast.expr(id) {
            Expr::Binary(BinaryOp::Modulo, _, modulus) => is_name_of(script, *modulus, parameter),
            _ => false,
        })
}
