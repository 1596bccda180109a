//! Types one group of declarations that use each other: first its names get preliminary types, then
//! their final types.

use rustc_hash::FxHashMap;

use super::annotation::{Annotations, Signature, TypeVariables};
use super::environment::Environment;
use super::frames::{FrameId, SlotContent};
use super::inference::{Declared, Inference};
use super::nodes::PlacedDeclaration;
use super::scheme::{Generality, OpenVariables, Scheme};
use super::single::Before;
use super::types::{Type, TypeKind, Types};
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
    /// True for a channel or a constructor beside which an undefined name is written.
    mentions_unknown: bool,
}

impl Inference<'_> {
    /// Types declarations that use each other.
    pub(super) fn group(&mut self, group: &[&PlacedDeclaration], generality: Generality) {
        let (diagnostics, declared) = (self.problems.count(), self.declared.len());
        let mut before = Before::now(&self.types);
        let (mut names, mut fails) = self.attempt(group);
        // Values of datatypes were supposed to be comparable. What compares them must be refused if
        // they are not, and that can be what the datatype itself is made with.
        if !self.environment.are_comparable(&mut self.types, group) {
            self.problems.truncate(diagnostics);
            self.declared.truncate(declared);
            before = Before::now(&self.types);
            (names, fails) = self.attempt(group);
        }
        for name in names {
            if generality == Generality::OneType && !fails && name.annotated.is_none() {
                let ty = self.environment.frames.type_in(name.frame, name.slot);
                self.singles.note(&self.types, name.name, ty, before);
            }
            self.finish(&name, generality, fails);
        }
    }

    /// Types a group. Returns its names, and true if there are mistakes.
    fn attempt(&mut self, group: &[&PlacedDeclaration]) -> (Vec<Typing>, bool) {
        let before = self.problems.count();
        let mut names: Vec<Typing> = Vec::new();
        // All names of the group have some type before any is typed, because they use each other.
        for node in group {
            names.extend(self.at(node, |inference| inference.begin(node.id)));
        }
        // Constructors are needed in patterns with their fields.
        let ast = self.script.ast;
        let is_datatype = |node: &&PlacedDeclaration| {
            matches!(ast.declaration(node.id), Declaration::Datatype(..))
        };
        let (datatypes, others): (Vec<_>, Vec<_>) = group.iter().copied().partition(is_datatype);
        for node in datatypes.iter().chain(&others) {
            let typed = self.at(node, |inference| inference.declaration(node.id));
            self.problems.report(typed);
            let place = self.script.ast.declarations[node.id].span;
            let sized = self.types.of_bearable_size((), place);
            self.problems.report(sized);
        }
        (names, self.problems.count() > before)
    }

    /// Gives each name that `id` introduces a type that is not known yet.
    fn begin(&mut self, id: DeclarationId) -> Vec<Typing> {
        let Some(&frame) = self.environment.chain().last() else {
            return Vec::new();
        };
        let (names, is_plain) = self.script.names_of(id);
        let mentions_unknown = is_plain && self.script.mentions_unknown(id);
        let mut typing = Vec::new();
        for (name, slot) in names {
            let ty = match self.script.ast.declaration(id) {
                Declaration::Function(_, clauses) => function_yet(&mut self.types, clauses),
                _ => self.types.unknown_yet(),
            };
            let value = SlotContent::Value(Scheme::of(ty));
            self.environment.frames.fill_in(frame, slot, value);
            let written = self.annotated.written(id, name.symbol);
            let annotated = written.map(|scheme| {
                let signature = self.signature(scheme);
                let each = signature.scheme.clone();
                self.annotated.note_read(id, name.symbol, signature);
                each
            });
            typing.push(Typing {
                name,
                frame,
                slot,
                annotated,
                is_plain,
                mentions_unknown,
            });
        }
        typing
    }

    /// The types of an annotation. After a mistake in it, the name fits everywhere.
    fn signature(&mut self, scheme: &TypeScheme) -> Signature {
        let (ast, types) = (self.script.ast, &mut self.types);
        let datatypes = self.environment.datatypes_in(types, scheme.body);
        let around = self.annotated.around();
        let mut annotations = Annotations::new(ast, types, &datatypes, around);
        annotations.signature(scheme).unwrap_or_else(|problem| {
            self.problems.report(Err(problem));
            Signature {
                scheme: Scheme::of(Types::UNKNOWN),
                own: Types::UNKNOWN,
                variables: TypeVariables::default(),
            }
        })
    }

    /// Gives a name its final type.
    fn finish(&mut self, name: &Typing, generality: Generality, fails: bool) {
        let known = self.environment.frames.type_in(name.frame, name.slot);
        // Which fields there are is not known then. That a name is unknown is reported already.
        let fails = fails || name.mentions_unknown;
        let scheme = match &name.annotated {
            Some(scheme) => scheme.clone(),
            // A type that was found beside a mistake could cause further messages where the name is
            // used.
            None if fails => Scheme::of(Types::UNKNOWN),
            None if generality == Generality::MostGeneral && !name.is_plain => {
                self.environment.generalised(&mut self.types, known)
            }
            None => Scheme::of(known),
        };
        // In a module with parameters the types of fields may be those of the parameters; its
        // instances are checked.
        if name.is_plain && !fails && self.environment.parameters.is_empty() {
            self.check_plain(name.name, scheme.ty);
        }
        let slot = SlotContent::Value(scheme.clone());
        let frames = &mut self.environment.frames;
        frames.fill_in(name.frame, name.slot, slot);
        frames.call(name.frame, name.slot, name.name.symbol);
        self.declared.push(Declared {
            name: name.name,
            scheme,
        });
    }

    /// Requires the fields of a channel or constructor to have one type.
    fn check_plain(&mut self, name: Identifier, ty: Type) {
        let mut open = OpenVariables::default();
        self.types.open(ty, &mut open);
        if !open.variables.is_empty() || !open.tails.is_empty() {
            let text = self.script.ast.name(name.symbol);
            let error = self.check().ambiguous(text, name.span, ty);
            self.problems.add(error);
        }
    }
}

/// The type of a function with as many arguments as `clauses` take, so that a use with other
/// numbers is found at its place.
fn function_yet(types: &mut Types, clauses: &[Clause]) -> Type {
    let groups = clauses.first().map_or(&[][..], |clause| &clause.groups);
    let result = types.unknown_yet();
    groups.iter().rev().fold(result, |result, group| {
        let parameters: Vec<Type> = group.iter().map(|_| types.unknown_yet()).collect();
        types.function(&parameters, result)
    })
}

impl Environment<'_> {
    /// The datatypes that the names in the type `body` mean.
    fn datatypes_in(&self, types: &mut Types, body: TypeId) -> FxHashMap<TypeId, Type> {
        let mut found = FxHashMap::default();
        for (id, _) in type_names(self.script.ast, body) {
            let Some(reference) = &self.script.resolved.type_names[id] else {
                continue;
            };
            let values = self.reference(types, Some(reference));
            if let TypeKind::Set(values) = types.kind(values) {
                found.insert(id, values);
            }
        }
        found
    }
}
