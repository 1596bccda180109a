//! The names that have annotations, with the types that these give to them.

use rustc_hash::FxHashMap;

use super::annotation::{Signature, TypeVariables};
use super::script::InputScript;
use syntax::ast::{Declaration, DeclarationId, PatternId, Symbol, TypeScheme};

/// The annotations of names, by definition and name.
#[derive(Default)]
pub(super) struct AnnotatedNames<'a> {
    /// The annotation of each name as written.
    written: FxHashMap<(DeclarationId, Symbol), &'a TypeScheme>,
    /// The annotation of each name as it was read.
    read: FxHashMap<(DeclarationId, Symbol), Signature>,
    /// The type variables of the annotated definitions around, the innermost last.
    around: Vec<TypeVariables>,
}

impl<'a> AnnotatedNames<'a> {
    /// Notes the annotations of the names among `declarations`.
    pub(super) fn note(&mut self, script: InputScript<'a>, declarations: &[DeclarationId]) {
        let mut written: Vec<(Symbol, &'a TypeScheme)> = Vec::new();
        let mut defined: FxHashMap<Symbol, DeclarationId> = FxHashMap::default();
        let mut open: Vec<DeclarationId> = declarations.to_vec();
        while let Some(id) = open.pop() {
            match script.ast.declaration(id) {
                Declaration::Annotation(names, scheme) => {
                    written.extend(names.iter().map(|name| (name.symbol, scheme)));
                }
                Declaration::Include(_, inner) | Declaration::Timed(_, inner) => open.extend(inner),
                declaration => {
                    if let Declaration::Datatype(name, _) = declaration {
                        defined.insert(name.symbol, id);
                    }
                    let names = script.names_of(id).0.into_iter();
                    defined.extend(names.map(|(name, _)| (name.symbol, id)));
                }
            }
        }
        for (symbol, scheme) in written {
            if let Some(&id) = defined.get(&symbol) {
                self.written.insert((id, symbol), scheme);
            }
        }
    }

    /// The annotation of the name `symbol` of `id` as written.
    pub(super) fn written(&self, id: DeclarationId, symbol: Symbol) -> Option<&'a TypeScheme> {
        self.written.get(&(id, symbol)).copied()
    }

    /// Notes the annotation of the name `symbol` of `id` as it was read.
    pub(super) fn note_read(&mut self, id: DeclarationId, symbol: Symbol, signature: Signature) {
        self.read.insert((id, symbol), signature);
    }

    /// The annotation of the name `symbol` of `id` as it was read.
    pub(super) fn signature(&self, id: DeclarationId, symbol: Symbol) -> Option<&Signature> {
        self.read.get(&(id, symbol))
    }

    /// The annotated types of the variables of `pattern`, with their slots.
    pub(super) fn of_variables(
        &self,
        script: InputScript<'_>,
        id: DeclarationId,
        pattern: PatternId,
    ) -> Vec<(Signature, u32)> {
        let variables = script.pattern_variables(pattern).into_iter();
        let found = variables.filter_map(|(symbol, slot)| {
            let signature = self.signature(id, symbol)?;
            Some((signature.clone(), slot))
        });
        found.collect()
    }

    /// The type variables of the annotated definitions around, the innermost last.
    pub(super) fn around(&self) -> &[TypeVariables] {
        &self.around
    }

    /// Goes inside the definition with the annotation `signature`.
    pub(super) fn enter(&mut self, signature: &Signature) {
        self.around.push(signature.variables.clone());
    }

    /// Goes outside of the innermost `count` annotated definitions.
    pub(super) fn leave(&mut self, count: usize) {
        self.around.truncate(self.around.len() - count);
    }
}
