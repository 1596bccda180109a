//! Groups declarations that belong together, and finds the order in which the groups are typed.
//!
//! Declarations that use each other in a circle are typed together. Others are typed after those
//! that they use, so that a definition has its most general type before it is used. Declarations in
//! modules without parameters are typed among those around the module: either may use the other.

use std::convert::Infallible;

use rustc_hash::FxHashMap;

use super::environment::{FrameId, SlotContent};
use super::inference::{Declared, Inference, definition};
use super::scheme::{Generality, Scheme};
use super::types::{Datatype, TypeKind};
use base::components::strong_components;
use base::diag::Diagnostic;
use base::stack::deep;
use syntax::ast::{
    Declaration, DeclarationId, Expr, Identifier, Pattern, PatternId, Symbol, TypeScheme,
};
use syntax::children::{Child, descendants};
use types::resolved::{PatternName, Reference};

/// A declaration, with its place in the list.
#[derive(Clone)]
pub(super) struct PlacedDeclaration {
    pub(super) id: DeclarationId,
    /// The frames of the modules of the list that it is in, the innermost last.
    inside: Vec<FrameId>,
    /// The prefix of its name, such as `M::N::`; empty outside of modules.
    pub(super) qualifier: String,
}

/// The nodes of a list of declarations. Those in modules without parameters are among them.
#[derive(Default)]
struct Nodes {
    nodes: Vec<PlacedDeclaration>,
    /// The node of each declaration.
    numbers: FxHashMap<DeclarationId, u32>,
    /// For each module without parameters, the first node in it and the first after it.
    modules: FxHashMap<DeclarationId, (usize, usize)>,
    /// The nodes of each name of an instance. Instances in different modules may share a name.
    instances: FxHashMap<Symbol, Vec<u32>>,
    /// The number of frames around the list.
    depth: usize,
}

impl<'a> Inference<'a> {
    /// Types `declarations`, whose frame is the innermost one.
    pub(super) fn declarations(&mut self, declarations: &[DeclarationId], generality: Generality) {
        let mut nodes = Nodes {
            depth: self.environment.chain().len(),
            ..Nodes::default()
        };
        self.flatten(declarations, &mut nodes);
        // All datatypes exist before anything is typed, because annotations may name any of them.
        for node in nodes.nodes.clone() {
            self.at(&node, |inference| inference.announce(node.id));
        }
        for group in self.groups(&nodes) {
            if let Some(problem) = self.cyclic_instance(&group, &nodes) {
                // Nothing of the group is typed: a slot without content fits everywhere.
                self.diagnostics.push(problem);
                continue;
            }
            let group: Vec<PlacedDeclaration> = group
                .iter()
                .map(|&number| nodes.nodes[number].clone())
                .collect();
            self.group(&group, generality);
        }
    }

    /// Runs an action at the place of `node`, whose list has the innermost frame.
    pub(super) fn at<T>(
        &mut self,
        node: &PlacedDeclaration,
        act: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let depth = self.environment.chain().len();
        for &frame in &node.inside {
            self.environment.enter(frame);
        }
        let qualifier = std::mem::replace(&mut self.qualifier, node.qualifier.clone());
        let result = act(self);
        self.qualifier = qualifier;
        self.environment.leave_to(depth);
        result
    }

    fn flatten(&mut self, declarations: &[DeclarationId], nodes: &mut Nodes) {
        self.note_annotations(declarations);
        for &id in declarations {
            deep(|| self.flatten_one(id, nodes));
        }
    }

    fn flatten_one(&mut self, id: DeclarationId, nodes: &mut Nodes) {
        let ast = self.ast;
        match ast.declaration(id) {
            Declaration::Include(_, inner) => self.flatten(inner, nodes),
            Declaration::Timed(duration, inner) => {
                // A section without a duration function has nothing that is typed by itself.
                if duration.is_some() {
                    self.add(id, nodes);
                }
                self.flatten(inner, nodes);
            }
            Declaration::Module {
                name,
                parameters,
                private,
                exports,
            } if parameters.is_empty() => {
                let first = nodes.nodes.len();
                let frame = self.module_frames(id);
                // Before the module's frames are entered: its own slot is in the frame around them.
                self.fill_slots(id, 0, SlotContent::Instance(frame.1));
                self.call_slot(id, *name);
                self.environment.enter(frame.0);
                self.environment.enter(frame.1);
                let around = self.qualifier.clone();
                self.qualifier = format!("{around}{}::", ast.name(name.symbol));
                self.flatten(private, nodes);
                self.flatten(exports, nodes);
                self.qualifier = around;
                self.environment.leave();
                self.environment.leave();
                nodes.modules.insert(id, (first, nodes.nodes.len()));
            }
            Declaration::External(_)
            | Declaration::Transparent(_)
            | Declaration::Annotation(..) => {}
            declaration => {
                if let Declaration::Instance { name, .. } = declaration {
                    let number = nodes.nodes.len() as u32;
                    nodes.instances.entry(name.symbol).or_default().push(number);
                }
                self.add(id, nodes);
            }
        }
    }

    fn add(&self, id: DeclarationId, nodes: &mut Nodes) {
        nodes.numbers.insert(id, nodes.nodes.len() as u32);
        nodes.nodes.push(PlacedDeclaration {
            id,
            inside: self.environment.chain()[nodes.depth..].to_vec(),
            qualifier: self.qualifier.clone(),
        });
    }

    /// The two frames of a module: that of its parameters, and that of its declarations.
    pub(super) fn module_frames(&mut self, id: DeclarationId) -> (FrameId, FrameId) {
        let sizes = self.resolved.module_frames.get(&id);
        let (parameters, declared) = sizes.copied().unwrap_or_default();
        let parameters = self.environment.frame(parameters as usize);
        (parameters, self.environment.frame(declared as usize))
    }

    /// Puts `slot` into the slot of the `index`th name that `id` introduces.
    pub(super) fn fill_slots(&mut self, id: DeclarationId, index: usize, slot: SlotContent) {
        if let Some((frame, place)) = self.slot_here(id, index) {
            self.environment.fill_in(frame, place, slot);
        }
    }

    /// Notes `name` as the name of the first slot of `id`.
    pub(super) fn call_slot(&mut self, id: DeclarationId, name: Identifier) {
        if let Some((frame, slot)) = self.slot_here(id, 0) {
            self.environment.call(frame, slot, name.symbol);
        }
    }

    /// The slot of the `index`th name that `id` introduces, in the innermost frame.
    pub(super) fn slot_here(&self, id: DeclarationId, index: usize) -> Option<(FrameId, u32)> {
        let slot = *self.resolved.slots.get(&id)?.get(index)?;
        Some((*self.environment.chain().last()?, slot))
    }

    /// Notes the annotations of the names among `declarations`.
    fn note_annotations(&mut self, declarations: &[DeclarationId]) {
        let ast = self.ast;
        let mut written: Vec<(Symbol, &'a TypeScheme)> = Vec::new();
        let mut defined: FxHashMap<Symbol, DeclarationId> = FxHashMap::default();
        let mut open: Vec<DeclarationId> = declarations.to_vec();
        while let Some(id) = open.pop() {
            match ast.declaration(id) {
                Declaration::Annotation(names, scheme) => {
                    written.extend(names.iter().map(|name| (name.symbol, scheme)));
                }
                Declaration::Include(_, inner) | Declaration::Timed(_, inner) => open.extend(inner),
                declaration => {
                    for symbol in self.introduced(declaration) {
                        defined.insert(symbol, id);
                    }
                }
            }
        }
        for (symbol, scheme) in written {
            if let Some(&id) = defined.get(&symbol) {
                self.annotations.insert((id, symbol), scheme);
            }
        }
    }

    /// The names that a declaration introduces as values.
    fn introduced(&self, declaration: &Declaration) -> Vec<Symbol> {
        match declaration {
            Declaration::Function(name, _)
            | Declaration::Nametype(name, _)
            | Declaration::Subtype(name, _) => vec![name.symbol],
            Declaration::Channel(names, _) => names.iter().map(|name| name.symbol).collect(),
            Declaration::Datatype(name, constructors) => {
                let constructors = constructors.iter().map(|c| c.name.symbol);
                [name.symbol].into_iter().chain(constructors).collect()
            }
            Declaration::Pattern(pattern, _) => {
                let variables = self.pattern_variables(*pattern).into_iter();
                variables.map(|(symbol, _)| symbol).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The variables of a pattern, with their slots.
    pub(super) fn pattern_variables(&self, pattern: PatternId) -> Vec<(Symbol, u32)> {
        let nodes = descendants(self.ast, Child::Pattern(pattern)).into_iter();
        let variables = nodes.filter_map(|node| match node {
            Child::Pattern(id) => match (self.ast.pattern(id), &self.resolved.patterns[id]) {
                (Pattern::Name(path), Some(PatternName::Variable(slot))) => {
                    Some((path.last().symbol, *slot))
                }
                _ => None,
            },
            _ => None,
        });
        variables.collect()
    }

    /// Notes the facts about a declaration that are known before any is typed: that its datatype
    /// exists, and its annotations.
    fn announce(&mut self, id: DeclarationId) {
        if let Declaration::Datatype(identifier, _) = self.ast.declaration(id) {
            let name = *identifier;
            let text = format!("{}{}", self.qualifier, self.ast.name(name.symbol));
            let datatype = self.types.datatype(text);
            let ty = self.types.make(TypeKind::Datatype(datatype));
            let values = self.types.set(ty);
            if let Some(&frame) = self.environment.chain().last() {
                self.environment.declare(frame, datatype);
            }
            let scheme = Scheme::of(values);
            self.declared.push(Declared {
                name,
                scheme: scheme.clone(),
            });
            self.fill_slots(id, 0, SlotContent::Value(scheme));
        }
    }

    /// The datatype of the declaration `id`, whose frame must be the innermost one.
    pub(super) fn datatype_of(&mut self, id: DeclarationId) -> Option<Datatype> {
        let (frame, slot) = self.slot_here(id, 0)?;
        let TypeKind::Set(values) = self.types.kind(self.type_in(frame, slot)) else {
            return None;
        };
        match self.types.kind(values) {
            TypeKind::Datatype(datatype) => Some(datatype),
            _ => None,
        }
    }

    /// The nodes in groups, each group after those that it uses.
    fn groups(&self, nodes: &Nodes) -> Vec<Vec<usize>> {
        // To look at what one alone uses would take quadratic time where `let` stands in `let`.
        if nodes.nodes.len() == 1 {
            return vec![vec![0]];
        }
        let each = nodes.nodes.iter();
        let uses: Vec<Vec<u32>> = each.map(|node| self.uses(node.id, nodes)).collect();
        let Ok(components) = strong_components(&uses[..], &mut |_| Ok::<_, Infallible>(()));
        let count = components.iter().max().map_or(0, |&last| last as usize + 1);
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); count];
        // A component is numbered after all that it uses, so the groups come in the order of
        // typing.
        for (number, &component) in components.iter().enumerate() {
            groups[component as usize].push(number);
        }
        groups
    }

    /// The message that an instance of a module is used in something the module itself needs, if
    /// `group` has such an instance. Its names then fit everywhere.
    fn cyclic_instance(&self, group: &[usize], nodes: &Nodes) -> Option<Diagnostic> {
        let ast = self.ast;
        let mut ids = group.iter().map(|&number| nodes.nodes[number].id);
        ids.find_map(|id| {
            let Declaration::Instance { name, .. } = ast.declaration(id) else {
                return None;
            };
            let target = self.resolved.instances.get(&id).and_then(definition)?;
            let of_module = |number: &usize| {
                let range = nodes.modules.get(&target);
                nodes.nodes[*number].id == target
                    || range.is_some_and(|&(first, end)| (first..end).contains(number))
            };
            if !group.iter().any(of_module) {
                return None;
            }
            let Declaration::Module { name: module, .. } = ast.declaration(target) else {
                return None;
            };
            let (instance, text) = (ast.name(name.symbol), ast.name(module.symbol));
            let message = format!("`{instance}` is an instance of `{text}`, which needs it itself");
            let error = Diagnostic::error("cyclic-instance", message)
                .at(name.span, "this instance")
                .at(module.span, "needs it through its declarations");
            Some(error)
        })
    }

    /// The nodes that the declaration `id` uses.
    fn uses(&self, id: DeclarationId, nodes: &Nodes) -> Vec<u32> {
        let mut used: Vec<u32> = Vec::new();
        for node in descendants(self.ast, Child::Declaration(id)) {
            match node {
                Child::Expression(expression) => {
                    self.used_by(self.resolved.names[expression].as_ref(), nodes, &mut used);
                    if let Expr::Name(path) = self.ast.expr(expression) {
                        self.used_instances(&path.segments, nodes, &mut used);
                    }
                }
                Child::Pattern(pattern) => {
                    if let Some(PatternName::Constant(reference)) = &self.resolved.patterns[pattern]
                    {
                        self.used_by(Some(reference), nodes, &mut used);
                    }
                    if let Pattern::Name(path) = self.ast.pattern(pattern) {
                        self.used_instances(&path.segments, nodes, &mut used);
                    }
                }
                Child::Declaration(inner) => {
                    for reference in self.resolved.constructors.get(&inner).into_iter().flatten() {
                        self.used_by(Some(reference), nodes, &mut used);
                    }
                    self.used_by(self.resolved.instances.get(&inner), nodes, &mut used);
                    if let Declaration::Instance { module, .. } = self.ast.declaration(inner) {
                        self.used_instances(&module.segments, nodes, &mut used);
                    }
                }
            }
        }
        used.sort_unstable();
        used.dedup();
        used
    }

    fn used_by(&self, reference: Option<&Reference>, nodes: &Nodes, used: &mut Vec<u32>) {
        let Some(definition) = reference.and_then(definition) else {
            return;
        };
        if let Some(&(first, end)) = nodes.modules.get(&definition) {
            // An instance needs the whole module, whichever of its members are used.
            used.extend(first as u32..end as u32);
        }
        if let Some(&number) = nodes.numbers.get(&definition) {
            used.push(number);
        }
    }

    /// Adds the instances through which a name is reached to `used`.
    fn used_instances(&self, segments: &[Identifier], nodes: &Nodes, used: &mut Vec<u32>) {
        for segment in &segments[..segments.len().saturating_sub(1)] {
            used.extend(nodes.instances.get(&segment.symbol).into_iter().flatten());
        }
    }
}
