//! Types of the declarations of one group.

use rustc_hash::FxHashMap;

use super::annotation::Annotations;
use super::constraint::Constraint;
use super::environment::{FrameId, Slot};
use super::group::Node;
use super::inference::{Declared, Inference};
use super::reason::Reason;
use super::scheme::{Open, Scheme};
use super::types::{Datatype, Kind, Type, Types};
use super::unify::Unified;
use crate::diag::{Diagnostic, Result};
use crate::source::Span;
use crate::syntax::ast::{
    Assertion, AssertionKind, AssertionOption, Clause, Constructor, Declaration, DeclarationId,
    ExprId, Identifier, PatternId, Symbol, SymmetricType, TypeId, TypeScheme,
};
use crate::syntax::children::type_names;

/// A name that is being typed.
struct Typing {
    symbol: Symbol,
    span: Span,
    frame: FrameId,
    slot: u32,
    ty: Type,
    annotated: Option<Scheme>,
    /// Whether it is a channel or a constructor, of one type only.
    is_plain: bool,
}

impl<'a> Inference<'a> {
    /// Types declarations that use each other.
    pub(super) fn group(&mut self, group: &[Node], generalises: bool) {
        let mut names: Vec<Typing> = Vec::new();
        for node in group {
            let found = self.at(node, |inference| inference.begin(node.id));
            match found {
                Ok(found) => names.extend(found),
                Err(problem) => self.diagnostics.push(*problem),
            }
        }
        // Constructors are needed in patterns with their fields.
        let is_datatype =
            |node: &&Node| matches!(self.ast.declaration(node.id), Declaration::Datatype(..));
        let (datatypes, others): (Vec<&Node>, Vec<&Node>) = group.iter().partition(is_datatype);
        let mut fails = false;
        for node in datatypes.iter().chain(&others) {
            let typed = self.at(node, |inference| inference.declaration(node.id));
            if let Err(problem) = typed {
                self.diagnostics.push(*problem);
                fails = true;
            }
        }
        self.decide_comparable(&datatypes);
        for name in names {
            self.finish(name, generalises, fails);
        }
    }

    /// Gives each name that `id` introduces a type that is not known yet.
    fn begin(&mut self, id: DeclarationId) -> Result<Vec<Typing>> {
        let ast = self.ast;
        let slots = self.resolved.slots.get(&id).cloned().unwrap_or_default();
        let own = |names: &[Identifier], from: usize| -> Vec<(Symbol, Span, u32)> {
            let slots = slots.iter().skip(from);
            let names = names.iter().zip(slots);
            names
                .map(|(name, &slot)| (name.symbol, name.span, slot))
                .collect()
        };
        let (names, is_plain) = match ast.declaration(id) {
            Declaration::Function(name, _)
            | Declaration::Nametype(name, _)
            | Declaration::Subtype(name, _) => (own(&[*name], 0), false),
            Declaration::Channel(names, _) => (own(names, 0), true),
            Declaration::Datatype(_, constructors) => {
                let names: Vec<Identifier> = constructors.iter().map(|c| c.name).collect();
                (own(&names, 1), true)
            }
            Declaration::Pattern(pattern, _) => {
                let span = ast.patterns[*pattern].span;
                let variables = self.pattern_variables(*pattern).into_iter();
                (
                    variables
                        .map(|(symbol, slot)| (symbol, span, slot))
                        .collect(),
                    false,
                )
            }
            _ => return Ok(Vec::new()),
        };
        let Some(&frame) = self.environment.chain().last() else {
            return Ok(Vec::new());
        };
        let mut typing = Vec::new();
        for (symbol, span, slot) in names {
            let ty = self.unknown_yet();
            self.environment
                .fill_in(frame, slot, Slot::Value(Scheme::of(ty)));
            let annotated = match self.annotations.get(&(id, symbol)).copied() {
                Some(scheme) => Some(self.annotated(scheme)?),
                None => None,
            };
            // A function may be used at other types than its own already where it is defined.
            if let (Some(scheme), Declaration::Function(..)) = (&annotated, ast.declaration(id)) {
                let scheme = Slot::Value(scheme.clone());
                self.environment.fill_in(frame, slot, scheme);
            }
            typing.push(Typing {
                symbol,
                span,
                frame,
                slot,
                ty,
                annotated,
                is_plain,
            });
        }
        Ok(typing)
    }

    /// Gives a name its type for good.
    fn finish(&mut self, name: Typing, generalises: bool, fails: bool) {
        let known = match self.environment.slot(name.frame, name.slot) {
            Slot::Value(scheme) => scheme.ty,
            _ => name.ty,
        };
        let scheme = match &name.annotated {
            Some(scheme) => scheme.clone(),
            None if fails => Scheme::of(Types::UNKNOWN),
            None if generalises && !name.is_plain => {
                let around = self.fixed.clone();
                self.types.generalised(known, &around)
            }
            None => Scheme::of(known),
        };
        if name.is_plain && !fails {
            self.check_plain(&name, scheme.ty);
        }
        let slot = Slot::Value(scheme.clone());
        self.environment.fill_in(name.frame, name.slot, slot);
        self.declared.push(Declared {
            name: Identifier {
                symbol: name.symbol,
                span: name.span,
            },
            scheme,
        });
    }

    /// What a channel carries and what a constructor holds is of one type.
    fn check_plain(&mut self, name: &Typing, ty: Type) {
        let mut open = Open::default();
        self.types.open(ty, &mut open);
        if open.variables.is_empty() && open.tails.is_empty() {
            return;
        }
        let text = super::text::Names::new(self.ast).ty(&mut self.types, ty);
        let message = format!(
            "the fields of `{}` could be of any type",
            self.ast.name(name.symbol)
        );
        let error = Diagnostic::error("ambiguous-type", message)
            .at(name.span, format!("this has type {text}"))
            .note("what a channel carries and a constructor holds must be of one known type");
        self.diagnostics.push(error);
    }

    fn annotated(&mut self, scheme: &TypeScheme) -> Result<Scheme> {
        let datatypes = self.datatypes_in(scheme.body);
        Annotations::new(self.ast, &mut self.types, &datatypes).flexible(scheme)
    }

    /// The type that the definition of `symbol` by `id` must have, or one that is not known yet.
    fn wanted(&mut self, id: DeclarationId, symbol: Symbol) -> Result<Type> {
        let Some(scheme) = self.annotations.get(&(id, symbol)).copied() else {
            return Ok(self.unknown_yet());
        };
        let datatypes = self.datatypes_in(scheme.body);
        Annotations::new(self.ast, &mut self.types, &datatypes).rigid(scheme)
    }

    /// By name in the type `body`, the datatype that it means.
    fn datatypes_in(&mut self, body: TypeId) -> FxHashMap<TypeId, Type> {
        let mut found = FxHashMap::default();
        let resolved = self.resolved;
        for (id, _) in type_names(self.ast, body) {
            let Some(reference) = &resolved.type_names[id] else {
                continue;
            };
            let values = self.reference(Some(reference));
            if let Kind::Set(values) = self.types.kind(values) {
                found.insert(id, values);
            }
        }
        found
    }

    /// Types what stands in the declaration `id`, and makes the types of its names one with what they have.
    fn declaration(&mut self, id: DeclarationId) -> Result<()> {
        let ast = self.ast;
        match ast.declaration(id) {
            Declaration::Pattern(pattern, body) => self.constant(id, *pattern, *body),
            Declaration::Function(name, clauses) => self.function(id, *name, clauses),
            Declaration::Channel(names, fields) => {
                let fields = match fields {
                    Some(fields) => self.field_types(*fields)?,
                    None => Vec::new(),
                };
                let ty = self.types.dotable(&fields, Types::EVENT);
                (0..names.len()).try_for_each(|index| self.introduce(id, index, ty, names[index]))
            }
            Declaration::Datatype(_, constructors) => self.datatype(id, constructors),
            Declaration::Subtype(name, constructors) => self.subtype(id, *name, constructors),
            Declaration::Nametype(name, body) => {
                let fields = self.field_types(*body)?;
                let value = self.types.dot(&fields);
                let values = self.types.set(value);
                self.introduce(id, 0, values, *name)
            }
            Declaration::Module {
                parameters,
                private,
                exports,
                ..
            } => self.module(id, parameters, private, exports),
            Declaration::Instance {
                name, arguments, ..
            } => self.instance(id, *name, arguments),
            Declaration::Print(value) => self.expression(*value).map(|_| ()),
            Declaration::Timed(Some(duration), _) => {
                let expected = self.types.function(&[Types::EVENT], Types::INT);
                self.expect(
                    *duration,
                    expected,
                    Reason::Taken("what says how long events take"),
                )
            }
            Declaration::Assert(assertion) => self.assertion(assertion),
            Declaration::Timed(None, _)
            | Declaration::Include(..)
            | Declaration::External(_)
            | Declaration::Transparent(_)
            | Declaration::Annotation(..) => Ok(()),
        }
    }

    /// Makes the type of the `index`th name of `id` one with `ty`.
    fn introduce(
        &mut self,
        id: DeclarationId,
        index: usize,
        ty: Type,
        name: Identifier,
    ) -> Result<()> {
        let annotated = self.wanted(id, name.symbol)?;
        let reason = Reason::Taken("what the annotation speaks of");
        self.checked(annotated, ty, name.span, reason)?;
        let slots = self.resolved.slots.get(&id);
        let slot = slots.and_then(|slots| slots.get(index)).copied();
        let frame = self.environment.chain().last().copied();
        let (Some(slot), Some(frame)) = (slot, frame) else {
            return Ok(());
        };
        let Slot::Value(scheme) = self.environment.slot(frame, slot).clone() else {
            return Ok(());
        };
        let used = Reason::Taken("what is used before it is known");
        self.checked(scheme.ty, ty, name.span, used)
    }

    fn checked(&mut self, expected: Type, actual: Type, span: Span, reason: Reason) -> Result<()> {
        match self.types.unify(expected, actual) {
            Ok(()) => Ok(()),
            Err(mismatch) => self
                .mismatch(span, (expected, actual), &mismatch, reason)
                .into(),
        }
    }

    /// `pattern = body`
    fn constant(&mut self, id: DeclarationId, pattern: PatternId, body: ExprId) -> Result<()> {
        let Some(&frame) = self.environment.chain().last() else {
            return Ok(());
        };
        for (symbol, slot) in self.pattern_variables(pattern) {
            let wanted = self.wanted(id, symbol)?;
            if let Slot::Value(scheme) = self.environment.slot(frame, slot) {
                let used = scheme.ty;
                let place = self.ast.patterns[pattern].span;
                self.checked(used, wanted, place, Reason::Taken("this name"))?;
            }
        }
        let expected = self.pattern(pattern, frame)?;
        let actual = self.expression(body)?;
        match self.unify_evaluated(actual, expected) {
            Ok(()) => Ok(()),
            Err(mismatch) => {
                let place = self.ast.patterns[pattern].span;
                let reason = Reason::Like("what stands before `=`", place);
                self.mismatch_of(body, (expected, actual), &mismatch, reason)
                    .into()
            }
        }
    }

    /// Unifies two types where patterns are bound: both evaluated, and nothing dotted made of something whole.
    pub(super) fn unify_evaluated(&mut self, expected: Type, actual: Type) -> Unified {
        let expected = self.types.with_evaluated_dots(expected)?;
        let actual = self.types.with_evaluated_dots(actual)?;
        let around = std::mem::replace(&mut self.types.is_symmetric, false);
        let unified = self.types.unify(expected, actual);
        self.types.is_symmetric = around;
        unified
    }

    fn function(&mut self, id: DeclarationId, name: Identifier, clauses: &[Clause]) -> Result<()> {
        let wanted = self.wanted(id, name.symbol)?;
        let is_annotated = self.annotations.contains_key(&(id, name.symbol));
        if !is_annotated {
            let slot = self.resolved.slots.get(&id).and_then(|slots| slots.first());
            let frame = self.environment.chain().last().copied();
            if let (Some(&slot), Some(frame)) = (slot, frame)
                && let Slot::Value(scheme) = self.environment.slot(frame, slot)
            {
                let used = scheme.ty;
                self.checked(used, wanted, name.span, Reason::Taken("this function"))?;
            }
        }
        for (number, clause) in clauses.iter().enumerate() {
            let depth = self.environment.chain().len();
            let typed = self.clause(clause);
            while self.environment.chain().len() > depth {
                self.environment.leave();
            }
            let ty = typed?;
            let place = clauses[0].span;
            let reason = match (is_annotated, number) {
                (true, _) => Reason::Taken("this function, by its annotation,"),
                (false, 0) => Reason::Taken("this function, as it is used,"),
                (false, _) => Reason::Like("the first clause", place),
            };
            self.checked(wanted, ty, clause.span, reason)?;
        }
        Ok(())
    }

    /// The type of one clause. What is dotted in it is evaluated by the longest match; in the patterns once more at the end,
    /// because the body says more of them.
    fn clause(&mut self, clause: &Clause) -> Result<Type> {
        let mut groups = Vec::new();
        for group in &clause.groups {
            let types = self.enter_patterns(group)?;
            groups.push(self.evaluated(&types, clause.span)?);
        }
        let body = self.expression(clause.body)?;
        let mut result = self.evaluated(&[body], self.span(clause.body))?[0];
        for group in groups.iter().rev() {
            let group = self.evaluated(group, clause.span)?;
            result = self.types.function(&group, result);
        }
        Ok(result)
    }

    fn evaluated(&mut self, types: &[Type], span: Span) -> Result<Vec<Type>> {
        let mut evaluated = Vec::new();
        for &ty in types {
            match self.types.with_evaluated_dots(ty) {
                Ok(ty) => evaluated.push(ty),
                Err(mismatch) => {
                    let reason = Reason::Taken("a field");
                    return self.mismatch(span, (ty, ty), &mismatch, reason).into();
                }
            }
        }
        Ok(evaluated)
    }

    /// The types of fields that are written as sets of their values: `Int.{0..2}.(A, B)`.
    fn field_types(&mut self, fields: ExprId) -> Result<Vec<Type>> {
        let sets = self.expression(fields)?;
        let value = match self.values_of(sets) {
            Ok(value) => value,
            Err(mismatch) => {
                let element = self.unknown_yet();
                let expected = self.types.set(element);
                let reason = Reason::Taken("the values of a field");
                return self
                    .mismatch_of(fields, (expected, sets), &mismatch, reason)
                    .into();
            }
        };
        self.require(Constraint::Complete, value, self.span(fields))?;
        Ok(self.types.fields_of_dotted(value))
    }

    /// What is in the sets that `ty` is made of.
    fn values_of(&mut self, ty: Type) -> Unified<Type> {
        match self.types.kind(ty) {
            Kind::Dot(parts) => {
                let parts = parts.iter().map(|&part| self.values_of(part));
                let parts: Vec<Type> = parts.collect::<Unified<_>>()?;
                Ok(self.types.dot(&parts))
            }
            Kind::Tuple(parts) => {
                let parts = parts.iter().map(|&part| self.values_of(part));
                let parts: Vec<Type> = parts.collect::<Unified<_>>()?;
                Ok(self.types.tuple(&parts))
            }
            _ => {
                let value = self.unknown_yet();
                let set = self.types.set(value);
                self.types.unify(set, ty)?;
                Ok(value)
            }
        }
    }

    fn datatype(&mut self, id: DeclarationId, constructors: &[Constructor]) -> Result<()> {
        let Some(datatype) = self.datatype_of(id) else {
            return Ok(());
        };
        let whole = self.types.make(Kind::Datatype(datatype));
        for (index, constructor) in constructors.iter().enumerate() {
            let fields = match constructor.fields {
                Some(fields) => self.field_types(fields)?,
                None => Vec::new(),
            };
            let ty = self.types.dotable(&fields, whole);
            self.introduce(id, index + 1, ty, constructor.name)?;
        }
        Ok(())
    }

    /// A subtype has values of some constructors of one datatype, perhaps without their last fields.
    fn subtype(
        &mut self,
        id: DeclarationId,
        name: Identifier,
        constructors: &[Constructor],
    ) -> Result<()> {
        let resolved = self.resolved;
        let parent = self.unknown_yet();
        let references = resolved.constructors.get(&id);
        for (constructor, reference) in constructors.iter().zip(references.into_iter().flatten()) {
            let ty = self.reference(Some(reference));
            let (fields, whole) = self.types.fields(ty);
            let reason = Reason::Taken("a constructor of this subtype");
            self.checked(parent, whole, constructor.name.span, reason)?;
            let given = match constructor.fields {
                Some(fields) => self.field_types(fields)?,
                None => Vec::new(),
            };
            if given.len() > fields.len() {
                let text = self.ast.name(constructor.name.symbol);
                let message = format!(
                    "`{text}` has {} fields, but here {}",
                    fields.len(),
                    given.len()
                );
                return Diagnostic::error("field-count", message)
                    .at(constructor.name.span, "")
                    .into();
            }
            for (&field, &given) in fields.iter().zip(&given) {
                let reason = Reason::Taken("a field of this constructor");
                self.checked(field, given, constructor.name.span, reason)?;
            }
        }
        let values = self.types.set(parent);
        self.introduce(id, 0, values, name)
    }

    /// Decides which of `datatypes`, which use each other, have values that can be compared: as many as can be, since
    /// what fails at one field only must not fail because it was supposed to fail elsewhere.
    fn decide_comparable(&mut self, datatypes: &[&Node]) {
        let mut all: Vec<(Datatype, Vec<Type>)> = Vec::new();
        for node in datatypes {
            let found = self.at(node, |inference| {
                let datatype = inference.datatype_of(node.id)?;
                Some((datatype, inference.constructor_types(node.id)))
            });
            all.extend(found);
        }
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for (datatype, constructors) in &all {
                let is_comparable = constructors.iter().all(|&constructor| {
                    let mut fields = self.types.fields(constructor).0.into_iter();
                    fields.all(|field| self.types.require_one(Constraint::Eq, field).is_ok())
                });
                let known = &mut self.types.datatypes[*datatype].is_comparable;
                is_changed |= *known && !is_comparable;
                *known &= is_comparable;
            }
            // What was found supposed that too much can be compared.
            self.types.satisfied.clear();
        }
    }

    fn constructor_types(&mut self, id: DeclarationId) -> Vec<Type> {
        let slots = self.resolved.slots.get(&id).into_iter().flatten().skip(1);
        let frame = self.environment.chain().last().copied();
        let types = slots.filter_map(|&slot| match self.environment.slot(frame?, slot) {
            Slot::Value(scheme) => Some(scheme.ty),
            _ => None,
        });
        types.collect()
    }

    fn assertion(&mut self, assertion: &Assertion) -> Result<()> {
        let what = "what is asserted of";
        match &assertion.kind {
            AssertionKind::Refinement {
                specification,
                implementation,
                ..
            } => self.expect_all(&[*specification, *implementation], Types::PROCESS, what)?,
            AssertionKind::Property { process, .. } => {
                self.expect_all(&[*process], Types::PROCESS, what)?;
            }
            AssertionKind::HasTrace { process, trace, .. } => {
                self.expect_all(&[*process], Types::PROCESS, what)?;
                let events = self.types.sequence(Types::EVENT);
                self.expect(*trace, events, Reason::Taken("a trace"))?;
            }
            AssertionKind::Symmetric { subject, types } => {
                self.expression(*subject)?;
                self.symmetric_types(types)?;
            }
        }
        for option in &assertion.options {
            match option {
                AssertionOption::TauPriority(events) => {
                    let expected = self.types.set(Types::EVENT);
                    self.expect(*events, expected, Reason::Taken("a set of events"))?;
                }
                AssertionOption::PartialOrderReduce(_) => {}
                AssertionOption::SymmetryReduce(types) => self.symmetric_types(types)?,
            }
        }
        Ok(())
    }

    /// Each names a set of values, and some of them.
    fn symmetric_types(&mut self, types: &[SymmetricType]) -> Result<()> {
        for SymmetricType {
            expression, fixed, ..
        } in types
        {
            let values = self.reference(self.resolved.names[*expression].as_ref());
            self.expressions[*expression] = Some(values);
            let element = self.unknown_yet();
            let set = self.types.set(element);
            let span = self.span(*expression);
            self.checked(set, values, span, Reason::Taken("a type"))?;
            let whole = self.types.extendable(element);
            self.expect_all(fixed, whole, "a value that stays fixed")?;
        }
        Ok(())
    }
}
