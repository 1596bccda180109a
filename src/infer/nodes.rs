//! The declarations of a list as nodes, and the order in which they are typed.

use std::convert::Infallible;

use rustc_hash::FxHashMap;

use super::environment::Environment;
use super::frames::FrameId;
use super::script::{InputScript, definition};
use base::components::strong_components;
use base::diag::Diagnostic;
use syntax::ast::{Declaration, DeclarationId, Expr, Identifier, Pattern, Symbol};
use syntax::children::{Child, descendants};
use types::resolved::{PatternName, Reference};

/// A declaration, with its place in the list.
pub(super) struct PlacedDeclaration {
    pub(super) id: DeclarationId,
    /// The frames of the modules of the list that it is in, the innermost last.
    pub(super) inside: Vec<FrameId>,
    /// The prefix of its name, such as `M::N::`; empty outside of modules.
    pub(super) qualifier: String,
}

/// The nodes of a list of declarations. Those in modules without parameters are among them.
pub(super) struct Nodes<'a> {
    script: InputScript<'a>,
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

impl<'a> Nodes<'a> {
    /// No nodes yet, of a list at the present place.
    pub(super) fn new(script: InputScript<'a>, environment: &Environment<'_>) -> Self {
        Self {
            script,
            nodes: Vec::new(),
            numbers: FxHashMap::default(),
            modules: FxHashMap::default(),
            instances: FxHashMap::default(),
            depth: environment.chain().len(),
        }
    }

    /// All nodes, in the order of the script.
    pub(super) fn all(&self) -> &[PlacedDeclaration] {
        &self.nodes
    }

    /// Adds the declaration `id`, which stands at the present place.
    pub(super) fn add(&mut self, environment: &Environment<'_>, id: DeclarationId) {
        let number = self.nodes.len() as u32;
        if let Declaration::Instance { name, .. } = self.script.ast.declaration(id) {
            self.instances.entry(name.symbol).or_default().push(number);
        }
        self.numbers.insert(id, number);
        self.nodes.push(PlacedDeclaration {
            id,
            inside: environment.chain()[self.depth..].to_vec(),
            qualifier: environment.qualifier().to_string(),
        });
    }

    /// Notes that the module `id` has all nodes from the one with number `first`.
    pub(super) fn end_module(&mut self, id: DeclarationId, first: usize) {
        self.modules.insert(id, (first, self.nodes.len()));
    }

    /// The nodes in groups, each group after those that it uses.
    pub(super) fn groups(&self) -> Vec<Vec<usize>> {
        // To look at what one alone uses would take quadratic time where `let` stands in `let`.
        if self.nodes.len() == 1 {
            return vec![vec![0]];
        }
        let each = self.nodes.iter();
        let uses: Vec<Vec<u32>> = each.map(|node| self.uses(node.id)).collect();
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
    pub(super) fn cyclic_instance(&self, group: &[usize]) -> Option<Diagnostic> {
        let InputScript { ast, resolved } = self.script;
        let mut ids = group.iter().map(|&number| self.nodes[number].id);
        ids.find_map(|id| {
            let Declaration::Instance { name, .. } = ast.declaration(id) else {
                return None;
            };
            let target = resolved.instances.get(&id).and_then(definition)?;
            let of_module = |number: &usize| {
                let range = self.modules.get(&target);
                self.nodes[*number].id == target
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
    fn uses(&self, id: DeclarationId) -> Vec<u32> {
        let InputScript { ast, resolved } = self.script;
        let mut used: Vec<u32> = Vec::new();
        for node in descendants(ast, Child::Declaration(id)) {
            match node {
                Child::Expression(expression) => {
                    self.used_by(resolved.names[expression].as_ref(), &mut used);
                    if let Expr::Name(path) = ast.expr(expression) {
                        self.used_instances(&path.segments, &mut used);
                    }
                }
                Child::Pattern(pattern) => {
                    if let Some(PatternName::Constant(reference)) = &resolved.patterns[pattern] {
                        self.used_by(Some(reference), &mut used);
                    }
                    if let Pattern::Name(path) = ast.pattern(pattern) {
                        self.used_instances(&path.segments, &mut used);
                    }
                }
                Child::Declaration(inner) => {
                    for reference in resolved.constructors.get(&inner).into_iter().flatten() {
                        self.used_by(Some(reference), &mut used);
                    }
                    self.used_by(resolved.instances.get(&inner), &mut used);
                    if let Declaration::Instance { module, .. } = ast.declaration(inner) {
                        self.used_instances(&module.segments, &mut used);
                    }
                }
            }
        }
        used.sort_unstable();
        used.dedup();
        used
    }

    fn used_by(&self, reference: Option<&Reference>, used: &mut Vec<u32>) {
        let Some(definition) = reference.and_then(definition) else {
            return;
        };
        if let Some(&(first, end)) = self.modules.get(&definition) {
            // An instance needs the whole module, whichever of its members are used.
            used.extend(first as u32..end as u32);
        }
        if let Some(&number) = self.numbers.get(&definition) {
            used.push(number);
        }
    }

    /// Adds the instances through which a name is reached to `used`.
    fn used_instances(&self, segments: &[Identifier], used: &mut Vec<u32>) {
        for segment in &segments[..segments.len().saturating_sub(1)] {
            used.extend(self.instances.get(&segment.symbol).into_iter().flatten());
        }
    }
}
