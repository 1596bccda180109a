//! Groups declarations that belong together, and finds the order in which the groups are typed.
//!
//! Declarations that use each other in a circle are typed together. Others are typed after those
//! that they use, so that a definition has its most general type before it is used. Declarations in
//! modules without parameters are typed among those around the module: either may use the other.

use super::frames::SlotContent;
use super::inference::{Declared, Inference};
use super::nodes::{Nodes, PlacedDeclaration};
use super::scheme::{Generality, Scheme};
use super::types::TypeKind;
use base::stack::deep;
use syntax::ast::{Declaration, DeclarationId};

impl Inference<'_> {
    /// Types `declarations`, whose frame is the innermost one.
    pub(super) fn declarations(&mut self, declarations: &[DeclarationId], generality: Generality) {
        let mut nodes = Nodes::new(self.script, &self.environment);
        self.flatten(declarations, &mut nodes);
        // All datatypes exist before anything is typed, because annotations may name any of them.
        for node in nodes.all() {
            self.at(node, |inference| inference.announce(node.id));
        }
        for group in nodes.groups() {
            if let Some(problem) = nodes.cyclic_instance(&group) {
                // Nothing of the group is typed: a slot without content fits everywhere.
                self.problems.add(problem);
                continue;
            }
            let group = group.iter().map(|&number| &nodes.all()[number]);
            self.group(&group.collect::<Vec<_>>(), generality);
        }
    }

    /// Runs an action at the place of `node`, whose list has the innermost frame.
    pub(super) fn at<T>(
        &mut self,
        node: &PlacedDeclaration,
        act: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let around = self.environment.enter_all(&node.inside, &node.qualifier);
        let result = act(self);
        self.environment.go_back(around);
        result
    }

    fn flatten(&mut self, declarations: &[DeclarationId], nodes: &mut Nodes<'_>) {
        self.annotated.note(self.script, declarations);
        for &id in declarations {
            deep(|| self.flatten_one(id, nodes));
        }
    }

    fn flatten_one(&mut self, id: DeclarationId, nodes: &mut Nodes<'_>) {
        let ast = self.script.ast;
        match ast.declaration(id) {
            Declaration::Include(_, inner) => self.flatten(inner, nodes),
            Declaration::Timed(duration, inner) => {
                // A section without a duration function has nothing that is typed by itself.
                if duration.is_some() {
                    nodes.add(&self.environment, id);
                }
                self.flatten(inner, nodes);
            }
            Declaration::Module {
                name,
                parameters,
                private,
                exports,
            } if parameters.is_empty() => {
                let first = nodes.all().len();
                let frames = self.environment.module_frames(id);
                // Before the module's frames are entered: its own slot is in the frame around them.
                self.environment.fill_instance(id, *name, frames[1]);
                let around = self.environment.qualifier();
                let qualifier = format!("{around}{}::", ast.name(name.symbol));
                let around = self.environment.enter_all(&frames, &qualifier);
                self.flatten(private, nodes);
                self.flatten(exports, nodes);
                self.environment.go_back(around);
                nodes.end_module(id, first);
            }
            Declaration::External(_)
            | Declaration::Transparent(_)
            | Declaration::Annotation(..) => {}
            _ => nodes.add(&self.environment, id),
        }
    }

    /// Notes the facts about a declaration that are known before any is typed: that its datatype
    /// exists, and its annotations.
    fn announce(&mut self, id: DeclarationId) {
        if let Declaration::Datatype(identifier, _) = self.script.ast.declaration(id) {
            let name = *identifier;
            let (around, text) = (
                self.environment.qualifier(),
                self.script.ast.name(name.symbol),
            );
            let datatype = self.types.datatype(format!("{around}{text}"));
            let ty = self.types.make(TypeKind::Datatype(datatype));
            let values = self.types.set(ty);
            if let Some(&frame) = self.environment.chain().last() {
                self.environment.frames.declare(frame, datatype);
            }
            let scheme = Scheme::of(values);
            self.declared.push(Declared {
                name,
                scheme: scheme.clone(),
            });
            self.environment.fill(id, SlotContent::Value(scheme));
        }
    }
}
