//! Types one group of declarations that use each other: first its names get preliminary types, then
//! their final types.

use rustc_hash::FxHashMap;

use super::annotation::{Annotations, Signature, TypeVariables};
use super::environment::{FrameId, SlotContent};
use super::group::PlacedDeclaration;
use super::inference::{Declared, Inference};
use super::scheme::{Generality, OpenVariables, Scheme};
use super::types::{Type, TypeKind, Types};
use base::diag::Diagnostic;
use base::source::Span;
use syntax::ast::{Clause, Declaration, DeclarationId, Identifier, TypeId, TypeScheme};
use syntax::children::type_names;

/// A name that is being typed.
struct Typing {
    name: Identifier,
    frame: FrameId,
    slot: u32,
    /// The type from its annotation.
    annotated: Option<Scheme>,
    /// True for a channel or a constructor, which has one type only.
    is_plain: bool,
}

impl Inference<'_> {
    /// Types declarations that use each other.
    pub(super) fn group(&mut self, group: &[PlacedDeclaration], generality: Generality) {
        let (diagnostics, declared) = (self.diagnostics.len(), self.declared.len());
        let mut before = self.before_group();
        let (mut names, mut fails) = self.attempt(group);
        // Values of datatypes were supposed to be comparable. What compares them must be refused if
        // they are not, and that can be what the datatype itself is made with.
        if !self.are_comparable(group) {
            self.diagnostics.truncate(diagnostics);
            self.declared.truncate(declared);
            before = self.before_group();
            (names, fails) = self.attempt(group);
        }
        for name in names {
            if generality == Generality::OneType && !fails && name.annotated.is_none() {
                let ty = self.type_in(name.frame, name.slot);
                self.note_single_type(name.name, ty, before);
            }
            self.finish(&name, generality, fails);
        }
    }

    /// Types a group. Returns its names, and true if there are mistakes.
    fn attempt(&mut self, group: &[PlacedDeclaration]) -> (Vec<Typing>, bool) {
        let before = self.diagnostics.len();
        let mut names: Vec<Typing> = Vec::new();
        // All names of the group have some type before any is typed, because they use each other.
        for node in group {
            names.extend(self.at(node, |inference| inference.begin(node.id)));
        }
        // Constructors are needed in patterns with their fields.
        let is_datatype = |node: &&PlacedDeclaration| {
            matches!(self.ast.declaration(node.id), Declaration::Datatype(..))
        };
        let (datatypes, others): (Vec<&PlacedDeclaration>, Vec<&PlacedDeclaration>) =
            group.iter().partition(is_datatype);
        for node in datatypes.iter().chain(&others) {
            let typed = self.at(node, |inference| inference.declaration(node.id));
            self.report(typed);
            let sized = self.of_bearable_size((), self.ast.declarations[node.id].span);
            self.report(sized);
        }
        (names, self.diagnostics.len() > before)
    }

    /// Gives each name that `id` introduces a type that is not known yet.
    fn begin(&mut self, id: DeclarationId) -> Vec<Typing> {
        let Some(&frame) = self.environment.chain().last() else {
            return Vec::new();
        };
        let (names, is_plain) = self.names_of(id);
        let mut typing = Vec::new();
        for (name, slot) in names {
            let ty = match self.ast.declaration(id) {
                Declaration::Function(_, clauses) => self.function_yet(clauses),
                _ => self.unknown_yet(),
            };
            let value = SlotContent::Value(Scheme::of(ty));
            self.environment.fill_in(frame, slot, value);
            let written = self.annotations.get(&(id, name.symbol)).copied();
            let annotated = written.map(|scheme| {
                let signature = self.signature(scheme);
                let each = signature.scheme.clone();
                self.signatures.insert((id, name.symbol), signature);
                each
            });
            typing.push(Typing {
                name,
                frame,
                slot,
                annotated,
                is_plain,
            });
        }
        typing
    }

    /// The type of a function with as many arguments as `clauses` take, so that a use with other
    /// numbers is found at its place.
    fn function_yet(&mut self, clauses: &[Clause]) -> Type {
        let groups = clauses.first().map_or(&[][..], |clause| &clause.groups);
        let result = self.unknown_yet();
        groups.iter().rev().fold(result, |result, group| {
            let parameters: Vec<Type> = group.iter().map(|_| self.unknown_yet()).collect();
            self.types.function(&parameters, result)
        })
    }

    /// The names that `id` introduces, with their slots, and true if they are channels or
    /// constructors.
    fn names_of(&self, id: DeclarationId) -> (Vec<(Identifier, u32)>, bool) {
        let slots = self.resolved.slots.get(&id).map_or(&[][..], Vec::as_slice);
        let with_slots = |names: &[Identifier], slots: &[u32]| -> Vec<(Identifier, u32)> {
            names.iter().copied().zip(slots.iter().copied()).collect()
        };
        match self.ast.declaration(id) {
            Declaration::Function(name, _)
            | Declaration::Nametype(name, _)
            | Declaration::Subtype(name, _) => (with_slots(&[*name], slots), false),
            Declaration::Channel(names, _) => (with_slots(names, slots), true),
            Declaration::Datatype(_, constructors) => {
                let names: Vec<Identifier> = constructors.iter().map(|c| c.name).collect();
                // The first slot is that of the datatype's own name, which `announce` has filled.
                (with_slots(&names, slots.get(1..).unwrap_or_default()), true)
            }
            Declaration::Pattern(pattern, _) => {
                let span = self.ast.patterns[*pattern].span;
                let variables = self.pattern_variables(*pattern).into_iter();
                let names = variables.map(|(symbol, slot)| (Identifier { symbol, span }, slot));
                (names.collect(), false)
            }
            _ => (Vec::new(), false),
        }
    }

    /// The types of an annotation. After a mistake in it, the name fits everywhere.
    fn signature(&mut self, scheme: &TypeScheme) -> Signature {
        let datatypes = self.datatypes_in(scheme.body);
        let around = &self.type_variables;
        let mut annotations = Annotations::new(self.ast, &mut self.types, &datatypes, around);
        annotations.signature(scheme).unwrap_or_else(|problem| {
            self.diagnostics.push(*problem);
            Signature {
                scheme: Scheme::of(Types::UNKNOWN),
                own: Types::UNKNOWN,
                variables: TypeVariables::default(),
            }
        })
    }

    /// The datatypes that the names in the type `body` mean.
    fn datatypes_in(&mut self, body: TypeId) -> FxHashMap<TypeId, Type> {
        let mut found = FxHashMap::default();
        let resolved = self.resolved;
        for (id, _) in type_names(self.ast, body) {
            let Some(reference) = &resolved.type_names[id] else {
                continue;
            };
            let values = self.reference(Some(reference));
            if let TypeKind::Set(values) = self.types.kind(values) {
                found.insert(id, values);
            }
        }
        found
    }

    /// Gives a name its final type.
    fn finish(&mut self, name: &Typing, generality: Generality, fails: bool) {
        let known = self.type_in(name.frame, name.slot);
        let scheme = match &name.annotated {
            Some(scheme) => scheme.clone(),
            // A type that was found beside a mistake could cause further messages where the name is
            // used.
            None if fails => Scheme::of(Types::UNKNOWN),
            None if generality == Generality::MostGeneral && !name.is_plain => {
                self.generalised(known)
            }
            None => Scheme::of(known),
        };
        // In a module with parameters the types of fields may be those of the parameters; its
        // instances are checked.
        if name.is_plain && !fails && self.parameters.is_empty() {
            self.check_plain(name.name, scheme.ty);
        }
        let slot = SlotContent::Value(scheme.clone());
        self.environment.fill_in(name.frame, name.slot, slot);
        self.environment
            .call(name.frame, name.slot, name.name.symbol);
        self.declared.push(Declared {
            name: name.name,
            scheme,
        });
    }

    /// `ty` for all values of its variables, except those in the parameters of the modules around.
    pub(super) fn generalised(&mut self, ty: Type) -> Scheme {
        let mut around = OpenVariables::default();
        for parameter in self.parameters.clone() {
            self.types.open(parameter, &mut around);
        }
        self.types.generalised(ty, &around)
    }

    /// Requires the fields of a channel or constructor to have one type.
    fn check_plain(&mut self, name: Identifier, ty: Type) {
        let mut open = OpenVariables::default();
        self.types.open(ty, &mut open);
        if !open.variables.is_empty() || !open.tails.is_empty() {
            let text = self.ast.name(name.symbol).to_string();
            let error = self.ambiguous(&text, name.span, ty);
            self.diagnostics.push(error);
        }
    }

    /// The message that the fields of the channel or constructor `name` could have any type.
    pub(super) fn ambiguous(&mut self, name: &str, span: Span, ty: Type) -> Diagnostic {
        let text = super::text::TypeNames::new(self.ast).ty(&mut self.types, ty);
        let message = format!("the fields of `{name}` could be of any type");
        Diagnostic::error("ambiguous-type", message)
            .at(span, format!("this has type {text}"))
            .note("what a channel carries and a constructor holds must be of one known type")
    }

    /// The type in a slot, as far as it is known.
    pub(super) fn type_in(&self, frame: FrameId, slot: u32) -> Type {
        match self.environment.slot(frame, slot) {
            SlotContent::Value(scheme) => scheme.ty,
            _ => Types::UNKNOWN,
        }
    }
}
